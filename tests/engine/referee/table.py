"""A simulated table with two players for the tests of the tracker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.board import load_board
from engine.game import Header, Player
from engine.magalon.room import MagalonRoom
from engine.observation import CellView, Observation, SeenPiece
from engine.referee.events import ActionRecorded, TrackerEvent, VerdictGiven
from engine.referee.tracker import Tracker
from engine.simulation.eyes import Eyes
from engine.simulation.noise import Noise
from engine.simulation.script import ScriptedSource

CARDS = [
    {"round": 1, "laid": [["violet", 6], ["green", 9]]},
    {"round": 2, "laid": [["violet", 7], ["green", 5]]},
]
RATE_HZ = 10
PERFECT = Noise(jitter=0.0, colour=0.0)


def judged(tracker: Tracker, source: ScriptedSource) -> list[TrackerEvent]:
    """All that is told of a plan from its beginning to its end."""
    events: list[TrackerEvent] = []
    for observation in source:
        for event in tracker.observe(observation):
            events.append(event)
            if isinstance(event, ActionRecorded):
                source.accept()
    return events + list(tracker.close())


def read_at(
    observation: Observation,
    look: tuple[str, str],
    at_mm: tuple[float, float],
    spots: Mapping[str, float],
) -> tuple[SeenPiece, ...]:
    """The pieces with one (kind, colour) seen elsewhere: the log-probability of each spot."""
    return tuple(
        replace(p, at_mm=at_mm, candidates=tuple(
            replace(p.best, spots=(spot,), log_prob=prob) for spot, prob in spots.items()
        )) if (p.best.kind, p.best.colour) == look else p
        for p in observation.pieces
    )  # fmt: skip


class Table:
    """A table with two players; time goes on only in ``show``."""

    def __init__(
        self,
        cards: Any = CARDS,
        *,
        position: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        noise: Noise = PERFECT,
        strictness: str | None = None,
    ) -> None:
        self.board, self.room = load_board("reference"), MagalonRoom()
        players = (Player("Ada", "violet"), Player("Ben", "green"))
        extra = {} if strictness is None else {"strictness": strictness}
        header = Header("magalon", "reference", players, options or {}, position, extra)
        self.tracker = Tracker(self.room, self.board, header, cards=cards)
        placement = self.tracker.placement
        self.pieces: dict[str, Any] = dict(placement.pieces)
        self.accepted = dict(self.pieces)
        self.eyes = Eyes(self.board, placement.infos, noise, 5)
        self.t_s = 0.0
        self.still_s = 0.0
        self.dice: tuple[int, ...] = ()
        self.off: dict[str, tuple[float, float]] = {}
        self.events: list[TrackerEvent] = []

    def show(
        self,
        seconds: float = 2.0,
        moves: Mapping[str, Any] | None = None,
        *,
        hand: bool = False,
        pose: bool = True,
        hidden: tuple[str, ...] = (),
        alter: Any = None,
    ) -> list[TrackerEvent]:
        """Shows the table for a while after some moves; gives what the tracker said meanwhile."""
        if moves or hand or not pose:
            self.pieces |= moves or {}
            self.still_s = 0.0
        said: list[TrackerEvent] = []
        for tick in range(round(seconds * RATE_HZ)):
            observation = self._view(hand, pose, hidden)
            if alter is not None:
                observation = alter(observation, tick)
            for event in self.tracker.observe(observation):
                said.append(event)
                if isinstance(event, ActionRecorded):
                    self.accepted = dict(self.pieces)
            self.t_s = round(self.t_s + 1 / RATE_HZ, 3)
            self.still_s = 0.0 if hand or not pose else self.still_s + 1 / RATE_HZ
        self.events += said
        return said

    def _view(self, hand: bool, pose: bool, hidden: tuple[str, ...]) -> Observation:
        views = dict.fromkeys(hidden, CellView.HIDDEN)
        seen = self.eyes.look(self.pieces, views, self.off, self.dice) if pose else ()
        changed = {
            spot
            for piece, now in self.pieces.items()
            if now != self.accepted[piece]
            for spot in (*(now or ()), *(self.accepted[piece] or ()))
        }
        return Observation(
            self.t_s, pose, hand, seen, views, frozenset(changed - set(hidden)), self.still_s
        )

    def energy(self, colour: str) -> int:
        return self.room.scores(self.tracker.state)[colour]["energy"]


def given(events: list[TrackerEvent]) -> list[VerdictGiven]:
    return [e for e in events if isinstance(e, VerdictGiven)]


def words(events: list[TrackerEvent]) -> list[str]:
    return [e.verdict.status.value for e in given(events)]


def actions(events: list[TrackerEvent]) -> list[str]:
    return [e.action.do for e in events if isinstance(e, ActionRecorded)]


def walked() -> Table:
    table = Table()
    table.show(1.0)
    assert words(table.show(1.0, {"wizard/green": ("g10",)})) == ["legal"]
    return table


def giants_turn() -> Table:
    table = walked()
    table.show(1.0, {"wizard/violet": ("i8",)})
    return table
