"""A table to play Carcassonne on, for the tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from engine.action import Action
from engine.carcassonne import CarcassonneRoom, CarcassonneState
from engine.game import Header, Judgement, Player

ROOM = CarcassonneRoom()
ALL_SETS = ["base", "mage_and_witch", "inns_and_cathedrals"]


class Table:
    """A game in progress whose state the test moves on."""

    def __init__(
        self,
        colours: str = "red blue",
        options: Mapping[str, Any] | None = None,
        position: Mapping[str, Any] | None = None,
    ) -> None:
        players = tuple(Player(c.title(), c) for c in colours.split())
        self.header = Header(
            "carcassonne", "reference", players, options or {"sets": ALL_SETS}, position
        )
        self.state: CarcassonneState = ROOM.start(self.header)

    @property
    def actor(self) -> str:
        """Whose turn it is."""
        return self.state.to_move

    def try_(self, player: str | None, do: str, **args: Any) -> Judgement:
        """Judges an action without doing it."""
        before = self.state
        judgement = ROOM.judge(self.state, Action(player, do, args))
        assert self.state == before
        if judgement.status.value == "illegal":
            assert judgement.state is self.state
            assert judgement.message.text
        return judgement

    def do(
        self, do: str, expect: str = "legal", player: str | None = None, **args: Any
    ) -> Judgement:
        """Does an action and insists on its verdict; checks the round trip of the position."""
        player = player or self.actor
        judgement = self.try_(player, do, **args)
        assert judgement.status.value == expect, f"{player} {do} {args}: {judgement}"
        self.state = judgement.state
        assert self.again() == self.state
        return judgement

    def refused(
        self, do: str, rule: str | None, player: str | None = None, **args: Any
    ) -> Judgement:
        """Insists on a refusal with this rule."""
        judgement = self.do(do, "illegal", player, **args)
        assert judgement.rule == rule, judgement
        return judgement

    def lay(self, tile: str, x: int, y: int, rot: int = 0) -> Judgement:
        """Places a tile."""
        return self.do("tile", tile=tile, rot=rot, pos=[x, y])

    def play(
        self, tile: str, x: int, y: int, rot: int = 0, meeple: str | None = None, **more: Any
    ) -> Judgement:
        """A whole turn; ``meeple``: e.g. "Road W"."""
        self.lay(tile, x, y, rot)
        if meeple is not None:
            feature, at = meeple.split()
            self.do("meeple", feature=feature, at=at, pos=[x, y], **more)
        return self.do("end")

    def figure(self, who: str, at: str, x: int, y: int) -> Judgement:
        """Places or moves mage or witch."""
        return self.do("figure", who=who, at=at, pos=[x, y])

    def again(self) -> CarcassonneState:
        """The state as made from the exported position, through JSON."""
        position = json.loads(json.dumps(ROOM.position(self.state)))
        header = Header(
            "carcassonne", "reference", self.header.players, self.header.options, position
        )
        return ROOM.start(header)

    def total(self, colour: str) -> int:
        """A player's points."""
        return self.state.total(colour)


def tiles(*placed: tuple[str, int, int, int]) -> list[dict[str, Any]]:
    """The ``tiles`` of a position from (tile, x, y, rot)."""
    return [{"tile": t, "rot": rot, "pos": [x, y]} for t, x, y, rot in placed]


def on(player: str, feature: str, at: str, x: int, y: int, kind: str = "small") -> dict[str, Any]:
    """A meeple of a position."""
    return {"player": player, "kind": kind, "feature": feature, "at": at, "pos": [x, y]}


def keys(judgement: Judgement) -> list[str]:
    """The keys of everything that a judgement notes, and of what it obliges to at last."""
    return [m.key for m in (*judgement.notes, judgement.pending) if m.text]


def texts(judgements: Iterable[Judgement]) -> list[str]:
    """All that was said."""
    return [note.text for judgement in judgements for note in judgement.notes]
