"""Jumps over neighbouring pieces, with turns in between (H-12): ``jump {from, path}``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from engine.hexagon.grid import DIRECTIONS
from engine.hexagon.messages import say
from engine.hexagon.moves import Change, check_reversal
from engine.hexagon.state import Crossing, HexagonState
from engine.outcome import Refusal

# The last jump, if it crossed the border: a piece that goes on from there has moved otherwise.
Crossed = tuple[str, str] | None
Node = tuple[str, Crossed]


def jump(state: HexagonState, origin: str, path: Sequence[str]) -> Change:
    """The jumps of the wizard on ``origin`` to every cell of ``path`` in turn; raises Refusal."""
    here = origin
    crossed: Crossed = None
    for to in path:
        crossed = (here, to) if _hop(state, origin, here, to) else None
        here = to
    if here == origin and state.setup.option("H-A10") == "a":
        raise Refusal("H-A10", (origin,), say("jump_circle", origin=origin))
    return _change(state, origin, tuple(path), crossed)


def _change(state: HexagonState, origin: str, path: tuple[str, ...], crossed: Crossed) -> Change:
    piece = state.at[origin]
    crossings: tuple[Crossing, ...] = ()
    if crossed is not None:
        crossings = (Crossing(piece, *crossed, state.to_move),)
        check_reversal(state, crossings)
    return Change("jump", piece, origin, path, {piece: path[-1]}, (), crossings)


def _hop(state: HexagonState, origin: str, here: str, to: str) -> bool:
    """Checks one jump; tells whether it crosses the border (H-A9 b).  Raises Refusal."""
    if to in _landings(state, origin, here):
        return _landings(state, origin, here)[to]
    raise _no_hop(state, origin, here, to)


def _landings(state: HexagonState, origin: str, here: str) -> dict[str, bool]:
    """Cells that one jump reaches, and whether it crosses the border.  The jumping wizard's own
    cell is empty by then.  Between a plain jump and one across the border the plain one is meant."""
    grid, at, found = state.setup.grid, state.at, dict[str, bool]()
    border = state.setup.option("H-A9") == "b"
    for direction in DIRECTIONS:
        step, exits = grid.step[direction], grid.exits[direction]
        over = step[here]
        if over == origin or over not in at:
            continue
        to = step[over]
        crosses = here in exits or over in exits
        if (to in at and to != origin) or to == here or (crosses and not border):
            continue
        found[to] = crosses and found.get(to, True)
    return found


def _no_hop(state: HexagonState, origin: str, here: str, to: str) -> Refusal:
    """Why one jump is not possible."""
    grid, at = state.setup.grid, state.at
    for direction in DIRECTIONS:
        step, exits = grid.step[direction], grid.exits[direction]
        over = step[here]
        if step[over] != to or to == here:
            continue
        if (here in exits or over in exits) and state.setup.option("H-A9") == "a":
            return Refusal("H-A9", (here, to), say("jump_border", first=origin))
        if over == origin or over not in at:
            message = say("nothing_to_jump", over=over, first=origin)
            return Refusal("H-12", (here, over, to), message)
        message = say("landing_taken", to=to, by=at[to], first=origin)
        return Refusal("H-A8", (here, to), message)
    return Refusal("H-12", (here, to), say("no_jump", origin=here, to=to, first=origin))


def jumps(state: HexagonState, origin: str) -> Iterator[Change]:
    """One change, by a shortest path, for every cell and consequence that jumps from ``origin`` can
    bring; those that the rules refuse are left out."""
    start: Node = (origin, None)
    before: dict[Node, Node] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        here, _ = node
        for to, crosses in _landings(state, origin, here).items():
            after: Node = (to, (here, to) if crosses else None)
            if after in before or after == start:
                continue
            before[after] = node
            queue.append(after)
    for end in before:
        path = _path(before, start, end)
        if path[-1] == origin and state.setup.option("H-A10") == "a":
            continue
        try:
            yield _change(state, origin, path, end[1])
        except Refusal:
            continue
    if state.setup.option("H-A10") == "b":
        yield from _circle(state, origin)


def _circle(state: HexagonState, origin: str) -> Iterator[Change]:
    """There and back over the same piece, where that is allowed (H-A10 b)."""
    for to, crosses in _landings(state, origin, origin).items():
        if not crosses:
            yield _change(state, origin, (to, origin), None)
            return


def _path(before: dict[Node, Node], start: Node, end: Node) -> tuple[str, ...]:
    path, node = [end[0]], before[end]
    while node != start:
        path.append(node[0])
        node = before[node]
    return tuple(reversed(path))
