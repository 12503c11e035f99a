"""Doubtful tiles are looked at once more, the other way up; the others are not."""

from __future__ import annotations

import numpy as np

from engine.carcassonne.tiles import faces
from vision.tiles.growing import FoundTile
from vision.tiles.lattice import Lattice
from vision.tiles.network import Looked
from vision.tiles.reading import TileReader
from vision.tiles.structure import EDGE_AT, KIND_AT, PAIR_AT, PRESENT_AT, SIGN_AT, structure_of

KINDS = ("BA/CcRr", "BA/CcRr+")
TRUE = (1, 3)  # with the pennant, three quarter turns
SURE = 6.0


def logits_of(kind: int, turn: int) -> np.ndarray:
    """What a network says that is sure of a face."""
    seen = structure_of(faces(KINDS[kind])[turn])
    out = np.zeros(KIND_AT + 4 * len(KINDS), np.float32)
    for side, edge in enumerate(seen.edges):
        out[EDGE_AT + 3 * side + edge] = SURE
    out[PAIR_AT:SIGN_AT] = [SURE * (1 if pair else -1) for pair in seen.pairs]
    out[SIGN_AT:PRESENT_AT] = [SURE * (1 if sign else -1) for sign in seen.signs]
    out[KIND_AT + 4 * kind + turn] = SURE
    return out


class Clearer:
    """Tells the true face only of patches that lie the other way up."""

    kinds = KINDS

    def __init__(self) -> None:
        self.looked: list[np.ndarray] = []

    def look(self, patches, keys=None) -> Looked:  # type: ignore[no-untyped-def]
        self.looked += patches
        out = np.stack([logits_of(TRUE[0], (TRUE[1] + 2) % 4) for _ in patches])
        return Looked(out, np.ones(len(patches)), np.zeros((len(patches), 4)))


def tile(place: tuple[int, int], logits: np.ndarray) -> FoundTile:
    return FoundTile(place, np.zeros(4), 5.0, logits)


def test_a_doubtful_tile_is_told_by_the_look_from_the_other_side() -> None:
    network = Clearer()
    reader = TileReader({k: faces(k) for k in KINDS}, network)
    lattice = Lattice(np.diag([64.0, 64.0, 1.0]), (256, 128))
    image = np.zeros((128, 256, 3), np.uint8)
    image[:64, :64] = 200  # only on the first place
    unsure = np.zeros_like(logits_of(*TRUE))
    rows = [tile((0, 0), unsure), tile((2, 0), logits_of(0, 1))]
    read = reader.read(image, lattice, rows)
    assert read[0].best() == TRUE
    assert read[1].best() == (0, 1)
    assert len(network.looked) == 1
    # The tile fills the patch from its upper left on; turned, its rim lies at the upper left.
    assert network.looked[0][40, 40].mean() > 150 and network.looked[0][0, 0].mean() < 50


def test_where_nothing_is_doubtful_the_network_is_not_asked_again() -> None:
    network = Clearer()
    reader = TileReader({k: faces(k) for k in KINDS}, network)
    lattice = Lattice(np.diag([64.0, 64.0, 1.0]), (256, 128))
    rows = [tile((0, 0), logits_of(0, 1)), tile((1, 0), logits_of(*TRUE))]
    read = reader.read(np.zeros((128, 256, 3), np.uint8), lattice, rows)
    assert [r.best() for r in read] == [(0, 1), TRUE]
    assert network.looked == []
