"""What is remembered of the eyes' reports between views: dice, and pieces gone from sight."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from itertools import permutations

from engine.geometry import Point
from engine.observation import CellView, Observation
from engine.placement import PieceMove, Placement
from engine.referee.events import TrackerEvent, VerdictGiven, Withdrawn
from engine.verdict import Listed, Message, Status, Verdict

# A die that lies further from where it lay than its own side has been thrown, or handed on.
THROWN_MM = 20.0
SURE_PIPS = math.log(0.9)
# What is less surely a die, or one that would lie on the board, is no throw by itself: it may be taken
# for the second die, now here and now there, while that one is out of sight.
SURE_DIE = 0.65
STEADY_VIEWS = 3
FORGET_S = 1.0
REMEMBER_CHANGE_S = 20.0
FAINT_SHARE = 0.5  # of a change before: less than that does not count as the newer one
# A piece in somebody's hand comes back within seconds; after that it is asked for.
MISSING_S = 8.0

Die = tuple[Point, tuple[float, ...]]


class Dice:
    """The dice as seen last, and whether they have been thrown since the last accepted action."""

    def __init__(self) -> None:
        self._dice: tuple[Die, ...] = ()
        self._base: tuple[Die, ...] = ()
        self._turn = 0
        self._steady = 0
        self._sure = False
        self._seen_s = 0.0

    def see(self, observation: Observation) -> None:
        """Takes in the dice of a still view; only a short miss within a still moment is bridged: dice
        out of sight may have been thrown."""
        seen = sorted(
            (p for p in observation.pieces if len(p.pips) == 6), key=lambda p: -p.confidence
        )[:2]
        dice = tuple((p.at_mm, p.pips) for p in sorted(seen, key=lambda p: p.at_mm))
        since_s = max(observation.t_s - observation.still_s, observation.t_s - FORGET_S)
        if len(dice) < len(self._dice) and self._seen_s > since_s:
            return
        self._seen_s = observation.t_s
        self._sure = all(p.confidence >= SURE_DIE and max(p.pips) >= SURE_PIPS for p in seen)
        same = _values(dice) == _values(self._dice)
        self._steady = self._steady + 1 if same else 1
        self._dice = dice
        if len(self._base) < 2 and len(dice) == 2 and self._sure:
            self._base = dice

    def accepted(self, turn: int) -> None:
        """An action was accepted: dice thrown after it are a new throw."""
        if turn != self._turn or self._base:
            self._base = self._dice if self._sure else ()
        self._turn = turn

    def log_pips(self) -> tuple[tuple[float, ...], ...]:
        """Log-probabilities of 1 to 6 per die."""
        return tuple(pips for _, pips in self._dice)

    def values(self) -> tuple[int, ...]:
        """The most probable pips, sorted."""
        return _values(self._dice)

    def thrown(self) -> tuple[int, int] | None:
        """A new, steady and clearly read throw of both dice."""
        if len(self._dice) != 2 or self._steady < STEADY_VIEWS or len(self._base) != 2:
            return None
        if not self._sure:
            return None
        if self.values() == _values(self._base) and not self._moved():
            return None
        a, b = self.values()
        return a, b

    def _moved(self) -> bool:
        """Whether the dice lie elsewhere, whichever is which."""
        far = [
            max(math.dist(a[0], b[0]) for a, b in zip(self._dice, order, strict=True))
            for order in permutations(self._base)
        ]
        return min(far) > THROWN_MM


def _values(dice: tuple[Die, ...]) -> tuple[int, ...]:
    return tuple(sorted(pips.index(max(pips)) + 1 for _, pips in dice))


class Witness:
    """Where the look of the board has changed and nothing accepted explains it yet.

    The eyes count changes from the last accepted view; when one thing is accepted while another is
    still unclear, that other change must not be forgotten.
    """

    def __init__(self) -> None:
        self._last_s: dict[str, float] = {}
        self._strength: dict[str, float] = {}
        self._ends: dict[str, float] = {}
        self._touched: dict[str, float] = {}

    def see(self, observation: Observation) -> Mapping[str, float] | None:
        """The spots changed of late, with the time when they changed most; None when the eyes do not
        compare."""
        hand = [s for s, view in observation.cells.items() if view is CellView.HAND]
        self._touched |= dict.fromkeys(hand, observation.t_s)
        if observation.changed is None:
            return None
        told, known = observation.strength, self._strength
        faint = {
            s for s in observation.changed & self._last_s.keys() & told.keys() & known.keys()
            if told[s] < FAINT_SHARE * known[s]
        }  # fmt: skip
        self._last_s |= dict.fromkeys(observation.changed - faint, observation.t_s)
        recent = observation.t_s - REMEMBER_CHANGE_S
        self._last_s = {spot: t_s for spot, t_s in self._last_s.items() if t_s >= recent}
        self._ends = {spot: t_s for spot, t_s in self._ends.items() if t_s >= recent}
        self._touched = {spot: t_s for spot, t_s in self._touched.items() if t_s >= recent}
        self._strength = {
            spot: max(told.get(spot, 0.0), self._strength.get(spot, 0.0))
            for spot in self._last_s
            if spot in told or spot in self._strength
        }
        return self._last_s

    @property
    def strength(self) -> Mapping[str, float]:
        """How much spots have changed of late, as far as the eyes tell."""
        return self._strength

    @property
    def ends(self) -> Mapping[str, float]:
        """Where accepted pieces came from and to of late, and when that was understood: the look of what
        is near has changed too."""
        return self._ends

    @property
    def touched(self) -> Mapping[str, float]:
        """Which spots a resting hand has covered of late, and until when: nobody has seen what came or
        went there meanwhile."""
        return self._touched

    def explained(self, moves: tuple[PieceMove, ...], t_s: float) -> None:
        """These moves were accepted: their spots look as they should."""
        for spot in {s for m in moves for s in (*m.origin, *m.to)}:
            self._last_s.pop(spot, None)
            self._strength.pop(spot, None)
            self._ends[spot] = t_s


class Missing:
    """Pieces that cannot be found although their spot is in view."""

    def __init__(self) -> None:
        self._since_s: dict[str, float] = {}
        self._said: dict[str, str] = {}

    def gone_for_s(self, piece: str, t_s: float) -> float:
        """For how long a piece has been gone."""
        return t_s - self._since_s.get(piece, t_s)

    def note(self, gone: frozenset[str], t_s: float) -> None:
        """What is gone now; from the first such view on it has been."""
        self._since_s = {p: self._since_s.get(p, t_s) for p in gone}

    def update(
        self,
        observation: Observation,
        gone: frozenset[str],
        placement: Placement,
        new_id: Callable[[], str],
        why: Callable[[str], tuple[str, Message] | None] = lambda piece: None,
        refused: Collection[str] = (),
    ) -> list[TrackerEvent]:
        """Asks for a piece that has been gone for a while, once, and withdraws when it is back;
        ``why``: the rule by which it may not have left, in the game's words; ``refused``: pieces of which
        something has been said already."""
        t_s = observation.t_s
        events: list[TrackerEvent] = []
        self.note(gone, t_s)
        for piece in [p for p in self._said if p not in gone]:
            events.append(Withdrawn(self._said.pop(piece), t_s))
        for piece in sorted(gone):
            since = self._since_s[piece]
            silent = piece in self._said or piece in refused
            if not silent and t_s - since >= MISSING_S:
                self._said[piece] = new_id()
                verdict = _missing(piece, placement, why(piece))
                events.append(VerdictGiven(self._said[piece], t_s, verdict))
        return events


class Overdue:
    """Pieces that stand where the rules do not have them any more, as after a scoring."""

    def __init__(self) -> None:
        self._since_s: dict[str, float] = {}
        self._said: dict[str, str] = {}

    def update(
        self,
        t_s: float,
        late: tuple[PieceMove, ...],
        reminder: Callable[[tuple[PieceMove, ...]], Message | None],
        new_id: Callable[[], str],
    ) -> list[TrackerEvent]:
        """Reminds of pieces that have been ``late`` for a while, once, and withdraws it when they
        have been taken away."""
        present = {m.piece: m for m in late}
        events: list[TrackerEvent] = []
        for piece in [p for p in self._since_s if p not in present]:
            del self._since_s[piece]
        for ident in set(self._said.values()):
            pieces = [p for p, said in self._said.items() if said == ident]
            if not present.keys() & set(pieces):
                events.append(Withdrawn(ident, t_s))
                self._said = {p: said for p, said in self._said.items() if said != ident}
        due = []
        for piece, move in present.items():
            since = self._since_s.setdefault(piece, t_s)
            if piece not in self._said and t_s - since >= MISSING_S:
                due.append(move)
        message = reminder(tuple(due)) if due else None
        if message is not None:
            ident = new_id()
            self._said |= {m.piece: ident for m in due}
            verdict = Verdict(
                Status.PENDING, pieces=tuple(due), rule=message.params.get("rule"),
                cells=tuple(s for m in due for s in m.origin), way_back=tuple(due),
                pending=message,
            )  # fmt: skip
            events.append(VerdictGiven(ident, t_s, verdict))
        return events


def _missing(piece: str, placement: Placement, why: tuple[str, Message] | None = None) -> Verdict:
    info = placement.infos[piece]
    spots = placement.pieces[piece]
    name = " ".join(w for w in (info.colour or "", info.kind.replace("_", " ")) if w)
    text = (
        f"I cannot find the {name}. It stood on {', '.join(spots)}. "
        "Please put it where I can see it."
    )
    message = Message("referee.missing", text, {"piece": piece, "cells": Listed(spots, "")})
    rule, said = (None, message) if why is None else why
    return Verdict(
        Status.UNREADABLE, info.colour, pieces=(PieceMove(piece, spots, ()),), rule=rule,
        cells=spots, message=said,
    )  # fmt: skip
