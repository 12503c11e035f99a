"""Whole small games of other programs' tests, played through ``boardwarden judge``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.judge import judge_record

FILE = Path(__file__).resolve().parents[3] / ".." / "shared" / "carcassonne" / "scoring_cases.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["cases"] if FILE.exists() else []
COLOURS = ("red", "blue", "green", "yellow")

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CASES, reason="the shared scoring cases are not here"),
]


def _players(case: dict[str, Any]) -> list[str]:
    named = [t["player"] for t in case["turns"] if "player" in t]
    return list(dict.fromkeys(named)) or ["first", "second"]


def _record(case: dict[str, Any]) -> list[dict[str, Any]]:
    names = _players(case)
    options: dict[str, Any] = {"sets": case.get("sets", ["base"])} | case.get("rules", {})
    seats = [{"name": n, "colour": c} for n, c in zip(names, COLOURS, strict=False)]
    header = {"boardwarden": 1, "game": "carcassonne", "players": seats, "options": options}
    lines: list[dict[str, Any]] = [header | {"position": {"tiles": case["start"]}}]
    for n, turn in enumerate(case["turns"]):
        player = COLOURS[names.index(turn["player"]) if "player" in turn else n % len(names)]
        lines += _turn(turn, player)
    return [*lines, {"do": "finish"}]


def _turn(turn: dict[str, Any], player: str) -> list[dict[str, Any]]:
    tile = {key: turn[key] for key in ("tile", "rot", "pos")}
    lines: list[dict[str, Any]] = [{"player": player, "do": "tile", **tile}]
    for wrong in turn.get("illegal_meeples", ()):
        lines.append({"player": player, "do": "meeple", "illegal": True, **wrong})
    if "neutral" in turn:
        figure = dict(turn["neutral"])
        lines.append({"player": player, "do": "figure", "who": figure.pop("figure"), **figure})
    if turn.get("meeple"):
        lines.append({"player": player, "do": "meeple", **turn["meeple"]})
    return [*lines, {"player": player, "do": "end"}]


def _judged(case: dict[str, Any], folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    lines = _record(case)
    path = folder / "case.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    *rows, end = judge_record(path)
    for line, row in zip(lines[1:], rows, strict=True):
        assert row["verdict"] == ("illegal" if line.get("illegal") else "legal"), (line, row)
        if line.get("illegal"):
            assert row["rule"] == "C-3"
    return rows, end


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_scores_are_exact(case: dict[str, Any], tmp_path: Path) -> None:
    _, end = _judged(case, tmp_path)
    names = _players(case)
    points = {n: end["scores"][c]["points"] for n, c in zip(names, COLOURS, strict=False)}
    if "expected_final" in case:
        assert list(points.values()) == case["expected_final"]
        return
    found = 0
    for text in case["expected"]:
        if match := re.match(r"(\w+) has (\d+) points(?: \((.*)\))?", text):
            found += 1
            name = match[1]
            assert points[name] == int(match[2]), (name, end["scores"])
            colour = COLOURS[names.index(name)]
            for kind, count in re.findall(r"(road|city|monastery|field) (\d+)", match[3] or ""):
                assert end["scores"][colour][kind] == int(count)
    assert found


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_every_scored_feature_is_told(case: dict[str, Any], tmp_path: Path) -> None:
    rows, _ = _judged(case, tmp_path)
    said = " ".join(row["message"] for row in rows)
    for text in case.get("expected", ()):
        if match := re.match(r"(\w+) scored (\w+) for (\d+) points", text):
            colour = COLOURS[_players(case).index(match[1])]
            assert re.search(rf"{colour} gets {match[3]}\b", said, re.IGNORECASE), (text, said)


def test_after_every_turn_of_the_game_with_totals(tmp_path: Path) -> None:
    case = next(c for c in CASES if any("score_after" in t for t in c["turns"]))
    for count in range(1, len(case["turns"]) + 1):
        turns = case["turns"][:count]
        lines = _record({**case, "turns": turns})
        for ending, key in ((True, "if_game_ended_now"), (False, "score_after")):
            path = tmp_path / "part.jsonl"
            kept = lines if ending else lines[:-1]
            path.write_text("".join(json.dumps(line) + "\n" for line in kept), "utf-8")
            *_, end = judge_record(path)
            points = [end["scores"][c]["points"] for c in COLOURS[:2]]
            assert points == turns[-1][key]
            if not ending:
                hands = [end["state"]["hands"][c]["small"] for c in COLOURS[:2]]
                assert hands == turns[-1]["meeples_in_hand"]
