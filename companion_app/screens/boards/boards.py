"""The boards that can be played on, and the door to measuring another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import StringProperty

from companion_app.busy import Progress
from companion_app.games import face_of
from companion_app.library import (
    BoardEntry,
    check_board,
    export_board,
    import_board,
    list_boards,
    read_board_entry,
    write_sheets,
)
from companion_app.screens.page import Page
from companion_app.texts import game_title, t, told
from companion_app.widgets.rows import Row, RowList
from engine.board import REFERENCE
from engine.errors import BoardwardenError

__all__ = ["BoardsScreen", "RowList"]

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class BoardsScreen(Page):
    """Lists board files; a tap chooses one."""

    chosen = StringProperty("")
    said = StringProperty("")

    def enter(self, **what: Any) -> None:
        """``said``: what the screen before has done."""
        self.chosen, self.said = "", what.get("said", "")
        games = [g for g in face_of.names() if face_of(g).on_board]
        last = self.shell.settings.game
        self.game = last if last in games else games[0]
        rows = []
        for game in games:
            for entry in list_boards(self.shell.store, game):
                rows.append(self._row(entry, game))
        self.ids.list.fill(rows)

    def _row(self, entry: BoardEntry, game: str) -> Row:
        shipped = entry.board == REFERENCE
        name = t("new.board_reference") if shipped else entry.name
        picture = "" if shipped else t("boards.picture" if entry.picture else "boards.no_picture")
        detail = " · ".join(p for p in (game_title(game), picture) if p)
        row = Row(text=name, detail=detail, taps=True)
        row.bind(on_release=lambda r, board=entry.board: self._choose(r, board, game))
        return row

    def _choose(self, row: Row, board: str, game: str) -> None:
        for other in self.ids.list.box.children:
            other.chosen = other is row
        self.chosen, self.game, self.said = board, game, ""

    def check(self) -> None:
        """Opens the chosen board file and says whether it is sound."""
        self.said = check_board(self.chosen) or t("boards.sound")

    def measure(self) -> None:
        """To the screen where a board is measured."""
        self.shell.go("measure", game=self.game)

    def export(self) -> None:
        """Packs the chosen board into one file that can be passed on."""
        try:
            self.said = t("boards.exported", path=str(export_board(self.shell.store, self.chosen)))
        except BoardwardenError as error:
            self.said = told(error)

    def take_in(self) -> None:
        """Takes a packed board over."""
        try:
            board = import_board(self.shell.store, Path(self.ids.path.text.strip()))
        except BoardwardenError as error:
            self.said = told(error)
            return
        entry = read_board_entry(board)
        self.enter(said=t("boards.imported", name=entry.name if entry else board.stem))

    def print_sheets(self) -> None:
        """Writes the sheets for the chosen board, or the reference board, among the exports."""
        store, board, game = self.shell.store, self.chosen or REFERENCE, self.game

        def job(_: Progress) -> Path:
            return write_sheets(store, board, game)

        def done(path: Path) -> None:
            self.said = t("boards.exported", path=str(path))

        self.shell.work(t("boards.printing"), job, done, lambda why: setattr(self, "said", why))
