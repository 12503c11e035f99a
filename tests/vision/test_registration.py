"""Pose from corners, and the three ways of finding the board."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.errors import BoardFileError, BoardwardenError
from tests.vision.artwork import (
    CORNERS,
    SIZE_MM,
    VIEW,
    artwork,
    checkered_board,
    photograph,
    reference,
    with_arm,
    with_pieces,
)
from vision.reference import Reference
from vision.registration import BoardNotFound, find_board, pose_from_corners
from vision.registration.by_markers import marker_layout
from vision.registration.face import find_face
from vision.registration.measure import cell_error, evaluate_registration
from vision.registration.planar import apply
from vision.registration.pose import face_corners, homography_from_corners
from vision.registration.print_check import check_print

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared"
PIECES = [(x, y) for x in (75, 175, 275, 325) for y in (75, 125, 225)]


def camera(
    focal: float, elevation_deg: float, turn_deg: float, size: tuple[int, int] = (1280, 720)
):
    """A true projection (3, 4) of board mm with z up, looking at the board's middle."""
    e, a = np.radians(elevation_deg), np.radians(turn_deg)
    middle = np.array([SIZE_MM[0] / 2, SIZE_MM[1] / 2, 0.0])
    away = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    eye = middle + 900 * away
    forward = -away
    # the board's frame with z up is left-handed: mirror z to look with an ordinary camera
    flip = np.diag([1.0, 1.0, -1.0])
    forward, eye = flip @ forward, flip @ eye
    right = np.cross([0.0, 0.0, 1.0], forward)
    if np.linalg.norm(right) < 1e-6:
        right = np.array([1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    k = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    return k @ np.column_stack([rotation @ flip, -rotation @ eye])


def project(matrix, points):
    q = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return q[:, :2] / q[:, 2:3]


def seen_corners(matrix):
    return project(matrix, np.column_stack([face_corners(SIZE_MM), np.zeros(4)]))


@pytest.mark.parametrize("turn", range(0, 360, 45))
@pytest.mark.parametrize("elevation", [32, 45, 60, 75])
def test_focal_length_and_heights_come_from_an_oblique_view(elevation, turn):
    truth = camera(1150.0, elevation, turn)
    pose = pose_from_corners(seen_corners(truth), SIZE_MM, (1280, 720), "corners")
    points = np.array([[50, 60, 0], [50, 60, 48], [350, 250, 48], [200, 150, 100.0]])
    assert np.abs(pose.to_image(points) - project(truth, points)).max() < 1.5


def test_projection_agrees_with_the_homography_on_the_face():
    rng = np.random.default_rng(3)
    for _ in range(40):
        corners = CORNERS + rng.normal(0, 25, (4, 2))
        pose = pose_from_corners(corners, SIZE_MM, VIEW, "corners")
        points = rng.uniform(0, 300, (20, 2))
        assert np.allclose(pose.to_image(points), apply(pose.homography, points), atol=1e-7)
        assert np.allclose(pose.to_board(pose.to_image(points)), points, atol=1e-6)
        assert np.allclose(pose.to_image(face_corners(SIZE_MM)), corners, atol=1e-6)


@pytest.mark.parametrize("noise", [0.0, 1.5])
def test_heights_point_towards_the_camera_even_seen_from_the_front(noise):
    rng = np.random.default_rng(5)
    flat = np.array([[300.0, 150], [900, 150], [900, 600], [300, 600]])
    for _ in range(20):
        corners = flat + rng.normal(0, noise, (4, 2))
        pose = pose_from_corners(corners, SIZE_MM, (1280, 720), "corners")
        foot, top = pose.to_image(np.array([[30, 30, 0], [30, 30, 50.0]]))
        middle = pose.to_image(np.array([[200, 150.0]]))[0]
        # nearer to the camera is further from the picture's middle
        assert np.linalg.norm(top - middle) > np.linalg.norm(foot - middle)


def test_given_intrinsics_are_used():
    truth = camera(700.0, 40, 30)
    k = np.array([[700, 0, 639.5], [0, 700, 359.5], [0, 0, 1.0]])
    pose = pose_from_corners(seen_corners(truth), SIZE_MM, (1280, 720), "corners", None, k)
    points = np.array([[50, 60, 80.0], [350, 250, 80]])
    assert np.abs(pose.to_image(points) - project(truth, points)).max() < 1e-6


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        (CORNERS[[1, 0, 3, 2]], "mirrored"),
        (CORNERS[[0, 2, 1, 3]], "go round"),
        ([[100, 100], [300, 100], [500, 100], [300, 400]], "in a line"),
        ([[100, 100], [100, 100], [500, 300], [300, 400]], "coincide"),
        ([[100, 100], [500, 100], [320, 180], [100, 400]], "go round"),
        ([[100, 100], [500, np.nan], [500, 400], [100, 400]], "finite"),
        ([[100, 100], [9e6, 100], [500, 400], [100, 400]], "outside"),
        ([[100, 100], [500, 100], [500, 400]], "four corners"),
        (["a", "b", "c", "d"], "pairs of numbers"),
    ],
)
def test_impossible_corners_are_refused_with_one_sentence(corners, words):
    with pytest.raises(BoardwardenError, match=words) as caught:
        pose_from_corners(corners, SIZE_MM, VIEW, "corners")
    assert "\n" not in str(caught.value)


def test_corners_may_start_at_any_side():
    for turn in range(4):
        pose = pose_from_corners(np.roll(CORNERS, turn, axis=0), SIZE_MM, VIEW, "corners")
        assert np.allclose(pose.corners_px, np.roll(CORNERS, turn, axis=0))


def test_board_is_found_by_its_print_with_pieces_arm_and_dim_light():
    board, print_ = checkered_board(), reference()
    for image in (
        photograph(print_.image),
        with_pieces(photograph(print_.image), CORNERS, PIECES),
        with_arm(with_pieces(photograph(print_.image), CORNERS, PIECES), CORNERS, 220, 160),
        photograph(print_.image, gain=0.35, noise=4),
    ):
        pose = find_board(image, board, reference=print_)
        assert pose.how == "reference"
        assert np.abs(pose.corners_px - CORNERS).max() < 1.0
        assert pose.residual_px is not None
        assert pose.residual_px < 1.0


def test_board_is_found_from_thirty_degrees_and_turned_all_ways():
    board, print_ = checkered_board(), reference()
    for turn in (0, 90, 200, 290):
        corners = seen_corners(camera(1300.0, 32, turn, VIEW)) - [160, 40]
        corners += np.array(VIEW) / 2 - corners.mean(0)
        pose = find_board(photograph(print_.image, corners), board, reference=print_)
        assert cell_error(corners, pose.homography, board) < 0.03


def test_other_boards_and_mirrored_pictures_are_not_found():
    board, print_ = checkered_board(), reference(1)
    with pytest.raises(BoardNotFound, match="not found"):
        find_board(photograph(artwork(2)), board, reference=print_)
    with pytest.raises(BoardNotFound, match="not found"):
        find_board(np.full((480, 640, 3), 90, np.uint8), board, reference=print_)
    with pytest.raises(BoardNotFound, match="mirrored"):
        find_board(np.ascontiguousarray(photograph(print_.image)[:, ::-1]), board, reference=print_)


def test_a_bump_is_tracked_from_the_previous_pose():
    board, print_ = checkered_board(), reference()
    before = pose_from_corners(CORNERS, SIZE_MM, VIEW, "corners")
    for shift, angle in itertools.product((8.0, 20.0), (-2.0, 2.0)):
        move = cv2.getRotationMatrix2D((480, 320), angle, 1.0)
        corners = CORNERS @ move[:, :2].T + move[:, 2] + shift
        image = photograph(print_.image, corners)
        pose = find_board(image, board, reference=print_, previous=before)
        assert np.abs(pose.corners_px - corners).max() < 1.0


def test_a_shifted_or_turned_pose_does_not_pass_the_print_check():
    print_ = reference()
    image = photograph(print_.image)
    true = homography_from_corners(CORNERS, SIZE_MM)
    assert check_print(image, true, print_, 50.0).fits
    half_cell = true @ np.array([[1, 0, 25.0], [0, 1, 0], [0, 0, 1]])
    turned = true @ np.array([[-1, 0, 400.0], [0, -1, 300], [0, 0, 1]])
    for wrong in (half_cell, turned):
        assert not check_print(image, wrong, print_, 50.0).fits


def test_given_corners_are_taken_as_they_are_and_snapped_on_request():
    board, print_ = checkered_board(), reference()
    image = with_pieces(photograph(print_.image), CORNERS, PIECES)
    tapped = CORNERS + np.array([[7, -5], [-6, 6], [5, 7], [-7, -4]])
    as_given = find_board(image, board, corners=tapped)
    assert np.array_equal(as_given.corners_px, tapped)
    assert as_given.residual_px is None
    by_print = find_board(image, board, reference=print_, corners=tapped, snap=True)
    assert np.abs(by_print.corners_px - CORNERS).max() < 1.0
    by_edges = find_board(image, board, corners=tapped, snap=True)
    # the printed frame has two edges, 3 mm apart
    assert np.abs(by_edges.corners_px - CORNERS).max() < 5.0
    assert by_edges.how == by_print.how == "corners"
    assert by_edges.residual_px is not None


def test_snapping_on_nothing_leaves_the_corners_alone():
    flat = np.full((640, 960, 3), 120, np.uint8)
    pose = find_board(flat, checkered_board(), corners=CORNERS, snap=True)
    assert np.array_equal(pose.corners_px, CORNERS)
    assert pose.residual_px is None


def test_a_board_that_nothing_tells_how_to_find_says_so():
    with pytest.raises(BoardNotFound, match="reference picture"):
        find_board(photograph(artwork(1)), checkered_board())


def test_the_board_files_own_reference_picture_is_used(tmp_path):
    cv2.imwrite(str(tmp_path / "print.png"), artwork(1))
    board = checkered_board(reference="print.png")
    (tmp_path / "board.json").write_text(json.dumps(dict(board.raw)))
    from engine.board import load_board

    pose = find_board(photograph(artwork(1)), load_board(tmp_path / "board.json"))
    assert np.abs(pose.corners_px - CORNERS).max() < 1.0


def test_a_photograph_of_the_empty_board_serves_as_reference():
    picture = photograph(artwork(1))
    other = CORNERS + np.array([[30, 10], [-20, 25], [5, -30], [15, -20]])
    for corners in (CORNERS, None):
        flat = Reference.from_picture(picture, SIZE_MM, corners)
        pose = find_board(photograph(artwork(1), other, seed=4), checkered_board(), reference=flat)
        assert np.abs(pose.corners_px - other).max() < 2.5


def test_a_print_that_looks_alike_from_two_sides_needs_to_be_told_its_turn():
    half = artwork(1).astype(np.float32)
    alike = ((half + half[::-1, ::-1]) / 2).astype(np.uint8)
    print_, image, board = Reference(alike, SIZE_MM), photograph(alike), checkered_board()
    with pytest.raises(BoardNotFound) as found:
        find_board(image, board, reference=print_)
    assert found.value.key == "board.turn"
    with pytest.raises(BoardNotFound, match="same from several sides"):
        find_board(image, board, reference=print_, turn=lambda *_: None)
    for corners in (CORNERS, np.roll(CORNERS, 2, axis=0)):
        told = find_board(image, board, reference=print_, corners=corners + 2, snap=True)
        assert np.abs(told.corners_px - corners).max() < 1.0
        later = find_board(image, board, reference=print_, previous=told)
        assert later.how == "tracked"
        assert np.abs(later.corners_px - corners).max() < 1.0


def test_what_stands_on_a_board_decides_its_turn_where_the_print_cannot():
    """The judge is asked with all turns that fit, and its answer is taken."""
    half = artwork(1).astype(np.float32)
    alike = ((half + half[::-1, ::-1]) / 2).astype(np.uint8)
    print_, board = Reference(alike, SIZE_MM), checkered_board()
    for corners in (CORNERS, np.roll(CORNERS, 2, axis=0)):
        asked = []

        def judge(image, poses, corners=corners, asked=asked):
            asked.append(len(poses))
            return int(np.argmin([np.abs(p.corners_px - corners).max() for p in poses]))

        pose = find_board(photograph(alike), board, reference=print_, turn=judge)
        assert np.abs(pose.corners_px - corners).max() < 1.0
        assert asked == [2]
    asked = []
    find_board(photograph(artwork(1)), board, reference=reference(), turn=judge)
    assert not asked  # this print tells its turn itself


def test_after_a_bump_a_symmetric_board_is_turned_as_before():
    half = artwork(1).astype(np.float32)
    alike = ((half + half[::-1, ::-1]) / 2).astype(np.uint8)
    print_, board = Reference(alike, SIZE_MM), checkered_board()
    far = CORNERS + np.array([-60.0, 40.0])  # farther than a pose is followed
    for corners in (CORNERS, np.roll(CORNERS, 2, axis=0)):
        before = find_board(photograph(alike), board, reference=print_, corners=corners)
        now = np.roll(far, 2, axis=0) if corners is not CORNERS else far
        pose = find_board(photograph(alike, far), board, reference=print_, previous=before)
        assert np.abs(pose.corners_px - now).max() < 1.5


def test_flat_artwork_is_taken_as_the_face():
    flat = Reference.from_picture(artwork(1), SIZE_MM)
    assert flat.image.shape == artwork(1).shape
    # a printed frame within the artwork is no board on a table
    framed = np.full((600, 800, 3), 235, np.uint8)
    framed[60:540, 80:720] = artwork(1)[60:540, 80:720]
    assert np.array_equal(Reference.from_picture(framed, SIZE_MM).image, framed)


def test_a_photograph_that_cuts_the_board_off_is_refused():
    with pytest.raises(BoardwardenError, match="corners"):
        Reference.from_picture(photograph(artwork(1))[:500], SIZE_MM)
    with pytest.raises(BoardwardenError, match="corners"):
        Reference.from_picture(np.full((500, 960, 3), 90, np.uint8), SIZE_MM)


def test_holes_in_the_reference_are_no_print():
    valid = np.full((600, 800), 255, np.uint8)
    valid[:, 500:] = 0
    painted = artwork(1)
    painted[:, 500:] = artwork(7)[:, 500:]
    pose = find_board(
        photograph(artwork(1)), checkered_board(), reference=Reference(painted, SIZE_MM, valid)
    )
    assert np.abs(pose.corners_px - CORNERS).max() < 1.5


# --- markers ---------------------------------------------------------------------------------

MARKER_PLACES = {0: (18.0, 18.0), 1: (382.0, 18.0), 2: (382.0, 282.0), 3: (18.0, 282.0)}


def marker_board(dictionary: str = "DICT_5X5_50"):
    places = {str(i): list(p) for i, p in MARKER_PLACES.items()}
    return checkered_board(markers={"dictionary": dictionary, "side_mm": 24, "positions": places})


def marked_print(dictionary: str = "DICT_5X5_50", leave_out=(), margin_px: int = 6, wrong=None):
    """The artwork (4 px per mm) with its markers; ``wrong``: this id stands 15 mm off."""
    image = cv2.resize(artwork(1), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    for number, (x, y) in MARKER_PLACES.items():
        if number in leave_out:
            continue
        if number == wrong:
            x -= 15
        code = cv2.aruco.generateImageMarker(book, number, 96)
        left, top = round(4 * x - 48), round(4 * y - 48)
        low_x, low_y = max(0, left - margin_px), max(0, top - margin_px)
        image[low_y : top + 96 + margin_px, low_x : left + 96 + margin_px] = 250
        image[top : top + 96, left : left + 96] = code[..., None]
    return image


@pytest.mark.parametrize("dictionary", ["DICT_5X5_50", "DICT_APRILTAG_36h11"])
def test_board_is_found_by_its_markers(dictionary):
    board = marker_board(dictionary)
    pose = find_board(photograph(marked_print(dictionary)), board)
    assert pose.how == "markers"
    assert pose.residual_px is not None
    assert pose.residual_px < 0.5
    assert np.abs(pose.corners_px - CORNERS).max() < 1.0


def test_markers_are_found_at_every_angle_with_a_narrow_margin():
    board = marker_board()
    corners = np.array([[-240.0, -180], [240, -180], [240, 180], [-240, 180]])
    print_ = marked_print(margin_px=8)
    for angle in range(0, 360, 24):
        a = np.radians(angle)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        truth = corners @ turn.T + [480, 320]
        pose = find_board(photograph(print_, truth, seed=angle), board)
        # small markers: a large refinement window would ruin the corners
        assert np.abs(pose.corners_px - truth).max() < 1.0


def marked_view(seed: int, **options):
    """A camera's true view of the marked board: picture and corners."""
    rng = np.random.default_rng(seed)
    corners = seen_corners(
        camera(rng.uniform(800, 1000), rng.uniform(50, 70), rng.uniform(0, 360), VIEW)
    )
    return photograph(marked_print(margin_px=12, **options), corners, seed=seed), corners


@pytest.mark.parametrize("seed", range(6))
def test_two_markers_suffice_and_are_honest_about_it(seed):
    board = marker_board()
    image, corners = marked_view(seed, leave_out=(1, 3))
    pose = find_board(image, board)
    assert cell_error(corners, pose.homography, board) < 0.05
    image, corners = marked_view(seed, leave_out=(2,))
    pose = find_board(image, board)
    assert cell_error(corners, pose.homography, board) < 0.02


def test_one_marker_does_not_suffice():
    board = marker_board()
    with pytest.raises(BoardNotFound, match="only marker 2") as found:
        find_board(photograph(marked_print(leave_out=(0, 1, 3))), board)
    assert (found.value.key, found.value.params) == ("board.one_marker", {"n": 2})
    with pytest.raises(BoardNotFound, match="no marker"):
        find_board(photograph(artwork(1)), board)


@pytest.mark.parametrize("seed", range(4))
def test_a_misplaced_marker_is_outvoted(seed):
    board = marker_board()
    image, corners = marked_view(seed, wrong=1)
    pose = find_board(image, board)
    assert cell_error(corners, pose.homography, board) < 0.05


def test_two_markers_that_contradict_each_other_are_reported():
    places = {"0": list(MARKER_PLACES[0]), "1": [x / 3 for x in MARKER_PLACES[1]]}
    board = checkered_board(markers={"side_mm": 24, "positions": places})
    image, _ = marked_view(1, leave_out=(2, 3))
    with pytest.raises(BoardNotFound, match="do not agree"):
        find_board(image, board)


def test_a_pair_that_agrees_by_chance_against_two_others_is_not_believed():
    places = {str(i): list(p) for i, p in MARKER_PLACES.items()}
    places["0"][0] += 30
    places["1"][1] += 30
    board = checkered_board(markers={"side_mm": 24, "positions": places})
    image, _ = marked_view(1)
    with pytest.raises(BoardNotFound) as found:
        find_board(image, board)
    assert found.value.key == "board.disagree"


def test_mirrored_markers_are_named_as_such():
    image = np.ascontiguousarray(photograph(marked_print())[:, ::-1])
    with pytest.raises(BoardNotFound, match="mirrored"):
        find_board(image, marker_board())


@pytest.mark.parametrize(
    "markers",
    [
        "corners",
        {"dictionary": "DICT_9X9", "side_mm": 20, "positions": {"0": [1, 2], "1": [3, 4]}},
        {"side_mm": 20, "positions": {"0": [1, 2]}},
        {"positions": {"0": [1, 2], "1": [3, 4]}},
        {"side_mm": 20, "positions": {"zero": [1, 2], "1": [3, 4]}},
    ],
)
def test_damaged_marker_layouts_are_refused(markers):
    with pytest.raises(BoardFileError):
        marker_layout({"markers": markers})


# --- the development pictures ----------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.parametrize("game", ["hexagon", "grailnah"])
def test_development_renders_are_all_found(game):
    folder = SHARED / "renders" / f"{game}_dev"
    if not folder.is_dir():
        pytest.skip("the development pictures are not here")
    from engine.board import load_board

    board = load_board(SHARED / "boards" / f"{game}.json")
    picture = Reference.load(SHARED / "renders" / f"{game}-reference.jpg", board.size_mm)
    figures = evaluate_registration(folder, board=board, reference=picture)
    assert figures["found"] == figures["count"]
    assert figures["wrong"] == 0
    assert figures["cell_max"] <= 0.05


@pytest.mark.parametrize("rim", [0, 90, 255])
@pytest.mark.parametrize("inner", [0, 90])
def test_a_picture_of_one_or_two_flat_colours_is_no_board_and_never_hangs(rim: int, inner: int) -> None:  # fmt: skip
    picture = np.full((300, 400, 3), rim, np.uint8)
    picture[6:-6, 8:-8] = inner
    assert find_face(picture, (500.0, 660.0)) is None


def test_snapping_never_bends_a_print_into_corners_where_it_does_not_lie():
    """Corners in another order, of another board, or far off are refused, and the remedy is named."""
    image, board = photograph(artwork(1)), checkered_board()
    other = Reference(artwork(2), SIZE_MM)
    for print_, corners in (
        (reference(), np.roll(CORNERS, 2, axis=0)),
        (reference(), np.roll(CORNERS, 1, axis=0)),
        (other, CORNERS),
        (reference(), CORNERS + np.array([130.0, 90.0])),
    ):
        with pytest.raises(BoardNotFound, match="clockwise from its top-left"):
            find_board(image, board, reference=print_, corners=corners, snap=True)
