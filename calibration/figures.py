"""Figures of finding and keeping the board: ``python -m calibration.figures PHOTOS [PART…]``.

``PHOTOS`` is the folder with the labelled photographs; parts: reference, markers, taps, labels,
without, turns, speed (default: all).  ``turns`` reads the renders beside that folder.  ``labels`` draws the project's own printed boards and needs the
extra ``test`` (pypdfium2).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawn_views import View, views
from engine.board import Board, load_board
from engine.errors import BoardwardenError
from vision.detector import Detector
from vision.labels import load_labels
from vision.reference import Reference
from vision.registration.board_lines import lines_of
from vision.registration.find import find_board
from vision.registration.line_check import lines_lie_elsewhere
from vision.registration.marker_search import DEFAULT_DICTIONARY, find_markers
from vision.registration.measure import cell_error, evaluate_registration
from vision.registration.pose import homography_from_corners, pose_from_corners
from vision.registration.print_check import turns
from vision.registration.print_fit import as_grey
from vision.sources.pictures import SUFFIXES, read_picture
from vision.turn_by_pieces import turn_by_pieces
from vision.types import Image
from vision.watching import PoseWatch

Matrix = NDArray[np.float64]
Row = dict[str, Any]
TAP_PX, TAP_WIDTH_PX = 15.0, 1600.0
DRAWS = 10
NEAR_PX, NEAR_SHARE, WORSE_PX = 4.0, 0.004, 4.0
WRONG_SHARE = 0.02  # of the shorter side: a corner so far off is a wrong pose
WITHOUT = ("goban", "gomrade", "dice", "carcassonne_tiles", "pawns", "monopoly")
MOST_WITHOUT = 50


def labels_of(folder: Path) -> dict[str, Any]:
    """The labels of a folder; raises BoardwardenError."""
    try:
        return dict(json.loads((folder / "labels.json").read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise BoardwardenError(f"cannot read the labels of {folder}: {error}") from error


def pictures_of(folder: Path) -> list[Path]:
    """All pictures of a folder, in order."""
    return sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES)


def side_px(corners: Matrix) -> float:
    """Mean side of a quadrilateral."""
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())


# --- by the owner's reference picture ------------------------------------------------------------


def by_reference(photos: Path) -> Row:
    """``monopoly``: found, and the worst corner error as a share of the board's side."""
    folder = photos / "monopoly"
    labels = labels_of(folder)
    board = _plain_board((500.0, 500.0), 11)
    reference = Reference.load(folder / labels["reference"], board.size_mm)
    found = evaluate_registration(folder, board=board, reference=reference)
    truth = {e["image"]: np.array(e["corners_px"], np.float64) for e in labels["images"]}
    shares = [
        p["corner_px"] / side_px(truth[p["picture"]]) for p in found["pictures"] if p["found"]
    ]
    return {
        "pictures": found["count"], "found": found["found"],
        "corner_error_percent_max": round(100 * max(shares, default=0.0), 2),
        "over_one_percent": sum(s > 0.01 for s in shares),
    }  # fmt: skip


def _plain_board(size_mm: tuple[float, float], count: int, **extra: Any) -> Board:
    """``count`` by ``count`` cells over the whole face."""
    w, h = size_mm[0] / count, size_mm[1] / count
    cells = [
        {"id": f"{c},{r}", "polygon_mm": [[c * w, r * h], [c * w + w, r * h], [c * w + w, r * h + h], [c * w, r * h + h]]}
        for c in range(count)
        for r in range(count)
    ]  # fmt: skip
    return load_board(
        {"version": 1, "name": "plain", "size_mm": list(size_mm), "cells": cells, **extra}
    )


# --- markers -------------------------------------------------------------------------------------


def markers(photos: Path) -> Row:
    """``damas``: whole markers that are found, per picture; elsewhere: false finds of the own
    dictionary."""
    whole = found = 0
    short = []
    for entry in labels_of(photos / "damas")["images"]:
        image = read_picture(photos / "damas" / entry["image"])
        seen = len({m.id for m in find_markers(image, "DICT_ARUCO_ORIGINAL", thorough=True)})
        wanted = entry["markers"]["whole"]
        whole, found = whole + wanted, found + min(seen, wanted)
        if seen < wanted:
            short.append(f"{entry['image']}: {seen} of {wanted}")
    false, looked = [], 0
    for name in WITHOUT:
        for path in pictures_of(photos / name):
            looked += 1
            ids = [
                m.id for m in find_markers(read_picture(path), DEFAULT_DICTIONARY, thorough=True)
            ]
            false += [f"{name}/{path.name}: {i}" for i in ids]
    return {
        "whole": whole, "found": found, "missed": short, "without_markers": looked,
        "false_finds": false,
    }  # fmt: skip


# --- rough taps ----------------------------------------------------------------------------------


def taps(photos: Path) -> Row:
    """Rough taps on ``damas``, ``goban`` and ``pawns``, snapped to the board's lines."""
    rows: Row = {}
    for name in ("damas", "goban", "pawns"):
        folder, rng = photos / name, np.random.default_rng(1)
        labels = labels_of(folder)
        near = count = 0
        worst = -np.inf
        bad: list[str] = []
        for entry in labels["images"]:
            image = read_picture(folder / entry["image"])
            truth = np.array(entry["corners_px"], np.float64)
            board = _tapped_board(folder, labels, entry)
            limit = max(NEAR_PX, NEAR_SHARE * side_px(truth))
            good = 0
            for _ in range(DRAWS):
                off, worse = _one_tap(image, board, truth, rng)
                good += off <= limit
                worst = max(worst, worse)
            near, count = near + good, count + DRAWS
            if good < DRAWS:
                bad.append(f"{entry['image']}: {good}")
        rows[name] = {
            "draws": count, "near": near, "percent": round(100 * near / count, 1),
            "worse_px_max": round(float(worst), 1), "not_all": bad,
        }  # fmt: skip
    whole = sum(r["near"] for r in rows.values()) / sum(r["draws"] for r in rows.values())
    return rows | {"percent": round(100 * whole, 1)}


def _tapped_board(folder: Path, labels: dict[str, Any], entry: dict[str, Any]) -> Board:
    name = labels.get("board")
    if name is not None:
        return load_board(folder / name)
    if folder.name == "damas":
        return load_board(folder / "../../boards/draughts.json")
    lines = len(entry["board"])
    size = 22.0 * (lines - 1)
    cells = [
        {"id": f"{c},{r}", "polygon_mm": [[22 * c - 11, 22 * r - 11], [22 * c + 11, 22 * r - 11], [22 * c + 11, 22 * r + 11], [22 * c - 11, 22 * r + 11]]}
        for c in range(lines)
        for r in range(lines)
    ]  # fmt: skip
    return load_board({"version": 1, "name": "go", "size_mm": [size, size], "cells": cells, "lines": "centres"})  # fmt: skip


def _one_tap(image: Image, board: Board, truth: Matrix, rng: np.random.Generator) -> tuple[float, float]:  # fmt: skip
    """(worst corner's distance from the truth, how much worse than the tap a corner is)."""
    reach = TAP_PX * image.shape[1] / TAP_WIDTH_PX
    angle, far = rng.uniform(0, 2 * np.pi, 4), reach * np.sqrt(rng.uniform(0, 1, 4))
    tapped = truth + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    pose = find_board(image, board, corners=tapped, snap=True)
    off = np.linalg.norm(pose.corners_px - truth, axis=1)
    return float(off.max()), float((off - far).max())


# --- own labels on own boards --------------------------------------------------------------------


def labels(_: Path, count: int = 60) -> Row:
    """The printed boards with their corner markers, all or two of them visible, 30 to 85°."""
    found = wrong = whole = 0
    cells: list[float] = []
    missed = []
    for view in views(count):
        whole += "hidden -" in view.about
        pose = _found(view.image, view.board)
        if pose is None:
            missed.append(view.about)
            continue
        found += 1
        off = np.linalg.norm(pose - view.corners_px, axis=1).max()
        wrong += bool(off > WRONG_SHARE * _shorter(view))
        cells.append(_cell(view, pose))
    return {
        "views": count, "with_all_four": whole,
        "with_all_four_missed": sum("hidden -" in m for m in missed), "found": found, "percent": round(100 * found / count, 1), "wrong": wrong,
        "cell_error_percent": round(100 * float(np.mean(cells)), 2),
        "cell_error_percent_max": round(100 * max(cells), 2), "missed": missed,
    }  # fmt: skip


def _found(image: Image, board: Board) -> Matrix | None:
    try:
        return find_board(image, board).corners_px
    except BoardwardenError:
        return None


def _shorter(view: View) -> float:
    sides = np.linalg.norm(np.roll(view.corners_px, -1, axis=0) - view.corners_px, axis=1)
    return float(sides.min())


def _cell(view: View, corners: Matrix) -> float:
    return cell_error(
        view.corners_px, homography_from_corners(corners, view.board.size_mm), view.board
    )


# --- pictures without the board ------------------------------------------------------------------


def without(photos: Path) -> Row:
    """Poses found in pictures in which the board does not lie: by markers, and by reference."""
    board = next(iter(views(1))).board
    folder = photos / "monopoly"
    reference = Reference.load(folder / labels_of(folder)["reference"], (500.0, 500.0))
    plain = _plain_board((500.0, 500.0), 11)
    others = [p for p in WITHOUT if p != "monopoly"] + ["damas"]
    paths = [p for name in others for p in pictures_of(photos / name)]
    step = max(1, len(paths) // MOST_WITHOUT)
    chosen = paths[::step][:MOST_WITHOUT]
    false = []
    for path in chosen:
        image = read_picture(path)
        if _found(image, board) is not None:
            false.append(f"{path.parent.name}/{path.name} by markers")
        try:
            find_board(image, plain, reference=reference)
            false.append(f"{path.parent.name}/{path.name} by reference")
        except BoardwardenError:
            pass
    return {"pictures": len(chosen), "false": false}


# --- the check of markers by the printed lines -----------------------------------------------------


def lines(photos: Path) -> Row:
    """``damas``, ``pawns``: poses by the true corners, and moved by a tenth of the shorter side to the
    right, that the check by printed lines takes for wrong."""
    count = refused = told = 0
    for name in ("damas", "pawns"):
        folder, known = photos / name, labels_of(photos / name)
        for entry in known["images"]:
            board = _tapped_board(folder, known, entry)
            image = read_picture(folder / entry["image"])
            beside = np.array([[1, 0, min(board.size_mm) / 10], [0, 1, 0], [0, 0, 1]])
            place = homography_from_corners(np.array(entry["corners_px"]), board.size_mm)
            refused, told = (
                n + lines_lie_elsewhere(as_grey(image), plane, board.size_mm, lines_of(board))
                for n, plane in ((refused, place), (told, place @ beside))
            )
            count += 1
    return {"pictures": count, "true_ones_refused": refused, "wrong_ones_told": told}


# --- the turn of a print that looks alike from several sides --------------------------------------


def board_turns(photos: Path) -> Row:
    """Still renders at the start of a game, as if the print told no turn: how often what stands there
    decides it."""
    row = {"pictures": 0, "right": 0, "undecided": 0, "wrong": 0}
    detector = Detector()
    for game in ("magalon", "hexagon"):
        folder = photos.parent / "renders" / f"{game}_dev"
        labels = load_labels(folder / "labels.json")
        board = load_board(labels.board, game)
        reference = Reference.load(
            photos.parent / "renders" / f"{game}-reference.jpg", board.size_mm
        )
        for picture in labels.pictures:
            if picture.corners_px is None or not picture.path.stem.endswith("-start"):
                continue
            image = read_picture(picture.path)
            known = [replace(p, foot_px=None, at_mm=None) for p in picture.pieces]
            size, steps = (image.shape[1], image.shape[0]), range(1 + len(turns(board.size_mm)))
            sides = [np.roll(picture.corners_px, s * 4 // len(steps), axis=0) for s in steps]
            poses = [pose_from_corners(c, board.size_mm, size, "corners") for c in sides]
            seen = detector.detect(image, poses[0], reference)
            chosen = turn_by_pieces(image, poses, board, known, seen)
            word = "undecided" if chosen is None else "right" if chosen == 0 else "wrong"
            row["pictures"] += 1
            row[word] += 1
    return row


# --- speed ---------------------------------------------------------------------------------------


def speed(photos: Path) -> Row:
    """Milliseconds of processor time at 1280x720, one thread: median and worst."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        folder = photos / "monopoly"
        board = _plain_board((500.0, 500.0), 11)
        labelled = labels_of(folder)
        reference = Reference.load(folder / labelled["reference"], board.size_mm)
        pictures = [_reduced(read_picture(folder / e["image"])) for e in labelled["images"]]
        drawn = list(views(6))
        return {
            "by_reference": _timed(lambda i: find_board(i, board, reference=reference), pictures),
            "by_markers": _timed_each(lambda v: find_board(v.image, v.board), drawn),
            "check": _check_speed(drawn[0]),
        }
    finally:
        cv2.setNumThreads(threads)


def _reduced(image: Image) -> Image:
    scale = min(1.0, 1280 / max(image.shape[:2]))
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)  # fmt: skip


def _timed(work: Callable[[Image], object], images: list[Image]) -> Row:
    return _timed_each(work, images)


def _timed_each(work: Callable[[Any], object], things: list[Any]) -> Row:
    spent = []
    for thing in [things[0], *things]:
        start = time.process_time()
        try:
            work(thing)
        except BoardwardenError:
            continue
        spent.append(1000 * (time.process_time() - start))
    return {"median_ms": round(float(np.median(spent[1:])), 1), "max_ms": round(max(spent[1:]), 1)}


def _check_speed(view: View) -> Row:
    size = (view.image.shape[1], view.image.shape[0])
    pose = pose_from_corners(view.corners_px, view.board.size_mm, size, "corners")
    watch = PoseWatch(view.image, pose, view.board.size_mm)
    return _timed_each(watch.check, [view.image] * 40)


PARTS: dict[str, Callable[[Path], Row]] = {
    "reference": by_reference, "markers": markers, "taps": taps, "labels": labels,
    "without": without, "turns": board_turns, "speed": speed, "lines": lines,
}  # fmt: skip


def figures(photos: Path, parts: list[str]) -> Iterator[tuple[str, Row]]:
    """The figures of some parts, one after the other."""
    for name in parts:
        yield name, PARTS[name](photos)


def main() -> None:
    """Prints one JSON object per part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    options = parser.parse_args()
    for name, row in figures(options.photos, options.parts):
        print(json.dumps({"part": name, **row}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
