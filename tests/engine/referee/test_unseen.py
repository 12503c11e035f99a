"""Pieces that the eyes do not see where they stand: change and rules tell where they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.action import Action
from engine.observation import CellView, Observation
from engine.verdict import Status
from tests.engine.referee.table import (
    actions,
    given,
    read_at,
    walked,
    words,
)
from tests.engine.referee.test_situations import sat, seen_without

Alter = Callable[[Observation, int], Observation]


def unseen(piece: str, strength: Mapping[str, float] | None = None) -> Alter:
    """The eyes miss a piece; further spots look changed so much."""
    kind, _, colour = piece.partition("/")
    told = strength or {}
    return seen_without(kind, colour, *told, strength=strength)  # type: ignore[no-any-return]


def test_a_foul_put_down_unseen_is_refused_where_its_place_is_plain() -> None:
    """Nothing is said while the piece may be in somebody's hand; then the rule is named."""
    table = sat()
    alter = unseen("wizard/green", {"start": 0.9, "g16": 0.9})
    assert words(table.show(2.0, {"wizard/green": ("g16",)}, alter=alter)) == []
    (said,) = given(table.show(4.0, alter=alter))
    assert said.verdict.status is Status.ILLEGAL and said.verdict.rule == "M-19"
    assert [m.to for m in said.verdict.pieces] == [("g16",)]
    assert words(table.show(8.0, alter=alter)) == []  # once


def test_a_faint_change_where_a_piece_may_not_stand_is_no_foul() -> None:
    table = sat()
    alter = unseen("wizard/green", {"start": 0.9, "g16": 0.3})
    assert "illegal" not in words(table.show(12.0, {"wizard/green": None}, alter=alter))


def test_no_foul_put_down_unseen_is_refused_under_a_finger() -> None:
    table = sat()
    plain = unseen("wizard/green", {"start": 0.9, "g16": 0.9})

    def touched(observation: Observation, tick: int) -> Observation:
        seen = plain(observation, tick)
        return replace(seen, cells={**seen.cells, "k3": CellView.HAND})

    assert "illegal" not in words(table.show(6.0, {"wizard/green": ("g16",)}, alter=touched))


def test_a_foul_put_back_unseen_is_at_home() -> None:
    """The look of its old place changes once more, and of no other: it is missed no longer."""
    table = walked()
    assert words(table.show(3.0, {"goblin/1": ("a1",)})) == ["illegal"]
    home = table.tracker.placement.pieces["goblin/1"]
    black = set(table.tracker.placement.pieces["goblin/2"])

    def back(observation: Observation, tick: int) -> Observation:
        pieces = tuple(
            p for p in observation.pieces if p.best.kind != "goblin" or set(p.best.spots) == black
        )
        spots = frozenset({"a1", *home})
        return replace(
            observation, pieces=pieces, changed=spots if tick < 7 else frozenset(),
            strength=dict.fromkeys(spots, 0.9),
        )  # fmt: skip

    table.show(0.7, hand=True)
    assert words(table.show(12.0, {"goblin/1": home}, alter=back)) == []


def test_a_piece_taken_in_unseen_is_not_missed_afterwards() -> None:
    """Another piece comes beside it, whose shadow falls on its cell."""
    table = sat()
    alter = unseen("wizard/green", {"start": 0.9, "g10": 0.9})
    assert words(table.show(6.0, {"wizard/green": ("g10",)}, alter=alter)) == ["legal"]
    beside = unseen("wizard/green", {"g11": 0.9, "g10": 0.6})
    assert words(table.show(12.0, {"shield/green": ("g11",)}, alter=beside)) == ["legal"]
    assert table.tracker.whereabouts["wizard/green"] == ("g10",)


def test_a_piece_gone_unseen_comes_before_what_the_next_player_does() -> None:
    """Green's wizard is not seen on g10; when violet's shield has come, both are taken in in order."""
    table = sat()
    alter = unseen("wizard/green", {"start": 0.9, "g10": 0.9})
    table.show(1.2, {"wizard/green": ("g10",)}, alter=alter)
    table.show(0.7, hand=True)
    then = unseen("wizard/green", {"start": 0.9, "g10": 0.9, "c3": 0.9})
    table.show(1.0, {"shield/violet": ("c3",)}, alter=then)
    done = [(a.player, a.do) for a in table.tracker.game.events if a.do in ("shield", "walk")]
    assert done == [("green", "walk"), ("violet", "shield")]


def test_a_faint_change_later_is_not_when_a_piece_left() -> None:
    """The start field looks changed again, a little, after the wizard has left it."""
    table = sat()
    first = unseen("wizard/green", {"start": 0.9, "g10": 0.9})
    then = unseen("wizard/green", {"start": 0.2, "g10": 0.9})
    table.show(1.0, {"wizard/green": ("g10",)}, alter=first)
    table.show(1.0, hand=True)
    said = given(table.show(4.0, alter=then))
    assert [v.verdict.status for v in said] == [Status.LEGAL]
    assert "walk" in actions(table.events)


def test_what_is_legal_is_taken_in_while_something_else_is_not_refused_yet() -> None:
    """Violet's stone is seen on a mark where nothing has changed; green's walk counts meanwhile."""
    table = sat()
    home = table.tracker.placement.pieces["energy_stone/violet"]
    at = table.board.centres["track/14"]

    def beside(observation: Observation, tick: int) -> Observation:
        pieces = read_at(observation, ("energy_stone", "violet"), at, {"track/14": 0.0})
        changed = (observation.changed or frozenset()) | set(home)
        return replace(observation, pieces=pieces, changed=changed)

    said = table.show(2.5, {"wizard/green": ("g10",)}, alter=beside)
    assert words(said) == ["legal"]
    assert table.tracker.placement.pieces["wizard/green"] == ("g10",)


def test_a_piece_put_back_beside_its_cell_is_back() -> None:
    """Seen 0.38 of a cell off the centre of the next one, where nothing has changed: no step onto it."""
    table = walked()
    assert words(table.show(3.0, {"goblin/1": ("a1",)})) == ["illegal"]
    (home,) = table.tracker.placement.pieces["goblin/1"]
    x, y = table.board.centres[home]
    next_cell = table.board.cells[home].neighbours[0]
    nx, ny = table.board.centres[next_cell]
    foot = (x + 0.62 * (nx - x), y + 0.62 * (ny - y))

    def beside(observation: Observation, tick: int) -> Observation:
        pieces = tuple(
            replace(
                p, at_mm=foot, off_centre=0.38,
                candidates=(replace(p.best, spots=(next_cell,), log_prob=0.0),),
            ) if set(p.best.spots) == {home} else p
            for p in observation.pieces
        )  # fmt: skip
        return replace(observation, pieces=pieces, changed=frozenset({"a1", home}))

    table.show(0.7, hand=True)
    assert "illegal" not in words(table.show(5.0, {"goblin/1": (home,)}, alter=beside))
    assert table.tracker.whereabouts["goblin/1"] == (home,)


def test_a_correction_of_something_else_moves_no_stone_that_was_forgotten() -> None:
    """Green's stone still stands on 10 though 9 is due; the giant is set by hand."""
    table = walked()
    table.tracker.act(Action("green", "end"))
    assert table.tracker.whereabouts["energy_stone/green"] == ("track/10",)
    assert table.tracker.placement.pieces["energy_stone/green"] == ("track/9",)
    table.tracker.act(Action(None, "correct", {"pieces": {"giant": "c9"}}))
    assert table.tracker.whereabouts["giant"] == ("c9",)
    assert table.tracker.whereabouts["energy_stone/green"] == ("track/10",)
    table.tracker.act(Action(None, "correct", {"energy": {"green": 12}}))
    assert table.tracker.whereabouts["energy_stone/green"] == ("track/12",)


def test_a_shield_put_on_the_board_unseen_is_asked_about() -> None:
    """Nothing is missed beside the board; one free cell has plainly changed, away from everything."""
    table = walked()
    alter = unseen("shield/green", {"c3": 0.9})
    assert words(table.show(1.0, {"shield/green": ("c3",)}, alter=alter)) == []
    said = [v for v in given(table.show(3.0, alter=alter)) if v.verdict.status is not Status.LEGAL]
    assert [v.verdict.status for v in said] == [Status.AMBIGUOUS]
    table.tracker.choose(said[0].id, 0)
    assert table.tracker.placement.pieces["shield/green"] == ("c3",)
    assert words(table.show(12.0, alter=unseen("shield/green"))) == []


def test_two_plain_changes_of_free_cells_are_no_shield() -> None:
    table = walked()
    alter = unseen("shield/green", {"c3": 0.9, "k5": 0.9})
    assert words(table.show(4.0, {"shield/green": ("c3",)}, alter=alter)) == []


def test_a_piece_between_two_cells_stands_where_the_look_has_changed_more_plainly() -> None:
    table = walked()
    x, y = table.board.centres["c3"]

    def between(observation: Observation, tick: int) -> Observation:
        pieces = read_at(observation, ("shield", "green"), (x, y), {"c3": -0.7, "c4": -0.7})
        strength = {"c3": 0.3, "c4": 0.97}
        return replace(observation, pieces=pieces, changed=frozenset(strength), strength=strength)

    said = table.show(3.0, {"shield/green": ("c3",)}, alter=between)
    assert words(said) == ["legal"]
    assert table.tracker.placement.pieces["shield/green"] == ("c4",)


def test_a_piece_taken_in_unseen_and_then_seen_elsewhere_has_stood_there() -> None:
    """A shadow looked plainer than its place; nothing has changed since, so that it is no move."""
    table = sat()
    alter = unseen("wizard/green", {"start": 0.9, "g10": 0.97, "i10": 0.3})
    table.show(6.0, {"wizard/green": ("i10",)}, alter=alter)
    assert table.tracker.placement.pieces["wizard/green"] == ("g10",)

    def still(observation: Observation, tick: int) -> Observation:
        return replace(observation, changed=frozenset(), strength={"c3": 0.0})

    table.show(0.7, hand=True)
    said = table.show(2.0, alter=still)
    assert "illegal" not in words(said)
    assert table.tracker.placement.pieces["wizard/green"] == ("i10",)
