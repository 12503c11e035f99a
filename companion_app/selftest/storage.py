"""The folder of games on this disk, the record through kills, and files damaged in any way."""

from __future__ import annotations

import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from companion_app.selftest.checks import Wanted
from companion_app.selftest.damage import damaged_bytes, damaged_json, json_text
from companion_app.selftest.playing import HEADER, REPORT, compare
from companion_app.settings import Settings
from companion_app.store import Store, read_game
from engine.board import load_board
from engine.errors import BoardwardenError
from engine.magalon.simulate import play_game
from engine.record import Game, Record, format_header, read_record, resume

LEAST_FREE_MB = 20.0
EVENTS, KILLS, DAMAGED = 60, 5, 150
REPORTS_BEFORE_KILL, SLOWEST_S = 6, 2.0
ELSEWHERE = "name another folder with --data or BOARDWARDEN_HOME"


@contextmanager
def _beside_the_games(wanted: Wanted) -> Iterator[Path]:
    """An empty folder on the disk that the games are kept on; gone afterwards."""
    try:
        wanted.home.mkdir(parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(prefix=".selftest-", dir=wanted.home)
    except OSError as error:
        raise BoardwardenError(
            f"games cannot be kept in {wanted.home} ({error.strerror}): {ELSEWHERE}"
        ) from error
    with made as folder:
        yield Path(folder)


def disk(wanted: Wanted) -> str:
    """The folder of games can be written and has room."""
    with _beside_the_games(wanted) as folder:
        free = shutil.disk_usage(folder).free / 1e6
    if free < LEAST_FREE_MB:
        raise BoardwardenError(
            f"only {free:.0f} MB are free for {wanted.home}: delete something, or {ELSEWHERE}"
        )
    return f"{free:.0f} MB free in {wanted.home}"


def record(wanted: Wanted) -> str:
    """A game is written event by event, read back, and opened after a torn and a damaged line."""
    game = Game.begin(HEADER)
    actions = list(play_game(game.state, random.Random(4), EVENTS))
    with _beside_the_games(wanted) as folder:
        recorder = Store(folder).new_game(HEADER)
        took = []
        for action in actions:
            began = time.perf_counter()
            safe = recorder.write(action.to_json())
            took.append(1000 * (time.perf_counter() - began))
            if not safe:
                raise BoardwardenError(f"an event could not be saved in {folder}: {ELSEWHERE}")
            game, _ = game.do(action)
        recorder.close()
        path = recorder.path
        assert path is not None
        _same(path, actions, game)
        whole = path.read_bytes()
        path.write_bytes(whole[:-9])
        _same(path, actions[:-1], None)
        lines = whole.splitlines(keepends=True)
        path.write_bytes(b"".join([*lines[:11], b'{"do": \n', *lines[11:]]))
        if read_game(path).trouble is None or len(read_game(path).actions) != 10:
            raise BoardwardenError("a damaged record is not noticed: please report this")
    return (
        f"{len(actions)} events, each on the disk in {statistics.median(took):.1f} ms (median;"
        f" slowest {max(took):.0f} ms), read back to the same position; torn and damaged lines noticed"
    )


def _same(path: Path, actions: list[Any], game: Game | None) -> None:
    saved = read_game(path)
    same = list(saved.actions) == actions
    if same and game is not None:
        again = resume(Record(saved.header, saved.actions))
        same = again.room.position(again.state) == game.room.position(game.state)
    if not same:
        raise BoardwardenError("the record reads back as another game: please report this")


def kills(wanted: Wanted) -> str:
    """A playing program is killed again and again; nothing that it showed may be missing."""
    events = lost = 0
    with _beside_the_games(wanted) as folder:
        for seed in range(KILLS):
            shown = _killed(folder, seed)
            if not shown:
                raise BoardwardenError("the game could not be started a second time: report this")
            events += len(shown) // REPORT.size
            try:
                lost += compare(folder, shown)
            except AssertionError as error:
                raise BoardwardenError(f"after a kill: {error}; please report this") from error
    if lost:
        raise BoardwardenError(
            f"{lost} shown events were lost: this disk does not keep what it was given; {ELSEWHERE}"
        )
    return f"{KILLS} kills in {events} shown states, 0 events lost"


def _killed(folder: Path, seed: int) -> bytes:
    """What a playing program reported before it was killed at a random moment."""
    child = subprocess.Popen(
        [sys.executable, "-m", "companion_app.selftest.playing", str(folder), str(seed)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    rng = random.Random(seed)
    assert child.stdout is not None
    with child.stdout as out:
        shown = out.read(REPORT.size * rng.randint(1, REPORTS_BEFORE_KILL))
        time.sleep(0.02 * rng.random())
        child.kill()
        child.wait()
        return shown + out.read()


def damaged(wanted: Wanted) -> str:
    """Files damaged in any way end in one sentence or are used; never a fault, never a long wait."""
    slowest, count, useful = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        for kind, one in _formats().items():
            for seed in range(DAMAGED):
                began = time.process_time()
                try:
                    useful += _survives(lambda seed=seed, one=one: one(seed, Path(name)))
                except Exception as error:
                    raise BoardwardenError(
                        f"damaged {kind} number {seed} bring a fault ({type(error).__name__}):"
                        " please report this"
                    ) from error
                slowest = max(slowest, time.process_time() - began)
                count += 1
    if slowest > SLOWEST_S:
        raise BoardwardenError(f"a damaged file was read for {slowest:.1f} s: please report this")
    return (
        f"{count} damaged records, boards and settings: {useful} usable, the others refused in one"
        f" sentence, 0 faults, slowest {1000 * slowest:.0f} ms"
    )


def _survives(call: Callable[[], object]) -> bool:
    try:
        call()
    except BoardwardenError:
        return False
    return True


def _formats() -> dict[str, Callable[[int, Path], object]]:
    start = Game.begin(HEADER).state
    played = [a.to_json() for a in play_game(start, random.Random(7), 6)]
    lines = [format_header(HEADER), *played]
    data = resources.files("engine").joinpath("data/hexagon.json").read_bytes()
    board, chosen = json.loads(data), Settings().to_json()

    def a_record(seed: int, folder: Path) -> object:
        rng = random.Random(seed)
        rows = [damaged_json(r, rng) if rng.random() < 0.2 else r for r in lines]
        path = folder / "game.jsonl"
        text = b"\n".join(json_text(row) for row in rows)
        path.write_bytes(damaged_bytes(text, rng) if rng.random() < 0.5 else text)
        return read_record(path)

    def a_board(seed: int, folder: Path) -> object:
        rng = random.Random(seed)
        path = folder / "board.json"
        path.write_bytes(json_text(damaged_json(board, rng), rng))
        return load_board(path, "hexagon")

    def some_settings(seed: int, folder: Path) -> object:
        rng = random.Random(seed)
        (folder / "settings.json").write_bytes(json_text(damaged_json(chosen, rng, 3), rng))
        return Settings.from_json(Store(folder).settings())

    return {"records": a_record, "boards": a_board, "settings": some_settings}
