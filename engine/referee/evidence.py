"""Readings gathered over the views of one still moment, so that one flicker decides nothing."""

from __future__ import annotations

from collections import Counter, deque

from engine.referee.readings import KEEP_NATS, Reading

WINDOW_S = 1.2
GONE_SHARE = 0.7
# A move that so few views bear out flickers: the board is still, so it has not been made.
BACKED_SHARE = 0.6
DOUBTED_NATS = 3.0

Signature = frozenset[tuple[str, frozenset[str]]]


class Evidence:
    """A sliding window of readings; the arrangement with the best mean is the one to judge."""

    def __init__(self) -> None:
        self._views: deque[tuple[float, dict[Signature, Reading]]] = deque()
        self._top: Signature | None = None
        self.top_since_s = 0.0

    def __len__(self) -> int:
        return len(self._views)

    def clear(self) -> None:
        """Forgets everything: a hand came, something moved, or the state has changed."""
        self._views.clear()
        self._top = None

    def add(self, t_s: float, readings: tuple[Reading, ...]) -> None:
        """Takes in the readings of one still view at ``t_s`` seconds of the source."""
        best: dict[Signature, Reading] = {}
        for reading in readings:
            best.setdefault(reading.signature, reading)
        self._views.append((t_s, best))
        while self._views[0][0] < t_s - WINDOW_S:
            self._views.popleft()
        top = self.ranked()[0][1].signature
        if top != self._top:
            self._top, self.top_since_s = top, t_s

    def ranked(self) -> list[tuple[float, Reading]]:
        """Mean log-likelihood below the best of each view, with the newest such reading."""
        totals: dict[Signature, float] = {}
        backed: Counter[Signature] = Counter()
        newest: dict[Signature, Reading] = {}
        for count, (_, view) in enumerate(self._views):
            top = max(r.log_likelihood for r in view.values())
            for signature in totals.keys() | view.keys():
                old = totals.get(signature, -KEEP_NATS * count)
                seen = view.get(signature)
                gain = -KEEP_NATS if seen is None else max(seen.log_likelihood - top, -KEEP_NATS)
                totals[signature] = old + gain
                backed[signature] += gain > -1.0
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
        for at, (_, view) in enumerate(self._views):
            best = max(view.values(), key=lambda r: r.log_likelihood).at_home
            if at == 0:
                homes = dict(best)
            homes = {p: s for p, s in homes.items() if p in best and set(best[p]) == set(s)}
        return homes

    def gone(self) -> frozenset[str]:
        """Pieces that most views of this moment miss on a spot that can be seen."""
        counts: Counter[str] = Counter()
        for _, view in self._views:
            best = max(view.values(), key=lambda r: r.log_likelihood)
            counts.update(best.gone)
        return frozenset(p for p, n in counts.items() if n >= GONE_SHARE * len(self._views))
