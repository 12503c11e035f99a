"""Positions and boards: what is read back, what is refused in one sentence, nonsense."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.action import Action
from engine.board import load_board
from engine.errors import BoardFileError, BoardwardenError, PositionError
from engine.game import Header, Player
from engine.grailnah.messages import CATALOGUE
from engine.grailnah.room import ANY_TIME, IN_TURN
from engine.rooms import room_for
from engine.verdict import Status
from tests.engine.grailnah.support import REFERENCE, ROOM, Table, small_board

ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 40), st.floats(allow_nan=True),
    st.sampled_from(["white", "red", "knight/white/1", "king/red", "castle/red", "castle/x", "merlin",
                     "morgane", "6/1", "1/0", "grail", "", "/"]),
)  # fmt: skip
VALUES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=3), max_leaves=4)
DOS = [*IN_TURN, *ANY_TIME, "recover", "undo", "correct", "note", "nonsense", ""]


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    st.sampled_from(DOS),
    st.dictionaries(st.sampled_from(["to", "piece", "sacrifice", "count"]), VALUES, max_size=4),
    st.sampled_from(["white", "red", "blue", None]),
)
def test_nonsense_never_raises(do: str, args: dict[str, Any], player: str | None) -> None:
    t = Table({"morgane": "2/2", "knight/white/1": None, "king/white": "5/3"})
    judgement = ROOM.judge(t.state, Action(player, do, args))
    if judgement.status is Status.ILLEGAL:
        assert judgement.state is t.state
        assert judgement.message.text and judgement.message.key in CATALOGUE


def test_arguments_that_are_no_object() -> None:
    t = Table(start=True)
    assert ROOM.judge(t.state, Action("white", "move", [1])).status is Status.ILLEGAL  # type: ignore[arg-type]
    assert ROOM.judge(t.state, Action("white", 7)).status is Status.ILLEGAL  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"pieces": []}, "object"),
        ({"pieces": {"knight/white/5": "4/4"}}, "knight/white/5"),
        ({"pieces": {"knight/blue/1": "4/4"}}, "knight/blue/1"),
        ({"pieces": {"knight/white/1": "9/9"}}, "9/9"),
        ({"pieces": {"king/white": None}}, "must stand"),
        ({"pieces": {"merlin": None}}, "must stand"),
        ({"pieces": {"castle/white": "6/1"}}, "castle place"),
        ({"pieces": {"castle/white": "6/12", "castle/red": "6/12"}}, "same place"),
        ({"pieces": {"king/white": "3/3"}}, "magic circle"),
        ({"pieces": {"morgane": "4/3"}}, "magic circle"),
        ({"pieces": {"king/white": "grail"}}, "centre"),
        ({"pieces": {"knight/white/1": "grail", "knight/red/1": "grail"}}, "centre"),
        ({"pieces": {"knight/white/1": "6/12"}}, "foreign castle"),
        ({"pieces": {"merlin": "6/12"}}, "castle"),
        ({"pieces": {"king/white": "5/3", "king/red": "5/3"}}, "one stair"),
        ({"pieces": {"knight/white/1": "4/4", "knight/white/2": "4/4"}}, "one player"),
        ({"pieces": {"knight/white/1": "3/4", "merlin": "3/4"}}, "share"),
        ({"pieces": {"knight/white/1": "4/4", "knight/red/1": "4/4", "king/red": "4/4"}}, "too many"),
        ({"to_move": "blue"}, "blue"),
        ({"last_special": "arthur"}, "last_special"),
        ({"merlin_run": {"white": -1}}, "from 0"),
        ({"merlin_run": "x"}, "merlin_run"),
        ({"merlin_run": {"blue": 1}}, "blue"),
        ({"pawn_moved": 1}, "true or false"),
        ({"may_recover": "white"}, "both royals"),
        ({"recovered": {"white": {"castle": "6/1"}}}, "castle"),
        ({"recovered": {"white": {"castle": "6/12", "stayed": ["knight"]}}}, "king and queen"),
        ({"resigned": ["white"]}, "resigned"),
        ({"resigned": "white"}, "list"),
        ({"resigned": ["white", "red"], "to_move": "red"}, "everybody"),
        ({"last_own": {"white": "x"}}, "last_own"),
        ({"winner": "blue"}, "blue"),
    ],
)  # fmt: skip
def test_impossible_positions_say_what_is_wrong(position: dict[str, Any], words: str) -> None:
    header = Header("grailnah", "t", (Player("a", "white"), Player("b", "red")), {}, position)
    with pytest.raises(PositionError, match=words):
        ROOM.start(header, REFERENCE)


@pytest.mark.parametrize(
    "colours", ["white", "white red blue yellow green", "white white", "white/x red"]
)
def test_bad_seats(colours: str) -> None:
    players = tuple(Player(c, c) for c in colours.split())
    with pytest.raises(PositionError):
        ROOM.start(Header("grailnah", "t", players), REFERENCE)


def test_what_is_left_out_is_as_at_the_beginning() -> None:
    t = Table(start=True)
    header = Header("grailnah", "t", t.header.players, {}, {})
    assert ROOM.start(header, REFERENCE) == t.state
    seats = (Player("a", "red"), Player("b", "white"))
    assert ROOM.to_act(ROOM.start(Header("grailnah", "t", seats), REFERENCE)) == "white"


def test_whether_a_pawn_was_moved_follows_from_the_pieces() -> None:
    players = (Player("a", "white"), Player("b", "red"))
    for position, moved in (
        ({"pieces": {"knight/white/1": "4/4"}}, True),
        ({"pieces": {}}, False),
        ({"last_special": "merlin"}, True),
        ({"pieces": {"knight/white/1": "4/4"}, "pawn_moved": False}, False),
    ):
        state = ROOM.start(Header("grailnah", "t", players, {}, position), REFERENCE)
        assert state.pawn_moved is moved


def test_a_run_without_a_colour_is_the_movers() -> None:
    t = Table({"merlin": "1/1"}, merlin_run=3)
    t.refused("G-29", "white", "merlin", to="1/2")


def test_castles_drawn_by_lot() -> None:
    t = Table({"castle/white": "6/12"})
    assert t.state.setup.castles == {"white": "6/12", "red": "6/0"}
    assert t.cell("knight/white/1") == "6/12"
    t.move("white", "knight/1", "6/13")
    t.move("red", "king", "5/0")


def test_placement_shows_castles_and_what_is_off_the_board() -> None:
    t = Table({"knight/white/1": None})
    placement = ROOM.placement(t.state)
    assert placement.pieces["castle/red"] == ("6/12",)
    assert placement.pieces["knight/white/1"] == ()
    assert len(placement.at("6/12")) == 7 and len(placement.at("grail")) == 2
    assert (
        placement.infos["merlin"].colour == "wood" and placement.infos["king/red"].colour == "red"
    )


def test_the_room_is_known() -> None:
    assert room_for("grailnah").name == "grailnah"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"castles": []}, "castles"),
        ({"castles": {"4/0": {"lateral": ["4/1"], "royal": "9/9"}}}, "royal gate"),
        ({"castles": {"4/0": ["4/1"]}}, "lateral gates"),
        ({"castles": {}}, "castle places"),
        ({"castle_places": {}}, "castle places"),
        ({"castle_places": {"2": 5}}, "castle_places"),
        ({"stair_links": "some"}, "stair_links"),
        ({"stair_links": [["3/2", "3/3"]]}, "3/3"),
    ],
)
def test_boards_without_sense_say_what_is_missing(change: dict[str, Any], words: str) -> None:
    board = load_board(dict(small_board().raw) | change)
    with pytest.raises(BoardFileError, match=words):
        Table(start=True, board=board)


def test_a_board_needs_rings_and_a_goal() -> None:
    with pytest.raises(BoardFileError, match="goal"):
        Table(start=True, board=load_board("reference"))
    raw = dict(small_board().raw)
    cells = [dict(c) for c in raw["cells"]]
    del cells[3]["ring"]
    with pytest.raises(BoardwardenError, match="ring and its sector"):
        Table(start=True, board=load_board(raw | {"cells": cells}))
    cells = [dict(c) for c in raw["cells"]]
    cells[2]["sector"] = cells[3]["sector"]
    with pytest.raises(BoardwardenError, match="twice"):
        Table(start=True, board=load_board(raw | {"cells": cells}))
