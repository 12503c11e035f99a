"""The tile data: sums, consistency, turning, and how places on a tile are named."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine.carcassonne.faces import HALVES, PORTS, Feature, Kind, Tile, opposite, turned
from engine.carcassonne.locations import NoFeature, feature_at
from engine.carcassonne.tile_check import SUMS, check_sets, check_tile
from engine.carcassonne.tiles import faces, least_turn, plain, sets, start_tile, tiles
from engine.errors import BoardFileError


def test_sums_of_the_sets() -> None:
    for name, counts in sets().items():
        assert sum(counts.values()) == SUMS[name.partition(":")[0]]
    assert len(sets()["base:1"]) == 24
    assert sets()["base:1"][start_tile()] == 4
    for name in ("base", "mage_and_witch", "inns_and_cathedrals"):
        by_kind = [
            Counter({plain(t): 0 for t in sets()[f"{name}:{e}"]}) for e in ("1", "2")
        ]  # fmt: skip
        for counter, edition in zip(by_kind, ("1", "2"), strict=True):
            for tile, count in sets()[f"{name}:{edition}"].items():
                counter[plain(tile)] += count
        assert by_kind[0] == by_kind[1]


def test_every_magic_tile_and_nothing_else_has_the_symbol() -> None:
    assert {t for t, tile in tiles().items() if tile.magic} == set(
        sets()["mage_and_witch:1"]
    ) | set(sets()["mage_and_witch:2"])


def test_the_kinds_of_the_base_game_differ_in_play() -> None:
    shapes = {frozenset(f.structure for f in faces(t)) for t in sets()["base:1"]}
    assert len(shapes) == 24


@pytest.mark.parametrize("tile", sorted(tiles()))
def test_turning_four_times_is_nothing(tile: str) -> None:
    for face in faces(tile):
        sides = [face.features[n].kind.value[0] if n >= 0 else "F" for n in face.feature_at[:4]]
        assert face.edges == "".join(sides)
    zero, quarter = faces(tile)[0], faces(tile)[1]
    assert quarter.edges == zero.edges[-1] + zero.edges[:-1]
    assert least_turn(tile, 0) == 0
    for feature in zero.features:
        for port in feature.ports:
            assert turned(port, 4) == port
            assert quarter.feature_at[turned(port, 1)] == zero.feature_at[port]


def test_ports_meet_their_opposites() -> None:
    assert [PORTS[opposite(PORTS.index(p))] for p in "NESW"] == ["S", "W", "N", "E"]
    assert {h: PORTS[opposite(PORTS.index(h))] for h in HALVES} == {
        "NL": "SR", "NR": "SL", "EL": "WR", "ER": "WL", "SL": "NR", "SR": "NL", "WL": "ER",
        "WR": "EL",
    }  # fmt: skip


def _tile(*features: Feature) -> Tile:
    return Tile("X", features)


FIELD = tuple(range(4, 12))


@pytest.mark.parametrize(
    ("tile", "word"),
    [
        (_tile(), "fields of side N"),
        (_tile(Feature(Kind.FIELD, FIELD), Feature(Kind.CITY, (0,))), "fields of side N"),
        (_tile(Feature(Kind.ROAD, (0,)), Feature(Kind.CITY, (0,))), "two features"),
        (_tile(Feature(Kind.FIELD, (4, 6, 7, 8, 9, 10, 11)), Feature(Kind.FIELD, (5,))), "divided"),
        (
            _tile(
                Feature(Kind.ROAD, (0, 2)), Feature(Kind.ROAD, (1, 3)), Feature(Kind.FIELD, FIELD)
            ),
            "cross",
        ),
        (_tile(Feature(Kind.CITY, (0,)), Feature(Kind.FIELD, FIELD[2:])), "must border"),
        (replace(tiles()["BA/CG"], like="BA/L"), "not like"),
        (replace(tiles()["BA/CG"], like=""), "garden"),
    ],
)
def test_inconsistent_tiles_are_found(tile: Tile, word: str) -> None:
    with pytest.raises(BoardFileError, match=word):
        check_tile(tile, tiles())


def test_wrong_sums_are_found() -> None:
    with pytest.raises(BoardFileError, match="72"):
        check_sets({"base:1": {"BA/L": 71}}, tiles())
    with pytest.raises(BoardFileError, match="BA/X"):
        check_sets({"base:1": {"BA/X": 72}}, tiles())


@pytest.mark.parametrize(
    ("tile", "rot", "kind", "at", "found"),
    [
        ("BA/RCr", 0, Kind.ROAD, "W", "EW"),
        ("BA/RCr", 0, Kind.ROAD, "WE", "EW"),
        ("BA/RCr", 90, Kind.ROAD, "NS", "NS"),
        ("BA/RCr", 0, None, "N", "N"),
        ("BA/RCr", 0, Kind.FIELD, "WR", "EL.WR"),
        ("BA/RCr", 0, None, "ER.SL", "ER.SL.SR.WL"),
        ("BA/RCr", 0, Kind.FIELD, "S", "ER.SL.SR.WL"),
        ("BA/RCr", 0, None, "S", "ER.SL.SR.WL"),
        ("BA/RCr", 0, Kind.CITY, None, "N"),
        ("BA/LR", 180, None, "CLOISTER", "CLOISTER"),
        ("BA/LR", 180, Kind.MONASTERY, "NoSide", "CLOISTER"),
        ("BA/LR", 180, Kind.ROAD, "Top", "N"),
        ("BA/Rr", 90, Kind.FIELD, "TopLeftEdge", "NL.WR"),
        ("BA/Rr", 90, Kind.FIELD, "RightTopEdge", "NR.EL.ER.SL.SR.WL"),
        ("IC/CCCC", 0, Kind.FIELD, "INNER_FARM", "INNER_FARM"),
        ("IC/CCCC", 0, Kind.FIELD, None, "INNER_FARM"),
        ("BA/Cccc+", 0, None, "NWSE", "NESW"),
    ],
)
def test_places_on_a_tile(tile: str, rot: int, kind: Kind | None, at: str, found: str) -> None:
    face = faces(tile)[rot // 90]
    assert face.features[feature_at(face, kind, at)].at == found


@pytest.mark.parametrize(
    ("tile", "kind", "at", "divided"),
    [
        ("BA/RCr", Kind.ROAD, "N", False),
        ("BA/RCr", Kind.CITY, "W", False),
        ("BA/RCr", Kind.MONASTERY, "CLOISTER", False),
        ("BA/RCr", Kind.FIELD, "N", False),
        ("BA/RCr", Kind.FIELD, "W", True),
        ("BA/RRRR", Kind.ROAD, "NE", False),
        ("BA/RRRR", Kind.FIELD, "NL.NR", True),
        ("BA/RRRR", Kind.ROAD, None, False),
        ("BA/RCr", Kind.ROAD, "X", False),
        ("BA/RCr", None, "", False),
    ],
)
def test_places_that_are_not_there(tile: str, kind: Kind | None, at: str, divided: bool) -> None:
    with pytest.raises(NoFeature) as error:
        feature_at(faces(tile)[0], kind, at)
    assert error.value.divided == divided
