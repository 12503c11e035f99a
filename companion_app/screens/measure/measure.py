"""Measuring the own board: photograph, corners, then step by step on the flattened picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty

from calibration.measuring.measuring import GAMES, SIZES_MM, Measuring
from calibration.measuring.photograph import Photograph
from calibration.measuring.step import Said, Shape
from calibration.profile import make_profile
from companion_app.library import save_profile
from companion_app.screens.measure.numbers import KeyPad, stepper
from companion_app.screens.photo_page import PhotoPage
from companion_app.texts import game_title, t, told
from companion_app.widgets.basics import Field, Note, Segments
from engine.errors import BoardwardenError
from engine.geometry import Point

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
GRIP = 0.06  # of the picture's longer side: a corner is taken by a finger so near


class MeasureScreen(PhotoPage):
    """``phase``: photo, corners, steps, save."""

    offer = StringProperty("")
    can_undo = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.games = Segments(size_hint_y=None)
        self.name_field = Field(hint_text=t("measure.name"))
        self.games.bind(value=lambda *_: self._choose_game())
        self.pad = KeyPad(self._change)
        self.game = "magalon"
        self.measuring: Measuring | None = None
        self._photograph: Photograph | None = None
        self._corners: list[Point] = []
        self._markers: dict[str, Any] | None = None

    # --- coming and going ----------------------------------------------------------------------

    def enter(self, **what: Any) -> None:
        """``game``: the one whose board is measured; ``form``: as kept by ``keep``."""
        self.discard()
        form = what.get("form") or {}
        self.game = form.get("game") or what.get("game") or self.shell.settings.game
        if self.game not in GAMES:
            self.game = "magalon"
        self.games.options = [(g, game_title(g)) for g in GAMES]
        self.games.height = self.ids.next.height * 0.8
        self.games.value = self.game
        self.where.text = form.get("where", self._name_source(self.game))
        self.name_field.text = form.get("name", "")
        self.measuring = form.get("measuring")
        self._photograph, self._corners = form.get("photograph"), list(form.get("corners") or [])
        self._markers = form.get("markers")
        self._enter_phase(form.get("phase", "photo"))

    def keep(self) -> dict[str, Any]:
        """See ``Page``: nothing that was measured is lost when the language changes."""
        form = {
            "game": self.game, "where": self.where.text, "name": self.name_field.text,
            "measuring": self.measuring, "photograph": self._photograph,
            "corners": self._corners, "markers": self._markers, "phase": self.phase,
        }  # fmt: skip
        return {"form": form}

    def leave(self) -> None:
        """Back: to the photograph first, so that nobody loses work by one tap too many."""
        if self.phase == "save":
            self._enter_phase("steps")
        elif self.phase in ("steps", "corners"):
            self._enter_phase("photo")
        else:
            self.shell.back()

    def _enter_phase(self, phase: str) -> None:
        self.phase, self.problem, self.offer = phase, "", ""
        body, left = self.ids.body, self.ids.left
        body.clear_widgets()
        left.clear_widgets()
        if phase == "photo":
            left.add_widget(self.live)
            for widget in (self.games, self.where, Note(text=t("measure.where_note"))):
                body.add_widget(widget)
            self._look_through()
        else:
            self.discard()
            left.add_widget(self.photo)
        if phase == "corners" and self._photograph is not None:
            self.photo.show(self._photograph.image)
        elif phase in ("steps", "save") and self.measuring is not None:
            self.photo.show(self.measuring.picture, self.measuring.draft.size_mm)
        if phase == "save":
            body.add_widget(self.name_field)
        self._refresh()

    # --- the photograph ------------------------------------------------------------------------

    def _choose_game(self) -> None:
        if self.games.value:
            self.game = self.games.value

    def _take_picture(self) -> None:
        size, shot = SIZES_MM[self.game], self._shot()

        def job(_: object) -> tuple[Photograph, Any]:
            photograph = Photograph(shot(), size)
            return photograph, photograph.guess()

        def done(result: tuple[Photograph, Any]) -> None:
            self._photograph, corners = result
            self._corners = [] if corners is None else [(float(x), float(y)) for x, y in corners]
            self._enter_phase("corners")

        self.shell.work(t("measure.looking"), job, done, self._say)

    # --- corners -------------------------------------------------------------------------------

    def _touch_corners(self, path: tuple[Point, ...]) -> None:
        assert self._photograph is not None
        reach = GRIP * max(self._photograph.image.shape[:2])
        near = [i for i, c in enumerate(self._corners) if np.hypot(c[0] - path[0][0], c[1] - path[0][1]) < reach]  # fmt: skip
        if near:
            self._corners[near[0]] = path[-1]
        elif len(self._corners) < 4:
            self._corners.append(path[-1])
            if len(self._corners) == 4:
                self._snap()

    def _snap(self) -> None:
        assert self._photograph is not None
        try:
            snapped = self._photograph.snapped(np.array(self._corners))
        except BoardwardenError as error:
            self._say(told(error))
            return
        self._corners = [(float(x), float(y)) for x, y in snapped]

    def _flatten(self) -> None:
        photograph, corners = self._photograph, np.array(self._corners)
        assert photograph is not None
        game = self.game

        def job(_: object) -> tuple[Measuring, Any]:
            face = photograph.face(corners)
            return Measuring(game, face, photograph.size_mm), photograph.labels(corners)

        def done(result: tuple[Measuring, Any]) -> None:
            self.measuring, self._markers = result
            self._enter_phase("steps")

        self.shell.work(t("measure.looking"), job, done, self._say)

    # --- what is tapped ------------------------------------------------------------------------

    def _touched(self, path: tuple[Point, ...]) -> None:
        self.problem = ""
        if self.phase == "corners":
            self._touch_corners(path)
        elif self.phase == "steps" and self.measuring is not None:
            self.measuring.touch(path)
        self._refresh()

    def _change(self, name: str, value: int) -> None:
        if self.measuring is not None:
            self.measuring.change(name, value)
            if self.measuring.step.name == "size":
                self.photo.show(self.measuring.picture, self.measuring.draft.size_mm)
            self._refresh()

    def undo(self) -> None:
        """One step back."""
        if self.phase == "corners":
            self._corners = self._corners[:-1]
        elif self.measuring is not None:
            self.measuring.undo()
        self.problem = ""
        self._refresh()

    def take(self) -> None:
        """Takes what is offered: cells that look alike, or the board turned by a quarter."""
        if self.phase == "corners":
            self._corners = [*self._corners[1:], *self._corners[:1]]
        elif self.measuring is not None:
            self.measuring.take_proposed()
        self._refresh()

    def go_on(self) -> None:
        """The main button."""
        if self.phase == "photo":
            self._take_picture()
        elif self.phase == "corners":
            self._flatten()
        elif self.phase == "steps" and self.measuring is not None:
            if self.measuring.last:
                self._enter_phase("save")
            else:
                self.measuring.next()
                self._refresh()
        elif self.phase == "save":
            self._save()

    def _save(self) -> None:
        measuring = self.measuring
        assert measuring is not None
        name = self.name_field.text.strip() or t("measure.my_board", game=game_title(self.game))
        try:
            raw = measuring.board_file(name)
            if self._markers is not None:
                raw["markers"] = self._markers
            save_profile(self.shell.store, make_profile(raw, measuring.picture))
        except BoardwardenError as error:
            self._say(told(error))
            return
        self.measuring = self._photograph = None
        self._corners, self._markers = [], None
        self.name_field.text = ""
        self.phase = "photo"
        self.shell.go("boards", said=t("measure.saved", name=name))

    # --- what is shown -------------------------------------------------------------------------

    def _refresh(self) -> None:
        {"photo": self._show_photo, "corners": self._show_corners, "steps": self._show_step, "save": self._show_save}[self.phase]()  # fmt: skip

    def _show_photo(self) -> None:
        self.title = t("measure.title")
        self.prompt = t("measure.photo_do")
        self.can_undo = False
        self._show_source()

    def _show_corners(self) -> None:
        self.title = t("measure.corners")
        n = len(self._corners)
        self.prompt = t("measure.corners_check") if n == 4 else t(f"measure.corner_{n + 1}")
        self.can_undo, self.can_go = n > 0, n == 4
        self.offer = t("measure.turn") if n == 4 else ""
        shapes = [Shape("handle", (c,), label=f"={i}") for i, c in enumerate(self._corners, 1)]
        if n == 4:
            shapes.append(Shape("line", tuple(self._corners)))
        self.photo.set_shapes(shapes)

    def _show_step(self) -> None:
        now = self.measuring
        assert now is not None
        self.title = t("measure.step", n=now.at + 1, of=len(now.steps), name=t(f"measure.{now.step.name}"))  # fmt: skip
        self.prompt = _words(now.prompt)
        problems = now.problems
        self.problem = _words(problems[0]) if problems else ""
        self.can_undo, self.can_go = now.can_undo, not problems
        self.offer = t("measure.take", n=len(now.proposed)) if now.proposed else ""
        self._show_numbers()
        self.photo.set_shapes(now.shapes)

    def _show_numbers(self) -> None:
        assert self.measuring is not None
        numbers, body = self.measuring.numbers, self.ids.body
        if numbers and numbers[0].pad:
            if self.pad.parent is None:
                body.clear_widgets()
                body.add_widget(self.pad)
            self.pad.show(numbers)
            return
        body.clear_widgets()
        for number in numbers:
            body.add_widget(stepper(number, self._change))

    def _show_save(self) -> None:
        self.title = t("measure.save")
        labels = "" if self._markers is None else t("measure.labels_found", n=len(self._markers["corners"]))  # fmt: skip
        self.prompt = " ".join(p for p in (t("measure.save_do"), labels) if p)
        self.can_undo, self.can_go = False, True
        if self.measuring is not None:
            self.photo.set_shapes(self.measuring.whole)


def _words(said: Said) -> str:
    params = dict(said.params)
    for key, value in params.items():
        if key in ("field", "a", "b") and isinstance(value, str):
            params[key] = t(f"measure.field_{value}")
    return t(said.key, **params)
