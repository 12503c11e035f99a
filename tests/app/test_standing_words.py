"""Where the camera should go, in words on its screen."""

from __future__ import annotations

import pytest

from calibration.standing import Standing
from companion_app.screens.camera.camera import advice_of
from companion_app.sight import Checks
from companion_app.snapshot import CameraState, Light
from companion_app.texts import LANGUAGES, choose_language
from engine.verdict import EMPTY


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("advice", ["into_view", "higher", "nearer", "lower"])
def test_the_camera_screen_says_it_in_words(language: str, advice: str) -> None:
    standing = {
        "into_view": Standing(60, 0.8, 20), "higher": Standing(31, 1, 20),
        "nearer": Standing(60, 1, 9.6), "lower": Standing(89, 1, 20),
    }[advice]  # fmt: skip
    checks = Checks(True, "", False, "ok", True, standing)
    choose_language(language)
    try:
        words = advice_of(CameraState(Light.LOOK, EMPTY, checks=checks))
    finally:
        choose_language("en")
    assert {"higher": "31", "nearer": "10", "lower": "89"}.get(advice, "") in words
    assert "setup." not in words and "{" not in words
    assert checks.good == (advice == "lower")
