"""Turns a piece dragged on the drawing into an action of the record.

The rules are not judged here: a drag that makes no sense becomes an action that the engine
refuses with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion_app.games.magalon.table import MagalonTable, Phase
from engine.action import Action
from engine.placement import PieceMove, track_value

LIFT_CARD = 5
GOBLIN_CARDS = (3, 6, 9, 10)


def action_of_drag(piece: str, spots: tuple[str, ...], table: MagalonTable) -> Action:
    """What a drag of ``piece`` to ``spots`` means now.

    A piece put back to where its unfinished walk began cancels it (M-A3).  The wizard of somebody else is displaced by the player who acts, if that player may attack;
    otherwise its owner walks out of turn, and the engine says so.
    """
    kind, _, owner = piece.partition("/")
    to = spots[0] if spots else None
    if (piece, to) in table.open_ways:
        return Action(table.to_act, "cancel", {"piece": piece})
    if kind == "wizard":
        if owner != table.to_act and may_attack(table):
            return Action(table.to_act, "displace", {"victim": owner, "to": to})
        return Action(owner, "walk_on" if table.choose_red else "walk", {"to": to})
    if kind == "shield":
        return Action(owner, "shield", {"to": to})
    if kind == "energy_stone":
        value = track_value(to) if to is not None else None
        return Action(owner, "energy", {"to": value if value is not None else to})
    if kind == "ruin":
        lifts = table.card == LIFT_CARD
        return Action(
            table.to_act, "lift" if lifts else "slide", {"ruin": piece, "to": list(spots)}
        )
    if kind == "giant":
        return Action(table.to_act, "giant", {"to": to})
    return Action(table.to_act, kind, {"piece": piece, "to": to})


def may_attack(table: MagalonTable) -> bool:
    """Whether the acting player moves goblins or the giant in this turn."""
    giant = any(t.key == "giant" and t.needed for t in table.tokens)
    return table.phase is Phase.ACT and (giant or table.card in GOBLIN_CARDS)


def correction(moves: Iterable[PieceMove]) -> Action:
    """Sets pieces where they stand, without asking the rules."""
    energy: dict[str, int] = {}
    pieces: dict[str, object] = {}
    for move in moves:
        kind, _, owner = move.piece.partition("/")
        value = track_value(move.to[0]) if move.to else None
        if kind == "energy_stone":
            if value is not None:
                energy[owner] = value
        else:
            pieces[move.piece] = _place(kind, move.to)
    args: dict[str, object] = {}
    if pieces:
        args["pieces"] = pieces
    if energy:
        args["energy"] = energy
    return Action(None, "correct", args)


def _place(kind: str, spots: tuple[str, ...]) -> object:
    if not spots:
        return None
    return list(spots) if kind == "ruin" or len(spots) > 1 else spots[0]
