"""The table's menu: lies beside the board, never over it."""

from __future__ import annotations

from typing import Any

from kivy.uix.gridlayout import GridLayout

from companion_app.texts import t
from companion_app.widgets.basics import TapButton, Toggle

DOORS = ("continue", "camera", "settings", "spectators", "note", "help", "review", "leave")


class TableMenu(GridLayout):
    """Dispatches ``on_choice(name)``; the names are ``DOORS`` and the toggles' settings."""

    __events__ = ("on_choice",)

    def __init__(self, voice: bool, sounds: bool, camera: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._add("continue", kind="main")
        for name, active in (("voice", voice), ("sounds", sounds)):
            toggle = Toggle(title=t(f"settings.{name}"), active=active)
            toggle.bind(on_release=lambda _, name=name: self.dispatch("on_choice", name))
            self.add_widget(toggle)
        for name in DOORS[1:]:
            if name != "camera" or camera:
                self._add(name)

    def on_choice(self, name: str) -> None:
        """Something was chosen."""

    def _add(self, name: str, kind: str = "plain") -> None:
        button = TapButton(text=t(f"menu.{name}"), kind=kind)
        button.bind(on_release=lambda _: self.dispatch("on_choice", name))
        self.add_widget(button)

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing below the menu is touched."""
        inside = self.collide_point(*touch.pos)
        return bool(super().on_touch_down(touch)) or inside
