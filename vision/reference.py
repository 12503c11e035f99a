"""The printed face of a board, seen flat: what the eyes compare a view with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from vision.types import Image

MAX_SIDE_PX = 1600
MAX_ASPECT_ERROR = 0.08


@dataclass(frozen=True, eq=False)
class Reference:
    """``image``: BGR uint8 of the printed face, its edges the edges of the picture; the origin of
    the board's frame is the top-left corner.  ``size_mm``: (width, height) of the face.
    ``valid``: (H, W) uint8, 255 where the print is known, 0 where a piece hid it; None: everywhere.
    """

    image: Image
    size_mm: tuple[float, float]
    valid: Image | None = None

    @property
    def px_per_mm(self) -> tuple[float, float]:
        """Scale of the picture along x and y."""
        height, width = self.image.shape[:2]
        return width / self.size_mm[0], height / self.size_mm[1]

    @classmethod
    def from_picture(
        cls,
        image: Image,
        size_mm: tuple[float, float],
        corners_px: NDArray[np.float64] | None = None,
    ) -> Reference:
        """Makes a reference of flat artwork, or of a photograph with the face's four corners
        (top-left, top-right, bottom-right, bottom-left, image px).

        Without corners a picture of the face's proportions is taken as the flat face, unless it
        plainly shows the board lying on a table; in any other picture the board is looked for.
        Raises BoardwardenError when it is not found there.
        """
        from vision.registration.face import find_face, is_axis_aligned

        if corners_px is not None:
            return cls(_flatten(image, size_mm, corners_px), size_mm)
        face = find_face(image, size_mm)
        if face is not None and not (_is_like(image, size_mm) and is_axis_aligned(face)):
            return cls(_flatten(image, size_mm, face), size_mm)
        return cls.flat(image, size_mm)

    @classmethod
    def flat(cls, image: Image, size_mm: tuple[float, float]) -> Reference:
        """Takes a picture for the flat face without looking into it; raises BoardwardenError when it
        has not the face's proportions."""
        height, width = image.shape[:2]
        if not _is_like(image, size_mm):
            raise BoardwardenError(
                f"the reference picture ({width}x{height}) has another shape than the board"
                f" ({size_mm[0]:g}x{size_mm[1]:g} mm): crop it to the printed face, or give the"
                " four corners of the face in it"
            )
        scale = MAX_SIDE_PX / max(width, height)
        if scale < 1:
            size = (max(1, round(width * scale)), max(1, round(height * scale)))
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        return cls(image, size_mm)

    @classmethod
    def load(
        cls,
        path: str | Path,
        size_mm: tuple[float, float],
        corners_px: NDArray[np.float64] | None = None,
    ) -> Reference:
        """Reads the picture file; raises BoardwardenError with what is wrong and the remedy."""
        from vision.sources.pictures import read_picture

        return cls.from_picture(read_picture(Path(path)), size_mm, corners_px)


def _is_like(image: Image, size_mm: tuple[float, float]) -> bool:
    """Whether a picture has the proportions of the face."""
    height, width = image.shape[:2]
    return bool(abs(np.log(width / height * size_mm[1] / size_mm[0])) <= MAX_ASPECT_ERROR)


def _flatten(image: Image, size_mm: tuple[float, float], corners: NDArray[np.float64]) -> Image:
    quad = np.asarray(corners, np.float64).reshape(4, 2)
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    scale = min(MAX_SIDE_PX / max(size_mm), sides.max() / min(size_mm))
    width, height = (max(16, round(s * scale)) for s in size_mm)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(image, warp, (width, height)), np.uint8)
