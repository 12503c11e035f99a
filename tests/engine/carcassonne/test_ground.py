"""The plain feature map: every tile's parts lie where its facts say, in every turn."""

from __future__ import annotations

import math

import pytest

from engine.carcassonne.faces import TURNS, Kind
from engine.carcassonne.ground import GRID, HALF_AT, ground_of
from engine.carcassonne.seen import FaceGuess, FigureGuess, Role, SeenFigure, SeenTable, SeenTile
from engine.carcassonne.shapes import MIDDLES
from engine.carcassonne.sight import observation_of
from engine.carcassonne.tiles import faces, plain, tiles
from engine.geometry import Point
from engine.observation import CellView
from tests.engine.carcassonne.support import Table

KINDS = sorted(t for t in tiles() if plain(t) == t)


def inside(point: Point) -> Point:
    """A point on the rim, moved a little inwards."""
    return tuple(0.5 + (c - 0.5) * (1 - 1.5 / GRID) for c in point)  # type: ignore[return-value]


@pytest.mark.parametrize("tile", KINDS)
def test_the_map_agrees_with_the_facts(tile: str) -> None:
    for rot in TURNS:
        face, ground = faces(tile)[rot // 90], ground_of(tile, rot)
        for number, feature in enumerate(face.features):
            assert ground.feature_at(ground.anchors[number]) == number
            for port in feature.ports:
                at = MIDDLES[port] if port < 4 else HALF_AT[port - 4]
                assert ground.feature_at(inside(at)) == number, (rot, feature.at, port)
        assert ground.fields == {
            n for n, f in enumerate(face.features) if f.kind is Kind.FIELD
        }  # fmt: skip
        assert set(ground.labels.values()) == set(range(len(face.features)))


def test_anchors_of_one_tile_are_apart() -> None:
    near = {}
    for tile in KINDS:
        anchors = ground_of(tile).anchors
        for n, a in enumerate(anchors):
            for b in anchors[:n]:
                near[tile] = min(near.get(tile, 1.0), math.dist(a, b))
    assert min(near.values()) > 0.1, min(near, key=near.__getitem__)


def test_a_foot_between_road_and_field_is_both() -> None:
    ground = ground_of("BA/RFr")
    road = next(iter(ground.roads))
    sure = ground.chances((0.3, 0.5), 0.03, 0.0)
    assert sure[road] > 0.9
    torn = ground.chances((0.3, 0.56), 0.05, 0.5)
    assert 0.2 < torn[road] < 0.8
    assert sum(torn.values()) == pytest.approx(1.0)
    lying = ground.chances((0.3, 0.56), 0.05, 1.0)
    assert road not in lying
    # What lies on a road all the same is reported where it was seen.
    assert ground.chances((0.3, 0.5), 0.01, 1.0)[road] == pytest.approx(1.0)


def test_a_view_of_the_table_becomes_an_observation() -> None:
    t = Table()
    t.play("BA/RFr", 1, 0)
    guesses = (FaceGuess("BA/RFr", 180, math.log(0.6)), FaceGuess("BA/RFr", 0, math.log(0.3)))
    red = (FigureGuess(Role.MEEPLE, "red", -0.01), FigureGuess(Role.MEEPLE, "blue", -4.0))
    mage = (FigureGuess(Role.MAGE, None, -0.01),)
    table = SeenTable(
        3.0, True, False,
        (SeenTile(0, 0, (FaceGuess("BA/RCr", 0, -0.01),)), SeenTile(1, 0, guesses)),
        (
            SeenFigure(red, (1, 0), (0.5, 0.5), lying=0.02), SeenFigure(mage, None),
            SeenFigure(mage, (0, 0), features={"N": -0.1, "X": -1.0}),
        ),
        {(0, 0): CellView.GLARE}, frozenset({(1, 0)}), 1.0,
    )  # fmt: skip
    seen = observation_of(table, t.state)
    start, road, meeple, beside, city = seen.pieces
    assert start.best.spots == ("0,0@0",)
    assert [c.spots for c in road.candidates] == [("1,0@0",)]
    assert road.best.log_prob == pytest.approx(math.log(0.9))
    assert (meeple.best.kind, meeple.best.colour, meeple.best.spots) == (
        "meeple",
        "red",
        ("1,0:EW",),
    )
    assert beside.best.spots == ()
    assert [c.spots for c in city.candidates] == [("0,0:N",)]
    assert seen.cells["0,0@0"] is CellView.GLARE
    assert seen.cells["0,0:N"] is CellView.GLARE
    assert seen.changed is not None and {"1,0@0", "1,0:EW"} <= seen.changed
    assert seen.still_s == 1.0
