"""The eyes for Carcassonne: what they report of a table of tiles, in the game's own words.

What lies where, and what may lie beside it, comes from the expected placement; the rules stay in
the engine, which turns the report into an observation (``engine.carcassonne.sight``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.carcassonne.faces import ANY, Face, Pos, step
from engine.carcassonne.placement import MEEPLE_KINDS, TILE, pos_of, tile_of
from engine.carcassonne.seen import (
    FaceGuess,
    FigureGuess,
    Role,
    SeenFigure,
    SeenTable,
    SeenTile,
)
from engine.carcassonne.setup import FIGURES, Setup
from engine.carcassonne.tiles import faces
from engine.observation import CellView
from engine.placement import Placement
from vision.appearance import ColourModel
from vision.detector import Detector
from vision.settle import HAND_AREA
from vision.tiles.behind import Postures
from vision.tiles.figures import PLAIN_OVERLAP, FigureLook, ReadFigure, read_figures
from vision.tiles.lattice import Place
from vision.tiles.memory import RememberingNetwork
from vision.tiles.network import network
from vision.tiles.profile import Profile
from vision.tiles.reading import ReadTile, Scores, TileReader, patches_of, prior_of
from vision.tiles.scene import place_of
from vision.tiles.sight import TILE_MM, SeenLayout, TileSight
from vision.types import BoardPose, Detections, Image

GUESSES = 5
LEAST_GUESS = -9.0
KNOWN_STAYS = 6.0  # log-odds by which a known tile is likelier than any other on its place
FIGURE_COLOURS = {"mage": "violet", "witch": "orange"}
LEARN_SURE = -0.25  # log-probability of a colour from which a standing figure teaches it
BRIGHTNESS_SPREAD = 0.6  # natural log: a figure lies in the light and stands in its own shade
FEW = 6  # so many samples of a colour weigh alike, later ones count less
HAND_PIXEL = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class TileGlance:
    """All that was made of one picture of a table of tiles."""

    layout: SeenLayout
    figures: tuple[ReadFigure, ...]
    detections: Detections
    hand_area: float
    under_hand: frozenset[Place]

    @property
    def hand(self) -> bool:
        """Whether a hand is over the tiles."""
        return self.hand_area > HAND_AREA


@dataclass(frozen=True, slots=True)
class Expected:
    """What the game knows: tiles by place, the kinds still in the stack with their numbers, and
    the figures (role, owner) on every place."""

    tiles: Mapping[Pos, Face] = field(default_factory=dict)
    stack: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[Pos, tuple[tuple[str, str | None], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, placement: Placement) -> Expected:
        """Reads a placement of ``engine.carcassonne.placement``."""
        tiles: dict[Pos, Face] = {}
        figures: dict[Pos, tuple[tuple[str, str | None], ...]] = {}
        stack: Counter[str] = Counter()
        for info, spots in placement:
            if info.kind.startswith(TILE):
                if spots:
                    tiles[pos_of(spots[0])] = tile_of(spots[0], info.kind)
                else:
                    stack[info.kind.removeprefix(TILE)] += 1
            elif spots:
                pos = pos_of(spots[0])
                figures[pos] = (*figures.get(pos, ()), (info.kind, info.colour))
        return cls(tiles, stack, figures)

    def wanted(self, pos: Pos) -> str:
        """The edges N E S W that the tiles around a place ask for; "?" where none lies."""
        letters = []
        for side in range(4):
            beside = self.tiles.get(step(pos, side))
            letters.append(ANY if beside is None else beside.edges[(side + 2) % 4])
        return "".join(letters)

    def allowed(self, pos: Pos) -> dict[tuple[str, int], float]:
        """Weights of (kind, turn) that may lie on a free place: the stack's counts."""
        wanted = self.wanted(pos)
        return {
            (kind, face.rot): float(count)
            for kind, count in self.stack.items()
            for face in faces(kind)
            if all(w in (ANY, e) for w, e in zip(wanted, face.edges, strict=True))
        }


def priors_of(expected: Expected, kinds: Iterable[str]) -> dict[Place, Scores]:
    """Log-priors (kinds, 4) of every known place and of the free ones beside them."""
    names = tuple(kinds)
    priors: dict[Place, Scores] = {}
    rest = prior_of({(k, r): 1.0 for k in names for r in (0, 90, 180, 270)}, names)
    number = {kind: n for n, kind in enumerate(names)}
    for pos, face in expected.tiles.items():
        prior = rest.copy()
        prior[number[face.tile], face.rot // 90] += KNOWN_STAYS
        priors[pos] = prior
        for side in range(4):
            free = step(pos, side)
            if free not in expected.tiles and free not in priors:
                priors[free] = prior_of(expected.allowed(free), names)
    return priors


def looks_of(setup: Setup) -> tuple[FigureLook, ...]:
    """What may stand on the tiles of a game."""
    sizes = [MEEPLE_KINDS[size] for size in setup.full_hand()]
    looks = [FigureLook(role, seat, seat) for seat in setup.seats for role in sizes]
    if setup.magic:
        looks += [FigureLook(who, None, FIGURE_COLOURS[who]) for who in FIGURES]
    return tuple(looks)


class TileEyes:
    """Reads pictures of one table of tiles.

    ``setup``: the game's tiles and players; ``profile``: the owner's edition, if it was learnt;
    ``corners_px``: of the start tile, where they are given.
    """

    def __init__(
        self, setup: Setup, detector: Detector, board: Board, profile: Profile | None = None,
        corners_px: NDArray[np.float64] | None = None,
    ) -> None:  # fmt: skip
        eyes = RememberingNetwork(network())
        counts = setup.counts
        reader = TileReader({k: faces(k) for k in sorted(counts)}, eyes, profile, counts)
        self.sight = TileSight(reader, corners_px)
        self.detector = detector
        self._board = board
        self._looks = looks_of(setup)
        self._colours: dict[str, ColourModel] = {}
        self._expected = Expected()
        self._postures = Postures()
        self._last: TileGlance | None = None
        self._image: Image | None = None
        # Where a tile lay that was accepted since: on the next picture a figure may stand on it.
        self._before: tuple[Image, TileGlance] | None = None

    def expect(self, placement: Placement) -> None:
        """What lies and stands where now.  A tile that was just accepted teaches this edition's
        print, a figure its owner's colour."""
        expected = Expected.of(placement)
        if self._last is not None:
            self._learn(expected, self._last)
        before = self._expected.tiles
        places = before.keys() | expected.tiles.keys()
        self.sight.bare.forget(p for p in places if before.get(p) != expected.tiles.get(p))
        self._expected = expected
        fresh = expected.tiles.keys() - before.keys()
        if fresh and self._last is not None and self._image is not None and not self._last.hand:
            if fresh <= {t.found.place for t in self._last.layout.tiles}:
                self._before = (self._image, self._last)
        kinds = self.sight.reader.kinds
        number = {kind: n for n, kind in enumerate(kinds)}
        known = {p: (number[f.tile], f.rot // 90) for p, f in expected.tiles.items()}
        self.sight.expect(known, priors_of(expected, kinds))

    def look(
        self, image: Image, pose: BoardPose | None = None, changed: object = None
    ) -> TileGlance | None:
        """Reads one picture; None while no lattice is known."""
        if (before := self._before) is not None:
            self._before = None
            self._keep_bare(*before)
        layout = self.sight.read(image)
        rim = self.sight.figure_rim()
        near = self.sight.pose(rim)
        if layout is None or near is None:
            return None
        at = {t.found.place: t.found.at for t in layout.tiles}
        window, bare = self.sight.window(rim), self.sight.bare
        figures, found = read_figures(
            image, near, layout.lattice, at, self._looks, self._colours, self.detector,
            self._board, bare.reference(layout.lattice, window, TILE_MM, at, table=False),
            bare.behind(at), self._postures,
        )  # fmt: skip
        area, under = _hand(found, near, layout)
        self._last, self._image = TileGlance(layout, tuple(figures), found, area, under), image
        if area <= HAND_AREA:
            self._keep_bare(image, self._last)
        return self._last

    # -- learning --------------------------------------------------------------------------------

    def _learn(self, expected: Expected, glance: TileGlance) -> None:
        profile = self.sight.reader.profile
        covered = {f.place for f in glance.figures} | glance.under_hand
        covered |= self._expected.figures.keys() | expected.figures.keys()
        fresh = [
            t.found
            for t in glance.layout.tiles
            if (face := expected.tiles.get(t.found.place)) is not None
            and (t.found.place not in self._expected.tiles or face.tile not in profile.views)
        ]
        clear = [t for t in fresh if t.place not in covered]
        if self._image is not None and clear:
            for tile, patch in zip(
                clear, patches_of(self._image, glance.layout.lattice, clear), strict=True
            ):
                face = expected.tiles[tile.place]
                profile = profile.learnt(face.tile, face.rot, patch)
            self.sight.reader.learn(profile)
        for pos, standing in expected.figures.items():
            here = [f for f in glance.figures if f.place == pos and f.bgr is not None]
            if len(here) == len(standing) == 1:
                role, owner = standing[0]
                self._learn_colour(owner or FIGURE_COLOURS[role], here[0])

    def _learn_colour(self, colour: str, figure: ReadFigure) -> None:
        """All are learnt alike, mage and witch as well: a colour that is known well would lose against
        one that is only guessed, and so fits anything a little."""
        best = self._looks[int(np.argmax(figure.looks))]
        if best.colour != colour or figure.bgr is None:
            return
        known = self._colours.get(colour)
        count = min(known.count, FEW) if known else 0
        old = np.array(known.bgr) if known else np.zeros(3)
        mean = (old * count + np.array(figure.bgr)) / (count + 1)
        self._colours[colour] = ColourModel(
            (float(mean[0]), float(mean[1]), float(mean[2])), count + 1, BRIGHTNESS_SPREAD
        )

    def _keep_bare(self, image: Image, glance: TileGlance) -> None:
        """The look of every place on which no figure stands.  A tile is mostly laid before anything
        is put on it: what only looks a little like a figure then belongs to its print."""
        layout = glance.layout
        plain = [f for f in glance.figures if f.overlap > PLAIN_OVERLAP]
        feet = [layout.lattice.to_lattice(np.array([f.foot_px]))[0] for f in plain]
        at = {t.found.place: t.found.at for t in layout.tiles}
        seen = Counter(f.place for f in glance.figures)
        waiting = {p for p, who in self._expected.figures.items() if seen[p] < len(who)}
        standing = np.array(feet).reshape(-1, 2)
        self.sight.bare.keep(image, layout.lattice, at, standing, waiting)

    # -- reporting -------------------------------------------------------------------------------

    def table(
        self, glance: TileGlance, t_s: float, hand: bool, still_s: float,
        changed: frozenset[str] | None = None, hidden: Iterable[str] = (),
    ) -> SeenTable:  # fmt: skip
        """The glance as the engine wants it; ``changed`` and ``hidden``: spots of the scene."""
        views = dict.fromkeys(glance.layout.hidden, CellView.HIDDEN)
        views |= dict.fromkeys(glance.under_hand, CellView.HAND)
        views |= {place_of(s): CellView.HAND for s in hidden}
        places = None if changed is None else frozenset(place_of(s) for s in changed)
        kinds = self.sight.reader.kinds
        return SeenTable(
            t_s, True, hand, tuple(seen_tile(t, kinds) for t in glance.layout.tiles),
            tuple(seen_figure(f, self._looks) for f in glance.figures), views, places, still_s,
        )  # fmt: skip


def seen_tile(tile: ReadTile, kinds: tuple[str, ...]) -> SeenTile:
    """A read tile in the game's words."""
    flat = tile.log_probs.ravel()
    best = np.argsort(-flat)[:GUESSES]
    guesses = tuple(
        FaceGuess(kinds[int(n) // 4], 90 * (int(n) % 4), float(flat[n]))
        for k, n in enumerate(best)
        if k == 0 or flat[n] > LEAST_GUESS
    )
    found = tile.found
    return SeenTile(
        found.place[0], found.place[1], guesses, float(1 / (1 + np.exp(-found.present))),
        (float(found.at[0]), float(found.at[1])), float(np.degrees(found.at[2])),
    )  # fmt: skip


def seen_figure(figure: ReadFigure, looks: tuple[FigureLook, ...]) -> SeenFigure:
    """A read figure in the game's words."""
    order = np.argsort(-figure.looks)
    guesses = tuple(
        FigureGuess(Role(looks[int(n)].role), looks[int(n)].owner, float(figure.looks[n]))
        for k, n in enumerate(order)
        if k == 0 or figure.looks[n] > LEAST_GUESS
    )
    return SeenFigure(
        guesses, figure.place, figure.foot, figure.sigma, figure.lying, {},
        figure.confidence, figure.foot_px,
    )  # fmt: skip


def _hand(found: Detections, pose: BoardPose, layout: SeenLayout) -> tuple[float, frozenset[Place]]:
    """Share of the table about the tiles that is under the hand mask, and the places of which a
    part is under it.

    Cities are often painted in the colours of skin: only what reaches over the table beside the
    tiles, as an arm must, is taken for a hand.
    """
    to_mask = cv2.invertAffineTransform(found.mask_to_image)
    mask = found.hand_mask > HAND_PIXEL

    def area(corners: NDArray[np.float64]) -> NDArray[np.bool_]:
        px = np.column_stack([corners, np.ones(len(corners))]) @ to_mask.T
        face = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(face, np.round(px).astype(np.int32), 1)
        return np.asarray(face > 0)

    if not mask.any():
        return 0.0, frozenset()
    places = {t.found.place: area(layout.lattice.quad(t.found.place)) for t in layout.tiles}
    free = area(pose.corners_px)
    for tile in places.values():
        free &= ~tile
    share = float((mask & free).sum() / max(int(free.sum()), 1))
    if share <= HAND_AREA:
        return 0.0, frozenset()
    under = (p for p, tile in places.items() if (mask & tile).sum() > 0.1 * max(tile.sum(), 1))
    return share, frozenset(under)
