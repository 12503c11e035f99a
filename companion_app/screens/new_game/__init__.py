"""The screen that sets a game up."""

from companion_app.screens.new_game.new_game import NewGameScreen

__all__ = ["NewGameScreen"]
