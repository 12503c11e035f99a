"""The screen that turns the page for spectators on and off."""

from companion_app.screens.spectators.spectators import SpectatorsScreen

__all__ = ["SpectatorsScreen"]
