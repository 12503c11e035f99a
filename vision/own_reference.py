"""A reference of the print, made from a picture with known pieces: where they stand it has holes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import ground_scale
from vision.enrolment import label_position
from vision.labels import LabelledPiece
from vision.looks import Enrolment
from vision.reference import MAX_SIDE_PX, Reference
from vision.shapes import shape_of
from vision.silhouettes import outline
from vision.types import BoardPose, Detections, Image

TALLER, WIDER = 1.25, 1.5  # the hole is larger than the piece: its size is only roughly known
SHADOW_MM = 4.0
HAND = 0.4
LEAST_SCORE = 0.25


def reference_from_view(
    image: Image,
    pose: BoardPose,
    board: Board,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
    enrolment: Enrolment,
) -> Reference:
    """Rectifies a picture with known pieces; pieces, detections and hands become holes."""
    hidden = np.zeros(image.shape[:2], np.uint8)
    for piece in pieces:
        for polygon in _polygons(piece, pose, board, enrolment):
            cv2.fillConvexPoly(hidden, np.round(polygon).astype(np.int32), 255)
    for i in range(len(detections)):
        if float(detections.score[i]) >= LEAST_SCORE:
            polygon = outline(
                detections.foot_px[i].astype(float), detections.top_px[i].astype(float),
                float(detections.width_px[i]) * WIDER,
            )  # fmt: skip
            cv2.fillConvexPoly(hidden, np.round(polygon).astype(np.int32), 255)
    hands = cv2.warpAffine(
        (detections.hand_mask > HAND).astype(np.uint8) * 255,
        detections.mask_to_image[:2],
        (image.shape[1], image.shape[0]),
    )
    hidden = cv2.max(hidden, hands)
    scale = min(MAX_SIDE_PX / max(board.size_mm), 1.25 * _px_per_mm(pose, board))
    size = (round(board.size_mm[0] * scale), round(board.size_mm[1] * scale))
    way = to_flat(pose, scale)
    flat = cv2.warpPerspective(image, way, size, flags=cv2.INTER_LINEAR)
    holes = cv2.warpPerspective(hidden, way, size, flags=cv2.INTER_LINEAR, borderValue=255)
    side = 2 * round(SHADOW_MM * scale) + 1
    holes = cv2.dilate(holes, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    valid = np.where(holes > 60, 0, 255).astype(np.uint8)
    return Reference(np.asarray(flat, np.uint8), board.size_mm, valid)


def _polygons(
    piece: LabelledPiece, pose: BoardPose, board: Board, enrolment: Enrolment
) -> list[NDArray[np.float64]]:
    known = label_position(piece, pose)
    places = [board.centres[s] for s in piece.spots if s in board.centres]
    shape = shape_of(piece.kind, board)
    feet = places if known is None or shape == "l_wall" else [known]
    size = enrolment.size(piece.kind, board)
    height = size.height_mm
    width = board.cell_size_mm if shape == "l_wall" else size.width_mm * WIDER
    polygons = []
    for foot in feet:
        at = np.asarray(foot, np.float64)
        ends = pose.to_image(np.array([[*at, 0.0], [*at, height * TALLER]]))
        width_px = width * float(ground_scale(pose, at[None])[0])
        polygons.append(outline(ends[0], ends[1], width_px))
    return polygons


def _px_per_mm(pose: BoardPose, board: Board) -> float:
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(board.size_mm)
    return float(ground_scale(pose, corners).max())


def to_flat(pose: BoardPose, scale: float) -> NDArray[np.float64]:
    """(3, 3) image px to flat px, pixel centres at half steps of the flat picture."""
    flat = np.array([[scale, 0, -0.5], [0, scale, -0.5], [0, 0, 1.0]])
    return np.asarray(flat @ np.linalg.inv(pose.homography))
