"""``boardwarden read --game carcassonne``: tiles and figures in pictures of which nothing is known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from companion_app.device import remembered_threads
from companion_app.tile_eyes import TileEyes
from engine.board import REFERENCE, load_board
from engine.carcassonne.faces import Face
from engine.carcassonne.setup import make_setup
from engine.carcassonne.sight import TILE_MM, pieces_of
from engine.carcassonne.tiles import faces, start_tile
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.observation import SeenPiece
from vision.detector import Detector
from vision.sources.pictures import read_picture
from vision.tiles.first_tile import first_tiles
from vision.tiles.growing import FoundTile, grow
from vision.tiles.joint import named_together
from vision.tiles.lattice import Lattice, Place, renamed_place
from vision.tiles.naming import Naming, rename
from vision.tiles.profile import Profile
from vision.types import Image

COLOURS = ("red", "blue", "green", "yellow", "black")
ENOUGH = 0.7  # of the found tiles in one layout: no need to look for another
START_SURE = -1.5  # log-probability from which a tile is taken for the start tile
NO_TILES = "no tiles are to be seen: show the whole layout from above, with some table around it"


def read_tables(
    pictures: list[str], players: str | None, profile: Path | None
) -> list[dict[str, Any]]:
    """One object per picture, in the form of ``boardwarden read``; raises BoardwardenError."""
    colours = [c.strip() for c in players.split(",") if c.strip()] if players else [*COLOURS]
    header = Header("carcassonne", REFERENCE, tuple(Player(c, c) for c in colours))
    known = None if profile is None else Profile.load(profile)
    detector, board = Detector(threads=remembered_threads()), load_board(REFERENCE, "carcassonne")
    rows = []
    for name in pictures:
        eyes = TileEyes(make_setup(header), detector, board, known)
        rows.append(_row(name, read_picture(Path(name)), eyes))
    return rows


def lost_row(name: str, why: str) -> dict[str, Any]:
    """The object of a picture in which the board, or the tiles, were not found."""
    row = {"picture": name, "pose": None, "hand": False, "pieces": [], "unsure": []}
    return {**row, "why": why}


def _row(name: str, image: Image, eyes: TileEyes) -> dict[str, Any]:
    layout = _layout(image, eyes)
    glance = None
    if layout is not None:
        eyes.sight.lattice = layout[0]
        eyes.sight.expect(*_named(image, eyes, *layout))
        glance = eyes.look(image)
    if glance is None:
        return lost_row(name, NO_TILES)
    table = eyes.table(glance, 0.0, glance.hand, 0.0)
    counts = Counter(make_counts(eyes))
    seen = pieces_of(table.tiles, table.figures, {}, counts)
    pose = eyes.sight.pose(0.0)
    corners = [] if pose is None else [[round(float(v), 2) for v in p] for p in pose.corners_px]
    return {
        "picture": name, "pose": {"corners_px": corners, "residual_px": None, "how": "lattice"},
        "hand": glance.hand, "pieces": [_piece(p, glance.layout.lattice) for p in seen],
        "unsure": [],
    }  # fmt: skip


def make_counts(eyes: TileEyes) -> dict[str, int]:
    """How many tiles of each kind there can be, more than enough."""
    return dict.fromkeys(eyes.sight.reader.kinds, 99)


def _layout(image: Image, eyes: TileEyes) -> tuple[Lattice, dict[Place, FoundTile]] | None:
    """The largest layout of tiles in a picture."""
    best: tuple[Lattice, dict[Place, FoundTile]] | None = None
    total, network = 0, eyes.sight.reader.network
    for scan in (False, True):
        for first, _ in first_tiles(image, network, scan):
            grown, found = grow(image, network, first)
            total += len(found)
            if found and (best is None or len(found) > len(best[1])):
                best = (grown, found)
            if best is not None and len(best[1]) > 1 and len(best[1]) >= ENOUGH * total:
                return best
        if best is not None:
            return best
    return None


def _named(
    image: Image, eyes: TileEyes, lattice: Lattice, found: dict[Place, FoundTile]
) -> tuple[dict[Place, tuple[int, int]], dict[Place, Any]]:
    """What lies where in the words of the game: the start tile at (0, 0) unturned, if one is seen."""
    reader, sight = eyes.sight.reader, eyes.sight
    kinds: dict[str, tuple[Face, ...]] = {k: faces(k) for k in reader.kinds}
    rows = list(found.values())
    logs = reader.likelihoods(image, lattice, rows, whole=True)
    named = named_together([t.place for t in rows], logs, kinds)
    number = reader.kinds.index(start_tile())
    place = max(named, key=lambda p: float(named[p][number].max()))
    quarters, origin = 0, place
    if float(named[place][number].max()) > START_SURE:
        quarters = -int(np.argmax(named[place][number])) % 4
    x, y = renamed_place(origin, quarters, (0, 0))
    naming = Naming(quarters, (-x, -y), 0.0, 0.0, 0.0)
    sight.lattice, _ = rename(lattice, found, naming)
    priors = {
        renamed_place(p, quarters, naming.shift): np.roll(v, quarters, axis=1)
        for p, v in named.items()
    }
    known = {}
    for p, v in priors.items():
        kind, turn = np.unravel_index(int(np.argmax(v)), v.shape)
        known[p] = (int(kind), int(turn))
    return known, priors


def _piece(piece: SeenPiece, lattice: Lattice) -> dict[str, Any]:
    best = piece.best
    foot = piece.foot_px
    if foot == (0.0, 0.0):  # a tile: its middle
        px = lattice.to_image(np.array([piece.at_mm]) / TILE_MM)[0]
        foot = (float(px[0]), float(px[1]))
    return {
        "kind": best.kind, "colour": best.colour, "cell": best.spots[0] if best.spots else None,
        "at_mm": [round(v, 1) for v in piece.at_mm], "foot_px": [round(v, 1) for v in foot],
        "confidence": round(float(np.exp(best.log_prob)) * min(1.0, piece.confidence), 3),
    }  # fmt: skip


def check_options(reference: str | None, enrol: str | None) -> None:
    """What a table of tiles has no use for; raises BoardwardenError."""
    if reference or enrol:
        raise BoardwardenError(
            "there is no board in Carcassonne: leave --reference and --enrol out; tiles are learnt by"
            " boardwarden tiles and given by --tiles"
        )
