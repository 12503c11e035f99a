"""Plain data between the parts of the eyes.  Arrays are float32 unless said otherwise.

Frames: *image* pixels of the source picture (origin at the centre of the top-left pixel);
*board* millimetres on the printed face (x right, y down, origin top-left).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens

FloatArray = NDArray[np.float32]
Image = NDArray[np.uint8]

# Shape classes of the detector, in the order of its heat maps (DESIGN decision 3).
# "wall" marks the ground point of each single cell of an L-wall; "l_wall" its centroid.
SHAPES = (
    "pawn", "cube", "disc", "chip", "shield", "l_wall", "wall", "castle",
    "meeple", "meeple_lying", "die",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source: BGR, (H, W, 3) uint8; ``t_s`` in seconds of the source."""

    image: Image
    t_s: float
    index: int


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """Where the board lies.

    ``homography``: (3, 3) float64, board mm to image px.  ``corners_px``: (4, 2), the printed
    face's top-left, top-right, bottom-right, bottom-left.  ``camera``: (3, 4) float64 projection
    of board mm (z up from the face, towards the camera) to image px, with the focal length guessed
    from the homography where no lens calibration exists.  ``residual_px``: root mean square
    distance of the evidence (None: corners taken as given).  ``how``: markers, reference, corners,
    tracked.

    ``lens``: where it bends the picture noticeably, else None.  `to_image` and `to_board` then go
    through it; ``camera`` is that of the straight picture, ``homography`` the plane's best fit to
    the bent one.
    """

    homography: NDArray[np.float64]
    corners_px: NDArray[np.float64]
    camera: NDArray[np.float64]
    residual_px: float | None
    how: str
    lens: Lens | None = None

    def to_image(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 2) board mm on the face, or (N, 3) with height, to (N, 2) image px."""
        pts = np.asarray(points_mm, np.float64).reshape(-1, np.shape(points_mm)[-1])
        q = pts @ self.camera[:, : pts.shape[1]].T + self.camera[:, 3]
        seen = np.asarray(q[:, :2] / q[:, 2:3])
        return seen if self.lens is None else self.lens.bend(seen)

    def to_board(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 2) image px to (N, 2) board mm on the printed face."""
        pts = np.asarray(points_px, np.float64).reshape(-1, 2)
        plane = self.homography
        if self.lens is not None:
            pts, plane = self.lens.straighten(pts), self.camera[:, [0, 1, 3]]
        q = np.column_stack([pts, np.ones(len(pts))]) @ np.linalg.inv(plane).T
        return np.asarray(q[:, :2] / q[:, 2:3])


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """What the detector found in one picture, N things, image pixels.

    ``foot_px`` (N, 2): where the thing touches the board.  ``top_px`` (N, 2): its highest visible
    point on the axis above the foot.  ``width_px`` (N,).  ``shape_scores`` (N, len(SHAPES)), each
    0 to 1.  ``score`` (N,): objectness, the greatest shape score.  ``piece_mask`` and ``hand_mask``
    (h, w), 0 to 1, on the crop's grid; ``mask_to_image`` (2, 3) maps mask pixel centres to image px.
    ``look_map`` (D, h, w) on the same grid: vectors that are alike where pieces look alike, to be
    read at feet; None from a network without them.  ``window``: the BGR picture that was looked at.
    """

    foot_px: FloatArray
    top_px: FloatArray
    width_px: FloatArray
    shape_scores: FloatArray
    score: FloatArray
    piece_mask: FloatArray
    hand_mask: FloatArray
    mask_to_image: NDArray[np.float64]
    look_map: FloatArray | None = None
    window: Image | None = None

    def __post_init__(self) -> None:
        n = len(self.foot_px)
        if not (
            self.foot_px.shape == self.top_px.shape == (n, 2)
            and self.width_px.shape == self.score.shape == (n,)
            and self.shape_scores.shape == (n, len(SHAPES))
        ):
            raise ValueError("Detections: arrays disagree about the number of things")

    def __len__(self) -> int:
        return len(self.foot_px)

    def shape_of(self, i: int) -> str:
        """The most probable shape class of thing ``i``."""
        return SHAPES[int(np.argmax(self.shape_scores[i]))]


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """The detector's window: ``image_to_crop`` (2, 3) affine, ``size`` (width, height) in pixels."""

    image_to_crop: NDArray[np.float64]
    size: tuple[int, int]
    note: str = field(default="")

    @property
    def scale(self) -> float:
        """Pixels of the window per pixel of the picture."""
        return float(np.hypot(*self.image_to_crop[:, 0]))
