"""Reading a marker's code where it is small or blurred: by likeness instead of bit by bit.

A bit of two or three pixels takes colour from its neighbours.  So the squares' mean brightness is
compared with every marker of the dictionary in every turn, each blurred in the same way, and the
likest one counts when it is much liker than the next.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.planar import apply
from vision.types import Image

Matrix = NDArray[np.float64]

BLURS = (0.05, 0.15, 0.25)  # share that a square gives to each neighbour
MIN_LIKENESS, MIN_LEAD = 0.88, 0.15
SQUARE_PX, SOFT, REACH_PX, SHIFT_PX = 6, 0.2, 12, 6
ROUNDS, MIN_CORRELATION = 30, 0.9


def squares_of(book: Any, ident: int, turn: int = 0) -> Matrix:
    """(n + 4, n + 4) of a marker: code, black border and the white around it; 0 or 1."""
    side = int(book.markerSize)
    bits = cv2.aruco.Dictionary.getBitsFromByteList(book.bytesList[ident : ident + 1], side)
    squares = np.ones((side + 4, side + 4))
    squares[1:-1, 1:-1] = 0
    squares[2:-2, 2:-2] = np.rot90(bits, turn)
    return squares


def likest(means: Matrix, book: Any) -> tuple[int, int] | None:
    """Number and turn (as OpenCV's ``identify`` gives it) of the marker whose squares have this
    brightness (n + 4, n + 4); None when none is like it, or several."""
    patterns = _patterns(book.bytesList.tobytes(), book.bytesList.shape, int(book.markerSize))
    seen = np.asarray(means, np.float64)[1:-1, 1:-1].ravel()
    seen = seen - seen.mean()
    likeness = (patterns @ (seen / (np.linalg.norm(seen) + 1e-9))).max(0)
    best = int(likeness.argmax())
    top = float(likeness[best])
    likeness[best] = -1
    if top < MIN_LIKENESS or top - float(likeness.max()) < MIN_LEAD:
        return None
    return best // 4, best % 4


@lru_cache(maxsize=4)
def _patterns(codes: bytes, shape: tuple[int, ...], side: int) -> Matrix:
    """(blurs, 4 * markers, squares) unit vectors."""
    book = cv2.aruco.Dictionary(np.frombuffer(codes, np.uint8).reshape(shape).copy(), side, 0)
    plain = [squares_of(book, i, turn) for i in range(shape[0]) for turn in range(4)]
    blurred = []
    for share in BLURS:
        kernel = np.array([share, 1 - 2 * share, share])
        soft = [cv2.sepFilter2D(p, -1, kernel, kernel, borderType=cv2.BORDER_REPLICATE) for p in plain]  # fmt: skip
        vectors = np.array([s[1:-1, 1:-1].ravel() for s in soft])
        vectors -= vectors.mean(1, keepdims=True)
        blurred.append(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    return np.array(blurred)


def align(grey: Image, quad: Matrix, book: Any, ident: int) -> Matrix | None:
    """Corners (4, 2) of a marker under which its whole print fits the picture best (enhanced
    correlation; Evangelidis and Psarakis, 2008); None where it fits badly, in part of it in shadow."""
    print_, own = _print(book, ident)
    x, y = np.maximum(np.floor(quad.min(0)).astype(int) - REACH_PX, 0)
    right, bottom = np.ceil(quad.max(0)).astype(int) + REACH_PX + 1
    part = grey[y:bottom, x:right].astype(np.float32)
    start = cv2.getPerspectiveTransform(own, (quad - [x, y]).astype(np.float32))
    stop = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, ROUNDS, 1e-4)
    try:
        likeness, warp = cv2.findTransformECC(
            print_, part, start.astype(np.float32), cv2.MOTION_HOMOGRAPHY, stop, None, 3
        )
    except cv2.error:
        return None
    return apply(warp, own) + np.array([x, y]) if likeness >= MIN_CORRELATION else None


def shifted(grey: Image, quad: Matrix, book: Any, ident: int) -> Matrix:
    """The corners (4, 2), all moved by the whole px with which the print fits best near there."""
    print_, own = _print(book, ident)
    low, high = np.floor(quad.min(0)).astype(int), np.ceil(quad.max(0)).astype(int)
    size = (int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1)
    move = cv2.getPerspectiveTransform(own, (quad - low).astype(np.float32))
    wanted = cv2.warpPerspective(print_, move, size, borderMode=cv2.BORDER_REPLICATE)
    x, y = np.maximum(low - SHIFT_PX, 0)
    part = grey[y : high[1] + SHIFT_PX + 1, x : high[0] + SHIFT_PX + 1].astype(np.float32)
    if part.shape[0] < size[1] or part.shape[1] < size[0]:
        return quad
    likeness = cv2.matchTemplate(part, wanted, cv2.TM_CCOEFF_NORMED)
    place = cv2.minMaxLoc(likeness)[3]
    return quad + np.array(place) + np.array([x, y]) - low


def _print(book: Any, ident: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A marker as it is printed, a little blurred, with half a square of white around; and its
    corners in it."""
    c, half = SQUARE_PX, SQUARE_PX // 2
    ideal = np.kron(squares_of(book, ident), np.ones((c, c))).astype(np.float32)
    soft = cv2.GaussianBlur(255 * ideal, (0, 0), SOFT * c)[half:-half, half:-half]
    low, high = half - 0.5, soft.shape[0] - half - 0.5
    own = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    return np.ascontiguousarray(soft), own
