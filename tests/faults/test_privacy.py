"""A whole game asks nothing of the network and writes nothing but its own files.

Watched in three ways: an audit hook of Python in every process, the kernel's list of sockets of a
network of its own (with the real network cut, where that can be had), and the folders afterwards.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.faults.running import SOAK_S, soaked

ROOT = Path(__file__).resolve().parents[2]
HOOK = Path(__file__).resolve().parent / "hooked"
GAME = re.compile(r"games/[\d\-]+magalon\.jsonl")
KEPT = re.compile(r"settings\.json|running|games/[\d\-]+magalon\.jsonl")
# Files on their way to their place, the file without a name that tries whether games can be kept, and
# the kernel's own.
PASSING = re.compile(r"(games/)?\.[\w.\-]+\.part|games|/dev/null|/dev/shm/.*")
# What Python's standard library asks of the system: its name, and where libraries lie.
OF_THE_SYSTEM = {"uname", "ldconfig", "gcc", "cc", "ld", "objdump"}
pytestmark = [pytest.mark.window, pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")]


@dataclass(frozen=True)
class Watched:
    """What was seen of a game: its stages by name, and what was audited, in order."""

    home: Path
    outside: Path
    stages: dict[str, Any]
    audited: list[tuple[int, str, str]]
    cut: bool

    def until(self, stage: str) -> list[tuple[str, str]]:
        """What was audited up to the end of a stage."""
        return [(e, d) for _, e, d in self.audited[: self.stages[stage]["audited"]]]

    def written(self, stage: str) -> set[str]:
        """Files opened for writing; those of the game as paths below its folder."""
        opened = {d for e, d in self.until(stage) if e == "open"}
        return {
            os.path.relpath(d, self.home) if d.startswith(str(self.home)) else d for d in opened
        }


def network_of_its_own() -> list[str]:
    """The words that cut the network; none where this system does not let us."""
    words = ["unshare", "-rn"]
    if shutil.which("unshare") is None:
        return []
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if tried.returncode == 0 else []


def watch_game(folder: Path, seconds: float) -> Watched:
    home, outside, audit = folder / "games", folder / "outside", folder / "audit"
    outside.mkdir(parents=True)
    cut = network_of_its_own()
    keep = {k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH", "LANG")}
    env = {
        **keep, "PYTHONPATH": f"{HOOK}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1",
        "BOARDWARDEN_AUDIT": str(audit), "HOME": str(outside), "TMPDIR": str(outside),
        "XDG_DATA_HOME": str(outside), "XDG_CACHE_HOME": str(outside),
        "MESA_SHADER_CACHE_DISABLE": "true", "SDL_VIDEODRIVER": "offscreen",
        "SDL_AUDIODRIVER": "dummy", "KIVY_METRICS_DENSITY": "1", "LC_ALL": "en_GB.UTF-8",
    }  # fmt: skip
    done = subprocess.run(
        [*cut, sys.executable, "-m", "tests.faults.private_game", str(home), str(seconds)],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=seconds + 240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    stages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    rows = [tuple(json.loads(line)) for line in audit.read_text().splitlines()]
    return Watched(home, outside, {s["stage"]: s for s in stages}, rows, bool(cut))


@pytest.fixture(scope="module")
def watched(tmp_path_factory) -> Watched:
    return watch_game(tmp_path_factory.mktemp("private"), 0.5)


def check_network(watched: Watched) -> None:
    calls = [c for c in watched.until("report") if c[0].startswith(("socket.", "urllib.", "http"))]
    assert calls == []
    if watched.cut:  # else others' sockets are in the list
        for name in ("started", "seeing", "watched", "played", "looked back", "report"):
            assert watched.stages[name]["sockets"] == [], name


def check_files(watched: Watched) -> None:
    kept = [f for f in watched.stages["looked back"]["files"] if not KEPT.fullmatch(f)]
    assert kept == []  # no picture, no log, no copy
    foreign = [
        f
        for f in watched.written("looked back")
        if not KEPT.fullmatch(f) and not PASSING.fullmatch(f) and not a_tone(watched, f)
    ]
    assert foreign == []
    assert [p for p in watched.outside.rglob("*") if p.is_file()] == []


def a_tone(watched: Watched, path: str) -> bool:
    """The tones are made anew for every evening and are gone after it; for their folder the standard
    library tries with an empty file where it can write."""
    name = os.path.relpath(path, watched.outside)
    return bool(re.fullmatch(r"boardwarden-tones-\w+/\w+\.wav|[a-z0-9_]{8}", name))


def test_the_network_is_never_asked_until_somebody_turns_the_page_on(watched: Watched) -> None:
    assert watched.stages["watched"]["lines"] >= 2
    check_network(watched)


def test_only_the_game_s_own_files_are_written(watched: Watched) -> None:
    check_files(watched)
    assert any(GAME.fullmatch(f) for f in watched.written("looked back"))


def test_only_the_project_s_own_processes_are_started(watched: Watched) -> None:
    started = {d for e, d in watched.until("report") if e.startswith(("subprocess", "os.sys", "os.exec", "os.posix", "os.spawn"))}  # fmt: skip
    assert {Path(d).name for d in started} <= {Path(sys.executable).name, *OF_THE_SYSTEM}
    assert len({pid for pid, _, _ in watched.audited}) >= 2  # the eyes were watched too


def test_pictures_are_kept_only_in_a_report_that_was_asked_for(watched: Watched) -> None:
    before, after = (set(watched.stages[s]["files"]) for s in ("looked back", "report"))
    new = after - before
    assert len(new) == 1
    assert re.fullmatch(r"exports/.*-report\.zip", new.pop())


def test_the_page_listens_at_the_chosen_address_alone(watched: Watched) -> None:
    """The watch itself works: what is turned on is seen."""
    binds = [d for e, d in watched.until("page on") if e == "socket.bind"]
    assert binds == ["(('127.0.0.1', 0),)"]
    port = int(watched.stages["page on"]["url"].split(":")[2].split("/")[0])
    if watched.cut:
        listening = [s for s in watched.stages["page on"]["sockets"] if s.endswith(" 0A")]
        assert listening == [f"tcp 0: 0100007F:{port:04X} 00000000:0000 0A"]
        assert not [s for s in watched.stages["left"]["sockets"] if s.endswith(" 0A")]


@soaked
def test_the_whole_film_is_as_private(tmp_path: Path, capsys) -> None:
    watched = watch_game(tmp_path / "long", max(90.0, SOAK_S))
    check_network(watched)
    check_files(watched)
    with capsys.disabled():
        print(
            f"\nprivacy: {watched.stages['watched']['lines']} events of a whole film, 0 network calls,"
            f" {len(watched.stages['looked back']['files'])} files, all the game's own;"
            f" network {'cut' if watched.cut else 'not cut'}"
        )
