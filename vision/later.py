"""What came to the board after the enrolment: when there is something to learn of it.

Not all pieces stand on the board when a game begins, and in a castle they can't be told apart: what
they look like, and what shadows they throw, is learnt when they have come out and the game knows which
they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from vision.labels import LabelledPiece
from vision.looks import Enrolment
from vision.reading import Reading

ENOUGH = 4  # of a kind: further ones teach little
ENOUGH_SHADOWS = 8  # of pieces in the open: further ones hardly tell more of the lamp
UNCHANGED = 0.25  # of full change: nothing has happened on a spot since the game knows it


class LaterKinds:
    """How many pieces of every kind were learnt from, of those that the enrolment did not see."""

    def __init__(self) -> None:
        self._known: frozenset[str] | None = None
        self._learnt: Counter[str] = Counter()

    def fresh(self, enrolment: Enrolment, clear: Iterable[LabelledPiece]) -> frozenset[str]:
        """Kinds of which more can be seen now than were learnt from; they count as learnt."""
        if self._known is None:
            self._known = frozenset(enrolment.sizes)
        seen = Counter(p.kind for p in clear if p.kind not in self._known)
        fresh = {k for k, n in seen.items() if min(n, ENOUGH) > self._learnt[k]}
        self._learnt.update({k: seen[k] - self._learnt[k] for k in fresh})
        return frozenset(fresh)


class LaterLamp:
    """From how many pieces in the open, whose shadows can be told apart, the lamp was learnt."""

    def __init__(self, pieces: Sequence[LabelledPiece] = ()) -> None:
        crowd = Counter(spot for p in pieces for spot in p.spots)
        self._learnt = sum(
            p.visible > 0 and bool(p.spots) and all(crowd[s] == 1 for s in p.spots) for p in pieces
        )

    def better(self, clear: Sequence[LabelledPiece]) -> bool:
        """Whether more of them are in the open now; they count as learnt from."""
        more = min(len(clear), ENOUGH_SHADOWS) > self._learnt
        self._learnt = max(self._learnt, len(clear))
        return more


def where_read(reading: Reading, pieces: Sequence[LabelledPiece]) -> list[LabelledPiece]:
    """Known pieces, each at the place where it is read."""
    at = {(p.colour, frozenset(p.spots)): p.at_mm for p in reading.pieces}
    return [replace(p, at_mm=at[p.colour, frozenset(p.spots)]) for p in pieces]


def clear_pieces(
    reading: Reading, pieces: Sequence[LabelledPiece], changed: Mapping[str, float]
) -> list[LabelledPiece]:
    """The pieces that are read where they stand alone, in their colour, and where nothing has changed
    since the game knows of them; also those that are taken for another kind."""
    crowd = Counter(spot for p in pieces for spot in p.spots)
    read = {(p.colour, frozenset(p.spots)) for p in reading.pieces}
    return [
        p
        for p in pieces
        if p.visible > 0
        and len(p.spots) == 1
        and crowd[p.spots[0]] == 1
        and (p.colour, frozenset(p.spots)) in read
        and changed.get(p.spots[0], 0.0) < UNCHANGED
    ]
