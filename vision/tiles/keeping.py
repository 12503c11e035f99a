"""Keeps the lattice over a film: found by the start tile, watched, found again after a bump."""

from __future__ import annotations

import numpy as np

from vision.registration.errors import not_found
from vision.registration.tracker import Tracked, TrackTimes
from vision.tiles.sight import NEAR_WINDOW, TILE_MM, WIDE_WINDOW, TileSight
from vision.types import BoardPose, Frame
from vision.watching import PoseWatch, Steadiness

NOT_FOUND = not_found("board.no_tiles")


class LatticeTracker:
    """Feed it every frame, like ``vision.registration.tracker.BoardTracker``.

    The pose is that of a window about the layout: its north-west corner is the origin.  ``window``
    tells which part of the lattice it shows.
    """

    def __init__(self, sight: TileSight, times: TrackTimes | None = None) -> None:
        self._sight = sight
        self._times = times or TrackTimes()
        self._pose: BoardPose | None = None
        self._watch: PoseWatch | None = None
        self._tried_s = -np.inf
        self._doubt_since_s: float | None = None
        self._known_count = -1
        self.window: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 0.0), (1.0, 1.0))

    def update(self, frame: Frame) -> Tracked:
        """The pose at this frame; tiles that are not found are no error."""
        sight = self._sight
        if sight.lattice is not None and sight.lattice.size_px != frame.image.shape[1::-1]:
            sight.lattice = None
        if sight.lattice is not None and self._watch is not None:
            if self._watch.check(frame.image).steadiness is Steadiness.STILL:
                self._doubt_since_s = None
                if self._known_count != len(sight.known):
                    self._frame_window(frame)
                return Tracked(self._pose, True)
        return self._look_again(frame)

    def _look_again(self, frame: Frame) -> Tracked:
        now, sight = frame.t_s, self._sight
        lost = sight.lattice is None
        if not lost and self._doubt_since_s is None:
            self._doubt_since_s = now
            self._tried_s = -np.inf
        wait = self._times.lost_retry_s if lost else self._times.retry_s
        if now - self._tried_s < wait and now >= self._tried_s:
            return Tracked(self._pose, False, None, NOT_FOUND if lost else None)
        self._tried_s = now
        if not lost and sight.follow(frame.image):
            self._doubt_since_s = None
            self._frame_window(frame)
            return Tracked(self._pose, True, "moved")
        if lost or now - (self._doubt_since_s or now) >= self._times.lost_after_s:
            kept = sight.lattice
            if sight.find(frame.image) is not None:
                self._doubt_since_s = None
                self._frame_window(frame)
                return Tracked(self._pose, True, "found" if lost else "moved")
            sight.lattice = kept
            if not lost and now - (self._doubt_since_s or now) >= 2 * self._times.lost_after_s:
                self._pose, self._watch, sight.lattice = None, None, None
                return Tracked(None, False, "lost", NOT_FOUND)
        return Tracked(self._pose, False, None, NOT_FOUND if lost else None)

    def _frame_window(self, frame: Frame) -> None:
        """The window about what is known now, and the watch over its tiles."""
        sight = self._sight
        near = sight.pose(NEAR_WINDOW)
        for rim in (WIDE_WINDOW, 1.0, NEAR_WINDOW):
            wide = sight.pose(rim)
            if wide is not None:
                self._pose, self.window = wide, sight.window(rim)
                break
        self._known_count = len(sight.known)
        if near is not None:
            low, high = sight.window(NEAR_WINDOW)
            size = ((high[0] - low[0]) * TILE_MM, (high[1] - low[1]) * TILE_MM)
            self._watch = PoseWatch(frame.image, near, size)
