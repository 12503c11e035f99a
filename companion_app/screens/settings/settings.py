"""Language, text size, contrast, motion, voice, sounds.  Everything holds at once."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import StringProperty

from companion_app.screens.page import Page
from companion_app.settings import TEXT_SIZES
from companion_app.texts import t
from companion_app.widgets.basics import TapButton

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
# Every language by its own name, so that nobody is lost in a foreign one.
NAMES = {"en": "English", "de": "Deutsch", "fr": "Français"}


class SettingsScreen(Page):
    """Shows and changes ``Settings``."""

    TEXT_SIZES = TEXT_SIZES
    voice_note = StringProperty("")
    version = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for code in ("", *NAMES):
            button = TapButton(text=NAMES.get(code) or t("settings.language_system"))
            button.code = code
            button.bind(on_release=lambda _, code=code: self.choose("language", code))
            self.ids.languages.add_widget(button)

    def enter(self, **what: Any) -> None:
        """See ``Page``."""
        s = self.shell.settings
        for name in ("contrast", "light", "calm", "voice", "sounds"):
            self.ids[name].active = getattr(s, name)
        self.ids.text.value = s.text
        self.ids.volume.value = s.volume
        for button in self.ids.languages.children:
            button.chosen = button.code == s.language
        voice = self.shell.voice_name
        self.voice_note = t("settings.voice_by", name=voice) if voice else t("settings.voice_none")
        try:
            number = metadata.version("boardwarden")
        except metadata.PackageNotFoundError:
            number = "?"
        self.version = t("settings.version", n=number)

    def choose(self, name: str, value: object) -> None:
        """A setting was changed."""
        if getattr(self.shell.settings, name) != value:
            self.shell.change(**{name: value})
            self.shell.page("settings").enter()
