"""Who stands where: random, crowded, off-centre, not legal."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.training.synthesis import buildings, pieces
from models.training.synthesis.meshes import Array, Mesh
from models.training.synthesis.pieces import Piece

Rng = np.random.Generator
_ROUND = {
    "pawn": pieces.pawn, "cube": pieces.cube, "disc": pieces.disc, "chip": pieces.chip,
    "shield": pieces.shield, "meeple": pieces.meeple, "die": pieces.die, "castle": buildings.castle,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A piece on the table: its mesh in board mm, the ground it stands on, first of its ids.

    ``kind``: the same for pieces that look alike (mould and colour), -1 for ruins.
    """

    piece: Piece
    mesh: Mesh
    at: tuple[float, float]
    turn: float
    ground: float
    first_id: int
    kind: int = -1

    def labels(self) -> list[tuple[str, float, float, int]]:
        """(shape class, x, y, id or -1 for the whole piece) in board mm."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        return [
            (
                shape,
                self.at[0] + c * x - s * y,
                self.at[1] + s * x + c * y,
                self.first_id + tag if tag >= 0 else -1,
            )
            for shape, x, y, tag in self.piece.labels
        ]

    @property
    def ids(self) -> range:
        """Ids of the piece's faces in the id picture."""
        tags = max(1, 1 + max(tag for *_, tag in self.piece.labels))
        return range(self.first_id, self.first_id + tags)


def _counts(rng: Rng) -> dict[str, int]:
    """How many of each class: one of several kinds of game, or anything."""
    style = rng.choice(
        ["ruins", "pawns", "discs", "any", "few", "meeples"], p=[0.36, 0.22, 0.1, 0.16, 0.08, 0.08]
    )
    n = dict.fromkeys((*_ROUND, "l_wall"), 0)
    i = rng.integers
    if style == "ruins":
        n |= {
            "l_wall": i(2, 8),
            "pawn": i(3, 11),
            "cube": i(1, 8),
            "shield": i(1, 9),
            "chip": i(0, 6),
            "die": i(0, 3),
        }
    elif style == "pawns":
        n |= {
            "pawn": i(6, 28),
            "castle": i(0, 5) if rng.random() < 0.4 else 0,
            "cube": i(0, 3),
            "disc": i(0, 6),
            "die": i(0, 3),
        }
    elif style == "discs":
        n |= {"disc": i(5, 26), "pawn": i(0, 14), "cube": i(0, 3)}
    elif style == "any":
        n |= {k: int(i(0, 5)) for k in n}
    elif style == "few":
        n |= {k: int(i(0, 2)) for k in n}
    else:
        n |= {"meeple": i(4, 16), "cube": i(0, 6), "disc": i(0, 5), "pawn": i(0, 4)}
    crowd = float(rng.uniform(1.0, 1.8))
    return {k: int(v * crowd + 0.5) for k, v in n.items()}


def _spot(
    rng: Rng,
    board: tuple[float, float],
    taken: list[tuple[float, float, float]],
    radius: float,
    aside: float,
    step: float,
) -> tuple[float, float] | None:
    """A free place; ``aside``: chance to lie beside the board; ``step``: lattice to stand on."""
    w, h = board
    for _ in range(14):
        if rng.random() < aside:
            t = rng.uniform(0, 2 * np.pi)
            k = 0.5 / max(abs(np.cos(t)), abs(np.sin(t)))
            p = np.array([w / 2 + np.cos(t) * w * k, h / 2 + np.sin(t) * h * k])
            p += np.array([np.cos(t), np.sin(t)]) * rng.uniform(radius + 3, 75)
        elif taken and rng.random() < 0.3:
            x, y, r = taken[int(rng.integers(len(taken)))]
            t = rng.uniform(0, 2 * np.pi)
            gap = (r + radius) * rng.uniform(0.9, 1.25) + rng.uniform(0, 6)
            p = np.array([x + np.cos(t) * gap, y + np.sin(t) * gap])
        else:
            p = rng.uniform(0.02, 0.98, 2) * (w, h)
            if step:
                p = (np.floor(p / step) + 0.5) * step + rng.normal(0, step * 0.08, 2)
        if all(np.hypot(p[0] - x, p[1] - y) > 0.88 * (r + radius) for x, y, r in taken):
            return float(p[0]), float(p[1])
    return None


def populate(rng: Rng, board: tuple[float, float], thick: float) -> list[Placed]:
    """Pieces on the board and some beside it; pawns also stand on the plates of ruins."""
    counts = _counts(rng)
    # Some sets are large for their board, so that a piece is as wide as a draughts cell.
    scale = float(rng.uniform(1.25, 2.0)) if rng.random() < 0.3 else 1.0
    if scale > 1 and rng.random() < 0.5:
        counts["l_wall"] = 0
    cell = float(rng.uniform(22, 42))
    step = float(rng.uniform(24, 55)) if rng.random() < 0.6 else 0.0
    taken: list[tuple[float, float, float]] = []
    out: list[Placed] = []
    next_id = 1
    plates: list[tuple[float, float]] = []

    def put(
        piece: Piece, at: tuple[float, float], turn: float, ground: float, kind: int = -1
    ) -> None:
        nonlocal next_id
        mesh = piece.mesh.moved((*at, ground), turn)
        placed = Placed(piece, mesh, at, turn, ground, next_id, kind)
        next_id = placed.ids.stop
        out.append(placed)

    for _ in range(counts.pop("l_wall")):
        piece = buildings.l_wall(rng, cell)
        at = _spot(rng, board, taken, piece.radius * 0.8, 0.02, cell)
        if at and next_id < 200:
            turn = float(rng.integers(4)) * np.pi / 2 + rng.normal(0, 0.06)
            inside = 0 <= at[0] <= board[0] and 0 <= at[1] <= board[1]
            put(piece, at, turn, 0.0 if inside else -thick)
            cells = [(x, y, cell * 0.42) for s, x, y, _ in out[-1].labels() if s == "wall"]
            taken += cells
            plates += [(x, y) for x, y, _ in cells]
    palette = [pieces.piece_colour(rng) for _ in range(int(rng.integers(2, 6)))]
    makers = {k: _same_maker(rng, k, i * 100, palette) for i, k in enumerate(counts)}
    kinds = [k for k, n in counts.items() for _ in range(n)]
    rng.shuffle(kinds)
    for kind in kinds:
        piece, look = makers[kind]()
        piece = piece.scaled(scale)
        aside = {"die": 0.75, "shield": 0.25, "chip": 0.15}.get(kind, 0.04)
        if plates and kind in ("pawn", "shield", "chip") and rng.random() < 0.22:
            x, y = plates.pop(int(rng.integers(len(plates))))
            at = (x + float(rng.normal(0, 3)), y + float(rng.normal(0, 3)))
        else:
            at = _spot(rng, board, taken, piece.radius, aside, step)  # type: ignore[assignment]
        if at is None or next_id >= 240:
            continue
        inside = -4 <= at[0] <= board[0] + 4 and -4 <= at[1] <= board[1] + 4
        put(piece, at, float(rng.uniform(0, 2 * np.pi)), 0.0 if inside else -thick, look)
        taken.append((*at, piece.radius))
    return out


def _same_maker(
    rng: Rng, kind: str, first: int, palette: list[Array]
) -> Callable[[], tuple[Piece, int]]:
    """Pieces of one set look alike: a generator that repeats a few moulds in several colours.

    Mostly the kinds of a set share the players' colours, so that colour doesn't tell the kind.
    Gives a piece and the number of its look, from ``first`` on.
    """
    make = _ROUND[kind]
    number = itertools.count(first)
    if kind in ("castle", "die") or rng.random() < 0.2:
        return lambda: (make(rng), next(number))
    moulds = [int(rng.integers(2**31)) for _ in range(int(rng.integers(1, 4)))]
    tints = palette
    if rng.random() < 0.25:
        tints = [pieces.piece_colour(rng) for _ in range(int(rng.integers(1, 5)))]

    def again() -> tuple[Piece, int]:
        m, t = int(rng.integers(len(moulds))), int(rng.integers(len(tints)))
        piece = make(np.random.default_rng(moulds[m]))
        if kind in ("pawn", "cube", "disc", "meeple", "shield"):
            base = piece.mesh.colours[0].copy()
            same = np.abs(piece.mesh.colours - base).max(1) < 0.1
            piece.mesh.colours[same] = tints[t]
        return piece, first + m * len(tints) + t

    return again
