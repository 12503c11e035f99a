"""Brings the network's things and the search by synthesis together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import ground_scale
from vision.cells import STONE_KINDS
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.shapes import shape_of
from vision.silhouette_search import NEAR_OFFSETS, Hit, fit, unshadowed
from vision.types import SHAPES, BoardPose, Detections

SAME_PLACE = 0.5  # of a cell: a hit so near a thing of the network is that thing
FULL_SCORE, HALF_WAY = 0.22, 1.6  # objectness of a hit: half of FULL_SCORE at this log-odds
BESIDE = (0.2, 0.42)  # of a cell: a thing that far off may have its foot at the tip of its shadow
CLEAR_HIT, GAIN = 1.3, 1.0  # log-odds of a hit, and by how much it must explain more than the thing
STONE_BESIDE = 0.3  # of a stone's width: so far off its foot may be seen without harm
STONES_APART = 0.7  # of a stone's width: nearer ones cannot stand side by side
WALLS = ("wall", "l_wall")


def add_hits(
    detections: Detections,
    hits: Sequence[Hit],
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    evidence: Evidence,
) -> Detections:
    """The detections, and a thing for every hit where the network saw none, or saw its foot at a
    place that explains the picture much worse."""
    feet = pose.to_board(detections.foot_px.astype(np.float64))
    names = [detections.shape_of(i) for i in range(len(detections))]
    reach = SAME_PLACE * board.cell_size_mm
    there = [i for i, n in enumerate(names) if n not in WALLS and detections.score[i] > 0]
    seen = feet[there].reshape(-1, 2)
    added: list[Hit] = []
    echoes: dict[int, Hit] = {}  # which stone a thing of the network is taken for
    for hit in hits:
        at = np.array(hit.at_mm)
        others = np.array([h.at_mm for h in added]).reshape(-1, 2)
        others = others[np.linalg.norm(others - at, axis=1) <= reach]
        stone = hit.look[0] in STONE_KINDS
        if len(others) and not stone:
            continue
        beside = np.flatnonzero(np.linalg.norm(seen - at, axis=1) <= reach)
        if stone:
            # Several stones stand on one mark, nearer to one another than other pieces can.
            free = [
                i
                for i in beside
                if not _another(hit, echoes.get(int(i)), evidence, pose, board, enrolment)
            ]
            near = np.concatenate([seen[free], others])
        else:
            near = seen[beside]
        if _explains_more(hit, at, near, evidence, pose, board, enrolment):
            added.append(hit)
        elif stone and len(beside):
            nearest = beside[int(np.argmin(np.linalg.norm(seen[beside] - at, axis=1)))]
            echoes.setdefault(int(nearest), hit)
    return with_hits(detections, added, pose, board, enrolment)


def _another(
    hit: Hit, other: Hit | None, evidence: Evidence, pose: BoardPose, board: Board,
    enrolment: Enrolment,
) -> bool:  # fmt: skip
    """Whether a stone is plainly another one than that for which a thing of the network is taken."""
    if other is None or other.look == hit.look or hit.score < CLEAR_HIT:
        return False
    at = np.array(other.at_mm)
    if np.linalg.norm(at - hit.at_mm) < STONES_APART * enrolment.size(hit.look[0], board).width_mm:
        return False
    places = at + NEAR_OFFSETS * board.cell_size_mm
    kind, colour = hit.look
    return bool(
        hit.score > fit(evidence, pose, board, enrolment, kind, [colour], places).max() + GAIN
    )


def _explains_more(
    hit: Hit,
    at: NDArray[np.float64],
    near: NDArray[np.float64],
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
) -> bool:
    """Whether the hit is no echo of the things ``near`` (N, 2) mm."""
    if not len(near):
        return True
    kind, colour = hit.look
    cell = board.cell_size_mm
    apart = float(np.linalg.norm(near - at, axis=1).min()) / cell
    least, most, offsets = *BESIDE, NEAR_OFFSETS
    if kind in STONE_KINDS:
        # Of two stones side by side the network may see one, between them.
        least, most = STONE_BESIDE * enrolment.size(kind, board).width_mm / cell, SAME_PLACE
        offsets = STONE_BESIDE * NEAR_OFFSETS
    if not least < apart <= most or hit.score < CLEAR_HIT:
        return False
    places = (near[:, None] + offsets[None] * cell).reshape(-1, 2)
    theirs = fit(evidence, pose, board, enrolment, kind, [colour], places)[:, 0]
    theirs += unshadowed(evidence, pose, board, enrolment, kind, places)
    return bool(hit.score > theirs.max() + GAIN)


Thing = tuple[NDArray[np.float64], NDArray[np.float64], float, NDArray[np.float32]]


def with_things(detections: Detections, rows: Sequence[Thing]) -> Detections:
    """The detections and further things: (foot px, top px, width px, shape scores) each."""
    if not rows:
        return detections
    return Detections(
        np.concatenate([detections.foot_px, np.array([r[0] for r in rows], np.float32)]),
        np.concatenate([detections.top_px, np.array([r[1] for r in rows], np.float32)]),
        np.concatenate([detections.width_px, np.array([r[2] for r in rows], np.float32)]),
        np.concatenate([detections.shape_scores, np.array([r[3] for r in rows], np.float32)]),
        np.concatenate([detections.score, np.array([r[3].max() for r in rows], np.float32)]),
        detections.piece_mask,
        detections.hand_mask,
        detections.mask_to_image,
        detections.look_map,
    )


def with_hits(
    detections: Detections,
    hits: Sequence[Hit],
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
) -> Detections:
    """The detections and a thing for every hit."""
    return with_things(detections, [_thing_of(hit, pose, board, enrolment) for hit in hits])


def _thing_of(hit: Hit, pose: BoardPose, board: Board, enrolment: Enrolment) -> Thing:
    score = FULL_SCORE / (1 + np.exp(2.0 * (HALF_WAY - hit.score)))
    return thing_at(hit.look[0], hit.at_mm, float(score), pose, board, enrolment)


def thing_at(
    kind: str,
    at_mm: tuple[float, float],
    score: float,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
) -> Thing:
    """A piece of a kind at a place, as the network would have given it."""
    size = enrolment.size(kind, board)
    ends = pose.to_image(np.array([[*at_mm, 0.0], [*at_mm, size.height_mm]]))
    width = size.width_mm * float(ground_scale(pose, np.array([at_mm]))[0])
    scores = np.full(len(SHAPES), 0.01, np.float32)
    scores[SHAPES.index(shape_of(kind, board))] = score
    return ends[0], ends[1], width, scores
