"""What a set of dice looks like: shape, colours, pips, signs instead of pips."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.colours import any_colour, hsv, piece_colour

Rng = np.random.Generator
F32 = NDArray[np.float32]
SIGN_PX = 64  # side of a sign's texture

# Pips on a face, in spreads from its middle.
LAYOUT: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@dataclass(frozen=True, slots=True, eq=False)
class DieLook:
    """One set of dice; lengths in sides of the die, colours BGR 0 to 1.

    ``rounding``: radius of the edges.  ``ball``: radius of the ball that the cube is cut with.
    ``body2``: second colour of a marbled body, mixed by ``marble`` 0 to 1.  ``clear``: how much of
    the ground shines through.  ``spread``, ``radius``: distance of the outer pips from the middle,
    their size; ``one``: how much bigger the pip of the 1 is.  ``dent``: depth of the pips.
    ``odd_pip``: another colour for the pips of some values.  ``sign``: (SIGN_PX, SIGN_PX) 0 to 1,
    painted instead of the pips of ``sign_of``.  ``blank``: no pips at all, so no die.
    """

    rounding: float
    ball: float
    body: F32
    body2: F32
    marble: float
    clear: float
    pip: F32
    shine: float
    spread: float
    radius: float
    one: float
    dent: float
    square: bool
    odd_pip: dict[int, F32]
    sign: F32 | None
    sign_of: frozenset[int]
    blank: bool = False


def random_look(rng: Rng) -> DieLook:
    """A set of dice as shops sell them; a few plain cubes among them."""
    body, pip = _colours(rng)
    signs = rng.random() < 0.14
    odd: dict[int, F32] = {}
    if rng.random() < 0.06:
        odd = {1: hsv(rng.uniform(-8, 8), 0.9, 0.75), 4: hsv(rng.uniform(-8, 8), 0.9, 0.75)}
    marbled = rng.random() < 0.16
    other = np.clip(body * rng.uniform(0.3, 1.9), 0, 1) if rng.random() < 0.7 else any_colour(rng)
    radius = float(rng.uniform(0.072, 0.125))
    return DieLook(
        rounding=float(rng.uniform(0.02, 0.2)),
        ball=float(rng.uniform(0.66, 0.8)) if rng.random() < 0.5 else 1.0,
        body=body,
        body2=other.astype(np.float32),
        marble=float(rng.uniform(0.2, 0.9)) if marbled else 0.0,
        clear=float(rng.uniform(0.1, 0.45)) if rng.random() < 0.12 else 0.0,
        pip=pip,
        shine=float(rng.uniform(0, 0.9)) if rng.random() < 0.7 else 0.0,
        spread=float(rng.uniform(max(0.2, 1.15 * radius), 0.3)),
        radius=radius,
        one=float(rng.uniform(1.2, 2.0)) if rng.random() < 0.15 else 1.0,
        dent=float(rng.uniform(0, 0.9)),
        square=bool(rng.random() < 0.03),
        odd_pip=odd,
        sign=_sign(rng) if signs else None,
        sign_of=frozenset([int(rng.choice([1, 6, int(rng.integers(1, 7))]))]) if signs else frozenset(),
    )  # fmt: skip


def plain_cube(rng: Rng) -> DieLook:
    """A cube without pips, like an energy stone: found by nobody who looks for dice."""
    return replace(random_look(rng), blank=True, body=piece_colour(rng))


def _colours(rng: Rng) -> tuple[F32, F32]:
    """(body, pips), as different in brightness as dice are."""
    t = rng.random()
    if t < 0.42:  # white to ivory, dark or coloured pips
        body = hsv(rng.uniform(25, 60), rng.uniform(0, 0.25), rng.uniform(0.75, 1.0))
        pip = np.full(3, rng.uniform(0.01, 0.12), np.float32)
        if rng.random() < 0.2:
            pip = hsv(rng.uniform(0, 360), rng.uniform(0.5, 1), rng.uniform(0.2, 0.6))
    elif t < 0.54:  # black
        body = np.full(3, rng.uniform(0.01, 0.1), np.float32)
        pip = hsv(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.75, 1.0))
    elif t < 0.9:  # coloured, mostly white pips
        body = hsv(rng.uniform(0, 360), rng.uniform(0.5, 1), rng.uniform(0.2, 0.9))
        if rng.random() < 0.3:
            body = hsv(rng.uniform(-8, 10), rng.uniform(0.75, 1), rng.uniform(0.45, 0.9))
        bright = float(body @ np.array([0.11, 0.59, 0.3], np.float32))
        pip = np.full(3, rng.uniform(0.85, 1.0), np.float32)
        if bright > 0.55 or (bright > 0.35 and rng.random() < 0.3):
            pip = np.full(3, rng.uniform(0.01, 0.1), np.float32)
    else:  # wood
        body = hsv(rng.uniform(18, 40), rng.uniform(0.2, 0.6), rng.uniform(0.5, 0.9))
        pip = np.full(3, rng.uniform(0.02, 0.15), np.float32)
    return body.astype(np.float32), pip.astype(np.float32)


def _sign(rng: Rng) -> F32:
    """A sign in place of pips: a letter, a figure, or a patch with holes."""
    canvas = np.zeros((SIGN_PX, SIGN_PX), np.uint8)
    if rng.random() < 0.4:
        text = str(rng.choice(list("0123456789ABKSXYZ*#&?")))
        scale, thick = float(rng.uniform(1.2, 2.0)), int(rng.integers(2, 6))
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        at = ((SIGN_PX - w) // 2, (SIGN_PX + h) // 2)
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(1, 4))):
            t = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 11))))
            r = SIGN_PX * rng.uniform(0.1, 0.4, len(t))
            centre = SIGN_PX / 2 + rng.uniform(-5, 5, 2)
            points = np.stack([centre[0] + r * np.cos(t), centre[1] + r * np.sin(t)], 1)
            cv2.fillPoly(canvas, [points.astype(np.int32)], 255, cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 4))):
            at = tuple(int(v) for v in rng.uniform(0.3, 0.7, 2) * SIGN_PX)
            cv2.circle(canvas, at, int(rng.integers(2, 6)), 0, -1, cv2.LINE_AA)
    return canvas.astype(np.float32) / 255
