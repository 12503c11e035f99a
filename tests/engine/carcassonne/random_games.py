"""Random games for the tests and for the command that plays many of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.carcassonne import CarcassonneState
from engine.carcassonne.simulate import random_action
from engine.game import Header, Player
from engine.verdict import Status
from tests.engine.carcassonne.recount import recount
from tests.engine.carcassonne.support import ROOM

COLOURS = ("red", "blue", "green", "yellow", "black", "pink")
SETS = (
    ["base"],
    ["base", "mage_and_witch"],
    ["base", "mage_and_witch", "inns_and_cathedrals"],
    ["base:2", "mage_and_witch:2", "inns_and_cathedrals:2"],
)


def random_header(rng: random.Random) -> Header:
    """Two to six players, some of the sets, either reading of C-10."""
    players = tuple(Player(c, c) for c in COLOURS[: rng.randint(2, 6)])
    options = {"sets": rng.choice(SETS), "C-10": rng.choice([2, 4])}
    return Header("carcassonne", "reference", players, options)


def states_of(
    header: Header, rng: random.Random
) -> Iterator[tuple[CarcassonneState, dict[str, Any]]]:
    """Every state of a random game to its final scoring, with the line that led to it."""
    state = ROOM.start(header)
    while (action := random_action(state, rng)) is not None:
        judgement = ROOM.judge(state, action)
        assert judgement.status is Status.LEGAL, (action, judgement.message.text)
        state = judgement.state
        yield state, action.to_json()


def play_and_recount(seed: int) -> tuple[dict[str, int], dict[str, int], int]:
    """(the engine's scores, the recounted ones, number of tiles) of one random game."""
    rng = random.Random(seed)
    header = random_header(rng)
    start = ROOM.position(ROOM.start(header))["tiles"]
    played = list(states_of(header, rng))
    state, lines = played[-1][0], [line for _, line in played]
    assert state.over
    colours = [p.colour for p in header.players]
    counted = recount(start, lines, colours, header.options["C-10"])
    return {c: state.total(c) for c in colours}, counted, len(state.map.order)
