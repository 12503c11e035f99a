"""What is known of this table's pieces: colours, sizes, and the look of walls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.board import Board
from vision.appearance import ColourModel, prototype
from vision.look_histogram import LookHistogram
from vision.shadows import Lamp
from vision.types import FloatArray

LEVEL_STEP_MM = 1.5  # between the discs of a profile


@dataclass(frozen=True, slots=True)
class SizeModel:
    """Measured height and width of a kind in mm, with the share by which they scatter."""

    height_mm: float
    width_mm: float
    spread: float = 0.18


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The outline of a turned piece: ``radii_mm`` (n,) its half width every LEVEL_STEP_MM above
    the board, 0 from its top on."""

    radii_mm: FloatArray


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What is known of this table's pieces; an empty one falls back on names and the board file.

    ``colours``: by (kind, colour), and by (None, colour) for kinds that were not seen.
    ``sizes`` by kind.  ``wall``: the look of L-walls.
    ``foot_bias_mm``: by shape, how far off (x, y) the detector sees feet in this camera's view.
    ``vectors``: by (kind, colour), the network's vector (D,) of that look.  ``lamp``: what throws
    the table's shadows, if they are hard.  ``profiles``: by kind, of turned pieces.
    """

    colours: Mapping[tuple[str | None, str | None], ColourModel] = field(default_factory=dict)
    sizes: Mapping[str, SizeModel] = field(default_factory=dict)
    wall: LookHistogram | None = None
    foot_bias_mm: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    vectors: Mapping[tuple[str, str | None], FloatArray] = field(default_factory=dict)
    lamp: Lamp | None = None
    profiles: Mapping[str, Profile] = field(default_factory=dict)

    @property
    def nothing(self) -> bool:
        """Whether nothing has been learnt."""
        return not self.colours and self.wall is None

    def colour(self, kind: str, colour: str | None) -> ColourModel | None:
        """The best model there is: this kind's, this colour's, or the name's prototype."""
        return (
            self.colours.get((kind, colour))
            or self.colours.get((None, colour))
            or prototype(colour)
        )

    def size(self, kind: str, board: Board) -> SizeModel:
        """Measured sizes of a kind, or the board file's with more doubt."""
        known = self.sizes.get(kind)
        if known is not None:
            return known
        base_x, base_y, height = board.size_of(kind)
        return SizeModel(height, max(base_x, base_y), 0.3)
