"""The table of a film: who lies and stands where, everything crooked in its own lasting way."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.carcassonne.drags import SIZES, kind_of, owner_of
from engine.carcassonne.faces import Face, Pos
from engine.carcassonne.placement import TILE, at_of, placement_of, pos_of, tile_of
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.state import CarcassonneState
from models.training.tiles import table as tables
from models.training.tiles.layouts import Laid
from models.training.tiles.table import Figure, Table

Rng = np.random.Generator
Spots = tuple[str, ...]
COLOURS = {
    "red": (0.12, 0.1, 0.72), "blue": (0.68, 0.3, 0.08), "green": (0.2, 0.5, 0.12),
    "yellow": (0.1, 0.72, 0.85), "black": (0.06, 0.06, 0.07), "pink": (0.6, 0.4, 0.85),
    "violet": (0.55, 0.12, 0.38), "orange": (0.05, 0.42, 0.9),
}  # fmt: skip
FIGURE_COLOURS = {"mage": "violet", "witch": "orange"}
APART = 0.35  # tiles between two figures
TRIES = 20


class Stage:
    """Turns an arrangement, spots by piece as in ``engine.carcassonne.placement``, into things."""

    def __init__(self, rng: Rng, table: Table) -> None:
        self._rng, self.table = rng, table
        self._laid: dict[Pos, Laid] = {}
        self._figures: dict[tuple[str, str], Figure] = {}

    def of(self, state: CarcassonneState) -> tuple[list[Laid], list[Figure]]:
        """The table as a state of the game says."""
        return self.set(placement_of(state).pieces)

    def tiles(self, state: CarcassonneState) -> list[Laid]:
        """All tiles of a state as they lie."""
        return self.of(state)[0]

    def figures(self, state: CarcassonneState) -> list[Figure]:
        """All figures of a state where their features are."""
        return self.of(state)[1]

    def set(self, shown: Mapping[str, Spots]) -> tuple[list[Laid], list[Figure]]:
        """Everything in its place; who lay or stood there before does so still."""
        faces = {
            pos_of(spots[0]): tile_of(spots[0], piece.rpartition("/")[0])
            for piece, spots in shown.items()
            if spots and piece.startswith(TILE)
        }
        laid = [self._lie(pos, face) for pos, face in faces.items()]
        standing = {
            (piece, spots[0])
            for piece, spots in shown.items()
            if spots and kind_of(piece) in (*SIZES, *FIGURES)
        }
        self._figures = {k: f for k, f in self._figures.items() if k in standing}
        for piece, spot in sorted(standing - self._figures.keys()):
            self._figures[piece, spot] = self._stand(piece, spot, faces[pos_of(spot)])
        return laid, list(self._figures.values())

    def _lie(self, pos: Pos, face: Face) -> Laid:
        known = self._laid.get(pos)
        if known is None or known.face != face:
            number = len(self._laid)
            off = np.clip(self._rng.normal(0, 0.8, 2), -3, 3) if number else np.zeros(2)
            turn = float(np.clip(self._rng.normal(0, 1.5), -8, 8)) if number else 0.0
            known = Laid(face, pos, turn, (float(off[0]), float(off[1])), number)
            self._laid[pos] = known
        return known

    def _stand(self, piece: str, spot: str, face: Face) -> Figure:
        """A figure well inside its feature, clear of the others on the tile."""
        pos, at = pos_of(spot), at_of(spot)
        number = next(n for n, f in enumerate(face.features) if f.at == at)
        features = self.table.art.turned(self._laid[pos])[1]
        taken = [np.array(f.at) for f in self._figures.values() if f.pos == pos]
        foot, widest = (0.5, 0.5), -1.0
        for _ in range(TRIES):
            tried = tables.inside(self._rng, features, number) or foot
            gap = min((float(np.linalg.norm(np.array(tried) - t)) for t in taken), default=np.inf)
            if gap > widest:  # two figures cannot stand in one another
                foot, widest = tried, gap
            if gap > APART:
                break
        kind, owner = kind_of(piece), owner_of(piece)
        colour = FIGURE_COLOURS.get(kind) or owner
        assert colour is not None
        return Figure(
            kind, owner, np.array(COLOURS[colour], np.float32), pos, foot,
            face.features[number].kind.value == "Field",
            float(self._rng.uniform(0, 2 * np.pi)),
        )  # fmt: skip
