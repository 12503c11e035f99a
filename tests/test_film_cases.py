"""A film's truth as cases: what stands where, at which time, and when a hand is in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion_app.cli import main
from companion_app.film_cases import FilmTruth, load_film
from engine.errors import BoardwardenError

FPS = 10
EVENTS: list[dict[str, Any]] = [
    {"t": 0.0, "event": "setup"},
    {"settled_from": 1.0, "settled_to": 1.6, "piece": "wizard/green", "to": "g10"},
    {"settled_from": 1.6, "settled_to": 2.2, "piece": "energy_stone/green", "track": 9, "hand": False},
    {"settled_from": 2.2, "settled_to": 2.8, "dice": [4, 3]},
    {"settled_from": 3.4, "settled_to": 4.0, "piece": "ruin/2", "to": ["k7", "k6", "j6"]},
]  # fmt: skip


def write(folder: Path, seconds: float = 4.2, **changes: Any) -> Path:
    """A film whose frames grow lighter, and its truth."""
    writer = cv2.VideoWriter(
        str(folder / "film.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), FPS, (160, 120)
    )
    for k in range(round(seconds * FPS)):
        writer.write(np.full((120, 160, 3), 20 + 5 * k, np.uint8))
    writer.release()
    truth = {
        "players": ["violet", "green"],
        "film": "film.mp4",
        "board": "reference",
        "events": EVENTS,
    }
    path = folder / "film.json"
    path.write_text(json.dumps(truth | changes))
    return path


@pytest.fixture
def film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FilmTruth:
    from engine.board import load_board

    return load_film(write(tmp_path), load_board("reference"))


def spots(case: Any, kind: str, colour: str) -> list[tuple[str, ...]]:
    return [p.spots for p in case.pieces if (p.kind, p.colour) == (kind, colour)]


def test_pieces_move_from_case_to_case(film: FilmTruth) -> None:
    settled = [c for c in film.cases if not c.hand_only]
    assert [c.name for c in settled] == [
        f"film-{t}s" for t in ("001.30", "001.90", "002.50", "003.70")
    ]
    before = spots(film.first, "wizard", "green")
    assert before != spots(settled[0], "wizard", "green") == [("g10",)]
    assert spots(settled[0], "energy_stone", "green") != [("track/9",)]
    assert spots(settled[1], "energy_stone", "green") == [("track/9",)]
    assert ("k7", "k6", "j6") in spots(settled[3], "ruin", "grey")
    assert len(settled[3].pieces) == len(film.first.pieces)


def test_hands_come_before_what_they_move(film: FilmTruth) -> None:
    hands = [c.name for c in film.cases if c.hand_only]
    assert hands == ["film-000.65s", "film-003.05s"]
    assert all(c.hand for c in film.cases if c.hand_only)
    assert film.first.hand is False


def test_dice_have_values_and_no_place(film: FilmTruth) -> None:
    [case] = [c for c in film.cases if c.dice]
    assert [(d.pips, d.centre_px, d.at_mm) for d in case.dice] == [(4, None, None), (3, None, None)]


def test_the_pictures_are_those_of_the_times(film: FilmTruth) -> None:
    for case in (film.first, *film.cases):
        t_s = float(case.name.removeprefix("film-").removesuffix("s"))
        grey = float(case.image().mean())
        assert grey == pytest.approx(20 + 5 * FPS * t_s, abs=10)


def test_a_film_that_is_too_short(tmp_path: Path) -> None:
    from engine.board import load_board

    film = load_film(write(tmp_path, seconds=2.0), load_board("reference"))
    with pytest.raises(BoardwardenError, match="not the whole film"):
        film.cases[-1].image()


def test_a_damaged_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "film.json"
    for text in ("{", "[]", '{"film": "x.mp4"}'):
        path.write_text(text)
        assert main(["evaluate", str(path)]) == 2
        said = capsys.readouterr().err
        assert "film.json" in said
        assert "Traceback" not in said


def test_a_missing_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["evaluate", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
