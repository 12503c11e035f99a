"""A table to play Grailnah on, and round boards of any size, for the tests."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from engine.action import Action
from engine.board import Board, load_board
from engine.game import Header, Judgement, Player
from engine.grailnah import GrailnahRoom, GrailnahState
from engine.grailnah.messages import CATALOGUE
from engine.verdict import Status

ROOM = GrailnahRoom()
REFERENCE = load_board("reference", "grailnah")
COLOURS = ("white", "red", "blue", "yellow")
Pieces = Mapping[str, str | None]


def round_board(
    counts: Sequence[int],
    *,
    circle: int,
    castles: Mapping[str, tuple[Sequence[str], str]],
    places: Mapping[str, Sequence[str]],
    stairs: Sequence[str] = (),
    links: Any = "all",
    shift: float = 0.5,
) -> Board:
    """A board with ``counts[r - 1]`` cells in ring r, neighbours by touching arcs.

    ``circle``: the outermost ring inside the magic circle; ``shift``: where sector 0 begins, as a
    share of a sector before the top.
    """
    spans: dict[str, tuple[float, float]] = {}
    for ring, count in enumerate(counts, 1):
        for sector in range(count):
            low = (sector - shift) / count
            spans[f"{ring}/{sector}"] = (low, low + 1 / count)
    near: dict[str, list[str]] = {"goal": []} | {c: [] for c in spans}
    for a, span_a in spans.items():
        for b, span_b in spans.items():
            if a != b and _touch(a, span_a, b, span_b, counts):
                near[a].append(b)
        if a.startswith("1/"):
            near[a].append("goal")
            near["goal"].append(a)
    cells = [_cell("goal", (0.0, 1.0), 0, near, ["goal", "magic_circle_inside"])]
    for cell, span in spans.items():
        ring = int(cell.split("/")[0])
        roles = ["magic_circle_inside"] if ring <= circle else []
        roles += ["stair"] if cell in stairs else []
        roles += ["castle_place"] if cell in castles else []
        cells.append(_cell(cell, span, ring, near, roles))
    return load_board(
        {
            "version": 1, "game": "grailnah", "name": "round", "size_mm": [600, 600],
            "cells": cells, "inventory": [], "stair_links": links, "castle_places": dict(places),
            "castles": {
                p: {"lateral": list(lateral), "royal": royal}
                for p, (lateral, royal) in castles.items()
            },
        }
    )  # fmt: skip


def _touch(a: str, sa: tuple[float, float], b: str, sb: tuple[float, float], counts: Any) -> bool:
    ra, ia = map(int, a.split("/"))
    rb, ib = map(int, b.split("/"))
    if ra == rb:
        n = counts[ra - 1]
        return n > 1 and (ia - ib) % n in (1, n - 1)
    if abs(ra - rb) != 1:
        return False
    return any(
        min(sa[1], sb[1] + turn) - max(sa[0], sb[0] + turn) > 1e-9 for turn in (-1.0, 0.0, 1.0)
    )


def _cell(
    cell: str, span: tuple[float, float], ring: int, near: Mapping[str, list[str]], roles: list[str]
) -> dict[str, Any]:
    inner, outer, steps = 20.0 + 30.0 * (ring - 1), 20.0 + 30.0 * ring, 6
    angles = [2 * math.pi * (span[0] + (span[1] - span[0]) * i / steps) for i in range(steps + 1)]
    rim = [[300 + outer * math.sin(a), 300 - outer * math.cos(a)] for a in angles]
    if ring:
        rim += [[300 + inner * math.sin(a), 300 - inner * math.cos(a)] for a in reversed(angles)]
    else:
        rim = rim[:-1]
    out: dict[str, Any] = {"id": cell, "polygon_mm": rim, "neighbours": near[cell], "roles": roles}
    if ring:
        out |= {"ring": ring, "sector": int(cell.split("/")[1])}
    return out


def small_board() -> Board:
    """Four rings that grow outwards: 4, 8, 8, 16 cells."""
    return round_board(
        (4, 8, 8, 16),
        circle=2,
        castles={"4/0": (("4/1", "4/15"), "3/0"), "4/8": (("4/7", "4/9"), "3/4")},
        places={"2": ["4/0", "4/8"]},
        stairs=("3/2", "3/6"),
        shift=0.0,
    )


class Table:
    """A game in progress whose state the test moves on."""

    def __init__(
        self,
        pieces: Pieces | None = None,
        *,
        players: int = 2,
        to_move: str = "white",
        options: Mapping[str, Any] | None = None,
        board: Board = REFERENCE,
        start: bool = False,
        **more: Any,
    ) -> None:
        self.board = board
        self.header = Header(
            "grailnah",
            "test",
            tuple(Player(c.title(), c) for c in COLOURS[:players]),
            options or {},
            None if start else {"pieces": dict(pieces or {}), "to_move": to_move,
                                "pawn_moved": True, **more},
        )  # fmt: skip
        self.state: GrailnahState = ROOM.start(self.header, board)

    def judge(self, player: str | None, do: str, **args: Any) -> Judgement:
        """Judges an action without doing it."""
        before = self.state
        judgement = ROOM.judge(self.state, Action(player, do, args))
        assert self.state == before
        if judgement.status is Status.ILLEGAL:
            assert judgement.state is self.state
            assert judgement.message.text and judgement.message.key in CATALOGUE
        for note in judgement.notes:
            assert note.key in CATALOGUE
        return judgement

    def do(self, player: str | None, do: str, **args: Any) -> Judgement:
        """Does an action and insists that it is legal; checks the round trip of the position."""
        judgement = self.judge(player, do, **args)
        assert judgement.status is Status.LEGAL, f"{player} {do} {args}: {judgement}"
        self.state = judgement.state
        assert self.again() == self.state
        return judgement

    def refused(self, rule: str | None, player: str | None, do: str, **args: Any) -> Judgement:
        """Insists on a refusal with this rule; one about a piece says where it goes back to."""
        judgement = self.judge(player, do, **args)
        assert judgement.status is Status.ILLEGAL, judgement
        assert judgement.rule == rule, judgement
        return judgement

    def again(self) -> GrailnahState:
        """The state as made from the exported position, through JSON."""
        position = json.loads(json.dumps(ROOM.position(self.state)))
        header = Header("grailnah", "test", self.header.players, self.header.options, position)
        return ROOM.start(header, self.board)

    def move(self, player: str, piece: str, to: str) -> Judgement:
        """A pawn's legal move; ``piece`` without the colour, such as "knight/1" or "king"."""
        return self.do(player, "move", piece=full(player, piece), to=to)

    def not_move(self, rule: str, player: str, piece: str, to: str) -> Judgement:
        """A pawn's refused move."""
        judgement = self.refused(rule, player, "move", piece=full(player, piece), to=to)
        assert to in judgement.cells or judgement.rule in ("G-12", "G-20", "G-7")
        return judgement

    def cell(self, piece: str) -> str | None:
        """Where a piece stands."""
        return self.state.pieces[piece]

    def hints(self, piece: str) -> set[str]:
        """The cells that a piece can reach."""
        return set(ROOM.hints(self.state, piece))


def full(colour: str, piece: str) -> str:
    """The id of a pawn: ``full("red", "knight/2")`` is "knight/red/2"."""
    kind, _, number = piece.partition("/")
    return f"{kind}/{colour}/{number}" if number else f"{kind}/{colour}"


def keys(judgement: Judgement) -> list[str]:
    """The keys of everything that a judgement notes."""
    return [note.key for note in judgement.notes]
