"""The list of past games."""

from companion_app.screens.games.games import GamesScreen

__all__ = ["GamesScreen"]
