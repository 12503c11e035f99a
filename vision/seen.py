"""Pieces as read, with the candidates that the referee weighs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.observation import Candidate, SeenPiece
from vision.cells import off_centre
from vision.joint import ACCEPT, GHOST_CELLS
from vision.things import Look, Things

# From log-odds to the share of right readings, fitted to the development pictures.
LOOK_SLOPE, LOOK_BASE = 0.5, 1.2
TOP_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """One piece as read.  ``spots`` empty: off the cells; ``confidence`` 0 to 1."""

    kind: str
    colour: str | None
    spots: tuple[str, ...]
    at_mm: tuple[float, float]
    foot_px: tuple[float, float]
    confidence: float
    seen: SeenPiece


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The things of one picture (``rows``: their numbers) against the looks of the inventory.

    ``scores`` (R, L): log-odds; ``marginals`` (R, L): log-probabilities given the inventory.
    """

    things: Things
    rows: list[int]
    looks: list[Look]
    scores: NDArray[np.float64]
    marginals: NDArray[np.float64]
    board: Board

    def score(self, row: int, look: Look) -> float:
        """Log-odds of a look of a row."""
        return float(self.scores[row, self.looks.index(look)])


def as_piece(scored: Scored, r: int, look: Look) -> ReadPiece:
    """The ``r``-th thing, taken for a piece of this look."""
    seen = _seen(scored, r, look)
    best = seen.best
    return ReadPiece(look[0], look[1], best.spots, seen.at_mm, seen.foot_px, seen.confidence, seen)


def _seen(scored: Scored, r: int, chosen: Look | None) -> SeenPiece:
    """Candidates of one thing, the chosen look's best spot first."""
    things, i, looks = scored.things, scored.rows[r], scored.looks
    rows: list[Candidate] = []
    for (kind, colour), value in zip(looks, scored.marginals[r], strict=True):
        log_look = float(value)
        if log_look < -12 and (kind, colour) != chosen:
            continue
        for spot, log_spot in things.places.log_probs(i, kind)[:4]:
            rows.append(
                Candidate(kind, colour, () if spot is None else (spot,), log_look + log_spot)
            )
    rows.sort(key=lambda c: ((c.kind, c.colour) != chosen, -c.log_prob))
    keep = rows[:TOP_CANDIDATES] if chosen is None else _mixed(rows, chosen)
    best = keep[0]
    here = sum(math.exp(c.log_prob) for c in rows if (c.kind, c.colour) == (best.kind, best.colour))
    spot_share = math.exp(best.log_prob) / max(here, 1e-12)
    own = scored.score(r, (best.kind, best.colour))
    look_share = logistic(LOOK_SLOPE * own + LOOK_BASE)
    cov = things.covariance[i]
    return SeenPiece(
        (float(things.at_mm[i, 0]), float(things.at_mm[i, 1])),
        (float(cov[0, 0]), float(cov[0, 1]), float(cov[1, 1])),
        (float(things.detections.foot_px[i, 0]), float(things.detections.foot_px[i, 1])),
        tuple(keep),
        spot_share * look_share,
        off_centre(scored.board, best.spots[0], things.at_mm[i]) if best.spots else 0.0,
        (),
    )


def leftovers(scored: Scored, matched: list[tuple[int, Look]]) -> list[SeenPiece]:
    """Things that no piece of the inventory needed: kept for the referee, with low confidence."""
    things, rows = scored.things, scored.rows
    if not scored.looks:
        return []
    taken = {r for r, _ in matched}
    known = np.array([things.at_mm[rows[r]] for r in taken]).reshape(-1, 2)
    reach = GHOST_CELLS * scored.board.cell_size_mm

    def echoes(r: int) -> bool:
        """Whether it is so near a read piece that it is one more peak of it."""
        return bool((np.linalg.norm(known - things.at_mm[rows[r]], axis=1) < reach).any())

    free = [
        r
        for r in range(len(rows))
        if r not in taken and scored.scores[r].max() > ACCEPT and not echoes(r)
    ]
    return [
        replace(seen, confidence=seen.confidence * 0.3)
        for seen in (_seen(scored, r, None) for r in free)
    ]


def _mixed(rows: list[Candidate], chosen: Look) -> list[Candidate]:
    """The chosen look's spots first, then the best of the other looks."""
    own = [c for c in rows if (c.kind, c.colour) == chosen][:4]
    others = sorted((c for c in rows if (c.kind, c.colour) != chosen), key=lambda c: -c.log_prob)
    return own + others[: max(TOP_CANDIDATES - len(own), 2)]


def logistic(x: float) -> float:
    """The logistic function, safe for any argument."""
    return 1 / (1 + math.exp(-min(max(x, -30.0), 30.0)))
