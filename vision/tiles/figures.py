"""Figures on the tiles: where they stand, whether they lie, what they are and whose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import ColourModel, ground_scale, prototype, sample_colours
from vision.crop_reference import match_light, warp_reference
from vision.detector import Detector
from vision.reference import Reference
from vision.silhouettes import owner_map
from vision.tiles.lattice import Lattice, Place
from vision.tiles.memory import Memory, thumb_of
from vision.tiles.posture import Posture, belonging, posture_of
from vision.types import SHAPES, BoardPose, Crop, Detections, FloatArray, Image

LEAST_SCORE = 0.3
# Seen from high above a figure may look like a cube or a disc; nothing else stands on these tables.
NO_FIGURE = ("wall", "l_wall", "castle")
STANDING, LYING, PAWN = (SHAPES.index(s) for s in ("meeple", "meeple_lying", "pawn"))
OFF_RIM = 0.06  # of a tile: a foot so far beside all tiles still stands on the nearest
LEAST_SIGMA = 0.035  # of a tile
FOOT_PX = 1.6  # standard deviation of a foot in the picture
NO_COLOUR = -6.0
# Log-odds of lying, fitted to own renders of other artists than those of the figures:
# the detector's shapes alone; a constant, the shapes and the outlines together.
SHAPE_ALONE = 2.9
BASE, SHAPE_WEIGHT, OUTLINE_WEIGHT = 0.5, 2.1, 54.0
GOOD_OVERLAP, LEAST_OVERLAP = 0.55, 0.2
# Roofs and trees of the print have no figure's outline, also where the bare tile is not known.
PRINT_OVERLAP, PLAIN_OVERLAP = 0.16, 0.3
# Log-likelihood of the best colour below which a thing is of nobody's, if it is not plainly a figure.
NO_LIKENESS, PLAIN_SCORE = -6.0, 0.8
KNOWN_SHARE = 0.6  # of a figure's pixels: before so many known ones nothing is said against it
SAME_FIGURE = 0.16  # tiles
REACH_MM = 34.0
NEAR_PX = 3  # feet so near are the same figure's
SAME_BGR = 12.0


@dataclass(frozen=True, slots=True)
class FigureLook:
    """What a figure may be: its ``role`` and ``owner`` (None: nobody's) and the name of its colour."""

    role: str
    owner: str | None
    colour: str


@dataclass(frozen=True, slots=True, eq=False)
class ReadFigure:
    """``looks``: log-probabilities in the order of the asked looks; ``place`` None: beside all
    tiles; ``foot`` (u, v) on the tile as it lies; ``sigma`` in tiles; ``lying``: probability;
    ``bgr``: its sampled colour, None where nothing of it was to be seen."""

    looks: NDArray[np.float64]
    place: Place | None
    foot: tuple[float, float]
    sigma: float
    lying: float
    confidence: float
    overlap: float
    foot_px: tuple[float, float]
    bgr: tuple[float, float, float] | None


def read_figures(
    image: Image, pose: BoardPose, lattice: Lattice, tiles: Mapping[Place, NDArray[np.float64]],
    looks: Sequence[FigureLook], colours: Mapping[str, ColourModel], detector: Detector,
    board: Board, bare: Reference | None = None, behind: Reference | None = None,
    postures: Memory[Told] | None = None,
) -> tuple[list[ReadFigure], Detections]:  # fmt: skip
    """Every figure in the picture, and all that the detector says.

    ``pose``: the window about the tiles; ``tiles``: how they lie beside their places (see
    `FoundTile.at`); ``looks``: what figures may be; ``colours``: learnt at this table, by name,
    others are guessed from the name; ``bare``: the window without figures, as far as its tiles are known, ``behind`` with the table beside
    them (None: the same);
    ``postures``: what was told of figures in pictures before.
    """
    found = detector.detect(image, pose, bare)
    samples = sample_colours(image, found, owner_map(image, pose, board, found))
    seen_behind = _Behind(image, pose, behind or bare, postures)
    out = []
    for i in range(len(found)):
        score = float(found.score[i])
        if score < LEAST_SCORE or found.shape_of(i) in NO_FIGURE:
            continue
        foot_px = found.foot_px[i].astype(float)
        bgr = samples[i].astype(float) if np.isfinite(samples[i]).all() else None
        odds = _shape_odds(found.shape_scores[i])
        chance, overlap = _chance(SHAPE_ALONE * odds), 0.0
        if bgr is not None:
            posture, told = seen_behind.posture(foot_px, bgr)
            chance = _chance(BASE + SHAPE_WEIGHT * odds + OUTLINE_WEIGHT * posture.lying)
            overlap = posture.overlap
            if overlap > GOOD_OVERLAP:
                foot_px = posture.foot_px
        least = LEAST_OVERLAP if told > KNOWN_SHARE else PRINT_OVERLAP
        if bgr is not None and overlap < least:
            continue  # nothing of the figure's colour was added there, or the print shows it
        fits = _fits(bgr, looks, colours)
        if bgr is not None and max(fits, default=0.0) < NO_LIKENESS and score < PLAIN_SCORE:
            continue  # a house or a tree of the print
        place, foot = _on_tile(lattice, tiles, foot_px)
        sigma = LEAST_SIGMA if place is None else max(LEAST_SIGMA, FOOT_PX / lattice.side_px(place))
        out.append(
            ReadFigure(
                _looks(fits), place, foot, sigma, chance, score, overlap,
                (float(foot_px[0]), float(foot_px[1])),
                None if bgr is None else (float(bgr[0]), float(bgr[1]), float(bgr[2])),
            )
        )  # fmt: skip
    return _each_once(out, lattice), found


def _each_once(figures: list[ReadFigure], lattice: Lattice) -> list[ReadFigure]:
    """Without weaker answers of another shape for the same figure."""
    kept: list[ReadFigure] = []
    for figure in sorted(figures, key=lambda f: -f.confidence):
        at = lattice.to_lattice(np.array([figure.foot_px]))[0]
        near = [np.linalg.norm(lattice.to_lattice(np.array([k.foot_px]))[0] - at) for k in kept]
        if all(d > SAME_FIGURE for d in near):
            kept.append(figure)
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What the outlines said of a figure of a colour, and the share of it that was told from the
    bare tile."""

    bgr: NDArray[np.float64]
    posture: Posture
    share: float


class _Behind:
    """The picture, and the tiles without figures in the same frame, as far as they are known."""

    def __init__(
        self, image: Image, pose: BoardPose, bare: Reference | None,
        memory: Memory[Told] | None = None,
    ) -> None:  # fmt: skip
        self._image, self._pose = image, pose
        self._memory: Memory[Told] = Memory() if memory is None else memory
        self._bare: Image | None = None
        self._known: Image | None = None
        if bare is not None:
            whole = Crop(np.array([[1.0, 0, 0], [0, 1.0, 0]]), (image.shape[1], image.shape[0]))
            seen, self._known = warp_reference(bare, pose.homography, whole)
            self._bare = match_light(seen, self._known, image)

    def posture(
        self, foot_px: NDArray[np.float64], bgr: NDArray[np.float64]
    ) -> tuple[Posture, float]:
        """What the outlines say of a figure at a point, and the share of its pixels of which the
        tile behind is known."""
        height, width = self._image.shape[:2]
        reach = int(
            REACH_MM * float(ground_scale(self._pose, self._pose.to_board(foot_px[None]))[0])
        )
        x, y = (round(float(v)) for v in foot_px)
        x0, y0 = max(min(x, width - 1) - reach, 0), max(min(y, height - 1) - reach, 0)
        part = np.s_[y0 : y0 + 2 * reach + 1, x0 : x0 + 2 * reach + 1]
        key = (round(x / NEAR_PX), round(y / NEAR_PX))
        thumb = thumb_of(self._image[part])
        before = self._memory.recall(key, thumb)
        if before is not None and np.abs(before.bgr - bgr).max() < SAME_BGR:
            return before.posture, before.share
        bare = None if self._bare is None else self._bare[part]
        known = None if self._known is None else self._known[part]
        mask = belonging(self._image[part], bgr.astype(np.float32), bare, known)
        mask = _about(mask, x - x0, y - y0)
        told = 0.0 if known is None else float(mask[known > 0].sum() / (mask.sum() + 1e-6))
        posture = posture_of(mask, (x0, y0), self._pose, foot_px)
        if told > KNOWN_SHARE:  # else more will be known in the next picture
            self._memory.keep(key, thumb, Told(bgr, posture, told))
        return posture, told


def _about(mask: FloatArray, x: int, y: int) -> FloatArray:
    """Only what hangs together near the foot: another figure of the colour may stand close by."""
    solid = (cv2.GaussianBlur(mask, (0, 0), 1.0) > 0.25).astype(np.uint8)
    count, labels = cv2.connectedComponents(solid, connectivity=8)
    if count <= 2:
        return mask
    rows, columns = np.nonzero(labels)
    nearest = int(np.argmin(np.hypot(rows - y, columns - x)))
    own = labels == labels[rows[nearest], columns[nearest]]
    return np.asarray(
        mask * cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)), np.float32
    )


def _shape_odds(scores: NDArray[np.float32]) -> float:
    upright = max(float(scores[STANDING]), float(scores[PAWN]), 1e-3)
    return float(np.log(max(float(scores[LYING]), 1e-3) / upright))


def _chance(odds: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(odds, -20, 20))))


def _on_tile(
    lattice: Lattice, tiles: Mapping[Place, NDArray[np.float64]], foot_px: NDArray[np.float64]
) -> tuple[Place | None, tuple[float, float]]:
    """The tile under a foot, and where on it as it lies."""
    best: tuple[float, Place, tuple[float, float]] | None = None
    x, y = lattice.to_lattice(foot_px[None])[0]
    for place in {
        (int(np.floor(x + dx)), int(np.floor(y + dy)))
        for dx in (-0.2, 0, 0.2)
        for dy in (-0.2, 0, 0.2)
    }:
        at = tiles.get(place)
        if at is None:
            continue
        c, s = np.cos(at[2]), np.sin(at[2])
        dx, dy = x - place[0] - 0.5 - at[0], y - place[1] - 0.5 - at[1]
        u, v = (c * dx + s * dy) + 0.5, (-s * dx + c * dy) + 0.5
        beyond = float(max(-u, u - 1, -v, v - 1, 0.0))
        if best is None or beyond < best[0]:
            best = (beyond, place, (float(np.clip(u, 0, 1)), float(np.clip(v, 0, 1))))
    if best is None or best[0] > OFF_RIM:
        return None, (0.5, 0.5)
    return best[1], best[2]


def _fits(
    bgr: NDArray[np.float64] | None, looks: Sequence[FigureLook], colours: Mapping[str, ColourModel]
) -> list[float]:
    """Log-likelihood of each look's colour; 0 where none was to be seen."""
    if bgr is None:
        return [0.0] * len(looks)
    scores = []
    for look in looks:
        model = colours.get(look.colour) or prototype(look.colour)
        scores.append(NO_COLOUR if model is None else model.log_likelihood(bgr.astype(np.float32)))
    return scores


def _looks(fits: Sequence[float]) -> NDArray[np.float64]:
    """The same as log-probabilities."""
    logs = np.array(fits)
    if not len(logs):
        return logs
    return np.asarray(logs - (logs.max() + np.log(np.exp(logs - logs.max()).sum())))
