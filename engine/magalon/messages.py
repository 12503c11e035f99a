"""Every sentence that Magalon says: a stable key, and English text with named parameters.

Translations replace the text by key and fill in the same parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.verdict import Listed, Message

CATALOGUE: dict[str, str] = {
    # anything
    "malformed": "This cannot be understood: {what}.",
    "unknown_action": "Magalon has no action {do!r}.",
    "record_action": "{do!r} belongs to the record of the game, not to its rules.",
    "game_over": "{winner} has won; the game is over.",
    "not_your_turn": "It is {to_act}'s turn. {player} puts everything back and waits.",
    "nobodys_turn": "This action needs a player.",
    "cards_first": "Cards are laid first: it is {to_act}'s turn to lay one.",
    "cards_are_laid": "All cards of this round are laid; {to_act} acts now.",
    # cards
    "card_not_in_hand": "{player} does not hold the {card}; in hand: {hand}.",
    "card_already_laid": "The {card} has already been laid by {other} in this round. "
    "{player} takes it back and lays another value.",
    "must_lay": "{player} can lay {cards}, so passing is not allowed; lay one of them.",
    "passed": "{player} passes and lays first in the next round.",
    "passer_only": "{player} has passed: only the shield and the energy stone may be moved.",
    "first_of_round": "{player} acts first.",
    # walking
    "no_walk": "With the 0 the wizard does not walk; put it back on {origin}.",
    "stands_there": "The piece already stands on {to}; nothing has moved.",
    "occupied": "{to} is taken by {by}. Put the wizard back on {origin} and choose a free cell.",
    "finish_closed": "The start field may be entered only with {needed} energy; {player} has "
    "{energy}. Put the wizard back on {origin}.",
    "finish_needs_items": "The start field may be entered only with all three items. Put the "
    "wizard back on {origin}.",
    "too_far": "{to} is {distance} cells from {origin}, but card {card} walks exactly {steps}. "
    "Put the wizard back on {origin}, or choose a cell exactly {steps} steps away.",
    "no_way": "There is no free way from {origin} to {to}. Put the wizard back on {origin}.",
    "not_exact": "{to} can be reached, but no walk of exactly {steps} steps goes there without "
    "using a cell twice, nor can one be completed from there. Put the wizard back on {origin}, or "
    "let it stay this turn.",
    "boxed_in": "As the board stands the wizard cannot walk exactly {steps} steps from {origin} at "
    "all. Put it back on {origin}: it stays this turn, or make way for it first.",
    "cannot_continue": "From {origin} the walk cannot go on to {to} with exactly {steps} steps in "
    "all and no cell used twice. Put the wizard back on {origin}, or the whole walk back on "
    "{first}.",
    "walk_over": "The wizard has finished its walk this turn. Put it back on {origin}.",
    "walk_left": "The walk is not finished: {left} of {steps} steps are still to be walked, or "
    "the wizard goes back to {origin}.",
    "walk_stuck": "As the board stands this walk cannot be finished: {left} of {steps} steps "
    "are left. Make way, or put the wizard back on {origin}.",
    "via_jump": "{a} and {b} are not neighbours; give every cell in between.",
    "via_twice": "{cell} is used twice in this turn; every cell may be used once.",
    "via_closed": "{cell} is on the way but cannot be entered. Put the piece back on {origin}.",
    "red_choice": "A red cell: stay for {gain} energy, or walk {more} more steps at once.",
    "red_only_stay": "A red cell: the wizard stays for {gain} energy, as {more} more steps cannot be "
    "walked from here.",
    "red_stays": "{player} stays on the red cell: +{gain} energy is due.",
    "not_on_red": "Only right after stopping on a red cell may the wizard walk on or stay.",
    "bonus_walk": "From {origin} no walk of exactly {more} free steps leads to {to}. Walk "
    "{more}, or stay.",
    "wins": "{player} has reached the finish with all three items and {energy} energy, and wins!",
    # items
    "item_taken": "{player} takes the {item}.",
    "item_perhaps": "The way may have led over the {item}: {player} takes it, unless refused.",
    "item_missed": "The way may have led over the {item}, but need not: {player} gets nothing, "
    "unless somebody says so.",
    "item_back": "The {item} goes back to its field.",
    "which_items": "The way could have led over {items}, but not over all of them. Which was it?",
    "which_choice": "over {items}",
    "item_not_passed": "No walk that is left open leads {player} over the {item} in this turn.",
    "item_passed": "The way led over the {item}, so {player} takes it.",
    # goblins and giant
    "no_goblins": "Card {card} moves no goblins (cards {cards} do). Put the goblin back on "
    "{origin}.",
    "no_number": "The board file does not say which number is printed on card {card} for this "
    "(printed_numbers); enter it in the board's settings.",
    "not_lowest": "{lowest} has the lowest card and moves the giant in this round. Put it back on "
    "{origin}.",
    "not_lowest_dice": "{lowest} has the lowest card and rolls the dice in this round.",
    "roll_first": "Roll the dice first; the giant walks their sum. Put it back on {origin}.",
    "rolled_already": "The dice have been rolled already: {dice}.",
    "off_board": "{piece} is not on the board.",
    "attacker_field": "Goblins and giant may not enter {to}. Put the piece back on {origin}.",
    "attacker_occupied": "{to} is taken by {by}. Put the piece back on {origin} and choose a free "
    "cell.",
    "stops_on_wizard": "To stop on {to} the {victim} wizard must first be moved exactly {push} "
    "cells from there.",
    "attacker_too_far": "{to} is {distance} cells from {origin}, but {piece} walks exactly "
    "{steps}. Put it back on {origin}.",
    "attacker_no_way": "There is no free way from {origin} to {to}. Put {piece} back on {origin}.",
    "attacker_boxed_in": "As the board stands {piece} cannot walk exactly {steps} steps from "
    "{origin} at all. Put it back on {origin}.",
    "attacker_not_exact": "{piece} cannot walk from {origin} to {to} with exactly {steps} steps in "
    "all and no cell used twice. Put it back on {origin}.",
    "attacker_left": "{piece} has not finished: {left} of {steps} steps are left, or it goes back "
    "to {origin}.",
    "attacker_stuck": "As the board stands {piece} cannot finish: {left} of {steps} steps are "
    "left. Make way, or put it back on {origin}.",
    "goblins_left": "Both goblins together walk {steps} steps; {left} are left.",
    "own_wizard": "One's own wizard cannot be attacked; it is in the way on {cell}.",
    "protected": "The {victim} wizard is protected by card 4 in this round. It goes back to "
    "{cell}.",
    "hit_twice": "The {victim} wizard has already been displaced in this turn. It goes back to "
    "{cell}.",
    "on_field": "The {victim} wizard stands on {cell} and is safe there.",
    "no_route": "The {victim} wizard has no way of {push} cells, so it cannot be displaced and is "
    "in the way on {cell}.",
    "push_not_exact": "The {victim} wizard must be moved exactly {push} free cells; {to} cannot be "
    "reached so from {cell}. It goes back to {cell}.",
    "push_closed": "The {victim} wizard cannot be put on {to}. It goes back to {cell}.",
    "nobody_comes": "No goblin or giant of {player} can reach {cell} this turn, so the {victim} "
    "wizard goes back there.",
    "attacker_to_come": "The {victim} wizard has been displaced from {cell}: now the goblin or "
    "giant has to come there.",
    "displaced": "{victim} is displaced from {cell} to {to}.",
    "attacks_shape": "attacks must be a list of objects with player and to",
    # ruins
    "no_ruins": "Card {card} slides no ruins (cards {cards} do). Put the ruin back on {origin}.",
    "no_lift": "Only card {card} lifts a ruin. Put it back on {origin}.",
    "lifted_already": "Card 5 lifts one ruin, and that has been done. Put it back on {origin}.",
    "ruin_shape": "A ruin keeps its shape. Put it back on {origin}.",
    "ruin_turned": "A ruin keeps its shape and is not turned while it slides. Put it back on "
    "{origin}.",
    "ruin_field": "No ruin on {cells}. Put it back on {origin}.",
    "ruin_occupied": "{cells} is taken by {by}. Put the ruin back on {origin}.",
    "ruin_no_way": "The ruin cannot slide there without pushing something. Put it back on "
    "{origin}.",
    "ruin_too_far": "That takes {needed} steps, but card {card} has {left} of {total} left. Put "
    "the ruin back on {origin}.",
    "ruin_left": "The ruins have slid {used} of exactly {total} steps.",
    "ruin_same": "The ruin already lies there.",
    # shields
    "shield_moved": "{player} has already moved the shield in this turn. Put it back on {origin}.",
    "shield_field": "No shield on the start field or an item field ({to}). Put it back {place}, or "
    "on any free cell.",
    "shield_occupied": "{to} is taken by {by}. Put the shield back {place} or on any free cell.",
    "shield_stays": "A shield that is on the board stays there. Put it back on {origin}.",
    "shield_encloses": "The {victim} wizard on {cell} would be shut in by shields at the edge. Put "
    "the shield back {place} or on another free cell.",
    "place_on": "on {cell}",
    "place_off": "beside the board",
    "shut_in": "The {victim} wizard on {cell} has no free neighbouring cell now.",
    "shield_first": "The shield has to be put on the board in the first turn.",
    # energy
    "energy_wrong": "The stone of {player} stands on {now} and may go to {marks}, not to {to}.",
    "energy_nothing": "Nothing is due: the stone of {player} stays on {now}.",
    "energy_at_end": "At 0 the energy point is paid at the end of the turn: then the wizard goes "
    "back to the start.",
    "energy_moved": "{player}: {was} → {now} energy ({why}).",
    "energy_reminder": "Move the stone of {player} from {was} to {now} ({why}).",
    "energy_reset": "{player} has no energy left: the wizard goes back to the start, the items go "
    "back to their fields, and the stone to {mark}.",
    "why_card": "card {card}: +{gain}",
    "why_red": "red cell: +{gain}",
    "why_loss": "turn: −1",
    "why_top": "top of the scale",
    # turn
    "end_part_walk": "The walk of {piece} is not finished: {left}. Finish it, or put {piece} back "
    "on {origin}.",
    "part_left": "{left} of {steps} steps are left",
    "end_displaced": "The {victim} wizard was displaced, but no goblin or giant has come to "
    "{cell}. Move it there, or put the wizard back on {cell}.",
    "end_goblins": "The goblins walk exactly {steps} steps together. Finish, or put them back.",
    "end_ruins": "The ruins slide exactly {total} steps together or not at all; {used} have been "
    "used.",
    "turn_over": "{player} has finished; {next} acts.",
    "round_over": "Round {round} is over; {next} lays first.",
    "cards_back": "{player} takes all cards back in hand.",
    # taking back
    "nothing_open": "{piece} has no unfinished walk in this turn; to take back a finished move use "
    "undo.",
    "origin_taken": "{piece} cannot go back to {cell}: {by} stands there now. Take that move back "
    "first.",
    "cancelled": "{piece} is back on {cell}; its walk does not count.",
}


CELLS = ("to", "origin", "cell", "a", "b", "first", "cells")
FIELDS = {"start": "the start field"} | {i: f"the {i} field" for i in ("amulet", "stone", "ring")}


def say(key: str, **params: Any) -> Message:
    """The message of a key.  ``params`` keep the ids of pieces and cells; only the English text
    says them in words."""
    words = {name: _worded(name, value) for name, value in params.items()}
    text = CATALOGUE[key].format(**words)
    return Message(key, text[:1].upper() + text[1:], params)


def fragment(key: str, **params: Any) -> Message:
    """A part of a sentence, to be a parameter of another one."""
    return Message(key, CATALOGUE[key].format(**params), params)


def _worded(name: str, value: Any) -> Any:
    if isinstance(value, Listed):
        return Listed(tuple(_worded(name, v) for v in value.values), value.word)
    if not isinstance(value, str):
        return value
    if name in CELLS:
        return FIELDS.get(value, value)
    kind, slash, which = value.partition("/")
    if value == "giant":
        return "the giant"
    if not slash:
        return value
    if kind in ("goblin", "ruin"):
        return f"{kind} {which}"
    return f"the {which} {kind}" if kind in ("wizard", "shield") else value


def listed(values: Iterable[Any], word: str = "or") -> Listed:
    """Values in words: "1, 2 or 3"."""
    return Listed(tuple(values), word)
