"""Random games: no exception, scores as counted anew, pieces conserved, positions round-trip."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.action import Action
from engine.carcassonne import CarcassonneState
from engine.carcassonne.fitting import placements
from engine.carcassonne.queries import (
    closed_places,
    figure_spots,
    if_ended_now,
    meeple_spots,
    open_features,
    tile_places,
)
from engine.game import Header, Player
from engine.record import Game
from engine.verdict import Status
from tests.engine.carcassonne.random_games import play_and_recount, random_header, states_of
from tests.engine.carcassonne.support import ROOM

SEEDS = st.integers(0, 10**9)


@pytest.mark.parametrize("first", range(0, 200, 25))
def test_scores_equal_a_recount_from_the_final_map(first: int) -> None:
    for seed in range(first, first + 25):
        scores, counted, _ = play_and_recount(seed)
        assert scores == counted, seed


def _conserved(state: CarcassonneState) -> None:
    """Every tile and every meeple is in exactly one place."""
    setup = state.setup
    assert len(state.map.placed) + state.tiles_left + len(state.set_aside) == sum(
        setup.counts.values()
    )
    for colour in setup.seats:
        for kind, count in setup.full_hand().items():
            out = sum(m.owner == colour and m.kind == kind for m in state.meeples.values())
            assert out + state.hands[colour][kind] == count
    pieces = ROOM.placement(state).pieces
    lying = [s for spots in pieces.values() for s in spots if "@" in s]
    assert len(set(lying)) == len(lying) == len(state.map.placed)


@settings(max_examples=6, deadline=None, derandomize=True)
@given(SEEDS)
def test_pieces_are_conserved_and_positions_round_trip(seed: int) -> None:
    rng = random.Random(seed)
    header = random_header(rng)
    for n, (state, _) in enumerate(states_of(header, rng)):
        _conserved(state)
        if n % 20 == 0 or state.over:
            position = json.loads(json.dumps(ROOM.position(state)))
            resumed = ROOM.start(replace(header, position=position))
            assert resumed == state
            assert hash(resumed) == hash(state)
            assert ROOM.position(resumed) == ROOM.position(state)


@settings(max_examples=4, deadline=None, derandomize=True)
@given(SEEDS)
def test_undo_is_the_inverse_of_every_action(seed: int) -> None:
    rng = random.Random(seed)
    header = random_header(rng)
    game = Game.begin(header)
    past = [game.state]
    for _, line in states_of(header, rng):
        action = Action.from_json(line)
        game, judgement = game.do(action)
        assert judgement.status is Status.LEGAL
        past.append(game.state)
    while len(past) > 1:
        game, _ = game.do(Action(None, "undo"))
        past.pop()
        assert game.state == past[-1]
        if len(past) % 10 == 0:
            assert ROOM.position(game.state) == ROOM.position(past[-1])


@settings(max_examples=4, deadline=None, derandomize=True)
@given(SEEDS)
def test_everything_that_is_offered_is_accepted(seed: int) -> None:
    rng = random.Random(seed)
    header = random_header(rng)
    for n, (state, _) in enumerate(states_of(header, rng)):
        if n % 14 or state.over:
            continue
        me = state.to_move
        if state.turn.tile is None:
            for tile in [t for t, count in state.deck.items() if count]:
                listed = {(pos, rot) for pos, rot in placements(state.map, tile)}
                for pos, rot in listed:
                    args = {"tile": tile, "rot": rot, "pos": list(pos)}
                    assert ROOM.judge(state, Action(me, "tile", args)).status is Status.LEGAL
                few = {(p, r) for p, turns in tile_places(state, tile).items() for r in turns}
                assert few <= listed
                unplaceable = ROOM.judge(state, Action(me, "unplaceable", {"tile": tile}))
                assert (unplaceable.status is Status.LEGAL) == (not listed)
        for do, spots in (("meeple", meeple_spots(state)), ("figure", figure_spots(state))):
            for pos, number in spots:
                feature = state.map.placed[pos].face.features[number]
                args = {"feature": feature.kind.value, "at": feature.at, "pos": list(pos)}
                if do == "figure":
                    args["who"] = "mage"
                assert ROOM.judge(state, Action(me, do, args)).status is Status.LEGAL


@pytest.mark.parametrize("seed", range(4))
def test_what_is_shown_is_what_is_booked(seed: int) -> None:
    """The worth of open features, shown before, is what the final scoring books."""
    rng = random.Random(seed)
    header = random_header(rng)
    for state, _ in states_of(header, rng):
        if state.over or state.turn.tile is not None or rng.random() > 0.1:
            continue
        shown = if_ended_now(state)
        ended = ROOM.judge(state, Action(None, "finish"))
        assert {c: ended.state.total(c) for c in state.setup.seats} == shown
        assert all(not f.complete for f in open_features(state))
        scores = ROOM.scores(ended.state)
        for score in scores.values():
            kinds = [v for k, v in score.items() if k != "points"]
            assert sum(kinds) == score["points"]


def test_no_remaining_tile_fits_a_closed_place() -> None:
    found = 0
    for seed in range(6):
        rng = random.Random(seed)
        players = (Player("a", "red"), Player("b", "blue"))
        header = Header("carcassonne", "reference", players, {"sets": ["base"]})
        for state, _ in states_of(header, rng):
            if state.turn.tile is not None or state.tiles_left > 20:
                continue
            closed = set(closed_places(state))
            found += len(closed)
            for tile, count in state.deck.items():
                if count:
                    assert not closed & set(tile_places(state, tile))
    assert found
