"""Every sentence that Grailnah says: a stable key, and English text with named parameters.

Translations replace the text by key and fill in the same parameters.
"""

from __future__ import annotations

from typing import Any

from engine.grailnah.setup import SPECIALS, Setup, kind_of
from engine.verdict import Listed, Message

CENTRE = "centre"

CATALOGUE: dict[str, str] = {
    # anything
    "malformed": "This cannot be understood: {what}.",
    "unknown_action": "Grailnah has no action {do!r}.",
    "record_action": "{do!r} belongs to the record of the game, not to its rules.",
    "game_over": "{winner} has won; the game is over.",
    "game_drawn": "The game has ended in a draw.",
    "not_your_turn": "It is {to_act}'s turn. {player} puts everything back and waits.",
    "nobodys_turn": "This action needs a player.",
    "has_resigned": "{player} has resigned and only looks on.",
    # pawns
    "not_yours": "{piece} does not belong to {player}. Take it back to {origin} and move a pawn "
    "of your own, Merlin or Morgane.",
    "castle_stays": "Castles are never moved. Take {piece} back to {origin}.",
    "not_on_board": "{piece} has been sacrificed; only a recovery brings it back.",
    "stands_there": "{piece} already stands on {to}; that would be no move.",
    "blocked": "{piece} and {by} block each other on {origin}: neither may move. Put {piece} back "
    "there.",
    "backwards": "Knights never go backwards. Take {piece} back to {origin}.",
    "knight_step": "A knight goes one cell towards the centre, or along its circle. Take {piece} "
    "back to {origin}.",
    "knight_way": "{piece} may not pass over {by} on the way to {to}. Take it back to {origin}.",
    "ring_broken": "No way along the circle leads from {origin} to {to}. Take {piece} back to "
    "{origin}.",
    "knight_gate": "Knights leave the castle by its lateral gates ({gates}). Take {piece} back to "
    "{origin}.",
    "first_cell": "A knight that leaves its castle stops on the first cell outside. Take {piece} "
    "back to {origin}.",
    "royal_gate": "King and Queen leave the castle by the royal gate ({gates}). Take {piece} back "
    "to {origin}.",
    "royal_step": "King and Queen go one cell at a time, diagonally too. Take {piece} back to "
    "{origin}.",
    "royal_entry": "A castle is entered by its royal gate ({gates}) only. Take {piece} back to "
    "{origin}.",
    "no_link": "No underground way leads from {origin} to {to}. Take {piece} back to {origin}.",
    # what is in the way
    "into_castle": "{piece} may not go into {by}. Take it back to {origin}.",
    "into_circle": "King and Queen may not enter the magic circle. Take {piece} back to {origin}.",
    "onto_stair": "Only King and Queen use the stairs. Take {piece} back to {origin}.",
    "stair_taken": "{by} stands on {to}, and there is room for one. Take {piece} back to {origin}.",
    "goal_held": "{by} still holds the centre. Take {piece} back to {origin}.",
    "onto_special": "{by} stands on {to}; no pawn may go there. Take {piece} back to {origin}.",
    "third_pawn": "Two pawns already stand on {to}; there is no room for a third. Take {piece} "
    "back to {origin}.",
    "own_pawn": "{by} stands on {to}: two pawns of one player never share a cell. Take {piece} "
    "back to {origin}.",
    "team_pawn": "{by} of the partner stands on {to}: two pawns of one team never share a cell. "
    "Take {piece} back to {origin}.",
    "opponent_there": "{by} stands on {to}, and nobody may move onto an opponent. Take {piece} "
    "back to {origin}.",
    # Merlin and Morgane
    "first_move": "The first move of the game must be a coloured pawn. Take {piece} back to "
    "{origin}.",
    "twice_running": "{piece} has just been moved and may not be moved twice running. Take "
    "{piece} back to {origin}.",
    "twice_own": "{player} moved {piece} in the turn before and may not do so twice running. Take "
    "{piece} back to {origin}.",
    "merlin_run": "{player} has moved Merlin in three own turns running; the fourth must be "
    "something else. Take Merlin back to {origin}.",
    "merlin_in_all": "{player} has moved Merlin three times in this game. Take Merlin back to "
    "{origin}.",
    "merlin_line": "Merlin goes straight: forward, back or along the circle. Take him back to "
    "{origin}.",
    "merlin_way": "Merlin may not pass over {by} on the way to {to}. Take him back to {origin}.",
    "merlin_castle": "Merlin may not go into {by}. Take him back to {origin}.",
    "merlin_stair": "Merlin may not stop on a stair. Take him back to {origin}.",
    "merlin_back": "Merlin has left the magic circle and may not cross it inwards again. Take him "
    "back to {origin}.",
    "morgane_step": "Morgane goes one cell forward, back or sideways. Take her back to {origin}.",
    "morgane_home": "Morgane has left the centre and may not go back there. Take her back to "
    "{origin}.",
    "morgane_out": "Morgane guards the inside of the magic circle and stays there. Take her back "
    "to {origin}.",
    "exit_capture": "Leaving the centre Morgane may not go where {by} stands. Take her back to "
    "{origin}.",
    "no_victim": "{player} has no knight that could be sacrificed, so Morgane stays on {origin}.",
    "all_blocked": "All knights of {player} are blocked; none can be sacrificed, so Morgane stays "
    "on {origin}.",
    "name_victim": "Moving Morgane costs one of {player}'s knights: take one that is not blocked "
    "off the board, or take Morgane back to {origin}.",
    "victim_blocked": "{knight} is blocked and cannot be sacrificed. Take it back to {cell} and "
    "take another one, or take Morgane back to {origin}.",
    "victim_inside": "{knight} stands in the castle and cannot be sacrificed. Put it back and "
    "take one outside, or take Morgane back to {origin}.",
    "victim_gone": "{knight} has been sacrificed already. Take another one, or take Morgane back "
    "to {origin}.",
    "victim_foreign": "{knight} is no knight of {player}. Put it back and sacrifice one of your "
    "own, or take Morgane back to {origin}.",
    "free_exit": "Leaving the centre costs nothing: take {knight} back to {cell}.",
    # recovery, passing, the end
    "no_recovery": "{player} recovers knights only with King and Queen in one foreign castle.",
    "recovery_late": "Knights are recovered right after the move that brings the second of King "
    "and Queen into the castle.",
    "recovery_again": "Since the last recovery King and Queen of {player} have not both left the "
    "castle and come back.",
    "recovery_same": "The last recovery of {player} was in {cell}; the next one needs another "
    "castle.",
    "nothing_lost": "{player} has sacrificed no knight, so there is none to recover.",
    "count_range": "A recovery brings back 1 to {total} knights.",
    "too_many": "{player} has sacrificed {left}, so {count} cannot come back.",
    "can_move": "{player} can still move, so passing is not allowed; for example {piece} to {to}.",
    # half done
    "ask_sacrifice": "Moving Morgane costs {player} a knight: take one that is not blocked off "
    "the board.",
    "which_knight": "Moving Morgane costs a knight. Which one leaves the board?",
    "ask_victim": "the knight at {cell}",
    "where_is": "{piece} stood on {cell}, and I cannot see where it went. Show it, please.",
    # setting up
    "setup_missing": "{piece} is missing: it begins at {to}.",
    "setup_stray": "{piece} stands on {cell}; it begins at {to}.",
    "setup_castle": "{piece} stands on {cell}; it was drawn for another place.",
    "setup_swapped": "{piece} and {by} have changed places.",
    # what happened
    "pair": "{piece} and {by} block each other on {to}.",
    "home": "{piece} goes home to {cell}.",
    "to_centre": "{piece} goes back to the centre.",
    "sacrificed": "{player} sacrifices {knight}; {left} of {total} are left.",
    "last_knight": "That was the last knight of {player}: only a recovery can bring one back.",
    "may_recover": "King and Queen of {player} are together in {cell}: up to {count} sacrificed "
    "knights may come back now.",
    "recovered": "{player} takes {count} back to {cell}.",
    "passed": "{player} cannot move and passes.",
    "wins": "{player} has brought a knight to the centre and wins!",
    "team_wins": "{player} has brought a knight to the centre: {player} and {partner} win!",
    "resigned": "{player} resigns.",
    "wins_left": "{player} wins.",
    "drawn": "The players agree to a draw.",
}


def say(setup: Setup, key: str, **params: Any) -> Message:
    """The message of a key.  ``params`` keep ids: of pieces, of cells, ``castle/COLOUR`` for the cell
    of a castle and ``centre`` for the goal; only the English text says them in words."""
    given = {name: named(setup, value) for name, value in params.items()}
    text = CATALOGUE[key].format(**{name: worded(setup, value) for name, value in given.items()})
    return Message(key, text[:1].upper() + text[1:], given)


def named(setup: Setup, value: Any) -> Any:
    """An id, or a list of them, as the sentences have it."""
    if isinstance(value, Listed):
        return Listed(tuple(dict.fromkeys(named(setup, v) for v in value.values)), value.word)
    if value == setup.rings.goal:
        return CENTRE
    colour = setup.castle_at.get(value) if isinstance(value, str) else None
    return value if colour is None else f"castle/{colour}"


def worded(setup: Setup, value: Any) -> Any:
    """Ids in words; anything else as it is.  Equal knights in a list are named once."""
    if isinstance(value, Listed):
        return Listed(tuple(dict.fromkeys(worded(setup, v) for v in value.values)), value.word)
    if not isinstance(value, str):
        return value
    if value == CENTRE:
        return "the centre"
    if value in setup.rings.stairs:
        return f"the stair {value}"
    if value in setup.board.cells:
        return value
    if value in SPECIALS:
        return value.capitalize()
    return f"the {value.split('/')[1]} {kind_of(value)}" if "/" in value else value
