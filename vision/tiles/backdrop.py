"""A picture that is kept of what does not change, pixel by pixel, and follows the camera."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.lattice import Lattice
from vision.types import Image

BLOCK_PX = 16  # compared together
SAME = 8.0  # grey levels by which a block may differ
MOVED_PX = 1.5
GONE = 0.5  # share of the blocks that must differ for another light to be believed
SPREAD = 2  # blocks about one that differs in which nothing is learnt: a figure may be there
SOME = np.s_[::5, ::5]  # a coarse grid of pixels is enough to compare whole pictures
Mask = NDArray[np.uint8]
Matrix = NDArray[np.float64]


class Backdrop:
    """``image`` and, 255, where it is ``known``; None and nothing before the first picture."""

    def __init__(self) -> None:
        self.image: Image | None = None
        self.known: Mask = np.zeros((0, 0), np.uint8)
        self._lattice: Lattice | None = None

    def forget(self, region: Mask) -> None:
        """What lies in the region (H, W) is unknown from now on."""
        if region.shape == self.known.shape:
            self.known[region > 0] = 0

    def take(self, image: Image, region: Mask, fresh: Mask) -> None:
        """Learns from a picture: where it shows the same as before in ``region``, and what was not
        known in ``fresh``; what looks other than before is left, for something may be there that
        was not noticed.  Another light changes nearly everything, and all is taken anew."""
        if self.image is None:
            self.image, self.known = image.copy(), fresh.copy()
            return
        both = cv2.bitwise_and(self.known, region)
        unlike, share = _unlike(image, self.image, both)
        if share > GONE:
            cv2.copyTo(image, region, self.image)
            # what is hidden now is unknown in the new light
            self.known = cv2.bitwise_and(cv2.bitwise_or(self.known, fresh), region)  # type: ignore[assignment]
            return
        wide = cv2.dilate(unlike, np.ones((2 * SPREAD * BLOCK_PX + 1,) * 2, np.uint8))
        new = cv2.bitwise_and(fresh, cv2.bitwise_not(cv2.bitwise_or(self.known, wide)))
        same = cv2.bitwise_and(both, cv2.bitwise_not(wide))
        cv2.copyTo(image, cv2.bitwise_or(new, same), self.image)
        self.known = cv2.bitwise_or(self.known, new)  # type: ignore[assignment]

    def lay(self, moves: Sequence[tuple[Matrix, Matrix]]) -> None:
        """Takes what lies between four corners (4, 2) to others, all at once; what was below is unknown."""
        if self.image is None or not moves:
            return
        old_image, old_known = self.image.copy(), self.known.copy()
        for old, _ in moves:
            fill(self.known, old, 0)
        for old, new in moves:
            part, shape = _box(new, self.known.shape)
            if not min(shape):
                continue  # out of the picture
            corner = np.array([part[1].start, part[0].start])
            warp = cv2.getPerspectiveTransform(
                old.astype(np.float32), (new - corner).astype(np.float32)
            )
            inside = np.zeros(shape, np.uint8)
            fill(inside, new - corner, 255)
            seen, known = (
                cv2.warpPerspective(p, warp, shape[::-1]) for p in (old_image, old_known)
            )
            cv2.copyTo(np.asarray(seen, np.uint8), inside, self.image[part])
            self.known[part][inside > 0] = np.where(known > 200, 255, 0)[inside > 0]

    def follow(self, image: Image, lattice: Lattice) -> NDArray[np.float64] | None:
        """The kept picture as it would be seen now, if the camera or the layout has moved; the
        (3, 3) by which points have moved then.  A lattice fitted to one tile more is another one
        too, though nothing has moved: what fits the picture better."""
        before, self._lattice = self._lattice, lattice
        if before is None or self.image is None or before is lattice:
            return None
        if before.size_px != lattice.size_px:
            self.image = None
            return None
        quads = [(before.quad(p), lattice.quad(p)) for p in ((0, 0), (3, 3))]
        if max(float(np.abs(a - b).max()) for a, b in quads) <= MOVED_PX:
            return None
        warp = np.asarray(lattice.homography @ np.linalg.inv(before.homography), np.float64)
        moved, known = (
            np.asarray(cv2.warpPerspective(p, warp, lattice.size_px), np.uint8)
            for p in (self.image, self.known)
        )
        if _off(image, moved, known) >= _off(image, self.image, self.known):
            return None
        self.image, self.known = moved, np.where(known > 200, 255, 0).astype(np.uint8)
        return warp


def fill(mask: Mask, quad: Matrix, value: int) -> None:
    """Fills four or more corners (N, 2) px."""
    cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), value, cv2.LINE_8, 4)


def _box(quad: Matrix, shape: tuple[int, ...]) -> tuple[tuple[slice, slice], tuple[int, int]]:
    """The part of a picture about four corners, and its (height, width)."""
    low = np.clip(np.floor(quad.min(0)).astype(int), 0, [shape[1], shape[0]])
    high = np.clip(np.ceil(quad.max(0)).astype(int) + 1, low, [shape[1], shape[0]])
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    return part, (int(high[1] - low[1]), int(high[0] - low[0]))


def _off(image: Image, old: Image, known: Mask) -> float:
    """Median difference of two pictures where one is known."""
    gap = np.abs(image[SOME].astype(np.int16) - old[SOME]).mean(2)[known[SOME] > 200]
    return float(np.median(gap)) if len(gap) else np.inf


def _unlike(image: Image, old: Image, known: Mask) -> tuple[Mask, float]:
    """(H, W) 255 in the blocks in which two pictures differ as far as both are known, but for the
    light's brightness; and their share of the known ones."""
    height, width = known.shape
    size = (max(1, width // BLOCK_PX), max(1, height // BLOCK_PX))
    gain = _gain(image, old, known)
    gap = cv2.absdiff(image, cv2.convertScaleAbs(old, alpha=gain))
    gap = cv2.bitwise_and(gap, gap, mask=known)
    share = cv2.resize(known, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    mean = cv2.resize(gap, size, interpolation=cv2.INTER_AREA).max(2) / np.maximum(share, 0.1)
    off = (mean > SAME) & (share > 0.1)
    blocks = np.where(off, 255, 0).astype(np.uint8)
    unlike = cv2.resize(blocks, (width, height), interpolation=cv2.INTER_NEAREST)
    return np.asarray(unlike, np.uint8), float(off.sum() / max(int((share > 0.1).sum()), 1))


def _gain(image: Image, old: Image, known: Mask) -> float:
    some = known[SOME] > 0
    if not some.any():
        return 1.0
    ratio = (image[SOME].mean(2)[some] + 8) / (old[SOME].mean(2)[some] + 8)
    return float(np.clip(np.median(ratio), 0.6, 1.7))
