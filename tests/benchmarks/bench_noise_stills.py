"""How badly the eyes see on labelled still pictures, each taken for a moment of a game.

    python -m tests.benchmarks.bench_noise_stills ../shared/renders/magalon_dev ../shared/renders/magalon-reference.jpg

A picture is learnt from its start picture and read several times: each time a few pieces have just
come from where they stood at the start, and all others stand where the state says, as in a game.
So every piece is once a piece put down, with what the eyes know of the others.  Counted is what
``bench_noise`` counts on a film, pieces on one spot and larger ones apart; besides it how far off feet
are read, how much weight a misread piece leaves to the truth, and how the dice beside the board are
read.  Every handful is looked at ``LOOKS`` times, after the first with the noise of a sensor added: how
often a misread piece is misread again in the same way.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from engine.board import Board, load_board
from engine.observation import Observation, SeenPiece
from engine.placement import PieceInfo, Placement
from tests.benchmarks.bench_noise import SURE, looks_of, read_as
from vision.detector import Detector
from vision.evaluation.cases import LEAST_VISIBLE, Case, cases_of, natural_enrolment, rounds_of
from vision.eyes import Eyes, board_reference
from vision.labels import LabelledPiece, load_labels
from vision.reading import inventory_counts
from vision.registration import find_board
from vision.types import Image

Spots = frozenset[str]
AT_ONCE = 3  # pieces that are taken to have come together, seldom equal ones
BESIDE = 0.3  # how much the neighbours of a changed spot look changed: tall pieces, shadows
DIE_NEAR_MM = 15.0
LOOKS = 3
SENSOR = 1.3  # grey levels, standard deviation: that of the development film between still frames
COUNTED_ONCE = frozenset({"die", "chip"})


def main() -> None:
    folder, reference = load_labels(Path(sys.argv[1]) / "labels.json"), Path(sys.argv[2])
    assert folder.board is not None
    board = load_board(folder.board)
    cases = cases_of(folder)
    detector, picture = Detector(), board_reference(board, reference)
    found = Found(board)
    for case, teacher in rounds_of(cases, natural_enrolment(cases))[0]:
        if teacher is None or case.hand_only:
            continue
        eyes = Eyes(board, detector, picture, inventory_counts(board))
        first = teacher.image()
        eyes.enrol(first, find_board(first, board, reference=picture), teacher.pieces)
        found.take(case, teacher, eyes)
    found.report()


class Found:
    """Counts over all pictures."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.off: list[float] = []
        self.shares: list[float] = []
        self.wrong_colour: list[float] = []
        self.die_loss: list[float] = []
        self.die_lead: list[float] = []
        self.die_far: list[float] = []

    def take(self, case: Case, teacher: Case, eyes: Eyes) -> None:
        """Reads one picture once per handful of its pieces."""
        image = case.image()
        pose = find_board(image, self.board, reference=eyes.reference)
        now, infos, labels = _placed(case)
        before = _placed(teacher)[0]
        fresh = [p for p in now if labels[p].visible >= LEAST_VISIBLE and before.get(p) != now[p]]
        groups = math.ceil(len(fresh) / AT_ONCE)
        for at in range(groups):
            group = fresh[at::groups]
            known = {p: before.get(p, frozenset()) if p in group else s for p, s in now.items()}
            eyes.expect(Placement({p: tuple(sorted(s)) for p, s in known.items()}, infos))
            ends = {s for p in group for s in now[p] | known[p]}
            rng = np.random.default_rng(at)
            for look in range(LOOKS):
                picture = image if look == 0 else _noisy(image, rng)
                looked = eyes.look(picture, pose, self._changed(ends))
                seen = eyes.observation(picture, looked, 0.0, 1.0)
                if look == 0:
                    words = self._pieces(case.name, seen, now, infos, labels, group)
                    if at == 0:
                        self._dice(case, seen)
                else:
                    self._again(seen, now, infos, words)

    def _changed(self, ends: set[str]) -> dict[str, float]:
        cells = self.board.cells
        near = {n for e in ends if e in cells for n in cells[e].neighbours}
        return {**dict.fromkeys(near, BESIDE), **dict.fromkeys(ends, 1.0)}

    def _pieces(
        self,
        name: str,
        seen: Observation,
        now: dict[str, Spots],
        infos: dict[str, PieceInfo],
        labels: dict[str, LabelledPiece],
        group: list[str],
    ) -> dict[str, str]:
        """How the pieces of a group were read."""
        counts, words = self.counts, dict[str, str]()
        counts["moments"] += 1
        there = {(infos[p].kind, infos[p].colour, s) for p, s in now.items()}
        things = [t for t in seen.pieces if t.best.kind not in COUNTED_ONCE and t.best.spots]
        for piece, spots in now.items():
            if not spots or labels[piece].visible < LEAST_VISIBLE:
                continue
            word = read_as(piece, things, now, infos, self.board)
            who = "put down" if piece in group else "standing"
            who += ", large" if len(spots) > 1 else ""
            hidden = any(s in seen.cells for s in spots)
            counts[who] += 1
            counts[f"{who}: {word}{' (told hidden)' if hidden and word != 'right' else ''}"] += 1
            if piece in group:
                words[piece] = word
                self._details(piece, word, things, spots, infos[piece], labels[piece])
                if word != "right":
                    self.kinds[f"{name} {piece} {sorted(spots)} {word} hidden={hidden}"] += 1
        for thing in things:
            look = looks_of(thing)
            if look not in there:
                counts["ghosts" if thing.confidence >= SURE else "faint things"] += 1
                near = any(look[2] & s for _, _, s in there)
                counts["ghosts on a piece"] += thing.confidence >= SURE and near
        return words

    def _again(
        self,
        seen: Observation,
        now: dict[str, Spots],
        infos: dict[str, PieceInfo],
        words: dict[str, str],
    ) -> None:
        """A further look at the same scene."""
        things = [t for t in seen.pieces if t.best.kind not in COUNTED_ONCE and t.best.spots]
        for piece, word in words.items():
            again = read_as(piece, things, now, infos, self.board)
            self.counts[f"looked again: {'right' if word == 'right' else 'wrong'}"] += 1
            if word != "right":
                self.counts["looked again: wrong in the same way"] += again == word
            else:
                self.counts["looked again: right no more"] += again != word

    def _details(
        self,
        piece: str,
        word: str,
        things: list[SeenPiece],
        spots: Spots,
        info: PieceInfo,
        label: LabelledPiece,
    ) -> None:
        if word == "swapped":
            thing = next(t for t in things if looks_of(t)[2] == spots and t.confidence >= SURE)
            true = [c.log_prob for c in thing.candidates
                    if (c.kind, c.colour, frozenset(c.spots)) == (info.kind, info.colour, spots)]  # fmt: skip
            self.shares.append(math.exp(max(true, default=-20.0)))
        same = [t for t in things if looks_of(t) == (info.kind, info.colour, spots)]
        if word == "right" and len(spots) == 1 and label.at_mm is not None:
            self.off.append(math.dist(same[0].at_mm, label.at_mm) / self.board.cell_size_mm)
            self.wrong_colour.append(1.0 - sum(
                math.exp(c.log_prob) for c in same[0].candidates if c.colour == info.colour
            ))  # fmt: skip

    def _dice(self, case: Case, seen: Observation) -> None:
        dice = [t for t in seen.pieces if len(t.pips) == 6]
        self.counts["seen as dice"] += len(dice)
        for die in case.dice:
            if not die.counts or die.at_mm is None or die.pips is None:
                continue
            self.counts["dice"] += 1
            self.die_far.append(min((math.dist(t.at_mm, die.at_mm) for t in dice), default=999.0))
            near = [t for t in dice if math.dist(t.at_mm, die.at_mm) < DIE_NEAR_MM]
            if not near:
                self.counts["dice not seen"] += 1
                continue
            pips = min(near, key=lambda t: math.dist(t.at_mm, die.at_mm)).pips
            loss = max(pips) - pips[die.pips - 1]
            self.counts["dice wrong"] += loss > 0.0
            if loss > 0.0:
                self.die_loss.append(loss)
            else:
                self.die_lead.append(max(pips) - sorted(pips)[-2])

    def report(self) -> None:
        """Prints every count; people who read it see how few some are."""
        for name, count in sorted(self.counts.items()):
            print(f"{name:40} {count}")
        print("ghosts per moment", self.counts["ghosts"] / max(1, self.counts["moments"]))
        off = np.array(self.off)
        print(
            f"foot off by (of a cell): rms per axis {math.sqrt((off**2).mean() / 2):.3f}, n {len(off)}"
        )
        print(f"weight of wrong colours: mean {statistics.fmean(self.wrong_colour):.4f}")
        print("weight left to the truth of swapped pieces:", [round(s, 3) for s in self.shares])
        print("nats by which a wrong pip is ahead:", [round(v, 2) for v in self.die_loss])
        print("nats by which a right pip is ahead:", [round(v, 1) for v in self.die_lead])
        print("nearest die seen (mm):", [round(v) for v in self.die_far])
        for name, count in sorted(self.kinds.items()):
            print("  ", name, count)


def _noisy(image: Image, rng: np.random.Generator) -> Image:
    """The picture as it would be a moment later."""
    noise = rng.normal(0.0, SENSOR, image.shape)
    return np.clip(image.astype(np.float64) + noise, 0, 255).round().astype(np.uint8)


def _placed(case: Case) -> tuple[dict[str, Spots], dict[str, PieceInfo], dict[str, LabelledPiece]]:
    """The pieces of a picture with ids: kind, colour and number."""
    now: dict[str, Spots] = {}
    infos: dict[str, PieceInfo] = {}
    labels: dict[str, LabelledPiece] = {}
    numbers: Counter[tuple[str, str | None]] = Counter()
    for label in case.pieces:
        if label.kind in COUNTED_ONCE:
            continue
        numbers[label.kind, label.colour] += 1
        piece = f"{label.kind}/{label.colour}/{numbers[label.kind, label.colour]}"
        now[piece], infos[piece] = (
            frozenset(label.spots),
            PieceInfo(piece, label.kind, label.colour),
        )
        labels[piece] = label
    return now, infos, labels


if __name__ == "__main__":
    main()
