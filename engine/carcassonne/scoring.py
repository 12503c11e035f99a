"""What a region is worth and who gets it (C-5 to C-11, W-7 to W-11), with the reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.carcassonne.faces import Kind, cell
from engine.carcassonne.messages import listed, say
from engine.carcassonne.regions import Region
from engine.carcassonne.setup import LARGE, MAGE, WITCH
from engine.carcassonne.state import CarcassonneState, Spot
from engine.verdict import Message

FIELD_CITY = 3
WEIGHT = {LARGE: 2}


@dataclass(frozen=True, slots=True)
class Worth:
    """Points of a region for each of its winners, and why.  ``reasons``: in order of reckoning."""

    points: int
    reasons: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What a region gives: ``winners`` get the points, ``losers`` have fewer meeples there."""

    worth: Worth
    winners: tuple[str, ...]
    losers: tuple[str, ...]


def worth(state: CarcassonneState, region: Region) -> Worth:
    """What a region is worth as it is now: complete, or at the end of the game."""
    base, reason = _base(state, region)
    points, reasons = base, [reason]
    present = state.figures_in(region)
    if MAGE in present:
        points += len(region.tiles)
        reasons.append(say("mage_adds", tiles=len(region.tiles), points=points))
    if WITCH in present:
        halved = (points + 1) // 2
        reasons.append(say("witch_halves", before=points, points=halved))
        points = halved
    return Worth(points, tuple(reasons))


def _base(state: CarcassonneState, region: Region) -> tuple[int, Message]:
    """The points before mage and witch."""
    tiles = len(region.tiles)
    done = "" if region.complete else "_open"
    if region.kind is Kind.FIELD:
        cities = sum(state.map.region(root).complete for root in state.map.cities_of(region))
        base = FIELD_CITY * cities
        return base, say("field", cities=cities, base=base)
    if region.kind is Kind.MONASTERY:
        return tiles, say(f"monastery{done}", tiles=tiles, base=tiles)
    if region.kind is Kind.ROAD:
        each = (2 if region.inn else 1) if region.complete else (0 if region.inn else 1)
        key = "road_inn" if region.inn else "road"
        return tiles * each, say(f"{key}{done}", tiles=tiles, base=tiles * each)
    each = _city_factor(state, region)
    base = each * (tiles + region.pennants)
    key = "city_cathedral" if region.cathedral else "city"
    return base, say(f"{key}{done}", tiles=tiles, pennants=region.pennants, each=each, base=base)


def _city_factor(state: CarcassonneState, region: Region) -> int:
    """Points per tile and pennant of a city (C-5, C-9, C-10, C-11)."""
    if not region.complete:
        return 0 if region.cathedral else 1
    if region.cathedral:
        return 3
    if len(region.tiles) == 2 and state.setup.option("C-10") == "2":
        return 1
    return 2


def share(state: CarcassonneState, region: Region) -> Share | None:
    """Who gets what (C-7); None for a region without a meeple."""
    weights: Counter[str] = Counter()
    for _, meeple in state.meeples_in(region):
        weights[meeple.owner] += WEIGHT.get(meeple.kind, 1)
    if not weights:
        return None
    most = max(weights.values())
    present = [c for c in state.setup.seats if c in weights]
    winners = tuple(c for c in present if weights[c] == most)
    return Share(worth(state, region), winners, tuple(c for c in present if c not in winners))


def score(state: CarcassonneState, region: Region) -> tuple[CarcassonneState, tuple[Message, ...]]:
    """Scores a region.  Of a complete one the meeples go back in hand (C-8) and the figures leave
    (W-8, W-11); what is counted at the end stays on the table.  Without a meeple nobody scores.
    """
    shared = share(state, region)
    notes: list[Message] = []
    if shared is not None:
        state = _booked(state, region, shared)
        notes = _told(shared, region)
        if region.complete:
            notes += _returned(state, region)
            state = _meeples_back(state, [spot for spot, _ in state.meeples_in(region)])
    leaves = region.complete and (shared is not None or state.setup.option("W-11") == "a")
    for who in state.figures_in(region) if leaves else ():
        state = state.but(figures={**state.figures, who: None})
        notes.append(say("figure_leaves", who=who, feature=region.kind))
    return state, tuple(notes)


def _booked(state: CarcassonneState, region: Region, shared: Share) -> CarcassonneState:
    points = {c: dict(state.points[c]) for c in state.setup.seats}
    for colour in shared.winners:
        points[colour][region.kind.value] += shared.worth.points
    return state.but(points=points)


def _told(shared: Share, region: Region) -> list[Message]:
    cells = tuple(sorted(cell(pos) for pos in region.tiles))
    notes = list(shared.worth.reasons)
    key = "tie" if len(shared.winners) > 1 else "gets"
    rule = "C-5" if region.complete else "C-9"
    # The reasons go along with the points, for whoever shows them one by one.
    params = {
        "points": shared.worth.points,
        "feature": region.kind,
        "cells": cells,
        "rule": rule,
        "reasons": listed(shared.worth.reasons, ""),
    }
    notes += [say(key, player=colour, **params) for colour in shared.winners]
    notes += [say("outvoted", player=colour) for colour in shared.losers]
    return notes


def _returned(state: CarcassonneState, region: Region) -> Iterable[Message]:
    """What to take back from where."""
    for colour in state.setup.seats:
        spots = [s for s, m in state.meeples_in(region) if m.owner == colour]
        if spots:
            cells = tuple(cell(pos) for pos, _ in spots)
            yield say("back", player=colour, count=len(spots), cells=cells)


def _meeples_back(state: CarcassonneState, spots: list[Spot]) -> CarcassonneState:
    meeples = dict(state.meeples)
    hands = {c: dict(hand) for c, hand in state.hands.items()}
    for spot in spots:
        meeple = meeples.pop(spot)
        hands[meeple.owner][meeple.kind] += 1
    return state.but(meeples=meeples, hands=hands)


def completed_by(state: CarcassonneState, placed: tuple[int, int]) -> list[Region]:
    """The regions that the tile at a place has completed (C-4), each once (C-6)."""
    x, y = placed
    found: dict[int, Region] = {}
    for _, region in state.map.regions_of(placed):
        if region.complete:
            found[region.root] = region
    for pos in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
        there = state.map.placed.get(pos)
        if there is not None and there.face.monastery is not None:
            region = state.map.region_at(pos, there.face.monastery)
            if region.complete:
                found[region.root] = region
    return list(found.values())
