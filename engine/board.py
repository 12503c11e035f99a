"""The board as data: cells, their neighbours and what else a game needs of the board file."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from engine.board_check import check_form
from engine.board_shape import check_reach, check_shape
from engine.errors import BoardFileError
from engine.files import read_json, shown
from engine.geometry import Point, area, centroid
from engine.placement import track_spot

REFERENCE = "reference"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cell:
    """One field.  ``polygon_mm`` in board millimetres; ``roles`` such as start, item, energy."""

    id: str
    polygon_mm: tuple[Point, ...]
    neighbours: tuple[str, ...]
    roles: frozenset[str]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InventoryItem:
    """How many pieces of one kind and colour the game has; ``item`` names the kind of a chip."""

    kind: str
    colour: str | None
    count: int
    item: str | None = None


@dataclass(frozen=True, eq=False)
class Board:
    """A board file, checked.  ``raw`` is the whole JSON object, unknown keys included.

    Compared by identity: who loads what has not changed while somebody holds it gets the same one,
    with all that was worked out or drawn of it.  Nobody changes ``raw``.
    """

    name: str
    game: str | None
    size_mm: tuple[float, float]
    cells: Mapping[str, Cell]
    inventory: tuple[InventoryItem, ...]
    raw: Mapping[str, Any]
    folder: Path | None = None

    @cached_property
    def track(self) -> dict[int, tuple[Point, ...]]:
        """Polygons of the energy track by value; empty when the board has none."""
        return {
            int(mark["value"]): tuple((float(x), float(y)) for x, y in mark["polygon_mm"])
            for mark in self.raw.get("energy_track", ())
        }

    @cached_property
    def spots(self) -> dict[str, tuple[Point, ...]]:
        """Polygon of every spot: the cells, and ``track/VALUE`` for the energy track."""
        cells = {c.id: c.polygon_mm for c in self.cells.values()}
        return cells | {track_spot(v): poly for v, poly in self.track.items()}

    @cached_property
    def centres(self) -> dict[str, Point]:
        """Centre of every spot in board millimetres."""
        return {spot: centroid(poly) for spot, poly in self.spots.items()}

    def home_of(self, cell: Cell) -> str | None:
        """The colour whose start cell this is (a role ``start_COLOUR``); None: nobody's."""
        for role in cell.roles:
            if role.startswith("start_"):
                colour = role.removeprefix("start_")
                return str(self.raw.get("other_colour", "blue")) if colour == "other" else colour
        return None

    def with_role(self, role: str) -> tuple[str, ...]:
        """Ids of the cells with a role, in the file's order."""
        return tuple(c.id for c in self.cells.values() if role in c.roles)

    def size_of(self, kind: str) -> tuple[float, float, float]:
        """(base x, base y, height) of a kind of piece in mm; a guess from the cells if unknown."""
        piece = self.raw.get("pieces_mm", {}).get(kind, {})
        base = piece.get("base", self.cell_size_mm * 0.55)
        if not isinstance(base, (list, tuple)):
            base = (base, base)
        return float(base[0]), float(base[1]), float(piece.get("height", max(base)))

    @cached_property
    def cell_size_mm(self) -> float:
        """Side of a typical (median) cell: the square root of its area."""
        sizes = sorted(math.sqrt(area(c.polygon_mm)) for c in self.cells.values())
        return sizes[len(sizes) // 2]


_held: WeakValueDictionary[tuple[str, str], Board] = WeakValueDictionary()


def per_board(work: Callable[[Board], T]) -> Callable[[Board], T]:
    """What is worked out of a board is worked out once, kept with it and gone with it."""
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def kept(board: Board) -> T:
        known: dict[str, Any] = vars(board)
        if name not in known:
            known[name] = work(board)
        found: T = known[name]
        return found

    return kept


def load_board(source: str | Path | Mapping[str, Any], game: str = "magalon") -> Board:
    """Reads and checks a board file, a JSON object, or ``"reference"`` (the one shipped for a game).

    Raises BoardFileError with one sentence that says what is wrong and where.
    """
    if isinstance(source, Mapping):
        return _build(source, None, "the board")
    if source == REFERENCE:
        shipped = resources.files("engine").joinpath(f"data/{game}.json")
        if not game.isidentifier() or len(game) > 99 or not shipped.is_file():
            raise BoardFileError(
                f"no reference board is shipped for {shown(game)}; name a board file"
            )
        return _known(
            ("", game), json.loads(shipped.read_text("utf-8")), None, "the reference board"
        )
    path = Path(source)
    raw = read_json(path, "the board file", BoardFileError)
    where = f"the board file {shown(path)}"
    board = _known(("file", str(path)), raw, path.parent, where)
    if board.game is not None:
        check_walkable(board, where)
    return board


def _known(key: tuple[str, str], raw: Any, folder: Path | None, where: str) -> Board:
    """The board that somebody holds already, if the file still says the same."""
    known = _held.get(key)
    if known is None or known.raw != raw:
        known = _held[key] = _build(raw, folder, where)
    return known


def check_walkable(board: Board, where: str) -> None:
    """Raises BoardFileError with one sentence if no way leads to a cell of a board that is played on."""
    check_reach({c.id: c.neighbours for c in board.cells.values()}, where)


def _build(raw: Any, folder: Path | None, where: str) -> Board:
    if not isinstance(raw, Mapping):
        raise BoardFileError(f"{where} must be a JSON object")
    if raw.get("version") != 1:
        found = shown(raw.get("version"))
        raise BoardFileError(f"{where} has version {found}; this program reads 1")
    for key in ("name", "game"):
        if not isinstance(raw.get(key), (str, type(None))):
            raise BoardFileError(f"{where} is incomplete: {key} must be a text")
    check_form(raw, where)
    try:
        width, height = (float(v) for v in raw["size_mm"])
        cells = {c["id"]: _cell(c) for c in raw["cells"]}
        inventory = tuple(
            InventoryItem(str(i["kind"]), i.get("colour"), int(i["count"]), i.get("item"))
            for i in raw.get("inventory", ())
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BoardFileError(f"{where} is incomplete: {what}") from error
    _check_cells(raw, cells, where)
    check_shape({c.id: c.polygon_mm for c in cells.values()}, (width, height), where)
    board = Board(
        str(raw.get("name") or ""), raw.get("game"), (width, height), cells, inventory, raw, folder
    )
    try:
        board.spots  # noqa: B018  builds the track and so checks it
    except (KeyError, TypeError, ValueError) as error:
        raise BoardFileError(f"{where}: the energy track is damaged ({error})") from error
    return board


def _cell(raw: Mapping[str, Any]) -> Cell:
    polygon = tuple((float(x), float(y)) for x, y in raw["polygon_mm"])
    if len(polygon) < 3 or not all(math.isfinite(v) for p in polygon for v in p):
        raise ValueError(f"cell {raw['id']} needs a polygon of three or more finite points")
    known = {"id", "polygon_mm", "neighbours", "roles"}
    return Cell(
        str(raw["id"]), polygon, tuple(raw.get("neighbours", ())), frozenset(raw.get("roles", ())),
        {k: v for k, v in raw.items() if k not in known},
    )  # fmt: skip


def _check_cells(raw: Mapping[str, Any], cells: Mapping[str, Cell], where: str) -> None:
    if not cells:
        raise BoardFileError(f"{where} has no cells")
    twice = [i for i, n in Counter(str(c["id"]) for c in raw["cells"]).items() if n > 1]
    if twice:
        raise BoardFileError(f"{where}: cell {twice[0]} is there twice")
    for cell in cells.values():
        for other in cell.neighbours:
            if other not in cells:
                raise BoardFileError(
                    f"{where}: cell {cell.id} names a neighbour {other} that does not exist"
                )
            if other == cell.id:
                raise BoardFileError(f"{where}: cell {cell.id} is its own neighbour")
            if cell.id not in cells[other].neighbours:
                raise BoardFileError(
                    f"{where}: {other} is a neighbour of {cell.id}, but not the other way round"
                )
