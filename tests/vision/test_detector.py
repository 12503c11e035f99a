"""Crop, decoding, runners and the shipped network."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import models
from engine.errors import BoardwardenError
from models import checked, detector_path
from models.training.heldout import detect_sample, score_sample
from models.training.synthesis.sample import Sample, make_sample
from vision.crop import BEYOND, crop_around, cut, to_crop, to_image
from vision.crop_reference import match_light, warp_reference
from vision.detector import Detector, decode, mirrored, open_backend, prepare
from vision.reference import Reference
from vision.registration.pose import pose_from_corners
from vision.types import SHAPES, Crop

CORNERS = np.array([(300.0, 120), (900, 150), (1000, 600), (200, 560)])
PLAIN = Crop(np.array([[1.0, 0, 0], [0, 1.0, 0]]), (128, 96))


def blank(h: int = 24, w: int = 32) -> np.ndarray:
    """Network output with nothing in it, every width 16 px."""
    out = np.zeros((len(SHAPES) + 7, h, w), np.float32)
    out[len(SHAPES) + 4] = 0.5
    return out


def test_crop_holds_the_board_and_its_surroundings() -> None:
    crop = crop_around(CORNERS)
    w, h = crop.size
    assert max(w, h) == 704
    assert w % 32 == 0
    assert h % 32 == 0
    inside = to_crop(CORNERS, crop)
    # 800 px wide plus 15 % on both sides become 704.
    np.testing.assert_allclose(inside[:, 0].min(), 704 * 0.15 / 1.3 - 0.5, atol=0.6)
    assert inside[:, 1].min() >= 0.1 * h
    np.testing.assert_allclose(to_image(inside, crop), CORNERS)


@pytest.mark.parametrize("factor", [1, 3])
def test_cut_pixels_lie_where_the_crop_says(factor: int) -> None:
    image = np.zeros((720 * factor, 1280 * factor, 3), np.uint8)
    spot = np.array([[640.0, 400.0]]) * factor
    cv2.circle(image, (int(spot[0, 0]), int(spot[0, 1])), 12 * factor, (255, 255, 255), -1)
    crop = crop_around(CORNERS * factor)
    ys, xs = np.nonzero(cut(image, crop)[..., 0] > 127)
    np.testing.assert_allclose((xs.mean(), ys.mean()), to_crop(spot, crop)[0], atol=0.5)


def test_beyond_the_picture_the_crop_is_grey() -> None:
    image = np.zeros((200, 300, 3), np.uint8)
    crop = crop_around(np.array([(5.0, 5), (295, 5), (295, 195), (5, 195)]))
    assert (cut(image, crop)[0, 0] == BEYOND).all()


def test_one_peak_becomes_one_thing_with_its_foot_top_and_width() -> None:
    out = blank()
    out[0, 10, 12] = 0.9
    out[0, 10, 13] = 0.6
    out[11:16, 10, 12] = (0.25, -0.5, 0.125, -1.0, 0.75)
    found = decode(out, Crop(np.array([[2.0, 0, 10], [0, 2.0, 20]]), (128, 96)))
    assert len(found) == 1
    assert found.shape_of(0) == "pawn"
    foot = np.array([(12.25 * 4 + 1.5 - 10) / 2, (9.5 * 4 + 1.5 - 20) / 2])
    np.testing.assert_allclose(found.foot_px[0], foot, atol=1e-5)
    np.testing.assert_allclose(found.top_px[0], foot + np.array([2.0, -16.0]), atol=1e-5)
    np.testing.assert_allclose(found.width_px[0], 12.0, atol=1e-5)
    np.testing.assert_allclose(found.score, [0.9], atol=1e-6)


def test_classes_at_one_place_are_one_thing_with_both_scores() -> None:
    out = blank()
    out[SHAPES.index("cube"), 10, 12] = 0.5
    out[SHAPES.index("die"), 10, 13] = 0.4
    out[11, 10, 13] = -0.5  # the die's foot lies 2 px beside the cube's
    found = decode(out, PLAIN)
    assert len(found) == 1
    assert found.shape_of(0) == "cube"
    np.testing.assert_allclose(found.shape_scores[0, SHAPES.index("die")], 0.4, atol=1e-6)


def test_neighbours_stay_apart() -> None:
    out = blank()
    out[0, 10, 12] = out[0, 10, 15] = 0.7
    assert len(decode(out, PLAIN)) == 2


def test_a_pawn_on_a_ruin_stays_beside_the_wall_and_the_ruin() -> None:
    out = blank()
    for name in ("pawn", "wall", "l_wall"):
        out[SHAPES.index(name), 10, 12] = 0.8
    found = decode(out, PLAIN)
    assert sorted(found.shape_of(i) for i in range(3)) == ["l_wall", "pawn", "wall"]
    pawn = next(i for i in range(3) if found.shape_of(i) == "pawn")
    assert found.shape_scores[pawn, SHAPES.index("wall")] == 0


def test_weak_peaks_and_empty_pictures_give_nothing() -> None:
    out = blank()
    out[0, 3, 3] = 0.1
    found = decode(out, PLAIN)
    assert len(found) == 0
    assert found.shape_scores.shape == (0, len(SHAPES))


def test_masks_are_mapped_to_the_picture() -> None:
    out = blank()
    out[-1, 5, 7] = 1.0
    found = decode(out, Crop(np.array([[2.0, 0, 10], [0, 2.0, 20]]), (128, 96)))
    assert found.hand_mask[5, 7] == 1
    assert found.piece_mask.max() == 0
    np.testing.assert_allclose(found.mask_to_image @ (7, 5, 1), ((29.5 - 10) / 2, (21.5 - 20) / 2))


def checker() -> Reference:
    cells = np.kron(np.indices((10, 10)).sum(0) % 2, np.ones((60, 60)))
    image = (60 + 120 * cells).astype(np.uint8)
    return Reference(np.stack([image, image // 2, 255 - image], 2), (400.0, 400.0))


def test_reference_lands_on_the_board_under_the_pictures_light() -> None:
    reference = checker()
    pose = pose_from_corners(CORNERS, reference.size_mm, (1280, 720), "corners")
    crop = crop_around(CORNERS)
    seen, valid = warp_reference(reference, pose.homography, crop)
    dim = (seen * 0.6 + 12).astype(np.uint8)
    matched = match_light(seen, valid, dim)
    inside = cv2.erode(valid, np.ones((9, 9), np.uint8)) > 0
    assert np.abs(matched.astype(int) - dim)[inside].mean() < 6
    assert matched[valid == 0].max() == 0


def test_prepared_input_without_reference_says_so() -> None:
    pose = pose_from_corners(CORNERS, (400.0, 400.0), (1280, 720), "corners")
    image = np.full((720, 1280, 3), (10, 20, 200), np.uint8)
    crop = crop_around(CORNERS)
    blob = prepare(image, pose, crop, None)
    assert blob.shape == (1, 7, crop.size[1], crop.size[0])
    assert blob[0, 3:].max() == 0
    np.testing.assert_allclose(blob[0, :3, 200, 300], np.array([200, 20, 10]) / 255, atol=1e-6)
    assert prepare(image, pose, crop, checker())[0, 6].max() == 1


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return [make_sample(np.random.default_rng([77, i])) for i in range(3)]


def test_both_runners_agree(samples: list[Sample]) -> None:
    path = detector_path()
    names, outputs = [], []
    for backend in ("onnxruntime", "opencv"):
        name, run = open_backend(path, backend, 1)
        names.append(name)
        # Two sizes, back and forth: a runner must not remember the first.
        for size in ((128, 160), (96, 224), (128, 160)):
            blob = np.random.default_rng(size).random((1, 7, *size), dtype=np.float32)
            outputs.append(run(blob))
    assert names == ["onnxruntime", "opencv"]
    for a, b in zip(outputs[:3], outputs[3:], strict=True):
        assert a.shape == (len(SHAPES) + 19, a.shape[1], a.shape[2])
        np.testing.assert_allclose(a, b, atol=1e-3)


@pytest.mark.parametrize("with_reference", [True, False])
def test_the_shipped_network_finds_pieces(samples: list[Sample], with_reference: bool) -> None:
    _, run = open_backend(detector_path(), None, 1)
    there = right = false = 0
    for s in samples:
        t, r, f, _ = score_sample(detect_sample(run, s, with_reference), s)
        there, right, false = there + t.sum(), right + r.sum(), false + f
    assert there >= 30
    assert right >= 0.7 * there
    # Things scored over 0.4 that are none; the reading weighs them by place, colour and count.
    assert false <= 0.4 * there


def test_detector_reports_feet_in_pixels_of_the_picture(samples: list[Sample]) -> None:
    """The same table, twice as large and shifted: feet move along."""
    s = samples[0]
    h, w = s.picture.shape[:2]
    big = cv2.resize(s.picture, (2 * w, 2 * h), interpolation=cv2.INTER_CUBIC)
    detector = Detector()
    results = []
    for image, scale in ((s.picture, 1.0), (np.asarray(big, np.uint8), 2.0)):
        corners = (s.corners.astype(float) + 0.5) * scale - 0.5
        pose = pose_from_corners(corners, (500.0, 500.0), image.shape[1::-1], "corners")
        found = detector.detect(image, pose)
        strong = found.foot_px[found.score > 0.5]
        results.append((strong + 0.5) / scale - 0.5)
    small, large = results
    assert len(small) >= 5
    gaps = np.hypot(*(small[:, None] - large[None]).transpose(2, 0, 1)).min(1)
    assert (gaps < 3).mean() >= 0.8


def test_opencv_stands_in_where_onnxruntime_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert Detector().backend == "opencv"


def test_unknown_runner_is_named() -> None:
    with pytest.raises(BoardwardenError, match="use onnxruntime or opencv"):
        Detector(backend="abacus")


def test_a_damaged_or_missing_model_is_told_with_its_remedy(tmp_path: Path) -> None:
    good = Path(models.__file__).parent
    entry = json.loads((good / "manifest.json").read_text("utf-8"))
    (tmp_path / "manifest.json").write_text(json.dumps(entry), "utf-8")
    with pytest.raises(
        BoardwardenError, match=r"cannot open the model file .*: install Boardwarden again"
    ):
        detector_path(tmp_path)
    name = entry["detector"]["file"]
    content = bytearray((good / name).read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BoardwardenError, match=r"is damaged: install Boardwarden again"):
        detector_path(tmp_path)
    (tmp_path / "manifest.json").write_text("{", "utf-8")
    with pytest.raises(BoardwardenError, match="model list"):
        detector_path(tmp_path)


def test_a_whole_model_passes_its_check() -> None:
    path = detector_path()
    entry = json.loads((path.parent / "manifest.json").read_text("utf-8"))
    assert checked(path, entry["detector"]["sha256"]) == path
    with pytest.raises(BoardwardenError, match="damaged"):
        checked(path, "0" * 64)


def test_a_file_that_is_no_network_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.onnx"
    path.write_bytes(b"no network")
    for backend in ("onnxruntime", "opencv"):
        with pytest.raises(BoardwardenError, match="cannot be used"):
            Detector(path, backend)


def test_a_mirrored_answer_is_turned_back() -> None:
    out = blank()
    pawn = SHAPES.index("pawn")
    out[pawn, 10, 5] = 0.9
    out[len(SHAPES) : len(SHAPES) + 5, 10, 5] = (0.25, -0.25, 0.5, -1.0, 0.5)
    crop = Crop(np.array([[1.0, 0, 0], [0, 1.0, 0]]), (128, 96))
    there, back = decode(out, crop), decode(mirrored(out), crop)
    np.testing.assert_allclose(back.foot_px[:, 0], 127 - there.foot_px[:, 0], atol=1e-4)
    np.testing.assert_allclose(back.foot_px[:, 1], there.foot_px[:, 1], atol=1e-4)
    np.testing.assert_allclose(back.top_px[:, 0], 127 - there.top_px[:, 0], atol=1e-4)
    np.testing.assert_array_equal(mirrored(mirrored(out)), out)
