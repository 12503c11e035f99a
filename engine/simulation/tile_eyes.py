"""Simulated eyes for a table of tiles: what would be reported of a true arrangement."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.carcassonne.drags import kind_of
from engine.carcassonne.faces import Face, Pos
from engine.carcassonne.ground import GRID, Ground, ground_of
from engine.carcassonne.placement import TILE, at_of, pos_of
from engine.carcassonne.seen import FaceGuess, FigureGuess, Role, SeenFigure, SeenTile
from engine.carcassonne.sight import pieces_of
from engine.carcassonne.tiles import faces, least_turn
from engine.observation import CellView, SeenPiece
from engine.placement import PieceInfo
from engine.simulation.noise import Noise

Spots = tuple[str, ...]
STUBBORN = 0.7  # a misread piece is misread in the next still moment as well, so often
SHARES = (0.45, 0.4, 0.3, 0.1, 0.01)  # what a misreading leaves for the truth
SIZE = 0.6  # of a tile: what the errors that were measured in cells are shares of
LEAST = 1e-4
# Shares of what was measured on printed boards, for tiles and for figures (assumed; see below).
ERRORS = {
    "overlooked": (0.05, 0.5), "swapped": (0.1, 0.2), "beside": (0.0, 4.0),
}  # fmt: skip
FAINT, NOTICED = 1 / 14, 0.3
PLACED_WITHIN = 0.09  # people put a figure well inside its feature


@dataclass(frozen=True, slots=True)
class _Held:
    """How a piece that stands somewhere is read, until it is moved: ``error`` is "" or a rate of
    Noise; ``foot``: where it was put, in tile units; ``off``: the eyes' lasting error; ``look``: for
    what it is taken at times (a kind of tile and its turn, or a kind of figure and its owner)."""

    spots: Spots
    error: str = ""
    foot: tuple[float, float] = (0.5, 0.5)
    off: tuple[float, float] = (0.0, 0.0)
    share: float = 0.0
    look: tuple[str, str | int | None] = ("", None)


class TileEyes:
    """Does for tiles what ``engine.simulation.eyes.Eyes`` does for a printed board.

    Nothing of it is measured: with the usual noise it errs as often as eyes for tiles are allowed to,
    which take 0.5 % of tiles and 1 % of figures for others, overlook one tile in a thousand and one
    figure in a hundred, and in every other look see something faint that is not there.
    """

    def __init__(self, infos: Mapping[str, PieceInfo], noise: Noise, seed: int) -> None:
        self.infos, self.noise = infos, noise
        self._random = random.Random(seed)
        self._held: dict[str, _Held] = {}
        self._ghosts: list[SeenFigure] = []
        self._lying: dict[Pos, Face] = {}
        self._kinds = sorted({i.kind.removeprefix(TILE) for i in infos.values() if TILE in i.kind})
        self._owners = sorted({i.colour for i in infos.values() if i.colour is not None})

    def settle(self) -> None:
        """A new still moment: misread pieces may be read anew, and other ghosts appear."""
        self._held = {
            p: h for p, h in self._held.items() if not h.error or self._random.random() < STUBBORN
        }
        self._ghosts = [self._nothing(0.6, 0.8) for _ in range(self._count(self.noise.ghosts))]

    def misread(self) -> dict[str, str]:
        """Which pieces are read wrongly where they lie or stand, and how."""
        return {p: h.error for p, h in self._held.items() if h.error}

    def flushed(self) -> frozenset[str]:
        """Spots that falsely look changed in this moment."""
        n = self._count(self.noise.flushed) if self._lying else 0
        places = self._random.choices(sorted(self._lying), k=n)
        return frozenset(f"{x},{y}@{self._lying[x, y].rot}" for x, y in places)

    def notices(self) -> bool:
        """Whether a changed spot looks changed; a tile covers all of its place."""
        return self._random.random() >= self.noise.unnoticed * NOTICED

    def look(
        self,
        pieces: Mapping[str, Spots | None],
        hidden: Mapping[str, CellView],
        off: Mapping[str, tuple[float, float]],
        dice: Sequence[int],
        chips: Mapping[str, int] | None = None,
    ) -> tuple[SeenPiece, ...]:
        """The seen pieces of one view (hidden spots show nothing)."""
        standing = {p: s for p, s in pieces.items() if s and p in self.infos}
        self._lying = {
            pos_of(s[0]): _face(self.infos[p].kind, s[0])
            for p, s in standing.items()
            if kind_of(p) == "tile"
        }
        tiles, figures = [], []
        for piece, spots in standing.items():
            held = self._hold(piece, spots)
            if any(s in hidden for s in spots) or held.error == "overlooked":
                continue
            if self._random.random() < self.noise.miss:
                continue
            if kind_of(piece) == "tile":
                tiles.append(self._tile(piece, spots[0], held))
            else:
                figures.append(self._figure(piece, spots[0], held))
        faint = [
            self._nothing(0.02, 0.25) for _ in range(self._count(self.noise.leftovers * FAINT))
        ]
        left = Counter(
            self.infos[p].kind.removeprefix(TILE)
            for p in self.infos
            if kind_of(p) == "tile" and not pieces.get(p)
        )
        seen = list(pieces_of(tiles, [*figures, *faint, *self._ghosts], self._lying, left))
        self._random.shuffle(seen)
        return tuple(seen)

    # -- one piece ---------------------------------------------------------------------------------

    def _hold(self, piece: str, spots: Spots) -> _Held:
        held = self._held.get(piece)
        if held is None or held.spots != spots:
            held = self._held[piece] = self._draw(piece, spots)
        return held

    def _draw(self, piece: str, spots: Spots) -> _Held:
        noise, rng = self.noise, self._random
        tile = kind_of(piece) == "tile"
        foot = (0.5, 0.5) if tile else self._put(spots[0])
        sigma = SIZE * noise.bias
        off = (rng.gauss(0.0, sigma), rng.gauss(0.0, sigma))
        value, error = rng.random(), ""
        for name, shares in ERRORS.items():
            rate = getattr(noise, name) * shares[0 if tile else 1]
            if value < rate:
                error = name
                break
            value -= rate
        if error == "beside":
            angle, far = rng.uniform(0.0, math.tau), rng.uniform(0.2, 0.35)
            off = (far * math.cos(angle), far * math.sin(angle))
        look = self._other_face(piece, spots[0]) if tile else self._other_figure(piece)
        return _Held(spots, error, foot, off, rng.choice(SHARES), look)

    def _put(self, spot: str) -> tuple[float, float]:
        """Where people put a figure: near the middle of its feature, and well inside it."""
        ground, number = self._ground(spot)
        u, v = ground.anchors[number]
        for _ in range(20):
            sigma = SIZE * self.noise.placing
            at = (self._random.gauss(u, sigma), self._random.gauss(v, sigma))
            if ground.feature_at(at) == number and math.dist(at, (u, v)) < PLACED_WITHIN:
                return at
        return u, v

    def _ground(self, spot: str) -> tuple[Ground, int]:
        face = self._lying[pos_of(spot)]
        number = next(n for n, f in enumerate(face.features) if f.at == at_of(spot))
        return ground_of(face.tile, face.rot), number

    def _other_face(self, piece: str, spot: str) -> tuple[str, str | int | None]:
        """What a tile is taken for: mostly one with the same edges, else another turn or kind."""
        face, rng = _face(self.infos[piece].kind, spot), self._random
        alike = [
            (tile, rot)
            for tile in self._kinds
            for rot in (0, 90, 180, 270)
            if tile != face.tile and faces(tile)[rot // 90].edges == face.edges
        ]
        if alike and rng.random() < 0.7:
            return rng.choice(alike)
        return rng.choice(self._kinds), rng.choice((0, 90, 180, 270))

    def _other_figure(self, piece: str) -> tuple[str, str | int | None]:
        info, rng = self.infos[piece], self._random
        if info.colour is None:
            return ("witch" if info.kind == "mage" else "mage"), None
        others = [c for c in self._owners if c != info.colour]
        return info.kind, rng.choice(others) if others else info.colour

    def _tile(self, piece: str, spot: str, held: _Held) -> SeenTile:
        face = _face(self.infos[piece].kind, spot)
        x, y = pos_of(spot)
        right, wrong = 0.97, 0.03
        if held.error == "swapped":
            right, wrong = held.share, 1.0 - held.share
        tile, rot = str(held.look[0]), int(held.look[1] or 0)
        if tile == face.tile and least_turn(tile, rot) == least_turn(face.tile, face.rot):
            right, wrong = 1.0, LEAST
        guesses = [
            FaceGuess(face.tile, face.rot, math.log(right)),
            FaceGuess(tile, rot, math.log(max(LEAST, wrong))),
        ]
        guesses.sort(key=lambda g: -g.log_prob)
        return SeenTile(x, y, tuple(guesses), self._random.uniform(0.85, 0.99))

    def _figure(self, piece: str, spot: str, held: _Held) -> SeenFigure:
        info, noise, rng = self.infos[piece], self.noise, self._random
        sigma = max(0.02, SIZE * noise.jitter)
        foot = tuple(
            f + o + rng.gauss(0.0, SIZE * noise.jitter)
            for f, o in zip(held.foot, held.off, strict=True)
        )
        wrong = min(0.45, rng.expovariate(1.0 / noise.colour)) if noise.colour > 0 else LEAST
        if rng.random() < noise.flicker:
            wrong = 0.6
        if held.error == "swapped":
            wrong = 1.0 - held.share
        other = held.look[1] if isinstance(held.look[1], str) else None
        guesses = [
            FigureGuess(Role(info.kind), info.colour, math.log(max(LEAST, 1.0 - wrong))),
            FigureGuess(Role(held.look[0]), other, math.log(max(LEAST, wrong))),
        ]
        guesses.sort(key=lambda g: -g.log_prob)
        ground, number = self._ground(spot)
        lying = 0.95 if number in ground.fields else 0.05
        return SeenFigure(
            tuple(guesses), pos_of(spot), (foot[0], foot[1]),
            math.hypot(sigma, SIZE * noise.bias), lying,
            confidence=rng.uniform(0.8, 0.99) if held.error != "swapped" else 0.85,
        )  # fmt: skip

    def _nothing(self, low: float, high: float) -> SeenFigure:
        """A figure that is not there."""
        rng = self._random
        pos = rng.choice(sorted(self._lying)) if self._lying else None
        info = rng.choice([i for i in self.infos.values() if not i.kind.startswith(TILE)])
        foot = (rng.randrange(GRID) / GRID, rng.randrange(GRID) / GRID)
        guess = FigureGuess(Role(info.kind), info.colour, -0.1)
        return SeenFigure((guess,), pos, foot, 0.03, 0.5, confidence=rng.uniform(low, high))

    def _count(self, mean: float) -> int:
        """A number with this mean, 0 to 3 times it (binomial)."""
        if mean <= 0.0:
            return 0
        n = max(3, math.ceil(3 * mean))
        return sum(self._random.random() < mean / n for _ in range(n))


def _face(kind: str, spot: str) -> Face:
    return faces(kind.removeprefix(TILE))[int(spot.partition("@")[2]) // 90]
