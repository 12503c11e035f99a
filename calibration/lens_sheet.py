"""Measuring a camera's lens with the printed sheet (ChArUco), and keeping the result per camera."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sheets.charuco_sheet import charuco_board
from engine.errors import BoardwardenError
from engine.files import read_json
from vision.lens import Lens
from vision.types import Image

Matrix = NDArray[np.float64]
WANTED = 12
LEAST_CORNERS = 10
NEW_VIEW = 0.025  # of the picture's width: so far some corner of the sheet must have moved
MAX_RMS = 1.5 / 1280  # of the picture's width
LEAST_REACH = 0.6  # of the picture's width and height the sheets must cover together


@dataclass
class SheetViews:
    """Collects views of the lens sheet; pictures must all have the same size."""

    size: tuple[int, int] | None = None
    points_mm: list[Matrix] = field(default_factory=list)
    points_px: list[Matrix] = field(default_factory=list)
    _last: dict[int, Matrix] = field(default_factory=dict)

    def look(self, image: Image) -> str:
        """Looks at a picture: "none" (no sheet), "same" (as before), or "taken".

        Raises BoardwardenError when the size has changed.
        """
        size = (image.shape[1], image.shape[0])
        if self.size not in (None, size):
            raise BoardwardenError("the camera changed its resolution: begin again")
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        board = charuco_board()
        corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(grey)
        if ids is None or len(ids) < LEAST_CORNERS:
            return "none"
        seen = {
            int(i): np.asarray(c, np.float64).reshape(2)
            for i, c in zip(np.ravel(ids), corners, strict=True)
        }
        both = [np.linalg.norm(seen[i] - self._last[i]) for i in seen if i in self._last]
        if both and max(both) < NEW_VIEW * size[0]:
            return "same"
        self.size, self._last = size, seen
        places = np.asarray(board.getChessboardCorners(), np.float64)[list(seen)]
        self.points_mm.append(places)
        self.points_px.append(np.array(list(seen.values())))
        return "taken"

    @property
    def enough(self) -> bool:
        """Whether the lens can be measured."""
        return len(self.points_px) >= WANTED

    @property
    def reach(self) -> tuple[float, float]:
        """Shares of the picture's width and height over which the sheet was held."""
        if not self.points_px or self.size is None:
            return 0.0, 0.0
        span = np.ptp(np.concatenate(self.points_px), axis=0) / self.size
        return float(span[0]), float(span[1])

    def lens(self) -> tuple[Lens, float]:
        """The lens and its root mean square error in px (Zhang, 2000).

        Raises BoardwardenError with the remedy when the views say too little.
        """
        if not self.enough or self.size is None:
            raise BoardwardenError(
                f"only {len(self.points_px)} of {WANTED} views of the lens sheet were seen: hold it"
                " still, near, and each time elsewhere and tilted otherwise"
            )
        if min(self.reach) < LEAST_REACH:
            raise BoardwardenError(
                "the lens sheet was held in the middle only: hold it into the corners as well"
            )
        rms, matrix, distortion, _, _ = cv2.calibrateCamera(
            [p.astype(np.float32) for p in self.points_mm],
            [p.astype(np.float32).reshape(-1, 1, 2) for p in self.points_px],
            self.size, None, None, flags=cv2.CALIB_FIX_K3,
        )  # fmt: skip
        if not np.isfinite(rms) or rms > MAX_RMS * self.size[0]:
            raise BoardwardenError(
                f"the views do not fit one lens ({rms:.1f} pixels): glue the sheet onto something"
                " flat and switch off the camera's autofocus"
            )
        whole = np.zeros(5)
        whole[: min(5, distortion.size)] = np.ravel(distortion)[:5]
        return Lens(self.size, np.asarray(matrix, np.float64), whole), float(rms)


@dataclass(frozen=True)
class LensBook:
    """The lenses of this device's cameras: one JSON file, per camera and resolution."""

    path: Path

    def _all(self) -> dict[str, list[Any]]:
        try:
            raw = read_json(self.path, "the lenses")
        except BoardwardenError:
            return {}
        cameras = raw.get("cameras") if isinstance(raw, dict) else None
        found = cameras.items() if isinstance(cameras, dict) else ()
        return {str(k): v for k, v in found if isinstance(v, list)}

    def lenses_of(self, camera: str) -> list[Lens]:
        """A camera's lenses, one per resolution, the newest last; damaged ones are left out."""
        lenses = []
        for raw in self._all().get(camera, []):
            try:
                lenses.append(Lens.from_json(raw))
            except ValueError:
                continue
        return lenses

    def with_lens(self, camera: str, lens: Lens) -> bytes:
        """The file's new content with a lens added, the one of the same resolution replaced."""
        cameras = self._all()
        kept = [
            raw
            for raw in cameras.get(camera, [])
            if isinstance(raw, dict) and raw.get("size") != list(lens.size)
        ]
        return _written({**cameras, camera: [*kept, lens.to_json()]})

    def without(self, camera: str) -> bytes:
        """The file's new content without a camera: its field of view has changed."""
        return _written({k: v for k, v in self._all().items() if k != camera})


def _written(cameras: dict[str, list[Any]]) -> bytes:
    return (json.dumps({"cameras": cameras}, indent=1) + "\n").encode()
