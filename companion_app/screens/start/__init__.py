"""The first screen."""

from companion_app.screens.start.start import StartScreen

__all__ = ["StartScreen"]
