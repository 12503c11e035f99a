"""Learning what this table's pieces look like from pictures whose truth is known."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.assignment import assign
from engine.board import Board
from vision.appearance import ColourModel, measure_sizes, prototype, sample_colours
from vision.cells import spot_table
from vision.labels import LabelledPiece
from vision.looks import Enrolment, SizeModel
from vision.shapes import shape_of
from vision.silhouettes import owner_map
from vision.types import SHAPES, BoardPose, Detections, FloatArray, Image
from vision.walls import learn_walls

FAR = 1e3  # price of a pair that is none
REACH_CELLS = 0.75  # a detection belongs to a labelled piece within this share of a cell


def label_position(piece: LabelledPiece, pose: BoardPose) -> NDArray[np.float64] | None:
    """(2,) board mm where a labelled piece is known to stand: its foot or its measured place."""
    if piece.foot_px is not None:
        return pose.to_board(np.array([piece.foot_px]))[0]
    return None if piece.at_mm is None else np.array(piece.at_mm)


def _distance_mm(
    piece: LabelledPiece, board: Board, pose: BoardPose, at_mm: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """(N,) distance of every thing from where a piece may stand: its place, or within its spots."""
    known = label_position(piece, pose)
    if known is not None:
        return np.asarray(np.linalg.norm(at_mm - known, axis=1))
    spots = [s for s in piece.spots if s in board.spots]
    if not spots:
        return None
    table = spot_table(board)
    points = np.concatenate([table.points[table.ids.index(s)] for s in spots])
    return np.asarray(np.linalg.norm(at_mm[:, None] - points[None], axis=2).min(axis=1))


def match_labels(
    board: Board,
    pose: BoardPose,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
    colours: FloatArray,
) -> list[tuple[LabelledPiece, int]]:
    """Pairs of labelled piece and detection, nearest first in total; ruins are left out.

    ``colours`` (N, 3): sampled BGR.  Where several pieces share a field, the names of their colours
    tell them apart.
    """
    if not len(detections):
        return []
    at_mm = pose.to_board(detections.foot_px.astype(np.float64))
    reach = REACH_CELLS * board.cell_size_mm
    rows, prices = [], []
    for piece in pieces:
        distance = _distance_mm(piece, board, pose, at_mm)
        if distance is None or shape_of(piece.kind, board) == "l_wall":
            continue
        scores = detections.shape_scores[:, SHAPES.index(shape_of(piece.kind, board))]
        guess = prototype(piece.colour)
        doubt = np.zeros(len(detections))
        if guess is not None:
            doubt = np.array(
                [-guess.log_likelihood(c) if np.isfinite(c).all() else 4.5 for c in colours]
            )
        price = distance / reach + 0.7 * (1 - scores) + 0.06 * doubt
        rows.append(piece)
        prices.append(np.where(distance < reach, price, FAR))
    if not rows:
        return []
    cost = np.hstack([np.array(prices), np.full((len(rows), len(rows)), FAR)])
    columns = assign(cost.tolist())
    return [(rows[r], c) for r, c in enumerate(columns) if c < len(detections) and cost[r, c] < FAR]


def enrol(
    image: Image,
    pose: BoardPose,
    board: Board,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
) -> Enrolment:
    """Learns colours and sizes from one picture with known pieces."""
    colours = sample_colours(image, detections, owner_map(image, pose, board, detections))
    visible = [p for p in pieces if p.visible >= 0.4]
    pairs = match_labels(board, pose, visible, detections, colours)
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
        learn_walls(image, pose, board, pieces),
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
