"""A tile as it lies: sides, halves of sides, and the features that meet them.

Frame: x right, y down, so north is y - 1.  A *port* is where a feature reaches the rim: 0 to 3 are
the sides N E S W (roads and cities), 4 to 11 the halves NL NR EL ER SL SR WL WR (fields), left and
right as seen from the middle of the tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

Pos = tuple[int, int]

SIDES = "NESW"
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
PORTS = (*SIDES, *HALVES)
PORT_OF = {name: port for port, name in enumerate(PORTS)}
STEPS: tuple[Pos, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
AROUND: tuple[Pos, ...] = tuple(
    (dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)
)
TURNS = (0, 90, 180, 270)
CLOISTER, INNER = "CLOISTER", "INNER_FARM"
ANY = "?"


class Kind(Enum):
    """What a feature is; the value is the word of the record."""

    ROAD = "Road"
    CITY = "City"
    MONASTERY = "Monastery"
    FIELD = "Field"


def side_of(port: int) -> int:
    """The side (0 to 3 for N E S W) on which a port lies."""
    return port if port < 4 else (port - 4) // 2


def opposite(port: int) -> int:
    """The port of the neighbouring tile that a port touches."""
    if port < 4:
        return (port + 2) % 4
    half = port - 4
    return 4 + 2 * ((half // 2 + 2) % 4) + 1 - half % 2


def turned(port: int, quarters: int) -> int:
    """The port after some quarter turns clockwise."""
    if port < 4:
        return (port + quarters) % 4
    return 4 + (port - 4 + 2 * quarters) % 8


@dataclass(frozen=True, slots=True)
class Feature:
    """One road, city, monastery or field of a tile.

    ``ports``: in the order of ``PORTS``; ``touches``: for a field, the numbers of the tile's
    cities that it borders.
    """

    kind: Kind
    ports: tuple[int, ...] = ()
    pennants: int = 0
    cathedral: bool = False
    inn: bool = False
    touches: tuple[int, ...] = ()

    @property
    def at(self) -> str:
        """Where it is, in the words of the record: "WE" becomes "EW", "NL.NR", "CLOISTER"."""
        if self.kind is Kind.MONASTERY:
            return CLOISTER
        if not self.ports:
            return INNER
        return ("." if self.kind is Kind.FIELD else "").join(PORTS[p] for p in self.ports)


@dataclass(frozen=True, slots=True)
class Tile:
    """A kind of tile, unturned.  ``like``: the same tile without the garden, else its own id."""

    id: str
    features: tuple[Feature, ...]
    magic: bool = False
    garden: bool = False
    like: str = ""


@dataclass(frozen=True)
class Face:
    """A tile in one quarter turn; ``edges``: C, R or F for the sides N E S W."""

    tile: str
    rot: int
    features: tuple[Feature, ...]
    magic: bool = False
    edges: str = field(init=False)
    feature_at: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        at = [-1] * len(PORTS)
        for number, feature in enumerate(self.features):
            for port in feature.ports:
                at[port] = number
        letters = [ANY if at[s] < 0 else self.features[at[s]].kind.value[0] for s in range(4)]
        object.__setattr__(self, "feature_at", tuple(at))
        object.__setattr__(self, "edges", "".join(letters).replace(ANY, "F"))

    @cached_property
    def monastery(self) -> int | None:
        """The number of the monastery among the features."""
        kinds = [f.kind for f in self.features]
        return kinds.index(Kind.MONASTERY) if Kind.MONASTERY in kinds else None

    @property
    def structure(self) -> tuple[object, ...]:
        """Equal for faces that play alike: the same features at the same ports."""
        return (self.magic, frozenset(_key(f, self.features) for f in self.features))


def _key(feature: Feature, features: Sequence[Feature]) -> tuple[object, ...]:
    """What a feature is and where, with the cities it borders named by their ports."""
    touched = frozenset(features[t].ports for t in feature.touches)
    return (
        feature.kind, feature.ports, feature.pennants, feature.cathedral, feature.inn, touched,
    )  # fmt: skip


def face_of(tile: Tile, rot: int) -> Face:
    """A tile turned clockwise by ``rot`` degrees (0, 90, 180 or 270)."""
    quarters = rot // 90
    features = tuple(
        Feature(
            f.kind, tuple(sorted(turned(p, quarters) for p in f.ports)),
            f.pennants, f.cathedral, f.inn, f.touches,
        )
        for f in tile.features
    )  # fmt: skip
    return Face(tile.id, rot, features, tile.magic)


def step(pos: Pos, side: int) -> Pos:
    """The neighbouring place on a side."""
    dx, dy = STEPS[side]
    return pos[0] + dx, pos[1] + dy


def cell(pos: Pos) -> str:
    """The id of a place in messages and placements: ``"x,y"``."""
    return f"{pos[0]},{pos[1]}"
