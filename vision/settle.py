"""When may a view be judged?  Pure logic over time, no images (DESIGN decision 7)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettleTimes:
    """Seconds.  ``legal_s``, ``refusal_s``: stillness before a legal change may be accepted and
    before anything may be refused; ``hand_rest_s``: a hand that has not moved for so long hides
    only the cells under it; ``hand_gone_s``: no hand is believed before it was not seen for so
    long; ``gap_s``: with a longer gap between frames nothing is known about what happened."""

    legal_s: float = 0.6
    refusal_s: float = 1.3
    hand_rest_s: float = 3.0
    hand_gone_s: float = 0.15
    gap_s: float = 2.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """One frame's evidence at source time ``t_s``.

    ``motion``: moved fraction of the board's area since the frame before.  ``pose_steady``: the
    pose holds in this frame; ``pose_changed``: it was found anew here.  ``rim_hand``: change runs
    over the rim.  ``hand_area``: fraction of the board's area under the detector's hand mask (0
    when the net did not run).  ``under_hand``: spots that either hides.
    """

    t_s: float
    motion: float = 0.0
    pose_steady: bool = True
    pose_changed: bool = False
    rim_hand: bool = False
    hand_area: float = 0.0
    under_hand: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stillness:
    """``still_s``: for how long nothing has moved and no hand was in the way.  ``hand``: one is in
    view; ``resting``: it has not moved for long, only ``hidden`` spots are out of reach then.
    ``quiet_s``: for how long nothing has moved, hand or not."""

    still_s: float
    hand: bool
    ready_legal: bool
    ready_refusal: bool
    resting: bool = False
    hidden: frozenset[str] = frozenset()
    quiet_s: float = 0.0


MOVING = 0.0004  # of the board's area: a pawn seen from above is about 0.001
HAND_AREA = 0.004  # of the board's area
# frame times are binary fractions: 0.6 s of frames may come out as 0.5999999
SLACK_S = 1e-6


class Settler:
    """Feed it every frame's evidence in order of time."""

    def __init__(self, times: SettleTimes | None = None) -> None:
        self._times = times or SettleTimes()
        self._last_s: float | None = None
        self._quiet_since_s: float | None = None
        self._hand_seen_s: float | None = None
        self._hand_since_s: float | None = None
        self._hidden: frozenset[str] = frozenset()

    def update(self, evidence: Evidence) -> Stillness:
        """What may be judged now."""
        now = evidence.t_s
        if self._last_s is None or not 0 <= now - self._last_s <= self._times.gap_s:
            self._forget()
        self._last_s = now
        if not evidence.pose_steady or evidence.pose_changed or evidence.motion > MOVING:
            self._quiet_since_s = now if evidence.pose_steady else None
        elif self._quiet_since_s is None:
            self._quiet_since_s = now
        hand = self._follow_hand(evidence)
        return self._judge(now, hand)

    def _forget(self) -> None:
        self._quiet_since_s = self._hand_seen_s = self._hand_since_s = None
        self._hidden = frozenset()

    def _follow_hand(self, evidence: Evidence) -> bool:
        now = evidence.t_s
        if evidence.rim_hand or evidence.hand_area > HAND_AREA:
            if self._hand_since_s is None:
                self._hand_since_s = now
            self._hand_seen_s = now
            self._hidden = evidence.under_hand
            return True
        if self._hand_seen_s is None:
            return False
        if now - self._hand_seen_s < self._times.hand_gone_s - SLACK_S:
            return True
        # stillness counts from the first frame without the hand, not from the end of the wait
        first_free_s = self._hand_seen_s
        if self._quiet_since_s is not None:
            self._quiet_since_s = max(self._quiet_since_s, first_free_s)
        self._hand_seen_s = self._hand_since_s = None
        self._hidden = frozenset()
        return False

    def _judge(self, now: float, hand: bool) -> Stillness:
        if self._quiet_since_s is None:
            return Stillness(0.0, hand, False, False, False, self._hidden)
        quiet_s = now - self._quiet_since_s
        if hand:
            since = max(self._quiet_since_s, self._hand_since_s or 0.0)
            rest_s = now - since
            resting = rest_s >= self._times.hand_rest_s - SLACK_S
            return Stillness(
                rest_s if resting else 0.0, True, resting, resting, resting, self._hidden, quiet_s
            )
        return Stillness(
            quiet_s, False,
            quiet_s >= self._times.legal_s - SLACK_S, quiet_s >= self._times.refusal_s - SLACK_S,
            quiet_s=quiet_s,
        )  # fmt: skip
