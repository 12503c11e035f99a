"""The picture against the table without figures: outlines of what was added, and what was missed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.appearance import ground_scale
from vision.crop import whole_of
from vision.crop_reference import match_light, warp_reference
from vision.reference import Reference
from vision.tiles.added import Added, Standing, added_things
from vision.tiles.memory import Thumb, same, thumb_of
from vision.tiles.posture import Posture, belonging, posture_of
from vision.types import BoardPose, FloatArray, Image

KNOWN_SHARE = 0.6  # of a figure's pixels: before so many known ones nothing is said against it
REACH_MM = 34.0
NEAR_MM = 9.0  # about a foot: what is known there tells whether a figure can be told from the print
NEAR_PX = 3  # feet nearer than this are the same figure's
SAME_BGR, SAME_SHARE = 12.0, 0.05
MOST_FEET, MOST_COLOURS = 400, 3
CLEARLY, LEAST_PIXELS = 0.5, 20  # pixels that tell a figure's colour anew


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What the outlines said of a figure of a colour, and the share of it that was told from the
    bare tile."""

    bgr: NDArray[np.float64]
    posture: Posture
    share: float

    def like(self, bgr: NDArray[np.float64], share: float) -> bool:
        """Whether it was told of this colour, with as much known of the bare tile."""
        return (
            bool(np.abs(self.bgr - bgr).max() < SAME_BGR) and abs(self.share - share) < SAME_SHARE
        )


class Postures:
    """What was told of figures in pictures before, by where their feet are."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[Thumb, list[Told]]] = {}

    def near(self, x: int, y: int) -> tuple[int, int]:
        """A known foot that is the same figure's; this one where none is.  What is compared is cut out
        about it: a foot that trembles by a pixel would change all that lies about it."""
        gap, foot = min(
            ((max(abs(x - a), abs(y - b)), (a, b)) for a, b in self._known),
            default=(NEAR_PX, (x, y)),
        )
        return foot if gap < NEAR_PX else (x, y)

    def recall(
        self, foot: tuple[int, int], thumb: Thumb, bgr: NDArray[np.float64], share: float
    ) -> Told | None:
        """What was told of a figure of this colour, if the picture is still the same and as much of the
        bare tile was known."""
        known = self._known.get(foot)
        if known is None or not same(known[0], thumb):
            return None
        return next((told for told in known[1] if told.like(bgr, share)), None)

    def keep(self, foot: tuple[int, int], thumb: Thumb, told: Told) -> None:
        """Remembers an answer."""
        if len(self._known) > MOST_FEET:
            self._known.clear()
        known = self._known.get(foot)
        before = known[1] if known is not None and same(known[0], thumb) else []
        others = [t for t in before if not t.like(told.bgr, t.share)]
        self._known[foot] = (thumb, [told, *others][:MOST_COLOURS])


class Behind:
    """The picture, and the tiles without figures in the same frame, as far as they are known."""

    def __init__(
        self, image: Image, pose: BoardPose, bare: Reference | tuple[Image, Image] | None,
        memory: Postures | None = None,
    ) -> None:  # fmt: skip
        self._image, self._pose = image, pose
        self._memory = Postures() if memory is None else memory
        self._bare: Image | None = None
        self._known: Image | None = None
        if isinstance(bare, tuple):
            seen, self._known = bare
            self._bare = match_light(seen, self._known, image)
        elif bare is not None:
            whole = whole_of((image.shape[1], image.shape[0]))
            seen, self._known = warp_reference(bare, pose.homography, whole)
            self._bare = match_light(seen, self._known, image)

    def added(
        self, quads: Iterable[NDArray[np.float64]], standing: Sequence[Standing]
    ) -> list[Added]:
        """What was added to the tiles, (4, 2) px each, and is none of the figures that stand there."""
        if self._bare is None or self._known is None:
            return []
        return added_things(self._image, self._bare, self._known, self._pose, quads, standing)

    def posture(
        self, foot_px: NDArray[np.float64], bgr: NDArray[np.float64]
    ) -> tuple[Posture, float]:
        """What the outlines say of a figure at a point, and the share of its pixels of which the
        tile behind is known."""
        x, y, reach, part = self._around(foot_px)
        y0, x0 = part[0].start, part[1].start
        known = None if self._known is None else self._known[part]
        share = 0.0 if known is None else self._share(known, x - x0, y - y0, reach)
        near = self._memory.near(x, y)
        thumb = thumb_of(self._image[self._around(np.array(near, np.float64))[3]])
        told = self._memory.recall(near, thumb, bgr, share)
        if told is None:
            mask = self._own(foot_px, bgr)
            told = Told(bgr, posture_of(mask, (x0, y0), self._pose, foot_px), share)
            self._memory.keep(near, thumb, told)
        return told.posture, told.share

    def clearer(
        self, foot_px: NDArray[np.float64], bgr: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The colour of the pixels that are of a colour by and large: where a figure touches another
        one, a sample is a mixture of both."""
        part = self._around(foot_px)[3]
        pixels = self._image[part][self._own(foot_px, bgr) > CLEARLY]
        if len(pixels) < LEAST_PIXELS:
            return bgr
        return np.asarray(np.median(pixels, axis=0), np.float64)

    def _around(self, foot_px: NDArray[np.float64]) -> tuple[int, int, int, tuple[slice, slice]]:
        """A foot in whole px, the reach of a figure about it in px, and that part of the picture."""
        height, width = self._image.shape[:2]
        scale = float(ground_scale(self._pose, self._pose.to_board(foot_px[None]))[0])
        reach = int(REACH_MM * scale)
        x, y = (round(float(v)) for v in foot_px)
        x0, y0 = max(min(x, width - 1) - reach, 0), max(min(y, height - 1) - reach, 0)
        return x, y, reach, np.s_[y0 : y0 + 2 * reach + 1, x0 : x0 + 2 * reach + 1]

    def _own(self, foot_px: NDArray[np.float64], bgr: NDArray[np.float64]) -> FloatArray:
        """(h, w): how much each pixel about a foot belongs to a figure of a colour."""
        x, y, _, part = self._around(foot_px)
        bare = None if self._bare is None else self._bare[part]
        known = None if self._known is None else self._known[part]
        mask = belonging(self._image[part], bgr.astype(np.float32), bare, known)
        return _about(mask, x - part[1].start, y - part[0].start)

    @staticmethod
    def _share(known: Image, x: int, y: int, reach: int) -> float:
        """The share of the surroundings of a foot that is known."""
        near = max(2, round(reach * NEAR_MM / REACH_MM))
        part = known[max(y - near, 0) : y + near + 1, max(x - near, 0) : x + near + 1]
        return float((part > 0).mean()) if part.size else 0.0


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
