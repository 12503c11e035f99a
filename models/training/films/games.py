"""Short whole games for films: of many games played at random the shortest that shows enough."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.action import Action
from engine.game import Room
from engine.grailnah.room import GrailnahRoom
from engine.grailnah.simulate import random_action as random_grailnah
from engine.grailnah.state import GrailnahState, kind_of, owner_of
from engine.hexagon.burning import possible_values
from engine.hexagon.legal import action_of, changes, pushes
from engine.hexagon.moves import Change, apply
from engine.hexagon.room import HexagonRoom
from engine.hexagon.state import HexagonState, Phase
from engine.magalon.room import MagalonRoom
from engine.simulation.grailnah import grailnah_foul
from engine.simulation.habits import Habits
from engine.simulation.hexagon import LyingRoom, hexagon_foul
from engine.simulation.table import Table
from models.training.films import magalon_game

Chooser = Callable[[Any, random.Random], Action | None]
Played = list[tuple[Any, Action]]
MOST_ACTIONS = 80
GRAILNAH_COLOURS = ("white", "red", "blue", "yellow")
HABITS = Habits(
    foul=1.0, together=0.0, idle_hand=0.05, hidden=0.0, jump=0.08, stands_s=3.0, rests_s=1.4
)


@dataclass(frozen=True, slots=True)
class Play:
    """How a game is played for a film.

    ``choose``: the next action; ``colours``: who plays; ``shows``: how much a played game shows of
    what can happen in it, which counts like so many actions; ``tries``: from how many games one is
    taken; ``foul`` and ``fouls``: who breaks rules, and which; ``table``: what lies on the table;
    ``most``: a game is at most so many actions long; ``after``: shares of it after which rules are
    broken; ``habits``: what happens at the table; ``cut``: the part of a game that is filmed;
    ``moved_by``: the piece that an action moves.
    """

    room: Room
    table: Room
    choose: Chooser
    colours: tuple[str, ...]
    shows: Callable[[Played], float]
    foul: Callable[[Table, random.Random], Any]
    fouls: tuple[str, ...]
    tries: int
    most: int = MOST_ACTIONS
    after: tuple[float, ...] = (0.5, 0.75)
    habits: Habits = HABITS
    cut: Callable[[Played], Played] = list
    moved_by: Callable[[Action], str | None] = lambda action: None


def short_game(play: Play, start: Any, rng: random.Random) -> Played:
    """The states of a game with the action taken in each."""
    games = [play.cut(list(_game(play, start, rng, play.most))) for _ in range(play.tries)]
    most = play.most
    return min(games, key=lambda g: len(g) - play.shows(g) + (0 if len(g) < most else most))


def _game(play: Play, state: Any, rng: random.Random, most: int) -> Iterator[tuple[Any, Action]]:
    for _ in range(most):
        action = play.choose(state, rng)
        if action is None:
            return
        yield state, action
        state = play.room.judge(state, action).state


class Replay:
    """Chooses the actions of a played game again; asked twice of one state it says the same."""

    def __init__(self, played: Sequence[tuple[Any, Action]]) -> None:
        self._left = [action for _, action in played]
        self._asked: Any = None
        self.done = -1

    def __call__(self, state: Any, rng: random.Random) -> Action | None:
        """The next action, or None at the end."""
        if state is not self._asked:
            self._asked, self.done = state, self.done + 1
        return self.coming

    @property
    def coming(self) -> Action | None:
        """The action that was asked for last."""
        return self._left[self.done] if self.done < len(self._left) else None


# -- Das Magische Hexagon ---------------------------------------------------------------------------


def _hexagon_action(state: HexagonState, rng: random.Random) -> Action | None:
    """Burns where it can, and else mostly goes where it can burn next."""
    if state.phase is Phase.OVER:
        return None
    if state.pending:
        values = possible_values(state, state.waiting)
        args = {"cell": state.pending[0], "value": rng.choices(values, [2 + v for v in values])[0]}
        return Action(state.to_move, "burnt", args)
    if state.phase is Phase.PLACING:
        return Action(state.to_move, "place", {"to": _by_a_flame(state, rng)})
    found = list(changes(state))
    if not found:
        return Action(state.to_move, "pass", {})
    burning = [c for c in found if c.burnt]
    if burning:
        return action_of(state, max(burning, key=lambda c: len(c.burnt)))
    some = rng.sample(found, min(len(found), 24))
    return action_of(state, rng.choices(some, [_promise(state, c) for c in some])[0])


def _by_a_flame(state: HexagonState, rng: random.Random) -> str:
    cells = state.setup.board.cells
    free = [c for c in cells if c not in state.at and c not in state.setup.flames]
    near = [c for c in free if state.setup.flames & set(cells[c].neighbours)]
    return rng.choice(near or free)


def _promise(state: HexagonState, change: Change) -> float:
    """How much likelier a change is for what it shows, and for what may burn afterwards."""
    after = apply(state, change).but(to_move=state.to_move)
    burns = any(c.burnt for c in pushes(after))
    return (30.0 if burns else 1.0) * (1.0 + len(change.path) + 2 * bool(change.crossings))


def _hexagon_shows(played: Played) -> float:
    """Multi-jumps and crossings, each counted up to twice."""
    jumps = sum(len(a.args.get("path", ())) > 1 for _, a in played)
    pushed = sum(_crosses(s, a) for s, a in played if a.do == "push")
    return 3.0 * min(jumps, 2) + 3.0 * min(pushed, 2)


def _crosses(state: HexagonState, action: Action) -> bool:
    return action.args["to"] not in state.setup.board.cells[action.args["from"]].neighbours


# -- Grailnah ---------------------------------------------------------------------------------------


def _grailnah_action(state: GrailnahState, rng: random.Random) -> Action | None:
    return random_grailnah(state, rng)


def _grailnah_shows(played: Played) -> float:
    """Blocks, pieces sent home, sacrifices, the stairs and royals, each counted once."""
    seen = {what for state, action in played for what in _happenings(state, action)}
    return 7.0 * len(seen)


def _happenings(state: GrailnahState, action: Action) -> Iterator[str]:
    to = action.args.get("to")
    met = state.at.get(to, ()) if isinstance(to, str) else ()
    if action.do in ("merlin", "morgane"):
        yield action.do
        if any(owner_of(p) for p in met):
            yield "sent home"
        if "sacrifice" in action.args:
            yield "sacrifice"
    elif action.do == "move":
        if met and any(owner_of(p) not in (None, action.player) for p in met):
            yield "block"
        if kind_of(action.args["piece"]) in ("king", "queen"):
            yield "stairs" if to in state.setup.rings.stairs else "royal"


def play_of(game: str, seed: int, plain: bool = False) -> Play:
    """How a game is played; ``plain``: Grailnah with two players, else with two to four; raises
    KeyError for one that has no films."""
    if game == "hexagon":
        room = HexagonRoom()
        fouls = ("own wisdom burnt", "out of turn", "two steps", "wisdom by hand", "near miss")
        return Play(
            room, LyingRoom() if seed % 2 else room, _hexagon_action, ("red", "blue"),
            _hexagon_shows, hexagon_foul, fouls, 12,
        )  # fmt: skip
    if game == "grailnah":
        grailnah = GrailnahRoom()
        colours = GRAILNAH_COLOURS[: 2 if plain else 2 + (seed + 1) % 3]
        fouls = ("knight", "knight out of turn", "queen", "king", "merlin")
        return Play(
            grailnah, grailnah, _grailnah_action, colours, _grailnah_shows,
            grailnah_foul, fouls, 150,
        )  # fmt: skip
    if game == "magalon":
        magalon, colours = MagalonRoom(), magalon_game.players(seed)
        return Play(
            magalon, magalon, magalon_game.action, colours, magalon_game.shows, magalon_game.foul,
            magalon_game.FOULS, magalon_game.TRIES, magalon_game.ACTIONS[len(colours)],
            magalon_game.FOULS_AFTER, magalon_game.HABITS, magalon_game.whole_turns,
            magalon_game.moved_by,
        )  # fmt: skip
    raise KeyError(game)
