"""What a picture teaches of itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import companion_app
from companion_app.benchmark.table import Table, demo_table
from engine.observation import SeenPiece
from vision.appearance import ColourModel
from vision.detector import Detector
from vision.eyes import Eyes
from vision.seen import ReadPiece
from vision.self_enrolment import LEAST, SURE, believable, sure_labels

DEMO = Path(companion_app.__file__).parent / "demo"


def piece(n: int, **other: object) -> ReadPiece:
    at = (28.0 * n, 14.0)
    seen = SeenPiece(at, (1.0, 0.0, 1.0), at, (), SURE, 0.0, ())
    return replace(ReadPiece("goblin", "black", (f"a{n}",), at, at, SURE, seen), **other)  # type: ignore[arg-type]


def test_sure_pieces_are_learnt_from_where_they_were_seen() -> None:
    labels = sure_labels([piece(n) for n in range(LEAST)])
    assert [(p.kind, p.spots, p.foot_px) for p in labels[:1]] == [("goblin", ("a0",), (0.0, 14.0))]
    assert len(labels) == LEAST


@pytest.mark.parametrize("other", [{"confidence": SURE - 0.01}, {"spots": ()}, {"kind": "die"}])
def test_unsure_things_teach_nothing(other: dict[str, object]) -> None:
    labels = sure_labels([*(piece(n) for n in range(LEAST)), piece(LEAST, **other)])
    assert len(labels) == LEAST


def test_too_few_pieces_teach_nothing() -> None:
    assert sure_labels([piece(n) for n in range(LEAST - 1)]) == ()


@pytest.fixture(scope="module")
def table() -> Table:
    return demo_table(DEMO, Detector())


def faults(table: Table, eyes: Eyes) -> int:
    """Pieces missed or too many in the first picture, as compared with taught eyes."""
    image = table.frames[0].image

    def places(pieces: tuple[ReadPiece, ...]) -> Counter[tuple[str, str | None, frozenset[str]]]:
        return Counter((p.kind, p.colour, frozenset(p.spots)) for p in pieces if p.kind != "die")

    truth = places(table.eyes.look(image, table.pose).reading.pieces)
    read = places(eyes.look(image, table.pose).reading.pieces)
    return sum(((truth - read) + (read - truth)).values())


def test_untaught_eyes_read_better_after_learning_from_the_picture_itself(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    eyes = Eyes(table.board, table.eyes.detector, table.reference, table.eyes.counts)
    learnt = faults(table, eyes)
    assert eyes.enrolment.nothing, "a picture that nobody has confirmed teaches only itself"
    monkeypatch.setattr("vision.eyes.sure_labels", lambda pieces: ())
    assert learnt < faults(table, eyes)


def test_taught_eyes_lose_nothing_by_studying(table: Table) -> None:
    image = table.frames[0].image
    looked = table.eyes.look(image, table.pose).reading.pieces
    studied = table.eyes.study(image, table.pose).reading.pieces
    assert [(p.kind, p.spots) for p in studied] == [(p.kind, p.spots) for p in looked]


def test_paint_that_is_another_colours_is_not_believed() -> None:
    red, orange, violet = (ColourModel(v) for v in ((40, 40, 190), (35, 125, 220), (150, 50, 120)))
    taught = {(None, "red"): red, (None, "orange"): orange, (None, "violet"): violet}
    brighter = ColourModel((45, 48, 220))
    shadow = ColourModel((20, 16, 24))
    paint = {
        ("shield", "red"): brighter, ("shield", "orange"): ColourModel((42, 44, 180)),
        ("goblin", "black"): shadow,
    }  # fmt: skip
    kept = believable(paint, taught)
    assert kept == {("shield", "red"): brighter, ("goblin", "black"): shadow}
    black = {**taught, (None, "black"): ColourModel((22, 22, 25))}
    assert not believable({("shield", "violet"): shadow}, black)
    assert believable(paint, {}) == paint
