"""Pieces half behind others: searched once more when it is known what hides them.

The search by synthesis takes a pixel that shows another piece for one that speaks against it.  Once the
sure pieces and walls are known, what they cover says nothing of what stands behind them: the looks that
are still missing are looked for in what is left in view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.bodies import Body, hull_of, silhouettes
from vision.cells import STONE_KINDS
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.shapes import shape_of
from vision.silhouette_search import (
    APART,
    SPILL,
    UNSEARCHED,
    Hit,
    Points,
    Solid,
    peaks,
    places_of,
    project,
    sampled,
    search_grid,
    solids_of,
    unshadowed,
)
from vision.silhouettes import box_outline, camera_centre_mm
from vision.things import Look, Things
from vision.types import BoardPose, FloatArray, Image

IN_VIEW = (
    0.25,
    0.9,
)  # share of a solid: with less nothing can be told, with more nothing is hidden
NEARER = 0.25  # of a cell: so much nearer to the camera something must stand to hide
FULL_VIEW = 0.6  # share in view from which on what is seen counts in full
LEAST = 1.8  # score of a half hidden piece worth a mention
# Of the sum of half their widths: nearer than that two pieces would stand in one another, and what was
# found is more of the piece that is known to stand there.
WITHIN = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What hides: (h, w) on the evidence's crop, ground distance in mm from the camera to the nearest
    known piece and to the nearest wall; inf where there is none.  ``bodies``: the known pieces."""

    pieces: FloatArray
    walls: FloatArray
    camera_mm: NDArray[np.float64]
    bodies: tuple[Body, ...] = ()

    @staticmethod
    def of(
        evidence: Evidence, pose: BoardPose, board: Board, sure: Sequence[Body],
        walls: Sequence[str], wall_mm: float,
    ) -> Cover:  # fmt: skip
        """``walls``: the cells of L-walls ``wall_mm`` high."""
        shape = next(iter(evidence.colours.values())).shape
        cover = Cover(
            np.full(shape, np.inf, np.float32), np.full(shape, np.inf, np.float32),
            camera_centre_mm(pose)[:2], tuple(sure),
        )  # fmt: skip
        feet = (np.array(b.at_mm) for b in sure)
        pieces = list(zip(feet, silhouettes(pose, sure), strict=True))
        boxes = [
            (at, box_outline(pose, at, board.cell_size_mm, wall_mm))
            for at in (np.array(board.centres[c]) for c in walls if c in board.centres)
        ]
        cover._paint(cover.pieces, evidence, pieces)
        cover._paint(cover.walls, evidence, boxes)
        return cover

    def _paint(
        self, onto: FloatArray, evidence: Evidence, things: Sequence[tuple[Points, Points]]
    ) -> None:
        """Outlines (n, 2) image px of things that stand at (2,) mm, the farthest first."""
        far = [(self.distance(at[None])[0], polygon) for at, polygon in things]
        for distance, polygon in sorted(far, key=lambda item: -item[0]):
            cv2.fillConvexPoly(onto, hull_of(evidence, polygon), float(distance))

    def distance(self, places: Points) -> NDArray[np.float64]:
        """(P,) ground distance, mm, of (P, 2) mm from the camera."""
        return np.asarray(np.linalg.norm(places - self.camera_mm, axis=1))

    def occupied(self, places: Points, width_mm: float) -> NDArray[np.bool_]:
        """(P,) whether a piece of this width at (P, 2) mm would stand in a known one."""
        feet = np.array([b.at_mm for b in self.bodies]).reshape(-1, 2)
        least = WITHIN * (np.array([b.width_mm for b in self.bodies]) + width_mm) / 2
        apart = np.linalg.norm(places[:, None] - feet[None], axis=2)
        return np.asarray((apart < least[None]).any(axis=1))

    def in_view(
        self, values: FloatArray, grid: FloatArray, places: Points, board: Board
    ) -> NDArray[np.bool_]:
        """(n, P) which of the points of pieces at (P, 2) mm nothing hides.

        ``grid``: (n, P, 2) crop px; ``values``: (n, P) evidence of their colour there.  Battlements leave
        gaps: what shows the paint is no wall.
        """
        behind = (self.distance(places) - NEARER * board.cell_size_mm)[None]
        piece, wall = (
            cv2.remap(m, grid, None, cv2.INTER_NEAREST, borderValue=float("inf")).reshape(grid.shape[:2])
            for m in (self.pieces, self.walls)
        )  # fmt: skip
        return np.asarray((piece >= behind) & ((wall >= behind) | (values > 0)))


@dataclass(frozen=True, slots=True, eq=False)
class Behind:
    """The things from number ``first`` on were found half hidden behind what ``cover`` tells."""

    first: int
    cover: Cover

    def fitted(
        self,
        things: Things,
        evidence: Evidence,
        pose: BoardPose,
        board: Board,
        enrolment: Enrolment,
    ) -> Things:
        """The things with what the pixels in view say of the half hidden ones."""
        places = things.at_mm[self.first :]
        fits = {look: values.copy() for look, values in things.fits.items()}
        for look, values in fits.items():
            seen, _ = seen_fit(evidence, pose, board, enrolment, look, places, self.cover)
            values[self.first :] = np.maximum(values[self.first :], seen)
        return replace(things, fits=fits)


def seen_fit(
    evidence: Evidence, pose: BoardPose, board: Board, enrolment: Enrolment, look: Look,
    places: Points, cover: Cover,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """(P,) scores, as of `silhouette_search.fit`, of what is in view of pieces with their feet at (P, 2)
    mm, and (P,) the share of them that is."""
    best, share_of_best = np.full(len(places), -np.inf), np.zeros(len(places))
    for solid in solids_of(look[0], board, enrolment):
        grid = project(evidence.crop, pose, places, np.concatenate([solid.inside, solid.around]))
        values = sampled(evidence.colours[look[1]], grid)[..., 0]
        free = cover.in_view(values, grid, places, board)
        n = len(solid.inside)
        share = free[:n].mean(axis=0)
        score = _mean(values[:n], free[:n]) - SPILL * _mean(np.maximum(values[n:], 0), free[n:])
        score *= np.minimum(share / FULL_VIEW, 1.0)
        better = score > best
        best, share_of_best = np.where(better, score, best), np.where(better, share, share_of_best)
    return best, share_of_best


def _mean(values: FloatArray, free: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(P,) means of (n, P) where ``free``; 0 where nothing is."""
    return np.asarray((values * free).sum(axis=0) / np.maximum(free.sum(axis=0), 1))


def search_hidden(
    evidence: Evidence, pose: BoardPose, board: Board, enrolment: Enrolment,
    missing: Mapping[Look, int], cover: Cover,
) -> list[Hit]:  # fmt: skip
    """The best half hidden places of missing looks; at most as many as ``missing`` says of each."""
    hits: list[Hit] = []
    nearby: dict[str, NDArray[np.intp]] = {}
    for (kind, colour), count in missing.items():
        unfit = kind in STONE_KINDS or shape_of(kind, board) in UNSEARCHED
        if count <= 0 or unfit or colour not in evidence.colours:
            continue
        if kind not in nearby:
            nearby[kind] = _covered(solids_of(kind, board, enrolment)[0], pose, board, cover)
        places = places_of(board, False)[nearby[kind]]
        if not len(places):
            continue
        scores, share = seen_fit(evidence, pose, board, enrolment, (kind, colour), places, cover)
        scores += unshadowed(evidence, pose, board, enrolment, kind, places)
        scores[(share < IN_VIEW[0]) | (share > IN_VIEW[1])] = -np.inf
        scores[cover.occupied(places, enrolment.size(kind, board).width_mm)] = -np.inf
        hits += peaks((kind, colour), places, scores, APART * board.cell_size_mm, LEAST, count)
    return sorted(hits, key=lambda h: -h.score)


def _covered(solid: Solid, pose: BoardPose, board: Board, cover: Cover) -> NDArray[np.intp]:
    """The places at which something may stand before a part of the solid."""
    grid = search_grid(pose, board, False, solid)[: len(solid.inside)]
    none = np.zeros(grid.shape[:2], np.float32)
    share = cover.in_view(none, grid, places_of(board, False), board).mean(axis=0)
    return np.flatnonzero(share < 1.0)


def seen_colour(
    image: Image, evidence: Evidence, pose: BoardPose, board: Board, enrolment: Enrolment, hit: Hit,
    cover: Cover,
) -> NDArray[np.float64]:  # fmt: skip
    """(3,) typical BGR of what is in view of a half hidden piece; NaN where that is nothing."""
    at = np.array([hit.at_mm])
    best, found = 0.0, np.full(3, np.nan)
    for solid in solids_of(hit.look[0], board, enrolment):
        grid = project(evidence.crop, pose, at, solid.inside)
        values = sampled(evidence.colours[hit.look[1]], grid)[..., 0]
        mine = cover.in_view(values, grid, at, board)[:, 0] & (values[:, 0] > 0)
        solid_mm = np.column_stack([at[0] + solid.inside[:, :2], solid.inside[:, 2]])
        xy = np.round(pose.to_image(solid_mm)).astype(int)
        mine &= (xy >= 0).all(axis=1) & (xy < image.shape[1::-1]).all(axis=1)
        if mine.any() and float(values[mine, 0].sum()) > best:
            best = float(values[mine, 0].sum())
            found = np.median(image[xy[mine, 1], xy[mine, 0]].astype(np.float64), axis=0)
    return found
