"""Games with random faults: no exception, no dead end, and the faults really are in the film."""

from __future__ import annotations

import random

import pytest

from engine.board import load_board
from engine.referee.tracker import Tracker
from engine.rooms import room_for
from engine.simulation.faults import FaultTrial, with_faults
from engine.simulation.games import players_of
from engine.simulation.series import Series, add_up, report_faults, to_counts
from engine.simulation.trial import Figures, Showing


def series(game: str, **more: object) -> Series:
    return Series(room_for(game), load_board("reference", game), players_of(game), **more)  # type: ignore[arg-type]


def test_faults_lengthen_a_film_and_keep_its_scenes() -> None:
    plain = series("magalon", first=3, actions=40)
    film, _ = plain.film(3)
    faulty, kinds = with_faults(film, plain.board, random.Random(1))
    assert kinds and faulty.script.until_s > film.script.until_s
    assert [s.actions for s in faulty.scenes] == [s.actions for s in film.scenes]
    assert all(a.end_s <= b.start_s for a, b in zip(faulty.scenes, faulty.scenes[1:], strict=False))
    assert len(faulty.script.steps) > len(film.script.steps)
    assert [t for t, _ in faulty.cards] == sorted(t for t, _ in faulty.cards)


@pytest.mark.parametrize("game", ["magalon", "hexagon", "grailnah", "carcassonne"])
def test_a_short_game_with_faults_has_no_exception_and_no_dead_end(game: str) -> None:
    parts = [
        to_counts(f) for _, f in series(game, first=7, actions=24, faults=True).play(lambda: 0.0)
    ]
    total = add_up(parts)
    assert not total["counts"].get("exceptions")
    assert not total["counts"].get("dead ends")
    assert not total["counts"].get("no way out")
    assert any(kind.startswith("fault: ") for kind in total["kinds"])
    assert any("exceptions" in line and line.split()[-1] == "0" for line in report_faults(total))


def test_an_exception_is_counted_and_told() -> None:
    games = series("magalon", first=3, actions=10)
    film, _ = games.film(3)
    tracker, figures = Tracker(games.room, games.board, games.header(3)), Figures()

    def breaks(observation: object) -> tuple[()]:
        raise ZeroDivisionError("boom")

    tracker.observe = breaks  # type: ignore[assignment, method-assign]
    showing = Showing(games.room, games.board, film, tracker, figures)
    FaultTrial(showing, random.Random(1)).run()
    assert figures.counts["exceptions"] == 1
    assert "boom" in figures.trouble[-1]
