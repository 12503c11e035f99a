"""A learnt print: saved, loaded, and told from the prints of other tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.carcassonne.tiles import faces
from engine.errors import BoardwardenError
from models.training.tiles.layouts import Laid
from models.training.tiles.style import random_style
from models.training.tiles.table import Art
from vision.tiles.patch import PATCH_PX, TILE_PX, cut_patches
from vision.tiles.profile import Matcher, Profile
from vision.tiles.reading import _with_print

KINDS = ("BA/Cc.1", "BA/Cc+", "BA/Rr", "BA/RFr", "BA/C", "BA/L")


def _patches(art: Art, rot: int, off: float = 0.0) -> list[np.ndarray]:
    out = []
    for kind in KINDS:
        picture = art.turned(Laid(faces(kind)[rot // 90], (0, 0)))[0]
        side = picture.shape[0]
        to_image = np.array([[side, 0, -0.5], [0, side, -0.5], [0, 0, 1.0]])
        out += cut_patches(picture, to_image, np.array([[0.5 + off, 0.5]]))
    return out


def test_a_learnt_tile_is_told_in_any_turn_and_a_little_beside_its_place() -> None:
    art = Art(random_style(np.random.default_rng(1)), 4)
    profile = Profile()
    for kind, patch in zip(KINDS, _patches(art, 90), strict=True):
        profile = profile.learnt(kind, 90, patch)
    match = Matcher(profile, (*KINDS, "BA/RRRR"))
    for rot in (0, 90, 180, 270):
        found = match(_patches(art, rot, 0.015))
        assert np.isnan(found[:, -1]).all()
        for n in range(len(KINDS)):
            kind, turn = np.unravel_index(np.nanargmax(found[n]), found[n].shape)
            assert (kind, turn) == (n, rot // 90) or found[n, n, rot // 90] > np.nanmax(
                found[n]
            ) - 0.5


def test_a_profile_survives_the_disk_and_damage_is_told(tmp_path: Path) -> None:
    art = Art(random_style(np.random.default_rng(2)), 5)
    profile = Profile()
    for kind, patch in zip(KINDS, _patches(art, 0), strict=True):
        profile = profile.learnt(kind, 0, patch)
    path = tmp_path / "tiles.npz"
    profile.save(path)
    again = Profile.load(path)
    assert set(again.views) == set(KINDS)
    assert all((again.views[k][0] == profile.views[k][0]).all() for k in KINDS)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(BoardwardenError, match="learn it anew"):
        Profile.load(path)


def test_the_same_picture_is_stored_once() -> None:
    art = Art(random_style(np.random.default_rng(3)), 6)
    patch = _patches(art, 0)[0]
    profile = Profile().learnt("BA/C", 0, patch)
    assert profile.learnt("BA/C", 0, patch) is profile
    assert patch.shape == (PATCH_PX, PATCH_PX, 3) and TILE_PX < PATCH_PX


def test_a_print_that_does_not_fit_leaves_the_word_to_the_network() -> None:
    """Two kinds learnt, the third not: it looks a little like the first, and the network knows it."""
    says = np.log(np.array([0.1, 0.1, 0.8])).reshape(1, 3, 1)
    nan = np.nan
    unlike = np.array([-30.0, -70.0, nan]).reshape(1, 3, 1)
    assert _with_print(says, unlike).argmax() == 2
    twin = np.array([5.0, -40.0, nan]).reshape(1, 3, 1)  # as alike as tiles that differ in a sign
    assert _with_print(says, twin).argmax() == 2
    fits = np.array([22.0, -40.0, nan]).reshape(1, 3, 1)
    assert _with_print(says, fits).argmax() == 0
    covered = np.array([-50.0, -42.0, -90.0]).reshape(1, 3, 1)  # figures stand on it
    assert _with_print(np.log(np.array([0.95, 0.01, 0.04])).reshape(1, 3, 1), covered).argmax() == 0


def test_a_print_that_is_hidden_does_not_outvote_a_network_that_is_sure() -> None:
    """A figure or glare looks like what another kind has there: no print fits, one by far the least badly;
    where one plainly fits, it is the network that errs."""
    says = np.log(np.array([0.998, 0.002])).reshape(1, 2, 1)
    glare = np.array([-110.0, -60.0]).reshape(1, 2, 1)
    assert _with_print(says, glare).argmax() == 0
    plain = np.array([-30.0, 12.0]).reshape(1, 2, 1)
    assert _with_print(says, plain).argmax() == 1
