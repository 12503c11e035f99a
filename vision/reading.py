"""Reading: detections to pieces on spots, under the constraints of the game's inventory.

The answer keeps the probabilities (``Observation``) for the referee, and also names the best joint
assignment of the inventory for whoever just wants to know what stands where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.observation import SeenPiece
from vision.bodies import Body, bodies_of, known_shadows
from vision.fusion import add_hits, with_hits
from vision.hidden_search import Behind, Cover, search_hidden, seen_colour
from vision.joint import SURE, assign_pieces, marginals
from vision.looks import Enrolment
from vision.parts import Taken, parts_of
from vision.pixel_evidence import Evidence
from vision.ruins import read_ruins
from vision.seen import ReadPiece, Scored, as_piece, leftovers
from vision.silhouette_search import Hit, search
from vision.silhouettes import OwnerMap, owner_map
from vision.things import Look, Things, is_thing, measure_things, relight, score_table, with_fits
from vision.types import BoardPose, Detections, Image

SURE_IN_WALL = 1.0  # log-odds of a piece among walls, which count against it


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in one picture; ``unsure``: (spot, why)."""

    pieces: tuple[ReadPiece, ...]
    seen: tuple[SeenPiece, ...]
    unsure: tuple[tuple[str, str], ...] = ()
    owners: OwnerMap | None = None


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
        detections = add_hits(detections, hits, pose, board, enrolment, evidence)

    def measure(detections: Detections, owners: OwnerMap) -> Things:
        return measure_things(
            image, pose, board, detections, owners, enrolment, list(counts), evidence, expected,
            changed,
        )  # fmt: skip

    owners = owner_map(image, pose, board, detections)
    things = measure(detections, owners)
    ruins, wall_look = read_ruins(things, pose, board, counts, evidence)
    things.walled.update(c for r in ruins for c in r.spots)
    upright = {look: n for look, n in counts.items() if look != wall_look and n > 0}

    def match(things: Things) -> tuple[Scored, list[tuple[int, Look]]]:
        return _match_whole(things, upright, board, enrolment, evidence, pose)

    scored, matched = match(things)
    sure = _sure(scored, matched, board, enrolment)
    hidden = _hidden(scored, matched, sure, ruins, evidence, pose, board, enrolment, counts)
    behind: Behind | None = None
    if evidence is not None and hidden is not None:
        hits, cover = hidden
        behind = Behind(len(things.detections), cover)
        detections = with_hits(things.detections, hits, pose, board, enrolment)
        owners = owner_map(image, pose, board, detections)
        walled, things = things.walled, measure(detections, owners)
        things.walled.update(walled)
        for k, hit in enumerate(hits, behind.first):
            things.colours[k] = seen_colour(image, evidence, pose, board, enrolment, hit, cover)
        things = behind.fitted(things, evidence, pose, board, enrolment)
        scored, matched = match(things)
        sure = _sure(scored, matched, board, enrolment)
    # Now that the other pieces are known, what they hide and darken speaks for no wall.
    if wall_look is not None and sure:
        bodies = bodies_of(image, pose, things, sure, enrolment.lamp)
        again, _ = read_ruins(things, pose, board, counts, evidence, bodies)
    else:
        again = ruins
    lit = _without_shadows(things, evidence, pose, board, enrolment, sure, again, counts, behind)
    if lit is not things or {r.spots for r in again} != {r.spots for r in ruins}:
        things, ruins = lit, again
        things.walled.clear()
        things.walled.update(c for r in ruins for c in r.spots)
        scored, matched = match(things)
    pieces = [as_piece(scored, r, look) for r, look in matched]
    seen = [p.seen for p in pieces] + leftovers(scored, matched)
    pieces += ruins
    return Reading(
        tuple(pieces), tuple(seen + [r.seen for r in ruins]), tuple(_unsure(pieces, board)), owners
    )


def _hidden(
    scored: Scored,
    matched: list[tuple[int, Look]],
    sure: list[Body],
    ruins: list[ReadPiece],
    evidence: Evidence | None,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    counts: Mapping[Look, int],
) -> tuple[list[Hit], Cover] | None:
    """The looks that are not surely matched, where they may stand half behind what is, and what hides
    them there; None if there is nothing of the kind."""
    if evidence is None or not evidence.colours:
        return None
    walls = [c for r in ruins for c in r.spots]
    wall_mm = board.size_of(ruins[0].kind)[2] if ruins else 0.0
    cover = Cover.of(evidence, pose, board, sure, walls, wall_mm)
    missing = Counter(counts)
    missing.subtract(
        look for r, look in matched if scored.scores[r, scored.looks.index(look)] > SURE
    )
    hits = search_hidden(evidence, pose, board, enrolment, missing, cover)
    return (hits, cover) if hits else None


def _without_shadows(
    things: Things,
    evidence: Evidence | None,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    sure: list[Body],
    ruins: list[ReadPiece],
    counts: Mapping[Look, int],
    behind: Behind | None,
) -> Things:
    """The things with what the pixels say once the shadows of known pieces are known; the same
    things where nothing throws hard shadows."""
    if evidence is None:
        return things
    walls = [c for r in ruins for c in r.spots]
    wall_mm = board.size_of(ruins[0].kind)[2] if ruins else 0.0
    shadows = known_shadows(evidence, pose, board, sure, walls, wall_mm)
    if shadows is None:
        return things
    dark = evidence.darkened(shadows)
    lit = with_fits(things, dark, pose, board, enrolment, list(counts))
    return lit if behind is None else behind.fitted(lit, dark, pose, board, enrolment)


def _match_whole(
    things: Things,
    upright: Mapping[Look, int],
    board: Board,
    enrolment: Enrolment,
    evidence: Evidence | None,
    pose: BoardPose,
) -> tuple[Scored, list[tuple[int, Look]]]:
    """The best assignment of things that aren't parts of others."""
    gone: set[int] = set()
    while True:
        scored, matched = _match(things, upright, board, enrolment, gone)
        if evidence is None:
            return scored, matched
        taken = [
            Taken(scored.rows[r], look, float(scored.scores[r, scored.looks.index(look)]))
            for r, look in matched
        ]
        parts = parts_of(taken, things, evidence, pose, board, enrolment)
        if not parts:
            return scored, matched
        gone |= parts


def _match(
    things: Things,
    upright: Mapping[Look, int],
    board: Board,
    enrolment: Enrolment,
    gone: AbstractSet[int] = frozenset(),
) -> tuple[Scored, list[tuple[int, Look]]]:
    """Scores, and the best joint assignment of the inventory: (row, look) pairs."""
    looks = list(upright)
    slots = [look for look, n in upright.items() for _ in range(n)]
    found = (i for i in range(len(things.detections)) if is_thing(things.detections, i))
    rows = [i for i in found if i not in gone]

    def match(known: Enrolment) -> tuple[NDArray[np.float64], list[tuple[int, Look]]]:
        table = score_table(things, rows, looks, board, known)
        return table, assign_pieces(table, looks, slots, things, rows, board)

    scores, matched = match(enrolment)
    lit = relight(things, rows, matched, enrolment)
    if lit is not None:
        scores, matched = match(lit)
    return Scored(things, rows, looks, scores, marginals(scores, looks, upright), board), matched


def _sure(
    scored: Scored, matched: list[tuple[int, Look]], board: Board, enrolment: Enrolment
) -> list[Body]:
    """The pieces that are surely there."""
    bodies = []
    for r, look in matched:
        i, size = scored.rows[r], enrolment.size(look[0], board)
        spot = scored.things.places.log_probs(i, look[0])[0][0]
        least = SURE_IN_WALL if spot in scored.things.walled else SURE
        if scored.scores[r, scored.looks.index(look)] > least:
            x, y = (float(v) for v in scored.things.at_mm[i])
            bodies.append(Body(i, spot, (x, y), size.width_mm, size.height_mm))
    return bodies


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
