"""Nonsense never raises, positions and boards are checked with one sentence each."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.action import Action
from engine.board import load_board
from engine.errors import BoardFileError, BoardwardenError, PositionError
from engine.game import Header, Player
from engine.hexagon.messages import CATALOGUE
from engine.hexagon.room import ANY_TIME, BURNING, MOVING, PLACING
from engine.verdict import Status
from tests.engine.hexagon.support import ROOM, Table, at, hexagon, moving, raw_hexagon

CELLS = [at(0, 0), at(-2, 0), at(-1, 0), at(3, 0), at(1, 0)]
ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 9), st.floats(allow_nan=True),
    st.sampled_from([*CELLS, "red", "x", ""]),
)  # fmt: skip
VALUES = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["to"]), inner),
    max_leaves=5,
)  # fmt: skip
DOS = [*PLACING, *MOVING, *ANY_TIME, *BURNING, "undo", "correct", "note", "nonsense", ""]
NAMES = ["from", "to", "path", "cell", "value", "piece"]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.sampled_from(DOS),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4),
    st.sampled_from(["red", "blue", "green", None]),
    st.sampled_from(["placing", "moving", "burning"]),
)
def test_nonsense_never_raises(do: str, args: dict, player: str | None, when: str) -> None:
    if when == "placing":
        t = Table(BOARD)
    else:
        t = moving("red -2+0", "blue* -1+0", "blue +3+0", board=BOARD)
    if when == "burning":
        t.push("red", at(-2, 0), at(-1, 0))
    before = t.state
    judgement = ROOM.judge(t.state, Action(player, do, args))
    assert t.state == before
    if judgement.status is Status.ILLEGAL:
        assert judgement.state is t.state
        assert judgement.message.text
        assert judgement.message.key in CATALOGUE


BOARD = hexagon()


def test_arguments_that_are_no_object() -> None:
    t = moving("red +1+0")
    assert ROOM.judge(t.state, Action("red", "push", [1])).status is Status.ILLEGAL  # type: ignore[arg-type]


def test_a_do_that_is_no_text() -> None:
    assert ROOM.judge(moving("red +1+0").state, Action("red", 3)).status is Status.ILLEGAL  # type: ignore[arg-type]


IMPOSSIBLE = [
    (3, "must be an object"),
    ({"pieces": 3}, "must be an object"),
    ({"pieces": {"dragon": at(0, 1)}}, "no piece dragon"),
    ({"pieces": {"wizard/red/11": at(0, 1)}}, "no piece wizard/red/11"),
    ({"pieces": {"wizard/red/1": "nowhere"}}, "no cell"),
    ({"pieces": {"wizard/red/1": at(1, 1), "wisdom/blue/1": at(1, 1)}}, "both stand"),
    ({"pieces": {"wisdom/blue/1": at(0, 0)}}, "flame"),
    ({"phase": "sleeping"}, "phase"),
    ({"phase": "moving", "to_move": "green"}, "not in the game"),
    ({"phase": "moving", "scores": {"red": "many"}}, "whole number"),
    ({"phase": "moving", "scores": {"green": 1}}, "not in the game"),
    ({"phase": "moving", "scores": {"red": 5, "blue": 6}}, "both players"),
    ({"phase": "moving", "burnt": {"blue": [3]}}, "no value"),
    ({"phase": "moving", "burnt": {"blue": [2, 2, 2]}}, "there are 2"),
    ({"phase": "moving", "burnt": {"blue": 2}}, "must be a list"),
    ({"phase": "moving", "pending_burnt": [at(1, 0)]}, "no flame"),
    ({"phase": "moving", "pending_burnt": [at(0, 0), at(0, 0)]}, "twice"),
    ({"phase": "placing", "pending_burnt": [at(0, 0)]}, "while wisdoms are placed"),
    ({"phase": "moving", "last_crossing": {"piece": "x"}}, "last_crossing"),
    ({"phase": "moving", "last_crossing": 4}, "must be a list"),
    (
        {"phase": "moving", "burnt": {"blue": [1, 1]},
         "pieces": {f"wisdom/blue/{n}": at(n - 3, 1) for n in range(1, 7)}},
        "only 1 are off",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("position", "words"), IMPOSSIBLE)
def test_impossible_positions_say_why(position: object, words: str) -> None:
    with pytest.raises(PositionError, match="position") as caught:
        Table(BOARD, position=position)  # type: ignore[arg-type]
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lenient_positions() -> None:
    t = Table(
        BOARD,
        position={
            "pieces": {"wizard/red/1": at(4, 0), "wisdom/blue/3": [at(1, 0)], "wizard/blue/2": None},
            "scores": {"red": {"points": 2}},
            "last_crossing": {"piece": "wizard/red/1", "from": at(-4, 0), "to": at(4, 0)},
            "unknown": 1,
        },
    )  # fmt: skip
    assert t.state.phase.value == "moving"
    assert t.points() == (2, 0)
    t.refused("red", "push", "H-15", from_=at(4, 0), to=at(-4, 0))


def test_a_position_in_the_middle_of_placing() -> None:
    first = Table(BOARD)
    first.do("red", "place", to=at(1, 0))
    pieces = {p: c for p, c in first.state.pieces.items() if c is not None}
    t = Table(BOARD, position={"pieces": pieces})
    assert (t.state.phase.value, t.state.to_act) == ("placing", "blue")
    t.do("blue", "place", to=at(2, 0))


def _broken(change) -> dict:
    raw = raw_hexagon()
    change(raw)
    return raw


BROKEN = [
    (lambda raw: raw["cells"][4].pop("axial"), "axial"),
    (lambda raw: raw["cells"][4].update(axial=[0.5, 1]), "axial"),
    (lambda raw: raw["cells"][4].update(axial=[40, 40]), "do not touch"),
    (lambda raw: raw["cells"][4].update(axial=raw["cells"][5]["axial"], neighbours=[]), ""),
    (lambda raw: raw["inventory"].clear() or raw["inventory"].append(
        {"kind": "wisdom", "colour": "red", "count": 9}), "at most 7"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), BROKEN)
def test_broken_boards_say_what_is_wrong(change, words: str) -> None:
    with pytest.raises(BoardFileError) as caught:
        Table(load_board(_broken(change)))
    assert words in str(caught.value)


def test_too_few_start_cells() -> None:
    board = hexagon(starts={"red": [at(0, 4)], "blue": [at(0, -4)]})
    with pytest.raises(PositionError, match="1 start cells for 10 red wizards"):
        Table(board)
    moving("red +1+0", board=board)


def test_a_start_cell_in_the_fire() -> None:
    with pytest.raises(BoardFileError, match="flame"):
        Table(hexagon(starts={"red": [at(0, 0)], "blue": []}))


@pytest.mark.parametrize(
    ("colours", "words"),
    [("red", "2 players"), ("red red", "same colour"), ("red green", "no green"),
     ("red blue green", "2 players")],
)  # fmt: skip
def test_seats_are_checked(colours: str, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        Table(BOARD, colours=colours)


def test_red_begins_whoever_is_named_first() -> None:
    assert Table(BOARD, colours="blue red").state.to_act == "red"
    board = hexagon(other="white")
    assert Table(board, colours="white red").state.setup.seats == ("red", "white")


def test_a_board_without_lattice() -> None:
    players = (Player("a", "red"), Player("b", "blue"))
    with pytest.raises(BoardwardenError):
        ROOM.start(Header("hexagon", "reference", players), load_board("reference"))
