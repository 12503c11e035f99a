"""Short games of Magalon for films: of many played at random the one that shows most."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.action import Action
from engine.magalon.hints import hints
from engine.magalon.movable import can_attack
from engine.magalon.room import MagalonRoom
from engine.magalon.state import MagalonState
from engine.magalon.striving import striving_action
from engine.placement import track_value
from engine.simulation.fouls import Attempt, magalon_foul
from engine.simulation.habits import Habits
from engine.simulation.table import Table
from engine.verdict import Status

COLOURS = ("violet", "green", "red", "orange")
FOULS = (
    "walk beside", "walk anywhere", "walk out of turn", "stone", "shield", "attacker beside",
    "push by a wrong number", "ruin",
)  # fmt: skip
# As the development film: a look at every step, now and then without a hand.  (Who forgets the
# stone is said by ``FORGETS``.)
HABITS = Habits(
    foul=1.0, together=0.0, idle_hand=0.04, hidden=0.0, forget=1.0, nudge=0.03, bump=0.03,
    jump=0.35, straight=0.8, rests_s=2.2, stands_s=2.2,
)  # fmt: skip
FOULS_AFTER = (0.2, 0.5, 0.8)  # shares of the game after which rules are broken
ACTIONS, TRIES = {2: 38, 3: 42, 4: 46}, 16
SPARES, SAMPLED = 0.4, 12  # how often an opponent is spared; so many cells are tried
FORGETS = 0.05  # how often the stone is left where it is
AGAIN = 12  # choices of which one is taken that people would like
# What a film should show and what showing it is worth, twice at most.
WORTH = {
    "displaced by a goblin": 8, "displaced by the giant": 8, "goblin": 3, "giant": 4, "slide": 4,
    "lift": 5, "stay": 3, "walk_on": 3, "gain": 4, "shield": 2, "item": 3, "walk": 1, "energy": 1,
    "card 0": 1, "card 4": 1,
}  # fmt: skip
_ROOM = MagalonRoom()


def players(seed: int) -> tuple[str, ...]:
    """Two to four players in seat order, the beginner anybody."""
    rng = random.Random(f"players {seed}")
    count = 2 + seed % 3
    first = rng.randrange(len(COLOURS))
    chosen = [COLOURS[(first + n) % len(COLOURS)] for n in range(len(COLOURS))]
    return tuple(chosen[:count])


def action(state: MagalonState, rng: random.Random) -> Action | None:
    """Wizards walk, cards are used, the stone is moved; nothing is begun in vain.  An attacker's
    victims are displaced first, each in a moment of its own."""
    if not state.laying and state.to_act is not None:
        attack = _coming(state, rng) if state.turn.early else _displacing(state, rng)
        if attack is not None:
            return attack
    chosen = striving_action(state, rng)
    for _ in range(AGAIN):
        if chosen is None or not _dull(state, chosen):
            break
        chosen = striving_action(state, rng)
    if chosen is not None and chosen.do == "end" and rng.random() >= FORGETS:
        for mark in hints(state, f"energy_stone/{chosen.player}"):
            return Action(chosen.player, "energy", {"to": track_value(mark)})
    return None if chosen is None else as_seen(chosen)


def as_seen(chosen: Action) -> Action:
    """What a camera sees of an action: not the cells in between."""
    args = {k: v for k, v in chosen.args.items() if k != "via"}
    if "attacks" in args:
        args["attacks"] = [{k: v for k, v in a.items() if k != "via"} for a in args["attacks"]]
    return Action(chosen.player, chosen.do, args)


def _displacing(state: MagalonState, rng: random.Random) -> Action | None:
    """Somebody's wizard is moved away for an attacker that can come and is at hand."""
    me = state.to_act
    if rng.random() < SPARES or not any(can_attack(state, str(me), p) for p in state.attackers):
        return None
    cells = rng.sample(list(state.setup.board.cells), SAMPLED)
    for victim in rng.sample(state.setup.seats, len(state.setup.seats)):
        for cell in cells if victim != me else ():
            act = Action(me, "displace", {"victim": victim, "to": cell})
            judgement = _ROOM.judge(state, act)
            if judgement.status is Status.PENDING and _coming(judgement.state, rng) is not None:
                return act
    return None


def _coming(state: MagalonState, rng: random.Random) -> Action | None:
    """The attacker comes for who was displaced, in one move."""
    me = state.to_act
    for piece in state.attackers:
        cells = list(hints(state, piece))
        for cell in rng.sample(cells, min(len(cells), SAMPLED)):
            args = {"to": cell} if piece == "giant" else {"piece": piece, "to": cell}
            act = Action(me, "giant" if piece == "giant" else "goblin", args)
            judgement = _ROOM.judge(state, act)
            if judgement.status is Status.LEGAL and not judgement.state.turn.early:
                return act
    return None


def _dull(state: MagalonState, chosen: Action) -> bool:
    """Whether somebody who plays for a film would rather do something else, or what is seen of it
    would be a question."""
    me = chosen.player
    if chosen.do in ("cancel", "pass", "displace"):
        return True
    if chosen.do == "end" and me is not None:
        walked = state.turn.walk is not None or not state.card(me)
        return (me == state.lowest and state.turn.dice is None) or not walked
    return _ROOM.judge(state, as_seen(chosen)).status is not Status.LEGAL


def shows(played: Sequence[tuple[Any, Action]]) -> float:
    """The worth of what a game shows, each thing counted up to twice; see ``WORTH``."""
    seen = Counter(what for state, act in played for what in _happenings(state, act))
    return float(sum(worth * min(seen[what], 2) for what, worth in WORTH.items()))


def _happenings(state: MagalonState, act: Action) -> Iterator[str]:
    yield act.do
    if act.do == "lay":
        yield f"card {act.args['card']}"
    elif act.do == "energy" and act.args["to"] > state.energy[str(act.player)]:
        yield "gain"
    elif act.do == "walk" and act.args["to"] in state.setup.items.values():
        yield "item"
    elif act.do in ("goblin", "giant"):
        early = [e.hit.colour for e in state.turn.early]
        if early or act.args.get("attacks"):
            yield f"displaced by {'the giant' if act.do == 'giant' else 'a goblin'}"


def whole_turns(played: list[tuple[Any, Action]]) -> list[tuple[Any, Action]]:
    """A game up to the end of its last whole turn, which nobody says: the next player would."""
    ends = [n for n, (_, act) in enumerate(played) if act.do == "end"]
    return played[: ends[-1]] if ends else played


def foul(table: Table, rng: random.Random) -> Attempt | None:
    """What no legal action explains, also none of a next round, whose cards a film tells."""
    attempt = magalon_foul(table, rng)
    state: MagalonState = table.state
    last = state.acting_order[-1:] == (state.to_act,)
    return None if attempt is None or (last and set(attempt.moves) != {"giant"}) else attempt


def moved_by(act: Action) -> str | None:
    """The piece that an action moves, where it is one."""
    me = act.player
    if act.do in ("walk", "walk_on"):
        return f"wizard/{me}"
    if act.do == "shield":
        return f"shield/{me}"
    if act.do == "energy":
        return f"energy_stone/{me}"
    if act.do in ("slide", "lift"):
        return str(act.args["ruin"])
    if act.do == "goblin":
        return str(act.args["piece"])
    return "giant" if act.do == "giant" else None
