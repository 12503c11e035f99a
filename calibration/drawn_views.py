"""The printed boards with their corner markers, seen by a made camera: for measuring only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sheets import PAPERS, board_sheet, printed_board, write_pdf
from calibration.sheets.paper import MARGIN_MM
from engine.board import Board, load_board
from engine.errors import BoardwardenError
from vision.lens import radial_lens
from vision.types import Image

Matrix = NDArray[np.float64]
GAMES = ("magalon", "hexagon", "grailnah")
SIZE = (1280, 720)
PX_PER_MM = 2.0
ELEVATION_DEG = (30.0, 85.0)
FILL = (0.75, 0.97)  # of the picture's height or width


@dataclass(frozen=True, eq=False)
class View:
    """``corners_px``: where the face's corners truly lie.  ``about``: what was drawn, in words."""

    board: Board
    image: Image
    corners_px: Matrix
    about: str


@lru_cache(maxsize=3)
def printed_face(game: str) -> tuple[Board, Image]:
    """A printed board and its face, drawn; raises BoardwardenError without pypdfium2."""
    board = printed_board(load_board("reference", game))
    return board, face_of(board)


def face_of(board: Board, px_per_mm: float = PX_PER_MM) -> Image:
    """The printed face of a board, drawn; it must fit on one sheet of A1.  Raises BoardwardenError
    without pypdfium2."""
    try:
        import pypdfium2
    except ImportError as error:
        raise BoardwardenError(
            "drawing printed sheets needs pypdfium2: pip install pypdfium2"
        ) from error
    paper = PAPERS["A1"]
    data = write_pdf([board_sheet(board)], paper, lambda key, **_: key)
    page = pypdfium2.PdfDocument(data)[0].render(scale=px_per_mm * 25.4 / 72).to_numpy()[..., :3]
    # the page is stretched to whole pixels
    scale = np.array([page.shape[1] / paper.width_mm, page.shape[0] / paper.height_mm])
    start = np.array([MARGIN_MM + (paper.room_mm[0] - board.size_mm[0]) / 2, MARGIN_MM]) * scale
    step = scale / px_per_mm
    width, height = (round(v * px_per_mm) for v in board.size_mm)
    face = cv2.warpAffine(
        np.ascontiguousarray(page), np.column_stack([np.diag(step), start + 0.5 * step - 0.5]),
        (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(face, np.uint8)


def views(count: int, seed: int = 7) -> Iterator[View]:
    """Views from 30 to 85° above the table, turned, lit from a side, blurred and noisy; in every
    second one only two markers are to be seen, in every third one the lens bends."""
    for number in range(count):
        yield view_number(number, seed)


def view_number(number: int, seed: int = 7) -> View:
    """One of `views`."""
    rng = np.random.default_rng((seed, number))
    return _view(rng, GAMES[number % len(GAMES)], two=number % 2 == 1, bent=number % 3 == 2)


def _view(rng: np.random.Generator, game: str, two: bool, bent: bool) -> View:
    board, face = printed_face(game)
    hidden: tuple[str, ...] = ()
    if two:
        idents = list(board.raw["markers"]["corners"])
        pairs = list(combinations(idents, 2))
        hidden = pairs[int(rng.integers(len(pairs)))]
        face = _covered(rng, face, board, hidden)
    elevation = float(rng.uniform(*ELEVATION_DEG))
    focal = float(rng.uniform(0.75, 1.1)) * SIZE[0]
    camera = _camera(rng, board, elevation, focal)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * board.size_mm
    straight = _project(camera, corners)
    image = _drawn(rng, face, straight)
    if bent:
        lens = radial_lens(SIZE, focal, float(rng.uniform(-0.12, -0.03)))
        image, straight = _bent(image, lens), lens.bend(straight)
    about = f"{game} {elevation:.0f}°, hidden {','.join(hidden) or '-'}{', bent' if bent else ''}"
    return View(board, _spoilt(rng, image), straight, about)


def _covered(rng: np.random.Generator, face: Image, board: Board, idents: tuple[str, ...]) -> Image:
    face = face.copy()
    for ident in idents:
        x, y = (v * PX_PER_MM for v in board.raw["markers"]["corners"][ident])
        at = (round(x + rng.uniform(-4, 4)), round(y + rng.uniform(-4, 4)))
        colour = tuple(int(v) for v in rng.integers(20, 220, 3))
        cv2.circle(face, at, round(0.75 * board.raw["markers"]["side_mm"] * PX_PER_MM), colour, -1)
    return face


def _camera(rng: np.random.Generator, board: Board, elevation_deg: float, focal: float) -> Matrix:
    """(3, 4) projection of board mm that shows the whole face, as large as ``FILL`` says."""
    width, height = board.size_mm
    up, turn = np.radians(elevation_deg), rng.uniform(0, 2 * np.pi)
    back = np.array([np.cos(up) * np.sin(turn), -np.cos(up) * np.cos(turn), np.sin(up)])
    # board mm: x right, y down, z towards the viewer
    towards = np.array([-back[0], -back[1], -back[2]])
    right = np.cross(towards, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(towards, right)
    rotation = np.stack([right, down, towards])
    # the board's frame is left-handed with z up: mirror y into the world
    rotation = rotation @ np.diag([1.0, -1.0, 1.0])
    matrix = np.array([[focal, 0, (SIZE[0] - 1) / 2], [0, focal, (SIZE[1] - 1) / 2], [0, 0, 1.0]])
    middle = np.array([width / 2, height / 2, 0.0])
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    fill, far = rng.uniform(*FILL), 2000.0
    for _ in range(12):
        shift = np.array([0.0, 0.0, far]) - rotation @ middle
        camera = matrix @ np.column_stack([rotation, shift])
        seen = _project(camera, corners)
        spread = np.ptp(seen, axis=0) / SIZE
        far *= float(spread.max() / fill)
    seen = _project(camera, corners)
    centre = (seen.min(axis=0) + seen.max(axis=0)) / 2
    offset = np.array([(SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2]) - centre
    move = np.array([[1, 0, offset[0]], [0, 1, offset[1]], [0, 0, 1.0]])
    return np.asarray(move @ camera)


def _project(camera: Matrix, points_mm: Matrix) -> Matrix:
    flat = np.column_stack([points_mm, np.zeros(len(points_mm)), np.ones(len(points_mm))])
    q = flat @ camera.T
    return np.asarray(q[:, :2] / q[:, 2:3])


def _drawn(rng: np.random.Generator, face: Image, corners: Matrix) -> Image:
    """The face on a table with grain, enlarged while drawn so that far lines don't alias."""
    scale = 2
    table = rng.uniform(40, 190, 3) + rng.normal(0, 9, (45, 80, 1))
    size = (SIZE[0] * scale, SIZE[1] * scale)
    ground = cv2.resize(np.clip(table, 0, 255).astype(np.uint8), size)
    rim = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * face.shape[1::-1] - 0.5
    target = (corners + 0.5) * scale - 0.5
    warp = cv2.getPerspectiveTransform(rim.astype(np.float32), target.astype(np.float32))
    large = cv2.warpPerspective(face, warp, size, ground, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def _bent(image: Image, lens: object) -> Image:
    """The straight picture as the lens shows it."""
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    points = np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64)
    straight = lens.straighten(points).astype(np.float32).reshape(SIZE[1], SIZE[0], 2)  # type: ignore[attr-defined]
    return np.asarray(
        cv2.remap(image, straight[..., 0], straight[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )  # fmt: skip


def _spoilt(rng: np.random.Generator, image: Image) -> Image:
    """A lamp at one side, a little blur, noise, JPEG."""
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    slope = ((x / SIZE[0] - 0.5) * np.cos(angle) + (y / SIZE[1] - 0.5) * np.sin(angle))[..., None]
    light = rng.uniform(0.55, 1.1) * (1 + rng.uniform(0, 0.8) * slope)
    lit = image * light * rng.uniform(0.9, 1.1, 3)
    lit = cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.4, 1.2)))
    lit += rng.normal(0, rng.uniform(2, 7), image.shape)
    plain = np.clip(lit, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", plain, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
