"""The game record: a header and a list of events that is only ever appended to.

The state of a game is a fold over its events; ``undo`` and ``correct`` are events too.  One event
is one line of JSON, on the disk before anybody is shown it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from engine.action import Action
from engine.board import REFERENCE, Board, load_board
from engine.errors import BoardwardenError, NewerRecordError, RecordError
from engine.files import parse_json, read_bytes, shown
from engine.game import Header, Judgement, Player, Room
from engine.rooms import room_for
from engine.verdict import Message, Status

VERSION = 1
MAX_RECORD_BYTES = 8_000_000  # a long evening has about 0.1 MB
HEADER_KEYS = ("boardwarden", "game", "board", "players", "options", "position")


def parse_header(value: Any, line: int = 1) -> Header:
    """The header of a record from its JSON object; raises RecordError with one sentence."""
    if not isinstance(value, Mapping) or "boardwarden" not in value:
        raise RecordError(f'line {line} is no header: it needs "boardwarden": {VERSION}', line)
    if value["boardwarden"] != VERSION or isinstance(value["boardwarden"], bool):
        raise _other_version(value["boardwarden"], line)
    game, board = value.get("game"), value.get("board", REFERENCE)
    options, position = value.get("options"), value.get("position")
    if not isinstance(game, str):
        raise RecordError(f'line {line}: "game" must name the game', line)
    if not isinstance(board, str):
        raise RecordError(f'line {line}: "board" must be "{REFERENCE}" or a path', line)
    if not isinstance(options, (Mapping, type(None))):
        raise RecordError(f'line {line}: "options" must be an object', line)
    if not isinstance(position, (Mapping, type(None))):
        raise RecordError(f'line {line}: "position" must be an object', line)
    extra = {k: v for k, v in value.items() if k not in HEADER_KEYS}
    players = _players(value.get("players"), line)
    return Header(game, board, players, dict(options or {}), position, extra)


def _other_version(found: Any, line: int) -> RecordError:
    if isinstance(found, int) and not isinstance(found, bool) and found > VERSION:
        text = (
            f"line {line}: a newer Boardwarden wrote this (version {found}, this one reads"
            f" version {VERSION}): update Boardwarden"
        )
        return NewerRecordError(text, line)
    text = f"line {line}: this program reads version {VERSION}, not {shown(repr(found))}"
    return RecordError(text, line)


def _players(value: Any, line: int) -> tuple[Player, ...]:
    if not isinstance(value, list) or not value:
        raise RecordError(f'line {line}: "players" must be the list of the players', line)
    players = []
    for entry in value:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("colour"), str):
            raise RecordError(f'line {line}: every player needs a "colour"', line)
        players.append(Player(str(entry.get("name", entry["colour"])), entry["colour"]))
    return tuple(players)


def format_header(header: Header) -> dict[str, Any]:
    """The JSON object of a header."""
    out: dict[str, Any] = {
        "boardwarden": VERSION,
        "game": header.game,
        "board": header.board,
        "players": [{"name": p.name, "colour": p.colour} for p in header.players],
    }
    if header.options:
        out["options"] = dict(header.options)
    if header.position is not None:
        out["position"] = dict(header.position)
    return out | dict(header.extra)


def to_line(value: Mapping[str, Any]) -> str:
    """One line of a record, without its line break; always encodable as UTF-8."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(", ", ": "))
    return text


@dataclass(frozen=True)
class Record:
    """A record as read.  ``lines``: the 1-based line of each action; ``error``: the first damage,
    after which nothing was read; ``end``: byte offset up to which the file is sound; ``torn``:
    the damage is an unfinished last line, as a power cut leaves it."""

    header: Header
    actions: tuple[Action, ...] = ()
    lines: tuple[int, ...] = ()
    error: RecordError | None = None
    end: int = 0
    torn: bool = False


def read_record(path: str | Path) -> Record:
    """Reads a record as far as it is sound.

    Raises RecordError when there is no file or no readable header; later damage is returned.
    """
    data = read_bytes(path, "the record", MAX_RECORD_BYTES, RecordError)
    header: Header | None = None
    actions: list[Action] = []
    lines: list[int] = []
    end = 0
    for number, raw in enumerate(data.splitlines(keepends=True), 1):
        torn = not raw.endswith(b"\n")
        try:
            value = _decode(raw, number)
            if value is not None and header is None:
                header = parse_header(value, number)
            elif value is not None:
                actions.append(Action.from_json(value, number))
                lines.append(number)
        except RecordError as error:
            if header is None:
                raise type(error)(f"the record {shown(path)}: {error}", error.line) from error
            return Record(header, tuple(actions), tuple(lines), error, end, torn)
        end += len(raw)
    if header is None:
        raise RecordError(f"the record {shown(path)} is empty", 0)
    return Record(header, tuple(actions), tuple(lines), None, end)


def _decode(raw: bytes, number: int) -> Any:
    """The JSON value of a line, None for a blank one."""
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        return parse_json(text) if text else None
    except ValueError as error:
        raise RecordError(f"line {number} is damaged: it is not JSON", number) from error


class RecordWriter:
    """Appends events to a file; an event is on the disk when ``append`` returns.

    A file that exists is gone on with: an unfinished last line is cut off.  Raises RecordError
    for a file that is damaged elsewhere, so that nothing is ever written behind damage.
    """

    def __init__(self, path: str | Path, header: Header | None = None) -> None:
        self.path = Path(path)
        self.record = self._begin(header)
        self._file: BinaryIO = open(self.path, "r+b", buffering=0)  # noqa: SIM115
        self._file.truncate(self.record.end)
        self._file.seek(self.record.end)
        if self.record.end and not self._ends_with_break():
            self._write(b"\n")

    def _begin(self, header: Header | None) -> Record:
        if self.path.exists() and b"\n" in self.path.read_bytes():
            record = read_record(self.path)
            if record.error is not None and not record.torn:
                raise record.error
            return record
        if header is None:
            return read_record(self.path)
        line = to_line(format_header(header)) + "\n"
        data = line.encode()
        with open(self.path, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _sync_folder(self.path.parent)
        return Record(header, end=len(data))

    def _ends_with_break(self) -> bool:
        self._file.seek(self.record.end - 1)
        return self._file.read(1) == b"\n"

    def append(self, action: Action) -> None:
        """Writes one event and waits until it is on the disk."""
        self._write((to_line(action.to_json()) + "\n").encode())

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _sync_folder(folder: Path) -> None:
    """Makes a new file's name last; systems that cannot open folders do without."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def find_board(header: Header, folder: Path | None = None) -> Board:
    """The board of a header: shipped, relative to the record's folder, or to the working one."""
    if header.board == REFERENCE:
        return load_board(REFERENCE, header.game)
    path = Path(header.board)
    if folder is not None and not path.is_absolute() and os.path.exists(folder / path):
        path = folder / path
    return load_board(path)


@dataclass(frozen=True)
class _Step:
    """One effective event that can be taken back."""

    before: Any
    earlier: _Step | None
    action: Action


# Key of a ``correct`` that lets a move stand against the rules: {"action", "rule", "message"}.
HOUSE_RULE = "house_rule"
NOTHING_TO_UNDO = Message("record_nothing_to_undo", "There is nothing to take back.")


@dataclass(frozen=True)
class Game:
    """A game in progress: header, events and the state that follows from them; immutable."""

    room: Room
    board: Board
    header: Header
    state: Any
    _past: _Step | None = field(default=None, repr=False, compare=False)
    # the newest event and what was before it: adding one costs the same in the longest game
    _log: tuple[Any, Action] | None = field(default=None, repr=False, compare=False)

    @staticmethod
    def begin(header: Header, board: Board | None = None, folder: Path | None = None) -> Game:
        """A game without events; raises BoardwardenError for a bad header, board or position."""
        room = room_for(header.game)
        board = board or find_board(header, folder)
        return Game(room, board, header, room.start(header, board))

    @property
    def events(self) -> tuple[Action, ...]:
        """All events, the first one first."""
        out, entry = [], self._log
        while entry is not None:
            entry, action = entry
            out.append(action)
        return tuple(reversed(out))

    @property
    def last(self) -> Action | None:
        """The action that ``undo`` would take back."""
        return self._past.action if self._past else None

    def do(self, action: Action) -> tuple[Game, Judgement]:
        """The game after an event, and the word on it.

        A refused or ambiguous action is no event: the same game comes back.
        """
        if action.do == "undo":
            return self._undo(action)
        if action.do == "note":
            return self._with(action, self.state, self._past), Judgement(Status.LEGAL, self.state)
        if action.do == "correct":
            judgement = self._correct(action)
        else:
            judgement = self.room.judge(self.state, action)
        if judgement.status not in (Status.LEGAL, Status.PENDING):
            return self, judgement
        step = _Step(self.state, self._past, action)
        return self._with(action, judgement.state, step), judgement

    def _with(self, action: Action, state: Any, past: _Step | None) -> Game:
        return replace(self, state=state, _past=past, _log=(self._log, action))

    def _undo(self, action: Action) -> tuple[Game, Judgement]:
        step = self._past
        if step is None:
            return self, Judgement(Status.ILLEGAL, self.state, message=NOTHING_TO_UNDO)
        what = f"{step.action.player or ''} {step.action.do}".strip()
        note = Message(
            "record_undone", f"Taken back: {what}.", {"what": what, "action": step.action}
        )
        judgement = Judgement(Status.LEGAL, step.before, notes=(note,))
        return self._with(action, step.before, step.earlier), judgement

    def _correct(self, action: Action) -> Judgement:
        """``correct {keys of a position}``: what is named is set, everything else stays.  With
        ``house_rule`` it lets a move stand that the rules refuse, and names the rule."""
        changes = {k: v for k, v in action.args.items() if k != HOUSE_RULE}
        position = corrected(self.room.position(self.state), changes)
        try:
            state = self.room.start(replace(self.header, position=position), self.board)
        except BoardwardenError as error:
            message = Message(
                "record_cannot_correct", f"That cannot be: {error}.", {"reason": str(error)}
            )
            return Judgement(Status.ILLEGAL, self.state, message=message)
        mark = action.args.get(HOUSE_RULE)
        if not isinstance(mark, Mapping):
            return Judgement(Status.LEGAL, state)
        rule, why = mark.get("rule"), str(mark.get("message", ""))
        text = Message("record_house_rule", f"Let stand as a house rule. {why}", {"why": why})
        return Judgement(Status.LEGAL, state, rule if isinstance(rule, str) else None, message=text)

    def follow(self, actions: Iterable[Action]) -> Iterator[tuple[Action, Game, Judgement]]:
        """Does one action after the other; refused ones leave the game as it was."""
        game = self
        for action in actions:
            game, judgement = game.do(action)
            yield action, game, judgement


def corrected(position: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A position with some keys set; objects are merged key by key.  A piece that is set anew has
    no path any more in this turn, nor has one whose path is set to None.  A key set to None is as
    if it had been left out."""
    out = dict(position)
    for key, value in changes.items():
        old = out.get(key)
        merge = isinstance(old, Mapping) and isinstance(value, Mapping)
        out[key] = {**old, **value} if merge else value  # type: ignore[dict-item]
    pieces = changes.get("pieces")
    paths = out.get("paths")
    if isinstance(pieces, Mapping) and isinstance(paths, Mapping) and "paths" not in changes:
        out["paths"] = {p: w for p, w in paths.items() if p not in pieces}
    if isinstance(out.get("paths"), Mapping):
        out["paths"] = {p: w for p, w in out["paths"].items() if w is not None}
    return {key: value for key, value in out.items() if value is not None}


def resume(record: Record, board: Board | None = None, folder: Path | None = None) -> Game:
    """The game of a record, refused lines skipped."""
    game = Game.begin(record.header, board, folder)
    for _, after, _ in game.follow(record.actions):
        game = after
    return game


__all__ = [
    "Game", "Record", "RecordWriter", "corrected", "find_board",
    "format_header", "parse_header", "read_record", "resume", "to_line",
]  # fmt: skip
