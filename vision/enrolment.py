"""Learning what this table's pieces look like from pictures whose truth is known."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.assignment import assign
from engine.board import Board
from vision.appearance import ColourModel, measure_sizes, prototype, sample_colours
from vision.labels import LabelledPiece
from vision.shapes import shape_of
from vision.silhouettes import owner_map
from vision.types import SHAPES, BoardPose, Detections, Image

REACH_CELLS = 0.75  # a detection belongs to a labelled piece within this share of a cell


@dataclass(frozen=True, slots=True)
class SizeModel:
    """Measured height and width of a kind in mm, with the share by which they scatter."""

    height_mm: float
    width_mm: float
    spread: float = 0.18


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What is known of this table's pieces; an empty one falls back on names and the board file.

    ``colours``: by (kind, colour), and by (None, colour) for kinds that were not seen.
    ``sizes`` by kind.  ``foot_bias``: mean (along, across) error of the detector's feet as a
    share of the piece's height in the picture.
    """

    colours: Mapping[tuple[str | None, str | None], ColourModel] = field(default_factory=dict)
    sizes: Mapping[str, SizeModel] = field(default_factory=dict)

    def colour(self, kind: str, colour: str | None) -> ColourModel | None:
        """The best model there is: this kind's, this colour's, or the name's prototype."""
        return (
            self.colours.get((kind, colour))
            or self.colours.get((None, colour))
            or prototype(colour)
        )

    def size(self, kind: str, board: Board) -> SizeModel:
        """Measured sizes of a kind, or the board file's with more doubt."""
        known = self.sizes.get(kind)
        if known is not None:
            return known
        base_x, base_y, height = board.size_of(kind)
        return SizeModel(height, max(base_x, base_y), 0.3)


def label_position(
    piece: LabelledPiece, board: Board, pose: BoardPose
) -> NDArray[np.float64] | None:
    """Where a labelled piece stands in board mm: foot, measured place, or centre of its cell."""
    if piece.foot_px is not None:
        return pose.to_board(np.array([piece.foot_px]))[0]
    if piece.at_mm is not None:
        return np.array(piece.at_mm)
    centres = [board.centres[s] for s in piece.spots if s in board.centres]
    return np.mean(centres, axis=0) if centres else None


def match_labels(
    board: Board, pose: BoardPose, pieces: Sequence[LabelledPiece], detections: Detections
) -> list[tuple[LabelledPiece, int]]:
    """Pairs of labelled piece and detection, nearest first in total; ruins are left out."""
    known = [(p, label_position(p, board, pose)) for p in pieces]
    rows = [(p, at) for p, at in known if at is not None and shape_of(p.kind, board) != "l_wall"]
    if not rows or not len(detections):
        return []
    at_mm = pose.to_board(detections.foot_px.astype(np.float64))
    reach = REACH_CELLS * board.cell_size_mm
    far = 1e3
    cost = np.full((len(rows), len(detections) + len(rows)), far)
    for r, (piece, at) in enumerate(rows):
        distance = np.linalg.norm(at_mm - at, axis=1)
        scores = detections.shape_scores[:, SHAPES.index(shape_of(piece.kind, board))]
        price = distance / reach + 0.7 * (1 - scores)
        cost[r, : len(detections)] = np.where(distance < reach, price, far)
    columns = assign(cost.tolist())
    return [
        (rows[r][0], c) for r, c in enumerate(columns) if c < len(detections) and cost[r, c] < far
    ]


def enrol(
    image: Image,
    pose: BoardPose,
    board: Board,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
) -> Enrolment:
    """Learns colours and sizes from one picture with known pieces."""
    pairs = match_labels(board, pose, [p for p in pieces if p.visible >= 0.4], detections)
    colours = sample_colours(image, detections, owner_map(image, pose, board, detections))
    at_mm = pose.to_board(detections.foot_px.astype(np.float64))
    sizes = measure_sizes(pose, detections, at_mm)
    by_look: dict[tuple[str | None, str | None], list[NDArray[np.float64]]] = defaultdict(list)
    heights: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for piece, i in pairs:
        if np.isfinite(colours[i]).all():
            by_look[(piece.kind, piece.colour)].append(colours[i].astype(np.float64))
            by_look[(None, piece.colour)].append(colours[i].astype(np.float64))
        heights[piece.kind].append(
            (float(sizes.height[i]), float(sizes.height_sigma[i]), float(sizes.width[i]))
        )
    return Enrolment(
        {look: _colour_model(samples) for look, samples in by_look.items()},
        {kind: _size_model(kind, rows, board) for kind, rows in heights.items()},
    )


def _colour_model(samples: list[NDArray[np.float64]]) -> ColourModel:
    mean = np.median(np.array(samples), axis=0)
    return ColourModel(tuple(float(v) for v in mean), len(samples))


def _size_model(kind: str, rows: list[tuple[float, float, float]], board: Board) -> SizeModel:
    """The board file's sizes pulled towards the measured ones, by how sure the measure is."""
    base_x, base_y, height = board.size_of(kind)
    width = max(base_x, base_y)
    prior_sigma = 0.3 * height
    weights = [1 / max(s, 0.5) ** 2 for _, s, _ in rows] + [1 / prior_sigma**2]
    values = [h for h, _, _ in rows] + [height]
    mean = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    widths = sorted(w for _, _, w in rows)
    middle = widths[len(widths) // 2]
    return SizeModel(max(mean, 1.0), math.sqrt(max(middle, 1.0) * width), 0.18)
