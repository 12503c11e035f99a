"""Pose, change and stillness of a film of a growing table of tiles."""

from __future__ import annotations

from vision.board_grid import Grid, View, grid_from
from vision.motion import MotionMeter
from vision.registration.tracker import Tracked
from vision.scene import SceneWatch
from vision.settle import Settler, SettleTimes
from vision.tiles.keeping import LatticeTracker
from vision.tiles.lattice import Place
from vision.tiles.sight import TILE_MM, TileSight
from vision.types import BoardPose

Window = tuple[tuple[float, float], tuple[float, float]]


def spot_of(place: Place) -> str:
    """The name of a place among the spots of a `Scene`."""
    return f"{place[0]},{place[1]}"


def place_of(spot: str) -> Place:
    """The place of a spot of a `Scene`."""
    x, _, y = spot.partition(",")
    return int(x), int(y)


class TileScene(SceneWatch):
    """Like `SceneWatch`; its spots are the places of the window about the layout.

    With the layout the window grows, and with every new tile the lattice is fitted a little better:
    then there is no accepted view until the next one, for the old one would not lie upon it.
    """

    def __init__(self, sight: TileSight, times: SettleTimes | None = None) -> None:
        self._tracker: LatticeTracker = LatticeTracker(sight)  # type: ignore[assignment]
        self._settler = Settler(times)
        self._motion = MotionMeter()
        self._empty = None
        self._view: View | None = None
        self._accepted: View | None = None
        self._posed: BoardPose | None = None
        self._window = self._tracker.window
        self._grid = window_grid(self._window)

    def _suit(self, tracked: Tracked) -> None:
        if self._tracker.window != self._window:
            self._window = self._tracker.window
            self._grid = window_grid(self._window)
            self._accepted = None
        if tracked.pose is not self._posed:
            self._posed = tracked.pose
            self._accepted = None


def window_grid(window: Window) -> Grid:
    """The comparison grid of a window of the lattice, its whole places as spots."""
    (x0, y0), (x1, y1) = window
    spots = {}
    for x in range(int(-(-x0 // 1)), int(x1 // 1)):
        for y in range(int(-(-y0 // 1)), int(y1 // 1)):
            a, b = (x - x0) * TILE_MM, (y - y0) * TILE_MM
            spots[spot_of((x, y))] = (
                (a, b), (a + TILE_MM, b), (a + TILE_MM, b + TILE_MM), (a, b + TILE_MM),
            )  # fmt: skip
    return grid_from(((x1 - x0) * TILE_MM, (y1 - y0) * TILE_MM), spots)
