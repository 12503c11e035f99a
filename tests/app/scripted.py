"""A pipeline that reads a film's truth instead of its pictures: perfect eyes in the film's time."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion_app.sight import View
from engine.board import Board
from engine.game import Header
from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import track_spot
from engine.rooms import room_for
from vision.types import BoardPose, Frame

DICE_AT_MM = ((540.0, 560.0), (540.0, 600.0))


class ScriptedPipeline:
    """Yields a view per picture.

    ``speed``: 1 for real time, 0 for as fast as ``behind`` allows: who is behind still has the last view to
    judge, and would miss it if another came.
    """

    def __init__(
        self, film: Path, truth: Path, board: Board, header: Header, *,
        speed: float = 1.0, start_s: float = 0.0, corners: Any = None,
        behind: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self._film, self._board, self._speed, self._start = film, board, speed, start_s
        script: Mapping[str, Any] = json.loads(truth.read_text("utf-8"))
        self._events = [e for e in script["events"] if "settled_from" in e]
        self._fps = float(script["fps"])
        room = room_for(header.game)
        self._first = room.placement(room.start(header, board))
        self._closed, self._behind = False, behind
        self._pose = None if corners is None else _pose(board, corners)

    def close(self) -> None:
        self._closed = True

    def views(self) -> Iterator[View]:
        film = cv2.VideoCapture(str(self._film))
        began = time.monotonic()
        index = 0
        while not self._closed:
            good, image = film.read()
            if not good:
                return
            t_s = index / self._fps
            index += 1
            if t_s < self._start:
                continue
            if self._speed:
                time.sleep(max(0.0, began + (t_s - self._start) / self._speed - time.monotonic()))
            yield self.view(image, t_s, index)
            while self._behind() and not self._closed:
                time.sleep(0.001)

    def view(self, image: np.ndarray, t_s: float, index: int = 0) -> View:
        """What perfect eyes would say at ``t_s``."""
        pieces = dict(self._first.pieces)
        dice: tuple[int, ...] = ()
        settled, hand = 0.0, False
        for event in self._events:
            if event["settled_from"] > t_s:
                hand = bool(event.get("hand", True)) and event["settled_from"] - t_s < 0.75
                break
            settled = event["settled_from"]
            if "dice" in event:
                dice = tuple(event["dice"])
            elif "track" in event:
                pieces[event["piece"]] = (track_spot(event["track"]),)
            elif "piece" in event:
                to = event["to"]
                pieces[event["piece"]] = tuple(to) if isinstance(to, list) else (to,)
        seen = (*self._seen(pieces), *self._dice(dice))
        still = 0.0 if hand else t_s - settled
        observation = Observation(t_s, True, hand, () if hand else seen, still_s=still)
        marks = tuple(p for p in seen if p.best.kind != "die") if self._pose is not None else ()
        return View(Frame(image, t_s, index), self._pose, observation, hand, still, None, marks)

    def _seen(self, pieces: Mapping[str, tuple[str, ...]]) -> Iterator[SeenPiece]:
        for piece, spots in pieces.items():
            if not spots:
                continue
            info = self._first.infos[piece]
            centres = [self._board.centres[s] for s in spots]
            at = (sum(x for x, _ in centres) / len(spots), sum(y for _, y in centres) / len(spots))
            foot = (0.0, 0.0)
            if self._pose is not None:
                foot = tuple(map(float, self._pose.to_image(np.array([at]))[0]))
            best = Candidate(info.kind, info.colour, tuple(sorted(spots)), -0.01)
            yield SeenPiece(at, (4.0, 0.0, 4.0), foot, (best,), 0.99)

    @staticmethod
    def _dice(dice: tuple[int, ...]) -> Iterator[SeenPiece]:
        for value, at in zip(dice, DICE_AT_MM, strict=False):
            pips = tuple(-0.01 if n == value else -9.0 for n in range(1, 7))
            die = Candidate("die", None, (), -0.01)
            assert math.isclose(sum(math.exp(p) for p in pips), 1.0, abs_tol=0.05)
            yield SeenPiece(at, (4.0, 0.0, 4.0), (0.0, 0.0), (die,), 0.99, pips=pips)


def _pose(board: Board, corners: Any) -> BoardPose:
    """A flat pose from the picture's pixels of the board's four corners."""
    width, height = board.size_mm
    face = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    there = np.asarray(corners, np.float32)
    homography = cv2.getPerspectiveTransform(face, there)
    camera = np.insert(homography, 2, 0.0, axis=1)
    return BoardPose(homography, there.astype(float), camera, 0.5, "reference")
