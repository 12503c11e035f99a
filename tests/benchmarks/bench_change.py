"""How much spots change where something came or went, and where nothing did, on a film with truth.

    python -m tests.benchmarks.bench_change ../shared/renders/magalon-dev.json

No detector takes part.  At the first still view after each event the strongest change so far of
every spot is taken: of spots where a piece came or went, of those within two cells of one (tall
pieces, shadows), and of all others; the shares behind ``engine.referee.unseen`` and
``engine.simulation.noise``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from companion_app.pipeline import SPOT_CHANGED
from engine.referee.looking import within_two
from tests.benchmarks.bench_noise import opened, place_of
from vision.measure_film import film_frames
from vision.reference import Reference
from vision.scene import SceneWatch

EDGES = (SPOT_CHANGED, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)


def main() -> None:
    path = Path(sys.argv[1])
    truth, board, start = opened(path)
    now = {p: frozenset(s) for p, s in start.pieces.items()}
    watch = SceneWatch(
        board, reference=Reference.load(path.parent / truth["reference"], board.size_mm)
    )
    events = [e for e in truth["events"] if "settled_from" in e]
    left: set[str] = set()
    came: set[str] = set()
    told = True
    found: dict[str, list[float]] = {"came": [], "left": [], "near": [], "elsewhere": []}
    moments = 0
    for frame in film_frames(path.parent / truth["film"], 0.0, float("inf")):
        while events and frame.t_s >= events[0]["settled_from"] - 1e-6:
            event, told = events.pop(0), False
            if "piece" in event:
                to = place_of(event)
                left |= now[event["piece"]] - to
                came |= to - now[event["piece"]]
                now[event["piece"]] = to
        scene = watch.update(frame)
        if not scene.stillness.ready_legal or scene.stillness.hand:
            continue
        if not told and scene.change is not None:
            told, moments = True, moments + 1
            near = within_two(board, left | came)
            for spot, value in scene.change.spots.items():
                kind = (
                    "came"
                    if spot in came
                    else "left"
                    if spot in left
                    else "near"
                    if spot in near
                    else "elsewhere"
                )
                found[kind].append(value)
            left, came = set(), set()
        watch.accept()
    print(f"{moments} moments")
    for kind, values in found.items():
        shares = [f"{(np.array(values) > edge).mean():.3f}" for edge in EDGES]
        print(
            f"{kind:10} n {len(values):6}",
            *(f">{e:g}: {s}" for e, s in zip(EDGES, shares, strict=True)),
        )
        print(
            " " * 11,
            "quantiles 1, 5, 25, 50, 75, 95, 99 %:",
            np.round(np.quantile(values, [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]), 3),
        )


if __name__ == "__main__":
    main()
