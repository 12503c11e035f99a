"""What the eyes report of one stable view, in plain types without arrays.

Frame: board millimetres on the printed face, x right, y down, origin top-left; pixels of the
source picture with the origin at the centre of the top-left pixel.  Probabilities are natural
logarithms; nothing is decided here that the rules could decide better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class CellView(Enum):
    """How well a cell can be judged in this view."""

    SEEN = "seen"
    HIDDEN = "hidden"  # behind a tall piece, or out of the picture
    HAND = "hand"
    GLARE = "glare"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hypothesis about a seen piece.

    ``spots``: cell ids (three and more for a ruin), ``("track/9",)`` for an energy stone on its
    scale, empty when it lies off the board.
    """

    kind: str
    colour: str | None
    spots: tuple[str, ...]
    log_prob: float


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """One thing the eyes found.

    ``at_mm``: foot point on the printed face; ``covariance_mm2``: (xx, xy, yy);
    ``candidates``: best first, at least one; ``off_centre``: distance of the foot from the centre
    of the best cell as a fraction of the cell's size; ``pips``: log-probabilities of 1 to 6 for a
    die, else empty.
    """

    at_mm: tuple[float, float]
    covariance_mm2: tuple[float, float, float]
    foot_px: tuple[float, float]
    candidates: tuple[Candidate, ...]
    confidence: float
    off_centre: float = 0.0
    pips: tuple[float, ...] = ()

    @property
    def best(self) -> Candidate:
        """The most probable candidate."""
        return self.candidates[0]


@dataclass(frozen=True, slots=True)
class Observation:
    """One view of the table at source time ``t_s``.

    ``cells`` lists only the cells that are not SEEN.  ``changed`` holds the spots whose look
    differs from the last accepted view (None: there is no such view to compare with); ``strength``:
    how much it does there, 0 to 1 (left out where the eyes do not tell).
    ``still_s``: for how long nothing has moved.  ``pose_found`` is False when the board is lost:
    then nothing else may be believed.
    """

    t_s: float
    pose_found: bool
    hand: bool
    pieces: tuple[SeenPiece, ...] = ()
    cells: Mapping[str, CellView] = field(default_factory=dict)
    changed: frozenset[str] | None = None
    still_s: float = 0.0
    strength: Mapping[str, float] = field(default_factory=dict)

    def view(self, spot: str) -> CellView:
        """How well a spot can be judged."""
        return self.cells.get(spot, CellView.SEEN)
