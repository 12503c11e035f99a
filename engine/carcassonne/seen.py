"""What the eyes report of a table of tiles, in plain types without arrays.

Frame: the game's own lattice.  The start tile lies at (0, 0) unturned and gives the directions: x
right, y down, turns in degrees clockwise, as in the record.  A point on a tile is (u, v) from its
north-west corner, 0 to 1, u to the east and v to the south.  Probabilities are natural logarithms
and are not decided early: the neighbours' edges and the tiles still unplayed may be used by the
eyes, but a tile that plainly lies wrong is reported as it lies.

``engine.carcassonne.sight.observation_of`` turns it into the ``Observation`` of the referee.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.carcassonne.faces import Pos
from engine.observation import CellView


class Role(Enum):
    """What stands on a tile; the values are the kinds of the placement."""

    MEEPLE = "meeple"
    LARGE_MEEPLE = "large_meeple"
    MAGE = "mage"
    WITCH = "witch"


@dataclass(frozen=True, slots=True)
class FaceGuess:
    """A kind of tile and its quarter turn: ``tile`` as in ``data/carcassonne_tiles.json``, without
    gardens (``engine.carcassonne.tiles.plain``); of turns that play alike any one will do."""

    tile: str
    rot: int
    log_prob: float


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile of the lattice.

    ``guesses``: best first, at least one; ``off``: its centre beside the middle of its place, in
    tiles; ``askew``: degrees clockwise by which it lies crooked; ``confidence``: that a tile lies
    there at all.
    """

    x: int
    y: int
    guesses: tuple[FaceGuess, ...]
    confidence: float = 1.0
    off: tuple[float, float] = (0.0, 0.0)
    askew: float = 0.0

    @property
    def pos(self) -> Pos:
        """Its place."""
        return self.x, self.y

    @property
    def best(self) -> FaceGuess:
        """The most probable guess."""
        return self.guesses[0]


@dataclass(frozen=True, slots=True)
class FigureGuess:
    """What a figure may be; ``owner``: colour of its player, None for mage and witch."""

    role: Role
    owner: str | None
    log_prob: float


@dataclass(frozen=True, slots=True)
class SeenFigure:
    """One figure on a tile, or beside all tiles (``pos`` None: then it says nothing).

    ``foot``: where it touches the tile, (u, v); of a lying one the middle of what touches;
    ``sigma``: standard deviation of the foot, in tiles; ``lying``: probability that it lies (on a
    field).  ``features``: log-probability by ``at`` of the record ("EW", "NL.NR", "CLOISTER"), where
    the eyes know the print of this edition better than the plain feature map; empty: by the foot.
    """

    guesses: tuple[FigureGuess, ...]
    pos: Pos | None
    foot: tuple[float, float] = (0.5, 0.5)
    sigma: float = 0.04
    lying: float = 0.0
    features: Mapping[str, float] = field(default_factory=dict)
    confidence: float = 1.0
    foot_px: tuple[float, float] = (0.0, 0.0)

    @property
    def best(self) -> FigureGuess:
        """The most probable guess."""
        return self.guesses[0]


@dataclass(frozen=True, slots=True)
class SeenTable:
    """One view of the table at source time ``t_s``.

    ``found``: whether the lattice is known in this view; else nothing else may be believed.
    ``tiles`` and ``figures``: everything seen in this view.  ``views``: places that cannot be judged
    (out of the picture, under a hand, glare): what is known there stays known.  ``changed``: places
    whose look differs from the last accepted view (None: there is none to compare with).
    ``still_s``: for how long nothing has moved.
    """

    t_s: float
    found: bool
    hand: bool
    tiles: tuple[SeenTile, ...] = ()
    figures: tuple[SeenFigure, ...] = ()
    views: Mapping[Pos, CellView] = field(default_factory=dict)
    changed: frozenset[Pos] | None = None
    still_s: float = 0.0
