"""Films with truth as cases for ``boardwarden evaluate``: what stands where at each settled time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from engine.board import REFERENCE, Board, load_board
from engine.errors import BoardwardenError
from engine.files import read_json
from engine.game import Header, Player
from engine.placement import Placement, track_spot
from engine.rooms import room_for
from vision.evaluation.cases import Case, TrueDie
from vision.labels import LabelledPiece
from vision.sources import FilmSource
from vision.types import Image

HAND_S = 0.35  # before a settled time with a hand: the hand is in the middle of its way


Moment = tuple[float, tuple[LabelledPiece, ...], bool, tuple[TrueDie, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class FilmTruth:
    """A film as cases: ``first`` shows the starting position, the others follow in time.

    Every settled time gives one case in its middle, every hand one of which only the hand counts.
    ``colours``: those of the players.
    """

    name: str
    board: Board
    reference: Path | None
    colours: frozenset[str]
    first: Case
    cases: tuple[Case, ...]


def load_film(truth_file: Path, board: Board | None = None) -> FilmTruth:
    """Raises BoardwardenError if the truth or the film is missing or damaged."""
    try:
        truth = read_json(truth_file, "the truth of a film")
        film = truth_file.parent / truth["film"]
        board = board or _board(truth, truth_file.parent)
        moments = list(_moments(truth, board))
        colours = frozenset(str(c) for c in truth["players"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BoardwardenError(
            f"{truth_file} is not the truth of a film: it needs film, board, players and events as in"
            " docs/formats.md"
        ) from error
    reference = truth_file.parent / truth["reference"] if truth.get("reference") else None
    pictures = _Pictures(film, [m[0] for m in moments])
    cases = [_case(film.stem, m, pictures) for m in moments]
    return FilmTruth(film.stem, board, reference, colours, cases[0], tuple(cases[1:]))


def _board(truth: Mapping[str, Any], folder: Path) -> Board:
    """The board that a truth names: a file beside it, or the reference board of its game."""
    named = str(truth["board"])
    return (
        load_board(named, str(truth["game"])) if named == REFERENCE else load_board(folder / named)
    )


class _Pictures:
    """The pictures of a film at given times, read in one go when the first is asked for."""

    def __init__(self, film: Path, times: list[float]) -> None:
        self._film, self._times = film, times
        self._at: dict[float, Image] = {}

    def at(self, t_s: float) -> Image:
        """The picture shown at a time; raises BoardwardenError if the film is shorter."""
        if not self._at:
            self._read()
        if t_s not in self._at:
            raise BoardwardenError(
                f"{self._film} ends before {t_s:.1f} s: it is not the whole film"
            )
        return self._at[t_s]

    def _read(self) -> None:
        wanted = sorted(self._times)
        source = FilmSource(self._film)
        source.open()
        try:
            last: Image | None = None
            while wanted and (frame := source.read(1.0)) is not None:
                while wanted and frame.t_s > wanted[0] + 1e-6:
                    self._at[wanted.pop(0)] = frame.image if last is None else last
                last = frame.image
            if last is not None:
                self._at |= dict.fromkeys(wanted[:1], last)
        finally:
            source.close()


def _case(film: str, moment: Moment, pictures: _Pictures) -> Case:
    t_s, pieces, hand, dice = moment
    name = f"{film}-{t_s:06.2f}s"
    return Case(name, lambda: pictures.at(t_s), None, pieces, hand, dice, hand_only=hand)


def _moments(truth: Mapping[str, Any], board: Board) -> Iterator[Moment]:
    """(time, pieces, hand, dice) in the order of time."""
    placement = _start(truth, board)
    places = dict(placement.pieces)
    events = [e for e in truth["events"] if "settled_from" in e]
    first = min((e["settled_from"] for e in events), default=2.0)
    yield min(1.0, first / 2), _labels(placement, places), False, ()
    for _, together in groupby(events, key=lambda e: float(e["settled_from"])):
        moment = list(together)
        if any(e.get("hand", True) and "piece" in e for e in moment):
            yield moment[0]["settled_from"] - HAND_S, (), True, ()
        places |= {str(e["piece"]): _spots(e) for e in moment if "piece" in e}
        dice = tuple(TrueDie(int(v), None, None, True) for e in moment for v in e.get("dice", ()))
        middle = (moment[0]["settled_from"] + moment[0]["settled_to"]) / 2
        yield middle, _labels(placement, places), False, dice


def _start(truth: Mapping[str, Any], board: Board) -> Placement:
    room = room_for(board.game or "magalon")
    players = tuple(Player(str(c), str(c)) for c in truth["players"])
    return room.placement(room.start(Header(room.name, board.name, players), board))


def _labels(
    placement: Placement, places: Mapping[str, tuple[str, ...]]
) -> tuple[LabelledPiece, ...]:
    return tuple(
        LabelledPiece(placement.infos[p].kind, placement.infos[p].colour, spots)
        for p, spots in places.items()
        if spots
    )


def _spots(event: Mapping[str, Any]) -> tuple[str, ...]:
    if "track" in event:
        return (track_spot(int(event["track"])),)
    to = event["to"]
    if to is None:
        return ()
    return tuple(str(c) for c in to) if isinstance(to, list) else (str(to),)
