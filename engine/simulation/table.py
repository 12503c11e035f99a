"""The table of a film: what the rules say beside what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.action import Action
from engine.game import Room
from engine.placement import Placement
from engine.verdict import Status

Spots = tuple[str, ...]
# Actions by which nobody is seen to act.
UNSEEN = frozenset({"lay", "pass", "end", "stay", "take", "leave", "note"})


@dataclass
class Table:
    """The rules' state beside the arrangement on the table while a film is made."""

    room: Room
    state: Any
    now: dict[str, Spots]
    earlier: list[Any] = field(default_factory=list)
    turn_before: list[Any] = field(default_factory=list)
    dice: tuple[int, ...] = (1, 2)
    acted: bool = False

    def copy(self) -> Table:
        """The table as it is now."""
        return replace(
            self, now=dict(self.now), earlier=list(self.earlier), turn_before=list(self.turn_before)
        )

    def do(self, action: Action) -> bool:
        """Plays an action as far as it can be seen: without the cells in between."""
        seen = Action(action.player, action.do, _without_via(action.args))
        judgement = self.room.judge(self.state, seen)
        if judgement.status not in (Status.LEGAL, Status.PENDING):
            return False
        if action.do == "end":
            self.turn_before, self.earlier, self.acted = [*self.earlier, self.state], [], False
        else:
            self.earlier.append(self.state)
        if action.do == "roll":
            self.dice = tuple(seen.args["dice"])
        before = self.room.placement(self.state)
        self.state = judgement.state
        self.acted |= action.do not in UNSEEN
        self._move(before, self.room.placement(self.state), action)
        return True

    def _move(self, before: Placement, after: Placement, action: Action) -> None:
        for piece, spots in after.pieces.items():
            changed = set(spots) != set(before.pieces[piece])
            # A stone that was forgotten stays behind, unless the wizard goes back to the start.
            late = action.do == "end" and after.infos[piece].kind == "energy_stone"
            home = late and any(
                after.infos[p].kind == "wizard" and set(s) != set(before.pieces[p])
                for p, s in after.pieces.items()
            )
            if changed and (not late or home):
                self.now[piece] = spots


def _without_via(args: Mapping[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in args.items() if k != "via"}
    if "attacks" in kept:
        kept["attacks"] = [{k: v for k, v in a.items() if k != "via"} for a in kept["attacks"]]
    return kept
