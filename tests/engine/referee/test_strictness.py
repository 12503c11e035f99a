"""How strict: a referee refuses, a coach warns, a scorekeeper writes down and marks."""

from __future__ import annotations

import pytest

from engine.action import Action
from engine.board import load_board
from engine.game import Header, Player
from engine.placement import PieceMove
from engine.record import HOUSE_RULE, Game
from engine.referee.events import ActionRecorded
from engine.referee.strictness import Strictness, strictness_of
from engine.referee.tracker import Tracker
from engine.rooms import room_for
from engine.verdict import Status, Verdict
from tests.engine.referee.table import Table, actions, given, words

TOO_FAR = {"wizard/green": ("g16",)}


def sat(strictness: str | None) -> Table:
    table = Table(strictness=strictness)
    assert words(table.show(2.0)) == []
    return table


def recorded(table: Table) -> list[Action]:
    return [e.action for e in table.events if isinstance(e, ActionRecorded)]


def replayed(table: Table) -> Game:
    """The game of the record alone, as it would be resumed."""
    tracker = table.tracker
    game = Game.begin(tracker.game.header, table.board)
    for action in recorded(table):
        game, _ = game.do(action)
    return game


def test_an_unknown_or_missing_strictness_is_the_referee_s() -> None:
    header = Header("magalon", "reference", ())
    assert strictness_of(header) is Strictness.REFEREE
    for value in ("lax", 7, None, ["coach"], {}):
        odd = Header("magalon", "reference", (), extra={"strictness": value})
        assert strictness_of(odd) is Strictness.REFEREE


@pytest.mark.parametrize("strictness", ["referee", "coach"])
def test_referee_and_coach_do_not_take_an_illegal_move(strictness: str) -> None:
    table = sat(strictness)
    assert words(table.show(3.0, TOO_FAR)) == ["illegal"]
    assert table.tracker.placement.pieces["wizard/green"] == ("start",)


def test_the_scorekeeper_accepts_and_marks_a_house_rule() -> None:
    table = sat("scorekeeper")
    said = given(table.show(3.0, TOO_FAR))
    assert [v.verdict.status for v in said] == [Status.LEGAL]
    assert said[0].verdict.rule in ("M-19", "M-21")
    assert said[0].verdict.message.key == "referee.house_rule"
    line = recorded(table)[-1]
    assert (line.player, line.do) == ("green", "correct")
    assert line.args[HOUSE_RULE]["rule"] == said[0].verdict.rule
    assert line.args[HOUSE_RULE]["action"] == {"player": "green", "do": "walk", "to": "g16"}
    assert table.tracker.placement.pieces["wizard/green"] == ("g16",)
    assert table.show(5.0) == []


def test_a_walk_of_a_house_rule_is_the_walk_of_the_turn() -> None:
    """The turn goes on as after any walk: it is over when the next player acts."""
    table = sat("scorekeeper")
    table.show(3.0, TOO_FAR)
    said = table.show(2.0, {"wizard/violet": ("i8",)})
    assert actions(said) == ["end", "walk"]
    assert table.energy("green") == 9


def test_the_record_of_a_house_rule_replays_to_the_same_state() -> None:
    table = sat("scorekeeper")
    table.show(3.0, TOO_FAR)
    table.show(2.0, {"wizard/violet": ("i8",)})
    game = replayed(table)
    assert table.room.position(game.state) == table.room.position(table.tracker.state)


def test_a_house_rule_is_taken_back_by_one_undo() -> None:
    table = sat("scorekeeper")
    table.show(3.0, TOO_FAR)
    table.tracker.act(Action(None, "undo"))
    assert table.tracker.placement.pieces["wizard/green"] == ("start",)


def test_the_scorekeeper_lets_the_next_player_act_where_nobody_saw_the_turn_end() -> None:
    """Green did nothing that can be seen; violet walks as the card says: that is no house rule."""
    table = sat("scorekeeper")
    said = table.show(3.0, {"wizard/violet": ("i8",)})
    assert actions(said) == ["end", "walk"]
    assert HOUSE_RULE not in recorded(table)[-1].args


def test_the_scorekeeper_takes_a_legal_move_beside_one_of_a_house_rule() -> None:
    table = sat("scorekeeper")
    said = table.show(4.0, {"shield/green": ("d9",), **TOO_FAR})
    assert set(words(said)) == {"legal"}
    assert table.tracker.placement.pieces["wizard/green"] == ("g16",)
    assert table.tracker.placement.pieces["shield/green"] == ("d9",)
    assert sum(HOUSE_RULE in a.args for a in recorded(table)) == 1


def test_what_cannot_stand_at_all_is_refused_by_the_scorekeeper_too() -> None:
    """Two pieces of the same cell cannot be written down (rule M-4): said, and nothing recorded."""
    table = sat("scorekeeper")
    refused = Verdict(Status.ILLEGAL, "green", (Action("green", "walk", {"to": "h11"}),))
    move = PieceMove("wizard/green", ("start",), ("h11",))
    assert table.tracker.allow(refused, (move,)) == ()
    assert table.tracker.placement.pieces["wizard/green"] == ("start",)


def test_the_coach_shows_all_cells_that_were_possible() -> None:
    table = sat("coach")
    refused = given(table.show(3.0, TOO_FAR))[0].verdict
    possible = table.tracker.possible(refused)
    assert possible is not None and possible[0] == "wizard/green"
    assert set(possible[1]) == set(table.room.hints(table.tracker.state, "wizard/green"))
    assert "g10" in possible[1] and "g16" not in possible[1]


def test_one_tap_lets_a_warned_move_stand() -> None:
    table = sat("coach")
    refused = given(table.show(3.0, TOO_FAR))[0]
    said = list(table.tracker.allow(refused.verdict))
    assert actions(said) == ["correct"]
    assert given(said)[0].replaces == refused.id
    assert table.tracker.open_verdict is None
    assert table.show(5.0) == []


def test_who_goes_on_after_the_coach_s_warning_lets_the_move_stand() -> None:
    table = sat("coach")
    table.show(3.0, TOO_FAR)
    said = table.show(3.0, {"wizard/violet": ("i8",)})
    assert actions(said) == ["correct", "end", "walk"]
    assert recorded(table)[-3].args[HOUSE_RULE]["rule"] in ("M-19", "M-21")
    assert words(said) == ["legal", "legal"]


def test_put_back_after_the_coach_s_warning_nothing_is_recorded() -> None:
    table = sat("coach")
    before = len(recorded(table))
    table.show(3.0, TOO_FAR)
    table.show(2.0, {"wizard/green": ("start",)})
    assert words(table.show(2.0, {"wizard/green": ("g10",)})) == ["legal"]
    assert actions(table.events)[before:] == ["walk"]


def test_an_item_and_the_end_of_the_game_count_after_a_walk_of_a_house_rule() -> None:
    """M-53, M-57: who may walk there by the group's own rule takes the item, and may win."""
    position = {
        "pieces": {"wizard/green": "g10"},
        "energy": {"violet": 10, "green": 17},
        "items": {"violet": [], "green": ["amulet", "stone"]},
        "table": [["violet", 6], ["green", 9]], "round": 1, "first_layer": "violet",
    }  # fmt: skip
    table = Table([], position=position, strictness="scorekeeper")
    table.show(1.0)
    table.show(3.0, {"wizard/green": ("ring",)})
    assert set(table.room.scores(table.tracker.state)["green"]["items"]) == {
        "amulet", "stone", "ring",
    }  # fmt: skip
    position["pieces"] = {"wizard/green": "a1"}
    position["items"] = {"violet": [], "green": ["amulet", "stone", "ring"]}
    table = Table([], position=position, strictness="scorekeeper")
    table.show(1.0)
    table.show(3.0, {"wizard/green": ("start",)})
    assert table.room.winner(table.tracker.state) == "green"


@pytest.mark.parametrize(
    ("game", "colours", "position", "action", "move"),
    [
        (
            "hexagon", ("red", "blue"), {"phase": "moving", "to_move": "red"},
            {"do": "push"}, "wizard/red/1",
        ),
        ("grailnah", ("white", "red"), None, {"do": "move"}, "knight/white/1"),
    ],
)  # fmt: skip
def test_a_move_of_a_house_rule_passes_the_turn(game, colours, position, action, move) -> None:
    board, room = load_board("reference", game), room_for(game)
    players = tuple(Player(c.title(), c) for c in colours)
    if position is not None:
        start = room.start(Header(game, "reference", players), board)
        position = {**room.position(start), **position}
    header = Header(game, "reference", players, {}, position, {"strictness": "scorekeeper"})
    tracker = Tracker(room, board, header)
    taken = {s for spots in tracker.placement.pieces.values() for s in spots}
    origin = tracker.placement.pieces[move]
    special = {c.id for c in board.cells.values() if c.roles}
    free = next(c for c in sorted(board.cells) if c not in taken | special)
    refused = Verdict(
        Status.ILLEGAL, colours[0], (Action(colours[0], action["do"], {"to": free}),), rule="X-1"
    )
    said = tracker.allow(refused, (PieceMove(move, origin, (free,)),))
    assert actions(list(said)) == ["correct"]
    assert tracker.placement.pieces[move] == (free,)
    assert room.to_act(tracker.state) == colours[1]
