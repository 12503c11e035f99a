"""What it means when a piece of the placement goes from one spot to another."""

from __future__ import annotations

from engine.action import Action
from engine.carcassonne.faces import Kind
from engine.carcassonne.placement import MEEPLE_KINDS, TILE, at_of, placement_of, pos_of
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.state import CarcassonneState

SIZES = {name: size for size, name in MEEPLE_KINDS.items()}


def kind_of(piece: str) -> str:
    """tile, meeple, large_meeple, mage or witch."""
    return piece.partition("/")[0]


def owner_of(piece: str) -> str | None:
    """The player of a meeple; None for tiles, mage and witch."""
    parts = piece.split("/")
    return parts[1] if parts[0] in SIZES and len(parts) == 3 else None


def drag_action(
    state: CarcassonneState, player: str | None, piece: str, to: str | None
) -> Action | None:
    """The action by which a player brings a piece to a spot (None: off the table); None for what
    cannot be meant, as a tile that is taken away."""
    kind = kind_of(piece)
    if to is None and kind in FIGURES:
        return Action(player, "figure", {"who": kind, "off": True})
    here = placement_of(state).pieces.get(piece, ())
    if to is None:
        if kind not in SIZES or not here:
            return None
        return Action(player, "meeple", {"off": True, "from": here[0], **_where(state, here[0])})
    if (kind == "tile") != to.partition("@")[2].isdigit():
        return None  # a tile on a feature, a figure on a tile's turn
    if kind == "tile":
        tile = piece.removeprefix(TILE).rpartition("/")[0]
        args = {"tile": tile, "rot": int(to.partition("@")[2]), "pos": list(pos_of(to))}
        return Action(player, "tile", args)
    if kind in FIGURES:
        return Action(player, "figure", {"who": kind, **_where(state, to)})
    moved = {"from": here[0]} if here else {}
    return Action(player, "meeple", {"kind": SIZES[kind], **_where(state, to), **moved})


def _where(state: CarcassonneState, spot: str) -> dict[str, object]:
    """``feature``, ``at`` and ``pos``; the word only so that the record can be read."""
    at, pos = at_of(spot), pos_of(spot)
    placed = state.map.placed.get(pos)
    word = {"feature": Kind.FIELD.value} if at[1:2] in ("L", "R") else {}
    for feature in placed.face.features if placed is not None else ():
        if feature.at == at:
            word = {"feature": feature.kind.value}
    return {**word, "at": at, "pos": list(pos)}
