"""Where on a tile: "N", "WE", "EL.SR" or "CLOISTER" of the record, as the tile lies.

Any one side of the feature will do; the words of other engines for sides are understood too.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.carcassonne.faces import CLOISTER, INNER, PORT_OF, Face, Kind, side_of

KINDS = {
    "road": Kind.ROAD, "city": Kind.CITY, "castle": Kind.CITY, "monastery": Kind.MONASTERY,
    "cloister": Kind.MONASTERY, "field": Kind.FIELD, "farm": Kind.FIELD,
}  # fmt: skip
CENTRE = {CLOISTER, "MONASTERY", "ABBEY", "NOSIDE", "CENTER", "CENTRE", "I"}
ALIASES = {
    "TOP": "N", "RIGHT": "E", "BOTTOM": "S", "LEFT": "W",
    "TOPLEFTEDGE": "NL", "TOPRIGHTEDGE": "NR", "RIGHTTOPEDGE": "EL", "RIGHTBOTTOMEDGE": "ER",
    "BOTTOMRIGHTEDGE": "SL", "BOTTOMLEFTEDGE": "SR", "LEFTBOTTOMEDGE": "WL", "LEFTTOPEDGE": "WR",
}  # fmt: skip


class NoFeature(Exception):
    """Nothing of the asked kind is there; ``divided``: a side names two fields."""

    def __init__(self, divided: bool = False) -> None:
        super().__init__()
        self.divided = divided


def kind_named(word: str) -> Kind | None:
    """The kind of feature that a word names; None for an unknown word."""
    return KINDS.get(word.lower())


def feature_at(face: Face, kind: Kind | None, at: str | None) -> int:
    """The number of the feature of a tile as it lies; raises NoFeature.

    ``kind`` None: whatever is at ``at``; ``at`` None: the tile's only feature of that kind.
    """
    place = None if at is None else ALIASES.get(at.strip().upper(), at.strip().upper())
    if kind is Kind.MONASTERY or (kind is None and place in CENTRE and face.monastery is not None):
        return _only(n for n, f in enumerate(face.features) if f.kind is Kind.MONASTERY)
    if place is None:
        return _only(n for n, f in enumerate(face.features) if f.kind is kind)
    if place in (INNER, "INNER_FIELD", "I"):
        return _only(n for n, f in enumerate(face.features) if f.at == INNER)
    ports = _ports(place)
    found = {n for port in ports for n in _meeting(face, kind, port)}
    if len(found) > 1 and {face.features[n].kind for n in found} == {Kind.FIELD}:
        raise NoFeature(divided=True)
    return _only(found)


def _meeting(face: Face, kind: Kind | None, port: int) -> set[int]:
    """The features of a kind at a port; -1 stands for none, so that it does not go unnoticed."""
    side = side_of(port)
    fields = {face.feature_at[4 + 2 * side], face.feature_at[5 + 2 * side]}
    if kind is None:
        kind = Kind.FIELD if port >= 4 or face.feature_at[side] < 0 else None
    if kind is Kind.FIELD:
        return {face.feature_at[port]} if port >= 4 else fields
    number = face.feature_at[side]
    return {number if kind in (None, face.features[number].kind) else -1}


def _ports(place: str) -> list[int]:
    ports: list[int] = []
    for part in place.replace(",", ".").split("."):
        if part in PORT_OF:
            ports.append(PORT_OF[part])
        elif part and set(part) <= set("NESW"):
            ports += [PORT_OF[side] for side in part]
        else:
            raise NoFeature
    return ports


def _only(numbers: Iterable[int]) -> int:
    found = set(numbers)
    if len(found) != 1 or -1 in found:
        raise NoFeature
    return found.pop()
