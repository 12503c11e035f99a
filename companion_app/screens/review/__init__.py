"""The screen that looks back on a game."""

from companion_app.screens.review.review import ReviewScreen

__all__ = ["ReviewScreen"]
