"""Golden file of the form that ``boardwarden read --json`` prints."""

from __future__ import annotations

import json
from pathlib import Path

from companion_app.commands.read import to_json
from tests.vision.drawn import draw_table, piece
from vision.enrolment import enrol
from vision.eyes import Glance
from vision.reading import read

GOLDEN = Path(__file__).parent / "data" / "read.json"
START = (
    piece("wizard", "violet", "f1"),
    piece("wizard", "green", "h3"),
    piece("giant", "black", "h11"),
    piece("ruin", "grey", "c7", "c6", "d6"),
    piece("energy_stone", "violet", "track/10"),
)


def reading() -> dict[str, object]:
    """The object for one drawn table."""
    table = draw_table(START, 7, noise_px=0.0)
    learnt = enrol(table.image, table.pose, table.board, table.pieces, table.detections)
    found = read(table.image, table.pose, table.board, table.detections, learnt)
    return to_json("table.png", Glance(table.pose, table.detections, found, 0.0))


def rounded(value: object) -> object:
    """Numbers without the last digits, which differ between builds of the libraries."""
    if isinstance(value, float):
        return round(value, 1)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


def test_read_prints_the_golden_form() -> None:
    assert rounded(json.loads(json.dumps(reading()))) == rounded(
        json.loads(GOLDEN.read_text("utf-8"))
    )


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(reading(), indent=1) + "\n", "utf-8")
