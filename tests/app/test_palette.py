"""Every text can be told from its ground, in every palette (WCAG 2.2, 1.4.3 and 1.4.11)."""

from __future__ import annotations

import pytest

from companion_app.palette import CALM, HIGH_CONTRAST, LIGHT, PLAYERS, Palette, Rgba

PALETTES = {"calm": CALM, "light": LIGHT, "high contrast": HIGH_CONTRAST}
GROUNDS = ("background", "panel", "raised")
TEXT_RATIO, SIGN_RATIO = 4.5, 3.0


def luminance(colour: Rgba) -> float:
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one: Rgba, other: Rgba) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", PALETTES)
def test_texts_can_be_read_on_their_grounds(name: str) -> None:
    palette = PALETTES[name]
    pairs = [(text, ground) for text in ("text", "muted", "faint") for ground in GROUNDS]
    pairs += [(text, "background") for text in ("good", "wait", "bad", "accent_text")]
    pairs += [(f"{mood}", f"{mood}_panel") for mood in ("bad", "wait", "good")]
    pairs += [("text", f"{mood}_panel") for mood in ("bad", "ask", "good", "wait")]
    pairs += [("accent_text", "raised"), ("text", "pressed"), ("accent_text", "ask_panel")]
    pairs += [("ink", "accent"), ("ink", "accent_pressed"), ("ink", "paper")]
    assert found(palette, pairs, TEXT_RATIO) == {}


@pytest.mark.parametrize("name", PALETTES)
def test_lamps_and_their_signs_can_be_told_from_their_grounds(name: str) -> None:
    lamps = ("good", "wait", "bad", "idle")
    pairs = [("sign", lamp) for lamp in lamps] + [(lamp, "background") for lamp in lamps]
    assert found(PALETTES[name], pairs, SIGN_RATIO) == {}


def found(palette: Palette, pairs: list[tuple[str, str]], least: float) -> dict[str, float]:
    ratios = {f"{a} on {b}": ratio(getattr(palette, a), getattr(palette, b)) for a, b in pairs}
    return {pair: round(r, 2) for pair, r in ratios.items() if r < least}


@pytest.mark.parametrize("colour", PLAYERS)
def test_every_player_s_letter_can_be_read(colour: str) -> None:
    assert ratio(PLAYERS[colour].fill, PLAYERS[colour].ink) >= SIGN_RATIO
