"""What the screens share on which something is photographed and then looked over."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, StringProperty

from companion_app.screens.page import Page
from companion_app.texts import t
from companion_app.viewfinder import Viewfinder
from companion_app.widgets.basics import Field
from companion_app.widgets.live_view import LiveView
from companion_app.widgets.photo_view import PhotoView
from vision.sources.pictures import SUFFIXES, read_picture
from vision.types import Image

LOOK_S = 0.25


class PhotoPage(Page):
    """``phase``: "photo" while the camera is looked through; ``live`` and ``where`` show and name it,
    ``photo`` shows what was taken."""

    phase = StringProperty("photo")
    title = StringProperty("")
    prompt = StringProperty("")
    problem = StringProperty("")
    can_go = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.photo = PhotoView()
        self.photo.bind(on_path=lambda _, path: self._touched(path))
        self.live = LiveView()
        self.where = Field(hint_text=t("measure.where"))
        self.where.bind(text=lambda *_: self._renamed())
        self.where.bind(on_text_validate=lambda _: self._look_through())
        self._finder: Viewfinder | None = None
        self._watching = Clock.schedule_interval(lambda _: self._watch(), LOOK_S)
        self._watching.cancel()

    def _touched(self, path: tuple[tuple[float, float], ...]) -> None:
        """A finger was lifted from the photograph."""

    def _refresh(self) -> None:
        """Shows how things stand."""

    def discard(self) -> None:
        """See ``Page``."""
        self._watching.cancel()
        self.live.watch(None)
        finder, self._finder = self._finder, None
        if finder is not None:
            finder.close()

    def on_leave(self, *_: object) -> None:
        """Another screen is shown."""
        self.discard()

    def _name_source(self, game: str) -> str:
        """The camera that a game had last time."""
        last = self.shell.settings.last.get(game, {}).get("source")
        return "0" if last is None else str(last)

    def _look_through(self) -> None:
        """Opens the camera that is named; a picture file is read when it is taken."""
        self.discard()
        text = self.where.text.strip()
        if text and not self._is_file:
            self._finder = Viewfinder(text)
            self.live.watch(self._finder.frames)
        self._watching()
        self._refresh()

    def _renamed(self) -> None:
        """Another source is being named: the one before is let go at once."""
        if self.phase == "photo" and self._finder is not None:
            if self._finder.source != self.where.text.strip():
                self.problem = ""  # of the one before
                self.discard()
                self._watching()
            self._refresh()

    @property
    def _is_file(self) -> bool:
        return Path(self.where.text.strip()).suffix.lower() in SUFFIXES

    def _watch(self) -> None:
        """How the camera does; one that was named is opened when nobody types any more."""
        if self.phase == "photo":
            if self._finder is None and self.where.text.strip() and not self._is_file and not self.where.focus:  # fmt: skip
                self._look_through()
            self._refresh()

    def _shot(self) -> Callable[[], Image]:
        """Gives the picture that is taken now, in any thread: the camera's newest, or the named file
        (raises BoardwardenError)."""
        path = Path(self.where.text.strip())
        seen = self._finder.picture if self._finder is not None else None
        return partial(read_picture, path) if seen is None else seen.copy

    def _say(self, sentence: str) -> None:
        self._watching.cancel()
        self.problem = sentence

    def _show_source(self) -> None:
        """Whether a picture can be taken, and what is wrong with the camera."""
        finder = self._finder
        self.can_go = (
            bool(self.where.text.strip()) if finder is None else finder.picture is not None
        )
        if finder is not None:
            self.problem = finder.problem
