"""Random legal play, for simulations and property tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.action import Action
from engine.carcassonne.faces import TURNS, Kind
from engine.carcassonne.fitting import fits_somewhere, placements
from engine.carcassonne.placement import MEEPLE_KINDS
from engine.carcassonne.queries import figure_spots, meeple_spots
from engine.carcassonne.room import CarcassonneRoom
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.state import CarcassonneState, Spot

_ROOM = CarcassonneRoom()
MEEPLE_CHANCE = 0.6


def draw(state: CarcassonneState, rng: random.Random) -> str | None:
    """A random tile of the deck; None when there is none left."""
    kinds = [tile for tile, count in state.deck.items() if count]
    if not kinds:
        return None
    return rng.choices(kinds, [state.deck[tile] for tile in kinds])[0]


def random_action(state: CarcassonneState, rng: random.Random) -> Action | None:
    """A random legal action; None when the game is over."""
    actor = state.to_act
    if actor is None:
        return None
    if state.turn.tile is None:
        return _tile(state, actor, rng)
    if state.turn.duty:
        return _figure(state, actor, rng)
    if not state.turn.meeple and rng.random() < MEEPLE_CHANCE:
        for kind in rng.sample(list(MEEPLE_KINDS), len(MEEPLE_KINDS)):
            spots = meeple_spots(state, kind)
            if spots:
                where = _where(state, rng.choice(spots), rng)
                return Action(actor, "meeple", {"kind": kind, **where})
    return Action(actor, "end")


def _tile(state: CarcassonneState, actor: str, rng: random.Random) -> Action:
    tile = draw(state, rng)
    if tile is None:
        return Action(actor, "finish")
    if not fits_somewhere(state.map, tile):
        return Action(actor, "unplaceable", {"tile": tile})
    pos, rot = rng.choice(list(placements(state.map, tile)))
    assert rot in TURNS
    return Action(actor, "tile", {"tile": tile, "rot": rot, "pos": list(pos)})


def _figure(state: CarcassonneState, actor: str, rng: random.Random) -> Action:
    spots = figure_spots(state)
    out = [who for who in FIGURES if state.figures[who] is not None]
    # When they meet both are out; any of the two may move, and after a magic tile as well.
    if not spots:
        return Action(actor, "figure", {"who": rng.choice(out), "off": True})
    who = rng.choice(FIGURES)
    return Action(actor, "figure", {"who": who, **_where(state, rng.choice(spots), rng)})


def _where(state: CarcassonneState, spot: Spot, rng: random.Random) -> dict[str, object]:
    """``feature``, ``at`` and ``pos`` of a spot; any one side of the feature will do."""
    pos, number = spot
    feature = state.map.placed[pos].face.features[number]
    at = feature.at
    if feature.kind is Kind.FIELD and feature.ports:
        at = rng.choice([at, *at.split(".")])
    elif feature.kind is not Kind.MONASTERY:
        at = rng.choice([at, *at]) if feature.ports else at
    return {"feature": feature.kind.value, "at": at, "pos": list(pos)}


def play_game(state: CarcassonneState, rng: random.Random) -> Iterator[Action]:
    """Random actions to the final scoring."""
    while (action := random_action(state, rng)) is not None:
        yield action
        state = _ROOM.judge(state, action).state
