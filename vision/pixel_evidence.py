"""What every pixel of the board's window speaks for: the print, or one of the enrolled colours.

A pixel shows the print when it has the print's colour at some brightness (shadows darken it, see
``vision.appearance``); it shows a piece when it has an enrolled colour.  The log-odds between the
two are the evidence that ``vision.silhouette_search`` collects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance import NOISE_FLOOR, NOISE_SHARE
from vision.crop import crop_around, cut
from vision.crop_reference import match_light, warp_reference
from vision.looks import Enrolment
from vision.reference import Reference
from vision.types import BoardPose, Crop, FloatArray, Image

WORST = -7.0  # log-likelihood of a pixel under a model that it does not fit at all
UNKNOWN_PRINT = -3.0  # of a pixel where the print is not known
PRINT_SHADE = 0.45  # natural log of brightness: how much darker a shadow makes the print
PRINT_SHINE = 0.16  # and how much brighter anything makes it
SHADOW_PRICE = 1.2  # log-likelihood that a hard shadow costs, however dark
PIECE_SHADE = 0.6
EDGE_TOLERANCE = 0.35  # grey levels per level of the print's gradient: it may lie a pixel off
MASK_WEIGHT = 0.6  # of the network's mask beside the pixels' colours
CLIP = 4.0  # no single pixel says more


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Log-odds maps (h, w) of one picture on the crop's grid, against the print, clipped to ±CLIP.

    ``colours`` by enrolled colour; ``wall``: of the L-walls as enrolled (None: not enrolled).
    """

    crop: Crop
    colours: Mapping[str | None, FloatArray]
    wall: FloatArray | None


def gather(
    image: Image,
    pose: BoardPose,
    reference: Reference,
    enrolment: Enrolment,
    piece_mask: FloatArray | None = None,
) -> Evidence:
    """Compares every pixel with the print under the picture's light and with the enrolled looks.

    ``piece_mask``: what the network takes for pieces, on the same crop's grid (``Detections``).
    """
    crop = crop_around(pose.corners_px)
    picture = cut(image, crop)
    ground = print_log_likelihood(picture, pose, reference, crop)
    if piece_mask is not None:
        ground = ground - MASK_WEIGHT * _mask_log_odds(piece_mask, crop)
    colours = _colour_maps(picture.astype(np.float32), enrolment, ground)
    wall = None if enrolment.wall is None else _odds(enrolment.wall.log_likelihood(picture), ground)
    return Evidence(crop, colours, wall)


def _mask_log_odds(piece_mask: FloatArray, crop: Crop) -> FloatArray:
    """(h, w) log-odds of the mask on the crop's pixels."""
    full = cv2.resize(piece_mask, crop.size, interpolation=cv2.INTER_LINEAR)
    p = np.clip(full, 0.05, 0.95)
    return np.asarray(np.log(p / (1 - p)), np.float32)


def gather_colours(image: Image, pose: BoardPose, enrolment: Enrolment) -> Evidence:
    """Evidence of the enrolled colours where nothing is known of the print."""
    crop = crop_around(pose.corners_px)
    pixels = cut(image, crop).astype(np.float32)
    ground = np.full(pixels.shape[:2], UNKNOWN_PRINT, np.float32)
    return Evidence(crop, _colour_maps(pixels, enrolment, ground), None)


def print_log_likelihood(
    picture: Image, pose: BoardPose, reference: Reference, crop: Crop
) -> FloatArray:
    """(h, w) how well each pixel of a crop fits the print in any shade, 0 at best."""
    seen, valid = warp_reference(reference, pose.homography, crop)
    matched = match_light(seen, valid, picture)
    grey = cv2.cvtColor(matched, cv2.COLOR_BGR2GRAY).astype(np.float32)
    gradient = cv2.magnitude(cv2.Sobel(grey, -1, 1, 0) / 4, cv2.Sobel(grey, -1, 0, 1) / 4)
    slack = EDGE_TOLERANCE * cv2.dilate(gradient, np.ones((3, 3), np.uint8))
    fit = _fit(
        picture.astype(np.float32), matched.astype(np.float32), PRINT_SHADE, slack, PRINT_SHINE
    )
    return np.where(valid > 127, np.maximum(fit, WORST), UNKNOWN_PRINT).astype(np.float32)


def _colour_maps(
    pixels: FloatArray, enrolment: Enrolment, ground: FloatArray
) -> dict[str | None, FloatArray]:
    return {
        colour: _odds(_fit(pixels, np.array(model.bgr, np.float32), PIECE_SHADE), ground)
        for (kind, colour), model in enrolment.colours.items()
        if kind is None
    }


def _odds(fit: FloatArray, ground: FloatArray) -> FloatArray:
    return np.asarray(np.clip(np.maximum(fit, WORST) - ground, -CLIP, CLIP), np.float32)


def _fit(
    pixels: FloatArray,
    model: FloatArray,
    shade_sigma: float,
    slack: FloatArray | float = 0.0,
    shine_sigma: float | None = None,
) -> FloatArray:
    """(h, w) log-likelihood of pixels under a colour, or a picture, at any brightness.

    ``shade_sigma``, ``shine_sigma``: scatter of the log of brightness, darker and brighter.
    """
    dot = (pixels * model).sum(axis=2)
    power = np.maximum((model * model).sum(axis=-1), 1.0)
    scale = np.clip(dot / power, 0.2, 4.0)[..., None]
    norm = np.sqrt((pixels * pixels).sum(axis=2))
    sigma = NOISE_FLOOR + NOISE_SHARE * norm + slack
    hue = ((pixels - scale * model) ** 2).sum(axis=2) / (sigma * sigma)
    level = np.sqrt(power)
    shade = np.log((norm + 18.0) / (level + 18.0))
    if shine_sigma is None:
        shade /= shade_sigma
    else:
        # A pixel beside an edge of the print may be brighter by the edge's slack.
        shade /= np.where(shade > 0, shine_sigma + slack / (level + 18.0), shade_sigma)
        # A lamp's hard shadow: any darkness, at a fixed price.
        dark = np.where(shade < 0, np.minimum(shade * shade, 2 * SHADOW_PRICE), shade * shade)
        return np.asarray(-0.5 * (hue + dark), np.float32)
    return np.asarray(-0.5 * (hue + shade * shade), np.float32)
