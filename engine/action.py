"""An action: what a player did, in the form of one line of the game record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import RecordError


@dataclass(frozen=True, slots=True)
class Action:
    """One action of one player, e.g. ``Action("violet", "walk", {"to": "g10"})``.

    ``do`` names the action, ``args`` holds its other keys exactly as in the record
    (unknown keys are kept).  ``player`` is a colour, or None for actions of nobody (``note``).
    """

    player: str | None
    do: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the record line."""
        head: dict[str, Any] = {} if self.player is None else {"player": self.player}
        return {**head, "do": self.do, **self.args}

    @staticmethod
    def from_json(value: Any, line: int = 0) -> Action:
        """Reads a record line; raises RecordError when it is no action."""
        if not isinstance(value, dict) or not isinstance(value.get("do"), str):
            raise RecordError(f'line {line} is not an action: it needs a text under "do"', line)
        player = value.get("player")
        if player is not None and not isinstance(player, str):
            raise RecordError(f'line {line}: "player" must be a colour', line)
        args = {k: v for k, v in value.items() if k not in ("player", "do")}
        return Action(player, value["do"], args)
