"""Drawing in millimetres, y down, onto a PDF page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Colour = str  # "#rrggbb"
MM = 72.0 / 25.4  # PDF points
BLACK, WHITE = "#000000", "#ffffff"


class Pen:
    """A thin hand over reportlab's canvas.  Place (0, 0) mm is ``origin_mm`` from the page's
    upper left corner; all lengths are millimetres."""

    def __init__(self, canvas: Any, page_height_mm: float, origin_mm: Point = (0.0, 0.0)) -> None:
        self._canvas = canvas
        self._height = page_height_mm
        self.origin_mm = origin_mm

    def _at(self, point: Point) -> Point:
        x, y = point[0] + self.origin_mm[0], point[1] + self.origin_mm[1]
        return x * MM, (self._height - y) * MM

    def polygon(
        self, points: Iterable[Point], fill: Colour | None = None, line: Colour | None = None,
        width_mm: float = 0.3,
    ) -> None:  # fmt: skip
        """A closed shape, filled, outlined or both."""
        path = self._path(list(points), closed=True)
        self._dress(fill, line, width_mm)
        self._canvas.drawPath(path, stroke=int(line is not None), fill=int(fill is not None))

    def line(self, points: Iterable[Point], colour: Colour = BLACK, width_mm: float = 0.3, dashed: bool = False) -> None:  # fmt: skip
        """A line through the points."""
        self._dress(None, colour, width_mm)
        if dashed:
            self._canvas.setDash(2 * MM, 1.5 * MM)
        self._canvas.drawPath(self._path(list(points), closed=False), stroke=1, fill=0)
        self._canvas.setDash()

    def circle(self, centre: Point, radius_mm: float, fill: Colour | None = None, line: Colour | None = None, width_mm: float = 0.3) -> None:  # fmt: skip
        """A circle."""
        self._dress(fill, line, width_mm)
        x, y = self._at(centre)
        self._canvas.circle(
            x, y, radius_mm * MM, stroke=int(line is not None), fill=int(fill is not None)
        )

    def box(self, left: float, top: float, right: float, low: float, **how: Any) -> None:
        """A rectangle; further words as for ``polygon``."""
        self.polygon([(left, top), (right, top), (right, low), (left, low)], **how)

    def text(
        self, at: Point, text: str, size_mm: float = 3.0, colour: Colour = BLACK,
        anchor: str = "left", upwards: bool = False,
    ) -> None:  # fmt: skip
        """One line of text whose middle line is at ``at``; ``anchor``: left, middle or right;
        ``upwards``: it reads from below."""
        self._canvas.saveState()
        self._canvas.setFillColor(colour)
        self._canvas.setFont("Helvetica", size_mm * MM)
        self._canvas.translate(*self._at(at))
        if upwards:
            self._canvas.rotate(90)
        draw = {"left": "drawString", "middle": "drawCentredString", "right": "drawRightString"}
        getattr(self._canvas, draw[anchor])(0, -0.36 * size_mm * MM, text)
        self._canvas.restoreState()

    def fitted(self, at: Point, text: str, size_mm: float, room_mm: float, **how: Any) -> None:
        """A line of text made smaller where it would be longer than ``room_mm``."""
        width = self._canvas.stringWidth(text, "Helvetica", size_mm * MM) / MM
        self.text(at, text, min(size_mm, size_mm * room_mm / max(width, 1e-6)), **how)

    def marker(self, dictionary: Any, ident: int, corner: Point, side_mm: float) -> None:
        """A square marker with its upper left corner at ``corner``."""
        self.bits(marker_bits(dictionary, ident), corner, side_mm)

    def bits(self, bits: NDArray[np.bool_], corner: Point, side_mm: float) -> None:
        """A black square with white modules where ``bits`` (N, N) are true."""
        x, y = corner
        module = side_mm / len(bits)
        self.box(x, y, x + side_mm, y + side_mm, fill=BLACK)
        for row, column in np.argwhere(bits):
            left, top = x + column * module, y + row * module
            self.box(left, top, left + module, top + module, fill=WHITE)

    def clip(self, left: float, top: float, right: float, low: float) -> None:
        """Nothing is drawn outside from now on, up to the end of the page or `unclip`."""
        self._canvas.saveState()
        corners: list[Point] = [(left, top), (right, top), (right, low), (left, low)]
        self._canvas.clipPath(self._path(corners, closed=True), stroke=0, fill=0)

    def unclip(self) -> None:
        """Ends ``clip``."""
        self._canvas.restoreState()

    def _path(self, points: Sequence[Point], closed: bool) -> Any:
        path = self._canvas.beginPath()
        path.moveTo(*self._at(points[0]))
        for point in points[1:]:
            path.lineTo(*self._at(point))
        if closed:
            path.close()
        return path

    def _dress(self, fill: Colour | None, line: Colour | None, width_mm: float) -> None:
        if fill is not None:
            self._canvas.setFillColor(fill)
        if line is not None:
            self._canvas.setStrokeColor(line)
            self._canvas.setLineWidth(width_mm * MM)


def marker_bits(dictionary: Any, ident: int) -> NDArray[np.bool_]:
    """The white modules of a marker, with its black border: (N, N)."""
    side = int(dictionary.markerSize) + 2
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, ident, side) > 127)
