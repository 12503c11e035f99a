"""The measured lenses of this device's cameras, kept in ``lenses.json`` beside the games."""

from __future__ import annotations

import contextlib
from pathlib import Path

from calibration.lens_sheet import LensBook
from companion_app.recorder import replace_file
from companion_app.store import default_root
from engine.errors import BoardwardenError
from vision.lens import Lens
from vision.sources.capture import without_secrets


def camera_name(source: int | str) -> str:
    """Under which name a camera's lens is kept: never with a password."""
    return without_secrets(str(source)) if "://" in str(source) else str(source)


def lens_book(root: Path | None = None) -> LensBook:
    """The file of lenses."""
    return LensBook((root or default_root()) / "lenses.json")


def known_lenses(source: int | str) -> list[Lens]:
    """A camera's lenses, one per resolution; none where it was never measured."""
    return lens_book().lenses_of(camera_name(source))


def keep_lens(source: int | str, lens: Lens) -> None:
    """Keeps a measured lens; raises BoardwardenError when the disk refuses."""
    book = lens_book()
    try:
        book.path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(book.path, book.with_lens(camera_name(source), lens))
    except OSError as error:
        reason = error.strerror or "the disk refuses"
        raise BoardwardenError(f"the lens cannot be kept ({reason}): make room") from error


def forget_lens(source: int | str) -> None:
    """The camera's field of view has changed: its lens does not hold any more."""
    book = lens_book()
    with contextlib.suppress(OSError):
        replace_file(book.path, book.without(camera_name(source)))
