"""Reads a position; every fault is one sentence of a PositionError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import PositionError
from engine.magalon.setup import ITEMS, Setup
from engine.magalon.state import CARDS, Early, Hit, MagalonState, Part, Path, Turn
from engine.position_fields import PositionFields

BOOKINGS = ("card", "red", "loss")


class Reader(PositionFields[Setup]):
    """Turns one JSON position into a state."""

    def read(self, first: MagalonState) -> MagalonState:
        """The state, with what is left out taken from the beginning of the game."""
        pieces, ruins = self._pieces(first)
        table, acted = self._table(), self._acted()
        hands, played = self._cards(table, acted)
        base = first.but(
            pieces=pieces,
            ruins=ruins,
            energy={c: self._energy(c) for c in self.setup.seats},
            items={c: self._items(c) for c in self.setup.seats},
            hands=hands,
            played=played,
            round=self._number("round", 1, 1),
            first_layer=self._first_layer(table),
            table=table,
            acted=acted,
        )
        winner = self.raw.get("winner")
        base = base.but(winner=self.seat(winner, "winner") if winner is not None else None)
        return base.but(turn=self._turn(base))

    # -- small readers -------------------------------------------------------------------------

    def _number(self, key: str, low: int, default: int) -> int:
        value = self.raw.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise PositionError(f"position: {key} must be a whole number from {low}")
        return value

    def _names(self, value: Any, known: tuple[str, ...], what: str) -> frozenset[str]:
        names = self.entries(value, what)
        for name in names:
            if name not in known:
                raise PositionError(f"position: {what} names {name!r}, not {', '.join(known)}")
        if len(set(names)) != len(names):
            raise PositionError(f"position: {what} names something twice")
        return frozenset(names)

    # -- pieces, energy, items, cards ----------------------------------------------------------

    def _pieces(
        self, first: MagalonState
    ) -> tuple[dict[str, str | None], tuple[frozenset[str], ...]]:
        pieces, ruins = dict(first.pieces), list(first.ruins)
        for piece, at in self.mapping("pieces").items():
            kind, _, which = piece.partition("/")
            if piece in pieces:
                pieces[piece] = None if at is None else self.cell(at, piece)
            elif kind == "ruin" and which.isdigit() and 0 < int(which) <= len(ruins):
                cells = [self.cell(c, piece) for c in self.entries(at, piece)]
                if len(set(cells)) != len(cells):
                    raise PositionError(f"position: {piece} names a cell twice")
                ruins[int(which) - 1] = frozenset(cells)
            elif kind == "energy_stone" or (kind in ("wizard", "shield") and at is None):
                continue
            else:
                raise PositionError(f"position: there is no piece {piece} in this game")
        return pieces, tuple(ruins)

    def _energy(self, colour: str) -> int:
        value = self.mapping("energy").get(colour, 10)
        top = self.setup.top
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= top:
            raise PositionError(f"position: the energy of {colour} must be from 0 to {top}")
        return value

    def _items(self, colour: str) -> frozenset[str]:
        return self._names(self.mapping("items").get(colour), ITEMS, f"items of {colour}")

    def _set_of_cards(self, value: Any, what: str) -> frozenset[int]:
        cards = self.entries(value, what)
        for card in cards:
            if isinstance(card, bool) or not isinstance(card, int) or card not in CARDS:
                raise PositionError(f"position: {what} holds {card!r}; cards are 0 to 10")
        if len(set(cards)) != len(cards):
            raise PositionError(f"position: {what} holds a card twice")
        return frozenset(cards)

    def _table(self) -> tuple[tuple[str, int | None], ...]:
        table: list[tuple[str, int | None]] = []
        for entry in self.entries(self.raw.get("table"), "table"):
            pair = self.entries(entry, "an entry of table")
            if len(pair) != 2:
                raise PositionError("position: an entry of table is [colour, card]")
            colour = self.seat(pair[0], "table")
            if pair[1] in (None, "pass"):
                table.append((colour, None))
                continue
            self._set_of_cards([pair[1]], "table")
            table.append((colour, pair[1]))
        return tuple(table)

    def _acted(self) -> tuple[str, ...]:
        names = [self.seat(c, "acted") for c in self.entries(self.raw.get("acted"), "acted")]
        if len(set(names)) != len(names):
            raise PositionError("position: acted names a player twice")
        return tuple(names)

    def _cards(
        self, table: tuple[tuple[str, int | None], ...], acted: tuple[str, ...]
    ) -> tuple[dict[str, frozenset[int]], dict[str, frozenset[int]]]:
        """Hands and face-down cards; what is left out follows from the other and the table."""
        hands, played = {}, {}
        for colour in self.setup.seats:
            card = dict(table).get(colour)
            lies = set() if card is None else {card}
            if colour in acted and card not in (None, 4):
                lies = set()
            down = self._set_of_cards(self.mapping("played").get(colour), f"played of {colour}")
            has_hand = colour in self.mapping("hands")
            hand = self._set_of_cards(self.mapping("hands").get(colour), f"hand of {colour}")
            if not has_hand:
                if colour in acted and card is not None and card not in (0, 4):
                    down |= {card}
                hand = CARDS - down - lies
            elif colour not in self.mapping("played"):
                down = CARDS - hand - lies
            if colour in acted and card is not None and card not in hand | down | {0, 4}:
                down |= {card}
            hands[colour], played[colour] = hand, down
        return hands, played

    def _first_layer(self, table: tuple[tuple[str, int | None], ...]) -> str:
        given = self.raw.get("first_layer")
        if given is not None:
            return self.seat(given, "first_layer")
        if table:
            return table[0][0]
        to_move = self.raw.get("to_move")
        return self.seat(to_move, "to_move") if to_move is not None else self.setup.seats[0]

    # -- the running turn ----------------------------------------------------------------------

    def _turn(self, state: MagalonState) -> Turn:
        actor = state.winner or (None if state.laying else state.to_act)
        walk, attackers = None, []
        for piece, value in self.mapping("paths").items():
            path = self._path(state, piece, value)
            if path is None:
                continue
            if piece == f"wizard/{actor}":
                walk = path
            elif piece in state.attackers:
                attackers.append((piece, path))
            else:
                raise PositionError(f"position: {piece} has no path in this turn")
        displaced = self._displaced() | {h.colour for _, w in attackers for h in w.hits}
        early = tuple(self._early(v) for v in self.entries(self.raw.get("early"), "early"))
        red = self.raw.get("red") or ""
        if red not in ("", "open", "stay"):
            raise PositionError('position: red must be "open" or "stay"')
        return Turn(
            walk=walk,
            red=red,
            attackers=tuple(sorted(attackers)),
            dice=self._dice(),
            slid=self._number("slid", 0, 0),
            lifted=bool(self.raw.get("lifted", False)),
            shield_moved=bool(self.raw.get("shield_moved", False)),
            booked=self._booked(state, actor),
            displaced=displaced | {e.hit.colour for e in early},
            early=early,
        )

    def _booked(self, state: MagalonState, actor: str | None) -> frozenset[str]:
        value = self.raw.get("energy_booked")
        if isinstance(value, Mapping):
            value = [k for k, v in value.items() if v]
        if not isinstance(value, bool) and isinstance(value, int):
            value = value != 0
        if isinstance(value, bool):
            gain = actor is not None and state.card(actor) in (1, 2)
            return frozenset({"card" if gain else "loss"}) if value else frozenset()
        return self._names(value, BOOKINGS, "energy_booked")

    def _displaced(self) -> frozenset[str]:
        value = self.raw.get("displaced")
        names = list(value) if isinstance(value, Mapping) else self.entries(value, "displaced")
        return frozenset(
            self.seat(n.removeprefix("wizard/") if isinstance(n, str) else n, "displaced")
            for n in names
        )

    def _dice(self) -> tuple[int, int] | None:
        value = self.raw.get("giant_rolled")
        if value is None or value is False:
            return None
        dice = self.entries(value, "giant_rolled")
        fine = len(dice) == 2 and all(type(d) is int and 1 <= d <= 6 for d in dice)
        if not fine:
            raise PositionError("position: giant_rolled must be two numbers from 1 to 6, or null")
        return dice[0], dice[1]

    def _path(self, state: MagalonState, piece: str, value: Any) -> Path | None:
        if isinstance(value, (list, tuple)):
            return self._known_path(state, piece, value)
        if not isinstance(value, Mapping):
            raise PositionError(f"position: the path of {piece} must be an object")
        parts = tuple(self._part(p) for p in self.entries(value.get("parts"), "parts"))
        hits = tuple(self._hit(h) for h in self.entries(value.get("hits"), "hits"))
        return Path(
            origin=self.cell(value.get("from"), f"the beginning of the path of {piece}"),
            parts=parts,
            done=bool(value.get("done", False)),
            items=self._names(value.get("items"), ITEMS, "items of a path"),
            must=self._names(value.get("must"), ITEMS, "must of a path"),
            leave=self._names(value.get("leave"), ITEMS, "leave of a path"),
            hits=hits,
        )

    def _known_path(
        self, state: MagalonState, piece: str, value: list[Any] | tuple[Any, ...]
    ) -> Path | None:
        """A bare list: all cells of the path, its origin first."""
        cells = [self.cell(c, f"the path of {piece}") for c in value]
        if len(cells) < 2:
            return None
        part = Part(cells[-1], frozenset(), tuple(cells[1:-1]))
        actor = state.to_act
        steps = state.card(actor) if actor and piece == f"wizard/{actor}" else None
        if piece.startswith("goblin/") and actor:
            steps = self.setup.goblin_steps.get(state.card(actor) or 0)
        if piece == "giant":
            steps = sum(self._dice() or ())
        return Path(cells[0], (part,), done=steps == len(cells) - 1)

    def _part(self, value: Any) -> Part:
        if not isinstance(value, Mapping):
            raise PositionError("position: a part of a path must be an object")
        via = value.get("via")
        return Part(
            self.cell(value.get("to"), "a part of a path"),
            frozenset(self.cell(c, "closed") for c in self.entries(value.get("closed"), "closed")),
            tuple(self.cell(c, "via") for c in self.entries(via, "via"))
            if via is not None
            else None,
            bool(value.get("bonus", False)),
        )

    def _hit(self, value: Any) -> Hit:
        part = self._part(value)
        steps = value.get("steps", 5)
        if isinstance(steps, bool) or steps not in (0, 5, 10):
            raise PositionError("position: a displaced wizard has gone 5 or 10 steps")
        return Hit(
            self.seat(value.get("player"), "a displaced wizard"),
            self.cell(value.get("from"), "a displaced wizard"),
            part,
            steps,
            self._names(value.get("items"), ITEMS, "items of a displaced wizard"),
            self._names(value.get("must"), ITEMS, "must of a displaced wizard"),
            self._names(value.get("leave"), ITEMS, "leave of a displaced wizard"),
        )

    def _early(self, value: Any) -> Early:
        hit = self._hit(value)
        black = value.get("black") or {}
        if not isinstance(black, Mapping):
            raise PositionError("position: black must be an object")
        return Early(hit, tuple((str(p), self.cell(c, str(p))) for p, c in black.items()))
