"""The truth of a film: who moved what where, settled from when to when; read and written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.placement import track_spot, track_value
from engine.simulation.noise import Noise
from engine.simulation.script import Script, Step

if TYPE_CHECKING:
    from engine.game import Header, Room
    from engine.simulation.film import Film, Scene
    from engine.simulation.series import Series

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
        spots = (to,) if isinstance(to, str) else tuple(to or ())
        steps.append(Step(start, hand=False, moves={event["piece"]: spots}))
    steps.sort(key=lambda s: s.t_s)
    rate = float(truth.get("fps", 10))
    return Script(tuple(steps), until_s, rate, seed, noise or Noise())


def truth_of(series: Series, seed: int) -> dict[str, Any]:
    """A simulated game as the truth file of a film, from which a renderer can make the pictures."""
    film, state = series.film(seed)
    return truth_of_film(film, series.room, series.header(seed), state)


def truth_of_film(film: Film, room: Room, header: Header, state: Any) -> dict[str, Any]:
    """The truth of one film; ``state``: the last one.

    Of pieces that move together only one has the verdict and comes first: the one that the player
    moved, not what went home or off the board by it.  Where something is put back there is nothing to
    judge.
    """
    hands = {round(s.t_s, 3) for s in film.script.steps if s.hand}
    dice = {round(s.t_s, 3): s.dice for s in film.script.steps if s.dice is not None}
    events: list[dict[str, Any]] = [{"t": 0.0, "event": "setup"}]
    for scene in film.scenes:
        events += _events(scene, hands, dice, room)
    scores = room.scores(state)
    return {
        "fps": film.script.rate_hz,
        "game": room.name,
        "players": [p.colour for p in header.players],
        "cards": film.cards[-1][1]["cards"] if film.cards else _told(film),
        "events": events,
        "end": {
            "winner": room.winner(state),
            **{key: {c: s[key] for c, s in scores.items()} for key in next(iter(scores.values()))},
        },
    }


def _told(film: Film) -> list[dict[str, Any]]:
    """What no camera sees, in the form of cards: the values of burnt wisdoms, one a round."""
    burnt = [action for _, action in film.taps if action.do == "burnt"]
    return [
        {"round": n, "laid": [[action.player, action.args["value"]]]}
        for n, action in enumerate(burnt, 1)
    ]


def _events(
    scene: Scene, hands: set[float], dice: Mapping[float, tuple[int, ...]], room: Room
) -> list[dict[str, Any]]:
    span = {"settled_from": scene.start_s, "settled_to": scene.end_s}
    hand = {} if _with_hand(scene, hands) else {"hand": False}
    if scene.how == "bumped":
        return [{**span, "bump": {"roll": 1}}]
    out: list[dict[str, Any]] = []
    if scene.start_s in dice and not scene.moves:
        out.append({**span, "dice": list(dice[scene.start_s]), **hand})
    judged: dict[str, Any] = {}
    if scene.kind == "illegal":
        judged = {"verdict": "illegal", "why": scene.how, "actor": room.to_act(scene.state)}
    elif scene.actions:
        judged = {"verdict": "legal", "actor": scene.actions[-1].player}
    for piece in sorted(scene.moves, key=lambda p: p != _moved_by_hand(scene)):
        spots = scene.moves[piece]
        mark = track_value(spots[0]) if spots else None
        where = {"track": mark} if mark is not None else {"to": _place(spots)}
        out.append({**span, "piece": piece, **where, **judged, **hand})
        judged = {}
    return out


def _moved_by_hand(scene: Scene) -> str | None:
    """The piece that the last of a scene's actions names, if it is seen to move."""
    for action in reversed(scene.actions):
        for name in (action.args.get("piece"), action.do):
            if name in scene.moves:
                return str(name)
    return None


def _place(spots: tuple[str, ...]) -> Any:
    if not spots:
        return None
    return spots[0] if len(spots) == 1 else list(spots)


def _with_hand(scene: Scene, hands: set[float]) -> bool:
    return any(scene.start_s - HAND_BEFORE_S - 0.01 <= t < scene.start_s for t in hands)
