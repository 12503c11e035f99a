"""What the screens may ask of the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from companion_app.app_options import AppOptions
from companion_app.busy import Progress
from companion_app.session import Session
from companion_app.settings import Settings
from companion_app.spectators.process import Spectators
from companion_app.store import Store
from companion_app.table_setup import TableSetup


class Shell(Protocol):
    """The app as the screens see it."""

    options: AppOptions
    settings: Settings
    store: Store
    session: Session | None
    spectators: Spectators | None

    def go(self, screen: str, **what: Any) -> None:
        """Opens a screen; ``back`` returns to the one before."""

    def back(self) -> None:
        """One screen back."""

    def change(self, **settings: Any) -> None:
        """Keeps changed settings; the screens are built anew where they look or read otherwise."""

    def begin(self, setup: TableSetup) -> str:
        """Begins a new game; returns what is wrong as a sentence, "" if nothing."""

    def resume_game(self, path: Path | None = None) -> None:
        """Goes on with a saved game, by default the one that waits."""

    def begin_demo(self, game: str = ...) -> None:
        """The recording of a game that comes with the app."""

    def keep_in(self, folder: Path) -> None:
        """From now on games and settings lie in another folder; shows the start screen."""

    def leave_table(self) -> None:
        """Closes the session; the game waits on the start screen."""

    @property
    def voice_name(self) -> str:
        """What speaks; "" where nothing can."""

    def announce(self, text: str) -> None:
        """Says a text aloud, as the settings want it."""

    def has(self, screen: str) -> bool:
        """Whether this version has a screen."""

    def page(self, name: str) -> Any:
        """A screen itself."""

    def offer_page(self, address: str) -> None:
        """Lets spectators look on at an address; raises BoardwardenError where that fails.  Takes
        a while: to be called as a ``work``."""

    def close_page(self) -> None:
        """No spectators any more."""

    def work(
        self,
        title: str,
        job: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """Runs a job beside the interface; what takes long shows its progress and can be
        cancelled.  ``done`` gets the result, ``failed`` a sentence, on the interface's thread."""
