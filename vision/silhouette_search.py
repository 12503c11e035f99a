"""Search by synthesis: how well would a piece of a known look explain the picture at a place?

The second way to find pieces, beside the network, once their looks have been enrolled and the
print is known.  The solid of a piece is projected, collects the evidence within its outline and
pays for what spills over it.  The network needs no such knowledge, and this needs no training:
their errors have different causes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.cells import STONE_KINDS, spot_table
from vision.crop import crop_of
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.shadows import cast_scores
from vision.shapes import shape_of
from vision.types import BoardPose, Crop, FloatArray

Look = tuple[str, str | None]
Points = NDArray[np.float64]

OFFSETS = 0.22 * np.array([(0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)])  # of a cell
ON_MARK = np.stack(np.meshgrid(*2 * [np.linspace(-0.36, 0.36, 5)]), -1).reshape(-1, 2)
STEPS = np.stack(np.meshgrid(*2 * [np.linspace(-0.3, 0.3, 5)]), -1).reshape(-1, 2)  # of a width
NEAR_OFFSETS = 0.12 * np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)])
SPILL = 0.35  # price of evidence outside the outline
LEAST = 0.4  # score worth a mention
APART = 0.45  # of a cell: nearer hits of one look are the same piece
MOST = 8  # hits per look
SHIELD_TURNS = np.deg2rad([0, 45, 90, 135])
UNSEARCHED = frozenset({"l_wall", "die", "chip"})


@dataclass(frozen=True, slots=True)
class Hit:
    """A piece that would explain the picture; ``score``: mean log-odds less what spills over."""

    look: Look
    at_mm: tuple[float, float]
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """Points (n, 3) in mm relative to the foot: well inside the outline, and just outside it."""

    inside: Points
    around: Points


def solids_of(kind: str, board: Board, enrolment: Enrolment) -> list[Solid]:
    """The solids that a kind may show: round ones, and a shield in several turns."""
    size = enrolment.size(kind, board)
    if shape_of(kind, board) != "shield":
        return [_solid(size.width_mm / 2, size.width_mm / 2, size.height_mm, 0.0, 0.62)]
    base_x, base_y, _ = board.size_of(kind)
    return [_solid(base_x / 2, base_y / 2, size.height_mm, turn, 0.95) for turn in SHIELD_TURNS]


@lru_cache(maxsize=64)
def _solid(half_x: float, half_y: float, height: float, turn: float, taper: float) -> Solid:
    levels = np.linspace(0.08, 0.92, 5)
    angles = np.linspace(0, 2 * np.pi, 6, endpoint=False)
    c, s = np.cos(turn), np.sin(turn)

    def ring(reach_x: float, reach_y: float, level: float) -> Points:
        x, y = reach_x * np.cos(angles), reach_y * np.sin(angles)
        return np.column_stack([c * x - s * y, s * x + c * y, np.full(len(angles), level * height)])

    inside, around = [], []
    for level in levels:
        narrow = 1 + (taper - 1) * level
        inside += [
            np.array([[0.0, 0.0, level * height]]),
            ring(0.55 * half_x * narrow, 0.55 * half_y * narrow, level),
        ]
        around.append(ring(half_x + 0.7 * half_y, 1.7 * half_y, level))
    around.append(ring(0.5 * half_x, 0.5 * half_y, 1.35))
    return Solid(np.concatenate(inside), np.concatenate(around))


def fit(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    kind: str,
    colours: Sequence[str | None],
    places: Points,
) -> NDArray[np.float64]:
    """(P, C) scores of pieces of one kind in C enrolled colours with their feet at (P, 2) mm."""
    maps = evidence.in_fours(colours)
    best = np.full((len(places), len(colours)), -np.inf)
    for solid in solids_of(kind, board, enrolment):
        points = np.concatenate([solid.inside, solid.around])
        grid = project(evidence.crop, pose, places, points)
        inside = len(solid.inside)
        best = np.maximum(best, _within(maps, grid[:inside]) - _spill(maps, grid[inside:]))
    return best


def project(crop: Crop, pose: BoardPose, places: Points, points: Points) -> FloatArray:
    """(n, P, 2) crop px of the points (n, 3) around the places (P, 2)."""
    to_crop = np.vstack([crop.image_to_crop, [0, 0, 1]]) @ pose.camera
    # The projection is linear before the division: places and points add up.
    ahead = places @ to_crop[:, :2].T + to_crop[:, 3]
    around = points @ to_crop[:, :3].T
    depth = np.add.outer(around[:, 2], ahead[:, 2])
    grid = np.empty((len(points), len(places), 2), np.float32)
    for k in range(2):
        way = np.add.outer(around[:, k], ahead[:, k])
        np.divide(way, depth, out=grid[..., k], casting="same_kind")
    return grid


def sampled(part: FloatArray, grid: FloatArray) -> FloatArray:
    """(n, P, C) of a map of C channels at the points (n, P, 2); 0 outside it."""
    values = cv2.remap(
        part, grid, None, cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(0.0, 0.0, 0.0, 0.0),
    )  # fmt: skip
    return np.asarray(values.reshape(*grid.shape[:2], -1), np.float32)


def _within(maps: Sequence[FloatArray], grid: FloatArray) -> FloatArray:
    """(P, C) mean evidence at the points (n, P, 2) of P places."""
    return np.concatenate([sampled(part, grid).mean(axis=0) for part in maps], axis=1)


def _spill(maps: Sequence[FloatArray], grid: FloatArray) -> FloatArray:
    """(P, C) price of the evidence at the points (n, P, 2) around P places."""
    means = []
    for part in maps:
        around = sampled(part, grid)
        np.maximum(around, 0, out=around)
        means.append(np.float32(SPILL) * around.mean(axis=0))
    return np.concatenate(means, axis=1)


def search(
    evidence: Evidence, pose: BoardPose, board: Board, enrolment: Enrolment, looks: Sequence[Look]
) -> list[Hit]:
    """The best places of every look, no two of one look nearer than APART of a cell."""
    hits: list[Hit] = []
    for kind in dict.fromkeys(k for k, _ in looks):
        colours = [c for k, c in looks if k == kind and c in evidence.colours]
        if not colours or shape_of(kind, board) in UNSEARCHED:
            continue
        places = places_of(board, kind in STONE_KINDS)
        scores = _search_scores(evidence, pose, board, enrolment, kind, colours)
        told = np.flatnonzero((scores >= LEAST).any(axis=1))
        scores[told] += unshadowed(evidence, pose, board, enrolment, kind, places[told])[:, None]
        for c, colour in enumerate(colours):
            found = peaks((kind, colour), places, scores[:, c], APART * board.cell_size_mm)
            if kind in STONE_KINDS:
                found = [_nearer(h, evidence, pose, board, enrolment) for h in found]
            hits += found
    return sorted(hits, key=lambda h: -h.score)


def _search_scores(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    kind: str,
    colours: Sequence[str | None],
) -> NDArray[np.float64]:
    """`fit` at all places where the kind may stand; -inf where it is below LEAST anyway.

    What spills over only takes away: it is looked up where the inside says enough by itself.
    """
    maps = evidence.in_fours(colours)
    best = np.full((len(places_of(board, kind in STONE_KINDS)), len(colours)), -np.inf)
    for solid in solids_of(kind, board, enrolment):
        grid, inside = search_grid(pose, board, kind in STONE_KINDS, solid), len(solid.inside)
        within = _within(maps, grid[:inside])
        told = np.flatnonzero((within >= LEAST).any(axis=1))
        if len(told):
            around = np.ascontiguousarray(grid[inside:, told])
            best[told] = np.maximum(best[told], within[told] - _spill(maps, around))
    return best


@lru_cache(maxsize=16)
def search_grid(pose: BoardPose, board: Board, stone: bool, solid: Solid) -> FloatArray:
    """(n, P, 2) crop px of a solid's points about all places: the same while the board stays.

    About half a megabyte each.
    """
    points = np.concatenate([solid.inside, solid.around])
    return project(crop_of(pose), pose, places_of(board, stone), points)


def unshadowed(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    kind: str,
    places: Points,
) -> NDArray[np.float64]:
    """(P,) at most 0: what it costs that the ground is lit where a piece of the kind with its foot at
    (P, 2) mm must throw its shadow.  It keeps feet from the tips of shadows."""
    if evidence.shadow is None or evidence.lamp is None or not len(places):
        return np.zeros(len(places))
    size = enrolment.size(kind, board)
    cast = cast_scores(
        evidence.shadow, evidence.crop, pose, evidence.lamp, places, (size.height_mm, size.width_mm)
    )
    return np.minimum(cast, 0.0)


def _nearer(
    hit: Hit, evidence: Evidence, pose: BoardPose, board: Board, enrolment: Enrolment
) -> Hit:
    """A small piece's hit where it explains most, in steps smaller than the search's."""
    kind, colour = hit.look
    places = hit.at_mm + STEPS * enrolment.size(kind, board).width_mm
    scores = fit(evidence, pose, board, enrolment, kind, [colour], places)[:, 0]
    best = int(np.argmax(scores))
    return Hit(hit.look, (float(places[best, 0]), float(places[best, 1])), float(scores[best]))


@lru_cache(maxsize=8)
def places_of(board: Board, stone: bool) -> Points:
    """(P, 2) board mm: where a foot may be, a few offsets on every spot that suits an energy stone,
    or any other piece."""
    table = spot_table(board)
    on_track = stone and bool(table.is_track.any())
    rows = []
    for k in np.flatnonzero(table.is_track == on_track):
        big = table.sizes[k] > 1.5 * board.cell_size_mm
        spread = OFFSETS * table.sizes[k]
        if on_track:
            # Several stones stand on one mark, and they are small: the steps are half their width.
            spread = ON_MARK * table.sizes[k]
        elif big:
            spread = 1.3 * (table.points[k] - table.centres[k])
        rows.append(table.centres[k] + spread)
    return np.concatenate(rows)


def peaks(
    look: Look, places: Points, scores: NDArray[np.float64], apart_mm: float,
    least: float = LEAST, most: int = MOST,
) -> list[Hit]:  # fmt: skip
    """The best of places (P, 2) mm with (P,) scores of at least ``least``, none nearer to a better one
    than ``apart_mm``."""
    kept: list[int] = []
    told = np.flatnonzero(scores >= least)
    for k in told[np.argsort(-scores[told], kind="stable")].tolist():
        if len(kept) >= most:
            break
        if all(math.dist(places[k], places[j]) > apart_mm for j in kept):
            kept.append(k)
    return [Hit(look, (float(places[k, 0]), float(places[k, 1])), float(scores[k])) for k in kept]
