"""How well own renders of held-out artists are read: kinds and turns, learnt prints, figures, time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.board import Board
from engine.carcassonne.faces import Face, Pos, step
from engine.carcassonne.tiles import faces
from models.training.synthesis import raster
from models.training.tiles import table as tables
from models.training.tiles.bank import HELD_OUT
from models.training.tiles.layouts import ALL_SETS, deck_of, laid, random_map
from models.training.tiles.stage import COLOURS
from models.training.tiles.style import random_style
from models.training.tiles.table import Rendered, Table
from vision.detector import Detector
from vision.reference import Reference
from vision.tiles.figures import FigureLook, read_figures
from vision.tiles.growing import FoundTile, is_tile, look_at, refit
from vision.tiles.joint import named_together
from vision.tiles.lattice import Lattice
from vision.tiles.profile import Profile
from vision.tiles.reading import ReadTile, Scores, TileReader, patches_of, prior_of
from vision.tiles.sight import TILE_MM
from vision.types import Image

OWNERS = ("red", "blue", "green", "yellow", "black")
SHOWN = 0.6  # a figure of which less is seen is not asked for
NEAR = 0.3  # of a tile: a figure found so near is the true one
TILES_OF_TIME = 72


@dataclass
class TileFigures:
    """Counts of right answers; ``ms``: picture to tiles and figures, per table with 72 tiles."""

    tiles: int = 0
    found: int = 0
    free: int = 0
    beside: int = 0
    together: int = 0
    in_play: int = 0
    learnt: int = 0
    false: int = 0
    figures: int = 0
    figures_found: int = 0
    owner: int = 0
    posture: int = 0
    feature: int = 0
    ghosts: int = 0
    ms: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        out = {k: v for k, v in vars(self).items() if k != "ms"}
        return out | {"ms_median": float(np.median(self.ms)) if self.ms else None}

    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"  tiles {self.tiles}, found {_share(self.found, self.tiles)}, {self.false} where none lies"
        yield f"  kind and turn, by themselves {_share(self.free, self.found)}"
        yield f"  kind and turn, all of a picture together {_share(self.together, self.found)}"
        yield f"  kind and turn, with neighbours and stock {_share(self.beside, self.found)}"
        yield f"  the same, half of the table's tiles known {_share(self.in_play, self.found)}"
        yield f"  kind and turn, print learnt from one picture per kind {_share(self.learnt, self.found)}"
        yield f"  figures {self.figures}, found {_share(self.figures_found, self.figures)}, {self.ghosts} that are not there"
        yield f"  owner {_share(self.owner, self.figures_found)}, posture {_share(self.posture, self.figures_found)}, tile {_share(self.feature, self.figures_found)}"
        if self.ms:
            yield f"  picture to observation, {TILES_OF_TIME} tiles: median {np.median(self.ms):.0f} ms"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} = {100 * part / max(whole, 1):.1f} %"


def measure(count: int, seed: int, board: Board) -> TileFigures:
    """Reads ``count`` tables of as many artists, none of whom the network was taught."""
    out = TileFigures()
    detector = Detector()
    kinds = sorted(deck_of(ALL_SETS))
    reader = TileReader({k: faces(k) for k in kinds}, _network(), counts=deck_of(ALL_SETS))
    for n in range(count):
        rng = np.random.default_rng([31, seed, n])
        style = random_style(np.random.default_rng([3, HELD_OUT + 1000 + seed * 997 + n]))
        table = tables.random_table(rng, style, HELD_OUT + n)
        table = replace(table, art=tables.Art(style, HELD_OUT + n))  # one drawing per kind
        tiles = laid(
            random_map(rng, TILES_OF_TIME if n % 3 == 0 else int(rng.integers(6, 73))), rng
        )
        camera = tables.table_camera(rng, tiles, table)
        colours = {c: np.array(COLOURS[c], np.float32) for c in OWNERS}
        figures = tables.random_figures(rng, table, tiles, colours, min(10, len(tiles) // 3))
        state = rng.bit_generator.state
        bare = tables.render(rng, table, tiles, [], camera)
        rng.bit_generator.state = state
        seen = tables.render(rng, table, tiles, figures, camera)
        _one(out, seen, bare.picture, table, reader, detector, board, n)
    return out


def _network():  # type: ignore[no-untyped-def]
    from vision.tiles.network import network

    return network()


def true_lattice(seen: Rendered, table: Table) -> Lattice:
    """The lattice of a rendered table."""
    p = table.pitch_mm
    place = np.array([[p, 0, -p / 2], [0, p, -p / 2], [0, 0, 1]])
    return Lattice(seen.camera.homography @ place, seen.camera.size)


def _one(
    out: TileFigures, seen: Rendered, bare: Image, table: Table, reader: TileReader,
    detector: Detector, board: Board, number: int,
) -> None:  # fmt: skip
    truth = {t.pos: t.face for t in seen.tiles}
    lattice = true_lattice(seen, table)
    began = time.process_time()
    free_places = {step(p, s) for p in truth for s in range(4)} - set(truth)
    looked = look_at(seen.picture, reader.network, lattice, truth)
    there = {p: t for p, t in looked.items() if is_tile(t)}
    fitted, there = refit(lattice, there)
    rows = list(there.values())
    plain = reader.read(seen.picture, fitted, rows)
    near, reference = _window(lattice, truth, bare)
    looks = [FigureLook("meeple", c, c) for c in OWNERS]
    at = {p: t.at for p, t in there.items()}
    read, _ = read_figures(
        seen.picture, near, fitted, at, looks, {}, detector, board, reference
    )  # fmt: skip
    if len(truth) == TILES_OF_TIME:
        out.ms.append(1000 * (time.process_time() - began))
    out.tiles += len(truth)
    out.found += len(there)
    out.false += sum(is_tile(t, 1.0) for t in look_at(seen.picture, reader.network, fitted, free_places).values())  # fmt: skip
    priors = {p: prior_of(_allowed(truth, p), reader.kinds) for p in there}
    beside = reader.read(seen.picture, fitted, rows, priors)
    together = _together(seen, fitted, rows, reader)
    in_play = _in_play(seen, fitted, rows, truth, reader, priors)
    taught = TileReader(
        {k: faces(k) for k in reader.kinds}, reader.network, learn_print(table, reader)
    )
    learnt = taught.read(seen.picture, fitted, rows)
    for a, b, c in zip(plain, beside, learnt, strict=True):
        true = truth[a.found.place]
        right = [_right(reader, r.best(), true) for r in (a, b, c)]
        out.in_play += _right(reader, in_play[a.found.place].best(), true)
        out.together += _right(reader, together[a.found.place], true)
        out.free += right[0]
        out.beside += right[1]
        out.learnt += right[2]
        if not right[2]:
            kind, turn = c.best()
            out.missed.append(
                f"table {number}: {true.tile}@{true.rot} learnt, read as {reader.kinds[kind]}@{90 * turn}"
            )
        if not right[1]:
            kind, turn = b.best()
            out.wrong.append(
                f"table {number}: {true.tile}@{true.rot} read as {reader.kinds[kind]}@{90 * turn}"
            )
    _figures(out, seen, read, fitted, looks)


def _together(
    seen: Rendered, lattice: Lattice, rows: list[FoundTile], reader: TileReader
) -> dict[Pos, tuple[int, int]]:
    """(kind, quarter turns) of every tile, as they are read from a picture of which nothing is known."""
    logs = reader.likelihoods(seen.picture, lattice, rows, whole=True)
    named = named_together([t.place for t in rows], logs, {k: faces(k) for k in reader.kinds})
    best = {p: np.unravel_index(int(np.argmax(v)), v.shape) for p, v in named.items()}
    return {p: (int(kind), int(turn)) for p, (kind, turn) in best.items()}


def _in_play(
    seen: Rendered, lattice: Lattice, rows: list[FoundTile], truth: dict[Pos, Face],
    reader: TileReader, priors: dict[Pos, Scores],
) -> dict[Pos, ReadTile]:  # fmt: skip
    """Every tile read as in the middle of a game: the other half of the tiles is known, and has taught
    its print, where no figure stood, and how the artist's signs look."""
    under = {f.pos for f in seen.figures}
    out: dict[Pos, ReadTile] = {}
    for half in range(2):
        profile, others = Profile(), rows[1 - half :: 2]
        for tile in others:
            if tile.place not in under:
                face = truth[tile.place]
                patch = patches_of(seen.picture, lattice, [tile])[0]
                profile = profile.learnt(face.tile, face.rot, patch)
        taught = TileReader(
            {k: faces(k) for k in reader.kinds}, reader.network, profile, deck_of(ALL_SETS)
        )
        known = {t.place: _number(reader, truth[t.place]) for t in others}
        read = taught.read(seen.picture, lattice, rows, priors, known)
        out |= {r.found.place: r for r in read if r.found.place not in known}
    return out


def _number(reader: TileReader, face: Face) -> tuple[int, int]:
    return reader.kinds.index(face.tile), face.rot // 90


def _right(reader: TileReader, best: tuple[int, int], true: Face) -> bool:
    return faces(reader.kinds[best[0]])[best[1]].structure == true.structure


def _allowed(truth: dict[Pos, Face], pos: Pos) -> dict[tuple[str, int], float]:
    """What may lie on a place when all other tiles of the table are known."""
    stock = deck_of(ALL_SETS)
    stock["BA/RCr"] += 1
    for place, face in truth.items():
        if place != pos:
            stock[face.tile] -= 1
    around = [truth.get(step(pos, s)) for s in range(4)]
    return {
        (kind, face.rot): float(n)
        for kind, n in stock.items()
        if n > 0
        for face in faces(kind)
        if all(b is None or b.edges[(s + 2) % 4] == face.edges[s] for s, b in enumerate(around))
    }


def learn_print(table: Table, reader: TileReader) -> Profile:
    """The profile of an edition from one picture of each of its kinds, under plain light."""
    profile = Profile()
    for n, kind in enumerate(reader.kinds):
        rng = np.random.default_rng([77, n])
        tile = laid_alone(kind)
        plain = replace(table, lights=raster.Lights((), np.full(3, 1.0, np.float32)))
        camera = tables.table_camera(rng, [tile], plain, (320, 240), (70, 85), (0.6, 0.7))
        seen = tables.render(rng, plain, [tile], [], camera, clean=True)
        lattice = true_lattice(seen, plain)
        found = look_at(seen.picture, reader.network, lattice, [(0, 0)])
        if (0, 0) in found:
            profile = profile.learnt(kind, 0, patches_of(seen.picture, lattice, [found[0, 0]])[0])
    return profile


def laid_alone(kind: str) -> tables.Laid:
    """One tile, straight."""
    return tables.Laid(faces(kind)[0], (0, 0))


def _window(lattice: Lattice, truth: dict[Pos, Face], bare: Image):  # type: ignore[no-untyped-def]
    places = np.array(list(truth), float)
    low, high = places.min(0) - 0.35, places.max(0) + 1.35
    pose = lattice.pose((low[0], low[1]), (high[0], high[1]), TILE_MM)
    size = ((high[0] - low[0]) * TILE_MM, (high[1] - low[1]) * TILE_MM)
    return pose, Reference.from_picture(bare, size, pose.corners_px)


def _figures(out: TileFigures, seen: Rendered, read, lattice: Lattice, looks) -> None:  # type: ignore[no-untyped-def]
    left = list(read)
    for n, figure in enumerate(seen.figures):
        near = [
            r
            for r in left
            if np.linalg.norm(np.array(r.foot_px) - seen.foot_px[n])
            < NEAR * lattice.side_px(figure.pos)
        ]
        best = min(near, key=lambda r: np.linalg.norm(np.array(r.foot_px) - seen.foot_px[n]), default=None)  # fmt: skip
        if best is not None:
            left.remove(best)
        if seen.visible[n] < SHOWN:
            continue
        out.figures += 1
        if best is None:
            continue
        out.figures_found += 1
        out.owner += looks[int(np.argmax(best.looks))].owner == figure.owner
        out.posture += (best.lying > 0.5) == figure.lying
        out.feature += best.place == figure.pos
    out.ghosts += len(left)
