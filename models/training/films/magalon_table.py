"""A table with Magalon as one camera sees it: print, lamps, camera and pieces differ with the seed."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.placement import TRACK_PREFIX, Placement
from models.training.films.magalon_set import MagalonSet
from models.training.films.table import THICK_MM
from models.training.films.varied import VariedRoom
from models.training.synthesis.pieces import Piece
from models.training.synthesis.scene import Placed

Spots = tuple[str, ...]
PLACING, FARTHEST = 0.07, 0.2  # shares of a cell, see ``films.table``
TURN_RUIN = 0.04  # radians by which a ruin is put down crookedly
ROOM_MM = 17.0  # from one piece beside the board to the next, and to the rim
# Where the seats' pieces stand on a place that several share, in shares of its size.
SEATS = {"violet": (-0.25, -0.2), "green": (0.25, -0.2), "red": (-0.25, 0.2), "orange": (0.25, 0.2)}


@dataclass(eq=False)
class MagalonTable(VariedRoom):
    """A room with the pieces of Magalon; see ``films.film.Stage``."""

    pieces: MagalonSet = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.pieces = MagalonSet(self.board, self.seed)
        self._away: dict[tuple[str, int], tuple[float, float]] = {}

    def placed(
        self, placement: Placement, at: Mapping[str, Spots],
        off: Mapping[str, tuple[float, float]], dice: Sequence[int], throw: int,
    ) -> list[Placed]:  # fmt: skip
        """All pieces and dice; ``throw``: the number of the throw, as each one lies elsewhere."""
        out: list[Placed] = []
        first = 1
        for name, spots in sorted(at.items()):
            info = placement.infos[name]
            number = int(name.rpartition("/")[2]) if info.kind == "ruin" else 0
            piece = self.pieces.piece(info.kind, info.colour, number)
            foot, turn = self._stand(name, info.kind, info.colour, spots, off.get(name))
            out.append(self._put(piece, foot, turn, bool(spots), first))
            first = out[-1].ids.stop
        for n, pips in enumerate(dice):
            rng = np.random.default_rng([46, self.seed, throw, n])
            foot = np.array(self.beside(f"die {n}", throw))
            turn = float(rng.uniform(0, 2 * np.pi))
            out.append(self._put(self.pieces.die(pips), foot, turn, False, first))
            first = out[-1].ids.stop
        return out

    def spot(self, goal: str | None) -> tuple[float, float]:
        """Where a hand goes to, mm; None: to the dice."""
        return self.board.centres[goal] if goal else self.beside("die 0", 0)

    def beside(self, name: str, throw: int) -> tuple[float, float]:
        """A free place beside the board, in view of the camera, the same every time."""
        if (name, throw) not in self._away:
            self._away[name, throw] = self._find_place(name, throw)
        return self._away[name, throw]

    def _find_place(self, name: str, throw: int) -> tuple[float, float]:
        """Dice near one middle of a side, shields in front of their owners."""
        camera = self.camera(0)
        rng = np.random.default_rng([47, self.seed, throw, zlib.crc32(name.encode())])
        others = [p for (n, t), p in self._away.items() if "die" not in n or t == throw]
        best, width = (-ROOM_MM, -ROOM_MM), np.array(self.board.size_mm)
        for _ in range(200):
            side, along = int(rng.integers(4)), float(rng.uniform(0.1, 0.9))
            far = float(rng.uniform(1.0, 2.6)) * ROOM_MM
            x = (-far, along * width[0], width[0] + far, along * width[0])[side]
            y = (along * width[1], -far, along * width[1], width[1] + far)[side]
            px = camera.project(np.array([(x, y, -THICK_MM), (x, y, 16.0)]))
            inside = (px > 12).all() and (px < np.array(self.size) - 12).all()
            if inside and all(np.hypot(x - a, y - b) > 1.6 * ROOM_MM for a, b in others):
                return float(x), float(y)
            best = (float(x), float(y))
        return best

    def _put(
        self, piece: Piece, foot: NDArray[np.float64], turn: float, on: bool, first: int
    ) -> Placed:
        low = 0.0 if on else -THICK_MM
        x, y = float(foot[0]), float(foot[1])
        return Placed(piece, piece.mesh.moved((x, y, low), turn), (x, y), turn, low, first)

    def _stand(
        self, name: str, kind: str, colour: str | None, spots: Spots,
        off: tuple[float, float] | None,
    ) -> tuple[NDArray[np.float64], float]:  # fmt: skip
        """Foot (mm) and turn (radians) of a piece: the same as long as it stands there."""
        rng = np.random.default_rng([48, self.seed, zlib.crc32(f"{name}@{spots}".encode())])
        own = np.clip(rng.normal(0, PLACING, 2), -FARTHEST, FARTHEST)
        if not spots:
            return np.array(self.beside(name, 0)), float(rng.uniform(0, 2 * np.pi))
        cell = self.board.cell_size_mm
        own = (own + np.array(off or (0.0, 0.0))) * cell
        if kind == "ruin":
            foot, turn = self._ell(spots)
            return foot + own * 0.5, turn + float(rng.normal(0, TURN_RUIN))
        ring = np.array(self.board.spots[spots[0]])
        middle, reach = np.array(self.board.centres[spots[0]]), np.ptp(ring, axis=0)
        shared = spots[0].startswith(TRACK_PREFIX) or float(reach.min()) > 1.5 * cell
        if shared and colour in SEATS:
            middle = middle + np.array(SEATS[colour]) * reach
            own = own * (0.4 if spots[0].startswith(TRACK_PREFIX) else 1.0)
        turns = rng.uniform(-0.25, 0.25) if kind == "energy_stone" else rng.uniform(0, 2 * np.pi)
        return middle + own, float(turns)

    def _ell(self, spots: Spots) -> tuple[NDArray[np.float64], float]:
        """Middle of an L of three cells, and the turn that brings its arms to them."""
        centres = [np.array(self.board.centres[s]) for s in spots]
        for n, corner in enumerate(centres):
            a, b = (c - corner for k, c in enumerate(centres) if k != n)
            if abs(float(a @ b)) < 1.0:
                break
        if float(a[0] * b[1] - a[1] * b[0]) < 0:
            a, b = b, a
        return np.mean(centres, axis=0), float(np.arctan2(a[1], a[0]))
