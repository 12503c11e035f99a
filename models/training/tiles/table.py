"""A table of tiles as a camera sees it, with figures and hands, and the truth about it.

Frame: millimetres on the tops of the tiles, x right, y down, z up towards the camera; the middle of
place (x, y) lies at (x, y) times the pitch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.tiles import tiles
from models.training.synthesis import effects, hand, meshes, raster, surroundings
from models.training.synthesis.camera import Camera, look_at
from models.training.synthesis.meshes import Mesh
from models.training.synthesis.pieces import MEEPLES, Piece
from models.training.synthesis.raster import Lights
from models.training.synthesis.sample import (
    HAND_ID,
    compose,
    ground_light,
    linear,
    pieces_layer,
)
from models.training.synthesis.scene import Placed
from models.training.tiles.artwork import Map, Picture, paint_tile
from models.training.tiles.layouts import TILE_MM, Laid
from models.training.tiles.style import Style

Rng = np.random.Generator
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
ART_PX = 128
# Outlines of mage and witch: a pointed hat, a broad hat with a skirt; mm.
MAGE = [
    (-6, 0),
    (6, 0),
    (4.5, 8),
    (6, 10),
    (3.4, 11),
    (2.6, 15),
    (0, 24),
    (-2.6, 15),
    (-3.4, 11),
    (-6, 10),
    (-4.5, 8),
]
WITCH = [(-8, 0), (8, 0), (4, 9), (7, 11), (3, 12), (7, 15), (2.5, 16), (1.5, 20), (-1.5, 20), (-2.5, 16), (-7, 15), (-3, 12), (-7, 11), (-4, 9)]  # fmt: skip


class Art:
    """One artist's drawings, painted when first asked for.  ``copies``: equal tiles differ."""

    def __init__(self, style: Style, seed: int, side: int = ART_PX, copies: bool = False) -> None:
        self.style, self._seed, self._side, self._copies = style, seed, side, copies
        self._known: dict[tuple[str, int], tuple[Picture, Map]] = {}
        self._order = sorted(tiles())

    def of(self, tile: str, copy: int = 0) -> tuple[Picture, Map]:
        """(picture, feature map) unturned."""
        key = (tile, copy if self._copies else 0)
        if key not in self._known:
            rng = np.random.default_rng([5, self._seed, self._order.index(tile), key[1]])
            painted = paint_tile(tiles()[tile], self.style, rng, self._side)
            self._known[key] = (painted.picture, painted.features)
        return self._known[key]

    def turned(self, tile: Laid) -> tuple[Picture, Map]:
        """(picture, feature map) as the tile lies."""
        picture, features = self.of(tile.face.tile, tile.copy)
        quarters = -(tile.face.rot // 90)
        return np.ascontiguousarray(np.rot90(picture, quarters)), np.rot90(features, quarters)


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """``role`` as in ``engine.carcassonne.seen``; ``at``: foot on the tile, (u, v) from its
    north-west corner; ``turn``: radians about the upright axis."""

    role: str
    owner: str | None
    colour: F32
    pos: tuple[int, int]
    at: tuple[float, float]
    lying: bool = False
    turn: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Everything that stays while the game goes on: light, table top, size of the figures."""

    art: Art
    lights: Lights
    top: Picture
    gap_mm: float = 0.3
    thick_mm: float = 2.0
    figure_scale: float = 1.0
    mould: int = 0
    top_mm: float = 0.6  # of the table per pixel of ``top``
    cardboard: F32 = field(default_factory=lambda: np.array([0.55, 0.65, 0.7], np.float32))

    @property
    def pitch_mm(self) -> float:
        """From one place to the next."""
        return TILE_MM + self.gap_mm


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """``picture`` BGR; ``camera``; ``tiles``; ``figures`` with ``visible`` shares and ``foot_px``;
    ``hand``: share of the picture under a hand."""

    picture: Picture
    camera: Camera
    tiles: tuple[Laid, ...]
    figures: tuple[Figure, ...]
    visible: tuple[float, ...]
    foot_px: F64
    hand: float


def random_table(rng: Rng, style: Style, seed: int) -> Table:
    """A table of any kind under any light."""
    return Table(
        Art(style, seed, copies=bool(rng.random() < 0.5 and style.manner.loose > 0.3)),
        raster.random_lights(rng), surroundings.table_texture(rng), float(rng.uniform(0.0, 0.9)),
        float(rng.uniform(1.6, 2.4)), float(rng.uniform(0.95, 1.2)), int(rng.integers(2)),
        float(rng.uniform(0.4, 1.6)),
    )  # fmt: skip


def table_camera(
    rng: Rng, laid: list[Laid], table: Table, size: tuple[int, int] = (1280, 720),
    elevation: tuple[float, float] = (55, 88), fill: tuple[float, float] = (0.6, 0.92),
) -> Camera:  # fmt: skip
    """A camera that sees all tiles, from any side."""
    centres = np.array([t.pos for t in laid], float) * table.pitch_mm
    middle = (centres.min(0) + centres.max(0)) / 2
    # a game that has just begun is seen with the room that it will need
    room = middle + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * TILE_MM * 1.6
    points = np.vstack([room, *(corners_mm(t, table) for t in laid)])
    corners = np.column_stack([points, np.zeros(len(points))])
    up, azimuth = np.radians(rng.uniform(*elevation)), rng.uniform(0, 2 * np.pi)
    back = np.array([np.cos(azimuth) * np.cos(up), np.sin(azimuth) * np.cos(up), np.sin(up)])
    if rng.random() < 0.7:  # mostly somebody sits square to the tiles
        azimuth = np.pi / 2 * rng.integers(4) + rng.normal(0, 0.2)
        back = np.array([np.cos(azimuth) * np.cos(up), np.sin(azimuth) * np.cos(up), np.sin(up)])
    source = np.array(size, float)
    focal = source.max() / 2 / np.tan(np.radians(rng.uniform(45, 70)) / 2)
    wanted, distance = rng.uniform(*fill), 600.0
    roll = float(np.radians(rng.normal(0, 3)))
    for _ in range(8):
        matrix, centre = look_at(np.append(middle, 0), back, distance, roll, focal, source)
        q = corners @ matrix[:, :3].T + matrix[:, 3]
        px = q[:, :2] / q[:, 2:3]
        reach = np.abs(px - (source - 1) / 2).max(0) / (source / 2)
        distance *= float(reach.max()) / wanted
    return Camera(matrix, centre, size, (0, 0, size[0] - 1, size[1] - 1), 1.0)


def corners_mm(tile: Laid, table: Table) -> F64:
    """(4, 2): the corners of a tile as it lies, its place's north-west one first."""
    a = np.radians(tile.askew)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * TILE_MM / 2
    return np.asarray(square @ turn.T + np.array(tile.pos) * table.pitch_mm + tile.off_mm)


def foot_mm(figure: Figure, tile: Laid | None, table: Table) -> F64:
    """(2,): where a figure touches its tile."""
    if tile is None:
        return np.asarray((np.array(figure.pos) + figure.at - 0.5) * table.pitch_mm)
    square = corners_mm(tile, table)
    u, v = figure.at
    return np.asarray(square[0] + u * (square[1] - square[0]) + v * (square[3] - square[0]))


def render(
    rng: Rng, table: Table, laid: list[Laid], figures: list[Figure], camera: Camera,
    hands: list[Mesh] | None = None, clean: bool = False,
) -> Rendered:  # fmt: skip
    """One picture.  ``clean``: the same camera as ever, only a little noise, as in a film."""
    hands = hands or []
    ground, mask = _ground(camera, table, laid)
    placed = _standing(table, laid, figures)
    slabs = [_slab(corners_mm(t, table), table.thick_mm) for t in laid]
    light, hand_lit = ground_light(
        camera, (TILE_MM, TILE_MM), table.thick_mm, placed, [], hands, table.lights, mask, slabs
    )
    lit = linear(ground) * light
    if not clean:
        effects.glare(rng, lit, mask)
    layer, ids = pieces_layer(camera, placed, [], hands, table.lights, hand_lit)
    picture = compose(lit, layer, ids)
    if not clean:
        picture *= effects.light_field(rng, camera.size)
    picture *= float(np.clip((0.3 / (float(picture[::4, ::4].mean()) + 1e-3)) ** 0.6, 0.6, 3))
    if clean:
        picture = np.clip(picture, 0, 1) ** (1 / raster.GAMMA)
        picture = picture + rng.normal(0, 0.008, picture.shape).astype(np.float32)
        picture = np.clip(picture, 0, 1)
    else:
        picture = effects.camera_response(rng, picture.astype(np.float32))
        picture = _sensor(rng, picture)
    feet = np.array([camera.project(np.array([[*p.at, 0.0]]))[0] for p in placed]).reshape(-1, 2)
    return Rendered(
        (np.clip(picture, 0, 1) * 255).astype(np.uint8), camera, tuple(laid), tuple(figures),
        _visible(camera, placed, ids), feet, float((ids == HAND_ID).mean()),
    )  # fmt: skip


def _sensor(rng: Rng, picture: F32) -> F32:
    """The camera's blur and noise in parts: its stock of grain is 1024 px wide."""
    h, w = picture.shape[:2]
    if max(h, w) <= 1024:
        return effects.lens_and_sensor(rng, picture)
    state = rng.bit_generator.state
    halves = []
    for part in (picture[:, : w // 2 + 8], picture[:, w // 2 - 8 :]):
        rng.bit_generator.state = state
        halves.append(effects.lens_and_sensor(rng, np.ascontiguousarray(part)))
    return np.concatenate([halves[0][:, :-8], halves[1][:, 8:]], 1)


def _slab(corners: F64, thick: float) -> F32:
    return np.vstack([np.column_stack([corners, np.full(4, z)]) for z in (0.0, -thick)]).astype(
        np.float32
    )


def _ground(camera: Camera, table: Table, laid: list[Laid]) -> tuple[Picture, Picture]:
    """Table and tiles without light, and the mask of the tiles' tops."""
    w, h = camera.size
    below = camera.matrix[:, [0, 1, 3]] - np.outer(camera.matrix[:, 2], [0, 0, table.thick_mm])
    k = table.top_mm
    spread = np.array([[k, 0, -256 * k], [0, k, -256 * k], [0, 0, 1]])
    out = cv2.warpPerspective(
        table.top, below @ spread, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    mask = np.zeros((h, w), np.uint8)
    edge = tuple(float(v) * 255 for v in table.cardboard)
    for tile in laid:
        corners = corners_mm(tile, table)
        px = camera.project(_slab(corners, table.thick_mm))
        hull = cv2.convexHull(px.astype(np.float32))[:, 0]
        cv2.fillConvexPoly(out, surroundings.fixed(hull), edge, cv2.LINE_AA, surroundings.SHIFT)
        _print(out, mask, table.art.turned(tile)[0], px[:4])
    return out, mask


def _print(out: Picture, mask: Picture, art: Picture, corners_px: F64) -> None:
    """Lays one print into the picture, in place."""
    h, w = mask.shape
    low = np.maximum(np.floor(corners_px.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners_px.max(0)).astype(int) + 2, (w, h))
    if (high <= low).any():
        return
    size = tuple(int(v) for v in high - low)
    sides = np.linalg.norm(np.roll(corners_px, -1, 0) - corners_px, axis=1)
    k = float(np.clip(sides.mean() / art.shape[0], 0.05, 1))
    if k < 0.9:
        art = cv2.resize(art, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
    n = art.shape[0]
    source = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, (corners_px - low).astype(np.float32))
    seen = cv2.warpPerspective(
        art, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    cover = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(
        cover, surroundings.fixed(corners_px - low), 255, cv2.LINE_AA, surroundings.SHIFT
    )
    part = out[low[1] : high[1], low[0] : high[0]]
    share = cover[..., None].astype(np.float32) / 255
    part[:] = part * (1 - share) + seen * share
    under = mask[low[1] : high[1], low[0] : high[0]]
    np.maximum(under, cover, out=under)


def figure_piece(figure: Figure, table: Table) -> Piece:
    """The solid of a figure about its foot; a lying one about the middle of what touches."""
    scale = table.figure_scale * (1.35 if figure.role == "large_meeple" else 1.0)
    shape = {"mage": MAGE, "witch": WITCH}.get(figure.role, MEEPLES[table.mould])
    outline = np.array(shape, float) * scale
    mesh = meshes.prism(outline, 9.0 * scale).painted(figure.colour, 0.15)
    if figure.lying:
        mesh = meshes.lying(mesh)
    base = float(np.ptp(outline[:, 0]))
    name = "meeple_lying" if figure.lying else "meeple"
    return Piece(mesh, ((name, 0.0, 0.0, -1),), base, mesh.height, base / 2)


def _standing(table: Table, laid: list[Laid], figures: list[Figure]) -> list[Placed]:
    by_pos = {t.pos: t for t in laid}
    out = []
    for n, figure in enumerate(figures):
        piece = figure_piece(figure, table)
        x, y = foot_mm(figure, by_pos.get(figure.pos), table)
        ground = 0.0 if figure.pos in by_pos else -table.thick_mm
        mesh = piece.mesh.moved((x, y, ground), figure.turn)
        out.append(Placed(piece, mesh, (float(x), float(y)), figure.turn, ground, n + 1, n))
    return out


def _visible(camera: Camera, placed: list[Placed], ids: Picture) -> tuple[float, ...]:
    counts = np.bincount(ids.ravel(), minlength=256) / raster.OVERSAMPLE**2
    shares = []
    for p in placed:
        area = raster.silhouette([v for _, v in p.mesh.parts], camera)
        shares.append(min(float(counts[p.first_id]) / max(area, 1.0), 1.0))
    return tuple(shares)


def random_figures(
    rng: Rng, table: Table, laid: list[Laid], colours: dict[str, F32], count: int
) -> list[Figure]:
    """Meeples well inside features of different tiles: lying on fields, standing elsewhere."""
    out = []
    chosen = rng.permutation(len(laid))[:count]
    for k in chosen:
        tile = laid[int(k)]
        features = table.art.turned(tile)[1]
        number = int(rng.integers(len(tile.face.features)))
        at = inside(rng, features, number)
        if at is None:
            continue
        lying = tile.face.features[number].kind.value == "Field"
        owner = str(rng.choice(list(colours)))
        out.append(
            Figure(
                "meeple",
                owner,
                colours[owner],
                tile.pos,
                at,
                lying,
                float(rng.uniform(0, 2 * np.pi)),
            )
        )
    return out


def inside(rng: Rng, features: Map, number: int) -> tuple[float, float] | None:
    """A point well inside a feature, as (u, v)."""
    side = features.shape[0]
    mask = np.pad((features == number).astype(np.uint8), 1)
    room = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[1:-1, 1:-1]
    deep = float(room.max())
    if deep < 1:
        return None
    rows, columns = np.nonzero(room > min(0.6 * deep, 0.12 * side))
    n = int(rng.integers(len(rows)))
    return (float(columns[n]) + 0.5) / side, (float(rows[n]) + 0.5) / side


def reaching_hand(rng: Rng, goal_mm: F64, camera: Camera) -> Mesh:
    """A hand over a point, its arm from the side of the player next to the camera or any other."""
    a = rng.uniform(0, 2 * np.pi)
    origin = np.append(goal_mm[:2] + 600 * np.array([np.cos(a), np.sin(a)]), 60.0)
    goal = np.append(goal_mm[:2], rng.uniform(4, 25))
    return hand.arm(rng, goal.astype(np.float32), origin.astype(np.float32))


def pushed(laid: list[Laid], by_mm: tuple[float, float], turn: float = 0.0) -> list[Laid]:
    """The whole layout moved on the table, and turned by some degrees about the start tile."""
    a = np.radians(turn)
    rotate = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    out = []
    for tile in laid:
        at = np.array(tile.pos, float) * TILE_MM + tile.off_mm
        moved = rotate @ at + by_mm - np.array(tile.pos) * TILE_MM
        out.append(
            replace(tile, askew=tile.askew + turn, off_mm=(float(moved[0]), float(moved[1])))
        )
    return out
