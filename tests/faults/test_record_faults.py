"""The record: the machine stops at every call, the disk fails at every call; nothing shown is lost."""

from __future__ import annotations

import errno
import itertools
import os
import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion_app.store import Store, read_game
from engine.action import Action
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.magalon.simulate import play_game
from engine.record import Game, Record, resume, to_line
from tests.faults.disk import FaultyOs, Killed, Plan
from tests.faults.running import run_for, soaked

ROOT = Path(__file__).resolve().parents[2]
HEADER = Header("magalon", "reference", (Player("Ada", "violet"), Player("Zoë", "green")))
STEPS = 10
PATIENCE = 12


@dataclass(frozen=True)
class Script:
    """A game's actions, and its positions before each and at the end."""

    actions: tuple[Action, ...]
    positions: tuple[dict, ...]


@pytest.fixture(scope="module")
def script() -> Script:
    game = Game.begin(HEADER)
    actions, positions = [], [game.room.position(game.state)]
    for action in play_game(game.state, random.Random(3), STEPS):
        game, _ = game.do(action)
        actions.append(action)
        positions.append(game.room.position(game.state))
    return Script(tuple(actions), tuple(positions))


class Table:
    """Plays the script: what is written may be shown, and only then."""

    def __init__(self, home: Path, disk: FaultyOs, patch: pytest.MonkeyPatch) -> None:
        self.home, self.disk, self.patch = home, disk, patch
        self.shown = -1  # actions shown; -1: not even the empty table
        self.began = 0  # actions that were there already
        self.safe = -1  # of these, shown without the word that they cannot be saved

    def play(self, script: Script) -> None:
        with self.patch.context() as faulty:
            for module in ("recorder", "store"):
                faulty.setattr(f"companion_app.{module}.os", self.disk)
            store = Store(self.home)
            saved = store.running()
            done = self.began = 0 if saved is None else len(saved.actions)
            recorder = store.new_game(HEADER) if saved is None else store.resume(saved)
            self._show(done, recorder.trouble is None)
            for number, action in enumerate(script.actions[done:], done + 1):
                self._show(number, recorder.write(action.to_json()))
            for _ in range(PATIENCE):  # as the app does while nobody plays
                self._show(self.shown, recorder.flush())
            recorder.close()

    def _show(self, count: int, safe: bool) -> None:
        self.shown = count
        if safe:
            self.safe = count


def after_restart(home: Path, table: Table, script: Script) -> int:
    """Checks what a restart finds; the number of actions that it finds."""
    store = Store(home)
    saved = store.running()
    if table.safe < 0 and saved is None:
        return 0  # nobody has seen this game
    assert saved is not None, "the game is not offered"
    assert saved.trouble is None, saved.trouble
    count = len(saved.actions)
    assert saved.actions == script.actions[:count], "half or foreign events"
    assert table.safe <= count <= max(table.shown, table.began) + 1, "shown events are lost"
    game = resume(Record(saved.header, saved.actions))
    assert game.room.position(game.state) == script.positions[count]
    return count


def goes_on(home: Path, script: Script) -> None:
    """After the restart the game is played to its end, and nothing of it is missing."""
    table = Table(home, FaultyOs(Plan()), pytest.MonkeyPatch())
    table.play(script)
    assert table.safe == len(script.actions)
    saved = Store(home).running()
    assert saved is not None
    assert saved.actions == script.actions
    assert not list((home / "games").glob("*.damaged*"))


def calls_of(script: Script, home: Path, patch: pytest.MonkeyPatch) -> int:
    disk = FaultyOs(Plan())
    Table(home, disk, patch).play(script)
    return disk.calls


def kill(home: Path, plan: Plan, script: Script, patch: pytest.MonkeyPatch, power: int) -> int:
    """Plays until the machine stops; ``power``: seed of what is lost, 0: only the program ends."""
    disk = FaultyOs(plan)
    table = Table(home, disk, patch)
    try:
        table.play(script)
    except Killed:
        if power:
            disk.lose(random.Random(power))
    return after_restart(home, table, script)


def test_killed_before_after_and_within_every_call(
    tmp_path: Path, script: Script, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    calls = calls_of(script, tmp_path / "count", monkeypatch)
    homes: Iterator[Path] = (tmp_path / str(n) for n in itertools.count())
    tried = 0
    for at in range(calls):
        for late, half, power in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1 + at), (1, 0, 1 + at)):
            home = next(homes)
            plan = Plan(kill_at=at, late=bool(late), half=bool(half))
            kill(home, plan, script, monkeypatch, power)
            if at % 7 == 0:
                goes_on(home, script)
            tried += 1
    with capsys.disabled():
        print(f"\nrecord: {tried} stops at {calls} calls of the disk, 0 shown events lost")


def test_killed_again_and_again_while_it_goes_on(
    tmp_path: Path, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(5)
    before = 0
    for _ in range(60):
        plan = Plan(kill_at=rng.randrange(30), late=rng.random() < 0.5, half=True)
        before_now = kill(tmp_path, plan, script, monkeypatch, rng.randrange(1, 10**6))
        assert before_now >= before
        before = before_now
    goes_on(tmp_path, script)
    assert len(list((tmp_path / "games").glob("*.jsonl"))) <= 3  # some ended before they were shown


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES])
def test_the_disk_fails_at_every_call_and_recovers(
    tmp_path: Path, script: Script, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    calls = calls_of(script, tmp_path / "count", monkeypatch)
    for number, (at, length) in enumerate(itertools.product(range(0, calls, 2), (1, 9))):
        home = tmp_path / str(number)
        disk = FaultyOs(Plan(fail=range(at, at + length), error=error))
        table = Table(home, disk, monkeypatch)
        table.play(script)
        assert table.safe == len(script.actions), "it did not recover"
        last = Store(home).running()
        assert last is not None, "the game is not offered"
        assert last.actions == script.actions


def test_a_stop_while_the_disk_fails_loses_only_what_was_said_to_be_unsaved(
    tmp_path: Path, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(11)
    for number in range(150):
        start = rng.randrange(60)
        plan = Plan(
            kill_at=start + rng.randrange(40), late=rng.random() < 0.5, half=rng.random() < 0.5,
            fail=range(start, start + rng.randrange(1, 30)), error=errno.ENOSPC,
        )  # fmt: skip
        kill(tmp_path / str(number), plan, script, monkeypatch, rng.randrange(10**6))


def test_a_name_that_was_not_forced_to_the_disk_counts_as_unsaved(
    tmp_path: Path, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any one call fails, later the power: what was said to be saved is offered again."""
    calls = calls_of(script, tmp_path / "count", monkeypatch)
    for at in range(min(calls, 30)):
        for power in (1, 2, 3):
            plan = Plan(kill_at=calls - 2, fail=range(at, at + 1), error=errno.EIO)
            kill(tmp_path / f"{at}-{power}", plan, script, monkeypatch, power)


def test_a_file_that_is_cut_removed_or_changed_is_written_anew(
    tmp_path: Path, script: Script
) -> None:
    def cut(path: Path) -> None:
        path.write_bytes(path.read_bytes()[:90])

    def remove(path: Path) -> None:
        path.unlink()

    def remove_folder(path: Path) -> None:
        path.unlink()
        path.parent.rmdir()

    def extend(path: Path) -> None:
        path.write_bytes(path.read_bytes() + b'{"do": "foreign"}\n')

    for number, damage in enumerate((cut, remove, remove_folder, extend)):
        store = Store(tmp_path / str(number))
        recorder = store.new_game(HEADER)
        assert recorder.path is not None
        for n, action in enumerate(script.actions):
            if n == 4:
                damage(recorder.path)
            assert recorder.write(action.to_json())
        assert read_game(recorder.path).actions == script.actions
        recorder.close()


def test_a_game_open_in_one_window_is_not_gone_on_with_in_another(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    first = Store(tmp_path).new_game(HEADER)
    other = Store(tmp_path)
    saved = other.running()
    assert saved is not None
    with pytest.raises(BoardwardenError, match="another window"):
        other.resume(saved)
    first.close()
    again = other.resume(saved)
    assert again.write({"do": "undo"})


def test_what_another_window_wrote_meanwhile_is_never_cut_off(tmp_path: Path) -> None:
    """Both have read the game; one goes on with it and is closed before the other one begins."""
    Store(tmp_path).new_game(HEADER).close()
    one, other = Store(tmp_path), Store(tmp_path)
    read, stale = one.running(), other.running()
    assert read is not None and stale is not None
    first = one.resume(read)
    assert first.write({"do": "note", "text": "shown"})
    first.close()
    with pytest.raises(BoardwardenError, match="open it once more"):
        other.resume(stale)
    found = other.running()
    assert found is not None
    assert [a.do for a in found.actions] == ["note"]
    assert other.resume(found).write({"do": "undo"})  # nobody holds the game any more


def test_damage_is_kept_in_one_copy_however_often_it_is_opened(
    tmp_path: Path, script: Script
) -> None:
    store = Store(tmp_path)
    recorder = store.new_game(HEADER)
    for action in script.actions:
        recorder.write(action.to_json())
    recorder.close()
    path = recorder.path
    assert path is not None
    lines = path.read_bytes().splitlines(keepends=True)
    lines[5] = b'{"do": \n'
    damaged = b"".join(lines)
    path.write_bytes(damaged)
    for _ in range(3):
        saved = Store(tmp_path).running()
        assert saved is not None
        assert saved.trouble is not None
        assert saved.actions == script.actions[:4]
        store.resume(saved).close()
        path.write_bytes(damaged)  # as if the machine had stopped before the cut
    copies = list(path.parent.glob("*.damaged-*"))
    assert [c.read_bytes() for c in copies] == [damaged]


def test_a_header_written_by_an_older_program_opens(tmp_path: Path, script: Script) -> None:
    """Version 1 as it was first written: fewer keys, other spacing, and a key nobody knows."""
    path = tmp_path / "old.jsonl"
    head = '{"boardwarden":1,"game":"magalon","players":[{"colour":"violet"},{"colour":"green"}],"club":"Bonn"}'
    lines = [head, "", *(to_line(a.to_json()).replace(", ", ",") for a in script.actions)]
    path.write_bytes("\r\n".join(lines).encode())
    saved = read_game(path)
    assert saved.header.extra == {"club": "Bonn"}
    assert saved.header.board == "reference"
    assert saved.actions == script.actions
    newer = path.read_text().replace('"boardwarden":1', '"boardwarden":7')
    path.write_text(newer)
    with pytest.raises(BoardwardenError, match="update Boardwarden"):
        read_game(path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of the kernel")
def test_a_disk_that_is_really_full(tmp_path: Path, script: Script) -> None:
    """The kernel refuses beyond a size, in the middle of a line, in a child process."""
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from companion_app.store import Store\n"
        "from tests.faults.test_record_faults import HEADER\n"
        "recorder = Store(Path(sys.argv[1])).new_game(HEADER)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))\n"
        "told = [recorder.write({'do': 'note', 'text': f'n{i}'}) for i in range(20)]\n"
        "assert told[0] and not told[-1] and recorder.trouble is not None\n"
        "assert told == sorted(told, reverse=True)\n"
        "soft = resource.RLIM_INFINITY\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (soft, resource.RLIM_INFINITY))\n"
        "print(sum(told), recorder.write({'do': 'note', 'text': 'last'}))\n"
    )
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), "400"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    count, recovered = done.stdout.split()
    assert int(count) > 2
    assert recovered == "True"
    saved = Store(tmp_path).running()
    assert saved is not None
    assert [a.args["text"] for a in saved.actions] == [*(f"n{i}" for i in range(20)), "last"]


def kills(home: Path, rounds: int, seed: int) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.killing", str(home), str(rounds), str(seed)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_at_random_moments(tmp_path: Path, capsys) -> None:
    said = kills(tmp_path, 25, 1)
    with capsys.disabled():
        print(f"\n{said.strip()}")
    assert "0 shown events lost" in said


@soaked
def test_500_kills(tmp_path: Path, capsys) -> None:
    with capsys.disabled():
        print(f"\n{kills(tmp_path, 500, random.randrange(10**6)).strip()}")


@soaked
def test_disk_faults_for_long(
    tmp_path: Path, script: Script, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    def one(seed: int) -> bool:
        rng = random.Random(seed)
        start = rng.randrange(90)
        plan = Plan(
            kill_at=rng.randrange(100), late=rng.random() < 0.5, half=rng.random() < 0.5,
            fail=range(start, start + rng.choice((0, 1, 3, 20))),
            error=rng.choice((errno.ENOSPC, errno.EIO, errno.EROFS)),
        )  # fmt: skip
        kill(tmp_path / str(seed), plan, script, monkeypatch, rng.choice((0, seed)))
        return True

    with capsys.disabled():
        run_for("disk faults", one)
