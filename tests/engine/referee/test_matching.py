"""Which seen thing is which piece (design decisions 1, 4, 5)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import PieceInfo, PieceMove, Placement
from engine.referee.matching import read
from engine.simulation.noise import Noise


def moves(table: Placement, observation: Observation, **more: object) -> tuple[PieceMove, ...]:
    return read(table, observation, **more)[0].moves  # type: ignore[arg-type]


def test_nothing_moved(table, look) -> None:
    reading = read(table, look())[0]
    assert reading.moves == () and reading.gone == () and reading.spurious == 0
    assert reading.at_home["giant"] == ("h11",)


def test_one_piece_moved(table, look) -> None:
    assert moves(table, look({"wizard/green": ("g10",)})) == (
        PieceMove("wizard/green", ("start",), ("g10",)),
    )


def test_several_pieces_moved(table, look) -> None:
    seen = look({"wizard/green": ("g10",), "goblin/2": ("m14",), "shield/green": ("d9",)})
    assert {(m.piece, m.to) for m in moves(table, seen)} == {
        ("wizard/green", ("g10",)), ("goblin/2", ("m14",)), ("shield/green", ("d9",)),
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_noise_makes_no_move(table, look, seed) -> None:
    seen = look(noise=Noise(0.1, 0.1, 0.03, 0.5, 0.1), seed=seed, changed=frozenset())
    assert moves(table, seen, changed=frozenset()) == ()


def test_nudge_within_the_cell_is_no_move(table, look) -> None:
    assert moves(table, look(off={"giant": (0.3, 0.1)})) == ()


def test_hidden_piece_stays(table, look) -> None:
    reading = read(table, look(hidden=("k11",)))[0]
    assert reading.moves == () and reading.gone == ()


def test_lifted_piece_is_gone_but_not_moved(table, look) -> None:
    reading = read(table, look({"giant": None}))[0]
    assert reading.moves == () and reading.gone == ("giant",)


def test_piece_laid_beside_the_board_is_gone(table, look) -> None:
    reading = read(table, look({"wizard/red": ()}))[0]
    assert reading.moves == () and reading.gone == ("wizard/red",)


def test_missed_piece_on_an_unchanged_spot_is_not_gone(table, look) -> None:
    reading = read(table, look({"giant": None}), changed=frozenset())[0]
    assert reading.moves == () and reading.gone == ()


def test_difference_without_change_is_a_misread(table, look) -> None:
    seen = look({"goblin/1": ("e12",)})
    assert moves(table, seen, changed=frozenset()) == ()
    assert moves(table, seen, changed=frozenset({"e11", "e12"})) != ()


def test_only_one_goblin_moved_keeps_the_other(table, look) -> None:
    assert moves(table, look({"goblin/1": ("k12",)})) == (
        PieceMove("goblin/1", ("e11",), ("k12",)),
    )


def test_both_goblins_moved_offers_both_pairings(table, look) -> None:
    readings = read(table, look({"goblin/1": ("f13",), "goblin/2": ("i13",)}))
    pairings = {tuple((m.piece, m.to) for m in r.moves) for r in readings}
    assert (("goblin/1", ("f13",)), ("goblin/2", ("i13",))) in pairings
    assert (("goblin/1", ("i13",)), ("goblin/2", ("f13",))) in pairings


def test_ruin_cells_in_another_order_are_no_move(table, look) -> None:
    cells = table.pieces["ruin/1"]
    assert moves(table, look({"ruin/1": tuple(reversed(cells))})) == ()


def test_violet_and_red_do_not_swap(table, look) -> None:
    apart = Placement(
        dict(table.pieces) | {"wizard/violet": ("c3",), "wizard/red": ("d3",)}, table.infos
    )
    seen = look({"wizard/violet": ("c3",), "wizard/red": ("d3",)})
    confused = []
    for piece in seen.pieces:
        best = piece.best
        if best.kind == "wizard" and best.spots in (("c3",), ("d3",)):
            wrong = "red" if best.colour == "violet" else "violet"
            candidates = (
                Candidate("wizard", wrong, best.spots, math.log(0.6)),
                replace(best, log_prob=math.log(0.4)),
            )
            piece = replace(piece, candidates=candidates)
        confused.append(piece)
    assert moves(apart, replace(seen, pieces=tuple(confused))) == ()


def test_a_piece_that_stands_does_not_become_another_kind(table, look) -> None:
    seen = look()
    turned = tuple(
        replace(p, candidates=(Candidate("wizard", "black", p.best.spots, -0.1),))
        if p.best.kind == "goblin"
        else p
        for p in seen.pieces
    )
    reading = read(table, replace(seen, pieces=turned))[0]
    assert reading.moves == () and reading.gone == ()


def test_spurious_thing_is_ignored(table, look) -> None:
    seen = look()
    ghost = SeenPiece(
        (0.0, 0.0), (4.0, 0.0, 4.0), (0.0, 0.0), (Candidate("giant", "black", ("a1",), -0.1),), 0.7
    )
    reading = read(table, replace(seen, pieces=(*seen.pieces, ghost)))[0]
    assert reading.moves == () and reading.spurious == 1


def test_stone_between_two_marks_says_nothing(table, look) -> None:
    seen = look({"energy_stone/green": ("track/8",)})
    between = tuple(
        Candidate("energy_stone", "green", (mark,), math.log(p))
        for mark, p in (("track/8", 0.6), ("track/7", 0.4))
    )
    pieces = tuple(
        replace(p, candidates=between) if p.best.spots == ("track/8",) else p for p in seen.pieces
    )
    reading = read(table, replace(seen, pieces=pieces))[0]
    assert reading.moves == () and reading.unsure == ("energy_stone/green",)


def test_a_stone_seen_twice_on_its_mark_does_not_lie_between_marks(table, look) -> None:
    seen = look({"energy_stone/green": ("track/8",)})
    twice = next(p for p in seen.pieces if p.best.spots == ("track/8",))
    reading = read(table, replace(seen, pieces=(*seen.pieces, twice)))[0]
    assert [(m.piece, m.to) for m in reading.moves] == [("energy_stone/green", ("track/8",))]
    assert reading.unsure == ()


def test_two_stones_on_one_mark(table, look) -> None:
    both = {"energy_stone/green": ("track/9",), "energy_stone/violet": ("track/9",)}
    assert {m.piece for m in moves(table, look(both))} == set(both)


def test_lagging_piece_is_at_home_in_both_places(table, look) -> None:
    booked = Placement(dict(table.pieces) | {"energy_stone/green": ("track/9",)}, table.infos)
    late = {"energy_stone/green": ("track/10",)}
    assert moves(booked, look(), lagging=late) == ()
    assert moves(booked, look({"energy_stone/green": ("track/9",)}), lagging=late) == ()
    wrong = moves(booked, look({"energy_stone/green": ("track/7",)}), lagging=late)
    assert [m.to for m in wrong] == [("track/7",)]


def test_off_centre_piece_has_both_cells_as_readings(table, look) -> None:
    seen = look({"wizard/green": ("g10",)}, noise=Noise(0.08, 0, 0), off={
        "wizard/green": (0.46, 0.0)})  # fmt: skip
    places = {r.moves[0].to for r in read(table, seen) if r.moves}
    assert {("g10",), ("h10",)} <= places


def test_what_has_come_is_doubted_where_nothing_has_changed_since_the_last_view(
    table, look
) -> None:
    """A doubtful thing that was not seen in an earlier still moment, when its place looked the same."""
    seen = replace(look({"shield/green": ("d9",)}), t_s=20.0, still_s=1.0)
    assert moves(table, seen, changed={"d9": 19.0}) == (PieceMove("shield/green", (), ("d9",)),)
    assert moves(table, seen, changed={"d9": 12.0}) == ()


@pytest.mark.parametrize(("strength", "known"), [(0.6, True), (0.1, False)])
def test_a_doubtful_piece_on_a_changed_spot_may_have_taken_another_ones_place(
    table, look, strength: float, known: bool
) -> None:
    info = table.infos["goblin/1"]
    seen = look({"wizard/green": None, "goblin/1": None})
    one = look().pieces[0]
    doubtful = replace(
        one,
        candidates=(
            Candidate("goblin", info.colour, ("e11",), math.log(0.55)),
            Candidate("wizard", "green", ("e11",), math.log(0.4)),
        ),
        confidence=0.95,
    )
    seen = replace(
        seen,
        pieces=(*seen.pieces, doubtful),
        strength={"e11": strength, "start": 0.6},
        changed=frozenset({"e11", "start"}),
    )
    readings = read(table, seen, changed=seen.changed)
    taken = [r for r in readings if PieceMove("wizard/green", ("start",), ("e11",)) in r.moves]
    assert bool(taken) is known
    assert all(r.gone == ("goblin/1",) for r in taken)


def told(seen: Observation, *spots: str) -> Observation:
    """These spots look changed as only a piece that has come or gone changes them."""
    return replace(seen, changed=frozenset(spots), strength=dict.fromkeys(spots, 1.0))


def test_a_piece_that_is_seen_where_it_came_and_where_it_left_has_moved(table, look) -> None:
    came = look({"energy_stone/green": ("track/8",)})
    left = next(
        p for p in look().pieces if p.best.kind == "energy_stone" and p.best.colour == "green"
    )
    twice = replace(came, pieces=(*came.pieces, replace(left, confidence=0.85)))
    home = table.pieces["energy_stone/green"]
    seen = told(twice, "track/8", *home)
    assert [m.to for m in read(table, seen, changed=seen.changed)[0].moves] == [("track/8",)]
    assert moves(table, told(twice), changed=frozenset()) == ()


def test_a_first_shield_of_the_wrong_colour_is_the_one_that_is_still_to_come(table, look) -> None:
    """The violet one stands where it stood; something has plainly come."""
    stands = Placement({**table.pieces, "shield/violet": ("k4",)}, table.infos)
    pieces = look({"shield/violet": ("k4",), "shield/green": ("d9",)}).pieces
    wrong = tuple(
        replace(p, confidence=0.85, candidates=(replace(p.best, colour="violet"),))
        if p.best.spots == ("d9",) else p
        for p in pieces
    )  # fmt: skip
    seen = told(replace(look(), pieces=wrong), "d9")
    assert [(m.piece, m.to) for m in read(stands, seen, changed=seen.changed)[0].moves] == [
        ("shield/green", ("d9",))
    ]


@pytest.mark.parametrize(("overlooked", "moved"), [((), "old"), (("old",), "new")])
def test_what_was_overlooked_where_it_stands_is_overlooked_again(
    overlooked: tuple[str, ...], moved: str
) -> None:
    """Two equal pieces: one came unseen, the other is to come; where something comes it is that one."""
    infos = {p: PieceInfo(p, "wisdom", "blue") for p in ("old", "new")}
    stands = Placement({"old": ("a1",), "new": ()}, infos)
    candidate = Candidate("wisdom", "blue", ("e5",), 0.0)
    thing = SeenPiece((0.0, 0.0), (4.0, 0.0, 4.0), (0.0, 0.0), (candidate,), 0.9)
    seen = told(Observation(1.0, True, False, (thing,)), "e5")
    reading = read(
        stands, seen, changed=seen.changed, arriving=frozenset({"new"}), overlooked=overlooked
    )[0]
    assert [m.piece for m in reading.moves] == [moved]
