"""What is said aloud: only what changed, through whatever command the system has."""

from __future__ import annotations

import math
import sys
import time
import wave
from dataclasses import replace
from pathlib import Path

import pytest

from companion_app import texts
from companion_app.games import face_of
from companion_app.snapshot import CameraState, Light, Question, Sentence, Snapshot
from companion_app.voice import speech
from companion_app.voice.news import changes
from companion_app.voice.speech import CommandMouth, Engine, find_engine
from companion_app.voice.tones import RATE, TONES, samples, write_tone
from engine.board import Board
from engine.game import Header
from engine.rooms import room_for
from engine.verdict import Message, Status
from tests.app.helpers import eventually


@pytest.fixture
def quiet(board: Board, header: Header) -> Snapshot:
    """A game that has just begun."""
    room, face = room_for("magalon"), face_of("magalon")
    texts.choose_game("magalon", {p.colour: p.name for p in header.players})
    state = room.start(header, board)
    table = face.table(room.position(state), header, board, to_act="violet", winner=None)
    off = CameraState(Light.OFF, texts.message("camera.off"))
    return Snapshot(1, header, room.placement(state), table, off)


def spoken(before: Snapshot | None, after: Snapshot) -> str:
    heard = changes(before, after)
    return "" if heard is None else " ".join(texts.show(m) for m in heard.said)


def test_nothing_is_said_when_nothing_changed(quiet: Snapshot) -> None:
    assert changes(quiet, replace(quiet, serial=2)) is None


def test_the_first_turn_is_said(quiet: Snapshot) -> None:
    assert spoken(None, quiet) == "Ada lays a card"


def test_a_refusal_is_said_once_and_interrupts(quiet: Snapshot) -> None:
    bad = Sentence("v1", Status.ILLEGAL, Message("x", "Not so far."), "M-19")
    refused = replace(quiet, sentence=bad)
    heard = changes(quiet, refused)
    assert heard is not None and heard.urgent and heard.tone == "refused"
    assert spoken(quiet, refused) == "Not so far."
    assert changes(refused, replace(refused, serial=3)) is None
    assert spoken(refused, replace(quiet, sentence=replace(bad, id="v2"))) == "Not so far."


def test_only_changed_numbers_are_said_with_the_next_turn(quiet: Snapshot) -> None:
    seats = tuple(replace(s, number=s.number - 1) if s.colour == "green" else s for s in quiet.table.seats)  # fmt: skip
    headline = texts.message("headline.act", player="violet", card=6)
    after = replace(quiet, table=replace(quiet.table, seats=seats, headline=headline))
    assert spoken(quiet, after) == "Ben: 9. Ada moves with card 6"


def test_questions_and_trouble_are_said(quiet: Snapshot) -> None:
    asked = replace(quiet, question=Question("q1", Message("x", "Which was it?"), ()))
    assert spoken(quiet, asked) == "Which was it?"
    lost = replace(quiet, camera=CameraState(Light.TROUBLE, texts.message("camera.lost")))
    assert spoken(quiet, lost) == "The camera is lost: check its cable."
    assert changes(lost, replace(lost, serial=4)) is None


WRITER = (
    "import sys, time; out, wait = sys.argv[1], float(sys.argv[2]); text = sys.stdin.read();"
    "time.sleep(wait); open(out, 'a', encoding='utf-8').write(text + '|')"
)


def engine(out: Path, wait_s: float = 0.0) -> Engine:
    return Engine("test", lambda lang, vol: [sys.executable, "-c", WRITER, str(out), str(wait_s)])


def test_the_text_reaches_the_command_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "said"
    mouth = CommandMouth(engine(out))
    mouth.say('Zoë; rm -rf / "$(no)" \'…', "fr", 0.5)
    assert eventually(lambda: out.exists() and out.read_text("utf-8").endswith("|"))
    assert out.read_text("utf-8") == 'Zoë; rm -rf / "$(no)" \'…|'
    mouth.close()


def test_an_urgent_text_interrupts_and_only_the_newest_waits(tmp_path: Path) -> None:
    out = tmp_path / "said"
    mouth = CommandMouth(engine(out, 30.0))
    mouth.say("a long story", "en", 1.0)
    assert eventually(lambda: mouth._speaking is not None)
    mouth._engine = engine(out)
    mouth.say("never mind", "en", 1.0)
    mouth.say("stop", "en", 1.0, urgent=True)
    assert eventually(lambda: out.exists() and "|" in out.read_text("utf-8"))
    time.sleep(0.05)
    assert out.read_text("utf-8") == "stop|"
    mouth.close()


def test_a_command_that_fails_is_survived(tmp_path: Path) -> None:
    out = tmp_path / "said"
    mouth = CommandMouth(Engine("broken", lambda lang, vol: [str(tmp_path / "not-there")]))
    mouth.say("one", "en", 1.0)
    mouth._engine = engine(out)
    assert eventually(lambda: mouth._waiting.empty())
    mouth.say("two", "en", 1.0)
    assert eventually(lambda: out.exists() and "|" in out.read_text("utf-8"))
    mouth.close()


@pytest.mark.parametrize(
    ("platform", "name", "words"),
    [
        ("linux", "spd-say", ["-l", "de"]),
        ("linux", "espeak-ng", ["-v", "de"]),
        ("darwin", "say", ["-v", "Anna"]),
        ("win32", "powershell", ["-NoProfile"]),
    ],
)
def test_the_system_s_command_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, name: str, words: list[str]
) -> None:
    command = tmp_path / (f"{name}.exe" if platform == "win32" else name)
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PATHEXT", ".exe")
    monkeypatch.setattr(speech.sys, "platform", platform)
    found = find_engine()
    assert found is not None and found.name == name
    line = found.command("de", 0.5)
    assert line[0] == str(command)
    assert set(words) <= set(line)


def test_without_a_command_there_is_no_voice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_engine() is None


@pytest.mark.parametrize("name", sorted(TONES))
def test_tones_are_short_and_do_not_click(name: str, tmp_path: Path) -> None:
    found = samples(name)
    assert len(found) == pytest.approx(RATE * math.fsum(s for _, s in TONES[name]), abs=8)
    assert abs(found[0]) < 200 and abs(found[-1]) < 2000
    assert max(map(abs, found)) > 8000
    write_tone(name, tmp_path / "tone.wav")
    with wave.open(str(tmp_path / "tone.wav")) as file:
        assert file.getnframes() == len(found)
