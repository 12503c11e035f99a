"""The game played through again, with a slider."""

from __future__ import annotations

from typing import Any

from kivy.uix.gridlayout import GridLayout

from companion_app.eyes import OFF
from companion_app.games.face import Face
from companion_app.review import Review
from companion_app.snapshot import Snapshot
from companion_app.texts import show, t
from companion_app.widgets.seats import Seats
from engine.game import Room

__all__ = ["ReplayPane", "Seats"]


class ReplayPane(GridLayout):
    """A board, what happened, and a slider over all moments."""

    def __init__(self, looked_back: Review, face: Face, room: Room, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.review, self.face, self.room = looked_back, face, room
        self.board = face.board_view()()
        self.board.face, self.board.board, self.board.frozen = face, looked_back.board, True
        self.ids.place.add_widget(self.board)
        self.ids.seats.game = face.name
        self.ids.slider.max = max(1, len(looked_back.moments) - 1)
        self.ids.slider.value = 0
        self.show(0)

    def step(self, by: int) -> None:
        """One moment on or back."""
        last = len(self.review.moments) - 1
        self.ids.slider.value = min(last, max(0, int(self.ids.slider.value) + by))

    def show(self, at: int) -> None:
        """The moment of an index."""
        at = min(at, len(self.review.moments) - 1)
        moment = self.review.moments[at]
        self.ids.text.text = show(moment.text)
        number = "" if moment.round is None else t("table.round", n=moment.round) + " · "
        self.ids.round.text = f"{number}{at} / {len(self.review.moments) - 1}"
        self.ids.seats.table = moment.table
        self.board.snapshot = Snapshot(
            serial=at, header=self.review.header, placement=moment.placement, table=moment.table,
            camera=OFF, last_move=moment.moves,
        )  # fmt: skip
