"""What light, mask and outlines add to the reading."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.placement import PieceInfo, Placement
from tests.vision.drawn import GROUND, Table, draw_table, piece
from vision.appearance import ColourModel
from vision.enrolment import colour_models, enrol, learn_later
from vision.fusion import add_hits
from vision.joint import assign_pieces
from vision.labels import labels_of
from vision.later import LaterKinds, clear_pieces
from vision.looks import Enrolment
from vision.pixel_evidence import gather, gather_colours
from vision.reading import inventory_counts, read
from vision.reference import Reference
from vision.relight import relight
from vision.silhouette_search import search
from vision.silhouettes import owner_map
from vision.size_fit import fitted_sizes, seen_heights
from vision.things import KIND_BY_PAINT, STAY, Look, colour_table, measure_things, score_table
from vision.types import Detections
from vision.walls import cover_shares

FOUR = (
    piece("wizard", "violet", "c12"),
    piece("wizard", "green", "d4"),
    piece("wizard", "red", "n2"),
    piece("wizard", "orange", "m9"),
    piece("giant", "black", "b10"),
)


def learnt(table: Table) -> Enrolment:
    return enrol(table.image, table.pose, table.board, table.pieces, table.detections)


def joined(a: Detections, b: Detections) -> Detections:
    """The things of both, with the masks of the first."""
    parts = ("foot_px", "top_px", "width_px", "shape_scores", "score")
    return replace(a, **{p: np.concatenate([getattr(a, p), getattr(b, p)]) for p in parts})


@pytest.mark.parametrize("light", [(0.25, 0.25, 0.3), (0.3, 0.35, 0.5)])
def test_colours_follow_a_strong_change_of_light(light: tuple[float, float, float]) -> None:
    known = learnt(draw_table(FOUR, 1))
    later = draw_table(FOUR, 2, light=light)
    counts = inventory_counts(later.board)
    lit = relight(later.image, later.pose, later.board, later.detections, known, counts)
    for look, model in lit.colours.items():
        expected = np.array(known.colours[look].bgr) * light
        np.testing.assert_allclose(model.bgr, np.clip(expected, 0, 255), atol=30)
    reading = read(later.image, later.pose, later.board, later.detections, lit)
    got = {(p.kind, p.colour, p.spots) for p in reading.pieces}
    assert got == {(p.kind, p.colour, p.spots) for p in FOUR}


def test_colours_stay_as_learnt_under_the_same_light() -> None:
    known = learnt(draw_table(FOUR, 1))
    same = draw_table(FOUR, 3)
    counts = inventory_counts(same.board)
    lit = relight(same.image, same.pose, same.board, same.detections, known, counts)
    assert lit is known


def test_an_echo_takes_no_other_pieces_place() -> None:
    """One goblin seen twice, and a weaker second one: the inventory has two."""
    goblins = (piece("goblin", "black", "e5"), piece("goblin", "black", "m14"))
    table = draw_table(goblins, 4, noise_px=0)
    d = table.detections
    first = replace(
        d,
        **{
            p: getattr(d, p)[:1] for p in ("foot_px", "top_px", "width_px", "shape_scores", "score")
        },
    )
    shifted = replace(first, foot_px=first.foot_px + 4, top_px=first.top_px + 4)
    both = joined(d, replace(shifted, score=shifted.score * 0.7))
    things = measure_things(
        table.image, table.pose, table.board, both, owner_map(table.image, table.pose, table.board, both),
        Enrolment(), [("goblin", "black")], None, None, None,
    )  # fmt: skip
    rows = list(range(3))
    scores = score_table(things, rows, [("goblin", "black")], table.board, Enrolment())
    scores[:, 0] = [3.0, 0.5, 1.5]
    slots = [("goblin", "black")] * 2
    pairs = assign_pieces(scores, slots[:1], slots, things, rows, table.board)
    assert {r for r, _ in pairs} == {0, 1}


def test_walls_fill_their_cells_in_the_mask_and_pieces_do_not() -> None:
    table = draw_table((piece("ruin", "grey", "e6", "e7", "f6"), piece("goblin", "black", "k12")))
    shares = cover_shares(
        table.detections, table.pose, table.board, ["e6", "e7", "f6", "k12", "m16"]
    )
    assert min(shares[c] for c in ("e6", "e7", "f6")) > 0.75
    assert shares["k12"] < 0.6
    assert shares["m16"] == 0


def test_print_in_a_pieces_colour_is_no_piece_where_the_mask_sees_none() -> None:
    table = draw_table(FOUR, 5)
    w, h = (round(v) for v in table.board.size_mm)
    reference = Reference(np.full((h, w, 3), 140, np.uint8), table.board.size_mm)
    known = learnt(table)
    blank = np.zeros_like(table.detections.piece_mask)
    with_mask = gather(table.image, table.pose, reference, known, table.detections.piece_mask)
    without = gather(table.image, table.pose, reference, known, blank)
    for colour in ("red", "black"):
        assert (with_mask.colours[colour] >= without.colours[colour]).all()
        assert with_mask.colours[colour].max() > 1
    assert gather_colours(table.image, table.pose, known).wall is None


def test_a_height_that_the_network_contradicts_is_not_fitted() -> None:
    table = draw_table(FOUR, 6)
    known = learnt(table)
    pairs = [(p, i) for i, p in enumerate(sorted(FOUR, key=lambda q: q.at_mm[1] if q.at_mm else 0))]
    things = measure_things(
        table.image, table.pose, table.board, table.detections,
        owner_map(table.image, table.pose, table.board, table.detections), known, [], None, None, None,
    )  # fmt: skip
    seen = seen_heights(pairs, table.detections, things.sizes)
    stated = table.board.size_of("wizard")[2]
    assert seen["wizard"][0] == pytest.approx(stated, rel=0.15)
    placed = [(p, things.at_mm[i]) for p, i in pairs]
    sizes = fitted_sizes(table.image, table.pose, table.board, known, placed, seen)
    assert sizes["wizard"].height_mm == pytest.approx(stated, rel=0.15)


def test_a_colours_hue_is_that_of_its_brightest_pieces() -> None:
    bright, shaded = np.array([160.0, 70.0, 155.0]), np.array([67.0, 60.0, 71.0])
    looks = {
        ("energy_stone", "violet"): [bright],
        ("shield", "violet"): [shaded],
        (None, "violet"): [bright, shaded],
    }
    models = colour_models(looks)
    hue = bright / np.linalg.norm(bright)

    def likeness(look: tuple[str | None, str | None]) -> float:
        model = np.array(models[look].bgr)
        return float(model @ hue / np.linalg.norm(model))

    assert likeness((None, "violet")) > 0.99
    assert likeness(("shield", "violet")) > shaded @ hue / np.linalg.norm(shaded) + 0.01
    length = np.linalg.norm(models[("shield", "violet")].bgr)
    assert length == pytest.approx(np.linalg.norm(shaded), rel=0.01)


def test_a_foot_that_the_network_put_beside_the_piece_is_found_by_the_pixels() -> None:
    table = draw_table(FOUR, 8)
    w, h = (round(v) for v in table.board.size_mm)
    reference = Reference(np.full((h, w, 3), GROUND, np.uint8), table.board.size_mm)
    known = learnt(table)
    true = np.array(FOUR[3].at_mm)
    all_mm = table.pose.to_board(table.detections.foot_px.astype(float))
    i = int(np.linalg.norm(all_mm - true, axis=1).argmin())
    feet = table.detections.foot_px.copy()
    # Beside where it stands, as at the tip of a shadow.
    aside = np.array([0.35 * table.board.cell_size_mm, 0.0])
    feet[i] = table.pose.to_image((true + aside)[None])[0]
    evidence = gather(table.image, table.pose, reference, known, table.detections.piece_mask)
    hits = search(evidence, table.pose, table.board, known, [(p.kind, p.colour) for p in FOUR])

    def added_beside(detections: Detections) -> int:
        found = add_hits(detections, hits, table.pose, table.board, known, evidence)
        new = table.pose.to_board(found.foot_px[len(FOUR) :].astype(float))
        return int((np.linalg.norm(new - true, axis=1) < 0.3 * table.board.cell_size_mm).sum())

    assert added_beside(replace(table.detections, foot_px=feet)) == 1
    assert added_beside(table.detections) == 0


def test_paint_tells_the_players_apart_more_than_the_kinds_of_one_player() -> None:
    lit, shaded, other = (40.0, 160.0, 60.0), (20.0, 60.0, 30.0), (40.0, 40.0, 190.0)
    known = {("wizard", "green"): ColourModel(lit), ("shield", "red"): ColourModel(other)}
    looks: list[Look] = [("wizard", "green"), ("shield", "green"), ("shield", "red")]
    sample = np.array(lit, np.float32)
    never_seen = Enrolment({**known, (None, "green"): ColourModel(shaded)})
    wizard, shield, red = colour_table(sample[None], looks, never_seen)[0]
    assert 0 < wizard - shield <= KIND_BY_PAINT / 2
    assert wizard - red > 3
    seen_in_shade = Enrolment({**known, ("shield", "green"): ColourModel(shaded)})
    wizard, shield, _ = colour_table(sample[None], looks, seen_in_shade)[0]
    assert KIND_BY_PAINT / 2 < wizard - shield <= KIND_BY_PAINT


@pytest.mark.parametrize(
    ("changed", "bonus"), [({}, 1.0), ({"d4": 0.2}, 0.5), ({"d4": 0.5}, 0.0), ({"n2": 0.9}, 1.0)]
)
def test_staying_is_likelier_only_where_nothing_has_changed(
    changed: dict[str, float], bonus: float
) -> None:
    table = draw_table(FOUR, 1)
    known = learnt(table)
    looks: list[Look] = [("wizard", "green")]

    def scores(expected: dict[Look, list[tuple[str, ...]]]) -> np.ndarray:
        owners = owner_map(table.image, table.pose, table.board, table.detections)
        things = measure_things(
            table.image, table.pose, table.board, table.detections, owners, known, looks, None,
            expected, changed,
        )  # fmt: skip
        rows = list(range(len(table.detections)))
        return score_table(things, rows, looks, table.board, known)[:, 0]

    alone = scores({looks[0]: [("d4",)]}) - scores({})
    assert alone.sum() == pytest.approx(STAY * bonus)
    # Where several pieces stand, a change does not tell which of them it was.
    crowd = scores({looks[0]: [("d4",)], ("goblin", "red"): [("d4",)]}) - scores({})
    assert crowd.sum() == pytest.approx(STAY)


def test_nothing_is_learnt_from_what_stands_in_a_shelter() -> None:
    infos = {n: PieceInfo(n, n, "white") for n in ("castle", "knight", "merlin")}
    at = {"castle": ("6/0",), "knight": ("6/0",), "merlin": ("goal",)}
    placement = Placement(at, infos, frozenset({"6/0"}))
    seen = {p.kind: p.visible for p in labels_of(placement)}
    assert seen == {"castle": 1.0, "knight": 0.0, "merlin": 1.0}


def test_a_kind_that_comes_later_is_learnt_from_the_first_few_of_it() -> None:
    later = LaterKinds()
    start = learnt(draw_table(FOUR[:4], 1))
    assert not later.fresh(start, FOUR[:4])
    giants = [replace(FOUR[4], spots=(f"b{n}",)) for n in range(2, 9)]
    assert later.fresh(start, [*FOUR[:4], giants[0]]) == {"giant"}
    assert not later.fresh(start, giants[:1])
    assert later.fresh(start, giants[:4]) == {"giant"}
    assert not later.fresh(start, giants)


def test_what_is_learnt_later_leaves_the_rest_as_it_was() -> None:
    first, table = learnt(draw_table(FOUR[:4], 1)), draw_table(FOUR, 2)
    known = learn_later(
        first, table.image, table.pose, table.board, table.pieces, table.detections, {"giant"}
    )
    assert set(known.sizes) == {"wizard", "giant"}
    assert known.sizes["wizard"] == first.sizes["wizard"]
    assert ("giant", "black") in known.colours
    assert known.colours[("wizard", "red")] == first.colours[("wizard", "red")]


def test_only_a_piece_that_stands_alone_where_it_is_known_to_be_is_learnt_from() -> None:
    table = draw_table(FOUR, 1)
    counts = inventory_counts(table.board)
    reading = read(table.image, table.pose, table.board, table.detections, learnt(table), counts)
    assert len(clear_pieces(reading, FOUR, {})) == len(FOUR)
    moved = (*FOUR[:4], replace(FOUR[4], spots=("b2",)))
    assert FOUR[4].kind not in {p.kind for p in clear_pieces(reading, moved, {})}
    assert len(clear_pieces(reading, FOUR, {"d4": 0.5})) == len(FOUR) - 1
    shared = (*FOUR, replace(FOUR[0], kind="goblin", colour="red"))
    assert FOUR[0] not in clear_pieces(reading, shared, {})
