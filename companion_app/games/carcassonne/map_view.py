"""The growing map as the app believes it: moved and enlarged by fingers, tapped to place."""

from __future__ import annotations

import math
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.stencilview import StencilView

from companion_app import theme
from companion_app.games.carcassonne import map_paint
from companion_app.games.carcassonne.map_geometry import MapGeometry, side_by_side
from companion_app.games.carcassonne.table import MEEPLE, CarcassonneTable
from companion_app.games.face import Face
from companion_app.snapshot import Snapshot
from companion_app.widgets.board_geometry import Place
from companion_app.widgets.drawing import into
from engine.board import Board
from engine.carcassonne.drags import SIZES, kind_of
from engine.carcassonne.faces import Pos, cell
from engine.carcassonne.placement import TILE, pos_of
from engine.carcassonne.setup import FIGURES, SMALL
from engine.geometry import Point

SLACK = 14.0  # dp that a finger may slide in a tap
WHEEL = 1.15
BUTTONS = ("in", "out", "all")


class TileMapView(StencilView):
    """Does for Carcassonne what ``widgets.board_view.BoardView`` does for printed boards, with the
    same properties and events.

    A piece of the panel that is ``selected`` goes where the map is tapped next; a tile waits there
    as ``ghost`` until it lies right.  ``pointed``: places that are to be shown, or the empty one
    that was tapped.  One finger moves the map, two enlarge it.
    """

    face: Face | None = ObjectProperty(None, allownone=True)
    snapshot: Snapshot | None = ObjectProperty(None, allownone=True)
    board: Board | None = ObjectProperty(None, allownone=True)
    frozen = BooleanProperty(False)
    selected: str | None = StringProperty(None, allownone=True)
    ghost: tuple[str, tuple[str, ...]] | None = ObjectProperty(None, allownone=True)
    pointed: frozenset[Pos] = ObjectProperty(frozenset())

    __events__ = ("on_drag", "on_ghost_tap", "on_grab", "on_select")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.geometry: MapGeometry | None = None
        self._tiles, self._live = InstructionGroup(), InstructionGroup()
        self.canvas.add(self._tiles)
        self.canvas.add(self._live)
        self._places: dict[str, Place] = {}
        self._touches: dict[int, tuple[Point, Point]] = {}  # per finger: where it began, and is
        self._slid = False
        self._carried: str | None = None
        self._by_hand = False  # moved or enlarged by hand: the map is not fitted any more
        self._offered: object = None
        self.redraw = Clock.create_trigger(self._redraw_all, -1)
        self.bind(pos=self.redraw, size=self.redraw, board=self.redraw, face=self.redraw)
        for name in ("ghost", "selected", "pointed"):
            self.fbind(name, self.redraw)
        self.bind(snapshot=self._new_snapshot)

    @staticmethod
    def aspect(board: Board) -> float:
        """See ``BoardView``: a map may have any form."""
        return 1.15

    def on_drag(self, piece: str, spots: tuple[str, ...]) -> None:
        """A piece goes somewhere."""

    def on_grab(self, piece: str | None) -> None:
        """A piece was taken up; None when it was let go."""

    def on_select(self, piece: str | None) -> None:
        """A piece waits to be placed, so that its possible places show; None: not any more."""

    def on_ghost_tap(self) -> None:
        """The tile that waits to be turned was tapped."""

    @property
    def painted(self) -> bool:
        """Whether the map is there."""
        return self.geometry is not None

    @property
    def sliding(self) -> bool:
        """Whether a finger has moved too far for a tap."""
        return self._slid

    @property
    def table(self) -> CarcassonneTable | None:
        """What lies around the map."""
        return None if self.snapshot is None else self.snapshot.table.detail

    # --- what waits to be placed ------------------------------------------------------------------

    def hold(self, piece: str | None) -> None:
        """From now on a tap on the map places this piece; None: nothing."""
        self.ghost = None
        if piece != self.selected:
            self.selected = piece
            self.dispatch("on_select", piece)

    def _new_snapshot(self, *_: object) -> None:
        table = self.table
        if table is None:
            return
        if self.selected is not None and not self._still_due(table, self.selected):
            self.hold(None)
        offer = (table.placed, table.phase, table.to_act)
        if offer != self._offered and not self.frozen:
            self._offered = offer
            self.pointed = frozenset()
            if table.phase == MEEPLE and self.selected is None:
                self.hold(table.in_hand(SMALL))
        self.redraw()

    def _still_due(self, table: CarcassonneTable, piece: str) -> bool:
        """Whether a piece that was held can still be placed in this turn."""
        if kind_of(piece) == "tile":
            return table.placed is None and table.to_act is not None
        if piece in FIGURES:
            return bool(table.state.turn.duty)
        return table.phase == MEEPLE and piece.split("/")[1] == table.to_act

    # --- drawing ----------------------------------------------------------------------------------

    def _redraw_all(self, *_: object) -> None:
        if self.snapshot is None or self.face is None or min(self.size) < 20:
            return
        geometry = self.geometry = self._geometry()
        self._places = self._where(geometry)
        for group in (self._tiles, self._live):
            group.clear()
        with into(self._tiles):
            map_paint.ground(self)
            map_paint.tiles(geometry, self.snapshot, self.redraw)
        with into(self._live):
            map_paint.places(geometry, self)
            map_paint.last_move(geometry, self.snapshot)
            map_paint.figures(geometry, self, self._places)
            map_paint.open_things(geometry, self)
            map_paint.carried(geometry, self, self._carried, self._finger())
            map_paint.axes(geometry, self)
            map_paint.buttons(self)

    def _geometry(self) -> MapGeometry:
        table, old = self.table, self.geometry
        assert table is not None
        placed = table.state.map.placed
        faces = {pos: p.face for pos, p in placed.items()}
        now = MapGeometry(self.x, self.y, self.width, self.height, faces=faces, turns=self._turns())
        if old is not None and self._by_hand:
            return now.at(old.centre, old.cell_px)
        return now.fitted(placed, theme.TOUCH + 2 * theme.GAP)

    def _turns(self) -> dict[Pos, tuple[int, ...]]:
        """The turns in which the selected tile goes to each place."""
        turns: dict[Pos, tuple[int, ...]] = {}
        for spot in self.hints():
            if "@" in spot:
                pos = pos_of(spot)
                turns[pos] = tuple(sorted((*turns.get(pos, ()), int(spot.partition("@")[2]))))
        return turns

    def hints(self) -> frozenset[str]:
        """Where the selected piece can go."""
        hints = None if self.snapshot is None else self.snapshot.hints
        known = hints is not None and self.selected is not None and hints.piece == self.selected
        return hints.cells if known and hints is not None else frozenset()

    def _where(self, geometry: MapGeometry) -> dict[str, Place]:
        """Where every figure is drawn."""
        assert self.snapshot is not None
        shared: dict[str, list[str]] = {}
        for info, spots in self.snapshot.placement:
            if spots and not info.kind.startswith(TILE):
                shared.setdefault(spots[0], []).append(info.id)
        places: dict[str, Place] = {}
        for spot, pieces in shared.items():
            points = side_by_side(geometry.centre_px(spot), len(pieces), geometry.cell_px)
            places |= {p: Place(at) for p, at in zip(sorted(pieces), points, strict=True)}
        return places

    def _finger(self) -> Point:
        return next((now for _, now in self._touches.values()), (0.0, 0.0))

    # --- fingers ----------------------------------------------------------------------------------

    def button_at(self, point: Point) -> str | None:
        """The button of the map under a finger: "in", "out" or "all"."""
        for name in BUTTONS:
            x, y, side = self.button_box(name)
            if x <= point[0] <= x + side and y <= point[1] <= y + side:
                return name
        return None

    def button_box(self, name: str) -> tuple[float, float, float]:
        """Lower left corner and side of a button of the map."""
        side, gap = theme.TOUCH, theme.GAP
        row = BUTTONS.index(name)
        return self.right - side - gap, self.top - (row + 1) * (side + gap), side

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or self.geometry is None:
            return bool(super().on_touch_down(touch))
        if touch.is_mouse_scrolling:
            # Kivy calls the wheel's turn towards oneself "scrollup".
            self._zoom(WHEEL if touch.button == "scrolldown" else 1 / WHEEL, touch.pos)
            return True
        name = self.button_at(touch.pos)
        if name is not None:
            self._press(name)
            return True
        touch.grab(self)
        if not self._touches:
            self._slid = False
            self._carried = None if self.frozen else self._piece_near(touch.pos)
        else:
            self._slid, self._carried = True, None
        self._touches[touch.uid] = (touch.pos, touch.pos)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or touch.uid not in self._touches:
            return bool(super().on_touch_move(touch))
        start, before = self._touches[touch.uid]
        far = math.dist(start, touch.pos) > theme.dp(SLACK)
        if not self._slid and not far:
            return True
        self._slid = True
        if self._carried is None:
            self._move_map(touch.uid, before, touch.pos)
        self._touches[touch.uid] = (start, touch.pos)
        self.redraw()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self or touch.uid not in self._touches:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        del self._touches[touch.uid]
        piece, self._carried = self._carried, None
        if piece is not None and self._slid:
            self._drop(piece, touch.pos)
        elif not self._slid and not self.frozen:
            self._tap(touch.pos)
        self.redraw()
        return True

    def _move_map(self, uid: int, before: Point, now: Point) -> None:
        geometry = self.geometry
        assert geometry is not None
        others = [at for other, (_, at) in self._touches.items() if other != uid]
        self._by_hand = True
        if others:
            # Two fingers: the map follows both, larger as they part.
            fixed = others[0]
            factor = math.dist(now, fixed) / max(1.0, math.dist(before, fixed))
            self.geometry = geometry.zoomed(factor, fixed)
            return
        (x0, y0), (x1, y1) = geometry.to_map(before), geometry.to_map(now)
        centre = (geometry.centre[0] + x0 - x1, geometry.centre[1] + y0 - y1)
        self.geometry = geometry.at(centre, geometry.cell_px)

    def _zoom(self, factor: float, around: Point) -> None:
        assert self.geometry is not None
        self._by_hand = True
        self.geometry = self.geometry.zoomed(factor, around)
        self.redraw()

    def _press(self, name: str) -> None:
        if name == "all":
            self._by_hand = False
            self.redraw()
        else:
            self._zoom(1.3 if name == "in" else 1 / 1.3, self.center)

    def _piece_near(self, point: Point) -> str | None:
        assert self.geometry is not None
        reach = max(theme.TOUCH / 2, self.geometry.cell_px * 0.2)
        near = [(math.dist(point, place.at), piece) for piece, place in self._places.items()]
        best = min(near, default=(math.inf, ""))
        return best[1] if best[0] <= reach else None

    def _drop(self, piece: str, point: Point) -> None:
        """A figure of the map was dragged to a feature, or off the map."""
        assert self.geometry is not None
        spot = self.geometry.spot_at(point)
        self.dispatch("on_drag", piece, () if spot is None else (spot,))

    def _tap(self, point: Point) -> None:
        geometry, table, piece = self.geometry, self.table, self.selected
        if geometry is None or table is None:
            return
        pos = geometry.pos_at(point)
        if self.ghost is not None and pos == pos_of(self.ghost[1][0]):
            self.dispatch("on_ghost_tap")
        elif pos in table.state.map.frontier:
            self._tap_place(pos)
        elif piece is not None and (kind_of(piece) in SIZES or piece in FIGURES):
            spot = self._meant(point)
            if spot is not None:
                self.dispatch("on_drag", piece, (spot,))

    def _tap_place(self, pos: Pos) -> None:
        """An empty place: the selected tile waits there; without one the panel says what fits."""
        assert self.geometry is not None
        piece = self.selected
        if piece is None or kind_of(piece) != "tile":
            self.pointed = frozenset() if pos in self.pointed else frozenset({pos})
            return
        turns = self.geometry.turns.get(pos, (0,))
        self.ghost = (piece, (f"{cell(pos)}@{turns[0]}",))

    def _meant(self, point: Point) -> str | None:
        """The feature that a tap means: a possible one near the finger, else the one under it."""
        assert self.geometry is not None
        geometry = self.geometry
        near = [(math.dist(point, geometry.centre_px(s)), s) for s in self.hints()]
        far, spot = min(near, default=(math.inf, ""))
        if far <= max(theme.TOUCH / 2, geometry.cell_px * 0.16):
            return spot
        return geometry.spot_at(point)
