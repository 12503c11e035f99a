"""Counts over pictures, and the figures made of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from vision.evaluation.calibration import Reliability, reliability
from vision.evaluation.matching import Matched, Outcome, name_of
from vision.evaluation.statistics import Share, spread
from vision.reading import ReadPiece

NOTHING = "nothing"


@dataclass
class Tally:
    """Adds up the pictures of one folder or film in one round of lessons.

    ``cell``, ``colour``, ``kind``: on the right cell, and there in the right colour, as the right
    kind.  ``foot_mm``, ``foot_px``: errors of the pieces on the right cell, by kind.  ``answers``:
    (confidence, right) of every read piece that counts.  ``confusion``: (true, read) looks, with
    NOTHING for missed pieces and for read ones that are not there.  ``hands``: (labelled, seen).
    """

    name: str
    boards: int = 0
    boards_right: int = 0
    boards_lost: int = 0
    cell: int = 0
    colour: int = 0
    kind: int = 0
    right: int = 0
    track: Counter[bool] = field(default_factory=Counter)
    truth_kinds: Counter[str] = field(default_factory=Counter)
    right_kinds: Counter[str] = field(default_factory=Counter)
    read_kinds: Counter[str] = field(default_factory=Counter)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    foot_mm: dict[str, list[float]] = field(default_factory=dict)
    foot_px: dict[str, list[float]] = field(default_factory=dict)
    answers: list[tuple[float, bool]] = field(default_factory=list)
    hands: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    corner_px: list[float] = field(default_factory=list)
    cell_percent: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, picture: str, matched: Matched, track: Matched) -> None:
        """One read picture."""
        self.boards += 1
        self.boards_right += matched.whole
        for outcome in matched.outcomes:
            if outcome.counted:
                self._add_outcome(picture, outcome)
        for piece in matched.extra:
            self._add_read(piece, False)
            self.confusion[NOTHING, name_of(piece)] += 1
            where = " ".join(piece.spots)
            self.wrong.append(f"{picture}: {name_of(piece)} on {where} is not there")
        self.track.update(o.right for o in track.counted)

    def lose(self, picture: str, matched: Matched, why: str) -> None:
        """One picture in which the board was not found: all its pieces are missed."""
        self.boards += 1
        self.boards_lost += 1
        for outcome in matched.counted:
            self.truth_kinds[outcome.truth.kind] += 1
            self.confusion[name_of(outcome.truth), NOTHING] += 1
        self.wrong.append(f"{picture}: {why}")

    def _add_outcome(self, picture: str, outcome: Outcome) -> None:
        truth, read = outcome.truth, outcome.read
        self.truth_kinds[truth.kind] += 1
        self.right_kinds[truth.kind] += outcome.kind_right
        self.cell += read is not None
        self.colour += outcome.colour_right
        self.kind += outcome.kind_right
        self.right += outcome.right
        self.confusion[name_of(truth), NOTHING if read is None else name_of(read)] += 1
        what = f"{picture}: {name_of(truth)} on {' '.join(truth.spots)}"
        if read is None:
            self.wrong.append(f"{what} missed (visible {truth.visible:g})")
            return
        self._add_read(read, outcome.right)
        if not outcome.right:
            self.wrong.append(f"{what} read as {name_of(read)}")

    def _add_read(self, read: ReadPiece, right: bool) -> None:
        self.read_kinds[read.kind] += 1
        self.answers.append((read.confidence, right))

    @property
    def pieces(self) -> int:
        """Well visible pieces on cells."""
        return self.truth_kinds.total()

    @property
    def extra(self) -> int:
        """Read pieces that are not there."""
        return sum(n for (true, _), n in self.confusion.items() if true == NOTHING)

    @property
    def calibration(self) -> Reliability:
        """Confidence against share right."""
        return reliability(self.answers)

    def precision(self, kind: str) -> Share:
        """Of the pieces read as this kind, those that are one on that cell."""
        return Share(self.right_kinds[kind], self.read_kinds[kind])

    def recall(self, kind: str) -> Share:
        """Of the pieces of this kind, those read as one on their cell."""
        return Share(self.right_kinds[kind], self.truth_kinds[kind])

    @property
    def kinds(self) -> list[str]:
        """All kinds there or read."""
        return sorted({*self.truth_kinds, *self.read_kinds})

    def to_json(self) -> dict[str, Any]:
        """All figures as plain data."""
        n = self.pieces
        both = [v for k in self.foot_mm.values() for v in k]
        both_px = [v for k in self.foot_px.values() for v in k]
        return {
            "folder": self.name, "boards": self.boards, "boards_right": self.boards_right,
            "boards_lost": self.boards_lost, "pieces": n, "right": self.right, "cell": self.cell,
            "colour": self.colour, "kind": self.kind, "missed": n - self.cell, "extra": self.extra,
            "shares": {
                "right": Share(self.right, n).to_json(),
                "cell": Share(self.cell, n).to_json(),
                "colour": Share(self.colour, n).to_json(), "kind": Share(self.kind, n).to_json(),
                "boards": Share(self.boards_right, self.boards).to_json(),
                "track": Share(self.track[True], self.track.total()).to_json(),
                "hands_found": self._hands(True).to_json(),
                "hands_false": self._hands(False).to_json(),
            },
            "kinds": {
                k: {
                    "precision": self.precision(k).to_json(), "recall": self.recall(k).to_json(),
                    "foot_mm": spread(self.foot_mm.get(k, [])).to_json(),
                    "foot_px": spread(self.foot_px.get(k, [])).to_json(),
                }
                for k in self.kinds
            },
            "foot_mm": spread(both).to_json(), "foot_px": spread(both_px).to_json(),
            "corner_error_px": spread(self.corner_px).to_json(),
            "cell_error_percent": spread(self.cell_percent).to_json(),
            "confusion": [[a, b, c] for (a, b), c in sorted(self.confusion.items())],
            "calibration": self.calibration.to_json(), "wrong": self.wrong,
        }  # fmt: skip

    def _hands(self, there: bool) -> Share:
        """Pictures with, or without, a labelled hand in which one was seen."""
        return Share(self.hands[there, True], self.hands[there, True] + self.hands[there, False])
