"""Puts a session together from a header: board, room, referee, record, eyes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion_app.games import face_of
from companion_app.games.face import Face
from companion_app.session import Referee, Session
from companion_app.sight import Pipeline, PipelineOpener, PipelineRequest
from companion_app.store import Recorder, SavedGame, Store
from engine.action import Action
from engine.board import Board
from engine.errors import BoardwardenError
from engine.files import read_json
from engine.game import Header, Room
from engine.record import find_board

RefereeMaker = Callable[[Room, Board, Header, Sequence[Action]], Referee]


def room_of(game: str) -> Room:
    """The rules of a game; raises BoardwardenError for one that this version does not know."""
    from engine.rooms import room_for

    return room_for(game)


def face_for(game: str) -> Face:
    """What the screens need of a game; raises BoardwardenError for one that they do not know."""
    try:
        return face_of(game)
    except KeyError:
        raise BoardwardenError(f"this version has no screens for {game!r}") from None


def make_referee(room: Room, board: Board, header: Header, history: Sequence[Action]) -> Referee:
    """The tracker, with a game's past played into it."""
    from engine.referee.tracker import Tracker

    return Tracker(room, board, header, events=tuple(history))


def open_eyes(request: PipelineRequest) -> Pipeline:
    """The project's own pipeline, in a process of its own where there can be one; raises
    BoardwardenError where it cannot be opened."""
    from companion_app.eyes_process import open_in_process, project_eyes, wanted

    return open_in_process(request, project_eyes) if wanted() else project_eyes(request)


def open_session(
    store: Store,
    header: Header,
    *,
    saved: SavedGame | None = None,
    source: int | str | None = None,
    reference: Path | None = None,
    opener: PipelineOpener = open_eyes,
    rooms: Callable[[str], Room] = room_of,
    referees: RefereeMaker = make_referee,
    cards: Any = None,
    keep: bool = True,
) -> Session:
    """A session that has not been started, new or resumed from ``saved``.

    ``keep``: False for a demo, whose record is not written.  Raises BoardwardenError with one
    sentence when board, players or record cannot be used.
    """
    board = find_board(header, store.games)
    room = rooms(header.game)
    history = saved.actions if saved is not None else ()
    referee = referees(room, board, header, history)
    if not keep:
        recorder = Recorder(None)
    else:
        recorder = store.resume(saved) if saved is not None else store.new_game(header)
    eyes = None
    if source is not None:
        request = PipelineRequest(
            source, board, header, reference, placement=room.placement(referee.state)
        )

        def eyes() -> Pipeline:
            return opener(request)

    return Session(
        room, board, header, referee, recorder, face_for(header.game), history=history,
        open_pipeline=eyes, cards=cards,
    )  # fmt: skip


def read_cards(path: Path) -> dict[str, Any]:
    """A ``cards.json``: players and the cards they lay; raises BoardwardenError when it is none."""
    raw = read_json(path, "the cards")
    if not isinstance(raw, dict) or not isinstance(raw.get("players"), list):
        raise BoardwardenError(f"the cards in {path} need a list of players")
    return raw
