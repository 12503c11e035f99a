"""The table screen: drawing, live picture, players, turn, talk, the game's panels, undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty

from companion_app import theme
from companion_app.games.face import TableView
from companion_app.screens.page import Page
from companion_app.screens.table.layout import Measures, Need, Places, arrange
from companion_app.screens.table.menu import TableMenu
from companion_app.session import Session
from companion_app.snapshot import Snapshot
from companion_app.taps import AskHints, Command, Do, Drag
from companion_app.texts import show, t
from companion_app.widgets.board_view import BoardView
from companion_app.widgets.history import History
from companion_app.widgets.light import TrafficLight, trouble_words
from companion_app.widgets.live_view import LiveView
from companion_app.widgets.seats import Seats
from companion_app.widgets.steps import Steps
from companion_app.widgets.talk import Speech, Talk, speech_of
from engine.action import Action

__all__ = ["BoardView", "LiveView", "Seats", "Steps", "TableScreen", "Talk", "TrafficLight"]

Builder.load_file(str(Path(__file__).with_suffix(".kv")))

HISTORY = Need("", 3.3)
TALK = Need("talk", 0.0)


class TableScreen(Page):
    """Shows the snapshots of the running session.

    Only this thread draws; snapshots come from the session's thread through a trigger, and only
    the newest one is shown.
    """

    correcting = BooleanProperty(False)
    showing_moves = BooleanProperty(False)
    menu_open = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.session: Session | None = None
        self._shown: Snapshot | None = None
        self._need = HISTORY
        self._places = Places.nowhere()
        self._menu: TableMenu | None = None
        self._unlisten: Callable[[], None] | None = None
        self.panels: dict[str, Any] = {}
        self._history = History()
        self._update = Clock.create_trigger(self._show_newest)
        self._arrange = Clock.create_trigger(self._place_all, -1)
        self.bind(size=self._arrange, pos=self._arrange, correcting=self._update)

    # --- coming and going ----------------------------------------------------------------------

    def enter(self, **what: Any) -> None:
        """Shows the app's session from now on."""
        session = self.shell.session
        if session is not None and session is not self.session:
            self.discard()
            self._attach(session)
            self.ids.board.selected = what.get("selected")
            self.showing_moves = self.ids.board.selected is not None
            if what.get("menu"):
                self.toggle_menu()
            self._show_newest()  # at once: made anew in mid-game, the table is never empty
        elif session is not None:
            self.ids.live.watch(session.frames)
        self._update()

    def keep(self) -> dict[str, Any]:
        """See ``Page``."""
        return {"selected": self.ids.board.selected, "menu": self.menu_open}

    def discard(self) -> None:
        """Shows nothing any more."""
        if self._unlisten is not None:
            self._unlisten()
        self.session = self._unlisten = None
        self.ids.live.watch(None)
        self._close_menu()

    def _attach(self, session: Session) -> None:
        self.session = session
        self._shown = None
        self.correcting = self.showing_moves = False
        self._want_board_view(session)
        self.ids.board.ghost = self.ids.board.selected = None
        self.ids.seats.game = session.face.name
        self.panels = {name: kind() for name, kind in session.face.panels().items()}
        for panel in self.panels.values():
            panel.bind(on_act=lambda _, do, args: self._do(do, **args))
            if hasattr(panel, "link"):
                panel.link(self.ids.board)
        self.ids.live.large = False
        self.ids.live.watch(session.frames)
        self._unlisten = session.listen(lambda _: self._update())
        self._arrange()

    def _want_board_view(self, session: Session) -> None:
        """The drawing that the game wants; most draw on the same one."""
        kind, board = session.face.board_view(), self.ids.board
        if type(board) is not kind:
            self.remove_widget(board)
            board = kind()
            board.bind(on_drag=lambda _, piece, spots: self.dragged(piece, spots))
            board.bind(on_grab=lambda _, piece: self.grabbed(piece))
            board.bind(on_select=lambda _, piece: self.selected(piece))
            board.bind(on_ghost_tap=lambda _: self.turn_ghost(), ghost=self._update)
            self.add_widget(board, index=len(self.children))
            self.ids["board"] = board
        board.face = session.face
        board.board = session.board

    # --- showing -------------------------------------------------------------------------------

    def _show_newest(self, *_: object) -> None:
        if self.session is None:
            return
        snapshot, before = self.session.snapshot, self._shown
        self._shown = snapshot
        ids, table = self.ids, snapshot.table
        if before is None or _board_changed(before, snapshot):
            ids.board.snapshot = snapshot
        if before is not None and before.hints and not snapshot.hints:
            self._moves_gone(before.hints.piece, before.table)
        ids.board.frozen = table.over
        ids.light.show(snapshot.camera)
        ids.live.trouble = trouble_words(snapshot.camera)
        if before is None or before.table != table:
            self._show_table(table)
        ids.undo.disabled = not snapshot.can_undo
        self._history.lines = snapshot.log
        speech = self._speech(snapshot)
        if speech != ids.talk.speech and speech.mood in ("bad", "ask") and ids.live.large:
            self.enlarge()  # what is said now must be seen
        ids.talk.say(speech)
        self._show_work(table, speech)

    def _speech(self, snapshot: Snapshot) -> Speech:
        if self.correcting and self.ids.board.ghost is None:
            return Speech(t("table.correct_hint"), "wait")
        return speech_of(snapshot, self.ids.board.ghost is not None)

    def _show_table(self, table: TableView) -> None:
        ids = self.ids
        ids.seats.table = table
        ids.round.text = "" if table.round is None else t("table.round", n=table.round)
        ids.whose.text = show(table.headline)
        ids.whose.color = theme.ACCENT_TEXT if table.winner is not None else theme.TEXT
        if table.steps and self.session is not None:
            ids.steps.show(table, self.session.face.name)
        ids.steps.opacity = 1 if table.steps else 0
        ids.end.disabled = table.button.action is None and not table.over
        ids.end.text = t("table.scores") if table.over else show(table.button.text)
        ids.moves.disabled = self._main_piece(table) is None
        panel = self.panels.get(table.panel)
        if panel is not None and self.session is not None:
            panel.show(table, self.session.board)

    def _show_work(self, table: TableView, speech: Speech) -> None:
        panel = self.panels.get(table.panel)
        if panel is not None and (not table.steps or speech.mood in ("plain", "good")):
            need = Need(table.panel, panel.ROWS, compact=not table.steps)
        else:
            panel = None
            need = HISTORY if speech.mood in ("plain", "good") else TALK
        part = panel or self._history
        work = self.ids.work
        if part.parent is not work:
            work.clear_widgets()
            work.add_widget(part)
            if panel is not None:
                panel.reset()
        if need != self._need:
            self._need = need
            self._arrange()

    def _place_all(self, *_: object) -> None:
        if self.session is None or self.width < 10:
            return
        aspect = self.ids.board.aspect(self.session.board)
        measures = Measures(theme.PAD, theme.GAP, theme.TOUCH, aspect)
        seats = len(self.session.snapshot.table.seats)
        picture = self.session.eyes is not None
        places = arrange(self.width, self.height, measures, self._need, seats, picture)
        self.ids.live.opacity = 1 if picture else 0
        self.ids.work.opacity = 1 if places.work[3] > 0 else 0
        for name in ("status", "board", "live", "seats", "turn", "talk", "work", "bar"):
            part = self.ids[name]
            x, y, w, h = getattr(places, name)
            part.size_hint = (None, None)
            part.pos, part.size = (self.x + round(x), self.y + round(y)), (round(w), round(h))
        self._places = places
        self._place_menu()
        if self.ids.live.large:
            pad = theme.PAD
            self.ids.live.pos = (self.x + pad, self.y + pad)
            self.ids.live.size = (self.width - 2 * pad, self.height - 2 * pad)

    # --- taps ----------------------------------------------------------------------------------

    def _post(self, command: Command) -> None:
        if self.session is not None:
            self.session.post(command)

    def _do(self, do: str, **args: object) -> None:
        if self._shown is not None:
            self._post(Do(Action(self._shown.table.to_act, do, args)))

    def dragged(self, piece: str, spots: tuple[str, ...]) -> None:
        """A piece was dropped: play it, or with "Correct" set it there."""
        table = self._shown.table if self._shown is not None else None
        if self.session is None or table is None:
            return
        if not self.correcting and self.session.face.turns(piece, table):
            self.ids.board.ghost = (piece, spots)
            self._update()
            return
        self._post(Drag(piece, spots, self.correcting))
        self.correcting = False

    def mark_tapped(self, colour: str, mark: str) -> None:
        """With "Correct": the player has the sign after all, or has it not."""
        if not self.correcting or self.session is None or self._shown is None:
            return
        action = self.session.face.tap_mark(colour, mark, self._shown.table)
        if action is not None:
            self._post(Do(action))
            self.correcting = False

    def grabbed(self, piece: str | None) -> None:
        """A piece was taken up: ask where it can go."""
        self._post(AskHints(None if self.correcting else piece))

    def selected(self, piece: str | None) -> None:
        """A piece was tapped: its possible moves stay on the board until the next tap."""
        self.showing_moves = piece is not None
        self._post(AskHints(piece))

    def toggle_moves(self) -> None:
        """Shows what the player's main piece can do now, or hides it again."""
        board = self.ids.board
        piece = None if self._shown is None else self._main_piece(self._shown.table)
        board.selected = None if self.showing_moves else piece
        self.selected(board.selected)

    def _moves_gone(self, piece: str, table: TableView) -> None:
        """The game has gone on: what the main piece could do is not shown any more."""
        if piece == self.ids.board.selected == self._main_piece(table):
            self.showing_moves, self.ids.board.selected = False, None

    def _main_piece(self, table: TableView) -> str | None:
        return None if self.session is None else self.session.face.main_piece(table)

    def turn_ghost(self) -> None:
        """Turns the waiting piece by a quarter where it fits."""
        board = self.ids.board
        if board.ghost is not None and board.geometry is not None:
            turned = board.geometry.turned(board.ghost[1])
            board.ghost = (board.ghost[0], turned or board.ghost[1])

    def answered(self, command: Command | str) -> None:
        """A button in the talk was tapped."""
        board = self.ids.board
        if command == "explain":
            self.shell.go("explain")
        elif command == "turn_it":
            self.turn_ghost()
        elif command == "put_here" and board.ghost is not None:
            piece, spots = board.ghost
            board.ghost = None
            self._post(Drag(piece, spots))
        elif command == "turn_cancel":
            board.ghost = None
        elif not isinstance(command, str):
            self._post(command)
        self._update()

    def undo(self) -> None:
        """Takes the last action back."""
        if self.ids.board.ghost is not None:
            self.ids.board.ghost = None
            self._update()
        else:
            self._do("undo")

    def end(self) -> None:
        """The main button: ends the turn, or passes; after the game, the scores."""
        table = self._shown.table if self._shown is not None else None
        if table is not None and table.over:
            self.shell.go("review")
        elif table is not None and table.button.action is not None:
            self._post(Do(table.button.action))

    def picture_tapped(self) -> None:
        """Large or small again; where a corner of the board is asked for, a touch in the large picture
        says where it lies."""
        at = self.ids.live.pointed if self.ids.live.large else None
        session = self.session
        if session is not None and at is not None and session.snapshot.camera.asks_corner:
            session.point_at_corner(at)
        self.enlarge()

    def enlarge(self) -> None:
        """The live picture fills the window, or goes back to its corner."""
        live = self.ids.live
        live.large = not live.large
        self.remove_widget(live)
        self.add_widget(live)
        self._arrange()

    def close(self) -> bool:
        """See ``Page``: the menu, the large picture, a piece that is being turned, a correction."""
        if self._menu is not None:
            self._close_menu()
        elif self.ids.live.large:
            self.enlarge()
        elif self.ids.board.ghost is not None:
            self.answered("turn_cancel")
        elif self.correcting:
            self.correcting = False
        else:
            return False
        return True

    def key(self, key: str, modifiers: list[str]) -> bool:
        """Enter ends the turn, Backspace takes back, M shows moves, a digit is a card."""
        if key == "enter" and not self.ids.end.disabled:
            self.end()
        elif key == "backspace" or (key == "z" and "ctrl" in modifiers):
            self.undo()
        elif key == "m" and not self.ids.moves.disabled:
            self.toggle_moves()
        else:
            panel = self.panels.get(self._need.panel)
            return panel is not None and panel.parent is not None and bool(panel.key(key))
        return True

    # --- the menu ------------------------------------------------------------------------------

    def open_camera(self) -> None:
        """The light was tapped."""
        if self.session is not None and self.session.eyes is not None:
            self.shell.go("camera")

    def toggle_menu(self) -> None:
        """Opens the menu beside the board, or closes it."""
        if self._menu is not None:
            self._close_menu()
            return
        s = self.shell.settings
        camera = self.session is not None and self.session.eyes is not None
        self._menu = TableMenu(s.voice, s.sounds, camera, size_hint=(None, None))
        self._menu.bind(on_choice=lambda _, name: self._chosen(name))
        self.add_widget(self._menu)
        self.menu_open = True
        self._place_menu()

    def _place_menu(self) -> None:
        if self._menu is not None:
            x, y, w, h = self._places.menu
            self._menu.pos = (self.x + round(x), self.y + round(y))
            self._menu.size = (round(w), round(h))

    def _close_menu(self) -> None:
        if self._menu is not None:
            self.remove_widget(self._menu)
        self._menu, self.menu_open = None, False

    def _chosen(self, name: str) -> None:
        if name in ("voice", "sounds"):
            self.shell.change(**{name: not getattr(self.shell.settings, name)})
            return
        self._close_menu()
        if name == "leave":
            self.shell.leave_table()
        elif name != "continue":
            self.shell.go({"help": "tour"}.get(name, name))


def _board_changed(before: Snapshot, after: Snapshot) -> bool:
    return any(
        getattr(before, name) != getattr(after, name)
        for name in ("placement", "last_move", "sentence", "question", "hints", "differences")
    )
