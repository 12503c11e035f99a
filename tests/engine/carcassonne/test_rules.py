"""The rules by number: what is allowed, and every refusal with its rule and cells."""

from __future__ import annotations

import pytest

from engine.carcassonne.queries import closed_places, open_features
from engine.errors import BoardwardenError, PositionError
from tests.engine.carcassonne.support import ALL_SETS, ROOM, Table, keys, on, tiles


def test_c1_the_edges_must_match() -> None:
    t = Table()
    judgement = t.refused("tile", "C-1", tile="BA/L", rot=0, pos=[0, -1])
    assert judgement.cells == ("0,-1", "0,0")
    assert "south it shows a field, there is a city" in judgement.message.text
    judgement = t.refused("tile", "C-1", tile="BA/L", rot=0, pos=[1, 0])
    assert judgement.cells == ("1,0", "0,0")
    t.lay("BA/L", 0, 1)


def test_c1_a_tile_touches_another_and_lies_on_none() -> None:
    t = Table()
    assert t.refused("tile", "C-1", tile="BA/L", rot=0, pos=[0, 2]).cells == ("0,2",)
    t.refused("tile", "C-1", tile="BA/L", rot=0, pos=[1, 1])  # a corner is no edge
    t.refused("tile", "C-1", tile="BA/L", rot=0, pos=[0, 0])


def test_c1_an_enclosed_hole_is_legal() -> None:
    ring = [("BA/L", x, y, 0) for x, y in ((0, 0), (1, 0), (2, 0), (2, 1))]
    rest = [("BA/C", 2, 2, 90), ("BA/C", 1, 2, 180), ("BA/C", 0, 2, 270)]
    t = Table(position={"tiles": tiles(*ring, *rest)})
    t.lay("BA/C", 0, 1, 270)
    assert (1, 1) in t.state.map.frontier
    assert (1, 1) in closed_places(t.state) or t.state.deck["BA/L"]


def test_c1_one_tile_a_turn_by_the_player_whose_turn_it_is() -> None:
    t = Table()
    t.refused("tile", "C-1", "blue", tile="BA/L", rot=0, pos=[0, 1])
    t.refused("end", "C-1")
    t.lay("BA/L", 0, 1)
    t.refused("tile", "C-1", tile="BA/L", rot=0, pos=[0, 2])
    t.refused("end", "C-1", "blue")
    t.refused("meeple", "C-3", "blue", feature="Monastery", at="CLOISTER")
    t.do("end")
    assert t.actor == "blue"


def test_c1_no_more_tiles_of_a_kind_than_there_are() -> None:
    t = Table(position={"deck": {"BA/L": 1, "BA/LR": 1}})
    t.play("BA/L", 0, 1)
    judgement = t.refused("tile", "C-1", tile="BA/L", rot=0, pos=[0, 2])
    assert judgement.message.key == "none_left"


def test_c2_unplaceable_only_if_it_fits_nowhere() -> None:
    t = Table()
    judgement = t.refused("unplaceable", "C-2", tile="BA/RRRR")
    assert set(judgement.cells) == {"1,0", "-1,0"}
    alone = {"tiles": tiles(("BA/L", 0, 0, 0)), "deck": {"BA/Cccc+": 1, "BA/L": 1}}
    t = Table(position=alone)
    judgement = t.do("unplaceable", tile="BA/Cccc+")
    assert keys(judgement) == ["set_aside"]
    assert t.actor == "red"
    assert t.state.set_aside == ("BA/Cccc+",)
    t.refused("unplaceable", "C-1", tile="BA/Cccc+")
    t.lay("BA/L", 1, 0)
    t.refused("unplaceable", "C-2", tile="BA/L")


def test_c2_the_last_tile_set_aside_ends_the_game() -> None:
    alone = {"tiles": tiles(("BA/L", 0, 0, 0)), "deck": ["BA/Cccc+"]}
    t = Table(position={**alone, "meeples": [on("blue", "Monastery", "CLOISTER", 0, 0)]})
    judgement = t.do("unplaceable", tile="BA/Cccc+")
    assert keys(judgement)[0] == "last_set_aside"
    assert t.state.over
    assert t.total("blue") == 1
    assert ROOM.winner(t.state) == "blue"


def test_c3_a_meeple_goes_on_the_tile_just_placed() -> None:
    t = Table()
    t.refused("meeple", "C-3", feature="City", at="N", pos=[0, 0])
    t.lay("BA/RFr", 1, 0)
    judgement = t.refused("meeple", "C-3", feature="City", at="N", pos=[0, 0])
    assert judgement.cells == ("0,0",)
    t.refused("meeple", "C-3", feature="Monastery", at="CLOISTER")
    t.refused("meeple", "C-3", feature="Road", at="N")
    t.do("meeple", feature="Road", at="W")
    t.refused("meeple", "C-3", feature="Field", at="NL")
    assert t.state.hands["red"]["small"] == 6


def test_c3_not_on_an_occupied_feature_however_far_away() -> None:
    t = Table()
    t.play("BA/RFr", 1, 0, meeple="Road W")
    t.lay("BA/RFr", 2, 0)
    judgement = t.refused("meeple", "C-3", feature="Road", at="E")
    assert judgement.cells == ("2,0", "1,0")
    t.do("meeple", feature="Field", at="NL.NR")
    t.do("end")
    t.lay("BA/RFr", 3, 0)
    assert t.refused("meeple", "C-3", feature="Field", at="N").cells == ("3,0", "2,0")
    t.do("meeple", feature="Field", at="S")


def test_c3_from_an_empty_hand() -> None:
    t = Table(position={"hands": {"red": {"small": 0, "large": 1}}})
    t.lay("BA/L", 0, 1)
    judgement = t.refused("meeple", "C-3", feature="Monastery", at="CLOISTER")
    assert judgement.message.key == "hand_empty"
    t.do("meeple", kind="large", feature="Monastery", at="CLOISTER")
    t = Table(options={"sets": ["base"]})
    t.lay("BA/L", 0, 1)
    t.refused("meeple", "C-3", kind="large", feature="Monastery", at="CLOISTER")


def test_c4_c8_scored_at_once_and_the_meeple_is_back_for_the_next_turn() -> None:
    t = Table(options={"sets": ["base"]}, position={"hands": {"red": 1}})
    t.lay("BA/C", 0, -1, 180)
    t.do("meeple", feature="City", at="S")
    assert t.state.hands["red"]["small"] == 0
    judgement = t.do("end")
    assert keys(judgement) == ["city", "gets", "back", "next"]
    assert t.total("red") == 4
    assert t.state.hands["red"]["small"] == 1
    assert not t.state.meeples


def test_c5_monastery_with_eight_neighbours() -> None:
    t = Table(
        position={
            "tiles": tiles(("BA/L", 1, 1, 0), ("BA/L", 1, 0, 0), ("BA/L", 2, 0, 0),
                           ("BA/L", 2, 1, 0), ("BA/C", 2, 2, 90), ("BA/C", 1, 2, 180),
                           ("BA/C", 0, 2, 180), ("BA/C", 0, 1, 270)),
            "meeples": [on("blue", "Monastery", "CLOISTER", 1, 1)],
        }
    )  # fmt: skip
    t.lay("BA/C", 0, 0, 0)
    judgement = t.do("end")
    assert keys(judgement)[0] == "monastery"
    assert t.total("blue") == 9


def test_c6_a_tile_met_twice_by_one_city_counts_once() -> None:
    # Two corners and a tile with two separate city edges close a ring of four tiles.
    t = Table(
        position={
            "tiles": tiles(("BA/Cc.1", 0, 0, 180), ("BA/Cc.1", 1, 0, 270), ("BA/Cc.1", 0, 1, 90)),
            "meeples": [on("red", "City", "E", 0, 0)],
        }
    )
    t.lay("BA/CC.2", 1, 1, 0)
    judgement = t.do("end")
    assert t.total("red") == 8
    assert judgement.notes[0].params["tiles"] == 4


def test_c6_the_last_tile_closes_from_four_sides() -> None:
    arms = [("BA/C", 1, 0, 180), ("BA/C", 2, 1, 270), ("BA/C", 1, 2, 0)]
    bridge = [("BA/L", 2, 0, 0), ("BA/L", 2, 2, 0), ("BA/L", 0, 2, 0)]
    t = Table(
        position={
            "tiles": tiles(*arms, *bridge, ("BA/C", 0, 1, 90)),
            "meeples": [on("red", "City", "S", 1, 0), on("blue", "City", "E", 0, 1)],
        }
    )
    t.lay("BA/Cccc+", 1, 1)
    t.do("end")
    assert t.total("red") == t.total("blue") == 2 * 5 + 2


def test_c7_a_tie_gives_all_points_to_all_and_a_large_meeple_counts_two() -> None:
    for kind, points in (("small", (4, 4)), ("large", (0, 4))):
        t = Table(
            position={
                "tiles": tiles(("BA/RRR", 0, 0, 180), ("BA/RFr", 1, 0, 0), ("BA/C", 1, 1, 180),
                               ("BA/C", 2, 1, 180), ("BA/C", 3, 1, 180), ("BA/RRR", 3, 0, 180)),
                "meeples": [
                    on("red", "Road", "E", 0, 0), on("blue", "Road", "W", 3, 0, kind),
                ],
            }
        )  # fmt: skip
        t.lay("BA/RFr", 2, 0)
        judgement = t.do("end")
        assert (t.total("red"), t.total("blue")) == points
        assert ("outvoted" in keys(judgement)) == (kind == "large")


@pytest.mark.parametrize(("value", "points"), [(2, 2), ("4", 4)])
def test_c10_city_of_two_tiles(value: object, points: int) -> None:
    t = Table(options={"sets": ["base"], "C-10": value})
    t.play("BA/C", 0, -1, 180, meeple="City S")
    assert t.total("red") == points


def test_c9_c12_the_last_end_counts_everything_and_a_tie_shares_the_win() -> None:
    t = Table(position={"deck": {"BA/RFr": 2}})
    t.play("BA/RFr", 1, 0, meeple="Road E")
    t.lay("BA/RFr", -1, 0)
    t.do("meeple", feature="Field", at="N")
    judgement = t.do("end")
    assert t.state.over
    assert t.total("red") == 3
    assert ROOM.winner(t.state) == "red"
    assert "last_tile" in keys(judgement)
    assert t.refused("end", "C-9", "red").message.key == "game_over"
    t = Table()
    t.do("finish")
    assert ROOM.winner(t.state) == "red,blue"
    assert ROOM.to_act(t.state) is None


def test_c9_finish_by_agreement_ends_the_turn_first() -> None:
    t = Table()
    t.lay("BA/C", 0, -1, 180)
    t.do("meeple", feature="City", at="S")
    judgement = t.do("finish")
    assert t.total("red") == 4
    assert "tiles_left" in keys(judgement)


def test_c9_fields_each_city_once_and_ties() -> None:
    t = Table()
    t.play("BA/C", 0, -1, 180, meeple="Field N")
    t.do("finish")
    assert ROOM.scores(t.state)["red"] == {
        "points": 3, "road": 0, "city": 0, "monastery": 0, "field": 3,
    }  # fmt: skip


def test_c11_inn_and_cathedral() -> None:
    t = Table(
        position={
            "tiles": tiles(("BA/RRR", 0, 0, 0), ("IC/RFr.i", 1, 0, 0)),
            "meeples": [on("red", "Road", "E", 0, 0)],
        }
    )
    t.lay("BA/RRR", 2, 0)
    t.do("end")
    assert t.total("red") == 6


# -- mage and witch --------------------------------------------------------------------------------

MAGIC = "MW/CRRR.3"


def test_w1_the_figure_comes_before_the_meeple_and_the_end() -> None:
    t = Table()
    t.refused("figure", "W-1", who="mage", pos=[0, 0], at="W")
    judgement = t.lay(MAGIC, 1, 0)
    assert keys(judgement) == ["duty"]
    t.refused("meeple", "W-1", feature="Road", at="S")
    assert t.refused("end", "W-1").cells == ("1,0",)
    t.figure("mage", "W", 0, 0)
    t.refused("figure", "W-1", who="witch", pos=[0, 0], at="N")
    t.do("meeple", feature="Road", at="S")
    t.do("end")


def test_w1_only_after_a_magic_tile() -> None:
    t = Table()
    t.lay("BA/RFr", 1, 0)
    t.refused("figure", "W-1", who="mage", pos=[0, 0], at="W")
    t = Table(options={"sets": ["base"]})
    t.lay("BA/RFr", 1, 0)
    assert t.refused("figure", "W-1", who="mage", pos=[0, 0], at="W").cells == ("0,0",)


def test_w2_where_a_figure_may_not_go() -> None:
    t = Table()
    t.play("BA/C", 0, -1, 180)
    t.lay(MAGIC, 1, 0)
    t.refused("figure", "W-2", who="mage", pos=[0, 0], at="N")  # complete
    t.refused("figure", "W-2", who="mage", pos=[1, 0], at="W")  # the tile just placed
    t.refused("figure", "W-2", who="mage", pos=[0, 0], feature="Field", at="S")
    t.refused("figure", "W-2", who="mage", pos=[5, 5], at="S")
    t.figure("mage", "E", 0, 0)  # the same road on another tile


def test_w2_an_occupied_feature_is_allowed() -> None:
    t = Table()
    t.play("BA/RFr", 1, 0, meeple="Road W")
    t.lay(MAGIC, 2, 0)
    t.figure("witch", "W", 1, 0)


def test_w3_w4_never_both_on_one_feature_and_a_moved_figure_goes_to_another() -> None:
    t = Table(position={"figures": {"mage": {"pos": [0, 0], "at": "W"}}})
    t.lay(MAGIC, 1, 0)
    assert t.refused("figure", "W-3", who="witch", pos=[0, 0], at="E").cells == ("0,0",)
    t.refused("figure", "W-4", who="mage", pos=[0, 0], at="E")
    t.figure("witch", "N", 0, 0)
    t.do("end")
    t.lay("MW/CRRr.2", -1, 0, 0)
    t.refused("figure", "W-3", who="mage", pos=[0, 0], at="N")
    t.figure("mage", "S", 1, 0)  # both are out: one of the two moves
    assert t.state.figures["witch"] == ((0, 0), 0)


def test_w5_set_aside_only_if_nothing_else_is_possible() -> None:
    t = Table(position={"figures": {"mage": {"pos": [0, 0], "at": "W"}}})
    t.lay(MAGIC, 1, 0)
    judgement = t.refused("figure", "W-5", who="mage", off=True)
    assert judgement.cells == ("0,0",)
    t = Table(position={"tiles": tiles(("BA/L", 0, 0, 0))})
    judgement = t.lay("MW/CFC", 1, 0)
    assert keys(judgement) == ["duty_void"]
    t.refused("figure", "W-1", who="mage", off=True)
    t.do("end")


def test_w5_both_out_and_no_other_place_either_leaves() -> None:
    figures = {"mage": {"pos": [0, 0], "at": "W"}, "witch": {"pos": [0, 0], "at": "N"}}
    t = Table(position={"figures": figures})
    assert keys(t.lay("MW/CFC", 0, 1, 90)) == ["duty_off_either"]
    t.refused("end", "W-5")
    t.do("figure", who="mage", off=True)
    t.do("end")


def _joined(tile: str = "BA/RFr") -> Table:
    below = [("BA/L", 0, 1, 0), ("BA/L", 1, 1, 0), ("BA/L", 2, 1, 0)]
    t = Table(
        position={
            "tiles": tiles(("BA/RCr", 0, 0, 0), *below, ("BA/RCr", 2, 0, 0)),
            "meeples": [on("blue", "Road", "W", 0, 0)],
            "figures": {
                "mage": {"pos": [0, 0], "at": "W"}, "witch": {"pos": [2, 0], "at": "E"},
            },
        }
    )  # fmt: skip
    t.lay(tile, 1, 0)
    return t


def test_w6_a_tile_joins_mage_and_witch() -> None:
    t = _joined()
    t.refused("meeple", "W-6", feature="Field", at="N")
    assert t.refused("end", "W-6").cells == ("0,0", "2,0")
    assert t.refused("figure", "W-6", who="mage", pos=[1, 0], at="W").rule == "W-6"
    t.refused("figure", "W-6", who="witch", off=True)
    t.figure("witch", "N", 2, 0)
    t.refused("figure", "W-1", who="mage", pos=[0, 0], at="N")
    t.do("meeple", feature="Field", at="N")
    t.do("end")


def test_w6_on_the_tile_just_placed_too() -> None:
    t = _joined("BA/RCr")
    t.figure("witch", "N", 1, 0)
    t.do("end")


def test_w6_a_magic_tile_that_joins_needs_one_move_and_not_onto_itself() -> None:
    t = Table(
        position={
            "tiles": tiles(("BA/CFc.1", 0, 0, 0), ("BA/L", 0, 1, 0), ("BA/RFr", 0, 2, 0),
                           ("BA/RFr", 1, 2, 0), ("BA/RFr", 2, 2, 0), ("BA/L", 2, 1, 0),
                           ("BA/CFc+", 2, 0, 0)),
            "figures": {"mage": {"pos": [0, 0], "at": "W"}, "witch": {"pos": [2, 0], "at": "E"}},
        }
    )  # fmt: skip
    assert keys(t.lay("MW/CRcR", 1, 0)) == ["union"]
    t.refused("figure", "W-2", who="mage", pos=[1, 0], at="N")
    t.figure("mage", "E", 0, 2)
    t.do("end")
    assert t.state.figures == {"mage": ((0, 2), 0), "witch": ((2, 0), 0)}


def test_w6_no_other_place_one_is_set_aside() -> None:
    t = Table(
        position={
            "tiles": tiles(("BA/LR", 0, 0, 270), ("BA/L", 0, 1, 0), ("BA/L", 1, 1, 0),
                           ("BA/L", 2, 1, 0), ("BA/LR", 2, 0, 90)),
            "figures": {"mage": {"pos": [0, 0], "at": "E"}, "witch": {"pos": [2, 0], "at": "W"}},
            "meeples": [on("red", "Road", "E", 0, 0)],
        }
    )  # fmt: skip
    assert keys(t.lay("BA/RFr", 1, 0)) == ["union_off"]
    t.refused("end", "W-6")
    t.do("figure", who="witch", off=True)
    judgement = t.do("end")  # complete: three tiles and the mage
    assert t.total("red") == 6
    assert "figure_leaves" in keys(judgement)
    assert t.state.figures == {"mage": None, "witch": None}


def test_w7_w8_points_of_every_scorer_and_the_figure_comes_back_later() -> None:
    t = Table(
        position={
            "tiles": tiles(("BA/RRR", 0, 0, 0), ("BA/RFr", 1, 0, 0)),
            "meeples": [on("red", "Road", "E", 0, 0)],
            "figures": {"witch": {"pos": [0, 0], "at": "E"}},
        }
    )
    t.lay("BA/RRR", 2, 0)
    t.do("end")
    assert t.total("red") == 2  # three tiles, halved and rounded up
    assert t.state.figures["witch"] is None
    t.lay(MAGIC, 3, 0)
    t.figure("witch", "S", 2, 0)


@pytest.mark.parametrize(("reading", "stays"), [("a", False), ("b", True)])
def test_w11_a_feature_without_a_meeple(reading: str, stays: bool) -> None:
    t = Table(
        options={"sets": ALL_SETS, "W-11": reading},
        position={
            "tiles": tiles(("BA/RRR", 0, 0, 0)),
            "figures": {"mage": {"pos": [0, 0], "at": "E"}},
        },
    )
    t.lay("BA/RRR", 1, 0)
    t.do("end")
    assert t.total("red") == t.total("blue") == 0
    assert (t.state.figures["mage"] is not None) == stays


# -- beside the rules ------------------------------------------------------------------------------


def test_open_features_tell_what_they_are_worth_now() -> None:
    t = Table()
    t.play("BA/RFr", 1, 0, meeple="Road W")
    (found,) = open_features(t.state)
    assert (found.worth.points, found.owners, found.complete) == (2, ("red",), False)
    assert found.cells == ("0,0", "1,0")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"sets": ["base", "dragon"]}, "dragon"),
        ({"sets": ["mage_and_witch"]}, "base"),
        ({"sets": ["base", "base:2"]}, "twice"),
        ({"sets": 3}, "list"),
        ({"C-10": 3}, "C-10"),
        ({"M-A8": "b"}, "M-A8"),
    ],
)
def test_unknown_options_are_refused_in_one_sentence(options: dict, word: str) -> None:
    with pytest.raises(BoardwardenError, match=word):
        Table(options=options)


@pytest.mark.parametrize("sets", [["base"], ["basic:1"], {"basic:2": 1, "mage-and-witch:1": 1}])
def test_sets_by_any_of_their_names(sets: object) -> None:
    t = Table(options={"sets": sets})
    assert t.state.tiles_left == (71 if isinstance(sets, list) else 79)


def test_a_tile_with_a_garden_counts_as_the_one_without() -> None:
    t = Table(options={"sets": ["base"]})
    left = t.state.deck["BA/C"]
    t.lay("BA/CG", 0, -1, 180)
    assert t.state.deck["BA/C"] == left - 1
    assert ROOM.position(t.state)["tiles"][1]["tile"] == "BA/CG"


@pytest.mark.parametrize(
    ("position", "word"),
    [
        ({"tiles": []}, "one tile"),
        ({"tiles": tiles(("BA/C", 0, 0, 0), ("BA/L", 0, -1, 0))}, "does not go"),
        ({"tiles": tiles(("BA/C", 0, 0, 0), ("BA/L", 5, 5, 0))}, "touches no"),
        ({"tiles": tiles(*[("BA/L", 0, y, 0) for y in range(5)])}, "more tiles"),
        ({"tiles": 3}, "list"),
        ({"meeples": [on("green", "Road", "W", 0, 0)]}, "players"),
        ({"meeples": [on("red", "Road", "W", 3, 0)]}, "no tile"),
        ({"meeples": [on("red", "Road", "N", 0, 0)]}, "no road"),
        ({"hands": {"red": -1}}, "whole"),
        ({"scores": {"red": "many"}}, "whole"),
        ({"deck": ["BA/X"]}, "BA/X"),
        ({"figures": {"mage": {"pos": [0, 0], "at": "EL"}}}, "neither"),
        ({"turn": {"pos": [0, 0], "duty": ["union"]}}, "share"),
        ({"to_move": "green"}, "players"),
        ([], "object"),
    ],
)
def test_impossible_positions_are_refused_in_one_sentence(position: object, word: str) -> None:
    with pytest.raises(PositionError, match=word):
        Table(position=position)  # type: ignore[arg-type]


def test_a_game_joined_half_way_keeps_the_points_so_far() -> None:
    t = Table(position={"scores": {"red": 12, "blue": 30}})
    t.play("BA/C", 0, -1, 180, meeple="City S")
    assert ROOM.scores(t.state)["red"] == {
        "points": 16, "before": 12, "road": 0, "city": 4, "monastery": 0, "field": 0,
    }  # fmt: skip
