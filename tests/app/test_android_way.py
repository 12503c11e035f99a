"""The whole pipeline as it runs on Android: no onnxruntime, the eyes in a thread of the app's own."""

from __future__ import annotations

import sys

import pytest

from companion_app import eyes_process
from companion_app.demo_game import demo_setup
from companion_app.eyes import Eyes
from companion_app.frames import FrameSlot
from companion_app.opening import open_eyes, room_of
from companion_app.sight import PipelineRequest
from engine.board import load_board
from engine.observation import Observation
from tests.app.helpers import eventually
from vision.detector import Detector

MOST_S = 6.0  # of the film: the table is still and the pieces are learnt long before


def first_reading() -> Observation:
    """What the first still view of the recorded game is read as, through a thread of ``Eyes``."""
    header, how = demo_setup()
    board = load_board("reference")
    room = room_of("magalon")
    request = PipelineRequest(
        how["source"], board, header, how["reference"], realtime=False,
        placement=room.placement(room.start(header, board)),
    )  # fmt: skip
    seen: list[Observation] = []
    eyes = Eyes(lambda: open_eyes(request), FrameSlot(), seen.append, lambda: None)
    eyes.start()
    assert eventually(lambda: any(o.pieces for o in seen) or any(o.t_s > MOST_S for o in seen))
    eyes.stop()
    return next(o for o in seen if o.pieces)


def read_as(observation: Observation) -> set[tuple[str, str | None, tuple[str, ...]]]:
    best = [p.best for p in observation.pieces]
    return {(c.kind, c.colour, c.spots) for c in best if c.spots and c.kind != "die"}


def test_the_recorded_table_is_read_alike_through_opencv_s_runner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANDROID_ARGUMENT", "x")
    assert not eyes_process.wanted()
    usual = read_as(first_reading())
    monkeypatch.setitem(sys.modules, "onnxruntime", None)  # as where no such package exists
    assert Detector().backend == "opencv"
    without = read_as(first_reading())
    assert len(usual) >= 12
    assert len(usual & without) >= len(usual) - 1
