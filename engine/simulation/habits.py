"""How people behave at a table, as probabilities per action."""

from __future__ import annotations

from dataclasses import dataclass

LEGAL_S = 1.6
STANDS_S = 12.0  # a foul stands until somebody says something, at most so long


@dataclass(frozen=True, slots=True)
class Habits:
    """Probabilities per action: of a foul before it, of showing it together with the next one,
    of taking it back at once, of a hand that changes nothing, and of something hidden meanwhile;
    ``forget``: of ending a turn without moving the stone; ``nudge``: of pushing a piece a little
    within its cell; ``bump``: of the board being lost for a moment; ``rest``: of setting a piece
    down on its way; ``lift``: of holding it in the hand for a while; ``finger``: of leaving a finger
    on it; ``jump``: of no hand being seen; ``linger``: of a longer still moment.  ``most``: how many
    actions are shown together at most; ``rests_s`` and ``stands_s``: for how long the table then rests,
    and a foul stands; ``returns``: what comes and goes back within a turn is seen
    before it goes, and not taken back where that would look like going on; ``straight``: of moving what
    stands wrong on to where it may stand, and not back first, where the next action moves it."""

    foul: float = 0.0
    together: float = 0.15
    take_back: float = 0.0
    idle_hand: float = 0.05
    hidden: float = 0.05
    forget: float = 0.1
    nudge: float = 0.0
    bump: float = 0.0
    rest: float = 0.0
    lift: float = 0.0
    finger: float = 0.0
    jump: float = 0.0
    linger: float = 0.0
    straight: float = 0.0
    most: int = 99
    returns: bool = False
    rests_s: float = LEGAL_S
    stands_s: float = STANDS_S


USUAL = Habits()
# A family's table: all of it happens now and then.
LIVELY = Habits(
    foul=0.08, together=0.15, take_back=0.03, idle_hand=0.05, hidden=0.05, forget=0.1, nudge=0.04,
    bump=0.02, rest=0.04, lift=0.03, finger=0.03, jump=0.15, linger=0.1,
)  # fmt: skip
