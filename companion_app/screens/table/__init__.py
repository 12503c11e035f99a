"""The table screen."""

from companion_app.screens.table.table import TableScreen

__all__ = ["TableScreen"]
