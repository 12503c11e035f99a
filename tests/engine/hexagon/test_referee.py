"""What the referee makes of hexagonal boards on which only before and after are seen."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import pytest

from engine.action import Action
from engine.board import Board, load_board
from engine.game import Header, Player
from engine.hexagon.legal import changes
from engine.hexagon.moves import Change, apply
from engine.hexagon.setup_check import faults
from engine.hexagon.sight import looks_of
from engine.hexagon.simulate import play_game
from engine.hexagon.state import HexagonState, is_wisdom
from engine.observation import CellView, Observation
from engine.referee.events import QuestionAsked, TrackerEvent, VerdictGiven, Withdrawn
from engine.referee.tracker import Tracker
from engine.simulation.eyes import Eyes
from engine.simulation.noise import Noise
from engine.verdict import Status
from tests.engine.hexagon.support import ROOM, Table, at, hexagon, moving

SHARP = Noise(jitter=0.04, colour=0.005)


class Watched:
    """A tracker with eyes on an arrangement that the test changes."""

    def __init__(self, table: Table, noise: Noise = SHARP) -> None:
        header = Header(
            "hexagon", "test", table.header.players, table.header.options, ROOM.position(table.state)
        )  # fmt: skip
        self.board: Board = table.board
        self.tracker = Tracker(ROOM, table.board, header)
        self.now = dict(self.tracker.placement.pieces)
        self.accepted = dict(self.now)
        self.eyes = Eyes(table.board, self.tracker.placement.infos, noise, 3)
        self.t_s = 0.0

    def put(self, *moves: str) -> None:
        """Moves pieces: "a>b" from a cell to a cell, "a>" off the board, ">b red*" onto it."""
        standing = {c: p for p, spots in self.now.items() for c in spots}
        for move in moves:
            origin, to = move.split(">")
            if not origin:
                cell, colour = to.split()
                prefix = f"wisdom/{colour.rstrip('*')}/"
                piece = next(p for p, s in self.now.items() if not s and p.startswith(prefix))
                self.now[piece] = (cell,)
            else:
                self.now[standing[origin]] = (to,) if to else ()

    def watch(self, seconds: float = 1.8, hidden: Iterable[str] = ()) -> list[TrackerEvent]:
        """Shows the arrangement for so long, with a hand before it."""
        views = dict.fromkeys(hidden, CellView.HIDDEN)
        self.t_s += 0.5
        events = list(self.tracker.observe(Observation(self.t_s, True, True)))
        for tick in range(round(seconds * 10)):
            changed = frozenset(
                s for p, spots in self.now.items() if spots != self.accepted[p]
                for s in {*spots, *self.accepted[p]} - views.keys()
            )  # fmt: skip
            seen = self.eyes.look(self.now, views, {}, ())
            view = Observation(self.t_s + 0.1, True, False, seen, views, changed, tick / 10)
            self.t_s = view.t_s
            new = self.tracker.observe(view)
            if any(isinstance(e, VerdictGiven) and e.verdict.status is Status.LEGAL for e in new):
                self.accepted = dict(self.now)
            events += new
        return events

    def verdicts(self, **how: float) -> list[tuple[str, str | None, str | None]]:
        """(status, rule, what was done last) of everything that is said."""
        given = [e.verdict for e in self.watch(**how) if isinstance(e, VerdictGiven)]
        return [(v.status.value, v.rule, v.actions[-1].do if v.actions else None) for v in given]

    @property
    def state(self) -> HexagonState:
        return self.tracker.state

    def on(self, cell: str) -> str | None:
        piece = self.state.at.get(cell)
        return piece and piece.rpartition("/")[0]


def test_a_push_of_many_pieces_at_once() -> None:
    w = Watched(moving("red -4+1", "red* -3+1", "blue -2+1", "blue* -1+1", "red +0+1", "blue +3+0"))
    w.put("+0+1>+1+1", "-1+1>+0+1", "-2+1>-1+1", "-3+1>-2+1", "-4+1>-3+1")
    assert w.verdicts() == [("legal", None, "push")]
    assert [w.on(at(q, 1)) for q in range(-4, 2)] == [
        None, "wizard/red", "wisdom/red", "wizard/blue", "wisdom/blue", "wizard/red",
    ]  # fmt: skip


def test_a_push_over_the_border() -> None:
    w = Watched(moving("red +3+0", "blue +4+0", "red* -4+0"))
    w.put("-4+0>-3+0", "+4+0>-4+0", "+3+0>+4+0")
    assert w.verdicts() == [("legal", None, "push")]
    assert [w.on(at(q, 0)) for q in (4, -4, -3)] == ["wizard/red", "wizard/blue", "wisdom/red"]


def test_a_series_of_jumps_is_one_displacement() -> None:
    w = Watched(moving("red +0+1", "blue +1+1", "red* +2+0", "blue +3+0"))
    w.put("+0+1>+2-1")
    assert w.verdicts() == [("legal", None, "jump")]
    assert w.tracker.game.events[-1].args["path"] == [at(2, 1), at(2, -1)]


def test_equal_wizards_in_a_row_look_like_a_jump() -> None:
    w = Watched(moving("red +1+0", "red +2+0", "blue +0+3"))
    w.put("+2+0>+3+0", "+1+0>+2+0")
    assert w.verdicts() == [("legal", None, "jump")]
    w.put("+0+3>+0+2")
    assert w.verdicts() == [("legal", None, "push")]
    assert w.on(at(3, 0)) == w.on(at(2, 0)) == "wizard/red"


def test_equal_pieces_that_come_back_are_a_take_back() -> None:
    w = Watched(moving("red +1+0", "red* +2+0", "red* +3+0", "blue +0+3"))
    w.put("+3+0>+4+0", "+2+0>+3+0", "+1+0>+2+0")
    assert w.verdicts() == [("legal", None, "push")]
    before = w.state
    w.put("+2+0>+1+0", "+3+0>+2+0", "+4+0>+3+0")
    assert w.verdicts() == [("legal", None, None)]
    assert w.state.to_act == "red"
    assert before != w.state
    assert w.on(at(1, 0)) == "wizard/red"


@pytest.mark.parametrize("left", [False, True])
def test_a_wisdom_burns_and_its_value_is_asked(left: bool) -> None:
    w = Watched(moving("red -2+0", "blue* -1+0", "blue +3+0"))
    w.put("-1+0>+0+0" if left else "-1+0>", "-2+0>-1+0")
    events = w.watch()
    given = [e for e in events if isinstance(e, VerdictGiven)]
    asked = [e for e in events if isinstance(e, QuestionAsked)]
    assert [v.verdict.status for v in given] == [Status.LEGAL]
    assert [c.text.text for c in asked[0].choices] == ["-1", "+1", "+2"]
    assert w.state.pending == (at(0, 0),)
    answered = w.tracker.choose(asked[0].id, 2)
    assert any(isinstance(e, Withdrawn) and e.id == asked[0].id for e in answered)
    assert w.state.points["red"] == 2
    if left:
        w.put("+0+0>")
        assert w.verdicts(seconds=10.0) == []
    w.put("+3+0>+4+0")
    assert w.verdicts() == [("legal", None, "push")]


def test_nothing_goes_on_before_the_value_is_told() -> None:
    w = Watched(moving("red -2+0", "blue* -1+0", "blue +3+0"))
    w.put("-1+0>", "-2+0>-1+0")
    w.watch()
    w.put("+3+0>+4+0")
    assert w.verdicts() == [("pending", None, None)]
    w.tracker.act(Action("red", "burnt", {"cell": at(0, 0), "value": -1}))
    assert w.verdicts() == [("legal", None, "push")]


def test_the_question_stands_after_a_restart() -> None:
    t = moving("red -2+0", "blue* -1+0", "blue +3+0")
    t.push("red", at(-2, 0), at(-1, 0))
    w = Watched(t)
    assert any(isinstance(e, QuestionAsked) for e in w.watch())


def test_two_turns_that_were_shown_together() -> None:
    w = Watched(moving("red -2+2", "blue* -1+2", "blue +3+0", "blue +0+1"))
    w.put("-1+2>+0+2", "-2+2>-1+2", "+3+0>+3-1")
    assert w.verdicts() == [("legal", None, "push")]
    assert w.state.to_act == "red"
    assert len(w.tracker.game.events) == 2


def test_a_jump_that_goes_on_later_takes_the_judgement_back() -> None:
    w = Watched(moving("red +0+1", "blue +1+1", "red* +2+0", "blue +3+0"))
    w.put("+0+1>+2+1")
    assert w.verdicts() == [("legal", None, "jump")]
    w.put("+2+1>+2-1")
    assert w.verdicts() == [("legal", None, "jump")]
    assert w.state.to_act == "blue"
    assert [e.do for e in w.tracker.game.events] == ["jump", "undo", "jump"]


def test_the_wizard_follows_what_it_pushed() -> None:
    w = Watched(moving("red -2+2", "blue* -1+2", "blue +3+0"))
    w.put("-1+2>+0+2")
    assert w.verdicts() == [("pending", None, None)]
    w.put("-2+2>-1+2")
    assert w.verdicts() == [("legal", None, "push")]


def test_no_wizard_is_called_for_by_a_piece_from_elsewhere() -> None:
    """Blue's wizard comes to where one would stand if red's on (-3,2) had pushed the lost one on."""
    w = Watched(moving("red -3+2", "red -2+2", "blue -1+2", "blue -1-2"))
    w.put("-2+2>")
    w.watch()
    w.put("-1-2>+0+2")
    given = [e.verdict for e in w.watch() if isinstance(e, VerdictGiven)]
    assert [v.pending.key for v in given] == ["where_is"]


def test_a_hidden_piece_that_was_pushed() -> None:
    w = Watched(moving("red -2+2", "blue* -1+2", "blue +3+0"))
    w.put("-1+2>+0+2", "-2+2>-1+2")
    given = [e.verdict for e in w.watch(hidden=[at(0, 2)]) if isinstance(e, VerdictGiven)]
    assert [v.status for v in given] == [Status.LEGAL]
    assert w.on(at(0, 2)) == "wisdom/blue"


def test_of_equal_pieces_that_were_pushed_one_is_not_seen() -> None:
    """What stands where the other one belongs is that other one; the one not seen has gone on."""
    w = Watched(moving("red -2+2", "blue* -1+2", "blue* +0+2", "blue +3+0"))
    w.put("+0+2>", "-1+2>+0+2", "-2+2>-1+2")
    assert w.verdicts() == [("legal", None, "push")]
    there = {s for p, s in w.tracker.whereabouts.items() if p.startswith("wisdom/blue/") and s}
    assert there == {(at(0, 2),), (at(1, 2),)}


def test_where_a_wizard_went_that_nobody_sees_is_not_guessed() -> None:
    w = Watched(moving("red -2+2", "blue +3+0", "blue +0+2"))
    w.put("-2+2>")
    assert w.verdicts() == []
    w.put("+3+0>+3-1")
    before = w.state
    given = [e.verdict for e in w.watch() if isinstance(e, VerdictGiven)]
    assert [(v.status, v.pending.key) for v in given] == [(Status.PENDING, "where_is")]
    assert w.state == before
    w.now["wizard/red/1"] = (at(-1, 2),)
    assert w.verdicts() == [("legal", None, "push")]
    assert (w.on(at(-1, 2)), w.on(at(3, -1)), w.state.to_act) == (
        "wizard/red",
        "wizard/blue",
        "red",
    )


def test_of_two_turns_that_look_alike_the_one_that_forbids_nothing_is_taken() -> None:
    """Blue's wizard goes from (0,4) to (-4,4) across the border or in two jumps."""
    w = Watched(moving("red -2+2", "blue +0+4", "red -1+4", "red -3+4"))
    w.put("-2+2>-1+2", "+0+4>-4+4")
    assert w.verdicts() == [("legal", None, "jump")]
    assert w.state.crossings == () and w.state.to_act == "red"


FOULS = [
    ("own wisdom into the fire", ["-1+0>+0+0", "-2+0>-1+0"], "H-17"),
    ("own wisdom taken out of the fire", ["-1+0>", "-2+0>-1+0"], "H-17"),
    ("the opponent's wizard", ["+3+0>+3-1"], "H-7"),
    ("a jump over nothing", ["-2+0>-2+2"], "H-12"),
    ("a wisdom by hand", ["-1+0>+2+1"], "H-8"),
    ("two moves", ["-2+0>-2-1", "+1+3>+1+2"], "H-7"),
    ("a foreign wisdom two cells on", ["+0+3>+0+1", "-1+3>+0+3"], None),
]


@pytest.mark.parametrize(("name", "moves", "rule"), FOULS, ids=[f[0] for f in FOULS])
def test_fouls_are_refused_with_the_way_back(name: str, moves: list[str], rule: str | None) -> None:
    w = Watched(moving("red -2+0", "red* -1+0", "blue +3+0", "red +1+3", "red -1+3", "blue* +0+3"))
    before = w.state
    w.put(*moves)
    given = [e.verdict for e in w.watch(2.2) if isinstance(e, VerdictGiven)]
    assert [v.status for v in given] == [Status.ILLEGAL]
    assert given[0].rule == rule or rule is None
    assert given[0].message.text
    assert given[0].cells
    assert {m.piece for m in given[0].way_back} == {m.piece for m in given[0].pieces}
    assert w.state == before
    w.now = dict(w.tracker.placement.pieces)
    w.watch()
    assert w.tracker.open_verdict is None


def test_back_across_the_border_at_once_looks_like_a_take_back() -> None:
    w = Watched(moving("red +3+0", "blue +4+0"))
    w.put("+4+0>-4+0", "+3+0>+4+0")
    assert w.verdicts() == [("legal", None, "push")]
    w.put("+4+0>+3+0", "-4+0>+4+0")
    assert w.verdicts(seconds=2.2) == [("legal", None, None)]
    assert w.state.to_act == "red"


def test_back_across_the_border_one_turn_later_is_refused() -> None:
    w = Watched(moving("red +4+0", "blue +0+3"))
    for move in ("+4+0>-4+0", "+0+3>+0+2"):
        w.put(move)
        assert w.verdicts() == [("legal", None, "push")]
    w.put("-4+0>+4+0")
    assert w.verdicts(seconds=2.2) == [("illegal", "H-15", "push")]


def test_two_readings_that_matter_are_asked() -> None:
    """(0,4) to (-4,4): along the border line it may be a step across it, or two jumps.  Blue could
    push the wizard back across, unless it has just come that way."""
    t = moving("red +0+4", "blue -1+4", "blue -3+4", "blue +3+0")
    w = Watched(t)
    w.put("+0+4>-4+4")
    events = w.watch(2.2)
    asked = [e for e in events if isinstance(e, QuestionAsked)]
    assert len(asked) == 1
    assert [e.verdict.status for e in events if isinstance(e, VerdictGiven)] == [Status.AMBIGUOUS]
    dos = [c.actions[-1].do for c in asked[0].choices]
    assert sorted(dos) == ["jump", "push"]
    w.tracker.choose(asked[0].id, dos.index("push"))
    assert [c.origin for c in w.state.crossings] == [at(0, 4)]


def test_two_readings_that_do_not_matter_are_not_asked() -> None:
    w = Watched(moving("red +0+4", "blue -1+4", "red -3+4", "blue +3+0"))
    w.put("+0+4>-4+4")
    assert w.verdicts(seconds=2.2) == [("legal", None, "jump")]


def test_wisdoms_are_placed_in_turn() -> None:
    w = Watched(Table(hexagon()))
    w.put(">+1+0 red*")
    assert w.verdicts() == [("legal", None, "place")]
    w.put(">+2+0 red*")
    assert w.verdicts(seconds=2.2) == [("illegal", "H-3", "place")]
    w.put("+2+0>")
    w.watch()
    w.put(">+2+0 blue*", ">+3+0 red*")
    assert w.verdicts() == [("legal", None, "place")]
    assert w.state.to_act == "blue"
    w.put(">+0+0 blue*")
    assert w.verdicts(seconds=2.2) == [("illegal", "H-3", "place")]


def test_all_wisdoms_at_once() -> None:
    t = Table(hexagon())
    w = Watched(t)
    free = [c for c in t.board.cells if c not in t.state.at and c != at(0, 0)]
    for n in range(7):
        w.put(f">{free[2 * n]} red*", f">{free[2 * n + 1]} blue*")
    assert w.verdicts() == [("legal", None, "place")]
    assert w.state.phase.value == "moving"


def _burnt_left(change: Change, state: HexagonState) -> Mapping[str, tuple[str, ...]]:
    """Where the burnt wisdoms of a change lie until they are taken away."""
    burnt = [p for p, cell in change.moves.items() if cell is None]
    return {p: (cell,) for p, cell in zip(burnt, change.burnt, strict=True) if is_wisdom(p)}


@pytest.mark.parametrize("seed", range(6))
def test_every_legal_change_is_understood_or_asked(seed: int) -> None:
    rng = random.Random(seed)
    board = load_board("reference", "hexagon")
    players = (Player("a", "red"), Player("b", "blue"))
    t = Table(board)
    state = ROOM.start(Header("hexagon", "reference", players), board)
    for action in play_game(state, rng, rng.randint(16, 90)):
        state = ROOM.judge(state, action).state
    t.state = state
    if state.pending or state.to_act is None or state.phase.value != "moving":
        return
    for change in rng.sample(list(changes(state)), 4):
        w = Watched(t)
        after = apply(state, change)
        w.now |= ROOM.placement(after).pieces
        if rng.random() < 0.5:
            w.now |= _burnt_left(change, state)
        events = w.watch(0.9)
        if any(isinstance(e, QuestionAsked) and len(e.choices) == 2 for e in events):
            continue
        assert looks_of(w.state) == looks_of(after), change
        assert (w.state.pending, w.state.to_move) == (after.pending, after.to_move)


def _said(events: Iterable[TrackerEvent]) -> list[str]:
    return [e.verdict.message.text for e in events if isinstance(e, VerdictGiven)]


def test_a_wizard_that_is_missing_at_first_is_named() -> None:
    w = Watched(Table(hexagon()))
    start = w.state.setup.starts["red"][2]
    w.put(f"{start}>")
    w.accepted = dict(w.now) | {"wizard/red/3": (start,)}
    assert _said(w.watch(4.0)) == [f"A red wizard is missing on {start}."]
    w.put(f"{w.state.setup.starts['blue'][0]}>+1+0")
    assert (
        f"A blue wizard stands on +1+0 and belongs on {w.state.setup.starts['blue'][0]}."
        in (_said(w.watch(3.0))[-1])
    )
    w.now = dict(w.tracker.placement.pieces)
    events = w.watch()
    assert _said(events) == []
    assert w.tracker.open_verdict is None
    w.put(">+1+0 red*")
    assert w.verdicts() == [("legal", None, "place")]


def test_faults_of_a_whole_arrangement() -> None:
    state = Table(hexagon()).state
    right = [("wizard", p.split("/")[1], c) for c, p in state.at.items()]
    assert faults(state, right) == ()
    assert faults(state, [*right, ("wisdom", "red", at(1, 0))]) == ()
    first = right[0]
    cases = {
        "missing_wizard": right[1:],
        "stray": [*right[1:], (*first[:2], at(1, 0))],
        "one_too_many": [*right, ("wizard", "blue", at(1, 0))],
        "on_flame": [*right, ("wisdom", "red", at(0, 0))],
        "two_on_one": [*right, ("wisdom", "blue", first[2])],
    }
    for key, seen in cases.items():
        assert [f.key for f in faults(state, seen)] == [key]
    state = moving("red +1+0", "blue* +2+0").state
    assert [f.key for f in faults(state, [("wizard", "red", at(1, 0))])] == ["missing_wisdom"]
