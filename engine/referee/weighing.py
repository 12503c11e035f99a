"""How well a seen thing accounts for a piece, there or elsewhere than it stood.

All weights are natural logarithms of probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from engine.geometry import Point
from engine.observation import Candidate, CellView, Observation, SeenPiece
from engine.placement import PieceInfo, track_value
from engine.referee.changes import CAME, NEAR, PLAIN_STRENGTH, WEAK, column

Spots = tuple[str, ...]

# A stable view shows one moved piece among some twenty: about one in eight per piece with what
# flickers, so that a candidate must be clearly better than staying.
LOG_MOVE = -2.0
# A piece that stands still may be called another kind or colour by the net, now and then.
LOG_WRONG_COLOUR = -4.5
LOG_WRONG_KIND = -5.5
# Taken for another kind to which the same rules apply.
LOG_LIKE_KIND = -0.5
# A thing that is of another kind with at least this log-probability may be that.
LOG_OTHER_KIND = -3.0
# Staying where the look has plainly changed, if what stands there may be another kind of piece.
LOG_STAYED = -1.5
# Moved without a changed look at one end, or at both: then it is nearly always a misread.
LOG_ONE_END_UNCHANGED = -2.0
LOG_UNCHANGED = -12.0
# The same of a piece that comes from beside the board, or goes there: it has but one end.
LOG_CAME_UNCHANGED = -3.0
# A piece seen between its old place and another: where both have plainly changed it has moved.
LOG_PLAIN = 2.0
# An end that has changed by less than any did where a piece really came or went; of a piece over
# several cells, each cell that it should have left or taken.
LOG_WEAK, LOG_WEAK_CELL = -2.5, -1.5
EARLIER_S = 0.5
# Not seen: because it is hidden, because the detector missed it, or because it was lifted.
LOG_UNSEEN_HIDDEN = -0.7
LOG_UNSEEN = -4.0
LOG_UNSEEN_CHANGED = -4.0
# Not seen again where it was not seen before (the simulated table's share).
LOG_UNSEEN_AGAIN = math.log(0.7)
# Of several cells on which one thing may stand, those whose look has changed less plainly lose so much at
# most.
LEAST_TOLD = -3.0
# Where pieces stand in a shelter, a changed look of it is a sign that one has come out.
LOG_OUT_OF_SHELTER = 1.5
# Of equal pieces, one that stands on the board moves rather than one that lies beside it.
LOG_FROM_BESIDE = -1.0
# Of equal pieces, one that lies beside the board comes rather than one whose spot is out of view.
LOG_FROM_HIDDEN = -4.0
# A piece whose coming onto the board is what the game waits for.
LOG_ARRIVE = -1.0
# A thing that is hardly one is hardly ever a piece that has come from elsewhere.
LEAST_CONFIDENCE = 0.02
DISTINCT = 0.5  # from here on a thing is believed without a changed look, in the end
SURE = math.log(0.8)
ROOFLESS = 0.5  # probability that a thing in a shelter is none itself
IGNORED_KINDS = frozenset({"die", "chip"})
SHELTER_KINDS = frozenset({"castle"})  # stand on a shelter's spot themselves


@dataclass(frozen=True, slots=True)
class Option:
    """A spot where a piece may be a thing; ``score`` in nats, ``home``: where it stood."""

    spots: Spots
    score: float
    home: bool


class Scene:
    """The pieces and things of one observation that are not settled at first sight."""

    def __init__(
        self,
        homes: Mapping[str, tuple[Spots, ...]],
        infos: Mapping[str, PieceInfo],
        observation: Observation,
        changed: Mapping[str, float] | None,
        centres: Mapping[str, Point],
        patient: bool,
        may_leave: frozenset[str],
        shelters: frozenset[str] = frozenset(),
        arriving: frozenset[str] = frozenset(),
        shared: frozenset[str] = frozenset(),
        alike: Callable[[str], str] = str,
        overlooked: Collection[str] = (),
    ) -> None:
        self.alike, self.overlooked = alike, overlooked
        self.arriving = arriving
        self.patient, self.may_leave, self.shelters = patient, may_leave, shelters
        self.homes, self.infos, self.changed = homes, infos, changed
        self.observation, self.centres = observation, centres
        self.seen = [o for o in observation.pieces if o.best.kind not in IGNORED_KINDS]
        self.settled: dict[str, Spots] = {}
        self.standing: dict[str, list[str]] = {}
        self.shared = shared
        self.pieces: list[str] = []
        self.things: list[SeenPiece] = []
        self._looks = {(infos[p].kind, infos[p].colour) for p, h in homes.items() if h[0]}
        self._spare = {(infos[p].kind, infos[p].colour) for p, h in homes.items() if not h[0]}
        self._settle()

    def _out_of_view(self, piece: str) -> bool:
        """Whether a piece stands where nothing can be seen now, and not in a shelter."""
        home = self.homes[piece][0]
        return bool(home) and not set(home) <= self.shelters and not self._all_seen(home)

    def _settle(self) -> None:
        at: dict[tuple[str, str | None, frozenset[str]], str] = {}
        for piece, homes in self.homes.items():
            info = self.infos[piece]
            for home in homes:
                if home:
                    at[info.kind, info.colour, frozenset(home)] = piece
        for thing in self.seen:
            best = thing.best
            piece = at.get((best.kind, best.colour, frozenset(best.spots)), "")
            sure = best.log_prob > SURE and not self._twice(thing, at.keys())
            if piece and piece not in self.settled and sure:
                self.settled[piece] = best.spots
            else:
                self.things.append(thing)
        self.pieces = [p for p in self.homes if p not in self.settled]
        self.open = self._roofless()
        for piece, spots in self.settled.items():
            for spot in spots:
                self.standing.setdefault(spot, []).append(piece)

    def _roofless(self) -> set[str]:
        """Shelters in which something is seen that is none itself."""
        seen = {
            spot
            for piece, spots in self.settled.items()
            if self.infos[piece].kind not in SHELTER_KINDS
            for spot in self.shelters.intersection(spots)
        }
        for thing in self.things:
            inside: dict[str, float] = {}
            for c in thing.candidates if thing.confidence >= DISTINCT else ():
                if c.kind not in SHELTER_KINDS and len(c.spots) == 1:
                    inside[c.spots[0]] = inside.get(c.spots[0], 0.0) + math.exp(c.log_prob)
            seen |= {s for s, p in inside.items() if s in self.shelters and p > ROOFLESS}
        return seen

    def _twice(
        self, thing: SeenPiece, homes: Collection[tuple[str, str | None, frozenset[str]]]
    ) -> bool:
        """Whether what is seen where a piece stood is seen once more where the look has changed too: it may
        have left."""
        best = thing.best
        return self._came(best) and any(
            other is not thing
            and (other.best.kind, other.best.colour) == (best.kind, best.colour)
            and (best.kind, best.colour, frozenset(other.best.spots)) not in homes
            and self._came(other.best)
            for other in self.seen
        )

    def _came(self, candidate: Candidate) -> bool:
        """Whether the look of one spot has changed as something coming or going changes it."""
        spots = frozenset(candidate.spots)
        return len(spots) == 1 and self._new_look(spots) and self._plain(spots)

    def table(self) -> list[list[list[Option]]]:
        """The options of every piece for every thing.  What lies beside the board and can be none
        of them is left out from now on: a game may have a hundred such pieces."""
        rows = {p: [self.options(p, t) for t in self.things] for p in self.pieces}
        self.pieces = [
            p for p in self.pieces if any(rows[p]) or len(self.homes[p]) > 1 or self.homes[p][0]
        ]
        return [rows[p] for p in self.pieces]

    def options(self, piece: str, thing: SeenPiece) -> list[Option]:
        """Spots where this piece may be this thing, best first."""
        info = self.infos[piece]
        homes = {frozenset(h) for h in self.homes[piece]}
        found: dict[frozenset[str], Option] = {}
        inside = bool(self.homes[piece][0]) and set(self.homes[piece][0]) <= self.shelters
        ends = [c.spots for c in thing.candidates if frozenset(c.spots) not in homes]
        plainest = max(map(self.told, ends), default=0.0)
        for candidate in thing.candidates:
            score = candidate.log_prob
            spots = frozenset(candidate.spots)
            home = spots in homes
            if inside and not spots:
                continue  # what lies beside the board need not have come out of a shelter
            if self.alike(candidate.kind) == self.alike(info.kind):
                score = self._like(info, thing, candidate)
            else:
                arrives = piece in self.arriving and self._new_look(spots)
                if not home and not arrives and not self._both_changed(piece, spots):
                    continue
                score += LOG_WRONG_KIND
            if home and self.replaced(piece, thing):
                score += LOG_STAYED
            wrong = None not in (candidate.colour, info.colour) and candidate.colour != info.colour
            if wrong and self.alike(candidate.kind) == self.alike(info.kind):
                score += LOG_WRONG_COLOUR
            if not home and not self._fits(piece, candidate.spots):
                continue
            if not home:
                sure = self.patient and thing.confidence >= DISTINCT
                far = sure and not any(frozenset(c.spots) in homes for c in thing.candidates)
                move = LOG_ARRIVE if piece in self.arriving else LOG_MOVE
                witness = 0.0 if far else self._witness(piece, spots)
                stays = any(frozenset(c.spots) in homes for c in thing.candidates)
                itself = candidate.kind == info.kind and not wrong and stays
                score += move + (witness if itself else min(0.0, witness))
                score += max(LEAST_TOLD, self.told(candidate.spots) - plainest)
                score += math.log(max(thing.confidence, LEAST_CONFIDENCE))
                score -= 0.01 * self._distance(piece, candidate.spots)
                beside = not self.homes[piece][0] and piece not in self.arriving
                if beside and (info.kind, info.colour) in self._looks:
                    score += LOG_FROM_BESIDE
                if (info.kind, info.colour) in self._spare and self._out_of_view(piece):
                    score += LOG_FROM_HIDDEN
            old = found.get(spots)
            if old is None or score > old.score:
                found[spots] = Option(candidate.spots, score, home)
        return sorted(found.values(), key=lambda o: -o.score)

    def _like(self, info: PieceInfo, thing: SeenPiece, candidate: Candidate) -> float:
        """Log-probability that a thing is of a kind, or of one to which the same rules apply, and stands
        where a candidate has it."""
        where, like = (frozenset(candidate.spots), candidate.colour), self.alike(info.kind)
        share = sum(
            math.exp(c.log_prob + (0.0 if c.kind == info.kind else LOG_LIKE_KIND))
            for c in thing.candidates
            if (frozenset(c.spots), c.colour) == where and self.alike(c.kind) == like
        )
        return math.log(share) if share else candidate.log_prob

    def _fits(self, piece: str, spots: Spots) -> bool:
        """Whether a piece can have come there: it keeps its size, what stands on a mark stays on the
        scale, and a cell holds one piece, but for fields and marks that hold several."""
        home = self.homes[piece][0]
        if home and spots and (len(home) > 1) != (len(spots) > 1):
            return False
        if home and spots and (track_value(home[0]) is None) != (track_value(spots[0]) is None):
            return False
        return all(
            owner == piece or spot in self.shared
            for spot in spots
            for owner in self.standing.get(spot, ())
        )

    def _witness(self, piece: str, spots: frozenset[str]) -> float:
        if self.changed is None:
            return 0.0
        origin = frozenset(self.homes[piece][0])
        if origin & self.shelters - self.open:
            if origin & self.changed.keys() and spots & self.changed.keys():
                if self._when(spots) >= self._when(origin) - EARLIER_S:
                    return LOG_OUT_OF_SHELTER
            origin -= self.shelters
        quiet = [
            end for end in (origin, spots)
            if end and not end & self.changed.keys() and self._all_seen(end)
        ]  # fmt: skip
        ends = sum(1 for end in (origin, spots) if end)
        if not quiet and ends == 2 and self._when(spots) < self._when(origin) - EARLIER_S:
            return LOG_ONE_END_UNCHANGED  # nothing comes before it has left
        each = LOG_WEAK if len(spots) == 1 else LOG_WEAK_CELL
        weak = each * self._weak_ends(origin, spots, quiet)
        if ends == 1 and not quiet and self._lasting(origin or spots):
            return LOG_CAME_UNCHANGED + weak
        if not quiet:
            return LOG_PLAIN if ends == 2 and self._plain(origin) and self._plain(spots) else weak
        if ends == 1:
            return LOG_CAME_UNCHANGED
        return LOG_UNCHANGED if len(quiet) == ends else LOG_ONE_END_UNCHANGED + weak

    def _weak_ends(
        self, origin: frozenset[str], spots: frozenset[str], quiet: list[frozenset[str]]
    ) -> int:
        """How many ends have changed but hardly; of a larger piece, cells that have not at all."""
        assert self.changed is not None
        if len(spots) > 1 and origin:
            cells = {s for s in origin ^ spots if self._all_seen((s,))}
            return sum(s not in self.changed or self._weak(frozenset((s,))) for s in cells)
        return sum(self._weak(end) for end in (origin, spots) if end not in quiet)

    def _weak(self, spots: frozenset[str]) -> bool:
        """Whether the look of some spots has changed, but hardly, as by a shadow."""
        told = self.observation.strength
        known = [told[s] for s in spots if s in told]
        return bool(known) and max(known) < WEAK

    def told(self, spots: Spots) -> float:
        """How much the look of a cell speaks for something having come there rather than near it, in
        nats; 0 where that is not told, for several cells (see ``footprints``) and for none."""
        told = self.observation.strength
        if len(spots) != 1 or spots[0] not in told or spots[0] not in (self.changed or ()):
            return 0.0
        at = column(told[spots[0]])
        return math.log(CAME[at] / NEAR[at])

    def left(self, spots: Spots) -> bool:
        """Whether something stood there that is not seen there any more for sure: that it has gone
        explains the changed look as well as that something has come."""
        return any(set(spots) & set(self.homes[p][0]) for p in self.pieces)

    def echoes(self, thing: SeenPiece) -> bool:
        """Whether something surer is seen on its spot that may have come itself: one changed look speaks
        for one comer, the other may be a part of it."""
        return any(
            other.best.spots == thing.best.spots and other.confidence > thing.confidence
            for other in self.things
        )

    def stood(self, candidate: Candidate) -> bool:
        """Whether a piece of this look is at home there."""
        look, spots = (candidate.kind, candidate.colour), set(candidate.spots)
        return any(
            (self.infos[p].kind, self.infos[p].colour) == look
            and any(set(h) == spots for h in homes)
            for p, homes in self.homes.items()
        )

    def _plain(self, spots: frozenset[str]) -> bool:
        """Whether the look of all these spots has changed beyond a shadow from afar."""
        told = self.observation.strength
        return all(told.get(s, 0.0) >= PLAIN_STRENGTH for s in spots)

    def _when(self, spots: frozenset[str]) -> float:
        """When the look of some spots changed last; never: now."""
        assert self.changed is not None
        times = [self.changed[s] for s in spots & self.changed.keys()]
        return max(times, default=self.observation.t_s)

    def _lasting(self, spots: frozenset[str]) -> bool:
        """Whether some spots look as they did before this still moment began, so that what has come or
        gone would have been noticed then."""
        return self._when(spots) < self.observation.t_s - self.observation.still_s - EARLIER_S

    def _new_look(self, spots: frozenset[str]) -> bool:
        """Whether the look has changed where a piece may have been put down."""
        return self.changed is not None and bool(spots) and spots <= self.changed.keys()

    def _both_changed(self, piece: str, spots: frozenset[str]) -> bool:
        """Whether the look has changed where a piece stood and where it may have come."""
        home = frozenset(self.homes[piece][0])
        if self.changed is None or not home or len(home) != len(spots):
            return False
        both = home <= self.changed.keys() and spots <= self.changed.keys()
        return both and self._when(spots) >= self._when(home) - EARLIER_S

    def replaced(self, piece: str, thing: SeenPiece) -> bool:
        """Whether a thing where a piece stood may be one of another kind that has taken its place."""
        home, kind = frozenset(self.homes[piece][0]), self.infos[piece].kind
        others = (c for c in thing.candidates if frozenset(c.spots) == home and c.kind != kind)
        likely = max((c.log_prob for c in others), default=-math.inf) > LOG_OTHER_KIND
        return likely and self._new_look(home) and not self._weak(home)

    def _distance(self, piece: str, spots: Spots) -> float:
        home = self.homes[piece][0]
        if not home or not spots or home[0] not in self.centres or spots[0] not in self.centres:
            return 0.0
        return math.dist(self.centres[home[0]], self.centres[spots[0]]) / 28.0

    def _all_seen(self, spots: Iterable[str]) -> bool:
        return all(self.observation.view(s) is CellView.SEEN for s in spots)

    def equal(self, piece: str) -> list[int]:
        """The numbers of all pieces of the look of one of them that stand where it stands."""

        def look(piece: str) -> tuple[str, str | None, Spots]:
            info = self.infos[piece]
            return self.alike(info.kind), info.colour, self.homes[piece][0]

        return [k for k, other in enumerate(self.pieces) if look(other) == look(piece)]

    def out_of_sight(self, piece: str) -> Spots | None:
        """The home in which a piece would not be seen, beside the board or in a shelter."""
        homes = self.homes[piece]
        return next((h for h in homes if not h or set(h) <= self.shelters), None)

    def unseen(self, piece: str) -> float:
        """Log-probability of not finding a piece at all."""
        home = self.homes[piece][0]
        if self.out_of_sight(piece) is not None:
            return 0.0
        if not self._all_seen(home):
            return LOG_UNSEEN_HIDDEN
        changed = self.changed is not None and not self.changed.keys().isdisjoint(home)
        if piece in self.overlooked and not changed:
            return LOG_UNSEEN_AGAIN
        return LOG_UNSEEN_CHANGED if changed else LOG_UNSEEN

    def caught_up(self, piece: str) -> Spots | None:
        """Where a piece must be that has left the spot on which it lagged behind the state."""
        first, hidden = self.homes[piece][0], self.out_of_sight(piece)
        lags = len(self.homes[piece]) > 1 and hidden is not None and hidden != first
        return hidden if lags and self._all_seen(first) else None

    def is_gone(self, piece: str) -> bool:
        """Whether an unseen piece must have left: its spot is in view and not as it was."""
        home = self.homes[piece][0]
        if self.out_of_sight(piece) is not None or not self._all_seen(home):
            return False
        if piece in self.overlooked:
            return False
        return self.changed is None or not self.changed.keys().isdisjoint(home)
