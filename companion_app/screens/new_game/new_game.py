"""Setting a game up: from last time's choices two taps are enough."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion_app.games import face_of
from companion_app.games.face import Face
from companion_app.library import list_boards
from companion_app.opening import room_of
from companion_app.screens.new_game.choices import RuleChoices, TableChoices
from companion_app.screens.page import Page
from companion_app.table_setup import TableSetup
from companion_app.texts import game_text, game_title, t
from companion_app.widgets.basics import Mark, TapButton
from engine.game import Player
from engine.joining import Joinable

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class ColourButton(ButtonBehavior, Mark):
    """A player's mark; a tap takes the next colour."""


class PlayerRow(BoxLayout):
    """One player's colour and name.  Dispatches ``on_remove`` and ``on_up`` (sits earlier)."""

    colour = StringProperty("violet")
    colours: tuple[str, ...] = ObjectProperty(())
    hint = StringProperty("")
    removable = BooleanProperty(False)
    first = BooleanProperty(False)

    __events__ = ("on_remove", "on_up")

    def on_remove(self) -> None:
        """The player does not take part."""

    def on_up(self) -> None:
        """The player sits one place earlier."""

    def next_colour(self) -> None:
        """Takes the next colour."""
        at = self.colours.index(self.colour) if self.colour in self.colours else -1
        self.colour = self.colours[(at + 1) % len(self.colours)]


class NewGameScreen(Page):
    """Offers last time's choices and begins."""

    problem = StringProperty("")
    first_note = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.face: Face = face_of("magalon")
        self.switches: dict[str, str] = {}
        self.table = TableChoices()
        self.table.bind(on_rules=lambda _: self._show_rules())
        self.ids.settings.add_widget(self.table)

    # --- filling -------------------------------------------------------------------------------

    def enter(self, **what: Any) -> None:
        """Fills the form with what was chosen last time; ``given``: choices of the command line;
        ``form``: what a screen that was thrown away held."""
        form = what.get("form")
        self.given = dict(what.get("given") or {})
        names = face_of.names()
        self.ids.games.options = [(n, game_title(n)) for n in names] if len(names) > 1 else []
        wanted = form["game"] if form else self.shell.settings.game
        self.face = face_of(wanted if wanted in names else names[0])
        self.ids.games.value = self.face.name
        self._offer(form or {**self.shell.settings.last.get(self.face.name, {}), **self.given})
        if what.get("rules"):
            self._show_rules()

    def choose_game(self, name: str) -> None:
        """Another game was chosen."""
        if name and name != self.face.name:
            self.face = face_of(name)
            self._offer({**self.shell.settings.last.get(name, {}), **self.given})

    def keep(self) -> dict[str, Any]:
        """See ``Page``."""
        rules = self.rules
        if rules is not None:
            self.switches = rules.chosen
        form = {**self._setup().to_json(), "game": self.face.name}
        form["players"] = [[r.ids.name.text, r.colour] for r in self.rows]
        return {"given": self.given, "form": form, "rules": rules is not None}

    @property
    def rules(self) -> RuleChoices | None:
        """The rules while they are shown."""
        shown = self.ids.settings.children[:1]
        return shown[0] if shown and isinstance(shown[0], RuleChoices) else None

    def _offer(self, last: Mapping[str, Any]) -> None:
        self.problem = ""
        self.first_note = game_text(self.face.name, self.face.seats.first)
        self.ids.players.clear_widgets()
        players: Any = last.get("players")
        if not _sound(players, self.face):
            players = [["", colour] for colour in self.face.seats.colours[: self.face.seats.least]]
        for name, colour in players:
            self.add_player(name, colour)
        known = {s.id: s.readings for s in self.face.switches}
        switches = last.get("switches")
        self.switches = {
            k: v
            for k, v in (switches.items() if isinstance(switches, dict) else ())
            if v in known.get(k, ())
        }
        boards = list_boards(self.shell.store, self.face.name) if self.face.on_board else ()
        self.table.offer(last, boards)
        self.ids.join.disabled = not isinstance(room_of(self.face.name), Joinable)
        self._show_names()
        self._close_rules()

    def _show_names(self) -> None:
        names = self.ids.names
        names.clear_widgets()
        taken = {row.ids.name.text for row in self.rows}
        for name in [n for n in self.shell.settings.names if n not in taken][:8]:
            button = TapButton(text=name, kind="quiet")
            button.bind(on_release=lambda b: self._take_name(b.text))
            names.add_widget(button)

    def _take_name(self, name: str) -> None:
        """A name of the list goes into the first row without one, else into a new row."""
        empty = next((r for r in self.rows if not r.ids.name.text), None)
        if empty is None and len(self.rows) < self.face.seats.most:
            empty = self.add_player()
        if empty is not None:
            empty.ids.name.text = name
            self._show_names()

    # --- players -------------------------------------------------------------------------------

    @property
    def rows(self) -> list[PlayerRow]:
        """The players' rows from the top."""
        return list(reversed(self.ids.players.children))

    def add_player(self, name: str = "", colour: str | None = None) -> PlayerRow:
        """One more row, in the next free colour."""
        taken = {row.colour for row in self.rows}
        colours = self.face.seats.colours
        free = next((c for c in colours if c not in taken), colours[0])
        row = PlayerRow(colour=colour or free, colours=colours)
        row.ids.name.text = name
        row.bind(on_remove=self._remove, on_up=self._up)
        self.ids.players.add_widget(row)
        self._number()
        return row

    def _remove(self, row: PlayerRow) -> None:
        self.ids.players.remove_widget(row)
        self._number()
        self._show_names()

    def _up(self, row: PlayerRow) -> None:
        at = self.ids.players.children.index(row)
        self.ids.players.remove_widget(row)
        self.ids.players.add_widget(row, index=at + 1)
        self._number()

    def _number(self) -> None:
        rows = self.rows
        for n, row in enumerate(rows, start=1):
            row.hint = t("new.name_of", n=n)
            row.first = n == 1
            row.removable = len(rows) > self.face.seats.least
        self.ids.add.disabled = len(rows) >= self.face.seats.most

    # --- rules ---------------------------------------------------------------------------------

    def _show_rules(self) -> None:
        rules = RuleChoices(self.face, self.switches)
        rules.bind(on_close=lambda _: self._take_rules(rules))
        self.ids.settings.clear_widgets()
        self.ids.settings.add_widget(rules)

    def _take_rules(self, rules: RuleChoices) -> None:
        self.switches = rules.chosen
        self._close_rules()

    def _close_rules(self) -> None:
        changed = len(self.switches)
        text = t("new.rules_changed", n=changed) if changed else t("new.rules_printed")
        self.table.rules_text = text
        self.table.ids.rules.disabled = not self.face.switches
        self.ids.settings.clear_widgets()
        self.ids.settings.add_widget(self.table)

    def close(self) -> bool:
        """See ``Page``: the rules."""
        rules = self.rules
        if rules is not None:
            self._take_rules(rules)
        return rules is not None

    # --- beginning -----------------------------------------------------------------------------

    def finish(self, *, join: bool = False) -> None:
        """Checks the form; says what is wrong, or begins.  ``join``: a game that is running."""
        colours = [row.colour for row in self.rows]
        twice = next((c for c in colours if colours.count(c) > 1), None)
        picture = self.table.reference
        if twice is not None:
            self.problem = t("new.problem_colour", colour=twice)
        elif picture and not os.path.isfile(picture):
            self.problem = t("new.problem_picture", path=picture)
        elif join:
            self.problem = ""
            self.shell.go("join", setup=self._setup())
        else:
            self.problem = self.shell.begin(self._setup())

    def _setup(self) -> TableSetup:
        players = tuple(
            Player(row.ids.name.text.strip() or row.hint, row.colour) for row in self.rows
        )
        picture = self.table.reference
        return TableSetup(
            players,
            self.table.source,
            self.table.ids.board.value,
            Path(picture) if picture else None,
            self.face.name,
            self.table.ids.strictness.value,
            self.switches,
        )


def _sound(players: Any, face: Face) -> bool:
    rules = face.seats
    return isinstance(players, list) and rules.least <= len(players) <= rules.most and all(
        isinstance(p, list) and len(p) == 2 and isinstance(p[0], str) and p[1] in rules.colours for p in players
    )  # fmt: skip
