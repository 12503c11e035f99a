"""All cells that a piece can legally reach now."""

from __future__ import annotations

from engine.magalon.attackers import plan_reach
from engine.magalon.energy import bookings
from engine.magalon.movable import attack_steps, ruin_steps_left
from engine.magalon.obstacles import standing_mask, wizard_closed
from engine.magalon.outcome import Refusal
from engine.magalon.ruins import lift_targets, slide_reach
from engine.magalon.setup import LIFT_CARD
from engine.magalon.shields import encloses
from engine.magalon.state import MagalonState, Part, Path
from engine.magalon.walking import wins
from engine.magalon.ways import legs_and_steps
from engine.paths import reachable
from engine.placement import track_spot


def hints(state: MagalonState, piece: str) -> tuple[str, ...]:
    """Cells on which a piece could stop with a complete move, in the order of the board file;
    for a ruin all cells that it could cover; for an energy stone its marks."""
    actor = state.to_act
    if actor is None or state.laying:
        return ()
    kind, _, which = piece.partition("/")
    cells: set[str] = set()
    if kind == "energy_stone":
        marks = set(bookings(state, actor).values()) if which == actor else set()
        return tuple(track_spot(m) for m in sorted(marks))
    if kind == "wizard" and which == actor:
        cells = _wizard(state, actor)
    elif kind == "shield" and which == actor:
        cells = _shield(state, actor)
    elif piece in state.attackers:
        cells = _attacker(state, actor, piece)
    elif kind == "ruin" and which.isdigit() and 0 < int(which) <= len(state.ruins):
        cells = _ruin(state, actor, int(which) - 1)
    return tuple(c for c in state.setup.board.cells if c in cells)


def _wizard(state: MagalonState, actor: str) -> set[str]:
    setup, steps, graph = state.setup, state.card(actor), state.setup.graph
    here = state.wizard(actor)
    if not steps or here is None:
        return set()
    path, closed = state.turn.walk or Path(here), wizard_closed(state, actor)
    mask = 0
    if state.turn.red == "open":
        bonus = Part(here, frozenset(), (), bonus=True)
        for legs, total in legs_and_steps(setup, _followed(path, bonus), steps):
            mask |= reachable(graph, graph.index[path.origin], legs[:-1], closed, total)
    elif not path.done:
        ways = legs_and_steps(setup, path, steps)
        for legs, total in ways:
            mask |= reachable(graph, graph.index[path.origin], legs, closed, total)
    cells = set(graph.cells(mask))
    if setup.start and setup.start not in cells and not closed & setup.start_bit:
        do = "walk_on" if state.turn.red == "open" else "walk"
        if wins(state, actor, do):
            cells.add(setup.start)
    return cells


def _followed(path: Path, part: Part) -> Path:
    return Path(path.origin, (*path.parts, part), False, path.items, path.must, path.leave)


def _shield(state: MagalonState, actor: str) -> set[str]:
    if state.turn.shield_moved:
        return set()
    setup = state.setup
    free = setup.graph.all & ~standing_mask(state) & ~setup.special
    out = set()
    for cell in setup.graph.cells(free):
        after = state.placed(**{f"shield/{actor}": cell})
        if not any(encloses(after, v, cell) for v in setup.seats if v != actor):
            out.add(cell)
    return out


def _attacker(state: MagalonState, actor: str, piece: str) -> set[str]:
    try:
        steps = attack_steps(state, actor, piece)
    except Refusal:
        return set()
    path = state.turn.path_of(piece)
    if path is not None and path.done:
        return set()
    return plan_reach(state, actor, piece, steps)


def _ruin(state: MagalonState, actor: str, n: int) -> set[str]:
    cells: set[str] = set()
    if not state.ruins[n]:
        return cells
    if state.card(actor) == LIFT_CARD and not state.turn.lifted:
        for target in lift_targets(state, n):
            cells |= target
    left = ruin_steps_left(state, actor)
    if left:
        for target, steps in slide_reach(state, n, left).items():
            if steps:
                cells |= target
    return cells
