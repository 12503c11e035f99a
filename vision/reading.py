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
from vision.shadow_feet import off_shadows
from vision.silhouette_search import Hit, search
from vision.silhouettes import OwnerMap, owner_map
from vision.things import (
    LOOSE,
    Look,
    Things,
    is_thing,
    measure_things,
    relight,
    score_table,
    with_fits,
)
from vision.types import BoardPose, Detections, Image

LIKELY = 0.5  # confidence from which on a loose thing on a cell is told
SURE_IN_WALL = 1.0  # log-odds of a piece among walls, which count against it


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in one picture; ``unsure``: (spot, why).

    ``owners``: who hides whom, by the indices of ``detections``: the network's things, some with
    their feet elsewhere, and those that were found besides.
    """

    pieces: tuple[ReadPiece, ...]
    seen: tuple[SeenPiece, ...]
    unsure: tuple[tuple[str, str], ...] = ()
    owners: OwnerMap | None = None
    detections: Detections | None = None


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
    view = _View(image, pose, board, enrolment, counts, evidence, expected, changed)
    things, owners = view.measured(view.with_search(detections))
    ruins, wall_look = read_ruins(things, pose, board, counts, evidence)
    things.walled.update(c for r in ruins for c in r.spots)
    upright = {look: n for look, n in counts.items() if look != wall_look and n > 0}
    found = view.matched(things, upright)
    hits, behind = view.hidden(found, ruins)
    if behind is not None:
        things, owners = view.with_hidden(things, hits, behind)
        found = view.matched(things, upright)
    # Now that the other pieces are known, what they hide and darken speaks for no wall.
    again = ruins
    if wall_look is not None and found.sure:
        bodies = bodies_of(image, pose, things, found.sure, enrolment.lamp)
        again, _ = read_ruins(things, pose, board, counts, evidence, bodies)
    lit = view.without_shadows(found, again, behind)
    if lit is not things or {r.spots for r in again} != {r.spots for r in ruins}:
        ruins = again
        lit.walled.clear()
        lit.walled.update(c for r in ruins for c in r.spots)
        found = view.matched(lit, upright)
    pieces = [as_piece(found.scored, r, look) for r, look in found.pairs]
    seen = [p.seen for p in pieces] + leftovers(found.scored, found.pairs)
    pieces = likely(pieces) + ruins
    return Reading(
        tuple(pieces),
        tuple(seen + [r.seen for r in ruins]),
        tuple(_unsure(pieces, board)),
        owners,
        things.detections,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The best assignment: (row, look) pairs, and of them the pieces that are surely there."""

    scored: Scored
    pairs: list[tuple[int, Look]]
    sure: list[Body]


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """One picture with all that is known of its table; see `read`."""

    image: Image
    pose: BoardPose
    board: Board
    enrolment: Enrolment
    counts: Mapping[Look, int]
    evidence: Evidence | None
    expected: Mapping[Look, Sequence[tuple[str, ...]]] | None
    changed: Mapping[str, float] | None

    def with_search(self, detections: Detections) -> Detections:
        """The network's things, and those that the pixels speak for."""
        evidence, known = self.evidence, (self.pose, self.board, self.enrolment)
        if evidence is None:
            return detections
        looks = list(self.counts)
        detections = off_shadows(detections, evidence, *known, looks)
        return add_hits(detections, search(evidence, *known, looks), *known, evidence)

    def measured(self, detections: Detections) -> tuple[Things, OwnerMap]:
        """All that is measured of the things, and who hides whom."""
        owners = owner_map(self.image, self.pose, self.board, detections)
        things = measure_things(
            self.image, self.pose, self.board, detections, owners, self.enrolment, list(self.counts),
            self.evidence, self.expected, self.changed,
        )  # fmt: skip
        return things, owners

    def matched(self, things: Things, upright: Mapping[Look, int]) -> _Found:
        """The best assignment of the inventory without walls."""
        scored, pairs = _match_whole(
            things, upright, self.board, self.enrolment, self.evidence, self.pose
        )
        return _Found(scored, pairs, _sure(scored, pairs, self.board, self.enrolment))

    def hidden(self, found: _Found, ruins: list[ReadPiece]) -> tuple[list[Hit], Behind | None]:
        """Where looks that are not surely found may stand half behind what is, and what hides them."""
        if self.evidence is None or not self.evidence.colours:
            return [], None
        cover = Cover.of(
            self.evidence, self.pose, self.board, found.sure, *_walls(ruins, self.board)
        )
        missing = Counter(self.counts)
        missing.subtract(look for r, look in found.pairs if found.scored.score(r, look) > SURE)
        hits = search_hidden(self.evidence, self.pose, self.board, self.enrolment, missing, cover)
        return hits, Behind(len(found.scored.things.detections), cover) if hits else None

    def with_hidden(
        self, things: Things, hits: list[Hit], behind: Behind
    ) -> tuple[Things, OwnerMap]:
        """The things and the half hidden ones, which only what is in view of them judges."""
        assert self.evidence is not None
        known = (self.pose, self.board, self.enrolment)
        more, owners = self.measured(with_hits(things.detections, hits, *known))
        more.walled.update(things.walled)
        for k, hit in enumerate(hits, behind.first):
            more.colours[k] = seen_colour(self.image, self.evidence, *known, hit, behind.cover)
        return behind.fitted(more, self.evidence, *known), owners

    def without_shadows(
        self, found: _Found, ruins: list[ReadPiece], behind: Behind | None
    ) -> Things:
        """The things with what the pixels say once the shadows of known pieces are known; the same
        things where nothing throws hard shadows."""
        things, known = found.scored.things, (self.pose, self.board, self.enrolment)
        if self.evidence is None:
            return things
        walls, wall_mm = _walls(ruins, self.board)
        shadows = known_shadows(self.evidence, self.pose, self.board, found.sure, walls, wall_mm)
        if shadows is None:
            return things
        dark = self.evidence.darkened(shadows)
        lit = with_fits(things, dark, *known, list(self.counts))
        return lit if behind is None else behind.fitted(lit, dark, *known)


def _walls(ruins: Sequence[ReadPiece], board: Board) -> tuple[list[str], float]:
    """The cells of the walls and their height in mm."""
    return [c for r in ruins for c in r.spots], board.size_of(ruins[0].kind)[2] if ruins else 0.0


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
        taken = [Taken(scored.rows[r], look, scored.score(r, look)) for r, look in matched]
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
        if scored.score(r, look) > least:
            x, y = (float(v) for v in scored.things.at_mm[i])
            bodies.append(Body(i, spot, (x, y), size.width_mm, size.height_mm))
    return bodies


def likely(pieces: Sequence[ReadPiece]) -> list[ReadPiece]:
    """The pieces, without what need not be on the board at all and is not likely to lie there."""
    return [p for p in pieces if not p.spots or p.kind not in LOOSE or p.confidence >= LIKELY]


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
