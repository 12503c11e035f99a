"""The screen to write a note into the record."""

from companion_app.screens.note.note import NoteScreen

__all__ = ["NoteScreen"]
