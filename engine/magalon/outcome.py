"""What a reducer gives back; the same for every game."""

from __future__ import annotations

from engine.outcome import Outcome, Refusal, Unclear

__all__ = ["Outcome", "Refusal", "Unclear"]
