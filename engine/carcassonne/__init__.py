"""Carcassonne with Mage & Witch, and Inns & Cathedrals as far as those rules mention them."""

from engine.carcassonne.room import CarcassonneRoom
from engine.carcassonne.state import CarcassonneState

__all__ = ["CarcassonneRoom", "CarcassonneState"]
