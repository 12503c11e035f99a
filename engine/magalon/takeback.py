"""Part-walks taken back (M-A3), and items that a walk leaves open: ``cancel``, ``take``, ``leave``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.magalon.arguments import item_arg, malformed, piece_arg
from engine.magalon.items import Question, Reading, item_notes
from engine.magalon.landing import hit_question, land
from engine.magalon.messages import say
from engine.magalon.obstacles import wizard_closed
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.setup import ITEMS
from engine.magalon.state import Hit, MagalonState, Path
from engine.magalon.ways import legs_and_steps, open_tail
from engine.verdict import Message


def do_cancel(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``cancel {piece}``: the piece is back on its origin, its walk does not count."""
    piece = piece_arg(state, args, (f"wizard/{actor}", "goblin/", "giant", "wizard/"))
    if piece == f"wizard/{actor}":
        return _cancel_walk(state, actor, piece)
    if piece.startswith("wizard/"):
        return _cancel_early(state, piece)
    path = state.turn.path_of(piece)
    if path is None or path.done:
        raise Refusal("M-A3", (), say("nothing_open", piece=piece))
    lifted = {f"wizard/{h.colour}": None for h in path.hits}
    after = _origin_free(state.placed(**lifted, **{piece: None}), piece, path.origin)
    notes: list[Message] = []
    for hit in path.hits:
        after, said = _back(after, hit)
        notes += said
    ways = tuple(e for e in after.turn.attackers if e[0] != piece)
    displaced = after.turn.displaced - {h.colour for h in path.hits}
    after = after.with_turn(attackers=ways, displaced=displaced)
    return Outcome(after, (*notes, say("cancelled", piece=piece, cell=path.origin)))


def _cancel_walk(state: MagalonState, actor: str, piece: str) -> Outcome:
    path = state.turn.walk
    if path is None or path.done:
        raise Refusal("M-A3", (), say("nothing_open", piece=piece))
    after = _origin_free(state, piece, path.origin).with_turn(walk=None, red="")
    after = after.but(items={**state.items, actor: state.items[actor] - path.items})
    notes = tuple(say("item_back", item=i) for i in ITEMS if i in path.items)
    return Outcome(after, (*notes, say("cancelled", piece=piece, cell=path.origin)))


def _cancel_early(state: MagalonState, piece: str) -> Outcome:
    colour = piece.removeprefix("wizard/")
    for early in state.turn.early:
        if early.hit.colour == colour:
            after = _origin_free(state, piece, early.hit.origin).with_turn(
                early=tuple(e for e in state.turn.early if e is not early),
                displaced=state.turn.displaced - {colour},
            )
            return Outcome(after, (say("cancelled", piece=piece, cell=early.hit.origin),))
    raise Refusal("M-A3", (), say("nothing_open", piece=piece))


def _back(state: MagalonState, hit: Hit) -> tuple[MagalonState, list[Message]]:
    """A displaced wizard goes back, and the items that it took on the way."""
    piece = f"wizard/{hit.colour}"
    after = _origin_free(state, piece, hit.origin)
    after = after.but(items={**state.items, hit.colour: state.items[hit.colour] - hit.items})
    notes = [say("item_back", item=i) for i in ITEMS if i in hit.items]
    return after, [*notes, say("cancelled", piece=piece, cell=hit.origin)]


def _origin_free(state: MagalonState, piece: str, origin: str) -> MagalonState:
    """The state with a piece back on its origin; refused while something stands there."""
    by = [p for p in state.standing(origin) if p != piece]
    shared = state.setup.bit(origin) & state.setup.special
    if by and not shared:
        raise Refusal("M-A3", (origin,), say("origin_taken", piece=piece, cell=origin, by=by[0]))
    return state.placed(**{piece: origin})


def do_take(state: MagalonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``take {item}``: the walk did lead over it, where that was left open (M-53)."""
    return _decide(state, player, item_arg(args), True)


def do_leave(state: MagalonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``leave {item}``: the walk did not lead over it, where that was left open."""
    return _decide(state, player, item_arg(args), False)


def _decide(state: MagalonState, player: str, item: str, taken: bool) -> Outcome:
    if player == state.to_act and state.turn.walk is not None:
        return _decide_walk(state, player, state.turn.walk, item, taken)
    for piece, path in state.turn.attackers:
        for hit in path.hits:
            if hit.colour == player:
                return _decide_hit(state, piece, path, hit, item, taken)
    cells = (state.setup.items[item],) if item in state.setup.items else ()
    raise Refusal("M-53", cells, say("item_not_passed", player=player, item=item))


def _constraints(path: Path | Hit, item: str, taken: bool) -> tuple[frozenset[str], frozenset[str]]:
    must, leave = path.must, path.leave
    return (must | {item}, leave - {item}) if taken else (must - {item}, leave | {item})


def _refuse(state: MagalonState, player: str, item: str, taken: bool) -> Refusal:
    cells = (state.setup.items[item],) if item in state.setup.items else ()
    key = "item_not_passed" if taken else "item_passed"
    return Refusal("M-53", cells, say(key, player=player, item=item))


def _decide_walk(state: MagalonState, player: str, path: Path, item: str, taken: bool) -> Outcome:
    setup, owned = state.setup, state.items[player] - path.items
    must, leave = _constraints(path, item, taken)
    steps = state.card(player) or 0
    tail = () if path.done else open_tail(setup, wizard_closed(state, player))
    wanted = frozenset(ITEMS) - owned
    ways = legs_and_steps(setup, path, steps)
    question = Question(setup, path.origin, ways, wanted, must, leave, tail)
    if item in owned or item not in setup.items or question.walk() is None:
        raise _refuse(state, player, item, taken)
    certain, possible = question.sorted_out()
    items = certain
    notes: tuple[Message, ...] = ()
    if path.done:
        items |= possible if question.walk(possible) is not None else frozenset()
        notes = item_notes(player, path.items, Reading(items))
    after = state.but(items={**state.items, player: owned | items})
    walk = replace(path, must=must, leave=leave, items=items)
    return Outcome(after.with_turn(walk=walk), notes)


def _decide_hit(
    state: MagalonState, piece: str, path: Path, hit: Hit, item: str, taken: bool
) -> Outcome:
    setup, owned = state.setup, state.items[hit.colour] - hit.items
    must, leave = _constraints(hit, item, taken)
    changed = replace(hit, must=must, leave=leave)
    if item in owned or item not in setup.items:
        raise malformed(f"{hit.colour} already has the {item}")
    if hit_question(state, changed).walk() is None:
        raise _refuse(state, hit.colour, item, taken)
    after, landed, notes = land(state, changed)
    hits = tuple(landed if h.colour == hit.colour else h for h in path.hits)
    ways = tuple((p, replace(w, hits=hits) if p == piece else w) for p, w in state.turn.attackers)
    return Outcome(after.with_turn(attackers=ways), tuple(notes[1:]))
