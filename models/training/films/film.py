"""A film of a whole game with its truth: ``python -m models.training.films.film GAME OUT.mp4``.

Beside the film lie its truth (``.json``, as in docs/formats.md) and the picture of the empty board
(``-reference.jpg``).  Hands move the pieces, two or three fouls are tried and put right, and
everything follows from the seed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import REFERENCE, Board, load_board
from engine.game import Header, Player
from engine.placement import Placement
from engine.simulation.film import Film, FilmMaker
from engine.simulation.noise import PLAIN
from engine.simulation.script import Step
from engine.simulation.table import Table
from engine.simulation.truth import truth_of_film
from models.training.films import table as tables
from models.training.films.games import Play, Replay, play_of, short_game
from models.training.films.magalon_table import MagalonTable
from models.training.films.varied import VariedStage
from models.training.synthesis.camera import Camera
from models.training.synthesis.meshes import Mesh
from models.training.synthesis.raster import Lights
from models.training.synthesis.scene import Placed

Picture = NDArray[np.uint8]
Light32 = NDArray[np.float32]
Spots = tuple[str, ...]
Rng = np.random.Generator
GAMES = ("hexagon", "grailnah", "magalon")
SIZE, FPS = (1280, 720), 5
MAGALON_FPS = 10
FOUL_TRIES = 12
GRAINS = 3  # a still table flickers between so many pictures
HIGH_MM = 30.0  # how much higher a hand comes and goes
HAND_SHARE = 0.01  # of the face, which a hand covers that can be seen
LAST_S = 1.5
JPEG = (cv2.IMWRITE_JPEG_QUALITY, 88)


class Fouls:
    """Tries one foul of the wished kinds as soon as so many actions have been done, per number;
    rather one with the piece that is to be moved next anyway."""

    def __init__(self, play: Play, replay: Replay, after: tuple[int, ...]) -> None:
        self._play, self._replay, self._after = play, replay, list(after)
        self._kinds: set[str] = set()

    def __call__(self, table: Table, rng: random.Random) -> Any:
        """An attempt, or None."""
        if not self._after or self._replay.done < self._after[0]:
            return None
        coming = self._replay.coming
        piece = self._play.moved_by(coming) if coming is not None else None
        chosen: Any = None
        for _ in range(FOUL_TRIES):
            attempt = self._play.foul(table, rng)
            known = attempt is None or attempt.kind in self._kinds
            if known or attempt.kind not in self._play.fouls:
                continue
            chosen = chosen or attempt
            if piece is None or set(attempt.moves) == {piece}:
                chosen = attempt
                break
        if chosen is not None:
            self._after.pop(0)
            self._kinds.add(chosen.kind)
        return chosen


@dataclass(frozen=True, slots=True)
class Shown:
    """What the table shows in one picture: who stands where, and where a hand is (0: in the middle
    of its way, 1: out; None: no hand), the dice and which throw they are of, and how often the table
    was bumped."""

    at: Mapping[str, Spots]
    off: Mapping[str, tuple[float, float]]
    hand: float | None = None
    goal: str | None = None
    bumps: int = 0
    dice: tuple[int, ...] = ()
    throw: int = 0


class Stage(Protocol):
    """A table in front of a camera.  ``face``: the print seen flat, BGR; frame as in ``films.table``."""

    @property
    def board(self) -> Board: ...
    @property
    def face(self) -> Picture: ...
    @property
    def lights(self) -> Lights: ...
    @property
    def far_mm(self) -> float:
        """From how far a hand comes, and how far it goes."""

    def camera(self, bumps: int) -> Camera:
        """The camera after so many bumps."""

    def ground(self, camera: Camera) -> tuple[Picture, Picture]:
        """Table and board without light, BGR, and the mask (255) of the face."""

    def placed(
        self, placement: Placement, at: Mapping[str, Spots],
        off: Mapping[str, tuple[float, float]], dice: Sequence[int], throw: int,
    ) -> list[Placed]:  # fmt: skip
        """All that can be seen; ``off``: further off the middle of the cell."""

    def hand(self, rng: Rng, side: float) -> Mesh:
        """A hand with its finger tips at the origin, its arm from the direction ``side``, radians."""

    def spot(self, goal: str | None) -> tuple[float, float]:
        """Where a hand goes to, mm."""

    def shining(self, light: Light32, mask: Picture) -> Light32:
        """The light from the ground with what it mirrors; pieces stand before that."""

    def lit(self, light: Light32) -> Light32:
        """The light as the room spreads it."""

    def developed(self, light: Light32, gain: float) -> Light32:
        """The picture 0 to 1 without grain."""


def stage_of(
    game: str, board: Board, seed: int, size: tuple[int, int], roofed: bool = True, plain: bool = False
) -> Stage:  # fmt: skip
    """The table of a film; ``plain``: with the pieces and the room of the demos."""
    if game == "magalon":
        return MagalonTable(board, seed, size)
    if plain:
        return tables.BoardStage(tables.make_table(board, seed, roofed), size)
    return VariedStage(board, seed, size, roofed=roofed)


def script(
    game: str, seed: int, actions: int | None = None, source: str = REFERENCE, plain: bool = False
) -> tuple[Film, Play, Header, Any]:
    """The film without pictures, and its last state; ``actions``: only so many from the beginning;
    ``source``: the board file; ``plain``: two players of Grailnah, whatever the seed."""
    play, board = play_of(game, seed, plain), load_board(source, game)
    header = Header(game, source, tuple(Player(c.capitalize(), c) for c in play.colours))
    rng = random.Random(seed)
    start = play.room.start(header, board)
    played = short_game(play, start, rng)[:actions]
    replay, length = Replay(played), len(played)
    fouls = Fouls(play, replay, tuple(int(share * length) for share in play.after))
    maker = FilmMaker(play.table, start, replay, rng, play.habits, fouls, board)
    film = maker.make(10 * play.most, PLAIN, seed, FPS)
    return film, play, header, maker.state


def shown(film: Film, start: Placement, fps: float, until_s: float) -> Iterator[Shown]:
    """What every picture shows, from the film's steps."""
    steps = list(film.script.steps)
    at: dict[str, Spots] = dict(start.pieces)
    off: dict[str, tuple[float, float]] = {}
    begun: float | None = None
    bumps, throw = 0, 0
    dice: tuple[int, ...] = ()
    for tick in range(round(until_s * fps)):
        t_s = tick / fps
        while steps and steps[0].t_s <= t_s + 1e-6:
            step = steps.pop(0)
            begun = step.t_s if step.hand else None if step.hand is False else begun
            bumps += step.pose is False
            if step.dice is not None:
                dice, throw = step.dice, throw + 1
            _apply(step, at, off)
        now = Shown(dict(at), dict(off), None, None, bumps, dice, throw)
        coming = steps[0] if steps and begun is not None else None
        if coming is None or begun is None:
            yield now
            continue
        way = (t_s - begun) / max(coming.t_s - begun, 1e-6)
        after, beside = dict(at), dict(off)
        if way >= 0.5:
            _apply(coming, after, beside)
            if coming.dice is not None:
                now = replace(now, dice=coming.dice, throw=throw + 1)
        goal = _goal(coming, at, way)
        yield replace(now, at=after, off=beside, hand=abs(2 * way - 1), goal=goal)


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
    """Pictures of one table; still ones are drawn once.  ``covered``: the share of the face that a
    hand covers in the last one."""

    def __init__(self, stage: Stage, placement: Placement, seed: int) -> None:
        self._stage, self._placement = stage, placement
        self._views: dict[int, tuple[Camera, tuple[Picture, Picture]]] = {}
        self._gain: float | None = None
        self._still: tuple[Shown, list[Picture]] | None = None
        self._frames = 0
        self.covered = 0.0
        self._side = 0.0
        self._arm: Mesh | None = None
        self._rng = np.random.default_rng([35, seed])

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

    def _draw(self, what: Shown) -> Light32:
        stage = self._stage
        if what.bumps not in self._views:
            camera = stage.camera(what.bumps)
            self._views[what.bumps] = camera, stage.ground(camera)
        camera, ground = self._views[what.bumps]
        placed = stage.placed(self._placement, what.at, what.off, what.dice, what.throw)
        light, self.covered = tables.light_of(stage, camera, placed, self._hands(what), ground)
        light = stage.lit(light)
        self._gain = self._gain or tables.metered(light, ground[1])
        return stage.developed(light, self._gain)

    def _hands(self, what: Shown) -> list[Mesh]:
        if what.hand is None:
            return []
        if self._arm is None:
            self._side = float(self._rng.uniform(0, 2 * np.pi))
            self._arm = self._stage.hand(self._rng, self._side)
        x, y = self._stage.spot(what.goal)
        back = self._stage.far_mm * what.hand * np.array([np.cos(self._side), np.sin(self._side)])
        return [self._arm.moved((x + back[0], y + back[1], HIGH_MM * what.hand))]


def make_film(
    game: str, path: Path, seed: int, *, actions: int | None = None,
    size: tuple[int, int] = SIZE, fps: int | None = None, roofed: bool = True,
    source: str = REFERENCE, plain: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Writes film, truth and picture of the empty board; gives the truth."""
    film, play, header, state = script(game, seed, actions, source, plain)
    fps = fps or (MAGALON_FPS if game == "magalon" else FPS)
    board = load_board(source, game)
    start = play.table.placement(play.room.start(header, board))
    stage = stage_of(game, board, seed, size, roofed, plain)
    painter = Painter(stage, start, seed)
    until_s = film.script.until_s + LAST_S
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    hands = []
    for n, what in enumerate(shown(film, start, fps, until_s)):
        writer.write(painter.paint(what))
        if painter.covered > HAND_SHARE:
            hands.append(round(n / fps, 3))
    writer.release()
    reference = path.with_name(f"{path.stem}-reference.jpg")
    cv2.imwrite(str(reference), stage.face, JPEG)
    truth = truth_of_film(film, play.room, header, state) | {
        "fps": fps, "film": path.name, "board": source, "reference": reference.name,
        "hands": hands,
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
    parser.add_argument(
        "--plain", action="store_true", help="the pieces and the even light of the demos (Hexagon, Grailnah)"
    )  # fmt: skip
    parser.add_argument("--board", default=REFERENCE, help="a board file instead of the reference")
    parser.add_argument("--fps", type=int, help="pictures a second; 10 for Magalon, else 5")
    a = parser.parse_args()
    truth = make_film(
        a.game, a.out, a.seed, actions=a.actions, roofed=not a.open, fps=a.fps, source=a.board,
        plain=a.plain,
    )  # fmt: skip
    judged = sum("verdict" in e for e in truth["events"])
    print(f"{a.out}: {judged} moves, end {json.dumps(truth['end'])}")


if __name__ == "__main__":
    main()
