"""How tiles, meeples and figures get where they are seen: proposals for the referee.

A turn ends when the next tile is laid, or when meeples are taken back from what it completed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.action import Action
from engine.carcassonne.drags import SIZES, drag_action, kind_of, owner_of
from engine.carcassonne.messages import say
from engine.carcassonne.placement import feature_spot, placement_of, pos_of
from engine.carcassonne.scoring import completed_by
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.state import CarcassonneState
from engine.game import Room
from engine.placement import PieceMove
from engine.referee.explain import Clues, Step, Unfinished
from engine.referee.proposers import NoProposer
from engine.verdict import Message

_NATURAL = ("tile", "mage", "witch", "meeple", "large_meeple")


class CarcassonneProposer(NoProposer):
    """Implements ``engine.referee.explain.Proposer``; asks ``room`` for judgements."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def steps(
        self, state: CarcassonneState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Sequence[Step]:
        """The tile of the turn, then mage or witch, then the meeple."""
        me = state.to_act
        if me is None:
            return ()
        pieces = placement_of(state).pieces
        return tuple(
            Step((action,), frozenset({move.piece}))
            for move in _ordered(moves)
            if owner_of(move.piece) in (None, me)
            and (move.piece in FIGURES or not pieces[move.piece])
            for action in _actions(state, me, move)
        )

    def turn_over(self, state: CarcassonneState, clues: Clues) -> tuple[Action, ...]:
        """``end``, once a tile was placed and nothing is owed."""
        me = state.to_act
        if me is None or state.turn.tile is None or state.turn.duty:
            return ()
        return (Action(me, "end"),)

    def seems_over(self, state: CarcassonneState) -> bool:
        """Whether the turn may end at any time."""
        return state.turn.tile is not None and not state.turn.duty

    def correction(self, moves: tuple[PieceMove, ...]) -> Action | None:
        """Sets the pieces where they are."""
        pieces = {move.piece: move.to[0] if move.to else None for move in moves}
        return Action(None, "correct", {"pieces": pieces}) if pieces else None

    def unfinished(
        self, state: CarcassonneState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Unfinished | None:
        """A meeple that was put down before the mage or the witch: it waits for them."""
        me = state.to_act
        if me is None or not state.turn.duty or not moves:
            return None
        waiting = state.with_turn(duty=frozenset())
        for move in moves:
            actions = list(_actions(state, me, move))
            if kind_of(move.piece) not in SIZES or not actions:
                return None
            judgement = self._room.judge(waiting, actions[0])
            if judgement.message.text:
                return None
            waiting = judgement.state
        key = "union_waits" if "union" in state.turn.duty else "duty_waits"
        return Unfinished(say(key, player=me), me)

    def accusations(
        self, state: CarcassonneState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Sequence[Step]:
        """The most natural actions behind moves that are not legal, to hear the rule."""
        me = state.to_act
        if me is None:
            return ()
        steps: list[Step] = []
        for move in _ordered(moves):
            steps += self._accuse(state, me, move)
        return steps

    def _accuse(self, state: CarcassonneState, me: str, move: PieceMove) -> Iterator[Step]:
        covers = frozenset({move.piece})
        kind, owner = kind_of(move.piece), owner_of(move.piece)
        placed = state.turn.tile is not None
        if kind == "tile" and placed and not move.origin:
            # A second tile: the turn before has ended, unless something is still owed.
            yield Step((Action(me, "end"),), covers)
            yield Step((Action(me, "end"), *_actions(state, state.next_seat, move)), covers)
        elif owner not in (None, me):
            assert owner is not None
            if placed and owner == state.next_seat:
                yield Step((Action(me, "end"), *_actions(state, owner, move)), covers)
            yield Step(tuple(_actions(state, owner, move)), covers)
        for action in _actions(state, me, move):
            yield Step((action,), covers)

    def taken(self, state: CarcassonneState, gone: frozenset[str]) -> tuple[Action, ...]:
        """Meeples taken back from what the tile has completed end the turn; a figure that can go
        nowhere leaves (W-5, W-6)."""
        me = state.to_act
        if me is None or not gone or state.turn.tile is None:
            return ()
        if state.turn.duty:
            who = next(iter(gone))
            off = Action(me, "figure", {"who": who, "off": True})
            return (off,) if len(gone) == 1 and who in FIGURES else ()
        return (Action(me, "end"),) if gone <= due_back(state) else ()

    def overdue(self, state: CarcassonneState, moves: tuple[PieceMove, ...]) -> Message | None:
        """Pieces that should have been taken from the table: meeples of scored features."""
        back = [m for m in moves if not m.to and m.origin]
        meeples = [m for m in back if kind_of(m.piece) in SIZES]
        if meeples:
            owner = owner_of(meeples[0].piece)
            cells = tuple(_cell(m.origin[0]) for m in meeples if owner_of(m.piece) == owner)
            return say("take_back", player=owner, cells=cells)
        figures = [m for m in back if m.piece in FIGURES]
        if figures:
            return say("take_off", who=figures[0].piece, cell=_cell(figures[0].origin[0]))
        return None

    def missed(self, state: CarcassonneState, piece: str) -> tuple[str, Message] | None:
        """Why a piece that has gone may not have left."""
        spots = placement_of(state).pieces.get(piece, ())
        if not spots:
            return None
        at = _cell(spots[0])
        if kind_of(piece) in SIZES:
            return "C-8", say("meeple_stays", player=owner_of(piece), cell=at)
        if piece in FIGURES:
            return "W-8", say("figure_gone", who=piece, cell=at)
        return "C-1", say("tile_stays", cell=at)


def due_back(state: CarcassonneState) -> frozenset[str]:
    """The pieces that leave the table at the end of this turn."""
    if state.turn.tile is None:
        return frozenset()
    spots = set()
    figures = set()
    for region in completed_by(state, state.turn.tile):
        spots |= {feature_spot(state, spot) for spot, _ in state.meeples_in(region)}
        figures |= set(state.figures_in(region))
    pieces = placement_of(state).pieces
    standing = {p for p, at in pieces.items() if at and at[0] in spots and p not in FIGURES}
    return frozenset(standing | figures)


def _ordered(moves: tuple[PieceMove, ...]) -> list[PieceMove]:
    return sorted(moves, key=lambda m: (_NATURAL.index(kind_of(m.piece)), m.piece))


def _cell(spot: str) -> str:
    x, y = pos_of(spot)
    return f"{x},{y}"


def _actions(state: CarcassonneState, player: str, move: PieceMove) -> Iterator[Action]:
    """The action by which a player moves a piece like this; none for what cannot be meant."""
    action = drag_action(state, player, move.piece, move.to[0] if move.to else None)
    if action is not None:
        yield action
