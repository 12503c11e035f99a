"""Scripts from the truth of a film: who moved what where, settled from when to when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.placement import track_spot
from engine.simulation.noise import Noise
from engine.simulation.script import Script, Step

HAND_BEFORE_S = 0.7
BUMP_LOST_S = 0.8


def script_from_truth(
    truth: Mapping[str, Any], *, seed: int = 1, noise: Noise | None = None
) -> Script:
    """Makes a script from a film's truth file (``events`` with ``settled_from``, ``piece``, ``to``).

    A hand comes 0.7 s before a move unless it says ``"hand": false``; a ``bump`` loses the board
    for 0.8 s.
    """
    steps: list[Step] = []
    until_s = 0.0
    for event in truth["events"]:
        if "settled_from" not in event:
            continue
        start = float(event["settled_from"])
        until_s = max(until_s, float(event["settled_to"]))
        if "bump" in event:
            steps += [Step(start, pose=False), Step(start + BUMP_LOST_S, pose=True)]
            continue
        if event.get("hand", True):
            steps.append(Step(start - HAND_BEFORE_S, hand=True))
        if "dice" in event:
            steps.append(Step(start, hand=False, dice=tuple(event["dice"])))
            continue
        to = [track_spot(event["track"])] if "track" in event else event["to"]
        spots = (to,) if isinstance(to, str) else tuple(to)
        steps.append(Step(start, hand=False, moves={event["piece"]: spots}))
    steps.sort(key=lambda s: s.t_s)
    rate = float(truth.get("fps", 10))
    return Script(tuple(steps), until_s, rate, seed, noise or Noise())
