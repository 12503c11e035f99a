"""What an observation is read as: who has moved where, and what cannot be found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.placement import PieceMove

Spots = tuple[str, ...]
# Readings further below the best than this are not worth a look.
KEEP_NATS = 6.0


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an observation.

    ``moves``: pieces that stand elsewhere than before, sorted by piece; ``gone``: missing from a
    spot that is seen and found nowhere (lifted, or overlooked); ``unsure``: seen, but between two
    spots; ``spurious``: seen things that no piece accounts for; ``at_home``: pieces seen where
    they stood; ``log_likelihood``: relative to other readings of the same observation.
    """

    moves: tuple[PieceMove, ...]
    gone: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    spurious: int = 0
    at_home: Mapping[str, Spots] = field(default_factory=dict)
    log_likelihood: float = 0.0

    @property
    def signature(self) -> frozenset[tuple[str, frozenset[str]]]:
        """What tells this arrangement from another: who moved where."""
        return frozenset((m.piece, frozenset(m.to)) for m in self.moves)


def with_vanished(
    reading: Reading, vanished: frozenset[str], known: Mapping[str, Spots]
) -> Reading:
    """The reading with pieces that are gone as moves to beside the board."""
    moved = {m.piece for m in reading.moves}
    gone = [PieceMove(p, known[p], ()) for p in vanished - moved]
    moves = sorted((*reading.moves, *gone), key=lambda m: m.piece)
    return replace(reading, moves=tuple(moves))
