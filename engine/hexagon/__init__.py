"""Das Magische Hexagon: the rules engine, a room of its own (rules by id, H-1 to H-20)."""

from engine.hexagon.room import HexagonRoom
from engine.hexagon.state import HexagonState

__all__ = ["HexagonRoom", "HexagonState"]
