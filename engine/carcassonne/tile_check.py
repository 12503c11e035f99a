"""Checks of the tile data: sums, and that every tile can exist on paper."""

from __future__ import annotations

from collections.abc import Mapping

from engine.carcassonne.faces import HALVES, PORTS, SIDES, Feature, Kind, Tile
from engine.errors import BoardFileError

SUMS = {"base": 72, "mage_and_witch": 8, "inns_and_cathedrals": 18}
# Once around the tile: left half, middle and right half of each side.
RIM = [p for s in range(4) for p in (4 + 2 * s, s, 5 + 2 * s)]


def check_tile(tile: Tile, tiles: Mapping[str, Tile]) -> None:
    """Raises BoardFileError for a tile whose features cannot lie as they are said to."""
    for found in (_covered(tile), _crossing(tile), _corners(tile), _twin(tile, tiles)):
        if found:
            raise BoardFileError(f"the tile {tile.id} is inconsistent: {found}")


def check_sets(sets: Mapping[str, Mapping[str, int]], tiles: Mapping[str, Tile]) -> None:
    """Raises BoardFileError where a set's sum is wrong or names an unknown tile."""
    for name, counts in sets.items():
        unknown = [t for t in counts if t not in tiles]
        if unknown:
            raise BoardFileError(f"the set {name} names a tile {unknown[0]} that does not exist")
        wanted = SUMS[name.partition(":")[0]]
        if sum(counts.values()) != wanted:
            raise BoardFileError(f"the set {name} must have {wanted} tiles")


def _covered(tile: Tile) -> str:
    """Every side is one city, one road or a field; halves of cities belong to no field."""
    owners: dict[int, list[Feature]] = {p: [] for p in range(len(PORTS))}
    for feature in tile.features:
        for port in feature.ports:
            owners[port].append(feature)
    for side, name in enumerate(SIDES):
        if len(owners[side]) > 1:
            return f"side {name} has two features"
        halves = [owners[4 + 2 * side], owners[5 + 2 * side]]
        city = bool(owners[side]) and owners[side][0].kind is Kind.CITY
        if any(len(h) != (0 if city else 1) for h in halves):
            return f"the fields of side {name} do not fit"
        if not owners[side] and halves[0] != halves[1]:
            return f"side {name} is a field and yet divided"
    return ""


def _crossing(tile: Tile) -> str:
    """Features lie side by side: none crosses another on the way around the rim."""
    around = {port: at for at, port in enumerate(RIM)}
    spans = [sorted(around[p] for p in f.ports) for f in tile.features if len(f.ports) > 1]
    for n, one in enumerate(spans):
        for other in spans[n + 1 :]:
            gaps = {sum(a < b for a in one) % len(one) for b in other}
            if len(gaps) > 1:
                return "two features cross"
    return ""


def _corners(tile: Tile) -> str:
    """A field that meets a city at a corner of the tile borders it."""
    city_at = {
        p: n for n, f in enumerate(tile.features) if f.kind is Kind.CITY for p in f.ports
    }  # fmt: skip
    for feature in tile.features:
        if feature.kind is not Kind.FIELD:
            continue
        for port in feature.ports:
            side, right = divmod(port - 4, 2)
            beside = (side + 1) % 4 if right else (side + 3) % 4
            if beside in city_at and city_at[beside] not in feature.touches:
                return f"the field at {HALVES[port - 4]} must border the city {SIDES[beside]}"
        if any(tile.features[t].kind is not Kind.CITY for t in feature.touches):
            return "a field borders what is no city"
    return ""


def _twin(tile: Tile, tiles: Mapping[str, Tile]) -> str:
    """A tile with a garden is otherwise like the one that it names."""
    if not tile.like:
        return "" if not tile.garden else "a garden needs the tile without it"
    twin = tiles.get(tile.like)
    if twin is None or twin.features != tile.features or twin.magic != tile.magic:
        return f"it is not like {tile.like}"
    return ""
