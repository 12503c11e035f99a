"""Which seen thing is which piece, and what has moved: readings of one observation.

A piece keeps its identity, counts per kind and colour are constraints, what is hidden stays where
it was, and a difference needs change as a second witness (design decisions 1, 4 and 5).  All
weights are natural logarithms of probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from engine.assignment import FORBIDDEN, assign
from engine.board import Board
from engine.geometry import Point, area
from engine.observation import Observation, SeenPiece
from engine.placement import PieceMove, Placement, track_value
from engine.referee.doubt import with_neighbours
from engine.referee.readings import KEEP_NATS, Reading
from engine.referee.weighing import IGNORED_KINDS, Option, Scene

Spots = tuple[str, ...]

LOG_SPURIOUS_MIN = -5.0
# A ghost that happens to be of a kind and colour of which a piece is to be found.
LOG_SPURIOUS = -2.5
MOST_TOLD = 3.0  # nats by which a changed look speaks for a thing being one, at most
MAX_READINGS = 8
# Two marks of the track nearer than 4 to 1 in probability: the stone lies between them.
BETWEEN_MARKS_NATS = math.log(4.0)
BIG_FIELD = 1.5  # times a usual cell


def read(
    expected: Placement,
    observation: Observation,
    *,
    lagging: Mapping[str, Spots] | None = None,
    changed: Collection[str] | None = None,
    centres: Mapping[str, Point] | None = None,
    patient: bool = False,
    may_leave: frozenset[str] = frozenset(),
    arriving: frozenset[str] = frozenset(),
    shared: frozenset[str] | None = None,
    alike: Callable[[str], str] = str,
    overlooked: Collection[str] = (),
) -> tuple[Reading, ...]:
    """Reads an observation against the expected placement; best reading first, at least one.

    A piece in a shelter of the placement is at home there without being seen.

    ``lagging``: pieces known to stand elsewhere than the state says (a stone not yet moved); they
    are at home in both places.  ``changed``: spots whose look has changed since the last accepted
    view, with times if they are known (None: no comparison).  ``centres``: spot centres in board mm, only to prefer the nearer of
    equal pieces.  ``patient``: the view has stood for so long that a piece seen well away from its
    spot is believed without a witness.  ``may_leave``: pieces that may be laid beside the board (a
    move that is taken back); others that lie there are gone, for a moment.  ``arriving``: pieces
    beside the board that are to be put on it now.  ``shared``: spots that may hold several pieces
    (None: all).  ``alike``: what stands for a kind where some kinds are alike by the rules.  ``overlooked``:
    pieces that stand where they were not seen when they came, and are not missed there.  Dice and chips
    are left out.
    """
    late = lagging or {}
    if centres and shared is not None:
        stood = {
            (expected.infos[p].kind, expected.infos[p].colour, spot)
            for p, spots in (*expected.pieces.items(), *late.items())
            for spot in spots
        }
        observation = with_neighbours(observation, centres, shared, stood, changed)
    homes = {
        piece: (late[piece], spots) if piece in late else (spots,)
        for piece, spots in expected.pieces.items()
        if expected.infos[piece].kind not in IGNORED_KINDS
    }
    common = frozenset(s for o in observation.pieces for c in o.candidates for s in c.spots)
    if changed is not None and not isinstance(changed, Mapping):
        changed = dict.fromkeys(changed, observation.t_s)
    scene = Scene(
        homes, expected.infos, observation, changed, centres or {}, patient, may_leave,
        expected.shelters, arriving, common if shared is None else shared, alike,
        overlooked,
    )  # fmt: skip
    table = scene.table()
    pairings = _pairings(scene, table)
    readings: dict[object, Reading] = {}
    for pairing in pairings:
        for reading in _readings(scene, table, pairing):
            key = (reading.signature, reading.gone)
            if key not in readings or readings[key].log_likelihood < reading.log_likelihood:
                readings[key] = reading
    ordered = sorted(readings.values(), key=lambda r: -r.log_likelihood)
    best = ordered[0].log_likelihood
    return tuple(r for r in ordered if r.log_likelihood > best - KEEP_NATS)[:MAX_READINGS]


def _spurious(scene: Scene, thing: SeenPiece) -> float:
    """Log-probability that a seen thing is nothing, less where the look has changed with it (but where
    a piece stood that may have left: of its look, it is seen twice; or where another has come more surely)."""
    nothing = max(LOG_SPURIOUS_MIN, math.log(max(1e-6, 1.0 - thing.confidence))) + LOG_SPURIOUS
    if scene.stood(thing.best) or scene.left(thing.best.spots) or scene.echoes(thing):
        return nothing
    return nothing - min(MOST_TOLD, max(0.0, scene.told(thing.best.spots)))


def _pairings(scene: Scene, table: list[list[list[Option]]]) -> list[list[int]]:
    """The best assignment of things to pieces, and those with one of its moved pairs forbidden, also
    to all pieces of the same look in the same place: another of them would be no other reading.
    The same where a piece seems to have stayed, but its place looks changed and what stands there
    may be of another kind: that one may have taken its place."""
    best = _solve(scene, table, frozenset())
    found = [best]
    for i, j in enumerate(best):
        if j >= len(scene.things):
            continue
        if not table[i][j][0].home or scene.replaced(scene.pieces[i], scene.things[j]):
            equal = frozenset((k, j) for k in scene.equal(scene.pieces[i]))
            found.append(_solve(scene, table, equal))
    return found


def _solve(
    scene: Scene, table: list[list[list[Option]]], forbidden: frozenset[tuple[int, int]]
) -> list[int]:
    n, m = len(scene.pieces), len(scene.things)
    spurious = [_spurious(scene, t) for t in scene.things]
    cost = []
    for i, piece in enumerate(scene.pieces):
        row = [
            spurious[j] - table[i][j][0].score if table[i][j] and (i, j) not in forbidden
            else FORBIDDEN
            for j in range(m)
        ]  # fmt: skip
        absent = [FORBIDDEN] * n
        absent[i] = -scene.unseen(piece)
        cost.append(row + absent)
    return assign(cost)


def _readings(scene: Scene, table: list[list[list[Option]]], pairing: list[int]) -> list[Reading]:
    """Readings of one assignment: its best spots, and the next ones of doubtful pieces."""
    n_things = len(scene.things)
    chosen: dict[str, list[Option]] = {}
    absent: list[str] = []
    base = 0.0
    for i, piece in enumerate(scene.pieces):
        j = pairing[i]
        if j < n_things and table[i][j]:
            options = table[i][j]
            chosen[piece] = [o for o in options if o.score > options[0].score - KEEP_NATS][:3]
        else:
            absent.append(piece)
            base += scene.unseen(piece)
    used = {j for j in pairing if j < n_things}
    lonely = [t for j, t in enumerate(scene.things) if j not in used]
    base += sum(_spurious(scene, t) for t in lonely)
    combos: list[tuple[float, dict[str, Option]]] = [(base, {})]
    for piece, options in chosen.items():
        grown = [(ll + o.score, {**c, piece: o}) for ll, c in combos for o in options]
        grown.sort(key=lambda g: -g[0])
        combos = [g for g in grown if g[0] > grown[0][0] - KEEP_NATS][:MAX_READINGS]
    spurious = sum(1 for t in lonely if t.confidence > 0.6 and t.best.spots)
    return [_reading(scene, c, absent, spurious, ll) for ll, c in combos]


def _reading(
    scene: Scene, chosen: Mapping[str, Option], absent: list[str], spurious: int, ll: float
) -> Reading:
    moves: list[PieceMove] = []
    taken = {s for o in chosen.values() if not o.home for s in o.spots} - scene.shared
    gone = [p for p in absent if scene.is_gone(p) or taken & set(scene.homes[p][0])]
    unsure: list[str] = []
    at_home = dict(scene.settled)
    at_home |= {p: h for p in absent if (h := scene.caught_up(p)) is not None}
    for piece, option in chosen.items():
        if option.home:
            at_home[piece] = option.spots
        elif not option.spots and piece not in scene.may_leave:
            gone.append(piece)
        elif _between_marks(scene, piece, option):
            unsure.append(piece)
        else:
            moves.append(PieceMove(piece, scene.homes[piece][0], option.spots))
    moves = _lowest_first(scene, moves)
    at_home = {p: s for p, s in at_home.items() if all(p != m.piece for m in moves)}
    return Reading(tuple(moves), tuple(sorted(gone)), tuple(unsure), spurious, at_home, ll)


def _lowest_first(scene: Scene, moves: list[PieceMove]) -> list[PieceMove]:
    """Of equal pieces that were out of sight in one place, beside the board or in a shelter, the
    lowest have come, so that one arrangement is always told in the same way."""
    unseen: dict[tuple[str, str | None, Spots], list[str]] = {}
    for piece, homes in scene.homes.items():
        if set(homes[0]) <= scene.shelters:
            info = scene.infos[piece]
            unseen.setdefault((info.kind, info.colour, homes[0]), []).append(piece)
    out = []
    for move in sorted(moves, key=lambda m: (m.to, m.piece)):
        info = scene.infos[move.piece]
        equal = unseen.get((info.kind, info.colour, move.origin), [])
        out.append(replace(move, piece=equal.pop(0)) if equal else move)
    return sorted(out, key=lambda m: m.piece)


def _between_marks(scene: Scene, piece: str, option: Option) -> bool:
    if len(option.spots) != 1 or track_value(option.spots[0]) is None:
        return False
    info, marks = scene.infos[piece], dict[frozenset[str], float]()
    for thing in scene.things:
        own = [c for c in thing.candidates if c.colour == info.colour]
        if thing.best.kind == info.kind and any(c.spots == option.spots for c in own):
            for candidate in own:
                mark = frozenset(candidate.spots)
                marks[mark] = max(candidate.log_prob, marks.get(mark, -math.inf))
    rivals = sorted(marks.values(), reverse=True)
    return len(rivals) > 1 and rivals[0] - rivals[1] < BETWEEN_MARKS_NATS


def shared_spots(board: Board) -> frozenset[str]:
    """Spots that may hold several pieces: big fields, marks, and fields with a role of their own."""
    usual = board.cell_size_mm**2
    big = {c.id for c in board.cells.values() if area(c.polygon_mm) > BIG_FIELD * usual}
    return frozenset(big | {s for s in board.spots if track_value(s) is not None})
