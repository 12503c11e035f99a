"""From views to readings: what is remembered between the views of one table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import replace
from typing import Any

from engine.board import Board
from engine.observation import Observation
from engine.placement import PieceMove
from engine.referee.doubt import Fields, with_neighbours
from engine.referee.feet import Feet
from engine.referee.footprints import astray, with_footprints
from engine.referee.history import Moment
from engine.referee.matching import read
from engine.referee.readings import Reading
from engine.referee.senses import REMEMBER_CHANGE_S, Witness

# After so long a still view a piece far from its spot is believed even if no change was noticed.
PATIENT_S = 8.0


class Looker:
    """Reads views against the present moment; ``shared``: spots that may hold several pieces
    (None: all); ``alike``: see ``Proposer``."""

    def __init__(
        self, board: Board, shared: frozenset[str] | None, alike: Callable[[str], str] = str
    ) -> None:
        self._centres, self._shared, self._alike = board.centres, shared, alike
        self._board = board
        self._near: dict[str, frozenset[str]] = {}
        self._witness = Witness()
        self._feet = Feet(board.cell_size_mm)
        outlines = {c: board.spots[c] for c in board.cells if c in (shared or ())}
        self._fields = Fields(outlines, board.cell_size_mm)
        # Pieces that stand where the eyes did not see them come: they are not missed there.
        self._overlooked: dict[str, frozenset[str]] = {}
        self._strayed: dict[frozenset[str], float] = {}
        self._looked_s = 0.0
        self._home_before: Set[str] | None = None  # at the last look before this still moment
        self._astray_now: tuple[float, Collection[frozenset[str]]] = (0.0, ())
        self._astray_before: Collection[frozenset[str]] = ()
        self._cells = {c: board.centres[c] for c in board.cells}
        self._seen: Observation | None = None
        self._taken: Observation | None = None
        self._now: Moment | None = None
        self._changed: dict[str, float] | None = None
        self._looked: tuple[tuple[Any, ...], tuple[Reading, ...]] | None = None
        self.looks = 0  # how many looks were not the same as the one before

    def read(
        self,
        observation: Observation,
        now: Moment,
        may_leave: Callable[[], frozenset[str]],
        arriving: Callable[[Any], frozenset[str]],
    ) -> tuple[Reading, ...]:
        """The readings of a view; those of the view before while the eyes have not looked anew.

        ``may_leave`` and ``arriving``: as in ``matching.read``, asked only where it is read."""
        self._seen, self._now = observation, now
        changed = self._witness.see(observation)
        changed = None if changed is None else dict(changed)
        patient = observation.still_s >= PATIENT_S
        self._changed = changed
        # The times of what looks changed just now go on; in what order things changed stays the same.
        look = (
            observation.pieces, observation.cells, observation.changed,
            None if changed is None else changed.keys(), patient, now,
        )  # fmt: skip
        if self._looked is not None and all(
            a is b or (0 < i < 5 and a == b)
            for i, (a, b) in enumerate(zip(look, self._looked[0], strict=True))
        ):
            return self._looked[1]
        if self._looked is not None and self._looked_s < observation.t_s - observation.still_s:
            self._home_before = self._looked[1][0].at_home.keys()
        self._looked_s = observation.t_s
        remembered = replace(observation, strength=self._witness.strength)
        stands = self._feet.at_home(remembered, now.known, now.placement)
        stands = with_footprints(
            stands, now.known, now.placement.infos, changed, self._cells, self._board.cell_size_mm,
            self._astray(observation, now), self._last_astray(now), self._away(now),
        )  # fmt: skip
        stands = self._doubted(stands, now, changed)
        self._taken = stands
        readings = read(
            now.placement, stands, lagging=now.lagging(), changed=changed,
            centres=self._centres, patient=patient, may_leave=may_leave(), shared=self._shared,
            arriving=arriving(now.state), alike=self._alike, overlooked=self._still_overlooked(now),
        )  # fmt: skip
        self._looked = (look, readings)
        self.looks += 1
        return readings

    def _doubted(
        self, observation: Observation, now: Moment, changed: Mapping[str, float] | None
    ) -> Observation:
        """The view in which what is seen beside a spot may stand on it."""
        if self._shared is None:
            return observation
        infos, lagging = now.placement.infos, now.lagging()
        homes = {
            (infos[piece].kind, infos[piece].colour, spot): piece
            for piece, spots in (*now.placement.pieces.items(), *lagging.items())
            for spot in spots
        }
        began_s, when = observation.t_s - observation.still_s, changed or {}
        stood = {
            home for home, piece in homes.items()
            if piece in (self._home_before or ()) and when.get(home[2], 0.0) >= began_s
        }  # fmt: skip
        return with_neighbours(
            observation, self._centres, self._shared, homes, changed, self._fields, stood
        )

    def _astray(self, observation: Observation, now: Moment) -> Collection[frozenset[str]]:
        """Where larger pieces were seen astray of late."""
        recent = observation.t_s - REMEMBER_CHANGE_S
        seen = astray(observation, now.known)
        if self._astray_now[0] < observation.t_s - observation.still_s:
            self._astray_before = self._astray_now[1]
        self._astray_now = observation.t_s, seen
        self._strayed |= dict.fromkeys(seen, observation.t_s)
        self._strayed = {cells: t_s for cells, t_s in self._strayed.items() if t_s >= recent}
        lying = {frozenset(spots) for spots in now.known.values()}
        return self._strayed.keys() - lying

    def _away(self, now: Moment) -> frozenset[str]:
        """Pieces that were not seen at home in the last look before this still moment."""
        before = now.known.keys() if self._home_before is None else self._home_before
        return frozenset(now.known.keys() - before)

    def _last_astray(self, now: Moment) -> frozenset[str] | None:
        """Where the one larger piece that strayed was seen in the last look before this still moment; None
        where none was, or several."""
        lying = {frozenset(spots) for spots in now.known.values()}
        last = [cells for cells in self._astray_before if cells not in lying]
        return last[0] if len(last) == 1 else None

    def _still_overlooked(self, now: Moment) -> frozenset[str]:
        seen = {} if self._looked is None else self._looked[1][0].at_home
        self._overlooked = {
            piece: spots
            for piece, spots in self._overlooked.items()
            if spots == frozenset(now.known.get(piece, ())) and piece not in seen
        }
        return frozenset(self._overlooked)

    @property
    def changed(self) -> Mapping[str, float] | None:
        """The spots changed of late and not yet explained, with the time when; None where the eyes do
        not compare."""
        return self._changed

    def strength(self, spot: str) -> float | None:
        """How much a spot has changed of late, 0 to 1; None where the eyes do not tell."""
        return self._witness.strength.get(spot)

    @property
    def ends(self) -> Mapping[str, float]:
        """Where accepted pieces came from and to of late, and when that was understood."""
        return self._witness.ends

    @property
    def touched(self) -> Mapping[str, float]:
        """Which spots a resting hand has covered of late, and until when."""
        return self._witness.touched

    def stands(self, piece: str, spots: Iterable[str]) -> None:
        """A piece stands where the eyes do not see it: it is not missed there."""
        self._overlooked[piece] = frozenset(spots)

    def guessed(self, piece: str) -> bool:
        """Whether a piece was taken in without being seen and has not been seen there since."""
        return piece in self._overlooked

    def around(self, spots: Iterable[str]) -> frozenset[str]:
        """Cells within two steps of some spots."""
        return frozenset().union(*(self._around(s) for s in spots))

    def _around(self, spot: str) -> frozenset[str]:
        if spot not in self._near:
            self._near[spot] = within_two(self._board, (spot,))
        return self._near[spot]

    def explained(self, moves: tuple[PieceMove, ...]) -> None:
        """These moves were accepted: their spots look as they should."""
        if self._seen is not None and self._now is not None:
            self._witness.explained(moves, self._seen.t_s)
            taken = self._taken or self._seen
            unseen = self._feet.understood(self._seen, taken, moves, self._now.placement)
            self._overlooked |= {m.piece: frozenset(m.to) for m in unseen}

    def corrected(self, named: Collection[str], known: Mapping[str, tuple[str, ...]]) -> None:
        """Somebody has said where the ``named`` pieces stand: what is seen now shows just that."""
        if self._seen is not None and self._now is not None and self._looked is not None:
            best = self._looked[1][0]
            there = {**best.at_home, **{m.piece: m.to for m in best.moves}}
            self._feet.corrected(self._seen, there, named, known, self._now.placement)
            self._overlooked |= {
                p: frozenset(known[p]) for p in named if known.get(p) and p not in there
            }


def within_two(board: Board, spots: Iterable[str]) -> frozenset[str]:
    """The cells within two steps of some spots; marks of a track have none."""
    cells = board.cells
    own = frozenset(spots)
    first = {n for s in own if s in cells for n in cells[s].neighbours}
    return frozenset(first | {n for cell in first for n in cells[cell].neighbours}) - own
