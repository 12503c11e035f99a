"""The boards that can be played on, and the door to measuring another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import StringProperty

from companion_app.games import face_of
from companion_app.library import BoardEntry, check_board, list_boards
from companion_app.screens.page import Page
from companion_app.texts import game_title, t
from companion_app.widgets.rows import Row, RowList
from engine.board import REFERENCE

__all__ = ["BoardsScreen", "RowList"]

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class BoardsScreen(Page):
    """Lists board files; a tap chooses one."""

    chosen = StringProperty("")
    said = StringProperty("")

    def enter(self, **what: Any) -> None:
        """See ``Page``."""
        self.chosen, self.said = "", ""
        rows = []
        for game in face_of.names():
            for entry in list_boards(self.shell.store, game):
                rows.append(self._row(entry, game))
        self.ids.list.fill(rows)

    def _row(self, entry: BoardEntry, game: str) -> Row:
        shipped = entry.board == REFERENCE
        name = t("new.board_reference") if shipped else entry.name
        picture = "" if shipped else t("boards.picture" if entry.picture else "boards.no_picture")
        detail = " · ".join(p for p in (game_title(game), picture) if p)
        row = Row(text=name, detail=detail, taps=True)
        row.bind(on_release=lambda r, board=entry.board: self._choose(r, board))
        return row

    def _choose(self, row: Row, board: str) -> None:
        for other in self.ids.list.box.children:
            other.chosen = other is row
        self.chosen, self.said = board, ""

    def check(self) -> None:
        """Opens the chosen board file and says whether it is sound."""
        self.said = check_board(self.chosen) or t("boards.sound")

    def measure(self) -> None:
        """To the screen where a board is measured."""
        if self.shell.has("measure"):
            self.shell.go("measure")
        else:
            self.said = t("boards.by_hand", folder=str(self.shell.store.boards))
