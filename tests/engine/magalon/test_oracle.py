"""Verdicts on every target cell against a plain enumeration of all walks, written anew here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.action import Action
from engine.magalon import MagalonState
from engine.verdict import Status
from tests.engine.magalon.support import ROOM
from tests.engine.magalon.test_no_false_alarm import _states


class Oracle:
    """The rules of walking in their simplest form, from the placement alone."""

    def __init__(self, state: MagalonState) -> None:
        self.state, self.board = state, state.setup.board
        self.at: dict[str, list[str]] = {}
        for info, spots in ROOM.placement(state):
            for spot in spots:
                self.at.setdefault(spot, []).append(info.id)

    def walks(self, origin: str, steps: int, closed: set[str]) -> Iterator[tuple[str, ...]]:
        def go(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
            if len(path) > steps:
                yield path
                return
            for cell in self.board.cells[path[-1]].neighbours:
                if cell not in path and cell not in closed:
                    yield from go((*path, cell))

        yield from go((origin,))

    def closed_to_wizard(self, colour: str, gone: str = "", here: str = "") -> set[str]:
        closed = {c for c in self.board.cells if self.at.get(c, []) not in ([], [gone])}
        if here:
            closed.add(here)
        closed.discard("start")
        card = self.state.card(colour)
        gain = self.state.setup.energy_gain.get(card, 0) if card in (1, 2) else 0
        gain = gain if colour == self.state.to_act else 0
        if self.state.energy[colour] + gain < 16:
            closed.add("start")
        return closed

    def attackable(self, piece: str, actor: str, colour: str) -> bool:
        cell = self.state.pieces[f"wizard/{colour}"]
        assert cell is not None
        special = self.board.cells[cell].roles & {"start", "item"}
        if colour == actor or special or self.state.card(colour) == 4:
            return False
        closed = self.closed_to_wizard(colour, piece, cell)
        return next(self.walks(cell, 5, closed), None) is not None

    def closed_to_goblin(self, piece: str, actor: str) -> set[str]:
        closed = set(self.at) - {self.state.pieces[piece]}
        closed |= {c.id for c in self.board.cells.values() if c.roles & {"start", "item"}}
        for colour in self.state.setup.seats:
            if self.attackable(piece, actor, colour):
                closed.discard(str(self.state.pieces[f"wizard/{colour}"]))
        return closed


def _expected(walks: list[tuple[str, ...]]) -> tuple[set[str], set[str]]:
    """(cells on which a full walk ends, cells inside a full walk)."""
    return {w[-1] for w in walks}, {c for w in walks for c in w[1:-1]}


def _check(
    state: MagalonState, do: str, args: dict[str, str], ends: set[str], inner: set[str]
) -> int:
    checked = 0
    actor = state.to_act
    for cell in state.setup.board.cells:
        judged = ROOM.judge(state, Action(actor, do, {**args, "to": cell}))
        stuck = judged.pending.key in ("walk_stuck", "attacker_stuck")
        if cell in ends:
            assert judged.status in (Status.LEGAL, Status.AMBIGUOUS), (cell, judged.message)
        elif cell in inner:
            assert judged.status is Status.PENDING, (cell, judged)
            assert not stuck
        else:
            assert judged.status is Status.ILLEGAL or stuck, (cell, judged)
            checked += judged.status is Status.ILLEGAL
    return checked


@pytest.mark.parametrize("seed", range(6))
def test_walks(seed: int) -> None:
    refused = 0
    for state, _ in _states(200 + seed, 25):
        actor = str(state.to_act)
        steps, here = state.card(actor), state.wizard(actor)
        oracle = Oracle(state)
        closed = oracle.closed_to_wizard(actor)
        finishing = "start" not in closed
        if not steps or steps > 7 or here is None or finishing:
            continue
        walks = list(oracle.walks(here, steps, closed))
        refused += _check(state, "walk", {}, *_expected(walks))
    assert refused > 100


@pytest.mark.parametrize("seed", range(6))
def test_goblins(seed: int) -> None:
    refused = 0
    for state, rng in _states(300 + seed, 40):
        actor, piece = str(state.to_act), rng.choice(["goblin/1", "goblin/2"])
        if state.card(actor) not in (3, 6):
            continue
        oracle = Oracle(state)
        steps = state.setup.goblin_steps[state.card(actor) or 0]
        walks = list(
            oracle.walks(str(state.pieces[piece]), steps, oracle.closed_to_goblin(piece, actor))
        )
        ends, inner = _expected(walks)
        wizards = {str(state.wizard(c)) for c in state.setup.seats}
        refused += _check(state, "goblin", {"piece": piece}, ends - wizards, inner - wizards)
    assert refused > 100


@pytest.mark.parametrize("seed", range(4))
def test_two_parts(seed: int) -> None:
    """A second part is judged by all walks that lead through the end of the first one."""
    checked = 0
    for state, rng in _states(400 + seed, 25):
        actor = str(state.to_act)
        steps, here = state.card(actor), state.wizard(actor)
        oracle = Oracle(state)
        closed = oracle.closed_to_wizard(actor)
        if not steps or not 3 <= steps <= 6 or here is None or "start" not in closed:
            continue
        walks = list(oracle.walks(here, steps, closed))
        middles = sorted({c for w in walks for c in w[1:-1]})
        if not middles:
            continue
        middle = rng.choice(middles)
        first = ROOM.judge(state, Action(actor, "walk", {"to": middle}))
        if first.status is Status.AMBIGUOUS:
            continue
        through = [w for w in walks if middle in w[1:-1]]
        ends = {w[-1] for w in through}
        inner = {c for w in through for c in w[w.index(middle) + 1 : -1]}
        for cell in state.setup.board.cells:
            judged = ROOM.judge(first.state, Action(actor, "walk", {"to": cell}))
            if cell in ends:
                assert judged.status in (Status.LEGAL, Status.AMBIGUOUS), (middle, cell)
            elif cell in inner:
                assert judged.status is Status.PENDING, (middle, cell)
            else:
                stuck = judged.pending.key == "walk_stuck"
                assert judged.status is Status.ILLEGAL or stuck, (middle, cell)
            checked += 1
    assert checked > 100
