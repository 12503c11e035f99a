"""What the dice may have shown when the giant moved (M-47)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

from engine.action import Action
from engine.game import Room
from engine.magalon.state import MagalonState
from engine.placement import PieceMove
from engine.verdict import Choice, Message, Status

# Other values than the likeliest are taken without a word only while they are nearly as likely (3 to
# 1): a giant that goes one step too far must not be excused by a die that is read well.  Beyond that it
# is asked what the dice show: half of the misread ones leave next to nothing to the true value.  What
# two clearly read dice rule out is refused.
SILENT_NATS = math.log(3.0)
DICE_NATS = 6.0


def dice_pairs(
    dice: Sequence[Sequence[float]], limit: float = SILENT_NATS
) -> Iterator[tuple[tuple[int, int], float]]:
    """Pairs that two or more seen dice may show, the likeliest per sum, with the nats they lose (at
    most ``limit``)."""
    best: dict[int, tuple[float, tuple[int, int]]] = {}
    for first, second in permutations(dice, 2):
        for a in range(1, 7):
            for b in range(1, 7):
                score = first[a - 1] + second[b - 1]
                if a + b not in best or score > best[a + b][0]:
                    best[a + b] = (score, (a, b))
    ordered = sorted(best.values(), key=lambda e: -e[0])
    for score, pair in ordered:
        if score < ordered[0][0] - limit:
            return
        yield pair, ordered[0][0] - score


def giant_choices(
    room: Room,
    state: MagalonState,
    me: str,
    move: PieceMove,
    moves: tuple[PieceMove, ...],
    dice: Sequence[Sequence[float]],
) -> tuple[Choice, ...]:
    """A choice for every sum with which the giant's move is legal and that the dice may show, as
    far as they are seen."""
    uniform = (math.log(1 / 6),) * 6
    seen = dice if len(dice) >= 2 else (*dice, uniform, uniform)[:2]
    pairs = sorted(dice_pairs(seen, DICE_NATS), key=lambda p: sum(p[0]))
    hits = [
        {"player": m.piece.split("/")[1], "to": m.to[0]}
        for m in moves
        if m.piece.startswith("wizard/") and m.piece != f"wizard/{me}" and m.to
    ]
    args = {"to": move.to[0], "attacks": hits} if hits else {"to": move.to[0]}
    choices = []
    for pair, _ in pairs:
        roll = Action(me, "roll", {"dice": list(pair)})
        rolled = room.judge(state, roll)
        if rolled.status is Status.ILLEGAL:
            continue
        giant = Action(me, "giant", args)
        if room.judge(rolled.state, giant).status is Status.LEGAL:
            text = Message("referee.sum", f"{sum(pair)}", {"sum": sum(pair)})
            choices.append(Choice(text, (roll, giant)))
    return tuple(choices)
