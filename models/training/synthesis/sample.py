"""One training picture with its labels, made from a random generator alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis import effects, raster
from models.training.synthesis.camera import Camera
from models.training.synthesis.meshes import Mesh, join
from models.training.synthesis.raster import Lights
from models.training.synthesis.scene import Placed
from models.training.synthesis.table import Table, random_table
from vision.crop import BEYOND, whole_of
from vision.crop_reference import match_light, warp_reference
from vision.reference import Reference
from vision.types import SHAPES

Rng = np.random.Generator
F32 = NDArray[np.float32]
Picture = NDArray[np.uint8]
HAND_ID, OTHER_ID = 250, 251
MASK_STRIDE = 4
LEAST_VISIBLE = 0.2

Render = Callable[[Rng, Table], tuple[F32, Picture]]

# Columns of Sample.things.
CLASS, FOOT_X, FOOT_Y, TOP_X, TOP_Y, WIDTH, VISIBLE, LOOK = range(8)


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A synthetic picture in the frame of the detector's crop.

    ``picture`` BGR (H, W, 3); ``reference`` the artwork under the picture's light, 0 where the
    board is not (``valid`` 255 elsewhere); ``things`` (N, 8) float32: class index, foot, top
    (px), base width (px), visible share, look (equal for pieces that look alike; -1: none); ``masks`` (H/4, W/4, 2) uint8: pieces, hands, 0 to 255;
    ``corners`` (4, 2) px.
    """

    picture: Picture
    reference: Picture
    valid: Picture
    things: F32
    masks: Picture
    corners: F32


def make_sample(rng: Rng, long_side: int = 704, render: Render | None = None) -> Sample:
    """Draws one table, with ``render`` or the rasteriser.

    The same generator state gives the same sample.
    """
    table = random_table(rng, long_side)
    camera = table.camera
    light, ids = (render or rasterised)(rng, table)
    picture = light * effects.light_field(rng, camera.size)
    # The camera meters, half-heartedly.
    picture *= float(np.clip((0.3 / (float(picture[::4, ::4].mean()) + 1e-3)) ** 0.6, 0.6, 3))
    picture = effects.lens_and_sensor(rng, effects.camera_response(rng, picture))
    picture8 = (picture * 255).astype(np.uint8)
    _blank_outside(camera, picture8)
    things = _things(camera, table.placed, ids)
    reference, valid = _reference(rng, camera, table.board, table.face, picture8)
    w, h = table.board
    corners = camera.project(np.array([(0, 0, 0), (w, 0, 0), (w, h, 0), (0, h, 0)]))
    return Sample(picture8, reference, valid, things, _masks(ids), corners.astype(np.float32))


def rasterised(rng: Rng, table: Table) -> tuple[F32, Picture]:
    """Linear light (H, W, 3), and ids of the things seen at twice the size."""
    t = table
    light, hand_lit = ground_light(
        t.camera, t.board, t.thick, t.placed, t.others, t.hands, t.lights, t.board_mask
    )
    lit = linear(t.ground) * light
    effects.glare(rng, lit, t.board_mask)
    layer, ids = pieces_layer(t.camera, t.placed, t.others, t.hands, t.lights, hand_lit)
    return compose(lit, layer, ids), ids


def linear(picture: Picture) -> F32:
    table = (np.arange(256, dtype=np.float32) / 255) ** 1.6
    return table[picture]


def ground_light(
    camera: Camera, board: tuple[float, float], thick: float, placed: list[Placed],
    others: list[Mesh], hands: list[Mesh], lights: Lights, board_mask: Picture,
    slabs: Sequence[F32] | None = None,
) -> tuple[F32, list[F32]]:  # fmt: skip
    """Light (H, W, 3) that reaches the ground, and the hands' shadow per lamp at half size.

    ``slabs``: convex parts that lie with the board on the table, by default the board itself.
    """
    on = [v for p in placed if p.ground >= 0 for _, v in p.mesh.parts]
    off = [v for p in placed if p.ground < 0 for _, v in p.mesh.parts]
    off += [v for m in others for _, v in m.parts]
    arms = [v for m in hands for _, v in m.parts]
    w, h = board
    if slabs is None:
        box = [(x, y, z) for x in (0, w) for y in (0, h) for z in (0, -thick)]
        slabs = [np.array(box, np.float32)]
    half = (camera.size[0] // 2, camera.size[1] // 2)
    face = cv2.resize(board_mask, half, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    total = np.tile(lights.ambient, (half[1], half[0], 1)).astype(np.float32)
    hand_lit = []
    for lamp in lights.lamps:
        dark = raster.shadow_mask(on, lamp, camera, 0.0, lamp.soft) if on else np.zeros_like(face)
        rest = raster.shadow_mask([*off, *slabs], lamp, camera, -thick, lamp.soft)
        dark = np.maximum(dark, rest * (1 - face))
        arm = (
            raster.shadow_mask(arms, lamp, camera, 0.0, lamp.soft * 2)
            if arms
            else np.zeros_like(face)
        )
        dark = np.maximum(dark, arm)
        hand_lit.append(1 - arm)
        total += (1 - dark)[..., None] * (lamp.power * lamp.to_light[2])
    # Contact: the sky is hidden close to a foot.
    for p in placed:
        x, y = camera.project(np.array([[*p.at, p.ground]]))[0] / 2
        r = p.piece.radius * abs(
            camera.project(np.array([[p.at[0] + 1, p.at[1], 0.0]]))[0, 0] / 2 - x
        )
        x0, y0 = int(x - 1.6 * r - 3), int(y - 1.6 * r - 3)
        x1, y1 = int(x + 1.6 * r + 4), int(y + 1.6 * r + 4)
        if x0 < 0 or y0 < 0 or x1 > half[0] or y1 > half[1]:
            continue
        v, u = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        d = np.hypot(u - x, v - y) / (r + 1)
        total[y0:y1, x0:x1] *= (1 - 0.25 * np.clip(1.5 - d, 0, 1))[..., None]
    return cv2.resize(total, camera.size, interpolation=cv2.INTER_LINEAR), hand_lit


def pieces_layer(
    camera: Camera, placed: list[Placed], others: list[Mesh], hands: list[Mesh],
    lights: Lights, hand_lit: list[F32],
) -> tuple[Picture, Picture]:  # fmt: skip
    """Painted pieces, things and hands: premultiplied BGR at twice the size, and ids."""
    lit = []
    for p in placed:
        x, y = camera.project(np.array([[*p.at, p.ground]]))[0] / 2
        row = [
            float(m[int(np.clip(y, 0, m.shape[0] - 1)), int(np.clip(x, 0, m.shape[1] - 1))])
            for m in hand_lit
        ]
        lit.append(np.tile(np.array(row, np.float32), (len(p.mesh.tag), 1)))
    lit += [np.ones((len(m.tag), len(lights.lamps)), np.float32) for m in (*others, *hands)]
    if not lit:
        empty = np.zeros((camera.size[1] * 2, camera.size[0] * 2, 3), np.uint8)
        return empty, np.zeros(empty.shape[:2], np.uint8)
    mesh = join([*(p.mesh for p in placed), *others, *hands])
    mesh.colours[:] = mesh.colours**raster.GAMMA
    ambient, parts = raster.shade(mesh, lights, camera.centre, np.concatenate(lit))
    faces = raster.paint_faces(mesh, camera)
    layer = raster.light_faces(mesh, faces, lights, camera, ambient, parts)
    return layer, np.take(face_ids(placed, others, hands), faces)


def face_ids(placed: list[Placed], others: list[Mesh], hands: list[Mesh]) -> Picture:
    """(1 + faces,) id of every face of the joined things, after a 0 for the ground."""
    ids: list[NDArray[np.integer]] = [np.zeros(1, np.int32)]
    for p in placed:
        single = len(p.ids) == 1
        ids.append(np.full(len(p.mesh.tag), p.first_id) if single else p.first_id + p.mesh.tag)
    for group, ident in ((others, OTHER_ID), (hands, HAND_ID)):
        ids += [np.full(len(m.tag), ident) for m in group]
    return np.concatenate(ids).astype(np.uint8)


def ids_seen(table: Table) -> Picture:
    """(2H, 2W) ids of what the camera sees at twice the size, 0 for the ground."""
    w, h = table.camera.size
    if not table.meshes:
        return np.zeros((2 * h, 2 * w), np.uint8)
    faces = raster.paint_faces(join(table.meshes), table.camera)
    return np.take(face_ids(table.placed, table.others, table.hands), faces)


def compose(ground: F32, layer: Picture, ids: Picture) -> F32:
    h, w = ground.shape[:2]
    cover = (ids > 0).astype(np.uint8) * 255
    alpha = (
        cv2.resize(cover, (w, h), interpolation=cv2.INTER_AREA)[..., None].astype(np.float32) / 255
    )
    small = cv2.resize(layer, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    out = ground * (1 - alpha)
    where = np.nonzero(alpha[..., 0])
    share = alpha[where]
    colour = np.minimum(small[where] / np.maximum(share, 1e-3), 1)
    out[where] += share * colour**raster.GAMMA * raster.BRIGHTEST
    return out


def _blank_outside(camera: Camera, picture: Picture) -> None:
    h, w = picture.shape[:2]
    x0, y0, x1, y1 = camera.frame
    picture[: max(0, int(np.ceil(y0)))] = BEYOND
    picture[:, : max(0, int(np.ceil(x0)))] = BEYOND
    picture[min(h, int(y1) + 1) :] = BEYOND
    picture[:, min(w, int(x1) + 1) :] = BEYOND


def _things(camera: Camera, placed: list[Placed], ids: Picture) -> F32:
    """Labels of every piece of which enough is seen inside the picture."""
    counts = np.bincount(ids.ravel(), minlength=256) / raster.OVERSAMPLE**2
    w, h = camera.size
    x0, y0, x1, y1 = camera.frame
    low, high = np.array([max(0, x0), max(0, y0)]), np.array([min(w - 1, x1), min(h - 1, y1)])
    rows = []
    for p in placed:
        areas = {}
        for ident in p.ids:
            tag = ident - p.first_id
            parts = [v for t, v in p.mesh.parts if t == tag or len(p.ids) == 1]
            areas[ident] = (raster.silhouette(parts, camera), float(counts[ident]))
        whole = sum(c for _, c in areas.values()) / max(sum(a for a, _ in areas.values()), 1.0)
        for shape, x, y, ident in p.labels():
            area, count = areas.get(ident, (0.0, 0.0))
            visible = whole if ident < 0 else count / max(area, 1.0)
            foot3 = np.array([x, y, p.ground])
            top3 = foot3 + np.array([0, 0, p.piece.height])
            base = p.piece.base
            aside = foot3 + np.array([[base, 0, 0], [0, base, 0]])
            px = camera.project(np.stack([foot3, top3, *aside]))
            foot, top = px[0], px[1]
            width = float(max(np.hypot(*(px[2] - foot)), np.hypot(*(px[3] - foot))))
            if visible < LEAST_VISIBLE or (foot < low).any() or (foot > high).any():
                continue
            rows.append([SHAPES.index(shape), *foot, *top, width, min(visible, 1.0), p.kind])
    return np.array(rows, np.float32).reshape(-1, 8)


def _masks(ids: Picture) -> Picture:
    k = raster.OVERSAMPLE * MASK_STRIDE
    size = (ids.shape[1] // k, ids.shape[0] // k)
    pieces = ((ids > 0) & (ids < HAND_ID)).astype(np.uint8) * 255
    hands = (ids == HAND_ID).astype(np.uint8) * 255
    return np.stack([cv2.resize(m, size, interpolation=cv2.INTER_AREA) for m in (pieces, hands)], 2)


def _reference(
    rng: Rng, camera: Camera, board: tuple[float, float], face: Picture, picture: Picture
) -> tuple[Picture, Picture]:
    """The artwork as enrolment would know it: other exposure, softer, a little out of register."""
    image = effects.printed_response(rng, face)
    if rng.random() < 0.6:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 1.6)))
    if rng.random() < 0.3:
        field = effects.light_field(rng, (face.shape[1], face.shape[0]))
        image = np.clip(image * field, 0, 255).astype(np.uint8)
    src = camera.project(np.array([(0, 0, 0), (board[0], 0, 0), (*board, 0), (0, board[1], 0)]))
    off = np.clip(rng.normal(0, rng.choice([0.15, 0.5, 0.9]), (4, 2)), -1.6, 1.6)
    flat = np.array([(0, 0), (board[0], 0), board, (0, board[1])], np.float32)
    homography = cv2.getPerspectiveTransform(flat, (src + off).astype(np.float32))
    crop = whole_of(camera.size)
    seen, valid = warp_reference(Reference(image, board), homography, crop)
    return match_light(seen, valid, picture), valid
