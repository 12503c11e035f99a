"""Model files are loaded only as they were recorded; records are always text that can be read."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.errors import BoardwardenError
from engine.record import to_line
from models import detector_path


def test_a_changed_model_is_never_loaded(tmp_path: Path) -> None:
    for seed in range(12):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = detector_path()
        data = bytearray(path.read_bytes())
        (folder / "manifest.json").write_bytes(path.with_name("manifest.json").read_bytes())
        rng = random.Random(seed)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        (folder / path.name).write_bytes(data)
        with pytest.raises(BoardwardenError, match="damaged"):
            detector_path(folder)


def test_a_model_list_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.onnx"
    outside.write_bytes(b"")
    folder = tmp_path / "models"
    folder.mkdir()
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    for name in ("../elsewhere.onnx", str(outside), "a/../../elsewhere.onnx"):
        entry = {"detector": {"file": name, "sha256": empty}}
        (folder / "manifest.json").write_text(json.dumps(entry))
        with pytest.raises(BoardwardenError, match="model list"):
            detector_path(folder)


def test_lines_of_a_record_are_always_utf8() -> None:
    line = to_line({"do": "note", "text": "\ud800 \x00 \u2028"})
    assert json.loads(line.encode())["text"] == "\ud800 \x00 \u2028"
