"""What stays the same for a whole game of Carcassonne: seats, sets of tiles, switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.carcassonne.tiles import plain, sets
from engine.errors import BoardwardenError, PositionError
from engine.game import Header

SMALL, LARGE = "small", "large"
MAGE, WITCH = "mage", "witch"
FIGURES = (MAGE, WITCH)
SMALL_MEEPLES, LARGE_MEEPLES = 7, 1
MAX_PLAYERS = 6
MEEPLE_COLOURS = (
    "red",
    "blue",
    "green",
    "yellow",
    "black",
    "grey",
)  # as in the boxes; records may name others
DEFAULT_SETS = ("base", "mage_and_witch")
# Switches: their readings; the first one is the default.  C-10: points of a complete city of two
# tiles.  W-11: a figure leaves ("a") or stays ("b") when its feature is complete without a meeple.
SWITCHES: Mapping[str, tuple[str, ...]] = {"C-10": ("4", "2"), "W-11": ("a", "b")}
ALIASES = {"basic": "base", "tiny-city-scoring": "C-10"}


@dataclass(frozen=True, eq=False)
class Setup:
    """The unchanging part of a state.  ``counts``: how many tiles of each kind the sets have,
    counted by the kind without a garden."""

    seats: tuple[str, ...]
    names: Mapping[str, str]
    options: Mapping[str, str]
    sets: tuple[str, ...]
    counts: Mapping[str, int]

    def option(self, key: str) -> str:
        """The reading in force for a switch."""
        return self.options.get(key, SWITCHES[key][0])

    @property
    def large(self) -> bool:
        """Whether every player has a large meeple."""
        return any(name.startswith("inns_and_cathedrals") for name in self.sets)

    @property
    def magic(self) -> bool:
        """Whether mage and witch take part."""
        return any(name.startswith("mage_and_witch") for name in self.sets)

    def full_hand(self) -> dict[str, int]:
        """What a player holds before the first meeple is placed."""
        return {SMALL: SMALL_MEEPLES} | ({LARGE: LARGE_MEEPLES} if self.large else {})


def make_setup(header: Header) -> Setup:
    """Reads a header; raises BoardwardenError or PositionError with one sentence."""
    seats = tuple(p.colour for p in header.players)
    if not 1 <= len(seats) <= MAX_PLAYERS:
        raise PositionError(f"Carcassonne is for 2 to {MAX_PLAYERS} players, not {len(seats)}")
    if len(set(seats)) != len(seats):
        raise PositionError("two players have the same colour; give each a colour of their own")
    chosen = _sets(header.options.get("sets", DEFAULT_SETS))
    counts: Counter[str] = Counter()
    for name in chosen:
        for tile, count in sets()[name].items():
            counts[plain(tile)] += count
    return Setup(
        seats, {p.colour: p.name or p.colour for p in header.players},
        _options(header.options), chosen, dict(counts),
    )  # fmt: skip


def _sets(given: Any) -> tuple[str, ...]:
    """Set names with editions; ``base``, ``base:2``, ``basic:1``, ``base+mage_and_witch`` and
    JCloisterZone's objects."""
    if isinstance(given, Mapping):
        given = [name for name, count in given.items() if count]
    if isinstance(given, str):
        given = given.replace("+", ",").split(",")
    names = ", ".join(sorted({name.partition(":")[0] for name in sets()}))
    if not isinstance(given, (list, tuple)) or not all(isinstance(g, str) for g in given):
        raise BoardwardenError(f'the option "sets" must be a list of {names}')
    chosen = []
    for text in given:
        name, _, edition = text.lower().replace("-", "_").partition(":")
        full = f"{ALIASES.get(name, name)}:{edition or '1'}"
        if full not in sets():
            raise BoardwardenError(f"there is no set of tiles {text!r}; the sets are {names}")
        chosen.append(full)
    kinds = [name.partition(":")[0] for name in chosen]
    if "base" not in kinds:
        raise BoardwardenError('the option "sets" must contain "base"')
    if len(set(kinds)) != len(kinds):
        raise BoardwardenError('the option "sets" names a set twice')
    return tuple(chosen)


def _options(given: Mapping[str, Any]) -> dict[str, str]:
    known = "; ".join(f"{k}: {', '.join(v)}" for k, v in SWITCHES.items())
    found: dict[str, str] = {}
    for name, value in given.items():
        key = ALIASES.get(name, name)
        if key == "sets":
            continue
        if isinstance(value, bool) or str(value) not in SWITCHES.get(key, ()):
            raise BoardwardenError(
                f"Carcassonne has no option {name!r} with value {value!r}; the options are sets "
                f"(base, mage_and_witch, inns_and_cathedrals); {known}"
            )
        if str(value) != SWITCHES[key][0]:
            found[key] = str(value)
    return found
