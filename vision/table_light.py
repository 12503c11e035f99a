"""The light of one table, learnt from a picture with known pieces: its lamp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from engine.board import Board
from vision.appearance import measure_sizes
from vision.bodies import disc
from vision.crop_reference import match_light
from vision.enrolment import label_position
from vision.labels import LabelledPiece
from vision.looks import Enrolment
from vision.own_reference import to_flat
from vision.pixel_evidence import Evidence
from vision.reference import Reference
from vision.shadow_feet import on_body
from vision.shadows import Caster, Lamp, cast_scores, learn_lamp
from vision.shapes import shape_of
from vision.types import BoardPose, Detections, Image

PX_PER_MM = 1.0
CLEAR, LEAST_TOLD = 0.4, 3  # objectness of things that tell of the lamp, and how many must
FEET_BACK, TALLEST_MM = (0.0, 0.5, 1.0), 60.0  # shares of a shadow's length; of what is a piece
BASE_SHARE = 0.35  # of a round piece's width: what surely stops the light


def lamp_of(
    image: Image,
    pose: BoardPose,
    board: Board,
    reference: Reference,
    pieces: Sequence[LabelledPiece],
    enrolment: Enrolment,
) -> Lamp | None:
    """The lamp that throws the shadows of known pieces; None where shadows are soft or unclear."""
    size = (round(board.size_mm[0] * PX_PER_MM), round(board.size_mm[1] * PX_PER_MM))
    flat = cv2.warpPerspective(image, to_flat(pose, PX_PER_MM), size)
    seen = cv2.resize(reference.image, size, interpolation=cv2.INTER_AREA)
    known = np.full(size[::-1], 255, np.uint8)
    if reference.valid is not None:
        known = np.asarray(cv2.resize(reference.valid, size), np.uint8)
    matched = match_light(np.asarray(seen, np.uint8), known, np.asarray(flat, np.uint8))
    walls = [p for p in pieces if shape_of(p.kind, board) == "l_wall"]
    others = [p for p in pieces if shape_of(p.kind, board) != "l_wall"]
    # Some makers' walls are plates with little that stands up: then the other pieces tell alone.
    for known in ([*others, *walls], others):
        casters = [c for p in known for c in casters_of(p, pose, board, enrolment)]
        lamp = learn_lamp(np.asarray(flat, np.uint8), matched, PX_PER_MM, casters, pose)
        if lamp is not None:
            return lamp
    return None


def still_lit(evidence: Evidence, pose: BoardPose, detections: Detections) -> Evidence:
    """The evidence, without the lamp if the things seen don't throw its shadows here."""
    if evidence.shadow is None or evidence.lamp is None:
        return evidence
    at_mm = pose.to_board(detections.foot_px.astype(np.float64))
    sizes = measure_sizes(pose, detections, at_mm)
    rows = [
        i for i in range(len(detections))
        if float(detections.score[i]) >= CLEAR and detections.shape_of(i) not in ("wall", "l_wall")
    ]  # fmt: skip
    height, width = np.minimum(sizes.height[rows], TALLEST_MM), sizes.width[rows]
    scores = np.full(len(rows), -np.inf)
    for back in FEET_BACK:
        # Some feet may have been seen at the tips of their shadows.
        feet = at_mm[rows] - back * evidence.lamp.reach_at(at_mm[rows]) * height[:, None]
        cast = cast_scores(
            evidence.shadow, evidence.crop, pose, evidence.lamp, feet, (height, width)
        )
        possible = on_body(detections, rows, pose.to_image(feet)) if back else True
        scores = np.where(possible, np.maximum(scores, cast), scores)
    told = scores[scores != 0.0]
    if len(told) >= LEAST_TOLD and float(np.quantile(told, 0.75)) <= 0.0:
        return replace(evidence, shadow=None, lamp=None)
    return evidence


def casters_of(
    piece: LabelledPiece, pose: BoardPose, board: Board, enrolment: Enrolment
) -> list[Caster]:
    """What of a known piece throws shadows: its body, or the boxes of an L-wall."""
    if shape_of(piece.kind, board) == "l_wall":
        height = board.size_of(piece.kind)[2]
        return [Caster(np.array(board.spots[c]), height) for c in piece.spots if c in board.spots]
    at = label_position(piece, pose)
    if at is None:
        spots = [s for s in piece.spots if s in board.centres]
        if not spots:
            return []
        at = np.array(board.centres[spots[0]])
    size = enrolment.size(piece.kind, board)
    return [Caster(at + disc(BASE_SHARE * size.width_mm), size.height_mm)]
