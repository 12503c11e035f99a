"""Regions: connected roads, cities, fields and monasteries, kept as tiles are placed.

The idea is union-find (Tarjan 1975, union by size) with open ends counted per region, kept in
maps that are copied on write: an older map stays as it was, so taking a tile back costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.carcassonne.faces import Kind, Pos

# A node is one feature of one placed tile: 16 times the number of the placement plus its number.
FEATURES_PER_TILE = 16
MONASTERY_TILES = 9


@dataclass(frozen=True, slots=True)
class Region:
    """A connected feature of the map.

    ``root``: its node in the union-find; ``nodes``: all of its tiles' features; ``tiles``: where
    they lie (for a monastery the places around it that are filled, and its own); ``open_ends``:
    ports that lead to empty places; ``cities``: for a field, a node of every city it borders.
    """

    root: int
    kind: Kind
    nodes: frozenset[int]
    tiles: frozenset[Pos]
    open_ends: int
    pennants: int = 0
    cathedral: bool = False
    inn: bool = False
    cities: frozenset[int] = frozenset()

    @property
    def complete(self) -> bool:
        """Whether no open end is left (C-6), or a monastery is surrounded; fields never are."""
        if self.kind is Kind.MONASTERY:
            return len(self.tiles) == MONASTERY_TILES
        return self.kind is not Kind.FIELD and self.open_ends == 0


def merged(one: Region, other: Region, connections: int) -> Region:
    """Two regions that have become one through some connections; the larger one's root stays."""
    root = one.root if len(one.nodes) >= len(other.nodes) else other.root
    return Region(
        root,
        one.kind,
        one.nodes | other.nodes,
        one.tiles | other.tiles,
        one.open_ends + other.open_ends - 2 * connections,
        one.pennants + other.pennants,
        one.cathedral or other.cathedral,
        one.inn or other.inn,
        one.cities | other.cities,
    )
