"""A coloured pawn is moved: ``move {piece, to}`` (G-8 to G-18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.grailnah.arguments import cell_arg, pawn_arg
from engine.grailnah.messages import say
from engine.grailnah.moves import targets
from engine.grailnah.recovery import recoverable, royal_left
from engine.grailnah.refusals import refuse_knight, refuse_royal
from engine.grailnah.setup import KNIGHTS, ROYALS
from engine.grailnah.state import GrailnahState, kind_of, owner_of
from engine.grailnah.turn import turn_done, won_by
from engine.outcome import Outcome, Refusal
from engine.verdict import Message


def do_move(state: GrailnahState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``move {piece, to}``: one pawn of the player's own."""
    piece, to = pawn_arg(state, args), cell_arg(state, args)
    here = _here(state, player, piece)
    if to not in targets(state, piece):
        if kind_of(piece) == "knight":
            refuse_knight(state, piece, here, to)
        refuse_royal(state, piece, here, to)
    after = state.placed({piece: to})
    if kind_of(piece) in ROYALS and here in state.setup.castle_at:
        after = royal_left(after, piece)
    after = turn_done(after, "pawn")
    if to == state.setup.rings.goal:
        return won_by(after, player, by_goal=True)
    notes = _pair_notes(after, piece, to)
    if kind_of(piece) in ROYALS:
        after, more = _maybe_recover(after, player, to)
        notes += more
    return Outcome(after, tuple(notes))


def _here(state: GrailnahState, player: str, piece: str) -> str:
    """Where a pawn stands that its owner may move; raises Refusal otherwise."""
    here, setup = state.pieces[piece], state.setup
    if here is None:
        raise Refusal("G-20", (), say(setup, "not_on_board", piece=piece))
    if owner_of(piece) != player:
        message = say(setup, "not_yours", piece=piece, player=player, origin=here)
        raise Refusal("G-7", (here,), message)
    if state.blocked(piece) and setup.option("G-A2") == "a":
        by = next(p for p in state.pawns_on(here) if p != piece and state.blocked(p))
        raise Refusal("G-12", (here,), say(setup, "blocked", piece=piece, by=by, origin=here))
    return here


def _pair_notes(state: GrailnahState, piece: str, to: str) -> list[Message]:
    if not state.blocked(piece):
        return []
    others = [p for p in state.pawns_on(to) if p != piece]
    return [say(state.setup, "pair", piece=piece, by=by, to=to) for by in others]


def _maybe_recover(
    state: GrailnahState, player: str, to: str
) -> tuple[GrailnahState, list[Message]]:
    """Both royals in a foreign castle: up to four sacrificed knights may come back (G-35)."""
    if state.royal_castle(player) != to:
        return state, []
    count = min(KNIGHTS, recoverable(state, player))
    if not count:
        return state, []
    note = say(state.setup, "may_recover", player=player, cell=to, count=count)
    if state.setup.option("G-A26") == "b":
        return state, [note]
    return replace(state, may_recover=player), [note]
