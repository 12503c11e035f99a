"""Hexagonal boards of any size and a table to play on, for the tests of Das Magische Hexagon."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from engine.action import Action
from engine.board import Board, load_board
from engine.game import Header, Judgement, Player
from engine.hexagon import HexagonRoom, HexagonState
from engine.placement import Placement

ROOM = HexagonRoom()
DIRECTIONS = {"E": (1, 0), "W": (-1, 0), "NE": (1, -1), "NW": (0, -1), "SW": (-1, 1), "SE": (0, 1)}
SIZE = 28.0


def at(q: int, r: int) -> str:
    """The id of a cell, as in the board files."""
    return f"{q:+d}{r:+d}"


def raw_hexagon(
    side: int = 5,
    *,
    flames: Iterable[str] = ("+0+0",),
    wizards: int = 10,
    wisdoms: int = 7,
    starts: Mapping[str, Iterable[str]] | None = None,
    other: str = "blue",
) -> dict[str, Any]:
    """The JSON of a regular hexagonal board; by default the start cells fill the lowest rows (red)
    and the highest ones."""
    n = side - 1
    places = [
        (q, r) for q in range(-n, n + 1) for r in range(-n, n + 1) if max(abs(q + r), abs(r)) <= n
    ]
    free = [p for p in places if at(*p) not in set(flames)]
    low = sorted(free, key=lambda p: (-p[1], p[0]))[:wizards]
    high = sorted(free, key=lambda p: (p[1], p[0]))[:wizards]
    homes = starts or {"red": [at(*p) for p in low], other: [at(*p) for p in high]}
    roles: dict[str, list[str]] = {cell: ["flame"] for cell in flames}
    for colour, cells in homes.items():
        for cell in cells:
            role = "start_red" if colour == "red" else "start_other"
            roles[cell] = [*roles.get(cell, []), role]
    width = SIZE * math.sqrt(3) * (2 * side)
    return {
        "version": 1,
        "game": "hexagon",
        "name": f"side {side}",
        "size_mm": [round(width, 2), round(width, 2)],
        "other_colour": other,
        "inventory": [
            {"kind": kind, "colour": colour, "count": count}
            for colour in ("red", other)
            for kind, count in (("wizard", wizards), ("wisdom", wisdoms), ("score_marker", 1))
        ],
        "cells": [
            {
                "id": at(q, r),
                "axial": [q, r],
                "polygon_mm": _polygon(q, r, width / 2),
                "neighbours": [
                    at(q + a, r + b)
                    for a, b in DIRECTIONS.values()
                    if (q + a, r + b) in set(places)
                ],
                "roles": roles.get(at(q, r), []),
            }
            for q, r in places
        ],
    }


def _polygon(q: int, r: int, middle: float) -> list[list[float]]:
    x, y = middle + SIZE * math.sqrt(3) * (q + r / 2), middle + SIZE * 1.5 * r
    angles = [math.pi / 3 * k - math.pi / 2 for k in range(6)]
    return [
        [round(x + SIZE * math.cos(a), 2), round(y + SIZE * math.sin(a), 2)] for a in angles
    ]  # fmt: skip


def hexagon(side: int = 5, **how: Any) -> Board:
    """A regular hexagonal board; by default with one flame in the middle, for the examples."""
    return load_board(raw_hexagon(side, **how))


class Table:
    """A game in progress whose state the test moves on."""

    def __init__(
        self,
        board: Board | None = None,
        options: Mapping[str, Any] | None = None,
        position: Mapping[str, Any] | None = None,
        colours: str = "red blue",
    ) -> None:
        self.board = board or hexagon()
        players = tuple(Player(c.title(), c) for c in colours.split())
        self.header = Header("hexagon", "test", players, options or {}, position)
        self.state: HexagonState = ROOM.start(self.header, self.board)

    def try_(self, player: str | None, do: str, **args: Any) -> Judgement:
        """Judges an action without doing it (``from_`` stands for "from")."""
        args = {k.rstrip("_"): v for k, v in args.items()}
        before = self.state
        judgement = ROOM.judge(self.state, Action(player, do, args))
        assert self.state == before
        if judgement.status.value == "illegal":
            assert judgement.state is self.state
            assert judgement.message.text
        return judgement

    def do(self, player: str | None, do: str, expect: str = "legal", **args: Any) -> Judgement:
        """Does an action and insists on its verdict; checks the round trip of the position."""
        judgement = self.try_(player, do, **args)
        assert judgement.status.value == expect, f"{player} {do} {args}: {judgement}"
        self.state = judgement.state
        assert self.again() == self.state
        return judgement

    def push(self, player: str, origin: str, to: str, expect: str = "legal") -> Judgement:
        """``push`` from a cell to a cell."""
        return self.do(player, "push", expect, from_=origin, to=to)

    def jump(self, player: str, origin: str, *path: str, expect: str = "legal") -> Judgement:
        """``jump`` from a cell over a path of landings."""
        return self.do(player, "jump", expect, from_=origin, path=list(path))

    def refused(self, player: str | None, do: str, rule: str | None, **args: Any) -> Judgement:
        """Insists on a refusal with this rule."""
        judgement = self.do(player, do, "illegal", **args)
        assert judgement.rule == rule, judgement
        return judgement

    def again(self) -> HexagonState:
        """The state as made from the exported position, through JSON."""
        position = json.loads(json.dumps(ROOM.position(self.state)))
        header = Header("hexagon", "test", self.header.players, self.header.options, position)
        return ROOM.start(header, self.board)

    def on(self, cell: str) -> str | None:
        """Kind and colour of what stands on a cell."""
        piece = self.state.at.get(cell)
        return piece and piece.rpartition("/")[0]

    def points(self) -> tuple[int, int]:
        """Points of the two players in seat order."""
        first, second = self.state.setup.seats
        return self.state.points[first], self.state.points[second]

    @property
    def placement(self) -> Placement:
        """Where everything stands."""
        return ROOM.placement(self.state)


def moving(
    *standing: str,
    board: Board | None = None,
    options: Mapping[str, Any] | None = None,
    to_move: str = "red",
    **more: Any,
) -> Table:
    """A table in the moving phase: ``standing`` holds "red -2+0" for a wizard of red, "blue* -1+0"
    for a wisdom of blue; everything else is off the board."""
    counts: dict[str, int] = {}
    pieces: dict[str, str] = {}
    for entry in standing:
        colour, cell = entry.split()
        kind = f"{'wisdom' if colour.endswith('*') else 'wizard'}/{colour.rstrip('*')}"
        counts[kind] = counts.get(kind, 0) + 1
        pieces[f"{kind}/{counts[kind]}"] = cell
    position = {"phase": "moving", "to_move": to_move, "pieces": pieces, **more}
    return Table(board, options, position)


def keys(judgement: Judgement) -> list[str]:
    """The keys of everything that a judgement notes."""
    return [note.key for note in judgement.notes]
