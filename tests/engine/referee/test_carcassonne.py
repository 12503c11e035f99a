"""The tracker at a table of tiles: what is seen becomes turns, refusals and reminders."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.action import Action
from engine.board import load_board
from engine.carcassonne import CarcassonneRoom
from engine.game import Header, Player
from engine.observation import Observation
from engine.referee.events import ActionRecorded, TrackerEvent, VerdictGiven, Withdrawn
from engine.referee.tracker import Tracker
from engine.simulation.film import FilmMaker
from engine.simulation.games import players_of
from engine.simulation.noise import MEASURED, Noise
from engine.simulation.tile_eyes import TileEyes
from engine.simulation.trial import Figures, Showing, Trial, compare
from tests.engine.carcassonne.support import ALL_SETS, on, tiles

BOARD, ROOM = load_board("reference", "carcassonne"), CarcassonneRoom()
RATE_HZ = 10
START = ("BA/RCr", 0, 0, 0)
PERFECT = Noise(jitter=0.0, colour=0.0)


def header(position: dict[str, Any] | None = None, colours: str = "red blue") -> Header:
    seats = tuple(Player(c, c) for c in colours.split())
    return Header("carcassonne", "reference", seats, {"sets": ALL_SETS}, position)


class Table:
    """A table with perfect eyes over it."""

    def __init__(self, **position: Any) -> None:
        self.tracker = Tracker(ROOM, BOARD, header(position or None))
        placement = self.tracker.placement
        self.now: dict[str, Any] = dict(placement.pieces)
        self.compared = dict(self.now)
        self.eyes = TileEyes(placement.infos, PERFECT, 5)
        self.t_s = 0.0

    @property
    def state(self) -> Any:
        return self.tracker.state

    def show(self, *moves: str, seconds: float = 2.0) -> list[TrackerEvent]:
        """Shows the table after some moves: "BA/L/1 1,0@90", "red/1 1,0:EW", "mage 1,0:N"; a piece
        without a spot is taken away."""
        for move in moves:
            name, _, spot = move.partition(" ")
            piece = f"tile/{name}" if name[:3].isupper() or "/" in name[2:3] else name
            piece = piece if piece in self.now else f"meeple/{name}"
            self.now[piece] = (spot,) if spot else ()
        self.t_s += 0.7
        said: list[TrackerEvent] = []
        for tick in range(round(seconds * RATE_HZ)):
            seen = self.eyes.look(self.now, {}, {}, ())
            view = Observation(
                self.t_s + tick / RATE_HZ, True, False, seen, {}, self._changed(), tick / RATE_HZ
            )
            events = self.tracker.observe(view)
            if any(isinstance(e, ActionRecorded) for e in events):
                self.compared = dict(self.now)
            said += events
        self.t_s += seconds
        return said

    def _changed(self) -> frozenset[str]:
        ends = [
            set(s) ^ set(self.compared[p]) for p, s in self.now.items() if s != self.compared[p]
        ]
        return frozenset().union(*ends)


def recorded(events: list[TrackerEvent]) -> list[tuple[str | None, str]]:
    return [(e.action.player, e.action.do) for e in events if isinstance(e, ActionRecorded)]


def verdicts(events: list[TrackerEvent]) -> list[tuple[str, str | None]]:
    return [(e.verdict.status.value, e.verdict.rule) for e in events if isinstance(e, VerdictGiven)]


def refusal(events: list[TrackerEvent]) -> Any:
    (found,) = [e.verdict for e in events if isinstance(e, VerdictGiven)]
    return found


def test_a_tile_then_a_meeple_then_the_next_players_tile() -> None:
    t = Table()
    assert recorded(t.show("BA/RFr/1 1,0@0")) == [("red", "tile")]
    assert recorded(t.show("red/1 1,0:EW")) == [("red", "meeple")]
    assert recorded(t.show("BA/RFr/2 2,0@0")) == [("red", "end"), ("blue", "tile")]
    assert t.state.to_move == "blue"
    assert t.state.hands["red"]["small"] == 6


def test_tile_and_meeple_in_one_glimpse() -> None:
    t = Table()
    events = t.show("BA/RFr/1 1,0@0", "red/1 1,0:EW")
    assert recorded(events) == [("red", "tile"), ("red", "meeple")]


def test_c1_a_tile_that_does_not_match_is_refused_with_its_way_back() -> None:
    t = Table()
    verdict = refusal(t.show("BA/L/1 1,0@0"))
    assert (verdict.status.value, verdict.rule, verdict.cells) == ("illegal", "C-1", ("1,0", "0,0"))
    assert [(m.piece, m.to) for m in verdict.way_back] == [("tile/BA/L/1", ())]
    events = t.show("BA/L/1")
    assert [type(e) for e in events] == [Withdrawn]
    assert recorded(t.show("BA/L/1 0,1@0")) == [("red", "tile")]


def test_c1_two_tiles_in_one_turn() -> None:
    t = Table(tiles=tiles(START), deck={"BA/RFr": 3, "MW/CFC": 1})
    t.show("MW/CFC/1 0,-1@0")
    events = t.show("BA/RFr/1 1,0@0")
    assert verdicts(events) == [("illegal", "W-1")]


def test_c3_an_occupied_feature() -> None:
    t = Table(tiles=tiles(START), meeples=[on("blue", "Road", "E", 0, 0)])
    t.show("BA/RFr/1 1,0@0")
    verdict = refusal(t.show("red/1 1,0:EW"))
    assert (verdict.rule, set(verdict.cells)) == ("C-3", {"1,0", "0,0"})
    assert [(m.piece, m.to) for m in verdict.way_back] == [("meeple/red/1", ())]


def test_c3_somebody_elses_meeple_a_second_one_and_another_tile() -> None:
    t = Table()
    t.show("BA/RFr/1 1,0@0")
    assert verdicts(t.show("blue/1 1,0:EW")) == [("illegal", "C-3")]
    t.show("blue/1")
    assert verdicts(t.show("red/1 0,0:N")) == [("illegal", "C-3")]
    t.show("red/1")
    t.show("red/1 1,0:EW")
    assert verdicts(t.show("red/2 1,0:NL.NR.EL.WR")) == [("illegal", "C-3")]


def test_c3_a_meeple_from_an_empty_hand() -> None:
    spots = [("Road", "E"), ("Road", "S"), ("Road", "W")]
    spots += [("Field", "NL"), ("Field", "ER"), ("Field", "SR")]
    meeples = [on("red", feature, at, 1, 0) for feature, at in spots]
    t = Table(
        tiles=tiles(START, ("BA/RRR", 1, 0, 0)), meeples=[*meeples, on("red", "City", "N", 0, 0)]
    )
    assert t.state.hands["red"]["small"] == 0
    t.show("BA/L/1 0,1@0")
    events = t.show("red/8 0,1:CLOISTER")
    verdict = refusal(events)
    assert verdict.rule == "C-3"
    assert verdict.message.key == "hand_empty"


def test_c8_a_meeple_may_not_walk() -> None:
    t = Table(tiles=tiles(START, ("BA/RFr", 1, 0, 0)), meeples=[on("red", "Road", "E", 0, 0)])
    verdict = refusal(t.show("red/1 1,0:ER.SL.SR.WL"))
    assert verdict.rule == "C-8"
    assert [(m.piece, m.to) for m in verdict.way_back] == [("meeple/red/1", ("0,0:EW",))]


def closing() -> Table:
    """Red has a city that blue closes."""
    t = Table(tiles=tiles(START), meeples=[on("red", "City", "N", 0, 0)], to_move="blue")
    assert recorded(t.show("BA/C/1 0,-1@180")) == [("blue", "tile")]
    return t


def test_c8_meeples_taken_back_end_the_turn_and_score() -> None:
    t = closing()
    assert recorded(t.show("red/1")) == [("blue", "end")]
    assert t.state.total("red") == 4
    assert t.state.to_move == "red"


def test_c8_a_forgotten_meeple_is_reminded_of_until_it_is_taken() -> None:
    t = closing()
    assert recorded(t.show("BA/RFr/1 1,0@0")) == [("blue", "end"), ("red", "tile")]
    assert t.state.total("red") == 4
    events = t.show(seconds=10.0)
    assert verdicts(events) == [("pending", "C-8")]
    (given,) = [e for e in events if isinstance(e, VerdictGiven)]
    assert given.verdict.pending.params["player"] == "red"
    assert given.verdict.cells == ("0,0:N",)
    events = t.show("red/1")
    assert [e.id for e in events if isinstance(e, Withdrawn)] == [given.id]
    assert not recorded(events)
    # The same meeple, or any other, can be placed again.
    assert recorded(t.show("red/1 1,0:EW")) == [("red", "meeple")]


def test_c8_a_meeple_taken_too_early_is_asked_for() -> None:
    t = Table(tiles=tiles(START), meeples=[on("red", "Road", "E", 0, 0)])
    events = t.show("red/1", seconds=10.0)
    verdict = refusal(events)
    assert (verdict.status.value, verdict.rule) == ("unreadable", "C-8")
    assert verdict.message.params == {"player": "red", "cell": "0,0"}
    assert [type(e) for e in t.show("red/1 0,0:EW")] == [Withdrawn]


def magic() -> Table:
    """Red has laid a magic tile; a city and a road are open elsewhere."""
    t = Table(tiles=tiles(START, ("BA/RFr", 1, 0, 0)))
    events = t.show("MW/CRRR.3/1 -1,0@0")
    assert recorded(events) == [("red", "tile")]
    assert t.state.turn.duty == {"magic"}
    assert "magic" in events[1].verdict.message.text.lower()
    return t


def test_w1_the_duty_is_done_or_the_next_tile_is_refused() -> None:
    t = magic()
    verdict = refusal(t.show("BA/L/1 0,1@0"))
    assert (verdict.status.value, verdict.rule) == ("illegal", "W-1")
    t.show("BA/L/1")
    assert recorded(t.show("mage 0,0:N")) == [("red", "figure")]
    assert recorded(t.show("BA/L/1 0,1@0")) == [("red", "end"), ("blue", "tile")]


def test_w1_a_meeple_before_the_figure_waits() -> None:
    t = magic()
    events = t.show("red/1 -1,0:W")
    assert verdicts(events) == [("pending", None)]
    assert not recorded(events)
    events = t.show("witch 0,0:N")
    assert recorded(events) == [("red", "figure"), ("red", "meeple")]


def test_w1_a_figure_moves_only_with_need() -> None:
    t = Table(tiles=tiles(START, ("BA/RFr", 1, 0, 0)), figures={"mage": {"pos": [0, 0], "at": "N"}})
    verdict = refusal(t.show("mage 1,0:EW"))
    assert verdict.rule == "W-1"
    assert [(m.piece, m.to) for m in verdict.way_back] == [("mage", ("0,0:N",))]


@pytest.mark.parametrize(
    ("spot", "rule"),
    [("-1,0:S", "W-2"), ("0,0:ER.SL.SR.WL", "W-2"), ("0,0:N", "W-3")],
)
def test_w2_w3_forbidden_places(spot: str, rule: str) -> None:
    t = Table(
        tiles=tiles(START, ("BA/RFr", 1, 0, 0)), figures={"witch": {"pos": [0, 0], "at": "N"}}
    )
    t.show("MW/CRRR.3/1 -1,0@0")
    assert verdicts(t.show(f"mage {spot}")) == [("illegal", rule)]
    t.show("mage")
    assert recorded(t.show("mage 1,0:EW")) == [("red", "figure")]


def test_w6_a_union_is_dissolved_before_the_turn_ends() -> None:
    t = Table(
        tiles=tiles(START, ("BA/RFr", 0, 1, 0), ("BA/RFr", 1, 1, 0), ("BA/RRRR", 2, 1, 0)),
        figures={"mage": {"pos": [0, 0], "at": "E"}, "witch": {"pos": [2, 1], "at": "N"}},
    )
    t.show("BA/RFr/3 1,0@0")
    assert not t.state.turn.duty
    assert recorded(t.show("BA/Rr/1 2,0@0")) == [("red", "end"), ("blue", "tile")]
    assert t.state.turn.duty == {"union"}
    assert verdicts(t.show("BA/L/1 0,2@0")) == [("illegal", "W-6")]
    t.show("BA/L/1")
    assert recorded(t.show("witch 0,0:N")) == [("blue", "figure")]


def test_a_tile_is_taken_back_turned_or_read_anew() -> None:
    t = Table()
    t.show("BA/RFr/1 1,0@0")
    events = t.show("BA/RFr/1")
    assert recorded(events) == [(None, "undo")]
    t.show("BA/CRr/1 0,-1@180")
    events = t.show("BA/CRr/1 1,0@180")
    assert recorded(events)[-1] == ("red", "tile")
    assert set(t.state.map.placed) == {(0, 0), (1, 0)}
    # What looked like one kind is seen to be another.
    events = t.show("BA/CRr/1", "BA/RRR/1 1,0@0")
    assert recorded(events)[-1] == ("red", "tile")
    assert t.state.map.placed[1, 0].tile == "BA/RRR"


def test_the_placement_offers_one_meeple_more_than_the_hand() -> None:
    pieces = ROOM.placement(ROOM.start(header())).pieces
    assert [p for p in pieces if p.startswith("meeple/red/")] == [f"meeple/red/{n}" for n in range(1, 9)]  # fmt: skip
    t = Table()
    taken = t.tracker.act(Action(None, "correct", {"pieces": {"meeple/red/8": "0,0:N"}}))
    assert verdicts(list(taken)) == [("legal", None)]
    assert t.state.hands["red"]["small"] == 6


@pytest.mark.parametrize("seed", [3, 5])
def test_films_with_perfect_eyes(seed: int) -> None:
    """A lively table, everything but eyes' errors: nothing is missed and nobody is blamed wrongly."""
    figures = played(seed, Noise(jitter=0.0, colour=0.0, unnoticed=0.0), 80)
    counts = figures.counts
    assert counts["moves"] > 30
    assert counts["fouls"] > 2
    assert counts["right"] == counts["moves"], figures.trouble
    assert counts["missed"] == counts["false alarms"] == counts["corrections"] == 0, figures.trouble
    assert counts["same scores"] == 1


def test_a_film_with_erring_eyes() -> None:
    figures = played(1, MEASURED, 100)
    assert figures.counts["missed"] == figures.counts["dead ends"] == 0, figures.trouble
    assert figures.counts["right"] >= 0.9 * figures.counts["moves"], figures.trouble


def played(seed: int, noise: Noise, actions: int) -> Figures:
    players = players_of("carcassonne")
    head = header(None, "red blue green")
    maker = FilmMaker(
        ROOM, ROOM.start(head), players.choose, random.Random(seed), players.habits, players.foul
    )
    film = maker.make(actions, noise, seed, paced=True)
    figures, tracker = Figures(), Tracker(ROOM, BOARD, head)
    eyes = TileEyes(tracker.placement.infos, noise, seed)
    Trial(Showing(ROOM, BOARD, film, tracker, figures, eyes=eyes)).run()
    compare(ROOM, tracker, maker.state, figures)
    return figures
