"""Where frames come from: cameras, films, pictures, addresses, scripts, behind one interface."""

from vision.sources.base import FrameSource, SourceKind, SourceState
from vision.sources.choose import check_source, open_source
from vision.sources.film import FilmSource
from vision.sources.listing import CameraInfo, camera_names, list_cameras
from vision.sources.live import LiveSource, LiveTimes
from vision.sources.pictures import as_bgr, read_picture
from vision.sources.stills import PicturesSource, ScriptedSource, folder_source

__all__ = [
    "CameraInfo",
    "FilmSource",
    "FrameSource",
    "LiveSource",
    "LiveTimes",
    "PicturesSource",
    "ScriptedSource",
    "SourceKind",
    "SourceState",
    "as_bgr",
    "camera_names",
    "check_source",
    "folder_source",
    "list_cameras",
    "open_source",
    "read_picture",
]
