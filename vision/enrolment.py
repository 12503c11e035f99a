"""Learning what this table's pieces look like from pictures whose truth is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.assignment import assign
from engine.board import Board
from vision.appearance import ColourModel, measure_sizes, sample_colours
from vision.cells import spot_table
from vision.fusion import thing_at, with_things
from vision.labels import LabelledPiece
from vision.look_vectors import mean_vector, read_vectors
from vision.looks import Enrolment, Profile
from vision.pixel_evidence import gather, gather_colours
from vision.profiles import TURNED, learn_profiles
from vision.reference import Reference
from vision.shapes import shape_of
from vision.silhouettes import owner_map
from vision.size_fit import fitted_sizes, seen_heights
from vision.types import SHAPES, BoardPose, Detections, FloatArray, Image
from vision.walls import learn_walls

HUE_POWER = 2.0  # how much more bright samples count
FAR = 1e3  # price of a pair that is none
BIAS_REACH, BIAS_LEAST = 0.7, 6  # of a cell; so many walls must be seen to know the bias
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


def label_prices(
    board: Board,
    pose: BoardPose,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
    colours: FloatArray,
    learnt: Enrolment | None = None,
) -> tuple[list[LabelledPiece], NDArray[np.float64]]:
    """What it costs to take a thing for a labelled piece: the pieces (P) and (P, N) prices, about 0
    to 2, FAR for things out of reach.  Ruins are left out.

    ``colours`` (N, 3): sampled BGR.  Where several pieces share a field, the names of their colours
    tell them apart.  ``learnt``: this table's colours, where they are known.
    """
    at_mm = pose.to_board(detections.foot_px.astype(np.float64))
    reach = REACH_CELLS * board.cell_size_mm
    looks = Enrolment() if learnt is None else learnt
    rows, prices = [], []
    for piece in pieces:
        distance = _distance_mm(piece, board, pose, at_mm)
        if distance is None or shape_of(piece.kind, board) == "l_wall":
            continue
        scores = detections.shape_scores[:, SHAPES.index(shape_of(piece.kind, board))]
        guess = looks.colour(piece.kind, piece.colour)
        doubt = np.zeros(len(detections))
        if guess is not None:
            doubt = np.array(
                [-guess.log_likelihood(c) if np.isfinite(c).all() else 4.5 for c in colours]
            )
        price = distance / reach + 0.7 * (1 - scores) + 0.06 * doubt
        rows.append(piece)
        prices.append(np.where(distance < reach, price, FAR))
    return rows, np.array(prices).reshape(len(rows), len(detections))


def match_labels(
    board: Board,
    pose: BoardPose,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
    colours: FloatArray,
) -> list[tuple[LabelledPiece, int]]:
    """Pairs of labelled piece and detection, nearest first in total; see `label_prices`."""
    rows, prices = label_prices(board, pose, pieces, detections, colours)
    if not prices.size:
        return []
    cost = np.hstack([prices, np.full((len(rows), len(rows)), FAR)])
    columns = assign(cost.tolist())
    return [(rows[r], c) for r, c in enumerate(columns) if c < len(detections) and cost[r, c] < FAR]


def enrol(
    image: Image,
    pose: BoardPose,
    board: Board,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
    reference: Reference | None = None,
    kinds: Collection[str] | None = None,
) -> Enrolment:
    """Learns colours, sizes, outlines and the look of walls from one picture with known pieces.

    Pieces whose place is known are learnt from even where the network missed them.  ``kinds``: of
    which sizes and outlines are wanted (None: of all).
    """
    visible = [p for p in pieces if p.visible >= 0.4 and shape_of(p.kind, board) != "l_wall"]
    detections, pairs, colours = _find(image, pose, board, visible, detections)
    vectors = read_vectors(detections)
    by_vector: dict[tuple[str, str | None], list[FloatArray]] = defaultdict(list)
    for piece, i in pairs:
        if vectors is not None:
            by_vector[(piece.kind, piece.colour)].append(vectors[i])
    models = _paint(pairs, colours)
    at_mm = pose.to_board(detections.foot_px.astype(np.float64))
    learnt = Enrolment(models, {}, learn_walls(image, pose, board, pieces))
    learnt = replace(learnt, vectors={k: mean_vector(v) for k, v in by_vector.items()})
    wanted = [(p, i) for p, i in pairs if kinds is None or p.kind in kinds]
    placed = [(piece, at_mm[i]) for piece, i in wanted]
    learnt = replace(learnt, foot_bias_mm=_wall_bias(pose, board, pieces, detections))
    seen = seen_heights(wanted, detections, measure_sizes(pose, detections, at_mm))
    learnt = replace(learnt, sizes=fitted_sizes(image, pose, board, learnt, placed, seen))
    return replace(
        learnt, profiles=_profiles(image, pose, board, learnt, detections, wanted, reference)
    )


def learn_later(
    known: Enrolment,
    image: Image,
    pose: BoardPose,
    board: Board,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
    kinds: Collection[str],
    reference: Reference | None = None,
) -> Enrolment:
    """What is known, and the looks of further kinds from a picture in which all pieces are known.

    All pieces are given, so that none is taken for another; of other kinds nothing is learnt anew.
    """
    found = enrol(image, pose, board, pieces, detections, reference, kinds)
    new = {look for look in found.colours if look[0] in kinds}
    colours = {**known.colours, **{look: found.colours[look] for look in new}}
    vectors = {k: v for k, v in found.vectors.items() if k[0] in kinds}
    profiles = {k: v for k, v in found.profiles.items() if k in kinds}
    return replace(
        known,
        colours=colours,
        sizes={**known.sizes, **found.sizes},
        vectors={**known.vectors, **vectors},
        profiles={**known.profiles, **profiles},
    )


def learn_paint(
    image: Image,
    pose: BoardPose,
    board: Board,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
) -> dict[tuple[str | None, str | None], ColourModel]:
    """The colours alone, as in `enrol`."""
    upright = [p for p in pieces if shape_of(p.kind, board) != "l_wall"]
    _, pairs, colours = _find(image, pose, board, upright, detections)
    return _paint(pairs, colours)


def _paint(
    pairs: Sequence[tuple[LabelledPiece, int]], colours: FloatArray
) -> dict[tuple[str | None, str | None], ColourModel]:
    """One model per look of the pieces that could be sampled, and one per colour."""
    by_look: dict[tuple[str | None, str | None], list[NDArray[np.float64]]] = defaultdict(list)
    for piece, i in pairs:
        if np.isfinite(colours[i]).all():
            by_look[(piece.kind, piece.colour)].append(colours[i].astype(np.float64))
            by_look[(None, piece.colour)].append(colours[i].astype(np.float64))
    return colour_models(by_look)


def _profiles(
    image: Image,
    pose: BoardPose,
    board: Board,
    learnt: Enrolment,
    detections: Detections,
    pairs: Sequence[tuple[LabelledPiece, int]],
    reference: Reference | None,
) -> dict[str, Profile]:
    """Outlines of the turned pieces."""
    turned = [(p, i) for p, i in pairs if shape_of(p.kind, board) in TURNED]
    if not turned:
        return {}
    if reference is None:
        evidence = gather_colours(image, pose, learnt)
    else:
        evidence = gather(image, pose, reference, learnt, detections.piece_mask)
    owners = owner_map(image, pose, board, detections)
    feet = pose.to_board(detections.foot_px.astype(np.float64))
    known = [label_position(p, pose) for p, _ in turned]
    at_mm = np.array(
        [feet[i] if at is None else at for at, (_, i) in zip(known, turned, strict=True)]
    )
    return learn_profiles(evidence, pose, owners, [(p.kind, p.colour, i) for p, i in turned], at_mm)


def _find(
    image: Image,
    pose: BoardPose,
    board: Board,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
) -> tuple[Detections, list[tuple[LabelledPiece, int]], FloatArray]:
    """Detections with things added for missed pieces, pairs of piece and thing, sampled colours."""
    colours = sample_colours(image, detections, owner_map(image, pose, board, detections))
    pairs = match_labels(board, pose, pieces, detections, colours)
    paired = {id(p) for p, _ in pairs}
    missed = [
        (p, at)
        for p in pieces
        if id(p) not in paired and (at := label_position(p, pose)) is not None
    ]
    things = [
        thing_at(p.kind, (float(at[0]), float(at[1])), 0.5, pose, board, Enrolment())
        for p, at in missed
    ]
    first = len(detections)
    detections = with_things(detections, things)
    if things:
        colours = sample_colours(image, detections, owner_map(image, pose, board, detections))
    pairs += [(p, first + k) for k, (p, _) in enumerate(missed)]
    return detections, pairs, colours


def _wall_bias(
    pose: BoardPose, board: Board, pieces: Sequence[LabelledPiece], detections: Detections
) -> dict[str, tuple[float, float]]:
    """Mean error of the detector's wall points at walls whose cells are known, if it is sure."""
    cells = [
        c
        for p in pieces
        if shape_of(p.kind, board) == "l_wall"
        for c in p.spots
        if c in board.centres
    ]
    rows = [i for i in range(len(detections)) if detections.shape_of(i) == "wall"]
    if not rows or not cells:
        return {}
    at = pose.to_board(detections.foot_px[rows].astype(np.float64))
    centres = np.array([board.centres[c] for c in cells])
    gaps = at[None] - centres[:, None]
    nearest = np.linalg.norm(gaps, axis=2).argmin(axis=1)
    errors = gaps[np.arange(len(cells)), nearest]
    errors = errors[np.linalg.norm(errors, axis=1) < BIAS_REACH * board.cell_size_mm]
    if len(errors) < BIAS_LEAST:
        return {}
    x, y = np.median(errors, axis=0)
    return {"wall": (float(x), float(y)), "l_wall": (float(x), float(y))}


def colour_models(
    by_look: Mapping[tuple[str | None, str | None], list[NDArray[np.float64]]],
) -> dict[tuple[str | None, str | None], ColourModel]:
    """One model per look from its BGR samples; (None, colour) has those of all kinds.

    What stands in the shade shows the room's light more than its paint: a colour's hue is taken
    from its brightest pieces, each look's brightness from its own.
    """
    hues = {
        colour: _hue(samples) for (kind, colour), samples in by_look.items() if kind is None
    }  # fmt: skip
    models = {}
    for (kind, colour), samples in by_look.items():
        own = np.median(np.array(samples), axis=0)
        length = float(np.linalg.norm(own))
        hue, brightest = hues[colour]
        share = min(1.0, length / max(brightest, 1.0)) if kind is not None else 0.0
        way = share * own / max(length, 1e-6) + (1 - share) * hue
        bgr = length * way / max(float(np.linalg.norm(way)), 1e-6)
        models[(kind, colour)] = ColourModel(tuple(float(v) for v in bgr), len(samples))
    return models


def _hue(samples: list[NDArray[np.float64]]) -> tuple[NDArray[np.float64], float]:
    """(3,) unit BGR direction in which brighter samples count more, and the brightest length."""
    lengths = np.array([float(np.linalg.norm(s)) for s in samples])
    ways = np.array(samples) / np.maximum(lengths, 1e-6)[:, None]
    mean = (ways * lengths[:, None] ** HUE_POWER).sum(axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-6), float(lengths.max())
