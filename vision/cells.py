"""From a foot point on the board to cells, with probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.geometry import area, contains
from engine.placement import TRACK_PREFIX
from vision.types import BoardPose

FOOT_SIGMA_PX = 1.6  # how exactly the net places a foot
PLACE_SIGMA_MM = 2.0  # how exactly the printed grid is known
OFF_BOARD = -6.0  # log-probability that a foot near a cell belongs to no cell at all
NEAREST = 10  # spots worth looking at around one foot
STONE_KINDS = frozenset({"energy_stone"})


@dataclass(frozen=True, slots=True, eq=False)
class SpotTable:
    """Sample points well inside every spot of one board: where a piece's foot may be."""

    ids: tuple[str, ...]
    points: NDArray[np.float64]  # (S, P, 2)
    centres: NDArray[np.float64]  # (S, 2)
    sizes: NDArray[np.float64]  # (S,) square root of the area
    is_track: NDArray[np.bool_]  # (S,)


@lru_cache(maxsize=8)
def spot_table(board: Board) -> SpotTable:
    """The table of a board, made once."""
    ids = tuple(board.spots)
    centres = np.array([board.centres[s] for s in ids])
    sizes = np.array([math.sqrt(area(board.spots[s])) for s in ids])
    points = []
    for spot, centre, size in zip(ids, centres, sizes, strict=True):
        polygon = np.array(board.spots[spot])
        typical = board.cell_size_mm
        # A piece's foot stays about a third of an ordinary cell away from the border.
        shrink = max(0.4, 1 - 0.6 * typical / max(size, typical))
        ring = centre + (polygon - centre) * shrink
        points.append(_resample(ring, centre))
    track = np.array([s.startswith(TRACK_PREFIX) for s in ids])
    return SpotTable(ids, np.stack(points), centres, sizes, track)


def _resample(ring: NDArray[np.float64], centre: NDArray[np.float64]) -> NDArray[np.float64]:
    """33 points: the centre and two rings of 16 along the polygon."""
    closed = np.vstack([ring, ring[:1]])
    steps = np.r_[0, np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))]
    at = np.linspace(0, steps[-1], 16, endpoint=False)
    outer = np.column_stack([np.interp(at, steps, closed[:, k]) for k in (0, 1)])
    return np.vstack([centre, outer, centre + (outer - centre) * 0.5])


def foot_covariance(pose: BoardPose, foot_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 2, 2) covariance in mm² of feet seen at (N, 2) image pixels."""
    feet = np.asarray(foot_px, np.float64).reshape(-1, 2)
    base = pose.to_board(feet)
    jx = pose.to_board(feet + np.array([0.5, 0.0])) - base
    jy = pose.to_board(feet + np.array([0.0, 0.5])) - base
    jac = np.stack([jx, jy], axis=2) * 2
    return np.asarray(
        FOOT_SIGMA_PX**2 * jac @ np.transpose(jac, (0, 2, 1)) + PLACE_SIGMA_MM**2 * np.eye(2)
    )


class Places:
    """The most probable spots of N feet, worked out once per foot and kind of ground.

    Which spots a kind may stand on is the board's data: energy stones on the track where there is
    one, everything else on the cells.
    """

    def __init__(
        self, board: Board, at_mm: NDArray[np.float64], covariance: NDArray[np.float64]
    ) -> None:
        self._board = board
        self._at = at_mm
        self._inverse = np.linalg.inv(covariance)
        self._known: dict[tuple[int, bool], list[tuple[str | None, float]]] = {}
        self._near: dict[bool, tuple[NDArray[np.intp], NDArray[np.float64]]] = {}

    def log_probs(self, i: int, kind: str) -> list[tuple[str | None, float]]:
        """Spots of foot ``i``, best first, with normalised log-probabilities; None: off the cells."""
        on_track = kind in STONE_KINDS and bool(spot_table(self._board).is_track.any())
        rows = self._known.get((i, on_track))
        if rows is None:
            rows = self._known[(i, on_track)] = self._rows(i, on_track)
        return rows

    def _rows(self, i: int, on_track: bool) -> list[tuple[str | None, float]]:
        table, at = spot_table(self._board), self._at[i]
        if on_track not in self._near:
            self._near[on_track] = self._nearest(on_track)
        near, distance = (v[i].tolist() for v in self._near[on_track])
        rows: list[tuple[str | None, float]] = [
            (table.ids[k], -0.5 * d) for k, d in zip(near, distance, strict=True) if d < 80
        ]
        here = (float(at[0]), float(at[1]))
        inside = any(s and contains(self._board.spots[s], here) for s, _ in rows)
        rows.append((None, OFF_BOARD * 2 if inside else OFF_BOARD))
        peak = max(p for _, p in rows)
        norm = peak + math.log(sum(math.exp(p - peak) for _, p in rows))
        return sorted(((s, p - norm) for s, p in rows), key=lambda r: -r[1])

    def _nearest(self, on_track: bool) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """(N, NEAREST) spots about every foot, and how far off they are in squared deviations."""
        table = spot_table(self._board)
        usable = np.flatnonzero(table.is_track == on_track)
        away = table.centres[usable][None] - self._at[:, None]
        gap = np.linalg.norm(away, axis=2) - table.sizes[usable]
        near = usable[np.argsort(gap, axis=1)[:, :NEAREST]]
        delta = (table.points[near] - self._at[:, None, None]).reshape(len(near), -1, 2)
        squares = ((delta @ self._inverse) * delta).sum(axis=2)
        return near, squares.reshape(*near.shape, -1).min(axis=2)


def off_centre(board: Board, spot: str, at_mm: Sequence[float]) -> float:
    """Distance of a foot from a spot's centre as a share of an ordinary cell, big fields forgiven."""
    table = spot_table(board)
    k = table.ids.index(spot)
    if table.sizes[k] > 1.3 * board.cell_size_mm:
        return 0.0 if contains(board.spots[spot], (float(at_mm[0]), float(at_mm[1]))) else 0.5
    return float(np.linalg.norm(np.asarray(at_mm) - table.centres[k]) / table.sizes[k])
