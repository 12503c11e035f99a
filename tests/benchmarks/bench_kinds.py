"""How surely kinds of one paint are told: ``python -m tests.benchmarks.bench_kinds SEED…``.

Every seed is a table of Grailnah with open castles in the films' renderer (another print, lamp, camera
and maker of pieces).  Some positions of a played game are drawn and read, each with the position
before it as what is known; the eyes learn kinds that came later only from the first ones.  Of every
piece that stands alone outside the castles and is found, the kind's probability is compared with the
truth.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from engine.board import REFERENCE, load_board
from engine.game import Header, Player
from engine.observation import SeenPiece
from engine.placement import Placement
from models.training.films.film import SIZE, Painter, Shown, stage_of
from models.training.films.games import play_of, short_game
from models.training.synthesis.camera import Camera
from vision.detector import Detector
from vision.evaluation.calibration import reliability
from vision.eyes import Eyes
from vision.labels import labels_of
from vision.reading import inventory_counts
from vision.reference import Reference
from vision.registration import pose_from_corners
from vision.types import BoardPose

GAME, POSITIONS, TAUGHT, TRIES = "grailnah", 5, 3, 3
LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class Told:
    """A piece that was found: its true kind, the likeliest one, and the probabilities of both."""

    true: str
    best: str
    likely: float
    right: float


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", type=int, nargs="+", metavar="SEED")
    detector, told, missed = Detector(threads=1), [], 0
    for seed in parser.parse_args().seeds:
        found = list(_told_of(seed, detector))
        told += [t for t in found if t is not None]
        missed += found.count(None)
        _report(f"up to seed {seed}", told, missed)


def _report(name: str, told: Sequence[Told], missed: int) -> None:
    wrong = Counter((t.true, t.best) for t in told if t.true != t.best)
    loss = -sum(math.log(max(t.right, LEAST)) for t in told) / max(len(told), 1)
    print(f"{name}: {len(told)} pieces, {missed} not found, kind right {len(told) - wrong.total()}")
    print(f"  mean loss {loss:.3f} nats; wrong: {dict(wrong)}")
    for low, mean, share in reliability([(t.likely, t.true == t.best) for t in told]).rows:
        print(f"  from {low:.1f}: said {mean:.3f}, {share.right} of {share.of} right", flush=True)


def _told_of(seed: int, detector: Detector) -> Iterator[Told | None]:
    """What is told of all pieces of one table; None for one that is not found."""
    board = load_board(REFERENCE, GAME)
    play = replace(play_of(GAME, seed), tries=TRIES)
    header = Header(GAME, REFERENCE, tuple(Player(c.capitalize(), c) for c in play.colours))
    start = play.room.start(header, board)
    stands = [play.table.placement(s) for s, _ in short_game(play, start, random.Random(seed))]
    stage = stage_of(GAME, board, seed, SIZE, roofed=False)
    painter, pose = Painter(stage, stands[0], seed), _pose(stage.camera(0), board.size_mm)
    with tempfile.TemporaryDirectory() as folder:
        face = Path(folder, "face.png")
        cv2.imwrite(str(face), stage.face)
        reference = Reference.load(face, board.size_mm)
    eyes = Eyes(board, detector, reference, inventory_counts(board, frozenset(play.colours)))
    eyes.enrol(painter.paint(_shown(stands[0])), pose, labels_of(stands[0]))
    for number, at in enumerate(np.linspace(1, len(stands) - 1, POSITIONS).astype(int)):
        before, now = stands[at - 1], stands[at]
        image, change = painter.paint(_shown(now)), _changed(before, now)
        eyes.expect(before)
        seen = eyes.look(image, pose, change).reading.seen
        yield from (_told(seen, now, piece) for piece in _alone(now))
        if number < TAUGHT:
            eyes.expect(now)
            eyes.learn_later(image, pose, eyes.look(image, pose, {}), {})


def _shown(placement: Placement) -> Shown:
    return Shown(dict(placement.pieces), {})


def _changed(before: Placement, now: Placement) -> dict[str, float]:
    moved = [p for p in now.pieces if now.pieces[p] != before.pieces[p]]
    return {s: 1.0 for p in moved for s in (*before.pieces[p], *now.pieces[p])}


def _pose(camera: Camera, size_mm: tuple[float, float]) -> BoardPose:
    width, height = size_mm
    corners = np.array([(0, 0, 0, 1), (width, 0, 0, 1), (width, height, 0, 1), (0, height, 0, 1.0)])
    seen = corners @ camera.matrix.T
    return pose_from_corners(seen[:, :2] / seen[:, 2:], size_mm, SIZE, "corners")


def _alone(placement: Placement) -> list[str]:
    """Pieces that stand alone on their cell outside the castles."""
    crowd = Counter(s for spots in placement.pieces.values() for s in spots)
    return [
        piece
        for piece, spots in placement.pieces.items()
        if spots and crowd[spots[0]] == 1 and not set(spots) & placement.shelters
    ]


def _told(seen: Sequence[SeenPiece], placement: Placement, piece: str) -> Told | None:
    info, spots = placement.infos[piece], placement.pieces[piece]
    there = [o for o in seen if o.best.spots == spots and o.best.colour == info.colour]
    if not there:
        return None
    odds: dict[str, float] = {}
    for c in max(there, key=lambda o: o.confidence).candidates:
        if c.colour == info.colour and c.spots == spots:
            odds[c.kind] = max(odds.get(c.kind, 0.0), math.exp(c.log_prob))
    total, best = sum(odds.values()), max(odds, key=odds.__getitem__)
    return Told(info.kind, best, odds[best] / total, odds.get(info.kind, 0.0) / total)


if __name__ == "__main__":
    main()
