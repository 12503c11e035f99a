"""The screen that explains a refusal or a difference, and repairs it."""

from companion_app.screens.explain.explain import ExplainScreen

__all__ = ["ExplainScreen"]
