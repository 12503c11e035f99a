"""The board by its reference picture: guess by features, refine on the print, check."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from vision.lens import Lens
from vision.reference import Reference
from vision.registration.errors import not_found
from vision.registration.features import guesses
from vision.registration.lens_fit import fit_bend
from vision.registration.planar import through_lens
from vision.registration.pose import corners_of, pose_from_corners, pose_of_plane
from vision.registration.print_check import PrintCheck, check_print, looks_alike_turned, turns
from vision.registration.print_fit import Fit, refine
from vision.types import BoardPose, Image

Matrix = NDArray[np.float64]

MIN_AGREEING = 0.22
MIN_REGION = 0.08
MIN_REGION_PATCHES = 12
MAX_RESIDUAL_PX = 1.6
MAX_SPREAD_CELLS = 0.12
TRACK_REACH_PX = 20
FINE_REACH_PX = 10
BEND_REACH_PX, BEND_ROUNDS = 6, 4
SAME_K1 = 0.003
WRONG_LENS_PX = 1.0
TURN_KNOWN = ("tracked",)  # from the pose before


@dataclass(frozen=True, eq=False)
class Found:
    """A pose that passed every gate, with the evidence.

    ``turned``: more poses, the same place with the board turned, between which a print that looks the
    same from several sides can't decide.
    """

    pose: BoardPose
    fit: Fit
    check: PrintCheck
    turned: tuple[BoardPose, ...] = ()


def find_by_reference(
    image: Image,
    reference: Reference,
    cell_mm: float,
    mirror_check: bool = True,
    lens: Lens | None = None,
) -> Found:
    """Finds the board from nothing.  ``cell_mm``: size of a typical cell; ``mirror_check``: on
    failure find out whether the picture is mirrored, which takes as long again; ``lens``: if it is
    known, else its main distortion is fitted where it matters.  Where the print can't tell its turn,
    the other turns come with the pose.

    Raises BoardNotFound when no pose passes the gates, also when the picture is mirrored.
    """
    found = _search(image, reference, cell_mm, lens)
    if found is not None:
        return found
    if mirror_check and _search(np.ascontiguousarray(image[:, ::-1]), reference, cell_mm):
        raise not_found("board.mirrored")
    raise not_found("board.not_found")


def track_by_reference(
    image: Image,
    reference: Reference,
    cell_mm: float,
    previous: BoardPose,
    lens: Lens | None = None,
) -> Found | None:
    """Finds the board near an earlier pose; None when it is not surely there."""
    known = previous.lens if lens is None else lens
    guess = previous.homography
    return accept(image, guess, reference, cell_mm, "tracked", TRACK_REACH_PX, known)


def _search(
    image: Image, reference: Reference, cell_mm: float, lens: Lens | None = None
) -> Found | None:
    for guess in guesses(image, reference):
        found = accept(
            image, guess.homography, reference, cell_mm, "reference", FINE_REACH_PX, lens
        )
        if found is not None:
            return found
    return None


def accept(
    image: Image,
    guess: Matrix,
    reference: Reference,
    cell_mm: float,
    how: str,
    reach_px: int,
    lens: Lens | None = None,
) -> Found | None:
    """Refines a guess (homography, board mm to image px) and puts it through every gate."""
    size = (image.shape[1], image.shape[0])
    try:
        pose_from_corners(corners_of(guess, reference.size_mm), reference.size_mm, size, how)
        sight = _look(image, guess, reference, reach_px, lens)
        if sight is None:
            return None
        view, fit, _ = sight
        pose = _pose(fit.homography, sight, reference, size, how, lens)
    except BoardwardenError:
        return None
    except cv2.error:
        return None
    # the smallest scale on the board decides what an error of a pixel means
    width, height = reference.size_mm
    corners = pose.corners_px
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    cell_px = cell_mm * float((sides / [width, height, width, height]).min())
    if fit.residual_px > max(MAX_RESIDUAL_PX, 0.06 * cell_px) or fit.corner_spread_px > max(
        1.0, MAX_SPREAD_CELLS * cell_px
    ):
        return None
    check = _check(view, fit, reference, cell_mm, how in TURN_KNOWN)
    if check is None or not check.fits_but_for_turn:
        return None
    if check.fits:
        return Found(pose, fit, check)
    if not looks_alike_turned(reference):
        return None  # the print could tell its turn, and does not here
    ways = [turns(reference.size_mm)[i] for i in check.rival_turns]
    turned = [_pose(fit.homography @ t, sight, reference, size, how, lens) for t in ways]
    return Found(pose, fit, check, tuple(turned))


def _pose(
    plane: Matrix,
    sight: tuple[Image, Fit, Lens | None],
    reference: Reference,
    size: tuple[int, int],
    how: str,
    lens: Lens | None,
) -> BoardPose:
    _, fit, used = sight
    matrix = None if lens is None else lens.matrix
    return pose_of_plane(plane, reference.size_mm, size, how, fit.residual_px, used, matrix)


def _look(
    image: Image, guess: Matrix, reference: Reference, reach_px: int, lens: Lens | None
) -> tuple[Image, Fit, Lens | None] | None:
    """The picture in which the board is a plane, the plane in it, and the lens used for that."""
    if lens is not None:
        view = lens.straighten_picture(image)
        plane = through_lens(guess, reference.size_mm, lens.straighten)
        known = refine(view, plane, reference, reach_px)
        if known is None or _still_bent(known, (image.shape[1], image.shape[0])):
            return None
        return view, known, None if lens.is_straight else lens
    fit = refine(image, guess, reference, reach_px)
    if fit is None:
        return None
    view, k1 = image, 0.0
    for _ in range(BEND_ROUNDS):
        target = fit.target_px if lens is None else lens.bend(fit.target_px)
        bend = fit_bend(
            fit.source_mm, target, fit.homography, (image.shape[1], image.shape[0]), k1
        )  # fmt: skip
        if bend is None or not bend.matters or abs(bend.k1 - k1) < SAME_K1:
            break
        straight = bend.lens.straighten_picture(image)
        again = refine(straight, bend.homography, reference, BEND_REACH_PX, 2)
        if again is None or again.agreeing < 0.95 * fit.agreeing:
            break
        view, fit, lens, k1 = straight, again, bend.lens, bend.k1
    return view, fit, lens


def _still_bent(fit: Fit, size: tuple[int, int]) -> bool:
    """Whether the lens was another one: the straightened picture is bent."""
    rest = fit_bend(fit.source_mm, fit.target_px, fit.homography, size)
    return rest is not None and rest.matters and rest.effect_px > WRONG_LENS_PX


def _check(
    image: Image, fit: Fit, reference: Reference, cell_mm: float, turn_known: bool
) -> PrintCheck | None:
    """Of the whole face, or of the part in full view when much is hidden."""
    whole = part = None
    if fit.agreeing >= MIN_AGREEING:
        whole = check_print(image, fit.homography, reference, cell_mm, None, turn_known)
        if whole.fits:
            return whole
    if fit.region.sum() >= MIN_REGION_PATCHES and fit.region.mean() >= MIN_REGION:
        part = check_print(image, fit.homography, reference, cell_mm, fit.region, turn_known)
        if part.fits:
            return part
    return whole if whole is not None and whole.fits_but_for_turn else part
