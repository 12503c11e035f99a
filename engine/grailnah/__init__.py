"""Grailnah ("La Tintagelle"): the rules engine, a room of its own (rules by id, G-1 to G-35)."""

from engine.grailnah.room import GrailnahRoom
from engine.grailnah.state import GrailnahState

__all__ = ["GrailnahRoom", "GrailnahState"]
