"""Learning the print of the owner's tiles: lay them out, photograph, look over, confirm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from kivy.lang import Builder
from kivy.properties import BooleanProperty
from kivy.uix.scrollview import ScrollView

from calibration.measuring.step import Shape
from companion_app import theme
from companion_app.games.carcassonne.panel import TileCells
from companion_app.screens.photo_page import PhotoPage
from companion_app.texts import t, told
from companion_app.tile_lesson import (
    SETS,
    TileLesson,
    forget_tiles,
    keep_tiles,
    kept_tiles,
    letter_of,
    stock,
)
from companion_app.widgets.basics import Note, Segments
from engine.errors import BoardwardenError
from vision.tiles.profile import Profile

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
GAME = "carcassonne"


class TilesScreen(PhotoPage):
    """``phase``: photo, look."""

    can_other = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.sets = Segments(size_hint_y=None)
        self.sets.bind(value=lambda *_: self._refresh())
        self.known = Note(size_hint_y=None)
        self.cells = TileCells()
        self.cells.bind(on_pick=lambda _, kind, __: self._name(kind))
        self._list = ScrollView(do_scroll_x=False, bar_width=theme.dp(5))
        self._list.add_widget(self.cells)
        self.lesson: TileLesson | None = None
        self.picked: int | None = None
        self._profile = Profile()

    # --- coming and going ----------------------------------------------------------------------

    def enter(self, **what: Any) -> None:
        """``form``: as kept by ``keep``."""
        self.discard()
        form = what.get("form") or {}
        self.sets.options = [(name, t(f"tiles.{name}")) for name in SETS]
        self.sets.height = theme.TOUCH
        self.known.height = theme.sp(52)
        self._profile = kept_tiles()
        self.sets.value = form.get("sets", next(iter(SETS)))
        self.where.text = form.get("where", self._name_source(GAME))
        self.lesson, self.picked = form.get("lesson"), form.get("picked")
        self._enter_phase("photo" if self.lesson is None else "look")

    def keep(self) -> dict[str, Any]:
        """See ``Page``: nothing that was named is lost when the language changes."""
        form = {
            "sets": self.sets.value, "where": self.where.text, "lesson": self.lesson,
            "picked": self.picked,
        }  # fmt: skip
        return {"form": form}

    def leave(self) -> None:
        """Back: to the photograph first."""
        if self.phase == "look":
            self.lesson = None
            self._enter_phase("photo")
        else:
            self.shell.back()

    def _enter_phase(self, phase: str) -> None:
        self.phase, self.problem = phase, ""
        body, left = self.ids.body, self.ids.left
        body.clear_widgets()
        left.clear_widgets()
        if phase == "photo":
            left.add_widget(self.live)
            for widget in (self.sets, self.where, Note(text=t("measure.where_note")), self.known):
                body.add_widget(widget)
            self._look_through()
            return
        self.discard()
        left.add_widget(self.photo)
        body.add_widget(self._list)
        if self.lesson is not None:
            self.photo.show(self.lesson.image)
            self.cells.entries = tuple((kind, 1, True) for kind in self.lesson.reader.kinds)
        self._refresh()

    # --- what is done --------------------------------------------------------------------------

    def go_on(self) -> None:
        """The main button: takes the picture, or learns what it shows."""
        if self.phase == "photo":
            self._take_picture()
        else:
            self._learn()

    def do_other(self) -> None:
        """The button above it: forgets the print, or leaves the chosen tile out."""
        if self.phase == "look":
            self._name("")
            return
        try:
            forget_tiles()
        except BoardwardenError as error:
            self._say(told(error))
        self._profile = kept_tiles()
        self._refresh()

    def _take_picture(self) -> None:
        shot, most = self._shot(), stock([self.sets.value])

        def job(_: object) -> TileLesson:
            return TileLesson.of(shot(), most)

        def done(lesson: TileLesson) -> None:
            if not lesson.tiles:
                self._say(t("tiles.unseen"))
                return
            self.lesson, self.picked = lesson, next(iter(lesson.doubtful), None)
            self._enter_phase("look")

        self.shell.work(t("measure.looking"), job, done, self._say)

    def _learn(self) -> None:
        lesson, known = self.lesson, self._profile
        assert lesson is not None

        def job(_: object) -> int:
            profile = lesson.profile(known)
            keep_tiles(profile)
            return len(profile.views)

        def done(count: int) -> None:
            self.lesson, self.phase = None, "photo"
            self.shell.go("boards", said=t("tiles.saved", n=count))

        self.shell.work(t("measure.looking"), job, done, self._say)

    def _touched(self, path: tuple[tuple[float, float], ...]) -> None:
        """The tile under the finger is chosen."""
        if self.lesson is None or self.phase != "look":
            return
        corners = [tile.corners_px.astype(np.float32) for tile in self.lesson.tiles]
        inside = [cv2.pointPolygonTest(c, path[-1], True) for c in corners]
        best = int(np.argmax(inside))
        self.picked = best if inside[best] >= 0 else None
        self._refresh()

    def _name(self, kind: str) -> None:
        """A person says what the chosen tile is; the next doubtful one follows."""
        if self.lesson is None or self.picked is None:
            return
        self.lesson = self.lesson.named(self.picked, kind)
        self.picked = next(iter(self.lesson.doubtful), None)
        self._refresh()

    # --- what is shown -------------------------------------------------------------------------

    def _refresh(self) -> None:
        self.title = t("tiles.title")
        if self.phase == "photo":
            self._show_photo()
        elif self.lesson is not None:
            self._show_look(self.lesson)

    def _show_photo(self) -> None:
        self.prompt = t("tiles.photo_do")
        kinds = stock([self.sets.value]) if self.sets.value else {}
        learnt = sum(kind in self._profile.views for kind in kinds)
        self.known.text = t("tiles.known", n=learnt, of=len(kinds))
        self.can_other = bool(self._profile.views)
        self._show_source()

    def _show_look(self, lesson: TileLesson) -> None:
        picked = self.picked
        if picked is None:
            self.prompt = t("tiles.look_do", n=len(lesson.tiles))
        else:
            self.prompt = t("tiles.doubt" if picked in lesson.doubtful else "tiles.picked")
        missing = ", ".join(letter_of(kind) for kind in lesson.missing)
        self.problem = t("tiles.missing", kinds=missing) if missing else ""
        self.cells.chosen = "" if picked is None else lesson.names[picked]
        self.can_other = picked is not None
        self.can_go = any(lesson.names)
        self.photo.set_shapes([self._shape(lesson, n) for n in range(len(lesson.tiles))])

    def _shape(self, lesson: TileLesson, number: int) -> Shape:
        """A tile's outline with what it is taken for."""
        corners = tuple((float(x), float(y)) for x, y in lesson.tiles[number].corners_px)
        kind = "proposed" if number in lesson.doubtful else "line"
        if number == self.picked:
            kind = "chosen"
        return Shape(kind, corners, label=f"={letter_of(lesson.names[number])}")
