"""A film of a whole game with its truth: ``python -m models.training.films.film GAME OUT.mp4``.

Beside the film lie its truth (``.json``, as in docs/formats.md) and the picture of the empty board
(``-reference.jpg``).  Hands move the pieces, two fouls are tried and put back, and everything
follows from the seed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import REFERENCE, load_board
from engine.game import Header, Player
from engine.placement import Placement
from engine.simulation.film import Film, FilmMaker, Habits, Table
from engine.simulation.noise import PLAIN
from engine.simulation.script import Step
from engine.simulation.truth import truth_of_film
from models.training.films import table as tables
from models.training.films.games import Play, Replay, play_of, short_game
from models.training.synthesis.meshes import Mesh

Picture = NDArray[np.uint8]
Spots = tuple[str, ...]
Rng = np.random.Generator
GAMES = ("hexagon", "grailnah")
SIZE, FPS = (1280, 720), 5
HABITS = Habits(
    foul=1.0, together=0.0, idle_hand=0.05, hidden=0.0, jump=0.08, stands_s=3.0, rests_s=1.4
)
MOST_ACTIONS = 80
FOUL_TRIES = 12
GRAINS = 3  # a still table flickers between so many pictures
FAR_MM, HIGH_MM = 420.0, 30.0  # how far off and how much higher a hand comes and goes
BUMP_ROLL_DEG = 1.2
LAST_S = 1.5
JPEG = (cv2.IMWRITE_JPEG_QUALITY, 88)


class Fouls:
    """Tries one foul of the wished kinds as soon as so many actions have been done, per number."""

    def __init__(self, play: Play, replay: Replay, after: tuple[int, ...]) -> None:
        self._play, self._replay, self._after = play, replay, list(after)
        self._kinds: set[str] = set()

    def __call__(self, table: Table, rng: random.Random) -> Any:
        """An attempt, or None."""
        if not self._after or self._replay.done < self._after[0]:
            return None
        for _ in range(FOUL_TRIES):
            attempt = self._play.foul(table, rng)
            known = attempt is None or attempt.kind in self._kinds
            if not known and attempt.kind in self._play.fouls:
                self._after.pop(0)
                self._kinds.add(attempt.kind)
                return attempt
        return None


@dataclass(frozen=True, slots=True)
class Shown:
    """What the table shows in one picture: who stands where, and where a hand is (0: in the middle
    of its way, 1: out; None: no hand)."""

    at: Mapping[str, Spots]
    off: Mapping[str, tuple[float, float]]
    hand: float | None = None
    goal: str | None = None
    bumped: bool = False


def script(game: str, seed: int, actions: int | None = None) -> tuple[Film, Play, Header, Any]:
    """The film without pictures, and its last state; ``actions``: only so many from the beginning."""
    play, board = play_of(game, seed), load_board(REFERENCE, game)
    header = Header(game, REFERENCE, tuple(Player(c.capitalize(), c) for c in play.colours))
    rng = random.Random(seed)
    start = play.room.start(header, board)
    played = short_game(play, start, rng, MOST_ACTIONS)
    played = played[:actions]
    replay, length = Replay(played), len(played)
    fouls = Fouls(play, replay, (length // 2, 3 * length // 4))
    maker = FilmMaker(play.table, start, replay, rng, HABITS, fouls, board)
    film = maker.make(10 * MOST_ACTIONS, PLAIN, seed, FPS)
    return film, play, header, maker.state


def shown(film: Film, start: Placement, fps: float, until_s: float) -> Iterator[Shown]:
    """What every picture shows, from the film's steps."""
    steps = list(film.script.steps)
    at: dict[str, Spots] = dict(start.pieces)
    off: dict[str, tuple[float, float]] = {}
    begun, bumped = None, False
    for tick in range(round(until_s * fps)):
        t_s = tick / fps
        while steps and steps[0].t_s <= t_s + 1e-6:
            step = steps.pop(0)
            begun = step.t_s if step.hand else None if step.hand is False else begun
            bumped = bumped or step.pose is False
            _apply(step, at, off)
        coming = steps[0] if steps and begun is not None else None
        if coming is None or begun is None:
            yield Shown(dict(at), dict(off), bumped=bumped)
            continue
        way = (t_s - begun) / max(coming.t_s - begun, 1e-6)
        after, beside = dict(at), dict(off)
        if way >= 0.5:
            _apply(coming, after, beside)
        goal = _goal(coming, at, way)
        yield Shown(after, beside, abs(2 * way - 1), goal, bumped)


def _apply(step: Step, at: dict[str, Spots], off: dict[str, tuple[float, float]]) -> None:
    for piece, spots in step.moves.items():
        at[piece] = tuple(spots or ())
        off.pop(piece, None)
    off.update(step.off)


def _goal(step: Step, at: Mapping[str, Spots], way: float) -> str | None:
    """Where the hand is: first where something is taken, then where it is put."""
    for piece, spots in step.moves.items():
        ends = [s for end in (at[piece], tuple(spots or ())) if end for s in end[:1]]
        if ends:
            return ends[0] if way < 0.5 else ends[-1]
    return None


class Painter:
    """Pictures of one table; still ones are drawn once."""

    def __init__(self, table: tables.Table, placement: Placement, size: tuple[int, int]) -> None:
        self._table, self._placement = table, placement
        self._cameras = [
            tables.make_camera(table.board, table.seed, size, roll) for roll in (0.0, BUMP_ROLL_DEG)
        ]
        self._grounds: dict[bool, tuple[Picture, Picture]] = {}
        self._gain: float | None = None
        self._still: tuple[Shown, list[Picture]] | None = None
        self._frames = 0
        self._side = 0.0
        self._arm: Mesh | None = None
        self._rng = np.random.default_rng([35, table.seed])

    def paint(self, what: Shown) -> Picture:
        """One frame."""
        if what.hand is None:
            self._arm = None
        if self._still is None or self._still[0] != what:
            clean = self._draw(what)
            grains = GRAINS if what.hand is None else 1
            self._still = what, [tables.exposed(self._rng, clean) for _ in range(grains)]
        self._frames += 1
        return self._still[1][self._frames % len(self._still[1])]

    def _draw(self, what: Shown) -> NDArray[np.float32]:
        camera = self._cameras[what.bumped]
        if what.bumped not in self._grounds:
            self._grounds[what.bumped] = self._table.ground(camera)
        placed = tables.standing(self._table, self._placement, what.at, what.off)
        ground = self._grounds[what.bumped]
        light = tables.light_of(self._table, camera, placed, self._hands(what), ground)
        self._gain = self._gain or tables.metered(light, ground[1])
        return tables.developed(light, self._gain)

    def _hands(self, what: Shown) -> list[Mesh]:
        if what.hand is None:
            return []
        board = self._table.board
        if self._arm is None:
            self._side = float(self._rng.uniform(0, 2 * np.pi))
            self._arm = tables.reaching_hand(self._rng, board, self._side)
        x, y = board.centres[what.goal] if what.goal else (v / 2 for v in board.size_mm)
        back = FAR_MM * what.hand * np.array([np.cos(self._side), np.sin(self._side)])
        return [self._arm.moved((x + back[0], y + back[1], HIGH_MM * what.hand))]


def make_film(
    game: str, path: Path, seed: int, *, actions: int | None = None,
    size: tuple[int, int] = SIZE, fps: int = FPS, roofed: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Writes film, truth and picture of the empty board; gives the truth."""
    film, play, header, state = script(game, seed, actions)
    board = load_board(REFERENCE, game)
    start = play.table.placement(play.room.start(header, board))
    table = tables.make_table(board, seed, roofed)
    painter = Painter(table, start, size)
    until_s = film.script.until_s + LAST_S
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    for what in shown(film, start, fps, until_s):
        writer.write(painter.paint(what))
    writer.release()
    reference = path.with_name(f"{path.stem}-reference.jpg")
    cv2.imwrite(str(reference), table.face, JPEG)
    truth = truth_of_film(film, play.room, header, state) | {
        "fps": fps, "film": path.name, "board": REFERENCE, "reference": reference.name,
    }  # fmt: skip
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n", "utf-8")
    return truth


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("out", type=Path, metavar="FILM.mp4")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--actions", type=int, help="only so many from the beginning")
    parser.add_argument(
        "--open", action="store_true", help="castles without roofs, so that all pieces are seen"
    )
    a = parser.parse_args()
    truth = make_film(a.game, a.out, a.seed, actions=a.actions, roofed=not a.open)
    judged = sum("verdict" in e for e in truth["events"])
    print(f"{a.out}: {judged} moves, end {json.dumps(truth['end'])}")


if __name__ == "__main__":
    main()
