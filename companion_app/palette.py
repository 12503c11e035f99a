"""All colours of the app, RGBA from 0 to 1.  No Kivy here.

Nothing is told by colour alone: each player also has a letter and a shape, each light a word.  The
players' colours differ in brightness too, so that they stay apart with any kind of colour sight.
"""

from __future__ import annotations

from dataclasses import dataclass

Rgba = tuple[float, float, float, float]


def rgba(code: str, alpha: float = 1.0) -> Rgba:
    """A colour from "#rrggbb"."""
    value = int(code.removeprefix("#"), 16)
    return (value >> 16 & 255) / 255, (value >> 8 & 255) / 255, (value & 255) / 255, alpha


@dataclass(frozen=True)
class Palette:
    """The colours of surfaces, texts and signs."""

    background: Rgba
    panel: Rgba
    raised: Rgba
    pressed: Rgba
    line: Rgba
    text: Rgba
    muted: Rgba
    faint: Rgba
    paper: Rgba
    ink: Rgba
    accent: Rgba
    accent_pressed: Rgba
    accent_text: Rgba  # the accent as a text on a surface
    sign: Rgba  # on a good, waiting or bad disc
    on_board: Rgba  # names on the rim of the drawn board, which is dark in every palette
    good: Rgba
    wait: Rgba
    bad: Rgba
    idle: Rgba
    bad_panel: Rgba
    ask_panel: Rgba
    good_panel: Rgba
    wait_panel: Rgba


CALM = Palette(
    background=rgba("#16222a"),
    panel=rgba("#21313b"),
    raised=rgba("#2e424e"),
    pressed=rgba("#3c5462"),
    line=rgba("#566f81"),
    text=rgba("#f6f1e4"),
    muted=rgba("#bccad1"),
    faint=rgba("#9badb7"),
    paper=rgba("#f4ecd8"),
    ink=rgba("#1d262b"),
    accent=rgba("#f0bd53"),
    accent_pressed=rgba("#d9a53a"),
    accent_text=rgba("#f0bd53"),
    sign=rgba("#1d262b"),
    on_board=rgba("#bccad1"),
    good=rgba("#63c383"),
    wait=rgba("#f2b33d"),
    bad=rgba("#f58271"),
    idle=rgba("#8fa3ad"),
    bad_panel=rgba("#4a2b2c"),
    ask_panel=rgba("#1d2d37"),
    good_panel=rgba("#234034"),
    wait_panel=rgba("#41381f"),
)
LIGHT = Palette(
    background=rgba("#eee9dd"),
    panel=rgba("#f8f4ea"),
    raised=rgba("#fffdf8"),
    pressed=rgba("#dfe6ea"),
    line=rgba("#8b979e"),
    text=rgba("#1a2328"),
    muted=rgba("#43515a"),
    faint=rgba("#56636b"),
    paper=rgba("#fffaf0"),
    ink=rgba("#1d262b"),
    accent=rgba("#eab03c"),
    accent_pressed=rgba("#d29828"),
    accent_text=rgba("#7a4f00"),
    sign=rgba("#ffffff"),
    on_board=rgba("#bccad1"),
    good=rgba("#1d7540"),
    wait=rgba("#8a5200"),
    bad=rgba("#b3241c"),
    idle=rgba("#5f6e77"),
    bad_panel=rgba("#fbe3df"),
    ask_panel=rgba("#fffdf8"),
    good_panel=rgba("#e0f2e4"),
    wait_panel=rgba("#fdf0d0"),
)
HIGH_CONTRAST = Palette(
    background=rgba("#000000"),
    panel=rgba("#0a0f13"),
    raised=rgba("#16222a"),
    pressed=rgba("#3c5462"),
    line=rgba("#dfe6ea"),
    text=rgba("#ffffff"),
    muted=rgba("#f0f4f6"),
    faint=rgba("#d5dde2"),
    paper=rgba("#ffffff"),
    ink=rgba("#000000"),
    accent=rgba("#ffd23f"),
    accent_pressed=rgba("#e6b71e"),
    accent_text=rgba("#ffd23f"),
    sign=rgba("#000000"),
    on_board=rgba("#f0f4f6"),
    good=rgba("#7dff9f"),
    wait=rgba("#ffd23f"),
    bad=rgba("#ff9d8f"),
    idle=rgba("#d5dde2"),
    bad_panel=rgba("#3d0f10"),
    ask_panel=rgba("#000a14"),
    good_panel=rgba("#04260f"),
    wait_panel=rgba("#2b2100"),
)


@dataclass(frozen=True)
class PlayerLook:
    """How a player's things look: colour, colour of a letter on it, letter, shape."""

    fill: Rgba
    ink: Rgba
    letter: str
    shape: str


WHITE, BLACK = rgba("#ffffff"), rgba("#14191d")
PLAYERS: dict[str, PlayerLook] = {
    "violet": PlayerLook(rgba("#8a56d8"), WHITE, "V", "diamond"),
    "green": PlayerLook(rgba("#1f8f55"), WHITE, "G", "circle"),
    "red": PlayerLook(rgba("#d23732"), WHITE, "R", "square"),
    "orange": PlayerLook(rgba("#f39a2b"), rgba("#241505"), "O", "triangle"),
    "blue": PlayerLook(rgba("#2f6fc4"), WHITE, "B", "pentagon"),
    "yellow": PlayerLook(rgba("#f2d33c"), rgba("#2a2303"), "Y", "hexagon"),
    "white": PlayerLook(rgba("#f2efe6"), rgba("#20262a"), "W", "star"),
    "black": PlayerLook(BLACK, rgba("#f4ecd8"), "K", "cross"),
    "grey": PlayerLook(rgba("#7b8a91"), WHITE, "E", "circle"),
}
NOBODY = PlayerLook(BLACK, rgba("#f4ecd8"), "", "circle")


def look(colour: str | None) -> PlayerLook:
    """The look of a colour; of an unknown one, a plain dark one with its first letter."""
    if colour is None:
        return NOBODY
    known = PLAYERS.get(colour)
    return known or PlayerLook(rgba("#5b6b75"), WHITE, colour[:1].upper(), "circle")
