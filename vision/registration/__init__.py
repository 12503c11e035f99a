"""Finding the board in a picture, and refining and checking where it lies."""

from vision.registration.errors import BoardNotFound
from vision.registration.find import find_board, reference_of
from vision.registration.pose import pose_from_corners

__all__ = ["BoardNotFound", "find_board", "pose_from_corners", "reference_of"]
