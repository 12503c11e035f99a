"""What a late referee of Das Magische Hexagon has to be told, and the position that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.board import Board
from engine.game import Header
from engine.hexagon.setup import GOAL, VALUES, make_setup
from engine.hexagon.state import Phase
from engine.joining import JoinQuestion
from engine.placement import Placement
from engine.verdict import Message

LEAST = min(VALUES) * VALUES[min(VALUES)]
PHASES = (Phase.MOVING.value, Phase.PLACING.value)


def questions(
    header: Header, board: Board, placement: Placement, answers: Mapping[str, Any]
) -> tuple[JoinQuestion, ...]:
    """Who moves, the points, and whether wisdoms are still being placed."""
    seats = make_setup(header, board).seats
    asked = [
        JoinQuestion(
            "phase", Message("join.phase", "What is being done?"), "one", PHASES[0], PHASES
        ),
        JoinQuestion("to_move", Message("join.to_move", "Who moves now?"), "one", seats[0], seats),
    ]
    if answers.get("phase", PHASES[0]) == PHASES[0]:
        asked += [
            JoinQuestion(
                f"points/{c}", Message("join.points", f"Points of {c}", {"player": c}), "number", 0,
                (), LEAST, GOAL - 1,
            )
            for c in seats
        ]  # fmt: skip
    return tuple(asked)


def position(header: Header, placement: Placement, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The position of pieces and answers; no value is known of wisdoms that lie."""
    out: dict[str, Any] = {
        "phase": answers["phase"],
        "to_move": answers["to_move"],
        "pieces": {p: spots[0] if spots else None for p, spots in placement.pieces.items()},
    }
    points = {k.partition("/")[2]: v for k, v in answers.items() if k.startswith("points/")}
    return out | ({"scores": points} if any(points.values()) else {})
