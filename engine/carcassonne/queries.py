"""What a screen asks: places for a tile, for a meeple, for a figure; what is open and its worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.carcassonne.duties import targets
from engine.carcassonne.faces import Kind, Pos, cell
from engine.carcassonne.fitting import (
    dead_places,
    distinct_turns_that_fit,
    fits_somewhere,
    tiles_for,
)
from engine.carcassonne.meeples import check_meeple
from engine.carcassonne.outcome import Refusal
from engine.carcassonne.placement import MEEPLE_KINDS, TILE, feature_spot
from engine.carcassonne.regions import Region
from engine.carcassonne.scoring import Worth, share, worth
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.state import CarcassonneState, Spot
from engine.carcassonne.tiles import plain, tiles


@dataclass(frozen=True, slots=True)
class OpenFeature:
    """A feature with somebody on it or a figure, and what it would give if the game ended now.

    ``owners``: who would get it; ``complete``: the turn that completes it is still running.
    """

    kind: Kind
    cells: tuple[str, ...]
    worth: Worth
    owners: tuple[str, ...]
    figures: tuple[str, ...]
    complete: bool


def tile_places(state: CarcassonneState, tile: str) -> dict[Pos, tuple[int, ...]]:
    """Where a tile fits, with the turns that differ in play (C-1)."""
    found = {}
    for pos, wanted in state.map.frontier.items():
        turns = distinct_turns_that_fit(tile, wanted)
        if turns:
            found[pos] = turns
    return found


def meeple_spots(state: CarcassonneState, kind: str = "small") -> tuple[Spot, ...]:
    """The features on which the player to act may put a meeple now (C-3)."""
    pos = state.turn.tile
    if pos is None or state.over:
        return ()
    return tuple((pos, n) for n in range(len(state.map.placed[pos].face.features))
                 if _may(state, kind, pos, n))  # fmt: skip


def _may(state: CarcassonneState, kind: str, pos: Pos, number: int) -> bool:
    try:
        check_meeple(state, state.to_move, kind, pos, number)
    except Refusal:
        return False
    return True


def figure_spots(state: CarcassonneState) -> tuple[Spot, ...]:
    """The features on which mage or witch may be put now; empty without a duty."""
    return tuple(targets(state))


def drawable(state: CarcassonneState) -> dict[str, bool]:
    """The kinds that are left, and whether each fits anywhere (C-2)."""
    return {t: fits_somewhere(state.map, t) for t, n in state.deck.items() if n}


def tiles_here(state: CarcassonneState, pos: Pos) -> dict[str, int]:
    """What fits here: the remaining tiles that go with a place, with how many are left."""
    return tiles_for(state.map, pos, state.deck)


def closed_places(state: CarcassonneState) -> tuple[Pos, ...]:
    """Empty places that no remaining tile fits."""
    return dead_places(state.map, state.deck)


def open_features(state: CarcassonneState) -> Iterator[OpenFeature]:
    """Every feature that holds a meeple or a figure, as it stands now."""
    spots = [*state.meeples, *(s for s in state.figures.values() if s is not None)]
    regions: dict[int, Region] = {}
    for spot in spots:
        region = state.region(spot)
        regions[region.root] = region
    for region in regions.values():
        shared = share(state, region)
        yield OpenFeature(
            region.kind,
            tuple(sorted(cell(pos) for pos in region.tiles)),
            worth(state, region) if shared is None else shared.worth,
            () if shared is None else shared.winners,
            state.figures_in(region),
            region.complete,
        )


def if_ended_now(state: CarcassonneState) -> dict[str, int]:
    """What everybody would have if the game ended now."""
    totals = {c: state.total(c) for c in state.setup.seats}
    for feature in open_features(state):
        for colour in feature.owners:
            totals[colour] += feature.worth.points
    return totals


def hints(state: CarcassonneState, piece: str) -> tuple[str, ...]:
    """Spots where a piece of the placement can go now."""
    kind = piece.partition("/")[0]
    if state.over:
        return ()
    if piece in FIGURES:
        return tuple(feature_spot(state, s) for s in figure_spots(state))
    for size, name in MEEPLE_KINDS.items():
        if kind == name:
            mine = piece.split("/")[1:2] == [state.to_move]
            return tuple(feature_spot(state, s) for s in meeple_spots(state, size)) if mine else ()
    tile = piece.removeprefix(TILE).rpartition("/")[0]
    if kind != "tile" or tile not in tiles() or state.turn.tile is not None:
        return ()
    if not state.deck.get(plain(tile)):
        return ()
    return tuple(
        f"{cell(pos)}@{rot}" for pos, turns in tile_places(state, tile).items() for rot in turns
    )
