"""Films of whole games: the game is played by the rules, the truth is told, and the eyes judge it."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion_app.cli import main
from companion_app.film_cases import load_film
from engine.board import load_board
from engine.game import Header, Player
from engine.simulation.trial import REFUSALS
from models.training.films import table as tables
from models.training.films.figure_set import FigureSet
from models.training.films.film import make_film, script, shown, stage_of
from models.training.films.games import play_of

GAMES = [("hexagon", 1), ("grailnah", 2)]
SLACK_S = (0.3, 0.6)  # by which a verdict may be outside its still moment


@pytest.mark.parametrize(("game", "seed"), GAMES)
def test_a_whole_game_with_two_fouls_is_played_to_a_win(game: str, seed: int) -> None:
    film, play, header, state = script(game, seed, plain=True)
    winner = play.room.winner(state)
    assert winner in [p.colour for p in header.players]
    kinds = Counter(scene.kind for scene in film.scenes)
    assert kinds["illegal"] == kinds["back"] == 2
    assert kinds["legal"] > 15
    again, *_ = script(game, seed, plain=True)
    assert again.script == film.script


def test_a_hand_is_over_where_something_is_taken_and_then_where_it_is_put() -> None:
    film, play, header, _ = script("hexagon", 1, 2)
    board = load_board("reference", "hexagon")
    start = play.table.placement(play.room.start(header, board))
    pictures = list(shown(film, start, 10, film.script.until_s))
    first = next(s for s in film.scenes if s.moves)
    end = round(first.start_s * 10)
    before = pictures[end - 6 : end]
    assert all(p.hand is not None for p in before)
    ((piece, to),) = first.moves.items()
    assert [p.at[piece] for p in before[:2]] == [(), ()]
    assert before[-1].at[piece] == to and before[-1].goal == to[0]
    after = pictures[end + 1]
    assert after.hand is None and after.at[piece] == to


@pytest.mark.parametrize("roofed", [True, False])
def test_pieces_that_share_a_cell_stand_apart(roofed: bool) -> None:
    play, board = play_of("grailnah", 1, plain=True), load_board("reference", "grailnah")
    header = Header("grailnah", "reference", tuple(Player(c, c) for c in play.colours))
    placement = play.table.placement(play.room.start(header, board))
    table = tables.make_table(board, 1, roofed)
    at = {**placement.pieces, "knight/white/1": ("4/3",), "knight/red/1": ("4/3",)}
    placed = tables.standing(table, placement, at, {})
    assert len(placed) == (6 if roofed else 16)
    pawns = [p for p in placed if p.piece.radius < 10]
    gaps = [math.dist(a.at, b.at) for n, a in enumerate(pawns) for b in pawns[:n]]
    assert min(gaps) > 7.0
    assert len({p.first_id for p in placed}) == len(placed)


@pytest.mark.parametrize("kind", ["knight", "king", "merlin", "castle"])
def test_every_seed_has_another_maker_of_figures_whose_pieces_go_together(kind: str) -> None:
    board = load_board("reference", "grailnah")
    colour = {"merlin": "wood"}.get(kind, "red")
    first, second = (FigureSet(board, seed).piece(kind, colour) for seed in (1, 2))
    same = FigureSet(board, 1).piece(kind, colour)
    assert np.array_equal(first.mesh.quads, same.mesh.quads)
    assert not np.allclose(first.mesh.colours[0], second.mesh.colours[0])
    stated = board.size_of(kind)[2]
    assert 0.85 * stated < first.height < 1.15 * stated
    heights = [FigureSet(board, 1).piece(k, "red").height for k in ("knight", "queen", "king")]
    assert heights == sorted(heights)


def test_two_to_four_players_play_grailnah_in_films_and_two_in_the_demo() -> None:
    assert [len(play_of("grailnah", seed).colours) for seed in (2, 3, 4, 5)] == [2, 3, 4, 2]
    assert len(play_of("grailnah", 4, plain=True).colours) == 2


def test_figures_of_a_varied_room_share_cells_too() -> None:
    board = load_board("reference", "grailnah")
    play = play_of("grailnah", 3)
    header = Header("grailnah", "reference", tuple(Player(c, c) for c in play.colours))
    placement = play.table.placement(play.room.start(header, board))
    stage = stage_of("grailnah", board, 3, (640, 360), roofed=False)
    placed = stage.placed(placement, placement.pieces, {}, (), 0)
    assert len(placed) == 3 * 7 + 2
    assert len({p.at for p in placed}) == len(placed)
    assert stage.camera(1).matrix.tolist() != stage.camera(0).matrix.tolist()


def _judged(lines: list[dict[str, Any]], event: dict[str, Any]) -> set[str]:
    low, high = event["settled_from"] - SLACK_S[0], event["settled_to"] + SLACK_S[1]
    return {
        line["verdict"] for line in lines if line["type"] == "verdict" and low <= line["t"] <= high
    }


def test_a_short_film_is_judged_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hexagon.mp4"
    truth = make_film("hexagon", path, 1, actions=3, size=(960, 540), fps=5, plain=True)
    told = tmp_path / "told.json"
    told.write_text(json.dumps(truth["cards"]), "utf-8")
    words = ["watch", str(path), "--game", "hexagon", "--board", "reference", "--json"]
    words += ["--reference", str(tmp_path / truth["reference"]), "--cards", str(told)]
    assert main(words) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    events = [e for e in truth["events"] if "verdict" in e]
    assert [e["verdict"] for e in events].count("legal") == 3
    assert [e["verdict"] for e in events if e["verdict"] not in _judged(lines, e)] == []
    refusals = [v for v in lines if v.get("verdict") in {s.value for s in REFUSALS}]
    assert len(refusals) == sum(e["verdict"] == "illegal" for e in events)
    cases = load_film(path.with_suffix(".json")).cases
    assert sum(not case.hand_only for case in cases) == len(
        {e["settled_from"] for e in truth["events"] if "settled_from" in e}
    )
