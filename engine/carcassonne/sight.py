"""From what the eyes report of a table of tiles to the observation of the referee.

A figure's foot becomes features with probabilities on the tile where it stands: the placed one that
the game knows, else the one that was seen there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.carcassonne.faces import Face, Pos, cell
from engine.carcassonne.ground import ground_of
from engine.carcassonne.placement import TILE, placement_of, pos_of, tile_of
from engine.carcassonne.seen import SeenFigure, SeenTable, SeenTile
from engine.carcassonne.state import CarcassonneState
from engine.carcassonne.tiles import faces, least_turn, plain
from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import Placement

TILE_MM = 45.0
LEAST_LOG_PROB = math.log(0.003)
MOST_CANDIDATES = 12
TILE_SIGMA = 0.02  # of a tile


def observation_of(table: SeenTable, state: CarcassonneState) -> Observation:
    """The view as the referee wants it; see `observation_by`."""
    return observation_by(table, placement_of(state))


def observation_by(table: SeenTable, placement: Placement) -> Observation:
    """The view as the referee wants it, given what lies and stands where; pieces lie in a frame of
    45 mm a tile.

    Places that cannot be judged or look different cover everything that lies or stands there.
    """
    known = {
        pos_of(at[0]): tile_of(at[0], info.kind)
        for info, at in placement
        if at and info.kind.startswith(TILE)
    }
    stack = Counter(
        info.kind.removeprefix(TILE)
        for info, at in placement
        if not at and info.kind.startswith(TILE)
    )
    pieces = pieces_of(table.tiles, table.figures, known, stack)
    spots: dict[Pos, set[str]] = {}
    for spot in (s for at in placement.pieces.values() for s in at):
        spots.setdefault(pos_of(spot), set()).add(spot)
    for spot in (s for p in pieces for c in p.candidates for s in c.spots):
        spots.setdefault(pos_of(spot), set()).add(spot)
    changed = table.changed
    return Observation(
        table.t_s, table.found, table.hand, pieces,
        {s: view for pos, view in table.views.items() for s in spots.get(pos, ())},
        None if changed is None else frozenset(s for p in changed for s in spots.get(p, ())),
        table.still_s,
    )  # fmt: skip


def pieces_of(
    tiles: Iterable[SeenTile],
    figures: Iterable[SeenFigure],
    known: Mapping[Pos, Face],
    left: Mapping[str, int],
) -> tuple[SeenPiece, ...]:
    """Tiles and figures with candidates as spots of the placement.

    ``known``: what lies where; ``left``: how many tiles of each kind can still come.
    """
    tiles = tuple(tiles)
    lying = {t.pos: faces(t.best.tile)[t.best.rot // 90] for t in tiles} | dict(known)
    seen = [_tile(t, {k for k, n in left.items() if n} | _kinds(known, t.pos)) for t in tiles]
    return (*seen, *(_figure(f, lying) for f in figures))


def _kinds(known: Mapping[Pos, Face], pos: Pos) -> set[str]:
    return {plain(known[pos].tile)} if pos in known else set()


def _tile(seen: SeenTile, possible: set[str]) -> SeenPiece:
    """A tile; turns that play alike are one candidate, and a kind of which all tiles lie elsewhere
    is none unless it is the only one."""
    mass: dict[tuple[str, str], float] = {}
    guesses = [g for g in seen.guesses if plain(g.tile) in possible] or seen.guesses
    share = sum(math.exp(g.log_prob) for g in guesses) / sum(
        math.exp(g.log_prob) for g in seen.guesses
    )
    for guess in guesses:
        kind = TILE + plain(guess.tile)
        spot = f"{cell(seen.pos)}@{least_turn(guess.tile, guess.rot)}"
        mass[kind, spot] = mass.get((kind, spot), 0.0) + math.exp(guess.log_prob) / share
    found = [
        Candidate(kind, None, (spot,), math.log(m)) for (kind, spot), m in mass.items() if m > 0.0
    ]
    return _piece(
        found, seen.pos, (0.5 + seen.off[0], 0.5 + seen.off[1]), TILE_SIGMA, seen.confidence
    )


def _figure(seen: SeenFigure, lying: Mapping[Pos, Face]) -> SeenPiece:
    face = None if seen.pos is None else lying.get(seen.pos)
    if seen.pos is None or face is None:
        beside = [Candidate(g.role.value, g.owner, (), g.log_prob) for g in seen.guesses]
        return replace(
            _piece(beside, seen.pos or (0, 0), seen.foot, seen.sigma, seen.confidence),
            foot_px=seen.foot_px,
        )
    places = _features(seen, face)
    found = [
        Candidate(g.role.value, g.owner, (f"{cell(seen.pos)}:{at}",), g.log_prob + p)
        for g in seen.guesses
        for at, p in places.items()
        if g.log_prob + p > LEAST_LOG_PROB
    ]
    piece = _piece(
        found or [Candidate(seen.best.role.value, seen.best.owner, (), seen.best.log_prob)],
        seen.pos, seen.foot, seen.sigma, seen.confidence,
    )  # fmt: skip
    return replace(piece, foot_px=seen.foot_px)


def _features(seen: SeenFigure, face: Face) -> dict[str, float]:
    """Log-probability by ``at`` of the features of the tile on which a figure stands."""
    ats = {f.at: n for n, f in enumerate(face.features)}
    told = {at: p for at, p in seen.features.items() if at in ats}
    if told:
        return told
    chances = ground_of(face.tile, face.rot).chances(seen.foot, seen.sigma, seen.lying)
    return {at: math.log(chances[n]) for at, n in ats.items() if chances.get(n)}


def _piece(
    found: list[Candidate],
    pos: Pos,
    foot: tuple[float, float],
    sigma: float,
    confidence: float,
) -> SeenPiece:
    found.sort(key=lambda c: -c.log_prob)
    at = ((pos[0] + foot[0]) * TILE_MM, (pos[1] + foot[1]) * TILE_MM)
    variance = (sigma * TILE_MM) ** 2
    return SeenPiece(
        at, (variance, 0.0, variance), (0.0, 0.0), tuple(found[:MOST_CANDIDATES]), confidence
    )
