"""The end of a turn and of a round (M-9, M-10, M-17, M-18, M-37, M-38)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.magalon.energy import settle
from engine.magalon.messages import fragment, say
from engine.magalon.movable import attack_steps
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.setup import DEFENCE_CARD, RECOVER_CARD, SLIDE_CARDS
from engine.magalon.state import MagalonState, Turn
from engine.magalon.ways import least_steps
from engine.verdict import Message


def do_end(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``end`` of the turn: books what is due, turns the card down, and passes on."""
    _check_open(state, actor)
    _check_options(state, actor)
    notes: tuple[Message, ...] = ()
    after = state
    if state.card(actor) is not None or state.setup.option("M-A40") == "b":
        after, notes = settle(state, actor)
    after, more = _card_away(after, actor)
    after = after.but(acted=(*after.acted, actor), turn=Turn())
    notes += more
    if after.to_act is not None:
        return Outcome(after, (*notes, say("turn_over", player=actor, next=after.to_act)))
    after = next_round(after)
    return Outcome(after, (*notes, say("round_over", round=state.round, next=after.to_act)))


def _check_open(state: MagalonState, actor: str) -> None:
    """Ending the turn with a part-walk or an unexplained displacement is illegal (M-A3)."""
    turn = state.turn
    if turn.walk is not None and not turn.walk.done:
        piece, steps = f"wizard/{actor}", state.card(actor) or 0
        _refuse_part(state, piece, turn.walk.origin, steps)
    for early in turn.early:
        hit = early.hit
        message = say("end_displaced", victim=hit.colour, cell=hit.origin)
        raise Refusal("M-27", (hit.origin, hit.part.to), message)
    for piece, path in turn.attackers:
        if not path.done:
            steps = attack_steps(state, actor, piece)
            if piece != "giant" and state.setup.option("M-A8") == "b":
                cells = (path.origin, str(state.pieces[piece]))
                raise Refusal("M-A3", cells, say("end_goblins", steps=steps))
            _refuse_part(state, piece, path.origin, steps)


def _refuse_part(state: MagalonState, piece: str, origin: str, steps: int) -> None:
    path = state.turn.walk if piece.startswith("wizard/") else state.turn.path_of(piece)
    used = least_steps(state.setup, path, steps) if path else 0
    left = fragment("part_left", left=steps - (used or 0), steps=steps)
    cells = (origin, str(state.pieces[piece]))
    raise Refusal("M-A3", cells, say("end_part_walk", piece=piece, left=left, origin=origin))


def _check_options(state: MagalonState, actor: str) -> None:
    card, slid = state.card(actor), state.turn.slid
    if state.setup.option("M-A12") == "b" and card in SLIDE_CARDS and slid:
        total = state.setup.ruin_steps.get(card, 0)
        if (total - slid) % 2:
            cells = tuple(sorted(set().union(*state.ruins)))
            raise Refusal("M-A12", cells, say("end_ruins", total=total, used=slid))
    off = state.pieces[f"shield/{actor}"] is None
    if state.setup.option("M-A38") == "b" and off:
        raise Refusal("M-A38", (), say("shield_first"))


def _card_away(state: MagalonState, actor: str) -> tuple[MagalonState, tuple[Message, ...]]:
    """Face down (M-17), face up until the end of the round (M-37), or all back (M-38)."""
    card = state.card(actor)
    if card is None or card == DEFENCE_CARD:
        return state, ()
    if card == RECOVER_CARD:
        hand = state.hands[actor] | state.played[actor] | {card}
        after = state.but(
            hands={**state.hands, actor: hand}, played={**state.played, actor: frozenset()}
        )
        return after, (say("cards_back", player=actor),)
    return state.but(played={**state.played, actor: state.played[actor] | {card}}), ()


def next_round(state: MagalonState) -> MagalonState:
    """The next round: who passed lays first, else who had the lowest card (M-9, M-10, M-A41)."""
    played = dict(state.played)
    for colour, card in state.table:
        if card == DEFENCE_CARD:
            played[colour] = played[colour] | {card}
    passed = [c for c, card in state.table if card is None]
    first = passed[0] if passed else state.lowest
    assert first is not None
    return state.but(
        round=state.round + 1, first_layer=first, table=(), acted=(), turn=Turn(), played=played
    )
