"""What is seen of a move: only which kind and colour stands where, before and after.

Equal pieces cannot be told apart, a burnt wisdom may still lie in its flame or be gone already, and
a piece that was pushed on may not have been found yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.hexagon.legal import changes, changes_from
from engine.hexagon.moves import Change, apply, turn_over
from engine.hexagon.state import HexagonState, is_wisdom, owner_of
from engine.placement import PieceMove

Looks = dict[str, str]
# First moves that are followed by every second one, when two turns were shown together.
MAX_FIRST = 12


def look_of(piece: str) -> str:
    """Kind and colour of a piece, e.g. ``wisdom/blue``: all that can be seen of it."""
    return piece.rpartition("/")[0]


def looks_of(state: HexagonState) -> Looks:
    """What stands on every occupied cell."""
    return {cell: look_of(piece) for cell, piece in state.at.items()}


def looks_after(looks: Mapping[str, str], state: HexagonState, change: Change) -> Looks:
    """What stands where after a change of ``state``."""
    after = {c: look for c, look in looks.items() if state.at.get(c) not in change.moves}
    for piece, cell in change.moves.items():
        if cell is not None:
            after[cell] = look_of(piece)
    return after


def looks_touched(state: HexagonState, change: Change) -> dict[str, str | None]:
    """What stands after a change on the cells that it touches; None for nothing."""
    touched: dict[str, str | None] = {str(state.pieces[p]): None for p in change.moves}
    touched |= {cell: look_of(p) for p, cell in change.moves.items() if cell is not None}
    return touched


@dataclass(frozen=True, slots=True)
class Sight:
    """The arrangement to be explained.

    ``before`` and ``after``: what stands where; ``loose``: looks of pieces that were not found, which
    may stand wherever the rules put them.
    """

    before: Looks
    after: Looks
    loose: Counter[str]

    @property
    def changed(self) -> frozenset[str]:
        """Cells that look different now."""
        cells = self.before.keys() | self.after.keys()
        return frozenset(c for c in cells if self.before.get(c) != self.after.get(c))

    def fits(self, looks: Mapping[str, str], burnt: Iterable[str] = ()) -> bool:
        """Whether a computed arrangement is what is seen; a wisdom just burnt may still lie there."""
        loose, fire = Counter(self.loose), set(burnt)
        for cell in looks.keys() | self.after.keys():
            want, have = self.after.get(cell), looks.get(cell)
            if want == have or (have is None and cell in fire and is_wisdom(f"{want}/")):
                continue
            if want is not None or have is None or not loose[have]:
                return False
            loose[have] -= 1
        return True

    def unfound(self, looks: Mapping[str, str]) -> frozenset[str]:
        """Cells on which a computed arrangement has something that is not seen there."""
        return frozenset(c for c, look in looks.items() if self.after.get(c) != look)

    def partly(self, looks: Mapping[str, str]) -> bool:
        """Whether everything that has changed is what a computed arrangement has there, so that the
        rest of it may still be to come."""
        return all(self.after.get(c) in (None, looks.get(c)) for c in self.changed)


def sight_of(
    state: HexagonState, moves: Iterable[PieceMove], gone: frozenset[str] = frozenset()
) -> Sight:
    """The arrangement that seen moves lead to; where ``gone`` pieces stand is not known."""
    moved = {m.piece: m.to for m in moves if m.piece not in gone}
    before = looks_of(state)
    after = {c: look_of(p) for c, p in state.at.items() if p not in moved and p not in gone}
    loose = Counter(look_of(p) for p in gone if state.pieces.get(p) is not None)
    for piece, spots in moved.items():
        for cell in spots:
            if cell in after:
                loose[after[cell]] += 1
            after[cell] = look_of(piece)
    return Sight(before, after, loose)


def _leaving(state: HexagonState, sight: Sight) -> Iterator[Change]:
    """The changes of wizards from whose cells everything is gone: a wizard that moves leaves one."""
    for cell, piece in state.at.items():
        if cell not in sight.after and piece.startswith(f"wizard/{state.to_move}/"):
            yield from changes_from(state, cell)


def _fitting(state: HexagonState, looks: Mapping[str, str], sight: Sight) -> list[Change]:
    found = _leaving(state, sight)
    return [c for c in found if sight.fits(looks_after(looks, state, c), c.burnt)]


def explaining(state: HexagonState, sight: Sight) -> list[Change]:
    """The legal changes that lead exactly to what is seen, those that move fewest pieces first.

    Where a wizard has gone that nobody can find is not guessed: there is one place for it, or none.
    """
    found = _fitting(state, sight.before, sight)
    seen = [c for c in found if sight.after.get(c.to) == look_of(c.piece)]
    ends = {frozenset(looks_after(sight.before, state, c).items()) for c in found}
    if not seen and len(ends) > 1:
        return []
    return sorted(seen or found, key=lambda c: len(c.moves))


def consequence(state: HexagonState, change: Change) -> frozenset[tuple[str, str, str]]:
    """What matters of a change besides what can be seen: which crossings are remembered."""
    after = apply(state, change)
    return frozenset((look_of(c.piece), c.origin, c.to) for c in after.crossings)


def meant(state: HexagonState, found: list[Change]) -> Change | None:
    """The one of several changes with the same look that is taken; None when it has to be asked.

    They can differ only in which crossing is remembered (H-15).  Remembering less is at least as good
    for the mover, unless the opponent could bring a piece back at once.
    """
    kept = {id(c): consequence(state, c) for c in found}
    least = min(found, key=lambda c: (len(kept[id(c)]), len(c.moves)))
    more = frozenset[tuple[str, str, str]]().union(*kept.values()) - kept[id(least)]
    if not more:
        return least
    if not all(kept[id(least)] <= k for k in kept.values()):
        return None
    after = apply(state, least)
    after = turn_over(after.but(pending=())) if after.pending else after
    for reply in changes(after):
        if any((look_of(c.piece), c.to, c.origin) in more for c in reply.crossings):
            return None
    return least


def partial(state: HexagonState, sight: Sight) -> Iterator[tuple[Change, Looks]]:
    """Legal changes that bring some of the changed cells to what is seen there, those that leave
    fewest changed cells first; at most ``MAX_FIRST`` of them."""
    ranked: list[tuple[int, int, Change]] = []
    for change in changes(state):
        touched = looks_touched(state, change)
        right = sum(
            look == sight.after.get(c) != sight.before.get(c) for c, look in touched.items()
        )
        if right:
            wrong = sum(look != sight.after.get(c) for c, look in touched.items())
            ranked.append((wrong - right, len(ranked), change))
    ranked.sort(key=lambda r: r[:2])
    for _, _, change in ranked[:MAX_FIRST]:
        yield change, looks_after(sight.before, state, change)


def two_turns(state: HexagonState, sight: Sight) -> tuple[Change, Change] | None:
    """Two moves, one of each player, that lead together to what is seen; those after which fewest
    crossings are remembered, so that nothing is refused that may well be allowed (H-15).

    None with a wizard that is missing in the end: it may have made a move that nobody has seen.
    """
    found: list[tuple[int, int, Change, Change]] = []
    for first, looks in partial(state, sight):
        if first.burnt:
            continue
        then = apply(state, first)
        for second in _fitting(then, looks, sight):
            after = looks_after(looks, then, second)
            if all(is_wisdom(f"{after[c]}/") for c in sight.unfound(after)):
                found.append((len(consequence(then, second)), len(found), first, second))
    return min(found, key=lambda f: f[:2])[2:] if found else None


def owners(moves: Iterable[PieceMove]) -> frozenset[str]:
    """Colours of the wizards among some moves."""
    return frozenset(owner_of(m.piece) for m in moves if not is_wisdom(m.piece))
