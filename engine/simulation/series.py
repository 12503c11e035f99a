"""Series of simulated games: portions with seeds, whose counts add up."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.board import Board
from engine.errors import BoardwardenError
from engine.game import Header, Player, Room
from engine.referee.tracker import Tracker
from engine.simulation.faults import FaultTrial
from engine.simulation.film import Film, FilmMaker
from engine.simulation.games import Players
from engine.simulation.noise import MEASURED, Noise
from engine.simulation.trial import Figures, Showing, Trial, compare

TIME_BIN_S = 0.05
WORK_BIN_S = 0.001


@dataclass(frozen=True)
class Series:
    """What is played: ``games`` games with the seeds ``first``, ``first`` + 1, …, with 2, 3, … players
    in turn, each up to its end or ``actions`` actions; ``faults``: random ones are put in."""

    room: Room
    board: Board
    players: Players
    first: int = 1
    games: int = 1
    seats: tuple[int, ...] = (2, 3, 4)
    actions: int = 500
    noise: Noise = MEASURED
    faults: bool = False

    def header(self, seed: int) -> Header:
        """The header of one game."""
        count = self.seats[seed % len(self.seats)]
        colours = self.players.colours[:count]
        return Header(self.room.name, "reference", tuple(Player(c, c) for c in colours))

    def film(self, seed: int) -> tuple[Film, Any]:
        """One game as it would look at the table, and its last state."""
        start = self.room.start(self.header(seed), self.board)
        room = self.room if self.players.table is None else self.players.table(seed)
        maker = FilmMaker(
            room, start, self.players.choose, random.Random(seed), self.players.habits,
            self.players.foul, self.board, self.players.covered(start, seed),
        )  # fmt: skip
        film = maker.make(self.actions, self.noise, seed, paced=True)
        return film, maker.state

    def play(self, clock: Callable[[], float]) -> Iterator[tuple[int, Figures]]:
        """Plays one game after the other; ``clock`` gives processor seconds."""
        for seed in range(self.first, self.first + self.games):
            film, truth = self.film(seed)
            figures = Figures()
            tracker = Tracker(self.room, self.board, self.header(seed))
            label = f"game {seed}"
            make = self.players.eyes
            eyes = None if make is None else make(tracker.placement.infos, self.noise, seed)
            showing = Showing(
                self.room, self.board, film, tracker, figures, label, clock, eyes=eyes
            )
            if self.faults:
                FaultTrial(showing, random.Random(f"faults {seed}")).run()
                figures.counts["games"] += 1
            else:
                Trial(showing).run()
                compare(self.room, tracker, truth, figures, label)
            yield seed, figures


def to_counts(figures: Figures) -> dict[str, dict[str, int]]:
    """Figures as counts that can be added up: durations by bins."""
    return {
        "counts": dict(figures.counts),
        "kinds": dict(figures.kinds),
        "confidence": {f"{t / 10:.1f} {_word(r)}": n for (t, r), n in figures.calibration.items()},
        "accepted_s": _bins(figures.accepted_s, TIME_BIN_S),
        "refused_s": _bins(figures.refused_s, TIME_BIN_S),
        "decision_s": _bins(figures.decision_times_s, WORK_BIN_S),
    }


def _word(right: bool) -> str:
    return "right" if right else "wrong"


def _bins(values: Iterable[float], width: float) -> dict[str, int]:
    return dict(Counter(f"{int(v / width + 1e-9) * width + width:.3f}" for v in values))


def add_up(portions: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """The sum of some portions; raises BoardwardenError for something that is none."""
    total: dict[str, Counter[str]] = {}
    for portion in portions:
        for name in ("counts", "kinds", "confidence", "accepted_s", "refused_s", "decision_s"):
            part = portion.get(name, {})
            if not isinstance(part, Mapping) or not all(type(v) is int for v in part.values()):
                raise BoardwardenError(
                    f"the results are damaged: {name} must be an object of counts; simulate them again"
                )
            total.setdefault(name, Counter()).update({str(k): int(v) for k, v in part.items()})
    for name in ("accepted_s", "refused_s", "decision_s"):
        if not all(_is_edge(key) for key in total.get(name, ())):
            raise BoardwardenError(
                f"the results are damaged: {name} must be counted by seconds; simulate them again"
            )
    return {name: dict(sorted(counter.items())) for name, counter in total.items()}


def _is_edge(key: str) -> bool:
    try:
        return math.isfinite(float(key))
    except ValueError:
        return False


def percentile(bins: Mapping[str, int], share: float) -> float:
    """Upper edge of the bin that holds this share of all values; 0 without any."""
    left = share * sum(bins.values())
    for edge, count in sorted((float(k), n) for k, n in bins.items()):
        left -= count
        if left <= 1e-9:
            return edge
    return 0.0


def report(total: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Lines for people."""
    counts = Counter(total.get("counts", {}))
    games, moves = max(1, counts["games"]), max(1, counts["moves"])
    fouls = counts["fouls"]
    yield f"games                    {counts['games']}, {counts['moves']} moves"
    yield (
        f"right without help       {counts['right']} = {counts['right'] / moves:.2%}"
        f" (of these {counts['late']} with the next move)"
    )
    yield f"corrections per game     {counts['corrections'] / games:.2f}"
    yield f"questions per game       {counts['questions'] / games:.2f}"
    yield f"false alarms             {counts['false alarms']} = {counts['false alarms'] / moves:.2%} of moves"
    yield (
        f"illegal attempts         {fouls}: missed {counts['missed']}, asked about"
        f" {counts['asked about a foul']}, legal after all {counts['explained']}"
    )
    yield f"judged with a hand in    {counts['judged with a hand in']}"
    yield f"dead ends                {counts['dead ends']}"
    for name, key in (("accepted after", "accepted_s"), ("refused after", "refused_s")):
        bins = total.get(key, {})
        yield (
            f"{name:24} median {percentile(bins, 0.5):.2f} s, 99 % {percentile(bins, 0.99):.2f} s,"
            f" at most {percentile(bins, 1.0):.2f} s"
        )
    work = total.get("decision_s", {})
    yield (
        f"processor time, decision median {1e3 * percentile(work, 0.5):.0f} ms,"
        f" 99 % {1e3 * percentile(work, 0.99):.0f} ms, at most {1e3 * percentile(work, 1.0):.0f} ms"
    )
    yield from _confidence(total.get("confidence", {}))


def report_faults(total: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Lines for people about games with random faults."""
    counts, kinds = Counter(total.get("counts", {})), total.get("kinds", {})
    faults = sum(n for kind, n in kinds.items() if kind.startswith("fault: "))
    taps = sum(n for kind, n in kinds.items() if kind.startswith("tap: "))
    yield f"games                    {counts['games']}, {counts['moves']} moves"
    yield f"faults and random taps   {faults}, {taps}"
    yield f"exceptions               {counts['exceptions']}"
    yield f"dead ends                {counts['dead ends']}"
    yield f"nothing offered          {counts['no way out']}"


def _confidence(table: Mapping[str, int]) -> Iterator[str]:
    for tenth in sorted({k.split()[0] for k in table}):
        right, wrong = table.get(f"{tenth} right", 0), table.get(f"{tenth} wrong", 0)
        share = right / max(1, right + wrong)
        yield f"confidence {tenth} and more   {right + wrong} verdicts, {share:.1%} right"
