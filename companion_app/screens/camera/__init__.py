"""The screen that helps to set the camera up."""

from companion_app.screens.camera.camera import CameraScreen

__all__ = ["CameraScreen"]
