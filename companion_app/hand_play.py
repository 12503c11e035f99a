"""Turns a piece dragged on the drawing into an action of the record.

The rules are not judged here: a drag that makes no sense becomes an action that the engine
refuses with its reason.  Only a displacement needs two drags, the attacker and the wizard, in
either order; the first of them waits here.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion_app import texts
from companion_app.magalon_table import Phase, Table
from engine.action import Action
from engine.placement import PieceMove, Placement, track_value
from engine.verdict import Message

ATTACKERS = ("goblin", "giant")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A drag that waits for its other half; ``moves`` are shown as differences."""

    message: Message
    moves: tuple[PieceMove, ...]


class HandPlay:
    """The drags of one turn."""

    def __init__(self) -> None:
        self._attacker: PieceMove | None = None
        self._victims: dict[str, PieceMove] = {}

    def forget(self) -> None:
        """Drops what waits: an action was taken or taken back."""
        self._attacker = None
        self._victims.clear()

    @property
    def waits(self) -> bool:
        """Whether a first half waits for its second."""
        return self._attacker is not None or bool(self._victims)

    def drag(
        self, piece: str, spots: tuple[str, ...], placement: Placement, table: Table
    ) -> Action | Waiting:
        """What a drag of ``piece`` to ``spots`` means now."""
        kind, _, owner = piece.partition("/")
        move = PieceMove(piece, placement.pieces.get(piece, ()), spots)
        if kind in ATTACKERS:
            return self._attack(move, placement, table)
        if kind == "wizard" and owner != table.to_act and _may_attack(table):
            return self._displace(owner, move, table)
        return plain_action(piece, spots, table)

    def _attack(self, move: PieceMove, placement: Placement, table: Table) -> Action | Waiting:
        on_target = [p for spot in move.to for p in placement.at(spot) if p.startswith("wizard/")]
        others = [p for p in on_target if p != f"wizard/{table.to_act}"]
        missing = [p for p in others if p.removeprefix("wizard/") not in self._victims]
        if missing and _may_attack(table):
            self._attacker = move
            victim = texts.piece_name(missing[0])
            return Waiting(texts.message("hand.now_victim", piece=victim), self._moves())
        self._attacker = move
        return self._both(table)

    def _displace(self, colour: str, move: PieceMove, table: Table) -> Action | Waiting:
        self._victims[colour] = move
        if self._attacker is None:
            return Waiting(texts.message("hand.now_attacker"), self._moves())
        return self._both(table)

    def _both(self, table: Table) -> Action:
        assert self._attacker is not None
        kind, _, rest = self._attacker.piece.partition("/")
        args: dict[str, object] = {"piece": self._attacker.piece} if rest else {}
        args["to"] = self._attacker.to[0] if self._attacker.to else None
        if self._victims:
            args["attacks"] = [
                {"player": colour, "to": move.to[0] if move.to else None}
                for colour, move in self._victims.items()
            ]
        self.forget()
        return Action(table.to_act, kind, args)

    def _moves(self) -> tuple[PieceMove, ...]:
        first = (self._attacker,) if self._attacker is not None else ()
        return (*first, *self._victims.values())


def plain_action(piece: str, spots: tuple[str, ...], table: Table) -> Action:
    """The action of a drag that concerns one piece only."""
    kind, _, owner = piece.partition("/")
    to = spots[0] if spots else None
    if kind == "wizard":
        return Action(owner, "walk_on" if table.choose_red else "walk", {"to": to})
    if kind == "shield":
        return Action(owner, "shield", {"to": to})
    if kind == "energy_stone":
        value = track_value(to) if to is not None else None
        return Action(owner, "energy", {"to": value if value is not None else to})
    if kind == "ruin":
        lifts = dict(table.laid).get(table.to_act or "") == 5
        return Action(
            table.to_act, "lift" if lifts else "slide", {"ruin": piece, "to": list(spots)}
        )
    return Action(table.to_act, kind, {"piece": piece, "to": to})


def correction(moves: tuple[PieceMove, ...]) -> Action:
    """Sets pieces where they stand, without asking the rules."""
    energy: dict[str, int] = {}
    pieces: dict[str, object] = {}
    for move in moves:
        kind, _, owner = move.piece.partition("/")
        value = track_value(move.to[0]) if move.to else None
        if kind == "energy_stone" and value is not None:
            energy[owner] = value
        elif kind != "energy_stone":
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


def _may_attack(table: Table) -> bool:
    if table.phase is not Phase.ACT:
        return False
    card = dict(table.laid).get(table.to_act or "")
    giant = any(t.key == "giant" and t.needed for t in table.tokens)
    return giant or card in (3, 6, 9, 10)
