"""A film of a whole small game at a table of tiles, with its truth:
``python -m models.training.tiles.film OUT.mp4``.

Hands lay tiles, put figures and take them back; in between the table is still.  The truth beside it
has the form of the other films', so that ``boardwarden evaluate OUT.json`` scores it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.carcassonne.placement import pos_of
from engine.carcassonne.tiles import faces, start_tile
from models.training.synthesis.camera import Camera
from models.training.tiles import table as tables
from models.training.tiles.artwork import Picture
from models.training.tiles.layouts import Laid
from models.training.tiles.plan import Moment, Plan, plan_game
from models.training.tiles.stage import Spots, Stage
from models.training.tiles.style import plain_style, random_style
from models.training.tiles.table import F64, Figure, Table

Rng = np.random.Generator
FPS = 6
SIZE = (1280, 720)
STILL_S, FOUL_S, HAND_S, FIRST_S = 2.4, 3.4, 0.7, 3.0
Shown = tuple[list[Laid], list[Figure]]


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture; ``moment``: number of the plan's moment whose stillness it begins, or None."""

    picture: Picture
    moment: int | None = None


def shots(rng: Rng, table: Table, plan: Plan) -> Iterator[Shot]:
    """All pictures at FPS, from the start tile to the cleared table."""
    stage = Stage(rng, table)
    camera = _camera(rng, stage, plan)
    shown = dict(plan.start)
    now = stage.set(shown)
    yield from _still(rng, table, now, camera, FIRST_S, None)
    for number, moment in enumerate(plan.moments):
        for piece, spots in moment.moves.items():
            shown[piece] = spots
            before, now = now, stage.set(shown)
            for picture in _hand(rng, table, before, now, camera):
                yield Shot(picture)
        length = FOUL_S if moment.verdict == "illegal" else STILL_S
        yield from _still(rng, table, now, camera, length, number)


def _still(
    rng: Rng, table: Table, now: Shown, camera: Camera, length_s: float, number: int | None
) -> Iterator[Shot]:
    picture = tables.render(rng, table, *now, camera, clean=True).picture
    for n in range(round(length_s * FPS)):
        yield Shot(_grain(rng, picture), number if n == 0 else None)


def _camera(rng: Rng, stage: Stage, plan: Plan) -> Camera:
    """A camera that sees all that will ever lie on the table."""
    everything: dict[str, Spots] = {}
    for shown in (plan.start, *(m.shown for m in plan.moments)):
        tiles = {p: s for p, s in shown.items() if s and p.startswith("tile/")}
        everything |= {f"{piece}/{spots[0]}": spots for piece, spots in tiles.items()}
    laid = [replace(t, askew=0.0) for t in _all_tiles(everything)]
    return tables.table_camera(rng, laid, stage.table, SIZE, (62, 80), (0.72, 0.8))


def _all_tiles(spots: Mapping[str, Spots]) -> list[Laid]:
    return [Laid(faces(start_tile())[0], pos_of(s[0])) for s in spots.values()]


def _hand(rng: Rng, table: Table, before: Shown, now: Shown, camera: Camera) -> Iterator[Picture]:
    """A hand comes in over the changed place, the change happens under it, it goes out."""
    arm = tables.reaching_hand(rng, _goal(table, before, now), camera)
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


def _goal(table: Table, before: Shown, now: Shown) -> F64:
    """(2,) mm: where the tables differ."""
    old = {id(t) for t in before[0]} ^ {id(t) for t in now[0]}
    fresh = [t for t in (*now[0], *before[0]) if id(t) in old]
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


def make_film(
    path: Path, seed: int, tiles: int, fouls: int = 3, plain: bool = True
) -> dict[str, Any]:
    """Writes the film and beside it its truth as ``.json``; the truth is returned."""
    rng = np.random.default_rng([21, seed])
    style = plain_style() if plain else random_style(rng)
    table = replace(tables.random_table(rng, style, seed), gap_mm=0.4)
    plan = plan_game(tiles, seed, fouls)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    starts: dict[int, float] = {}
    count = 0
    for shot in shots(rng, table, plan):
        if shot.moment is not None:
            starts[shot.moment] = count / FPS
        writer.write(shot.picture)
        count += 1
    writer.release()
    truth = _truth(path, plan, starts, count / FPS)
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n", "utf-8")
    return truth


def _truth(path: Path, plan: Plan, starts: Mapping[int, float], end_s: float) -> dict[str, Any]:
    events: list[dict[str, Any]] = []
    for number, moment in enumerate(plan.moments):
        until = end_s
        if number + 1 in starts:
            until = starts[number + 1] - HAND_S * len(plan.moments[number + 1].moves)
        events += _events(moment, starts[number], until)
    return {
        "film": path.name, "game": plan.header.game, "fps": FPS, "players": list(plan.seats),
        "position": dict(plan.header.position or {}), "events": events,
        "actions": [a.to_json() for a in plan.actions],
        "end": {"points": {c: plan.end.total(c) for c in plan.seats}, "over": plan.end.over},
        "duration_s": round(end_s, 2),
    }  # fmt: skip


def _events(moment: Moment, start_s: float, end_s: float) -> Iterator[dict[str, Any]]:
    """A moment as events of a film's truth; of pieces that move together the first is judged."""
    for number, (piece, spots) in enumerate(moment.moves.items()):
        event: dict[str, Any] = {
            "settled_from": round(start_s, 2), "settled_to": round(end_s, 2),
            "actor": moment.player, "piece": piece, "to": spots[0] if spots else None,
            "why": moment.why,
        }  # fmt: skip
        if moment.verdict is not None and number == 0:
            event["verdict"] = moment.verdict
            event |= {"rule": list(moment.rules)} if moment.rules else {}
        yield event


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, metavar="FILM.mp4")
    parser.add_argument("--tiles", type=int, default=12, help="tiles in the stack")
    parser.add_argument("--fouls", type=int, default=3, help="things that are forbidden, at most")
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument(
        "--plain", action="store_true", help="the plain set instead of a random artist's"
    )
    a = parser.parse_args()
    truth = make_film(a.out, a.seed, a.tiles, a.fouls, a.plain)
    print(f"{a.out}: {truth['duration_s']} s, {len(truth['events'])} events")


if __name__ == "__main__":
    main()
