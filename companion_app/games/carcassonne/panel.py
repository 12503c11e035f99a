"""Beside the map: the tiles that are left, what may be placed now, and what is open and its worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Rectangle, SmoothLine
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.scrollview import ScrollView

from companion_app import theme
from companion_app.games.carcassonne.table import (
    DUTY,
    LEAVE,
    MEEPLE,
    PLACE,
    CarcassonneTable,
)
from companion_app.games.carcassonne.tile_textures import TEXTURES
from companion_app.games.face import TableView
from companion_app.texts import show, t
from companion_app.widgets.basics import Fit, Segments
from companion_app.widgets.drawing import Drawn, bordered, rounded
from companion_app.widgets.rows import Row, RowList
from companion_app.widgets.textures import piece_texture
from engine.board import Board
from engine.carcassonne.faces import Pos
from engine.carcassonne.placement import MEEPLE_KINDS, TILE
from engine.carcassonne.queries import OpenFeature, drawable, tiles_here
from engine.carcassonne.setup import FIGURES
from engine.referee.explain import joined

TILES, PIECES, OPEN = "tiles", "pieces", "open"
Entry = tuple[str, int, bool]  # kind of tile, how many are left, whether it fits anywhere


class TileCells(ButtonBehavior, Drawn):
    """The kinds of tiles that are left with their numbers; dispatches ``on_pick(tile, fits)``.

    ``chosen``: the kind that waits to be placed; ``marked``: those that fit the tapped place.
    """

    DRAWS = ("entries", "chosen", "marked", "side")

    entries: tuple[Entry, ...] = ObjectProperty(())
    chosen = StringProperty("")
    marked: frozenset[str] = ObjectProperty(frozenset())
    side = NumericProperty(1.0)

    __events__ = ("on_pick",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, **kwargs)
        self.bind(width=self._arrange, entries=self._arrange)

    def on_pick(self, tile: str, fits: bool) -> None:
        """A kind of tile was tapped."""

    @property
    def columns(self) -> int:
        """How many stand side by side: each as large as a finger, or larger."""
        return max(1, int(self.width / theme.TOUCH))

    def _arrange(self, *_: object) -> None:
        self.side = self.width / self.columns
        self.height = -(-max(1, len(self.entries)) // self.columns) * self.side

    def box(self, index: int) -> tuple[float, float]:
        """Lower left corner of an entry."""
        row, column = divmod(index, self.columns)
        return self.x + column * self.side, self.top - (row + 1) * self.side

    def draw(self) -> None:
        """See ``Drawn``."""
        for index, entry in enumerate(self.entries):
            self._entry(entry, self.box(index))

    def _entry(self, entry: Entry, corner: tuple[float, float]) -> None:
        tile, count, fits = entry
        pad = theme.dp(4)
        (x, y), side = corner, self.side - 2 * pad
        if tile == self.chosen or tile in self.marked:
            colour = theme.GOOD if tile == self.chosen else theme.ACCENT
            rounded((x + 1, y + 1), (self.side - 2, self.side - 2), pad, colour)
        x, y = x + pad, y + pad
        texture = TEXTURES.get(tile, side, self.redraw)
        shade = 1.0 if fits and (not self.marked or tile in self.marked) else 0.45
        Color(*((shade, shade, shade, 1) if texture is not None else theme.RAISED))
        Rectangle(pos=(x, y), size=(side, side), texture=texture)
        if not fits:
            Color(*theme.BAD)
            SmoothLine(points=[x, y, x + side, y + side], width=theme.dp(1.6))
        if count > 1:
            w = theme.dp(20)
            colour = (*theme.BACKGROUND[:3], 0.85)
            rounded((x + side - w, y), (w, w), theme.dp(4), colour)
            box = (x + side - w, y, w, w)
            self.write(str(count), box, theme.SIZE_LEAST, theme.TEXT, align="center")

    def on_release(self) -> None:
        """The entry under the finger."""
        if self.last_touch is None:
            return
        column = int((self.last_touch.x - self.x) / self.side)
        row = int((self.top - self.last_touch.y) / self.side)
        index = row * self.columns + column
        if 0 <= column < self.columns and 0 <= index < len(self.entries):
            tile, _, fits = self.entries[index]
            self.dispatch("on_pick", tile, fits)


class PieceButton(ButtonBehavior, Drawn):
    """A piece that may be placed now."""

    DRAWS = ("kind", "colour", "text", "chosen", "state")

    kind = StringProperty("")
    colour: str | None = StringProperty(None, allownone=True)
    text = StringProperty("")
    chosen = BooleanProperty(False)

    def draw(self) -> None:
        """See ``Drawn``."""
        if min(self.size) < theme.dp(30):
            return
        fill = theme.PRESSED if self.state == "down" else theme.RAISED
        bordered(
            self.pos, self.size, theme.RADIUS, fill, theme.GOOD if self.chosen else theme.LINE,
            theme.dp(3),
        )  # fmt: skip
        side = round(min(self.height * 0.6, self.width * 0.5))
        Color(1, 1, 1, 1)
        texture = piece_texture("carcassonne", self.kind, self.colour, side)
        at = (round(self.center_x - side / 2), round(self.y + self.height * 0.34))
        Rectangle(texture=texture, pos=at, size=(side, side))
        box = (
            self.x + theme.dp(6),
            self.y + theme.dp(4),
            self.width - theme.dp(12),
            self.height * 0.3,
        )
        self.write(self.text, box, theme.SIZE_SMALL, theme.TEXT, align="center", lines=2)


class CarcassonnePanel(BoxLayout):
    """Tabs; dispatches ``on_act``.  What it picks is held by the map (``link``)."""

    ROWS = 5.0

    __events__ = ("on_act",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=theme.dp(6), **kwargs)
        self.view: Any = None
        self.tabs = Segments(size_hint_y=None, height=theme.TOUCH, spacing=theme.dp(6))
        self.tabs.bind(value=self._fill)
        self.add_widget(self.tabs)
        self.body = BoxLayout()
        self.add_widget(self.body)
        self.cells = TileCells()
        self.cells.bind(on_pick=lambda _, tile, fits: self._pick(tile, fits))
        self.grid = ScrollView(do_scroll_x=False, bar_width=theme.dp(5))
        self.grid.add_widget(self.cells)
        self.pieces = BoxLayout(spacing=theme.GAP)
        self.rows = RowList()
        self._table: CarcassonneTable | None = None
        self._phase = ""
        self._asked = False  # whether ending the game waits for its second tap

    def on_act(self, do: str, args: dict[str, Any]) -> None:
        """Something was decided here."""

    def link(self, view: Any) -> None:
        """The map that holds what is picked here."""
        self.view = view
        view.bind(selected=self._mark, pointed=self._mark)

    def key(self, key: str) -> bool:
        """No keys."""
        return False

    def reset(self) -> None:
        """Nothing is half done here."""

    def show(self, table: TableView, board: Board) -> None:
        """The table as it is now."""
        detail: CarcassonneTable = table.detail
        self._table = detail
        self._asked = False
        tabs = [TILES, OPEN] if detail.phase == PLACE else [PIECES, TILES, OPEN]
        options = [(tab, t(f"tab.{tab}", n=detail.tiles_left)) for tab in tabs]
        if options != self.tabs.options:
            self.tabs.options = options
        fresh, self._phase = detail.phase != self._phase, detail.phase
        if fresh or self.tabs.value not in tabs:
            self.tabs.value = tabs[0]
        fits = drawable(detail.state)
        # A magic or cathedral tile beside those of its form: by the edges' letters.
        kinds = sorted(fits, key=lambda tile: (tile.partition("/")[2], tile))
        self.cells.entries = tuple((k, detail.deck[k], fits[k]) for k in kinds)
        self._fill()

    # --- filling ----------------------------------------------------------------------------------

    def _fill(self, *_: object) -> None:
        if self._table is None:
            return
        parts: dict[str, tuple[Any, Callable[[CarcassonneTable], None]]] = {
            TILES: (self.grid, lambda _: None),
            PIECES: (self.pieces, self._fill_pieces),
            OPEN: (self.rows, self._fill_rows),
        }
        part, fill = parts[self.tabs.value or TILES]
        fill(self._table)
        if part.parent is not self.body:
            self.body.clear_widgets()
            self.body.add_widget(part)
        self._mark()

    def _fill_pieces(self, table: CarcassonneTable) -> None:
        self.pieces.clear_widgets()
        if table.phase == DUTY:
            out = table.figures_out
            for who in FIGURES:
                text = t(f"pick.{'move' if who in out else 'place'}.{who}")
                self._piece(who, who, None, text)
        elif table.phase == MEEPLE:
            hand = table.state.hands[table.state.to_move]
            for size, kind in MEEPLE_KINDS.items():
                piece = table.in_hand(size)
                if piece is not None:
                    self._piece(piece, kind, table.to_act, t(f"pick.{kind}", n=hand[size]))
        if not self.pieces.children:
            self.pieces.add_widget(Fit(text=t(f"pick.none.{table.phase}"), halign="center"))

    def _piece(self, piece: str, kind: str, colour: str | None, text: str) -> None:
        button = PieceButton(kind=kind, colour=colour, text=text)
        button.piece = piece
        button.bind(on_release=lambda _: self._hold(piece))
        self.pieces.add_widget(button)

    def _fill_rows(self, table: CarcassonneTable) -> None:
        names = {p.colour: p.name for p in table.header.players}
        now = ", ".join(f"{names[c]} {n}" for c, n in table.if_ended_now.items())
        rows = [Row(text=t("open.now", scores=now), chosen=True)]
        rows += [self._row(feature, names) for feature in table.open_features]
        if len(rows) == 1:
            rows.append(Row(text=t("open.none")))
        if table.phase not in (DUTY, LEAVE):
            rows.append(self._finish(table))
        self.rows.fill(rows)

    def _finish(self, table: CarcassonneTable) -> Row:
        """Ends the game by agreement; the second tap does it."""
        left = t("open.finish_left", n=table.tiles_left) if table.tiles_left else ""
        text = t("open.finish_sure" if self._asked else "open.finish")
        row = Row(text=text, detail=left, taps=True, chosen=self._asked)
        row.bind(on_release=lambda _: self._finish_tapped())
        return row

    def _finish_tapped(self) -> None:
        asked, self._asked = self._asked, not self._asked
        if asked:
            self.dispatch("on_act", "finish", {})
        else:
            self._fill()

    def _row(self, feature: OpenFeature, names: dict[str, str]) -> Row:
        owners = ", ".join(names[c] for c in feature.owners) or t("open.nobody")
        kind = t(f"open.{feature.kind.value.lower()}")
        row = Row(
            text=show(joined(feature.worth.reasons)), detail=f"{kind} · {owners}",
            right_text=str(feature.worth.points), taps=True,
            player=feature.owners[0] if len(feature.owners) == 1 else "",
        )  # fmt: skip
        row.bind(on_release=lambda _: self._point(feature))
        return row

    def _mark(self, *_: object) -> None:
        """What is held by the map, and what fits the place that was tapped there."""
        if self.view is None or self._table is None:
            return
        held, state = self.view.selected or "", self._table.state
        self.cells.chosen = held.removeprefix(TILE).rpartition("/")[0] if TILE in held else ""
        empty = [pos for pos in self.view.pointed if pos in state.map.frontier]
        self.cells.marked = frozenset(tile for pos in empty for tile in tiles_here(state, pos))
        for button in self.pieces.children:
            if isinstance(button, PieceButton):
                button.chosen = button.piece == held

    # --- taps -------------------------------------------------------------------------------------

    def _hold(self, piece: str) -> None:
        if self.view is not None:
            self.view.hold(None if self.view.selected == piece else piece)

    def _pick(self, tile: str, fits: bool) -> None:
        """A kind was drawn: it waits for its place, or goes aside for good (C-2)."""
        table = self._table
        if table is None or table.phase != PLACE or self.view is None:
            return
        if not fits:
            self.dispatch("on_act", "unplaceable", {"tile": tile})
            return
        placement = self.view.snapshot.placement.pieces
        self._hold(
            next(p for p, at in placement.items() if p.startswith(f"{TILE}{tile}/") and not at)
        )

    def _point(self, feature: OpenFeature) -> None:
        """Shows a feature on the map, or not any more."""
        places = frozenset(_pos(name) for name in feature.cells)
        if self.view is not None:
            self.view.pointed = frozenset() if self.view.pointed == places else places


def _pos(name: str) -> Pos:
    x, _, y = name.partition(",")
    return int(x), int(y)
