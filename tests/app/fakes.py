"""A small stand-in for rules, referee and eyes, so that the app is tested without them."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion_app.sight import PipelineRequest, View
from engine.action import Action
from engine.board import Board
from engine.game import Header, Judgement
from engine.observation import Observation
from engine.placement import PieceInfo, PieceMove, Placement, track_spot
from engine.verdict import Choice, Message, Status, Verdict
from vision.sources.words import told
from vision.types import BoardPose, Frame


@dataclass(frozen=True)
class ActionRecorded:
    t_s: float
    action: Action
    judgement: Judgement


@dataclass(frozen=True)
class VerdictGiven:
    id: str
    t_s: float
    verdict: Verdict
    replaces: str | None = None


@dataclass(frozen=True)
class QuestionAsked:
    id: str
    t_s: float
    text: Message
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Withdrawn:
    id: str
    t_s: float = 0.0


@dataclass(frozen=True)
class State:
    """Just enough of Magalon: wizards walk by distance and parity, everything else goes."""

    board: Board
    seats: tuple[str, ...]
    pieces: dict[str, Any]
    energy: dict[str, int]
    hands: dict[str, tuple[int, ...]]
    table: tuple[tuple[str, int | None], ...] = ()
    acted: tuple[str, ...] = ()
    round: int = 1
    dice: tuple[int, int] | None = None
    shield_moved: bool = False
    walked: tuple[str, ...] = ()

    @property
    def to_act(self) -> str:
        if len(self.table) < len(self.seats):
            return self.seats[len(self.table)]
        order = sorted((v, c) for c, v in self.table if v is not None and c not in self.acted)
        return order[-1][1]


class FakeRoom:
    name = "magalon"

    def start(self, header: Header, board: Board) -> State:
        seats = tuple(p.colour for p in header.players)
        pieces: dict[str, Any] = {"giant": ("h11",), "goblin/1": ("e11",), "goblin/2": ("k11",)}
        for colour in seats:
            pieces |= {f"wizard/{colour}": ("start",), f"shield/{colour}": ()}
        for n, cells in enumerate(board.raw["ruin_start"], 1):
            pieces[f"ruin/{n}"] = tuple(cells)
        hands = {c: tuple(range(11)) for c in seats}
        return State(board, seats, pieces, dict.fromkeys(seats, 10), hands)

    def placement(self, state: State) -> Placement:
        stones = {f"energy_stone/{c}": (track_spot(e),) for c, e in state.energy.items()}
        pieces = {**state.pieces, **stones}
        infos = {p: _info(p) for p in pieces}
        return Placement(pieces, infos)

    def position(self, state: State) -> dict[str, Any]:
        return {
            "energy": dict(state.energy),
            "items": {c: [] for c in state.seats},
            "hands": {c: list(h) for c, h in state.hands.items()},
            "table": [list(e) for e in state.table],
            "round": state.round,
            "acted": list(state.acted),
            "giant_rolled": list(state.dice) if state.dice else None,
            "shield_moved": state.shield_moved,
            "paths": {piece: {"done": True} for piece in state.walked},
        }

    def scores(self, state: State) -> dict[str, dict[str, Any]]:
        return {c: {"energy": e} for c, e in state.energy.items()}

    def winner(self, state: State) -> str | None:
        return None

    def to_act(self, state: State) -> str | None:
        return state.to_act

    def hints(self, state: State, piece: str) -> Sequence[str]:
        return ("g3", "h3")

    def judge(self, state: State, action: Action) -> Judgement:
        refusal = self._refusal(state, action)
        if refusal is not None:
            rule, text, cells = refusal
            return Judgement(Status.ILLEGAL, state, rule, cells, Message(f"fake.{rule}", text))
        return Judgement(Status.LEGAL, self._after(state, action))

    def _refusal(self, state: State, action: Action) -> tuple[str, str, tuple[str, ...]] | None:
        laying = len(state.table) < len(state.seats)
        if action.do == "correct":
            return None
        if action.player != state.to_act:
            return "M-11", f"It is {state.to_act}'s turn.", ()
        if (action.do in ("lay", "pass")) != laying:
            return "M-7", "Cards are laid first.", ()
        if action.do == "lay" and action.args["card"] in [v for _, v in state.table]:
            return "M-8", "That value has been laid in this round.", ()
        if action.do == "walk":
            origin, to = state.pieces[f"wizard/{action.player}"][0], action.args["to"]
            (x0, y0), (x1, y1) = state.board.centres[origin], state.board.centres[to]
            steps = round((abs(x1 - x0) + abs(y1 - y0)) / 28)
            card = dict(state.table)[action.player] or 0
            if steps > card:
                return (
                    "M-19",
                    f"{to} is {steps} cells away, but card {card} walks exactly {card}.",
                    (to,),
                )
        return None

    def _after(self, state: State, action: Action) -> State:
        a, player = action.args, action.player or ""
        if action.do == "lay":
            hands = {**state.hands, player: tuple(v for v in state.hands[player] if v != a["card"])}
            return replace(state, table=(*state.table, (player, a["card"])), hands=hands)
        if action.do == "pass":
            return replace(state, table=(*state.table, (player, None)))
        if action.do == "end":
            after = replace(
                state, acted=(*state.acted, player), dice=None, shield_moved=False, walked=(),
                energy={**state.energy, player: max(0, state.energy[player] - 1)},
            )  # fmt: skip
            if len(after.acted) == len(state.seats):
                return replace(after, acted=(), table=(), round=state.round + 1)
            return after
        if action.do == "roll":
            return replace(state, dice=tuple(a["dice"]))
        if action.do == "energy":
            return replace(state, energy={**state.energy, player: a["to"]})
        if action.do == "correct":
            return replace(
                state, pieces={**state.pieces, **{p: _spots(v) for p, v in a["pieces"].items()}}
            )
        piece = {
            "walk": f"wizard/{player}", "shield": f"shield/{player}", "giant": "giant",
        }.get(action.do) or a.get("piece") or a.get("ruin")  # fmt: skip
        return replace(
            state, pieces={**state.pieces, piece: _spots(a["to"])},
            shield_moved=state.shield_moved or action.do == "shield",
            walked=(*state.walked, piece) if action.do in ("walk", "goblin", "giant") else state.walked,
        )  # fmt: skip


def _spots(value: Any) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)


def _info(piece: str) -> PieceInfo:
    kind, _, rest = piece.partition("/")
    colour = rest if rest and not rest.isdigit() else {"ruin": "grey"}.get(kind, "black")
    return PieceInfo(piece, kind, colour)


class FakeReferee:
    """Judges taps; what it is to say of an observation is given beforehand."""

    def __init__(
        self, room: FakeRoom, board: Board, header: Header, history: Sequence[Action] = ()
    ) -> None:
        self.room, self.board, self.header = room, board, header
        self.states = [room.start(header, board)]
        self.ids = itertools.count(1)
        self.script: dict[float, list[Any]] = {}
        self.chosen: list[tuple[str, int]] = []
        self.refused: list[str] = []
        self.actions: list[Action] = []
        self.differences: tuple[PieceMove, ...] = ()
        for action in history:
            self.act(action)

    @property
    def state(self) -> State:
        return self.states[-1]

    def act(self, action: Action) -> list[Any]:
        if action.do == "undo":
            if len(self.states) == 1:
                return []
            self.states.pop()
            self.actions.append(action)
            return [ActionRecorded(0.0, action, Judgement(Status.LEGAL, self.state))]
        before = self.room.placement(self.state).pieces
        word = self.room.judge(self.state, action)
        ident = f"v{next(self.ids)}"
        if word.status is Status.ILLEGAL:
            verdict = Verdict(
                word.status, action.player, (action,), (), word.rule, word.cells, word.message
            )
            return [VerdictGiven(ident, 0.0, verdict)]
        self.states.append(word.state)
        self.actions.append(action)
        after = self.room.placement(word.state).pieces
        moves = tuple(PieceMove(p, before[p], after[p]) for p in after if before[p] != after[p])
        verdict = Verdict(Status.LEGAL, action.player, (action,), moves)
        return [ActionRecorded(0.0, action, word), VerdictGiven(ident, 0.0, verdict)]

    def observe(self, observation: Observation) -> list[Any]:
        return self.script.pop(observation.t_s, [])

    def choose(self, verdict_id: str, index: int) -> list[Any]:
        self.chosen.append((verdict_id, index))
        return [Withdrawn(verdict_id)]

    def refuse(self, verdict_id: str) -> list[Any]:
        self.refused.append(verdict_id)
        return [Withdrawn(verdict_id)]

    def repair(self, index: int) -> list[Any]:
        return []

    def amend(self, piece: str, to: tuple[str, ...]) -> list[Any]:
        return []

    def set_cards(self, cards: Any) -> list[Any]:
        laid = cards["cards"][0]["laid"]
        return [e for c, v in laid for e in self.act(Action(c, "lay", {"card": v}))]


def picture(shade: int = 90) -> np.ndarray:
    return np.full((720, 1280, 3), shade, np.uint8)


def view(
    t_s: float,
    *,
    hand: bool = False,
    still_s: float = 1.0,
    problem: Message | None = None,
    board: bool = False,
) -> View:
    """``board``: the board is found in the picture, and nothing is read of it yet."""
    frame = Frame(picture(), t_s, round(t_s * 10))
    if board:
        height, width = frame.image.shape[:2]
        corners = [(0.2, 0.1), (0.8, 0.1), (0.9, 0.9), (0.1, 0.9)]
        pose = BoardPose(
            np.eye(3),
            np.array([(x * width, y * height) for x, y in corners]),
            np.eye(3, 4),
            0.3,
            "reference",
        )
        return View(frame, pose, None, hand, still_s, problem, ())
    seen = Observation(t_s, True, hand, still_s=still_s)
    return View(frame, None, seen, hand, still_s, problem, ())


def view_of(film: Path) -> View:
    """The first picture of a film, with the board found in it."""
    capture = cv2.VideoCapture(str(film))
    _, image = capture.read()
    capture.release()
    made = view(0.1, board=True)
    corners = np.array([(1008, 196), (1028, 691), (178, 562), (362, 119)], float)
    assert made.pose is not None
    return replace(made, frame=Frame(image, 0.1, 1), pose=replace(made.pose, corners_px=corners))


class ListPipeline:
    """Yields the given views, then ends, or blocks until it is closed."""

    def __init__(self, views: Sequence[View], *, block: bool = False) -> None:
        self._views, self._block = views, block
        self.closed = threading.Event()
        self.blocking = threading.Event()

    def views(self) -> Iterator[View]:
        yield from self._views
        if self._block:
            self.blocking.set()
            self.closed.wait(30)

    def close(self) -> None:
        self.closed.set()


class StillPipeline(ListPipeline):
    """The same view ten times a second, until it is closed."""

    def views(self) -> Iterator[View]:
        first, n = self._views[0], 0
        while not self.closed.wait(0.1):
            n += 1
            yield replace(first, frame=Frame(first.frame.image, n / 10, n))


class DeafPipeline(ListPipeline):
    """Blocks for ever, also when it is closed (until ``release``)."""

    def __init__(self) -> None:
        super().__init__([])
        self.released = threading.Event()

    def views(self) -> Iterator[View]:
        self.blocking.set()
        self.released.wait(60)
        yield from ()

    def close(self) -> None:
        self.released.wait(60)


def no_camera(request: PipelineRequest) -> ListPipeline:
    raise told("source.missing", n=request.source)
