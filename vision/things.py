"""The things seen in one picture, and how well each could be a piece of each look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import (
    ColourModel,
    Sizes,
    log_likelihood_table,
    measure_sizes,
    sample_colours,
)
from vision.cells import STONE_KINDS, Places, foot_covariance
from vision.look_vectors import look_log_odds, read_vectors
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.profiles import TURNED, profile_log_odds, with_stand_ins
from vision.shadows import cast_scores
from vision.shapes import shape_likelihood, shape_of
from vision.silhouette_search import NEAR_OFFSETS, UNSEARCHED, fit
from vision.silhouettes import OwnerMap
from vision.types import SHAPES, BoardPose, Detections, Image

Look = tuple[str, str | None]

CLEAR = 0.4  # objectness of things that tell of the whole picture
LEAST_OBJECT = 0.15  # objectness below which a thing needs no mention
FIT_WEIGHT, FIT_EVEN = 1.5, 0.3  # of the solid's mean log-odds; this much means nothing yet
LIKENESS_WEIGHT = 1.0  # of the log-odds of the network's vectors
KIND_BY_PAINT = 1.5  # log-odds by which paint may tell kinds of one colour apart
CAST_WEIGHT = 1.5  # of the mean log-odds of the ground where a shadow must lie
STAY = 1.0  # log-odds of staying where one was, as long as nothing has changed there
STAY_CHANGED = 0.4  # of full change: from here on nothing speaks for it any more
# Dice are thrown beside the board; chips lie on its fields; score markers have a scale of their own.
LOOSE = {
    "die": (0.0, -3.0),
    "chip": (-6.0, -4.0),
    "score_marker": (0.0, -6.0),
}  # log-odds beside the board and on a cell
IN_WALL = -2.5  # log-odds of a thing on cells that an L-wall covers: mostly a part of the wall


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """The detections of one picture with what was measured about them."""

    detections: Detections
    at_mm: NDArray[np.float64]
    covariance: NDArray[np.float64]
    colours: NDArray[np.float32]
    sizes: Sizes
    places: Places
    fits: Mapping[Look, NDArray[np.float64]]
    casts: Mapping[str, NDArray[np.float64]]
    likeness: Mapping[Look, NDArray[np.float64]]
    outlines: Mapping[Look, NDArray[np.float64]]
    expected: Mapping[Look, Sequence[tuple[str, ...]]]
    changed: Mapping[str, float] | None
    walled: set[str] = field(default_factory=set)
    # What is worked out once of every thing, or of every two, for all assignments (`vision.joint`).
    rivals: list[frozenset[int]] = field(default_factory=list)
    within: dict[tuple[int, int], bool] = field(default_factory=dict)


def measure_things(
    image: Image,
    pose: BoardPose,
    board: Board,
    detections: Detections,
    owners: OwnerMap,
    enrolment: Enrolment,
    looks: list[Look],
    evidence: Evidence | None,
    expected: Mapping[Look, Sequence[tuple[str, ...]]] | None,
    changed: Mapping[str, float] | None,
    rows: list[int] | None = None,
) -> Things:
    """Measures every detection: place, colour, size, and what the pixels say to every look.

    Colours and pixels are only looked at of the things ``rows`` (default: what may be a piece of
    its own, see `is_thing`).
    """
    at_mm = pose.to_board(detections.foot_px.astype(np.float64)) - _bias(detections, enrolment)
    covariance = foot_covariance(pose, detections.foot_px.astype(np.float64))
    vectors = read_vectors(detections)
    if rows is None:
        rows = [i for i in range(len(detections)) if is_thing(detections, i)]
    return Things(
        detections,
        at_mm,
        covariance,
        sample_colours(image, detections, owners, rows),
        measure_sizes(pose, detections, at_mm),
        Places(board, at_mm, covariance),
        {} if evidence is None else _fits(evidence, pose, board, enrolment, at_mm, looks, rows),
        {} if evidence is None else _casts(evidence, pose, board, enrolment, at_mm, looks),
        {}
        if vectors is None
        else look_log_odds(vectors, enrolment.vectors, _alike(enrolment, looks, board)),
        {}
        if evidence is None
        else _outlines(evidence, pose, board, owners, enrolment, at_mm, looks, detections, rows),
        {} if expected is None else expected,
        changed,
    )


def _alike(enrolment: Enrolment, looks: Sequence[Look], board: Board) -> dict[Look, list[Look]]:
    """For every look the known ones of its colour whose kinds are of one shape class with it."""
    shapes = {kind: shape_of(kind, board) for kind, _ in (*looks, *enrolment.vectors)}
    return {
        (kind, colour): [
            (k, c) for k, c in enrolment.vectors if c == colour and shapes[k] == shapes[kind]
        ]
        for kind, colour in looks
        if colour is not None
    }


def _outlines(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    owners: OwnerMap,
    enrolment: Enrolment,
    at_mm: NDArray[np.float64],
    looks: list[Look],
    detections: Detections,
    rows: list[int],
) -> dict[Look, NDArray[np.float64]]:
    """(N,) what the outline says for every look of turned pieces; 0 of others than ``rows``."""
    sure = [
        k for k, i in enumerate(rows)
        if float(detections.score[i]) >= CLEAR and detections.shape_of(i) in TURNED
    ]  # fmt: skip
    known = enrolment.profiles
    turned = {k for k, _ in looks if shape_of(k, board) in TURNED} | set(known)
    stated = {k: (board.size_of(k)[2], max(board.size_of(k)[:2])) for k in sorted(turned)}
    profiles = with_stand_ins(known, stated)
    new = frozenset(profiles.keys() - known.keys())
    told = profile_log_odds(evidence, pose, owners, profiles, at_mm[rows], sure, looks, rows, new)
    found = {look: np.zeros(len(at_mm)) for look in told}
    for look, values in told.items():
        found[look][rows] = values
    return found


def _bias(detections: Detections, enrolment: Enrolment) -> NDArray[np.float64]:
    """(N, 2) mm by which the detector is known to misplace feet of each thing's shape."""
    known = enrolment.foot_bias_mm
    rows = [known.get(detections.shape_of(i), (0.0, 0.0)) for i in range(len(detections))]
    return np.asarray(rows, np.float64).reshape(-1, 2)


def _fits(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    at_mm: NDArray[np.float64],
    looks: list[Look],
    rows: list[int],
) -> dict[Look, NDArray[np.float64]]:
    """(N,) score of every look's solid near the things ``rows``, 0 elsewhere."""
    found: dict[Look, NDArray[np.float64]] = {}
    places = at_mm[rows, None] + NEAR_OFFSETS[None] * board.cell_size_mm
    for kind in dict.fromkeys(k for k, _ in looks):
        colours = [c for k, c in looks if k == kind and c in evidence.colours]
        if not colours or not rows or shape_of(kind, board) in UNSEARCHED:
            continue
        scores = fit(evidence, pose, board, enrolment, kind, colours, places.reshape(-1, 2))
        near = np.zeros((len(at_mm), len(colours)))
        near[rows] = scores.reshape(len(rows), len(NEAR_OFFSETS), -1).max(axis=1)
        found |= {(kind, c): near[:, k] for k, c in enumerate(colours)}
    return found


def with_fits(
    things: Things,
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    looks: list[Look],
) -> Things:
    """The same things with what other evidence says of their looks."""
    rows = [i for i in range(len(things.detections)) if is_thing(things.detections, i)]
    return replace(things, fits=_fits(evidence, pose, board, enrolment, things.at_mm, looks, rows))


def _casts(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    at_mm: NDArray[np.float64],
    looks: list[Look],
) -> dict[str, NDArray[np.float64]]:
    """(N,) by kind: whether shadows lie where a piece of that kind must throw them."""
    if evidence.shadow is None or evidence.lamp is None or not len(at_mm):
        return {}
    found = {}
    for kind in dict.fromkeys(k for k, _ in looks):
        if shape_of(kind, board) not in UNSEARCHED:
            size = enrolment.size(kind, board)
            found[kind] = cast_scores(
                evidence.shadow, evidence.crop, pose, evidence.lamp, at_mm,
                (size.height_mm, size.width_mm),
            )  # fmt: skip
    return found


def is_thing(detections: Detections, i: int) -> bool:
    shape = int(np.argmax(detections.shape_scores[i]))
    return SHAPES[shape] not in ("wall", "l_wall") and float(detections.score[i]) >= LEAST_OBJECT


def score_table(
    things: Things, rows: list[int], looks: list[Look], board: Board, enrolment: Enrolment
) -> NDArray[np.float64]:
    """(R, L) log-odds that thing r is a piece that looks like l, place left out."""
    own = things.detections.score[rows].astype(np.float64)
    p = np.minimum(np.maximum(own, 0.02), 0.98)
    table = (
        np.log(p / (1 - p))[:, None] + 1.0 + colour_table(things.colours[rows], looks, enrolment)
    )
    kinds = list(dict.fromkeys(k for k, _ in looks))
    grounds = {_ground(kind, board): kind for kind in kinds}
    place_logs = {
        ground: np.array([_place_log(things, i, kind, board) for i in rows])
        for ground, kind in grounds.items()
    }
    by_kind = {
        kind: _shape_logs(things, rows, p, kind, board)
        + size_log_odds(things.sizes, rows, kind, board, enrolment)
        + place_logs[_ground(kind, board)]
        + _cast_logs(things, rows, kind)
        for kind in kinds
    }
    for c, look in enumerate(looks):
        table[:, c] += by_kind[look[0]] + _fit_logs(things, rows, look)
        table[:, c] += _chosen(things.likeness, rows, look) * LIKENESS_WEIGHT
        table[:, c] += _chosen(things.outlines, rows, look)
        if things.expected.get(look):
            table[:, c] += [_stay_log(things, i, look) for i in rows]
    return np.asarray(table, np.float64)


def _shape_logs(
    things: Things, rows: list[int], p: NDArray[np.float64], kind: str, board: Board
) -> NDArray[np.float64]:
    """(R,) what the network's shape classes say; ``p``: (R,) objectness."""
    scores = things.detections.shape_scores[rows].astype(np.float64)
    likelihood = shape_likelihood(scores, shape_of(kind, board)) / np.maximum(p, 1e-3)
    return np.asarray(np.log(np.maximum(likelihood, 1e-3)))


def size_log_odds(
    sizes: Sizes,
    rows: Sequence[int] | NDArray[np.intp],
    kind: str,
    board: Board,
    enrolment: Enrolment,
) -> NDArray[np.float64]:
    """(R,) what the measured sizes of things say for a kind, at most 0."""
    model = enrolment.size(kind, board)
    height_sigma = np.sqrt(
        (model.spread * model.height_mm) ** 2 + sizes.height_sigma[rows] ** 2 + 3.0**2
    )
    width_sigma = model.spread * 1.3 * model.width_mm + 3.0
    z_height = (sizes.height[rows] - model.height_mm) / height_sigma
    z_width = (sizes.width[rows] - model.width_mm) / width_sigma
    return np.asarray(np.maximum(-0.5 * (z_height**2 + z_width**2), -3.0))


def colour_table(
    samples: NDArray[np.float32], looks: Sequence[Look], enrolment: Enrolment
) -> NDArray[np.float64]:
    """(R, L) what the colours of (R, 3) samples say for every look.

    One paint on pieces of two kinds differs by how the light falls on them: it tells the players
    apart far better than the kinds of one player's pieces.
    """
    models = [enrolment.colour(*look) for look in looks]
    table = _colour_logs(samples, models)
    best: dict[str | None, NDArray[np.float64]] = {}
    for c, (_, colour) in enumerate(looks):
        best[colour] = np.maximum(best.get(colour, table[:, c]), table[:, c])
    for c, look in enumerate(looks):
        if look[1] is not None:
            most = KIND_BY_PAINT if look in enrolment.colours else KIND_BY_PAINT / 2
            table[:, c] = np.maximum(table[:, c], best[look[1]] - most)
    return table


def _colour_logs(
    samples: NDArray[np.float32], models: Sequence[ColourModel | None]
) -> NDArray[np.float64]:
    """(R, L) of what samples there are; pieces of one colour share a model."""
    told = np.isfinite(samples).all(axis=1)
    known = np.where(told[:, None], samples, 0.0)
    distinct = list(dict.fromkeys(m for m in models if m is not None))
    logs = np.where(told[:, None], log_likelihood_table(known, distinct), -2.0)
    table = np.zeros((len(samples), len(models)))
    for c, model in enumerate(models):
        if model is not None:
            table[:, c] = logs[:, distinct.index(model)]
    return table


def _fit_logs(things: Things, rows: list[int], look: Look) -> NDArray[np.float64] | float:
    """What the pixels add for this look."""
    scores = things.fits.get(look)
    if scores is None:
        return 0.0
    return np.clip(FIT_WEIGHT * (scores[rows] - FIT_EVEN), -4.0, 4.0)


def _cast_logs(things: Things, rows: list[int], kind: str) -> NDArray[np.float64] | float:
    """What the shadow that things of this kind must throw adds."""
    scores = things.casts.get(kind)
    return 0.0 if scores is None else CAST_WEIGHT * scores[rows]


def _chosen(
    odds: Mapping[Look, NDArray[np.float64]], rows: list[int], look: Look
) -> NDArray[np.float64] | float:
    """Of what was measured for every look; nothing where this one wasn't."""
    known = odds.get(look)
    return 0.0 if known is None else known[rows]


def _stay_log(things: Things, i: int, look: Look) -> float:
    """A piece that is expected where this thing stands."""
    places = things.expected.get(look)
    if not places:
        return 0.0
    spot = things.places.log_probs(i, look[0])[0][0]
    if spot is None or not any(spot in p for p in places):
        return 0.0
    there = sum(spot in p for all_of_look in things.expected.values() for p in all_of_look)
    # Where several stand, a change tells nothing of one of them.
    change = (things.changed or {}).get(spot, 0.0) if there == 1 else 0.0
    return STAY * (1.0 - min(change / STAY_CHANGED, 1.0))


def _ground(kind: str, board: Board) -> str | None:
    """Kinds of one answer stand on the same places as readily (`_place_log`)."""
    on_track = kind in STONE_KINDS and bool(board.track)
    return kind if on_track or kind in LOOSE else None


def _place_log(things: Things, i: int, kind: str, board: Board) -> float:
    """Energy stones stand on the track, the others on cells or beside the board."""
    spot, log_p = things.places.log_probs(i, kind)[0]
    if kind == "energy_stone" and board.track:
        return log_p if spot is not None else -6.0
    if kind in LOOSE:
        return LOOSE[kind][spot is not None] + (2 * IN_WALL if spot in things.walled else 0.0)
    x, y = things.at_mm[i]
    width, height = board.size_mm
    if spot in things.walled:
        return IN_WALL
    beside = max(-x, x - width, -y, y - height, 0.0)
    # Nothing of the game stands farther than a hand's breadth from the board for long.
    return -1.0 - 4.0 * min(beside / 150.0, 2.0) if spot is None else 0.0


def relight(
    things: Things, rows: list[int], matched: list[tuple[int, Look]], enrolment: Enrolment
) -> Enrolment | None:
    """Models multiplied by the common change of light, estimated from the matched pieces."""
    ratios = []
    for r, (kind, colour) in matched:
        model, sample = enrolment.colour(kind, colour), things.colours[rows[r]]
        if model is not None and np.isfinite(sample).all():
            ratios.append(np.log((sample.astype(float) + 12.0) / (np.array(model.bgr) + 12.0)))
    if len(ratios) < 5 or not enrolment.colours:
        return None
    gain = np.exp(np.clip(np.median(np.array(ratios), axis=0), -0.7, 0.7))
    colours = {
        look: replace(m, bgr=tuple(float(v) for v in np.minimum(np.array(m.bgr) * gain, 255.0)))
        for look, m in enrolment.colours.items()
    }
    return replace(enrolment, colours=colours)
