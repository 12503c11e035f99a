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
LEAST = -4.0  # log-odds of a footprint worth keeping as a rival
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
        if not len(scores):
            return np.zeros(len(points))
        delta = points[:, None] - at_mm[None]
        d2 = np.einsum("pni,nij,pnj->pn", delta, inverse, delta)
        return np.asarray((scores * np.exp(-0.5 * d2)).max(axis=1))

    names = sorted({c for g in groups for c in g})
    walls = dict(
        zip(names, evidence(np.array([board.centres[c] for c in names]), WALL), strict=True)
    )
    centroids = np.array([np.mean([board.centres[c] for c in g], axis=0) for g in groups])
    whole = evidence(centroids, L_WALL)
    before = _cells_before(board, groups, camera_mm) if support else {}
    marked = {c for mark in board.raw.get("ruin_start") or () for c in mark}
    rows = []
    for group, middle in zip(groups, whole, strict=True):
        score = sum(_log_odds(walls[c]) for c in group) + _log_odds(middle)
        if covered is not None:
            cover = {c: _cover_log_odds(covered[c]) for c in group}
            # The flat part of a wall looks much like the mark that is printed under it.
            score += sum(max(v, MARK_LEAST) if c in marked else v for c, v in cover.items())
        if support:
            looks = np.clip([support.box[c] - LOOK_EVEN for c in group], -1.5, 1.5)
            spilt = [support.ground[c] - LOOK_EVEN for c in before[group]]
            score += LOOK_WEIGHT * float(looks.sum())
            score -= SPILL_WEIGHT * float(np.clip(spilt, 0.0, 1.5).sum())
        if score > LEAST or middle > 0.3:
            rows.append(Footprint(group, score))
    return sorted(rows, key=lambda f: -f.score)


def _cells_before(
    board: Board, groups: Sequence[tuple[str, ...]], camera_mm: NDArray[np.float64] | None
) -> dict[tuple[str, ...], list[str]]:
    """The cells beside a footprint that the camera sees before it: nothing of it hides them."""
    if camera_mm is None:
        return {g: [] for g in groups}
    known = {c for g in groups for c in g}
    distance = {c: float(np.hypot(*(np.array(board.centres[c]) - camera_mm))) for c in known}
    margin = 0.5 * board.cell_size_mm
    return {
        g: [
            n
            for n in {n for c in g for n in board.cells[c].neighbours}
            if n in known
            and n not in g
            and distance[n] + margin < min(distance[c] for c in g if n in board.cells[c].neighbours)
        ]
        for g in groups
    }


def _cover_log_odds(share: float) -> float:
    """What the piece mask over a cell says for a wall there: walls fill their cells, pieces don't."""
    return min(max((share - COVER_EVEN) * COVER_SLOPE, -4.0), COVER_MOST)


def _log_odds(p: float) -> float:
    p = min(max(p, ABSENT), 0.95)
    return math.log(p / (1 - p))


def choose_footprints(
    rows: Sequence[Footprint], count: int, least: float = LEAST
) -> list[Footprint]:
    """The best set of at most ``count`` footprints that share no cell (branch and bound)."""
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
