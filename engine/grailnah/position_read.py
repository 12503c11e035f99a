"""Reads a position; every fault is one sentence of a PositionError."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import PositionError
from engine.grailnah.setup import ROYALS, SPECIALS, Setup, owner_of
from engine.grailnah.state import GrailnahState, Recovery
from engine.position_fields import PositionFields


class Reader(PositionFields[Setup]):
    """Turns one JSON position into a state."""

    def read(self, first: GrailnahState) -> GrailnahState:
        """The state, with what is left out taken from the beginning of the game."""
        raw = self.raw
        pieces = self._pieces(first)
        given = raw.get("to_move")
        to_move = first.to_move if given is None else self.seat(given, "to_move")
        special = raw.get("last_special") or ""
        if special not in ("", *SPECIALS):
            raise PositionError("position: last_special must be merlin, morgane or null")
        winner = raw.get("winner")
        return first.but(
            pieces=pieces,
            to_move=to_move,
            last_special=special,
            pawn_moved=self._pawn_moved(first, pieces, special),
            merlin_run=self._runs(to_move),
            last_own=self._last_own(),
            may_recover=self._colour_or_none("may_recover"),
            recovered=self._recovered(),
            resigned=frozenset(self._colours("resigned")),
            winner=self._on_goal(pieces) if winner is None else self.seat(winner, "winner"),
            drawn=self._flag("draw", False),
        )

    # -- small readers -------------------------------------------------------------------------

    def _colour_or_none(self, key: str) -> str | None:
        value = self.raw.get(key)
        return None if value is None else self.seat(value, key)

    def _colours(self, key: str) -> list[str]:
        value = self.raw.get(key) or []
        if not isinstance(value, (list, tuple)):
            raise PositionError(f"position: {key} must be a list of colours")
        return [self.seat(v, key) for v in value]

    def _flag(self, key: str, default: bool) -> bool:
        value = self.raw.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise PositionError(f"position: {key} must be true or false")
        return value

    # -- what a position holds -----------------------------------------------------------------

    def _pieces(self, first: GrailnahState) -> dict[str, str | None]:
        pieces = dict(first.pieces)
        for piece, at in self.mapping("pieces").items():
            kind, _, rest = piece.partition("/")
            if kind == "castle" and rest in self.setup.castles:
                continue
            if piece not in pieces:
                raise PositionError(f"position: there is no piece {piece} in this game")
            pieces[piece] = None if at is None else self.cell(at, piece)
            if at is None and kind != "knight":
                raise PositionError(f"position: {piece} must stand on the board")
        return pieces

    def _pawn_moved(
        self, first: GrailnahState, pieces: Mapping[str, str | None], special: str
    ) -> bool:
        """Merlin and Morgane are only moved after a pawn, so wherever anything stands elsewhere
        than at the beginning, a pawn has been moved."""
        return self._flag("pawn_moved", pieces != dict(first.pieces)) or bool(special)

    def _runs(self, to_move: str) -> dict[str, int]:
        value = self.raw.get("merlin_run")
        if isinstance(value, int) and not isinstance(value, bool):
            value = {to_move: value}
        if value is not None and not isinstance(value, Mapping):
            raise PositionError("position: merlin_run must map colours to numbers")
        runs: dict[str, int] = {}
        for colour, run in (value or {}).items():
            if isinstance(run, bool) or not isinstance(run, int) or run < 0:
                raise PositionError("position: merlin_run counts turns from 0")
            if run:
                runs[self.seat(colour, "merlin_run")] = run
        return runs

    def _last_own(self) -> dict[str, str]:
        known = ("", "pawn", *SPECIALS)
        own = self.mapping("last_own")
        if any(v not in known for v in own.values()):
            raise PositionError("position: last_own names pawn, merlin or morgane per colour")
        if self.setup.option("G-A13") == "a":
            return {}
        return {self.seat(c, "last_own"): str(v) for c, v in own.items()}

    def _recovered(self) -> dict[str, Recovery]:
        out: dict[str, Recovery] = {}
        for colour, value in self.mapping("recovered").items():
            if not isinstance(value, Mapping) or value.get("castle") not in self.setup.castle_at:
                raise PositionError("position: recovered names a castle per colour")
            stayed = value.get("stayed", ())
            if not isinstance(stayed, (list, tuple)) or any(s not in ROYALS for s in stayed):
                raise PositionError("position: stayed holds king and queen")
            out[self.seat(colour, "recovered")] = Recovery(value["castle"], frozenset(stayed))
        return out

    def _on_goal(self, pieces: Mapping[str, str | None]) -> str | None:
        """The owner of a knight on the centre has won (G-2)."""
        goal = self.setup.rings.goal
        return next((owner_of(p) for p, at in pieces.items() if at == goal and "/" in p), None)
