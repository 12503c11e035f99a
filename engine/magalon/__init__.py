"""Magalon: the rules engine, a room of its own (rules by id, M-1 to M-57)."""

from engine.magalon.room import MagalonRoom
from engine.magalon.state import MagalonState

__all__ = ["MagalonRoom", "MagalonState"]
