"""A second, plain telling of the moves, by coordinates only, to compare the rules with."""

from __future__ import annotations

from collections.abc import Iterator

from engine.hexagon import HexagonState
from tests.engine.hexagon.support import DIRECTIONS

Place = tuple[int, int]
Whole = dict[Place, str]


def places(state: HexagonState) -> tuple[set[Place], Whole]:
    """All cells, and the piece on every occupied one, by axial coordinates."""
    cells = state.setup.board.cells
    axial = {c.id: tuple(c.extra["axial"]) for c in cells.values()}
    return set(axial.values()), {axial[c]: p for c, p in state.at.items()}  # type: ignore[misc]


def names(state: HexagonState) -> dict[Place, str]:
    """Cell ids by coordinates."""
    return {tuple(c.extra["axial"]): c.id for c in state.setup.board.cells.values()}  # type: ignore[misc]


def pushed(board: set[Place], standing: Whole, start: Place, way: Place) -> Whole | None:
    """Where everything stands after a step: the line of cells as a ring, everything between the
    wizard and the first hole turned on by one.  None when the ring is full."""
    ring = [start]
    while (here := (ring[-1][0] + way[0], ring[-1][1] + way[1])) in board:
        ring.append(here)
    back: list[Place] = []
    here = start
    while (here := (here[0] - way[0], here[1] - way[1])) in board:
        back.append(here)
    ring += reversed(back)
    holes = [n for n, cell in enumerate(ring) if cell not in standing]
    if not holes:
        return None
    after = dict(standing)
    for n in range(holes[0], 0, -1):
        after[ring[n]] = standing[ring[n - 1]]
    del after[start]
    return after


def jump_paths(
    board: set[Place], standing: Whole, start: Place, longest: int
) -> Iterator[tuple[Place, ...]]:
    """Every series of jumps over neighbours, straight on, that uses no landing cell twice."""
    rest = {c: p for c, p in standing.items() if c != start}

    def go(path: tuple[Place, ...]) -> Iterator[tuple[Place, ...]]:
        here = path[-1]
        if len(path) > longest:
            return
        for q, r in DIRECTIONS.values():
            over, to = (here[0] + q, here[1] + r), (here[0] + 2 * q, here[1] + 2 * r)
            if over in rest and to in board and to not in rest and to not in path:
                yield (*path[1:], to)
                yield from go((*path, to))

    yield from go((start,))
