"""Reads a position; every fault is one sentence of a PositionError."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engine.errors import PositionError
from engine.hexagon.moves import PAIR_OF_TURNS
from engine.hexagon.setup import GOAL, VALUES, Setup
from engine.hexagon.state import Crossing, HexagonState, Phase, is_wisdom
from engine.position_fields import PositionFields

PHASES: Mapping[str, Phase] = {
    "placing": Phase.PLACING, "placement": Phase.PLACING, "place": Phase.PLACING,
    "setup": Phase.PLACING, "moving": Phase.MOVING, "movement": Phase.MOVING, "move": Phase.MOVING,
    "play": Phase.MOVING, "over": Phase.OVER, "ended": Phase.OVER,
}  # fmt: skip


class Reader(PositionFields[Setup]):
    """Turns one JSON position into a state."""

    def read(self) -> HexagonState:
        """The state."""
        named = self._named()
        phase = self._phase(named)
        pieces = self._pieces(named, phase)
        self._check_cells(pieces)
        pending = self._pending()
        points = self._points()
        winner = self._winner(points, pending)
        to_move = self._to_move(pieces, phase)
        state = HexagonState(
            setup=self.setup,
            pieces=pieces,
            phase=Phase.OVER if winner is not None else phase,
            to_move=to_move,
            points=points,
            burnt=self._values("burnt"),
            placed=self._values("placed_values"),
            crossings=self._crossings(to_move, pieces),
            pending=pending,
            winner=winner,
        )
        self._check_wisdoms(state)
        return state

    # -- pieces --------------------------------------------------------------------------------

    def _named(self) -> dict[str, str | None]:
        """Cell of every piece that the position names."""
        known, named = set(self.setup.piece_ids), dict[str, str | None]()
        for piece, at in self.mapping("pieces").items():
            if not isinstance(piece, str) or piece not in known:
                raise PositionError(f"position: there is no piece {piece} in this game")
            if isinstance(at, (list, tuple)) and len(at) <= 1:
                at = at[0] if at else None
            named[piece] = None if at is None else self.cell(at, piece)
        return named

    def _pieces(self, named: Mapping[str, str | None], phase: Phase) -> dict[str, str | None]:
        pieces: dict[str, str | None] = dict.fromkeys(self.setup.piece_ids)
        if phase is Phase.PLACING or "pieces" not in self.raw:
            for colour in self.setup.seats:
                starts = self.setup.starts[colour]
                for n, cell in enumerate(starts[: self.setup.wizards[colour]], 1):
                    pieces[f"wizard/{colour}/{n}"] = cell
        return pieces | dict(named)

    def _check_cells(self, pieces: Mapping[str, str | None]) -> None:
        taken: dict[str, str] = {}
        for piece, cell in pieces.items():
            if cell is None:
                continue
            if cell in taken:
                raise PositionError(f"position: {piece} and {taken[cell]} both stand on {cell}")
            if is_wisdom(piece) and cell in self.setup.flames:
                raise PositionError(
                    f"position: {piece} lies on the flame {cell}, where no wisdom can be"
                )
            taken[cell] = piece

    def _check_wisdoms(self, state: HexagonState) -> None:
        """Burnt wisdoms are off the board, and no value is there more often than it exists."""
        for colour in self.setup.seats:
            pending = len(state.pending) if colour == state.waiting else 0
            gone = len(state.burnt[colour]) + pending
            if gone > len(state.in_hand(colour)):
                raise PositionError(
                    f"position: {gone} {colour} wisdoms have burnt, but only "
                    f"{len(state.in_hand(colour))} are off the board"
                )
        if state.phase is Phase.PLACING and (state.pending or state.crossings):
            raise PositionError("position: nothing burns or crosses while wisdoms are placed")

    # -- phase and turn ------------------------------------------------------------------------

    def _phase(self, named: Mapping[str, str | None]) -> Phase:
        given = self.raw.get("phase")
        if given is not None:
            if not isinstance(given, str) or given not in PHASES:
                raise PositionError(
                    f'position: phase must be "placing", "moving" or "over", not {given!r}'
                )
            return PHASES[given]
        if "pieces" not in self.raw:
            return Phase.PLACING
        home = {c: set(self.setup.starts[c]) for c in self.setup.seats}
        stays = all(cell in home[p.split("/")[1]] for p, cell in named.items() if not is_wisdom(p))
        laid = self._laid(named)
        left = sum(self.setup.wisdoms.values()) - sum(laid.values())
        first, second = (laid[c] for c in self.setup.seats)
        begun = any(self.raw.get(k) for k in ("scores", "burnt", "last_crossing", "pending_burnt"))
        placing = stays and left and first - second in (0, 1) and not begun
        return Phase.PLACING if placing else Phase.MOVING

    def _laid(self, pieces: Mapping[str, str | None]) -> Counter[str]:
        return Counter(p.split("/")[1] for p, c in pieces.items() if is_wisdom(p) and c is not None)

    def _to_move(self, pieces: Mapping[str, str | None], phase: Phase) -> str:
        first, second = self.setup.seats
        given = self.raw.get("to_move")
        if given is not None:
            return self.seat(given, "to_move")
        if phase is not Phase.PLACING:
            return first
        laid = self._laid(pieces)
        return second if laid[first] > laid[second] else first

    def _winner(self, points: Mapping[str, int], pending: tuple[str, ...]) -> str | None:
        given = self.raw.get("winner")
        if given is not None:
            return self.seat(given, "winner")
        won = [c for c in self.setup.seats if points[c] >= GOAL]
        if len(won) > 1:
            raise PositionError(f"position: both players have {GOAL} points or more")
        return won[0] if won and not pending else None

    # -- points and burning --------------------------------------------------------------------

    def _points(self) -> dict[str, int]:
        given = self.mapping("scores")
        points = dict.fromkeys(self.setup.seats, 0)
        for colour, value in given.items():
            if isinstance(value, Mapping):
                value = value.get("points", value.get("score"))
            if isinstance(value, bool) or not isinstance(value, int) or not -20 <= value <= 20:
                raise PositionError(f"position: the points of {colour} must be a whole number")
            points[self.seat(colour, "scores")] = value
        return points

    def _values(self, key: str) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = dict.fromkeys(self.setup.seats, ())
        for colour, given in self.mapping(key).items():
            values = self.entries(given, f"{key} of {colour}")
            for value in values:
                if isinstance(value, bool) or not isinstance(value, int) or value not in VALUES:
                    raise PositionError(f"position: {key} of {colour} holds {value!r}, no value")
            for value, count in Counter(values).items():
                if count > VALUES[value]:
                    raise PositionError(
                        f"position: {key} of {colour} holds {value} {count} times; there are "
                        f"{VALUES[value]}"
                    )
            found[self.seat(colour, key)] = tuple(sorted(values))
        return found

    def _pending(self) -> tuple[str, ...]:
        given = self.raw.get("pending_burnt")
        entries = list(given.values()) if isinstance(given, Mapping) else given
        cells = []
        for entry in self.entries(entries, "pending_burnt"):
            cell = entry.get("cell") if isinstance(entry, Mapping) else entry
            cells.append(self.cell(cell, "a burnt wisdom"))
            if cell not in self.setup.flames:
                raise PositionError(f"position: pending_burnt names {cell}, which is no flame")
        if len(set(cells)) != len(cells):
            raise PositionError("position: pending_burnt names a cell twice")
        return tuple(cells)

    def _crossings(self, to_move: str, pieces: Mapping[str, str | None]) -> tuple[Crossing, ...]:
        given = self.raw.get("last_crossing")
        if isinstance(given, Mapping):
            given = [given]
        found = []
        for entry in self.entries(given, "last_crossing"):
            if not isinstance(entry, Mapping) or entry.get("piece") not in pieces:
                raise PositionError("position: last_crossing needs a piece, from and to")
            age = entry.get("age", 0)
            if isinstance(age, bool) or not isinstance(age, int) or age < 0:
                raise PositionError("position: the age of last_crossing must be a whole number")
            by = entry.get("by")
            by = self.setup.other(to_move) if by is None else self.seat(by, "last_crossing")
            origin = self.cell(entry.get("from"), "last_crossing")
            to = self.cell(entry.get("to"), "last_crossing")
            if age < PAIR_OF_TURNS and pieces[entry["piece"]] == to:
                found.append(Crossing(entry["piece"], origin, to, by, age))
        return tuple(found)
