"""A recorded game from the first wisdom to five points, with every kind of refusal on its way.

Word by word it is compared with the other records; here is what must hold whatever the words are.
"""

from __future__ import annotations

from pathlib import Path

from engine.judge import judge_record

RECORD = Path(__file__).resolve().parents[2] / "data" / "records" / "hexagon_five_points.jsonl"


def test_the_game_is_won_by_the_rules() -> None:
    *lines, end = judge_record(RECORD)
    assert end["winner"] == "blue"
    assert end["scores"]["blue"] == {"points": 5, "burnt": [1, 1, 1, 2]}
    assert end["scores"]["red"] == {"points": 0, "burnt": [-1, 1]}
    refused = {x["line"]: x["rule"] for x in lines if x["verdict"] == "illegal"}
    assert refused == {
        2: "H-3", 3: "H-3", 21: "H-18", 22: "H-19", 27: "H-7", 28: "H-A22", 29: "H-8", 30: "H-12",
        31: "H-10", 32: "H-A9", 33: "H-A8", 43: "H-17", 46: "H-20",
    }  # fmt: skip
    assert all(x["verdict"] == "legal" for x in lines if x["line"] not in refused)
