"""A note of the players, kept in the record of the game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.lang import Builder

from companion_app.screens.page import Page
from companion_app.taps import Do
from engine.action import Action

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class NoteScreen(Page):
    """One line of text."""

    def enter(self, **what: Any) -> None:
        """See ``Page``."""
        self.ids.field.text = str(what.get("text", ""))

    def keep(self) -> dict[str, Any]:
        """See ``Page``."""
        return {"text": self.ids.field.text}

    def save(self) -> None:
        """The note goes into the record."""
        text = self.ids.field.text.strip()
        if text and self.shell.session is not None:
            self.shell.session.post(Do(Action(None, "note", {"text": text})))
        self.shell.back()
