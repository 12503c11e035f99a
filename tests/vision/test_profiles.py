"""Outlines of turned pieces: learnt from one side, told apart from another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.crop import crop_around, to_crop
from vision.pixel_evidence import Evidence
from vision.profiles import learn_profiles, profile_log_odds, with_stand_ins
from vision.registration.pose import pose_from_corners
from vision.silhouettes import OwnerMap, camera_centre_mm
from vision.types import BoardPose

SIZE_MM, SIZE_PX = (400.0, 400.0), (1280, 720)
# Half widths in mm by height: (height, half width) of every bend.
MOULDS = {
    "king": ((0, 6.0), (8, 4.0), (28, 3.0), (32, 6.0), (40, 6.0)),
    "queen": ((0, 6.0), (8, 4.0), (26, 2.5), (30, 5.0), (34, 1.5), (36, 1.5)),
    "knight": ((0, 5.0), (6, 3.0), (16, 2.0), (20, 3.5), (24, 2.0)),
}
STANDING = [
    ("king", (90.0, 110.0)), ("queen", (200.0, 90.0)), ("knight", (300.0, 120.0)),
    ("king", (110.0, 250.0)), ("queen", (220.0, 300.0)), ("knight", (310.0, 260.0)),
]  # fmt: skip
LOOKS = [(kind, "red") for kind in MOULDS]


def pose_of(elevation: float, azimuth: float) -> BoardPose:
    """A camera that looks at the board's middle; angles in degrees."""
    e, a = np.radians([elevation, azimuth])
    back = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([np.sin(a), -np.cos(a), 0.0])
    down = np.array([np.sin(e) * np.cos(a), np.sin(e) * np.sin(a), -np.cos(e)])
    axes = np.stack([right, down, -back])
    eye = np.array([200.0, 200.0, 0.0]) + 750 * back
    camera = np.array([[1100, 0, 640.0], [0, 1100, 360], [0, 0, 1]]) @ np.column_stack(
        [axes, -axes @ eye]
    )
    corners = np.array([(0, 0, 0, 1), (400, 0, 0, 1), (400, 400, 0, 1), (0, 400, 0, 1.0)])
    seen = corners @ camera.T
    return pose_from_corners(seen[:, :2] / seen[:, 2:], SIZE_MM, SIZE_PX, "corners")


def disc(at: tuple[float, float], z: float, radius: float) -> NDArray[np.float64]:
    turn = np.arange(24) * np.pi / 12
    ring = np.column_stack([np.cos(turn), np.sin(turn)]) * radius + at
    return np.column_stack([ring, np.full(len(ring), z)])


def painted(pose: BoardPose, taller: float = 1.0) -> Evidence:
    """What a clear picture of the standing pieces says of the colour red."""
    crop = crop_around(pose.corners_px)
    odds = np.full(crop.size[::-1], -2.5, np.float32)
    for kind, at in STANDING:
        heights, radii = np.array(MOULDS[kind]).T
        for z in np.arange(0.0, heights[-1], 0.5):
            rim = pose.to_image(disc(at, z * taller, float(np.interp(z, heights, radii))))
            cv2.fillConvexPoly(odds, np.round(to_crop(rim, crop)).astype(np.int32), 2.5)
    return Evidence(crop, {"red": odds}, None)


def nobody_hides(pose: BoardPose) -> OwnerMap:
    feet = np.array([at for _, at in STANDING])
    distance = np.linalg.norm(feet - camera_centre_mm(pose)[:2], axis=1)
    return OwnerMap(np.full((360, 640), -1, np.int16), distance)


@pytest.mark.parametrize(("elevation", "azimuth"), [(40, 200), (55, 80), (65, 20)])
@pytest.mark.parametrize("taller", [0.93, 1.0, 1.08])
def test_kinds_are_told_by_their_outlines_from_another_side(
    elevation: float, azimuth: float, taller: float
) -> None:
    first, second = pose_of(50, 100), pose_of(elevation, azimuth)
    feet = np.array([at for _, at in STANDING])
    pieces = [(kind, "red", i) for i, (kind, _) in enumerate(STANDING)]
    profiles = learn_profiles(painted(first), first, nobody_hides(first), pieces, feet)
    assert set(profiles) == set(MOULDS)
    # The feet are found a little off, and the pose errs in the heights of all alike.
    off = feet + np.array([(1.5, -1.0), (-1.0, 1.5), (1.0, 1.0)] * 2)
    everything = range(len(STANDING))
    odds = profile_log_odds(
        painted(second, taller), second, nobody_hides(second), profiles, off, everything, LOOKS
    )
    for i, (kind, _) in enumerate(STANDING):
        told = {k: odds[k, "red"][i] for k in MOULDS}
        assert max(told, key=told.__getitem__) == kind
        assert told[kind] > 0.5


def test_nothing_is_said_of_a_colour_of_one_kind() -> None:
    pose = pose_of(50, 100)
    feet = np.array([at for _, at in STANDING])
    pieces = [(kind, "red", i) for i, (kind, _) in enumerate(STANDING)]
    owners = nobody_hides(pose)
    profiles = learn_profiles(painted(pose), pose, owners, pieces, feet)
    assert not profile_log_odds(
        painted(pose), pose, owners, profiles, feet, [0], [("king", "red"), ("wizard", "red")]
    )


def test_a_kind_seen_for_the_first_time_is_told_by_its_stated_size() -> None:
    pose = pose_of(55, 100)
    feet = np.array([at for _, at in STANDING])
    knights = [n for n, (kind, _) in enumerate(STANDING) if kind == "knight"]
    pieces = [("knight", "red", n) for n in knights]
    known = learn_profiles(painted(pose), pose, nobody_hides(pose), pieces, feet[knights])
    stated = {"king": (40.0, 12.0), "queen": (36.0, 12.0), "knight": (24.0, 10.0)}
    profiles = with_stand_ins(known, stated)
    assert set(profiles) == set(MOULDS) and profiles["knight"] is known["knight"]
    heights = {kind: int((p.radii_mm > 0).sum()) for kind, p in profiles.items()}
    assert heights["king"] == pytest.approx(heights["knight"] * 40 / 24, abs=1)
    odds = profile_log_odds(
        painted(pose), pose, nobody_hides(pose), profiles, feet, range(len(feet)), LOOKS,
        stand_ins=frozenset({"king", "queen"}),
    )  # fmt: skip
    for n, (kind, _) in enumerate(STANDING):
        royal = max(odds["king", "red"][n], odds["queen", "red"][n])
        assert (royal > odds["knight", "red"][n]) == (kind != "knight")
    everyone = frozenset(MOULDS)
    assert not profile_log_odds(
        painted(pose), pose, nobody_hides(pose), profiles, feet, range(len(feet)), LOOKS,
        stand_ins=everyone,
    )  # fmt: skip


def test_nothing_stands_in_where_no_outline_is_known() -> None:
    assert with_stand_ins({}, {"king": (40.0, 12.0)}) == {}
