"""Measures the eyes on folders of labelled pictures (``labels.json``)."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from engine.board import Board, load_board
from engine.errors import BoardwardenError
from engine.files import shown
from vision.detector import Detector
from vision.evaluation import Score, evaluate, load_folder, method_for
from vision.labels import LabelledFolder, load_labels


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden evaluate``."""
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--board", metavar="BOARD.json", help="instead of the one the labels name")
    parser.add_argument(
        "--reference", metavar="PICTURE", help="find the board by this picture of its print"
    )
    parser.add_argument(
        "--corners", action="store_true", help="take the labelled corners as the pose"
    )
    parser.add_argument(
        "--enrol", choices=("start", "other", "none"), help="what to learn the pieces from"
    )
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell every piece read wrong")


def run(options: argparse.Namespace) -> int:
    """Prints one line of figures per folder."""
    detector = Detector()
    scores = [_one(Path(name), options, detector) for name in options.folders]
    if options.json:
        print(json.dumps([s.to_json() for s in scores]))
    return 0


def _one(path: Path, options: argparse.Namespace, detector: Detector) -> Score:
    if options.board:
        folder, board = load_labels(path / "labels.json"), load_board(options.board)
    else:
        folder, board = load_folder(path)
    _check_fit(folder, board)
    reference = Path(options.reference) if options.reference else None
    method = method_for(folder, reference, options.enrol, options.corners)
    talk = options.verbose and not options.json
    score = evaluate(
        folder,
        board,
        method,
        detector,
        (lambda line: print(" ", line)) if talk else (lambda line: None),
    )
    if not options.json:
        print(score.line())
    return score


def _check_fit(folder: LabelledFolder, board: Board) -> None:
    """Labels of another board would only give a figure that says nothing."""
    spots = {s for picture in folder.pictures for piece in picture.pieces for s in piece.spots}
    if spots and not any(s in board.spots for s in spots):
        raise BoardwardenError(
            f"the labels {shown(folder.path)} name no cell of the board {shown(board.name)}:"
            " give their own board with --board"
        )
