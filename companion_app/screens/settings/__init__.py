"""The settings."""

from companion_app.screens.settings.settings import SettingsScreen

__all__ = ["SettingsScreen"]
