"""Readings gathered over the views of one still moment, so that one flicker decides nothing."""

from __future__ import annotations

import math
from collections import Counter, deque

from engine.referee.readings import KEEP_NATS, Reading

WINDOW_S = 1.2
GONE_SHARE = 0.7
# A move that so few views bear out flickers: the board is still, so it has not been made.  A view bears
# it out where it is at most so much less likely than the best, as another name for the same piece is.
BACKED_SHARE = 0.6
BACKED_NATS = math.log(6.0)
DOUBTED_NATS = 3.0

Signature = frozenset[tuple[str, frozenset[str]]]


class Evidence:
    """A sliding window of readings; the arrangement with the best mean is the one to judge."""

    def __init__(self) -> None:
        self._views: deque[tuple[float, dict[Signature, Reading], Reading]] = deque()
        self._top: Signature | None = None
        self.top_since_s = 0.0
        # What has been worked out of these views; it is asked for many times.
        self._ranked: list[tuple[float, Reading]] | None = None
        self._gone: frozenset[str] | None = None

    def __len__(self) -> int:
        return len(self._views)

    def clear(self) -> None:
        """Forgets everything: a hand came, something moved, or the state has changed."""
        self._views.clear()
        self._top = self._ranked = self._gone = None

    def add(self, t_s: float, readings: tuple[Reading, ...]) -> None:
        """Takes in the readings of one still view at ``t_s`` seconds of the source."""
        best: dict[Signature, Reading] = {}
        for reading in readings:
            best.setdefault(reading.signature, reading)
        self._views.append((t_s, best, max(best.values(), key=lambda r: r.log_likelihood)))
        self._ranked = self._gone = None
        while self._views[0][0] < t_s - WINDOW_S:
            self._views.popleft()
        top = self.ranked()[0][1].signature
        if top != self._top:
            self._top, self.top_since_s = top, t_s

    def ranked(self) -> list[tuple[float, Reading]]:
        """Mean log-likelihood below the best of each view, with the newest such reading."""
        if self._ranked is None:
            self._ranked = self._rank()
        return list(self._ranked)

    def _rank(self) -> list[tuple[float, Reading]]:
        totals: dict[Signature, float] = {}
        backed: Counter[Signature] = Counter()
        newest: dict[Signature, Reading] = {}
        for count, (_, view, best) in enumerate(self._views):
            top = best.log_likelihood
            for signature in totals.keys() | view.keys():
                old = totals.get(signature, -KEEP_NATS * count)
                seen = view.get(signature)
                gain = -KEEP_NATS if seen is None else max(seen.log_likelihood - top, -KEEP_NATS)
                totals[signature] = old + gain
                backed[signature] += gain > -BACKED_NATS
                if seen is not None:
                    newest[signature] = seen
        n = max(1, len(self._views))
        ranked = [
            (total / n - (DOUBTED_NATS if s and backed[s] < BACKED_SHARE * n else 0.0), newest[s])
            for s, total in totals.items()
        ]
        return sorted(ranked, key=lambda r: -r[0])

    def at_home(self) -> dict[str, tuple[str, ...]]:
        """Pieces that every view of this moment sees at the same one of their homes."""
        homes: dict[str, tuple[str, ...]] = {}
        for at, (_, _, reading) in enumerate(self._views):
            best = reading.at_home
            if at == 0:
                homes = dict(best)
            else:
                homes = {
                    p: s for p, s in homes.items()
                    if p in best and (best[p] == s or set(best[p]) == set(s))
                }  # fmt: skip
        return homes

    def gone(self) -> frozenset[str]:
        """Pieces that most views of this moment miss on a spot that can be seen."""
        if self._gone is None:
            counts = Counter(piece for _, _, best in self._views for piece in best.gone)
            least = GONE_SHARE * len(self._views)
            self._gone = frozenset(p for p, n in counts.items() if n >= least)
        return self._gone
