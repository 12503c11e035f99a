"""Sources that are no camera: pictures on disk and images in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from engine.errors import BoardwardenError
from engine.files import read_reason, shown
from vision.sources import words
from vision.sources.base import SourceKind, SourceState
from vision.sources.pictures import SUFFIXES, as_bgr, read_picture
from vision.types import Frame, Image

HOLD_S = 2.0
STEP_S = 0.5


class PicturesSource:
    """Pictures one after the other, as a slide show: each stays ``hold_s`` seconds of the
    source's time and is given every ``step_s``, so that a still view is seen to be still.

    Pictures that are the single frames of a film: ``hold_s`` = ``step_s`` = 1 / rate.
    """

    live = False

    def __init__(
        self, paths: Sequence[Path], name: str, hold_s: float = HOLD_S, step_s: float = STEP_S
    ) -> None:
        if not 0 < step_s <= hold_s:
            raise ValueError("step_s must be above 0 and at most hold_s")
        self.name = name
        self._paths = list(paths)
        self._repeats = max(1, round(hold_s / step_s))
        self._step_s = step_s
        self._index = 0
        self._image: Image | None = None
        self._skipped: list[str] = []
        self._closed = False

    @property
    def state(self) -> SourceState:
        """OK until the last picture has been read; names pictures that could not be read."""
        ended = self._index >= len(self._paths) * self._repeats
        kind = SourceKind.ENDED if ended else SourceKind.OK
        kind = SourceKind.CLOSED if self._closed else kind
        if not self._skipped:
            return SourceState(kind)
        return words.state(kind, "source.left_out", names=shown(", ".join(self._skipped)))

    def open(self) -> None:
        """Checks that there are pictures; raises BoardwardenError if the only one is unreadable."""
        self._closed = False
        if not self._paths:
            raise BoardwardenError(
                f"there is no picture in {shown(self.name)}: name a folder of pictures"
            )
        if len(self._paths) == 1:
            self._image = read_picture(self._paths[0])

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame; None after the last.  Unreadable pictures are left out, but not all."""
        while not self._closed and self._index < len(self._paths) * self._repeats:
            number, repeat = divmod(self._index, self._repeats)
            if repeat == 0 and not (number == 0 and self._image is not None):
                try:
                    self._image = read_picture(self._paths[number])
                except BoardwardenError:
                    self._skipped.append(self._paths[number].name)
                    if len(self._skipped) == len(self._paths):
                        raise
                    self._index += self._repeats
                    continue
            assert self._image is not None
            frame = Frame(self._image, self._index * self._step_s, self._index)
            self._index += 1
            return frame
        return None

    def close(self) -> None:
        """Forgets the picture."""
        self._closed = True
        self._image = None


def folder_source(folder: Path, fps: float | None = None) -> PicturesSource:
    """The pictures of a folder in natural order (2 before 10): as a slide show, or as frames of a
    film when ``fps`` is given.  Raises BoardwardenError when there are none."""
    try:
        paths = [p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES]
    except OSError as error:
        raise BoardwardenError(
            f"cannot open the folder {shown(folder)}: {read_reason(error)}"
        ) from error
    if not paths:
        raise BoardwardenError(
            f"there is no picture in the folder {shown(folder)}: put JPEG or PNG pictures into it"
        )
    paths.sort(key=lambda p: [int(t) if t.isdigit() else t for t in re.split(r"(\d+)", p.name)])
    if fps is None:
        return PicturesSource(paths, str(folder))
    return PicturesSource(paths, str(folder), 1 / fps, 1 / fps)


class ScriptedSource:
    """Images in memory, for the simulator and for tests.

    ``script``: per step an image (grey, BGR or BGRA), None (nothing new in time; does not wait),
    or a SourceState, which the source has from then on (read gives None).  Steps are ``1 / fps``
    apart.
    """

    def __init__(
        self,
        script: Sequence[Image | SourceState | None],
        fps: float = 10.0,
        name: str = "script",
        live: bool = False,
    ) -> None:
        self.name = name
        self.live = live
        self._script = list(script)
        self._fps = fps
        self._step = 0
        self._index = 0
        self._state = SourceState(SourceKind.CLOSED)

    @property
    def state(self) -> SourceState:
        """As scripted."""
        return self._state

    def open(self) -> None:
        """Starts (or goes on with) the script."""
        self._state = SourceState(SourceKind.OK)

    def read(self, timeout_s: float) -> Frame | None:
        """The script's next step."""
        if self._state.kind is SourceKind.CLOSED:
            return None
        if self._step >= len(self._script):
            self._state = SourceState(SourceKind.ENDED)
            return None
        entry, t_s = self._script[self._step], self._step / self._fps
        self._step += 1
        if isinstance(entry, SourceState):
            self._state = entry
            return None
        if entry is None:
            return None
        if self._state.kind is not SourceKind.OK:
            self._state = SourceState(SourceKind.OK)
        self._index += 1
        return Frame(as_bgr(entry), t_s, self._index - 1)

    def close(self) -> None:
        """Stops the script."""
        self._state = SourceState(SourceKind.CLOSED)
