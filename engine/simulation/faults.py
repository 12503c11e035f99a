"""Games at a table where much goes wrong: nothing of it may raise an exception or end in a dead end.

A film is interrupted by faults (bumps, pieces knocked over, taken away or swapped, hands that rest,
a camera that sees nothing for a while), and somebody taps at random: undo, answers, repairs,
corrections of one piece, house rules.  What the referee makes of it is its own affair; but the people
must always be able to set the position right, and where board and state differ it has to offer a way.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.action import Action
from engine.board import Board
from engine.observation import CellView, Observation
from engine.referee.events import TrackerEvent, VerdictGiven
from engine.referee.tracker import Tracker
from engine.simulation.film import Film, Scene
from engine.simulation.script import Step
from engine.simulation.trial import Figures, Showing, Trial

FAULTS_PER_SCENE = 0.3
TAPS_PER_VIEW = 0.006
LONGEST_S = 9.0  # a fault; the camera may be away for longer
AWAY_S = 25.0


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong for ``length_s`` seconds; the times of ``steps`` count from its beginning."""

    kind: str
    length_s: float
    steps: tuple[Step, ...]


def random_fault(scene: Scene, board: Board, rng: random.Random) -> Fault:
    """A fault after a scene; afterwards the table looks as before, apart from what is left lying."""
    kind = rng.choice(sorted(_FAULTS))
    length = round(rng.uniform(0.4, LONGEST_S), 1)
    return _FAULTS[kind](kind, length, scene, board, rng)


def _bump(kind: str, length: float, scene: Scene, board: Board, rng: random.Random) -> Fault:
    """The board is lost, comes back for a moment, and is lost again."""
    times = (0.0, length / 3, length / 2, length)
    steps = [Step(t, pose=bool(n % 2)) for n, t in enumerate(times)]
    return Fault(kind, length, tuple(steps))


def _camera(kind: str, length: float, scene: Scene, board: Board, rng: random.Random) -> Fault:
    """The camera sees nothing for a while, and a piece has moved when it is back."""
    length = round(rng.uniform(length, AWAY_S), 1)
    return Fault(kind, length, (Step(0.0, pose=False), Step(length, pose=True)))


def _hand(kind: str, length: float, scene: Scene, board: Board, rng: random.Random) -> Fault:
    """A hand lies on the board; under it nothing can be seen."""
    under = frozenset(rng.sample(sorted(board.cells), k=min(12, len(board.cells))))
    steps = (Step(0.0, hand=True, hand_cells=under), Step(length, hand=False))
    return Fault(kind, length, steps)


def _knocked(kind: str, length: float, scene: Scene, board: Board, rng: random.Random) -> Fault:
    """Some pieces fall over or are swept aside: they lie anywhere, or nobody sees them."""
    # A laid tile ("1,0@90") carries figures and stays.
    standing = [p for p, spots in scene.shown.items() if spots and "@" not in spots[0]]
    single = _single(scene, board)
    pieces = rng.sample(standing, k=min(len(standing), rng.randint(1, 6)))
    cells = sorted(board.cells)
    lying = {
        p: rng.choice((None, (), (rng.choice(cells),))) if p in single else None for p in pieces
    }
    back = {p: scene.shown[p] for p in pieces}
    steps = (Step(0.0, moves=lying, hand=rng.random() < 0.5), Step(length, moves=back, hand=False))
    return Fault(kind, length, steps)


def _swapped(kind: str, length: float, scene: Scene, board: Board, rng: random.Random) -> Fault:
    """Two pieces have changed places, and nobody puts them back before the end of the fault."""
    single = sorted(_single(scene, board))
    pieces = rng.sample(single, k=2) if len(single) > 1 else []
    there = dict(zip(pieces, [scene.shown[p] for p in reversed(pieces)], strict=True))
    back = {p: scene.shown[p] for p in pieces}
    return Fault(kind, length, (Step(0.0, moves=there), Step(length, moves=back)))


def _glare(kind: str, length: float, scene: Scene, board: Board, rng: random.Random) -> Fault:
    """Half of the board cannot be seen."""
    cells = rng.sample(sorted(board.spots), k=len(board.spots) // 2)
    steps = (Step(0.0, hidden=dict.fromkeys(cells, CellView.GLARE)), Step(length, hidden={}))
    return Fault(kind, length, steps)


def _off_centre(kind: str, length: float, scene: Scene, board: Board, rng: random.Random) -> Fault:
    """All pieces are pushed around within, and out of, their cells."""
    single = sorted(_single(scene, board))
    off = {p: (rng.uniform(-0.7, 0.7), rng.uniform(-0.7, 0.7)) for p in single}
    steps = (Step(0.0, off=off), Step(length, off=dict.fromkeys(off, (0.0, 0.0))))
    return Fault(kind, length, steps)


def _single(scene: Scene, board: Board) -> set[str]:
    """Pieces that stand on one printed cell."""
    return {p for p, s in scene.shown.items() if len(s) == 1 and s[0] in board.cells}


_FAULTS: dict[str, Callable[[str, float, Scene, Board, random.Random], Fault]] = {
    "bump": _bump, "camera": _camera, "glare": _glare, "hand": _hand, "knocked over": _knocked,
    "pushed": _off_centre, "swapped": _swapped,
}  # fmt: skip


def with_faults(film: Film, board: Board, rng: random.Random) -> tuple[Film, tuple[str, ...]]:
    """The film with faults put in after some of its scenes, and their kinds."""
    steps, scenes = list(film.script.steps), list(film.scenes)
    cards, taps = list(film.cards), list(film.taps)
    kinds: list[str] = []
    until_s = film.script.until_s
    for n in range(len(scenes)):
        if rng.random() >= FAULTS_PER_SCENE:
            continue
        at, fault = scenes[n].end_s, random_fault(scenes[n], board, rng)
        kinds.append(fault.kind)
        longer = fault.length_s + 1.6

        def later(t_s: float, at: float = at, longer: float = longer) -> float:
            return round(t_s + longer, 3) if t_s >= at - 1e-6 else t_s

        steps = [replace(s, t_s=later(s.t_s)) for s in steps]
        steps += [replace(s, t_s=round(at + s.t_s, 3)) for s in fault.steps]
        cards = [(later(t), c) for t, c in cards]
        taps = [(later(t), a) for t, a in taps]
        scenes[n + 1 :] = [
            replace(s, start_s=later(s.start_s), end_s=later(s.end_s)) for s in scenes[n + 1 :]
        ]
        scenes[n] = replace(scenes[n], end_s=round(at + longer, 3))
        until_s += longer
    script = replace(film.script, steps=tuple(sorted(steps, key=lambda s: s.t_s)), until_s=until_s)
    return Film(script, tuple(scenes), tuple(cards), tuple(taps)), tuple(kinds)


class Meddling:
    """Somebody who taps at random; wraps a tracker's ``observe``."""

    def __init__(
        self, tracker: Tracker, board: Board, figures: Figures, rng: random.Random
    ) -> None:
        self._tracker, self._board, self._rng = tracker, board, rng
        self._figures = figures
        self._said: list[VerdictGiven] = []

    def before(self, observation: Observation) -> tuple[TrackerEvent, ...]:
        """What a tap before this view leads to."""
        if self._rng.random() >= TAPS_PER_VIEW:
            return ()
        name = self._rng.choice(sorted(self._TAPS))
        self._figures.kinds[f"tap: {name}"] += 1
        return self._TAPS[name](self)

    def hear(self, events: tuple[TrackerEvent, ...]) -> None:
        """Remembers what can be answered."""
        self._said = [*self._said, *(e for e in events if isinstance(e, VerdictGiven))][-6:]

    def _undo(self) -> tuple[TrackerEvent, ...]:
        return self._tracker.act(Action(None, "undo", {}))

    def _note(self) -> tuple[TrackerEvent, ...]:
        return self._tracker.act(Action(None, "note", {"text": "a dog ran through"}))

    def _choose(self) -> tuple[TrackerEvent, ...]:
        ident = self._tracker.open_id or "v1"
        return self._tracker.choose(ident, self._rng.randint(0, 3))

    def _refuse(self) -> tuple[TrackerEvent, ...]:
        return self._tracker.refuse(self._rng.choice(self._said).id) if self._said else ()

    def _repair(self) -> tuple[TrackerEvent, ...]:
        return self._tracker.repair(self._rng.randint(0, 3))

    def _allow(self) -> tuple[TrackerEvent, ...]:
        return self._tracker.allow(self._rng.choice(self._said).verdict) if self._said else ()

    def _amend(self) -> tuple[TrackerEvent, ...]:
        return self._tracker.amend(*self._somewhere())

    def _correct(self) -> tuple[TrackerEvent, ...]:
        piece, spots = self._somewhere()
        cell = spots[0] if len(spots) == 1 else list(spots)
        return self._tracker.act(Action(None, "correct", {"pieces": {piece: cell}}))

    def _somewhere(self) -> tuple[str, tuple[str, ...]]:
        """A piece, and a spot of the same sort as its own."""
        pieces = self._tracker.placement.pieces
        piece = self._rng.choice(sorted(pieces))
        if len(pieces[piece]) > 1:
            return piece, pieces[self._rng.choice([p for p in pieces if len(pieces[p]) > 1])]
        return piece, (self._rng.choice(sorted(self._board.spots)),)

    _TAPS: ClassVar[dict[str, Callable[[Meddling], tuple[TrackerEvent, ...]]]] = {
        "allow": _allow, "amend": _amend, "choose": _choose, "correct": _correct, "note": _note,
        "refuse": _refuse, "repair": _repair, "undo": _undo,
    }  # fmt: skip


class FaultTrial(Trial):
    """A film with faults before one referee, with somebody who meddles.

    Counts "exceptions", "dead ends" (a correction does not make the position that the people say)
    and "no way out" (board and state differ, a refusal stands, and nothing is offered).
    """

    def __init__(self, showing: Showing, rng: random.Random) -> None:
        faulty, kinds = with_faults(showing.film, showing.board, rng)
        super().__init__(replace(showing, film=faulty))
        showing.figures.kinds.update(f"fault: {kind}" for kind in kinds)
        self._meddling = Meddling(showing.tracker, showing.board, showing.figures, rng)

    def run(self) -> None:
        """Plays the film; an exception ends it and is counted."""
        try:
            super().run()
            self._set_right()
        except Exception:
            self._figures.counts["exceptions"] += 1
            self._figures.trouble.append(f"{self._label} {traceback.format_exc()}")

    def _views(self) -> Iterator[Observation]:
        for observation in super()._views():
            self._hear(self._meddling.before(observation))
            yield observation

    def _hear(self, events: tuple[TrackerEvent, ...]) -> None:
        self._meddling.hear(events)
        super()._hear(events)

    def _help(self, scene: Scene) -> None:
        if self._tracker.differences and not self._tracker.repairs:
            self._figures.counts["no way out"] += 1
            self._figures.trouble.append(
                f"{self._label} {scene.start_s} no repair for {self._tracker.differences}"
            )
        super()._help(scene)

    def _set_right(self) -> None:
        """At the end the people say how it stands, whatever the referee thinks."""
        if self._film.scenes:
            self._help(self._film.scenes[-1])
