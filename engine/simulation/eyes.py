"""Simulated eyes: what would be reported of a true arrangement, with the errors of real ones."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.board import Board
from engine.geometry import Point, area, contains
from engine.observation import Candidate, CellView, SeenPiece
from engine.placement import TRACK_PREFIX, PieceInfo
from engine.simulation.noise import Noise

Spots = tuple[str, ...]
Look = tuple[str, str | None]
TOP_K = 4
MIN_LOG_PROB = math.log(0.004)
PX_PER_MM = 1.2
# A misread piece is misread in the next still moment as well, so often.
STUBBORN = 0.7
# What a misreading leaves for the truth (the four of the stills); one beside its cell leaves none.
SHARES = (0.29, 0.22, 0.114, 0.002)
MAX_OFF = 0.33
# Nats by which a wrong value is mostly ahead of the true one, where it is not wholly lost; and by
# which the true one is ahead of the next (19 dice of the stills: from 1.2 to 8.6).
DIE_LOSS, DIE_LOST = 1.5, 0.5
DIE_LEAD, DIE_SPREAD, LEAST_LEAD = 5.0, 1.9, 1.0
ON_WALLS = 0.7  # of the faint things
UPON_TRACK = frozenset({"energy_stone"})


@dataclass(frozen=True, slots=True)
class _Held:
    """How a piece that stands somewhere is read: ``error`` is "" or the name of a rate of Noise.

    ``off``: where it was put, as a fraction of the cell; ``share``: the weight left for the truth;
    ``look``: what it is taken for; ``aside``: the step to the cell on which it is seen.
    """

    spots: Spots
    error: str = ""
    off: tuple[float, float] = (0.0, 0.0)
    share: float = 0.0
    look: Look | None = None
    aside: tuple[float, float] = (0.0, 0.0)


class Eyes:
    """Turns a true arrangement into what the eyes would report; one random stream per object.

    ``settle`` begins a new still moment: what is held for its length is drawn anew.
    """

    def __init__(self, board: Board, infos: Mapping[str, PieceInfo], noise: Noise, seed: int):
        self.board, self.infos, self.noise = board, infos, noise
        self._random = random.Random(seed)
        self._near: dict[str, list[str]] = {}
        self._size = {s: math.sqrt(area(p)) for s, p in board.spots.items()}
        self._by_place = {(round(c[0]), round(c[1])): s for s, c in board.centres.items()}
        self._colours: dict[str, list[str | None]] = {}
        for info in infos.values():
            colours = self._colours.setdefault(info.kind, [])
            if info.colour not in colours:
                colours.append(info.colour)
        self._looks: list[Look] = sorted(
            {(i.kind, i.colour) for i in infos.values()}, key=lambda k: (k[0], k[1] or "")
        )
        self._held: dict[str, _Held] = {}
        self._ghosts: list[SeenPiece] = []
        self._thrown: tuple[int, ...] = ()
        self._dice: list[tuple[float, ...]] = []

    def settle(self) -> None:
        """A new still moment: misread pieces may be read anew, and other ghosts appear."""
        self._held = {
            p: h for p, h in self._held.items() if not h.error or self._random.random() < STUBBORN
        }
        self._ghosts = [self._nothing(0.6, 0.8) for _ in range(self._count(self.noise.ghosts))]

    def misread(self) -> dict[str, str]:
        """Which pieces are read wrongly where they stand, and how (for whoever looks into a game)."""
        return {p: _told(h) for p, h in self._held.items() if h.error}

    def flushed(self) -> frozenset[str]:
        """Spots that falsely look changed in this moment."""
        n = self._count(self.noise.flushed)
        return frozenset(self._random.choices(list(self.board.spots), k=n)) if n else frozenset()

    def notices(self) -> bool:
        """Whether a changed spot looks changed."""
        return self.noise.unnoticed <= 0.0 or self._random.random() >= self.noise.unnoticed

    def look(
        self,
        pieces: Mapping[str, Spots | None],
        hidden: Mapping[str, CellView],
        off: Mapping[str, tuple[float, float]],
        dice: Sequence[int],
        chips: Mapping[str, int] | None = None,
    ) -> tuple[SeenPiece, ...]:
        """The seen pieces of one view (hidden spots show nothing)."""
        seen: list[SeenPiece] = []
        for piece, spots in pieces.items():
            if spots is None or piece not in self.infos:
                continue
            if any(s in hidden for s in spots) or self._random.random() < self.noise.miss:
                continue
            seen.extend(self._read(piece, spots, off.get(piece, (0.0, 0.0))))
        seen.extend(self._roll(dice))
        seen.extend(self._chip(c, i) for c, n in (chips or {}).items() for i in range(n))
        if self._random.random() < self.noise.spurious:
            seen.append(self._nothing(0.2, 0.5))
        faint = self._count(self.noise.leftovers)
        walls = [s for p, at in pieces.items() if at and len(at) > 1 for s in at if p in self.infos]
        seen += [self._faint(walls) for _ in range(faint)]
        seen += self._ghosts
        self._random.shuffle(seen)
        return tuple(seen)

    def _read(self, piece: str, spots: Spots, off: tuple[float, float]) -> list[SeenPiece]:
        """One piece with what is held for it."""
        info, held = self.infos[piece], self._held.get(piece)
        if held is None or held.spots != spots:
            held = self._held[piece] = self._draw(info, spots)
        if held.error == "overlooked":
            return []
        x, y = held.off[0] + off[0], held.off[1] + off[1]
        if held.error == "beside":
            return [self._beside(info, spots, held)]
        seen = self._piece(info, spots, (x, y))
        if held.error == "swapped" and held.look is not None:
            return [_misread(seen, held.look, held.share)]
        if held.error == "doubled":
            return [seen, self._piece(info, spots, (x + held.aside[0], y + held.aside[1]))]
        return [seen]

    def _draw(self, info: PieceInfo, spots: Spots) -> _Held:
        noise, rng = self.noise, self._random
        off, sigma = (0.0, 0.0), math.hypot(noise.placing, noise.bias)
        if sigma > 0.0 and len(spots) == 1:
            off = (_bounded(rng, sigma), _bounded(rng, sigma))
        rates = (noise.overlooked, noise.swapped, noise.beside, noise.doubled)
        if len(spots) > 1:
            rates = (noise.large_overlooked, 0.0, noise.large_beside, noise.large_doubled)
        if not spots or not any(rates):
            return _Held(spots, off=off)
        value = rng.random()
        for error, rate in zip(("overlooked", "swapped", "beside", "doubled"), rates, strict=True):
            if value < rate:
                return self._wrong(info, spots, error, off)
            value -= rate
        return _Held(spots, off=off)

    def _wrong(self, info: PieceInfo, spots: Spots, error: str, off: tuple[float, float]) -> _Held:
        rng = self._random
        share = rng.choice(SHARES)
        others = [
            look for look in self._looks
            if look != (info.kind, info.colour) and (look[0] == info.kind or look[1] == info.colour)
            and (look[0] in UPON_TRACK) == spots[0].startswith(TRACK_PREFIX)
        ]  # fmt: skip
        if error == "swapped" and not others:
            return _Held(spots, off=off)
        look = rng.choice(others) if error == "swapped" else None
        far = rng.uniform(0.5, 0.75) if error == "beside" else rng.uniform(0.9, 1.6)
        aside = rng.choice(((far, 0.0), (-far, 0.0), (0.0, far), (0.0, -far)))
        return _Held(spots, error, off, share, look, aside)

    def _beside(self, info: PieceInfo, spots: Spots, held: _Held) -> SeenPiece:
        seen = self._piece(info, spots, held.aside)
        if len(spots) == 1:
            return seen
        shifted = self._shifted(spots, held.aside)
        if not shifted:
            return seen
        return replace(seen, candidates=(Candidate(info.kind, info.colour, shifted[0][0], 0.0),))

    def _count(self, mean: float) -> int:
        """A number with this mean, 0 to 3 times it (binomial)."""
        if mean <= 0.0:
            return 0
        n = max(3, math.ceil(3 * mean))
        return sum(self._random.random() < mean / n for _ in range(n))

    def _piece(self, info: PieceInfo, spots: Spots, off: tuple[float, float]) -> SeenPiece:
        if not spots:
            at = (-40.0, self._random.uniform(0.0, self.board.size_mm[1]))
            place: list[tuple[Spots, float]] = [((), 0.0)]
            size = 28.0
        else:
            size = min(self._size[s] for s in spots)
            x, y = self._centre(spots)
            jitter = self.noise.jitter * size
            at = (
                x + off[0] * size + self._random.gauss(0.0, jitter),
                y + off[1] * size + self._random.gauss(0.0, jitter),
            )
            place = self._places(spots, at, size)
        colours = self._tints(info)
        candidates = [
            Candidate(info.kind, colour, where, pc + pp)
            for colour, pc in colours
            for where, pp in place
            if pc + pp > MIN_LOG_PROB
        ]
        candidates.sort(key=lambda c: -c.log_prob)
        variance = (max(self.noise.jitter, 0.02) * size) ** 2
        return SeenPiece(
            at, (variance, 0.0, variance), (at[0] * PX_PER_MM, at[1] * PX_PER_MM),
            tuple(candidates[: TOP_K * 2]), self._random.uniform(0.8, 0.99),
            self._off_centre(candidates[0].spots, at),
        )  # fmt: skip

    def _centre(self, spots: Spots) -> Point:
        centres = [self.board.centres[s] for s in spots]
        n = len(centres)
        return sum(c[0] for c in centres) / n, sum(c[1] for c in centres) / n

    def _off_centre(self, spots: Spots, at: Point) -> float:
        if not spots:
            return 0.0
        return math.dist(self._centre(spots), at) / min(self._size[s] for s in spots)

    def _places(self, spots: Spots, at: Point, size: float) -> list[tuple[Spots, float]]:
        if len(spots) > 1:
            return [(spots, math.log(0.98)), *self._shifted(spots)]
        options = [spots[0], *self._around(spots[0])]
        # Mass of the foot's uncertainty inside each cell, by a fixed 5 x 5 probe.
        sigma = max(self.noise.jitter, 0.02) * size
        home = self.board.spots[spots[0]]
        corners = [(at[0] + i * sigma, at[1] + j * sigma) for i in (-2, 2) for j in (-2, 2)]
        if all(contains(home, corner) for corner in corners):
            return [(spots, 0.0)]
        weights: dict[str, float] = {}
        for i in range(-2, 3):
            for j in range(-2, 3):
                probe = (at[0] + i * sigma, at[1] + j * sigma)
                weight = math.exp(-(i * i + j * j) / 2)
                for spot in options:
                    if contains(self.board.spots[spot], probe):
                        weights[spot] = weights.get(spot, 0.0) + weight
                        break
        if not weights and spots[0].startswith(TRACK_PREFIX):
            # A stone is looked for on the marks alone.
            nearest = min(options, key=lambda s: math.dist(self.board.centres[s], at))
            return [((nearest,), 0.0)]
        if not weights:
            return [((), 0.0)]
        total = sum(weights.values())
        places: list[tuple[Spots, float]] = [
            ((s,), math.log(w / total)) for s, w in weights.items()
        ]
        return sorted(places, key=lambda p: -p[1])[:TOP_K]

    def _around(self, spot: str) -> list[str]:
        if spot not in self._near:
            here = self.board.centres[spot]
            reach = 1.6 * self._size[spot] + 20.0
            track = spot.startswith(TRACK_PREFIX)
            self._near[spot] = [
                s for s, c in self.board.centres.items()
                if s != spot and s.startswith(TRACK_PREFIX) == track and math.dist(c, here) < reach
            ]  # fmt: skip
        return self._near[spot]

    def _shifted(
        self, spots: Spots, aside: tuple[float, float] | None = None
    ) -> list[tuple[Spots, float]]:
        """A larger piece one cell aside, in the direction of ``aside`` or in any."""
        centres, by_place = self.board.centres, self._by_place
        side = round(self.board.cell_size_mm)
        dx, dy = self._random.choice(((side, 0), (-side, 0), (0, side), (0, -side)))
        if aside is not None:
            dx, dy = (side * ((v > 0.0) - (v < 0.0)) for v in aside)
        moved = tuple(
            by_place.get((round(centres[s][0]) + dx, round(centres[s][1]) + dy), "") for s in spots
        )
        return [(moved, math.log(0.02))] if all(moved) else []

    def _tints(self, info: PieceInfo) -> list[tuple[str | None, float]]:
        others = [c for c in self._colours[info.kind] if c != info.colour]
        if not others or self.noise.colour <= 0.0:
            return [(info.colour, 0.0)]
        wrong = min(0.45, self._random.expovariate(1.0 / self.noise.colour))
        if self._random.random() < self.noise.flicker:
            wrong = 0.6
        tint = self._random.choice(others)
        return [(info.colour, math.log(1.0 - wrong)), (tint, math.log(max(wrong, 1e-6)))]

    def _roll(self, dice: Sequence[int]) -> list[SeenPiece]:
        """The dice, with what is held for this throw."""
        if tuple(dice) != self._thrown:
            self._thrown = tuple(dice)
            self._dice = [self._pips(pips) for pips in dice]
        return [self._die(i, log_pips) for i, log_pips in enumerate(self._dice) if log_pips]

    def _pips(self, pips: int) -> tuple[float, ...]:
        """Log-probabilities of 1 to 6; empty for a die that is not seen."""
        rng, noise = self._random, self.noise
        if noise.die_unseen and rng.random() < noise.die_unseen:
            return ()
        rest = math.log(max(noise.pips / 5, 1e-6))
        log_pips = [rest] * 6
        log_pips[pips - 1] = math.log(max(1.0 - noise.pips, 0.05))
        if noise.die_wrong:
            other = rng.choice([p for p in range(1, 7) if p != pips])
            if rng.random() < noise.die_wrong:
                loss = math.inf if rng.random() < DIE_LOST else rng.expovariate(1.0 / DIE_LOSS)
                log_pips[other - 1] = log_pips[pips - 1]
                log_pips[pips - 1] = max(rest, log_pips[other - 1] - loss)
            else:
                lead = max(LEAST_LEAD, rng.gauss(DIE_LEAD, DIE_SPREAD))
                log_pips[other - 1] = log_pips[pips - 1] - lead
        total = math.log(sum(math.exp(v) for v in log_pips))
        return tuple(v - total for v in log_pips)

    def _die(self, index: int, log_pips: tuple[float, ...]) -> SeenPiece:
        at = (self.board.size_mm[0] + 30.0, 100.0 + 30.0 * index)
        return SeenPiece(
            at, (4.0, 0.0, 4.0), (at[0] * PX_PER_MM, at[1] * PX_PER_MM),
            (Candidate("die", None, (), -0.01),), 0.95, 0.0, log_pips,
        )  # fmt: skip

    def _chip(self, cell: str, index: int) -> SeenPiece:
        x, y = self.board.centres[cell]
        at = (x - 15.0 + 10.0 * index, y + 5.0)
        return SeenPiece(
            at, (4.0, 0.0, 4.0), (at[0] * PX_PER_MM, at[1] * PX_PER_MM),
            (Candidate("chip", None, (cell,), -0.05),), 0.9,
        )  # fmt: skip

    def _faint(self, walls: Sequence[str]) -> SeenPiece:
        """A thing that hardly looks like anything; mostly a part of a wall."""
        rng = self._random
        seen = self._nothing(0.02, 0.25)
        spot = rng.choice(walls) if walls and rng.random() < ON_WALLS else seen.best.spots[0]
        best = replace(seen.best, spots=(spot,), log_prob=-rng.uniform(1.5, 5.0))
        at = self.board.centres[spot]
        return replace(seen, at_mm=at, candidates=(best,))

    def _nothing(self, low: float, high: float) -> SeenPiece:
        spot = self._random.choice(list(self.board.cells))
        info = self._random.choice(list(self.infos.values()))
        at = self.board.centres[spot]
        return SeenPiece(
            at, (9.0, 0.0, 9.0), (at[0] * PX_PER_MM, at[1] * PX_PER_MM),
            (Candidate(info.kind, info.colour, (spot,), -0.1),), self._random.uniform(low, high),
        )  # fmt: skip


def _told(held: _Held) -> str:
    look = "" if held.look is None else f" {held.look[1]} {held.look[0]}"
    left = f" {held.share:g} left" if held.share and held.error != "doubled" else ""
    aside = f" by {held.aside[0]:.2f}, {held.aside[1]:.2f}" if held.error != "swapped" else ""
    return f"{held.error}{look}{left}{'' if held.error == 'overlooked' else aside}"


def _bounded(rng: random.Random, sigma: float) -> float:
    """A placing within a third of the cell: further off people put the piece right themselves."""
    return max(-MAX_OFF, min(MAX_OFF, rng.gauss(0.0, sigma)))


def _misread(seen: SeenPiece, look: Look, share: float) -> SeenPiece:
    """The same thing taken for another look, the true one left with ``share``."""
    best = seen.best
    wrong = Candidate(look[0], look[1], best.spots, math.log(1.0 - share) + best.log_prob)
    rest = [replace(c, log_prob=c.log_prob + math.log(share)) for c in seen.candidates if share]
    candidates = sorted((wrong, *rest), key=lambda c: -c.log_prob)
    return replace(seen, candidates=tuple(candidates), confidence=min(seen.confidence, 0.85))
