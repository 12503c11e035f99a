"""The tracker at a table of Grailnah: captures, sacrifices, recoveries, castles out of sight."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.action import Action
from engine.board import load_board
from engine.game import Header, Player
from engine.grailnah.room import GrailnahRoom
from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import PieceInfo
from engine.referee.events import (
    ActionRecorded,
    GameEnded,
    QuestionAsked,
    TrackerEvent,
    VerdictGiven,
)
from engine.referee.tracker import Tracker
from engine.simulation.eyes import Eyes
from engine.simulation.film import FilmMaker
from engine.simulation.grailnah import grailnah_foul, table_action
from engine.simulation.habits import Habits
from engine.simulation.noise import Noise
from engine.simulation.trial import Figures, Showing, Trial, compare
from engine.verdict import Status

COLOURS = ("white", "red", "blue", "yellow")
BOARD, ROOM = load_board("reference", "grailnah"), GrailnahRoom()
RATE_HZ = 10


class Table:
    """A table whose castles have roofs: what stands in them is out of sight."""

    def __init__(self, pieces: Mapping[str, Any], *, players: int = 2, **position: Any) -> None:
        seats = tuple(Player(c, c) for c in COLOURS[:players])
        given = {"pieces": dict(pieces), "pawn_moved": True, **position}
        self.tracker = Tracker(ROOM, BOARD, Header("grailnah", "reference", seats, {}, given))
        placement = self.tracker.placement
        self.now: dict[str, Any] = {
            p: None if set(s) & placement.shelters else s for p, s in placement.pieces.items()
        }
        self.compared = dict(self.now)
        self.eyes = Eyes(BOARD, placement.infos, Noise(jitter=0.0, colour=0.0), 5)
        self.t_s = 0.0
        self.also_changed: frozenset[str] = frozenset()

    def show(self, seconds: float = 2.0, **moves: Any) -> list[TrackerEvent]:
        """Shows the table after some moves, such as ``merlin="1/3"``; None: out of sight, "":
        beside the board.  Piece ids are written with underscores."""
        for name, to in moves.items():
            spots = to if to is None else (to,) if to else ()
            self.now[name.replace("_", "/")] = spots
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
            set(self.now[p] or ()) ^ set(self.compared[p] or ()) for p in self.now
            if self.now[p] != self.compared[p]
        ]  # fmt: skip
        return self.also_changed.union(*ends)

    def cell(self, piece: str) -> str | None:
        return self.tracker.state.pieces[piece]


def recorded(events: list[TrackerEvent]) -> list[Action]:
    return [e.action for e in events if isinstance(e, ActionRecorded)]


def verdicts(events: list[TrackerEvent]) -> list[tuple[str, str | None]]:
    return [(e.verdict.status.value, e.verdict.rule) for e in events if isinstance(e, VerdictGiven)]


def test_a_knight_leaves_its_castle_and_the_turn_passes() -> None:
    t = Table({})
    (action,) = recorded(t.show(knight_white_3="6/4"))
    assert action == Action("white", "move", {"piece": "knight/white/1", "to": "6/4"})
    (action,) = recorded(t.show(king_red="5/12"))
    assert action.player == "red"


def test_king_and_queen_are_alike_by_the_rules_and_never_asked_about() -> None:
    """Out of a roofed castle nobody knows which of them it is; taken for the other one later it is
    still the piece that stood there."""
    t = Table({})
    known = dict(t.eyes.infos)
    t.eyes.infos = {**known, "king/white": PieceInfo("king/white", "queen", "white")}
    (action,) = recorded(t.show(king_white="5/0"))
    assert action == Action("white", "move", {"piece": "queen/white", "to": "5/0"})
    assert recorded(t.show(knight_red_1="6/11")) != []
    t.eyes.infos = known
    events = t.show(king_white="5/1")
    assert recorded(events) == [Action("white", "move", {"piece": "queen/white", "to": "5/1"})]
    assert not any(isinstance(e, QuestionAsked) for e in events)


def test_what_is_seen_in_one_castle_tells_nothing_of_the_roof_of_another() -> None:
    """A knight hardly seen comes out of a castle in which nothing was seen, and which looks as before."""
    t = Table({})
    t.now["knight/red/1"] = t.compared["knight/red/1"] = ("6/12",)
    look = t.eyes.look

    def dim(*what: Any) -> Any:
        seen = look(*what)
        return tuple(replace(p, confidence=0.6) if p.best.spots == ("6/4",) else p for p in seen)

    t.eyes.look = dim  # type: ignore[method-assign]
    (action,) = recorded(t.show(knight_white_3="6/4"))
    assert action == Action("white", "move", {"piece": "knight/white/1", "to": "6/4"})


def with_ghost(t: Table, spot: str, confidence: float, spots_s: tuple[float, float]) -> None:
    """From now on something like a white knight is seen at a spot, as the tip of a shadow may be."""
    look = t.eyes.look
    first, last = spots_s
    ghost = SeenPiece(
        BOARD.centres[spot], (1.0, 0.0, 1.0), (0.0, 0.0),
        (Candidate("knight", "white", (spot,), -0.1),), confidence,
    )  # fmt: skip

    def haunted(*what: Any) -> Any:
        return (*look(*what), ghost) if first <= t.t_s <= last else look(*what)

    t.eyes.look = haunted  # type: ignore[method-assign]


def test_a_move_is_taken_in_beside_a_ghost_where_nothing_has_come() -> None:
    t = Table({"merlin": "5/7"}, to_move="red")
    t.also_changed = frozenset({"5/5"})
    (action,) = recorded(t.show(2.0, merlin="5/6"))
    assert action.do == "merlin"
    t.also_changed = frozenset({"6/0"})
    with_ghost(t, "5/5", 0.6, (0.0, 99.0))
    events = t.show(1.0, knight_white_1="6/23")
    assert [a.args.get("to") for a in recorded(events)] == ["6/23"]
    assert "illegal" not in {v for v, _ in verdicts(events + t.show(2.0))}


def test_what_has_left_a_spot_has_changed_its_look_not_a_ghost_that_is_seen_there() -> None:
    t = Table({"morgane": "2/3", "knight/white/1": "5/8"}, to_move="red")
    t.also_changed = frozenset({"6/0"})
    with_ghost(t, "2/3", 0.8, (0.0, 99.0))
    events = t.show(2.0, morgane="1/3", knight_red_1="")
    assert "illegal" not in {v for v, _ in verdicts(events)}
    assert [a.do for a in recorded(events)] == ["morgane"]


def test_where_an_unseen_piece_has_gone_is_asked_once_the_next_player_has_moved() -> None:
    t = Table({"knight/white/1": "4/4", "knight/red/1": "4/16"})
    t.also_changed = frozenset({"4/4", "3/4", "4/5"})
    assert recorded(t.show(1.6, knight_white_1=None)) == []
    events = t.show(3.0, knight_red_1="3/16")
    assert verdicts(events)[-1][0] == "ambiguous"
    (asked,) = [e for e in events if isinstance(e, QuestionAsked)]
    ends = [c.actions[0].args["to"] for c in asked.choices]
    assert sorted(ends) == ["3/4", "4/5"]
    assert len(recorded(list(t.tracker.choose(asked.id, ends.index("4/5"))))) == 2
    assert (t.cell("knight/white/1"), t.cell("knight/red/1")) == ("4/5", "3/16")


@pytest.mark.parametrize(
    ("lost", "moved"),
    [({"merlin": None}, {"morgane": "1/9"}), ({"king_white": None}, {"merlin": "2/5"})],
)
def test_a_move_is_not_taken_for_that_of_a_player_whose_own_piece_is_lost(
    lost: dict[str, None], moved: dict[str, str]
) -> None:
    """What he moved went where nobody sees it; Merlin or Morgane was moved by the next player."""
    t = Table({"merlin": "2/1", "king/white": "5/3", "knight/white/1": "4/4"})
    assert recorded(t.show(1.6, **lost)) == []
    events = t.show(1.2, **moved)
    assert recorded(events) == []
    assert verdicts(events) == [("pending", None)]


def test_who_left_first_has_moved_first() -> None:
    """Merlin was gone before Morgane was moved: he is the first player's, she the next one's."""
    t = Table({"merlin": "2/1", "knight/white/1": "4/4"})
    t.also_changed = frozenset({"2/1", "2/3"})
    t.show(1.6, merlin=None)
    t.compared, t.also_changed = dict(t.now), frozenset()
    events = t.show(4.0, morgane="1/17")
    assert [(a.player, a.do) for a in recorded(events)] == [("white", "merlin"), ("red", "morgane")]


def test_what_went_back_into_an_open_castle_is_taken_in_when_the_next_move_is_a_foul() -> None:
    """Among those that stand inside it is not seen, and the castle looks changed."""
    t = Table({"king/white": "5/0", "knight/white/2": "4/4"})
    t.now["knight/white/1"] = t.compared["knight/white/1"] = ("6/0",)
    t.also_changed = frozenset({"5/0", "6/0"})
    assert recorded(t.show(1.2, king_white=None)) == []
    t.compared, t.also_changed = dict(t.now), frozenset()
    events = t.show(3.0, knight_white_2="3/4")
    assert recorded(events) == [Action("white", "move", {"piece": "king/white", "to": "6/0"})]
    assert ("illegal", "G-6") in verdicts(events)


def test_a_knight_of_another_colour_is_thought_of_where_four_equal_ones_are_nearer() -> None:
    """A red knight comes out of its roofed castle, and the eyes rather see a white one."""
    t = Table({}, to_move="red")
    swapped = {"knight/red/1": PieceInfo("knight/red/1", "knight", "white")}
    t.eyes.infos = {**t.eyes.infos, **swapped}
    look = t.eyes.look

    def doubtful(*given: Any, **more: Any) -> Any:
        things = look(*given, **more)
        return tuple(
            replace(p, candidates=(*p.candidates, Candidate("knight", "red", p.best.spots, -0.7)))
            if p.best.kind == "knight"
            else p
            for p in things
        )

    t.eyes.look = doubtful  # type: ignore[method-assign]
    (action,) = recorded(t.show(knight_red_1="6/11"))
    assert action == Action("red", "move", {"piece": "knight/red/1", "to": "6/11"})


@pytest.mark.parametrize("seen", ["6/0", None, "2/4"])
def test_merlin_sends_two_home_in_one_go(seen: str | None) -> None:
    """In an open castle, out of sight in it, or not yet taken away."""
    t = Table({"merlin": "2/1", "knight/white/1": "2/4", "knight/red/1": "2/4"})
    home = {"knight_white_1": seen, "knight_red_1": None if seen is None else "6/12"}
    events = t.show(merlin="2/4", **home)
    assert recorded(events) == [Action("white", "merlin", {"to": "2/4"})]
    assert t.cell("knight/white/1") == "6/0" and t.cell("knight/red/1") == "6/12"
    assert verdicts(t.show(9.0, knight_white_1=None, knight_red_1=None)) == []
    assert recorded(t.show(queen_red="5/12")) != []


def test_a_pawn_that_went_where_merlin_then_came_is_on_its_way_home() -> None:
    """White's knight goes to 2/4, where red's Merlin meets it before anybody has looked."""
    t = Table({"merlin": "2/1", "knight/white/1": "2/3", "knight/red/1": "5/20"})
    events = t.show(4.0, merlin="2/4", knight_white_1=None)
    assert [(a.player, a.do) for a in recorded(events)] == [("white", "move"), ("red", "merlin")]
    assert t.cell("knight/white/1") == "6/0" and t.cell("merlin") == "2/4"


def test_merlin_and_morgane_meet() -> None:
    t = Table({"merlin": "2/1", "morgane": "2/4"})
    assert recorded(t.show(merlin="2/4", morgane="grail")) == [
        Action("white", "merlin", {"to": "2/4"})
    ]
    assert t.cell("morgane") == "grail"
    (action,) = recorded(t.show(morgane="1/9"))
    assert action == Action("red", "morgane", {"to": "1/9"})


@pytest.mark.parametrize("beside", ["", None])
def test_a_sacrificed_knight_leaves_the_board(beside: str | None) -> None:
    t = Table({"morgane": "2/4", "knight/white/1": "4/4", "knight/white/2": "4/9"})
    (action,) = recorded(t.show(morgane="2/5", knight_white_2=beside))
    assert action.args == {"to": "2/5", "sacrifice": "knight/white/2"}
    assert t.cell("knight/white/2") is None
    assert verdicts(t.show(9.0)) == []


def test_a_knight_out_of_sight_is_sacrificed_unless_another_one_leaves() -> None:
    t = Table({"morgane": "2/4", "knight/white/1": "4/4"})
    (action,) = recorded(t.show(morgane="2/5"))
    assert action.args["sacrifice"] == "knight/white/4"
    undone, action = recorded(t.show(knight_white_1=None))
    assert undone.do == "undo"
    assert action.args == {"to": "2/5", "sacrifice": "knight/white/1"}
    assert t.tracker.state.sacrificed("white") == ("knight/white/1",)


def test_a_knight_taken_off_first_is_sacrificed_when_morgane_moves() -> None:
    t = Table({"morgane": "2/4", "knight/white/1": "4/4"})
    assert verdicts(t.show(knight_white_1="")) == []
    (action,) = recorded(t.show(morgane="2/5"))
    assert action.args["sacrifice"] == "knight/white/1"


def test_a_pawn_that_is_not_found_is_asked_for_before_the_next_one_is_refused() -> None:
    t = Table({"knight/white/1": "4/4"})
    assert verdicts(t.show(knight_white_1=None)) == []
    events = t.show(king_red="5/12")
    assert verdicts(events) == [("pending", None)] and not recorded(events)
    actions = recorded(t.show(knight_white_1="3/4"))
    assert [a.player for a in actions] == ["white", "red"]


def test_morgane_waits_for_a_knight_when_all_stand_on_the_board() -> None:
    cells = {f"knight/white/{n}": f"4/{2 * n}" for n in range(1, 5)}
    t = Table({"morgane": "2/4", **cells})
    events = t.show(morgane="2/5")
    assert verdicts(events) == [("pending", None)] and not recorded(events)
    standing = t.tracker.open_verdict
    assert standing is not None and len(standing.choices) == 4
    (action,) = recorded(t.show(knight_white_3=None))
    assert action.args["sacrifice"] == "knight/white/3"


def test_recovered_knights_come_back_all_at_once() -> None:
    lost = {"knight/white/1": None, "knight/white/2": None}
    t = Table({**lost, "king/white": "6/12", "queen/white": "5/12"})
    entered, back = recorded(t.show(queen_white=None))
    assert entered.args == {"piece": "queen/white", "to": "6/12"}
    assert back == Action("white", "recover", {"count": 2})
    assert t.tracker.state.sacrificed("white") == ()
    assert verdicts(t.show(9.0, knight_white_1=None, knight_white_2=None)) == []
    (action,) = recorded(t.show(king_red="5/12"))
    assert action.player == "red"
    (action,) = recorded(t.show(knight_white_4="6/2"))
    assert action.do == "move" and t.cell(action.args["piece"]) == "6/2"


def test_two_turns_in_one_still_moment() -> None:
    t = Table({"knight/white/1": "4/4", "merlin": "3/9"})
    actions = recorded(t.show(knight_white_1="3/4", merlin="3/6"))
    assert [a.player for a in actions] == ["white", "red"]
    t = Table({"queen/white": "5/11", "merlin": "4/6"})
    actions = recorded(t.show(queen_white="6/0", merlin="4/11"))
    assert [(a.do, a.args["to"]) for a in actions] == [("move", "4/11"), ("merlin", "4/11")]


def test_what_was_put_back_into_the_castle_is_taken_back() -> None:
    t = Table({})
    t.show(knight_white_1="6/4")
    assert [a.do for a in recorded(t.show(knight_white_1=None))] == ["undo"]
    assert t.cell("knight/white/1") == "6/0"
    assert t.tracker.state.to_move == "white"


def test_a_capture_is_taken_back() -> None:
    t = Table({"merlin": "2/1", "knight/red/1": "2/4"})
    t.show(merlin="2/4", knight_red_1=None)
    assert [a.do for a in recorded(t.show(merlin="2/1", knight_red_1="2/4"))] == ["undo"]
    assert t.cell("knight/red/1") == "2/4" and t.cell("merlin") == "2/1"


def test_a_piece_that_goes_on_takes_the_judgement_back() -> None:
    t = Table({})
    t.show(knight_white_1="6/4")
    undone, action = recorded(t.show(knight_white_1="6/7"))
    assert undone.do == "undo" and action.args["to"] == "6/7"


@pytest.mark.parametrize(
    ("rule", "pieces", "moves"),
    [
        ("G-11", {"knight/white/1": "4/4"}, {"knight_white_1": "5/4"}),
        ("G-9", {"knight/white/1": "4/4"}, {"knight_white_1": "2/4"}),
        ("G-10", {"knight/white/1": "4/4", "knight/red/1": "4/6", "knight/red/2": "4/2"},
         {"knight_white_1": "4/8"}),
        ("G-12", {"knight/white/1": "4/4", "knight/red/1": "4/4"}, {"knight_white_1": "3/4"}),
        ("G-A3", {"knight/white/1": "4/4", "knight/red/1": "4/4", "king/white": "4/5"},
         {"king_white": "4/4"}),
        ("G-18", {"queen/white": "4/4"}, {"queen_white": "3/4"}),
        ("G-15", {"queen/white": "5/4", "king/red": "5/3"}, {"queen_white": "5/3"}),
        ("G-34", {"merlin": "4/4"}, {"merlin": "3/4"}),
        ("G-19", {"morgane": "3/4"}, {"morgane": "4/4"}),
        ("G-22", {"knight/red/1": "1/4"}, {"morgane": "1/4"}),
        ("G-6", {"knight/red/1": "4/4"}, {"knight_red_1": "3/4"}),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_said_once_with_the_way_back(
    rule: str, pieces: dict[str, str], moves: dict[str, str]
) -> None:
    t = Table(pieces)
    before = dict(t.now)
    events = t.show(4.0, **moves)
    assert verdicts(events) == [("illegal", rule)] and not recorded(events)
    given = next(e for e in events if isinstance(e, VerdictGiven))
    name = next(iter(moves)).replace("_", "/")
    assert [(m.piece, m.to) for m in given.verdict.way_back] == [(name, before[name])]
    assert verdicts(t.show(**{next(iter(moves)): before[name][0]})) == []
    assert t.tracker.open_verdict is None


def test_merlin_twice_running_is_refused() -> None:
    t = Table({"merlin": "1/1"}, last_special="merlin")
    assert verdicts(t.show(merlin="1/4")) == [("illegal", "G-28")]


def test_a_player_without_a_move_passes_by_himself() -> None:
    pairs = {f"knight/{c}/{n}": f"4/{2 * n}" for c in ("white", "red") for n in range(1, 4)}
    pairs |= {"knight/white/4": "4/10", "queen/red": "4/10", "knight/red/4": "4/20"}
    pairs |= {f"king/{c}": "5/6" for c in ("white", "red")} | {"queen/white": "4/14",
                                                               "queen/blue": "4/14"}  # fmt: skip
    t = Table({**pairs, "morgane": "1/1", "merlin": "1/2"}, players=3, last_special="merlin")
    assert [a.do for a in recorded(t.show(knight_red_4="3/20"))] == ["pass", "move"]


def test_the_knight_on_the_centre_ends_the_game() -> None:
    t = Table({"knight/white/1": "1/4"})
    events = t.show(knight_white_1="grail")
    assert [e.winner for e in events if isinstance(e, GameEnded)] == ["white"]


@pytest.mark.parametrize("seed", range(4))
def test_random_games_through_noisy_eyes(seed: int) -> None:
    figures, rng = Figures(), random.Random(seed)
    header = Header("grailnah", "reference", tuple(Player(c, c) for c in COLOURS[: 2 + seed % 3]))
    start = ROOM.start(header, BOARD)
    maker = FilmMaker(
        ROOM, start, table_action, rng, Habits(foul=0.12, together=0.0, idle_hand=0.1),
        grailnah_foul, BOARD, frozenset(start.setup.castle_at) if seed % 2 else frozenset(),
    )  # fmt: skip
    film = maker.make(30, Noise(0.05, 0.02, 0.02, 0.05, 0.03), seed, rate_hz=5.0)
    tracker = Tracker(ROOM, BOARD, header)
    Trial(Showing(ROOM, BOARD, film, tracker, figures, label=f"game {seed}", helping=False)).run()
    compare(ROOM, tracker, maker.state, figures, f"game {seed}")
    counts = figures.counts
    assert counts["false alarms"] == counts["missed"] == counts["said twice"] == 0, figures.trouble
    assert counts["right"] == counts["moves"] > 15, figures.trouble
    assert counts["same scores"] == counts["same arrangement"] == 1, figures.trouble


def test_corrections_put_the_state_right() -> None:
    t = Table({"knight/white/1": "4/4"})
    events = t.tracker.act(Action(None, "correct", {"pieces": {"knight/white/1": "5/4"}}))
    assert recorded(list(events)) and t.cell("knight/white/1") == "5/4"
    moved = t.show(knight_white_1="2/9")
    assert verdicts(moved)[0][0] == Status.ILLEGAL.value
    repair = t.tracker.repairs[0]
    t.tracker.act(repair.actions[0])
    assert t.cell("knight/white/1") == "2/9"


def test_king_or_queen_is_as_likely_as_both_together() -> None:
    """A royal that comes out for the first time looks rather like a knight, who may not stand there."""
    t = Table({})
    look = t.eyes.look

    def doubtful(*what: Any) -> Any:
        shares = {"knight": 0.76, "king": 0.12, "queen": 0.12}
        return tuple(
            replace(p, candidates=tuple(
                Candidate(kind, "white", ("5/0",), math.log(p)) for kind, p in shares.items()
            )) if p.best.spots == ("5/0",) else p
            for p in look(*what)
        )  # fmt: skip

    t.eyes.look = doubtful  # type: ignore[method-assign]
    t.also_changed = frozenset({"6/0"})
    (action,) = recorded(t.show(2.0, king_white="5/0"))
    assert action.args["piece"] in ("king/white", "queen/white")


@pytest.mark.parametrize(("confidence", "refused"), [(0.6, False), (0.95, True)])
def test_only_what_is_surely_there_is_refused(confidence: float, refused: bool) -> None:
    """A knight where none may come to from the castle: plainly seen, or hardly more than a shadow."""
    t = Table({})
    t.also_changed = frozenset({"3/5"})
    with_ghost(t, "3/5", confidence, (0.0, 99.0))
    events = t.show(4.0)
    assert recorded(events) == []
    assert ("illegal" in {v for v, _ in verdicts(events)}) is refused


def test_one_changed_look_speaks_for_one_comer() -> None:
    """Morgane's pale top is taken for a white knight on the cell to which she has come."""
    t = Table({"morgane": "1/3", "knight/red/1": "5/8", "knight/white/1": "6/4"}, to_move="red")
    t.also_changed = frozenset({"6/0"})
    with_ghost(t, "2/3", 0.7, (0.0, 99.0))
    events = t.show(2.0, morgane="2/3", knight_red_1="")
    assert "illegal" not in {v for v, _ in verdicts(events)}
    assert [a.do for a in recorded(events)] == ["morgane"]
