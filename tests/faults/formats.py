"""Every format that comes from outside: whole examples, damage that knows the format, and its use.

The tests run each briefly; ``tests.faults.guided`` searches for new ways through the code for long.
"""

from __future__ import annotations

import io
import json
import os
import random
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.profile import make_profile, read_packed
from companion_app import device, library
from companion_app.selftest.damage import damaged_bytes, damaged_json, json_text
from companion_app.settings import Settings
from companion_app.store import Store
from companion_app.table_setup import TableSetup
from companion_app.texts.catalogue import APP, path_of, read_catalogue
from companion_app.texts.speaker import Speaker
from engine.board import load_board
from engine.errors import BoardwardenError
from engine.files import parse_json, read_json
from engine.game import Header, Player
from engine.judge import judge_record
from engine.magalon.simulate import play_game
from engine.record import Game, format_header
from engine.referee.cards import parse_cards
from engine.rooms import ROOMS, room_for
from engine.simulation.recording import read_recording
from engine.verdict import Listed, Message
from models import model_path
from vision.labels import load_labels, parse_enrol
from vision.sources import open_source, read_picture
from vision.tiles.profile import Profile

PLAYERS = (Player("Ada", "violet"), Player("Zoë", "green"))
SEATS = {
    "magalon": PLAYERS,
    "hexagon": (Player("Ada", "red"), Player("Zoë", "blue")),
    "grailnah": (Player("Ada", "white"), Player("Zoë", "blue"), Player("Kim", "red"), Player("Lou", "yellow")),
    "carcassonne": (Player("Ada", "red"), Player("Zoë", "blue")),
}  # fmt: skip


@dataclass(frozen=True)
class Format:
    """``seeds``: whole files; ``use``: what the program does with one, which may raise
    BoardwardenError and nothing else; ``lines``: each line is JSON; ``text``: JSON at all; ``damage``: knows
    the inside of such a file, None for what is none."""

    name: str
    file: str
    seeds: Callable[[], Sequence[bytes]]
    use: Callable[[Path], object]
    lines: bool = False
    text: bool = True
    damage: Callable[[bytes, random.Random], bytes | None] | None = None


def shipped(name: str) -> bytes:
    return resources.files("engine").joinpath(f"data/{name}.json").read_bytes()


def use_board(path: Path) -> None:
    """Every game begins on it if it can; else the first reason is told."""
    reasons = []
    for game in ROOMS:
        try:
            board = load_board(path, game)
            room = room_for(game)
            room.placement(room.start(Header(game, str(path), SEATS[game]), board))
        except BoardwardenError as error:
            reasons.append(error)
    library.check_board(str(path))
    library.read_board_entry(path)
    if len(reasons) == len(ROOMS):
        raise reasons[0]


@lru_cache
def magalon_lines() -> tuple[dict[str, Any], ...]:
    game = Game.begin(Header("magalon", "reference", PLAYERS, {"M-A8": "b"}))
    head = format_header(Header("magalon", "reference", PLAYERS, {"M-A8": "b"}))
    return (head, *(a.to_json() for a in play_game(game.state, random.Random(7), 12)))


def records() -> list[bytes]:
    own = [b"\n".join(json.dumps(line).encode() for line in magalon_lines())]
    folder = Path(__file__).resolve().parents[1] / "data" / "records"
    for name in ("hexagon_five_points", "grailnah_recovery", "carcassonne_three_players"):
        own.append(b"\n".join((folder / f"{name}.jsonl").read_bytes().splitlines()[:14]))
    return own


def use_record(path: Path) -> None:
    json.dumps(list(judge_record(path))[-1], allow_nan=False)


def use_saved_games(path: Path) -> None:
    """The file lies among the saved games, and is said to be the running one."""
    store = Store(path.parent.parent)
    (store.root / "running").write_bytes(path.name.encode())
    for entry in library.list_games(store):
        assert entry.lines >= 1
    saved = store.running()
    if saved is not None:
        library.rounds_of(saved)


LABELS = {
    "board": "board.json",
    "images": [
        {
            "image": "a.jpg",
            "corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]],
            "pieces": [
                {"kind": "wizard", "colour": "violet", "cell": "g10", "foot_px": [3, 4]},
                {"kind": "ruin", "colour": "grey", "cell": ["c7", "c6"], "visible": 0.4},
                {"kind": "die", "colour": None, "cell": None, "pips": 4},
            ],
            "hand": False,
        }
    ],
}


def use_labels(path: Path) -> None:
    try:
        parse_enrol(f"{path}#a.jpg")
    finally:
        load_labels(path)


def use_settings(path: Path) -> None:
    """Never refused: the worst is that nothing is remembered."""
    found = Settings.from_json(Store(path.parent).settings())
    assert Settings.from_json(found.to_json()) == found
    found.spoken, found.with_names(("Ada",))
    remembered = found.last.get("magalon", {})
    if isinstance(remembered, dict):
        str(remembered.get("reference") or "")
    device.remembered_threads(path.parent)


def settings_seed() -> list[bytes]:
    last = {"magalon": TableSetup(PLAYERS, 0, switches={"M-A8": "b"}).to_json()}
    return [json.dumps(Settings(names=("Ada",), last=last).to_json()).encode()]


def use_device(path: Path) -> None:
    assert 1 <= device.remembered_threads(path.parent) <= device.MOST_THREADS


def catalogues() -> list[bytes]:
    parts = path_of("fr", APP).read_text("utf-8").split("\n\n")
    return [("\n\n".join([parts[0], *parts[n : n + 6]]) + "\n").encode() for n in (1, 40)]


SAID = {
    "player": "violet", "piece": "wizard/violet", "by": "giant", "n": 3, "left": 1, "spot": "g10", "to": "g10",
    "cells": Listed(("a1", "b2"), "or"), "why": Message("x", "because"), "victim": "green", "done": True, "x": None,
}  # fmt: skip


def use_catalogue(path: Path) -> None:
    speaker = Speaker("fr", "magalon", {"violet": "Ada"})
    for key, text in read_catalogue(path).items():
        said = Speaker.template
        try:
            Speaker.template = lambda self, key, text=text: text  # type: ignore[method-assign]
            shown = speaker._filled(key, SAID)
        finally:
            Speaker.template = said  # type: ignore[method-assign]
        assert shown is None or len(shown) < 10_000 + len(text) * 100


def use_cards(path: Path) -> None:
    parse_cards(read_json(path, "the cards"))


OBSERVED = {
    "t": 1.5, "pose": True, "hand": False, "still_s": 1.0, "cells": {"g10": "seen"}, "changed": ["g10"],
    "pieces": [{"at_mm": [1.0, 2.0], "covariance_mm2": [4.0, 0.0, 4.0], "foot_px": [3.0, 4.0], "confidence": 0.9,
                "off_centre": 0.1, "pips": [], "candidates": [["wizard", "violet", ["g10"], -0.1]]}],
}  # fmt: skip


def use_observations(path: Path) -> None:
    try:
        lines = [parse_json(line) for line in path.read_bytes().decode().splitlines()]
    except ValueError as error:
        raise BoardwardenError(str(error)) from error
    list(read_recording(lines))


def use_model_list(path: Path) -> None:
    model_path("dice_reader", path.parent)


def picture(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    small = rng.integers(0, 255, (6, 8, 3), np.uint8)
    return cv2.resize(small, (32, 24), interpolation=cv2.INTER_CUBIC)


def pictures() -> list[bytes]:
    kinds = (".jpg", ".png", ".bmp", ".webp", ".tiff")
    return [cv2.imencode(kind, picture())[1].tobytes() for kind in kinds]


@lru_cache
def films() -> tuple[bytes, ...]:
    """A small film as AVI (Motion JPEG) and as MP4."""
    import tempfile

    out = []
    with tempfile.TemporaryDirectory() as folder:
        for name, code in (("a.avi", "MJPG"), ("a.mp4", "mp4v")):
            path = Path(folder) / name
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*code), 10, (32, 24))
            for n in range(5):
                writer.write(picture(n))
            writer.release()
            out.append(path.read_bytes())
    return tuple(out)


def use_picture(path: Path) -> None:
    image = read_picture(path)
    assert image.ndim == 3 and image.dtype == np.uint8


def profiles() -> list[bytes]:
    raw = json.loads(shipped("hexagon"))
    width, height = (round(v) for v in raw["size_mm"])
    face = cv2.resize(picture(), (width, height), interpolation=cv2.INTER_CUBIC)
    return [make_profile(raw, face).pack(), make_profile(raw, None).pack()]


def tile_prints() -> list[bytes]:
    views = {"C/R": (picture()[:4, :4].repeat(8, 0).repeat(8, 1),)}
    stream = io.BytesIO()
    arrays = {f"{kind}|{n}": v for kind, found in views.items() for n, v in enumerate(found)}
    np.savez_compressed(stream, version=np.array(1), **arrays)
    return [stream.getvalue()]


def damaged_profile(data: bytes, rng: random.Random) -> bytes | None:
    """Packed anew with a damaged member, another name, a member more or less."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = [(i.filename, package.read(i)) for i in package.infolist()]
    except Exception:
        return None
    out = io.BytesIO()
    with zipfile.ZipFile(
        out, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    ) as package:
        for name, content in members:
            if name.endswith(".json") and rng.random() < 0.7:
                content = damaged_member(content, rng)
            elif rng.random() < 0.4:
                content = damaged_bytes(content, rng)
            if rng.random() < 0.05:
                name = rng.choice(("../board.json", "/tmp/x", "board.json\0.jpg", "a/" * 200, "x"))
            if rng.random() < 0.95:
                package.writestr(name, content)
    return out.getvalue()


def damaged_member(content: bytes, rng: random.Random) -> bytes:
    try:
        return json_text(damaged_json(json.loads(content), rng), rng)
    except (ValueError, RecursionError):
        return damaged_bytes(content, rng)


def use_film(path: Path) -> None:
    source = open_source(str(path))
    try:
        times = [f.t_s for f in iter(lambda: source.read(1.0), None)]
        assert times == sorted(times)
    finally:
        source.close()


def _json(*values: object) -> Callable[[], list[bytes]]:
    return lambda: [json.dumps(v).encode() for v in values]


CARDS = {"cards": [{"round": 1, "laid": [["violet", 6], ["green", 9]]}, {"round": 2, "laid": []}]}
KNOWN = {"device": device.this_device(), "threads": 2}
FORMATS = {
    f.name: f
    for f in (
        Format("boards", "board.json", lambda: [shipped(g) for g in ROOMS], use_board),
        Format("records", "game.jsonl", records, use_record, lines=True),
        Format("saved games", "games/20260101-100000-magalon.jsonl", records, use_saved_games, lines=True),
        Format("labels", "labels.json", _json(LABELS), use_labels),
        Format("cards", "cards.json", _json(CARDS), use_cards),
        Format("settings", "settings.json", settings_seed, use_settings),
        Format("device", "device.json", _json(KNOWN), use_device),
        Format("observations", "seen.jsonl", _json(OBSERVED), use_observations, lines=True),
        Format("models", "manifest.json", lambda: [Path(model_path("detector")).with_name("manifest.json").read_bytes()], use_model_list),
        Format("translations", "fr.po", catalogues, use_catalogue, text=False),
        Format("pictures", "picture.jpg", pictures, use_picture, text=False),
        Format("profiles", "board.boardwarden", profiles, read_packed, text=False, damage=damaged_profile),
        Format("tile prints", "tiles.npz", tile_prints, Profile.load, text=False, damage=damaged_profile),
        Format("films", "film.mp4", lambda: list(films()), use_film, text=False),
    )
}  # fmt: skip


def prepared(form: Format, folder: Path) -> Path:
    """The file's place in an empty folder; its neighbours are there."""
    path = folder / form.file
    path.parent.mkdir(parents=True, exist_ok=True)
    if form.name == "models":
        weights = model_path("dice_reader")
        os.link(weights, path.parent / weights.name)
    return path
