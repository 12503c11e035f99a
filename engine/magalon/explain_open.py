"""What is half done in Magalon, or has to be told before the referee can go on."""

from __future__ import annotations

from dataclasses import replace

from engine.action import Action
from engine.game import Room
from engine.magalon.explain_cards import card_choices
from engine.magalon.explain_dice import giant_choices
from engine.magalon.obstacles import push_steps
from engine.magalon.state import MagalonState
from engine.placement import PieceMove
from engine.referee.explain import Clues, Unfinished, play
from engine.verdict import Choice, Message, Status

DICE_TEXTS = {
    "dice": "I cannot see both dice. Please tap what they show.",
    "dice_doubtful": "The giant's way does not fit the dice as I read them. Please tap what they show.",
}


def kind_of(piece: str) -> str:
    """The kind in a piece id."""
    return piece.split("/")[0]


def owner_of(piece: str) -> str | None:
    """The colour of the player a piece belongs to; None for giant, goblins and ruins."""
    kind, _, colour = piece.partition("/")
    return colour if kind in ("wizard", "shield", "energy_stone") else None


def unfinished(
    room: Room,
    state: MagalonState,
    moves: tuple[PieceMove, ...],
    clues: Clues,
    over: tuple[Action, ...],
) -> Unfinished | None:
    """What would complete these moves; ``over``: what would end the turn before, if that may be."""
    me = state.to_act
    if me is None or not moves:
        return None
    if state.laying:
        choices = card_choices(room, state, moves)
        return Unfinished(_ask_cards(state.round), None, choices)
    asked = _dice_wanted(room, state, me, moves, clues) or _lifted(state, me, moves, clues)
    if asked is None and over:
        asked = _after_the_turn(room, state, moves, clues, over)
    if asked is not None:
        return asked
    if _round_over(state, me, moves, clues):
        end = Action(me, "end", {})
        after = room.judge(state, end)
        laying = after.status is Status.LEGAL and after.state.laying
        choices = card_choices(room, after.state, moves, (end,)) if laying else ()
        return Unfinished(_ask_cards(state.round + 1), None, choices)
    return None


def _after_the_turn(
    room: Room,
    state: MagalonState,
    moves: tuple[PieceMove, ...],
    clues: Clues,
    over: tuple[Action, ...],
) -> Unfinished | None:
    """The dice that the next player threw, where the turn before ended without a sign."""
    played, ok = play(room, state, over)
    after: MagalonState = played[-1].judgement.state
    if not ok or after.to_act is None or after.laying:
        return None
    asked = _dice_wanted(room, after, after.to_act, moves, clues)
    if asked is None:
        return None
    choices = tuple(Choice(c.text, (*over, *c.actions)) for c in asked.choices)
    return replace(asked, choices=choices)


def _dice_wanted(
    room: Room, state: MagalonState, me: str, moves: tuple[PieceMove, ...], clues: Clues
) -> Unfinished | None:
    giant = next((m for m in moves if m.piece == "giant" and m.to), None)
    if giant is None or state.lowest != me or state.turn.dice:
        return None
    choices = giant_choices(room, state, me, giant, moves, clues.dice)
    if not choices:
        return None
    key = "dice_doubtful" if len(clues.dice) >= 2 else "dice"
    return Unfinished(Message(f"referee.{key}", DICE_TEXTS[key]), me, choices)


def _round_over(state: MagalonState, me: str, moves: tuple[PieceMove, ...], clues: Clues) -> bool:
    """Whether these may be moves of a next round of which the cards are not known."""
    if state.acting_order[-1:] != (me,) or not (clues.acted or state.recovers(me)):
        return False
    if clues.cards.get(state.round + 1):
        return False
    others = {owner_of(m.piece) for m in moves} - {None, me}
    return bool(others) or bool(state.turn.booked)


def _lifted(
    state: MagalonState, me: str, moves: tuple[PieceMove, ...], clues: Clues
) -> Unfinished | None:
    """An attacker on the cell of a wizard that somebody holds in the hand (M-27, M-48)."""
    for move in (m for m in moves if m.to):
        for seat in state.setup.seats:
            held = f"wizard/{seat}" in clues.gone and state.wizard(seat) == move.to[0]
            if held and seat != me and kind_of(move.piece) in ("goblin", "giant"):
                push = push_steps(move.piece)
                text = f"Now put the {seat} wizard {push} cells away from {move.to[0]}."
                message = Message(
                    "referee.lifted", text, {"victim": seat, "push": push, "cell": move.to[0]}
                )
                return Unfinished(message, me)
    return None


def twice_running(state: MagalonState, me: str) -> bool:
    """Whether a round begins with the player who ended the one before."""
    return state.round > 1 and not state.acted and state.first_layer == me


def _ask_cards(round_: int) -> Message:
    text = f"Please tell me first which cards were laid in round {round_}."
    return Message("referee.cards", text, {"round": round_})
