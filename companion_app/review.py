"""A recorded game looked back on: every moment, every point with its reason, what was caught."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion_app import texts
from companion_app.games.face import Face, Point, TableView
from companion_app.library import RESULT
from engine.action import Action
from engine.board import Board
from engine.errors import BoardwardenError
from engine.game import Header, Room
from engine.placement import PieceMove, Placement
from engine.record import Game, Record
from engine.verdict import Listed, Message, Status

REFUSED = "refused"  # key of a note that tells of a refused action
STEP_EVENTS = 8  # progress is told so often


@dataclass(frozen=True)
class Moment:
    """The game after one event.  ``numbers``: each seat's number; ``moves``: what was moved;
    ``table``: what lies around the board."""

    text: Message
    player: str | None
    round: int | None
    placement: Placement
    numbers: Mapping[str, int]
    moves: tuple[PieceMove, ...]
    table: TableView


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Points of one player with their reason.  ``total``: the number after them."""

    round: int | None
    point: Point
    total: int | None


@dataclass(frozen=True, slots=True)
class Caught:
    """An illegal move that was refused."""

    round: int | None
    player: str | None
    text: Message
    rule: str | None
    at: int  # index of the moment


@dataclass(frozen=True, slots=True)
class Remark:
    """A note of the players."""

    round: int | None
    text: str


@dataclass(frozen=True)
class Review:
    """``curves``: per seat (round, number) at the end of each round and now."""

    header: Header
    board: Board
    moments: tuple[Moment, ...]
    lines: tuple[ScoreLine, ...]
    caught: tuple[Caught, ...]
    remarks: tuple[Remark, ...]
    curves: Mapping[str, tuple[tuple[int, int], ...]]
    winner: str | None
    goal: int | None


def review(
    record: Record,
    room: Room,
    board: Board,
    face: Face,
    step: Callable[[float], None] = lambda share: None,
) -> Review:
    """Plays a record through.  ``step`` is told the share that is done, and may raise to end it.

    Raises BoardwardenError for a record that cannot be played.
    """
    reader = _Reader(record.header, room, board, face)
    for n, action in enumerate(record.actions):
        if n % STEP_EVENTS == 0:
            step(n / len(record.actions))
        reader.take(action)
    step(1.0)
    return reader.result()


def won_by(winner: str) -> Message:
    """Who has won: a colour, or several joined by commas who share it."""
    colours = tuple(winner.split(","))
    if len(colours) > 1:
        return texts.message("review.winners", players=Listed(colours, "and"))
    return texts.message("review.winner", player=winner)


class _Reader:
    """Plays events one after another and keeps what the screens show."""

    def __init__(self, header: Header, room: Room, board: Board, face: Face) -> None:
        self.face = face
        self.game = Game(room, board, header, room.start(header, board))
        self.lines: list[ScoreLine] = []
        self.caught: list[Caught] = []
        self.remarks: list[Remark] = []
        self.moments: list[Moment] = []
        self._line_counts = [0]
        self._add(texts.message("review.start"), None)

    def take(self, action: Action) -> None:
        """The next event; refused ones are left out."""
        if action.do == "note":
            self._note(action)
            return
        before = self.game
        self.game, judgement = before.do(action)
        if judgement.status not in (Status.LEGAL, Status.PENDING):
            return
        if action.do == "undo":
            self._line_counts.pop() if len(self._line_counts) > 1 else None
            del self.lines[self._line_counts[-1] :]
        self._add(texts.describe(action), action.player)
        if action.do != "undo":
            self._points(judgement.notes)
            self._line_counts.append(len(self.lines))

    def _points(self, notes: tuple[Message, ...]) -> None:
        now = self.moments[-1]
        for note in notes:
            point = self.face.point(note)
            if point is not None:
                self.lines.append(ScoreLine(now.round, point, now.numbers.get(point.player)))

    def _note(self, action: Action) -> None:
        args, at = action.args, len(self.moments) - 1
        round_ = self.moments[-1].round
        refused = args.get(REFUSED)
        if isinstance(refused, Mapping):
            self._refused(refused, args, round_, at)
        elif isinstance(args.get("text"), str) and RESULT not in args:
            self.remarks.append(Remark(round_, args["text"]))

    def _refused(
        self, refused: Mapping[str, Any], args: Mapping[str, Any], round_: int | None, at: int
    ) -> None:
        """The rules are asked again, so that the reason can be said in any language."""
        try:
            action = Action.from_json(dict(refused))
            judgement = self.game.room.judge(self.game.state, action)
        except BoardwardenError:
            return
        text, rule = judgement.message, judgement.rule
        if judgement.status is not Status.ILLEGAL:
            text, rule = Message("", str(args.get("message", ""))), args.get("rule")
        self.caught.append(Caught(round_, action.player, text, rule, at))

    def _add(self, text: Message, player: str | None) -> None:
        room, state = self.game.room, self.game.state
        position = room.position(state)
        view = self.face.table(
            position, self.game.header, self.game.board,
            to_act=room.to_act(state), winner=room.winner(state),
        )  # fmt: skip
        placement = room.placement(state)
        before = self.moments[-1].placement.pieces if self.moments else placement.pieces
        moves = tuple(
            PieceMove(p, before.get(p, ()), spots)
            for p, spots in placement.pieces.items()
            if before.get(p, ()) != spots
        )
        numbers = {s.colour: s.number for s in view.seats if s.number is not None}
        moves = tuple(self.face.main_moves(moves)) if moves else ()
        self.moments.append(Moment(text, player, view.round, placement, numbers, moves, view))

    def result(self) -> Review:
        """What was read."""
        last = self.moments[-1]
        return Review(
            self.game.header, self.game.board, tuple(self.moments), tuple(self.lines),
            tuple(self.caught), tuple(self.remarks), self._curves(),
            self.game.room.winner(self.game.state), self.face.goal if last.numbers else None,
        )  # fmt: skip

    def _curves(self) -> dict[str, tuple[tuple[int, int], ...]]:
        curves: dict[str, dict[int, int]] = {p.colour: {} for p in self.game.header.players}
        for n, moment in enumerate(self.moments):
            at = moment.round if moment.round is not None else n
            for colour, number in moment.numbers.items():
                curves.setdefault(colour, {})[at] = number
        return {colour: tuple(sorted(points.items())) for colour, points in curves.items()}
