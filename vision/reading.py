"""Reading: detections to pieces on spots, under the constraints of the game's inventory.

The answer keeps the probabilities (``Observation``) for the referee, and also names the best joint
assignment of the inventory (``assigned``) for whoever just wants to know what stands where.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.assignment import assign
from engine.board import Board
from engine.observation import Candidate, SeenPiece
from vision.appearance import ColourModel, Sizes, measure_sizes, sample_colours
from vision.cells import Places, foot_covariance, off_centre
from vision.footprints import Footprint, choose_footprints, possible_footprints, score_footprints
from vision.fusion import add_hits
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.shapes import shape_likelihood, shape_of
from vision.silhouette_search import NEAR_OFFSETS, UNSEARCHED, fit, search
from vision.silhouettes import OwnerMap, camera_centre_mm, owner_map
from vision.types import SHAPES, BoardPose, Detections, Image
from vision.walls import wall_support

Look = tuple[str, str | None]

LEAST_OBJECT = 0.15  # objectness below which a thing needs no mention
ACCEPT = -4.0  # log-odds a thing needs to be taken for an inventory piece
GHOST_CELLS, SURE = 0.8, 2.0  # so near, and below these log-odds, a second thing is an echo
FIT_WEIGHT, FIT_EVEN = 1.5, 0.3  # of the solid's mean log-odds; this much means nothing yet
# Log-odds of staying where one was; walls are the hardest to read.
STAY, STAY_WALL, STAY_UNCHANGED = 1.0, 1.5, 8.0
# From log-odds to the share of right readings, fitted to the development pictures.
LOOK_SLOPE, LOOK_BASE = 0.5, 1.2
WALL_SLOPE, WALL_BASE = 1.2, 4.4
WALL_CHANGED, CHANGE_WEIGHT = 0.2, 4.0  # change on a cell where a wall came or went
SCALINGS = 12  # rounds of scaling towards the marginals
TOP_CANDIDATES = 6
# Dice are thrown beside the board; chips lie on its fields.
LOOSE = {"die": (0.0, -3.0), "chip": (-6.0, -4.0)}  # log-odds beside the board and on a cell
IN_WALL = -2.5  # log-odds of a thing on cells that an L-wall covers: mostly a part of the wall


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """One piece as read.  ``spots`` empty: off the cells; ``confidence`` 0 to 1."""

    kind: str
    colour: str | None
    spots: tuple[str, ...]
    at_mm: tuple[float, float]
    foot_px: tuple[float, float]
    confidence: float
    seen: SeenPiece


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in one picture; ``unsure``: (spot, why)."""

    pieces: tuple[ReadPiece, ...]
    seen: tuple[SeenPiece, ...]
    unsure: tuple[tuple[str, str], ...] = ()
    owners: OwnerMap | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Things:
    """The detections of one picture with what was measured about them."""

    detections: Detections
    at_mm: NDArray[np.float64]
    covariance: NDArray[np.float64]
    colours: NDArray[np.float32]
    sizes: Sizes
    places: Places
    fits: Mapping[Look, NDArray[np.float64]]
    expected: Mapping[Look, Sequence[tuple[str, ...]]]
    changed: Mapping[str, float] | None
    walled: set[str] = field(default_factory=set)


def inventory_counts(board: Board, colours: frozenset[str] | None = None) -> Counter[Look]:
    """Pieces per (kind, colour); with ``colours`` only those and what belongs to nobody."""
    counts: Counter[Look] = Counter()
    players = {i.colour for i in board.inventory if i.kind in ("wizard", "knight", "meeple")}
    for item in board.inventory:
        if colours is None or item.colour not in players or item.colour in colours:
            counts[(item.kind, item.colour)] += item.count
    return counts


def read(
    image: Image,
    pose: BoardPose,
    board: Board,
    detections: Detections,
    enrolment: Enrolment | None = None,
    counts: Mapping[Look, int] | None = None,
    evidence: Evidence | None = None,
    expected: Mapping[Look, Sequence[tuple[str, ...]]] | None = None,
    changed: Mapping[str, float] | None = None,
) -> Reading:
    """Reads one picture.

    ``expected``: where pieces stood last; staying is a little more likely than moving.
    ``changed``: how much the look of spots has changed since then, 0 to 1; None if not known.
    ``counts`` limits the pieces in the game (default: the board's inventory).  ``evidence``: what
    the pixels speak for, where print and looks are known.  Colours are compared first as
    enrolled, then once more after the light's change has been estimated from the pieces themselves.
    """
    enrolment = enrolment or Enrolment()
    counts = dict(inventory_counts(board) if counts is None else counts)
    if evidence is not None:
        hits = search(evidence, pose, board, enrolment, list(counts))
        detections = add_hits(detections, hits, pose, board, enrolment)
    at_mm = pose.to_board(detections.foot_px.astype(np.float64)) - _bias(detections, enrolment)
    owners = owner_map(image, pose, board, detections)
    covariance = foot_covariance(pose, detections.foot_px.astype(np.float64))
    things = _Things(
        detections,
        at_mm,
        covariance,
        sample_colours(image, detections, owners),
        measure_sizes(pose, detections, at_mm),
        Places(board, at_mm, covariance),
        {} if evidence is None else _fits(evidence, pose, board, enrolment, at_mm, list(counts)),
        {} if expected is None else expected,
        changed,
    )
    ruins, wall_look = _read_ruins(things, pose, board, counts, evidence)
    things.walled.update(c for r in ruins for c in r.spots)
    upright = {look: n for look, n in counts.items() if look != wall_look and n > 0}
    kinds = list(upright)
    slots = [look for look, n in upright.items() for _ in range(n)]
    rows = [i for i in range(len(detections)) if _is_thing(detections, i)]

    def match(known: Enrolment) -> tuple[NDArray[np.float64], list[tuple[int, Look]]]:
        table = _score(things, rows, kinds, board, known)
        pairs = _assign(table, kinds, slots)
        return table, _without_ghosts(pairs, table, kinds, things, rows, board)

    scores, matched = match(enrolment)
    lit = _relight(things, rows, matched, enrolment)
    if lit is not None:
        scores, matched = match(lit)
    marginals = _marginals(scores, kinds, upright)
    pieces = [_piece(things, rows, r, look, scores, marginals, kinds, board) for r, look in matched]
    seen = [p.seen for p in pieces] + _leftovers(
        things, rows, matched, scores, marginals, kinds, board
    )
    pieces += ruins
    return Reading(
        tuple(pieces), tuple(seen + [r.seen for r in ruins]), tuple(_unsure(pieces, board)), owners
    )


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
) -> dict[Look, NDArray[np.float64]]:
    """(N,) score of every look's solid near every thing."""
    found: dict[Look, NDArray[np.float64]] = {}
    places = at_mm[:, None] + NEAR_OFFSETS[None] * board.cell_size_mm
    for kind in dict.fromkeys(k for k, _ in looks):
        colours = [c for k, c in looks if k == kind and c in evidence.colours]
        if not colours or not len(at_mm) or shape_of(kind, board) in UNSEARCHED:
            continue
        scores = fit(evidence, pose, board, enrolment, kind, colours, places.reshape(-1, 2))
        near = scores.reshape(len(at_mm), len(NEAR_OFFSETS), -1).max(axis=1)
        found |= {(kind, c): near[:, k] for k, c in enumerate(colours)}
    return found


def _is_thing(detections: Detections, i: int) -> bool:
    shape = int(np.argmax(detections.shape_scores[i]))
    return SHAPES[shape] not in ("wall", "l_wall") and float(detections.score[i]) >= LEAST_OBJECT


def _score(
    things: _Things, rows: list[int], looks: list[Look], board: Board, enrolment: Enrolment
) -> NDArray[np.float64]:
    """(R, L) log-odds that thing r is a piece that looks like l, place left out."""
    table = np.zeros((len(rows), len(looks)))
    for r, i in enumerate(rows):
        shapes = dict(zip(SHAPES, things.detections.shape_scores[i].astype(float), strict=True))
        p = min(max(float(things.detections.score[i]), 0.02), 0.98)
        odds = math.log(p / (1 - p)) + 1.0
        for c, (kind, colour) in enumerate(looks):
            likelihood = shape_likelihood(shapes, shape_of(kind, board)) / max(p, 1e-3)
            table[r, c] = (
                odds
                + math.log(max(likelihood, 1e-3))
                + _size_log(things.sizes, i, kind, board, enrolment)
                + _colour_log(things.colours[i], enrolment.colour(kind, colour))
                + _place_log(things, i, kind, board)
                + _fit_log(things, i, (kind, colour))
                + _stay_log(things, i, (kind, colour))
            )
    return table


def _size_log(sizes: Sizes, i: int, kind: str, board: Board, enrolment: Enrolment) -> float:
    model = enrolment.size(kind, board)
    height_sigma = math.hypot(model.spread * model.height_mm, float(sizes.height_sigma[i]), 3.0)
    width_sigma = model.spread * 1.3 * model.width_mm + 3.0
    z_height = (float(sizes.height[i]) - model.height_mm) / height_sigma
    z_width = (float(sizes.width[i]) - model.width_mm) / width_sigma
    return max(-0.5 * (z_height**2 + z_width**2), -3.0)


def _colour_log(sample: NDArray[np.float32], model: ColourModel | None) -> float:
    if model is None or not np.isfinite(sample).all():
        return 0.0 if model is None else -2.0
    return model.log_likelihood(sample)


def _fit_log(things: _Things, i: int, look: Look) -> float:
    """What the pixels add for this look of this thing."""
    scores = things.fits.get(look)
    if scores is None:
        return 0.0
    return float(np.clip(FIT_WEIGHT * (scores[i] - FIT_EVEN), -4.0, 4.0))


def _stay_log(things: _Things, i: int, look: Look) -> float:
    """A piece that is expected where this thing stands."""
    places = things.expected.get(look)
    if not places:
        return 0.0
    spot = things.places.log_probs(i, look[0])[0][0]
    return STAY if spot is not None and any(spot in p for p in places) else 0.0


def _place_log(things: _Things, i: int, kind: str, board: Board) -> float:
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


def _assign(
    scores: NDArray[np.float64], looks: list[Look], slots: list[Look]
) -> list[tuple[int, Look]]:
    """(row, look) pairs of the best joint assignment; weak things stay unassigned."""
    n = scores.shape[0]
    if not n or not slots:
        return []
    column = [looks.index(s) for s in slots]
    gain = scores[:, column] - ACCEPT
    cost = np.hstack([np.minimum(-gain, 0.0), np.zeros((n, n))])
    pairs = assign(cost.tolist())
    return [(r, slots[c]) for r, c in enumerate(pairs) if c < len(slots) and gain[r, c] > 0]


def _marginals(
    scores: NDArray[np.float64], looks: list[Look], counts: Mapping[Look, int]
) -> NDArray[np.float64]:
    """(R, L) log-probability of each look of each thing, given how many pieces there are of each.

    Alternate scaling of rows to one and of columns to at most their count (Sinkhorn 1964): an
    approximation of the marginals over all assignments.
    """
    n = scores.shape[0]
    weights = np.exp(np.clip(np.hstack([scores, np.full((n, 1), ACCEPT)]), -30, 30))
    room = np.array([float(counts[look]) for look in looks])
    for _ in range(SCALINGS):
        weights /= weights.sum(axis=1, keepdims=True)
        weights[:, :-1] /= np.maximum(weights[:, :-1].sum(axis=0) / room, 1.0)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(np.log(np.maximum(weights[:, :-1], 1e-12)))


def _without_ghosts(
    matched: list[tuple[int, Look]],
    scores: NDArray[np.float64],
    looks: list[Look],
    things: _Things,
    rows: list[int],
    board: Board,
) -> list[tuple[int, Look]]:
    """Drops weak things so near a stronger one of the same colour that both are one piece."""
    ranked = sorted(matched, key=lambda m: -scores[m[0], looks.index(m[1])])
    kept: list[tuple[int, Look]] = []
    for r, look in ranked:
        own = scores[r, looks.index(look)]
        near = any(
            k[1] == look[1]
            and np.linalg.norm(things.at_mm[rows[r]] - things.at_mm[rows[s]])
            < GHOST_CELLS * board.cell_size_mm
            for s, k in kept
        )
        if not near or own > SURE:
            kept.append((r, look))
    return kept


def _relight(
    things: _Things, rows: list[int], matched: list[tuple[int, Look]], enrolment: Enrolment
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


def _piece(
    things: _Things,
    rows: list[int],
    r: int,
    look: Look,
    scores: NDArray[np.float64],
    marginals: NDArray[np.float64],
    looks: list[Look],
    board: Board,
) -> ReadPiece:
    seen = _seen(things, rows[r], scores[r], marginals[r], looks, board, look)
    best = seen.best
    return ReadPiece(look[0], look[1], best.spots, seen.at_mm, seen.foot_px, seen.confidence, seen)


def _seen(
    things: _Things,
    i: int,
    log_odds: NDArray[np.float64],
    marginals: NDArray[np.float64],
    looks: list[Look],
    board: Board,
    chosen: Look | None,
) -> SeenPiece:
    """Candidates of one thing, the chosen look's best spot first."""
    rows: list[Candidate] = []
    for (kind, colour), value in zip(looks, marginals, strict=True):
        log_look = float(value)
        if log_look < -12 and (kind, colour) != chosen:
            continue
        for spot, log_spot in things.places.log_probs(i, kind)[:4]:
            rows.append(
                Candidate(kind, colour, () if spot is None else (spot,), log_look + log_spot)
            )
    rows.sort(key=lambda c: ((c.kind, c.colour) != chosen, -c.log_prob))
    keep = rows[:TOP_CANDIDATES] if chosen is None else _mixed(rows, chosen)
    best = keep[0]
    here = sum(math.exp(c.log_prob) for c in rows if (c.kind, c.colour) == (best.kind, best.colour))
    spot_share = math.exp(best.log_prob) / max(here, 1e-12)
    own = float(log_odds[looks.index((best.kind, best.colour))])
    look_share = _logistic(LOOK_SLOPE * own + LOOK_BASE)
    cov = things.covariance[i]
    pips: tuple[float, ...] = ()
    return SeenPiece(
        (float(things.at_mm[i, 0]), float(things.at_mm[i, 1])),
        (float(cov[0, 0]), float(cov[0, 1]), float(cov[1, 1])),
        (float(things.detections.foot_px[i, 0]), float(things.detections.foot_px[i, 1])),
        tuple(keep),
        spot_share * look_share,
        off_centre(board, best.spots[0], things.at_mm[i]) if best.spots else 0.0,
        pips,
    )


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-min(max(x, -30.0), 30.0)))


def _mixed(rows: list[Candidate], chosen: Look) -> list[Candidate]:
    """The chosen look's spots first, then the best of the other looks."""
    own = [c for c in rows if (c.kind, c.colour) == chosen][:4]
    others = sorted((c for c in rows if (c.kind, c.colour) != chosen), key=lambda c: -c.log_prob)
    return own + others[: max(TOP_CANDIDATES - len(own), 2)]


def _leftovers(
    things: _Things,
    rows: list[int],
    matched: list[tuple[int, Look]],
    scores: NDArray[np.float64],
    marginals: NDArray[np.float64],
    looks: list[Look],
    board: Board,
) -> list[SeenPiece]:
    """Things that no piece of the inventory needed: kept for the referee, with low confidence."""
    if not looks:
        return []
    taken = {r for r, _ in matched}
    known = np.array([things.at_mm[rows[r]] for r in taken]).reshape(-1, 2)
    reach = GHOST_CELLS * board.cell_size_mm

    def echoes(r: int) -> bool:
        """Whether it is so near a read piece that it is one more peak of it."""
        return bool((np.linalg.norm(known - things.at_mm[rows[r]], axis=1) < reach).any())

    free = [
        r for r in range(len(rows)) if r not in taken and scores[r].max() > ACCEPT and not echoes(r)
    ]
    return [
        replace(seen, confidence=seen.confidence * 0.3)
        for seen in (
            _seen(things, rows[r], scores[r], marginals[r], looks, board, None) for r in free
        )
    ]


def _read_ruins(
    things: _Things,
    pose: BoardPose,
    board: Board,
    counts: Mapping[Look, int],
    evidence: Evidence | None,
) -> tuple[list[ReadPiece], Look | None]:
    look = next((k for k in counts if shape_of(k[0], board) == "l_wall"), None)
    if look is None:
        return [], None
    cells = sorted({c for group in possible_footprints(board) for c in group})
    support = None if evidence is None else wall_support(evidence, pose, board, cells, look[0])
    rows = score_footprints(
        board,
        things.detections,
        things.at_mm,
        things.covariance,
        support,
        camera_centre_mm(pose)[:2],
    )
    rows = _with_memory(rows, things, look)
    chosen = choose_footprints(rows, counts[look])
    return [_ruin(f, rows, chosen, look, pose, board) for f in chosen], look


def _with_memory(rows: list[Footprint], things: _Things, look: Look) -> list[Footprint]:
    """Footprints where a wall is expected gain, much if little has changed there; a wall can only
    have come to where most cells have changed."""
    home = [frozenset(p) for p in things.expected.get(look, ())]
    if not home:
        return rows
    altered = frozenset(c for c, v in (things.changed or {}).items() if v > WALL_CHANGED)
    kept = []
    for row in rows:
        cells = frozenset(row.cells)
        if cells in home:
            still = things.changed is not None and 2 * len(cells & altered) < len(cells)
            kept.append(replace(row, score=row.score + (STAY_UNCHANGED if still else STAY_WALL)))
        elif things.changed is None:
            kept.append(row)
        elif 2 * len(cells & altered) > len(cells):
            share = sum(things.changed.get(c, 0.0) for c in cells)
            kept.append(replace(row, score=row.score + CHANGE_WEIGHT * share))
    return sorted(kept, key=lambda f: -f.score)


def _ruin(
    own: Footprint,
    rows: list[Footprint],
    chosen: list[Footprint],
    look: Look,
    pose: BoardPose,
    board: Board,
) -> ReadPiece:
    """A ruin with the other footprints that would have fitted its place."""
    elsewhere = {c for f in chosen if f is not own for c in f.cells}
    rivals = [
        f for f in rows
        if f is not own and set(f.cells) & set(own.cells) and not set(f.cells) & elsewhere
    ][:4]  # fmt: skip
    total = sum(math.exp(min(f.score, 30)) for f in [own, *rivals])
    candidates = tuple(Candidate(*look, f.cells, f.score - math.log(total)) for f in [own, *rivals])
    middle = np.mean([board.centres[c] for c in own.cells], axis=0)
    foot = pose.to_image(middle[None])[0]
    share = math.exp(min(own.score, 30)) / total
    sure = share * _logistic(WALL_SLOPE * own.score + WALL_BASE)
    at, px = (float(middle[0]), float(middle[1])), (float(foot[0]), float(foot[1]))
    seen = SeenPiece(at, (4.0, 0.0, 4.0), px, candidates, sure)
    return ReadPiece(look[0], look[1], own.cells, at, px, sure, seen)


def _unsure(pieces: list[ReadPiece], board: Board) -> list[tuple[str, str]]:
    rows = []
    for piece in pieces:
        if piece.spots and piece.confidence < 0.6:
            rows.append(
                (piece.spots[0], f"{piece.kind} {piece.colour or ''}".strip() + " is hard to see")
            )
        elif piece.spots and len(piece.spots) == 1 and piece.seen.off_centre > 0.4:
            rows.append((piece.spots[0], f"{piece.kind} stands between two cells"))
    return rows


__all__ = ["Look", "ReadPiece", "Reading", "inventory_counts", "read"]
