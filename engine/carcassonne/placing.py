"""Tiles: placed (C-1), or set aside because they fit nowhere (C-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.carcassonne.arguments import pos_arg, rot_arg, tile_arg
from engine.carcassonne.duties import duty_after
from engine.carcassonne.faces import STEPS, Face, Pos, cell
from engine.carcassonne.fitting import placements
from engine.carcassonne.messages import EDGES, SIDES, fragment, listed, say
from engine.carcassonne.outcome import Outcome, Refusal
from engine.carcassonne.state import CarcassonneState, Turn
from engine.carcassonne.tilemap import TileMap
from engine.carcassonne.tiles import faces, plain
from engine.carcassonne.turn import final_scoring


def do_tile(state: CarcassonneState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``tile {tile, rot, pos}``: places a drawn tile."""
    tile, rot, pos = tile_arg(args), rot_arg(args), pos_arg(args)
    if state.turn.tile is not None:
        raise Refusal("C-1", (cell(pos),), say("tile_placed", player=actor))
    _check_left(state, tile, (cell(pos),))
    face = faces(tile)[rot // 90]
    check_fits(state.map, face, pos)
    deck = {**state.deck, plain(tile): state.deck[plain(tile)] - 1}
    after = state.but(map=state.map.place(face, pos), deck=deck, turn=Turn(tile=pos))
    after, told = duty_after(after, actor)
    if after.turn.duty:
        return Outcome(after, pending=told)
    return Outcome(after, (told,) if told.text else ())


def do_unplaceable(state: CarcassonneState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``unplaceable {tile}``: sets a tile aside that fits nowhere."""
    tile = tile_arg(args)
    if state.turn.tile is not None:
        raise Refusal("C-2", (), say("tile_placed", player=actor))
    _check_left(state, tile, ())
    places = list(dict.fromkeys(cell(pos) for pos, _ in placements(state.map, tile)))
    if places:
        message = say("fits", tile=tile, cells=places[:3])
        raise Refusal("C-2", tuple(places), message)
    deck = {**state.deck, plain(tile): state.deck[plain(tile)] - 1}
    after = state.but(deck=deck, set_aside=(*state.set_aside, tile))
    if after.tiles_left:
        return Outcome(after, (say("set_aside", tile=tile, player=actor),))
    after, notes = final_scoring(after)
    return Outcome(after, (say("last_set_aside", tile=tile), *notes))


def _check_left(state: CarcassonneState, tile: str, cells: tuple[str, ...]) -> None:
    if not state.deck.get(plain(tile)):
        raise Refusal("C-1", cells, say("none_left", tile=tile))


def check_fits(tilemap: TileMap, face: Face, pos: Pos) -> None:
    """Refuses a tile that lies on another, apart from all, or beside edges unlike its own."""
    here = cell(pos)
    if pos in tilemap.placed:
        raise Refusal("C-1", (here,), say("taken", cell=here))
    if tilemap.placed and pos not in tilemap.frontier:
        raise Refusal("C-1", (here,), say("apart", cell=here))
    wrong = tilemap.mismatches(face, pos)
    if not wrong:
        return
    parts = []
    for other in wrong:
        side = STEPS.index((other[0] - pos[0], other[1] - pos[1]))
        theirs = tilemap.placed[other].face.edges[(side + 2) % 4]
        parts.append(
            fragment(
                "edge", side=SIDES[side], mine=EDGES[face.edges[side]], there=EDGES[theirs]
            )
        )  # fmt: skip
    cells = tuple(cell(other) for other in wrong)
    edges = listed(parts)
    raise Refusal("C-1", (here, *cells), say("mismatch", cell=here, cells=cells, edges=edges))
