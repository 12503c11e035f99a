"""The model files that come with the program, checked before use."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from engine.errors import BoardwardenError
from engine.files import read_bytes, read_json

MODELS = ("detector", "dice_reader", "dice_finder", "tile_reader")
MAX_MODEL_BYTES = 64_000_000
_FOLDER = Path(__file__).parent
_REMEDY = "install Boardwarden again, or train it anew with python -m models.training"


def checked(path: Path, sha256: str) -> Path:
    """``path`` if its content has that SHA-256.

    Raises BoardwardenError with one sentence and its remedy if the file is missing or damaged.
    """
    try:
        content = read_bytes(path, "the model file", MAX_MODEL_BYTES)
    except BoardwardenError as error:
        raise BoardwardenError(f"cannot open the model file {path}: {_REMEDY}") from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise BoardwardenError(f"the model file {path} is damaged: {_REMEDY}")
    return path


def detector_path(folder: Path | None = None) -> Path:
    """The piece detector's ONNX file; see `model_path`."""
    return model_path("detector", folder)


def model_path(model: str, folder: Path | None = None) -> Path:
    """The ONNX file of one of ``MODELS``, checked against the manifest.

    ``folder``: where ``manifest.json`` and the files lie; default: the installed package.  Raises
    BoardwardenError.
    """
    folder = folder or _FOLDER
    entry = model_entry(model, folder)
    return checked(folder / entry["file"], entry["sha256"])


def model_entry(model: str, folder: Path | None = None) -> dict[str, Any]:
    """What the manifest says of a model: ``file``, ``sha256`` and more; raises BoardwardenError."""
    manifest = (folder or _FOLDER) / "manifest.json"
    try:
        entry: dict[str, Any] = read_json(manifest, "the model list")[model]
        name, sha256 = entry["file"], entry["sha256"]
        if not isinstance(name, str) or not isinstance(sha256, str) or Path(name).name != name:
            raise ValueError("a model is named, has a checksum, and lies beside its list")
    except (BoardwardenError, ValueError, KeyError, TypeError) as error:
        raise BoardwardenError(
            f"the model list {manifest} is missing or damaged: {_REMEDY}"
        ) from error
    return entry
