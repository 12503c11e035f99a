"""How well dice are read where they are known to lie, and how well they are found."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.board import Board
from vision.dice.find import find_dice, read_near
from vision.dice.patch import board_below, seen_at
from vision.dice.read import ReadDie, read_at
from vision.evaluation.calibration import reliability
from vision.evaluation.cases import Case, TrueDie
from vision.evaluation.run import true_pose
from vision.evaluation.statistics import Share
from vision.types import BoardPose, Image

NEAR, NEAR_LOOSE = 0.6, 0.9  # of a side: a found die this near is the labelled one
NEAR_MARKED = 1.4  # a die that is not asked for may be found anywhere on its body


@dataclass
class DiceTally:
    """``given`` of ``placed``: read right at the labelled place (films label no places).  ``found``: found by themselves; ``found_right`` with
    the right pips; ``false``: found where none is.  ``confusion``: (true, read at the place)."""

    name: str
    dice: int = 0
    placed: int = 0
    given: int = 0
    found: int = 0
    found_right: int = 0
    false: int = 0
    confusion: Counter[tuple[int, int]] = field(default_factory=Counter)
    answers: list[tuple[float, bool]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, picture: str, places: Sequence[tuple[TrueDie, ReadDie]], found: Sequence[ReadDie]) -> None:  # fmt: skip
        """``places``: labelled dice with what was read there; ``found``: the whole search."""
        left = list(found)
        for true, read in places:
            mine = _nearest(true, read, left)
            if mine is not None:
                left.remove(mine)
            if not true.counts or true.pips is None:
                continue
            self._count(picture, true.pips, read, mine)
        self.false += len(left)
        self.wrong += [
            f"{picture}: a die at {d.centre_px[0]:.0f}, {d.centre_px[1]:.0f} is not there"
            for d in left
        ]

    def add_unplaced(self, picture: str, dice: Sequence[TrueDie], found: Sequence[ReadDie]) -> None:
        """Dice of which only the pips are known: equal ones are taken for the same."""
        left = sorted(found, key=lambda d: -d.sure)
        values = [d.pips for d in dice if d.counts and d.pips is not None]
        right = 0
        for value in values:
            mine = _showing(value, left)
            if mine is not None:
                left.remove(mine)
                right += 1
        others = min(len(left), len(values) - right)
        self.dice += len(values)
        self.found += right + others
        self.found_right += right
        self.false += len(left) - others
        if right < len(values) or left:
            shown = sorted(d.value for d in found)
            self.wrong.append(f"{picture}: dice {sorted(values)} found as {shown}")

    def _count(self, picture: str, pips: int, read: ReadDie, mine: ReadDie | None) -> None:
        self.dice += 1
        self.placed += 1
        self.given += read.value == pips
        self.confusion[pips, read.value] += 1
        self.answers.append((math.exp(max(read.pips)), read.value == pips))
        at = f"{picture}: {pips} at {read.centre_px[0]:.0f}, {read.centre_px[1]:.0f}"
        if read.value != pips:
            self.wrong.append(f"{at} read as {read.value} ({100 * math.exp(max(read.pips)):.0f} %)")
        if mine is None:
            self.wrong.append(f"{at} not found")
            return
        self.found += 1
        self.found_right += mine.value == pips
        if mine.value != pips:
            self.wrong.append(f"{at} found as {mine.value}")

    def to_json(self) -> dict[str, Any]:
        """All figures as plain data."""
        return {
            "folder": self.name,
            "dice": self.dice,
            "given_place": Share(self.given, self.placed).to_json(),
            "found": Share(self.found, self.dice).to_json(),
            "found_with_right_pips": Share(self.found_right, self.dice).to_json(),
            "precision": Share(self.found, self.found + self.false).to_json(),
            "confusion": [[a, b, n] for (a, b), n in sorted(self.confusion.items())],
            "calibration": reliability(self.answers).to_json(),
            "wrong": self.wrong,
        }


def measure_dice(tally: DiceTally, case: Case, board: Board | None) -> None:
    """One picture; the pose is the labelled one, where there is a board."""
    image = case.image()
    pose = None if board is None else true_pose(case, board, image)
    size_mm = 16.0 if board is None else board.size_of("die")[2]
    found = find_dice(image, pose, size_mm)
    if all(t.at_mm is None and t.centre_px is None for t in case.dice):
        tally.add_unplaced(case.name, case.dice, found)
        return
    places = [(t, _at_place(t, image, pose, size_mm, found)) for t in case.dice]
    tally.add(case.name, [(t, r) for t, r in places if r is not None], found)


def _at_place(
    true: TrueDie, image: Image, pose: BoardPose | None, size_mm: float, found: list[ReadDie]
) -> ReadDie | None:
    """What is read at a labelled place; None if it lies outside the picture."""
    if true.at_mm is not None and pose is not None:
        at, side, turn = seen_at(pose, true.at_mm, size_mm)
        if not (0 <= at[0] < image.shape[1] and 0 <= at[1] < image.shape[0]):
            return None
        return read_at(image, at, side, turn)
    if true.centre_px is None:
        return None
    if pose is not None:
        _, side, turn = seen_at(pose, board_below(pose, true.centre_px, size_mm), size_mm)
        return read_at(image, true.centre_px, side, turn)
    return read_near(image, true.centre_px, found)


def _nearest(true: TrueDie, read: ReadDie, found: list[ReadDie]) -> ReadDie | None:
    at = true.centre_px or read.centre_px
    reach = NEAR_LOOSE if true.loose else NEAR
    if not true.counts:
        reach = NEAR_MARKED
    near = [d for d in found if math.dist(d.centre_px, at) < reach * d.side_px]
    return min(near, key=lambda d: math.dist(d.centre_px, at), default=None)


def _showing(pips: int, found: list[ReadDie]) -> ReadDie | None:
    return next((d for d in found if d.value == pips), None)
