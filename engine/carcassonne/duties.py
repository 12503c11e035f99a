"""What mage and witch owe after a tile (W-1 to W-6), and where they may go."""

from __future__ import annotations

from collections.abc import Iterator

from engine.carcassonne.faces import Kind, cell
from engine.carcassonne.messages import say
from engine.carcassonne.regions import Region
from engine.carcassonne.setup import FIGURES, MAGE, WITCH
from engine.carcassonne.state import CarcassonneState, Spot
from engine.verdict import EMPTY, Message

MAGIC, UNION = "magic", "union"


def joined_region(state: CarcassonneState) -> Region | None:
    """The region in which mage and witch both stand (only until one has moved, W-6)."""
    mage, witch = state.figures.get(MAGE), state.figures.get(WITCH)
    if mage is None or witch is None:
        return None
    region = state.region(mage)
    return region if state.region(witch).root == region.root else None


def duty_after(state: CarcassonneState, actor: str) -> tuple[CarcassonneState, Message]:
    """The state with what the tile just placed obliges to, and what is said of it: EMPTY for nothing,
    and where no duty is left the reason."""
    pos = state.turn.tile
    assert pos is not None
    duty = {MAGIC} if state.map.placed[pos].face.magic else set()
    region = joined_region(state)
    if region is not None:
        after = state.with_turn(duty=frozenset(duty | {UNION}))
        key = "union" if can_go_somewhere(after) else "union_off"
        return after, say(key, feature=region.kind, player=actor)
    if not duty:
        return state, EMPTY
    after = state.with_turn(duty=frozenset(duty))
    if can_go_somewhere(after):
        return after, say("duty", player=actor)
    out = tuple(who for who in FIGURES if state.figures.get(who) is not None)
    if not out:
        return state, say("duty_void")
    if len(out) > 1:
        return after, say("duty_off_either")
    return after, say("duty_off", who=out[0])


def targets(state: CarcassonneState) -> Iterator[Spot]:
    """Every feature of a placed tile on which either figure may be put by the open duty.

    W-2: unfinished roads and cities, after a magic tile not on that tile; W-3, W-4, W-6: not on a
    feature that holds a figure, its own or the other.
    """
    if not state.turn.duty:
        return
    taken = {state.region(spot).root for spot in state.figures.values() if spot is not None}
    for region in state.map.regions():
        if region.kind not in (Kind.ROAD, Kind.CITY) or region.complete or region.root in taken:
            continue
        for node in sorted(region.nodes):
            spot = state.map.spot_of(node)
            if spot[0] != state.turn.tile or MAGIC not in state.turn.duty:
                yield spot


def can_go_somewhere(state: CarcassonneState) -> bool:
    """Whether a figure can be placed or moved at all."""
    return next(targets(state), None) is not None


def example_cells(state: CarcassonneState, count: int = 3) -> tuple[str, ...]:
    """Some places where a figure may go."""
    found: dict[str, None] = {}
    for pos, _ in targets(state):
        found[cell(pos)] = None
        if len(found) == count:
            break
    return tuple(found)
