"""One board being measured: step by step, with undo, to a board file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from calibration.measuring import grailnah, hexagon, magalon
from calibration.measuring.likeness import Likeness
from calibration.measuring.step import Number, Said, Shape, Spot, Step
from engine.board import check_walkable, load_board
from engine.errors import BoardFileError, BoardwardenError
from engine.game import Header, Player
from engine.geometry import Point
from engine.rooms import room_for
from vision.types import Image

GAMES: dict[str, tuple[Callable[..., Any], Callable[[Image | None], tuple[Step[Any], ...]]]] = {
    "magalon": (magalon.begin, lambda picture: magalon.STEPS),
    "hexagon": (hexagon.begin, lambda picture: hexagon.STEPS),
    "grailnah": (grailnah.begin, grailnah.steps),
}
SIZES_MM = {
    "magalon": magalon.SIZE_MM, "hexagon": hexagon.SIZE_MM, "grailnah": grailnah.SIZE_MM
}  # fmt: skip
TAP_MM = 6.0  # a path shorter than this is a tap
# what a board file takes over from the game's shipped one: the pieces are the game's
OF_THE_GAME = ("inventory", "pieces_mm")
SEATS = {
    "magalon": ("violet", "green"), "hexagon": ("red", "blue"), "grailnah": ("white", "red"),
}  # fmt: skip


@dataclass(frozen=True)
class _State:
    draft: Any
    step: int
    proposed: tuple[Spot, ...] = ()
    refused: frozenset[Spot] = frozenset()


class Measuring:
    """``picture``: BGR of the empty face, its edges the edges of the picture (None: measured without
    one).  Every call that changes something can be undone."""

    def __init__(self, game: str, picture: Image | None, size_mm: tuple[float, float] | None = None) -> None:  # fmt: skip
        if game not in GAMES:
            raise BoardwardenError(f"boards of {game} are not measured; only {', '.join(GAMES)}")
        begin, steps = GAMES[game]
        self.game, self.picture = game, picture
        size = size_mm or SIZES_MM[game]
        self.steps = steps(picture)
        self._likeness: Likeness | None = None
        self._past: list[_State] = []
        self._now = _State(begin(picture, size), 0)
        self._looked_at: tuple[float, float] | None = None

    # --- what is shown -------------------------------------------------------------------------

    @property
    def draft(self) -> Any:
        """The board so far."""
        return self._now.draft

    @property
    def at(self) -> int:
        """Number of the step."""
        return self._now.step

    @property
    def step(self) -> Step[Any]:
        """The step."""
        return self.steps[self._now.step]

    @property
    def prompt(self) -> Said:
        """What the finger is to do now."""
        return self.step.prompt(self.draft)

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of this step."""
        return self.step.numbers(self.draft)

    @property
    def proposed(self) -> tuple[Spot, ...]:
        """Cells that look like the shown ones, to be taken all at once."""
        return self._now.proposed

    @property
    def problems(self) -> list[Said]:
        """What is wrong with this step's part."""
        return self.step.problems(self.draft)

    @property
    def shapes(self) -> list[Shape]:
        """Everything to be drawn over the photograph: the cells, this step's part, proposals, and
        cells with a problem."""
        draft, step = self.draft, self.step
        shapes = [] if self.at < 2 else [Shape("cell", p) for p in draft.cells.values()]
        shapes += step.shapes(draft)
        shapes += [Shape("proposed", draft.cells[s]) for s in self.proposed if s in draft.cells]
        for problem in self.problems:
            shapes += [Shape("wrong", draft.cells[s]) for s in problem.spots if s in draft.cells]
        return shapes

    @property
    def whole(self) -> list[Shape]:
        """What all steps have brought."""
        found = [s for step in self.steps for s in step.shapes(self.draft) if s.kind != "cell"]
        return [*(Shape("cell", p) for p in self.draft.cells.values()), *found]

    # --- what a finger does --------------------------------------------------------------------

    def touch(self, path: tuple[Point, ...]) -> None:
        """A finger went along a path, or down and up at one place."""
        far = max(abs(path[-1][i] - path[0][i]) for i in (0, 1))
        reach = max((max(abs(p[i] - path[0][i]) for i in (0, 1)) for p in path), default=far)
        if reach < TAP_MM:
            self._do(self.step.tap(self.draft, path[0]))
        else:
            self._do(self.step.drag(self.draft, path))

    def change(self, name: str, value: int) -> None:
        """Another value for a number of this step, kept within its bounds."""
        number = next((n for n in self.numbers if n.name == name), None)
        if number is not None:
            kept = max(number.least, min(number.most, value))
            self._do(self.step.change(self.draft, name, kept))

    def take_proposed(self) -> None:
        """Takes all proposed cells."""
        if self.proposed:
            self._do(self.step.take(self.draft, self.proposed))

    def undo(self) -> None:
        """One change back, also over the border of a step."""
        if self._past:
            self._now = self._past.pop()

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._past)

    @property
    def last(self) -> bool:
        """Whether this is the last step."""
        return self.at == len(self.steps) - 1

    def next(self) -> bool:
        """On to the next step; False when this one has a problem or is the last."""
        if self.problems or self.last:
            return False
        self._past.append(self._now)
        self._now = _State(self.draft, self.at + 1)
        return True

    def _do(self, draft: Any) -> None:
        if draft == self.draft:
            return
        before = self._now
        self._past.append(before)
        refused = before.refused | (set(before.proposed) & _changed(before.draft, draft))
        self._now = _State(draft, before.step, self._propose(draft, refused), frozenset(refused))

    def _propose(self, draft: Any, refused: frozenset[Spot] | set[Spot]) -> tuple[Spot, ...]:
        if self.picture is None:
            return ()
        if self._likeness is None or self._looked_at != draft.size_mm:
            self._likeness, self._looked_at = Likeness(self.picture, draft.size_mm), draft.size_mm
        return tuple(s for s in self.step.propose(draft, self._likeness) if s not in refused)

    # --- the result ----------------------------------------------------------------------------

    def board_file(self, name: str) -> dict[str, Any]:
        """The JSON object of the board file, checked as the game will check it.

        Raises BoardwardenError with one sentence.
        """
        shipped = load_board("reference", self.game).raw
        raw = {
            "version": 1,
            "game": self.game,
            "name": name,
            "origin": "measured by its owner",
            "axes": "millimetres on the printed face, x right, y down, origin at the top-left corner",
            "size_mm": list(self.draft.size_mm),
            **{key: shipped[key] for key in OF_THE_GAME},
            **self.draft.board(),
        }
        check_playable(raw)
        return raw


def _changed(before: Any, after: Any) -> set[Spot]:
    """Cells that were in a set of the draft before and are not any more, or the other way round."""
    out: set[Spot] = set()
    for name, value in vars(before).items():
        if isinstance(value, frozenset) and isinstance(vars(after).get(name), frozenset):
            out |= {s for s in value ^ vars(after)[name] if isinstance(s, str)}
    return out


def check_playable(raw: dict[str, Any]) -> None:
    """Raises BoardwardenError when no game could begin on a board."""
    board = load_board(raw)
    check_walkable(board, "the board")
    game = board.game or ""
    seats = SEATS.get(game)
    if seats is None:
        raise BoardFileError(
            f"the board is for {game or 'no game'}; {', '.join(SEATS)} can be played"
        )
    header = Header(game, "measured", tuple(Player(c, c) for c in seats))
    room_for(game).start(header, board)
