"""Measuring a device: the yardstick graph, medians, and the threads that are remembered."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion_app import device
from companion_app.benchmark import networks, yolox_nano
from companion_app.benchmark.onnx_writer import GraphWriter
from companion_app.benchmark.table import SIZE, demo_table
from companion_app.benchmark.timing import measure, timing
from companion_app.cli import main
from engine.errors import BoardwardenError
from vision.detector import Detector, open_backend


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOARDWARDEN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_the_yardstick_has_the_parameters_of_yolox_nano_and_runs_on_both(tmp_path: Path) -> None:
    path = tmp_path / "graph.onnx"
    assert 0.895e6 < yolox_nano.write(path) < 0.925e6
    inputs = networks.inputs_like((1, 3, yolox_nano.SIDE_PX, yolox_nano.SIDE_PX))
    outputs = [open_backend(path, name, 1)[1](inputs) for name in ("onnxruntime", "opencv")]
    assert outputs[0].shape == (85, 52 * 52 + 26 * 26 + 13 * 13)
    assert float(outputs[0].std()) > 0.01
    np.testing.assert_allclose(*outputs, atol=1e-4)


def test_a_written_graph_computes_what_it_says(tmp_path: Path) -> None:
    graph = GraphWriter()
    two = graph.weight(np.array([[[[2.0]]]], np.float32))
    y = graph.node("Conv", ["input", two], kernel_shape=[1, 1], pads=[0, 0, 0, 0])
    graph.node("LeakyRelu", [y], "output", alpha=0.5)
    path = tmp_path / "graph.onnx"
    path.write_bytes(graph.to_bytes({"input": (1, 1, 1, 3)}, {"output": (1, 1, 1, 3)}))
    inputs = np.array([[[[-1.0, 0.0, 3.0]]]], np.float32)
    for name in ("onnxruntime", "opencv"):
        np.testing.assert_allclose(open_backend(path, name, 1)[1](inputs)[0, 0], [-1.0, 0.0, 6.0])


def test_medians_are_of_the_runs_after_the_first() -> None:
    calls: list[str] = []
    rows = measure([("a", lambda: calls.append("a")), ("b", lambda: calls.append("b"))], 3)
    assert calls == ["a", "b"] + ["a", "b"] * 3
    assert [r.name for r in rows] == ["a", "b"]
    row = timing("x", [(0.001, 0.002), (0.003, 0.004), (0.002, 0.009)])
    assert (row.processor_ms, row.wall_ms, row.wall_p99_ms) == pytest.approx((2.0, 4.0, 9.0))


@pytest.mark.parametrize(
    ("wall_ms", "counts", "best"),
    [
        ([40.0], [1], 1),
        ([40.0, 22.0], [1, 2], 2),
        ([40.0, 36.0], [1, 2], 1),
        ([40.0, 39.0, 15.0], [1, 2, 4], 4),
        ([40.0, 21.0, 18.0], [1, 2, 4], 2),
    ],
)
def test_more_threads_must_be_worth_it(wall_ms: list[float], counts: list[int], best: int) -> None:
    assert networks.worth_it(wall_ms, counts) == best


def test_threads_are_remembered_for_this_device_only(home: Path) -> None:
    assert device.remembered_threads() == 1
    path = device.remember_threads(4)
    assert path.parent == home
    assert device.remembered_threads() == 4
    path.write_text(json.dumps({"device": "another", "threads": 4}))
    assert device.remembered_threads() == 1


@pytest.mark.parametrize("text", ["", "[]", '{"device": 3}', "null"])
def test_a_damaged_memory_means_one_thread(home: Path, text: str) -> None:
    device.remember_threads(2).write_text(text)
    assert device.remembered_threads() == 1


@pytest.mark.parametrize("threads", [0, -3, 1000])
def test_absurd_threads_mean_one(home: Path, threads: int) -> None:
    device.remember_threads(threads)
    assert device.remembered_threads() == 1


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BoardwardenError, match="BOARDWARDEN_HOME"):
        device.remember_threads(2, tmp_path / "file")


def test_rounds_must_be_positive(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rounds", "0"]) == 2
    assert "--rounds" in capsys.readouterr().err


def test_a_missing_recording(tmp_path: Path) -> None:
    with pytest.raises(BoardwardenError):
        demo_table(tmp_path, Detector())


def test_the_command_prints_everything_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rounds", "1", "--profile", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    names = [t["name"] for t in row["timings"]]
    assert len(names) == len(set(names))
    for part in ("YOLOX-Nano", "picture to observation", "dice", "board found", "verdict"):
        assert any(part in name for name in names), part
    assert set(row["runner_difference"]) == {"detector", "dice reader", "dice finder"}
    assert all(v < 1e-3 for v in row["runner_difference"].values())
    assert row["threads"]["best"] == device.remembered_threads()
    assert row["profile"][0]["own_ms"] >= row["profile"][-1]["own_ms"] >= 0
    assert SIZE == (1280, 720)
