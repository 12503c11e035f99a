"""Figures on the tiles: where they stand, whether they lie, what they are and whose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import ColourModel, prototype, sample_colours
from vision.detector import Detector
from vision.reference import Reference
from vision.silhouettes import owner_map
from vision.tiles.added import OTHER, Added
from vision.tiles.behind import KNOWN_SHARE, Behind, Postures
from vision.tiles.lattice import Lattice, Place, tile_corners
from vision.tiles.posture import Posture, belonging
from vision.types import SHAPES, BoardPose, Detections, Image

LEAST_SCORE = 0.3
# Seen from high above a figure may look like a cube or a disc; nothing else stands on these tables.
NO_FIGURE = ("wall", "l_wall", "castle")
STANDING, LYING, PAWN = (SHAPES.index(s) for s in ("meeple", "meeple_lying", "pawn"))
OFF_RIM = 0.06  # of a tile: a foot so far beside all tiles still stands on the nearest
LEAST_SIGMA = 0.035  # of a tile
FOOT_PX = 1.6  # standard deviation of a foot in the picture
NO_COLOUR = -6.0
# Log-odds of lying, fitted to own renders of other artists than those of the figures:
# the detector's shapes alone; a constant, the shapes and the outlines together.
SHAPE_ALONE = 2.9
BASE, SHAPE_WEIGHT, OUTLINE_WEIGHT = 0.5, 2.1, 54.0
GOOD_OVERLAP, LEAST_OVERLAP = 0.55, 0.2
CLEARER = 0.03  # by so much a colour taken anew must fit an outline better
# Roofs and trees of the print have no figure's outline, also where the bare tile is not known.
PRINT_OVERLAP, PLAIN_OVERLAP = 0.16, 0.3
# What the network is not sure of needs a better outline: where the bare tile is known, and elsewhere.
UNSURE_SCORE, UNSURE_LEAST, UNSURE_PRINT = 0.5, 0.3, 0.42
# Log-likelihood of the best colour below which a thing is of nobody's, if it is not plainly a figure.
NO_LIKENESS, PLAIN_SCORE = -6.0, 0.8
SAME_FIGURE, NO_ROOM = 0.16, 0.04  # tiles
NEXT_FIGURE = 0.27  # tiles: no two figures of a colour stand so near; one has a lit and a dark side


@dataclass(frozen=True, slots=True)
class FigureLook:
    """What a figure may be: its ``role`` and ``owner`` (None: nobody's) and the name of its colour."""

    role: str
    owner: str | None
    colour: str


@dataclass(frozen=True, slots=True, eq=False)
class ReadFigure:
    """``looks``: log-probabilities in the order of the asked looks; ``place`` None: beside all
    tiles; ``foot`` (u, v) on the tile as it lies; ``sigma`` in tiles; ``lying``: probability;
    ``bgr``: its sampled colour, None where nothing of it was to be seen."""

    looks: NDArray[np.float64]
    place: Place | None
    foot: tuple[float, float]
    sigma: float
    lying: float
    confidence: float
    overlap: float
    foot_px: tuple[float, float]
    bgr: tuple[float, float, float] | None


def read_figures(
    image: Image, pose: BoardPose, lattice: Lattice, tiles: Mapping[Place, NDArray[np.float64]],
    looks: Sequence[FigureLook], colours: Mapping[str, ColourModel], detector: Detector,
    board: Board, bare: Reference | None = None,
    behind: tuple[Image, Image] | None = None,
    postures: Postures | None = None,
) -> tuple[list[ReadFigure], Detections]:  # fmt: skip
    """Every figure in the picture, and all that the detector says.

    ``pose``: the window about the tiles; ``tiles``: how they lie beside their places (see
    `FoundTile.at`); ``looks``: what figures may be; ``colours``: learnt at this table, by name,
    others are guessed from the name; ``bare``: the window without figures, as far as its tiles are known; ``behind``: the whole picture
    without them, and where it is known (None: as ``bare``);
    ``postures``: what was told of figures in pictures before.
    """
    found = detector.detect(image, pose, bare, where_unsure=True)
    samples = sample_colours(image, found, owner_map(image, pose, board, found))
    seen_behind = Behind(image, pose, behind or bare, postures)
    table = _Table(lattice, tiles, looks, colours, seen_behind)
    out = []
    for i in range(len(found)):
        if found.shape_of(i) in NO_FIGURE:
            continue
        bgr = samples[i].astype(float) if np.isfinite(samples[i]).all() else None
        odds = _shape_odds(found.shape_scores[i])
        foot_px = found.foot_px[i].astype(float)
        figure = table.figure(foot_px, bgr, float(found.score[i]), odds)
        if figure is not None:
            out.append(figure)
    out = _each_once(out, lattice)
    standing = [(np.array(f.foot_px), f.bgr) for f in out]
    quads = [lattice.to_image(tile_corners(p, at)) for p, at in tiles.items()]
    missed = [table.added(thing) for thing in seen_behind.added(quads, standing)]
    return _each_once(out + [f for f in missed if f is not None], lattice), found


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """What a thing in the picture is judged by."""

    lattice: Lattice
    tiles: Mapping[Place, NDArray[np.float64]]
    looks: Sequence[FigureLook]
    colours: Mapping[str, ColourModel]
    behind: Behind

    def figure(
        self, foot_px: NDArray[np.float64], bgr: NDArray[np.float64] | None, score: float, odds: float
    ) -> ReadFigure | None:  # fmt: skip
        """An answer of the detector as a figure; None if it is none.

        ``score``: the detector's; ``odds``: of lying against standing by its shapes alone.
        """
        if bgr is None:
            if score < LEAST_SCORE:
                return None
            return self._read(foot_px, None, score, 0.0, _chance(SHAPE_ALONE * odds))
        posture, told = self.behind.posture(foot_px, bgr)
        if told > KNOWN_SHARE and posture.overlap < GOOD_OVERLAP:
            clear = self.behind.clearer(foot_px, bgr)
            better, _ = self.behind.posture(foot_px, clear)
            if better.overlap > posture.overlap + CLEARER:
                posture, bgr = better, clear
        # What is not there on the bare tile and has a figure's outline needs no sure network.
        plain = told > KNOWN_SHARE and posture.overlap > GOOD_OVERLAP
        if score < LEAST_SCORE and not plain:
            return None
        bare, unsure = told > KNOWN_SHARE, score < UNSURE_SCORE
        least = LEAST_OVERLAP if bare else PRINT_OVERLAP
        if posture.overlap < ((UNSURE_LEAST if bare else UNSURE_PRINT) if unsure else least):
            return None  # nothing of the figure's colour was added there, or the print shows it
        if self._unlike(bgr) and score < PLAIN_SCORE:
            return None  # a house or a tree of the print
        chance = _chance(BASE + SHAPE_WEIGHT * odds + OUTLINE_WEIGHT * posture.lying)
        if posture.overlap > GOOD_OVERLAP:
            foot_px = posture.foot_px
        # Two that touch look strange to the network; an outline of its own speaks for each of them.
        sure = max(score, posture.overlap if plain else LEAST_SCORE)
        return self._read(foot_px, bgr, sure, posture.overlap, chance)

    def added(self, thing: Added) -> ReadFigure | None:
        """Something that was added to the bare table as a figure that the detector missed."""
        best: tuple[Posture, float] | None = None
        for foot_px in (thing.foot_px, thing.middle_px):
            told = self.behind.posture(foot_px, thing.bgr)
            if best is None or told[0].overlap > best[0].overlap:
                best = told
        assert best is not None
        posture, share = best
        if posture.overlap < GOOD_OVERLAP or share < KNOWN_SHARE or self._unlike(thing.bgr):
            return None
        chance = _chance(BASE + OUTLINE_WEIGHT * posture.lying)
        return self._read(posture.foot_px, thing.bgr, posture.overlap, posture.overlap, chance)

    def _unlike(self, bgr: NDArray[np.float64]) -> bool:
        return max(_fits(bgr, self.looks, self.colours), default=0.0) < NO_LIKENESS

    def _read(
        self, foot_px: NDArray[np.float64], bgr: NDArray[np.float64] | None, score: float,
        overlap: float, lying: float,
    ) -> ReadFigure:  # fmt: skip
        place, foot = _on_tile(self.lattice, self.tiles, foot_px)
        sigma = LEAST_SIGMA
        if place is not None:
            sigma = max(sigma, FOOT_PX / self.lattice.side_px(place))
        return ReadFigure(
            _looks(_fits(bgr, self.looks, self.colours)), place, foot, sigma, lying, score, overlap,
            (float(foot_px[0]), float(foot_px[1])),
            None if bgr is None else (float(bgr[0]), float(bgr[1]), float(bgr[2])),
        )  # fmt: skip


def _each_once(figures: list[ReadFigure], lattice: Lattice) -> list[ReadFigure]:
    """Without weaker answers of another shape for the same figure."""
    kept: list[tuple[ReadFigure, NDArray[np.float64]]] = []
    for figure in sorted(figures, key=lambda f: -f.confidence):
        at = lattice.to_lattice(np.array([figure.foot_px]))[0]
        if not any(
            _alike(known, figure, float(np.linalg.norm(other - at))) for known, other in kept
        ):
            kept.append((figure, at))
    return [figure for figure, _ in kept]


def _alike(known: ReadFigure, weaker: ReadFigure, gap: float) -> bool:
    """Whether two answers mean one figure; ``gap``: between their feet in tiles."""
    if np.argmax(known.looks) == np.argmax(weaker.looks):
        return gap <= NEXT_FIGURE
    if gap > SAME_FIGURE:
        return False
    if gap < NO_ROOM or weaker.overlap < GOOD_OVERLAP or known.bgr is None or weaker.bgr is None:
        return True
    # Another paint with an outline of its own: two that touch, and the feet are a little off.
    pixel = np.array(known.bgr, np.float32).round()[None, None].astype(np.uint8)
    return float(belonging(pixel, np.array(weaker.bgr, np.float32))[0, 0]) > OTHER


def _shape_odds(scores: NDArray[np.float32]) -> float:
    upright = max(float(scores[STANDING]), float(scores[PAWN]), 1e-3)
    return float(np.log(max(float(scores[LYING]), 1e-3) / upright))


def _chance(odds: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(odds, -20, 20))))


def _on_tile(
    lattice: Lattice, tiles: Mapping[Place, NDArray[np.float64]], foot_px: NDArray[np.float64]
) -> tuple[Place | None, tuple[float, float]]:
    """The tile under a foot, and where on it as it lies."""
    best: tuple[float, Place, tuple[float, float]] | None = None
    x, y = lattice.to_lattice(foot_px[None])[0]
    for place in {
        (int(np.floor(x + dx)), int(np.floor(y + dy)))
        for dx in (-0.2, 0, 0.2)
        for dy in (-0.2, 0, 0.2)
    }:
        at = tiles.get(place)
        if at is None:
            continue
        c, s = np.cos(at[2]), np.sin(at[2])
        dx, dy = x - place[0] - 0.5 - at[0], y - place[1] - 0.5 - at[1]
        u, v = (c * dx + s * dy) + 0.5, (-s * dx + c * dy) + 0.5
        beyond = float(max(-u, u - 1, -v, v - 1, 0.0))
        if best is None or beyond < best[0]:
            best = (beyond, place, (float(np.clip(u, 0, 1)), float(np.clip(v, 0, 1))))
    if best is None or best[0] > OFF_RIM:
        return None, (0.5, 0.5)
    return best[1], best[2]


def _fits(
    bgr: NDArray[np.float64] | None, looks: Sequence[FigureLook], colours: Mapping[str, ColourModel]
) -> list[float]:
    """Log-likelihood of each look's colour; 0 where none was to be seen."""
    if bgr is None:
        return [0.0] * len(looks)
    scores = []
    for look in looks:
        model = colours.get(look.colour) or prototype(look.colour)
        scores.append(NO_COLOUR if model is None else model.log_likelihood(bgr.astype(np.float32)))
    return scores


def _looks(fits: Sequence[float]) -> NDArray[np.float64]:
    """The same as log-probabilities."""
    logs = np.array(fits)
    if not len(logs):
        return logs
    return np.asarray(logs - (logs.max() + np.log(np.exp(logs - logs.max()).sum())))
