"""Merlin or Morgane is moved instead of a pawn: ``merlin {to}``, ``morgane {to, sacrifice?}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from engine.action import Action
from engine.grailnah.arguments import cell_arg, pawn_arg
from engine.grailnah.messages import say
from engine.grailnah.refusals import refuse_merlin, refuse_morgane
from engine.grailnah.setup import KNIGHTS
from engine.grailnah.specials import needs_sacrifice, special_targets, turn_fault
from engine.grailnah.state import GrailnahState
from engine.grailnah.turn import arrive, turn_done
from engine.outcome import Outcome, Refusal, Unclear
from engine.verdict import Choice, Message

# Instead of a knight: the player is asked which one.
ASK = "?"


def do_merlin(state: GrailnahState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``merlin {to}`` (G-28 to G-34)."""
    to, here = cell_arg(state, args), str(state.pieces["merlin"])
    _check_turn(state, player, "merlin", here, to)
    if to not in special_targets(state, "merlin"):
        refuse_merlin(state, here, to)
    after, notes = arrive(state, "merlin", to)
    return Outcome(turn_done(after, "merlin"), tuple(notes))


def do_morgane(state: GrailnahState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``morgane {to, sacrifice?}`` (G-19 to G-27); a sacrifice of "?" asks which knight it is."""
    to, here = cell_arg(state, args), str(state.pieces["morgane"])
    named = args.get("sacrifice")
    asks = named == ASK
    knight = None if named is None or asks else pawn_arg(state, args, "sacrifice")
    _check_turn(state, player, "morgane", here, to)
    if to not in special_targets(state, "morgane"):
        refuse_morgane(state, here, to)
    notes: list[Message] = []
    if asks and needs_sacrifice(state):
        knight = _which(state, player, here, to)
    if needs_sacrifice(state):
        _check_victim(state, player, knight, here, to)
        assert knight is not None
        state = state.placed({knight: None})
        left = KNIGHTS - len(state.sacrificed(player))
        about = {"player": player, "knight": knight, "left": left, "total": KNIGHTS}
        notes.append(say(state.setup, "sacrificed", **about))
        if not left:
            notes.append(say(state.setup, "last_knight", player=player))
    elif knight is not None:
        _refuse_needless(state, knight, here, to)
    after, more = arrive(state, "morgane", to)
    return Outcome(turn_done(after, "morgane"), (*notes, *more))


def _which(state: GrailnahState, player: str, here: str, to: str) -> str | None:
    """The only knight that can be sacrificed; asks where there are several that differ."""
    victims = state.victims(player)
    places = {state.pieces[knight]: knight for knight in victims}
    if len(places) < 2:
        return next(iter(places.values()), None)
    choices = tuple(
        Choice(
            say(state.setup, "ask_victim", cell=cell),
            (Action(player, "morgane", {"to": to, "sacrifice": knight}),),
        )
        for cell, knight in places.items()
    )
    cells = tuple(str(cell) for cell in places)
    raise Unclear("G-20", (*cells, here, to), say(state.setup, "which_knight"), choices)


def _refuse_needless(state: GrailnahState, knight: str, here: str, to: str) -> NoReturn:
    cell = state.pieces[knight]
    if cell is None:
        message = say(state.setup, "victim_gone", knight=knight, origin=here)
        raise Refusal("G-20", (here, to), message)
    message = say(state.setup, "free_exit", knight=knight, cell=cell)
    raise Refusal("G-20", (cell, here, to), message)


def _check_turn(state: GrailnahState, player: str, special: str, here: str, to: str) -> None:
    fault = turn_fault(state, player, special)
    if fault is not None:
        message = say(state.setup, fault.key, piece=special, player=player, origin=here)
        raise Refusal(fault.rule, (here, to), message)


def _check_victim(
    state: GrailnahState, player: str, knight: str | None, here: str, to: str
) -> None:
    """The knight that moving Morgane costs (G-20, G-21, G-A22)."""
    victims, setup = state.victims(player), state.setup
    about: dict[str, Any] = {"player": player, "origin": here}
    if knight in victims:
        return
    knights = [k for k in setup.knights(player) if state.pieces[k] is not None]
    if not victims:
        if knights and all(state.blocked(k) for k in knights):
            cells = dict.fromkeys(str(state.pieces[k]) for k in knights)
            raise Refusal("G-21", (*cells, here, to), say(setup, "all_blocked", **about))
        if knight is None or not knights:
            raise Refusal("G-20", (here, to), say(setup, "no_victim", **about))
    if knight is None:
        raise Refusal("G-20", (here, to), say(setup, "name_victim", **about))
    _refuse_victim(state, player, knight, here, to)


def _refuse_victim(state: GrailnahState, player: str, knight: str, here: str, to: str) -> NoReturn:
    setup, cell = state.setup, state.pieces[knight]
    about: dict[str, Any] = {"player": player, "origin": here, "knight": knight}
    if knight not in setup.knights(player):
        cells = (cell, here, to) if cell else (here, to)
        raise Refusal("G-20", cells, say(setup, "victim_foreign", **about))
    if cell is None:
        raise Refusal("G-20", (here, to), say(setup, "victim_gone", **about))
    if state.blocked(knight):
        message = say(setup, "victim_blocked", cell=cell, **about)
        raise Refusal("G-21", (cell, here, to), message)
    raise Refusal("G-A22", (cell, here, to), say(setup, "victim_inside", **about))
