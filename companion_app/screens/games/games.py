"""Past games, newest first; a tap looks back on one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import StringProperty

from companion_app.library import GameEntry, list_games, unread
from companion_app.screens.page import Page
from companion_app.texts import game_title, t
from companion_app.widgets.rows import Row, RowList

__all__ = ["GamesScreen", "RowList"]

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
SHOWN = 100


class GamesScreen(Page):
    """Reads the folder when it is opened."""

    note = StringProperty("")
    _read = False

    def enter(self, **what: Any) -> None:
        """See ``Page``."""
        self._read = False
        self.shell.work(t("games.reading"), lambda _: list_games(self.shell.store), self._show)

    @property
    def ready(self) -> bool:
        """See ``Page``."""
        return self._read

    def _show(self, games: tuple[GameEntry, ...]) -> None:
        self._read = True
        others = unread(self.shell.store, games)
        self.note = t("games.unread", n=others) if others else "" if games else t("games.none")
        rows = []
        for entry in games[:SHOWN]:
            row = Row(text=_title(entry), detail=_detail(entry), right_text=_end(entry), taps=True)
            row.bind(on_release=lambda _, path=entry.path: self.shell.go("review", path=path))
            rows.append(row)
        self.ids.list.fill(rows)


def _title(entry: GameEntry) -> str:
    names = ", ".join(p.name for p in entry.header.players)
    return f"{game_title(entry.header.game)}: {names}"


def _detail(entry: GameEntry) -> str:
    when = time.localtime(entry.begun)
    date = t("games.date", d=f"{when.tm_mday:02}", m=f"{when.tm_mon:02}", y=when.tm_year)
    return f"{date} · {when.tm_hour:02}:{when.tm_min:02} · {t('games.lines', n=entry.lines - 1)}"


def _end(entry: GameEntry) -> str:
    won = (entry.winner or "").split(",")
    winner = ", ".join(p.name for p in entry.header.players if p.colour in won)
    return t("games.won", player=winner) if winner else t("games.open")
