"""Joining a running game: pieces are dragged where they stand or read by the camera."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty

from companion_app import texts
from companion_app.eyes import OFF, Eyes
from companion_app.frames import FrameSlot
from companion_app.opening import face_for, room_of
from companion_app.screens.join.questions import JoinRow
from companion_app.screens.page import Page
from companion_app.sight import PipelineRequest
from companion_app.snapshot import Question, Snapshot
from companion_app.table_setup import TableSetup
from companion_app.texts import piece_name, show, t, told
from engine.errors import BoardwardenError
from engine.joining import Joining
from engine.observation import Observation
from engine.record import find_board
from engine.verdict import Message

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
NAMED = 3


class JoinScreen(Page):
    """Makes the position of a game that has begun, and goes on from there."""

    note = StringProperty("")
    problem = StringProperty("")
    camera = BooleanProperty(False)
    seen = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.setup: TableSetup | None = None
        self.joining: Joining | None = None
        self.board_view: Any = None
        self._eyes: Eyes | None = None
        self._newest: Observation | None = None
        self._serial = 0
        self._look = Clock.create_trigger(self._say)

    # --- coming and going ----------------------------------------------------------------------

    def enter(self, **what: Any) -> None:
        """``setup``: the new game; ``joining``: what a screen that was thrown away had made."""
        self.discard()
        self.setup, self.joining = what["setup"], what.get("joining")
        header = self.setup.header()
        texts.choose_game(header.game, {p.colour: p.name for p in header.players})
        self.problem = ""
        try:
            board = find_board(header, self.shell.store.games)
            if self.joining is None:
                self.joining = Joining(room_of(header.game), board, header)
            self.face = face_for(header.game)
        except BoardwardenError as error:
            self.joining, self.problem = None, told(error)
            return
        self._place_board(board)
        self._open_eyes(board, header)
        self.show()

    def _place_board(self, board: Any) -> None:
        view = self.board_view = self.face.board_view()()
        view.face, view.board = self.face, board
        view.bind(on_drag=lambda _, piece, spots: self.put(piece, spots))
        view.bind(on_select=lambda _, piece: self.turn(piece))
        self.ids.place.clear_widgets()
        self.ids.place.add_widget(view)

    def _open_eyes(self, board: Any, header: Any) -> None:
        assert self.setup is not None
        self.camera = self.setup.source is not None
        if self.setup.source is None:
            return
        request = PipelineRequest(self.setup.source, board, header, self.setup.reference)
        opener = self.shell.options.opener
        self._eyes = Eyes(lambda: opener(request), FrameSlot(), self._heard, self._look)
        self._eyes.start()

    def keep(self) -> dict[str, Any]:
        """See ``Page``."""
        return {"setup": self.setup, "joining": self.joining}

    def discard(self) -> None:
        """See ``Page``."""
        eyes, self._eyes = self._eyes, None
        self._newest, self.seen = None, False
        if eyes is not None:
            eyes.stop(0.3)

    def on_leave(self, *_: object) -> None:
        """Another screen is shown."""
        self.discard()

    # --- showing -------------------------------------------------------------------------------

    def _heard(self, observation: Observation) -> None:
        """On the eyes' thread: a still view was read."""
        if observation.pose_found and not observation.hand:
            self._newest = observation
            self._look()

    def _say(self, *_: object) -> None:
        """What is doubtful, else what the camera does, else what to do."""
        self.seen = self._newest is not None
        unsure = () if self.joining is None else self.joining.unsure
        if unsure:
            names = ", ".join(piece_name(p) for p in unsure[:NAMED])
            self.note = t("join.unsure", pieces=names)
        elif self._eyes is not None and not self.seen:
            self.note = show(self._eyes.state().text)
        else:
            self.note = t("join.how")

    def show(self) -> None:
        """Shows pieces and questions as they are now."""
        joining = self.joining
        if joining is None or self.setup is None:
            return
        header, room = self.setup.header(), room_of(self.setup.game)
        start = room.start(header, self.board_view.board)
        table = self.face.table(
            room.position(start), header, self.board_view.board, to_act=None, winner=None
        )
        self._serial += 1
        doubtful = {s for p in joining.unsure for s in joining.placement.pieces[p]}
        marks = Question("join", Message("join.unsure", ""), (), tuple(doubtful))
        self.board_view.snapshot = Snapshot(
            self._serial,
            header,
            joining.placement,
            table,
            OFF,
            question=marks if doubtful else None,
        )
        self._ask()
        self._say()

    def _ask(self) -> None:
        box, asked = self.ids.questions, () if self.joining is None else self.joining.questions
        rows = {row.question.key: row for row in box.children}
        if [r.question for r in reversed(box.children)] == list(asked):
            return
        box.clear_widgets()
        for question in asked:
            row = rows.get(question.key)
            if row is None or row.question != question:
                row = JoinRow(question)
                row.bind(on_answer=lambda _, key, value: self.answer(key, value))
            box.add_widget(row)

    # --- taps ----------------------------------------------------------------------------------

    def put(self, piece: str, spots: tuple[str, ...]) -> None:
        """A piece was dragged."""
        if self.joining is not None:
            self.joining.put(piece, spots)
            self.show()

    def turn(self, piece: str | None) -> None:
        """A piece over several cells was tapped: it turns by a quarter where it fits."""
        view = self.board_view
        if piece is None or self.joining is None or view.geometry is None:
            return
        spots = self.joining.placement.pieces[piece]
        turned = view.geometry.turned(spots) if len(spots) > 1 else None
        view.selected = None
        if turned:
            self.put(piece, turned)

    def answer(self, key: str, value: Any) -> None:
        """A question was answered."""
        if self.joining is not None:
            self.joining.answer(key, value)
            self.show()

    def read(self) -> None:
        """The pieces as the camera sees them now."""
        if self.joining is not None and self._newest is not None:
            self.joining.read(self._newest)
            self.show()

    def finish(self) -> None:
        """Goes on from this position, or says what is wrong with it."""
        if self.joining is None or self.setup is None:
            return
        try:
            position = self.joining.header().position
        except BoardwardenError as error:
            self.problem = t("join.not_yet", reason=str(error))
            return
        self.discard()
        self.problem = self.shell.begin(replace(self.setup, position=position))
