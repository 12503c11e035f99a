"""The state of a game of Carcassonne: an immutable value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from engine.carcassonne.faces import Pos
from engine.carcassonne.regions import Region
from engine.carcassonne.setup import Setup
from engine.carcassonne.tilemap import TileMap

# A feature of a placed tile: (place, number of the feature on the tile).
Spot = tuple[Pos, int]


@dataclass(frozen=True, slots=True)
class Meeple:
    """A meeple on the table.  ``number`` tells it from its owner's others of the kind."""

    owner: str
    kind: str
    number: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """What the player to act has done.

    ``tile``: where the tile was placed; ``meeple``: whether a meeple was; ``duty``: of "magic"
    (W-1) and "union" (W-6), what mage or witch still owe; ``moved``: the figure that was moved.
    """

    tile: Pos | None = None
    meeple: bool = False
    duty: frozenset[str] = frozenset()
    moved: str | None = None


@dataclass(frozen=True)
class CarcassonneState:
    """A state; two states are equal when play goes on from them in the same way.

    ``deck``: remaining tiles per kind, without gardens; ``set_aside``: unplaceable tiles, oldest
    first; ``figures``: where mage and witch stand, None beside the map; ``points``: per player
    and kind of feature (Road, City, Monastery, Field, and "before" for points of a game joined
    half-way); ``over``: the final scoring is done.
    """

    setup: Setup = field(compare=False, repr=False)
    map: TileMap
    deck: Mapping[str, int]
    hands: Mapping[str, Mapping[str, int]]
    points: Mapping[str, Mapping[str, int]]
    to_move: str
    meeples: Mapping[Spot, Meeple] = field(default_factory=dict)
    figures: Mapping[str, Spot | None] = field(default_factory=dict)
    set_aside: tuple[str, ...] = ()
    turn: Turn = Turn()
    over: bool = False

    def __hash__(self) -> int:
        return hash((self.map, self.to_move, self.turn, self.set_aside, self.over))

    def but(self, **changes: object) -> CarcassonneState:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def with_turn(self, **changes: object) -> CarcassonneState:
        """A copy with some of the turn's fields changed."""
        return replace(self, turn=replace(self.turn, **changes))  # type: ignore[arg-type]

    # -- who -----------------------------------------------------------------------------------

    @property
    def to_act(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if self.over else self.to_move

    @property
    def next_seat(self) -> str:
        """Who sits to the left of the player to act."""
        seats = self.setup.seats
        return seats[(seats.index(self.to_move) + 1) % len(seats)]

    @property
    def tiles_left(self) -> int:
        """How many tiles can still be drawn."""
        return sum(self.deck.values())

    def total(self, colour: str) -> int:
        """A player's points so far."""
        return sum(self.points[colour].values())

    def free_number(self, owner: str, kind: str) -> int:
        """The least number that none of the player's meeples of a kind on the table has."""
        used = {m.number for m in self.meeples.values() if (m.owner, m.kind) == (owner, kind)}
        return next(n for n in range(1, len(used) + 2) if n not in used)

    # -- where ---------------------------------------------------------------------------------

    def region(self, spot: Spot) -> Region:
        """The region of a feature."""
        return self.map.region_at(*spot)

    def meeples_in(self, region: Region) -> Iterator[tuple[Spot, Meeple]]:
        """The meeples of everybody in a region."""
        for spot, meeple in self.meeples.items():
            if self.map.placed[spot[0]].node(spot[1]) in region.nodes:
                yield spot, meeple

    def figures_in(self, region: Region) -> tuple[str, ...]:
        """Which of mage and witch stand in a region."""
        return tuple(
            who
            for who, spot in self.figures.items()
            if spot is not None and self.map.placed[spot[0]].node(spot[1]) in region.nodes
        )
