"""The photograph of an empty board that is measured on: its corners, its face, its labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from vision.reference import Reference
from vision.registration.by_corners import snap_to_edges
from vision.registration.face import find_face
from vision.registration.marker_search import DEFAULT_DICTIONARY, find_markers
from vision.registration.planar import apply
from vision.registration.pose import check_corners, homography_from_corners
from vision.types import Image

Matrix = NDArray[np.float64]
LEAST_PX = 500  # of the longer side of the face: with less the lines of the print are lost
MOST_LABELS = 8


@dataclass(frozen=True, eq=False)
class Photograph:
    """``image`` BGR; ``size_mm``: of the printed face."""

    image: Image
    size_mm: tuple[float, float]

    def guess(self) -> Matrix | None:
        """The face's corners (4, 2) px where it stands out from the table, clockwise from the
        upper left as seen; None where it does not."""
        try:
            found = find_face(self.image, self.size_mm)
        except BoardwardenError:
            return None
        return None if found is None else self.snapped(found)

    def snapped(self, corners_px: Matrix) -> Matrix:
        """Tapped corners moved onto the edges beside them; raises BoardwardenError for four
        places that can't be the corners of a board."""
        size = (self.image.shape[1], self.image.shape[0])
        corners = check_corners(corners_px, size)
        return snap_to_edges(self.image, corners)[0]

    def face(self, corners_px: Matrix) -> Image:
        """The face seen flat; raises BoardwardenError where it is too small in the picture."""
        corners = check_corners(corners_px, (self.image.shape[1], self.image.shape[0]))
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        if sides.max() < LEAST_PX:
            raise BoardwardenError(
                f"the board is only {sides.max():.0f} pixels wide in the picture: take it from nearer,"
                " or with a better camera"
            )
        return Reference.from_picture(self.image, self.size_mm, corners).image

    def labels(self, corners_px: Matrix) -> dict[str, Any] | None:
        """``markers`` of a board file: the corner labels that lie on or beside the board, where
        the photograph shows them; None with fewer than two."""
        to_board = np.linalg.inv(homography_from_corners(np.asarray(corners_px), self.size_mm))
        found: dict[int, list[Matrix]] = {}
        for marker in find_markers(self.image, DEFAULT_DICTIONARY):
            found.setdefault(marker.id, []).append(apply(to_board, marker.corners_px))
        single = {i: quads[0] for i, quads in sorted(found.items()) if len(quads) == 1}
        if not 2 <= len(single) <= MOST_LABELS:
            return None
        corners = {str(i): [[round(float(v), 2) for v in p] for p in q] for i, q in single.items()}
        return {"dictionary": DEFAULT_DICTIONARY, "corners": corners}
