"""The screen on which an owner measures the own board."""

from companion_app.screens.measure.measure import MeasureScreen

__all__ = ["MeasureScreen"]
