"""The examples of the rules file (4d), by number."""

from __future__ import annotations

from dataclasses import replace

from engine.carcassonne.scoring import worth
from tests.engine.carcassonne.support import ALL_SETS, ROOM, Table, keys, on, tiles

START = ("BA/RCr", 0, 0, 0)


def test_example_1_city_of_8_tiles_2_pennants_mage_two_tied_knights() -> None:
    # Two cities grow towards each other; the last tile joins and closes them.
    t = Table(
        position={
            "tiles": tiles(
                ("BA/C", 0, 0, 90), ("BA/CFc+", 1, 0, 0), ("BA/CFc+", 2, 0, 0),
                ("BA/L", 2, 1, 0), ("BA/L", 3, 1, 0), ("BA/L", 4, 1, 0), ("BA/Cc.1", 4, 0, 0),
                ("BA/Cc.1", 4, -1, 180), ("BA/Cc.1", 5, -1, 0), ("BA/C", 5, -2, 180),
            ),
            "meeples": [on("red", "City", "E", 0, 0), on("blue", "City", "S", 5, -2)],
            "figures": {"mage": {"pos": [2, 0], "at": "E"}, "witch": None},
        }
    )  # fmt: skip
    t.lay("BA/CFc.1", 3, 0)
    judgement = t.do("end")
    assert t.total("red") == t.total("blue") == 28
    assert keys(judgement)[:4] == ["city", "mage_adds", "tie", "tie"]
    assert t.state.figures["mage"] is None
    assert t.state.hands == {c: {"small": 7, "large": 1} for c in ("red", "blue")}


def test_example_2_road_of_5_with_the_witch_road_of_3_with_the_mage() -> None:
    for count, who, points in ((5, "witch", 3), (3, "mage", 6)):
        between = [("BA/RFr", x, 0, 0) for x in range(1, count - 1)]
        t = Table(
            position={
                "tiles": tiles(("BA/RRR", 0, 0, 0), *between),
                "meeples": [on("red", "Road", "E", 0, 0)],
                "figures": {who: {"pos": [1, 0], "at": "W"}},
            }
        )
        t.lay("BA/RRRR", count - 1, 0)
        judgement = t.do("end")
        assert t.total("red") == points
        assert t.state.figures[who] is None
        assert "figure_leaves" in keys(judgement)


def test_example_3_unfinished_city_of_4_tiles_and_a_pennant() -> None:
    for who, points in ((None, 5), ("mage", 9), ("witch", 3)):
        figures = {} if who is None else {who: {"pos": [1, 0], "at": "W"}}
        t = Table(
            position={
                "tiles": tiles(
                    ("BA/C", 0, 0, 90), ("BA/CFc+", 1, 0, 0), ("BA/CFc.1", 2, 0, 0),
                    ("BA/Cc.1", 3, 0, 0),
                ),
                "meeples": [on("red", "City", "W", 2, 0)],
                "figures": figures,
            }
        )  # fmt: skip
        t.do("finish")
        assert t.total("red") == points


def test_example_4_unfinished_road_of_6_with_an_inn() -> None:
    for who, points in ((None, 0), ("mage", 6), ("witch", 0)):
        figures = {} if who is None else {who: {"pos": [2, 0], "at": "E"}}
        between = [("BA/RFr", x, 0, 0) for x in range(2, 6)]
        t = Table(
            position={
                "tiles": tiles(("BA/RRR", 0, 0, 0), ("IC/RFr.i", 1, 0, 0), *between),
                "meeples": [on("red", "Road", "E", 0, 0)],
                "figures": figures,
            }
        )
        t.do("finish")
        assert t.total("red") == points


def test_example_5_complete_city_with_a_cathedral_5_tiles_and_a_pennant() -> None:
    # No five of the real tiles make such a city, so its reckoning is asked for directly.
    for who, points in ((None, 18), ("witch", 9), ("mage", 23)):
        figures = {} if who is None else {who: {"pos": [0, 0], "at": "N"}}
        t = Table(position={"tiles": tiles(("IC/Cccc.c", 0, 0, 0)), "figures": figures})
        region = t.state.region(((0, 0), 0))
        five = frozenset((x, 0) for x in range(5))
        region = replace(region, tiles=five, pennants=1, open_ends=0)
        assert worth(t.state, region).points == points


def test_example_5_with_the_tiles_that_there_are() -> None:
    for who, points in ((None, 21), ("witch", 11), ("mage", 27)):
        figures = {} if who is None else {who: {"pos": [0, 0], "at": "N"}}
        t = Table(
            position={
                "tiles": tiles(
                    ("IC/Cccc.c", 0, 0, 0), ("BA/CFC.2", 0, -1, 0), ("BA/CFC.2", 1, 0, 90),
                    ("IC/CCc+", 0, 1, 0), ("BA/C", -1, 0, 90),
                ),
                "meeples": [on("red", "City", "NWSE", 0, 0)],
                "figures": figures,
            }
        )  # fmt: skip
        assert not t.state.region(((0, 0), 0)).complete  # the city with the pennant goes on west
        t.lay("BA/C", -1, 1, 90)
        t.do("end")
        assert t.total("red") == points


def test_example_6_magic_tile_that_completes_its_own_road() -> None:
    t = Table(position={"tiles": tiles(("BA/RRR", 0, 0, 0), ("BA/RFr", 1, 0, 0))})
    t.lay("MW/CRRR.3", 2, 0)
    for x in (0, 1, 2):
        judgement = t.refused("figure", "W-2", who="mage", pos=[x, 0], at="W" if x else "E")
        assert judgement.cells == (f"{x},0",)
    t.refused("figure", "W-2", who="mage", pos=[2, 0], at="S")  # open, but on the tile just placed
    t.refused("figure", "W-2", who="witch", pos=[0, 0], feature="Field", at="ER")
    t.refused("end", "W-1")
    t.refused("meeple", "W-1", feature="Road", at="S")
    t.figure("mage", "S", 0, 0)
    t.do("meeple", feature="Road", at="S")
    t.do("end")


def test_example_7_no_place_for_either_figure() -> None:
    t = Table(
        position={
            "tiles": tiles(("BA/LR", 0, 0, 0)),
            "figures": {"witch": {"pos": [0, 0], "at": "S"}},
        }
    )
    judgement = t.lay("MW/CFC", 1, 0)
    assert keys(judgement) == ["duty_off"]
    t.refused("figure", "W-3", who="mage", pos=[0, 0], at="S")
    t.refused("figure", "W-4", who="witch", pos=[0, 0], at="S")
    t.refused("figure", "W-2", who="witch", pos=[1, 0], at="N")
    t.refused("figure", "W-5", who="mage", off=True)
    t.refused("end", "W-5")
    t.do("figure", who="witch", off=True)
    assert t.state.figures == {"mage": None, "witch": None}
    t.do("end")


def test_the_worth_of_every_example_names_its_reasons() -> None:
    t = Table(
        options={"sets": ALL_SETS},
        position={
            "tiles": tiles(("BA/RRR", 0, 0, 0), ("IC/RFr.i", 1, 0, 0)),
            "figures": {"mage": {"pos": [1, 0], "at": "W"}},
        },
    )
    found = worth(t.state, t.state.region(((1, 0), 0)))
    assert found.points == 2
    assert [r.key for r in found.reasons] == ["road_inn_open", "mage_adds"]
    assert ROOM.scores(t.state)["red"]["points"] == 0
