"""Reads a position and checks that a game can have reached it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from engine.carcassonne.arguments import feature_arg, meeple_arg, pos_arg, rot_arg, tile_arg
from engine.carcassonne.duties import MAGIC, UNION, joined_region
from engine.carcassonne.faces import Kind, Pos, cell
from engine.carcassonne.outcome import Refusal
from engine.carcassonne.placing import check_fits
from engine.carcassonne.setup import FIGURES, SMALL, Setup
from engine.carcassonne.state import CarcassonneState, Meeple, Spot, Turn
from engine.carcassonne.tilemap import EMPTY_MAP, TileMap
from engine.carcassonne.tiles import faces, plain, tiles
from engine.errors import PositionError


class Reader:
    """Reads one position over the beginning of the game."""

    def __init__(self, setup: Setup, raw: Any) -> None:
        if not isinstance(raw, Mapping):
            raise PositionError("the position must be an object")
        self._setup, self._raw = setup, raw
        self._map: TileMap = EMPTY_MAP

    def read(self, first: CarcassonneState) -> CarcassonneState:
        """The state; raises PositionError with one sentence."""
        try:
            return self._read(first)
        except Refusal as refusal:
            raise PositionError(f"the position cannot be: {refusal.message.text}") from refusal

    def _read(self, first: CarcassonneState) -> CarcassonneState:
        self._map = self._tiles() if self._raw.get("tiles") is not None else first.map
        meeples, figures = self._meeples()
        aside = self._set_aside()
        state = first.but(
            map=self._map,
            meeples=meeples,
            figures=figures,
            set_aside=aside,
            deck=self._deck(aside),
            hands=self._hands(first, meeples),
            points=self._points(first),
            to_move=self._to_move(first),
            over=self._flag(self._raw, "over"),
        )
        state = state.but(turn=self._turn())
        self._check(state)
        return state

    def _list(self, key: str) -> list[Any]:
        value = self._raw.get(key)
        if value is None:
            return []
        if not isinstance(value, (list, tuple)):
            raise PositionError(f'"{key}" of the position must be a list')
        return list(value)

    def _objects(self, key: str) -> Iterator[Mapping[str, Any]]:
        for entry in self._list(key):
            if not isinstance(entry, Mapping):
                raise PositionError(f'"{key}" of the position must be a list of objects')
            yield entry

    def _object(self, key: str) -> Mapping[str, Any]:
        value = self._raw.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise PositionError(f'"{key}" of the position must be an object')
        return value

    @staticmethod
    def _flag(raw: Mapping[str, Any], key: str) -> bool:
        value = raw.get(key, False)
        if not isinstance(value, bool):
            raise PositionError(f'"{key}" of the position must be true or false')
        return value

    # -- the table -------------------------------------------------------------------------------

    def _tiles(self) -> TileMap:
        """The map; tiles may be listed in any order in which each touches an earlier one, or,
        failing that, in any order at all."""
        waiting = [(tile_arg(t), rot_arg(t), pos_arg(t)) for t in self._objects("tiles")]
        if not waiting:
            raise PositionError("the position needs at least one tile")
        known = _laid(tuple(waiting))
        if known is not None:
            return known
        tilemap = EMPTY_MAP
        while waiting:
            ready = next(
                (w for w in waiting if not tilemap.placed or w[2] in tilemap.frontier), None
            )
            tile, rot, pos = ready or waiting[0]
            face = faces(tile)[rot // 90]
            waiting.remove((tile, rot, pos))
            check_fits(tilemap, face, pos)
            tilemap = tilemap.place(face, pos)
        return tilemap

    def _spot(self, entry: Mapping[str, Any], rule: str) -> Spot:
        pos = pos_arg(entry)
        if pos not in self._map.placed:
            raise PositionError(f"the position has a figure on {cell(pos)}, where no tile lies")
        return pos, feature_arg(self._map.placed[pos].face, entry, pos, rule)

    def _meeples(self) -> tuple[dict[Spot, Meeple], dict[str, Spot | None]]:
        """Meeples by spot, and mage and witch (also if listed among the meeples)."""
        meeples: dict[Spot, Meeple] = {}
        figures: dict[str, Spot | None] = dict.fromkeys(FIGURES)
        for who, entry in self._figure_entries():
            figures[who] = None if entry is None else self._spot(entry, "W-2")
        for entry in self._objects("meeples"):
            spot = self._spot(entry, "C-3")
            kind = entry.get("kind", SMALL)
            if kind in FIGURES:
                figures[kind] = spot
                continue
            owner = self._colour(entry.get("player", entry.get("owner")))
            if spot in meeples:
                raise PositionError(f"two meeples stand on one feature of the tile {cell(spot[0])}")
            size = meeple_arg(entry)
            taken = {m.number for m in meeples.values() if (m.owner, m.kind) == (owner, size)}
            number = entry.get("n")
            if number is None:
                number = next(n for n in range(1, len(taken) + 2) if n not in taken)
            if _count(number, "meeples") in taken or number == 0:
                raise PositionError(f"the position has a meeple {number} of {owner} twice")
            meeples[spot] = Meeple(owner, size, number)
        return meeples, figures

    def _figure_entries(self) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
        named = self._object("figures")
        for who in FIGURES:
            entry = named.get(who, self._raw.get(who))
            if not isinstance(entry, (Mapping, type(None))):
                raise PositionError(f'the {who} must be an object with "pos" and "at", or null')
            yield who, entry

    # -- beside the table ------------------------------------------------------------------------

    def _colour(self, value: Any) -> str:
        if isinstance(value, str):
            if value in self._setup.seats:
                return value
            for colour, name in self._setup.names.items():
                if name == value:
                    return colour
        raise PositionError(f"the players are {', '.join(self._setup.seats)}, not {value!r}")

    def _set_aside(self) -> tuple[str, ...]:
        return tuple(_known(tile, "set_aside") for tile in self._list("set_aside"))

    def _deck(self, aside: Iterable[str]) -> dict[str, int]:
        value = self._raw.get("deck")
        if value is None:
            left = Counter(self._setup.counts)
            left.subtract(plain(p.tile) for p in self._map.placed.values())
            left.subtract(plain(tile) for tile in aside)
            over = [tile for tile, count in left.items() if count < 0]
            if over:
                raise PositionError(f"the position has more tiles {over[0]} than there are")
            return dict(left)
        deck: Counter[str] = Counter(dict.fromkeys(self._setup.counts, 0))
        if isinstance(value, Mapping):
            for tile, count in value.items():
                # None: a correction says that there are none left of a kind.
                deck[plain(_known(tile, "deck"))] += 0 if count is None else _count(count, "deck")
        elif isinstance(value, (list, tuple)):
            for entry in value:
                tile = entry.get("tile") if isinstance(entry, Mapping) else entry
                deck[plain(_known(tile, "deck"))] += 1
        else:
            raise PositionError('"deck" of the position must be a list of tiles, or counts by tile')
        return dict(deck)

    def _hands(
        self, first: CarcassonneState, meeples: Mapping[Spot, Meeple]
    ) -> dict[str, dict[str, int]]:
        hands = {c: dict(hand) for c, hand in first.hands.items()}
        used = Counter((m.owner, m.kind) for m in meeples.values())
        for (owner, kind), count in used.items():
            hands[owner][kind] = hands[owner].get(kind, 0) - count
        for who, value in self._object("hands").items():
            colour = self._colour(who)
            given = value if isinstance(value, Mapping) else {SMALL: value}
            for kind, count in given.items():
                hands[colour][meeple_arg({"kind": kind})] = _count(count, "hands")
        for colour, hand in hands.items():
            if any(count < 0 for count in hand.values()):
                raise PositionError(f"{colour} has more meeples on the table than there are")
        return hands

    def _points(self, first: CarcassonneState) -> dict[str, dict[str, int]]:
        points = {c: dict(p) for c, p in first.points.items()}
        for who, given in self._object("points").items():
            if not isinstance(given, Mapping):
                raise PositionError('"points" of the position must be an object per player')
            for kind, count in given.items():
                if kind not in points[self._colour(who)]:
                    raise PositionError(f'"points" of the position has no {kind!r}')
                points[self._colour(who)][kind] = _count(count, "points")
        for who, value in self._object("scores").items():
            mine = points[self._colour(who)]
            total = _count(value, "scores")
            if total < sum(mine.values()) - mine["before"]:
                mine.update(dict.fromkeys(mine, 0))  # set lower by hand: the parts are void
            mine["before"] += total - sum(mine.values())
        return points

    def _to_move(self, first: CarcassonneState) -> str:
        value = self._raw.get("to_move")
        return first.to_move if value is None else self._colour(value)

    def _turn(self) -> Turn:
        raw = self._object("turn")
        if not raw:
            return Turn()
        pos: Pos = pos_arg(raw)
        duty = raw.get("duty", ())
        moved = raw.get("moved")
        if not isinstance(duty, (list, tuple)) or not set(duty) <= {MAGIC, UNION}:
            raise PositionError(f'"duty" of the turn must be a list of "{MAGIC}" and "{UNION}"')
        if moved not in (None, *FIGURES) or pos not in self._map.placed:
            raise PositionError('"turn" of the position needs "pos" of a tile and a known figure')
        return Turn(pos, self._flag(raw, "meeple"), frozenset(duty), moved)

    # -- sense -----------------------------------------------------------------------------------

    def _check(self, state: CarcassonneState) -> None:
        """What no game can have reached."""
        joined = joined_region(state) is not None
        if joined != (UNION in state.turn.duty):
            raise PositionError("mage and witch may share a feature only while one has to move")
        for who, spot in state.figures.items():
            if spot is not None and state.region(spot).kind not in (Kind.ROAD, Kind.CITY):
                raise PositionError(f"the {who} stands on what is neither road nor city")
        if state.turn.tile is not None or state.over:
            return
        for pos, number in state.meeples:
            if state.map.region_at(pos, number).complete:
                raise PositionError(
                    f"the feature with the meeple on {cell(pos)} is complete: count it and take "
                    "the meeple back"
                )


@lru_cache(maxsize=512)
def _laid(tiles: tuple[tuple[str, int, Pos], ...]) -> TileMap | None:
    """The map of tiles laid one after another; None where one does not fit then.  Remembered, so
    that the positions of one game cost one tile each."""
    if not tiles:
        return EMPTY_MAP
    before = _laid(tiles[:-1])
    if before is None:
        return None
    tile, rot, pos = tiles[-1]
    face = faces(tile)[rot // 90]
    try:
        check_fits(before, face, pos)
    except Refusal:
        return None
    return before.place(face, pos)


def _known(tile: Any, key: str) -> str:
    if not isinstance(tile, str) or tile not in tiles():
        raise PositionError(f'"{key}" of the position names a tile {tile!r} that does not exist')
    return tile


def _count(value: Any, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 9999:
        raise PositionError(f'"{key}" of the position must hold whole numbers from 0')
    return value
