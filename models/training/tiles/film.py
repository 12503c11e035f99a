"""A film of a game at a table of tiles, with its truth: ``python -m models.training.tiles.film``.

Hands lay tiles, put figures and take them back as the actions say; in between the table is still.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from engine.action import Action
from engine.carcassonne.room import CarcassonneRoom
from engine.carcassonne.simulate import random_action
from engine.carcassonne.state import CarcassonneState
from engine.game import Header, Player
from models.training.synthesis.camera import Camera
from models.training.tiles import table as tables
from models.training.tiles.artwork import Picture
from models.training.tiles.layouts import Laid
from models.training.tiles.style import plain_style, random_style
from models.training.tiles.table import F64, Figure, Table

Rng = np.random.Generator
FPS = 6
SIZE = (1280, 720)
STILL_S, HAND_S = 2.4, 0.7
COLOURS = {
    "red": (0.12, 0.1, 0.72), "blue": (0.68, 0.3, 0.08), "green": (0.2, 0.5, 0.12),
    "yellow": (0.1, 0.72, 0.85), "black": (0.06, 0.06, 0.07), "pink": (0.6, 0.4, 0.85),
    "violet": (0.55, 0.12, 0.38), "orange": (0.05, 0.42, 0.9),
}  # fmt: skip
FIGURE_COLOURS = {"mage": "violet", "witch": "orange"}
ROLES = {"small": "meeple", "large": "large_meeple"}


@dataclass(frozen=True, slots=True)
class Moment:
    """From ``t_s`` on the table shows what ``action`` has led to (None: the beginning)."""

    t_s: float
    action: Action | None


class Stage:
    """The table as a state of the game says, everything crooked in its own lasting way."""

    def __init__(self, rng: Rng, table: Table) -> None:
        self._rng, self.table = rng, table
        self._laid: dict[tuple[int, int], Laid] = {}
        self._figures: dict[tuple[object, ...], Figure] = {}

    def tiles(self, state: CarcassonneState) -> list[Laid]:
        """All tiles as they lie."""
        out = []
        for n, pos in enumerate(state.map.order):
            face = state.map.placed[pos].face
            known = self._laid.get(pos)
            if known is None or known.face != face:
                off = np.clip(self._rng.normal(0, 0.8, 2), -3, 3)
                turn = float(np.clip(self._rng.normal(0, 1.5), -8, 8))
                known = Laid(
                    face,
                    pos,
                    turn if n else 0.0,
                    (float(off[0]), float(off[1])) if n else (0.0, 0.0),
                    n,
                )
                self._laid[pos] = known
            out.append(known)
        return out

    def figures(self, state: CarcassonneState) -> list[Figure]:
        """All figures where their features are; who stood somewhere stays there."""
        wanted: dict[tuple[object, ...], tuple[str, str | None, str]] = {}
        for (pos, number), m in state.meeples.items():
            wanted[pos, number, m.owner, m.kind, m.number] = (ROLES[m.kind], m.owner, m.owner)
        for who, spot in state.figures.items():
            if spot is not None:
                wanted[spot[0], spot[1], who] = (who, None, FIGURE_COLOURS[who])
        self._figures = {k: f for k, f in self._figures.items() if k in wanted}
        for key, (role, owner, colour) in wanted.items():
            if key not in self._figures:
                self._figures[key] = self._stand(state, key, role, owner, colour)
        return list(self._figures.values())

    def _stand(
        self,
        state: CarcassonneState,
        key: tuple[object, ...],
        role: str,
        owner: str | None,
        colour: str,
    ) -> Figure:
        pos, number = key[0], key[1]
        assert isinstance(pos, tuple) and isinstance(number, int)
        tile = self._laid[pos]
        features = self.table.art.turned(tile)[1]
        taken = [np.array(f.at) for f in self._figures.values() if f.pos == pos]
        at = (0.5, 0.5)
        for _ in range(20):
            found = tables.inside(self._rng, features, number)
            at = found or at
            if all(np.linalg.norm(np.array(at) - t) > 0.35 for t in taken):
                break
        lying = state.map.placed[pos].face.features[number].kind.value == "Field"
        return Figure(
            role, owner, np.array(COLOURS[colour], np.float32), pos, at, lying,
            float(self._rng.uniform(0, 2 * np.pi)),
        )  # fmt: skip


def play(header: Header, tiles: int, seed: int) -> list[tuple[Action, CarcassonneState]]:
    """Random legal actions until so many tiles lie, with the states that they lead to."""
    room, dice = CarcassonneRoom(), random.Random(seed)
    state = room.start(header)
    out = []
    while len(state.map.order) < tiles or state.turn.tile is not None:
        action = random_action(state, dice)
        if action is None:
            break
        if action.do == "tile" and max(abs(v) for v in action.args["pos"]) > 3:
            continue  # the camera sees so far
        state = room.judge(state, action).state
        out.append((action, state))
    return out


def frames(
    rng: Rng,
    table: Table,
    start: CarcassonneState,
    played: Sequence[tuple[Action, CarcassonneState]],
) -> Iterator[tuple[Picture, Action | None]]:
    """Pictures at FPS; with the first of a still moment the action that led to it."""
    stage = Stage(rng, table)
    camera = _camera(rng, stage, played[-1][1] if played else start)
    state, picture = start, None
    for action, after in [(None, start), *played]:
        before = None if picture is None else (stage.tiles(state), stage.figures(state))
        now = (stage.tiles(after), stage.figures(after))
        if before is not None and _same(before, now):
            state = after
            continue
        if before is not None:
            yield from ((p, None) for p in _hand(rng, table, before, now, camera))
        picture = tables.render(rng, table, *now, camera, clean=True).picture
        for n in range(round(STILL_S * FPS)):
            yield _grain(rng, picture), action if n == 0 else None
        state = after


def _same(before: tuple[list[Laid], list[Figure]], now: tuple[list[Laid], list[Figure]]) -> bool:
    return before[0] == now[0] and [id(f) for f in before[1]] == [id(f) for f in now[1]]


def _camera(rng: Rng, stage: Stage, last: CarcassonneState) -> Camera:
    """A camera that sees the whole table to the end of the film."""
    laid = [replace(t, askew=0.0) for t in stage.tiles(last)]
    stage._laid.clear()
    return tables.table_camera(rng, laid, stage.table, SIZE, (62, 80), (0.72, 0.8))


def _hand(
    rng: Rng, table: Table, before: tuple[list[Laid], list[Figure]],
    now: tuple[list[Laid], list[Figure]], camera: Camera,
) -> Iterator[Picture]:  # fmt: skip
    """A hand comes in over the changed place, the change happens under it, it goes out."""
    goal = _goal(table, before, now)
    arm = tables.reaching_hand(rng, goal, camera)
    count = max(2, round(HAND_S * FPS))
    for half, (tiles, figures) in enumerate((before, now)):
        for n in range(count // 2):
            out = (count // 2 - 1 - n if half == 0 else n) / max(count // 2, 1)
            back = _outwards(arm) * 260 * out
            moved = arm.moved((float(back[0]), float(back[1]), 20 * out))
            yield tables.render(rng, table, tiles, figures, camera, [moved], clean=True).picture


def _outwards(arm: tables.Mesh) -> F64:
    """(3,) the direction from the fingers along the arm."""
    points = arm.quads.reshape(-1, 3)
    way = points.mean(0) - points[np.argmin(points[:, 2])]
    return np.asarray(np.append(way[:2] / (np.linalg.norm(way[:2]) + 1e-9), 0.0))


def _goal(
    table: Table, before: tuple[list[Laid], list[Figure]], now: tuple[list[Laid], list[Figure]]
) -> F64:
    """(2,) mm: where the tables differ."""
    old = {t.pos for t in before[0]}
    fresh = [t for t in now[0] if t.pos not in old]
    if fresh:
        return tables.corners_mm(fresh[0], table).mean(0)
    by_pos = {t.pos: t for t in now[0]}
    ids = {id(f) for f in before[1]} ^ {id(f) for f in now[1]}
    moved = next(f for f in (*now[1], *before[1]) if id(f) in ids)
    return tables.foot_mm(moved, by_pos.get(moved.pos), table)


def _grain(rng: Rng, picture: Picture) -> Picture:
    noise = rng.integers(-3, 4, (picture.shape[0] // 2, picture.shape[1] // 2), np.int16)
    grown = np.repeat(np.repeat(noise, 2, 0), 2, 1)[..., None]
    return np.clip(picture + grown, 0, 255).astype(np.uint8)


def make_film(path: Path, seed: int, tiles: int, plain: bool = True) -> dict[str, object]:
    """Writes the film and, beside it, ``.json`` with header, actions with times, and scores."""
    rng = np.random.default_rng([21, seed])
    style = plain_style() if plain else random_style(rng)
    table = replace(tables.random_table(rng, style, seed), gap_mm=0.4)
    header = Header("carcassonne", "reference", (Player("Ada", "red"), Player("Ben", "blue")))
    start = CarcassonneRoom().start(header)
    played = play(header, tiles, seed)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    moments: list[Moment] = []
    count = 0
    for picture, action in frames(rng, table, start, played):
        if action is not None:
            moments.append(Moment(count / FPS, action))
        writer.write(picture)
        count += 1
    writer.release()
    last = played[-1][1] if played else start
    truth: dict[str, object] = {
        "players": ["red", "blue"],
        "events": [{"t": round(m.t_s, 2), **m.action.to_json()} for m in moments if m.action],
        "actions": [a.to_json() for a, _ in played],
        "scores": {c: last.total(c) for c in ("red", "blue")},
        "duration_s": round(count / FPS, 2),
    }
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n", "utf-8")
    return truth


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, metavar="FILM.mp4")
    parser.add_argument("--tiles", type=int, default=12, help="tiles on the table at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--plain", action="store_true", help="the plain set instead of a random artist's"
    )
    a = parser.parse_args()
    truth = make_film(a.out, a.seed, a.tiles, a.plain)
    print(f"{a.out}: {truth['duration_s']} s, {len(truth['actions'])} actions")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
