"""Carcassonne at a simulated table: how people play, and what they must not do."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from engine.action import Action
from engine.carcassonne import CarcassonneRoom, CarcassonneState
from engine.carcassonne.drags import kind_of
from engine.carcassonne.duties import can_go_somewhere, targets
from engine.carcassonne.faces import AROUND, TURNS, Pos, cell
from engine.carcassonne.fitting import placements
from engine.carcassonne.placement import MEEPLE_KINDS, TILE, feature_spot, placement_of
from engine.carcassonne.setup import FIGURES, SMALL
from engine.carcassonne.simulate import random_action
from engine.carcassonne.state import Spot
from engine.carcassonne.tiles import faces, least_turn
from engine.game import Judgement
from engine.placement import Placement
from engine.simulation.table import Table

Spots = tuple[str, ...]
Moves = dict[str, Spots]
TRIES = 15
PLAIN_SHARE = 0.3
SAMPLED = 8


def table_action(state: CarcassonneState, rng: random.Random) -> Action | None:
    """A random action; tiles are mostly laid where many others lie, so that things get complete."""
    action = random_action(state, rng)
    if action is None or action.do != "tile" or rng.random() < 0.3:
        return action
    tile = action.args["tile"]
    options = list(placements(state.map, tile))
    some = rng.sample(options, min(SAMPLED, len(options)))
    pos, rot = max(some, key=lambda o: _neighbours(state, o[0]))
    return Action(action.player, "tile", {"tile": tile, "rot": rot, "pos": list(pos)})


def _neighbours(state: CarcassonneState, pos: Pos) -> int:
    return sum((pos[0] + dx, pos[1] + dy) in state.map.placed for dx, dy in AROUND)


class ForgetfulRoom(CarcassonneRoom):
    """A table at which what a scored feature gives back stands there until somebody does more than
    lay the next tile."""

    def __init__(self) -> None:
        # By identity of a state, which is kept so that the number stays its own.
        self._left: dict[int, tuple[CarcassonneState, Moves]] = {}

    def judge(self, state: CarcassonneState, action: Action) -> Judgement:
        """As the rules have it."""
        judgement = super().judge(state, action)
        after: CarcassonneState = judgement.state
        if action.do == "end" and after is not state:
            before, now = placement_of(state).pieces, placement_of(after).pieces
            left = {p: s for p, s in before.items() if s and not now[p]}
            self._left[id(after)] = (after, left)
        elif action.do in ("tile", "unplaceable") and id(state) in self._left:
            self._left[id(after)] = (after, self._left[id(state)][1])
        return judgement

    def placement(self, state: CarcassonneState) -> Placement:
        """As the rules have it, but for what has not been taken back."""
        placement = super().placement(state)
        _, left = self._left.get(id(state), (state, {}))
        late = {p: s for p, s in left.items() if not placement.pieces[p]}
        return replace(placement, pieces={**placement.pieces, **late}) if late else placement


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something that the rules forbid: what it was, and where its pieces stand."""

    kind: str
    moves: Mapping[str, Spots]


def carcassonne_foul(table: Table, rng: random.Random) -> Attempt | None:
    """Something that players get wrong, which no legal action explains; None if chance finds none."""
    state: CarcassonneState = table.state
    if state.over or table.now != dict(placement_of(state).pieces):
        return None
    if not state.turn.duty and rng.random() > PLAIN_SHARE:
        return None  # magic tiles are rare, and what they oblige to is forgotten often
    if state.turn.tile is None:
        makers = [_wrong_tile, _apart, _on_another_tile, _moved_meeple, _moved_figure]
    elif state.turn.duty:
        makers = [_forgotten_duty, _forbidden_figure, _wrong_tile]
    else:
        makers = [_occupied, _wrong_owner, _second_meeple, _moved_meeple, _moved_figure, _on_another_tile]  # fmt: skip
    rng.shuffle(makers)
    for maker in makers:
        for _ in range(TRIES):
            attempt = maker(state, rng)
            if attempt is not None:
                return attempt
    return None


Maker = Callable[[CarcassonneState, random.Random], "Attempt | None"]


def _drawn(state: CarcassonneState, rng: random.Random) -> tuple[str, str] | None:
    """A kind of tile that is left, and the piece that comes next."""
    kinds = [tile for tile, count in state.deck.items() if count]
    if not kinds:
        return None
    tile, pieces = rng.choice(kinds), placement_of(state).pieces
    return tile, next(p for p, at in pieces.items() if p.startswith(f"{TILE}{tile}/") and not at)


def _wrong_tile(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """A tile whose edges do not match."""
    drawn = _drawn(state, rng)
    if drawn is None:
        return None
    pos, rot = rng.choice(sorted(state.map.frontier)), rng.choice(TURNS)
    if not state.map.mismatches(faces(drawn[0])[rot // 90], pos):
        return None
    return Attempt("edges do not match", {drawn[1]: (_tile_spot(drawn[0], pos, rot),)})


def _apart(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """A tile that touches no other."""
    drawn = _drawn(state, rng)
    x, y = rng.choice(sorted(state.map.placed))
    pos = (x + rng.choice((-2, 2)), y + rng.choice((-2, 2)))
    if drawn is None or pos in state.map.placed or pos in state.map.frontier:
        return None
    return Attempt("apart from all", {drawn[1]: (_tile_spot(drawn[0], pos, 0),)})


def _tile_spot(tile: str, pos: Pos, rot: int) -> str:
    return f"{cell(pos)}@{least_turn(tile, rot)}"


def _in_hand(state: CarcassonneState, colour: str) -> str | None:
    """A small meeple in somebody's hand."""
    if not state.hands[colour][SMALL]:
        return None
    prefix = f"{MEEPLE_KINDS[SMALL]}/{colour}/"
    pieces = placement_of(state).pieces
    return next(p for p, at in pieces.items() if p.startswith(prefix) and not at)


def _some_spot(state: CarcassonneState, pos: Pos, rng: random.Random) -> Spot:
    return pos, rng.randrange(len(state.map.placed[pos].face.features))


def _meeple(
    kind: str, state: CarcassonneState, colour: str, spot: Spot
) -> Attempt | None:  # fmt: skip
    piece, where = _in_hand(state, colour), feature_spot(state, spot)
    taken = any(where in at for at in placement_of(state).pieces.values())
    return None if piece is None or taken else Attempt(kind, {piece: (where,)})


def _occupied(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """A meeple on a feature that holds one already."""
    assert state.turn.tile is not None
    spot = _some_spot(state, state.turn.tile, rng)
    if state.turn.meeple or next(state.meeples_in(state.region(spot)), None) is None:
        return None
    return _meeple("occupied feature", state, state.to_move, spot)


def _second_meeple(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    assert state.turn.tile is not None
    if not state.turn.meeple:
        return None
    spot = _some_spot(state, state.turn.tile, rng)
    return _meeple("second meeple", state, state.to_move, spot)


def _wrong_owner(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """Somebody else's meeple on the tile of this turn."""
    assert state.turn.tile is not None
    others = [c for c in state.setup.seats if c != state.to_move]
    if not others:
        return None
    spot = _some_spot(state, state.turn.tile, rng)
    return _meeple("somebody else's meeple", state, rng.choice(others), spot)


def _on_another_tile(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """A meeple on a tile that was laid long ago."""
    if len(state.map.order) < 4:
        return None
    spot = _some_spot(state, rng.choice(state.map.order[:-2]), rng)
    return _meeple("meeple on an old tile", state, state.to_move, spot)


def _moved_meeple(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """A meeple walks from an old tile to another (C-8)."""
    pieces = placement_of(state).pieces
    standing = [p for p, at in pieces.items() if at and kind_of(p) == MEEPLE_KINDS[SMALL]]
    if not standing or len(state.map.order) < 4:
        return None
    spot = feature_spot(state, _some_spot(state, rng.choice(state.map.order[:-2]), rng))
    piece = rng.choice(standing)
    latest = {cell(pos) for pos in state.map.order[-2:]}
    if any(spot in at for at in pieces.values()) or pieces[piece][0].partition(":")[0] in latest:
        return None
    return Attempt("meeple moved", {piece: (spot,)})


def _figure_spot(state: CarcassonneState, rng: random.Random) -> str:
    return feature_spot(state, _some_spot(state, rng.choice(state.map.order), rng))


def _moved_figure(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """Mage or witch moves without need (W-1)."""
    who, spot = rng.choice(FIGURES), _figure_spot(state, rng)
    if not state.setup.magic or state.turn.moved or placement_of(state).pieces[who] == (spot,):
        return None
    if len(state.map.order) < 3 or any(
        state.map.placed[p].face.magic for p in state.map.order[-2:]
    ):
        return None  # after a magic tile a moment ago it might be the duty itself
    return Attempt("figure without need", {who: (spot,)})


def _forbidden_figure(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """Mage or witch where they may not go (W-2, W-3, W-4, W-6)."""
    allowed = {feature_spot(state, spot) for spot in targets(state)}
    who, spot = rng.choice(FIGURES), _figure_spot(state, rng)
    if spot in allowed or placement_of(state).pieces[who] == (spot,):
        return None
    return Attempt("figure in a forbidden place", {who: (spot,)})


def _forgotten_duty(state: CarcassonneState, rng: random.Random) -> Attempt | None:
    """The next tile, legally laid, before mage or witch has been placed or moved (W-1, W-6)."""
    drawn = _drawn(state, rng)
    if drawn is None or not can_go_somewhere(state):
        return None
    options = list(placements(state.map, drawn[0]))
    if not options:
        return None
    pos, rot = rng.choice(options)
    return Attempt("forgotten duty", {drawn[1]: (_tile_spot(drawn[0], pos, rot),)})
