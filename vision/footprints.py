"""L-walls (ruins): which groups of cells one may cover, and which groups the net's maps speak for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.types import SHAPES, Detections
from vision.walls import COVER_EVEN, LOOK_EVEN, WallSupport

WALL, L_WALL = SHAPES.index("wall"), SHAPES.index("l_wall")
ABSENT = 0.12  # evidence of a cell without any wall peak near it
LEAST = -4.0  # log-odds of a footprint that is believed for itself
FAINT = -6.0  # and where a wall of the inventory is missing else: false ones seldom reach as much
LOOK_WEIGHT = 0.8  # of the pixels' mean log-odds
SPILL_WEIGHT = 0.4  # price of the look of a wall on cells before the footprint
COVER_SLOPE = 12.0  # log-odds per share of the mask
MARK_LEAST = -1.5  # what a bare mark says at most against a wall on it
COVER_MOST = 1.5  # what hides a cell covers it too
SEARCH_WIDTH = 60  # footprints worth looking at


@dataclass(frozen=True, slots=True)
class Footprint:
    """A group of cells that one L-wall may cover, and its score (log-odds)."""

    cells: tuple[str, ...]
    score: float


@lru_cache(maxsize=8)
def possible_footprints(board: Board) -> tuple[tuple[str, ...], ...]:
    """All groups of cells congruent to the board's marks (turned, and mirrored from 4 cells on)."""
    marks = board.raw.get("ruin_start") or ()
    if not marks:
        return ()
    ordinary = [c for c in board.cells if not board.cells[c].roles & {"start", "item"}]
    centres = np.array([board.centres[c] for c in ordinary])
    found: dict[frozenset[str], None] = {}
    for shape in _turned(np.array([board.centres[c] for c in marks[0]])):
        for centre in centres:
            distance = np.linalg.norm(centres[None] - (centre + shape)[:, None], axis=2)
            nearest = distance.argmin(axis=1)
            if (distance.min(axis=1) < 0.2 * board.cell_size_mm).all() and len(set(nearest)) == len(
                shape
            ):
                found[frozenset(ordinary[k] for k in nearest)] = None
    return tuple(tuple(sorted(f)) for f in found)


@lru_cache(maxsize=8)
def wall_cells(board: Board) -> tuple[str, ...]:
    """The cells that any footprint covers, in order."""
    return tuple(sorted({c for group in possible_footprints(board) for c in group}))


def _turned(shape: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    relative = shape - shape[0]
    mirrors = [relative, relative * [-1, 1]] if len(relative) > 3 else [relative]
    turns = []
    for points in mirrors:
        for quarter in range(4):
            c, s = round(math.cos(quarter * math.pi / 2)), round(math.sin(quarter * math.pi / 2))
            turned = points @ np.array([[c, -s], [s, c]])
            turns += [turned - corner for corner in turned[:1]]
    return turns


def score_footprints(
    board: Board,
    detections: Detections,
    at_mm: NDArray[np.float64],
    covariance: NDArray[np.float64],
    support: WallSupport | None = None,
    camera_mm: NDArray[np.float64] | None = None,
    covered: Mapping[str, float] | None = None,
) -> list[Footprint]:
    """Footprints with evidence, best first.  ``at_mm`` (N, 2), ``covariance`` (N, 2, 2) in mm².

    ``support``: what the pixels say (``vision.walls``), if the look of walls has been learnt;
    ``camera_mm``: (2,) where the camera stands.  ``covered``: per cell the share of it on which the
    network's piece mask sees something.
    """
    groups = possible_footprints(board)
    if not groups or not (len(detections) or support):
        return []
    spread = covariance + (0.16 * board.cell_size_mm) ** 2 * np.eye(2)
    inverse = np.linalg.inv(spread)

    def evidence(points: NDArray[np.float64], channel: int) -> NDArray[np.float64]:
        scores = detections.shape_scores[:, channel].astype(np.float64)
        told = np.flatnonzero(scores > ABSENT)  # less counts as ABSENT anyway
        if not len(told):
            return np.zeros(len(points))
        delta = points[None] - at_mm[told, None]
        d2 = ((delta @ inverse[told]) * delta).sum(axis=2)
        return np.asarray((scores[told, None] * np.exp(-0.5 * d2)).max(axis=0))

    layout = _layout(board)
    members = layout.members
    walls = evidence(layout.centres, WALL)
    whole = evidence(layout.centres[members].mean(axis=1), L_WALL)
    score = _log_odds(walls)[members].sum(axis=1) + _log_odds(whole)
    if covered is not None:
        cover = _cover_log_odds(np.array([covered[c] for c in layout.names]))
        # The flat part of a wall looks much like the mark that is printed under it.
        cover[layout.marked] = np.maximum(cover[layout.marked], MARK_LEAST)
        score += cover[members].sum(axis=1)
    if support:
        box = np.array([support.box[c] for c in layout.names]) - LOOK_EVEN
        score += LOOK_WEIGHT * np.clip(box, -1.5, 1.5)[members].sum(axis=1)
        ground = np.array([support.ground[c] for c in layout.names]) - LOOK_EVEN
        spilt = np.where(layout.before(camera_mm), np.clip(ground, 0.0, 1.5)[layout.beside], 0.0)
        score -= SPILL_WEIGHT * spilt.sum(axis=1)
    kept = np.flatnonzero((score > FAINT) | (whole > 0.3))
    order = kept[np.argsort(-score[kept], kind="stable")]
    return [Footprint(groups[i], float(score[i])) for i in order]


@dataclass(frozen=True, eq=False)
class _Layout:
    """The possible footprints (G of k cells each) of a board as arrays.

    ``names``: the cells that any may cover, C of them; ``centres`` (C, 2) mm; ``marked`` (C,): of a
    printed mark; ``members`` (G, k): indices of cells; ``beside`` (G, n): the cells beside a
    footprint, filled up with 0; ``touches`` (G, n, k): which cells of the footprint they are beside,
    none for the filling; ``margin_mm``: half a cell.
    """

    names: tuple[str, ...]
    centres: NDArray[np.float64]
    marked: NDArray[np.bool_]
    members: NDArray[np.intp]
    beside: NDArray[np.intp]
    touches: NDArray[np.bool_]
    margin_mm: float

    def before(self, camera_mm: NDArray[np.float64] | None) -> NDArray[np.bool_]:
        """(G, n) which cells beside a footprint the camera sees before it: nothing of it hides them."""
        if camera_mm is None:
            return np.zeros(self.beside.shape, bool)
        distance = np.linalg.norm(self.centres - camera_mm, axis=1)
        nearest = np.where(self.touches, distance[self.members][:, None], np.inf).min(axis=2)
        known = self.touches.any(axis=2)
        return np.asarray(known & (distance[self.beside] + self.margin_mm < nearest))


@lru_cache(maxsize=8)
def _layout(board: Board) -> _Layout:
    groups = possible_footprints(board)
    names = wall_cells(board)
    index = {c: i for i, c in enumerate(names)}
    around = [
        sorted({n for c in g for n in board.cells[c].neighbours if n in index} - set(g))
        for g in groups
    ]
    most = max(len(cells) for cells in around)
    beside = np.zeros((len(groups), most), np.intp)
    touches = np.zeros((len(groups), most, len(groups[0])), bool)
    for i, (group, cells) in enumerate(zip(groups, around, strict=True)):
        for j, cell in enumerate(cells):
            beside[i, j] = index[cell]
            touches[i, j] = [cell in board.cells[c].neighbours for c in group]
    marked = {c for mark in board.raw.get("ruin_start") or () for c in mark}
    return _Layout(
        names,
        np.array([board.centres[c] for c in names]),
        np.array([c in marked for c in names]),
        np.array([[index[c] for c in g] for g in groups]),
        beside,
        touches,
        0.5 * board.cell_size_mm,
    )


def _cover_log_odds(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the piece mask over a cell says for a wall there: walls fill their cells, pieces don't."""
    return np.clip((share - COVER_EVEN) * COVER_SLOPE, -4.0, COVER_MOST)


def _log_odds(p: NDArray[np.float64]) -> NDArray[np.float64]:
    p = np.clip(p, ABSENT, 0.95)
    return np.asarray(np.log(p / (1 - p)))


def choose_footprints(rows: Sequence[Footprint], count: int) -> list[Footprint]:
    """The best set of at most ``count`` footprints that share no cell.

    Where some of the inventory are missing still, faint ones beside those fill it up: none that is
    believed gives way to them.
    """
    chosen = _best_set(rows, count, LEAST)
    taken = {c for f in chosen for c in f.cells}
    rest = [f for f in rows if not taken & set(f.cells)]
    return chosen + _best_set(rest, count - len(chosen), FAINT)


def _best_set(rows: Sequence[Footprint], count: int, least: float) -> list[Footprint]:
    """The best set of footprints above ``least`` (branch and bound)."""
    candidates = [r for r in rows[:SEARCH_WIDTH] if r.score > least]
    best: list[Footprint] = []
    best_score = -math.inf

    def search(start: int, taken: frozenset[str], chosen: list[Footprint], score: float) -> None:
        nonlocal best, best_score
        if score > best_score:
            best, best_score = list(chosen), score
        left = count - len(chosen)
        if left == 0:
            return
        for k in range(start, len(candidates)):
            row = candidates[k]
            # Scores fall: even `left` more like this one can't beat the best set.
            if score + left * (row.score - least) <= best_score:
                return
            if not taken & set(row.cells):
                search(k + 1, taken | set(row.cells), [*chosen, row], score + row.score - least)

    search(0, frozenset(), [], 0.0)
    return best
