"""Leads through placements of your own pieces, photographs each one and writes the labels.

The folder is then read by boardwarden evaluate and --enrol. Nothing is sent anywhere. Answers: Enter
takes the picture, s passes over this placement, q ends; a folder that was begun goes on.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from calibration.collecting import (
    Collection,
    Shot,
    Stand,
    open_collection,
    plan_shots,
    steps_between,
)
from calibration.standing import standing_of
from companion_app import texts
from companion_app.commands.finding import TILES, Finding, add_finding, parse_finding
from companion_app.source_words import source_message
from engine.errors import BoardwardenError
from vision.registration import BoardNotFound
from vision.sources import FrameSource, SourceKind, check_source, open_source
from vision.types import Frame

GAMES = ("magalon", "hexagon", "grailnah")
WAIT_S = 10.0  # for a camera's next picture
SETTLE_S = 0.4  # what is older was taken before the person said so


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden collect``."""
    parser.add_argument("source", help="camera number, address, film or folder of pictures")
    parser.add_argument("folder", metavar="FOLDER", help="new, empty, or begun before")
    parser.add_argument("--game", choices=(*GAMES, TILES), default="magalon", help="whose pieces")
    add_finding(parser)
    parser.add_argument("--count", type=int, help="how many placements (default: 20)")
    parser.add_argument("--seed", type=int, help="which placements (default: 0)")
    parser.add_argument(
        "--every", type=float, default=5.0, metavar="SECONDS",
        help="of a film: so far apart are the frames that are taken (default: 5)",
    )  # fmt: skip
    parser.add_argument("--language", choices=texts.LANGUAGES, help="of the instructions")


def run(options: argparse.Namespace) -> int:
    """Asks, looks, writes; ends when all placements are there or the person says so."""
    from companion_app.settings import system_language

    finding = _checked(options)
    texts.choose_language(options.language or system_language())
    texts.choose_game(options.game)
    check_source(options.source)
    collection = open_collection(
        Path(options.folder), finding.board, finding.reference,
        seed=options.seed, count=options.count,
    )  # fmt: skip
    shots = plan_shots(
        finding.board, collection.seed, collection.count, camera_moves=finding.corners is None
    )
    todo = [s for s in shots if s.number not in collection.taken]
    if todo:
        source = open_source(options.source, folder_fps=1.0)
        try:
            _Leader(collection, finding, source, options.every).lead(todo)
        finally:
            source.close()
    taken = len(collection.taken)
    _say(
        texts.t("collect.done", taken=taken, count=collection.count, folder=str(collection.folder))
    )
    return 0


def _checked(options: argparse.Namespace) -> Finding:
    if options.game == TILES:
        raise BoardwardenError(
            "Carcassonne has no board to collect on: photograph single tiles and use boardwarden"
            " tiles"
        )
    if options.count is not None and not 1 <= options.count <= 99:
        raise BoardwardenError("--count must be from 1 to 99")
    if not options.every >= 0:
        raise BoardwardenError("--every must be a number of seconds, 0 or more")
    return parse_finding(options)


class _Leader:
    """Leads a person through the placements that are still to be photographed."""

    def __init__(
        self, collection: Collection, finding: Finding, source: FrameSource, every_s: float
    ) -> None:
        self._collection, self._finding, self._source = collection, finding, source
        self._every_s = every_s
        self._name = Path(source.name).name
        self._last_s: float | None = None
        self._used = 0 if source.live else collection.frames_used(self._name)

    def lead(self, todo: Sequence[Shot]) -> None:
        """Until all is done, or the person or the source ends it."""
        before: Shot | None = None
        for shot in todo:
            _show(before, shot, self._collection.count)
            answer = self._photograph(shot)
            if answer == "q":
                return
            # who passes one over may have left anything on the table: all is told anew
            before = shot if answer == "" else None

    def _photograph(self, shot: Shot) -> str:
        """Asks until the picture is taken (""), or "s" or "q"."""
        while True:
            _say(texts.t("collect.ask"))
            answer = _answer()
            if answer:
                return answer
            frame = self._frame()
            if frame is None and not self._source.live:
                _say(texts.t("collect.ended"))
                self._say_state()
                return "q"
            if frame is None:
                self._say_state()
                continue
            try:
                pose = self._finding.find(frame.image)
            except BoardNotFound as error:
                _say(
                    texts.t(
                        "collect.not_found",
                        why=texts.show(source_message(str(error), error.key, error.params)),
                    )
                )
                continue
            origin = None if self._source.live else (self._name, frame.index)
            path = self._collection.add(shot, frame.image, pose, origin)
            size = (frame.image.shape[1], frame.image.shape[0])
            _say(texts.t("collect.taken", picture=path.name))
            if standing_of(pose, self._finding.board, size).in_view < 1:
                _say(texts.t("setup.stand_into_view"))
            return ""

    def _say_state(self) -> None:
        state = self._source.state
        if state.sentence:
            _say(texts.show(source_message(state.sentence, state.key, state.params)))

    def _frame(self) -> Frame | None:
        """A live source's picture of now; of any other the next one that is far enough on."""
        if self._source.live:
            return self._fresh()
        while (frame := self._source.read(0.0)) is not None:
            if frame.index < self._used:
                self._last_s = frame.t_s
                continue
            # pictures of a folder are a second apart, and none is passed over
            step_s = self._every_s if _is_film(self._source) else 0.0
            if self._last_s is None or frame.t_s >= self._last_s + step_s - 1e-6:
                self._last_s = frame.t_s
                return frame
        return None

    def _fresh(self) -> Frame | None:
        end = time.monotonic() + WAIT_S
        settled = time.monotonic() + SETTLE_S
        while (now := time.monotonic()) < end:
            frame = self._source.read(min(0.5, end - now))
            if (
                frame is not None
                and time.monotonic() >= settled
                and self._source.state.kind is SourceKind.OK
            ):
                return frame
        return None


def _is_film(source: FrameSource) -> bool:
    from vision.sources import FilmSource

    return isinstance(source, FilmSource)


def _show(before: Shot | None, shot: Shot, count: int) -> None:
    _say("")
    _say(texts.t("collect.placement", n=shot.number, count=count))
    if before is None:
        _say(texts.t("collect.clear"))
    for step in steps_between(before, shot):
        _say("  " + _step_text(step.stand, step.origin))
    if before is not None and before.hand_over is not None and shot.hand_over is None:
        _say("  " + texts.t("collect.hand_away"))
    if shot.lamp_off:
        _say("  " + texts.t("collect.lamp_off"))
    elif before is None or before.lamp_off:
        _say("  " + texts.t("collect.lamp_on"))
    if shot.camera_moved:
        _say("  " + texts.t("collect.camera"))
    if shot.hand_over is not None:
        _say("  " + texts.t("collect.hand_over", spot=texts.spot_name((shot.hand_over,))))


def _step_text(stand: Stand, origin: tuple[str, ...]) -> str:
    params = {"what": _name(stand), "to": texts.spot_name(stand.spots)}
    if stand.pips is not None:
        return texts.t("collect.die", pips=str(stand.pips), **params)
    if origin:
        return texts.t("collect.move", origin=texts.spot_name(origin), **params)
    return texts.t("collect.put", **params)


def _name(stand: Stand) -> str:
    """The piece in words; of a kind that has none, as the board file calls it."""
    said = texts.piece_name(f"{stand.kind}/{stand.colour or stand.number}/{stand.number}")
    if "/" not in said:
        return said
    key = f"kind.{stand.kind}"
    kind = texts.t(key)
    kind = stand.kind.replace("_", " ") if kind == key else kind
    if stand.colour is None:
        return f"{kind} {stand.number}"
    word = texts.t(f"colour.{stand.colour}")
    return f"{kind} ({word.removeprefix('colour.')})"


def _answer() -> str:
    """ "" to take the picture, "s" or "q"; the end of the input is q."""
    line = sys.stdin.readline()
    word = line.strip().lower()[:1]
    return "q" if not line else word if word in ("s", "q") else ""


def _say(line: str) -> None:
    print(line, flush=True)
