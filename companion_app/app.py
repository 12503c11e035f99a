"""The app: screens, the running session, and what the platform asks of it."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")
os.environ.setdefault("KIVY_NO_CONFIG", "1")  # nothing is written beside the folder of games
os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
# Edges are smoothed shape by shape; multisampling would cost more than all the drawing.
os.environ.setdefault("KCFG_GRAPHICS_MULTISAMPLES", "0")

from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.core.window import Window
from kivy.logger import Logger
from kivy.uix.screenmanager import FadeTransition, ScreenManager

from companion_app import opening, texts, theme
from companion_app.screens.new_game import NewGame, NewGameScreen
from companion_app.screens.start import StartScreen
from companion_app.screens.table import TableScreen
from companion_app.session import Session
from companion_app.sight import PipelineOpener
from companion_app.store import SavedGame, Store
from engine.board import REFERENCE
from engine.errors import BoardwardenError
from engine.game import Header, Player, Room
from engine.verdict import Message

log = logging.getLogger(__name__)
ESCAPE = 27
UNSEEN = (
    "There is no screen here: the window is drawn where nobody sees it (end it with Ctrl+C)."
    " Start Boardwarden on the tablet's own desktop."
)
DEMO_FILM, DEMO_PICTURE, DEMO_CARDS = "magalon.mp4", "magalon-reference.jpg", "cards.json"


@dataclass(frozen=True)
class AppOptions:
    """How the app is started.

    ``data``: folder of games; ``demo``: begin with the demo; ``source``, ``board``,
    ``reference``: offered in the new-game screen.  ``opener``, ``rooms``, ``referees``: the parts
    behind the screens, replaced in tests.
    """

    data: Path | None = None
    demo: bool = False
    source: int | str | None = None
    board: str | None = None
    reference: Path | None = None
    opener: PipelineOpener = opening.open_eyes
    rooms: Callable[[str], Room] = opening.room_of
    referees: opening.RefereeMaker = opening.make_referee
    extra: dict[str, Any] = field(default_factory=dict)


class BoardwardenApp(App):
    """One window, three screens, at most one running session."""

    def __init__(self, options: AppOptions, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options
        self.title = texts.t("app.title")
        self.store = Store(options.data)
        self.session: Session | None = None
        self.settings_seen = self.store.settings()

    def build(self) -> ScreenManager:
        """The screens."""
        Logger.addFilter(lambda line: "Cutbuffer" not in str(line.msg))  # X11's, of no use here
        sys.setswitchinterval(0.001)  # rules and eyes give way to the interface sooner
        Window.clearcolor = theme.BACKGROUND
        Window.softinput_mode = "below_target"
        Window.bind(on_keyboard=self._key)
        self.start_screen = StartScreen(name="start")
        self.new_screen = NewGameScreen(name="new")
        self.table_screen = TableScreen(name="table")
        self.manager = ScreenManager(transition=FadeTransition(duration=0.15))
        for screen in (self.start_screen, self.new_screen, self.table_screen):
            self.manager.add_widget(screen)
        self.start_screen.bind(
            on_new_game=lambda _: self.show_new_game(),
            on_resume_game=lambda _: self.resume_game(),
            on_demo=lambda _: self.begin_demo(),
        )
        self.new_screen.bind(
            on_back=lambda _: self.show_start(), on_begin=lambda _, game: self.begin(game)
        )
        self.table_screen.bind(on_leave_table=lambda _: self.leave_table())
        self.show_start()
        return self.manager

    def on_start(self) -> None:
        """Goes straight into the demo where that was asked for."""
        if self.options.demo:
            self.begin_demo()

    # --- screens -------------------------------------------------------------------------------

    def show_start(self, note: str = "") -> None:
        """The start screen, with the game that waits."""
        saved = self.store.running()
        note = note or (texts.show(self.store.trouble) if self.store.trouble else "")
        self.start_screen.offer(_describe(saved) if saved is not None else None, note)
        self.manager.current = "start"

    def show_new_game(self) -> None:
        """The new-game screen, filled with what was chosen last time."""
        given = {
            k: v
            for k, v in (
                ("source", self.options.source),
                ("board", self.options.board),
                ("reference", self.options.reference),
            )
            if v is not None
        }
        self.new_screen.offer({**self.settings_seen.get("new_game", {}), **given})
        self.manager.current = "new"

    def begin(self, game: NewGame) -> None:
        """Begins a new game; what is wrong is said on the new-game screen."""
        header = Header("magalon", game.board, game.players)
        if self._open(header, source=game.source, reference=game.reference):
            self.settings_seen = {**self.settings_seen, "new_game": game.to_settings()}
            self.store.save_settings(self.settings_seen)

    def resume_game(self) -> None:
        """Goes on with the game that waits."""
        saved = self.store.running()
        if saved is None:
            self.show_start()
            return
        last = self.settings_seen.get("new_game", {})
        reference = last.get("reference")
        self._open(
            saved.header,
            saved=saved,
            source=last.get("source"),
            reference=Path(reference) if reference else None,
            tell=saved.trouble,
        )

    def begin_demo(self) -> None:
        """The recorded game that ships with the app, in real time; its record is not kept."""
        folder = demo_folder()
        try:
            cards = opening.read_cards(folder / DEMO_CARDS)
        except BoardwardenError as error:
            self.show_start(str(error))
            return
        seats = tuple(Player(str(p["name"]), str(p["colour"])) for p in cards["players"])
        self._open(
            Header("magalon", REFERENCE, seats),
            source=str(folder / DEMO_FILM),
            reference=folder / DEMO_PICTURE,
            cards=cards,
            keep=False,
        )

    def leave_table(self) -> None:
        """Closes the session; the game waits on the start screen."""
        over = self.session is not None and self.session.snapshot.table.winner is not None
        kept = self.session is not None and self.session.kept
        self.close_session()
        if over and kept:
            self.store.finish()
        self.show_start()

    def _key(self, _window: object, key: int, *_: object) -> bool:
        """Escape, and Android's back button: one screen back; from the first one, out."""
        if key != ESCAPE or self.manager.current == "start":
            return False
        if self.manager.current == "table":
            self.leave_table()
        else:
            self.show_start()
        return True

    # --- the session ---------------------------------------------------------------------------

    def _open(self, header: Header, *, tell: Message | None = None, **how: Any) -> bool:
        self.close_session()
        texts.choose_game(header.game, {p.colour: p.name for p in header.players})
        try:
            session = opening.open_session(
                self.store,
                header,
                opener=self.options.opener,
                rooms=self.options.rooms,
                referees=self.options.referees,
                **how,
            )
        except BoardwardenError as error:
            self._say(str(error))
            return False
        except Exception:
            log.exception("the game could not be opened")
            self._say(texts.t("trouble.inner"))
            return False
        self.session = session
        session.start(tell=tell)
        self.table_screen.attach(session)
        self.manager.current = "table"
        Window.allow_screensaver = False
        return True

    def _say(self, text: str) -> None:
        if self.manager.current == "new":
            self.new_screen.problem = text
        else:
            self.show_start(text)

    def close_session(self) -> None:
        """Ends the running session, if there is one, within two seconds."""
        session, self.session = self.session, None
        if session is not None:
            Window.allow_screensaver = True
            self.table_screen.detach()
            session.close()

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
        Window.unbind(on_keyboard=self._key)
        self.close_session()


def demo_folder() -> Path:
    """The folder of the recording that ships with the app."""
    return Path(str(resources.files("companion_app").joinpath("demo")))


def _describe(saved: SavedGame) -> str:
    names = ", ".join(p.name for p in saved.header.players)
    lays = sum(a.do in ("lay", "pass") for a in saved.actions)
    return texts.t(
        "start.resume_detail",
        game="Magalon",
        players=names,
        round=max(0, lays - 1) // max(1, len(saved.header.players)) + 1,
    )


class _CarryOn(ExceptionHandler):
    """A fault in drawing or in a tap is logged; the game goes on."""

    def handle_exception(self, inst: BaseException) -> int:
        if isinstance(inst, (KeyboardInterrupt, SystemExit)):
            return int(ExceptionManager.RAISE)
        log.error("a fault in the interface", exc_info=inst)
        return int(ExceptionManager.PASS)


def _unseen() -> bool:
    """Whether there is no screen, so that SDL draws the window where nobody sees it."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "ANDROID_ARGUMENT")
    return sys.platform == "linux" and not any(os.environ.get(name) for name in screens)


def run_app(options: AppOptions | None = None) -> int:
    """Runs the app until its window is closed; returns the exit status."""
    if Window is None:
        print(texts.t("trouble.window"), file=sys.stderr)
        return 2
    Logger.setLevel(logging.WARNING)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if _unseen():
        print(UNSEEN, file=sys.stderr)
    ExceptionManager.add_handler(_CarryOn())
    try:
        BoardwardenApp(options or AppOptions()).run()
    except BoardwardenError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def run_demo(data: Path | None = None) -> int:
    """Runs the app on the recording that ships with it."""
    return run_app(AppOptions(data=data, demo=True))
