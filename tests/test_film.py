"""The development film from the camera to the score, by the scorer that also judges other films."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1] / ".." / "shared"
COMMAND = Path(sys.executable).parent


@pytest.mark.shared
@pytest.mark.skipif(not (SHARED / "renders").is_dir(), reason="needs the development films")
@pytest.mark.skipif(not (COMMAND / "boardwarden").exists(), reason="needs the installed command")
def test_the_film_is_judged_right() -> None:
    words = [
        SHARED / "tools" / "score_watch.py",
        COMMAND,
        SHARED / "renders" / "magalon-dev.json",
        SHARED / "renders" / "magalon-dev.mp4",
        SHARED / "boards" / "magalon.json",
        SHARED / "renders" / "magalon-reference.jpg",
    ]
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    found = re.search(r"(\d+)/(\d+) events right, (\d+) false refusals, (\d+) judged", done.stdout)
    assert found is not None, done.stdout + done.stderr
    right, events, refused, under_hand = map(int, found.groups())
    # The figure itself (26 of 26, none refused) stands in docs/figures.md; another build of the
    # libraries may move one borderline reading.
    assert right >= events - 2, done.stdout
    assert refused <= 2, done.stdout
    assert under_hand == 0, done.stdout
