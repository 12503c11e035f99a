"""The first screen: go on, begin a new game, and doors to everything else."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion_app import texts, theme
from companion_app.demo_game import DEMO_GAMES
from companion_app.games import face_of
from companion_app.library import rounds_of
from companion_app.screens.page import Page
from companion_app.store import SavedGame, default_exports, default_root
from companion_app.texts import t
from companion_app.widgets.basics import BigChoice, TapButton
from companion_app.widgets.drawing import Drawn
from companion_app.widgets.piece_paint import draw_piece
from engine.placement import PieceInfo

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
EMBLEM = (
    ("wizard", "violet"),
    ("wizard", "green"),
    ("giant", None),
    ("wizard", "red"),
    ("wizard", "orange"),
)


class Emblem(Drawn):
    """A row of pieces under the eye of the app."""

    def draw(self) -> None:
        """See ``Drawn``."""
        side = round(self.height * 0.72)
        Color(1, 1, 1, 1)
        Rectangle(size=(0, 0))
        for i, (kind, colour) in enumerate(EMBLEM):
            size = round(side * (1.3 if kind == "giant" else 0.9))
            x = self.center_x + (i - 2) * side * 1.05
            piece = PieceInfo(kind, kind, colour)
            draw_piece(face_of("magalon"), piece, (x, self.y + size / 2), size)


class TroubleCard(BoxLayout):
    """What is wrong, large enough to be seen, with the ways out as buttons."""

    title = StringProperty("")
    text = StringProperty("")

    def offer(self, text: str, way_out: Any) -> None:
        """One more button."""
        button = TapButton(text=text)
        button.bind(on_release=lambda _: way_out())
        self.ids.ways.add_widget(button)


class StartScreen(Page):
    """The doors; above them what is wrong, if something is.  ``note``: what went wrong last;
    ``demos``: the recordings are offered in place of games; ``tight``: there is no room for ornament."""

    note = StringProperty("")
    demos = BooleanProperty(False)
    tight = BooleanProperty(False)

    def fit(self) -> None:
        """Leaves the ornament out where the doors need its room."""
        spare = self.height - 2 * theme.PAD - self.ids.column.minimum_height
        self.tight = spare < (theme.dp(104) + theme.sp(36) if self.tight else 0.0)

    def enter(self, **what: Any) -> None:
        """Shows the choices; ``note``: what went wrong, "" for nothing; ``demos``: at once those of
        the recordings."""
        if what.get("demos"):
            self.show_demos()
            return
        self.demos = False
        store, self.note = self.shell.store, str(what.get("note", ""))
        store.look()
        waiting = store.running()
        unknown = waiting is not None and waiting.header.game not in face_of.names()
        self.ids.trouble.clear_widgets()
        if self.note:
            self._warn("", self.note).offer(t("table.dismiss"), self.enter)
        elif store.trouble is not None:
            self._warn_of_folder(texts.show(store.trouble))
        elif store.unopened is not None:
            self._warn_of_game(texts.show(store.unopened))
        elif waiting is not None and unknown:
            self._warn_of_game(t("start.unknown_game", game=waiting.header.game))
        self.ids.choices.clear_widgets()
        if waiting is not None and not unknown:
            self._add(t("start.resume"), describe(waiting), self.shell.resume_game, main=True)
        begin = partial(self.shell.go, "new")
        self._add(t("start.new"), "", begin, main=waiting is None or unknown)

    def show_demos(self) -> None:
        """Asks which recording shall be played."""
        self.demos, self.note = True, ""
        self.ids.trouble.clear_widgets()
        self.ids.choices.clear_widgets()
        for game in DEMO_GAMES:
            door = partial(self.shell.begin_demo, game)
            self._add(texts.game_title(game), "", door, main=game == DEMO_GAMES[0])

    def keep(self) -> dict[str, Any]:
        """See ``Page``."""
        return {"note": self.note, "demos": self.demos}

    @property
    def card(self) -> TroubleCard | None:
        """What says that something is wrong."""
        shown = self.ids.trouble.children
        return shown[0] if shown else None

    def _warn(self, title: str, text: str) -> TroubleCard:
        card = TroubleCard(title=title, text=text)
        self.ids.trouble.add_widget(card)
        return card

    def _warn_of_folder(self, text: str) -> None:
        card, root = self._warn(t("start.not_kept"), text), self.shell.store.root
        other = next(p for p in (default_root(), default_exports()) if p != root)
        card.offer(t("start.try_again"), self.enter)
        card.offer(t("start.keep_in"), lambda: self.shell.keep_in(other))

    def _warn_of_game(self, text: str) -> None:
        """The file stays in any case; it only need not be in the way."""

        def put_aside() -> None:
            self.shell.store.finish()
            self.enter()

        self._warn(t("start.not_opened"), text).offer(t("start.put_aside"), put_aside)

    def _add(self, title: str, detail: str, door: Any, *, main: bool) -> None:
        button = BigChoice(title=title, detail=detail, kind="main" if main else "plain")
        button.bind(on_release=lambda _: door())
        self.ids.choices.add_widget(button)


def describe(saved: SavedGame) -> str:
    """A saved game in one line."""
    return t(
        "start.resume_detail",
        game=texts.game_title(saved.header.game),
        players=", ".join(p.name for p in saved.header.players),
        round=rounds_of(saved),
    )
