"""Colours that hardly stand out from the board are noticed where the truth is known, and only those."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion_app.pipeline import PROBLEMS
from companion_app.texts.speaker import Speaker
from engine.observation import Candidate, CellView, Observation, SeenPiece
from engine.verdict import Listed, Message
from vision.faint import LOOKS, Faintness
from vision.labels import LabelledPiece

AT = {"red": ("c12", "d4"), "white": ("n2", "m9")}
KNOWN = [LabelledPiece("wizard", colour, (s,)) for colour, spots in AT.items() for s in spots]


def view(sure: Mapping[str, float], hidden: tuple[str, ...] = ()) -> Observation:
    """The known pieces, each colour seen with so much confidence; 0: not at all."""
    seen = tuple(
        SeenPiece((0, 0), (1, 0, 1), (0, 0), (Candidate("wizard", colour, (s,), 0.0),), sure[colour])
        for colour, spots in AT.items() for s in spots if sure[colour]
    )  # fmt: skip
    return Observation(0.0, True, False, seen, dict.fromkeys(hidden, CellView.HIDDEN))


def told(
    faintness: Faintness, sure: Mapping[str, float], changed: Mapping[str, float] | None = None,
    hidden: tuple[str, ...] = (), looks: int = LOOKS,
) -> list[str]:  # fmt: skip
    return [c for _ in range(looks) for c in faintness.look(view(sure, hidden), changed or {})]


def table() -> Faintness:
    faintness = Faintness()
    faintness.stand(KNOWN)
    return faintness


def test_a_colour_whose_known_pieces_are_not_seen_is_told_once() -> None:
    faintness = table()
    assert told(faintness, {"red": 0.95, "white": 0.2}) == ["white"]
    assert told(faintness, {"red": 0.95, "white": 0.0}) == []


def test_one_weak_look_is_not_enough_and_one_clear_one_is_no_doubt() -> None:
    assert told(table(), {"red": 0.95, "white": 0.1}, looks=LOOKS - 1) == []
    faintness = table()
    assert told(faintness, {"red": 0.9, "white": 0.85}, looks=1) == []
    assert told(faintness, {"red": 0.9, "white": 0.1}) == []


@pytest.mark.parametrize("why", ["hidden", "changed", "crowded"])
def test_what_need_not_be_seen_tells_nothing(why: str) -> None:
    faintness = table()
    if why == "crowded":
        mates = [LabelledPiece("goblin", "black", (s,)) for s in AT["white"]]
        faintness.stand([*KNOWN, *mates])
    hidden = AT["white"] if why == "hidden" else ()
    changed = dict.fromkeys(AT["white"], 0.9) if why == "changed" else {}
    assert told(faintness, {"red": 0.9, "white": 0.0}, changed, hidden) == []


def test_pieces_that_were_moved_before_the_game_knows_are_not_faint() -> None:
    """Plainly seen, but elsewhere: it is the game that is behind."""
    faintness = table()
    elsewhere = tuple(
        SeenPiece((0, 0), (1, 0, 1), (0, 0), (Candidate("wizard", colour, (s,), 0.0),), 0.9)
        for colour, spots in {"red": AT["red"], "white": ("a6", "b9")}.items()
        for s in spots
    )  # fmt: skip
    moved = Observation(0.0, True, False, elsewhere, {})
    assert [c for _ in range(LOOKS) for c in faintness.look(moved, {})] == []


@pytest.mark.parametrize(("language", "words"), [("en", "white"), ("de", "Weiß"), ("fr", "blanc")])
def test_it_is_said_with_a_remedy_in_every_language(language: str, words: str) -> None:
    message = Message("sight.faint", PROBLEMS["faint"], {"colours": Listed(("white",), "and")})
    said = Speaker(language, "grailnah", {}).show(message)
    assert words in said and "{" not in said
