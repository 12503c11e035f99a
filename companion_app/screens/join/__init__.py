"""Joining a running game: its pieces are set or read, the rest is asked."""

from companion_app.screens.join.join import JoinScreen

__all__ = ["JoinScreen"]
