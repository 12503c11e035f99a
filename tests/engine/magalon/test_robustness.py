"""Nonsense never raises, positions are checked, random play round-trips."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.action import Action
from engine.board import load_board
from engine.errors import BoardFileError, BoardwardenError, PositionError
from engine.game import Header, Player
from engine.magalon.hints import hints
from engine.magalon.messages import CATALOGUE
from engine.magalon.room import ACTING, DECIDING, LAYING
from engine.magalon.simulate import play_game, play_turn, random_action
from engine.verdict import Status
from tests.engine.magalon.support import ROOM, Table, acting, at, grid

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 40),
    st.floats(allow_nan=True),
    st.sampled_from(
        ["violet", "green", "wizard/violet", "goblin/1", "giant", "ruin/1", "stone", "start", "x"]
    ),
    st.sampled_from([at(0, 0), at(0, 3), at(5, 5), at(9, 9)]),
)
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["player", "to", "via"]), inner, max_size=3),
    ),
    max_leaves=6,
)
NAMES = ["to", "via", "piece", "attacks", "card", "dice", "ruin", "item", "victim", "player"]
DOS = [*LAYING, *ACTING, *DECIDING, "undo", "correct", "note", "nonsense", ""]


@settings(max_examples=600, deadline=None, derandomize=True)
@given(
    st.sampled_from(DOS),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5),
    st.sampled_from(["violet", "green", "red", None]),
    st.sampled_from([0, 1, 2, 3, 5, 6, 7, None]),
)
def test_nonsense_never_raises(do: str, args: dict, player: str | None, card: int | None) -> None:
    board = grid(fields={"stone": [at(0, 3)], "start": [at(9, 9)]}, ruins=[[at(5, 5), at(5, 6)]])
    if card is None:
        t = Table(board)
    else:
        where = {"goblin/1": at(0, 0), "giant": at(3, 3), "wizard/violet": at(1, 1)}
        t = acting(board, {"violet": card, "green": 10}, where)
        t.do("green", "end")
    before = t.state
    judgement = ROOM.judge(t.state, Action(player, do, args))
    assert t.state == before
    if judgement.status is Status.ILLEGAL:
        assert judgement.state is t.state
        assert judgement.message.text
        assert judgement.message.key in CATALOGUE


def test_arguments_that_are_no_object() -> None:
    t = Table(grid(fields={"start": [at(0, 0)]}))
    assert ROOM.judge(t.state, Action("violet", "lay", [1])).status is Status.ILLEGAL  # type: ignore[arg-type]


def _crowded():
    """A small board on which everything meets."""
    fields = {
        "start": [at(2, 6), at(3, 6)],
        "stone": [at(0, 2), at(0, 3)],
        "ring": [at(6, 2), at(6, 3)],
        "amulet": [at(3, 0), at(2, 0), at(4, 0)],
    }
    roles = {
        "energy": [at(1, 1), at(5, 1), at(3, 4)],
        "giant_start": [at(3, 3)],
        "goblin_start": [at(1, 4), at(5, 4)],
    }
    ruins = [[at(1, 2), at(1, 3), at(2, 3)], [at(5, 2), at(5, 3), at(4, 3)]]
    return grid(7, 7, fields=fields, roles=roles, ruins=ruins)


OPTIONS = [
    {},
    {},
    {"M-A6": "b", "M-A8": "b", "M-A36": "b"},
    {"M-A12": "b", "M-A38": "b", "M-A40": "b"},
]


@pytest.mark.parametrize("seed", range(24))
def test_random_play_round_trips_at_every_moment(seed: int) -> None:
    rng = random.Random(seed)
    board = _crowded() if seed % 4 else load_board("reference")
    seats = rng.sample(["violet", "green", "red", "orange"], rng.randint(2, 4))
    players = tuple(Player(c, c) for c in seats)
    header = Header("magalon", "test", players, OPTIONS[seed % len(OPTIONS)])
    state = ROOM.start(header, board)
    for _ in range(150):
        action = random_action(state, rng)
        if action is None:
            break
        judgement = ROOM.judge(state, action)
        assert judgement.status in (Status.LEGAL, Status.PENDING), (action, judgement.message)
        state = judgement.state
        position = ROOM.position(state)
        resumed = ROOM.start(
            Header("magalon", "test", players, header.options, json.loads(json.dumps(position))),
            board,
        )
        assert resumed == state
        assert hash(resumed) == hash(state)
        assert ROOM.position(resumed) == position
        _check_sane(state)


def _check_sane(state) -> None:
    """No two things on one cell, 11 cards each, energy on the scale."""
    setup = state.setup
    shared = {setup.start, *(setup.items.values() if setup.option("M-A6") == "b" else ())}
    placement = ROOM.placement(state)
    cells = [c for info, spots in placement for c in spots if info.kind != "energy_stone"]
    lone = [c for c in cells if c not in shared]
    assert len(lone) == len(set(lone))
    for colour in setup.seats:
        assert 0 <= state.energy[colour] <= setup.top
        card = state.card(colour)
        cards = [*state.hands[colour], *state.played[colour]]
        if card is not None and (colour not in state.acted or card == 4):
            cards.append(card)
        assert sorted(cards) == list(range(11))


def test_a_turn_of_random_play_ends() -> None:
    rng = random.Random(5)
    t = Table(_crowded(), "violet green red")
    state = t.state
    for _ in range(60):
        actor = state.to_act
        state, actions = play_turn(state, rng)
        assert actions[-1].do in ("lay", "pass", "end") or state.winner
        assert all(a.player == actor for a in actions)


@pytest.mark.parametrize("seed", range(6))
def test_hints_never_name_what_the_judge_refuses(seed: int) -> None:
    rng = random.Random(100 + seed)
    state = Table(_crowded(), "violet green red").state
    checked = 0
    for _ in range(90):
        actor = state.to_act
        if actor is None:
            break
        for piece in ("wizard", "shield"):
            for cell in hints(state, f"{piece}/{actor}")[:4]:
                do = {"wizard": "walk", "shield": "shield"}[piece]
                do = "walk_on" if do == "walk" and state.turn.red == "open" else do
                judged = ROOM.judge(state, Action(actor, do, {"to": cell}))
                assert judged.status in (Status.LEGAL, Status.AMBIGUOUS), (do, cell)
                checked += 1
        action = random_action(state, rng)
        if action is None:
            break
        state = ROOM.judge(state, action).state
    assert checked > 20


IMPOSSIBLE = [
    ({"pieces": {"wizard/violet": "nowhere"}}, "no cell"),
    ({"pieces": {"wizard/violet": None}}, "must stand on the board"),
    ({"pieces": {"dragon": at(0, 0)}}, "no piece dragon"),
    ({"pieces": {"wizard/red": at(0, 0)}}, "no piece wizard/red"),
    ({"pieces": {"wizard/violet": at(1, 2)}}, "ruin/1 and wizard/violet"),
    ({"pieces": {"giant": "stone"}}, "may not stand on stone"),
    ({"pieces": {"giant": at(1, 4)}}, "both stand on"),
    ({"pieces": {"ruin/1": [at(0, 0), at(0, 1), at(1, 0), at(1, 1)]}}, "shape"),
    ({"pieces": {"ruin/1": [at(0, 4), at(0, 5), at(0, 6)]}}, "shape"),
    ({"pieces": {"ruin/1": ["stone", at(0, 5), at(0, 6)]}}, "may not lie on"),
    ({"pieces": 3}, "must be an object"),
    ({"energy": {"violet": 21}}, "from 0 to 20"),
    ({"energy": {"violet": "x"}}, "from 0 to 20"),
    ({"items": {"violet": ["sword"]}}, "sword"),
    ({"items": {"violet": ["ring", "ring"]}}, "twice"),
    ({"hands": {"violet": [1, 2]}, "played": {"violet": [3]}}, "each once"),
    ({"hands": {"violet": [12]}}, "0 to 10"),
    ({"table": [["violet", 3], ["green", 3]]}, "same value"),
    ({"table": [["green", 3], ["violet", 4]], "first_layer": "violet"}, "clockwise"),
    ({"table": [["blue", 3]]}, "not in the game"),
    ({"table": 3}, "must be a list"),
    ({"acted": ["violet"]}, "before all cards"),
    ({"table": [["violet", 3], ["green", 5]], "acted": ["violet"]}, "descending"),
    ({"table": [["violet", 3], ["green", 5]], "to_move": "violet"}, "turn of green"),
    ({"shield_moved": True}, "before all cards"),
    ({"round": 0}, "round"),
    ({"first_layer": "blue"}, "not in the game"),
    ({"table": [["violet", 3], ["green", 5]], "giant_rolled": [7, 1]}, "giant_rolled"),
    (
        {"table": [["violet", 3], ["green", 5]], "paths": {"wizard/violet": {"from": at(0, 0)}}},
        "no path",
    ),
    ({"table": [["violet", 3], ["green", 5]], "displaced": ["blue"]}, "not in the game"),
    ({"table": [["violet", 3], ["green", 5]], "energy_booked": ["gold"]}, "gold"),
    ({"table": [["violet", 3], ["green", 5]], "red": "maybe"}, "red"),
]


@pytest.mark.parametrize(("position", "words"), IMPOSSIBLE)
def test_impossible_positions_say_why(position: dict, words: str) -> None:
    with pytest.raises(PositionError, match="position") as caught:
        Table(_crowded(), position=position)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lenient_positions() -> None:
    table = [["violet", 3], ["green", 5]]
    t = Table(
        _crowded(),
        position={
            "pieces": {"wizard/green": at(6, 0), "energy_stone/green": "track/9"},
            "table": table,
            "paths": {"wizard/green": [at(4, 1), at(5, 1), at(5, 0), at(6, 0)]},
            "displaced": {"violet": at(0, 0)},
            "energy_booked": True,
            "giant_rolled": None,
            "unknown": 1,
        },
    )
    assert t.state.turn.booked == {"loss"}
    assert t.state.turn.displaced == {"violet"}
    t.refused("green", "walk", "M-20", to=at(5, 0))
    t.do("green", "walk", to=at(6, 2))


@pytest.mark.parametrize("options", [{"M-A99": "b"}, {"M-A8": "c"}, {"teams": []}, {"M-A8": 1}])
def test_unknown_options_list_the_known_ones(options: dict) -> None:
    with pytest.raises(BoardwardenError) as caught:
        Table(_crowded(), options=options)
    assert "M-A36: a, b, c" in str(caught.value)


def test_seats_are_checked() -> None:
    for colours in ("violet", "violet violet", "violet green red orange blue"):
        with pytest.raises(PositionError):
            Table(_crowded(), colours)
    with pytest.raises(PositionError, match="blue"):
        ROOM.start(
            Header("magalon", "reference", (Player("a", "violet"), Player("b", "blue"))),
            load_board("reference"),
        )


def test_board_without_a_start_field_needs_a_position() -> None:
    with pytest.raises(PositionError, match="start field"):
        Table(grid())


def test_board_whose_marks_overlap() -> None:
    board = grid(
        fields={"start": [at(0, 0)]}, roles={"giant_start": [at(5, 5)]}, ruins=[[at(5, 5)]]
    )
    with pytest.raises(PositionError, match="ruin/1 and giant"):
        Table(board)


def test_a_random_game_is_legal_from_end_to_end() -> None:
    state = Table(_crowded(), "violet green").state
    for action in play_game(state, random.Random(9), 80):
        judgement = ROOM.judge(state, action)
        assert judgement.status in (Status.LEGAL, Status.PENDING)
        state = judgement.state


def test_board_with_damaged_numbers() -> None:
    with pytest.raises(BoardFileError, match="goblin_steps"):
        Table(grid(fields={"start": [at(0, 0)]}, numbers={"goblin_steps": {"three": 3}}))
