"""The referee behind ``watch``; one that joins a running game begins with the first still view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.board import Board
from engine.errors import BoardwardenError
from engine.files import read_json, shown
from engine.game import Header, Room
from engine.joining import Joinable, Joining
from engine.observation import Observation
from engine.placement import Placement
from engine.referee.events import VerdictGiven
from engine.referee.tracker import Tracker

Line = dict[str, Any]
STILL_S = 0.6


def read_position(path: str) -> Mapping[str, Any]:
    """The JSON position of a --position file."""
    found = read_json(path, "the --position file")
    if not isinstance(found, dict):
        raise BoardwardenError(
            f'the --position file {shown(path)} must be an object like {{"energy": {{"violet": 12}}}}'
        )
    return found


class Watched:
    """One game that is watched.

    ``position``: joins a running game there; pieces that it leaves out are read from the first still
    view.  Raises BoardwardenError for what cannot be played.
    """

    def __init__(
        self,
        room: Room,
        board: Board,
        header: Header,
        cards: Any,
        position: Mapping[str, Any] | None = None,
    ) -> None:
        self._room, self._board, self._cards = room, board, cards
        self._header = header if position is None else replace(header, position=dict(position))
        self.tracker: Tracker | None = None
        if position is None or {"pieces", "tiles"} & position.keys():
            self.tracker = Tracker(room, board, self._header, cards=cards)
        elif not isinstance(room, Joinable):
            raise BoardwardenError(
                f"a game of {room.name} cannot be joined late: begin a new one without --position"
            )

    @property
    def placement(self) -> Placement | None:
        """Where the pieces stand; None before that was read."""
        return None if self.tracker is None else self.tracker.placement

    def see(self, observation: Observation) -> Iterator[Line]:
        """What one view leads to, as lines of ``watch --json``."""
        if self.tracker is None:
            if observation.hand or not observation.pose_found or observation.still_s < STILL_S:
                return
            self.tracker = Tracker(
                self._room, self._board, self._joined(observation), cards=self._cards
            )
        for event in self.tracker.observe(observation):
            yield event.to_json()
            possible = (
                self.tracker.possible(event.verdict) if isinstance(event, VerdictGiven) else None
            )
            if isinstance(event, VerdictGiven) and possible is not None:
                piece, cells = possible
                t_s = round(event.t_s, 3)
                yield {
                    "t": t_s,
                    "type": "possible",
                    "id": event.id,
                    "piece": piece,
                    "cells": [*cells],
                }

    def _joined(self, observation: Observation) -> Header:
        """The header with the pieces of a view; what the file says goes before what is seen."""
        joining = Joining(self._room, self._board, self._header)
        joining.read(observation)
        return replace(
            self._header, position={**joining.position(), **(self._header.position or {})}
        )

    def end(self, t_s: float) -> Iterator[Line]:
        """The last lines; raises BoardwardenError where no game could begin."""
        if self.tracker is None:
            raise BoardwardenError("the board was never still for long enough to read its pieces")
        for event in self.tracker.close():
            yield event.to_json()
        state = self.tracker.state
        scores, winner = self._room.scores(state), self._room.winner(state)
        yield {"t": round(t_s, 3), "type": "end", "players": scores, "winner": winner}
