"""Shows a film to the referee and counts what it gets right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.action import Action
from engine.board import Board
from engine.game import Room
from engine.referee.events import ActionRecorded, VerdictGiven
from engine.referee.tracker import Tracker
from engine.simulation.film import Film, Scene
from engine.simulation.script import ScriptedSource
from engine.verdict import Status

REFUSALS = (Status.ILLEGAL, Status.UNREADABLE)


@dataclass
class Figures:
    """What happened in some films.

    ``counts``: scenes by kind, "moves" and "accepted", "fouls" and "missed", "false alarms",
    "said twice", "questions", "judged with a hand in".  ``decision_times_s``: durations of the
    views in which the referee had to make up its mind.  ``trouble``: one line per wrong scene.
    """

    counts: Counter[str] = field(default_factory=Counter)
    decision_times_s: list[float] = field(default_factory=list)
    view_times_s: list[float] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)


def watch(
    film: Film,
    tracker: Tracker,
    board: Board,
    figures: Figures,
    *,
    label: str = "",
    clock: Callable[[], float] = lambda: 0.0,
    correct: Room | None = None,
) -> None:
    """Plays a film to a tracker of the same start; ``clock`` gives seconds for the durations.

    ``correct``: the game's room, to put the state right by hand where a legal thing was not
    understood ("corrections"), so that one error does not count again and again.
    """
    source = ScriptedSource(film.script, board, tracker.placement)
    taps, scenes, cards = list(film.taps), list(film.scenes), list(film.cards)
    said: list[VerdictGiven] = []
    for observation in source:
        while cards and cards[0][0] <= observation.t_s:
            tracker.set_cards(cards.pop(0)[1])
        while taps and taps[0][0] <= observation.t_s:
            tracker.act(taps.pop(0)[1])
        while scenes and observation.t_s > scenes[0].end_s:
            scene = scenes.pop(0)
            fine = _check(scene, said, tracker, figures, label)
            said = []
            if correct is not None and not fine and scene.kind != "illegal":
                figures.counts["corrections"] += 1
                tracker.act(Action(None, "correct", correct.position(scene.state)))
        before, begin = tracker.decisions, clock()
        events = tracker.observe(observation)
        figures.view_times_s.append(clock() - begin)
        if tracker.decisions != before:
            figures.decision_times_s.append(figures.view_times_s[-1])
        for event in events:
            if isinstance(event, ActionRecorded):
                source.accept()
            elif isinstance(event, VerdictGiven):
                said.append(event)
                figures.counts["judged with a hand in"] += observation.hand
                figures.counts["questions"] += event.verdict.status is Status.AMBIGUOUS
    for scene in scenes:
        _check(scene, said, tracker, figures, label)
        said = []


def compare(room: Room, tracker: Tracker, truth: object, figures: Figures, label: str = "") -> None:
    """Compares the end of a film with the truth; equal pieces are not told apart."""
    if room.to_act(tracker.state) != room.to_act(truth):
        tracker.act(Action(room.to_act(tracker.state), "end"))
    ours, theirs = _arrangement(room, tracker.state), _arrangement(room, truth)
    figures.counts["games"] += 1
    figures.counts["same scores"] += room.scores(tracker.state) == room.scores(truth)
    figures.counts["same arrangement"] += ours == theirs
    if ours != theirs:
        figures.trouble.append(f"{label} {sorted(ours - theirs)} {sorted(theirs - ours)}")


def _check(
    scene: Scene, said: list[VerdictGiven], tracker: Tracker, figures: Figures, label: str
) -> bool:
    refused = [v for v in said if v.verdict.status in REFUSALS]
    counts = figures.counts
    if scene.kind == "illegal":
        counts["fouls"] += 1
        counts["missed"] += not refused
        counts["said twice"] += len(refused) > 1
        fine = bool(refused)
    else:
        counts[scene.kind] += 1
        counts["false alarms"] += len(refused)
        fine = not refused
    if scene.kind == "legal" and scene.moves:
        fine = fine and not _behind(scene.moves, tracker) and tracker.open_verdict is None
        counts["moves"] += 1
        counts["accepted"] += fine
    if not fine:
        words = [
            (v.t_s, v.verdict.status.value, v.verdict.rule, str(v.verdict.message)) for v in said
        ]
        figures.trouble.append(
            f"{label} {scene.start_s}-{scene.end_s} {scene.kind} {dict(scene.moves)} "
            f"{[a.to_json() for a in scene.actions]} -> {words}"
        )
    return fine


def _behind(moves: Mapping[str, tuple[str, ...]], tracker: Tracker) -> bool:
    """Whether something that was shown has not been taken in."""
    there: dict[str, set[frozenset[str]]] = {}
    for piece, spots in tracker.whereabouts.items():
        there.setdefault(_name(tracker, piece), set()).add(frozenset(spots))
    return any(frozenset(spots) not in there[_name(tracker, p)] for p, spots in moves.items())


def _name(tracker: Tracker, piece: str) -> str:
    info = tracker.placement.infos[piece]
    return f"{info.kind}/{info.colour}"


def _arrangement(room: Room, state: object) -> frozenset[tuple[str, tuple[str, ...]]]:
    placement = room.placement(state)
    return frozenset(
        (f"{info.kind}/{info.colour}", tuple(sorted(spots))) for info, spots in placement
    )
