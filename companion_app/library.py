"""What lies in the folder of games and boards, for the lists on the screens."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.profile import SUFFIX, Profile, load_profile, read_packed
from companion_app import texts
from companion_app.recorder import replace_file
from companion_app.store import SavedGame, Store
from engine.board import REFERENCE
from engine.errors import BoardwardenError, RecordError
from engine.files import parse_json, read_bytes, read_json, shown
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


def unread(store: Store, games: tuple[GameEntry, ...]) -> int:
    """How many files among the records cannot be listed."""
    return len(set(store.games.glob("*.jsonl")) - {g.path for g in games})


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
        there if os.path.isfile(there) else None,
    )


def check_board(board: str) -> str:
    """Opens a board file; returns what is wrong with it as a sentence, "" if nothing."""
    from engine.board import load_board

    try:
        load_board(board)
    except BoardwardenError as error:
        return texts.told(error)
    return ""


def save_profile(store: Store, profile: Profile) -> Path:
    """Keeps a measured board among the owner's; returns its board file.

    Raises BoardwardenError when the disk refuses.
    """
    stem = _free_stem(store.boards, profile.file_name, ".json")
    try:
        store.boards.mkdir(parents=True, exist_ok=True)
        for name, data in profile.files(stem).items():
            replace_file(store.boards / name, data)
    except OSError as error:
        raise _refused(store.boards, error) from error
    return store.boards / f"{stem}.json"


def export_board(store: Store, board: str) -> Path:
    """Packs a board with its picture into one file among the exports; raises BoardwardenError."""
    profile = load_profile(Path(board))
    path = store.exports / (_free_stem(store.exports, profile.file_name, SUFFIX) + SUFFIX)
    try:
        store.exports.mkdir(parents=True, exist_ok=True)
        replace_file(path, profile.pack())
    except OSError as error:
        raise _refused(store.exports, error) from error
    return path


def import_board(store: Store, path: Path) -> Path:
    """Takes a packed board over; raises BoardwardenError with what is wrong with it."""
    return save_profile(store, read_packed(path))


def write_sheets(store: Store, board: str, game: str) -> Path:
    """Writes a board, corner labels, the lens sheet and templates as one PDF among the exports,
    and beside it the board file of the printed board; raises BoardwardenError."""
    from calibration import sheets
    from companion_app.commands import print as sheet_words
    from engine.board import load_board

    printed = sheets.printed_board(load_board(board, game))
    pages = [page for what in ("board", "labels", "lens", "templates") for page in sheet_words.sheets_of(what, printed)]  # fmt: skip
    data = sheets.write_pdf(pages, sheets.PAPERS["A4"], sheet_words.words)
    path = store.exports / f"{_free_stem(store.exports, game, '.pdf')}.pdf"
    try:
        store.exports.mkdir(parents=True, exist_ok=True)
        replace_file(path, data)
        replace_file(path.with_suffix(".json"), sheet_words.board_file(printed))
    except OSError as error:
        raise _refused(store.exports, error) from error
    return path


def _refused(folder: Path, error: OSError) -> BoardwardenError:
    reason = error.strerror or "the disk refuses"
    return BoardwardenError(
        f"nothing can be written to {shown(folder)} ({reason}): make room there"
    )


def _free_stem(folder: Path, wanted: str, suffix: str) -> str:
    stem, n = wanted, 1
    while (folder / f"{stem}{suffix}").exists():
        n += 1
        stem = f"{wanted}-{n}"
    return stem
