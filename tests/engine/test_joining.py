"""Joining late: a position out of what is seen or set by hand, completed by questions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.action import Action
from engine.board import load_board
from engine.errors import PositionError
from engine.game import Header, Player
from engine.joining import Joining, JoinQuestion
from engine.observation import CellView, Observation
from engine.referee.tracker import Tracker
from engine.rooms import room_for
from engine.simulation.eyes import Eyes
from engine.simulation.games import players_of
from engine.simulation.noise import PLAIN, Noise
from engine.verdict import Status

PERFECT = Noise(jitter=0.0, colour=0.0)
SEATS = {"magalon": ("violet", "green", "red"), "hexagon": ("red", "blue"),
         "grailnah": ("white", "red", "blue", "yellow")}  # fmt: skip


def header_of(game: str) -> Header:
    players = tuple(Player(c.title(), c) for c in SEATS[game])
    return Header(game, "reference", players)


def played(game: str, seed: int, actions: int) -> Any:
    """The state of a random game after so many actions, at the beginning of a turn."""
    room, board = room_for(game), load_board("reference", game)
    state, rng = room.start(header_of(game), board), random.Random(seed)
    choose = players_of(game).choose
    fresh = state
    for _ in range(actions):
        action = choose(state, rng)
        if action is None:
            break
        before = room.to_act(state)
        state = room.judge(state, action).state
        if room.to_act(state) != before or action.do == "end":
            fresh = state
    return fresh


def look(game: str, state: Any, noise: Noise = PERFECT, **how: Any) -> Observation:
    room, board = room_for(game), load_board("reference", game)
    placement = room.placement(state)
    eyes = Eyes(board, placement.infos, noise, 3)
    hidden = dict.fromkeys(how.pop("hidden", ()), CellView.HIDDEN)
    pieces = dict(placement.pieces) | how.pop("pieces", {})
    return Observation(1.0, True, False, eyes.look(pieces, hidden, how.pop("off", {}), ()), hidden)


def joining(game: str) -> Joining:
    return Joining(room_for(game), load_board("reference", game), header_of(game))


def keys(join: Joining) -> dict[str, JoinQuestion]:
    return {q.key: q for q in join.questions}


def standing(placement: Any) -> list[tuple[str, tuple[str, ...]]]:
    infos = placement.infos
    return sorted(
        (f"{infos[p].kind}/{infos[p].colour}", tuple(sorted(spots)))
        for p, spots in placement.pieces.items()
    )


def test_without_any_answer_the_game_begins_at_its_beginning() -> None:
    for game in SEATS:
        header = joining(game).header()
        room, board = room_for(game), load_board("reference", game)
        first = room.start(header_of(game), board)
        joined = room.start(header, board)
        assert room.to_act(joined) == room.to_act(first)
        assert standing(room.placement(joined)) == standing(room.placement(first))


@pytest.mark.parametrize("game", ["magalon", "grailnah", "hexagon"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_pieces_of_any_position_are_read_from_the_board(game: str, seed: int) -> None:
    state = played(game, seed, 60)
    join = joining(game)
    join.read(look(game, state, PLAIN))
    assert standing(join.placement) == standing(room_for(game).placement(state))


def test_a_running_round_of_magalon_is_joined_with_its_scores() -> None:
    """Energy from the track; items, cards played and laid, and who has acted, by questions."""
    room, board = room_for("magalon"), load_board("reference")
    state = played("magalon", 5, 90)
    position = room.position(state)
    join = joining("magalon")
    join.read(look("magalon", state))
    for colour in SEATS["magalon"]:
        join.answer(f"items/{colour}", position["items"][colour])
        join.answer(f"played/{colour}", [str(c) for c in position["played"][colour]])
    join.answer("round", position["round"])
    join.answer("first_layer", position["first_layer"])
    for colour, card in position["table"]:
        join.answer(f"laid/{colour}", str(card))
    join.answer("acted", position["acted"])
    joined = room.start(join.header(), board)
    assert room.scores(joined) == room.scores(state)
    assert room.to_act(joined) == room.to_act(state)
    assert joined.hands == state.hands
    tracker = Tracker(room, board, join.header())
    assert tracker.placement.pieces == room.placement(joined).pieces


def test_who_has_acted_is_asked_only_when_all_cards_are_laid() -> None:
    join = joining("magalon")
    assert "acted" not in keys(join)
    for colour, card in zip(SEATS["magalon"], ("6", "9", "3"), strict=True):
        join.answer(f"laid/{colour}", card)
    assert "acted" in keys(join)
    join.answer("acted", ("green",))
    room = room_for("magalon")
    assert room.to_act(room.start(join.header(), load_board("reference"))) == "violet"


def test_points_are_asked_only_while_wizards_move() -> None:
    join = joining("hexagon")
    assert "points/red" in keys(join)
    join.answer("phase", "placing")
    assert "points/red" not in keys(join)


def test_points_and_who_moves_are_taken_over_in_das_magische_hexagon() -> None:
    join = joining("hexagon")
    join.answer("points/blue", 3)
    join.answer("to_move", "blue")
    room, board = room_for("hexagon"), load_board("reference", "hexagon")
    state = room.start(join.header(), board)
    assert room.to_act(state) == "blue" and room.scores(state)["blue"]["points"] == 3


def test_after_morgane_was_moved_last_she_is_not_moved_in_grailnah() -> None:
    """G-23, G-28."""
    join = joining("grailnah")
    join.answer("last_special", "morgane")
    join.answer("to_move", "blue")
    room, board = room_for("grailnah"), load_board("reference", "grailnah")
    state = room.start(join.header(), board)
    assert room.to_act(state) == "blue" and state.last_special == "morgane"
    spot = next(
        c for c in board.cells if c not in {s for p in join.placement.pieces.values() for s in p}
    )
    refused = room.judge(state, Action("blue", "morgane", {"to": spot}))
    assert refused.status is Status.ILLEGAL


def test_energy_is_where_the_stone_stands_and_the_answer_moves_it() -> None:
    join = joining("magalon")
    join.answer("energy/green", 14)
    assert join.placement.pieces["energy_stone/green"] == ("track/14",)
    join.put("energy_stone/green", ("track/7",))
    assert keys(join)["energy/green"].value == 7


def test_answers_that_do_not_fit_are_left_out() -> None:
    join = joining("magalon")
    for key, value in (
        ("energy/green", 99), ("energy/green", True), ("energy/green", "7"), ("nobody", 1),
        ("items/green", ("sword",)), ("items/green", "ring"), ("first_layer", "blue"), ("round", 0),
    ):  # fmt: skip
        join.answer(key, value)
    before = joining("magalon")
    assert [q.value for q in join.questions] == [q.value for q in before.questions]


def test_what_cannot_be_is_one_clear_sentence() -> None:
    join = joining("magalon")
    join.put("wizard/violet", ())
    with pytest.raises(PositionError, match="wizard/violet must stand on the board"):
        join.header()
    join.put("wizard/violet", ("h11",))  # where the giant stands
    with pytest.raises(PositionError, match="both stand on h11"):
        join.header()


def test_a_piece_off_the_centre_of_its_cell_is_doubtful() -> None:
    """35 to 50 % off the centre asks: it may belong to the next cell."""
    state = played("magalon", 5, 90)
    room = room_for("magalon")
    join = joining("magalon")
    join.read(look("magalon", state, off={"giant": (0.42, 0.0)}))
    assert join.unsure == ("giant",)
    join.put("giant", room.placement(state).pieces["giant"])
    assert join.unsure == ()


def test_what_is_hidden_stays_and_is_doubtful() -> None:
    join = joining("magalon")
    room, board = room_for("magalon"), load_board("reference")
    start = room.start(header_of("magalon"), board)
    giant = room.placement(start).pieces["giant"]
    join.read(look("magalon", start, hidden=giant))
    assert join.placement.pieces["giant"] == giant and join.unsure == ("giant",)


def test_nothing_is_read_with_a_hand_in_or_the_board_lost() -> None:
    join = joining("magalon")
    before = join.placement
    join.read(Observation(1.0, True, True))
    join.read(Observation(1.0, False, False))
    assert join.placement is before


def test_a_game_that_cannot_be_joined_says_so() -> None:
    room, board = room_for("carcassonne"), load_board("reference")
    with pytest.raises(PositionError, match="cannot be joined late"):
        Joining(room, board, Header("carcassonne", "reference", (Player("A", "red"),)))
