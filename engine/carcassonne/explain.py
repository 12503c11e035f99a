"""How tiles, meeples and figures get where they are seen: proposals for the referee.

A turn ends when the next tile is laid, or when meeples are taken back from what it completed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.action import Action
from engine.board import Board
from engine.carcassonne.drags import SIZES, drag_action, kind_of, owner_of
from engine.carcassonne.duties import UNION, can_go_somewhere
from engine.carcassonne.faces import cell
from engine.carcassonne.messages import say
from engine.carcassonne.placement import feature_spot, placement_of, pos_of
from engine.carcassonne.scoring import completed_by
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.state import CarcassonneState
from engine.game import Room
from engine.placement import PieceMove
from engine.referee.explain import Clues, Step, Unfinished
from engine.referee.proposers import NoProposer
from engine.referee.readings import Reading
from engine.verdict import Message

_NATURAL = ("tile", "mage", "witch", "meeple", "large_meeple")


class CarcassonneProposer(NoProposer):
    """Implements ``engine.referee.explain.Proposer``; asks ``room`` for judgements."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def shared(self, board: Board) -> None:
        """See ``Proposer``: a meeple and a figure may stand on one feature of a tile, wherever."""

    def steps(
        self, state: CarcassonneState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Sequence[Step]:
        """The tile of the turn, then mage or witch, then the meeple; what is taken back ends it."""
        me = state.to_act
        if me is None:
            return ()
        found = []
        standing, spots = placement_of(state).pieces, set[tuple[str | None, ...]]()
        for move in _ordered(moves):
            fresh = move.piece in FIGURES or (bool(move.to) and not standing[move.piece])
            # Of two equal meeples on one spot only the first can be meant.
            spot = (owner_of(move.piece), *move.to[:1]) if move.to else (move.piece, "")
            fresh, spots = fresh and spot not in spots, spots | {spot}
            if fresh and owner_of(move.piece) in (None, me):
                action = _action(state, me, move)
                found += [] if action is None else [Step((action,), frozenset({move.piece}))]
        taken = frozenset(m.piece for m in moves if not m.to) & (due_back(state) | cleared(state))
        if taken and not state.turn.duty:
            found.append(Step((Action(me, "end"),), taken))
        return found

    def turn_over(self, state: CarcassonneState, clues: Clues) -> tuple[Action, ...]:
        """``end``, once a tile was placed and nothing is owed."""
        me = state.to_act
        if me is None or state.turn.tile is None or state.turn.duty:
            return ()
        return (Action(me, "end"),)

    def seems_over(self, state: CarcassonneState) -> bool:
        """Whether the turn may end at any time."""
        return state.turn.tile is not None and not state.turn.duty

    def acted(self, state: CarcassonneState) -> bool:
        """Whether the tile of this turn lies."""
        return state.turn.tile is not None

    def linked(self, moved: frozenset[str], earlier: frozenset[str]) -> bool:
        """A tile that is read anew in its place is another piece of the placement."""
        return any(kind_of(p) == "tile" for p in moved) and any(
            kind_of(p) == "tile" for p in earlier
        )

    def correction(self, moves: tuple[PieceMove, ...]) -> Action | None:
        """Sets the pieces where they are."""
        pieces = {move.piece: move.to[0] if move.to else None for move in moves}
        return Action(None, "correct", {"pieces": pieces}) if pieces else None

    def arriving(self, state: CarcassonneState) -> frozenset[str]:
        """The meeples in the hands of who places the next one: none walks there from elsewhere."""
        if state.to_act is None:
            return frozenset()
        coming = {state.to_move} | ({state.next_seat} if self.seems_over(state) else set())
        pieces = placement_of(state).pieces
        return frozenset(p for p, at in pieces.items() if not at and owner_of(p) in coming)

    def may_vanish(
        self, state: CarcassonneState, reading: Reading, came_out: frozenset[str]
    ) -> frozenset[str]:
        """What leaves the table when the turn ends (C-8, W-8), a figure that can go nowhere (W-5,
        W-6), what came in this turn and is taken back, and a tile in whose place another is seen."""
        if not reading.gone:
            return frozenset()
        places = {pos_of(m.to[0]) for m in reading.moves if m.to and kind_of(m.piece) == "tile"}
        pieces = placement_of(state).pieces
        found = set(came_out)
        for piece in reading.gone:
            spots = pieces.get(piece, ())
            if spots and kind_of(piece) == "tile" and pos_of(spots[0]) in places:
                found.add(piece)
        found |= came_now(state)
        if not state.turn.duty:
            found |= due_back(state) | cleared(state)
        elif not can_go_somewhere(state):
            found |= {who for who in FIGURES if state.figures.get(who) is not None}
        return frozenset(found)

    def goes_on(self, state: CarcassonneState, moves: tuple[PieceMove, ...]) -> bool:
        """Meeples and figures taken from what the tile has completed: it is being scored, also
        where the meeple was put there only a moment ago."""
        gone = {m.piece for m in moves}
        back = due_back(state) | cleared(state)
        return not state.turn.duty and bool(gone) and gone <= back

    def closing(self, state: CarcassonneState) -> tuple[Action, ...]:
        """The end of the turn with the last tile, after which everything is counted (C-9)."""
        done = state.turn.tile is not None and not state.turn.duty and not state.tiles_left
        return (Action(state.to_act, "end"),) if done and state.to_act is not None else ()

    def unfinished(
        self, state: CarcassonneState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Unfinished | None:
        """A meeple that was put down before the mage or the witch: it waits for them."""
        me = state.to_act
        if me is None or not state.turn.duty or not moves:
            return None
        waiting = state.with_turn(duty=frozenset())
        for move in moves:
            action = _action(state, me, move)
            if kind_of(move.piece) not in SIZES or action is None:
                return None
            judgement = self._room.judge(waiting, action)
            if judgement.message.text:
                return None
            waiting = judgement.state
        key = "union_waits" if UNION in state.turn.duty else "duty_waits"
        return Unfinished(say(key, player=me), me)

    def accusations(
        self, state: CarcassonneState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Sequence[Step]:
        """The most natural actions behind moves that are not legal, to hear the rule."""
        me = state.to_act
        if me is None:
            return ()
        return tuple(step for move in _ordered(moves) for step in _accused(state, me, move))

    def overdue(self, state: CarcassonneState, late: tuple[PieceMove, ...]) -> Message | None:
        """What is to be taken from the table: meeples and figures of scored features."""
        meeples = [m for m in late if kind_of(m.piece) in SIZES and m.origin and not m.to]
        if meeples:
            owner = owner_of(meeples[0].piece)
            cells = tuple(_cell(m.origin[0]) for m in meeples if owner_of(m.piece) == owner)
            return say("take_back", player=owner, cells=cells, rule="C-8")
        figures = [m for m in late if m.piece in FIGURES and m.origin and not m.to]
        if figures:
            return say(
                "take_off", who=figures[0].piece, cell=_cell(figures[0].origin[0]), rule="W-8"
            )
        return None

    def missed(self, state: CarcassonneState, piece: str) -> tuple[str, Message] | None:
        """Why a piece that has gone may not have left, with the rule."""
        spots = placement_of(state).pieces.get(piece, ())
        if not spots:
            return None
        at = _cell(spots[0])
        if kind_of(piece) in SIZES:
            return "C-8", say("meeple_gone", player=owner_of(piece), cell=at)
        if piece in FIGURES:
            return "W-8", say("figure_gone", who=piece, cell=at)
        return "C-1", say("tile_stays", cell=at)


def _accused(state: CarcassonneState, me: str, move: PieceMove) -> Iterator[Step]:
    covers = frozenset({move.piece})
    owner, placed = owner_of(move.piece), state.turn.tile is not None
    if kind_of(move.piece) == "tile" and placed and not move.origin:
        # A second tile: the turn before has ended, unless something is still owed.
        yield Step((Action(me, "end"),), covers)
        yield from _doing(state, state.next_seat, move, Action(me, "end"))
    elif owner not in (None, me):
        assert owner is not None
        if placed and owner == state.next_seat:
            yield from _doing(state, owner, move, Action(me, "end"))
        yield from _doing(state, owner, move)
    yield from _doing(state, me, move)


def _doing(
    state: CarcassonneState, player: str, move: PieceMove, *before: Action
) -> Iterator[Step]:
    action = _action(state, player, move)
    if action is not None:
        yield Step((*before, action), frozenset({move.piece}))


def came_now(state: CarcassonneState) -> frozenset[str]:
    """The tile of this turn, what stands on it, and the figure that was moved."""
    here = state.turn.tile
    if here is None:
        return frozenset()
    pieces = placement_of(state).pieces
    moved = {state.turn.moved} if state.turn.moved else set()
    return frozenset({p for p, at in pieces.items() if at and pos_of(at[0]) == here} | moved)


def due_back(state: CarcassonneState) -> frozenset[str]:
    """The pieces that leave the table at the end of this turn."""
    if state.turn.tile is None:
        return frozenset()
    spots: set[str] = set()
    figures: set[str] = set()
    for region in completed_by(state, state.turn.tile):
        meeples = [spot for spot, _ in state.meeples_in(region)]
        spots |= {feature_spot(state, spot) for spot in meeples}
        if meeples or state.setup.option("W-11") == "a":
            figures |= set(state.figures_in(region))
    pieces = placement_of(state).pieces
    standing = {p for p, at in pieces.items() if at and at[0] in spots and kind_of(p) in SIZES}
    return frozenset(standing | figures)


def cleared(state: CarcassonneState) -> frozenset[str]:
    """What is taken from the table when the last tile lies and everything is counted (C-9): all
    that stands, but for a meeple that was put there in this turn, which may be taken back."""
    if state.tiles_left or state.turn.tile is None or state.turn.duty:
        return frozenset()
    pieces, mine = placement_of(state).pieces, came_now(state)
    standing = {p for p, at in pieces.items() if at and kind_of(p) in (*SIZES, *FIGURES)}
    return frozenset(standing - mine)


def _ordered(moves: tuple[PieceMove, ...]) -> list[PieceMove]:
    return sorted(moves, key=lambda m: (_NATURAL.index(kind_of(m.piece)), m.piece))


def _cell(spot: str) -> str:
    return cell(pos_of(spot))


def _action(state: CarcassonneState, player: str, move: PieceMove) -> Action | None:
    return drag_action(state, player, move.piece, move.to[0] if move.to else None)
