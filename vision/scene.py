"""Pose, change and stillness of a film, frame by frame: the eyes without the detector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.board_grid import View, grid_of, print_view, view_of
from vision.change import ChangeMap, compare
from vision.lens import Lens
from vision.motion import MotionMeter
from vision.reference import Reference
from vision.registration.find import TurnJudge, reference_of
from vision.registration.tracker import BoardTracker, Tracked
from vision.settle import Evidence, Settler, SettleTimes, Stillness
from vision.types import Frame


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """``tracked``: the pose.  ``stillness``: what may be judged.  ``change``: against the last
    accepted view; None without one, or while the pose does not hold."""

    tracked: Tracked
    stillness: Stillness
    change: ChangeMap | None


class SceneWatch:
    """Feed it every frame of a source; call `accept` when a view has been judged.

    ``reference``, ``corners``, ``snap``, ``lens``, ``turn``: as for `find_board`.  Raises BoardwardenError when the
    board file's own reference picture can't be used.
    """

    def __init__(
        self,
        board: Board,
        *,
        reference: Reference | None = None,
        corners: NDArray[np.float64] | None = None,
        snap: bool = False,
        times: SettleTimes | None = None,
        lens: Lens | Sequence[Lens] | None = None,
        turn: TurnJudge | None = None,
    ) -> None:
        if reference is None and corners is None and not board.raw.get("markers"):
            reference = reference_of(board)
        self._grid = grid_of(board)
        self._tracker = BoardTracker(
            board, reference=reference, corners=corners, snap=snap, lens=lens, turn=turn
        )
        self._settler = Settler(times)
        self._motion = MotionMeter()
        self._empty = print_view(reference, self._grid) if reference is not None else None
        self._view: View | None = None
        self._accepted: View | None = None
        self._kept: View | None = None
        self._since: tuple[View, View, ChangeMap] | None = (
            None  # of which two views it was worked out
        )

    @property
    def lens_dropped(self) -> bool:
        """Whether the calibrated lens turned out not to be this camera's any more."""
        return self._tracker.lens_dropped

    @property
    def unfit_lens(self) -> Lens | None:
        """The camera's newest calibrated lens, where none suits the size of the pictures."""
        return self._tracker.unfit_lens

    def update(
        self,
        frame: Frame,
        hand_area: float = 0.0,
        under_hand: frozenset[str] = frozenset(),
    ) -> Scene:
        """``hand_area``, ``under_hand``: what the detector's hand mask covers, see Evidence."""
        tracked = self._tracker.update(frame)
        self._suit(tracked)
        if tracked.event in ("found", "moved"):
            self._kept = None  # from another place everything that stands up looks changed
        motion = self._motion.update(frame.image, tracked.pose)
        self._view, change = None, None
        if tracked.steady and tracked.pose is not None:
            self._view = view_of(frame.image, tracked.pose, self._grid)
            if self._accepted is not None:
                change = compare(self._view, self._accepted, self._grid, self._empty)
        hidden = under_hand if change is None else under_hand | change.under_hand
        evidence = Evidence(
            frame.t_s,
            motion,
            tracked.steady,
            tracked.event in ("found", "moved"),
            change is not None and change.hand,
            hand_area,
            hidden,
        )
        return Scene(tracked, self._settler.update(evidence), change)

    def _suit(self, tracked: Tracked) -> None:
        """What changes with the pose; a board stays the same."""

    def accept(self) -> None:
        """The newest view is the one to compare with from now on; nothing without a pose."""
        if self._view is not None:
            self._accepted = self._view

    def keep(self) -> None:
        """The game has gone on: the newest view shows its pieces as they are known to stand."""
        self._kept = self._view

    def since_kept(self) -> ChangeMap | None:
        """What is different now from when the game last went on, however often it was changed and put
        back in between; None where that cannot be said, or the pose is a new one."""
        kept, view = self._kept, self._view
        if kept is None or view is None or kept.seen.shape != view.seen.shape:
            return None
        # Asked several times for one look, and each comparison costs milliseconds.
        if self._since is None or self._since[0] is not kept or self._since[1] is not view:
            self._since = kept, view, compare(view, kept, self._grid)
        return self._since[2]
