"""Reads the pieces in one or more pictures."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from companion_app.commands.finding import TILES, add_finding, lesson_of, parse_finding
from companion_app.commands.read_tiles import check_options, lost_row, read_tables
from companion_app.device import remembered_threads
from engine.errors import BoardwardenError
from engine.files import shown
from engine.placement import track_value
from engine.rooms import ROOMS
from vision.detector import Detector
from vision.eyes import Eyes, Glance
from vision.reading import ReadPiece
from vision.registration import BoardNotFound
from vision.sources.pictures import check_picture, read_picture


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden read``."""
    parser.add_argument("pictures", nargs="+", metavar="PICTURE")
    add_finding(parser)
    parser.add_argument(
        "--enrol", metavar="LABELS.json[#IMAGE]", help="learn from this labelled picture"
    )
    parser.add_argument(
        "--game", choices=(*ROOMS,), help="needed for Carcassonne, which has no board file"
    )
    parser.add_argument(
        "--players", metavar="red,blue",
        help="Carcassonne: whose meeples there are (default: all colours)",
    )  # fmt: skip
    parser.add_argument(
        "--tiles", metavar="PROFILE.npz", help="Carcassonne: the learnt print of an edition"
    )
    parser.add_argument("--json", action="store_true", help="print JSON only")


def run(options: argparse.Namespace) -> int:
    """Prints one object per picture."""
    if options.game == TILES:
        return _run_tiles(options)
    finding = parse_finding(options, lambda: [check_picture(Path(p)) for p in options.pictures])
    lesson = lesson_of(options.enrol) if options.enrol else None
    eyes = Eyes(finding.board, Detector(threads=remembered_threads()), finding.reference)
    if lesson is not None:
        eyes.enrol_labelled(lesson)
    rows: list[dict[str, Any]] = []
    for name in options.pictures:
        image = read_picture(Path(name))
        try:
            glance = eyes.study(image, finding.find(image))
        except BoardNotFound as error:
            rows.append(lost_row(name, str(error)))
            continue
        rows.append(to_json(name, glance))
    _tell(rows, options.json)
    return 0


def _tell(rows: list[dict[str, Any]], as_json: bool) -> None:
    """Prints what was read; raises BoardwardenError, when all is told, for what was not found."""
    if as_json:
        print(json.dumps(rows[0] if len(rows) == 1 else rows))
    else:
        for row in rows:
            if row["pose"] is not None:
                print(_text(row))
    lost = [f"{shown(row['picture'])}: {row['why']}" for row in rows if row["pose"] is None]
    for sentence in lost[:-1]:
        print(f"boardwarden: {sentence}", file=sys.stderr)
    if lost:
        raise BoardwardenError(lost[-1])


def _run_tiles(options: argparse.Namespace) -> int:
    """The same for tables of tiles."""
    check_options(options.reference, options.enrol)
    for name in options.pictures:
        check_picture(Path(name))
    profile = Path(options.tiles) if options.tiles else None
    _tell(read_tables(options.pictures, options.players, profile), options.json)
    return 0


def to_json(name: str, glance: Glance) -> dict[str, Any]:
    """The object of one picture, in the form that others rely on."""
    pose, reading = glance.pose, glance.reading
    residual = None if pose.residual_px is None else round(pose.residual_px, 3)
    return {
        "picture": name,
        "pose": {
            "corners_px": [[round(float(v), 2) for v in p] for p in pose.corners_px],
            "residual_px": residual,
            "how": pose.how,
        },
        "hand": glance.hand,
        "pieces": [_piece(p) for p in reading.pieces],
        "unsure": [{"cell": spot, "why": why} for spot, why in reading.unsure],
    }


def _piece(piece: ReadPiece) -> dict[str, Any]:
    track = track_value(piece.spots[0]) if piece.spots else None
    cell: Any = None
    if track is None and piece.spots:
        cell = list(piece.spots) if len(piece.spots) > 1 else piece.spots[0]
    row: dict[str, Any] = {"kind": piece.kind, "colour": piece.colour, "cell": cell}
    if track is not None:
        row["track"] = track
    if piece.seen.pips:
        row["pips"] = 1 + max(range(6), key=lambda k: piece.seen.pips[k])
    return row | {
        "at_mm": [round(v, 1) for v in piece.at_mm],
        "foot_px": [round(v, 1) for v in piece.foot_px],
        "confidence": round(piece.confidence, 3),
    }


def _text(row: dict[str, Any]) -> str:
    lines = [f"{row['picture']}: board found by {row['pose']['how']}, {len(row['pieces'])} pieces"]
    for piece in row["pieces"]:
        where = (
            piece["cell"]
            if piece["cell"] is not None
            else f"track {piece['track']}"
            if "track" in piece
            else "off the cells"
        )
        where = " ".join(where) if isinstance(where, list) else where
        name = " ".join(v for v in (piece["colour"], piece["kind"]) if v)
        lines.append(f"  {name:22} {where:14} {100 * piece['confidence']:3.0f} %")
    lines += [f"  unsure: {u['cell']}: {u['why']}" for u in row["unsure"]]
    return "\n".join(lines)
