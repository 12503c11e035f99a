"""The dice of a table in its reading: those that the detector saw, and those that it missed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.board import Board
from engine.observation import Candidate, SeenPiece
from vision.dice.find import find_dice
from vision.dice.patch import board_below, seen_at
from vision.dice.read import ReadDie, read_at
from vision.reading import Look, Reading, inventory_counts
from vision.seen import ReadPiece
from vision.types import BoardPose, Image

DIE = "die"
CLEAR = 0.9  # sure of a die and of its pips: no search is needed for it
SAME = 0.9  # sides: a found die this near is the one that the detector saw
SIGMA_MM = 2.0  # how exactly a found die's place is known


def with_dice(
    image: Image, pose: BoardPose, board: Board, reading: Reading, counts: Mapping[Look, int] | None
) -> Reading:
    """The reading with pips for its dice, and with the dice that lie anywhere in view.

    The picture is searched only where the detector's dice are fewer than the game has, or unclear.
    At most as many dice remain as the game has.
    """
    wanted = _count(board, counts)
    seen = [p for p in reading.pieces if p.kind == DIE]
    if not wanted and not seen:
        return reading
    size = board.size_of(DIE)[2]
    dice = [(p, read_at(image, *seen_at(pose, p.at_mm, size))) for p in seen]
    named = [_named(p, d) for p, d in dice]
    if sum(_clear(d) for _, d in dice) < wanted:
        free = list(range(len(dice)))
        for die in find_dice(image, pose, size):
            own = next((i for i in free if _same(pose, seen[i], die, size)), None)
            if own is None:
                named.append(_piece(pose, die, size))
                continue
            free.remove(own)
            if die.sure > dice[own][1].sure:
                named[own] = _named(seen[own], die)
    named.sort(key=lambda p: -p.confidence)
    return _replaced(reading, seen, named[: max(wanted, len(seen))])


def _count(board: Board, counts: Mapping[Look, int] | None) -> int:
    """Dice in the game."""
    known = inventory_counts(board) if counts is None else counts
    return sum(n for (kind, _), n in known.items() if kind == DIE)


def _clear(die: ReadDie) -> bool:
    return die.sure > CLEAR and math.exp(max(die.pips)) > CLEAR


def _named(piece: ReadPiece, die: ReadDie) -> ReadPiece:
    """A die of the detector with its pips; what cannot be read as a die is hardly one."""
    share = piece.confidence * die.sure
    seen = replace(piece.seen, pips=die.pips, confidence=share)
    return replace(piece, seen=seen, confidence=share)


def _same(pose: BoardPose, piece: ReadPiece, die: ReadDie, size_mm: float) -> bool:
    at = board_below(pose, die.centre_px, size_mm)
    return math.dist(at, piece.at_mm) < SAME * size_mm


def _piece(pose: BoardPose, die: ReadDie, size_mm: float) -> ReadPiece:
    """A die that the detector has missed."""
    at = board_below(pose, die.centre_px, size_mm)
    x, y = pose.to_image(np.array([at]))[0]
    foot = (float(x), float(y))
    candidate = Candidate(DIE, None, (), math.log(max(die.sure, 1e-6)))
    variance = SIGMA_MM**2
    seen = SeenPiece(at, (variance, 0.0, variance), foot, (candidate,), die.sure, 0.0, die.pips)
    return ReadPiece(DIE, None, (), at, foot, die.sure, seen)


def _replaced(reading: Reading, old: list[ReadPiece], new: list[ReadPiece]) -> Reading:
    gone = {id(p.seen) for p in old}
    pieces = [p for p in reading.pieces if p.kind != DIE]
    seen = [s for s in reading.seen if id(s) not in gone]
    return replace(reading, pieces=(*pieces, *new), seen=(*seen, *(p.seen for p in new)))
