"""Records, labels, cards, options, settings and model lists with any damage: used or one sentence."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_app.selftest.damage import damaged_bytes, damaged_json, json_text
from companion_app.store import Store
from engine.action import Action
from engine.errors import BoardwardenError
from engine.files import read_json
from engine.game import Header, Player
from engine.judge import judge_record
from engine.magalon.simulate import play_game
from engine.record import Game, format_header, to_line
from engine.referee.cards import parse_cards
from models import detector_path
from tests.faults.running import short, soaked, survives
from vision.labels import load_labels, parse_enrol

PLAYERS = (Player("Ada", "violet"), Player("Zoë", "green"))
HEADER = Header("magalon", "reference", PLAYERS, {"M-A8": "b"})


def _lines() -> list[dict]:
    game = Game.begin(HEADER)
    position = game.room.position(game.state)
    head = format_header(Header("magalon", "reference", PLAYERS, {"M-A8": "b"}, position))
    played = play_game(game.state, random.Random(7), 40)
    extra = [Action(None, "correct", {"energy": {"violet": 7}}), Action("violet", "undo")]
    return [head, *(a.to_json() for a in (*played, *extra))]


LINES = _lines()
LABELS = {
    "board": "board.json",
    "images": [
        {
            "image": "a.jpg",
            "corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]],
            "pieces": [
                {"kind": "wizard", "colour": "violet", "cell": "g10", "foot_px": [3, 4]},
                {"kind": "ruin", "colour": "grey", "cell": ["c7", "c6"], "visible": 0.4},
                {"kind": "energy_stone", "colour": "green", "track": 9, "at_mm": [1.5, 2.5]},
                {"kind": "die", "colour": None, "cell": None, "pips": 4},
            ],
            "hand": False,
        }
    ],
}
CARDS = {"cards": [{"round": 1, "laid": [["violet", 6], ["green", 9]]}, {"round": 2, "laid": []}]}
SETTINGS = {
    "new_game": {
        "players": [["Ada", "violet"], ["Ben", "green"]],
        "source": 0,
        "board": "reference",
        "reference": None,
    }
}


def one_record(seed: int, folder: Path) -> bool:
    rng = random.Random(seed)
    lines = list(LINES)
    if rng.random() < 0.4:
        lines[0] = damaged_json(lines[0], rng, 3)
    for _ in range(rng.randint(0, 6)):
        at = rng.randrange(1, len(lines))
        lines[at] = damaged_json(lines[at], rng)
    data = b"\n".join(json_text(line) for line in lines)
    if rng.random() < 0.3:
        data = damaged_bytes(data, rng)
    path = folder / "game.jsonl"
    path.write_bytes(data)

    def judge() -> None:
        rows = list(judge_record(path))
        json.dumps(rows[-1], allow_nan=False)

    return survives(judge)


def one_labels(seed: int, folder: Path) -> bool:
    rng = random.Random(seed)
    path = folder / "labels.json"
    path.write_bytes(json_text(damaged_json(LABELS, rng, 3), rng))
    survives(lambda: parse_enrol(f"{path}#a.jpg"))
    return survives(lambda: load_labels(path))


def one_cards(seed: int, folder: Path) -> bool:
    rng = random.Random(seed)
    path = folder / "cards.json"
    path.write_bytes(json_text(damaged_json(CARDS, rng, 3), rng))
    return survives(lambda: parse_cards(read_json(path, "the cards")))


def one_settings(seed: int, folder: Path) -> bool:
    """Whatever stands in the settings, the app begins; the worst is that nothing is remembered."""
    rng = random.Random(seed)
    store = Store(folder)
    path = folder / "settings.json"
    path.write_bytes(json_text(damaged_json(SETTINGS, rng, 3), rng))
    found = store.settings()
    assert isinstance(found, dict)
    (folder / "running").write_bytes(damaged_bytes(b"20260101-100000-magalon.jsonl\n", rng))
    store.running()
    return bool(found)


def one_model_list(seed: int, folder: Path) -> bool:
    rng = random.Random(seed)
    names = [p.name for p in (detector_path(), detector_path().with_name("manifest.json"))]
    for name in names:
        source = detector_path().with_name(name)
        target = folder / name
        if not target.exists() or name == "manifest.json":
            target.write_bytes(source.read_bytes())
    if rng.random() < 0.5:
        raw = json.loads((folder / "manifest.json").read_text())
        (folder / "manifest.json").write_bytes(json_text(damaged_json(raw, rng), rng))
    else:
        (folder / names[0]).write_bytes(damaged_bytes((folder / names[0]).read_bytes(), rng))
    return survives(lambda: detector_path(folder))


FORMATS: dict[str, Callable[[int, Path], bool]] = {
    "records": one_record,
    "labels": one_labels,
    "cards": one_cards,
    "settings": one_settings,
}


@pytest.mark.parametrize("name", FORMATS)
def test_damaged(name: str, tmp_path: Path) -> None:
    folder = tmp_path

    @short(60)
    @given(st.integers(0, 2**32))
    def run(seed: int) -> None:
        FORMATS[name](seed, folder)

    run()


def test_a_changed_model_is_never_loaded(tmp_path: Path) -> None:
    for seed in range(12):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = detector_path()
        data = bytearray(path.read_bytes())
        (folder / "manifest.json").write_bytes(path.with_name("manifest.json").read_bytes())
        rng = random.Random(seed)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        (folder / path.name).write_bytes(data)
        with pytest.raises(BoardwardenError, match="damaged"):
            detector_path(folder)


def test_a_model_list_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.onnx"
    outside.write_bytes(b"")
    folder = tmp_path / "models"
    folder.mkdir()
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    for name in ("../elsewhere.onnx", str(outside), "a/../../elsewhere.onnx"):
        entry = {"detector": {"file": name, "sha256": empty}}
        (folder / "manifest.json").write_text(json.dumps(entry))
        with pytest.raises(BoardwardenError, match="model list"):
            detector_path(folder)


def test_lines_of_a_record_are_always_utf8() -> None:
    line = to_line({"do": "note", "text": "\ud800 \x00 \u2028"})
    assert json.loads(line.encode())["text"] == "\ud800 \x00 \u2028"


@soaked
@pytest.mark.parametrize("name", FORMATS)
def test_for_long(name: str, tmp_path: Path, soak) -> None:
    soak(name, lambda seed: FORMATS[name](seed, tmp_path))


@soaked
def test_model_files_for_long(tmp_path: Path, soak) -> None:
    soak("model files", lambda seed: one_model_list(seed, tmp_path))
