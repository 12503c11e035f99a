"""Readers of a position's fields; every fault is one sentence of a PositionError."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from engine.board import Board
from engine.errors import PositionError


class Seated(Protocol):
    """Who plays on which board."""

    @property
    def seats(self) -> Sequence[str]: ...

    @property
    def board(self) -> Board: ...


SetupT = TypeVar("SetupT", bound=Seated)


class PositionFields(Generic[SetupT]):
    """The raw JSON position ``raw`` of a game with this ``setup``."""

    def __init__(self, setup: SetupT, raw: Any) -> None:
        if not isinstance(raw, Mapping):
            raise PositionError("the position must be an object")
        self.setup: SetupT = setup
        self.raw: Mapping[str, Any] = raw

    def mapping(self, key: str) -> Mapping[Any, Any]:
        """An object, empty where it is left out."""
        value = self.raw.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise PositionError(f"position: {key} must be an object")
        return value

    @staticmethod
    def entries(value: Any, what: str) -> list[Any]:
        """A list, empty where it is left out."""
        if value is None:
            return []
        if not isinstance(value, (list, tuple)):
            raise PositionError(f"position: {what} must be a list")
        return list(value)

    def seat(self, value: Any, what: str) -> str:
        """Somebody who plays."""
        if not isinstance(value, str) or value not in self.setup.seats:
            raise PositionError(f"position: {what} names {value!r}, who is not in the game")
        return value

    def cell(self, value: Any, what: str) -> str:
        """A cell of the board."""
        if not isinstance(value, str) or value not in self.setup.board.cells:
            raise PositionError(f"position: {what} is on {value!r}, which is no cell of the board")
        return value
