"""Printed sheets: drawn to pictures again and measured on them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.sheets import PAPERS, board_sheet, printed_board, template_sheet, write_pdf
from calibration.sheets.charuco_sheet import SQUARE_MM, SQUARES, charuco_board
from calibration.sheets.paper import FOOT_MM, MARGIN_MM, STRIP_MM, tile
from companion_app import texts
from companion_app.cli import main
from companion_app.commands.print import words
from engine.board import Board, load_board
from vision.registration.by_markers import find_by_markers, marker_layout
from vision.registration.marker_search import find_markers

SCALE = 2.0  # rendered pixels per PDF point
PX_PER_MM = SCALE * 72 / 25.4
GAMES = ("magalon", "hexagon", "grailnah")


def pages(data: bytes | Path) -> list[np.ndarray]:
    """The pages as BGR pictures."""
    document = pypdfium2.PdfDocument(data)
    return [page.render(scale=SCALE).to_numpy()[..., :3].copy() for page in document]


def glued(board: Board, paper: str) -> np.ndarray:
    """The printed sheets cut and glued as their marks say: one picture of the face."""
    shown = pages(write_pdf([board_sheet(board)], PAPERS[paper], words))
    tiling = tile(board.size_mm, PAPERS[paper])
    assert len(shown) == len(tiling.tiles)
    size = [round(s * PX_PER_MM) for s in board.size_mm]
    face = np.zeros((size[1], size[0], 3), np.uint8)
    for page, part in zip(shown, tiling.tiles, strict=True):
        assert page.shape[1] == pytest.approx(tiling.paper.width_mm * PX_PER_MM, abs=2)
        left, top, right, low = part.box_mm
        printed = part.printed_mm[2] - left
        x0 = MARGIN_MM + (tiling.paper.room_mm[0] - printed) / 2
        to = [round(v * PX_PER_MM) for v in (left, top, right, low)]
        at = [round(v * PX_PER_MM) for v in (x0, MARGIN_MM)]
        wide, high = to[2] - to[0], to[3] - to[1]
        face[to[1] : to[3], to[0] : to[2]] = page[at[1] : at[1] + high, at[0] : at[0] + wide]
    return face


@pytest.mark.parametrize(("game", "paper"), [("magalon", "A4"), ("hexagon", "Letter"), ("grailnah", "A3")])  # fmt: skip
def test_the_glued_board_is_found_by_its_markers_where_its_file_says(game: str, paper: str) -> None:
    board = printed_board(load_board("reference", game))
    face = glued(board, paper)
    layout = marker_layout(board.raw)
    assert layout is not None
    assert len(layout.corners_mm) == 4
    room = cv2.copyMakeBorder(face, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(60, 80, 90))
    pose = find_by_markers(room, layout, board.size_mm)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(face.shape[1::-1]) + 59.5
    assert np.abs(pose.corners_px - corners).max() < 2.0
    # every cell has its own ground: none was left out or drawn elsewhere
    cell = next(iter(board.with_role("energy") or board.with_role("flame") or board.with_role("stair")))  # fmt: skip
    x, y = (round(v * PX_PER_MM) for v in board.centres[cell])
    assert np.ptp(face[y - 8 : y + 9, x - 8 : x + 9].astype(int), axis=2).max() > 60


@pytest.mark.parametrize("game", GAMES)
def test_markers_cover_nothing_of_the_print(game: str) -> None:
    board = printed_board(load_board("reference", game))
    layout = marker_layout(board.raw)
    assert layout is not None
    for quad in layout.corners_mm.values():
        assert quad.min() > 0 and (quad < board.size_mm).all()
        for polygon in board.spots.values():
            hit, _ = cv2.intersectConvexConvex(
                quad.astype(np.float32), np.array(polygon, np.float32)
            )
            assert hit == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_board_made_to_fit_takes_one_sheet_and_keeps_its_pieces(game: str) -> None:
    whole = load_board("reference", game)
    small = printed_board(whole, PAPERS["A3"])
    assert len(tile(small.size_mm, PAPERS["A3"]).tiles) == 1
    factor = small.size_mm[0] / whole.size_mm[0]
    assert small.cell_size_mm == pytest.approx(factor * whole.cell_size_mm, rel=1e-3)
    assert small.raw["pieces_mm"] == whole.raw["pieces_mm"]
    assert list(small.spots) == list(whole.spots)


@settings(deadline=None, max_examples=60)
@given(st.tuples(st.floats(20, 900), st.floats(20, 900)), st.sampled_from(sorted(PAPERS)))
def test_tiles_cover_the_face_once_and_fit_on_the_paper(size: tuple[float, float], name: str) -> None:  # fmt: skip
    tiling = tile(size, PAPERS[name])
    area = 0.0
    for part in tiling.tiles:
        left, top, right, low = part.box_mm
        area += (right - left) * (low - top)
        end_x, end_y = part.printed_mm[2:]
        assert end_x - left <= tiling.paper.width_mm - 2 * MARGIN_MM + 1e-6
        assert end_y - top <= tiling.paper.height_mm - MARGIN_MM - FOOT_MM + 1e-6
        assert part.strip_right == (part.column < tiling.columns - 1)
        assert end_x - right == pytest.approx(STRIP_MM if part.strip_right else 0)
    assert area == pytest.approx(size[0] * size[1], rel=1e-6)


def test_labels_and_lens_sheet_are_seen_by_the_camera_in_true_size(tmp_path: Path) -> None:
    out = tmp_path / "sheets.pdf"
    assert main(["print", "labels", "lens", "--language", "de", "--out", str(out)]) == 0
    labels, lens = pages(out)
    sides: dict[int, list[float]] = {}
    for marker in find_markers(labels, "DICT_5X5_50"):
        quad = marker.corners_px
        side = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).mean()
        sides.setdefault(marker.id, []).append(side / PX_PER_MM)
    assert sorted(sides) == [0, 1, 2, 3]
    for found in sides.values():
        assert sorted(found) == pytest.approx([14, 14, 20, 20], abs=0.3)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(
        cv2.cvtColor(lens, cv2.COLOR_BGR2GRAY)
    )
    assert len(ids) == (SQUARES[0] - 1) * (SQUARES[1] - 1)
    points = corners.reshape(-1, 2) / PX_PER_MM
    places = np.array([[i % 4, i // 4] for i in np.ravel(ids)]) * SQUARE_MM
    assert np.abs((points - points[0]) - (places - places[0])).max() < 0.3


def test_the_scale_bar_is_as_long_as_it_says(tmp_path: Path) -> None:
    page = pages(write_pdf([template_sheet(load_board("reference"))], PAPERS["A4"], words))[0]
    dark = page.max(axis=2) < 90
    low = round((297 - FOOT_MM + 9.5) * PX_PER_MM)
    longest = max(
        (np.flatnonzero(row) for row in dark[low - 3 : low + 4, : round(80 * PX_PER_MM)]), key=len
    )
    assert (longest[-1] - longest[0] + 1) / PX_PER_MM == pytest.approx(50, abs=0.5)


def test_every_sheet_speaks_every_language(tmp_path: Path) -> None:
    said = set()
    for code in texts.LANGUAGES:
        out = tmp_path / f"{code}.pdf"
        what = ["board", "labels", "lens", "templates"]
        assert main(["print", *what, "--language", code, "--out", str(out)]) == 0
        document = pypdfium2.PdfDocument(out)
        text = "".join(page.get_textpage().get_text_bounded() for page in document)
        assert "sheet." not in text and "kind." not in text
        assert not set("{}■") & set(text)
        said.add(text)
    texts.choose_language("en")
    assert len(said) == len(texts.LANGUAGES)


def test_the_printed_board_file_is_written_beside_the_sheets(tmp_path: Path) -> None:
    out = tmp_path / "board.pdf"
    assert main(["print", "board", "--game", "hexagon", "--fit", "--paper", "a4", "--out", str(out)]) == 0  # fmt: skip
    board = load_board(out.with_suffix(".json"))
    assert board.size_mm[0] <= 190
    assert len(json.loads(out.with_suffix(".json").read_text("utf-8"))["markers"]["corners"]) == 4


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["print", "board", "--paper", "A9"], "A9"),
        (["print", "poster"], "poster"),
        (["print", "labels", "--out", "q.png"], "end the name after --out with .pdf"),
        (["print", "board", "--board", "nowhere.json"], "nowhere.json"),
        (["print", "labels", "--out", "/nowhere/at/all.pdf"], "/nowhere/at/all.pdf"),
    ],
)
def test_bad_input_gets_one_sentence(call: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    assert main(call) == 2
    line = capsys.readouterr().err.strip()
    assert said in line and "\n" not in line


def test_without_the_library_a_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "reportlab.pdfgen.canvas", None)
    assert main(["print", "labels"]) == 2
    assert "reportlab" in capsys.readouterr().err
