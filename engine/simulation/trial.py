"""Shows a film to the referee, helps it as people at the table would, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Room
from engine.observation import Observation
from engine.referee.cards import Cards, parse_cards
from engine.referee.decide import describe
from engine.referee.events import ActionRecorded, QuestionAsked, TrackerEvent, VerdictGiven
from engine.referee.explain import Clues
from engine.referee.proposers import proposer_for
from engine.referee.tracker import Tracker
from engine.simulation.film import ILLEGAL_S, Film, Scene
from engine.simulation.script import ScriptedSource, Seeing
from engine.verdict import Choice, Status

REFUSALS = (Status.ILLEGAL, Status.UNREADABLE)
CARDS_ASKED = "referee.cards"  # no camera sees them: counted apart
PATIENCE = 2  # scenes for which people wait before they correct what was not taken in
Clock = Callable[[], float]
Spots = tuple[str, ...]


@dataclass
class Figures:
    """What happened in some films.

    ``counts``: "moves" (legal scenes with moved pieces) and "right" (taken in without help, "late"
    ones not before the next scene or the one after it), "corrections", "questions", "fouls" with "missed", "bent" (missed by taking something that was
    not shown) and "explained" (a legal sequence led to the ends seen after all), "false alarms",
    "said twice", "judged with a hand in", "games", "dead ends".  ``kinds``: fouls and missed ones
    by kind.  ``decision_times_s``: durations of the views in which the referee had to make up its
    mind; ``accepted_s`` and ``refused_s``: from the hand's leaving to the word.  ``calibration``:
    per tenth of confidence, verdicts and those that were right.  ``trouble``: one line per wrong
    scene.
    """

    counts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    calibration: Counter[tuple[int, bool]] = field(default_factory=Counter)
    decision_times_s: list[float] = field(default_factory=list)
    view_times_s: list[float] = field(default_factory=list)
    accepted_s: list[float] = field(default_factory=list)
    refused_s: list[float] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Showing:
    """A film and the referee of the same start to whom it is shown.

    ``clock`` gives seconds for the durations; ``helping``: people correct what was not taken in;
    ``eyes``: those of the board unless others are given.
    """

    room: Room
    board: Board
    film: Film
    tracker: Tracker
    figures: Figures
    label: str = ""
    clock: Clock = lambda: 0.0
    helping: bool = True
    eyes: Seeing | None = None


class Trial:
    """One film before one referee."""

    def __init__(self, showing: Showing) -> None:
        room, film, tracker = showing.room, showing.film, showing.tracker
        self._room, self._film, self._tracker = room, film, tracker
        self._figures, self._label, self._clock = showing.figures, showing.label, showing.clock
        self._helping = showing.helping
        self._alike = proposer_for(room, room).alike
        self._source = ScriptedSource(film.script, showing.board, tracker.placement, showing.eyes)
        self._said: list[VerdictGiven] = []
        self._asked: list[QuestionAsked] = []
        self._recorded = 0
        self._behind: list[Scene] = []
        self._misread: Mapping[str, str] = {}
        self._cards: Cards = {}

    def run(self) -> None:
        """Plays the film."""
        taps, scenes = list(self._film.taps), list(self._film.scenes)
        cards = list(self._film.cards)
        for observation in self._views():
            while cards and cards[0][0] <= observation.t_s:
                self._cards = parse_cards(cards[0][1])
                self._hear(self._tracker.set_cards(cards.pop(0)[1]))
            while taps and taps[0][0] <= observation.t_s:
                self._hear(self._tracker.act(taps.pop(0)[1]))
            while scenes and observation.t_s > scenes[0].end_s:
                self._check(scenes.pop(0))
            self._misread = self._source.misread
            if scenes and self._put_back(scenes[0], observation.t_s):
                continue
            before, begin = self._tracker.decisions, self._clock()
            events = self._tracker.observe(observation)
            took = self._clock() - begin
            self._figures.view_times_s.append(took)
            if self._tracker.decisions != before:
                self._figures.decision_times_s.append(took)
            self._hear(events)
            if observation.hand and any(isinstance(e, VerdictGiven) for e in events):
                self._figures.counts["judged with a hand in"] += 1
        for scene in scenes:
            self._check(scene)

    def _views(self) -> Iterator[Observation]:
        yield from self._source

    def _put_back(self, scene: Scene, t_s: float) -> bool:
        """Whether a foul has been noticed and is about to be put back: no need to look on."""
        if scene.kind != "illegal" or t_s < scene.start_s + ILLEGAL_S or t_s > scene.end_s:
            return False
        return bool(self._asked) or any(v.verdict.status in REFUSALS for v in self._said)

    def _hear(self, events: tuple[TrackerEvent, ...]) -> None:
        for event in events:
            if isinstance(event, ActionRecorded):
                self._source.accept()
                self._recorded += 1
            elif isinstance(event, VerdictGiven):
                self._said.append(event)
            elif isinstance(event, QuestionAsked) and not event.due:
                if event.text.key != CARDS_ASKED:
                    self._asked.append(event)

    # -- one scene -----------------------------------------------------------------------------

    def _check(self, scene: Scene) -> None:
        refused = [v for v in self._said if v.verdict.status in REFUSALS]
        counts = self._figures.counts
        counts[scene.kind] += 1
        counts["questions"] += len(self._asked)
        if scene.kind == "illegal":
            if not self._check_foul(scene, refused):
                self._complain(scene)
        else:
            self._check_rest(scene, refused)
        self._said, self._asked, self._recorded = [], [], 0

    def _check_foul(self, scene: Scene, refused: list[VerdictGiven]) -> bool:
        figures, counts = self._figures, self._figures.counts
        counts["fouls"] += 1
        figures.kinds[scene.how] += 1
        counts["said twice"] += len(refused) > 1
        if refused:
            figures.refused_s.append(refused[0].t_s - scene.start_s)
            return True
        if self._asked:
            counts["asked about a foul"] += 1
            return True
        if self._recorded and self._shows(scene):
            counts["explained"] += 1
            figures.kinds[f"{scene.how}: explained"] += 1
            return False
        counts["missed"] += 1
        counts["bent"] += bool(self._recorded)
        figures.kinds[f"{scene.how}: missed"] += 1
        return False

    def _check_rest(self, scene: Scene, refused: list[VerdictGiven]) -> None:
        figures, counts = self._figures, self._figures.counts
        counts["false alarms"] += len(refused)
        self._calibrate()
        moved = scene.kind == "legal" and bool(scene.moves)
        counts["moves"] += moved
        if not self._right(scene):
            self._complain(scene)
            self._behind.append(scene)
            stands = refused or self._asked or self._tracker.open_verdict is not None
            if self._helping and (stands or len(self._behind) > PATIENCE):
                self._help(scene)
                self._behind = []
            return
        late = [s for s in self._behind if s.kind == "legal" and s.moves]
        counts["late"] += len(late)
        counts["right"] += len(late)
        self._behind = []
        if refused or self._asked:
            self._complain(scene)
        elif moved:
            counts["right"] += 1
            accepted = [v for v in self._said if v.verdict.actions]
            if accepted:
                figures.accepted_s.append(max(0.0, accepted[0].t_s - scene.start_s))

    def _calibrate(self) -> None:
        """Whether what was taken in stands where it was shown, by the confidence it was said with."""
        infos, truth = self._tracker.placement.infos, self._source.truth
        there: dict[tuple[str, str | None], list[set[str]]] = {}
        for piece, spots in truth.items():
            info = infos[piece]
            there.setdefault((self._alike(info.kind), info.colour), []).append(set(spots or ()))
        for given in self._said:
            if given.verdict.status is Status.LEGAL and given.verdict.actions:
                right = all(
                    set(m.to) in there[self._alike(infos[m.piece].kind), infos[m.piece].colour]
                    for m in given.verdict.pieces
                )
                tenth = min(9, int(10 * given.verdict.confidence))
                self._figures.calibration[tenth, right] += 1

    def _right(self, scene: Scene) -> bool:
        """Whether everything that was shown has been taken in, with the same score."""
        standing = self._tracker.open_verdict
        if standing is not None and standing.status is not Status.PENDING:
            return False
        return self._shows(scene) and self._same_score(scene.state)

    def _shows(self, scene: Scene) -> bool:
        """Whether the pieces stand for the referee as they were shown; equal ones may swap."""
        return self._arranged(self._tracker.whereabouts) == self._arranged(scene.shown)

    def _same_score(self, truth: Any) -> bool:
        room, state = self._room, self._tracker.state
        same_turn = room.to_act(state) == room.to_act(truth)
        return not same_turn or room.scores(state) == room.scores(truth)

    def _arranged(self, there: Mapping[str, Spots]) -> list[tuple[str, tuple[str, ...]]]:
        infos = self._tracker.placement.infos
        return sorted(
            (f"{self._alike(infos[p].kind)}/{infos[p].colour}", tuple(sorted(spots)))
            for p, spots in there.items()
        )

    # -- helping -------------------------------------------------------------------------------

    def _help(self, scene: Scene) -> None:
        """Answers an open question, else corrects; nothing when all is right."""
        if self._right(scene):
            return
        tracker, counts = self._tracker, self._figures.counts
        standing, ident = tracker.open_verdict, tracker.open_id
        if standing is not None and ident is not None and standing.choices:
            index = self._answer(standing.choices, scene)
            if index is not None:
                counts["answers"] += 1
                self._hear(tracker.choose(ident, index))
                if self._right(scene):
                    return
        counts["corrections"] += 1
        self._hear(tracker.act(correction_to(self._room, tracker.state, scene.state)))
        wanted = laid_out(self._room, scene.state, self._cards)
        if self._room.position(tracker.state) != self._room.position(wanted):
            counts["dead ends"] += 1
            self._figures.trouble.append(f"{self._label} {scene.start_s} dead end: {tracker.state}")

    def _answer(self, choices: tuple[Choice, ...], scene: Scene) -> int | None:
        """The choice that leads to what was shown, or else to what was moved last."""
        fitting = -1
        for index, choice in enumerate(choices):
            game, ok = self._tracker.game, True
            for action in choice.actions:
                game, judgement = game.do(action)
                ok = ok and judgement.status in (Status.LEGAL, Status.PENDING)
            if not ok:
                continue
            after = self._room.placement(game.state).pieces
            if self._arranged(after) == self._arranged(scene.shown):
                return index
            if fitting < 0 and all(set(after[p]) == set(s) for p, s in scene.moves.items()):
                fitting = index
        return None if fitting < 0 else fitting

    def _complain(self, scene: Scene) -> None:
        words = [
            (
                round(v.t_s - scene.start_s, 2), v.verdict.status.value, v.verdict.rule,
                [describe(a) for a in v.verdict.actions],
                v.verdict.message.text or v.verdict.pending.text,
            )
            for v in self._said
        ]  # fmt: skip
        asked = [(q.text.text, [c.text.text for c in q.choices]) for q in self._asked]
        self._figures.trouble.append(
            f"{self._label} {scene.start_s}-{scene.end_s} {scene.kind} {scene.how} "
            f"{dict(scene.moves)} {[describe(a) for a in scene.actions]} -> {words} {asked}"
            f" eyes: {dict(self._misread)} {self._behind_by(scene)}"
        )

    def _behind_by(self, scene: Scene) -> str:
        """What of the pieces stands elsewhere for the referee than it was shown."""
        ours, shown = self._arranged(self._tracker.whereabouts), self._arranged(scene.shown)
        return f"taken: {[a for a in ours if a not in shown]} shown: {[a for a in shown if a not in ours]}"


def laid_out(room: Room, state: Any, cards: Cards) -> Any:
    """A state with the known cards that are due laid, as the referee lays them at once."""
    for action in proposer_for(room, room).lays(state, Clues(cards=cards)):
        state = room.judge(state, action).state
    return state


def correction_to(room: Room, ours: Any, truth: Any) -> Action:
    """The ``correct`` action that makes our state the true one."""
    now, wanted = room.position(ours), room.position(truth)
    changes: dict[str, Any] = {k: v for k, v in wanted.items() if now.get(k) != v}
    if "pieces" in changes and "paths" in wanted:
        changes["paths"] = wanted["paths"]  # else a piece that is set anew loses its path
    for key, value in changes.items():
        old = now.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            changes[key] = {**dict.fromkeys(old.keys() - value.keys()), **value}
    gone = {key: None for key in now if key not in wanted}
    return Action(None, "correct", {**changes, **gone})


def compare(room: Room, tracker: Tracker, truth: object, figures: Figures, label: str = "") -> None:
    """Compares the end of a film with the truth; equal pieces are not told apart."""
    if room.to_act(tracker.state) != room.to_act(truth):
        tracker.act(Action(room.to_act(tracker.state), "end"))
    ours, theirs = _arrangement(room, tracker.state), _arrangement(room, truth)
    figures.counts["games"] += 1
    figures.counts["same scores"] += room.scores(tracker.state) == room.scores(truth)
    figures.counts["same arrangement"] += ours == theirs
    figures.counts["same winner"] += room.winner(tracker.state) == room.winner(truth)
    if ours != theirs:
        figures.trouble.append(f"{label} {sorted(ours - theirs)} {sorted(theirs - ours)}")


def _arrangement(room: Room, state: object) -> frozenset[tuple[str, tuple[str, ...]]]:
    placement, alike = room.placement(state), proposer_for(room, room).alike
    return frozenset(
        (f"{alike(info.kind)}/{info.colour}", tuple(sorted(spots))) for info, spots in placement
    )
