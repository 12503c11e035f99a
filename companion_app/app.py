"""The app: screens, the running session, and what the platform asks of it."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion_app import kivy_setup  # noqa: F401  # isort: skip
from kivy.app import App
from kivy.clock import Clock, ClockEvent
from kivy.core.window import Window
from kivy.logger import Logger
from kivy.uix.floatlayout import FloatLayout

from companion_app import heap, opening, texts, theme
from companion_app.app_options import AppOptions
from companion_app.busy import Progress, Work
from companion_app.demo_game import DEMO_GAMES, demo_setup
from companion_app.screens.page import Page, Stage
from companion_app.session import Session
from companion_app.settings import Settings
from companion_app.spectators.process import Spectators
from companion_app.store import Store
from companion_app.table_setup import TableSetup
from companion_app.voice.announcer import Announcer
from companion_app.widgets import textures
from companion_app.widgets.waiting import Waiting, WaitingSheet
from engine.errors import BoardwardenError
from engine.game import Header
from engine.verdict import Message

log = logging.getLogger(__name__)
ESCAPE = 27
PAGES = {
    "start": "start:StartScreen",
    "new": "new_game:NewGameScreen",
    "join": "join:JoinScreen",
    "camera": "camera:CameraScreen",
    "table": "table:TableScreen",
    "explain": "explain:ExplainScreen",
    "note": "note:NoteScreen",
    "games": "games:GamesScreen",
    "review": "review:ReviewScreen",
    "boards": "boards:BoardsScreen",
    "measure": "measure:MeasureScreen",
    "tiles": "tiles:TilesScreen",
    "settings": "settings:SettingsScreen",
    "spectators": "spectators:SpectatorsScreen",
    "tour": "tour:TourScreen",
}
# Settings that change what all screens look or read like.
LOOKS = ("language", "text", "contrast", "light", "calm")
ALWAYS_KEPT = ("start", "table")
KEPT_PAGES = 3  # of those shown last
RESIZED_S = 0.25
SAT_DOWN_S = 1.5  # until a table is drawn whole
SWEEP_S = 20.0  # so long what was dropped may keep its memory
SCALE_STEP = 0.04


class BoardwardenApp(App):
    """One window, its screens, at most one running session.  Implements ``shell.Shell``."""

    def __init__(self, options: AppOptions, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options
        self.store = Store(options.data)
        self.settings = Settings.from_json(self.store.settings())
        self.session: Session | None = None
        self.spectators: Spectators | None = None
        self.announcer = Announcer(
            lambda: self.settings, lambda job: Clock.schedule_once(lambda _: job()), options.mouths
        )
        self.trail: list[tuple[str, dict[str, Any]]] = []
        self._tidies = False
        self._sweeping: ClockEvent | None = None
        self._seen: list[str] = []  # screens, the newest last
        self._resized = Clock.create_trigger(self._look_again, RESIZED_S)

    def build(self) -> FloatLayout:
        """The stage with its first screen."""
        Logger.addFilter(lambda line: "Cutbuffer" not in str(line.msg))  # X11's, of no use here
        sys.setswitchinterval(0.001)  # rules and eyes give way to the interface sooner
        texts.choose_language(self.settings.spoken)
        theme.use(self._wanted_look())
        self.title = texts.t("app.title")
        Window.clearcolor = theme.BACKGROUND
        Window.softinput_mode = "below_target"
        Window.bind(on_keyboard=self._key, on_resize=self._resized)
        self.manager = Stage()
        self.stage = FloatLayout()
        self.stage.add_widget(self.manager)
        self.show_start()
        if not self.settings.tour_seen and not self.options.demo:
            self.go("tour")
        return self.stage

    def on_start(self) -> None:
        """Keeps memory in order from now on; goes straight into the demo where that was asked for."""
        heap.keep_small()
        self._tidies = True
        self._tidy()
        self._sweeping = Clock.schedule_interval(lambda _: heap.sweep(), SWEEP_S)
        if self.options.demo:
            self.begin_demo(self.options.demo)

    # --- screens -------------------------------------------------------------------------------

    def page(self, name: str) -> Page:
        """The screen of a name, made when it is first needed."""
        if not self.manager.has_screen(name):
            module, kind = PAGES[name].split(":")
            maker = getattr(importlib.import_module(f"companion_app.screens.{module}"), kind)
            self.manager.add_widget(maker(name=name, shell=self))
        found: Page = self.manager.get_screen(name)
        return found

    def has(self, screen: str) -> bool:
        """See ``Shell``."""
        module = PAGES[screen].partition(":")[0] if screen in PAGES else ""
        return importlib.util.find_spec(f"companion_app.screens.{module or '-'}") is not None

    def go(self, screen: str, **what: Any) -> None:
        """See ``Shell``."""
        if screen == "new":
            what.setdefault("given", self._given())
        while self.trail and any(name == screen for name, _ in self.trail):
            self.trail.pop()
        self.trail.append((screen, what))
        page = self.page(screen)
        page.enter(**what)
        self.manager.current = screen
        self._drop_pages(screen)

    def _drop_pages(self, shown: str) -> None:
        """Screens that nobody has seen for long are made anew when they are needed again."""
        self._seen = [*(n for n in self._seen if n != shown), shown]
        stay = {*ALWAYS_KEPT, *self._seen[-KEPT_PAGES:], *(name for name, _ in self.trail)}
        for page in [p for p in self.manager.screens if p.name not in stay]:
            page.discard()
            self.manager.remove_widget(page)

    def back(self) -> None:
        """See ``Shell``: a table is left as with its own button."""
        if self.manager.current == "table":
            self.leave_table()
        elif len(self.trail) > 1:
            self.trail.pop()
            name, what = self.trail.pop()
            self.go(name, **what)
        else:
            self.show_start()

    def _given(self) -> dict[str, Any]:
        """What the command line offers for a new game."""
        o = self.options
        given = {"source": o.source, "board": o.board, "reference": o.reference}
        return {k: v for k, v in given.items() if v is not None}

    def show_start(self, note: str = "") -> None:
        """The start screen."""
        self.trail.clear()
        self.go("start", note=note)

    def change(self, **settings: Any) -> None:
        """See ``Shell``."""
        before, self.settings = self.settings, replace(self.settings, **settings)
        self.store.save_settings(self.settings.to_json())
        if any(getattr(before, n) != getattr(self.settings, n) for n in LOOKS):
            self.rebuild()

    def rebuild(self) -> None:
        """Makes the screens anew, in the chosen language and look; nothing else changes."""
        texts.choose_language(self.settings.spoken)
        theme.use(self._wanted_look())
        Window.clearcolor = theme.BACKGROUND
        name, what = self.manager.current, self.page(self.manager.current).keep()
        for page in list(self.manager.screens):
            page.discard()
        textures.forget()  # of another size or colour from now on
        self.stage.remove_widget(self.manager)
        self.manager = Stage()
        self.stage.add_widget(self.manager, index=len(self.stage.children))
        self.trail = [(n, w) for n, w in self.trail if n != name]
        self.go(name, **what)
        self._tidy()

    def _tidy(self, after_s: float = 0.0) -> None:
        """Memory is put in order, in the next frame or later."""
        if self._tidies:
            Clock.schedule_once(lambda _: heap.tidy(), after_s)

    def settle(self, language: str) -> None:
        """Takes a language and the window's size at once, as tests and pictures need it."""
        self.settings = replace(self.settings, language=language)
        self.rebuild()

    def _wanted_look(self) -> theme.Look:
        s = self.settings
        return theme.Look(s.text, s.contrast, s.light, s.calm, theme.scale_for(min(Window.size)))

    @property
    def resizing(self) -> bool:
        """Whether the window has changed its size and the screens are about to follow."""
        return bool(self._resized.is_triggered)

    def _look_again(self, *_: object) -> None:
        if abs(self._wanted_look().scale - theme.chosen.scale) > SCALE_STEP:
            self.rebuild()

    def _key(self, _window: object, key: int, _code: int, text: str, modifiers: list[str]) -> bool:
        """Escape, and Android's back button: closes what lies open, else one screen back; from the first
        one, out."""
        page = self.page(self.manager.current)
        if key == ESCAPE:
            sheet = next((w for w in self.stage.children if isinstance(w, WaitingSheet)), None)
            if sheet is not None:
                sheet.cancel()
            elif not page.close():
                if self.manager.current == "start":
                    return False
                self.back()
            return True
        return page.key(_key_name(key, text), modifiers or [])

    # --- games ---------------------------------------------------------------------------------

    def begin(self, setup: TableSetup) -> str:
        """See ``Shell``."""
        try:
            session = self._make(setup.header(), source=setup.source, reference=setup.reference)
        except BoardwardenError as error:
            return texts.told(error)
        except Exception:
            log.exception("the game could not be opened")
            return texts.t("trouble.inner")
        last = {**self.settings.last, setup.game: setup.to_json()}
        names = tuple(p.name for p in setup.players)
        self.settings = replace(self.settings.with_names(names), last=last, game=setup.game)
        self.store.save_settings(self.settings.to_json())
        self._sit_down(session, set_up=True)
        return ""

    def resume_game(self, path: Path | None = None) -> None:
        """See ``Shell``."""
        saved = self.store.running() if path is None else self.store.open_game(path)
        if saved is None:
            self.show_start(texts.show(self.store.unopened) if self.store.unopened else "")
            return
        last = self.settings.last.get(saved.header.game, {})
        picture = last.get("reference")
        self.work(
            texts.t("start.opening"),
            lambda _: self._make(
                saved.header,
                saved=saved,
                source=last.get("source"),
                reference=Path(picture) if picture else None,
            ),
            lambda session: self._sit_down(session, saved.trouble),
        )

    def begin_demo(self, game: str = DEMO_GAMES[0]) -> None:
        """See ``Shell``: in real time; its record is not kept."""
        try:
            header, how = demo_setup(game)
            self._sit_down(self._make(header, keep=False, **how))
        except BoardwardenError as error:
            self.show_start(texts.told(error))

    def keep_in(self, folder: Path) -> None:
        """See ``Shell``."""
        self.store = Store(folder)
        known = self.store.settings()
        self.settings = Settings.from_json(known) if known else self.settings
        self.store.save_settings(self.settings.to_json())
        kept = self.store.trouble is None
        self.show_start(texts.t("start.kept_in", folder=str(folder)) if kept else "")
        self.rebuild()

    def leave_table(self) -> None:
        """See ``Shell``."""
        over = self.session is not None and self.session.snapshot.table.over
        kept = self.session is not None and self.session.kept
        self.close_session()
        if over and kept:
            self.store.finish()
        self.show_start()

    def _make(self, header: Header, **how: Any) -> Session:
        """A session that has not been started; from any thread."""
        texts.choose_game(header.game, {p.colour: p.name for p in header.players})
        return opening.open_session(
            self.store,
            header,
            opener=self.options.opener,
            rooms=self.options.rooms,
            referees=self.options.referees,
            **how,
        )

    def _sit_down(
        self, session: Session, tell: Message | None = None, *, set_up: bool = False
    ) -> None:
        """Begins a session and shows its table; ``set_up``: first the camera's screen."""
        self.close_session()
        self.session = session
        self.announcer.forget()
        session.listen(self.announcer.hear)
        session.start(tell=tell)
        Window.allow_screensaver = False
        self._tidy(SAT_DOWN_S)
        self.go("camera" if set_up and session.eyes is not None else "table")

    def close_session(self) -> None:
        """Ends the running session, if there is one, within two seconds."""
        session, self.session = self.session, None
        self.close_page()
        if session is not None:
            Window.allow_screensaver = True
            if self.manager.has_screen("table"):
                self.page("table").discard()
            session.close()
            self._tidy()

    # --- what others hear and see --------------------------------------------------------------

    @property
    def voice_name(self) -> str:
        """See ``Shell``."""
        return self.announcer.voice_name

    def announce(self, text: str) -> None:
        """See ``Shell``."""
        self.announcer.say(text, "question", urgent=True)

    def offer_page(self, address: str) -> None:
        """See ``Shell``."""
        session = self.session
        if session is None:
            return
        page = Spectators(address, session.face, session.board)
        self.close_page()
        page.hear(session.snapshot)
        self.spectators, self._unlisten_page = page, session.listen(page.hear)

    def close_page(self) -> None:
        """See ``Shell``."""
        page, self.spectators = self.spectators, None
        if page is not None:
            self._unlisten_page()
            page.close()

    def work(
        self,
        title: str,
        job: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """See ``Shell``."""
        Waiting(
            self.stage, title, Work(job, texts.t("trouble.inner")), done, failed or self.show_start
        )

    # --- the platform --------------------------------------------------------------------------

    def on_pause(self) -> bool:
        """The tablet sleeps: the camera is let go, the game stays."""
        if self.session is not None:
            self.session.pause()
        return True

    def on_resume(self) -> None:
        """The tablet wakes: the camera is opened again."""
        if self.session is not None:
            self.session.resume()

    def on_stop(self) -> None:
        """The window closes."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        Window.unbind(on_keyboard=self._key, on_resize=self._resized)
        self.close_session()
        self.announcer.close()


def _key_name(key: int, text: str | None) -> str:
    names = {13: "enter", 271: "enter", 8: "backspace", 9: "tab", 32: "space"}
    return names.get(key, (text or "").lower())
