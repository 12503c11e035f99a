"""True pieces and read pieces brought together, as the scorer of the pictures does it.

On its cells every true piece takes the read piece that agrees best; what is then left over is not
there.  Pieces on the energy track and dice are compared apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vision.evaluation.cases import LEAST_VISIBLE
from vision.labels import LabelledPiece
from vision.reading import ReadPiece

TRACK = "track/"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One true piece; ``read``: what was read on its cells.  ``counted``: it is well visible."""

    truth: LabelledPiece
    read: ReadPiece | None
    counted: bool

    @property
    def colour_right(self) -> bool:
        """On the right cell in the right colour."""
        return self.read is not None and self.read.colour == self.truth.colour

    @property
    def kind_right(self) -> bool:
        """On the right cell as the right kind."""
        return self.read is not None and self.read.kind == self.truth.kind

    @property
    def right(self) -> bool:
        """Cell, colour and kind."""
        return self.colour_right and self.kind_right


@dataclass(frozen=True, slots=True)
class Matched:
    """All true pieces of one picture, and the read ones that are not there."""

    outcomes: tuple[Outcome, ...]
    extra: tuple[ReadPiece, ...]

    @property
    def counted(self) -> list[Outcome]:
        """The outcomes that count."""
        return [o for o in self.outcomes if o.counted]

    @property
    def whole(self) -> bool:
        """Every counted piece right and nothing read that is not there."""
        return not self.extra and all(o.right for o in self.counted)


def on_cells(piece: LabelledPiece | ReadPiece) -> bool:
    """Whether it stands on cells of the board."""
    return bool(piece.spots) and not piece.spots[0].startswith(TRACK)


def match(truth: Iterable[LabelledPiece], got: Iterable[ReadPiece]) -> Matched:
    """The pieces on cells."""
    left = [g for g in got if on_cells(g)]
    outcomes = []
    for piece in (p for p in truth if on_cells(p) and p.kind != "die"):
        best = _best(piece, left)
        if best is not None:
            left.remove(best)
        outcomes.append(Outcome(piece, best, piece.visible >= LEAST_VISIBLE))
    return Matched(tuple(outcomes), tuple(left))


def match_track(truth: Iterable[LabelledPiece], got: Iterable[ReadPiece]) -> Matched:
    """The stones on the energy track; several may stand on one mark, so right ones go first."""
    left = [g for g in got if g.spots and g.spots[0].startswith(TRACK)]
    stones = [p for p in truth if p.spots and p.spots[0].startswith(TRACK)]
    takes: dict[int, ReadPiece] = {}
    for exact in (True, False):
        for i, piece in enumerate(stones):
            best = None if i in takes else _best(piece, left)
            if best is not None and (not exact or best.colour == piece.colour):
                left.remove(best)
                takes[i] = best
    outcomes = [Outcome(p, takes.get(i), p.visible >= LEAST_VISIBLE) for i, p in enumerate(stones)]
    return Matched(tuple(outcomes), tuple(left))


def _best(piece: LabelledPiece, left: list[ReadPiece]) -> ReadPiece | None:
    here = [g for g in left if set(g.spots) == set(piece.spots)]
    coloured = [g for g in here if g.colour == piece.colour]
    exact = [g for g in coloured if g.kind == piece.kind]
    return next(iter((*exact, *coloured, *here)), None)


def name_of(piece: LabelledPiece | ReadPiece) -> str:
    """Colour and kind as words."""
    return " ".join(w for w in (piece.colour, piece.kind.replace("_", " ")) if w)
