"""All colours and sizes of the app.  Colours are RGBA, 0 to 1; sizes in dp or sp.

Nothing is told by colour alone: each player also has a letter and a shape, each light a word.
"""

from __future__ import annotations

from dataclasses import dataclass

from kivy.metrics import dp as dp
from kivy.metrics import sp as sp

Rgba = tuple[float, float, float, float]


def rgba(code: str, alpha: float = 1.0) -> Rgba:
    """A colour from "#rrggbb"."""
    value = int(code.removeprefix("#"), 16)
    return (value >> 16 & 255) / 255, (value >> 8 & 255) / 255, (value & 255) / 255, alpha


BACKGROUND = rgba("#16222a")
PANEL = rgba("#21313b")
RAISED = rgba("#2e424e")
PRESSED = rgba("#3c5462")
LINE = rgba("#43596a")
TEXT = rgba("#f6f1e4")
MUTED = rgba("#b4c2c9")
FAINT = rgba("#7f929c")
PAPER = rgba("#f4ecd8")
INK = rgba("#1d262b")
ACCENT = rgba("#f0bd53")
ACCENT_PRESSED = rgba("#d9a53a")
GOOD = rgba("#63c383")
WAIT = rgba("#f2b33d")
BAD = rgba("#f0705c")
IDLE = rgba("#8fa3ad")
BAD_PANEL = rgba("#4a2b2c")
ASK_PANEL = rgba("#1d2d37")
GOOD_PANEL = rgba("#234034")
WAIT_PANEL = rgba("#41381f")


@dataclass(frozen=True)
class PlayerLook:
    """How a player's things look: colour, colour of a letter on it, letter, shape."""

    fill: Rgba
    ink: Rgba
    letter: str
    shape: str


PLAYERS: dict[str, PlayerLook] = {
    "violet": PlayerLook(rgba("#8a56d8"), rgba("#ffffff"), "V", "diamond"),
    "green": PlayerLook(rgba("#1f8f55"), rgba("#ffffff"), "G", "circle"),
    "red": PlayerLook(rgba("#d23732"), rgba("#ffffff"), "R", "square"),
    "orange": PlayerLook(rgba("#f39a2b"), rgba("#241505"), "O", "triangle"),
}
NOBODY = PlayerLook(rgba("#14191d"), rgba("#f4ecd8"), "", "circle")


def look(colour: str | None) -> PlayerLook:
    """The look of a colour; of an unknown one, a plain dark one with its first letter."""
    if colour is None or colour in ("black", "grey"):
        return NOBODY
    known = PLAYERS.get(colour)
    return known or PlayerLook(rgba("#5b6b75"), TEXT, colour[:1].upper(), "circle")


# sizes -----------------------------------------------------------------------------------------
TOUCH = dp(58)  # 9.2 mm, the least height and width of what is tapped
GAP = dp(10)
PAD = dp(14)
RADIUS = dp(12)
EDGE = dp(1.6)

SIZE_TITLE = sp(42)
SIZE_HEAD = sp(28)
SIZE_BODY = sp(20)
SIZE_SMALL = sp(17)
SIZE_LEAST = sp(15)
SIZE_CARD = sp(30)

FONT = "Roboto"
