"""The eyes in one place: picture and pose in, reading and observation out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from engine.board import Board
from engine.errors import BoardwardenError
from engine.observation import Observation
from engine.placement import Placement
from vision.detector import Detector
from vision.dice.of_table import with_dice
from vision.enrolment import enrol, learn_later, learn_paint
from vision.labels import LabelledPicture, LabelledPiece, labels_of
from vision.later import LaterKinds, LaterLamp, clear_pieces, where_read
from vision.looks import Enrolment
from vision.own_reference import reference_from_view
from vision.pixel_evidence import gather
from vision.reading import Look, Reading, inventory_counts, read
from vision.reference import Reference
from vision.registration import pose_from_corners, reference_of
from vision.relight import relight
from vision.self_enrolment import UNTAUGHT_ROUNDS, believable, sure_labels
from vision.settle import HAND_AREA
from vision.silhouettes import cell_views
from vision.sources.pictures import read_picture
from vision.table_light import lamp_of, still_lit
from vision.turn_by_pieces import turn_by_pieces
from vision.types import BoardPose, Detections, Image

HAND_SURE, HAND_PIXEL = 0.5, 0.3  # hand-mask values: somewhere in a hand, and all over it


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """All that was made of one picture."""

    pose: BoardPose
    detections: Detections
    reading: Reading
    hand_area: float  # share of the board's area under the hand mask

    @property
    def hand(self) -> bool:
        """Whether the net sees a hand over the board."""
        return self.hand_area > HAND_AREA


class Eyes:
    """Reads pictures of one table: one board, its reference, its pieces' looks."""

    def __init__(
        self,
        board: Board,
        detector: Detector,
        reference: Reference | None = None,
        counts: Mapping[Look, int] | None = None,
    ) -> None:
        self.board = board
        self.detector = detector
        self.reference = reference
        self.counts = counts
        self.enrolment = Enrolment()
        self._later, self._later_lamp = LaterKinds(), LaterLamp()
        self._expected: dict[Look, list[tuple[str, ...]]] = {}
        self._standing: tuple[LabelledPiece, ...] = ()
        self._upper_left: tuple[float, float] | None = None

    def turn(self, image: Image, poses: Sequence[BoardPose]) -> int | None:
        """Which of the poses, the board turned, agrees with where somebody has pointed, or else with
        where the pieces are known to stand; None where that can't be told (a `TurnJudge` of the
        registration)."""
        if self._upper_left is not None:
            told, self._upper_left = self._upper_left, None
            at = np.multiply(told, image.shape[1::-1])
            return int(np.argmin([np.linalg.norm(p.corners_px[0] - at) for p in poses]))
        detections = self.detect(image, poses[0])
        return turn_by_pieces(image, poses, self.board, self._standing, detections, self.enrolment)

    def know(self, placement: Placement) -> None:
        """Where the pieces stand, to know the board's turn by."""
        self._standing = labels_of(placement)

    def told_corner(self, at: tuple[float, float]) -> None:
        """Near which place of the picture, (0, 0) to (1, 1), the board's upper left corner lies: for
        the next view of a board whose turn can't be told otherwise.  From any thread."""
        self._upper_left = at

    def expect(self, placement: Placement) -> None:
        """Where the pieces are known to stand: staying is a little more likely than moving."""
        expected: dict[Look, list[tuple[str, ...]]] = {}
        for info, spots in placement:
            if spots:
                expected.setdefault((info.kind, info.colour), []).append(spots)
        self._expected = expected
        self.know(placement)

    def detect(self, image: Image, pose: BoardPose) -> Detections:
        """Runs the detector in the board's window."""
        return self.detector.detect(image, pose, self.reference)

    def enrol(
        self,
        image: Image,
        pose: BoardPose,
        pieces: Sequence[LabelledPiece],
        detections: Detections | None = None,
    ) -> None:
        """Learns this table's pieces, and without a reference the print, from a known picture."""
        found = self.detect(image, pose) if detections is None else detections
        self._later, self._later_lamp = LaterKinds(), LaterLamp(pieces)
        self.enrolment = self._learn(image, pose, pieces, found)
        if self.reference is None:
            self.reference = reference_from_view(
                image, pose, self.board, pieces, found, self.enrolment
            )

    def learn_later(
        self, image: Image, pose: BoardPose, glance: Glance, changed: Mapping[str, float]
    ) -> bool:
        """Learns kinds that came to the board after the enrolment, and the lamp from what stands in the
        open only now, from a still view of the pieces where they are known to stand; whether there was
        something new to learn.

        Only what was read where it stands, in its colour, counts.  The first ones of a kind that are
        seen teach most: it is learnt anew while there are few.
        """
        pieces = self._standing
        clear = clear_pieces(glance.reading, pieces, changed)
        lit = self._learn_lamp(image, pose, where_read(glance.reading, clear))
        fresh = self._later.fresh(self.enrolment, clear)
        if not fresh:
            return lit
        self.enrolment = learn_later(
            self.enrolment, image, pose, self.board, pieces, glance.detections, fresh,
            self.reference,
        )  # fmt: skip
        return True

    def _learn_lamp(self, image: Image, pose: BoardPose, clear: Sequence[LabelledPiece]) -> bool:
        """Learns the lamp from the shadows of pieces that are known to stand in the open, if they are
        more than it was learnt from; whether it throws clear ones."""
        if self.reference is None or not self._later_lamp.better(clear):
            return False
        lamp = lamp_of(image, pose, self.board, self.reference, clear, self.enrolment)
        if lamp is None:
            return False
        self.enrolment = replace(self.enrolment, lamp=lamp)
        return True

    def enrol_labelled(self, picture: LabelledPicture) -> None:
        """Learns from a labelled picture; its corners must be labelled."""
        image = read_picture(picture.path)
        if picture.corners_px is None:
            raise BoardwardenError(
                f"{picture.path.name} has no corners in its labels: enrolment needs to know where the board lies"
            )
        pose = pose_from_corners(
            picture.corners_px, self.board.size_mm, (image.shape[1], image.shape[0]), "corners"
        )
        self.enrol(image, pose, picture.pieces)

    def look(
        self, image: Image, pose: BoardPose, changed: Mapping[str, float] | None = None
    ) -> Glance:
        """Reads one picture; ``changed``: how much spots have changed since `expect`.

        Eyes that have been taught nothing `study` it.
        """
        if self.enrolment.nothing:
            return self.study(image, pose, changed)
        detections = self.detect(image, pose)
        reading = self._read(image, pose, detections, self.enrolment, changed)
        return self._glance(image, pose, detections, reading)

    def study(
        self, image: Image, pose: BoardPose, changed: Mapping[str, float] | None = None
    ) -> Glance:
        """Reads one picture that stands by itself, more than once: at last with the paint that its
        surest pieces show in this light, and all else of them where nothing has been taught."""
        detections = self.detect(image, pose)
        reading = self._read(image, pose, detections, self.enrolment, changed)
        for _ in range(self._rounds):
            known = sure_labels(reading.pieces)
            if not known:
                break
            learnt = self._learnt_here(image, pose, known, detections)
            reading = self._read(image, pose, detections, learnt, changed)
        return self._glance(image, pose, detections, reading)

    @property
    def _rounds(self) -> int:
        """Readings after the first one; none where neither set nor print is known, as paint is then all
        that tells pieces apart, and wrong paint would be believed."""
        if not self.enrolment.nothing:
            return 1
        return 0 if self.reference is None else UNTAUGHT_ROUNDS

    def _learnt_here(
        self,
        image: Image,
        pose: BoardPose,
        pieces: Sequence[LabelledPiece],
        detections: Detections,
    ) -> Enrolment:
        """The enrolment with what this picture's own pieces teach."""
        if self.enrolment.nothing:
            return self._learn(image, pose, pieces, detections)
        paint = learn_paint(image, pose, self.board, pieces, detections)
        taught = self.enrolment.colours
        return replace(self.enrolment, colours={**taught, **believable(paint, taught)})

    def _learn(
        self,
        image: Image,
        pose: BoardPose,
        pieces: Sequence[LabelledPiece],
        detections: Detections,
    ) -> Enrolment:
        """What a picture with known pieces teaches of this table."""
        learnt = enrol(image, pose, self.board, pieces, detections, self.reference)
        if self.reference is None:
            return learnt
        return replace(
            learnt, lamp=lamp_of(image, pose, self.board, self.reference, pieces, learnt)
        )

    def _read(
        self,
        image: Image,
        pose: BoardPose,
        detections: Detections,
        enrolment: Enrolment,
        changed: Mapping[str, float] | None,
    ) -> Reading:
        """The picture as eyes that have learnt this read it."""
        counts = self.counts if self.counts is not None else inventory_counts(self.board)
        learnt = relight(image, pose, self.board, detections, enrolment, counts)
        evidence = None
        if self.reference is not None and learnt.colours:
            evidence = gather(
                image, pose, self.reference, learnt, detections.piece_mask, detections.window
            )
            evidence = still_lit(evidence, pose, detections)
        return read(
            image,
            pose,
            self.board,
            detections,
            learnt,
            counts,
            evidence,
            self._expected,
            changed,
        )

    def _glance(
        self, image: Image, pose: BoardPose, detections: Detections, reading: Reading
    ) -> Glance:
        """The reading with hands and dice."""
        area = hand_area(detections, pose)
        reading = with_dice(image, pose, self.board, reading, self.counts, self.reference)
        return Glance(pose, detections, reading, area)

    def observation(self, image: Image, glance: Glance, t_s: float, still_s: float) -> Observation:
        """The glance as the referee wants it."""
        owners, seen = glance.reading.owners, glance.reading.detections or glance.detections
        occupied = {
            spot: _nearest(seen, piece.foot_px)
            for piece in glance.reading.pieces
            for spot in piece.spots
        }
        views = (
            {}
            if owners is None
            else cell_views(image, glance.pose, self.board, seen, owners, occupied)
        )
        return Observation(
            t_s=t_s,
            pose_found=True,
            hand=glance.hand,
            pieces=glance.reading.seen,
            cells=views,
            still_s=still_s,
        )


def hand_area(detections: Detections, pose: BoardPose) -> float:
    """Share of the board's face that hands cover: blurred ones are sure in a few places only."""
    to_mask = cv2.invertAffineTransform(detections.mask_to_image)
    corners = np.column_stack([pose.corners_px, np.ones(4)]) @ to_mask.T
    face = np.zeros(detections.hand_mask.shape, np.uint8)
    cv2.fillConvexPoly(face, np.round(corners).astype(np.int32), 1)
    count, parts = cv2.connectedComponents((detections.hand_mask > HAND_PIXEL).astype(np.uint8))
    hands = np.zeros(count, bool)
    hands[np.unique(parts[detections.hand_mask > HAND_SURE])] = True
    hands[0] = False
    covered = hands[parts] & (face > 0)
    return float(covered.sum() / max(int(face.sum()), 1))


def _nearest(detections: Detections, foot_px: tuple[float, float]) -> int:
    if not len(detections):
        return -2
    return int(np.argmin(np.linalg.norm(detections.foot_px - np.asarray(foot_px), axis=1)))


def board_reference(board: Board, given: Path | None) -> Reference | None:
    """The reference picture: the one given, else the board file's; None when there is neither."""
    return reference_of(board) if given is None else Reference.load(given, board.size_mm)
