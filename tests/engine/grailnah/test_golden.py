"""A whole game through the judge: from the first refused move to the knight on the centre."""

from __future__ import annotations

from pathlib import Path

from engine.judge import judge_record

RECORDS = Path(__file__).resolve().parents[2] / "data" / "records"


def test_the_two_player_game_is_won_by_the_rules() -> None:
    *lines, end = judge_record(RECORDS / "grailnah_recovery.jsonl")
    assert end["winner"] == "red"
    assert end["scores"]["red"] == {"knights": 4, "sacrificed": 0, "won": True}
    refused = {x["line"]: x["rule"] for x in lines if x["verdict"] == "illegal"}
    assert refused == {
        2: "G-A12", 3: "G-8", 11: "G-11", 17: "G-28", 22: "G-20", 29: "G-15", 33: "G-12",
        40: "G-A3", 50: "G-A37", 61: "G-33", 66: "G-35", 72: "G-35", 75: "G-A34", 81: "G-2",
    }  # fmt: skip
