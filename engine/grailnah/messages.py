"""Every sentence that Grailnah says: a stable key, and English text with named parameters.

Translations replace the text by key and fill in the same parameters.
"""

from __future__ import annotations

from typing import Any

from engine.grailnah.setup import Setup, kind_of
from engine.verdict import Listed, Message

PREFIX = "grailnah."
_TEXTS: dict[str, str] = {
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
    "not_yours": "{piece} does not belong to {player}. Put it back on {origin} and move a pawn of "
    "your own, Merlin or Morgane.",
    "castle_stays": "Castles are never moved. Put {piece} back on {origin}.",
    "not_on_board": "{piece} has been sacrificed; only a recovery brings it back.",
    "stands_there": "{piece} already stands on {to}; that would be no move.",
    "blocked": "{piece} and {by} block each other on {origin}: neither may move. Put {piece} back "
    "there.",
    "backwards": "Knights never go backwards. Put {piece} back on {origin}.",
    "knight_step": "A knight goes one cell towards the centre, or along its circle. Put {piece} "
    "back on {origin}.",
    "knight_way": "{piece} may not pass over {blockers} on the way to {to}. Put it back on "
    "{origin}.",
    "ring_broken": "No way along the circle leads from {origin} to {to}. Put {piece} back on "
    "{origin}.",
    "knight_gate": "Knights leave the castle by its lateral gates ({gates}). Put {piece} back into "
    "{origin}.",
    "first_cell": "A knight that leaves its castle stops on the first cell outside. Put {piece} "
    "back into {origin}.",
    "royal_gate": "King and Queen leave the castle by the royal gate ({gates}). Put {piece} back "
    "into {origin}.",
    "royal_step": "King and Queen go one cell at a time, diagonally too. Put {piece} back on "
    "{origin}.",
    "royal_entry": "A castle is entered by its royal gate ({gates}) only. Put {piece} back on "
    "{origin}.",
    "no_link": "No underground way leads from {origin} to {to}. Put {piece} back on {origin}.",
    # what is in the way
    "into_castle": "{piece} may not go into {by}. Put it back on {origin}.",
    "into_circle": "King and Queen may not enter the magic circle. Put {piece} back on {origin}.",
    "onto_stair": "Only King and Queen use the stairs. Put {piece} back on {origin}.",
    "stair_taken": "{by} stands on {to}, and there is room for one. Put {piece} back on {origin}.",
    "goal_held": "{by} still holds the centre. Put {piece} back on {origin}.",
    "onto_special": "{by} stands on {to}; no pawn may go there. Put {piece} back on {origin}.",
    "third_pawn": "Two pawns already stand on {to}; there is no room for a third. Put {piece} back "
    "on {origin}.",
    "own_pawn": "{by} stands on {to}: two pawns of one player never share a cell. Put {piece} back "
    "on {origin}.",
    "team_pawn": "{by} of the partner stands on {to}: two pawns of one team never share a cell. "
    "Put {piece} back on {origin}.",
    "opponent_there": "{by} stands on {to}, and nobody may move onto an opponent. Put {piece} back "
    "on {origin}.",
    # Merlin and Morgane
    "first_move": "The first move of the game must be a coloured pawn. Put {piece} back on "
    "{origin}.",
    "twice_running": "{piece} has just been moved and may not be moved twice running. Put "
    "{piece} back on {origin}.",
    "twice_own": "{player} moved {piece} in the turn before and may not do so twice running. Put "
    "{piece} back on {origin}.",
    "merlin_run": "{player} has moved Merlin in three own turns running; the fourth must be "
    "something else. Put Merlin back on {origin}.",
    "merlin_in_all": "{player} has moved Merlin three times in this game. Put Merlin back on "
    "{origin}.",
    "merlin_line": "Merlin goes straight: forward, back or along the circle. Put him back on "
    "{origin}.",
    "merlin_way": "Merlin may not pass over {blockers} on the way to {to}. Put him back on "
    "{origin}.",
    "merlin_castle": "Merlin may not go into {by}. Put him back on {origin}.",
    "merlin_stair": "Merlin may not stop on a stair. Put him back on {origin}.",
    "merlin_back": "Merlin has left the magic circle and may not cross it inwards again. Put him "
    "back on {origin}.",
    "morgane_step": "Morgane goes one cell forward, back or sideways. Put her back on {origin}.",
    "morgane_home": "Morgane has left the centre and may not go back there. Put her back on "
    "{origin}.",
    "morgane_out": "Morgane guards the inside of the magic circle and stays there. Put her back on "
    "{origin}.",
    "exit_capture": "Leaving the centre Morgane may not go where {by} stands. Put her back on "
    "{origin}.",
    "no_victim": "{player} has no knight that could be sacrificed, so Morgane stays on {origin}.",
    "all_blocked": "All knights of {player} are blocked; none can be sacrificed, so Morgane stays "
    "on {origin}.",
    "name_victim": "Moving Morgane costs one of {player}'s knights: take one that is not blocked "
    "off the board, or put Morgane back on {origin}.",
    "victim_blocked": "{knight} is blocked and cannot be sacrificed. Put it back on {cell} and "
    "take another one, or put Morgane back on {origin}.",
    "victim_inside": "{knight} stands in the castle and cannot be sacrificed. Put it back and take "
    "one outside, or put Morgane back on {origin}.",
    "victim_gone": "{knight} has been sacrificed already. Take another one, or put Morgane back on "
    "{origin}.",
    "victim_foreign": "{knight} is no knight of {player}. Put it back and sacrifice one of your "
    "own, or put Morgane back on {origin}.",
    "free_exit": "Leaving the centre costs nothing: put {knight} back on {cell}.",
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
    "ask_sacrifice": "Moving Morgane costs {player} a knight: take one that is not blocked off the "
    "board.",
    "which_knight": "Moving Morgane costs a knight. Which one leaves the board?",
    "ask_victim": "the knight on {cell}",
    "move_morgane": "The knight from {cell} is off the board: now move Morgane, or put it back.",
    # what happened
    "pair": "{piece} and {by} block each other on {to}.",
    "home": "{piece} goes home to {cell}.",
    "to_centre": "{piece} goes back to the centre.",
    "sacrificed": "{player} sacrifices {knight}; {left} of {total} are left.",
    "last_knight": "That was the last knight of {player}: only a recovery can bring one back.",
    "may_recover": "King and Queen of {player} are together in {cell}: up to {count} sacrificed "
    "knights may come back now.",
    "recovered": "{player} takes {count} back into {cell}.",
    "passed": "{player} cannot move and passes.",
    "wins": "{player} has brought a knight to the centre and wins!",
    "team_wins": "{player} has brought a knight to the centre: {player} and {partner} win!",
    "resigned": "{player} resigns.",
    "wins_left": "{player} wins.",
    "drawn": "The players agree to a draw.",
}
CATALOGUE: dict[str, str] = {PREFIX + key: text for key, text in _TEXTS.items()}


def say(setup: Setup, key: str, **params: Any) -> Message:
    """The message of a key.  ``params`` keep the ids of pieces and cells; only the English text
    says them in words."""
    words = {name: worded(setup, value) for name, value in params.items()}
    template = _TEXTS[key]
    if params.get("origin") in setup.castle_at:
        template = template.replace("on {origin}", "into {origin}")
    text = template.format(**words)
    return Message(PREFIX + key, text[:1].upper() + text[1:], params)


def worded(setup: Setup, value: Any) -> Any:
    """Ids of pieces and cells, or lists of them, in words; anything else as it is.  Equal knights
    in a list are named once."""
    if isinstance(value, Listed):
        return Listed(tuple(dict.fromkeys(worded(setup, v) for v in value.values)), value.word)
    if not isinstance(value, str):
        return value
    if value in setup.board.cells:
        return cell_words(setup, value)
    if value in ("merlin", "morgane"):
        return value.capitalize()
    return piece_words(value) if "/" in value else value


def cell_words(setup: Setup, cell: str) -> str:
    """The words for a cell."""
    if cell == setup.rings.goal:
        return "the centre"
    if cell in setup.rings.stairs:
        return f"the stair {cell}"
    colour = setup.castle_at.get(cell)
    return cell if colour is None else f"the {colour} castle"


def piece_words(piece: str) -> str:
    """The words for a pawn or a castle: equal knights are not told apart."""
    kind, colour = kind_of(piece), piece.split("/")[1]
    return f"the {colour} {kind}"
