"""Which actions of Grailnah may have moved which pieces: proposals for the referee.

Nothing is decided here: every proposal goes through ``Room.judge``.  What follows by the rules is
not asked of the eyes: pawns that Merlin or Morgane meet are home, also while somebody still holds
them; of recovered knights all come back, since that is never worse for the player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Room
from engine.grailnah.legal import can_move
from engine.grailnah.messages import say
from engine.grailnah.moves import targets
from engine.grailnah.recovery import recoverable
from engine.grailnah.setup import ROYALS, SPECIALS
from engine.grailnah.setup_check import faults
from engine.grailnah.specials import needs_sacrifice
from engine.grailnah.state import GrailnahState, kind_of, owner_of
from engine.placement import PieceMove
from engine.referee.explain import Clues, Step, Unfinished
from engine.referee.proposers import NoProposer
from engine.referee.readings import Reading
from engine.verdict import Choice, Message, Status

# Two turns at once, the second of which sent the pawn of the first one home again.
MOVED_AND_MET = 1.0
# A knight that is seen to leave the board is likelier sacrificed than one out of sight in a castle.
UNSEEN_SACRIFICE = 0.5
# So many pieces may have been moved before anything of the game was seen.
MOST_FIRST_MOVES = 3


class GrailnahProposer(NoProposer):
    """The referee's knowledge of how pieces get moved in Grailnah."""

    def __init__(self, room: Room) -> None:
        self._room = room

    # -- legal steps ---------------------------------------------------------------------------

    def steps(
        self, state: GrailnahState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Sequence[Step]:
        """Steps of the player to act that could explain some of the moves, those that explain most
        first: Merlin and a king that went home are one move, not two."""
        me = state.to_act
        if me is None:
            return ()
        steps: list[Step] = []
        lost = _lost(state, me, moves, clues.gone)
        if lost is not None:
            steps.extend(self._met_unseen(state, me, lost, moves))
        for move in moves:
            if lost is not None and move.piece in SPECIALS:
                continue  # somebody else's move, as it seems: his own piece went where nobody sees it
            if owner_of(move.piece) == me:
                steps.extend(_moved_and_met(state, me, move, moves))
            if not move.to:
                steps.extend(self._entry(state, me, move))
            elif move.piece == "merlin":
                action = Action(me, "merlin", {"to": move.to[0]})
                steps.append(Step((action,), _met(state, move, moves)))
            elif move.piece == "morgane":
                steps.extend(_morgane_steps(state, me, move, moves))
            elif owner_of(move.piece) == me:
                steps.append(self._pawn_step(state, me, move))
        return sorted(steps, key=lambda s: (-len(s.covers), s.actions[0].do != "move"))

    def _entry(self, state: GrailnahState, me: str, move: PieceMove) -> Iterator[Step]:
        """A royal that is gone from a royal gate has gone into the castle, out of sight."""
        here = state.pieces.get(move.piece)  # None for a castle
        if kind_of(move.piece) in ROYALS and owner_of(move.piece) == me:
            for castle in state.setup.castle_at:
                if here in state.setup.rings.gates[castle].royal:
                    entered = PieceMove(move.piece, move.origin, (castle,))
                    yield self._pawn_step(state, me, entered)

    def _met_unseen(
        self, state: GrailnahState, me: str, lost: str, moves: tuple[PieceMove, ...]
    ) -> Iterator[Step]:
        """A pawn that nobody finds, moved to where Merlin or Morgane came in the next turn: it is on its
        way home, or under the roof there."""
        for other in moves:
            if other.piece not in SPECIALS or not other.to or lost in SPECIALS:
                continue
            action = Action(me, "move", {"piece": lost, "to": other.to[0]})
            after = self._room.judge(state, action)
            if after.status is not Status.LEGAL or after.state.to_act in (None, me):
                continue
            next_one = Action(after.state.to_act, other.piece, {"to": other.to[0]})
            yield Step((action, next_one), _met(state, other, moves), MOVED_AND_MET)

    def _pawn_step(self, state: GrailnahState, me: str, move: PieceMove) -> Step:
        """A pawn's move, and the recovery that it gives."""
        action = Action(me, "move", {"piece": move.piece, "to": move.to[0]})
        covers = frozenset({move.piece})
        castle = move.to[0] in state.setup.castle_at
        if kind_of(move.piece) in ROYALS and castle and state.sacrificed(me):
            after = self._room.judge(state, action)
            if after.status is Status.LEGAL and after.state.may_recover == me:
                count = recoverable(after.state, me)
                return Step((action, Action(me, "recover", {"count": count})), covers)
        return Step((action,), covers)

    # -- the turn ------------------------------------------------------------------------------

    def turn_over(self, state: GrailnahState, clues: Clues) -> tuple[Action, ...]:
        """A player without any move passes (G-A34); all other turns end by themselves."""
        me = state.to_act
        return (Action(me, "pass", {}),) if me is not None and not can_move(state) else ()

    def may_vanish(
        self, state: GrailnahState, reading: Reading, came_out: frozenset[str]
    ) -> frozenset[str]:
        """Knights that were sacrificed, where Morgane has been moved among others or just before;
        and under roofed castles royals that may have entered one, and what may be back inside.

        A knight that is gone alone is not found, and nothing more: it may stand elsewhere, misread.
        """
        me, found = state.to_act, set[str]()
        if any(m.piece == "morgane" for m in reading.moves) and needs_sacrifice(state):
            found |= {k for seat in state.setup.seats for k in _outside(state, seat)}
        if state.last_special == "morgane":
            found |= set(_outside(state, _before(state)))
        if me is None or _open_castles(state, reading):
            return frozenset(found)
        for royal in (f"{kind}/{me}" for kind in ROYALS):
            if any(to in state.setup.castle_at for to in targets(state, royal)):
                found.add(royal)
        return frozenset(found | came_out)

    def alike(self, kind: str) -> str:
        """King and Queen go the same ways, and only together they recover knights (G-13 to G-18)."""
        return "royal" if kind in ROYALS else kind

    def shared(self, board: Board) -> frozenset[str]:
        """Every cell: castles hold six, the centre two, and two pawns block each other anywhere."""
        return frozenset(board.cells)

    def correction(self, moves: tuple[PieceMove, ...]) -> Action | None:
        """The ``correct`` action that makes the state agree with the table."""
        pieces = {m.piece: m.to[0] if m.to else None for m in moves if kind_of(m.piece) != "castle"}
        return Action(None, "correct", {"pieces": pieces}) if pieces else None

    def let_stand(
        self, state: GrailnahState, action: Action, moves: tuple[PieceMove, ...]
    ) -> Mapping[str, Any]:
        """The pieces as they stand; the next player is to move, and what he may not repeat is as
        after such a move."""
        changes = dict(super().let_stand(state, action, moves))
        if not changes or action.player != state.to_act:
            return changes
        special = action.do if action.do in SPECIALS else ""
        run = state.merlin_run.get(state.to_move, 0) + 1 if special == "merlin" else 0
        changes |= {
            "to_move": state.next_seat(), "last_special": special or None, "may_recover": None,
            "merlin_run": {state.to_move: run},
            "pawn_moved": state.pawn_moved or action.do == "move",
        }  # fmt: skip
        return changes

    def misplaced(
        self, state: GrailnahState, moves: tuple[PieceMove, ...], gone: frozenset[str]
    ) -> tuple[Message, ...]:
        """Before the first move: a castle on a wrong place, or more pieces elsewhere than the first
        turns could have moved."""
        castles = any(kind_of(m.piece) == "castle" for m in moves)
        if state.pawn_moved or not (castles or len(moves) > MOST_FIRST_MOVES):
            return ()
        return faults(state, moves, {p for p in gone if owner_of(p) is None})

    # -- half-done things ----------------------------------------------------------------------

    def unfinished(
        self, state: GrailnahState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Unfinished | None:
        """Morgane moved before a knight is off; or a pawn that was moved to where it is not found."""
        me = state.to_act
        if me is None:
            return None
        morgane = next((m for m in moves if m.piece == "morgane" and m.to), None)
        if morgane is not None and len(moves) == 1 and needs_sacrifice(state):
            return self._wants_sacrifice(state, me, morgane)
        lost = _lost(state, me, moves, clues.gone)
        if lost is None:
            return None
        return Unfinished(say(state.setup, "where_is", piece=lost, cell=state.pieces[lost]), me)

    def _wants_sacrifice(self, state: GrailnahState, me: str, move: PieceMove) -> Unfinished | None:
        choices = []
        for knight in state.victims(me):
            action = Action(me, "morgane", {"to": move.to[0], "sacrifice": knight})
            if self._room.judge(state, action).status is Status.LEGAL:
                text = say(state.setup, "ask_victim", cell=state.pieces[knight])
                choices.append(Choice(text, (action,)))
        if not choices:
            return None
        return Unfinished(say(state.setup, "ask_sacrifice", player=me), me, tuple(choices))

    # -- refusals ------------------------------------------------------------------------------

    def accusations(
        self, state: GrailnahState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Sequence[Step]:
        """The most natural actions behind moves that are not legal, to hear the rule."""
        me = state.to_act
        if me is None:
            return ()
        order = sorted(moves, key=lambda m: (owner_of(m.piece) != me, m.piece not in SPECIALS))
        return [step for m in order if m.to for step in _accuse(state, me, m, moves)]


def _accuse(
    state: GrailnahState, me: str, move: PieceMove, moves: tuple[PieceMove, ...]
) -> Iterator[Step]:
    covers, to = frozenset({move.piece}), move.to[0]
    if move.piece == "merlin":
        yield Step((Action(me, "merlin", {"to": to}),), covers)
    elif move.piece == "morgane":
        off = [m.piece for m in moves if not m.to and kind_of(m.piece) == "knight"]
        victim = (*off, *state.victims(me), *state.setup.knights(me))[0]
        yield Step((Action(me, "morgane", {"to": to, "sacrifice": victim}),), covers | set(off))
    else:
        action = Action(owner_of(move.piece), "move", {"piece": move.piece, "to": to})
        yield Step((action,), covers)


def _morgane_steps(
    state: GrailnahState, me: str, move: PieceMove, moves: tuple[PieceMove, ...]
) -> Iterator[Step]:
    """Morgane with every knight that may have been sacrificed: seen to leave, or in the castle."""
    args: dict[str, Any] = {"to": move.to[0]}
    covers = _met(state, move, moves)
    if not needs_sacrifice(state):
        yield Step((Action(me, "morgane", args),), covers)
        return
    victims = state.victims(me)
    for other in moves:
        if not other.to and other.piece in victims:
            action = Action(me, "morgane", {**args, "sacrifice": other.piece})
            yield Step((action,), covers | {other.piece})
    hidden = [k for k in victims if state.in_castle(k)]
    if hidden:
        action = Action(me, "morgane", {**args, "sacrifice": hidden[-1]})
        yield Step((action,), covers, UNSEEN_SACRIFICE)


def _moved_and_met(
    state: GrailnahState, me: str, move: PieceMove, moves: tuple[PieceMove, ...]
) -> Iterator[Step]:
    """A pawn that was moved to where Merlin or Morgane then came, and so is back home."""
    if move.to and move.to != (state.setup.castles[me],):
        return
    for other in moves:
        if other.piece in SPECIALS and other.to:
            action = Action(me, "move", {"piece": move.piece, "to": other.to[0]})
            yield Step((action,), frozenset({move.piece}), MOVED_AND_MET)


def _met(state: GrailnahState, move: PieceMove, moves: tuple[PieceMove, ...]) -> frozenset[str]:
    """Merlin or Morgane with all that follows: what stood on the cell goes home or to the centre,
    or is in somebody's hand."""
    to, covers = move.to[0], {move.piece}
    for other in moves:
        if state.pieces.get(other.piece) != to or other.piece == move.piece:
            continue
        owner = owner_of(other.piece)
        home = state.setup.rings.goal if owner is None else state.setup.castles[owner]
        if not other.to or other.to == (home,):
            covers.add(other.piece)
    return frozenset(covers)


def _lost(
    state: GrailnahState, me: str, moves: tuple[PieceMove, ...], gone: frozenset[str]
) -> str | None:
    """What the player to act has moved to where it is not found, as it seems: it is gone, none of his
    pawns has moved, and nothing that was moved explains its going."""
    if any(owner_of(m.piece) == me for m in moves):
        return None
    explained = {p for m in moves if m.piece in SPECIALS and m.to for p in _met(state, m, moves)}
    explained |= {
        p for m in moves if m.piece in SPECIALS and m.to for p in state.at.get(m.to[0], ())
    }
    if needs_sacrifice(state) and any(m.piece == "morgane" for m in moves):
        explained |= set(state.setup.knights(me))
    return next((p for p in sorted(gone - explained) if owner_of(p) == me or p in SPECIALS), None)


def _outside(state: GrailnahState, colour: str) -> tuple[str, ...]:
    """A player's free knights outside the castles."""
    return tuple(k for k in state.victims(colour) if not state.in_castle(k))


def _open_castles(state: GrailnahState, reading: Reading) -> bool:
    """Whether pawns are seen inside a castle, so that none of them has a roof."""
    return any(
        owner_of(piece) is not None
        and kind_of(piece) != "castle"
        and spots[0] in state.setup.castle_at
        for piece, spots in reading.at_home.items()
        if spots
    )


def _before(state: GrailnahState) -> str:
    """Who has moved before the player to act."""
    seats = [s for s in state.setup.seats if s not in state.resigned]
    return seats[seats.index(state.to_move) - 1]
