"""Feet off their shadows: under one hard lamp the network may take a shadow for a part of its piece.

Where the shadows fall towards the camera, it then sees the foot at the shadow's tip.  But a piece that
stood there would throw a shadow farther on, where the ground is lit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import sizes_of
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.shadows import by_axis, cast_scores
from vision.shapes import shape_of
from vision.silhouette_search import UNSEARCHED, fit
from vision.things import CAST_WEIGHT, FIT_WEIGHT, Look, is_thing, size_log_odds
from vision.types import BoardPose, Detections

STEPS = np.linspace(0.0, 1.0, 7)  # of the longest shadow: how far back a foot may be
ASIDE = 0.5  # of a thing's width: so far off its axis its foot may be
SAME_PLACE = 0.6  # of a thing's width: nearer feet are one piece's
GAIN = 1.5  # log-odds by which another foot must explain the picture better


def off_shadows(
    detections: Detections,
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    looks: Sequence[Look],
) -> Detections:
    """The detections, each with its foot where some look's body and shadow explain the picture best,
    back along the lamp's way; as they are where no lamp throws hard shadows."""
    lamp = evidence.lamp
    rows = [i for i in range(len(detections)) if is_thing(detections, i)]
    kinds = [k for k in dict.fromkeys(k for k, _ in looks) if shape_of(k, board) not in UNSEARCHED]
    if lamp is None or not rows or not kinds:
        return detections
    at = pose.to_board(detections.foot_px[rows].astype(np.float64))
    tallest = max(enrolment.size(kind, board).height_mm for kind in kinds)
    places = at[None] - STEPS[:, None, None] * lamp.reach_at(at)[None] * tallest
    feet_px = pose.to_image(places.reshape(-1, 2)).reshape(places.shape)
    possible = on_body(detections, rows, feet_px)
    possible[0] = True
    things = np.broadcast_to(rows, possible.shape)[possible]
    asked = (places[possible], feet_px[possible], evidence, pose, board, enrolment)
    values = np.full(possible.shape, -np.inf)
    values[possible] = np.max(
        [_explained(detections, things, *asked, kind, looks) for kind in kinds], axis=0
    )
    best, each = values.argmax(axis=0), np.arange(len(rows))
    moved = np.flatnonzero(values[best, each] > values[0] + GAIN)
    feet = detections.foot_px.copy()
    feet[np.array(rows)[moved]] = feet_px[best[moved], moved]
    return _without_doubles(replace(detections, foot_px=feet), [rows[k] for k in moved], rows)


def on_body(
    detections: Detections, rows: Sequence[int], feet_px: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """(…, R) whether feet at (…, R, 2) px lie within what the network took for the thing."""
    foot, top = (px[rows].astype(np.float64) for px in (detections.foot_px, detections.top_px))
    along, aside, length = by_axis(feet_px, foot, top)
    return np.asarray((along >= 0) & (along < length) & (aside < ASIDE * detections.width_px[rows]))


def _without_doubles(
    detections: Detections, moved: Sequence[int], rows: Sequence[int]
) -> Detections:
    """The detections; of two that stand on one place, once a foot was moved there, the weaker one is
    nothing any more.  Indices stay."""
    scores, objectness = detections.shape_scores.copy(), detections.score.copy()
    for i in moved:
        apart = np.linalg.norm(detections.foot_px[rows] - detections.foot_px[i], axis=1)
        for k in np.flatnonzero(apart < SAME_PLACE * detections.width_px[i]):
            j = rows[k]
            if j != i and min(objectness[i], objectness[j]) > 0:
                weaker = j if objectness[j] <= objectness[i] else i
                scores[weaker], objectness[weaker] = 0, 0
    return replace(detections, shape_scores=scores, score=objectness)


def _explained(
    detections: Detections,
    things: NDArray[np.intp],
    places: NDArray[np.float64],
    feet_px: NDArray[np.float64],
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    kind: str,
    looks: Sequence[Look],
) -> NDArray[np.float64]:
    """(N,) log-odds of pieces of the kind with their feet at (N, 2) mm, seen at ``feet_px``, whose tops
    are those of the ``things`` (N,)."""
    colours = [c for k, c in looks if k == kind and c in evidence.colours]
    if not colours or evidence.shadow is None or evidence.lamp is None:
        return np.full(len(places), -np.inf)
    body = fit(evidence, pose, board, enrolment, kind, colours, places).max(axis=1)
    size = enrolment.size(kind, board)
    cast = cast_scores(
        evidence.shadow, evidence.crop, pose, evidence.lamp, places, (size.height_mm, size.width_mm)
    )
    sizes = sizes_of(pose, places, feet_px, detections.top_px[things], detections.width_px[things])
    return np.asarray(
        FIT_WEIGHT * body
        + CAST_WEIGHT * cast
        + size_log_odds(sizes, np.arange(len(places)), kind, board, enrolment)
    )
