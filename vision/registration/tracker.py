"""Keeps the pose over a whole film: finds the board, watches it, finds it again after a bump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.lens import Lens
from vision.reference import Reference
from vision.registration.errors import BoardNotFound
from vision.registration.find import TurnJudge, find_board
from vision.registration.self_calibration import SelfCalibration
from vision.types import BoardPose, Frame, Image
from vision.watching import PoseWatch, Steadiness

SAME_PLACE_PX = 2.0  # after a moment in which too little was to be seen
STALE_FINDS = 6  # so often found at the same place although the watch sees nothing: watch anew
NO_DRIFT_PX = 0.8  # after the watch saw a shift


@dataclass(frozen=True, slots=True)
class TrackTimes:
    """Seconds of the source's time.  ``retry_s``: between attempts while the pose is in doubt;
    ``lost_after_s``: in doubt for so long, the board is lost; ``lost_retry_s``: between attempts
    then; ``remember_s``: age at which the last still view is replaced."""

    retry_s: float = 0.3
    lost_after_s: float = 2.0
    lost_retry_s: float = 1.0
    remember_s: float = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Tracked:
    """``pose``: the last one that held, None before the first and when the board is lost.
    ``steady``: it holds in this very frame; only then may anything be judged.  ``event``: found,
    moved, lost, or None.  ``why``: what a person is told when there is no pose."""

    pose: BoardPose | None
    steady: bool
    event: str | None = None
    why: BoardNotFound | None = None

    @property
    def sentence(self) -> str:
        """The same as a sentence, "" for none."""
        return "" if self.why is None else str(self.why)


class BoardTracker:
    """Feed it every frame.  Most take a few milliseconds; looking for the board anew takes
    longer, so this belongs into a thread of its own.

    ``reference``, ``corners`` and ``snap`` as for `find_board`; where there is neither reference
    nor marker, the last still view serves as reference after a bump.  ``lens``: the camera's, where
    it was calibrated, in one resolution or several; where none fits it is learnt from the board over
    the frames.  ``turn`` as for `find_board`.
    """

    def __init__(
        self,
        board: Board,
        *,
        reference: Reference | None = None,
        corners: NDArray[np.float64] | None = None,
        snap: bool = False,
        times: TrackTimes | None = None,
        lens: Lens | Sequence[Lens] | None = None,
        turn: TurnJudge | None = None,
    ) -> None:
        self._board = board
        self._turn = turn
        self._reference = reference
        self._corners = corners
        self._snap = snap
        self._times = times or TrackTimes()
        # one per resolution, the newest last
        self._lenses = [] if lens is None else [lens] if isinstance(lens, Lens) else list(lens)
        self._learnt = SelfCalibration(board.size_mm)
        self._failed = 0
        self.lens_dropped = False  # the calibrated lens did not fit and is not used any more
        self._pose: BoardPose | None = None
        self._watch: PoseWatch | None = None
        self._size: tuple[int, ...] = ()
        self._lost = True
        self._doubt_since_s: float | None = None
        self._shifted = False
        self._stale = 0
        self._tried_s = -np.inf
        self._why: BoardNotFound | None = None
        self._seen: tuple[float, Image] | None = None

    def update(self, frame: Frame) -> Tracked:
        """The pose at this frame.  Raises BoardwardenError for corners that can't be a view of the
        board and for a damaged board file; a board that is not found is no error."""
        if frame.image.shape != self._size:
            # another resolution: nothing known in pixels holds any more
            self._pose, self._watch, self._size = None, None, frame.image.shape
            self._lost, self._doubt_since_s, self._seen = True, None, None
            self._tried_s = -np.inf
        if self._watch is not None and self._pose is not None and not self._lost:
            steadiness = self._watch.check(frame.image).steadiness
            self._shifted = steadiness is Steadiness.MOVED
            if steadiness is Steadiness.STILL:
                self._doubt_since_s, self._stale = None, 0
                self._remember(frame)
                return Tracked(self._pose, True)
        return self._look_again(frame)

    def _look_again(self, frame: Frame) -> Tracked:
        now = frame.t_s
        wait = self._times.lost_retry_s if self._lost else self._times.retry_s
        if self._doubt_since_s is None and not self._lost:
            self._doubt_since_s = now
            wait = 0.0
        if now - self._tried_s >= wait or now < self._tried_s:
            self._tried_s = now
            found = self._find(frame.image)
            if found is not None:
                return self._found(frame, found)
        if self._lost:
            return Tracked(None, False, None, self._why)
        assert self._doubt_since_s is not None
        if now - self._doubt_since_s >= self._times.lost_after_s:
            self._lost = True
            return Tracked(None, False, "lost", self._why)
        return Tracked(self._pose, False)

    def _found(self, frame: Frame, found: BoardPose) -> Tracked:
        before = self._pose
        was_lost, self._lost, self._doubt_since_s = self._lost, False, None
        if before is not None and not was_lost:
            shift = np.linalg.norm(found.corners_px - before.corners_px, axis=1).max()
            if shift <= (NO_DRIFT_PX if self._shifted else SAME_PLACE_PX):
                # the old watch stays: a new one would start from here, and drift would add up
                self._stale += 1
                if self._stale >= STALE_FINDS:
                    self._watch, self._stale = self._watch_at(frame.image, before), 0
                return Tracked(before, True)
        self._stale = 0
        self._watch = self._watch_at(frame.image, found)
        self._pose = found
        self._remember(frame, anew=True)
        return Tracked(found, True, "found" if was_lost else "moved")

    def _watch_at(self, image: Image, pose: BoardPose) -> PoseWatch:
        return PoseWatch(image, pose, self._board.size_mm)

    def _find(self, image: Image) -> BoardPose | None:
        reference, corners = self._reference, self._corners
        if self._pose is not None and corners is not None:
            # the given corners held for the first view only
            corners = None
            reference = reference or self._own_reference()
        lens = self._lens_to_try(image)
        try:
            pose = find_board(
                image, self._board, reference=reference, corners=corners, snap=self._snap,
                previous=self._pose, lens=lens, turn=self._turn,
            )  # fmt: skip
        except BoardNotFound as error:
            self._why = error
            self._failed += 1
            return None
        if self._failed % 2:
            # found only without what was known: the field of view has changed
            self._learnt.forget()
            if self._fitting((image.shape[1], image.shape[0])) is not None:
                self.lens_dropped, self._lenses = True, []
        self._failed = 0
        self._learnt.add(pose, (image.shape[1], image.shape[0]))
        return pose

    def _lens_to_try(self, image: Image) -> Lens | None:
        """The known lens and none in turns: a zoom or another camera makes the known one wrong."""
        if self._failed % 2:
            return None
        size = (image.shape[1], image.shape[0])
        if (fitting := self._fitting(size)) is not None:
            return fitting
        learnt = self._learnt.lens
        return None if learnt is None else learnt.scaled(size)

    def _fitting(self, size: tuple[int, int]) -> Lens | None:
        """The calibrated lens for pictures of a size; None where all were measured on other crops."""
        same = [lens for lens in self._lenses if lens.size == size]
        fitting = (lens.scaled(size) for lens in (*same, *reversed(self._lenses)))
        return next((lens for lens in fitting if lens is not None), None)

    @property
    def unfit_lens(self) -> Lens | None:
        """The newest calibrated lens, where none was calibrated for pictures cropped like these."""
        if not self._size or not self._lenses:
            return None
        size = (self._size[1], self._size[0])
        return None if self._fitting(size) is not None else self._lenses[-1]

    def _own_reference(self) -> Reference | None:
        if self._seen is None or self._pose is None:
            return None
        return Reference.from_picture(self._seen[1], self._board.size_mm, self._pose.corners_px)

    def _remember(self, frame: Frame, anew: bool = False) -> None:
        if self._corners is None:
            return
        if anew or self._seen is None or frame.t_s - self._seen[0] >= self._times.remember_s:
            self._seen = (frame.t_s, frame.image)
