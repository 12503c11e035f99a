"""Every sentence that Das Magische Hexagon says: a stable key, and English text with parameters.

Translations replace the text by key and fill in the same parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.verdict import Listed, Message

CATALOGUE: dict[str, str] = {
    # anything
    "malformed": "This cannot be understood: {what}.",
    "unknown_action": "Das Magische Hexagon has no action {do!r}.",
    "record_action": "{do!r} belongs to the record of the game, not to its rules.",
    "game_over": "{winner} has won; the game is over.",
    "drawn": "The game has ended in a draw.",
    "nobody": "This action needs one of the two players.",
    "not_your_turn": "It is {to_act}'s turn. {player} puts everything back and waits.",
    "placing_first": "The wisdoms are placed first: it is {to_act}'s turn to place one.",
    "all_placed": "All wisdoms lie on the board; now the wizards move.",
    "value_first": "A wisdom has burnt on {cell}: turn it over first and tell its value.",
    # placing
    "place_flame": "{to} is a flame. Put the wisdom on a free cell without a flame.",
    "place_taken": "{to} is taken by {by}. Put the wisdom on a free cell without a flame.",
    "none_left": "{player} has no wisdom left to place.",
    "moves_begin": "All wisdoms lie face down. {player} moves first.",
    # pushing
    "nothing_there": "Nothing stands on {cell}; choose one of your own wizards.",
    "not_yours": "{by} may not be moved by {player}. Put it back on {origin}, and move one "
    "of your own wizards.",
    "stays_there": "The wizard already stands on {to}; nothing has moved.",
    "not_next": "{to} is not next to {origin}. Put the wizard back on {origin}; a step goes to "
    "a neighbouring cell, or across the border to the opposite side.",
    "line_full": "There is no empty cell in this line, so nothing can be pushed. Put the "
    "wizard back on {origin}.",
    "own_in_fire": "Your own wisdom would be pushed into the flame on {cell}. Put everything "
    "back: {by} to {origin}, and the wizard to {first}.",
    "back_across": "{by} has just come across the border from {to}, and may not be brought "
    "back there at once. Put everything back: {by} to {origin}.",
    "only_foreign": "In this game only the opponent's pieces may be pushed, and {by} is in the "
    "way. Put the wizard back on {origin}.",
    "only_one": "In this game only one piece may be pushed. Put the wizard back on {origin}.",
    "not_across": "In this game no piece may be pushed across the border. Put the wizard back "
    "on {origin}.",
    "entry_taken": "In this game the cell on the opposite side, {to}, must be empty. Put "
    "{by} back on {origin}.",
    "flame_taken": "In this game no wisdom may be pushed onto a flame on which a wizard "
    "stands ({cell}). Put the wizard back on {origin}.",
    # jumping
    "no_path": "No jump leads from {origin} to {to}. Put the wizard back on {origin}.",
    "no_jump": "From {origin} no single jump leads to {to}: a jump goes straight over one "
    "neighbouring piece to the cell behind it. Put the wizard back on {first}.",
    "nothing_to_jump": "There is no piece on {over} to jump over. Put the wizard back on {first}.",
    "landing_taken": "{to} is taken by {by}; a jump needs an empty cell behind the piece. Put "
    "the wizard back on {first}.",
    "jump_border": "A jump may not cross the border. Put the wizard back on {first}.",
    "jump_circle": "The jumps end where they began, which would be a pass. Choose another "
    "last cell, or put the wizard back on {origin} and make another move.",
    # burning and scoring
    "burns": "A {colour} wisdom burns on {cell}. Turn it over and tell its value.",
    "not_burning": "No wisdom has burnt on {cell} that still has to be told.",
    "nothing_burning": "No burnt wisdom waits for its value.",
    "no_such_value": "The wisdoms have the values -1, 1 and 2; there is none with {value}.",
    "value_used": "All {colour} wisdoms with {value} have been used. Look once more: what is "
    "left is {left}.",
    "scores": "{player} gets {value} for the {colour} wisdom burnt on {cell}: {points} in all.",
    "more_burnt": "{count} more burnt wisdoms have to be turned over.",
    "wins": "{player} has {points} points, and wins!",
    # ending
    "must_move": "{player} can move, so passing is not allowed; for example {piece} from "
    "{origin} to {to}.",
    "passes": "{player} cannot move and passes.",
    "agreed": "Both agree to a draw.",
    "resigns": "{player} gives up; {winner} wins.",
    "third_time": "This arrangement stands here for the {count}th time. You may agree on a draw.",
    # the referee's questions
    "ask_value": "What does the burnt {colour} wisdom on {cell} show?",
    "value": "{value}",
    "value_told_first": "First tell what the burnt wisdom on {cell} shows.",
    "wizard_to_come": "Now the wizard on {origin} has to follow to {to}.",
    "where_is": "A {colour} wizard stood on {cell}, and I cannot see where it went. Show it, please.",
    "ask_how": "Did the wizard cross the border, or did it jump to {to}?",
    "stepped": "It crossed the border",
    "jumped": "It jumped",
    "pushed_here": "It was pushed from {origin} to {to}",
    # setting up
    "missing_wizard": "A {colour} wizard is missing on {cell}.",
    "missing_wisdom": "A {colour} wisdom is missing on {cell}.",
    "one_too_many": "There is a {colour} wizard too many, on {cell}.",
    "stray": "A {colour} wizard stands on {cell} and belongs on {to}.",
    "on_flame": "A {colour} wisdom lies on a flame ({cell}); put it on a cell without one.",
    "two_on_one": "Two pieces stand on {cell}; every cell holds one.",
}


def say(key: str, **params: Any) -> Message:
    """The message of a key.  ``params`` keep the ids of pieces and cells; only the English text
    says them in words."""
    words = {name: _worded(value) for name, value in params.items()}
    text = CATALOGUE[key].format(**words)
    return Message(key, text[:1].upper() + text[1:], params)


def _worded(value: Any) -> Any:
    """A piece id in words.  The number is left out: nobody may tell face-down pieces apart (H-5)."""
    if not isinstance(value, str):
        return value
    kind, slash, rest = value.partition("/")
    if slash and kind in ("wizard", "wisdom"):
        return f"the {rest.partition('/')[0]} {kind}"
    return value


def signed(value: int) -> str:
    """A value as it is printed: -1, +1, +2."""
    return f"{value:+d}"


def listed(values: Iterable[int]) -> Listed:
    """Values in words: "-1, +1 or +2"."""
    return Listed(tuple(signed(v) for v in values))
