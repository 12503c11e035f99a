"""Judges the moves of a camera, film, folder of pictures or network camera, without a window."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from companion_app.commands.finding import TILES, Finding, add_finding, lesson_of, parse_finding
from companion_app.commands.late import Watched, read_position
from companion_app.device import remembered_threads
from companion_app.lenses import forget_lens, known_lenses
from companion_app.pipeline import TablePipeline
from companion_app.sight import View
from companion_app.tile_lesson import own_tiles
from companion_app.tile_pipeline import tile_pipeline
from engine.action import Action
from engine.board import REFERENCE, Board
from engine.carcassonne.setup import MEEPLE_COLOURS
from engine.errors import BoardwardenError
from engine.files import read_json, shown
from engine.game import Header, Player, Room
from engine.placement import Placement
from engine.referee.cards import Cards, parse_cards
from engine.referee.strictness import Strictness
from engine.rooms import room_for
from engine.verdict import Status
from vision.detector import Detector
from vision.eyes import Eyes
from vision.labels import LabelledPicture
from vision.reading import inventory_counts
from vision.scene import SceneWatch
from vision.sources import check_source, open_source
from vision.types import BoardPose

Line = dict[str, Any]
WITH_CARDS = "magalon"
TOLD = (WITH_CARDS, "hexagon")  # games of which a file can tell what no camera sees
WARNINGS = {"sight.colours", "sight.faint", "sight.lens", "sight.lens_size"}  # each is told once
NO_CARDS = (
    "boardwarden: the camera cannot see the cards: name those of round 1 with --cards, else the game"
    " waits for them"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden watch``."""
    parser.add_argument(
        "source", metavar="SOURCE", help="camera index, film, folder, http or rtsp address"
    )
    parser.add_argument("--game", required=True, help="magalon, hexagon, grailnah or carcassonne")
    add_finding(parser)
    parser.add_argument(
        "--enrol", default="first", metavar="first|LABELS.json[#IMAGE]",
        help="learn the pieces from the first still view as the starting position, or from a labelled picture",
    )  # fmt: skip
    parser.add_argument(
        "--players",
        metavar="violet,green",
        help="colours in seat order, the beginner first (default: the first two of the board; for Carcassonne they must be named)",
    )
    parser.add_argument(
        "--cards",
        metavar="FILE",
        help="what no camera sees, JSON: the cards laid per round, or the values of burnt wisdoms",
    )
    parser.add_argument(
        "--position", metavar="FILE",
        help="join a running game: its position, JSON; pieces that it leaves out are read from the first still view",
    )  # fmt: skip
    parser.add_argument(
        "--tiles", metavar="PROFILE.npz",
        help="Carcassonne: the print of an edition, learnt with boardwarden tiles (default: that of your own tiles, if it was learnt)",
    )  # fmt: skip
    parser.add_argument("--options", metavar="FILE", help="rule switches by id, JSON")
    parser.add_argument(
        "--strictness", choices=[s.value for s in Strictness], default=Strictness.REFEREE.value,
        help="referee refuses (default), coach warns and lets stand what is left, scorekeeper accepts and marks",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON only, one object a line")


def run(options: argparse.Namespace) -> int:
    """Prints one line per thing that happens."""
    show = _print_json if options.json else _print_text
    for line in lines(options):
        show(line)
    return 0


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """One object per thing that happens, as ``--json`` prints them; raises BoardwardenError."""
    room = room_for(options.game)
    _check_game(options, room)
    finding = parse_finding(options, lambda: check_source(options.source))
    if finding.board.game not in (None, room.name):
        raise BoardwardenError(
            f"the board file is for {finding.board.game}, not for {room.name}: give another with"
            " --board or --game"
        )
    colours = _colours(options.players, finding.board, room)
    header = Header(
        room.name, options.board or REFERENCE, tuple(Player(c.capitalize(), c) for c in colours),
        options=_options(options.options) if options.options else {},
        extra={"strictness": options.strictness},
    )  # fmt: skip
    cards = read_json(options.cards, "the --cards file") if options.cards else None
    known = {} if cards is None else parse_cards(cards)
    if known and room.name not in TOLD:
        raise BoardwardenError(f"no cards are laid in {room.name}: leave --cards out")
    position = read_position(options.position) if options.position else None
    unread = position is not None and not {"pieces", "tiles"} & position.keys()
    if unread and options.enrol == "first":
        raise BoardwardenError(
            "--position without pieces needs --enrol LABELS.json: pieces that stand anywhere can only be read once they were learnt"
        )
    if known:
        state = room.start(header, finding.board) if position is None else None
        _check_cards(known, room, state, colours)
    watched = Watched(room, finding.board, header, cards, position)
    lesson = None if options.enrol == "first" else lesson_of(options.enrol)
    pipeline = _pipeline(options, finding, header, watched.placement, lesson)
    yield from _watch(pipeline, watched, options, blind=not known and room.name == WITH_CARDS)


def _watch(
    pipeline: TablePipeline, watched: Watched, options: argparse.Namespace, *, blind: bool
) -> Iterator[Line]:
    """The lines of all views; ``blind``: says once that cards cannot be seen."""
    sight, last, warned = _Sight(), 0.0, set[str]()
    for view in pipeline.views():
        last = view.frame.t_s
        if blind and view.pose is not None:
            blind = False
            print(NO_CARDS, file=sys.stderr)
        yield from sight.lines(view)
        if view.problem is not None and view.problem.key in WARNINGS - warned:
            warned.add(view.problem.key)
            print(view.problem.text, file=sys.stderr)
        if view.observation is not None:
            before = watched.placement
            yield from watched.see(view.observation)
            if watched.placement is not None and watched.placement is not before:
                pipeline.accepted(watched.placement)
    if not sight.found:
        why = sight.why or "it has no picture"
        also = f" ({pipeline.ending.text})" if pipeline.ending else ""
        raise BoardwardenError(f"{shown(options.source)}: {why}{also}")
    yield from watched.end(last)
    if pipeline.ending:  # what was there is judged; that something was missing must not go unseen
        raise BoardwardenError(pipeline.ending.text)


def _check_game(options: argparse.Namespace, room: Room) -> None:
    """Refuses options that the game has no use for: they were meant for another one."""
    if options.enrol != "first" and room.name == TILES:
        raise BoardwardenError("the meeples are learnt during the game: leave --enrol out")
    if options.tiles and room.name != TILES:
        raise BoardwardenError(f"there are no tiles in {room.name}: leave --tiles out")


def _check_cards(cards: Cards, room: Room, state: Any, colours: list[str]) -> None:
    """Refuses cards that cannot have been laid, before the film is watched in vain; ``state``: that
    before round 1, None for a game that is joined later."""
    for round_, laid in cards.items():
        for colour, _ in laid:
            if colour not in colours:
                raise BoardwardenError(f"the cards name {shown(colour)}, who does not play")
        lays = room.name == "magalon" and round_ == 1 and state is not None
        for colour, card in laid if lays else ():
            lay = Action(colour, "pass") if card is None else Action(colour, "lay", {"card": card})
            word = room.judge(state, lay)
            if word.status is not Status.LEGAL:
                raise BoardwardenError(f"round 1 of the cards: {word.message.text}")
            state = word.state


def _options(path: str) -> dict[str, Any]:
    found = read_json(path, "the --options file")
    if not isinstance(found, dict):
        raise BoardwardenError(
            f'the --options file {shown(path)} must be an object like {{"M-A8": "b"}}'
        )
    return found


def _colours(given: str | None, board: Board, room: Room) -> list[str]:
    """The players' colours: as given, else the first two whose wizards or the like there are."""
    pieces = [i.colour for i in board.inventory if i.kind in ("wizard", "knight") and i.colour]
    if room.name != TILES and not pieces:
        raise BoardwardenError(
            f"the board {shown(board.name)} has none of the pieces of {room.name}: give a board"
            " that was measured for this game with --board, or reference"
        )
    if given is None and board.game == TILES:
        raise BoardwardenError(
            "the tiles do not tell who plays: give --players, like --players red,blue"
        )
    if given is not None:
        named = [c.strip() for c in given.split(",") if c.strip()]
        _check_colours(named, board)
        return named
    return list(dict.fromkeys(pieces))[:2]


def _check_colours(named: list[str], board: Board) -> None:
    """Of other games the engine knows the colours by the board's pieces."""
    unknown = [c for c in named if c not in MEEPLE_COLOURS]
    if board.game == TILES and unknown:
        raise BoardwardenError(
            f"there are no {shown(unknown[0])} meeples; the colours are {', '.join(MEEPLE_COLOURS)}"
        )
    if len(named) < 2:
        raise BoardwardenError(
            f"--players names {len(named)} colour{'s' * (len(named) != 1)}: give those of all players"
            " in the order of their seats, with commas and without spaces"
        )


def _pipeline(
    options: argparse.Namespace, finding: Finding, header: Header, start: Placement | None,
    lesson: LabelledPicture | None = None,
) -> TablePipeline:  # fmt: skip
    board, colours = finding.board, frozenset(p.colour for p in header.players)
    if header.game == TILES and start is not None:
        return tile_pipeline(
            open_source(options.source), board, header, start,
            profile=_profile(options.tiles), corners_px=finding.corners,
        )  # fmt: skip
    eyes = Eyes(
        board,
        Detector(threads=remembered_threads()),
        finding.reference,
        inventory_counts(board, colours),
    )
    if lesson is not None:
        eyes.enrol_labelled(lesson)
    scene = SceneWatch(
        board, reference=finding.reference, corners=finding.corners, snap=finding.snap,
        lens=known_lenses(options.source), turn=eyes.turn,
    )  # fmt: skip
    if start is not None:
        eyes.know(start)
    return TablePipeline(
        open_source(options.source), eyes, scene, start if lesson is None else None,
        on_lens_dropped=partial(forget_lens, options.source),
    )  # fmt: skip


def _profile(given: str | None) -> Path | None:
    """The print to know the tiles by: as given, else the owner's own, if it was learnt."""
    own = own_tiles()
    return Path(given) if given else own if own.exists() else None


class _Sight:
    """Lines about the board and the hand, only when something changes.

    ``found``: whether the board has ever been found; ``why``: what was in the way before.
    """

    def __init__(self) -> None:
        self.found = False
        self.why = ""
        self._pose: BoardPose | None = None
        self._hand = False

    def lines(self, view: View) -> Iterator[Line]:
        """What this view changes."""
        t_s = round(view.frame.t_s, 3)
        if not self.found and view.problem is not None:
            self.why = view.problem.text
        if view.pose is not self._pose:
            yield {"t": t_s, "type": "pose", **self._state(view)}
            self._pose = view.pose
            self.found = self.found or view.pose is not None
        if view.hand != self._hand:
            self._hand = view.hand
            yield {"t": t_s, "type": "hand", "state": "in" if view.hand else "out"}

    def _state(self, view: View) -> Line:
        pose = view.pose
        if pose is None:
            return {"state": "lost", "message": view.problem.text if view.problem else ""}
        residual = None if pose.residual_px is None else round(pose.residual_px, 3)
        return {
            "state": "moved" if self.found else "found",
            "how": pose.how,
            "residual_px": residual,
            "corners_px": [[round(float(v), 2) for v in p] for p in pose.corners_px],
        }


def _print_json(line: Line) -> None:
    print(json.dumps(line), flush=True)


def _print_text(line: Line) -> None:
    """One readable line; poses and hands only in brief."""
    kind, head = line["type"], f"{line['t']:7.1f} s  "
    if kind == "verdict":
        pieces = ", ".join(f"{p['piece']} → {_where(p['to'])}" for p in line["pieces"])
        rule = f" [{line['rule']}]" if line.get("rule") else ""
        print(f"{head}{line['verdict']:9} {pieces}{rule} {line['message']}".rstrip())
    elif kind == "question":
        print(f"{head}question  {line['text']}")
    elif kind == "possible":
        print(f"{head}possible  {line['piece']} → {', '.join(line['cells'])}")
    elif kind in ("score", "end"):
        scores = "; ".join(
            f"{colour} " + ", ".join(_told(*row) for row in s.items() if _tells(row[1]))
            for colour, s in line["players"].items()
        )
        print(f"{head}{kind:9} {scores}")
    elif kind == "pose":
        print(
            f"{head}board     {line['state']}" + (f" by {line['how']}" if line.get("how") else "")
        )
    sys.stdout.flush()


def _tells(value: Any) -> bool:
    return value is not False and value != []


def _told(key: str, value: Any) -> str:
    """One thing that counts, e.g. "9 energy", "items ring, stone" or "won"."""
    if value is True:
        return key
    return f"{key} {', '.join(map(str, value))}" if isinstance(value, list) else f"{value} {key}"


def _where(spots: Any) -> str:
    if spots is None:
        return "off the board"
    return " ".join(spots) if isinstance(spots, list) else str(spots)
