"""The tour: how it works, in five pictures."""

from companion_app.screens.tour.tour import TourScreen

__all__ = ["TourScreen"]
