"""A room that remembers its judgements for as long as the table's state stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Header, Judgement, Room
from engine.placement import Placement

# A flickering view of an arrangement that stands for hours must not fill the memory.
MAX_REMEMBERED = 5000


class RememberingRoom:
    """Wraps a room; the search asks the same things again in every order and from every view.

    ``spent`` counts judgements, those that were only remembered at a tenth: a measure of time that
    does not depend on the machine.
    """

    def __init__(self, room: Room) -> None:
        self._room = room
        self.name = room.name
        self.spent = 0.0
        self._known: dict[tuple[int, str], Judgement] = {}
        # States are told apart by identity, so they must stay alive while they are remembered.
        self._states: list[Any] = []

    def forget(self) -> None:
        """Drops everything: the state has changed."""
        self._known.clear()
        self._states.clear()

    def judge(self, state: Any, action: Action) -> Judgement:
        """As the room's."""
        key = (id(state), repr((action.player, action.do, action.args)))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MAX_REMEMBERED:
                self.forget()
            self.spent += 1.0
            known = self._known[key] = self._room.judge(state, action)
            self._states.append(state)
        else:
            self.spent += 0.1
        return known

    def start(self, header: Header, board: Board) -> Any:
        """As the room's."""
        return self._room.start(header, board)

    def placement(self, state: Any) -> Placement:
        """As the room's."""
        return self._room.placement(state)

    def position(self, state: Any) -> dict[str, Any]:
        """As the room's."""
        return self._room.position(state)

    def scores(self, state: Any) -> dict[str, dict[str, Any]]:
        """As the room's."""
        return self._room.scores(state)

    def winner(self, state: Any) -> str | None:
        """As the room's."""
        return self._room.winner(state)

    def to_act(self, state: Any) -> str | None:
        """As the room's."""
        return self._room.to_act(state)

    def hints(self, state: Any, piece: str) -> Sequence[str]:
        """As the room's."""
        return self._room.hints(state, piece)
