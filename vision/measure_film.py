"""Figures of pose, hand and stillness on a film whose truth is known.

    python -m vision.measure_film TRUTH.json [--from SECONDS] [--to SECONDS]

No detector takes part: the hand is known from change over the rim alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine.board import REFERENCE, load_board
from vision.reference import Reference
from vision.scene import Scene, SceneWatch
from vision.sources import FilmSource
from vision.types import Frame

HAND_S = 0.7


def evaluate_film(
    truth_file: str | Path, from_s: float = 0.0, to_s: float = float("inf")
) -> dict[str, Any]:
    """Runs the scene watch over a part of a film and compares with its truth.

    Returns counts of hand frames recognised and intervals recognised whole, false hands and
    unsteady frames in settled windows, the delay (s) until `ready_legal` and `ready_refusal` after
    each event, readiness under a hand, and the pose's events.  Where the truth has ``hands``, the
    times of frames with a hand, these are the hand frames.
    """
    truth_file = Path(truth_file)
    truth = json.loads(truth_file.read_text("utf-8"))
    named = str(truth["board"])
    found = named == REFERENCE
    board = load_board(named, truth["game"]) if found else load_board(truth_file.parent / named)
    reference = Reference.load(truth_file.parent / truth["reference"], board.size_mm)
    watch = SceneWatch(board, reference=reference)
    scenes: list[tuple[float, Scene]] = []
    poses: list[dict[str, Any]] = []
    for frame in film_frames(truth_file.parent / truth["film"], from_s, to_s):
        scene = watch.update(frame)
        if scene.stillness.ready_refusal and not scene.stillness.hand:
            watch.accept()
        if scene.tracked.event is not None:
            how = scene.tracked.pose.how if scene.tracked.pose else None
            poses.append({"t": frame.t_s, "event": scene.tracked.event, "how": how})
        scenes.append((frame.t_s, scene))
    events = [
        e for e in truth["events"]
        if from_s + 2.0 <= e.get("settled_from", -1.0) and e["settled_to"] <= to_s + 1e-6
    ]  # fmt: skip
    seen = frozenset(round(t, 2) for t in truth["hands"]) if "hands" in truth else None
    return _hands(scenes, events, seen) | _delays(scenes, events) | {"poses": poses}


def film_frames(film: Path, from_s: float, to_s: float) -> Iterator[Frame]:
    """The frames of a part of a film."""
    source = FilmSource(film)
    source.open()
    while (frame := source.read(1.0)) is not None:
        if frame.t_s >= to_s:
            break
        if frame.t_s >= from_s - 1e-6:
            yield Frame(frame.image, frame.t_s, frame.index)
    source.close()


def has_hand(event: dict[str, Any]) -> bool:
    """Whether the film shows a hand before this event."""
    return bool(event.get("hand", True)) and "bump" not in event and "dice" not in event


def _hands(
    scenes: list[tuple[float, Scene]], events: list[dict[str, Any]], known: frozenset[float] | None
) -> dict[str, Any]:
    intervals = whole = frames = found = ready = 0
    false = unsteady = 0
    for event in events:
        start, end = event["settled_from"], event["settled_to"]
        seen = _within(scenes, start, end)
        false += sum(s.change.hand for s in seen if s.change is not None)
        unsteady += sum(not s.tracked.steady for s in seen)
        if not has_hand(event):
            continue
        hand = [
            s for t, s in scenes
            if start - HAND_S - 1e-6 <= t < start - 1e-6 and (known is None or round(t, 2) in known)
        ]  # fmt: skip
        hits = [s.change is not None and s.change.hand for s in hand]
        intervals, whole = intervals + bool(hand), whole + (bool(hand) and all(hits))
        frames, found = frames + len(hits), found + sum(hits)
        ready += sum(s.stillness.ready_legal for s in hand)
    return {
        "hand_intervals": intervals, "hand_intervals_whole": whole, "hand_frames": frames,
        "hand_frames_found": found, "ready_under_hand": ready, "false_hand_frames": false,
        "unsteady_settled_frames": unsteady,
    }  # fmt: skip


def _delays(scenes: list[tuple[float, Scene]], events: list[dict[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name in ("ready_legal", "ready_refusal"):
        delays = []
        for event in events:
            if "dice" in event:
                continue
            start, end = event["settled_from"], event["settled_to"]
            ready = [
                t for t, s in scenes
                if start - 1e-6 <= t < end - 1e-6 and getattr(s.stillness, name)
            ]  # fmt: skip
            delays.append(round(ready[0] - start, 3) if ready else None)
        known = [d for d in delays if d is not None]
        result[name] = {
            "events": len(delays), "never": delays.count(None),
            "min_s": min(known, default=None), "max_s": max(known, default=None),
            "mean_s": float(np.mean(known)) if known else None,
        }  # fmt: skip
    return result


def _within(scenes: list[tuple[float, Scene]], start: float, end: float) -> list[Scene]:
    return [s for t, s in scenes if start - 1e-6 <= t < end - 1e-6]


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description="figures of pose, hand and stillness on a film")
    parser.add_argument("truth", type=Path)
    parser.add_argument("--from", dest="from_s", type=float, default=0.0)
    parser.add_argument("--to", dest="to_s", type=float, default=float("inf"))
    options = parser.parse_args()
    print(json.dumps(evaluate_film(options.truth, options.from_s, options.to_s), indent=1))


if __name__ == "__main__":
    main()
