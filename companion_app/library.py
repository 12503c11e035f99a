"""What lies in the folder of games and boards, for the lists on the screens."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion_app.store import SavedGame, Store
from engine.board import REFERENCE
from engine.errors import BoardwardenError, RecordError
from engine.files import parse_json, read_bytes, read_json
from engine.game import Header
from engine.record import MAX_RECORD_BYTES, parse_header

RESULT = "result"  # key of the note that ends the record of a game that is over


@dataclass(frozen=True)
class GameEntry:
    """A record in the list of past games.

    ``winner``: colour, None while the game is not over; ``begun``: seconds since 1970; ``lines``: how
    long the record is.
    """

    path: Path
    header: Header
    begun: float
    winner: str | None
    lines: int


@dataclass(frozen=True)
class BoardEntry:
    """A board that can be chosen: "reference" or the path of a board file."""

    name: str
    board: str
    game: str | None
    picture: Path | None


def list_games(store: Store) -> tuple[GameEntry, ...]:
    """All games, newest first; files that are no records are left out."""
    found = []
    for path in store.games.glob("*.jsonl"):
        try:
            found.append(_entry(path))
        except (OSError, ValueError, RecordError):
            continue
    return tuple(sorted(found, key=lambda e: e.begun, reverse=True))


def _entry(path: Path) -> GameEntry:
    data = read_bytes(path, "the record", MAX_RECORD_BYTES, RecordError)
    first, _, rest = data.partition(b"\n")
    header = parse_header(parse_json(first.decode("utf-8-sig")))
    lines = 1 + rest.count(b"\n") + (not rest.endswith(b"\n") and rest != b"")
    last = rest.rstrip().rpartition(b"\n")[2]
    return GameEntry(path, header, _begun(path), _winner(last), lines)


def _winner(line: bytes) -> str | None:
    try:
        result = parse_json(line.decode()).get(RESULT)
        return str(result["winner"]) if result and result.get("winner") else None
    except (ValueError, AttributeError, KeyError, TypeError):
        return None


def _begun(path: Path) -> float:
    """From the file's name, else from its time."""
    try:
        return time.mktime(time.strptime(path.name[:15], "%Y%m%d-%H%M%S"))
    except (ValueError, OverflowError):
        return path.stat().st_mtime


def rounds_of(saved: SavedGame) -> int:
    """In which round a game with laid cards is, from its record alone."""
    lays = sum(a.do in ("lay", "pass") for a in saved.actions)
    return max(0, lays - 1) // max(1, len(saved.header.players)) + 1


def list_boards(store: Store, game: str) -> tuple[BoardEntry, ...]:
    """The boards for a game: the reference board first, then those of the owner by name."""
    found = [BoardEntry(REFERENCE, REFERENCE, game, None)]
    for path in sorted(store.boards.glob("*.json")):
        entry = read_board_entry(path)
        if entry is not None and entry.game in (game, None):
            found.append(entry)
    return tuple(found)


def read_board_entry(path: Path) -> BoardEntry | None:
    """What the list shows of a board file; None for a file that is none."""
    try:
        raw: Any = read_json(path, "the board file")
    except BoardwardenError:
        return None
    if not isinstance(raw, dict) or "cells" not in raw:
        return None
    picture = raw.get("reference")
    named = picture.get("picture") if isinstance(picture, dict) else picture
    there = path.parent / named if isinstance(named, str) else path.with_suffix(".jpg")
    game = raw.get("game")
    return BoardEntry(
        str(raw.get("name") or path.stem),
        str(path),
        game if isinstance(game, str) else None,
        there if _is_file(there) else None,
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no name that a file can have
        return False


def check_board(board: str) -> str:
    """Opens a board file; returns what is wrong with it as a sentence, "" if nothing."""
    from engine.board import load_board

    try:
        load_board(board)
    except BoardwardenError as error:
        return str(error)
    return ""
