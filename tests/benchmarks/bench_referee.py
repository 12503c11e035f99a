"""Random games shown to the referee through simulated eyes; prints figures.

    python tests/benchmarks/bench_referee.py [games] [actions] [seed] [noise factor]

Counted: moves accepted, refusals where nothing was wrong (false alarms), fouls not refused
(missed), refusals said more than once, and the time of ``Tracker.observe`` when it had to decide.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from engine.board import load_board
from engine.game import Header, Player
from engine.magalon.room import MagalonRoom
from engine.magalon.simulate import random_action
from engine.referee.events import ActionRecorded, QuestionAsked, VerdictGiven
from engine.referee.tracker import Tracker
from engine.simulation.film import Film, FilmMaker, Habits, Scene
from engine.simulation.fouls import magalon_foul
from engine.simulation.script import Noise, ScriptedSource
from engine.verdict import Status

COLOURS = ("violet", "green", "red", "orange")
REFUSALS = (Status.ILLEGAL, Status.UNREADABLE)


@dataclass
class Figures:
    counts: Counter[str] = field(default_factory=Counter)
    times_s: list[float] = field(default_factory=list)
    verdict_times_s: list[float] = field(default_factory=list)
    decision_times_s: list[float] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)


def make_film(seed: int, players: int, actions: int, noise: Noise, foul: float):
    board, room = load_board("reference"), MagalonRoom()
    header = Header("magalon", "reference", tuple(Player(c, c) for c in COLOURS[:players]))
    rng = random.Random(seed)
    maker = FilmMaker(
        room, room.start(header, board), random_action, rng, Habits(foul=foul), magalon_foul
    )
    film = maker.make(actions, noise, seed)
    return film, Tracker(room, board, header), maker.state


def watch(film: Film, tracker: Tracker, figures: Figures, label: str) -> None:
    board = load_board("reference")
    source = ScriptedSource(film.script, board, tracker._ledger.now.placement)
    taps, scenes, cards = list(film.taps), list(film.scenes), list(film.cards)
    said: list[VerdictGiven] = []
    for observation in source:
        while cards and cards[0][0] <= observation.t_s:
            tracker.set_cards(cards.pop(0)[1])
        while taps and taps[0][0] <= observation.t_s:
            tracker.act(taps.pop(0)[1])
        while scenes and observation.t_s > scenes[0].end_s:
            check(scenes.pop(0), said, tracker, figures, label)
            said = []
        decided = tracker._decided
        begin = time.perf_counter()
        events = tracker.observe(observation)
        took = time.perf_counter() - begin
        figures.times_s.append(took)
        events_given = any(isinstance(e, VerdictGiven) for e in events)
        if events_given or (tracker._decided is not decided and tracker._decided is not None):
            figures.decision_times_s.append(took)
        for event in events:
            if isinstance(event, ActionRecorded):
                source.accept()
            elif isinstance(event, VerdictGiven):
                said.append(event)
                figures.verdict_times_s.append(took)
                if observation.hand:
                    figures.counts["judged with a hand in"] += 1
                if event.verdict.status is Status.AMBIGUOUS:
                    figures.counts["questions"] += 1
            elif isinstance(event, QuestionAsked):
                figures.counts["questions"] += 1
    for scene in scenes:
        check(scene, said, tracker, figures, label)
        said = []


def check(
    scene: Scene, said: list[VerdictGiven], tracker: Tracker, figures: Figures, label: str
) -> None:
    refused = [v for v in said if v.verdict.status in REFUSALS]
    counts = figures.counts
    if scene.kind == "illegal":
        counts["fouls"] += 1
        counts["missed"] += not refused
        counts["said twice"] += len(refused) > 1
    else:
        counts[scene.kind] += 1
        counts["false alarms"] += len(refused)
    wrong = (scene.kind == "illegal") == (not refused)
    if scene.kind == "legal" and scene.moves:
        counts["moves"] += 1
        known = dict(tracker._ledger.now.known)
        behind = [p for p, spots in scene.moves.items() if set(known[p]) != set(spots)]
        good = not behind and tracker.open_verdict is None
        counts["accepted"] += not refused and good
        wrong |= not good
    if wrong and sum(t.startswith(label + " ") for t in figures.trouble) < 2:
        what = [
            (
                v.t_s,
                v.verdict.status.value,
                v.verdict.rule,
                v.verdict.message.text or v.verdict.pending.text,
            )
            for v in said
        ]
        figures.trouble.append(
            f"{label} {scene.start_s}-{scene.end_s} {scene.kind} {dict(scene.moves)} "
            f"{[a.to_json() for a in scene.actions]} -> {what}; differences {tracker.differences}"
        )


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    actions = int(sys.argv[2]) if len(sys.argv) > 2 else 80
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    factor = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
    noise = Noise(
        0.08 * factor, 0.03 * factor, 0.02 * factor, 0.05 * factor, 0.03 * factor, 0.01 * factor
    )
    figures = Figures()
    for seed in range(first, first + games):
        film, tracker, truth = make_film(seed, 2 + seed % 3, actions, noise, 0.08)
        watch(film, tracker, figures, f"game {seed}")
        same = (
            tracker._room.placement(tracker.state).pieces == tracker._room.placement(truth).pieces
        )
        figures.counts["games"] += 1
        figures.counts["same scores"] += tracker._room.scores(
            tracker.state
        ) == tracker._room.scores(truth)
        figures.counts["same arrangement"] += same
        if not same:
            a, b = (tracker._room.placement(s).pieces for s in (tracker.state, truth))
            figures.trouble.append(
                f"game {seed}: " + str({p: (a[p], b[p]) for p in a if a[p] != b[p]})
            )
    for line in figures.trouble[:40]:
        print(line)
    for name, count in sorted(figures.counts.items()):
        print(f"{name:24} {count}")
    for name, times in (
        ("observe", figures.times_s),
        ("decision", figures.decision_times_s),
        ("verdict", figures.verdict_times_s),
    ):
        times.sort()
        if times:
            n = len(times)
            print(
                f"{name:10} n {n}  median {1e3 * times[n // 2]:.2f} ms  "
                f"p99 {1e3 * times[int(0.99 * (n - 1))]:.2f} ms  max {1e3 * times[-1]:.2f} ms"
            )


if __name__ == "__main__":
    main()
