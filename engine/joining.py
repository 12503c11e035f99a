"""Joining late: the position of a game that has begun without the referee.

The pieces are read from the board or set by hand; what a board cannot show (items, cards played,
points, who moves) is asked.  The game's own door (``Joinable``) says what has to be asked and turns
pieces and answers into a ``position``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from engine.board import Board
from engine.errors import PositionError
from engine.game import Header, Room
from engine.observation import Observation
from engine.placement import Placement, track_spot, track_value
from engine.referee.matching import read, shared_spots
from engine.referee.weighing import IGNORED_KINDS
from engine.verdict import Message

Spots = tuple[str, ...]
# A piece is doubtful when another reading of the board is less than 4 times less probable.
DOUBT_NATS = 1.4
OFF_CENTRE = 0.35  # of a cell, from which a piece may belong to the next one


@dataclass(frozen=True, slots=True)
class JoinQuestion:
    """What has to be told.  ``kind``: "number" (``least`` to ``most``), "one" of the ``choices`` or
    "many" of them (a tuple).  ``value``: what is assumed; ``piece``: the stone on whose scale the
    number is."""

    key: str
    text: Message
    kind: str
    value: Any
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    piece: str | None = None


@runtime_checkable
class Joinable(Protocol):
    """A room whose games can be joined late."""

    def join_questions(
        self, header: Header, board: Board, placement: Placement, answers: Mapping[str, Any]
    ) -> tuple[JoinQuestion, ...]:
        """What is to be asked now; answers may bring further questions."""

    def join_position(
        self, header: Header, placement: Placement, answers: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The JSON position of pieces and answers, for ``start``."""


class Joining:
    """A position in the making; begins with the pieces as at the start of a game.

    Raises BoardwardenError for players or a board that cannot be played.
    """

    def __init__(self, room: Room, board: Board, header: Header) -> None:
        if not isinstance(room, Joinable):
            raise PositionError(f"a game of {room.name} cannot be joined late: begin a new one")
        self._room, self._door, self._board, self._header = room, room, board, header
        self.placement = room.placement(room.start(replace(header, position=None), board))
        self.unsure: tuple[str, ...] = ()
        self._answers: dict[str, Any] = {}

    @property
    def questions(self) -> tuple[JoinQuestion, ...]:
        """Everything that is to be told, with what was told or seen so far."""
        asked = self._door.join_questions(self._header, self._board, self.placement, self._answers)
        return tuple(self._filled(q) for q in asked)

    def _filled(self, question: JoinQuestion) -> JoinQuestion:
        if question.piece is not None:
            spots = self.placement.pieces.get(question.piece, ())
            mark = track_value(spots[0]) if spots else None
            return question if mark is None else replace(question, value=mark)
        return replace(question, value=self._answers.get(question.key, question.value))

    def answer(self, key: str, value: Any) -> None:
        """The answer to a question; one that does not fit is left out."""
        question = next((q for q in self.questions if q.key == key), None)
        if question is None or not _fits(question, value):
            return
        if question.piece is not None:
            self.put(question.piece, (track_spot(value),))
        else:
            self._answers[key] = tuple(value) if question.kind == "many" else value

    def put(self, piece: str, spots: Spots) -> None:
        """Sets a piece by hand; an empty tuple: beside the board."""
        if piece in self.placement.pieces:
            pieces = {**self.placement.pieces, piece: spots}
            self.placement = replace(self.placement, pieces=pieces)
            self.unsure = tuple(p for p in self.unsure if p != piece)

    def read(self, observation: Observation) -> None:
        """Takes the pieces as the eyes see them; those that they do not see stay where they were if
        that cannot be seen, else they are beside the board.  ``unsure`` names the doubtful ones."""
        if not observation.pose_found or observation.hand:
            return
        infos = self.placement.infos
        wanted = [p for p in infos if infos[p].kind not in IGNORED_KINDS]
        beside = replace(self.placement, pieces=dict.fromkeys(wanted, ()), shelters=frozenset())
        readings = read(
            beside, observation, centres=self._board.centres, patient=True,
            arriving=frozenset(wanted), shared=shared_spots(self._board),
        )  # fmt: skip
        best = {m.piece: m.to for m in readings[0].moves}
        old, found = self.placement.pieces, dict(self.placement.pieces)
        hidden = [
            p for p in wanted
            if p not in best and old[p] and all(s in observation.cells for s in old[p])
        ]  # fmt: skip
        found |= {p: best.get(p, old[p] if p in hidden else ()) for p in wanted}
        self.placement = replace(self.placement, pieces=found)
        doubtful = {*readings[0].unsure, *hidden, *_torn(observation, found)}
        for other in readings[1:]:
            if other.log_likelihood > readings[0].log_likelihood - DOUBT_NATS:
                there = {m.piece: m.to for m in other.moves}
                doubtful |= {p for p in wanted if set(there.get(p, ())) != set(best.get(p, ()))}
        self.unsure = tuple(sorted(doubtful))

    def position(self) -> dict[str, Any]:
        """The JSON position so far; not yet checked."""
        answers = {q.key: q.value for q in self.questions if q.piece is None}
        return self._door.join_position(self._header, self.placement, answers)

    def header(self) -> Header:
        """The header of the record that goes on from here.

        Raises PositionError with one sentence while that cannot be.
        """
        header = replace(self._header, position=self.position())
        self._room.start(header, self._board)
        return header


def _torn(observation: Observation, found: Mapping[str, Spots]) -> set[str]:
    """Pieces that stand so far off the centre of their cell that they may belong to the next one."""
    off = {frozenset(o.best.spots) for o in observation.pieces if o.off_centre >= OFF_CENTRE}
    return {p for p, spots in found.items() if len(spots) == 1 and frozenset(spots) in off}


def _fits(question: JoinQuestion, value: Any) -> bool:
    if question.kind == "number":
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and question.least <= value <= question.most
    if question.kind == "one":
        return value in question.choices
    return isinstance(value, (list, tuple)) and set(value) <= set(question.choices)
