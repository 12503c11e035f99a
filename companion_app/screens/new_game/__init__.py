"""The screen that sets a game up."""

from companion_app.screens.new_game.new_game import NewGame, NewGameScreen

__all__ = ["NewGame", "NewGameScreen"]
