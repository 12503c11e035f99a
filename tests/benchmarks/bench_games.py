"""Memory of the app over games one after the other: ``python -m tests.benchmarks.bench_games [GAMES]``.

Prints after each game megabytes, the objects that Python keeps, and textures.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import companion_app.app  # noqa: F401  (first, so that Kivy is set up as in the app)
from companion_app.device import memory_mb
from companion_app.table_setup import TableSetup
from companion_app.taps import Do
from engine.magalon.simulate import random_action
from tests.app.driver import PLAYERS, Driver, open_apps
from tests.app.fakes import StillPipeline, view

ACTIONS, FRAMES = 25, 4


def play(user: Driver, rng: random.Random) -> None:
    """One short game with a camera, left and put away."""
    user.begin(TableSetup(PLAYERS, 0))
    for _ in range(ACTIONS):
        session = user.app.session
        action = random_action(session._referee.state, rng)
        if action is None:
            break
        session.post(Do(action))
        user.frames(FRAMES)
    user.app.leave_table()
    user.app.store.finish()
    user.frames(10)


def main() -> None:
    """Command line."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 14
    apps = open_apps(Path(tempfile.mkdtemp()))
    user = next(apps)(opener=lambda request: StillPipeline([view(0.1, board=True)]))
    user.app.on_start()  # memory is kept in order as in the app
    rng = random.Random(1)
    for game in range(games):
        play(user, rng)
        gc.unfreeze()
        gc.collect()
        kept = Counter(type(o).__name__ for o in gc.get_objects())
        gc.freeze()
        print(
            f"game {game + 1}: {memory_mb():.0f} MB, {kept.total()} objects, {kept['Texture']} textures"
        )
    os._exit(0)  # what Kivy still wants to tidy up is not measured


if __name__ == "__main__":
    main()
