"""What this turn has seen so far, for the tokens beside the board."""

from __future__ import annotations

from engine.action import Action

TURN_ENDS = ("end", "lay", "pass")
KIND_OF_PIECE = {"wizard": ("walk", "walk_on", "stay")}


class TurnMemory:
    """Folds recorded actions into those of the turn that is going on."""

    def __init__(self) -> None:
        self.actions: tuple[Action, ...] = ()
        self._before: list[tuple[Action, ...]] = []

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of action that this turn has seen."""
        return frozenset(a.do for a in self.actions)

    def add(self, action: Action) -> None:
        """Takes in the next recorded action, undo included."""
        if action.do == "undo":
            if self._before:
                self.actions = self._before.pop()
            return
        self._before.append(self.actions)
        if action.do in TURN_ENDS:
            self.actions = ()
        elif action.do == "cancel":
            kind = str(action.args.get("piece", "")).split("/")[0]
            gone = KIND_OF_PIECE.get(kind, (kind,))
            self.actions = tuple(a for a in self.actions if a.do not in gone)
        elif action.do not in ("note", "correct"):
            self.actions = (*self.actions, action)
