"""What the referee says of a film against the truth beside it: the figures of ``evaluate`` on films
that are watched from their first picture to the last.

The truth has the form of docs/formats.md; every event with a ``verdict`` must be answered by one of
``watch`` that names its piece, while the table rests.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion_app.commands import watch
from companion_app.commands.finding import TILES
from engine.board import REFERENCE
from engine.errors import BoardwardenError
from engine.files import read_json

Row = Mapping[str, Any]
EARLY_S, LATE_S = 0.3, 0.6  # about the time for which a moment stands
HAND_S = (0.65, 0.05)  # before a moment: a hand is surely in
COUNTED = ("points", "energy", "wisdoms", "royals")  # what a truth's "end" may name per player


@dataclass(frozen=True)
class FilmScore:
    """``right`` of ``events``; ``missing``: sentences on the others; ``refused``: false refusals;
    ``in_hand``: verdicts while a hand was in; ``wrong_end``: (what, got, expected)."""

    name: str
    events: int
    missing: tuple[str, ...]
    refused: tuple[str, ...]
    in_hand: tuple[str, ...]
    wrong_end: tuple[tuple[str, Any, Any], ...]

    @property
    def right(self) -> int:
        """Events that were judged as they should."""
        return self.events - len(self.missing)

    @property
    def good(self) -> bool:
        """Whether nothing at all is wrong."""
        return not (self.missing or self.refused or self.in_hand or self.wrong_end)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "film": self.name, "events": self.events, "right": self.right,
            "missing": [*self.missing], "false_refusals": [*self.refused],
            "judged_with_a_hand_in": [*self.in_hand],
            "wrong_end": [{"what": w, "read": g, "true": e} for w, g, e in self.wrong_end],
        }  # fmt: skip

    def lines(self, verbose: bool) -> Iterable[str]:
        """For people; ``verbose``: everything that is wrong."""
        end = "wrong" if self.wrong_end else "right"
        yield (
            f"{self.name}: {self.right} of {self.events} events right, {len(self.refused)} false"
            f" refusals, {len(self.in_hand)} judged with a hand in, end {end}"
        )
        if verbose:
            yield from (f"    not judged as it should be: {m}" for m in self.missing)
            yield from (f"    refused without need: {r}" for r in self.refused)
            yield from (f"    judged with a hand in: {h}" for h in self.in_hand)
            yield from (f"    end: {w} {g} instead of {e}" for w, g, e in self.wrong_end)


def judged_film(path: Path, options: argparse.Namespace) -> FilmScore | None:
    """Watches the film of a truth and scores what is said of it; None where that is not asked for.

    ``options``: those of ``evaluate``.  Raises BoardwardenError for a truth that is none.
    """
    truth = read_json(path, "the truth of a film")
    game = truth.get("game", "magalon") if isinstance(truth, dict) else None
    if game is None or not (options.judged or game == TILES):
        return None
    try:
        with tempfile.TemporaryDirectory() as folder:
            words = _words(path, truth, game, options, Path(folder))
            parser = argparse.ArgumentParser()
            watch.add_arguments(parser)
            rows = list(watch.lines(parser.parse_args(words)))
        return score_film(path.stem, truth, rows)
    except (KeyError, TypeError, AttributeError) as error:
        raise BoardwardenError(
            f"{path} is not the truth of a film: it needs film, players and events as in docs/formats.md"
        ) from error


def _words(
    path: Path, truth: Mapping[str, Any], game: str, options: argparse.Namespace, folder: Path
) -> list[str]:
    """How ``watch`` is called for a truth."""
    words = [str(path.parent / truth["film"]), "--game", game]
    words += ["--players", ",".join(map(str, truth["players"]))]
    board = options.board or truth.get("board")
    if board not in (None, options.board, REFERENCE):
        board = path.parent / str(board)
    reference = options.reference
    if reference is None and truth.get("reference"):
        reference = path.parent / truth["reference"]
    given = {"--board": board, "--reference": reference, "--tiles": options.tiles}
    for key in ("cards", "position", "options"):
        if truth.get(key):
            file = folder / f"{key}.json"
            file.write_text(json.dumps(truth[key]), "utf-8")
            given[f"--{key}"] = file
    return words + [str(w) for name, value in given.items() if value for w in (name, value)]


def score_film(name: str, truth: Mapping[str, Any], rows: Sequence[Row]) -> FilmScore:
    """``rows``: the lines of ``watch --json`` on the film."""
    verdicts = [r for r in rows if r.get("type") == "verdict"]
    used: set[int] = set()
    missing = []
    judged = [e for e in truth["events"] if "verdict" in e]
    for event in judged:
        hit = next((n for n in _near(event, verdicts, used) if _as_told(event, verdicts[n])), None)
        if hit is None:
            seen = [verdicts[n].get("verdict") for n in _near(event, verdicts, used)]
            missing.append(f"{_moment(event)}: {', '.join(map(str, seen)) or 'nothing'}")
        else:
            used.add(hit)
    false = [v for n, v in enumerate(verdicts) if n not in used and v["verdict"] == "illegal"]
    hands = [
        (e["settled_from"] - HAND_S[0], e["settled_from"] - HAND_S[1])
        for e in truth["events"]
        if "piece" in e and e.get("hand", True)
    ]
    in_hand = [v for v in verdicts if any(a < v["t"] < b for a, b in hands)]
    return FilmScore(
        name, len(judged), tuple(missing), tuple(map(_said, false)), tuple(map(_said, in_hand)),
        tuple(_wrong_end(truth, rows)),
    )  # fmt: skip


def _near(event: Row, verdicts: Sequence[Row], used: set[int]) -> list[int]:
    """Verdicts in the time of an event that name a piece of its kind."""
    kind = str(event["piece"]).split("/")[0]
    low, high = event["settled_from"] - EARLY_S, event["settled_to"] + LATE_S
    return [
        n
        for n, v in enumerate(verdicts)
        if n not in used and low <= v["t"] <= high and kind in _kinds(v)
    ]


def _kinds(verdict: Row) -> set[str]:
    named = [str(p["piece"]) for p in verdict.get("pieces") or ()]
    return {n.split("/")[0] for n in named or [str((verdict.get("action") or {}).get("do", ""))]}


def _as_told(event: Row, verdict: Row) -> bool:
    wanted, said = event["verdict"], verdict["verdict"]
    if wanted == "legal":
        return said in ("legal", "pending") and _same_place(event, verdict)
    rules = event.get("rule")
    return bool(
        said == wanted and (not rules or not verdict.get("rule") or verdict["rule"] in rules)
    )


def _same_place(event: Row, verdict: Row) -> bool:
    """Whether the event's piece, or one of its kind, went where it did; told by tiles alone, for
    equal pieces are not told apart."""
    if "to" not in event or not verdict.get("pieces"):
        return True
    kind = str(event["piece"]).split("/")[0]
    return any(
        str(p["piece"]).split("/")[0] == kind and p["to"] == event["to"] for p in verdict["pieces"]
    )


def _wrong_end(truth: Mapping[str, Any], rows: Sequence[Row]) -> Iterable[tuple[str, Any, Any]]:
    last = next((r for r in reversed(rows) if r.get("type") in ("end", "score")), {})
    players = last.get("players") or {}
    for what in COUNTED:
        for colour, value in (truth.get("end", {}).get(what) or {}).items():
            got = (players.get(colour) or {}).get(what)
            if got != value:
                yield f"{what} of {colour}", got, value


def _moment(event: Row) -> str:
    return (
        f"{event['piece']} to {event.get('to', event.get('track'))}, {event['verdict']},"
        f" {event['settled_from']}-{event['settled_to']} s ({event.get('why', '')})"
    )


def _said(verdict: Row) -> str:
    pieces = ", ".join(f"{p['piece']} → {p['to']}" for p in verdict.get("pieces") or ())
    return f"{verdict['t']} s {verdict['verdict']} {verdict.get('rule') or ''} {pieces} {verdict.get('message', '')}"
