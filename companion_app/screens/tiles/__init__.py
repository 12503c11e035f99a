"""The screen on which the print of the owner's own tiles is learnt."""

from companion_app.screens.tiles.tiles import TilesScreen

__all__ = ["TilesScreen"]
