"""A first tile in a picture of which nothing is known: quadrilaterals, then a scan by the network."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.growing import FoundTile, is_tile, look_at
from vision.tiles.lattice import Lattice, fit, lattice_from_quad
from vision.tiles.memory import Looking
from vision.tiles.patch import cut_patches
from vision.types import Image

Matrix = NDArray[np.float64]
WIDTH = 960  # the picture is searched at this width
LEAST_SIDE, MOST_SIDE = 0.03, 0.5  # of the picture's shorter side
MOST_QUADS = 48
MOST_IN_ROW = 4
# Scan: sides as shares of the picture's shorter side, turns in radians, step in tiles.
SCAN_SIDES = (0.237, 0.178, 0.133, 0.1, 0.075)
SCAN_TURNS = tuple(np.deg2rad((0.0, 30.0, 60.0)))
SCAN_STEP = 0.55
MOST_SCANNED = 16
SURE = 2.0
ROUNDS = 4


def first_tiles(
    image: Image, network: Looking, scan: bool = True
) -> Iterator[tuple[Lattice, FoundTile]]:
    """Tiles that stand out, best first, each as place (0, 0) of a lattice of its own."""
    size = (image.shape[1], image.shape[0])
    seen: list[Matrix] = []
    starts = [lattice_from_quad(q, size) for q in quads(image)]
    yield from _settled(image, network, starts, seen)
    for share in SCAN_SIDES if scan else ():
        yield from _settled(image, network, _scan(image, network, share), seen)


def _settled(
    image: Image, network: Looking, starts: list[Lattice], seen: list[Matrix]
) -> Iterator[tuple[Lattice, FoundTile]]:
    """The starts from which a tile is found, the surest first, each tile once."""
    out = []
    for start in starts:
        settled = settle(image, network, start)
        if settled is not None:
            out.append(settled)
    out.sort(key=lambda pair: -pair[1].present)
    for lattice, tile in out:
        middle = lattice.quad((0, 0)).mean(0)
        near = 0.4 * lattice.side_px((0, 0))
        if all(np.linalg.norm(middle - other) > near for other in seen):
            seen.append(middle)
            yield lattice, tile


def settle(image: Image, network: Looking, lattice: Lattice) -> tuple[Lattice, FoundTile] | None:
    """The lattice moved until its place (0, 0) lies on the tile there; None where there is none."""
    for _ in range(ROUNDS):
        tile = look_at(image, network, lattice, [(0, 0)], rounds=1).get((0, 0))
        if tile is None or not is_tile(tile, -1.5):
            return None
        if np.abs(tile.at[:2]).max() < 0.02 and abs(tile.at[2]) < 0.03 and abs(tile.at[3]) < 0.03:
            break
        lattice = fit(lattice, {(0, 0): tile.at})
    u, v, angle, grown = np.abs(tile.at)
    calm = max(u, v) < 0.06 and angle < 0.08 and grown < 0.07
    return (lattice, tile) if calm and is_tile(tile, SURE) else None


def quads(image: Image) -> list[Matrix]:
    """(4, 2) quadrilaterals of a tile's proportions, clockwise, the plainest first."""
    scale = min(1.0, WIDTH / image.shape[1])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found: list[tuple[float, Matrix]] = []
    for mask in _masks(np.asarray(small, np.uint8)):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            found += _as_quads(contour, min(small.shape[:2]))
    found.sort(key=lambda pair: pair[0])
    kept: list[Matrix] = []
    for _, corners in found:
        full = (corners + 0.5) / scale - 0.5
        if all(
            np.abs(full.mean(0) - k.mean(0)).max() > 4 or abs(_size(full) / _size(k) - 1) > 0.1
            for k in kept
        ):
            kept.append(full)
    return kept[:MOST_QUADS]


def _masks(small: Image) -> Iterator[Image]:
    """Pictures in which the outline of a tile may be closed: edges and what differs from the table."""
    smooth = cv2.GaussianBlur(small, (0, 0), 1.2)
    kernel = np.ones((3, 3), np.uint8)
    for low, high in ((20, 60), (50, 140)):
        edges = np.zeros(small.shape[:2], np.uint8)
        for channel in cv2.split(smooth):
            edges = cv2.max(edges, cv2.Canny(channel, low, high))
        yield np.asarray(cv2.dilate(edges, kernel), np.uint8)
        yield np.asarray(
            cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8
        )
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 2.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    rim = np.concatenate([lab[:8].reshape(-1, 3), lab[-8:].reshape(-1, 3), lab[:, :8].reshape(-1, 3), lab[:, -8:].reshape(-1, 3)])  # fmt: skip
    middle, spread = np.median(rim, axis=0), np.maximum(rim.std(0), 4)
    distance = np.linalg.norm((lab - middle) / spread, axis=2)
    for level in (2.5, 4.0, 6.0):
        mask = (distance > level).astype(np.uint8) * 255
        yield np.asarray(
            cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8
        )


def _as_quads(contour: NDArray[np.int32], short: int) -> list[tuple[float, Matrix]]:
    """(how little it is a square, corners) of a contour; a row of tiles gives each of them."""
    hull = cv2.convexHull(contour)
    area = float(cv2.contourArea(hull))
    if not (LEAST_SIDE * short) ** 2 < area < (MOST_SIDE * short) ** 2 * MOST_IN_ROW:
        return []
    corners = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)[:, 0].astype(float)
    if len(corners) != 4:
        corners = cv2.boxPoints(cv2.minAreaRect(hull)).astype(float)
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    quad_area = float(cv2.contourArea(corners.astype(np.float32)))
    error = abs(1 - area / max(quad_area, 1.0))
    if error > 0.2:
        return []
    out = []
    for quad in _in_row(corners):
        sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
        if sides.min() >= 0.6 * sides.max() and sides.max() < MOST_SIDE * short:
            out.append((error + 0.3 * (1 - float(sides.min() / sides.max())), quad))
    return out


def _in_row(corners: Matrix) -> list[Matrix]:
    """The quadrilateral itself, or the parts of a long one."""
    a, b, c, d = corners
    across = (np.linalg.norm(b - a) + np.linalg.norm(c - d)) / 2
    down = (np.linalg.norm(d - a) + np.linalg.norm(c - b)) / 2
    if down > across:
        a, b, c, d = b, c, d, a
        across, down = down, across
    count = round(float(across / max(down, 1.0)))
    if count == 1 or count > MOST_IN_ROW:
        return [corners] if count == 1 else []
    t = np.linspace(0, 1, count + 1)[:, None]
    top, bottom = a + t * (b - a), d + t * (c - d)
    return [np.array([top[k], top[k + 1], bottom[k + 1], bottom[k]]) for k in range(count)]


def _size(quad: Matrix) -> float:
    return float(np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1.0)))


def _scan(image: Image, network: Looking, share: float) -> list[Lattice]:
    """Places where the network believes a tile of one size, by looking everywhere in all turns.

    ``share``: its side in shares of the picture's shorter side.
    """
    height, width = image.shape[:2]
    side = share * min(width, height)
    reach = int(np.hypot(width, height) / side / 2 / SCAN_STEP) + 1
    steps = np.arange(-reach, reach) * SCAN_STEP
    places = []
    for turn in SCAN_TURNS:
        c, s = side * np.cos(turn), side * np.sin(turn)
        grid = np.array([[c, -s, width / 2], [s, c, height / 2], [0, 0, 1.0]])
        for u, v in product(steps, steps):
            place = Lattice(grid @ np.array([[1, 0, u], [0, 1, v], [0, 0, 1.0]]), (width, height))
            if place.seen((0, 0)):
                places.append(place)
    scored = []
    for k in range(0, len(places), 256):
        part = places[k : k + 256]
        for lattice, tile in zip(part, _look_once(image, network, part), strict=True):
            if is_tile(tile, 0.5):
                scored.append((tile.present - 3 * float(np.abs(tile.at[:2]).max()), lattice))
    scored.sort(key=lambda pair: -pair[0])
    return [lattice for _, lattice in scored[:MOST_SCANNED]]


def _look_once(image: Image, network: Looking, lattices: list[Lattice]) -> list[FoundTile]:
    middle = np.array([[0.5, 0.5]])
    patches = [cut_patches(image, k.homography, middle)[0] for k in lattices]
    looked = network.look(patches)
    return [
        FoundTile((0, 0), looked.place[n], float(looked.present[n]), looked.logits[n])
        for n in range(len(lattices))
    ]
