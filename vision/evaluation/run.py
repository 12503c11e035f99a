"""Reads cases one after the other and adds up how right the readings are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.errors import BoardwardenError
from vision.detector import Detector
from vision.evaluation.cases import Case, Lesson
from vision.evaluation.matching import Matched, Outcome, match, match_track
from vision.evaluation.tally import Tally
from vision.eyes import Eyes, Glance
from vision.labels import LabelledPiece
from vision.reading import Look
from vision.reference import Reference
from vision.registration import BoardNotFound, find_board
from vision.registration.pose import pose_from_corners
from vision.types import BoardPose, Image


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One case as it was read; ``glance`` None: the board was not found.

    ``truth``: the pose of the labelled corners, None without them.
    """

    case: Case
    teacher: Case | None
    matched: Matched
    track: Matched
    glance: Glance | None
    truth: BoardPose | None

    @property
    def faults(self) -> int:
        """Missed and wrong pieces, and those that are not there."""
        bad = sum(not o.right for o in (*self.matched.counted, *self.track.counted))
        return bad + len(self.matched.extra)


class Reader:
    """Reads cases of one board; what a teacher teaches is learnt once.

    ``corners``: take the labelled corners instead of searching the board.  ``counts``: the pieces
    in the game, by default the whole inventory.
    """

    def __init__(
        self,
        board: Board,
        detector: Detector,
        reference: Reference | None,
        corners: bool,
        counts: Mapping[Look, int] | None = None,
    ) -> None:
        self._board, self._detector, self._reference = board, detector, reference
        self._corners, self._counts = corners, counts
        self._taught: dict[str, Eyes] = {}

    def judge(self, case: Case, teacher: Case | None) -> Judged:
        """Reads one case after learning from the other."""
        eyes, image = self._eyes(teacher), case.image()
        truth = true_pose(case, self._board, image)
        try:
            pose = self._pose(case, image, eyes, truth)
        except BoardNotFound:
            lost = match(case.pieces, ()), match_track(case.pieces, ())
            return Judged(case, teacher, *lost, None, truth)
        glance = eyes.study(image, pose)
        got = glance.reading.pieces
        matched = match(case.pieces, got), match_track(case.pieces, got)
        return Judged(case, teacher, *matched, glance, truth)

    def _pose(self, case: Case, image: Image, eyes: Eyes, truth: BoardPose | None) -> BoardPose:
        if not self._corners:
            return find_board(image, self._board, reference=eyes.reference)
        if truth is None:
            raise BoardNotFound(f"{case.name} has no labelled corners; give a reference picture")
        return truth

    def _eyes(self, teacher: Case | None) -> Eyes:
        key = "" if teacher is None else teacher.name
        if key not in self._taught:
            eyes = Eyes(self._board, self._detector, self._reference, self._counts)
            if teacher is not None:
                image = teacher.image()
                eyes.enrol(image, self._taught_pose(teacher, image), teacher.pieces)
            self._taught[key] = eyes
        return self._taught[key]

    def _taught_pose(self, teacher: Case, image: Image) -> BoardPose:
        """As labelled, else as found by the reference picture; raises BoardwardenError."""
        pose = true_pose(teacher, self._board, image)
        if pose is not None:
            return pose
        if self._reference is None:
            raise BoardwardenError(
                f"{teacher.name} has no corners in its labels: enrolment needs to know where the board lies"
            )
        return find_board(image, self._board, reference=self._reference)


def true_pose(case: Case, board: Board, image: Image) -> BoardPose | None:
    """The pose of the labelled corners, None without them."""
    if case.corners_px is None:
        return None
    size = (image.shape[1], image.shape[0])
    return pose_from_corners(case.corners_px, board.size_mm, size, "corners")


def read_round(
    name: str,
    lessons: Sequence[Lesson],
    board: Board,
    reader: Reader,
    watch: Callable[[Judged], None] = lambda judged: None,
) -> Tally:
    """One round of lessons; ``watch`` gets every judged case."""
    tally = Tally(name)
    for case, teacher in lessons:
        judged = reader.judge(case, teacher)
        if case.hand is not None and judged.glance is not None:
            tally.hands[case.hand, judged.glance.hand] += 1
        if case.hand_only:
            continue
        watch(judged)
        if judged.glance is None:
            tally.lose(case.name, judged.matched, "the board was not found")
            continue
        tally.add(case.name, judged.matched, judged.track)
        _add_places(tally, judged, board)
    return tally


def _add_places(tally: Tally, judged: Judged, board: Board) -> None:
    """Errors of the pose and of the feet, against the labels."""
    case, glance = judged.case, judged.glance
    assert glance is not None
    truth = judged.truth or glance.pose
    if judged.truth is not None and case.corners_px is not None and glance.pose.how != "corners":
        tally.corner_px.append(_corner_error(glance.pose, case.corners_px))
        tally.cell_percent.append(_cell_error(glance.pose, truth, board))
    for outcome in judged.matched.counted:
        if outcome.read is not None and len(outcome.truth.spots) == 1:
            _add_foot(tally, outcome, truth)


def _add_foot(tally: Tally, outcome: Outcome, truth: BoardPose) -> None:
    piece, read = outcome.truth, outcome.read
    assert read is not None
    px, mm = _true_foot(piece, truth)
    if px is not None:
        tally.foot_px.setdefault(piece.kind, []).append(float(np.hypot(*(px - read.foot_px))))
    if mm is not None:
        tally.foot_mm.setdefault(piece.kind, []).append(float(np.hypot(*(mm - read.at_mm))))


def _true_foot(
    piece: LabelledPiece, truth: BoardPose
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """(px, mm) of a labelled foot; one follows from the other."""
    px = None if piece.foot_px is None else np.array(piece.foot_px)
    mm = None if piece.at_mm is None else np.array(piece.at_mm)
    if mm is None and px is not None:
        mm = truth.to_board(px[None])[0]
    if px is None and mm is not None:
        px = truth.to_image(mm[None])[0]
    return px, mm


def _corner_error(pose: BoardPose, corners: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(pose.corners_px - corners, axis=1).mean())


def _cell_error(pose: BoardPose, truth: BoardPose, board: Board) -> float:
    """Mean error at cell centres in % of a cell."""
    centres = np.array([board.centres[c] for c in board.cells])
    off = pose.to_board(truth.to_image(centres)) - centres
    return float(100 * np.linalg.norm(off, axis=1).mean() / board.cell_size_mm)
