"""What every move has in common: the end of a turn, and pawns that are sent home."""

from __future__ import annotations

from dataclasses import replace

from engine.grailnah.messages import say
from engine.grailnah.setup import SPECIALS
from engine.grailnah.state import GrailnahState, sent_home
from engine.outcome import Outcome
from engine.verdict import Listed, Message


def turn_done(state: GrailnahState, moved: str) -> GrailnahState:
    """The state with the next player to act; ``moved``: "pawn", "merlin", "morgane", or "" for a
    turn without a move, which leaves open who was moved last (G-23, G-28)."""
    me, setup = state.to_move, state.setup
    run = dict(state.merlin_run)
    if moved == "merlin":
        run[me] = run.get(me, 0) + 1
    elif setup.option("G-A14") == "a":
        run.pop(me, None)
    special = state.last_special if not moved else moved if moved in SPECIALS else ""
    own = {**state.last_own, me: moved} if setup.option("G-A13") == "b" else {}
    return replace(
        state, to_move=state.next_seat(), last_special=special, merlin_run=run, last_own=own,
        pawn_moved=state.pawn_moved or moved == "pawn", may_recover=None,
    )  # fmt: skip


def arrive(state: GrailnahState, special: str, to: str) -> tuple[GrailnahState, list[Message]]:
    """Merlin or Morgane comes to a cell: pawns there go home, the other one to the centre."""
    setup = state.setup
    goal = setup.rings.goal
    home: dict[str, str | None] = {**sent_home(state, to)}
    notes = [say(setup, "home", piece=p, cell=c) for p, c in home.items()]
    other = SPECIALS[1 - SPECIALS.index(special)]
    if state.pieces[other] == to != goal:
        home[other] = goal
        notes.append(say(setup, "to_centre", piece=other))
    return state.placed({**home, special: to}), notes


def won_by(state: GrailnahState, colour: str, *, by_goal: bool) -> Outcome:
    """The end of the game (G-2, G-A35)."""
    setup = state.setup
    after = state.but(winner=colour, may_recover=None)
    partners = sorted(after.winners - {colour})
    if not by_goal:
        note = say(setup, "wins_left", player=Listed((colour, *partners), "and"))
    elif partners:
        note = say(setup, "team_wins", player=colour, partner=partners[0])
    else:
        note = say(setup, "wins", player=colour)
    return Outcome(after, (note,))
