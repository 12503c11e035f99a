"""The table screen: drawing, live picture, players, turn, talk, the game's panels, undo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty
from kivy.uix.screenmanager import Screen

from companion_app import theme
from companion_app.games.face import TableView
from companion_app.screens.table.layout import Measures, Need, arrange
from companion_app.session import Session
from companion_app.snapshot import Snapshot
from companion_app.taps import AskHints, Command, Do, Drag
from companion_app.texts import show, t
from companion_app.widgets.board_geometry import BoardGeometry
from companion_app.widgets.board_view import BoardView
from companion_app.widgets.history import History
from companion_app.widgets.light import TrafficLight
from companion_app.widgets.live_view import LiveView
from companion_app.widgets.seats import Seats
from companion_app.widgets.steps import Steps
from companion_app.widgets.talk import Speech, Talk, speech_of
from engine.action import Action

__all__ = ["BoardView", "LiveView", "Seats", "Steps", "TableScreen", "Talk", "TrafficLight"]

Builder.load_file(str(Path(__file__).with_suffix(".kv")))

HISTORY = Need("", 3.3)
TALK = Need("talk", 1.75)


class TableScreen(Screen):
    """Shows the snapshots of one session; dispatches ``on_leave_table``.

    Only this thread draws; snapshots come from the session's thread through a trigger, and only
    the newest one is shown.
    """

    correcting = BooleanProperty(False)

    __events__ = ("on_leave_table",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.session: Session | None = None
        self._shown: Snapshot | None = None
        self._need = HISTORY
        self.panels: dict[str, Any] = {}
        self._history = History()
        self._update = Clock.create_trigger(self._show_newest)
        self._arrange = Clock.create_trigger(self._place_all, -1)
        self.bind(size=self._arrange, pos=self._arrange, correcting=self._update)

    def on_leave_table(self) -> None:
        """The menu button was tapped."""

    def attach(self, session: Session) -> None:
        """Shows a session from now on."""
        self.session = session
        self._shown = None
        self.correcting = False
        self._want_board_view(session)
        self.ids.board.ghost = None
        self.ids.seats.game = session.face.name
        self.panels = {name: kind() for name, kind in session.face.panels().items()}
        for panel in self.panels.values():
            panel.bind(on_act=lambda _, do, args: self._do(do, **args))
        self.ids.live.large = False
        self.ids.live.watch(session.frames)
        session.listen(lambda _: self._update())
        self._update()
        self._arrange()

    def _want_board_view(self, session: Session) -> None:
        """The drawing that the game wants; most draw on the same one."""
        kind, board = session.face.board_view(), self.ids.board
        if type(board) is not kind:
            self.remove_widget(board)
            board = kind()
            board.bind(on_drag=lambda _, piece, spots: self.dragged(piece, spots))
            board.bind(on_grab=lambda _, piece: self.grabbed(piece))
            board.bind(on_ghost_tap=lambda _: self.turn_ghost())
            self.add_widget(board, index=len(self.children))
            self.ids["board"] = board
        board.face = session.face
        board.board = session.board

    def detach(self) -> None:
        """Shows nothing any more."""
        self.session = None
        self.ids.live.watch(None)

    # --- showing -------------------------------------------------------------------------------

    def _show_newest(self, *_: object) -> None:
        if self.session is None:
            return
        snapshot, before = self.session.snapshot, self._shown
        self._shown = snapshot
        ids, table = self.ids, snapshot.table
        if before is None or _board_changed(before, snapshot):
            ids.board.snapshot = snapshot
        ids.board.frozen = table.over
        ids.light.show(snapshot.camera)
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
        ids.whose.color = theme.ACCENT if table.winner is not None else theme.TEXT
        if table.steps and self.session is not None:
            ids.steps.show(table, self.session.face.name)
        ids.steps.opacity = 1 if table.steps else 0
        ids.end.disabled = table.button.action is None
        ids.end.text = show(table.button.text)
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
        geometry = BoardGeometry(self.session.board, 0, 0, 1000, 1000)
        left, top, right, bottom = geometry.box_mm
        aspect = (right - left) / (bottom - top + geometry.tray_mm)
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

    def turn_ghost(self) -> None:
        """Turns the waiting piece by a quarter where it fits."""
        board = self.ids.board
        if board.ghost is not None and board.geometry is not None:
            turned = board.geometry.turned(board.ghost[1])
            board.ghost = (board.ghost[0], turned or board.ghost[1])

    def answered(self, command: Command | str) -> None:
        """A button in the talk was tapped."""
        board = self.ids.board
        if command == "turn_it":
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
        """The main button: ends the turn, or passes."""
        action = self._shown.table.button.action if self._shown is not None else None
        if action is not None:
            self._post(Do(action))

    def enlarge(self) -> None:
        """The live picture fills the window, or goes back to its corner."""
        live = self.ids.live
        live.large = not live.large
        self.remove_widget(live)
        self.add_widget(live)
        self._arrange()

    def leave(self) -> None:
        """Back to the start screen; the game waits there."""
        self.dispatch("on_leave_table")


def _board_changed(before: Snapshot, after: Snapshot) -> bool:
    return any(
        getattr(before, name) != getattr(after, name)
        for name in ("placement", "last_move", "sentence", "question", "hints", "differences")
    )
