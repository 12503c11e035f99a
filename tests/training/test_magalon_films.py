"""Films of Magalon: the plan is judged rightly without pictures, and pictures show what it says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from companion_app.film_score import score_film
from companion_app.pipeline import labels_of
from engine.board import load_board
from engine.referee.tracker import Tracker
from engine.simulation.noise import Noise
from engine.simulation.script import ScriptedSource
from engine.simulation.truth import truth_of_film
from models.training.films import film as films
from models.training.films.film import Painter, Shown, shown, stage_of
from models.training.films.magalon_table import MagalonTable
from models.training.synthesis.pieces import die
from tests.engine.referee.table import judged
from vision.detector import Detector
from vision.eyes import Eyes
from vision.reading import inventory_counts
from vision.reference import Reference
from vision.registration import pose_from_corners

PERFECT = Noise(jitter=0.0, colour=0.0, pips=0.0)
SIZE = (640, 360)
LAST_S = 1.5
SEEDS = {7: 3, 14: 4, 6: 2}  # players by seed
script = cache(films.script)


@pytest.fixture(scope="module")
def board():
    return load_board("reference", "magalon")


@pytest.mark.parametrize(("seed", "players"), SEEDS.items())
def test_the_plan_of_a_film_is_judged_right(board, seed: int, players: int) -> None:
    film, play, header, state = script("magalon", seed)
    kinds = Counter(scene.kind for scene in film.scenes)
    assert len(header.players) == players and kinds["illegal"] == 3 and kinds["legal"] > 20
    truth = truth_of_film(film, play.room, header, state)
    tracker = Tracker(play.room, board, header, cards=truth["cards"])
    until_s = film.script.until_s + LAST_S
    plan = replace(film.script, noise=PERFECT, paced=True, rate_hz=10, until_s=until_s)
    source = ScriptedSource(plan, board, tracker.placement)
    rows = [event.to_json() for event in judged(tracker, source)]
    score = score_film("plan", truth, rows)
    assert score.good, "\n".join(score.lines(True))


def test_what_stands_wrong_may_go_straight_on_to_where_it_may_stand() -> None:
    """As in the development film: no moment in between in which it stands where it came from."""
    straight = 0
    for seed in (7, 10):
        scenes = script("magalon", seed)[0].scenes
        for foul, after in pairwise(scenes):
            if foul.kind == "illegal" and after.kind == "legal":
                assert set(after.moves) >= set(foul.moves)
                assert all(after.moves[p] != spots for p, spots in foul.moves.items())
                straight += 1
    assert straight


def test_pictures_show_moves_hands_dice_and_a_bump(board) -> None:
    film, play, header, _ = script("magalon", 5, 12)
    start = play.table.placement(play.room.start(header, board))
    stage = stage_of("magalon", board, 5, SIZE, True)
    painter = Painter(stage, start, 5)
    frames = list(shown(film, start, 10, film.script.until_s))
    assert any(f.hand is not None for f in frames)
    before = Shown(dict(start.pieces), {}, dice=(1, 2), throw=1)
    moved = replace(before, at={**start.pieces, "wizard/violet": ("h14",)})
    a, b = painter.paint(before), painter.paint(moved)
    again = Painter(stage, start, 5)
    assert np.abs(a.astype(int) - again.paint(before)).mean() < 1.0
    foot = stage.camera(0).project(np.array([(*board.centres["h14"], 0.0)]))[0]
    change = np.abs(a.astype(int) - b).max(2)
    x, y = (int(v) for v in foot)
    assert change[y - 12 : y + 4, x - 5 : x + 6].max() > 40
    assert np.median(change) < 6
    hand = painter.paint(replace(before, hand=0.2, goal="h14"))
    assert (np.abs(a.astype(int) - hand).max(2) > 40).mean() > 0.02
    other = painter.paint(replace(before, dice=(6, 5), throw=2))
    assert (np.abs(a.astype(int) - other).max(2) > 40).sum() > 30
    bumped = painter.paint(replace(before, bumps=1))
    assert (np.abs(a.astype(int) - bumped).max(2) > 40).mean() > 0.01


@pytest.mark.parametrize("spots", [("c7", "c6", "d6"), ("m7", "m6", "l6"), ("d17", "d18", "e18"), ("l17", "l18", "k18")])  # fmt: skip
def test_a_ruin_lies_on_its_three_cells_however_it_is_turned(board, spots) -> None:
    table = MagalonTable(board, 3, SIZE)
    foot, turn = table._stand("ruin/1", "ruin", "grey", spots, None)
    placed = table._put(table.pieces.piece("ruin", "grey", 1), foot, turn, True, 1)
    walls = np.array([(x, y) for shape, x, y, _ in placed.labels() if shape == "wall"])
    for spot in spots:
        assert np.linalg.norm(walls - board.centres[spot], axis=1).min() < 0.3 * board.cell_size_mm


@pytest.mark.parametrize("pips", range(1, 7))
def test_a_die_shows_the_pips_that_were_thrown(pips: int) -> None:
    made = die(np.random.default_rng(4), pips)
    top = made.mesh.quads[..., 2].min(1) > made.height
    assert top.sum() == 2 * pips  # two squares make a pip


def test_sets_and_players_differ_from_film_to_film() -> None:
    seats = {tuple(p.colour for p in script("magalon", seed)[2].players) for seed in SEEDS}
    assert len(seats) == 3 and {len(s) for s in seats} == {2, 3, 4}


@pytest.mark.parametrize("mark", [9])
def test_four_stones_side_by_side_on_one_mark_are_told_apart(board, mark: int) -> None:
    _, play, header, _ = script("magalon", 5)
    start = play.table.placement(play.room.start(header, board))
    stage = MagalonTable(board, 5, (1280, 720))
    painter = Painter(stage, start, 5)
    corners = np.array([(0, 0), (500, 0), (500, 660), (0, 660)], float)
    points = np.column_stack([corners, np.zeros(4)])
    pose = pose_from_corners(stage.camera(0).project(points), board.size_mm, (1280, 720), "corners")
    colours = frozenset(p.colour for p in header.players)
    reference = Reference(stage.face, board.size_mm)
    eyes = Eyes(board, Detector(threads=1), reference, inventory_counts(board, colours))
    first = painter.paint(Shown(dict(start.pieces), {}))
    eyes.enrol(first, pose, labels_of(start))
    spot = (f"track/{mark}",)
    at = {p: spot if p.startswith("energy_stone") else s for p, s in start.pieces.items()}
    reading = eyes.look(painter.paint(Shown(at, {})), pose).reading
    stones = {p.colour: p.spots for p in reading.pieces if p.kind == "energy_stone"}
    assert stones == dict.fromkeys(colours, spot)
