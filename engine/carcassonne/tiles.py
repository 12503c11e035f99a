"""The tiles as data: 72 of the base game, 8 of Mage & Witch, 18 of Inns & Cathedrals.

Facts of ``data/carcassonne_tiles.json`` (with its licence), checked when they are read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from engine.carcassonne.faces import PORT_OF, TURNS, Face, Feature, Kind, Tile, face_of
from engine.carcassonne.tile_check import check_sets, check_tile


@cache
def _raw() -> Mapping[str, Any]:
    text = resources.files("engine").joinpath("data/carcassonne_tiles.json").read_text("utf-8")
    raw: Mapping[str, Any] = json.loads(text)
    return raw


@cache
def tiles() -> Mapping[str, Tile]:
    """Every kind of tile by its id; raises BoardFileError for inconsistent data."""
    found = {name: _tile(name, raw) for name, raw in _raw()["tiles"].items()}
    for tile in found.values():
        check_tile(tile, found)
    return found


@cache
def sets() -> Mapping[str, Mapping[str, int]]:
    """How many tiles of each kind a set has, by ``name:edition``."""
    found: Mapping[str, Mapping[str, int]] = _raw()["sets"]
    check_sets(found, tiles())
    return found


def start_tile() -> str:
    """The kind of the start tile."""
    return str(_raw()["start"])


@cache
def faces(tile: str) -> tuple[Face, ...]:
    """The four turns of a tile: 0, 90, 180 and 270 degrees clockwise."""
    return tuple(face_of(tiles()[tile], rot) for rot in TURNS)


@cache
def plain(tile: str) -> str:
    """The kind that counts: a tile with a garden plays as the one without."""
    return tiles()[tile].like or tile


@cache
def least_turn(tile: str, rot: int) -> int:
    """The smallest turn in which the tile plays exactly as in ``rot``."""
    wanted = faces(tile)[rot // 90].structure
    return next(face.rot for face in faces(tile) if face.structure == wanted)


def _tile(name: str, raw: Mapping[str, Any]) -> Tile:
    cities = raw.get("cities", ())
    features = [
        Feature(
            Kind.CITY, _ports(c["sides"]), int(c.get("pennants", 0)), bool(c.get("cathedral"))
        )
        for c in cities
    ]  # fmt: skip
    city_at = {side: n for n, c in enumerate(cities) for side in c["sides"]}
    features += [
        Feature(Kind.ROAD, _ports(r["sides"]), inn=bool(r.get("inn")))
        for r in raw.get("roads", ())
    ]  # fmt: skip
    if raw.get("monastery"):
        features.append(Feature(Kind.MONASTERY))
    for f in raw.get("fields", ()):
        names = [h for h in f["halves"].split() if h in PORT_OF]
        touches = tuple(sorted({city_at[s] for s in f.get("touches", "")}))
        features.append(Feature(Kind.FIELD, _ports(names), touches=touches))
    return Tile(
        name, tuple(features), bool(raw.get("magic")), bool(raw.get("garden")), raw.get("like", "")
    )


def _ports(names: Any) -> tuple[int, ...]:
    return tuple(sorted(PORT_OF[n] for n in names))
