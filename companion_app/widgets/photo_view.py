"""A photograph with shapes over it, touched and dragged on; a loupe shows what the finger hides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
from kivy.clock import Clock
from kivy.graphics import (
    Color,
    InstructionGroup,
    Line,
    Mesh,
    Rectangle,
    SmoothEllipse,
    SmoothLine,
)
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from calibration.measuring.step import Shape
from companion_app import theme
from companion_app.texts import t
from companion_app.widgets.drawing import into, rounded
from companion_app.widgets.textures import text_texture
from engine.geometry import Point, centroid
from vision.types import Image

LOUPE_DP, LOUPE_ZOOM = 150, 3.0
MOST_PX = 2000  # of the texture's longer side
FILLS = {
    "chosen": (0.25, 0.55, 1.0, 0.45),
    "start": (0.2, 0.8, 0.5, 0.45),
    "energy": (1.0, 0.35, 0.2, 0.5),
    "mark": (0.8, 0.8, 0.85, 0.5),
    "track": (1.0, 0.9, 0.3, 0.28),
    "wrong": (1.0, 0.1, 0.2, 0.45),
    "proposed": (1.0, 1.0, 0.2, 0.35),
}
LINES = {"cell": (0.1, 1.0, 0.9, 0.75), "line": (0.1, 1.0, 0.9, 0.9), "track": (1.0, 0.9, 0.3, 0.9)}  # fmt: skip
HANDLE = (1.0, 0.85, 0.1, 1.0)


class PhotoView(Widget):
    """Dispatches ``on_path`` with the places of a finger from down to up, in the shapes' unit."""

    __events__ = ("on_path",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._texture: Texture | None = None
        self._per_unit = (1.0, 1.0)
        self._shapes: Sequence[Shape] = ()
        self._path: list[Point] = []
        self._back, self._over, self._glass = (InstructionGroup() for _ in range(3))
        for group in (self._back, self._over, self._glass):
            self.canvas.add(group)
        self._layout = Clock.create_trigger(self._draw_all)
        self.bind(pos=self._layout, size=self._layout)

    def on_path(self, path: tuple[Point, ...]) -> None:
        """A finger was lifted."""

    def show(self, image: Image | None, size: tuple[float, float] | None = None) -> None:
        """Shows a BGR picture; ``size``: its width and height in the shapes' unit (default: px)."""
        self._texture, self._path = None, []
        if image is not None:
            height, width = image.shape[:2]
            scale = min(1.0, MOST_PX / max(width, height))
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            self._texture = Texture.create(size=small.shape[1::-1], colorfmt="rgba")
            self._texture.flip_vertical()
            pixels = cv2.cvtColor(small, cv2.COLOR_BGR2RGBA).tobytes()
            self._texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
            self.size_of = size or (float(width), float(height))
        self._draw_all()

    def set_shapes(self, shapes: Sequence[Shape]) -> None:
        """Replaces what is drawn over the picture."""
        self._shapes = shapes
        self._draw_over()

    # --- places --------------------------------------------------------------------------------

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Where the picture lies: x, y, width, height, aspect kept."""
        assert self._texture is not None
        wide, high = self.size_of
        scale = min(self.width / wide, self.height / high)
        w, h = wide * scale, high * scale
        return self.x + (self.width - w) / 2, self.y + (self.height - h) / 2, w, h

    def to_px(self, at: Point) -> Point:
        """The shapes' unit (y down) to the widget's pixels."""
        x, y, w, h = self.box
        return x + at[0] / self.size_of[0] * w, y + h - at[1] / self.size_of[1] * h

    def to_unit(self, at: Point) -> Point:
        """The widget's pixels to the shapes' unit."""
        x, y, w, h = self.box
        return (at[0] - x) / w * self.size_of[0], (y + h - at[1]) / h * self.size_of[1]

    # --- touching ------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        if self._texture is None or self.disabled or not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        touch.grab(self)
        self._path = [self.to_unit(touch.pos)]
        self._draw_glass()
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        self._path.append(self.to_unit(touch.pos))
        self._draw_glass()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        path, self._path = [*self._path, self.to_unit(touch.pos)], []
        self._draw_glass()
        self.dispatch("on_path", tuple(path))
        return True

    # --- drawing -------------------------------------------------------------------------------

    def _draw_all(self, *_: object) -> None:
        self._back.clear()
        with into(self._back):
            rounded(self.pos, self.size, theme.RADIUS, theme.PANEL)
            if self._texture is not None:
                x, y, w, h = self.box
                Color(1, 1, 1, 1)
                Rectangle(texture=self._texture, pos=(x, y), size=(w, h))
        self._draw_over()
        self._draw_glass()

    def _draw_over(self) -> None:
        self._over.clear()
        if self._texture is None:
            return
        with into(self._over):
            for kind in dict.fromkeys(s.kind for s in self._shapes):
                self._draw_kind(kind, [s for s in self._shapes if s.kind == kind])
            for shape in self._shapes:
                if shape.label:
                    self._draw_label(shape)

    def _draw_kind(self, kind: str, shapes: list[Shape]) -> None:
        if kind == "handle":
            Color(*HANDLE)
            for shape in shapes:
                x, y = self.to_px(shape.points[0])
                r = theme.dp(9)
                SmoothLine(circle=(x, y, r), width=theme.dp(2))
                SmoothEllipse(pos=(x - r / 5, y - r / 5), size=(r / 2.5, r / 2.5))
            return
        if kind in FILLS:
            Color(*FILLS[kind])
            for shape in shapes:
                points = [self.to_px(p) for p in shape.points]
                if len(points) > 2:
                    vertices = [v for x, y in points for v in (x, y, 0.0, 0.0)]
                    Mesh(vertices=vertices, indices=list(range(len(points))), mode="triangle_fan")
        Color(*LINES.get(kind, (*FILLS.get(kind, HANDLE)[:3], 1.0)))
        if kind == "cell":
            self._draw_thin(shapes)
            return
        width = theme.dp(1.6)
        for shape in shapes:
            flat = [v for p in shape.points for v in self.to_px(p)]
            Line(points=flat, close=shape.closed, width=width)

    def _draw_thin(self, shapes: list[Shape]) -> None:
        """Hundreds of outlines, one pixel wide, as few instructions."""
        for some in (shapes[i : i + 100] for i in range(0, len(shapes), 100)):
            vertices: list[float] = []
            for shape in some:
                points = [self.to_px(p) for p in shape.points]
                for a, b in zip(points, [*points[1:], points[0]], strict=True):
                    vertices += (*a, 0.0, 0.0, *b, 0.0, 0.0)
            Mesh(vertices=vertices, indices=list(range(len(vertices) // 4)), mode="lines")

    def _draw_label(self, shape: Shape) -> None:
        """A key of the catalogue, or a text as it is after "="."""
        text = shape.label[1:] if shape.label.startswith("=") else t(shape.label)
        label = text_texture(text, round(theme.SIZE_LEAST), theme.ON_BOARD)
        x, y = self.to_px(centroid(shape.points))
        x, y = round(x - label.width / 2), round(y - label.height / 2)
        rounded((x - 2, y), (label.width + 4, label.height), theme.dp(3), (0.05, 0.08, 0.1, 0.7))
        Color(1, 1, 1, 1)
        Rectangle(texture=label, pos=(x, y), size=label.size)

    def _draw_glass(self) -> None:
        """The loupe and the path, while a finger is down."""
        self._glass.clear()
        if not self._path or self._texture is None:
            return
        at = self._path[-1]
        px, py = self.to_px(at)
        side = min(theme.dp(LOUPE_DP), 0.4 * min(self.size))
        half = side / LOUPE_ZOOM / 2
        # on the other side than the finger
        x = self.x if px > self.center_x else self.right - side
        y = self.top - side
        u0, v0 = (self.to_unit((px - half, py + half))[i] / self.size_of[i] for i in (0, 1))
        u1, v1 = (self.to_unit((px + half, py - half))[i] / self.size_of[i] for i in (0, 1))
        with into(self._glass):
            if len(self._path) > 1:
                Color(*HANDLE)
                Line(points=[v for p in self._path for v in self.to_px(p)], width=theme.dp(2))
            Color(1, 1, 1, 1)
            Rectangle(
                texture=self._texture, pos=(x, y), size=(side, side),
                tex_coords=(u0, v1, u1, v1, u1, v0, u0, v0),
            )  # fmt: skip
            Color(*HANDLE)
            Line(rectangle=(x, y, side, side), width=theme.dp(1.5))
            cx, cy, arm = x + side / 2, y + side / 2, theme.dp(10)
            Line(points=[cx - arm, cy, cx + arm, cy], width=1.2)
            Line(points=[cx, cy - arm, cx, cy + arm], width=1.2)
