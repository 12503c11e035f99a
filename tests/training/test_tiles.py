"""Own artwork of tiles and rendered tables: structure, truth, repeatability."""

from __future__ import annotations

import numpy as np
import pytest

from engine.carcassonne.faces import HALVES, Kind, side_of
from engine.carcassonne.tiles import faces, tiles
from models.training.tiles import others, paint
from models.training.tiles import table as tables
from models.training.tiles.artwork import feature_map, paint_tile
from models.training.tiles.bank import GROUND, SIGN, kinds, paint_set
from models.training.tiles.layouts import ALL_SETS, TILE_MM, deck_of, laid, random_map
from models.training.tiles.outline import outline, turn
from models.training.tiles.style import (
    other_edition,
    other_hand,
    other_land,
    plain_style,
    random_style,
)
from vision.tiles.structure import SIGNS, structure_of

SIDE = 96
STYLES = [plain_style(), *(random_style(np.random.default_rng([8, n])) for n in range(3))]


def _port_point(port: int, inward: float = 0.03) -> np.ndarray:
    if port < 4:
        return turn(np.array([[0.5, inward]]), port)[0]
    side, half = divmod(port - 4, 2)
    return turn(np.array([[0.3 if half == 0 else 0.7, inward]]), side)[0]


@pytest.mark.parametrize("name", sorted(tiles()))
def test_every_feature_of_every_tile_is_drawn_where_the_facts_say(name: str) -> None:
    """Sums of the tile facts (4a): each side and half of a side shows its own feature."""
    tile = tiles()[name]
    for number, style in enumerate(STYLES):
        plan = outline(tile, style.manner, np.random.default_rng([1, number]))
        features = feature_map(tile, plan, style, SIDE)
        for n, feature in enumerate(tile.features):
            assert (features == n).any(), (name, n)
            for port in feature.ports:
                x, y = (_port_point(port) * SIDE).astype(int)
                assert features[y, x] == n, (name, number, port)


def test_fields_that_the_facts_part_are_parted() -> None:
    for name, tile in tiles().items():
        plan = outline(tile, plain_style().manner, np.random.default_rng(0))
        features = feature_map(tile, plan, plain_style(), SIDE)
        fields = [n for n, f in enumerate(tile.features) if f.kind is Kind.FIELD]
        seen = set(np.unique(features)) & set(fields)
        assert seen == set(fields), name


def test_the_same_seed_paints_the_same_tile_and_another_style_another() -> None:
    tile = tiles()["BA/CcRr+"]
    first, again, other = (
        paint_tile(tile, style, np.random.default_rng(5)).picture
        for style in (STYLES[1], STYLES[1], STYLES[2])
    )
    assert (first == again).all()
    assert np.abs(first.astype(int) - other).mean() > 5
    assert first.shape == (SIDE, SIDE, 3)


def test_random_maps_follow_the_rules_and_the_stock() -> None:
    """C-1: every touching edge matches; no more tiles of a kind than the sets have."""
    tilemap = random_map(np.random.default_rng(3), 60)
    stock = deck_of(ALL_SETS)
    stock["BA/RCr"] += 1
    assert len(tilemap.order) == 60
    for pos, placed in tilemap.placed.items():
        stock[placed.tile] -= 1
        for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            beside = tilemap.placed.get((pos[0] + dx, pos[1] + dy))
            if beside is not None:
                assert placed.face.edges[side] == beside.face.edges[(side + 2) % 4]
    assert min(stock.values()) >= 0


def _small_table(seed: int) -> tuple[tables.Table, list, np.random.Generator]:
    rng = np.random.default_rng(seed)
    table = tables.random_table(rng, plain_style(), seed)
    return table, laid(random_map(rng, 8), rng), rng


def test_a_rendered_table_is_the_same_again_and_its_truth_agrees_with_its_camera() -> None:
    table, tiles_laid, rng = _small_table(2)
    camera = tables.table_camera(rng, tiles_laid, table, (640, 360))
    blue = np.array([0.8, 0.2, 0.1], np.float32)
    figures = [
        tables.Figure("meeple", "blue", blue, tiles_laid[0].pos, (0.5, 0.5)),
        tables.Figure("meeple", "blue", blue, tiles_laid[1].pos, (0.4, 0.6), lying=True),
    ]
    one, two = (
        tables.render(np.random.default_rng(4), table, tiles_laid, figures, camera, clean=True)
        for _ in range(2)
    )
    assert (one.picture == two.picture).all()
    for n, figure in enumerate(figures):
        corners = tables.corners_mm(tiles_laid[n], table)
        px = camera.project(np.column_stack([corners, np.zeros(4)]))
        u, v = figure.at
        inside = px[0] + u * (px[1] - px[0]) + v * (px[3] - px[0])
        assert np.linalg.norm(inside - one.foot_px[n]) < 0.1 * np.linalg.norm(px[1] - px[0])
        assert one.visible[n] > 0.5
    x, y = np.round(one.foot_px[1]).astype(int)
    assert one.picture[y, x, 0] > one.picture[y, x, 2]  # the lying blue one covers its foot


def test_a_hand_covers_a_part_of_the_picture() -> None:
    table, tiles_laid, rng = _small_table(3)
    camera = tables.table_camera(rng, tiles_laid, table, (640, 360))
    arm = tables.reaching_hand(rng, np.zeros(2), camera)
    with_hand = tables.render(np.random.default_rng(1), table, tiles_laid, [], camera, [arm], True)
    without = tables.render(np.random.default_rng(1), table, tiles_laid, [], camera, [], True)
    assert with_hand.hand > 0.005 and without.hand == 0
    differs = np.abs(with_hand.picture.astype(int) - without.picture).max(2) > 25
    assert differs.mean() > 0.005


def test_a_pushed_layout_keeps_its_shape() -> None:
    """The whole layout pushed: distances between tiles stay, whatever their crookedness."""
    table, tiles_laid, _ = _small_table(4)
    table = tables.Table(table.art, table.lights, table.top, gap_mm=0.0)
    moved = tables.pushed(tiles_laid, (37.0, -12.0), 6.0)
    before = np.array([tables.corners_mm(t, table).mean(0) for t in tiles_laid])
    after = np.array([tables.corners_mm(t, table).mean(0) for t in moved])
    assert np.allclose(
        np.linalg.norm(before - before[0], axis=1), np.linalg.norm(after - after[0], axis=1)
    )
    assert np.allclose([m.askew - t.askew for m, t in zip(moved, tiles_laid, strict=True)], 6.0)
    assert np.linalg.norm(after[0] - before[0]) > 0.5 * TILE_MM


def test_ports_are_named_as_in_the_facts() -> None:
    face = faces("BA/RCr")[1]
    assert [side_of(p) for p in face.features[0].ports] == [1]
    assert len(HALVES) == 8


@pytest.mark.parametrize("editions", [False, True])
def test_the_truth_of_a_painted_tile_tells_its_ground_and_where_its_signs_are(
    editions: bool,
) -> None:
    """A sign is marked on the feature that bears it, and only where the facts have one."""
    pictures, truths = paint_set(12, editions=editions)
    assert pictures.shape[:3] == truths.shape
    for kind, truth in zip(kinds(), truths, strict=True):
        tile = tiles()[kind]
        signs = structure_of(faces(kind)[0]).signs
        seen = {SIGNS[n - 1] for n in np.unique(truth // SIGN) if n > 0}
        assert seen == {s for s, there in zip(SIGNS[:-1], signs, strict=False) if there}, kind
        grounds = {GROUND[f.kind] for f in tile.features if f.kind in GROUND}
        assert grounds <= set(np.unique(truth % SIGN).tolist()), kind


def test_every_tile_of_a_training_set_has_signs_of_its_own() -> None:
    style, rng = random_style(np.random.default_rng(7)), np.random.default_rng(8)
    drawn = {(s.pennant, s.magic) for s in (other_hand(style, rng) for _ in range(20))}
    assert len(drawn) > 15


@pytest.mark.parametrize("kind", others.CHURCHES)
def test_a_church_of_another_edition_stands_where_it_is_told_to(kind: str) -> None:
    canvas = np.full((SIDE, SIDE, 3), 90, np.uint8)
    wall, roof = np.full(3, 0.9, np.float32), np.array([0.1, 0.1, 0.8], np.float32)
    others.church(paint.Brush(canvas), np.random.default_rng(1), kind, (0.5, 0.5), 0.4, wall, roof)
    rows, columns = np.nonzero((canvas != 90).any(2))
    assert abs(np.median(rows) / SIDE - 0.5) < 0.1 and abs(np.median(columns) / SIDE - 0.5) < 0.1
    assert 0.3 < np.ptp(columns) / SIDE < 0.6


@pytest.mark.parametrize("kind", others.INNS[1:])
def test_an_inn_of_another_edition_is_marked_where_its_water_lies(kind: str) -> None:
    """Several drawings: the marked disc holds water, and most of the water lies near it."""
    water = np.array([0.95, 0.2, 0.0], np.float32)
    house = ("front", np.full(3, 0.9, np.float32), np.array([0.1, 0.1, 0.8], np.float32))
    foot, normal = np.array([0.5, 0.45]), np.array([0.0, -1.0])
    for seed in range(5):
        canvas = np.full((SIDE, SIDE, 3), 90, np.uint8)
        at, wide = others.inn(
            paint.Brush(canvas), np.random.default_rng(seed), kind, foot, normal, 1.0, water, house
        )
        rows, columns = np.nonzero((canvas == (242, 51, 0)).all(2))
        away = np.hypot(columns / SIDE - at[0], rows / SIDE - at[1])
        assert len(rows) and (away < 0.55 * wide + 0.02).mean() > 0.9, seed


@pytest.mark.parametrize("kind", others.PAVINGS + others.PLOUGHINGS)
def test_a_pattern_covers_the_ground_without_hiding_it(kind: str) -> None:
    colour = np.full(3, 0.6, np.float32)
    canvas = np.full((SIDE, SIDE, 3), 153, np.uint8)
    others.pattern(paint.Brush(canvas), kind, np.random.default_rng(4), colour)
    changed = (canvas != 153).any(2)
    assert 0.03 < changed.mean() < 0.97
    assert all(part.any() for half in np.split(changed, 2) for part in np.split(half, 2, axis=1))
    assert np.abs(canvas.astype(int) - 153).max() < 90


def test_only_who_is_asked_paints_as_other_editions() -> None:
    for n in range(20):
        rng = np.random.default_rng([9, n])
        style = other_hand(random_style(rng), rng)
        assert not style.paving and not style.ploughing and style.inn == others.INNS[0]
        assert style.church not in others.CHURCHES
    editions = [other_edition(plain_style(), np.random.default_rng(n)) for n in range(30)]
    assert len({s.church for s in editions}) > 4 and len({s.inn for s in editions}) > 3
    drawn = [other_land(plain_style(), np.random.default_rng(n)) for n in range(30)]
    assert len({s.paving for s in drawn}) > 3 and len({s.ploughing for s in drawn}) > 3
