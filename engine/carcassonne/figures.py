"""Mage and witch: placed, moved, set aside (W-1 to W-6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.carcassonne.arguments import feature_arg, figure_arg, off_arg, pos_arg
from engine.carcassonne.duties import MAGIC, UNION, can_go_somewhere, example_cells
from engine.carcassonne.faces import Kind, cell
from engine.carcassonne.messages import fragment, say
from engine.carcassonne.outcome import Outcome, Refusal
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.state import CarcassonneState, Spot


def do_figure(state: CarcassonneState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``figure {who, pos, at}`` or ``figure {who, off: true}``."""
    who = figure_arg(args)
    if off_arg(args):
        return _set_aside(state, actor, who)
    pos = pos_arg(args)
    if pos not in state.map.placed:
        raise Refusal("W-2", (cell(pos),), say("no_tile", cell=cell(pos), who=who))
    face = state.map.placed[pos].face
    number = feature_arg(face, args, pos, "W-2")
    check_duty(state, actor, who, (cell(pos),))
    check_target(state, who, (pos, number))
    kind = face.features[number].kind
    after = _moved(state, who, (pos, number))
    return Outcome(after, (say("figure_put", who=who, feature=kind, cell=cell(pos)),))


def check_duty(state: CarcassonneState, actor: str, who: str, cells: tuple[str, ...]) -> None:
    """Refuses a figure that moves without need."""
    if not state.setup.magic:
        raise Refusal("W-1", cells, say("no_magic"))
    if state.turn.tile is None:
        raise Refusal("W-1", cells, say("tile_first", player=actor))
    if state.turn.duty:
        return
    spot = state.figures[who]
    place = fragment("place_off") if spot is None else fragment("place_on", cell=cell(spot[0]))
    if state.turn.moved is not None:
        message = say("figure_done", moved=state.turn.moved, who=who, place=place)
        raise Refusal("W-1", cells, message)
    raise Refusal("W-1", cells, say("no_duty", who=who, place=place))


def check_target(state: CarcassonneState, who: str, spot: Spot) -> None:
    """Refuses a place where the figure may not go by the duty that is open."""
    region, cells = state.region(spot), (cell(spot[0]),)
    if region.kind not in (Kind.ROAD, Kind.CITY):
        raise Refusal("W-2", cells, say("figure_feature", who=who))
    if region.complete:
        raise Refusal("W-2", cells, say("figure_complete", who=who, feature=region.kind))
    present = state.figures_in(region)
    if UNION in state.turn.duty and present:
        raise Refusal("W-6", cells, say("figure_meets", who=who, feature=region.kind))
    if who in present:
        raise Refusal("W-4", cells, say("figure_same", who=who, feature=region.kind))
    if present:
        raise Refusal("W-3", cells, say("figure_meets", who=who, feature=region.kind))
    if MAGIC in state.turn.duty and spot[0] == state.turn.tile:
        raise Refusal("W-2", cells, say("figure_new_tile", who=who))


def _set_aside(state: CarcassonneState, actor: str, who: str) -> Outcome:
    spot = state.figures.get(who)
    cells = () if spot is None else (cell(spot[0]),)
    check_duty(state, actor, who, cells)
    rule = "W-6" if UNION in state.turn.duty else "W-5"
    if can_go_somewhere(state):
        places = example_cells(state)
        raise Refusal(rule, places, say("figure_stays", who=who, cells=places))
    if spot is None:
        raise Refusal(rule, (), say("figure_absent", who=who))
    return Outcome(_moved(state, who, None), (say("figure_off", who=who),))


def _moved(state: CarcassonneState, who: str, spot: Spot | None) -> CarcassonneState:
    """The figure elsewhere and the duty done: one move fulfils both W-6 and W-1."""
    after = state.but(figures={**dict.fromkeys(FIGURES), **state.figures, who: spot})
    return after.with_turn(duty=frozenset(), moved=who)
