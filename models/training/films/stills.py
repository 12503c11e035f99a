"""Labelled stills of Magalon that nobody tuned on: ``python -m models.training.films.stills OUT``.

Every seed is another table: print, lamps, camera and maker of pieces.  ``table-N-start.jpg`` shows the
start of the game, ``table-N.jpg`` a random, not legal position, crowded as in a game; ``labels.json``
is as in docs/formats.md, the print lies beside in ``table-N-reference.jpg``.  Path traced (the extra
``render``), or with ``--fast`` by the rasteriser.  To measure and to look at; not to train on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import REFERENCE, Board, load_board
from engine.game import Header, Player
from engine.placement import Placement, track_spot, track_value
from engine.rooms import room_for
from models.training.films.magalon_table import MagalonTable
from models.training.films.table import THICK_MM, light_of, metered
from models.training.synthesis import raster
from models.training.synthesis.camera import Camera
from models.training.synthesis.sample import ids_seen
from models.training.synthesis.scene import Placed
from models.training.synthesis.table import Table

Picture = NDArray[np.uint8]
Rng = np.random.Generator
Spots = tuple[str, ...]
COLOURS = ("violet", "green", "red", "orange")
SIZE = (1280, 720)
JPEG = (cv2.IMWRITE_JPEG_QUALITY, 90)
LAID = 0.5  # share of the shields that stand on the board
AT_START = 0.25  # share of the wizards that stay where they begin
MARKS = 13  # of the energy track
NEAR = 2.5  # cells within which pieces are put near one another
TOGETHER = 0.4


def start_of(board: Board) -> Placement:
    """Where everything stands when four begin."""
    players = tuple(Player(c.capitalize(), c) for c in COLOURS)
    room = room_for("magalon")
    return room.placement(room.start(Header("magalon", REFERENCE, players), board))


def shuffled(rng: Rng, board: Board, start: Placement) -> dict[str, Spots]:
    """A random position: one thing on a cell, many near others, walls in L shapes."""
    at = dict(start.pieces)
    cells = [c for c in board.spots if track_value(c) is None]
    free = set(cells) - {s for spots in at.values() for s in spots}
    ells = _ells(board, free)
    for name, spots in start.pieces.items():
        kind = start.infos[name].kind
        if kind == "energy_stone":
            at[name] = (track_spot(int(rng.integers(MARKS))),)
        elif kind == "ruin":
            able = [e for e in ells if free.issuperset(e)]
            at[name] = able[int(rng.integers(len(able)))]
        elif kind == "shield" and rng.random() > LAID:
            at[name] = ()
        elif kind not in ("wizard", "goblin", "giant", "shield") or (
            spots and rng.random() < AT_START
        ):
            continue
        else:
            at[name] = (_cell(rng, board, free, at),)
        free -= set(at[name])
    return at


def _cell(rng: Rng, board: Board, free: set[str], at: Mapping[str, Spots]) -> str:
    """A free cell, now and then near another piece."""
    able = sorted(free)
    others = [np.array(board.centres[s[0]]) for s in at.values() if s and track_value(s[0]) is None]
    if others and rng.random() < TOGETHER:
        other = others[int(rng.integers(len(others)))]
        reach = NEAR * board.cell_size_mm
        near = [c for c in able if np.linalg.norm(np.array(board.centres[c]) - other) < reach]
        able = near or able
    return able[int(rng.integers(len(able)))]


def _ells(board: Board, free: set[str]) -> list[Spots]:
    """All L shapes of three free cells of usual size."""
    size = board.cell_size_mm
    at = {
        (round(board.centres[c][0] / size), round(board.centres[c][1] / size)): c
        for c in sorted(free)
        if np.ptp(np.array(board.spots[c]), axis=0).max() < 1.3 * size
    }
    out = []
    for (x, y), corner in at.items():
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            arms = at.get((x + dx, y)), at.get((x, y + dy))
            if arms[0] is not None and arms[1] is not None:
                out.append((arms[0], corner, arms[1]))
    return out


def paint(
    stage: MagalonTable, placement: Placement, at: Mapping[str, Spots], dice: tuple[int, ...],
    traced: bool, gain: float | None,
) -> tuple[Picture, list[tuple[str, Placed, float]], Camera, float]:  # fmt: skip
    """Picture, (piece, as placed, visible share) of all that stands there, camera, and the gain."""
    camera = stage.camera(0)
    ground, mask = stage.ground(camera)
    placed = stage.placed(placement, at, {}, dice, 1)
    table = Table(
        camera,
        stage.board.size_mm,
        THICK_MM,
        stage.face,
        ground,
        mask,
        placed,
        [],
        [],
        stage.lights,
    )
    if traced:
        from models.training.synthesis.traced import path_traced

        light, ids = path_traced(np.random.default_rng([52, stage.seed]), table)
    else:
        light, ids = light_of(stage, camera, placed, [], (ground, mask))[0], ids_seen(table)
    light = stage.lit(light)
    gain = gain or metered(light, mask)
    picture = (stage.developed(light, gain) * 255).astype(np.uint8)
    names = [*sorted(at), *(f"die {n}" for n in range(len(dice)))]
    seen = [(n, p, _visible(p, ids, camera)) for n, p in zip(names, placed, strict=True)]
    return picture, seen, camera, gain


def _visible(placed: Placed, ids: Picture, camera: Camera) -> float:
    area = raster.silhouette([v for _, v in placed.mesh.parts], camera)
    count = float(np.isin(ids, list(placed.ids)).sum()) / raster.OVERSAMPLE**2
    return min(count / max(area, 1.0), 1.0)


def labels(
    name: str, board: Board, placement: Placement, at: Mapping[str, Spots], dice: tuple[int, ...],
    seen: list[tuple[str, Placed, float]], camera: Camera,
) -> dict[str, Any]:  # fmt: skip
    """The picture's row of ``labels.json``."""
    w, h = board.size_mm
    corners = camera.project(np.array([(0, 0, 0), (w, 0, 0), (w, h, 0), (0, h, 0)], float))
    rows = []
    for piece, placed, visible in seen:
        foot = camera.project(np.array([[*placed.at, placed.ground]]))[0]
        row: dict[str, Any] = {"kind": "die", "colour": None}
        if piece in placement.infos:
            info, spots = placement.infos[piece], at[piece]
            row = {"kind": info.kind, "colour": info.colour}
            track = track_value(spots[0]) if spots else None
            if track is not None:
                row["track"] = track
            elif spots:
                row["cell"] = list(spots) if len(spots) > 1 else spots[0]
        else:
            row["pips"] = dice[int(piece.split()[1])]
        rows.append(
            row
            | {
                "at_mm": [round(v, 1) for v in placed.at],
                "foot_px": [round(float(v), 1) for v in foot],
                "visible": round(visible, 2),
            }
        )
    return {
        "image": name, "size": list(camera.size), "hand": False,
        "corners_px": [[round(float(v), 2) for v in p] for p in corners], "pieces": rows,
    }  # fmt: skip


def make_stills(out: Path, seed: int, traced: bool, board: Board) -> list[dict[str, Any]]:
    """Writes the pictures of one table; gives their rows of labels."""
    rng = np.random.default_rng([53, seed])
    stage = MagalonTable(board, seed, SIZE)
    start = start_of(board)
    dice = tuple(int(v) for v in rng.integers(1, 7, 2))
    gain: float | None = None
    rows = []
    for name, at in (
        (f"table-{seed}-start.jpg", dict(start.pieces)),
        (f"table-{seed}.jpg", shuffled(rng, board, start)),
    ):
        picture, seen, camera, gain = paint(stage, start, at, dice, traced, gain)
        cv2.imwrite(str(out / name), picture, JPEG)
        rows.append(labels(name, board, start, at, dice, seen, camera))
    cv2.imwrite(str(out / f"table-{seed}-reference.jpg"), stage.face, JPEG)
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=101, help="seed of the first table")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--fast", action="store_true", help="by the rasteriser")
    parser.add_argument("--board", default=REFERENCE)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    board = load_board(a.board, "magalon")
    rows: list[dict[str, Any]] = []
    for seed in range(a.first, a.first + a.count):
        rows += make_stills(a.out, seed, not a.fast, board)
        text = json.dumps({"board": a.board, "images": rows}, indent=1)
        (a.out / "labels.json").write_text(text + "\n", "utf-8")
        print(f"table {seed}", flush=True)


if __name__ == "__main__":
    main()
