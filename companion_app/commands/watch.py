"""Judges the moves of a camera, film, folder of pictures or network camera, without a window."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion_app.commands.finding import Finding, add_finding, parse_finding
from companion_app.pipeline import Learning, TablePipeline
from companion_app.sight import View
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.referee.events import TrackerEvent
from engine.referee.tracker import Tracker
from engine.rooms import room_for
from vision.detector import Detector
from vision.eyes import Eyes
from vision.labels import parse_enrol
from vision.reading import inventory_counts
from vision.sources import open_source
from vision.types import BoardPose

Line = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden watch``."""
    parser.add_argument("source", metavar="SOURCE", help="camera index, film, folder, http or rtsp address")
    parser.add_argument("--game", required=True, help="magalon")
    add_finding(parser)
    parser.add_argument(
        "--enrol", default="first", metavar="first|LABELS.json[#IMAGE]",
        help="learn the pieces from the first still view as the starting position, or from a labelled picture",
    )  # fmt: skip
    parser.add_argument("--players", default="violet,green", metavar="violet,green", help="colours in seat order, the beginner first")
    parser.add_argument("--cards", metavar="FILE", help="the cards laid per round, JSON")
    parser.add_argument("--options", metavar="FILE", help="rule switches by id, JSON")
    parser.add_argument("--json", action="store_true", help="print JSON only, one object a line")


def run(options: argparse.Namespace) -> int:
    """Prints one line per thing that happens."""
    finding = parse_finding(options)
    room = room_for(options.game)
    if finding.board.game not in (None, room.name):
        raise BoardwardenError(f"the board file is for {finding.board.game}, not for {room.name}")
    colours = [c.strip() for c in options.players.split(",") if c.strip()]
    header = Header(
        room.name, options.board, tuple(Player(c.capitalize(), c) for c in colours),
        options=_json_file(options.options, "--options") if options.options else {},
    )  # fmt: skip
    cards = _json_file(options.cards, "--cards") if options.cards else None
    tracker = Tracker(room, finding.board, header, cards=cards)
    pipeline = _pipeline(options, finding, room.placement(tracker.state), frozenset(colours))
    show = _print_json if options.json else _print_text
    last = 0.0
    for view in pipeline.views():
        last = view.frame.t_s
        for line in _sight_lines(view):
            show(line)
        if view.observation is not None:
            for event in tracker.observe(view.observation):
                show(event.to_json())
    show(_end(last, room.scores(tracker.state), room.winner(tracker.state)))
    return 0
