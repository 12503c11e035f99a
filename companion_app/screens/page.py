"""What all screens have in common."""

from __future__ import annotations

from typing import Any

from kivy.properties import ObjectProperty
from kivy.uix.screenmanager import FadeTransition, NoTransition, Screen, ScreenManager

from companion_app import theme
from companion_app.shell import Shell


class Stage(ScreenManager):
    """All screens, of which one is shown.  They fill the window, so that nothing is masked, and have
    the window's own ground, so that none is drawn."""

    def __init__(self, **kwargs: Any) -> None:
        fade = FadeTransition(duration=theme.FADE_S, clearcolor=theme.BACKGROUND)
        super().__init__(transition=fade if theme.FADE_S else NoTransition(), **kwargs)


class Page(Screen):
    """A screen.  It is thrown away and made anew when language or look change: ``keep`` then gives
    what ``enter`` needs to show the same again."""

    shell: Shell = ObjectProperty(None, allownone=True)

    def enter(self, **what: Any) -> None:
        """The screen is about to be shown."""

    @property
    def ready(self) -> bool:
        """Whether everything is shown that was to be read first."""
        return True

    def keep(self) -> dict[str, Any]:
        """What ``enter`` needs to show the same again."""
        return {}

    def discard(self) -> None:
        """The screen will not be used any more."""

    def close(self) -> bool:
        """Closes what lies open on the screen (Escape, Android's back button); True if something
        did."""
        return False

    def key(self, key: str, modifiers: list[str]) -> bool:
        """A key was pressed; True if it was of use."""
        return False
