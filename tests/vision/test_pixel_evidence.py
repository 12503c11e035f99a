"""The evidence of pixels and the search by synthesis against their formulas, written out."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn import Table, draw_table, piece
from vision import pixel_evidence as pe
from vision import silhouette_search as search
from vision.appearance import NOISE_FLOOR, NOISE_SHARE
from vision.crop import crop_around, cut
from vision.enrolment import enrol
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence

PIECES = (
    piece("wizard", "violet", "f1"), piece("wizard", "green", "h3"), piece("giant", "black", "h11"),
    piece("shield", "violet", "c9"), piece("energy_stone", "violet", "track/10"),
)  # fmt: skip


@pytest.fixture(scope="module")
def table() -> Table:
    return draw_table(PIECES, 7)


@pytest.fixture(scope="module")
def learnt(table: Table) -> Enrolment:
    return enrol(table.image, table.pose, table.board, table.pieces, table.detections)


@pytest.fixture(scope="module")
def evidence(table: Table, learnt: Enrolment) -> Evidence:
    return pe.gather_colours(table.image, table.pose, learnt)


def odds_of(pixel: np.ndarray, model: np.ndarray) -> float:
    """Log-odds of one pixel under a colour against an unknown print, by the definition."""
    scale = np.clip(pixel @ model / max(model @ model, 1.0), 0.2, 4.0)
    norm = np.linalg.norm(pixel)
    hue = ((pixel - scale * model) ** 2).sum() / (NOISE_FLOOR + NOISE_SHARE * norm) ** 2
    shade = np.log((norm + pe.DARKEST) / (np.linalg.norm(model) + pe.DARKEST)) / pe.PIECE_SHADE
    fit = max(-0.5 * (hue + shade**2), pe.WORST)
    return float(np.clip(fit - pe.UNKNOWN_PRINT, -pe.CLIP, pe.CLIP))


def test_every_pixel_speaks_by_the_formula(
    table: Table, learnt: Enrolment, evidence: Evidence
) -> None:
    pixels = cut(table.image, crop_around(table.pose.corners_px)).astype(float)
    rng = np.random.default_rng(1)
    assert len(evidence.colours) >= 3
    for colour, found in evidence.colours.items():
        model = np.array(learnt.colours[None, colour].bgr, float)
        for _ in range(60):
            y, x = rng.integers(0, found.shape)
            assert found[y, x] == pytest.approx(odds_of(pixels[y, x], model), abs=2e-3)


def test_a_solid_collects_the_evidence_under_it(
    table: Table, learnt: Enrolment, evidence: Evidence
) -> None:
    colours = list(evidence.colours)
    places = np.array([table.board.centres["f1"], table.board.centres["k12"]])
    [solid] = search.solids_of("wizard", table.board, learnt)
    found = search.fit(evidence, table.pose, table.board, learnt, "wizard", colours, places)
    for p, (x, y) in enumerate(places):
        for c, colour in enumerate(colours):
            values = [
                np.array(
                    [_at(evidence, colour, table, (x + dx, y + dy, z)) for dx, dy, z in points]
                )
                for points in (solid.inside, solid.around)
            ]
            wanted = values[0].mean() - search.SPILL * np.maximum(values[1], 0).mean()
            assert found[p, c] == pytest.approx(wanted, abs=0.02)


def _at(evidence: Evidence, colour: str | None, table: Table, at: tuple[float, float, float]) -> float:  # fmt: skip
    """Bilinear value of a colour's map at the projection of one board point."""
    px = table.pose.to_image(np.array([at]))[0]
    x, y = evidence.crop.image_to_crop @ np.array([*px, 1.0])
    grid = evidence.colours[colour]
    i, j = int(np.floor(y)), int(np.floor(x))
    if not (0 <= i < grid.shape[0] - 1 and 0 <= j < grid.shape[1] - 1):
        return 0.0
    v, u = y - i, x - j
    part = grid[i : i + 2, j : j + 2].astype(float)
    return float(np.array([1 - v, v]) @ part @ np.array([1 - u, u]))


def test_the_pieces_are_found_by_synthesis(table: Table, learnt: Enrolment, evidence: Evidence) -> None:  # fmt: skip
    looks = [("wizard", "violet"), ("wizard", "green"), ("giant", "black")]
    hits = search.search(evidence, table.pose, table.board, learnt, looks)
    for look, cell in zip(looks, ("f1", "h3", "h11"), strict=True):
        best = max((h for h in hits if h.look == look), key=lambda h: h.score)
        gap = np.hypot(*(np.array(best.at_mm) - table.board.centres[cell]))
        assert gap < table.board.cell_size_mm / 2


@pytest.mark.parametrize("kind", ["wizard", "shield", "energy_stone"])
def test_the_search_leaves_nothing_out_that_counts(
    table: Table, learnt: Enrolment, evidence: Evidence, kind: str
) -> None:
    colours = list(evidence.colours)
    own = evidence, table.pose, table.board, learnt, kind, colours
    whole = search.fit(*own, search.places_of(table.board, kind == "energy_stone"))
    quick = search._search_scores(*own)
    counts = whole >= search.LEAST
    assert counts.any()
    assert quick[counts] == pytest.approx(whole[counts], abs=1e-5)
    assert (quick[~counts] < search.LEAST).all()
