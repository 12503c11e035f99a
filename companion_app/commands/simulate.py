"""Plays simulated games before the referee and counts what it gets right.

Portions with different seeds can be written to one results file and added up later:

    boardwarden simulate --first 1 --games 20 --results results.jsonl
    boardwarden simulate --sum results.jsonl
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import time
from pathlib import Path
from typing import Any

from engine.board import load_board
from engine.errors import BoardwardenError
from engine.files import check_writable, parse_json, read_bytes, shown, write_reason
from engine.rooms import room_for
from engine.simulation.games import players_of
from engine.simulation.noise import MEASURED
from engine.simulation.series import Series, add_up, report, report_faults, to_counts
from engine.simulation.truth import truth_of

MOST_NOISE = 10.0  # times the measured noise: beyond it nothing is seen any more


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden simulate``."""
    parser.add_argument(
        "--game", default="magalon", help="magalon, grailnah, hexagon or carcassonne"
    )
    parser.add_argument("--games", type=int, default=3, metavar="N", help="how many (default 3)")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="seed of the first")
    parser.add_argument(
        "--players",
        metavar="2,3,4",
        help="numbers of players, in turn (default: all that can play)",
    )
    parser.add_argument(
        "--actions", type=int, default=500, metavar="N", help="cut a game off after so many"
    )
    parser.add_argument(
        "--noise", type=float, default=1.0, metavar="FACTOR",
        help="how many times the measured errors of the eyes (default 1; 0: perfect eyes)",
    )  # fmt: skip
    parser.add_argument("--faults", action="store_true", help="random faults instead of figures")
    parser.add_argument("--results", metavar="FILE", help="append the counts to this file")
    parser.add_argument("--sum", metavar="FILE", help="only add up a results file")
    parser.add_argument(
        "--film", metavar="FILE", help="only write the first game as the truth file of a film"
    )
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell every wrong scene")


def run(options: argparse.Namespace) -> int:
    """Prints the figures."""
    if options.sum:
        _show(add_up(_portions(Path(options.sum))), options)
        return 0
    for path in filter(None, (options.results, options.film)):
        check_writable(path)
    series = _series(options)
    if options.film:
        _write(Path(options.film), json.dumps(truth_of(series, options.first), indent=1) + "\n")
        return 0
    parts: list[dict[str, Any]] = []
    for seed, figures in series.play(time.process_time):
        parts.append(to_counts(figures))
        if options.verbose:
            print(f"game {seed}", *figures.trouble, sep="\n  ", file=sys.stderr, flush=True)
    total = add_up(parts)
    if options.results:
        portion = {"command": _command(options), **total}
        _write(Path(options.results), json.dumps(portion) + "\n", append=True)
    _show(total, options)
    return 0


def _series(options: argparse.Namespace) -> Series:
    players = players_of(options.game)
    try:
        every = ",".join(str(n) for n in range(2, len(players.colours) + 1))
        seats = tuple(int(word) for word in (options.players or every).split(","))
    except ValueError as error:
        raise BoardwardenError(
            f"--players needs numbers like 2,3,4 and not {options.players!r}"
        ) from error
    if not all(2 <= n <= len(players.colours) for n in seats):
        raise BoardwardenError(f"--players: there are seats for 2 to {len(players.colours)}")
    if options.games < 1 or options.actions < 1 or not 0 <= options.noise <= MOST_NOISE:
        raise BoardwardenError(
            f"--games and --actions start at 1, --noise lies from 0 to {MOST_NOISE:g}"
        )
    return Series(
        room_for(options.game), load_board("reference", options.game), players, options.first, options.games,
        seats, options.actions, MEASURED.times(options.noise), options.faults,
    )  # fmt: skip


def _command(options: argparse.Namespace) -> str:
    words = ["boardwarden", "simulate", "--game", options.game, "--first", options.first]
    words += ["--games", options.games]
    words += ["--players", options.players] if options.players else []
    words += ["--actions", options.actions, "--noise", f"{options.noise:g}"]
    return shlex.join(str(w) for w in words) + (" --faults" if options.faults else "")


def _portions(path: Path) -> list[dict[str, Any]]:
    try:
        lines = read_bytes(path, "the results").decode().splitlines()
        found = [parse_json(line) for line in lines if line.strip()]
    except ValueError as error:
        raise BoardwardenError(
            f"{shown(path)} is no file of results, or damaged: name one that --results has written"
        ) from error
    if not found or not all(isinstance(p, dict) and "counts" in p for p in found):
        raise BoardwardenError(
            f"{shown(path)} is no file of results: name one that --results has written"
        )
    return found


def _write(path: Path, text: str, *, append: bool = False) -> None:
    try:
        with path.open("a" if append else "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BoardwardenError(f"cannot write {shown(path)}: {write_reason(error)}") from error


def _show(total: dict[str, dict[str, int]], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(total))
        return
    for line in report_faults(total) if options.faults else report(total):
        print(line)
    for kind, count in total.get("kinds", {}).items():
        print(f"  {kind:32} {count}")
