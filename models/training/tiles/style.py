"""How one artist paints a whole set of tiles: colours, textures, houses, lines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.colours import any_colour, hsv
from models.training.tiles import others
from models.training.tiles.emblems import GLYPHS, GROUNDS, PATTERNS, SHAPES, SPIRAL
from models.training.tiles.outline import Manner

Rng = np.random.Generator
Colour = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """Colours BGR 0 to 1, lengths in tiles.

    ``grain``: contrast of the texture of fields and cities; ``specks``: dashes and dots per tile;
    ``wall``: thickness, 0 without walls; ``merlons``: the wall has teeth; ``tower``: radius;
    ``houses``: per city; ``house``, ``church``: how buildings are drawn; ``road``: width;
    ``road_edge``: its darker border; ``ink``: black outlines of things; ``vignette``: how much
    darker the rim is; ``border``: width of a printed line about the tile; ``clutter``: trees, farms
    and animals per tile; ``crossing``: what stands where roads end; ``paving``, ``ploughing``:
    patterns of cities and fields, none if empty.
    """

    manner: Manner
    field: Colour
    field_other: Colour
    city: Colour
    city_other: Colour
    grain: tuple[float, float]
    specks: tuple[float, float]
    wall: float
    wall_colour: Colour
    merlons: bool
    tower: float
    roofs: tuple[Colour, ...]
    houses: float
    house: str
    house_size: float
    road_width: float
    road_colour: Colour
    road_edge: float
    edge_colour: Colour
    dashed: bool
    ink: float
    church: str
    church_size: float
    church_colours: tuple[Colour, Colour]
    pennant: str
    pennant_colours: tuple[Colour, Colour]
    pennant_size: float
    magic: str
    magic_colours: tuple[Colour, Colour]
    magic_size: float
    water: Colour
    vignette: float = 0.0
    border: float = 0.0
    border_colour: Colour = field(default_factory=lambda: np.zeros(3, np.float32))
    clutter: float = 1.0
    crossing: str = "village"
    shade: float = 0.3
    soft: float = 0.0
    inn_size: float = 1.0
    town_clutter: float = 0.0
    paving: str = ""
    ploughing: str = ""
    inn: str = others.INNS[0]


HOUSES = ("front", "iso", "roof", "block", "mixed")
CHURCHES = ("iso", "front", "cross", "round", "big")
PENNANTS = ("shield", "round_shield", "flag", "banner", "badge")
MAGICS = ("star", "hexagram", "spiral", "hat", "eye", "orb")
# Of the parts of emblems those that a first stock was painted with; other editions have all.
FIRST_SHAPES, FIRST_PATTERNS, FIRST_GROUNDS, FIRST_GLYPHS = 8, 10, 6, 14
FULL_TOWN = 0.15  # share of tiles of other editions with a town full of houses
CROSSINGS = ("village", "bushes", "square", "plain", "tower", "stones")


def random_style(rng: Rng) -> Style:
    """One of endlessly many artists."""
    u = rng.uniform
    wet = rng.random()
    field_hue = u(60, 130) if wet < 0.8 else u(35, 160)
    field_colour = hsv(field_hue, u(0.25, 0.85), u(0.3, 0.85))
    other = hsv(field_hue + rng.normal(0, 10), u(0.25, 0.85), u(0.3, 0.85))
    city = _city_colour(rng)
    road = _road_colour(rng)
    edge = road * u(0.15, 0.75) if rng.random() < 0.8 else hsv(u(20, 50), u(0.1, 0.6), u(0.1, 0.9))
    stone = hsv(u(15, 50), u(0.02, 0.45), u(0.4, 0.95))
    if rng.random() < 0.25:
        stone = city * u(0.45, 0.8) if rng.random() < 0.7 else np.full(3, u(0.05, 0.2), np.float32)
    wall = float(rng.choice([0.0, u(0.008, 0.02), u(0.02, 0.055)], p=[0.08, 0.32, 0.6]))
    church = rng.choice(CHURCHES, p=[0.34, 0.22, 0.18, 0.08, 0.18])
    return Style(
        Manner(
            u(0.05, 1.0), float(rng.choice([0, 0.006, 0.016])) * u(0.5, 1.2),
            float(rng.choice([0, 0.012, 0.028, 0.04])) * u(0.5, 1.2), u(0, 1),
            float(rng.choice([0, 0.015, 0.035])), u(0, 1.5),
        ),
        field_colour, other, city, np.clip(city * u(0.6, 1.3), 0, 1),
        (u(0, 1) ** 1.5, u(0, 1) ** 1.5), (u(0, 120) * (rng.random() < 0.7), u(0, 120) * (rng.random() < 0.7)),
        wall, stone, bool(rng.random() < 0.45), float(rng.choice([0, u(0.025, 0.05), u(0.05, 0.08)])),
        _roofs(rng), float(rng.choice([0, u(2, 6), u(6, 14)], p=[0.1, 0.5, 0.4])),
        str(rng.choice(HOUSES)), u(0.06, 0.13), float(np.exp(u(np.log(0.05), np.log(0.15)))), road,
        float(rng.choice([0, u(0.006, 0.012), u(0.012, 0.025)], p=[0.15, 0.45, 0.4])), edge.astype(np.float32),
        bool(rng.random() < 0.06), float(rng.choice([0, 0.006, 0.011], p=[0.3, 0.4, 0.3])), str(church),
        u(0.26, 0.46), (_building(rng), _roof(rng)), str(rng.choice(PENNANTS)), _pennant(rng), u(0.11, 0.2),
        str(rng.choice(MAGICS)), _magic(rng), u(0.12, 0.24), hsv(u(185, 225), u(0.3, 0.9), u(0.35, 0.95)),
        float(rng.choice([0, u(0.05, 0.4)], p=[0.5, 0.5])), float(rng.choice([0, u(0.004, 0.03)], p=[0.6, 0.4])),
        _border(rng), float(rng.choice([0, u(0.3, 2), u(2, 5)], p=[0.2, 0.5, 0.3])),
        str(rng.choice(CROSSINGS, p=[0.36, 0.16, 0.1, 0.2, 0.08, 0.1])), u(0, 0.6),
        float(rng.choice([0, u(0.004, 0.014)], p=[0.6, 0.4])),
    )  # fmt: skip


def other_hand(style: Style, rng: Rng) -> Style:
    """The same land with other signs and buildings: a set has one sign of magic, so that a stock of
    sets would show the network few of them."""
    u = rng.uniform
    out = random_style(rng)
    shape, pattern = (
        rng.choice(list(SHAPES)[:FIRST_SHAPES]),
        rng.choice(list(PATTERNS)[:FIRST_PATTERNS]),
    )
    coat = f"{shape}/{pattern}" + ("/rim" if rng.random() < 0.4 else "")
    spell = f"{rng.choice(GROUNDS[:FIRST_GROUNDS])}/{rng.choice([SPIRAL, *GLYPHS][:FIRST_GLYPHS])}"
    old = rng.random(2) < 0.3
    near = rng.random() < 0.5  # half of the tiles keep the set's buildings
    kept = style if near else out
    return replace(
        style, pennant=out.pennant if old[0] else coat, pennant_colours=_arms(rng), pennant_size=u(0.09, 0.25),
        magic=out.magic if old[1] else spell, magic_colours=_spell(rng), magic_size=u(0.1, 0.28),
        water=hsv(u(165, 240), u(0.15, 0.95), u(0.25, 1.0)), inn_size=float(np.exp(u(-0.4, 0.45))),
        town_clutter=float(rng.choice([0.0, u(0.3, 4.0)], p=[0.5, 0.5])), church=kept.church,
        church_size=kept.church_size, church_colours=kept.church_colours, roofs=kept.roofs, house=kept.house,
        house_size=kept.house_size, houses=kept.houses, crossing=out.crossing, clutter=out.clutter, ink=out.ink,
    )  # fmt: skip


def other_edition(style: Style, rng: Rng) -> Style:
    """A tile as artists of other editions have it: half of the time each, another church, inn, pennant
    and sign of magic, and now and then a town full of small houses."""
    u, chosen = rng.uniform, rng.random(4) < 0.5
    out = style
    if chosen[0]:
        out = replace(out, church=str(rng.choice(others.CHURCHES)))
    if chosen[1]:
        out = replace(out, inn=str(rng.choice(others.INNS[1:])))
    if chosen[2]:
        rim = "/rim" if rng.random() < 0.4 else ""
        out = replace(out, pennant=f"{rng.choice(list(SHAPES))}/{rng.choice(list(PATTERNS))}{rim}")
    if chosen[3]:
        out = replace(out, magic=f"{rng.choice(GROUNDS)}/{rng.choice([SPIRAL, *GLYPHS])}")
    if rng.random() < FULL_TOWN:
        out = replace(out, houses=u(12, 30), house_size=u(0.045, 0.09))
    return out


def other_land(style: Style, rng: Rng) -> Style:
    """The same set with patterns on its fields and in its cities, half of the time each."""
    paving, ploughing = (
        str(rng.choice(kinds)) if rng.random() < 0.5 else ""
        for kinds in (others.PAVINGS, others.PLOUGHINGS)
    )
    return replace(style, paving=paving, ploughing=ploughing)


def _arms(rng: Rng) -> tuple[Colour, Colour]:
    """Two tinctures of a coat of arms that differ; one may be dull."""
    if rng.random() < 0.45:
        return _pennant(rng)
    for _ in range(20):
        a, b = any_colour(rng), any_colour(rng)
        if np.abs(a - b).max() > 0.35 and max(a.max(), b.max()) > 0.4:
            break
    return a, b


def _spell(rng: Rng) -> tuple[Colour, Colour]:
    """Violet and orange mostly, any two that differ otherwise."""
    return _magic(rng) if rng.random() < 0.6 else _arms(rng)


def plain_style(manner: Manner | None = None) -> Style:
    """The plain set for the printer: flat colours, thin lines, nothing that costs ink in vain."""
    c = _bgr
    return Style(
        manner or Manner(0.55, 0, 0, 0.25, 0, 0), c(196, 222, 160), c(196, 222, 160), c(214, 170, 122),
        c(214, 170, 122), (0, 0), (0, 0), 0.028, c(120, 88, 62), False, 0.0, (c(176, 70, 52),), 4, "front",
        0.1, 0.085, c(250, 248, 240), 0.01, c(120, 112, 100), False, 0.006, "front", 0.34,
        (c(232, 226, 214), c(176, 70, 52)), "shield", (c(40, 84, 160), c(250, 250, 250)), 0.16, "star",
        (c(112, 60, 150), c(244, 160, 48)), 0.18, c(96, 160, 210), 0.0, 0.012, c(90, 90, 90), 0.0, "square",
        0.0, 0.0,
    )  # fmt: skip


def _bgr(r: int, g: int, b: int) -> Colour:
    return np.array([b, g, r], np.float32) / 255


def _city_colour(rng: Rng) -> Colour:
    u, t = rng.uniform, rng.random()
    if t < 0.6:
        return hsv(u(8, 40), u(0.2, 0.75), u(0.35, 0.95))
    if t < 0.78:
        return hsv(u(0, 60), u(0, 0.25), u(0.35, 0.95))
    if t < 0.9:
        return hsv(u(-30, 12), u(0.3, 0.8), u(0.35, 0.9))
    return hsv(u(40, 58), u(0.3, 0.8), u(0.6, 0.95))


def _road_colour(rng: Rng) -> Colour:
    u, t = rng.uniform, rng.random()
    if t < 0.45:
        return np.asarray(np.clip(hsv(u(0, 360), u(0, 0.1), u(0.75, 1.0)), 0, 1), np.float32)
    if t < 0.72:
        return hsv(u(25, 52), u(0.1, 0.5), u(0.65, 1.0))
    if t < 0.85:
        return hsv(u(0, 360), u(0, 0.12), u(0.3, 0.7))
    if t < 0.93:
        return hsv(u(260, 345), u(0.05, 0.3), u(0.6, 0.95))
    return hsv(u(15, 40), u(0.3, 0.7), u(0.3, 0.7))


def _roof(rng: Rng) -> Colour:
    u, t = rng.uniform, rng.random()
    if t < 0.6:
        return hsv(u(-15, 22), u(0.5, 0.95), u(0.4, 0.95))
    if t < 0.75:
        return hsv(u(200, 240), u(0.2, 0.7), u(0.25, 0.7))
    if t < 0.9:
        return hsv(u(20, 45), u(0.2, 0.7), u(0.25, 0.8))
    return any_colour(rng)


def _roofs(rng: Rng) -> tuple[Colour, ...]:
    return tuple(_roof(rng) for _ in range(int(rng.integers(1, 4))))


def _building(rng: Rng) -> Colour:
    u = rng.uniform
    return hsv(u(15, 50), u(0.0, 0.5), u(0.5, 1.0))


def _pennant(rng: Rng) -> tuple[Colour, Colour]:
    u = rng.uniform
    if rng.random() < 0.6:
        strong = hsv(u(205, 240), u(0.6, 1), u(0.3, 0.9))
    else:
        strong = hsv(u(0, 360), u(0.6, 1), u(0.3, 0.9))
    light = (
        np.full(3, u(0.85, 1), np.float32)
        if rng.random() < 0.75
        else hsv(u(40, 58), u(0.5, 0.9), 0.95)
    )
    return strong, light


def _magic(rng: Rng) -> tuple[Colour, Colour]:
    u = rng.uniform
    violet, orange = (
        hsv(u(255, 310), u(0.4, 0.95), u(0.3, 0.9)),
        hsv(u(18, 50), u(0.6, 1), u(0.8, 1)),
    )
    if rng.random() < 0.25:
        orange = np.full(3, u(0.85, 1), np.float32)
    return (violet, orange) if rng.random() < 0.6 else (orange, violet)


def _border(rng: Rng) -> Colour:
    t = rng.random()
    return np.full(3, 0.05 if t < 0.5 else 0.95 if t < 0.8 else rng.uniform(0.1, 0.9), np.float32)
