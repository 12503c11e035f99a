"""When a view may be judged: pure logic over time."""

from __future__ import annotations

import pytest

from vision.settle import HAND_AREA, MOVING, Evidence, Settler, SettleTimes

FPS = 10


def run(*pieces: tuple[float, dict]):
    """Feeds pieces of (seconds, evidence) at ten frames a second; gives (t_s, Stillness)."""
    settler, step, result = Settler(), 0, []
    for seconds, evidence in pieces:
        for _ in range(round(seconds * FPS)):
            result.append((step / FPS, settler.update(Evidence(step / FPS, **evidence))))
            step += 1
    return result


def first(result, name, after=0.0):
    return next((t for t, s in result if t >= after - 1e-9 and getattr(s, name)), None)


STILL: dict = {}
MOVE = {"motion": 0.01}
HAND = {"rim_hand": True, "under_hand": frozenset({"a1"})}


def test_stillness_is_judged_after_the_times_of_the_design():
    result = run((0.5, MOVE), (2.0, STILL))
    # the last frame that moved is at 0.4 s
    assert first(result, "ready_legal") == pytest.approx(1.0)
    assert first(result, "ready_refusal") == pytest.approx(1.7)


def test_motion_below_the_limit_is_noise_and_above_it_starts_anew():
    result = run((2.0, {"motion": MOVING * 0.9}), (0.1, {"motion": MOVING * 1.1}), (1.0, STILL))
    assert first(result, "ready_legal") == pytest.approx(0.6)
    assert first(result, "ready_legal", after=2.0) == pytest.approx(2.6)


def test_a_hand_that_rests_still_for_a_moment_is_still_a_hand():
    result = run((1.0, STILL), (0.7, HAND), (1.0, STILL))
    under = [s for t, s in result if 1.0 <= t < 1.7]
    assert all(s.hand and not s.ready_legal and s.still_s == 0 for s in under)
    # gone at 1.7: judged 0.6 s after the last frame that showed it
    assert first(result, "ready_legal", after=1.0) == pytest.approx(2.2)
    assert result[-1][1].hidden == frozenset()


@pytest.mark.parametrize("area", [HAND_AREA * 2, HAND_AREA / 2])
def test_the_detectors_mask_is_evidence_too(area):
    result = run((1.0, STILL), (0.5, {"hand_area": area}))
    assert result[-1][1].hand is (area > HAND_AREA)
    assert result[-1][1].ready_legal is (area < HAND_AREA)


def test_one_missed_frame_does_not_free_the_hand():
    settler = Settler(SettleTimes(hand_gone_s=0.25))
    seen = [
        settler.update(Evidence(i / FPS, rim_hand=i not in (4, 5))).ready_legal for i in range(20)
    ]
    assert not any(seen)


def test_a_hand_that_rests_long_hides_only_what_is_under_it():
    result = run((4.0, HAND), (0.1, HAND | MOVE), (1.0, HAND))
    assert first(result, "resting") == pytest.approx(3.0)
    resting = next(s for t, s in result if t >= 3.0)
    assert resting.hand
    assert resting.ready_legal
    assert resting.hidden == {"a1"}
    # it stirs: nothing is judged any more
    assert not result[-1][1].ready_legal


def test_after_a_bump_a_new_stable_pose_is_waited_for():
    result = run(
        (2.0, STILL), (0.3, {"pose_steady": False}), (0.1, {"pose_changed": True}), (1.0, STILL)
    )
    assert result[19][1].ready_refusal
    assert not any(s.ready_legal for t, s in result if 2.0 <= t < 2.9 - 1e-9)
    assert first(result, "ready_legal", after=2.0) == pytest.approx(2.9)


def test_a_lost_pose_is_never_still():
    result = run((5.0, {"pose_steady": False}))
    assert not any(s.ready_legal or s.still_s for _, s in result)


def test_a_gap_in_the_frames_forgets_everything():
    settler = Settler()
    for i in range(20):
        settler.update(Evidence(i / FPS))
    assert settler.update(Evidence(2.0)).ready_refusal
    # five minutes' pause: pieces may have moved unseen
    assert not settler.update(Evidence(302.0)).ready_legal
    assert settler.update(Evidence(302.7)).ready_legal
    # the source was started anew
    assert not settler.update(Evidence(0.0)).ready_legal


def test_a_piece_that_rests_on_the_way_is_not_refused():
    result = run((0.3, MOVE), (0.5, STILL), (0.3, MOVE), (0.5, STILL), (0.3, MOVE))
    assert not any(s.ready_legal for _, s in result)
