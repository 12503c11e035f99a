"""The large true drawing of the board as the app believes it, and the drags on it."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
from kivy.clock import Clock
from kivy.graphics import (
    Color,
    InstructionGroup,
    Line,
    Rectangle,
    RoundedRectangle,
    SmoothLine,
)
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.widget import Widget
from numpy.typing import NDArray

from companion_app import theme
from companion_app.games.face import Face
from companion_app.snapshot import Snapshot
from companion_app.widgets import piece_paint as pp
from companion_app.widgets.board_geometry import (
    MARGIN_MM,
    BoardGeometry,
    Place,
    axis_names,
    piece_places,
)
from companion_app.widgets.drawing import into, rounded
from companion_app.widgets.textures import text_texture, texture_of
from engine.board import Board
from engine.geometry import Point
from engine.placement import PieceMove
from engine.verdict import Status

# Painted faces, kept so that screens that are made anew show them at once.  Each keeps its board, so
# that no other gets the same id.
Want = tuple[int, tuple[int, int]]
FACES: dict[Want, tuple[Board, Texture]] = {}
KEPT_FACES = 4


class BoardView(Widget):
    """Shows a snapshot; a drag dispatches ``on_drag(piece, spots)``, a grab ``on_grab(piece)``.
    A tapped piece stays ``selected``; a tap on a cell then moves it there.

    ``face``: the game, set before the board.  ``frozen``: no drags, e.g. after the game is over.
    A piece that is being turned waits on the board as ``ghost``.
    """

    face: Face | None = ObjectProperty(None, allownone=True)

    snapshot: Snapshot | None = ObjectProperty(None, allownone=True)
    board: Board | None = ObjectProperty(None, allownone=True)
    frozen = BooleanProperty(False)
    selected: str | None = StringProperty(None, allownone=True)
    ghost: tuple[str, tuple[str, ...]] | None = ObjectProperty(None, allownone=True)

    __events__ = ("on_drag", "on_ghost_tap", "on_grab", "on_select")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.geometry: BoardGeometry | None = None
        self._face, self._live, self._drag_layer = (InstructionGroup() for _ in range(3))
        for layer in (self._face, self._live, self._drag_layer):
            self.canvas.add(layer)
        self._places: Mapping[str, Place] = {}
        self._grabbed: str | None = None
        self._from: Point = (0, 0)
        self._finger: Point = (0, 0)
        self._wanted: Want | None = None
        self._wanted_board: Board | None = None
        self._texture: Texture | None = None
        self.redraw = Clock.create_trigger(self._redraw_all)
        self.redraw_live = Clock.create_trigger(self._redraw_live)
        self.bind(pos=self.redraw, size=self.redraw, board=self.redraw)
        self.bind(snapshot=self.redraw_live, ghost=self.redraw_live, selected=self.redraw_live)

    def on_drag(self, piece: str, spots: tuple[str, ...]) -> None:
        """A piece was dropped somewhere else."""

    def on_grab(self, piece: str | None) -> None:
        """A piece was taken up; None when it was let go."""

    def on_select(self, piece: str | None) -> None:
        """A piece was tapped, so that its possible moves show; None: not any more."""

    def on_ghost_tap(self) -> None:
        """The piece that waits to be turned was tapped."""

    @staticmethod
    def aspect(board: Board) -> float:
        """Width over height of the drawing with its tray."""
        geometry = BoardGeometry(board, 0, 0, 1000, 1000)
        left, top, right, bottom = geometry.box_mm
        return (right - left) / (bottom - top + geometry.tray_mm)

    @property
    def painted(self) -> bool:
        """Whether the board's face is there, not only the pieces."""
        return self._texture is not None

    # --- drawing -------------------------------------------------------------------------------

    def _redraw_all(self, *_: object) -> None:
        if self.board is None or self.face is None or min(self.size) < 20:
            return
        geometry = BoardGeometry(self.board, self.x, self.y, self.width, self.height)
        self.geometry = geometry
        x, y, w, h = geometry.face
        self._face.clear()
        with into(self._face):
            self._want_face(geometry, (round(w), round(h)))
            tray = geometry.tray_mm * geometry.scale
            rounded((x, y - tray), (w, tray + 20), theme.RADIUS, theme.PANEL)
            Color(*((1, 1, 1, 1) if self._texture is not None else theme.RAISED))
            RoundedRectangle(
                texture=self._texture, pos=(round(x), round(y)), size=(round(w), round(h)),
                radius=[theme.RADIUS],
            )  # fmt: skip
            self._names(geometry)
        self._redraw_live()

    def _want_face(self, geometry: BoardGeometry, size: tuple[int, int]) -> None:
        """Paints the face anew on a thread of its own; an older one of this board is stretched
        meanwhile."""
        board = geometry.board
        key = (id(board), size)
        if self._wanted == key:
            return
        if board is not self._wanted_board:
            self._texture = None
        self._wanted, self._wanted_board = key, board
        if key in FACES:
            self._texture = FACES[key][1]
            return

        def paint() -> None:
            assert self.face is not None
            pixels = self.face.art.board(board, geometry.box_mm, geometry.scale)
            Clock.schedule_once(lambda _: self._face_painted(key, board, pixels))

        threading.Thread(target=paint, name="board picture", daemon=True).start()

    def _face_painted(self, key: Want, board: Board, pixels: NDArray[np.uint8]) -> None:
        if key == self._wanted:
            while len(FACES) >= KEPT_FACES:
                FACES.pop(next(iter(FACES)))
            self._texture = texture_of(pixels)
            self._texture.mag_filter = self._texture.min_filter = "nearest"  # pixel on pixel
            FACES[key] = board, self._texture
            self.redraw()

    def _names(self, geometry: BoardGeometry) -> None:
        size = max(9, round(geometry.cell_px * 0.44))
        for value in geometry.board.track:
            xs, ys = zip(*geometry.polygon_px(f"track/{value}"), strict=True)
            texture = text_texture(str(value), size, theme.INK)
            Color(1, 1, 1, 0.85)
            Rectangle(
                texture=texture, size=texture.size,
                pos=(round(min(xs) + 2), round((min(ys) + max(ys) - texture.height) / 2)),
            )  # fmt: skip

        letters, numbers = axis_names(geometry.board)
        x0, y0, _, _ = geometry.face
        margin = MARGIN_MM * geometry.scale / 2
        size = max(9, round(geometry.cell_px * 0.4))
        for name, at_mm in letters.items():
            self._axis(name, geometry.to_px((at_mm, 0.0))[0], y0 + margin, size)
        for name, at_mm in numbers.items():
            self._axis(name, x0 + margin, geometry.to_px((0.0, at_mm))[1], size)

    @staticmethod
    def _axis(name: str, x: float, y: float, size: int) -> None:
        texture = text_texture(name, size, theme.ON_BOARD, False)
        Color(1, 1, 1, 1)
        at = (round(x - texture.width / 2), round(y - texture.height / 2))
        Rectangle(texture=texture, pos=at, size=texture.size)

    def _redraw_live(self, *_: object) -> None:
        geometry, snapshot = self.geometry, self.snapshot
        if geometry is None or snapshot is None:
            return
        self._live.clear()
        with into(self._live):
            for cell in self._refused(geometry, snapshot)[-1:]:
                pp.draw_tint(geometry.polygon_px(cell), theme.BOARD_BAD)
            for cell in self._asked(geometry, snapshot):
                pp.draw_tint(geometry.polygon_px(cell), theme.ACCENT)
            self._last_move(geometry, snapshot)
            self._pieces(geometry, snapshot)
            self._open(geometry, snapshot)
        self._redraw_drag()

    def _last_move(self, geometry: BoardGeometry, snapshot: Snapshot) -> None:
        for move in snapshot.last_move:
            for spot in (*move.origin, *move.to):
                if spot in geometry.board.spots:
                    Color(*theme.ACCENT[:3], 0.5)
                    points = [v for p in geometry.polygon_px(spot) for v in p]
                    Line(points=points, close=True, width=theme.dp(1.6), joint="miter")
            ends = self._ends(geometry, move)
            if ends:
                pp.draw_arrow(*ends, theme.ACCENT, max(3.0, geometry.cell_px * 0.13))

    def _pieces(self, geometry: BoardGeometry, snapshot: Snapshot) -> None:
        assert self.face is not None
        art = self.face.art
        self._places = piece_places(geometry, snapshot.placement, art)
        away = {m.piece for m in self._elsewhere(snapshot)}
        hidden = self.ghost[0] if self.ghost else self._grabbed
        shown = sorted(
            ((i, s) for i, s in snapshot.placement if i.id in self._places),
            key=lambda e: (art.look(e[0].kind).layer, -self._places[e[0].id].at[1]),
        )
        for info, spots in shown:
            alpha = 0.35 if info.id in away or info.id == hidden else 1.0
            if art.look(info.kind).spread:
                pp.draw_spread(self.face, info.kind, spots, geometry, alpha=alpha)
                continue
            place = self._places[info.id]
            size = round(pp.size_px(self.face, info.kind, geometry) * place.share)
            pp.draw_piece(self.face, info, place.at, size, alpha)

    def _open(self, geometry: BoardGeometry, snapshot: Snapshot) -> None:
        sentence, width = snapshot.sentence, max(theme.dp(3), geometry.cell_px * 0.1)
        refused = self._refused(geometry, snapshot)
        for cell in refused[-1:]:
            pp.draw_frame(geometry.polygon_px(cell), theme.BOARD_BAD, width)
        for move in sentence.way_back if sentence is not None else ():
            ends = self._ends(geometry, move)
            if ends:
                pp.draw_arrow(*ends, theme.PAPER, width * 1.2, dashed=True)
        for move in self._elsewhere(snapshot):
            self._difference(geometry, snapshot, move)
        for cell in refused[-1:]:
            pp.draw_stop(geometry.polygon_px(cell), geometry.cell_px)
        for cell in self._asked(geometry, snapshot):
            pp.draw_frame(geometry.polygon_px(cell), theme.ACCENT, width)

    @staticmethod
    def _refused(geometry: BoardGeometry, snapshot: Snapshot) -> tuple[str, ...]:
        """The cells of a refusal, the one that counts last."""
        sentence = snapshot.sentence
        if sentence is None or sentence.status is not Status.ILLEGAL:
            return ()
        return tuple(c for c in sentence.cells if c in geometry.board.spots)

    @staticmethod
    def _asked(geometry: BoardGeometry, snapshot: Snapshot) -> tuple[str, ...]:
        question = snapshot.question
        cells = question.cells if question is not None else ()
        return tuple(c for c in cells if c in geometry.board.spots)

    @staticmethod
    def _elsewhere(snapshot: Snapshot) -> tuple[PieceMove, ...]:
        """What the table shows elsewhere than the app believes."""
        sentence = snapshot.sentence
        asked = sentence.differences if sentence is not None else ()
        known = {m.piece for m in asked}
        moves = (*asked, *(m for m in snapshot.differences if m.piece not in known))
        believed = snapshot.placement.pieces
        return tuple(m for m in moves if set(believed.get(m.piece, ())) != set(m.to))

    def _difference(self, geometry: BoardGeometry, snapshot: Snapshot, move: PieceMove) -> None:
        info = snapshot.placement.infos.get(move.piece)
        known = [s for s in move.to if s in geometry.board.spots]
        if info is None or not known or self.face is None:
            return
        if self.face.art.look(info.kind).spread:
            pp.draw_spread(self.face, info.kind, known, geometry, alpha=0.75)
            return
        at = geometry.centre_px(known[0])
        size = pp.size_px(self.face, info.kind, geometry)
        Color(*theme.BOARD_WAIT)
        SmoothLine(circle=(*at, size * 0.56), width=theme.dp(1.6))
        pp.draw_piece(self.face, info, at, size)

    def _ends(self, geometry: BoardGeometry, move: PieceMove) -> tuple[Point, Point] | None:
        def middle(spots: tuple[str, ...]) -> Point | None:
            known = [s for s in spots if s in geometry.board.spots]
            if not known:
                return None
            return geometry.centre_px(geometry.corner(known) if len(known) > 1 else known[0])

        start, end = middle(move.origin), middle(move.to)
        return (start, end) if start is not None and end is not None else None

    # --- drags ---------------------------------------------------------------------------------

    def _piece_near(self, point: Point) -> str | None:
        if self.snapshot is None or self.geometry is None or self.face is None:
            return None
        spot = self.geometry.spot_at(point)
        reach = max(theme.TOUCH / 2, self.geometry.cell_px * 0.8)
        best: tuple[float, str] | None = None
        for piece, place in self._places.items():
            kind = piece.partition("/")[0]
            if not self.face.art.look(kind).drags:
                continue
            if self.face.art.look(kind).spread:
                on = spot in self.snapshot.placement.pieces.get(piece, ())
                distance = self.geometry.cell_px * 0.5 if on else math.inf
            else:
                distance = math.dist(point, place.at)
            if distance <= reach and (best is None or distance < best[0]):
                best = (distance, piece)
        return best[1] if best else None

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or self.frozen or touch.is_mouse_scrolling:
            return super().on_touch_down(touch)
        if self.ghost is not None and self.geometry is not None:
            if self.geometry.spot_at(touch.pos) in self.ghost[1]:
                self.dispatch("on_ghost_tap")
            return True
        if self._lands(touch.pos):
            return True
        piece = self._piece_near(touch.pos)
        if piece is None:
            self._select(None)
            return False
        touch.grab(self)
        self._grabbed, self._from, self._finger = piece, touch.pos, touch.pos
        self.dispatch("on_grab", piece)
        self.redraw_live()
        return True

    def _lands(self, point: Point) -> bool:
        """A tap on a cell that the selected piece can reach moves it there."""
        piece, snapshot = self.selected, self.snapshot
        hints = snapshot.hints if snapshot is not None else None
        if piece is None or hints is None or hints.piece != piece or self.geometry is None:
            return False
        spot = self.geometry.spot_at(point)
        if spot is None or spot not in hints.cells:
            return False
        self._select(None)
        self.dispatch("on_drag", piece, (spot,))
        return True

    def _select(self, piece: str | None) -> None:
        if piece != self.selected:
            self.selected = piece
            self.dispatch("on_select", piece)

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or self._grabbed is None:
            return super().on_touch_move(touch)
        self._finger = touch.pos
        self._redraw_drag()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self or self._grabbed is None:
            return super().on_touch_up(touch)
        touch.ungrab(self)
        piece, self._grabbed = self._grabbed, None
        self._finger = touch.pos
        spots = self._target(piece)
        if spots is not None:
            self._select(None)
            self.dispatch("on_drag", piece, spots)
        else:
            self._select(None if self._moved() or self.selected == piece else piece)
            if self.selected != piece:
                self.dispatch("on_grab", None)
        self.redraw_live()
        return True

    def _moved(self) -> bool:
        """Whether the finger has gone far enough for a drag."""
        cell = self.geometry.cell_px if self.geometry is not None else 0.0
        return math.dist(self._from, self._finger) >= cell * 0.35

    def _target(self, piece: str) -> tuple[str, ...] | None:
        """Where a drop would put the piece; None for nowhere (no drag)."""
        geometry, snapshot = self.geometry, self.snapshot
        if geometry is None or snapshot is None or self.face is None:
            return None
        if not self._moved():
            return None
        kind = piece.partition("/")[0]
        if self.face.art.look(kind).spread:
            return (
                geometry.moved(snapshot.placement.pieces[piece], self._from, self._finger) or None
            )
        spot = geometry.spot_at(self._finger)
        if spot is not None:
            return (spot,) if self.face.may_drop(kind, spot) else None
        return () if geometry.in_tray(self._finger) and self.face.may_drop(kind, None) else None

    def _redraw_drag(self) -> None:
        self._drag_layer.clear()
        geometry, snapshot = self.geometry, self.snapshot
        if geometry is None or snapshot is None or self.face is None:
            return
        with into(self._drag_layer):
            wanted, hints = (self._grabbed, self.selected), snapshot.hints
            if hints is not None and (hints.shown or hints.piece in wanted):
                for cell in hints.cells:
                    pp.draw_dot(geometry.centre_px(cell), geometry.cell_px * 0.16, theme.BOARD_GOOD)
            if self.ghost is not None:
                kind = self.ghost[0].partition("/")[0]
                pp.draw_spread(self.face, kind, self.ghost[1], geometry, alpha=0.9)
                for spot in self.ghost[1]:
                    pp.draw_frame(geometry.polygon_px(spot), theme.ACCENT, theme.dp(2))
            if self._grabbed is not None:
                self._carried(geometry, snapshot, self._grabbed)

    def _carried(self, geometry: BoardGeometry, snapshot: Snapshot, piece: str) -> None:
        assert self.face is not None
        info = snapshot.placement.infos[piece]
        target = self._target(piece)
        for spot in target or ():
            pp.draw_tint(geometry.polygon_px(spot), theme.ACCENT)
            pp.draw_frame(geometry.polygon_px(spot), theme.ACCENT, theme.dp(3))
        if self.face.art.look(info.kind).spread:
            shift = (self._finger[0] - self._from[0], self._finger[1] - self._from[1])
            lying = snapshot.placement.pieces[piece]
            pp.draw_spread(self.face, info.kind, lying, geometry, shift, 0.8)
            return
        size = round(pp.size_px(self.face, info.kind, geometry) * 1.5)
        at = (self._finger[0], self._finger[1] + size * 0.35)
        pp.draw_piece(self.face, info, at, size)
        if target:
            label = text_texture(
                target[0].removeprefix("track/"), round(theme.SIZE_BODY), theme.INK
            )
            w, h = label.width + theme.dp(18), label.height + theme.dp(6)
            x = min(max(self.x, at[0] - w / 2), self.right - w)
            y = min(at[1] + size * 0.6, self.top - h)
            rounded((x, y), (w, h), theme.dp(8), theme.ACCENT)
            Color(1, 1, 1, 1)
            Rectangle(texture=label, pos=(x + theme.dp(9), y + theme.dp(3)), size=label.size)
