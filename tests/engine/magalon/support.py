"""Small boards and a table to play on, for the tests of Magalon."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.action import Action
from engine.board import Board, load_board
from engine.game import Header, Judgement, Player
from engine.magalon import MagalonRoom, MagalonState

ROOM = MagalonRoom()
NUMBERS = {
    "goblin_steps": {"3": 3, "6": 6, "9": 9, "10": 10},
    "ruin_steps": {"2": 2, "7": 4, "8": 5},
    "energy_gain": {"1": 4, "2": 8},
}
SIZE = 20.0


def at(x: int, y: int) -> str:
    """The id of a cell of a grid board."""
    return f"{x},{y}"


def grid(
    width: int = 10,
    height: int = 10,
    *,
    fields: Mapping[str, Sequence[str]] | None = None,
    roles: Mapping[str, Iterable[str]] | None = None,
    ruins: Sequence[Sequence[str]] = (),
    holes: Iterable[str] = (),
    numbers: Mapping[str, Any] = NUMBERS,
    top: int = 20,
) -> Board:
    """A board of ``width`` x ``height`` cells named "x,y", y downwards.

    ``fields``: big fields ("start", "stone" ...) with the cells that they border.
    """
    fields, roles, gone = fields or {}, roles or {}, set(holes)
    near: dict[str, list[str]] = {}
    for x in range(width):
        for y in range(height):
            around = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            inside = [at(a, b) for a, b in around if 0 <= a < width and 0 <= b < height]
            if at(x, y) not in gone:
                near[at(x, y)] = [c for c in inside if c not in gone]
    cells = []
    for name, borders in fields.items():
        near[name] = list(borders)
        for border in borders:
            near[border].append(name)
    aside = {field: 400.0 + 70.0 * n for n, field in enumerate(fields)}
    for cell, others in near.items():
        if cell in fields:
            box = _box(aside[cell], 0.0, 60.0)
        else:
            x, y = map(int, cell.split(","))
            box = _box(x * SIZE, y * SIZE, SIZE)
        own = [r for r, where in roles.items() if cell in where]
        if cell in fields:
            own.append("start" if cell == "start" else "item")
        cells.append({"id": cell, "polygon_mm": box, "neighbours": others, "roles": own})
    return load_board(
        {
            "version": 1,
            "game": "magalon",
            "name": "grid",
            "size_mm": [1000, 1000],
            "cells": cells,
            "inventory": [],
            "ruin_start": [list(r) for r in ruins],
            "energy_track": [
                {"value": v, "polygon_mm": _box(10.0 * v, 900.0, 10.0)} for v in range(top + 1)
            ],
            "printed_numbers": dict(numbers),
        }
    )


def _box(x: float, y: float, size: float) -> list[list[float]]:
    return [[x, y], [x + size, y], [x + size, y + size], [x, y + size]]


class Table:
    """A game in progress whose state the test moves on."""

    def __init__(
        self,
        board: Board,
        colours: str = "violet green",
        options: Mapping[str, Any] | None = None,
        position: Mapping[str, Any] | None = None,
    ) -> None:
        self.board = board
        players = tuple(Player(c.title(), c) for c in colours.split())
        self.header = Header("magalon", "test", players, options or {}, position)
        self.state: MagalonState = ROOM.start(self.header, board)

    def try_(self, player: str | None, do: str, **args: Any) -> Judgement:
        """Judges an action without doing it."""
        before = self.state
        judgement = ROOM.judge(self.state, Action(player, do, args))
        assert self.state == before
        if judgement.status.value in ("illegal", "ambiguous"):
            assert judgement.state is self.state
            assert judgement.message.text
        return judgement

    def do(self, player: str | None, do: str, expect: str = "legal", **args: Any) -> Judgement:
        """Does an action and insists on its verdict; checks the round trip of the position."""
        judgement = self.try_(player, do, **args)
        said = f"{player} {do} {args}: {judgement}"
        assert judgement.status.value == expect, said
        self.state = judgement.state
        assert self.again() == self.state
        return judgement

    def refused(self, player: str | None, do: str, rule: str | None, **args: Any) -> Judgement:
        """Insists on a refusal with this rule."""
        judgement = self.do(player, do, "illegal", **args)
        assert judgement.rule == rule, judgement
        return judgement

    def again(self) -> MagalonState:
        """The state as made from the exported position, through JSON."""
        position = json.loads(json.dumps(ROOM.position(self.state)))
        header = Header("magalon", "test", self.header.players, self.header.options, position)
        return ROOM.start(header, self.board)

    def energy(self, colour: str) -> int:
        """The mark of a stone."""
        return self.state.energy[colour]

    def cell(self, piece: str) -> str | None:
        """Where a piece stands."""
        return self.state.pieces[piece]


def keys(judgement: Judgement) -> list[str]:
    """The keys of everything that a judgement notes."""
    return [note.key for note in judgement.notes]


def acting(
    board: Board,
    cards: Mapping[str, int | None],
    pieces: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A table at which these cards have just been laid, in this (seat) order."""
    where: dict[str, Any] = dict(pieces or {})
    if not board.with_role("start"):
        missing = [c for c in cards if f"wizard/{c}" not in where]
        where |= {f"wizard/{c}": at(9, 9 - n) for n, c in enumerate(missing)}
    position = {
        "pieces": where,
        "table": [[c, card] for c, card in cards.items()],
        **more,
    }
    return Table(board, " ".join(cards), options, position)
