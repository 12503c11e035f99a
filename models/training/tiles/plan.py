"""What happens at a filmed table of tiles: a small game from the start tile to the final scoring.

People lay, place and take back as the rules have it; now and then somebody does what they forbid and
puts it right again.  At the end what still stands is cleared away.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.action import Action
from engine.carcassonne.drags import SIZES, kind_of
from engine.carcassonne.fitting import placements
from engine.carcassonne.placement import placement_of
from engine.carcassonne.room import CarcassonneRoom
from engine.carcassonne.scoring import completed_by
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.simulate import random_action
from engine.carcassonne.state import CarcassonneState
from engine.carcassonne.tiles import sets, start_tile, tiles
from engine.game import Header, Player
from engine.simulation.carcassonne import carcassonne_foul
from engine.simulation.table import Table

Spots = tuple[str, ...]
REACH = 3  # places from the start tile that the camera sees
MAGIC_SHARE = 0.3  # of the small stack
FOUL_CHANCE = 0.35  # before an action, while fouls are still wanted
# The rules that may be named against what people try.
FOUL_RULES: Mapping[str, tuple[str, ...]] = {
    "edges do not match": ("C-1",),
    "apart from all": ("C-1",),
    "occupied feature": ("C-3",),
    "second meeple": ("C-3",),
    "somebody else's meeple": ("C-3",),
    "meeple on an old tile": ("C-3", "C-8"),
    "meeple moved": ("C-8", "C-3"),
    "figure without need": ("W-1",),
    "figure in a forbidden place": ("W-2", "W-3", "W-4", "W-6"),
    "forgotten duty": ("W-1", "W-6", "C-1"),
}
_ROOM = CarcassonneRoom()


@dataclass(frozen=True, slots=True)
class Moment:
    """A still moment: ``moves`` are what came about since the one before, piece by piece (empty:
    taken off), ``shown`` where everything is then.

    ``verdict``: "legal" or "illegal", None where nothing is to be said; ``rules``: those that may be
    named; ``player`` acts; ``why`` says it in a few words.
    """

    moves: Mapping[str, Spots]
    shown: Mapping[str, Spots]
    verdict: str | None = None
    rules: tuple[str, ...] = ()
    player: str | None = None
    why: str = ""


@dataclass(frozen=True)
class Plan:
    """A game: how it begins (``header``), its moments, its actions and how it ends."""

    header: Header
    start: Mapping[str, Spots]
    moments: tuple[Moment, ...]
    actions: tuple[Action, ...]
    end: CarcassonneState = field(repr=False)

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' colours."""
        return tuple(p.colour for p in self.header.players)


def small_header(count: int, dice: random.Random, colours: Sequence[str]) -> Header:
    """A game with a stack of ``count`` tiles, magic ones among them; the start tile lies already."""
    base = Counter(sets()["base:1"])
    base[start_tile()] -= 1
    magic = list(sets()["mage_and_witch:1"])
    chosen = dice.sample(magic, min(len(magic), max(1, round(MAGIC_SHARE * count))))
    stock = [tile for tile, n in base.items() for _ in range(n)]
    deck = Counter([*chosen, *dice.sample(stock, count - len(chosen))])
    first = {"tile": start_tile(), "rot": 0, "pos": [0, 0]}
    players = tuple(Player(c.capitalize(), c) for c in colours)
    return Header(
        "carcassonne", "reference", players, position={"tiles": [first], "deck": dict(deck)}
    )


def plan_game(count: int, seed: int, fouls: int, colours: Sequence[str] = ("red", "blue")) -> Plan:
    """A game of ``count`` tiles beside the start tile, with up to so many fouls of different kinds."""
    dice = random.Random(seed)
    header = small_header(count, dice, colours)
    state = _ROOM.start(header)
    table = Table(_ROOM, state, dict(placement_of(state).pieces))
    start, moments, actions = dict(table.now), list[Moment](), list[Action]()
    tried: set[str] = set()
    while (action := _choose(table.state, dice)) is not None:
        if action.do in ("finish", "unplaceable"):
            break  # nothing on the table shows it
        if len(tried) < fouls and dice.random() < FOUL_CHANCE:
            moments += _foul(table, dice, tried)
        last = action.do == "end" and not table.state.tiles_left
        if last and not _leaves(table.state):
            break  # seen only when the figures are cleared away
        before = dict(table.now)
        if not table.do(action):
            raise ValueError(f"the game cannot go on with {action}")
        actions.append(action)
        moves = {p: s for p, s in table.now.items() if s != before[p]}
        if moves:
            why = "taken back" if action.do == "end" else action.do
            moments.append(Moment(moves, dict(table.now), "legal", (), action.player, why))
    moments += _cleared(table, actions)
    return Plan(header, start, tuple(moments), tuple(actions), table.state)


def _leaves(state: CarcassonneState) -> bool:
    """Whether the end of the turn takes something from the table."""
    after = _ROOM.judge(state, Action(state.to_act, "end")).state
    now = placement_of(after).pieces
    return any(spots and not now[p] for p, spots in placement_of(state).pieces.items())


def _choose(state: CarcassonneState, dice: random.Random) -> Action | None:
    """What somebody does who likes to finish things: tiles where much lies, meeples often."""
    action = random_action(state, dice)
    if action is not None and action.do == "end" and not state.turn.meeple and dice.random() < 0.7:
        action = random_action(state, dice)  # another chance for a meeple
    if action is None or action.do != "tile":
        return action
    tile = action.args["tile"]
    options = [o for o in placements(state.map, tile) if max(map(abs, o[0])) <= REACH]
    if not options:
        return Action(action.player, "unplaceable", {"tile": tile})
    dice.shuffle(options)

    def worth(option: tuple[tuple[int, int], int]) -> float:
        args = {"tile": tile, "rot": option[1], "pos": list(option[0])}
        after = _ROOM.judge(state, Action(action.player, "tile", args)).state
        done = sum(
            1 + 2 * any(True for _ in after.meeples_in(r)) for r in completed_by(after, option[0])
        )
        return done - 0.15 * max(map(abs, option[0]))

    pos, rot = max(options, key=worth)
    return Action(action.player, "tile", {"tile": tile, "rot": rot, "pos": list(pos)})


def _foul(table: Table, dice: random.Random, tried: set[str]) -> Iterator[Moment]:
    """Something forbidden of a kind that was not tried before, and how it is put right."""
    attempt = carcassonne_foul(table, dice)
    if attempt is None or attempt.kind in tried:
        return
    if any(
        max(abs(v) for v in _place(s)) > REACH for spots in attempt.moves.values() for s in spots
    ):
        return
    tried.add(attempt.kind)
    back = {p: table.now[p] for p in attempt.moves}
    player = table.state.to_act
    rules = FOUL_RULES[attempt.kind]
    if table.state.turn.duty:  # that the mage or the witch comes first is broken as well
        rules = tuple(dict.fromkeys((*rules, "W-1", "W-6")))
    shown = {**table.now, **attempt.moves}
    yield Moment(dict(attempt.moves), shown, "illegal", rules, player, attempt.kind)
    yield Moment(back, dict(table.now), None, (), player, "put right")


def _place(spot: str) -> tuple[int, int]:
    x, _, y = spot.partition("@")[0].partition(":")[0].partition(",")
    return int(x), int(y)


def _cleared(table: Table, actions: list[Action]) -> Iterator[Moment]:
    """What still stands goes from the table; the first of it says that the game is over."""
    if not table.state.over and not table.state.tiles_left and table.state.turn.tile is not None:
        action = Action(table.state.to_act, "end")
        table.do(action)
        actions.append(action)
        verdict: str | None = "legal"
    else:
        verdict = None
    for piece in [p for p, s in table.now.items() if s and kind_of(p) in (*SIZES, *FIGURES)]:
        table.now[piece] = ()
        player = actions[-1].player if actions else None
        yield Moment({piece: ()}, dict(table.now), verdict, (), player, "cleared away")
        verdict = None


def told(plan: Plan) -> dict[str, Any]:
    """A few numbers about a game, to choose one worth filming."""
    magic = sum(tiles()[a.args["tile"]].magic for a in plan.actions if a.do == "tile")
    return {
        "tiles": sum(a.do == "tile" for a in plan.actions),
        "magic": magic,
        "meeples": sum(a.do == "meeple" for a in plan.actions),
        "figures": sum(a.do == "figure" for a in plan.actions),
        "taken back": sum(m.why == "taken back" for m in plan.moments),
        "fouls": [m.why for m in plan.moments if m.verdict == "illegal"],
        "points": {c: plan.end.total(c) for c in plan.seats},
        "over": plan.end.over,
        "moments": len(plan.moments),
    }
