"""A reference board with a two-player starting arrangement, and eyes that see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from engine.board import Board, load_board
from engine.observation import CellView, Observation
from engine.placement import PieceInfo, Placement
from engine.simulation.eyes import Eyes
from engine.simulation.noise import Noise

COLOURS = ("violet", "green", "red", "orange")
PERFECT = Noise(jitter=0.0, colour=0.0)
Look = Callable[..., Observation]


@pytest.fixture(scope="session")
def board() -> Board:
    return load_board("reference")


@pytest.fixture
def table(board: Board) -> Placement:
    pieces: dict[str, tuple[str, ...]] = {}
    infos: dict[str, PieceInfo] = {}

    def put(piece: str, colour: str | None, *spots: str) -> None:
        pieces[piece] = spots
        infos[piece] = PieceInfo(piece, piece.split("/")[0], colour)

    for colour in COLOURS:
        put(f"wizard/{colour}", colour, "start")
        put(f"shield/{colour}", colour)
        put(f"energy_stone/{colour}", colour, "track/10")
    put("giant", "black", "h11")
    put("goblin/1", "black", "e11")
    put("goblin/2", "black", "k11")
    for n, cells in enumerate(board.raw["ruin_start"], 1):
        put(f"ruin/{n}", "grey", *cells)
    return Placement(pieces, infos)


@pytest.fixture
def look(board: Board, table: Placement) -> Look:
    """look(moves, hidden=…, changed=…, noise=…, off=…, seed=…) gives one observation."""

    def see(
        moves: Mapping[str, tuple[str, ...] | None] | None = None,
        *,
        hidden: tuple[str, ...] = (),
        changed: frozenset[str] | None = None,
        noise: Noise = PERFECT,
        off: Mapping[str, tuple[float, float]] | None = None,
        dice: tuple[int, ...] = (),
        seed: int = 3,
    ) -> Observation:
        eyes = Eyes(board, table.infos, noise, seed)
        views = dict.fromkeys(hidden, CellView.HIDDEN)
        pieces = eyes.look(dict(table.pieces) | dict(moves or {}), views, off or {}, dice)
        return Observation(5.0, True, False, pieces, views, changed, 2.0)

    return see
