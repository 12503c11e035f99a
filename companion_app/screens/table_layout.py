"""Where the parts of the table screen go, in landscape and in portrait.  No Kivy here."""

from __future__ import annotations

from dataclasses import dataclass

Rect = tuple[float, float, float, float]


@dataclass(frozen=True)
class Measures:
    """Sizes in pixels that the layout keeps to."""

    pad: float
    gap: float
    touch: float
    aspect: float  # of the board drawing with its tray, width over height


@dataclass(frozen=True)
class Places:
    """A rectangle (x, y, width, height; y up) for each part."""

    status: Rect
    board: Rect
    live: Rect
    seats: Rect
    turn: Rect
    talk: Rect
    work: Rect
    bar: Rect


def arrange(width: float, height: float, m: Measures, laying: bool, seats: int) -> Places:
    """The places in a window of ``width`` by ``height``; ``laying``: the hand needs the room."""
    if width >= height:
        return _landscape(width, height, m, laying)
    return _portrait(width, height, m, laying, seats)


def _landscape(width: float, height: float, m: Measures, laying: bool) -> Places:
    board_h = height - 2 * m.pad
    board_w = min(board_h * m.aspect, width * 0.52)
    x = m.pad + board_w + m.gap * 1.5
    w = width - x - m.pad
    top = height - m.pad
    status_h, bar_h = m.touch, m.touch * 1.15
    live_w = min(w * 0.4, m.touch * 4.6)
    live_h = live_w * 9 / 16
    status = (x, top - status_h, w, status_h)
    y = status[1] - m.gap
    live = (x + w - live_w, y - live_h, live_w, live_h)
    people = (x, y - live_h, w - live_w - m.gap, live_h)
    y = live[1] - m.gap
    rest = y - m.pad - bar_h - 3 * m.gap
    turn_h = m.touch * 0.95 if laying else min(m.touch * 2.5, rest * 0.36)
    work_h = min(rest * 0.6, m.touch * 4.2) if laying else max(rest * 0.3, m.touch * 2.4)
    talk_h = rest - turn_h - work_h
    turn = (x, y - turn_h, w, turn_h)
    talk = (x, turn[1] - m.gap - talk_h, w, talk_h)
    work = (x, m.pad + bar_h + m.gap, w, work_h)
    return Places(
        status,
        (m.pad, m.pad, board_w, board_h),
        live,
        people,
        turn,
        talk,
        work,
        (x, m.pad, w, bar_h),
    )


def _portrait(width: float, height: float, m: Measures, laying: bool, seats: int) -> Places:
    w = width - 2 * m.pad
    bar_h, status_h = m.touch * 1.15, m.touch
    top = height - m.pad
    status = (m.pad, top - status_h, w, status_h)
    below = m.touch * (7.1 if laying else 7.4)
    board_h = max(height * 0.3, status[1] - m.gap - m.pad - bar_h - below - m.gap * 2)
    board_w = min(board_h * m.aspect, w * 0.68)
    y = status[1] - m.gap
    board = (m.pad, y - board_h, board_w, board_h)
    side_x = m.pad + board_w + m.gap
    side_w = w - board_w - m.gap
    live_h = side_w * 9 / 16
    live = (side_x, y - live_h, side_w, live_h)
    people_h = min(live[1] - m.gap - board[1], seats * m.touch * 1.9 + (seats - 1) * m.gap)
    people = (side_x, live[1] - m.gap - people_h, side_w, people_h)
    rest = board[1] - m.gap - m.pad - bar_h - 3 * m.gap
    turn_h = m.touch * 0.95 if laying else m.touch * 2.4
    work_h = m.touch * 2.9 if laying else m.touch * 2.6
    talk_h = max(m.touch * 1.6, rest - turn_h - work_h)
    turn = (m.pad, board[1] - m.gap - turn_h, w, turn_h)
    talk = (m.pad, turn[1] - m.gap - talk_h, w, talk_h)
    work = (m.pad, m.pad + bar_h + m.gap, w, talk[1] - m.gap - (m.pad + bar_h + m.gap))
    return Places(status, board, live, people, turn, talk, work, (m.pad, m.pad, w, bar_h))
