"""Pieces that look like other colours than those that were named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion_app.pipeline import TablePipeline
from companion_app.sight import View
from companion_app.texts.speaker import Speaker
from engine.board import load_board
from engine.game import Header, Player
from engine.rooms import room_for
from vision.appearance import ColourModel
from vision.detector import Detector
from vision.eyes import Eyes, board_reference
from vision.looks import Enrolment
from vision.named_colours import other_colours
from vision.reading import inventory_counts
from vision.scene import SceneWatch
from vision.sources import open_source

MAGALON = ("violet", "green", "red", "orange")
# As learnt from the development film under its warm lamp, and from a start picture.
WARM = {"violet": (157, 132, 172), "green": (116, 165, 128)}
LAMP = {"orange": (80, 161, 210), "red": (83, 75, 198)}
RENDERS = Path(__file__).parents[2].parent / "shared" / "renders"


def learnt(**paints: tuple[int, int, int]) -> Enrolment:
    return Enrolment({(None, c): ColourModel(p) for c, p in paints.items()}, {})


def test_other_players_pieces_are_named() -> None:
    eyes = learnt(red=WARM["violet"], orange=WARM["green"])
    assert other_colours(eyes, ["red", "orange"], MAGALON) == {"red": "violet", "orange": "green"}


@pytest.mark.parametrize("named", [WARM, LAMP, {**WARM, **LAMP}])
def test_the_right_colours_are_not_contradicted(named: dict[str, tuple[int, int, int]]) -> None:
    assert other_colours(learnt(**named), list(named), MAGALON) == {}


def test_two_named_colours_that_were_mixed_up_are_no_other_ones() -> None:
    eyes = learnt(violet=WARM["green"], green=WARM["violet"])
    assert other_colours(eyes, ["violet", "green"], MAGALON) == {}


def test_a_colour_without_a_usual_paint_says_nothing() -> None:
    eyes = learnt(turquoise=WARM["violet"], green=WARM["green"])
    assert other_colours(eyes, ["turquoise", "green"], (*MAGALON, "turquoise")) == {}


@pytest.mark.shared
@pytest.mark.parametrize("players", [("red", "orange"), ("violet", "green")])
def test_a_film_with_other_players_than_were_named_is_told(players: tuple[str, str]) -> None:
    board = load_board(RENDERS.parent / "boards" / "magalon.json")
    reference = board_reference(board, RENDERS / "magalon-reference.jpg")
    room = room_for("magalon")
    header = Header("magalon", "reference", tuple(Player(c, c) for c in players))
    start = room.placement(room.start(header, board))
    eyes = Eyes(board, Detector(), reference, inventory_counts(board, frozenset(players)))
    source = open_source(str(RENDERS / "magalon-dev.mp4"))
    pipeline = TablePipeline(source, eyes, SceneWatch(board, reference=reference), start)
    said = first_problem(pipeline.views())
    if players == ("violet", "green"):
        assert said is None
        return
    assert said is not None and said.problem is not None
    assert "green and violet" in said.problem.text
    spoken = {lang: Speaker(lang, "magalon", {}).show(said.problem) for lang in ("en", "de", "fr")}
    assert "green and violet" in spoken["en"] and "Grün und Violett" in spoken["de"]
    assert "vert et violet" in spoken["fr"]


def first_problem(views: Iterator[View]) -> View | None:
    """The first view that says something of colours, within the first two seconds."""
    for view in views:
        if view.problem is not None and view.problem.key == "sight.colours":
            return view
        if view.frame.t_s > 2.0:
            return None
    return None
