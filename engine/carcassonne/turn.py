"""The end of a turn and of the game (C-4, C-9, C-12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.carcassonne.duties import UNION, can_go_somewhere, example_cells, joined_region
from engine.carcassonne.faces import cell
from engine.carcassonne.messages import say
from engine.carcassonne.outcome import Outcome, Refusal
from engine.carcassonne.regions import Region
from engine.carcassonne.scoring import completed_by, score
from engine.carcassonne.state import CarcassonneState, Turn
from engine.verdict import Message


def do_end(state: CarcassonneState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``end``: scores what the tile has completed, and passes on; after the last tile everything
    is counted."""
    if state.turn.tile is None:
        raise Refusal("C-1", (), say("tile_first", player=actor))
    after, notes = _turn_scored(state)
    if after.tiles_left:
        return Outcome(after, (*notes, say("next", next=after.to_move)))
    after, more = final_scoring(after)
    return Outcome(after, (*notes, say("last_tile"), *more))


def do_finish(state: CarcassonneState, actor: str | None, args: Mapping[str, Any]) -> Outcome:
    """``finish``: the final scoring, also before the last tile if the players agree on it."""
    notes: tuple[Message, ...] = ()
    if state.turn.tile is not None:
        state, notes = _turn_scored(state)
    left = (say("tiles_left", count=state.tiles_left),) if state.tiles_left else ()
    after, more = final_scoring(state)
    return Outcome(after, (*notes, *left, *more))


def _turn_scored(state: CarcassonneState) -> tuple[CarcassonneState, tuple[Message, ...]]:
    """Everything complete scored and the next player to move; refused while a duty is open."""
    check_duties_done(state)
    assert state.turn.tile is not None
    notes: tuple[Message, ...] = ()
    after = state
    for region in completed_by(state, state.turn.tile):
        after, more = score(after, region)
        notes += more
    return after.but(turn=Turn(), to_move=state.next_seat), notes


def check_duties_done(state: CarcassonneState) -> None:
    """W-1 and W-6 come before the end of the turn."""
    if not state.turn.duty:
        return
    if UNION in state.turn.duty:
        region = joined_region(state)
        assert region is not None
        cells = tuple(sorted({cell(s[0]) for s in state.figures.values() if s is not None}))
        raise Refusal("W-6", cells, say("union_left", feature=region.kind))
    assert state.turn.tile is not None
    cells = (cell(state.turn.tile),)
    if can_go_somewhere(state):
        raise Refusal("W-1", cells, say("duty_left", cells=example_cells(state)))
    raise Refusal("W-5", cells, say("duty_off_left"))


def final_scoring(state: CarcassonneState) -> tuple[CarcassonneState, tuple[Message, ...]]:
    """Unfinished roads, cities and monasteries, then fields (C-9); meeples stay on the table."""
    notes: tuple[Message, ...] = ()
    after = state
    for region in unscored(state):
        after, more = score(after, region)
        notes += more
    after = after.but(over=True, turn=Turn())
    return after, (*notes, _result(after))


def unscored(state: CarcassonneState) -> list[Region]:
    """The regions with meeples, fields last, in the order in which they came to the table."""
    held = {
        region.root: region for spot in state.meeples for region in (state.region(spot),)
    }  # fmt: skip
    return sorted(held.values(), key=lambda r: (r.kind.value == "Field", min(r.nodes)))


def winners(state: CarcassonneState) -> tuple[str, ...]:
    """Everybody with the most points (C-12)."""
    most = max(state.total(c) for c in state.setup.seats)
    return tuple(c for c in state.setup.seats if state.total(c) == most)


def _result(state: CarcassonneState) -> Message:
    best = winners(state)
    points = state.total(best[0])
    if len(best) == 1:
        return say("wins", winner=best[0], points=points)
    return say("shared", winners=best, points=points)
