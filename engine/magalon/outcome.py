"""What a reducer of Magalon gives back; the same three answers as in every room."""

from engine.outcome import Outcome, Refusal, Unclear

__all__ = ["Outcome", "Refusal", "Unclear"]
