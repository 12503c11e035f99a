"""Knights, King and Queen: every way to go, every refusal (G-7 to G-18)."""

from __future__ import annotations

import pytest

from engine.board import load_board
from tests.engine.grailnah.support import Table, full, keys, small_board

RING = {f"6/{s}" for s in range(24)}


def test_g8_knights_leave_by_the_lateral_gates_any_number_of_free_cells() -> None:
    t = Table(start=True)
    assert t.hints("knight/white/1") == RING - {"6/0", "6/12"}
    t.move("white", "knight/1", "6/5")
    t.move("red", "knight/1", "6/16")
    assert t.hints("knight/white/2") == {
        f"6/{s}" for s in (1, 2, 3, 4, 16, 17, 18, 19, 20, 21, 22, 23)
    }
    j = t.not_move("G-10", "white", "knight/2", "6/6")
    assert "6/5" in j.cells and "the white castle" in j.message.text


@pytest.mark.parametrize("to", ["5/0", "5/1", "4/0", "grail"])
def test_g8_not_by_the_royal_gate(to: str) -> None:
    t = Table(start=True)
    j = t.not_move("G-8", "white", "knight/1", to)
    assert "6/1" in j.message.text and "6/23" in j.message.text


def test_g13_royals_leave_by_the_royal_gate() -> None:
    t = Table(start=True)
    assert t.hints("king/white") == t.hints("queen/white") == {"5/0"}
    for to in ("6/1", "6/23", "5/1", "4/0"):
        j = t.not_move("G-13", "white", "queen", to)
        assert "5/0" in j.message.text
    t.move("white", "king", "5/0")
    t.move("red", "king", "5/12")
    t.not_move("G-A4", "white", "queen", "5/0")


def test_ga29_an_opponent_on_the_gate_is_entered_and_blocked() -> None:
    t = Table({"knight/red/1": "6/1", "knight/red/2": "5/0", "knight/white/1": "6/23"})
    assert "6/1" in t.hints("knight/white/2")
    assert t.hints("knight/white/2") == {"6/1"}
    assert t.hints("king/white") == {"5/0"}
    assert keys(t.move("white", "king", "5/0")) == ["pair"]


def test_g9_forward_is_one_cell() -> None:
    t = Table({"knight/white/1": "4/2"})
    for to in ("2/2", "3/3", "3/1", "1/2", "grail"):
        t.not_move("G-9", "white", "knight/1", to)
    t.move("white", "knight/1", "3/2")


def test_g10_castles_and_stairs_are_not_passed() -> None:
    t = Table({"knight/white/1": "6/10", "knight/white/2": "5/2"})
    assert t.hints("knight/white/1") == {f"6/{s}" for s in range(1, 12)} - {"6/10"}
    assert t.hints("knight/white/2") == {"4/2", "5/1", "5/0", "5/23", "5/22"}
    j = t.not_move("G-10", "white", "knight/2", "5/5")
    assert "5/3" in j.cells and "stair" in j.message.text
    j = t.not_move("G-10", "white", "knight/1", "6/14")
    assert "castle" in j.message.text


def test_g11_no_way_back_not_even_aslant() -> None:
    t = Table({"knight/white/1": "3/5"})
    for to in ("4/5", "4/6", "6/5", "5/2"):
        t.not_move("G-11", "white", "knight/1", to)


def test_ga28_knights_do_not_go_back_into_a_castle() -> None:
    t = Table({"knight/white/1": "6/1", "knight/white/2": "6/11"})
    for piece, castle in (("knight/1", "6/0"), ("knight/2", "6/12")):
        t.not_move("G-A28", "white", piece, castle)


def test_g14_ga39_knights_do_not_stop_on_a_stair() -> None:
    t = Table({"knight/white/1": "6/3", "knight/white/2": "5/4"})
    t.not_move("G-14", "white", "knight/1", "5/3")
    t.not_move("G-14", "white", "knight/2", "5/3")


def test_ga10_nobody_lands_on_merlin_or_morgane() -> None:
    t = Table({"knight/white/1": "3/5", "merlin": "2/5", "morgane": "3/7", "king/white": "4/1"})
    t.not_move("G-A10", "white", "knight/1", "2/5")
    t.not_move("G-A10", "white", "knight/1", "3/7")
    t = Table({"king/white": "5/5", "merlin": "4/5"})
    t.not_move("G-A10", "white", "king", "4/5")
    t.not_move("G-A9", "white", "knight/1", "6/0")


def test_ga4_two_pawns_of_one_player() -> None:
    t = Table({"knight/white/1": "4/5", "knight/white/2": "4/8", "king/white": "5/5"})
    t.not_move("G-A4", "white", "knight/1", "4/8")
    t.not_move("G-A4", "white", "king", "4/5")


def test_ga9_a_full_round_is_no_move() -> None:
    t = Table({"knight/white/1": "4/5"})
    t.not_move("G-A9", "white", "knight/1", "4/5")
    assert t.hints("knight/white/1") == {f"4/{s}" for s in range(24)} - {"4/5"} | {"3/5"}


def test_g17_royals_go_one_cell_in_all_eight_directions() -> None:
    t = Table({"king/white": "5/5"})
    around = {f"{r}/{s}" for r in (4, 5, 6) for s in (4, 5, 6)} - {"5/5"}
    assert t.hints("king/white") == around
    for to in ("5/7", "4/7", "6/3", "5/10"):
        t.not_move("G-17", "white", "king", to)
    t.not_move("G-17", "white", "king", "5/5")


def test_ga37_never_aslant_into_a_castle_nor_out_of_it() -> None:
    t = Table({"king/white": "5/11", "queen/white": "5/1"})
    t.not_move("G-A37", "white", "king", "6/12")
    t.not_move("G-A37", "white", "queen", "6/0")
    assert "6/12" not in t.hints("king/white")


def test_ga27_a_castle_is_entered_by_its_royal_gate_only() -> None:
    t = Table({"king/white": "6/11", "queen/white": "5/12"})
    t.not_move("G-A27", "white", "king", "6/12")
    t.move("white", "queen", "6/12")
    assert not t.state.blocked("queen/white")
    t.move("red", "queen", "5/12")
    t.not_move("G-13", "white", "queen", "6/11")


def test_own_castle_may_be_entered_again() -> None:
    t = Table({"king/white": "5/0"})
    assert "6/0" in t.hints("king/white")
    assert keys(t.move("white", "king", "6/0")) == []


def test_ga33_a_castle_place_without_a_castle_is_an_ordinary_cell() -> None:
    t = Table({"knight/white/1": "6/5", "king/white": "5/7"})
    assert {"6/6", "6/8"} <= t.hints("knight/white/1")
    assert {"6/6", "6/8"} <= t.hints("king/white")


def test_g15_stairs_are_safe_and_hold_one_royal() -> None:
    t = Table({"king/white": "5/3", "queen/red": "5/4", "queen/white": "4/2"})
    t.not_move("G-15", "white", "queen", "5/3")
    t = Table({"king/white": "5/3", "queen/red": "5/4"}, to_move="red")
    t.not_move("G-15", "red", "queen", "5/3")


def test_g16_linked_stairs_only() -> None:
    board = small_board()
    t = Table({"king/white": "3/2"}, board=board)
    assert "3/6" in t.hints("king/white")
    raw = dict(board.raw) | {"stair_links": []}
    t = Table({"king/white": "3/2"}, board=load_board(raw))
    t.not_move("G-16", "white", "king", "3/6")


def test_stair_to_stair_next_door_is_an_ordinary_step() -> None:
    t = Table({"king/white": "5/10"})
    t.move("white", "king", "5/21")
    t.move("red", "king", "5/12")
    t.move("white", "king", "4/20")


def test_g7_only_pawns_of_ones_own() -> None:
    t = Table({"knight/red/1": "4/4"})
    j = t.refused("G-7", "white", "move", piece="knight/red/1", to="3/4")
    assert "4/4" in j.message.text
    t.refused("G-4", "white", "move", piece="castle/red", to="3/4")


def test_g6_out_of_turn() -> None:
    t = Table(start=True)
    t.refused("G-6", "red", "move", piece="king/red", to="5/12")
    t.refused("G-6", "red", "merlin", to="1/0")
    t.refused(None, "green", "pass")
    t.refused(None, None, "pass")


def test_g20_a_sacrificed_knight_does_not_move() -> None:
    t = Table({"knight/white/2": None})
    t.refused("G-20", "white", "move", piece="knight/white/2", to="6/1")


@pytest.mark.parametrize("mine", ["knight/1", "king", "queen"])
@pytest.mark.parametrize("other", ["knight/red/1", "king/red", "queen/red"])
def test_g12_blocked_in_all_combinations(mine: str, other: str) -> None:
    t = Table({full("white", mine): "4/9", other: "4/9"})
    j = t.not_move("G-12", "white", mine, "4/10")
    assert j.cells == ("4/9",)
