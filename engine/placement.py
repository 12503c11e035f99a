"""Where every piece stands: the language that the engine and the eyes share.

A *spot* is the id of a board cell, or ``track/VALUE`` for a mark of the energy track.
A piece id is ``kind/colour`` (``wizard/violet``, ``energy_stone/green``), ``kind`` for a single
piece (``giant``) or ``kind/n`` for the n-th of equal pieces (``goblin/1``, ``ruin/3``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

TRACK_PREFIX = "track/"


def track_spot(value: int) -> str:
    """The spot of one mark of the energy track."""
    return f"{TRACK_PREFIX}{value}"


def track_value(spot: str) -> int | None:
    """The mark that a spot names, or None for a cell."""
    return int(spot[len(TRACK_PREFIX) :]) if spot.startswith(TRACK_PREFIX) else None


@dataclass(frozen=True, slots=True)
class PieceInfo:
    """What the eyes need to know of a piece: ``kind`` and ``colour`` as in the board's inventory."""

    id: str
    kind: str
    colour: str | None


@dataclass(frozen=True, slots=True)
class Placement:
    """Which spots every piece covers; an empty tuple means off the board.

    Several pieces may share one spot.  The order of ``pieces`` has no meaning.  ``shelters``: spots
    whose pieces may be out of sight (inside a castle), so that not seeing them says nothing.
    """

    pieces: Mapping[str, tuple[str, ...]]
    infos: Mapping[str, PieceInfo]
    shelters: frozenset[str] = frozenset()

    def at(self, spot: str) -> tuple[str, ...]:
        """Ids of the pieces that cover a spot."""
        return tuple(p for p, spots in self.pieces.items() if spot in spots)

    def __iter__(self) -> Iterator[tuple[PieceInfo, tuple[str, ...]]]:
        for piece, spots in self.pieces.items():
            yield self.infos[piece], spots


@dataclass(frozen=True, slots=True)
class PieceMove:
    """A displaced piece: the spots it left and those it came to (empty: off the board)."""

    piece: str
    origin: tuple[str, ...]
    to: tuple[str, ...]
