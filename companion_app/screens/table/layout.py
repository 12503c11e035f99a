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

    @property
    def menu(self) -> Rect:
        """Where the menu lies: over turn, talk, work and bar, beside the board."""
        x, y, w, _ = self.bar
        return x, y, w, self.turn[1] + self.turn[3] - y

    @staticmethod
    def nowhere() -> Places:
        """Before anything has been arranged."""
        empty = (0.0, 0.0, 0.0, 0.0)
        return Places(*(empty,) * 8)


@dataclass(frozen=True)
class Need:
    """What needs the room: a panel of the game, "talk" for a long sentence, "" for the history.

    ``rows``: its height in touches; ``compact``: there are no steps to show above it.
    """

    panel: str
    rows: float
    compact: bool = False


LEAST_TALK = 1.9


def arrange(
    width: float, height: float, m: Measures, need: Need, seats: int, picture: bool = True
) -> Places:
    """The places in a window of ``width`` by ``height`` pixels.

    Without a ``picture`` (no camera) the players take its room, and ``live`` has no size.
    """
    places = _landscape if width >= height else _portrait
    return places(width, height, m, need, seats, picture)


def _lower(
    x: float, w: float, top: float, m: Measures, need: Need
) -> tuple[Rect, Rect, Rect, Rect]:
    """Turn, talk, work and bar, stacked from ``top`` down to the window's edge."""
    rest = top - m.pad - m.touch * 1.15 - 3 * m.gap
    cramped = rest < m.touch * 6.6
    bar_h = m.touch * (1.0 if cramped else 1.15)
    rest = top - m.pad - bar_h - 3 * m.gap
    turn_h = min(m.touch * (0.8 if need.compact else 2.5), rest * 0.4)
    least_talk = min(m.touch * LEAST_TALK, rest * 0.26)
    work_h = max(min(m.touch * need.rows, rest - turn_h - least_talk), rest * 0.2)
    if need.panel == "talk":
        work_h = -m.gap  # a refusal or a question takes the history's room, and the gap
    talk_h = rest - turn_h - work_h
    turn = (x, top - turn_h, w, turn_h)
    talk = (x, turn[1] - m.gap - talk_h, w, talk_h)
    work = (x, m.pad + bar_h + m.gap, w, max(0.0, work_h))
    return turn, talk, work, (x, m.pad, w, bar_h)


def _landscape(
    width: float, height: float, m: Measures, need: Need, seats: int, picture: bool
) -> Places:
    board_h = height - 2 * m.pad
    board_w = min(board_h * m.aspect, width * 0.52)
    x = m.pad + board_w + m.gap * 1.5
    w = width - x - m.pad
    top = height - m.pad
    live_w = min(w * 0.4, m.touch * 4.6)
    live_h = live_w * 9 / 16
    status = (x, top - m.touch, w, m.touch)
    y = status[1] - m.gap
    live = (x + w - live_w, y - live_h, live_w, live_h)
    people = (x, y - live_h, w - live_w - m.gap if picture else w, live_h)
    turn, talk, work, bar = _lower(x, w, live[1] - m.gap, m, need)
    live = live if picture else (x, top, 0.0, 0.0)
    return Places(status, (m.pad, m.pad, board_w, board_h), live, people, turn, talk, work, bar)


def _portrait(
    width: float, height: float, m: Measures, need: Need, seats: int, picture: bool
) -> Places:
    w = width - 2 * m.pad
    status = (m.pad, height - m.pad - m.touch, w, m.touch)
    top = status[1] - m.gap
    below = m.touch * 8.6 + 5 * m.gap
    board_h = max(height * 0.3, top - m.pad - below)
    board_w = min(board_h * m.aspect, w * 0.68)
    board = (m.pad, top - board_h, board_w, board_h)
    x = m.pad + board_w + m.gap
    side_w = w - board_w - m.gap
    live_h = side_w * 9 / 16
    live = (x, top - live_h, side_w, live_h)
    under = live[1] - m.gap if picture else top
    people_h = min(under - board[1], seats * m.touch * 2 + (seats - 1) * m.gap)
    people = (x, under - people_h, side_w, people_h)
    live = live if picture else (x, top, 0.0, 0.0)
    turn, talk, work, bar = _lower(m.pad, w, board[1] - m.gap, m, need)
    return Places(status, board, live, people, turn, talk, work, bar)
