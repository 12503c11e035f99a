"""What is said of a film against its truth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion_app.cli import main
from companion_app.film_score import score_film

TRUTH = {
    "film": "x.mp4", "game": "carcassonne", "players": ["red", "blue"],
    "events": [
        {"settled_from": 3.0, "settled_to": 5.0, "piece": "tile/BA/L/1", "to": "1,0@0", "verdict": "legal"},
        {"settled_from": 6.0, "settled_to": 8.0, "piece": "meeple/red/1", "to": "1,0:S", "verdict": "illegal", "rule": ["C-3"]},
        {"settled_from": 9.0, "settled_to": 11.0, "piece": "meeple/red/1", "to": None},
    ],
    "end": {"points": {"red": 9, "blue": 0}},
}  # fmt: skip


def _verdict(t: float, verdict: str, piece: str, to: str | None, rule: str | None = None) -> dict:
    pieces = [{"piece": piece, "from": None, "to": to}]
    return {"t": t, "type": "verdict", "verdict": verdict, "pieces": pieces, "rule": rule}


END = {"t": 12.0, "type": "end", "players": {"red": {"points": 9}, "blue": {"points": 0}}}
GOOD = [
    _verdict(3.7, "legal", "tile/BA/L/1", "1,0@0"),
    _verdict(7.4, "illegal", "meeple/red/1", "1,0:S", "C-3"),
    END,
]


def test_a_film_that_was_judged_well_is_all_right() -> None:
    score = score_film("x", TRUTH, GOOD)
    assert score.good and (score.right, score.events) == (2, 2)


@pytest.mark.parametrize(
    ("rows", "right", "refused", "in_hand", "end"),
    [
        ([END], 0, 0, 0, True),
        ([*GOOD[:1], _verdict(4.5, "illegal", "mage", "1,0:S", "W-1"), *GOOD[1:]], 2, 1, 0, True),
        ([_verdict(3.7, "legal", "tile/BA/L/1", "0,1@0"), *GOOD[1:]], 1, 0, 0, True),
        ([GOOD[0], _verdict(7.4, "illegal", "meeple/red/1", "1,0:S", "C-1"), END], 1, 1, 0, True),
        ([_verdict(2.6, "legal", "mage", None), *GOOD], 2, 0, 1, True),
        (GOOD[:2], 2, 0, 0, False),
    ],
)
def test_what_is_wrong_is_counted(
    rows: list[dict], right: int, refused: int, in_hand: int, end: bool
) -> None:
    score = score_film("x", TRUTH, rows)
    assert (score.right, len(score.refused), len(score.in_hand)) == (right, refused, in_hand)
    assert (not score.wrong_end) == end
    assert score.good == (score.right == 2 and not refused and not in_hand and end)
    assert list(score.lines(True))


def test_a_truth_without_events_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"game": "carcassonne", "film": "x.mp4"}), "utf-8")
    assert main(["evaluate", str(path)]) == 2
    assert "needs film, players and events" in capsys.readouterr().err
