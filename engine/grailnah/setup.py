"""What stays the same for a whole game of Grailnah: board, seats, teams, castles, switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from engine.board import Board
from engine.errors import BoardFileError, BoardwardenError, PositionError
from engine.game import Header
from engine.grailnah.rings import Rings, rings_of

KNIGHTS = 4
FIRST = "white"
MERLIN_RUN = 3
SPECIALS = ("merlin", "morgane")
ROYALS = ("king", "queen")

# Switches: the ambiguity's id and its readings; the first one is the default.
SWITCHES: Mapping[str, tuple[str, ...]] = {
    "G-A1": ("a", "b"),
    "G-A2": ("a", "b"),
    "G-A3": ("a", "b"),
    "G-A4": ("a", "b"),
    "G-A5": ("a", "b"),
    "G-A7": ("a", "b"),
    "G-A8": ("a", "b"),
    "G-A9": ("a", "b"),
    "G-A11": ("a", "b"),
    "G-A13": ("a", "b"),
    "G-A14": ("a", "b"),
    "G-A16": ("a", "b"),
    "G-A17": ("a", "b"),
    "G-A18": ("a", "b"),
    "G-A20": ("a", "b"),
    "G-A22": ("a", "b"),
    "G-A24": ("a", "b"),
    "G-A25": ("a", "b"),
    "G-A26": ("a", "b"),
    "G-A30": ("a", "b"),
}
TEAMS = "teams"


@dataclass(frozen=True, eq=False)
class Setup:
    """The unchanging part of a state.

    ``castles``: castle place of every colour; ``teams``: the colours of each side, two pairs when
    four play, else everybody alone.
    """

    board: Board
    rings: Rings
    seats: tuple[str, ...]
    names: Mapping[str, str]
    options: Mapping[str, str]
    teams: tuple[frozenset[str], ...]
    castles: Mapping[str, str]

    def option(self, key: str) -> str:
        """The reading in force for a switch."""
        return self.options.get(key, SWITCHES[key][0])

    @cached_property
    def castle_at(self) -> Mapping[str, str]:
        """The colour of the castle on a cell."""
        return {cell: colour for colour, cell in self.castles.items()}

    @cached_property
    def first(self) -> str:
        """Who begins: white (G-6), or the first seat where nobody plays white."""
        return FIRST if FIRST in self.seats else self.seats[0]

    @cached_property
    def side_of(self) -> Mapping[str, frozenset[str]]:
        """Who wins together with a colour, itself included."""
        return {c: team for team in self.teams for c in team}

    def friends(self, a: str, b: str) -> bool:
        """Whether the pawns of two colours count as one player's (G-A5)."""
        return a == b or (self.option("G-A5") == "b" and b in self.side_of[a])

    def knights(self, colour: str) -> tuple[str, ...]:
        """The ids of a player's knights, lowest first."""
        return tuple(f"knight/{colour}/{n}" for n in range(1, KNIGHTS + 1))

    def pawns(self, colour: str) -> tuple[str, ...]:
        """The ids of a player's six pawns."""
        return (*self.knights(colour), f"king/{colour}", f"queen/{colour}")

    def after(self, colour: str) -> str:
        """The next seat clockwise."""
        return self.seats[(self.seats.index(colour) + 1) % len(self.seats)]


@lru_cache(maxsize=256)
def kind_of(piece: str) -> str:
    """The kind in a piece id."""
    return piece.partition("/")[0]


@lru_cache(maxsize=256)
def owner_of(piece: str) -> str | None:
    """The colour of a pawn; None for Merlin and Morgane."""
    return piece.split("/")[1] if "/" in piece else None


def make_setup(header: Header, board: Board) -> Setup:
    """Reads board and header; raises BoardwardenError with one sentence."""
    seats = tuple(p.colour for p in header.players)
    _check_seats(seats, board)
    rings = rings_of(board)
    return Setup(
        board=board,
        rings=rings,
        seats=seats,
        names={p.colour: p.name or p.colour for p in header.players},
        options=_options(header.options),
        teams=_teams(header.options.get(TEAMS), seats),
        castles=_castles(header, board, rings, seats),
    )


def _check_seats(seats: tuple[str, ...], board: Board) -> None:
    if not 2 <= len(seats) <= 4:
        raise PositionError(f"Grailnah is for 2 to 4 players, not {len(seats)}")
    if len(set(seats)) != len(seats):
        raise PositionError("two players have the same colour")
    colours = [i.colour for i in board.inventory if i.kind == "king" and i.colour]
    for seat in seats:
        if "/" in seat or not seat:
            raise PositionError(f"{seat!r} is no colour")
        if colours and seat not in colours:
            raise PositionError(f"there is no {seat} king; the colours are {', '.join(colours)}")


def _options(given: Mapping[str, Any]) -> dict[str, str]:
    known = "; ".join(f"{k}: {', '.join(v)}" for k, v in SWITCHES.items())
    switches = {k: v for k, v in given.items() if k != TEAMS}
    for key, value in switches.items():
        if key not in SWITCHES or value not in SWITCHES[key]:
            raise BoardwardenError(
                f"Grailnah has no option {key!r} with value {value!r}; the options are {TEAMS}; "
                f"{known}"
            )
    return {k: str(v) for k, v in switches.items() if v != SWITCHES[k][0]}


def _teams(given: Any, seats: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Two pairs that sit opposite each other (G-1, G-A35), or as the option says."""
    if given is None:
        if len(seats) < 4:
            return tuple(frozenset({c}) for c in seats)
        return frozenset(seats[::2]), frozenset(seats[1::2])
    wanted = 'teams must be two pairs of the four players, such as [["white", "blue"], ["red", "yellow"]]'
    if not isinstance(given, (list, tuple)) or len(seats) != 4 or len(given) != 2:
        raise BoardwardenError(wanted)
    if not all(isinstance(t, (list, tuple)) and len(t) == 2 for t in given):
        raise BoardwardenError(wanted)
    if sorted(str(c) for t in given for c in t) != sorted(seats):
        raise BoardwardenError(wanted)
    return tuple(frozenset(str(c) for c in t) for t in given)


def _castles(header: Header, board: Board, rings: Rings, seats: tuple[str, ...]) -> dict[str, str]:
    """Where the castles stand: as the position says (they are drawn by lot, G-5), else in seat
    order on the places that the board file names for so many players."""
    position = header.position if isinstance(header.position, Mapping) else {}
    pieces = position.get("pieces")
    drawn: dict[str, str] = {}
    for seat in seats:
        key = f"castle/{seat}"
        if isinstance(pieces, Mapping) and key in pieces:
            cell = pieces[key]
            if not isinstance(cell, str) or cell not in rings.gates:
                places = ", ".join(rings.gates)
                raise PositionError(
                    f"position: {key} must stand on a castle place ({places}), not on {cell!r}"
                )
            drawn[seat] = cell
    if len(set(drawn.values())) != len(drawn):
        raise PositionError("position: two castles stand on the same place")
    free = [p for p in _places(board, rings, len(seats)) if p not in drawn.values()]
    missing = [s for s in seats if s not in drawn]
    if len(free) < len(missing):
        raise BoardFileError(
            f"the board names no {len(seats)} castle places with gates (castle_places, castles)"
        )
    drawn |= dict(zip(missing, free, strict=False))
    return {s: drawn[s] for s in seats}


def _places(board: Board, rings: Rings, players: int) -> list[str]:
    raw = board.raw.get("castle_places", {})
    named = raw.get(str(players), ()) if isinstance(raw, Mapping) else ()
    if not isinstance(named, (list, tuple)):
        raise BoardFileError("castle_places must map numbers of players to lists of cells")
    return [p for p in named if isinstance(p, str) and p in rings.gates]
