"""Things that are only a part of a nearer piece: the head of a king is no knight behind him."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import standing_outlines
from vision.crop import to_crop
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.silhouettes import camera_centre_mm
from vision.things import Look, Things
from vision.types import BoardPose

WITHIN = 0.3  # share of a thing's outline that lies within another's
LEAST_FREE = 0.15  # share of it outside, below which nothing can speak for it
BARE = -0.8  # mean log-odds of what lies outside: it shows the print
WHOLE = 2.0  # log-odds of a piece that may have parts


@dataclass(frozen=True, slots=True)
class Taken:
    """A thing and the look that it has been taken for, with its log-odds."""

    thing: int
    look: Look
    score: float


def parts_of(
    taken: Sequence[Taken],
    things: Things,
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
) -> set[int]:
    """The things that stand, as it seems, just behind a likelier piece that explains all that is
    seen of them: where their outline reaches beyond it, the picture shows the print."""
    if not taken:
        return set()
    camera = camera_centre_mm(pose)[:2]
    hulls = _hulls(taken, things, evidence, pose, board, enrolment)
    distance = [float(np.linalg.norm(things.at_mm[t.thing] - camera)) for t in taken]
    feet = to_crop(things.detections.foot_px[[t.thing for t in taken]].astype(float), evidence.crop)
    parts = set()
    for k, weak in enumerate(taken):
        values = evidence.colours.get(weak.look[1])
        if values is None:
            continue
        for j, strong in enumerate(taken):
            if j == k or strong.score < max(WHOLE, weak.score) or distance[j] > distance[k]:
                continue
            foot = feet[k]
            if cv2.pointPolygonTest(hulls[j], (float(foot[0]), float(foot[1])), False) < 0:
                continue
            if _explained(hulls[k], hulls[j], values):
                parts.add(weak.thing)
    return parts


def _hulls(
    taken: Sequence[Taken],
    things: Things,
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
) -> list[NDArray[np.float32]]:
    """(n, 2) crop px each: the outline of a piece of this kind where the thing stands."""
    sizes = [enrolment.size(t.look[0], board) for t in taken]
    at = things.at_mm[[t.thing for t in taken]]
    shapes = standing_outlines(pose, at, [s.height_mm for s in sizes], [s.width_mm for s in sizes])
    return [
        np.asarray(cv2.convexHull(to_crop(s, evidence.crop).astype(np.float32))[:, 0], np.float32)
        for s in shapes
    ]


def _explained(
    own: NDArray[np.float32], other: NDArray[np.float32], values: NDArray[np.float32]
) -> bool:
    """Whether nothing of one outline is to be seen outside another; both (n, 2) convex."""
    shared, _ = cv2.intersectConvexConvex(own, other)
    if shared < WITHIN * cv2.contourArea(own):
        return False
    mask = np.zeros(values.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(own).astype(np.int32), 1)
    whole = int(mask.sum())
    cv2.fillConvexPoly(mask, np.round(other).astype(np.int32), 0)
    free = values[mask > 0]
    return len(free) < LEAST_FREE * whole or float(free.mean()) < BARE
