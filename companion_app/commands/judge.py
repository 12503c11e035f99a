"""Judges a game record, line by line."""

from __future__ import annotations

import argparse
import json
from typing import Any

from engine.errors import BoardwardenError, RecordError
from engine.files import shown
from engine.judge import judge_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden judge``."""
    parser.add_argument("record", metavar="RECORD", help="game record, JSON lines")
    parser.add_argument("--json", action="store_true", help="print JSON only, one object a line")


def run(options: argparse.Namespace) -> int:
    """Prints a verdict per action, then scores, winner and state."""
    try:
        for row in judge_record(options.record):
            print(json.dumps(row) if options.json else _text(row), flush=True)
    except RecordError as error:
        if not error.line or shown(options.record) in str(error):
            raise
        raise BoardwardenError(
            f"the record {shown(options.record)}: {error}; what stands before it was judged"
        ) from error
    return 0


def _text(row: dict[str, Any]) -> str:
    if "verdict" in row:
        rule = f" [{row['rule']}]" if row["rule"] else ""
        return f"line {row['line']:4}  {row['verdict']:9}{rule} {row['message']}".rstrip()
    winner = f"; {row['winner']} wins" if row["winner"] else ""
    scores = "; ".join(f"{colour}: {json.dumps(score)}" for colour, score in row["scores"].items())
    return f"scores: {scores}{winner}"
