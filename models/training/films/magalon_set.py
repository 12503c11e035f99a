"""Sets of Magalon: every seed another maker's figures, shields, stones, ruins and dice."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from engine.board import Board
from models.training.synthesis import buildings, meshes, pieces
from models.training.synthesis.colours import hsv
from models.training.synthesis.meshes import Array, Mesh
from models.training.synthesis.pieces import Piece

Rng = np.random.Generator
HUES = {"violet": (268.0, 296.0), "green": (105.0, 150.0), "red": (353.0, 367.0), "orange": (19.0, 31.0)}  # fmt: skip
SIZES = (0.9, 1.12)  # how much smaller or larger than the board file says a maker's pieces are
SLENDER = (1.5, 3.2)  # height of a figure in widths of its base, before it is fitted
DARKER = 0.45  # bands and signs
SAME_TONE = 0.1  # parts of a mould whose colour differs less are painted in the player's
L_CELLS, RUIN_HIGH_MM = 4, (17.0, 30.0)
STONE_SHARE = 0.75  # of a ruin's colour that all ruins of a set have in common
TRIES = 60


@dataclass
class MagalonSet:
    """The pieces of one maker; his ruins may differ from one another."""

    board: Board
    seed: int
    _made: dict[tuple[str, str | None, int], Piece] = field(default_factory=dict)

    def piece(self, kind: str, colour: str | None, number: int = 0) -> Piece:
        """The solid of a piece about its own foot."""
        key = (kind, colour, number if kind == "ruin" else 0)
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def die(self, pips: int) -> Piece:
        """A die that shows so many pips."""
        across = self.board.size_of("die")[0]
        made = pieces.die(self._rng("die"), pips)
        return made.scaled(across * self._scale("die") / made.base)

    def _rng(self, *what: object) -> Rng:
        return np.random.default_rng([41, self.seed, zlib.crc32(repr(what).encode())])

    def _scale(self, kind: str) -> float:
        return float(self._rng("size", kind).uniform(*SIZES))

    def _make(self, kind: str, colour: str | None, number: int) -> Piece:
        if kind == "ruin":
            return self._ruin(number)
        size = np.array(self.board.size_of(kind)) * self._scale(kind)
        mould = "goblin" if kind == "giant" and self._rng("one").random() < 0.6 else kind
        made = _mould(kind, partial(self._rng, mould))
        mesh = painted(fitted(made.mesh, size), self._tint(colour))
        return Piece(mesh, made.labels, float(size[0]), mesh.height, float(max(size[:2]) / 2))

    def _tint(self, colour: str | None) -> Array:
        rng = self._rng("tint", colour)
        if colour not in HUES:
            return np.full(3, rng.uniform(0.015, 0.07), np.float32)
        shared = self._rng("paint")  # one maker's paints are alike bright
        full, light = shared.uniform(0.65, 0.95), shared.uniform(0.5, 0.9)
        return hsv(float(rng.uniform(*HUES[colour])), float(full), float(light))

    def _ruin(self, number: int) -> Piece:
        mould = 0 if self._rng("ruins").random() < 0.3 else number
        tone = self._rng("stone")
        colour = hsv(tone.uniform(20, 60), tone.uniform(0, 0.22), tone.uniform(0.4, 0.8))
        for n in range(TRIES):
            made = buildings.l_wall(self._rng("ruin", mould, n), self.board.cell_size_mm)
            if _can_be_a_ruin(made):
                break
        high = float(np.clip(made.height, *RUIN_HIGH_MM))
        mesh = _stretched(made.mesh, np.array([1, 1, high / made.height]))
        mesh.colours[:] = (1 - STONE_SHARE) * mesh.colours + STONE_SHARE * colour
        return replace(made, mesh=mesh, height=mesh.height)


def _can_be_a_ruin(made: Piece) -> bool:
    """Whether it is an L of three cells on a plate, of which every cell can be seen, with walls."""
    spread = {(round(x), round(y)) for s, x, y, _ in made.labels if s == "wall"}
    across, deep = ({p[k] for p in spread} for k in (0, 1))
    plates = set(made.mesh.tag[made.mesh.layer == meshes.FLAT].tolist())
    high = made.height > RUIN_HIGH_MM[0] * 0.7
    return (
        len(made.labels) == L_CELLS and len(across) == len(deep) == 2 and len(plates) == 3 and high
    )


def _mould(kind: str, rng: Callable[[int], Rng]) -> Piece:
    """A random mould that can be such a piece: figures stand slender, shields upright."""
    if kind == "energy_stone":
        return pieces.cube(rng(0))
    if kind != "shield":
        return figure(rng)
    for n in range(TRIES):
        made = pieces.shield(rng(n))
        if made.height > 0.6 * made.base:
            break
    return made


def figure(rng: Callable[[int], Rng]) -> Piece:
    """A random slender figure; ``rng``: the random numbers of the n-th try."""
    for n in range(TRIES):
        made = pieces.pawn(rng(n))
        if SLENDER[0] < made.height / made.base < SLENDER[1]:
            break
    return made


def painted(mesh: Mesh, tint: Array) -> Mesh:
    """In the player's colour; bands and signs of another colour in a darker tone of it, so that no
    player's piece bears another one's colour."""
    other = np.abs(mesh.colours - mesh.colours[0]).max(1) >= SAME_TONE
    colours = np.where(other[:, None], tint * DARKER, tint).astype(np.float32)
    return replace(mesh, colours=colours)


def fitted(mesh: Mesh, size: Array) -> Mesh:
    """Stretched to a size: base across, base deep and height, mm."""
    reach = np.ptp(mesh.quads.reshape(-1, 3), axis=0)
    return _stretched(mesh, size / np.maximum(reach, 1e-3))


def _stretched(mesh: Mesh, factors: Array) -> Mesh:
    f = np.asarray(factors, np.float32)
    normals = mesh.normals / f
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    parts = tuple((t, v * f) for t, v in mesh.parts)
    return replace(mesh, quads=mesh.quads * f, normals=normals, parts=parts)
