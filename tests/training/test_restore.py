"""An exported network taken up again answers as before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch")
pytest.importorskip("onnx", reason="training needs onnx")

from models import detector_path  # noqa: E402
from models.training.export import export  # noqa: E402
from models.training.restore import restore  # noqa: E402
from vision.detector import open_backend  # noqa: E402


def test_the_restored_network_answers_as_the_exported_one(tmp_path: Path) -> None:
    inputs = torch.rand(4, 7, 96, 96, generator=torch.Generator().manual_seed(5))
    again = tmp_path / "again.onnx"
    export(restore(detector_path(), inputs), again)
    one = np.ascontiguousarray(inputs[:1].numpy())
    before, after = (open_backend(p, None, 1)[1](one) for p in (detector_path(), again))
    assert np.abs(before - after).max() < 1e-3
