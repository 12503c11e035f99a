"""From a picture to what the referee gets, and what he makes of it."""

from __future__ import annotations

import cProfile
import pstats
import random
import time
from collections.abc import Iterator
from pathlib import Path

from companion_app.benchmark.table import Table
from companion_app.benchmark.timing import Timing, measure, timing
from engine.action import Action
from engine.board import load_board
from engine.game import Header, Player
from engine.magalon import MagalonRoom, MagalonState
from engine.magalon.simulate import random_action
from vision.dice.find import find_dice
from vision.dice.read import read_die
from vision.registration import find_board
from vision.scene import SceneWatch

SEATS = ("violet", "green", "red", "orange")
VERDICT_GAMES, VERDICT_ACTIONS = 3, 80
PROFILE_ROWS = 24


def look_timings(table: Table, rounds: int) -> list[Timing]:
    """Picture to observation and its parts."""
    image, pose, eyes = table.frames[0].image, table.pose, table.eyes

    def observe() -> None:
        eyes.observation(image, eyes.look(image, pose), 0.0, 1.0)

    return measure(
        [
            ("picture to observation, 1280x720", observe),
            ("of that: detector with crop and peaks", lambda: eyes.detect(image, pose)),
        ],
        rounds,
    )


def dice_timings(table: Table, rounds: int) -> list[Timing]:
    """Dice found in the whole picture, and one die read at a known place."""
    image, pose = table.frames[0].image, table.pose
    size = table.board.size_of("die")[2]
    beside = (table.board.size_mm[0] + 40.0, table.board.size_mm[1] / 2)
    return measure(
        [
            ("dice searched in the whole picture", lambda: find_dice(image, pose, size)),
            ("one die read at a known place", lambda: read_die(image, pose, beside, size)),
        ],
        rounds,
    )


def registration_timings(table: Table, rounds: int) -> list[Timing]:
    """The board found anew, and followed from frame to frame."""
    image, board, reference = table.frames[0].image, table.board, table.reference
    found = measure(
        [("board found by its reference picture", lambda: find_board(image, board, reference=reference))],
        max(3, rounds // 3),
    )  # fmt: skip
    watch = SceneWatch(board, reference=reference)
    watch.update(table.frames[0])
    spent = []
    for frame in table.frames[1:]:
        wall, processor = time.perf_counter(), time.process_time()
        watch.update(frame)
        spent.append((time.process_time() - processor, time.perf_counter() - wall))
    return [*found, timing("one frame: board followed, motion, change", spent)]


def verdict_timing() -> Timing:
    """Verdicts on legal and refused actions of random games of four, without warm caches."""
    room, spent = MagalonRoom(), []
    for state, action in _questions():
        state.setup.graph.walks.cache_clear()
        wall, processor = time.perf_counter(), time.process_time()
        room.judge(state, action)
        spent.append((time.process_time() - processor, time.perf_counter() - wall))
    return timing("verdict on one action, 4 players", spent)


def _questions() -> Iterator[tuple[MagalonState, Action]]:
    room, board = MagalonRoom(), load_board("reference")
    for seed in range(VERDICT_GAMES):
        rng = random.Random(seed)
        header = Header("magalon", "reference", tuple(Player(c, c) for c in SEATS))
        state = room.start(header, board)
        for _ in range(VERDICT_ACTIONS):
            action = random_action(state, rng)
            if action is None:
                break
            yield state, action
            if not state.laying:
                anywhere = {"to": rng.choice(list(board.cells))}
                yield state, Action(state.to_act, "walk", anywhere)
            state = room.judge(state, action).state


def profile(table: Table, rounds: int) -> list[tuple[str, float, float]]:
    """(function, own ms, ms with what it calls) of one look, most own time first."""
    image, pose, eyes = table.frames[0].image, table.pose, table.eyes
    recorder = cProfile.Profile(time.process_time)
    recorder.enable()
    for _ in range(rounds):
        eyes.observation(image, eyes.look(image, pose), 0.0, 1.0)
    recorder.disable()
    rows = []
    for (file, line, name), (_, _, own, whole, _) in pstats.Stats(recorder).stats.items():  # type: ignore[attr-defined]
        where = name if file == "~" else f"{Path(file).stem}.{name}:{line}"
        rows.append((where, 1000 * own / rounds, 1000 * whole / rounds))
    return sorted(rows, key=lambda r: -r[1])[:PROFILE_ROWS]
