"""The dice of a table in its reading: those that the detector saw, and those that it missed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from engine.board import Board
from engine.observation import Candidate, SeenPiece
from vision.dice.barred import bodies, in_picture, lies_in, shows_print
from vision.dice.find import find_dice
from vision.dice.patch import board_below, seen_at
from vision.dice.read import ReadDie, read_at
from vision.reading import Look, Reading, inventory_counts
from vision.reference import Reference
from vision.seen import ReadPiece
from vision.types import BoardPose, Image

DIE = "die"
CLEAR = 0.9  # sure of a die and of its pips: no search is needed for it
SAME = 0.9  # sides: a found die this near is the one that the detector saw
ON_BOARD = 0.6  # of a die's confidence, where it would lie on the board
CERTAIN = 0.4  # of a found die and its pips
SURE_PIECE = 0.5  # confidence of another piece from which on it bars a die
SIGMA_MM = 2.0  # how exactly a found die's place is known


def with_dice(
    image: Image, pose: BoardPose, board: Board, reading: Reading,
    counts: Mapping[Look, int] | None, reference: Reference | None = None,
) -> Reading:  # fmt: skip
    """The reading with pips for its dice, and with the dice that lie anywhere in view.

    The picture is searched only where the detector's dice are fewer than the game has, or unclear;
    not where other pieces are read, nor where the print is as ``reference`` shows it.
    At most as many dice remain as the game has.
    """
    wanted = _count(board, counts)
    seen = [p for p in reading.pieces if p.kind == DIE]
    if not wanted and not seen:
        return reading
    size = board.size_of(DIE)[2]
    barred = _barred(image, pose, board, reading, reference, size)
    dice = [(p, read_at(image, *seen_at(pose, p.at_mm, size))) for p in seen]
    dice = [(p, d) for p, d in dice if not barred(d.centre_px)]
    named = [_named(p, d, board) for p, d in dice]
    seen_first = [p for p, _ in dice]
    if sum(_clear(d) for _, d in dice) < wanted:
        free = list(range(len(dice)))
        for die in find_dice(image, pose, size, barred=barred):
            if _certainty(die.sure, die.pips) < CERTAIN:
                continue
            own = next((i for i in free if _same(pose, seen_first[i], die, size)), None)
            if own is None:
                named.append(_piece(pose, die, size, board))
                continue
            free.remove(own)
            if die.sure > dice[own][1].sure:
                named[own] = _named(seen_first[own], die, board)
    named.sort(key=lambda p: -_certainty(p.confidence, p.seen.pips))
    return _replaced(reading, seen, named[: max(wanted, len(seen))])


def _barred(
    image: Image, pose: BoardPose, board: Board, reading: Reading, reference: Reference | None,
    size_mm: float,
) -> Callable[[tuple[float, float]], bool]:  # fmt: skip
    """Whether no die can lie at a point of the picture (px)."""
    sure = [p for p in reading.pieces if p.kind != DIE and p.confidence > SURE_PIECE]
    pieces = bodies(image.shape[:2], pose, board, sure)
    middle = pose.to_board(pose.corners_px.mean(0)[None])[0]
    side = seen_at(pose, (float(middle[0]), float(middle[1])), size_mm)[1]

    def barred(at_px: tuple[float, float]) -> bool:
        if lies_in(pieces, at_px):
            return True
        known = reference is not None and in_picture(image.shape, at_px)
        return known and shows_print(image, pose, reference, at_px, side)

    return barred


def _count(board: Board, counts: Mapping[Look, int] | None) -> int:
    """Dice in the game."""
    known = inventory_counts(board) if counts is None else counts
    return sum(n for (kind, _), n in known.items() if kind == DIE)


def _clear(die: ReadDie) -> bool:
    return die.sure > CLEAR and math.exp(max(die.pips)) > CLEAR


def _certainty(sure: float, pips: tuple[float, ...]) -> float:
    """Probability of a die that shows what it is read as: what is none shows nothing clearly."""
    return sure * math.exp(max(pips))


def _named(piece: ReadPiece, die: ReadDie, board: Board) -> ReadPiece:
    """A die of the detector with its pips; what cannot be read as a die is hardly one."""
    share = piece.confidence * die.sure * _likely(piece.at_mm, board)
    seen = replace(piece.seen, pips=die.pips, confidence=share)
    return replace(piece, seen=seen, confidence=share)


def _same(pose: BoardPose, piece: ReadPiece, die: ReadDie, size_mm: float) -> bool:
    at = board_below(pose, die.centre_px, size_mm)
    return math.dist(at, piece.at_mm) < SAME * size_mm


def _likely(at_mm: tuple[float, float], board: Board) -> float:
    """Dice are thrown beside the board, where there is room; on it most other things lie."""
    on_board = all(0 <= v <= size for v, size in zip(at_mm, board.size_mm, strict=True))
    return ON_BOARD if on_board else 1.0


def _piece(pose: BoardPose, die: ReadDie, size_mm: float, board: Board) -> ReadPiece:
    """A die that the detector has missed."""
    at = board_below(pose, die.centre_px, size_mm)
    x, y = pose.to_image(np.array([at]))[0]
    foot = (float(x), float(y))
    share = die.sure * _likely(at, board)
    candidate = Candidate(DIE, None, (), math.log(max(share, 1e-6)))
    variance = SIGMA_MM**2
    seen = SeenPiece(at, (variance, 0.0, variance), foot, (candidate,), share, 0.0, die.pips)
    return ReadPiece(DIE, None, (), at, foot, share, seen)


def _replaced(reading: Reading, old: list[ReadPiece], new: list[ReadPiece]) -> Reading:
    gone = {id(p.seen) for p in old}
    pieces = [p for p in reading.pieces if p.kind != DIE]
    seen = [s for s in reading.seen if id(s) not in gone]
    return replace(reading, pieces=(*pieces, *new), seen=(*seen, *(p.seen for p in new)))
