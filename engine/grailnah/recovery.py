"""Sacrificed knights come back (G-35, G-A24 to G-A26)."""

from __future__ import annotations

from engine.grailnah.state import GrailnahState, Recovery


def recoverable(state: GrailnahState, colour: str) -> int:
    """How many knights a player could recover in the present arrangement; 0: none."""
    castle = state.royal_castle(colour)
    if castle is None or not state.may_use(colour, castle):
        return 0
    return len(state.sacrificed(colour))


def recovered(
    state: GrailnahState, colour: str, count: int
) -> tuple[GrailnahState, dict[str, str]]:
    """The state after a recovery, and where the knights stand: lowest ids, in the home castle."""
    castle = state.royal_castle(colour)
    assert castle is not None
    home = castle if state.setup.option("G-A25") == "b" else state.setup.castles[colour]
    back = dict.fromkeys(state.sacrificed(colour)[:count], home)
    after = state.placed(back)
    return after.but(recovered={**state.recovered, colour: Recovery(castle)}), back


def royal_left(state: GrailnahState, piece: str) -> GrailnahState:
    """The state with a note that a royal has left the castle of its last recovery."""
    kind, colour = piece.split("/")
    last = state.recovered.get(colour)
    if last is None or kind not in last.stayed:
        return state
    again = Recovery(last.castle, last.stayed - {kind})
    return state.but(recovered={**state.recovered, colour: again})
