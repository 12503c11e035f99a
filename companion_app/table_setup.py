"""What is chosen for a new game, and how it is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.board import REFERENCE
from engine.game import Header, Player
from engine.referee.strictness import Strictness

STRICTNESS = tuple(s.value for s in Strictness)


@dataclass(frozen=True)
class TableSetup:
    """``players`` in seat order, the beginner first; ``source``: None to play by hand; ``board``:
    "reference" or a path; ``reference``: a picture of the empty board; ``switches``: rule id to
    reading, only what differs from the default; ``position``: of a game that is joined late."""

    players: tuple[Player, ...]
    source: int | str | None = None
    board: str = REFERENCE
    reference: Path | None = None
    game: str = "magalon"
    strictness: str = STRICTNESS[0]
    switches: Mapping[str, str] = field(default_factory=dict)
    position: Mapping[str, Any] | None = None

    def header(self) -> Header:
        """The first line of the record."""
        extra = {"strictness": self.strictness} if self.strictness != STRICTNESS[0] else {}
        return Header(
            self.game, self.board, self.players, dict(self.switches), self.position, extra
        )

    def to_json(self) -> dict[str, Any]:
        """To be offered again next time."""
        return {
            "players": [[p.name, p.colour] for p in self.players],
            "source": self.source,
            "board": self.board,
            "reference": str(self.reference) if self.reference else None,
            "strictness": self.strictness,
            "switches": dict(self.switches),
        }
