"""Ruins: sliding with cards 2, 7 and 8, lifting with card 5 (M-31 to M-35, M-A12 to M-A14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.lattice import DIRECTIONS, Lattice
from engine.magalon.arguments import cells_arg, ruin_arg
from engine.magalon.messages import listed, say
from engine.magalon.obstacles import standing_mask
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.setup import LIFT_CARD, SLIDE_CARDS, Setup
from engine.magalon.state import MagalonState

Footprint = frozenset[str]


def do_slide(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``slide {ruin, to: [cells]}``: orthogonal steps without turning, around everything."""
    n, to = ruin_arg(state, args), cells_arg(state, args)
    here, card = state.ruins[n], state.card(actor)
    cells, origin = (*sorted(here), *sorted(to)), listed(sorted(here), "")
    if card not in SLIDE_CARDS:
        message = say("no_ruins", card=card, cards=listed(SLIDE_CARDS), origin=origin)
        raise Refusal("M-31", cells, message)
    if card not in state.setup.ruin_steps:
        raise Refusal("M-A10", cells, say("no_number", card=card))
    _check_free(state, n, to, cells, "M-33")
    total = state.setup.ruin_steps[card]
    if to not in translations(state.setup, here):
        raise Refusal("M-32", cells, say("ruin_turned", origin=origin))
    needed = slide_reach(state, n).get(to)
    if needed is None:
        raise Refusal("M-33", cells, say("ruin_no_way", origin=origin))
    left = total - state.turn.slid
    if needed > left:
        message = say(
            "ruin_too_far", needed=needed, card=card, left=left, total=total, origin=origin
        )
        raise Refusal("M-31", cells, message)
    after = _laid(state, n, to).with_turn(slid=state.turn.slid + needed)
    pending = None
    if state.setup.option("M-A12") == "b" and (total - after.turn.slid) % 2:
        pending = say("ruin_left", used=after.turn.slid, total=total)
    return Outcome(after, pending=pending)


def do_lift(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``lift {ruin, to: [cells]}``: one ruin, turned as wanted, anywhere on free cells (M-35)."""
    n, to = ruin_arg(state, args), cells_arg(state, args)
    here, card = state.ruins[n], state.card(actor)
    cells, origin = (*sorted(here), *sorted(to)), listed(sorted(here), "")
    if card != LIFT_CARD:
        raise Refusal("M-35", cells, say("no_lift", card=LIFT_CARD, origin=origin))
    if state.turn.lifted:
        raise Refusal("M-35", cells, say("lifted_already", origin=origin))
    _check_free(state, n, to, cells, "M-35")
    if not same_shape(state.setup.lattice, here, to):
        raise Refusal("M-35", cells, say("ruin_shape", origin=origin))
    return Outcome(_laid(state, n, to).with_turn(lifted=True))


def _laid(state: MagalonState, n: int, to: Footprint) -> MagalonState:
    return state.but(ruins=(*state.ruins[:n], to, *state.ruins[n + 1 :]))


def _check_free(
    state: MagalonState, n: int, to: Footprint, cells: tuple[str, ...], rule: str
) -> None:
    origin = listed(sorted(state.ruins[n]), "")
    if to == state.ruins[n]:
        raise Refusal(rule, cells, say("ruin_same"))
    fields = [c for c in sorted(to) if state.setup.bit(c) & state.setup.special]
    if fields:
        message = say("ruin_field", cells=listed(fields), origin=origin)
        raise Refusal("M-35" if rule == "M-35" else "M-34", cells, message)
    for cell in sorted(to):
        by = [p for p in state.standing(cell) if p != f"ruin/{n + 1}"]
        if by:
            raise Refusal(rule, cells, say("ruin_occupied", cells=cell, by=by[0], origin=origin))


def translations(setup: Setup, cells: Footprint) -> set[Footprint]:
    """The footprint moved by whole cells to everywhere on the grid."""
    coords = setup.lattice.coords
    anchor = min(cells)
    if any(c not in coords for c in cells):
        return set()
    x, y = coords[anchor]
    moved = (setup.lattice.shifted(cells, cx - x, cy - y) for cx, cy in setup.lattice.cells)
    return {m for m in moved if m is not None}


def slide_reach(state: MagalonState, n: int, limit: int = 12) -> dict[Footprint, int]:
    """Every footprint that ruin ``n`` (from 0) can slide to, with the least number of steps."""
    setup, here = state.setup, state.ruins[n]
    closed = frozenset(setup.graph.cells(standing_mask(state, (f"ruin/{n + 1}",))))
    reach, edge = {here: 0}, [here]
    for steps in range(1, limit + 1):
        new: list[Footprint] = []
        for cells in edge:
            for dx, dy in DIRECTIONS:
                moved = setup.lattice.shifted(cells, dx, dy)
                if moved is None or moved in reach or moved & closed:
                    continue
                if _joined(setup, cells, dx, dy):
                    reach[moved] = steps
                    new.append(moved)
        edge = new
        if not edge:
            break
    return reach


def _joined(setup: Setup, cells: Footprint, dx: int, dy: int) -> bool:
    """Whether every cell really neighbours the one it slides to."""
    lattice, board = setup.lattice, setup.board
    for cell in cells:
        x, y = lattice.coords[cell]
        if lattice.cells[x + dx, y + dy] not in board.cells[cell].neighbours:
            return False
    return True


def same_shape(lattice: Lattice, a: Footprint, b: Footprint) -> bool:
    """Whether one footprint is the other one turned, from four cells on also mirrored (M-A13)."""
    if len(a) != len(b) or any(c not in lattice.coords for c in a | b):
        return False
    return normal(lattice, b) in turned(lattice, a)


def normal(lattice: Lattice, cells: Footprint) -> frozenset[tuple[int, int]]:
    """The footprint shifted into the corner."""
    return _corner(frozenset(lattice.coords[c] for c in cells))


def _corner(points: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return frozenset((x - left, y - top) for x, y in points)


def turned(lattice: Lattice, cells: Footprint) -> set[frozenset[tuple[int, int]]]:
    """All orientations of a footprint."""
    shape, out = normal(lattice, cells), set()
    shapes = [shape]
    if len(cells) >= 4:
        shapes.append(_corner(frozenset((-x, y) for x, y in shape)))
    for points in shapes:
        for _ in range(4):
            points = _corner(frozenset((-y, x) for x, y in points))
            out.add(points)
    return out


def lift_targets(state: MagalonState, n: int) -> list[Footprint]:
    """Every place where ruin ``n`` (from 0) may be put down."""
    setup, here = state.setup, state.ruins[n]
    closed = standing_mask(state, (f"ruin/{n + 1}",))
    free = {c for c in setup.lattice.coords if not closed & setup.bit(c)}
    out = []
    for shape in turned(setup.lattice, here):
        for x, y in setup.lattice.cells:
            cells = frozenset(setup.lattice.cells.get((x + dx, y + dy), "") for dx, dy in shape)
            if cells <= free and cells != here:
                out.append(cells)
    return out
