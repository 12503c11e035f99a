"""What every pixel of the board's window speaks for: the print, or one of the enrolled colours.

A pixel shows the print when it has the print's colour at some brightness (shadows darken it, see
``vision.appearance``); it shows a piece when it has an enrolled colour.  The log-odds between the
two are the evidence that ``vision.silhouette_search`` collects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.appearance import NOISE_FLOOR, NOISE_SHARE
from vision.crop import crop_of, cut
from vision.crop_reference import face_in_window, match_light, warp_reference
from vision.looks import Enrolment
from vision.reference import Reference
from vision.shadows import Lamp, shadow_odds
from vision.types import BoardPose, Crop, FloatArray, Image

WORST = -7.0  # log-likelihood of a pixel under a model that it does not fit at all
UNKNOWN_PRINT = -3.0  # of a pixel where the print is not known
PRINT_SHADE = 0.45  # natural log of brightness: how much darker a shadow makes the print
PRINT_SHINE = 0.16  # and how much brighter anything makes it
SHADOW_PRICE = 1.2  # log-likelihood that a hard shadow costs, however dark
SHADOW_MASK = 1.2  # by which the network's mask takes hard shadows for pieces
PIECE_SHADE = 0.6
EDGE_TOLERANCE = 0.35  # grey levels per level of the print's gradient: it may lie a pixel off
MASK_WEIGHT = 0.6  # of the network's mask beside the pixels' colours
DARKEST = 18.0  # grey levels, of a pixel as a vector: darker ones are alike in shade
CLIP = 4.0  # no single pixel says more
BAND = 32  # rows of the window that are compared at a time


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Log-odds maps (h, w) of one picture on the crop's grid, against the print, clipped to ±CLIP.

    ``colours`` by enrolled colour; ``wall``: of the L-walls as enrolled (None: not enrolled);
    ``shadow``: of shadow against light, with the ``lamp`` that throws it (None: no hard shadows).
    """

    crop: Crop
    colours: Mapping[str | None, FloatArray]
    wall: FloatArray | None
    shadow: FloatArray | None = None
    lamp: Lamp | None = None
    _merged: dict[tuple[str | None, ...], list[FloatArray]] = field(
        init=False, default_factory=dict, repr=False
    )

    def in_fours(self, colours: Sequence[str | None]) -> list[FloatArray]:
        """The colours' maps, up to four as channels of one: OpenCV remaps no more at a time."""
        known = self._merged.get(tuple(colours))
        if known is None:
            planes = [self.colours[c] for c in colours]
            fours = [planes[k : k + 4] for k in range(0, len(planes), 4)]
            known = [f[0] if len(f) == 1 else cv2.merge(f) for f in fours]
            self._merged[tuple(colours)] = known
        return known

    def darkened(self, shadows: NDArray[np.bool_]) -> Evidence:
        """The evidence once it is known where (h, w) shadows lie: what is dark there needs no piece."""
        price = np.where(shadows, np.float32(SHADOW_PRICE + SHADOW_MASK), np.float32(0))
        return replace(self, colours={c: m - price for c, m in self.colours.items()})


def gather(
    image: Image,
    pose: BoardPose,
    reference: Reference,
    enrolment: Enrolment,
    piece_mask: FloatArray | None = None,
    window: Image | None = None,
) -> Evidence:
    """Compares every pixel with the print under the picture's light and with the enrolled looks.

    ``piece_mask``: what the network takes for pieces, on the same crop's grid (``Detections``);
    ``window``: the picture on that grid, if it has been cut out already.
    """
    crop = crop_of(pose)
    picture = cut(image, crop) if window is None else window
    printed = _Print.of(picture, *face_in_window(reference, pose))
    lamp, looks, shape = enrolment.lamp, _known_colours(enrolment), picture.shape[:2]
    colours: dict[str | None, FloatArray] = {c: np.empty(shape, np.float32) for c in looks}
    wall = None if enrolment.wall is None else np.empty(shape, np.float32)
    shadow = None if lamp is None else np.empty(shape, np.float32)
    mask = None if piece_mask is None else cv2.resize(piece_mask, crop.size)
    for rows in _bands(shape[0]):
        pixels = _Pixels.of(picture[rows])
        ground, dark = _compare_print(pixels, printed.band(rows), lamp)
        if shadow is not None:
            shadow[rows] = dark
        if mask is not None:
            ground -= MASK_WEIGHT * _mask_log_odds(mask[rows])
        for colour, bgr in looks.items():
            colours[colour][rows] = _odds(_colour_fit(pixels, bgr), ground)
        if wall is not None and enrolment.wall is not None:
            wall[rows] = _odds(enrolment.wall.log_likelihood(picture[rows]), ground)
    return Evidence(crop, colours, wall, shadow, lamp)


def _bands(height: int) -> list[slice]:
    """Strips of a picture: the processor's cache holds all that is made of one."""
    return [slice(y, y + BAND) for y in range(0, height, BAND)]


def _mask_log_odds(mask: FloatArray) -> FloatArray:
    """(h, w) log-odds of the network's mask."""
    p = np.clip(mask, 0.05, 0.95)
    return np.asarray(cv2.log(p / (1 - p)), np.float32)


def gather_colours(image: Image, pose: BoardPose, enrolment: Enrolment) -> Evidence:
    """Evidence of the enrolled colours where nothing is known of the print."""
    crop = crop_of(pose)
    pixels = _Pixels.of(cut(image, crop))
    ground = np.full(pixels.power.shape, UNKNOWN_PRINT, np.float32)
    looks = _known_colours(enrolment)
    return Evidence(crop, {c: _odds(_colour_fit(pixels, bgr), ground) for c, bgr in looks.items()}, None)  # fmt: skip


def print_log_likelihood(
    picture: Image, pose: BoardPose, reference: Reference, crop: Crop
) -> FloatArray:
    """(h, w) how well each pixel of a crop fits the print in any shade, 0 at best."""
    printed = _Print.of(picture, *warp_reference(reference, pose.homography, crop))
    return _compare_print(_Pixels.of(picture), printed, None)[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Pixels:
    """A crop as floats (h, w, 3) with what every comparison needs of it, (h, w) each.

    ``power``: squared length of the colour; ``noise``: standard deviation of a channel;
    ``level``: log of the length above the floor.
    """

    values: FloatArray
    power: FloatArray
    noise: FloatArray
    level: FloatArray

    @staticmethod
    def of(picture: Image) -> _Pixels:
        values = picture.astype(np.float32)
        power = _dot(values, values)
        norm = cv2.sqrt(power)
        noise = norm * np.float32(NOISE_SHARE)
        noise += np.float32(NOISE_FLOOR)
        norm += np.float32(DARKEST)
        return _Pixels(values, power, noise, cv2.log(norm))


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """The print under the picture's light: BGR, (h, w) how far a pixel beside an edge may be off, and
    (h, w) whether it is known."""

    matched: Image
    slack: FloatArray
    valid: NDArray[np.bool_]

    @staticmethod
    def of(picture: Image, seen: Image, valid: Image) -> _Print:
        matched = match_light(seen, valid, picture)
        grey = cv2.cvtColor(matched, cv2.COLOR_BGR2GRAY).astype(np.float32)
        gradient = cv2.magnitude(cv2.Sobel(grey, -1, 1, 0) / 4, cv2.Sobel(grey, -1, 0, 1) / 4)
        slack = EDGE_TOLERANCE * cv2.dilate(gradient, np.ones((3, 3), np.uint8))
        return _Print(matched, np.asarray(slack, np.float32), valid > 127)

    def band(self, rows: slice) -> _Print:
        return _Print(self.matched[rows], self.slack[rows], self.valid[rows])


def _compare_print(
    pixels: _Pixels, printed: _Print, lamp: Lamp | None
) -> tuple[FloatArray, FloatArray | None]:
    """(h, w) log-likelihood of the print, and log-odds of a shadow under a known lamp."""
    model, slack = printed.matched.astype(np.float32), printed.slack
    power = np.maximum(_dot(model, model), 1.0)
    fit = _hue_misfit(pixels, _dot(pixels.values, model), power, pixels.noise + slack)
    length = cv2.sqrt(power) + np.float32(DARKEST)
    shade = pixels.level - cv2.log(length)
    shadow = None if lamp is None else np.where(printed.valid, shadow_odds(shade, fit, lamp), 0)
    # A pixel beside an edge of the print may be brighter by the edge's slack.
    shade /= np.where(shade > 0, PRINT_SHINE + slack / length, np.float32(PRINT_SHADE))
    darker = shade < 0
    shade *= shade
    # A lamp's hard shadow: any darkness, at a fixed price.
    np.minimum(shade, np.float32(2 * SHADOW_PRICE), out=shade, where=darker)
    fit += shade
    fit *= -0.5
    np.maximum(fit, WORST, out=fit)
    fit[~printed.valid] = UNKNOWN_PRINT
    return fit, shadow


def _known_colours(enrolment: Enrolment) -> dict[str | None, FloatArray]:
    """The enrolled colours, BGR each."""
    return {
        colour: np.array(model.bgr, np.float32)
        for (kind, colour), model in enrolment.colours.items()
        if kind is None
    }


def _odds(fit: FloatArray, ground: FloatArray) -> FloatArray:
    odds = np.maximum(fit, WORST)
    odds -= ground
    return np.asarray(np.clip(odds, -CLIP, CLIP, out=odds), np.float32)


def _colour_fit(pixels: _Pixels, model: FloatArray) -> FloatArray:
    """(h, w) log-likelihood of the pixels under one BGR colour at any brightness."""
    power = max(float(model @ model), 1.0)
    fit = _hue_misfit(pixels, cv2.transform(pixels.values, model[None]), power, pixels.noise)
    shade = pixels.level - np.float32(np.log(np.sqrt(power) + DARKEST))
    shade *= np.float32(1 / PIECE_SHADE)
    shade *= shade
    fit += shade
    fit *= -0.5
    return fit


def _hue_misfit(
    pixels: _Pixels, dot: FloatArray, power: FloatArray | float, sigma: FloatArray
) -> FloatArray:
    """(h, w) squared distance from the best multiple of a model, in ``sigma``.

    ``dot``: products of pixels and model; ``power``: squared length of the model.
    """
    scale = np.clip(dot / power, 0.2, 4.0)
    # |x - s m|^2 = |x|^2 - s (2 x.m - s m.m), without a picture of differences.
    inner = dot * 2
    inner -= scale * power
    inner *= scale
    misfit = pixels.power - inner
    np.maximum(misfit, 0, out=misfit)
    misfit /= sigma
    misfit /= sigma
    return misfit


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    """(h, w) sums over the three channels of the products."""
    return np.asarray(cv2.transform(cv2.multiply(a, b), np.ones((1, 3), np.float32)))
