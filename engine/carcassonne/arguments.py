"""Reads the arguments of an action; anything malformed becomes a kindly refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.carcassonne.faces import TURNS, Face, Kind, Pos, cell
from engine.carcassonne.locations import NoFeature, feature_at, kind_named
from engine.carcassonne.messages import fragment, listed, say
from engine.carcassonne.outcome import Refusal
from engine.carcassonne.setup import FIGURES, LARGE, SMALL
from engine.carcassonne.tiles import tiles

FAR = 1000
MEEPLES = {
    "small": SMALL, "normal": SMALL, "meeple": SMALL, "follower": SMALL, "smallfollower": SMALL,
    "large": LARGE, "big": LARGE, "large_meeple": LARGE, "bigfollower": LARGE,
}  # fmt: skip


def malformed(what: str) -> Refusal:
    """The refusal of an action that cannot be understood."""
    return Refusal(None, (), say("malformed", what=what))


def tile_arg(args: Mapping[str, Any]) -> str:
    """The id of a kind of tile."""
    value = args.get("tile")
    if not isinstance(value, str):
        raise malformed('"tile" must be the id of a tile, such as "BA/RCr"')
    if value not in tiles():
        raise malformed(f"there is no tile {value[:40]!r}")
    return value


def rot_arg(args: Mapping[str, Any]) -> int:
    """Degrees clockwise."""
    value = args.get("rot", 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value not in TURNS:
        raise malformed('"rot" must be 0, 90, 180 or 270 degrees clockwise')
    return int(value)


def pos_arg(args: Mapping[str, Any], default: Pos | None = None) -> Pos:
    """A place [x, y], x right and y down."""
    value = args.get("pos")
    if value is None and default is not None:
        return default
    if isinstance(value, (list, tuple)) and len(value) == 2:
        x, y = value
        whole = all(isinstance(v, int) and not isinstance(v, bool) for v in (x, y))
        if whole and abs(x) < FAR and abs(y) < FAR:
            return x, y
    raise malformed('"pos" must be [x, y] in tiles from the start tile, x right and y down')


def feature_arg(
    face: Face, args: Mapping[str, Any], pos: Pos, rule: str, key: str = "no_feature"
) -> int:
    """The number of the feature that ``feature`` and ``at`` name on the tile at ``pos``."""
    word, at = args.get("feature"), args.get("at")
    if not isinstance(word, (str, type(None))) or not isinstance(at, (str, type(None))):
        raise malformed('"feature" and "at" must be texts, such as "Road" and "N"')
    if word is None and at is None:
        raise malformed('"at" must say where on the tile, such as "N", "EL.SR" or "CLOISTER"')
    kind = None
    if word is not None and (kind := kind_named(word)) is None:
        raise malformed(f'"feature" must be Road, City, Monastery or Field, not {word[:40]!r}')
    try:
        return feature_at(face, kind, at)
    except NoFeature as error:
        if error.divided:
            sides = [f.at for f in face.features if f.kind is Kind.FIELD]
            message = say("which_field", choices=listed(sides, "or"))
            raise Refusal(rule, (cell(pos),), message) from error
        choices = [fragment("choice", feature=f.kind, at=f.at) for f in face.features]
        what = "feature" if kind is None else kind
        message = say("no_feature", cell=cell(pos), feature=what, choices=listed(choices, ""))
        raise Refusal(rule, (cell(pos),), message) from error


def meeple_arg(args: Mapping[str, Any]) -> str:
    """Small or large."""
    value = args.get("kind", SMALL)
    if not isinstance(value, str) or value.lower() not in MEEPLES:
        raise malformed('"kind" must be "small" or "large"')
    return MEEPLES[value.lower()]


def figure_arg(args: Mapping[str, Any]) -> str:
    """Mage or witch; ``mage.1`` counts as ``mage``."""
    value = args.get("who")
    name = value.partition(".")[0].lower() if isinstance(value, str) else ""
    if name not in FIGURES:
        raise malformed('"who" must be "mage" or "witch"')
    return name


def off_arg(args: Mapping[str, Any]) -> bool:
    """Whether the figure leaves the table."""
    value = args.get("off", False)
    if not isinstance(value, bool):
        raise malformed('"off" must be true or left out')
    return value
