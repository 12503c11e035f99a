"""The one theme: colours and sizes for kv files and drawings, chosen by ``use``.

Sizes are in pixels (from dp and sp).  They follow the text size that was chosen and the window:
what is drawn on a large screen is larger, so that it can be read from a metre away.  Screens take
these values when they are built; ``BoardwardenApp`` builds them anew when something changes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from kivy.metrics import dp as _dp
from kivy.metrics import sp as _sp

from companion_app.palette import CALM, HIGH_CONTRAST, LIGHT, Palette, PlayerLook, Rgba, look, rgba

__all__ = ["Look", "PlayerLook", "Rgba", "dp", "look", "rgba", "sp", "use"]

TEXT_SIZES = {"normal": 1.0, "large": 1.18, "huge": 1.36}
# The sizes below are made for a window whose short side has this many dp.
DESIGN_SHORT_SIDE = 800.0
LEAST_TOUCH_DP = 58.0  # 9.2 mm


@dataclass(frozen=True)
class Look:
    """What was chosen: ``text`` is one of ``TEXT_SIZES``; ``light``: dark on light, unless ``contrast``;
    ``scale``: from the window's size."""

    text: str = "normal"
    contrast: bool = False
    light: bool = False
    calm: bool = False  # reduced motion
    scale: float = 1.0


def scale_for(short_side_px: float) -> float:
    """How much larger than designed everything is drawn in a window."""
    return min(2.2, max(0.8, short_side_px / _dp(DESIGN_SHORT_SIDE)))


chosen = Look()


def dp(value: float) -> float:
    """Pixels of a length that grows with the window."""
    return float(_dp(value)) * chosen.scale


def sp(value: float) -> float:
    """Pixels of a text size."""
    return float(_sp(value)) * chosen.scale * TEXT_SIZES.get(chosen.text, 1.0)


def use(wanted: Look) -> None:
    """Sets all values below."""
    global chosen
    chosen = wanted
    palette: Palette = HIGH_CONTRAST if wanted.contrast else LIGHT if wanted.light else CALM
    values: dict[str, object] = {f.name.upper(): getattr(palette, f.name) for f in fields(palette)}
    on_dark = CALM if palette is LIGHT else palette  # drawn boards and photographs stay dark
    values |= {f"BOARD_{n.upper()}": getattr(on_dark, n) for n in ("good", "wait", "bad")}
    values |= {
        "TOUCH": max(float(_dp(LEAST_TOUCH_DP)), dp(LEAST_TOUCH_DP)),
        "GAP": dp(10),
        "PAD": dp(14),
        "RADIUS": dp(12),
        "EDGE": dp(2.4 if wanted.contrast else 1.6),
        "SIZE_TITLE": sp(42),
        "SIZE_HEAD": sp(30),
        "SIZE_BODY": sp(21),
        "SIZE_SMALL": sp(18),
        "SIZE_LEAST": sp(15),
        "TURN_S": 0.0 if wanted.calm else 0.16,
        "FADE_S": 0.0 if wanted.calm else 0.15,
    }
    globals().update(values)


BACKGROUND: Rgba
PANEL: Rgba
RAISED: Rgba
PRESSED: Rgba
LINE: Rgba
TEXT: Rgba
MUTED: Rgba
FAINT: Rgba
PAPER: Rgba
INK: Rgba
ACCENT: Rgba
ACCENT_PRESSED: Rgba
ACCENT_TEXT: Rgba
SIGN: Rgba
ON_BOARD: Rgba
BOARD_GOOD: Rgba
BOARD_WAIT: Rgba
BOARD_BAD: Rgba
GOOD: Rgba
WAIT: Rgba
BAD: Rgba
IDLE: Rgba
BAD_PANEL: Rgba
ASK_PANEL: Rgba
GOOD_PANEL: Rgba
WAIT_PANEL: Rgba
TOUCH: float
GAP: float
PAD: float
RADIUS: float
EDGE: float
SIZE_TITLE: float
SIZE_HEAD: float
SIZE_BODY: float
SIZE_SMALL: float
SIZE_LEAST: float
TURN_S: float
FADE_S: float

FONT = "Roboto"
use(chosen)
