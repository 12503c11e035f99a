"""A long evening in the app: many games, pictures, turns of the tablet, sleeps; what it costs.

    python -m tests.faults.long_evening FOLDER --seconds 300            compressed time
    python -m tests.faults.long_evening FOLDER --seconds 10800 --real   real eyes, real time
    python -m tests.faults.long_evening FOLDER --hours 3                one game, compressed further
    python -m tests.faults.long_evening FOLDER --seconds 600 --real --actions 8 --pause 1    quick games

In compressed time the pictures come 30 times a second (a real evening has 10) with perfect eyes of
the table as it should be, and somebody acts several times a second.  With ``--real`` the recorded
film is the camera, again and again, the project's own eyes watch it in their own process, and one
acts every few seconds.  With ``--hours`` a single game goes on for so long: the pictures are two seconds
apart, and one acts every twenty seconds.  Prints a JSON object, and on
standard error each sample as it is taken; ``memory_mb`` is that of the app's process, which the
limit is for, ``eyes_mb`` that of the eyes' own one; ``held``: of how many games the rules' board is
still in memory.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import companion_app.app  # noqa: F401  (first, so that Kivy is set up as in the app)
from companion_app import opening
from companion_app.demo_game import FILM, PICTURE, demo_folder
from companion_app.device import helpers_mb, memory_mb, open_handles
from companion_app.sight import PipelineRequest, View
from companion_app.table_setup import TableSetup
from companion_app.taps import AskHints, Do
from companion_app.texts import LANGUAGES
from engine.action import Action
from engine.magalon.simulate import random_action
from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import Placement
from tests.app.driver import LANDSCAPE, PLAYERS, PORTRAIT, Driver, open_apps
from tests.app.fakes import view

PICTURES_PER_S = 30.0
GAME_ACTIONS, SLEEP_EVERY, LOOK_EVERY = 60, 25, 45
SAMPLES = 40
PICTURE_S, HAND_OF, HANDS = (
    0.1,
    40,
    8,
)  # seconds of the table from picture to picture; hands in 8 of 40
HOUR_PICTURE_S, HOUR_PICTURES_PER_S, HOUR_PAUSE_S = 2.0, 60.0, 20.0
QUIET_S = 0.25  # for threads that are ending, before they are counted
WARM = 0.25  # share of the time after which nothing may grow any more


class PerfectEyes:
    """Sees the table just as it should be, ten times faster than life; now and then a hand."""

    opened = 0
    pictures = 0
    apart_s = PICTURE_S
    per_s = PICTURES_PER_S

    def __init__(self, request: PipelineRequest) -> None:
        type(self).opened += 1
        self._request = request
        self._placement = request.placement
        self._closed = threading.Event()
        self._made = [view(0.1, board=True), view(0.1, board=True, hand=True)]
        for n, made in enumerate(self._made):  # other pixels, as a camera's noise brings
            made.frame.image[::2] += n + 1

    def accepted(self, placement: Placement) -> None:
        self._placement = placement

    def close(self) -> None:
        self._closed.set()

    def views(self) -> Iterator[View]:
        count = 0
        while not self._closed.wait(1 / self.per_s):
            count += 1
            type(self).pictures += 1
            t_s, hand = count * self.apart_s, count % HAND_OF < HANDS
            seen = () if hand or self._placement is None else tuple(self._pieces(self._placement))
            still = 0.0 if hand else (count % HAND_OF - HANDS + 1) * self.apart_s
            made = self._made[hand]
            frame = replace(made.frame, t_s=t_s, index=count)
            observation = Observation(t_s, True, hand, seen, still_s=still)
            yield View(frame, made.pose, observation, hand, still, None, ())

    def _pieces(self, placement: Placement) -> Iterator[SeenPiece]:
        centres = self._request.board.centres
        for info, spots in placement:
            if spots:
                xs, ys = zip(*(centres[s] for s in spots), strict=True)
                at = (sum(xs) / len(xs), sum(ys) / len(ys))
                best = Candidate(info.kind, info.colour, tuple(sorted(spots)), -0.01)
                yield SeenPiece(at, (4.0, 0.0, 4.0), (0.0, 0.0), (best,), 0.99)


@dataclass
class Evening:
    """Somebody who plays, and what it costs."""

    user: Driver
    setup: TableSetup
    rng: random.Random
    pause_s: float  # between two actions
    clock: Callable[[], float] = time.monotonic  # of the table
    game_actions: float = GAME_ACTIONS  # after which another game begins
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("games", "actions", "sleeps", "looks"), 0)
    )
    samples: list[dict[str, float]] = field(default_factory=list)
    _frames: list[float] = field(default_factory=list)
    _held: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet)

    def play(self, seconds: float, least: int) -> None:
        """For so long, and until so many actions have been done."""
        due = began = self.clock()
        while self.clock() < began + seconds or self.counts["actions"] < least:
            if self.user.app.session is None:
                self._begin()
            end = self.clock() + self.pause_s
            while self.clock() < end:
                self._frame()
            self._act()
            if self.clock() >= due:
                self._sample(self.clock() - began)
                due += seconds / SAMPLES
        self._sample(self.clock() - began)

    def _frame(self) -> None:
        began = time.thread_time()
        self.user.frames(1)
        self._frames.append(1000 * (time.thread_time() - began))

    def _begin(self) -> None:
        self.user.begin(self.setup)
        self.counts["games"] += 1
        self._held.add(self.user.app.session._referee.state.setup)
        self._in_game = 0

    def _act(self) -> None:
        session = self.user.app.session
        self._in_game += 1
        self.counts["actions"] += 1
        action = random_action(session._referee.state, self.rng)
        if action is None or self._in_game > self.game_actions:
            self.user.app.leave_table()
            self.user.app.store.finish()
            return
        session.post(Do(action))
        if self._in_game % 7 == 0:
            session.post(Do(Action(action.player, "undo")))
        if self._in_game % 5 == 0:
            session.post(AskHints(f"wizard/{action.player}"))
        if self.counts["actions"] % SLEEP_EVERY == 0:
            self._sleep()
        if self.counts["actions"] % LOOK_EVERY == 0:
            self._look_round()

    def _sleep(self) -> None:
        """The tablet sleeps and wakes."""
        assert self.user.app.on_pause()
        self.user.frames(2)
        self.user.app.on_resume()
        self.counts["sleeps"] += 1

    def _look_round(self) -> None:
        """Another language, the other way round, looking back, the settings, and back."""
        from kivy.core.window import Window

        app = self.user.app
        self.counts["looks"] += 1
        Window.size = PORTRAIT if Window.size == list(LANDSCAPE) else LANDSCAPE
        self.user.frames(3)
        app.change(language=LANGUAGES[self.counts["looks"] % len(LANGUAGES)])
        for screen in ("review", "settings", "note"):
            app.go(screen)
            self.user.until(lambda screen=screen: app.page(screen).ready)
            self.user.frames(2)
        app.go("table")
        self.user.frames(3)

    def _sample(self, t_s: float) -> None:
        time.sleep(QUIET_S)
        frames, self._frames = self._frames or [0.0], []
        sample = {
            "t_s": round(t_s, 1), "memory_mb": round(memory_mb(), 1),
            "eyes_mb": round(helpers_mb(), 1),
            "threads": threading.active_count(), "handles": open_handles(),
            "held": len(self._held), "frame_ms": round(statistics.median(frames), 2),
        }  # fmt: skip
        self.samples.append(sample)
        # Told at once: of an evening that is cut short, what was measured is not lost.
        print(json.dumps(sample), file=sys.stderr, flush=True)


def summary(evening: Evening, pictures: int, opened: int) -> dict[str, Any]:
    """First and last quarter of what was measured after the warm-up."""
    rows = evening.samples[int(len(evening.samples) * WARM) :]
    part = max(1, len(rows) // 3)
    first, last = rows[:part], rows[-part:]
    out: dict[str, Any] = {**evening.counts, "pictures": pictures, "eyes opened": opened}
    for name in ("memory_mb", "eyes_mb", "threads", "handles", "held", "frame_ms"):
        out[name] = [round(statistics.median(r[name] for r in rows), 2) for rows in (first, last)]
    out["most_mb"] = max(r["memory_mb"] for r in evening.samples)
    out["samples"] = evening.samples
    return out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--least", type=int, default=0, help="actions at least")
    parser.add_argument("--actions", type=int, default=GAME_ACTIONS, help="of a game")
    parser.add_argument("--pause", type=float, help="seconds between two actions")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--hours", type=float, help="of one game, in compressed time")
    options = parser.parse_args()
    folder = demo_folder()
    setup = TableSetup(PLAYERS, str(folder / FILM), reference=folder / PICTURE)
    apps = open_apps(options.folder)
    user = next(apps)(opener=opening.open_eyes if options.real else PerfectEyes)
    user.app.on_start()
    pause_s = options.pause or (3.0 if options.real else 0.25)
    evening = Evening(user, setup, random.Random(1), pause_s, game_actions=options.actions)
    if options.hours:
        PerfectEyes.apart_s, PerfectEyes.per_s = HOUR_PICTURE_S, HOUR_PICTURES_PER_S
        evening.clock = lambda: PerfectEyes.pictures * HOUR_PICTURE_S
        evening.pause_s, evening.game_actions = HOUR_PAUSE_S, math.inf
    evening.play(3600 * options.hours if options.hours else options.seconds, options.least)
    print(json.dumps(summary(evening, PerfectEyes.pictures, PerfectEyes.opened)), flush=True)
    apps.close()


if __name__ == "__main__":
    main()
