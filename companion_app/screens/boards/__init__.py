"""The owner's boards."""

from companion_app.screens.boards.boards import BoardsScreen

__all__ = ["BoardsScreen"]
