"""The right side of the new-game screen: camera, board, strictness, rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion_app import theme
from companion_app.games.face import Face, Switch
from companion_app.library import BoardEntry
from companion_app.table_setup import STRICTNESS
from companion_app.texts import game_text, t
from companion_app.widgets.basics import Field, Heading, Picker, TapButton
from engine.board import REFERENCE
from vision.sources import camera_names

NAME_LETTERS = 26  # of a camera's name that have room


def _short(name: str) -> str:
    return name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1].rstrip()}…"


class TableChoices(BoxLayout):
    """Camera, board and strictness; dispatches ``on_rules`` when the rules are to be shown."""

    STRICTNESS = STRICTNESS
    rules_text = StringProperty("")

    __events__ = ("on_rules",)

    def __init__(self, **kwargs: Any) -> None:
        self.number = Field(hint_text=t("new.camera_number"), input_filter="int")
        self.where = Field(hint_text=t("new.camera_where"))
        self.named = Picker(title=t("new.camera_which"))
        self.picture = Field(hint_text=t("new.picture") + " – " + t("new.picture_hint"))
        self.entries: dict[str, BoardEntry] = {}
        self.on_board = True
        super().__init__(**kwargs)

    def on_rules(self) -> None:
        """The rules were asked for."""

    def offer(self, last: Mapping[str, Any], boards: tuple[BoardEntry, ...]) -> None:
        """Shows what was chosen last time; without ``boards`` the game needs none."""
        self.on_board = bool(boards)
        self._offer_boards(last.get("board"), boards)
        source = last.get("source")
        if isinstance(source, str) and source.isdigit():
            source = int(source)
        self.number.text = str(source) if isinstance(source, int) else "0"
        self._name_cameras(source if isinstance(source, int) else None)
        self.where.text = source if isinstance(source, str) else ""
        self.picture.text = str(last.get("reference") or "")
        strict = last.get("strictness")
        self.ids.strictness.value = strict if strict in STRICTNESS else STRICTNESS[0]
        kind = "none" if source is None else "device" if isinstance(source, int) else "address"
        self.ids.camera.value = kind
        self.show_camera()

    def _offer_boards(self, board: object, boards: tuple[BoardEntry, ...]) -> None:
        picker = self.ids.board
        picker.height, picker.opacity = (theme.TOUCH, 1) if boards else (0, 0)
        picker.disabled = not boards
        entries = list(boards)
        known = isinstance(board, str) and bool(boards)
        if known and board not in [b.board for b in entries]:
            entries.append(BoardEntry(Path(str(board)).stem, str(board), None, None))
        self.entries = {b.board: b for b in entries}
        picker.options = [
            (b.board, t("new.board_reference") if b.board == REFERENCE else b.name) for b in entries
        ]
        picker.value = str(board) if known else REFERENCE

    def _name_cameras(self, last: int | None) -> None:
        """The system's names; the camera of last time stays on offer while it is unplugged."""
        names = camera_names()
        twice = [name for name, count in Counter(names.values()).items() if count > 1]
        self.named.options = [
            (str(n), _short(f"{n} {name}" if name in twice else name)) for n, name in names.items()
        ]
        if not names:
            return
        if last is not None and last not in names:
            self.named.options = [*self.named.options, (str(last), t("source.camera", n=last))]
        self.named.value = self.named.options[0][0] if last is None else str(last)

    def show_camera(self, *_: object) -> None:
        """The fields that the chosen camera needs."""
        fields = self.ids.camera_fields
        fields.clear_widgets()
        kind = self.ids.camera.value
        if kind in ("device", "address"):
            device = self.named if self.named.options else self.number
            fields.add_widget(device if kind == "device" else self.where)
            entry = self.entries.get(self.ids.board.value)
            if self.on_board and (entry is None or entry.picture is None):
                fields.add_widget(self.picture)

    @property
    def source(self) -> int | str | None:
        """The chosen camera."""
        if self.ids.camera.value == "device":
            return int((self.named.value if self.named.options else self.number.text) or 0)
        if self.ids.camera.value == "address":
            return self.where.text.strip() or None
        return None

    @property
    def reference(self) -> str:
        """The picture of the empty board, "" for none."""
        entry = self.entries.get(self.ids.board.value)
        if entry is not None and entry.picture is not None:
            return str(entry.picture)
        if self.ids.camera.value == "none" or not self.on_board:
            return ""
        return self.picture.text.strip()


class RuleChoices(BoxLayout):
    """The rules that a group may set; dispatches ``on_close``."""

    __events__ = ("on_close",)

    def __init__(self, face: Face, chosen: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.dp(8), **kwargs)
        self.bind(minimum_height=self.setter("height"))
        self.add_widget(Heading(text=t("new.rules")))
        close = TapButton(text=t("new.rules_done"), kind="main", size_hint_y=None)
        close.height = theme.TOUCH
        close.bind(on_release=lambda _: self.dispatch("on_close"))
        self.add_widget(close)
        self.pickers: dict[str, tuple[Switch, Picker]] = {}
        for switch in face.switches:
            picker = Picker(
                title=game_text(face.name, f"switch.{switch.id}"),
                options=[
                    (r, game_text(face.name, f"switch.{switch.id}.{r}")) for r in switch.readings
                ],
                value=chosen.get(switch.id, switch.readings[0]),
            )
            self.pickers[switch.id] = (switch, picker)
            self.add_widget(picker)

    def on_close(self) -> None:
        """The rules are as wanted."""

    @property
    def chosen(self) -> dict[str, str]:
        """Only what differs from the default."""
        return {
            key: picker.value
            for key, (switch, picker) in self.pickers.items()
            if picker.value != switch.readings[0]
        }
