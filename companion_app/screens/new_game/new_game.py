"""Setting a game up: players, camera, board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import BooleanProperty, OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import Screen

from companion_app.texts import t
from companion_app.widgets.basics import Field, Mark
from engine.board import REFERENCE
from engine.game import Player

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
COLOURS = ("violet", "green", "red", "orange")


@dataclass(frozen=True)
class NewGame:
    """What was chosen.  ``source``: None to play by hand; ``board``: "reference" or a path."""

    players: tuple[Player, ...]
    source: int | str | None
    board: str
    reference: Path | None

    def to_settings(self) -> dict[str, Any]:
        """As JSON, to be offered again next time."""
        return {
            "players": [[p.name, p.colour] for p in self.players],
            "source": self.source,
            "board": self.board,
            "reference": str(self.reference) if self.reference else None,
        }


class ColourButton(ButtonBehavior, Mark):
    """A player's mark; a tap takes the next colour."""


class PlayerRow(BoxLayout):
    """One player's colour and name."""

    colour = StringProperty("violet")
    hint = StringProperty("")
    removable = BooleanProperty(False)

    __events__ = ("on_remove",)

    def on_remove(self) -> None:
        """The player does not take part."""

    def next_colour(self) -> None:
        """Takes the next of the four colours."""
        self.colour = COLOURS[(COLOURS.index(self.colour) + 1) % len(COLOURS)]


class NewGameScreen(Screen):
    """Dispatches ``on_begin(NewGame)`` when all is well, ``on_back`` otherwise."""

    camera = OptionProperty("none", options=["none", "device", "address"])
    problem = StringProperty("")

    __events__ = ("on_back", "on_begin")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.number = Field(hint_text=t("new.camera_number"), input_filter="int")
        self.where = Field(hint_text=t("new.camera_where"))
        self.picture = Field(hint_text=t("new.picture") + " – " + t("new.picture_hint"))
        self.bind(camera=self._show_camera)
        self.offer({})

    def on_back(self) -> None:
        """Back to the start screen."""

    def on_begin(self, game: NewGame) -> None:
        """The game can begin."""

    def offer(self, settings: Mapping[str, Any]) -> None:
        """Fills the form with what was chosen last time."""
        self.ids.players.clear_widgets()
        players: Any = settings.get("players")
        for name, colour in players if _sound(players) else [["", "violet"], ["", "green"]]:
            self.add_player(name, colour)
        source = settings.get("source")
        if isinstance(source, str) and source.isdigit():
            source = int(source)
        self.number.text = str(source) if isinstance(source, int) else "0"
        self.where.text = source if isinstance(source, str) else ""
        self.camera = (
            "none" if source is None else "device" if isinstance(source, int) else "address"
        )
        board = settings.get("board")
        self.ids.board.text = board if isinstance(board, str) and board != REFERENCE else ""
        self.picture.text = str(settings.get("reference") or "")
        self.problem = ""
        self._show_camera()

    @property
    def rows(self) -> list[PlayerRow]:
        """The players' rows from the top."""
        return list(reversed(self.ids.players.children))

    def add_player(self, name: str = "", colour: str | None = None) -> None:
        """One more row, in the next free colour."""
        taken = {row.colour for row in self.rows}
        free = next((c for c in COLOURS if c not in taken), COLOURS[0])
        row = PlayerRow(colour=colour or free)
        row.ids.name.text = name
        row.bind(on_remove=self._remove)
        self.ids.players.add_widget(row)
        self._number()

    def _remove(self, row: PlayerRow) -> None:
        self.ids.players.remove_widget(row)
        self._number()

    def _number(self) -> None:
        rows = self.rows
        for n, row in enumerate(rows, start=1):
            row.hint = t("new.name_of", n=n)
            row.removable = len(rows) > 2
        self.ids.add.disabled = len(rows) >= len(COLOURS)

    def _show_camera(self, *_: object) -> None:
        fields = self.ids.camera_fields
        fields.clear_widgets()
        if self.camera != "none":
            fields.add_widget(self.number if self.camera == "device" else self.where)
            fields.add_widget(self.picture)

    def finish(self) -> None:
        """Checks the form; says what is wrong, or dispatches ``on_begin``."""
        colours = [row.colour for row in self.rows]
        twice = next((c for c in colours if colours.count(c) > 1), None)
        picture = self.picture.text.strip() if self.camera != "none" else ""
        if len(colours) < 2:
            self.problem = t("new.problem_two", least=2)
        elif twice is not None:
            self.problem = t("new.problem_colour", colour=twice)
        elif picture and not Path(picture).is_file():
            self.problem = t("new.problem_picture", path=picture)
        else:
            self.problem = ""
            self.dispatch("on_begin", self._chosen(picture))

    def _chosen(self, picture: str) -> NewGame:
        players = tuple(
            Player(row.ids.name.text.strip() or row.hint, row.colour) for row in self.rows
        )
        source: int | str | None = None
        if self.camera == "device":
            source = int(self.number.text or 0)
        elif self.camera == "address":
            source = self.where.text.strip() or None
        named = self.ids.board.text.strip()
        board = str(Path(named).expanduser().resolve()) if named else REFERENCE
        return NewGame(players, source, board, Path(picture) if picture else None)


def _sound(players: Any) -> bool:
    return isinstance(players, list) and 2 <= len(players) <= 4 and all(
        isinstance(p, list) and len(p) == 2 and isinstance(p[0], str) and p[1] in COLOURS for p in players
    )  # fmt: skip
