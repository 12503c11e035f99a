"""Scores counted anew from the final map alone, slowly and in another way than the engine.

Shares no code with the engine but the data file: the tile facts are read here once more, features
are found by flooding the finished map, and who stood where when is taken from the record's lines.
A meeple that was ever placed on a feature is still on it when the feature is complete, and stays to
the end when it never is; so the final map and the list of placements give every score.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import engine

DATA = json.loads(
    (Path(engine.__file__).parent / "data" / "carcassonne_tiles.json").read_text("utf-8")
)
COMPASS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
TURN = {"N": "E", "E": "S", "S": "W", "W": "N"}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E", "L": "R", "R": "L"}


@dataclass(frozen=True)
class Part:
    """A feature of one tile on the finished map."""

    pos: tuple[int, int]
    kind: str
    ends: frozenset[str]
    raw: Any = None


def turned(end: str, rot: int) -> str:
    """A side or half after a turn clockwise."""
    side = end[0]
    for _ in range(rot // 90):
        side = TURN[side]
    return side + end[1:]


def parts_of(tile: str, rot: int, pos: tuple[int, int]) -> list[Part]:
    """The features of a tile as it lies."""
    raw = DATA["tiles"][tile]
    found = []
    for kind, key in (("City", "cities"), ("Road", "roads")):
        for f in raw.get(key, ()):
            found.append(Part(pos, kind, frozenset(turned(s, rot) for s in f["sides"]), _Raw(f)))
    for f in raw.get("fields", ()):
        halves = [h for h in f["halves"].split() if h != "INNER_FARM"]
        ends = frozenset(turned(h, rot) for h in halves)
        touches = frozenset(turned(s, rot) for s in f.get("touches", ""))
        found.append(Part(pos, "Field", ends, _Raw({"touches": touches})))
    if raw.get("monastery"):
        found.append(Part(pos, "Monastery", frozenset({"CLOISTER"})))
    return found


class _Raw(dict):  # type: ignore[type-arg]
    def __hash__(self) -> int:
        return id(self)


class Final:
    """The finished map and what was done on it."""

    def __init__(
        self, start: Sequence[Mapping[str, Any]], lines: Sequence[Mapping[str, Any]]
    ) -> None:
        self.placed: dict[tuple[int, int], int] = {}
        self.parts: list[Part] = []
        self.meeples: list[tuple[str, str, Part]] = []
        self.figures: list[tuple[int, str, Part | None]] = []
        turn = 0
        for entry in start:
            self._lay(entry, -1)
        for line in lines:
            if line["do"] == "tile":
                self._lay(line, turn)
            elif line["do"] == "meeple":
                part = self._find(line)
                self.meeples.append((line["player"], line.get("kind", "small"), part))
            elif line["do"] == "figure":
                self.figures.append(
                    (turn, line["who"], None if line.get("off") else self._find(line))
                )
            elif line["do"] == "end":
                turn += 1
        self.turns = turn

    def _lay(self, entry: Mapping[str, Any], turn: int) -> None:
        pos = (entry["pos"][0], entry["pos"][1])
        self.placed[pos] = turn
        self.parts += parts_of(entry["tile"], entry["rot"], pos)

    def _find(self, line: Mapping[str, Any]) -> Part:
        pos = (line["pos"][0], line["pos"][1])
        at = line["at"]
        ends = set(at) if set(at) <= set(COMPASS) else set(at.split("."))
        for part in self.parts:
            if part.pos == pos and part.kind == line["feature"]:
                if ends <= part.ends or (at == "INNER_FARM" and not part.ends):
                    return part
        raise AssertionError(line)

    def flood(self, first: Part) -> tuple[set[Part], bool]:
        """All parts joined with one, and whether an end is open."""
        seen, queue, is_open = {first}, [first], False
        while queue:
            part = queue.pop()
            for end in part.ends:
                dx, dy = COMPASS[end[0]]
                there = (part.pos[0] + dx, part.pos[1] + dy)
                wanted = BACK[end[0]] + (BACK[end[1]] if len(end) > 1 else "")
                if there not in self.placed:
                    is_open = True
                    continue
                other = [
                    p for p in self.parts
                    if p.pos == there and p.kind == part.kind and wanted in p.ends
                ]  # fmt: skip
                assert len(other) == 1, (part, end, other)
                if other[0] not in seen:
                    seen.add(other[0])
                    queue.append(other[0])
        return seen, is_open


def recount(
    start: Sequence[Mapping[str, Any]],
    lines: Sequence[Mapping[str, Any]],
    players: Sequence[str],
    small_city: int = 4,
) -> dict[str, int]:
    """The final scores of a game by its record's lines (legal ones only)."""
    final = Final(start, lines)
    groups: dict[frozenset[Part], bool] = {}
    group_of: dict[Part, frozenset[Part]] = {}
    for part in final.parts:
        if part.kind != "Monastery" and part not in group_of:
            found, is_open = final.flood(part)
            group = frozenset(found)
            groups[group] = not is_open
            group_of |= dict.fromkeys(group, group)
    scores = dict.fromkeys(players, 0)
    for group, complete in groups.items():
        points = _points(final, group, complete, groups, group_of, small_city)
        _give(final, group, points, scores)
    for part in final.parts:
        if part.kind == "Monastery":
            x, y = part.pos
            around = sum((x + a, y + b) in final.placed for a in (-1, 0, 1) for b in (-1, 0, 1))
            _give(final, frozenset({part}), around, scores)
    return scores


def _points(
    final: Final,
    group: frozenset[Part],
    complete: bool,
    groups: Mapping[frozenset[Part], bool],
    group_of: Mapping[Part, frozenset[Part]],
    small_city: int,
) -> int:
    kind = next(iter(group)).kind
    count = len({p.pos for p in group})
    if kind == "Field":
        cities = set()
        for part in group:
            for side in part.raw["touches"]:
                city = next(
                    p for p in final.parts
                    if p.pos == part.pos and p.kind == "City" and side in p.ends
                )  # fmt: skip
                if groups[group_of[city]]:
                    cities.add(group_of[city])
        return 3 * len(cities)
    if kind == "Road":
        inn = any(p.raw.get("inn") for p in group)
        points = count * ((2 if inn else 1) if complete else (0 if inn else 1))
    else:
        pennants = sum(p.raw.get("pennants", 0) for p in group)
        cathedral = any(p.raw.get("cathedral") for p in group)
        each = (3 if cathedral else 2) if complete else (0 if cathedral else 1)
        points = each * (count + pennants)
        if complete and count == 2:
            points = small_city
    present = _figures_at_the_end_of(final, group, complete)
    if "mage" in present:
        points += count
    if "witch" in present:
        points = -(-points // 2)
    return points


def _figures_at_the_end_of(final: Final, group: frozenset[Part], complete: bool) -> set[str]:
    """Who stood there when it was completed, or at the end: the last word on each figure then."""
    when = max(final.placed[p.pos] for p in group) if complete else final.turns
    last: dict[str, Part | None] = defaultdict(lambda: None)
    for turn, who, part in final.figures:
        if turn <= when:
            last[who] = part
    return {who for who, part in last.items() if part in group}


def _give(final: Final, group: frozenset[Part], points: int, scores: dict[str, int]) -> None:
    weight: dict[str, int] = defaultdict(int)
    for owner, kind, part in final.meeples:
        if part in group:
            weight[owner] += 2 if kind == "large" else 1
    for owner, sum_ in weight.items():
        if sum_ == max(weight.values()):
            scores[owner] += points
