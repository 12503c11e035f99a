"""Burnt wisdoms are turned over and scored (H-18 to H-20): ``burnt {cell, value}``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Any

from engine.hexagon.messages import listed, say, signed
from engine.hexagon.moves import turn_over
from engine.hexagon.setup import GOAL, VALUES
from engine.hexagon.state import HexagonState, Phase
from engine.outcome import Outcome, Refusal
from engine.verdict import Message


def possible_values(state: HexagonState, owner: str) -> tuple[int, ...]:
    """Values that a burnt wisdom of ``owner`` can still have, as far as is known.

    What was burnt before the app came to know the game is checked by the points that it gave.
    """
    left = Counter(VALUES)
    left.subtract(Counter(state.burnt[owner]))
    values = tuple(v for v in sorted(VALUES) if left[v] > 0)
    if state.setup.option("H-A17") == "b":
        return values
    unknown = state.points[state.setup.other(owner)] - sum(state.burnt[owner])
    fitting = tuple(v for v in values if _can_give(left - Counter({v: 1}), unknown))
    return fitting or values


def _can_give(left: Counter[int], points: int) -> bool:
    """Whether some of the wisdoms that are left sum up to so many points."""
    kinds = sorted(left)
    counts = product(*(range(left[v] + 1) for v in kinds))
    return any(sum(v * n for v, n in zip(kinds, c, strict=True)) == points for c in counts)


def do_burnt(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``burnt {cell, value}``: what a burnt wisdom shows; in any order when several have burnt."""
    cell, value = args.get("cell"), args.get("value")
    if not state.pending:
        raise Refusal("H-18", (), say("nothing_burning"))
    if cell is None and len(state.pending) == 1:
        cell = state.pending[0]
    if cell not in state.pending:
        raise Refusal("H-18", state.pending, say("not_burning", cell=str(cell)[:40]))
    owner = state.waiting
    if isinstance(value, bool) or not isinstance(value, int) or value not in VALUES:
        raise Refusal("H-19", (cell,), say("no_such_value", value=str(value)[:40]))
    possible = possible_values(state, owner)
    if value not in possible:
        message = say("value_used", colour=owner, value=signed(value), left=listed(possible))
        raise Refusal("H-19", (cell,), message)
    return _score(state, cell, value)


def _score(state: HexagonState, cell: str, value: int) -> Outcome:
    burner, owner = state.to_move, state.waiting
    was = state.points[burner]
    points = was + value
    pending = tuple(c for c in state.pending if c != cell)
    if not pending and state.setup.option("H-A17") == "b":
        points = max(0, points)
    about = {"player": burner, "value": signed(value), "colour": owner, "cell": cell}
    notes: tuple[Message, ...] = (say("scores", **about, was=was, points=points),)
    after = state.but(
        points={**state.points, burner: points},
        burnt={**state.burnt, owner: tuple(sorted((*state.burnt[owner], value)))},
        pending=pending,
    )
    if pending:
        return Outcome(after, notes, say("more_burnt", count=len(pending)), cells=pending)
    if points >= GOAL:
        after = after.but(winner=burner, phase=Phase.OVER, crossings=())
        return Outcome(after, (*notes, say("wins", player=burner, points=points)), rule="H-20")
    return Outcome(turn_over(after), notes)
