"""Meeples: one from hand, on an unoccupied feature of the tile just placed (C-3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.carcassonne.arguments import feature_arg, meeple_arg, off_arg, pos_arg
from engine.carcassonne.duties import MAGIC, UNION, joined_region
from engine.carcassonne.faces import Pos, cell
from engine.carcassonne.messages import say
from engine.carcassonne.outcome import Outcome, Refusal
from engine.carcassonne.setup import LARGE
from engine.carcassonne.state import CarcassonneState, Meeple
from engine.verdict import Message

NAMES = {"small": "meeple", LARGE: "large meeple"}


def do_meeple(state: CarcassonneState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``meeple {kind?, feature, at, pos}``; ``from`` says that it stood on the table before, which
    no meeple may (it comes from the hand), and ``off`` that it was taken away."""
    kind, here = meeple_arg(args), state.turn.tile
    if off_arg(args):
        cells = (cell(pos_arg(args)),)
        raise Refusal("C-8", cells, say("meeple_stays", player=actor, cell=cells[0]))
    if args.get("from") is not None:
        raise Refusal("C-8", (cell(pos_arg(args, here)),), say("meeple_moved", player=actor))
    if here is None:
        raise Refusal("C-3", (), say("tile_first", player=actor))
    pos = pos_arg(args, here)
    if pos != here:
        raise Refusal("C-3", (cell(pos),), say("other_tile", cell=cell(here)))
    number = feature_arg(state.map.placed[here].face, args, here, "C-3")
    check_meeple(state, actor, kind, here, number)
    hand = {**state.hands[actor], kind: state.hands[actor][kind] - 1}
    after = state.but(
        hands={**state.hands, actor: hand},
        meeples={
            **state.meeples,
            (here, number): Meeple(actor, kind, state.free_number(actor, kind)),
        },
    )
    return Outcome(after.with_turn(meeple=True))


def check_meeple(state: CarcassonneState, actor: str, kind: str, pos: Pos, number: int) -> None:
    """Refuses a meeple that may not stand there, or not yet."""
    here = cell(pos)
    if state.turn.duty:
        raise Refusal(*_duty(state, (here,)))
    if state.turn.meeple:
        raise Refusal("C-3", (here,), say("one_meeple", player=actor))
    if kind not in state.hands[actor]:
        raise Refusal("C-3", (here,), say("no_kind", meeple=NAMES[kind]))
    if not state.hands[actor][kind]:
        raise Refusal("C-3", (here,), say("hand_empty", player=actor, meeple=NAMES[kind]))
    region = state.map.region_at(pos, number)
    others = tuple(sorted(cell(spot[0]) for spot, _ in state.meeples_in(region)))
    if others:
        message = say("occupied", feature=region.kind, cells=others)
        raise Refusal("C-3", (here, *others), message)


def _duty(state: CarcassonneState, cells: tuple[str, ...]) -> tuple[str, tuple[str, ...], Message]:
    if UNION in state.turn.duty:
        region = joined_region(state)
        assert region is not None
        return "W-6", cells, say("union_first", feature=region.kind)
    assert MAGIC in state.turn.duty
    return "W-1", cells, say("duty_first")
