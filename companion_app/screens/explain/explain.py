"""What is wrong, what would be possible, and what one tap can do about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import StringProperty

from companion_app import theme
from companion_app.screens.page import Page
from companion_app.snapshot import Sentence, Snapshot
from companion_app.taps import AskHints, Command, Dismiss, Refuse, Repair, TakeAsIs
from companion_app.texts import show, t
from companion_app.texts.moves import differing_text, move_text
from companion_app.widgets.basics import TapButton
from engine.placement import PieceMove
from engine.referee.strictness import Strictness, strictness_of
from engine.verdict import Status

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class ExplainScreen(Page):
    """Shows the open refusal, else the differences; goes back to the table when both are gone."""

    title = StringProperty("")
    sentence = StringProperty("")
    badge = StringProperty("")
    reason = StringProperty("")
    back_text = StringProperty("")
    legend = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._unlisten: Callable[[], None] | None = None
        self._update = Clock.create_trigger(self._show)
        self._asked: str | None = None
        self.board: Any = None

    def enter(self, **what: Any) -> None:
        """See ``Page``."""
        self.discard()
        session = self.shell.session
        if session is None:
            return
        self.board = session.face.board_view()()
        self.board.face, self.board.board, self.board.frozen = session.face, session.board, True
        self.ids.place.clear_widgets()
        self.ids.place.add_widget(self.board)
        self._unlisten = session.listen(lambda _: self._update())
        self._show()

    def on_leave(self, *_: object) -> None:
        """Another screen is shown."""
        session = self.shell.session
        if session is not None and self._asked is not None:
            session.post(AskHints(None))
        self.discard()

    def discard(self) -> None:
        """See ``Page``."""
        if self._unlisten is not None:
            self._unlisten()
        self._unlisten = self._asked = None

    def _show(self, *_: object) -> None:
        session = self.shell.session
        if session is None or self._unlisten is None:
            return
        snapshot = session.snapshot
        refused = _refusal(snapshot)
        if refused is None and not snapshot.differences:
            self.shell.go("table")
            return
        self.board.snapshot = snapshot
        moves = refused.differences if refused is not None else snapshot.differences
        self._ask_hints(moves)
        self.board.selected = self._asked
        self._say(snapshot, refused, moves)
        self._offer(snapshot, refused)

    def _say(
        self, snapshot: Snapshot, refused: Sentence | None, moves: tuple[PieceMove, ...]
    ) -> None:
        if refused is not None:
            seat = snapshot.table.seat(refused.player)
            self.title = t("explain.refused")
            self.sentence = show(refused.message)
            rule = t("table.rule", rule=refused.rule) if refused.rule else ""
            self.badge = " · ".join(p for p in (seat.name if seat else "", rule) if p)
            self.reason = ""
            back = ", ".join(move_text(m) for m in refused.way_back)
            self.back_text = t("table.back", moves=back) if back else ""
        else:
            self.title = t("explain.differs")
            self.sentence = differing_text(moves)
            self.badge, self.reason = "", t("explain.differs_why")
            self.back_text = ""
        hints = snapshot.hints
        self.legend = t("explain.possible") if hints is not None and hints.cells else ""

    def _offer(self, snapshot: Snapshot, refused: Sentence | None) -> None:
        box = self.ids.repairs
        box.clear_widgets()
        offers: list[tuple[str, Command]] = []
        if refused is not None:
            offers.append((t("explain.put_back"), Dismiss()))
            if refused.differences:
                lenient = strictness_of(snapshot.header) is not Strictness.REFEREE
                text = t("table.stays" if lenient else "explain.take_it")
                offers.append((text, TakeAsIs()))
            offers.append((t("table.refuse"), Refuse(refused.id)))
        else:
            offers += [(show(text), Repair(i)) for i, text in enumerate(snapshot.repairs)]
            if not snapshot.repairs:
                offers.append((t("table.as_is"), TakeAsIs()))
        for text, command in offers:
            button = TapButton(text=text, size_hint_y=None, height=theme.TOUCH)
            button.bind(on_release=lambda _, command=command: self._do(command))
            box.add_widget(button)

    def _do(self, command: Command) -> None:
        if self.shell.session is not None:
            self.shell.session.post(command)

    def _ask_hints(self, moves: tuple[PieceMove, ...]) -> None:
        piece = moves[0].piece if moves else None
        if piece != self._asked and self.shell.session is not None:
            self._asked = piece
            self.shell.session.post(AskHints(piece))


def _refusal(snapshot: Snapshot) -> Sentence | None:
    sentence = snapshot.sentence
    return sentence if sentence is not None and sentence.status is Status.ILLEGAL else None
