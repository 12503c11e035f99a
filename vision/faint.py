"""Colours whose pieces hardly stand out from this print in this light.

The truth is known where pieces stand alone and nothing has changed since the game knows of them, from the
starting position on: what is never seen there for sure will be overlooked elsewhere, too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from engine.observation import CellView, Observation
from vision.labels import LabelledPiece
from vision.later import UNCHANGED

# Known pieces of 8 own films, white ones on a white print among them, were seen with 0.83 and more.
WEAK = 0.5
LOOKS = 3  # at a place before it is judged


class Faintness:
    """How surely known pieces are seen, by colour.  ``stand`` may be called from any thread."""

    def __init__(self) -> None:
        self._known: tuple[LabelledPiece, ...] = ()
        self._best: dict[str, dict[frozenset[str], float]] = defaultdict(dict)
        self._looks: Counter[tuple[str, frozenset[str]]] = Counter()
        self._sure: Counter[str] = (
            Counter()
        )  # most of a colour that were surely seen at once, anywhere
        self._told: set[str] = set()

    def stand(self, pieces: Sequence[LabelledPiece]) -> None:
        """Where the pieces are known to stand from now on."""
        crowd = Counter(spot for p in pieces if p.visible > 0 for spot in p.spots)
        self._known = tuple(
            p for p in pieces
            if p.visible > 0 and p.spots and all(crowd[spot] == 1 for spot in p.spots)
        )  # fmt: skip

    def look(self, view: Observation, changed: Mapping[str, float]) -> tuple[str, ...]:
        """Takes in a still view; gives the colours that turn out faint, each once.

        ``changed``: how much spots have changed since the game knows them, 0 to 1.
        """
        sure = Counter(p.best.colour for p in view.pieces if p.confidence >= WEAK)
        for colour in {p.colour for p in self._known if p.colour is not None}:
            self._sure[colour] = max(self._sure[colour], sure[colour])
        for piece in self._known:
            quiet = all(changed.get(spot, 0.0) < UNCHANGED for spot in piece.spots)
            seen = all(view.view(spot) is CellView.SEEN for spot in piece.spots)
            if piece.colour is not None and quiet and seen:
                self._note(piece.colour, frozenset(piece.spots), view)
        return tuple(sorted(c for c in self._best if c not in self._told and self._faint(c)))

    def _note(self, colour: str, spots: frozenset[str], view: Observation) -> None:
        here = [
            p.confidence for p in view.pieces
            if p.best.colour == colour and not spots.isdisjoint(p.best.spots)
        ]  # fmt: skip
        self._looks[colour, spots] += 1
        self._best[colour][spots] = max(self._best[colour].get(spots, 0.0), *here, 0.0)

    def _faint(self, colour: str) -> bool:
        places = self._best[colour].items()
        judged = [best for spots, best in places if self._looks[colour, spots] >= LOOKS]
        if not judged or sum(judged) >= WEAK * len(judged):
            return False
        if 2 * self._sure[colour] >= sum(p.colour == colour for p in self._known):
            return False  # they are seen, but elsewhere: the game does not know yet that they were moved
        self._told.add(colour)
        return True
