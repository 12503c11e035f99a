"""Recorded games and what the judge said of every line, compared word by word.

After a wanted change write the new text with
``boardwarden judge NAME.jsonl --json > NAME.judged.jsonl`` and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.judge import judge_record

RECORDS = Path(__file__).resolve().parents[2] / "data" / "records"
NAMES = sorted(p.name.removesuffix(".judged.jsonl") for p in RECORDS.glob("*.judged.jsonl"))


def test_there_are_records() -> None:
    assert len(NAMES) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    expected = (RECORDS / f"{name}.judged.jsonl").read_text("utf-8").splitlines()
    judged = list(judge_record(RECORDS / f"{name}.jsonl"))
    assert len(judged) == len(expected)
    for found, wanted in zip(judged, expected, strict=True):
        assert json.loads(json.dumps(found)) == json.loads(wanted)


def test_the_short_game_is_won_by_the_rules() -> None:
    *lines, end = judge_record(RECORDS / "short_way_to_the_win.jsonl")
    assert end["winner"] == "violet"
    assert end["scores"]["violet"] == {"energy": 16, "items": ["amulet", "stone", "ring"]}
    refused = {x["line"]: x["rule"] for x in lines if x["verdict"] == "illegal"}
    assert refused == {
        3: "M-8",
        5: "M-11",
        8: "M-20",
        9: "M-45",
        15: "M-25",
        16: "M-25",
        24: "M-10",
        31: "M-19",
        38: "M-36",
        43: "M-56",
        46: "M-57",
    }
