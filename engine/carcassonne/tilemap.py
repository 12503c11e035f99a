"""The growing map: placed tiles, regions, and the frontier of places where a tile can go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from engine.carcassonne.faces import (
    ANY,
    AROUND,
    SIDES,
    Face,
    Feature,
    Kind,
    Pos,
    opposite,
    side_of,
    step,
)
from engine.carcassonne.regions import FEATURES_PER_TILE, Region, merged


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile on the table; ``index``: the number of its placement."""

    face: Face
    pos: Pos
    index: int = field(compare=False)

    @property
    def tile(self) -> str:
        """The kind of tile."""
        return self.face.tile

    def node(self, feature: int) -> int:
        """The node of one of its features."""
        return self.index * FEATURES_PER_TILE + feature


@dataclass(frozen=True, slots=True)
class TileMap:
    """An immutable map.  Two maps are equal when the same tiles lie in the same places.

    ``order``: places by number of placement; ``frontier``: the empty places beside a tile, each
    with the edges that it asks for, "?" where nothing lies.
    """

    placed: Mapping[Pos, Placed] = field(default_factory=dict)
    order: tuple[Pos, ...] = field(default=(), compare=False)
    frontier: Mapping[Pos, str] = field(default_factory=dict, compare=False, repr=False)
    _parents: Mapping[int, int] = field(default_factory=dict, compare=False, repr=False)
    _regions: Mapping[int, Region] = field(default_factory=dict, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(frozenset(self.placed))

    # -- asking ----------------------------------------------------------------------------------

    def root(self, node: int) -> int:
        """The root of the region that holds a node."""
        while (parent := self._parents.get(node, node)) != node:
            node = parent
        return node

    def region(self, node: int) -> Region:
        """The region that holds a node."""
        return self._regions[self.root(node)]

    def region_at(self, pos: Pos, feature: int) -> Region:
        """The region of a feature of the tile at a place."""
        return self.region(self.placed[pos].node(feature))

    def regions(self) -> Iterable[Region]:
        """All regions of the map."""
        return self._regions.values()

    def regions_of(self, pos: Pos) -> Iterator[tuple[int, Region]]:
        """(number of the feature, region) for every feature of the tile at a place."""
        for number in range(len(self.placed[pos].face.features)):
            yield number, self.region_at(pos, number)

    def spot_of(self, node: int) -> tuple[Pos, int]:
        """The place and the number of the feature of a node."""
        index, feature = divmod(node, FEATURES_PER_TILE)
        return self.order[index], feature

    def feature_of(self, node: int) -> Feature:
        """The feature of a node as it lies."""
        pos, number = self.spot_of(node)
        return self.placed[pos].face.features[number]

    def cities_of(self, region: Region) -> frozenset[int]:
        """The roots of the cities that a field borders, each once."""
        return frozenset(self.root(node) for node in region.cities)

    def mismatches(self, face: Face, pos: Pos) -> tuple[Pos, ...]:
        """Neighbouring places whose edge does not go with a tile laid here."""
        wanted = self.frontier.get(pos, ANY * 4)
        return tuple(
            step(pos, side)
            for side in range(4)
            if wanted[side] not in (ANY, face.edges[side])
        )  # fmt: skip

    # -- growing ---------------------------------------------------------------------------------

    def place(self, face: Face, pos: Pos) -> TileMap:
        """The map with one more tile, which must fit (only an empty map takes one anywhere)."""
        placed = Placed(face, pos, len(self.order))
        growth = _Growth(self, placed)
        growth.join_all()
        frontier = dict(self.frontier)
        frontier.pop(pos, None)
        for side in range(4):
            beside = step(pos, side)
            if beside in self.placed:
                continue
            wanted = frontier.get(beside, ANY * 4)
            far = (side + 2) % 4
            frontier[beside] = wanted[:far] + face.edges[side] + wanted[far + 1 :]
        return TileMap(
            {**self.placed, pos: placed}, (*self.order, pos), frontier,
            growth.parents, growth.regions,
        )  # fmt: skip


class _Growth:
    """The regions after one more tile."""

    def __init__(self, before: TileMap, placed: Placed) -> None:
        self._before, self._placed = before, placed
        self.parents = dict(before._parents)
        self.regions = dict(before._regions)

    def join_all(self) -> None:
        """Adds the tile's features, each joined with what it meets."""
        for number, feature in enumerate(self._placed.face.features):
            self._join(number, feature)
        self._surround()

    def _root(self, node: int) -> int:
        while (parent := self.parents.get(node, node)) != node:
            node = parent
        return node

    def _join(self, number: int, feature: Feature) -> None:
        pos, placed = self._placed.pos, self._before.placed
        node = self._placed.node(number)
        cities = frozenset(self._placed.node(t) for t in feature.touches)
        self.regions[node] = Region(
            node, feature.kind, frozenset({node}), frozenset({pos}), len(feature.ports),
            feature.pennants, feature.cathedral, feature.inn, cities,
        )  # fmt: skip
        for port in feature.ports:
            neighbour = placed.get(step(pos, side_of(port)))
            if neighbour is not None:
                met = neighbour.face.feature_at[opposite(port)]
                self._unite(self._root(node), self._root(neighbour.node(met)))

    def _unite(self, one: int, other: int) -> None:
        mine = self.regions.pop(one)
        if one == other:
            self.regions[one] = replace(mine, open_ends=mine.open_ends - 2)
            return
        union = merged(mine, self.regions.pop(other), 1)
        self.regions[union.root] = union
        self.parents[other if union.root == one else one] = union.root

    def _surround(self) -> None:
        """Counts the tile for the monasteries around it, and the tiles around its own."""
        (x, y), placed = self._placed.pos, self._before.placed
        around = [(x + dx, y + dy) for dx, dy in AROUND]
        for pos in around:
            other = placed.get(pos)
            if other is not None and other.face.monastery is not None:
                self._fill(other.node(other.face.monastery), {self._placed.pos})
        own = self._placed.face.monastery
        if own is not None:
            self._fill(self._placed.node(own), {pos for pos in around if pos in placed})

    def _fill(self, node: int, places: set[Pos]) -> None:
        region = self.regions[node]
        self.regions[node] = replace(region, tiles=region.tiles | places)


EMPTY_MAP = TileMap()

__all__ = ["EMPTY_MAP", "SIDES", "Kind", "Placed", "TileMap"]
