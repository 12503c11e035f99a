"""Measures the eyes on labelled pictures (a folder with labels.json) and films (truth in JSON)."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion_app.commands.finding import TILES
from companion_app.film_cases import load_film
from companion_app.film_score import judged_film
from engine.board import REFERENCE, Board, load_board
from engine.carcassonne.tiles import faces
from engine.errors import BoardwardenError
from engine.files import check_folder, shown
from vision.detector import Detector
from vision.evaluation import calibration, report, worst
from vision.evaluation.cases import (  # fmt: skip
    ENROL,
    Case,
    Lesson,
    cases_of,
    load_folder,
    natural_enrolment,
    rounds_of,
)
from vision.evaluation.dice import DiceTally, measure_dice
from vision.evaluation.run import Reader, read_round
from vision.evaluation.tally import Tally
from vision.evaluation.tiles import LETTERS, measure_pictures, tile_pictures
from vision.eyes import board_reference
from vision.labels import LabelledFolder
from vision.reading import inventory_counts
from vision.tiles.network import network
from vision.tiles.profile import Profile
from vision.tiles.reading import TileReader

Row = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden evaluate``."""
    parser.add_argument(
        "folders", nargs="+", metavar="FOLDER|TRUTH.json",
        help="folder with labels.json, a folder of pictures of single Carcassonne tiles, the truth of a film, or: carcassonne, which reads own renders",
    )  # fmt: skip
    parser.add_argument("--board", metavar="BOARD.json", help="instead of the one the labels name")
    parser.add_argument(
        "--reference", metavar="PICTURE", help="find the board by this picture of its print"
    )
    parser.add_argument(
        "--corners", action="store_true", help="take the labelled corners as the pose"
    )
    parser.add_argument(
        "--enrol", choices=ENROL,
        help="what to learn the pieces from: NAME-start, the next picture, each eligible other"
        " picture in turn (median and worst are told), or nothing",
    )  # fmt: skip
    parser.add_argument(
        "--worst", metavar="DIR", help="write pictures of the worst cases and the diagram of confidence"
    )  # fmt: skip
    parser.add_argument("--pictures", default="*", metavar="PATTERN", help="only these, like web*")
    parser.add_argument(
        "--skip-pips", type=int, nargs="*", default=[], metavar="N", choices=range(1, 7),
        help="dice that show these don't count: their side bears a sign",
    )  # fmt: skip
    parser.add_argument(
        "--tables", type=int, default=20, metavar="N", help="own renders of Carcassonne tables"
    )
    parser.add_argument("--seed", type=int, default=1, help="which own renders")
    parser.add_argument(
        "--tiles", metavar="PROFILE.npz", help="the learnt print of an edition's tiles"
    )
    parser.add_argument("--dice", action="store_true", help="measure the dice only")
    parser.add_argument(
        "--judged", action="store_true",
        help="of a film what the referee says of it from first to last, instead of what is read"
        " (always so for Carcassonne)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell everything read wrong")


def run(options: argparse.Namespace) -> int:
    """Prints the figures of every folder and film."""
    if options.worst:
        check_folder(options.worst)
    for name in options.folders:
        if name != TILES and not os.path.exists(name):
            raise BoardwardenError(
                f"there is no {shown(name)}: name a folder with labels.json, the truth of a film, or {TILES}"
            )
    detector = None if options.dice else Detector()
    rows: list[Row] = []
    for name in options.folders:
        path = Path(name)
        tiles = _tiles(name, path, options)
        if tiles is not None:
            rows.append(tiles)
            continue
        if path.is_file() and (judged := judged_film(path, options)) is not None:
            if not options.json:
                _say(judged.lines(options.verbose))
            rows.append(judged.to_json())
            continue
        rows += (
            _film(path, options, detector)
            if os.path.isfile(path)
            else _folder(path, options, detector)
        )
    if options.json:
        print(json.dumps(rows))
    return 0


def _tiles(name: str, path: Path, options: argparse.Namespace) -> Row | None:
    """Own renders of tables of tiles, or pictures of single tiles; None for anything else."""
    if name == TILES and not os.path.exists(path):
        from models.training.tiles.evaluate import measure

        tally = measure(options.tables, options.seed, load_board(REFERENCE, TILES))
        if not options.json:
            _say([f"{TILES}: {options.tables} own renders", *tally.lines()])
            _say(f"    {line}" for line in (*tally.wrong, *tally.missed) if options.verbose)
        return tally.to_json()
    pictures = [] if os.path.exists(path / "labels.json") else tile_pictures(path)
    if not pictures:
        return None
    profile = Profile.load(Path(options.tiles)) if options.tiles else None
    reader = TileReader({k: faces(k) for k in LETTERS.values()}, network(), profile)
    singles = measure_pictures(path, pictures, reader)
    if not options.json:
        _say([f"{singles.name}: {singles.right} of {singles.count} kinds right"])
        _say(f"    {line}" for line in singles.wrong if options.verbose)
    return singles.to_json()


def _folder(path: Path, options: argparse.Namespace, detector: Detector | None) -> list[Row]:
    folder, board = load_folder(path, options.board)
    if board is not None:
        _check_fit(folder, board)
    cases = cases_of(folder, options.pictures, frozenset(options.skip_pips))
    name = path.resolve().name
    rows: list[Row] = []
    if board is not None and detector is not None:
        given = Path(options.reference) if options.reference else None
        reference = board_reference(board, given)
        reader = Reader(board, detector, reference, options.corners or reference is None)
        rounds = rounds_of(cases, options.enrol or natural_enrolment(cases))
        rows.append(_pieces(name, rounds, board, reader, options))
    if any(case.dice for case in cases):
        rows.append(_dice(name, [c for c in cases if c.dice], board, options))
    if not rows:
        raise BoardwardenError(f"{folder.path} labels neither pieces nor dice: nothing to measure")
    return rows


def _check_fit(folder: LabelledFolder, board: Board) -> None:
    """Labels of another board would only give a figure that says nothing."""
    spots = {s for picture in folder.pictures for piece in picture.pieces for s in piece.spots}
    if spots and not any(s in board.spots for s in spots):
        raise BoardwardenError(
            f"the labels {shown(folder.path)} name no cell of the board {shown(board.name)}:"
            " give their own board with --board"
        )


def _film(path: Path, options: argparse.Namespace, detector: Detector | None) -> list[Row]:
    film = load_film(path, load_board(options.board) if options.board else None)
    rows: list[Row] = []
    if detector is not None:
        given = Path(options.reference) if options.reference else film.reference
        reference = board_reference(film.board, given)
        if reference is None:
            raise BoardwardenError(f"{path} names no reference picture: give one with --reference")
        counts = inventory_counts(film.board, film.colours)
        reader = Reader(film.board, detector, reference, False, counts)
        teacher = None if options.enrol == "none" else film.first
        lessons = [(case, teacher) for case in film.cases]
        rows.append(_pieces(film.name, [lessons], film.board, reader, options))
    dice = [c for c in film.cases if c.dice]
    if dice:
        rows.append(_dice(film.name, dice, film.board, options))
    return rows


def _pieces(
    name: str, rounds: list[list[Lesson]], board: Board, reader: Reader, options: argparse.Namespace
) -> Row:
    keep = worst.Worst()
    tallies = [read_round(name, lessons, board, reader, keep.see) for lessons in rounds]
    middle = _middle(tallies)
    if not options.json:
        _say(report.rounds_lines(tallies) if len(tallies) > 1 else ())
        _say(report.lines(middle))
        _say(f"    {line}" for line in middle.wrong if options.verbose)
    written = _write_worst(name, keep, middle, options)
    row = middle.to_json()
    if options.enrol == "each":
        row["rounds"] = [_brief(t) for t in tallies]
    return row | ({"written": written} if written else {})


def _middle(tallies: list[Tally]) -> Tally:
    """The round whose figures are told in full: the median one."""
    return report.in_order(tallies)[(len(tallies) - 1) // 2]


def _brief(tally: Tally) -> Row:
    keys = (
        "boards",
        "boards_right",
        "pieces",
        "right",
        "cell",
        "colour",
        "kind",
        "missed",
        "extra",
    )
    whole = tally.to_json()
    return {k: whole[k] for k in keys}


def _write_worst(
    name: str, keep: worst.Worst, tally: Tally, options: argparse.Namespace
) -> list[str]:
    if not options.worst:
        return []
    folder = Path(options.worst)
    paths = keep.write(folder, name)
    if tally.answers:
        diagram = calibration.draw(tally.calibration, f"{name}: confidence of read pieces")
        paths.append(worst.save(folder / f"{name}-confidence.png", diagram))
    if not options.json:
        print(f"  {len(paths)} pictures written to {folder}")
    return [str(p) for p in paths]


def _dice(name: str, cases: list[Case], board: Board | None, options: argparse.Namespace) -> Row:
    tally = DiceTally(f"{name} dice")
    for case in cases:
        measure_dice(tally, case, board)
    if not options.json:
        _say(report.dice_lines(tally))
        _say(f"    {line}" for line in tally.wrong if options.verbose)
    return tally.to_json()


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)
