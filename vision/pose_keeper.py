"""Keeps the board's pose over the frames of a source: finds it, watches it, finds it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vision.registration import BoardNotFound
from vision.types import BoardPose, Image
from vision.watching import PoseWatch, Steadiness

RETRY_S = 0.5  # a search takes some tenths of a second: not on every frame
UNSURE_S = 4.0  # hidden for so long (a newspaper, the light off): look for the board anew

Finder = Callable[[Image, BoardPose | None], BoardPose]


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """``pose`` is None while the board is lost.  ``moved``: a bump in this very frame;
    ``found``: found (again) in it; ``why``: the finder's sentence while it is lost."""

    pose: BoardPose | None
    moved: bool = False
    found: bool = False
    why: str = ""


class PoseKeeper:
    """One per source.  ``find(image, previous)`` raises BoardNotFound when it can't."""

    def __init__(self, find: Finder, size_mm: tuple[float, float]) -> None:
        self._find = find
        self._size_mm = size_mm
        self._pose: BoardPose | None = None
        self._last: BoardPose | None = None
        self._watch: PoseWatch | None = None
        self._next_try_s = float("-inf")
        self._unsure_since_s: float | None = None
        self._why = ""

    def update(self, image: Image, t_s: float) -> Kept:
        """Takes the next frame."""
        if self._watch is None:
            return self._search(image, t_s)
        watched = self._watch.check(image)
        if watched.steadiness is Steadiness.STILL:
            self._unsure_since_s = None
            return Kept(self._pose)
        if watched.steadiness is Steadiness.UNSURE:
            since = self._unsure_since_s = self._unsure_since_s or t_s
            if t_s - since < UNSURE_S:
                return Kept(self._pose)
        self._watch, self._pose, self._unsure_since_s = None, None, None
        self._next_try_s = t_s
        found = self._search(image, t_s)
        return Kept(found.pose, moved=True, found=found.found, why=found.why)

    def _search(self, image: Image, t_s: float) -> Kept:
        if t_s < self._next_try_s:
            return Kept(None, why=self._why)
        try:
            pose = self._find(image, self._last)
        except BoardNotFound as error:
            self._next_try_s, self._why = t_s + RETRY_S, str(error)
            return Kept(None, why=self._why)
        self._pose = self._last = pose
        self._watch = PoseWatch(image, pose, self._size_mm)
        return Kept(pose, found=True)
