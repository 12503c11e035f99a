"""Statements of the rules file that no other test names: set-up, centre, circle, alternation."""

from __future__ import annotations

import pytest

from engine.board import load_board
from engine.grailnah.state import owner_of
from tests.engine.grailnah.support import COLOURS, REFERENCE, Table


def test_g2_the_goal_is_one_knight_on_the_centre() -> None:
    t = Table({"knight/white/1": "1/4", "knight/red/1": "1/9", "merlin": "2/2", "morgane": "2/3"})
    t.move("white", "knight/1", "grail")
    assert (t.state.winner, t.state.to_act) == ("white", None)
    t.refused("G-2", "red", "move", piece="knight/red/1", to="grail")


def test_g3_merlin_and_morgane_begin_on_the_centre() -> None:
    t = Table(start=True)
    assert t.cell("merlin") == t.cell("morgane") == "grail"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g4_a_castle_for_everybody_with_king_queen_and_four_knights(players: int) -> None:
    t = Table(start=True, players=players)
    castles = t.state.setup.castles
    assert len(set(castles.values())) == players
    assert list(castles.values()) == list(REFERENCE.raw["castle_places"][str(players)])
    for colour in COLOURS[:players]:
        inside = {p for p, c in t.state.pieces.items() if c == castles[colour]}
        knights = {f"knight/{colour}/{n}" for n in range(1, 5)}
        assert inside == knights | {f"king/{colour}", f"queen/{colour}"}
        assert all(owner_of(p) == colour for p in inside)


def test_g5_ga32_castles_can_be_drawn_by_lot() -> None:
    drawn = {"white": "6/12", "red": "6/18", "blue": "6/0", "yellow": "6/6"}
    t = Table({f"castle/{c}": cell for c, cell in drawn.items()}, players=4)
    assert t.state.setup.castles == drawn
    assert t.cell("king/yellow") == "6/6"


def test_g18_royals_stay_out_of_the_magic_circle() -> None:
    t = Table({"king/white": "4/4", "queen/white": "4/20", "king/red": "4/9"})
    for piece, cell in (("king", "3/4"), ("king", "3/5"), ("queen", "3/20")):
        t.not_move("G-18", "white", piece, cell)
    assert not any(c.startswith(("1/", "2/", "3/")) for c in t.hints("king/white"))


def test_g22_leaving_the_centre_morgane_meets_no_knight() -> None:
    t = Table({"knight/white/1": "1/4", "knight/red/1": "1/9"})
    for cell in ("1/4", "1/9"):
        t.refused("G-22", "white", "morgane", to=cell)
    t.do("white", "morgane", to="1/5")


def test_g28_ga12_merlin_never_twice_running_and_never_first() -> None:
    t = Table(start=True)
    t.refused("G-A12", "white", "merlin", to="1/4")
    t.move("white", "knight/1", "6/3")
    t.do("red", "merlin", to="1/4")
    t.refused("G-28", "white", "merlin", to="1/5")
    t.move("white", "knight/1", "6/4")
    t.do("red", "merlin", to="1/6")


def test_ga6_a_stair_with_a_royal_is_closed_for_opponents() -> None:
    t = Table({"king/red": "5/3", "queen/white": "5/2", "king/white": "5/10"})
    assert t.judge("white", "move", piece="queen/white", to="5/3").rule == "G-15"
    assert t.judge("white", "move", piece="king/white", to="5/3").rule == "G-15"


def test_ga15_morgane_may_be_moved_by_one_player_on_any_number_of_own_turns() -> None:
    t = Table({"morgane": "2/4", "knight/white/1": "5/5", "knight/red/1": "4/0"})
    for n in range(4):
        t.do("white", "morgane", to=f"2/{5 + n}", sacrifice=f"knight/white/{n + 1}")
        t.move("red", "knight/1", f"4/{n + 1}")
    assert len(t.state.sacrificed("white")) == 4


def test_ga19_merlin_may_go_back_to_the_centre_and_morgane_not() -> None:
    t = Table({"merlin": "1/4", "morgane": "1/9", "knight/white/1": "4/4"})
    knight = "knight/white/1"
    t.refused("G-27", "white", "morgane", to="grail", sacrifice=knight)
    t.do("white", "merlin", to="grail")
    assert t.cell("merlin") == "grail"


def test_ga31_neither_merlin_nor_morgane_comes_to_a_stair() -> None:
    t = Table({"merlin": "5/4", "king/red": "5/3", "morgane": "3/3", "knight/white/1": "4/9"})
    assert "5/3" not in t.hints("merlin")
    assert not {"4/3", "5/3"} & t.hints("morgane")


def test_ga35_partners_sit_opposite_alternate_and_win_together() -> None:
    t = Table({"knight/blue/1": "1/4"}, players=4, to_move="blue")
    assert t.state.setup.seats == COLOURS
    t.move("blue", "knight/1", "grail")
    assert set(t.state.winners) == {"white", "blue"}


def test_ga38_nothing_stands_between_a_royal_and_the_next_cell() -> None:
    t = Table({"king/white": "4/4", "knight/red/1": "4/5", "knight/red/2": "5/4"})
    assert {"4/5", "5/4", "5/5"} <= t.hints("king/white")


def test_the_reference_board_is_the_one_of_the_rules_file() -> None:
    board = load_board("reference", "grailnah")
    assert len(board.cells) == 6 * 24 + 1
    assert set(board.with_role("stair")) == {"5/3", "5/10", "5/14", "5/21"}
