"""Random play and brute force: what is generated is what is accepted, and nothing gets lost."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.action import Action
from engine.board import Board
from engine.game import Header, Player
from engine.grailnah.legal import legal_actions
from engine.grailnah.setup import SPECIALS, SWITCHES
from engine.grailnah.simulate import play_game, random_action
from engine.grailnah.state import GrailnahState
from engine.verdict import Status
from tests.engine.grailnah.support import COLOURS, REFERENCE, ROOM, Table, round_board, small_board

SMALL = small_board()
OPTIONS = st.dictionaries(st.sampled_from(sorted(SWITCHES)), st.just("b"), max_size=4)
PLAIN = settings(max_examples=25, deadline=None, derandomize=True)


def start(players: int, options: dict[str, str], board: Board) -> GrailnahState:
    seats = tuple(Player(c, c) for c in COLOURS[:players])
    return ROOM.start(Header("grailnah", "test", seats, options), board)


def middle(state: GrailnahState, seed: int, length: int) -> GrailnahState:
    rng = random.Random(seed)
    for _ in range(length):
        action = random_action(state, rng)
        if action is None:
            break
        state = ROOM.judge(state, action).state
    return state


def tried(state: GrailnahState) -> Iterator[Action]:
    """Every move, sensible or not."""
    me = state.to_move
    for to in state.setup.board.cells:
        for piece in state.pieces:
            if piece not in SPECIALS:
                yield Action(me, "move", {"piece": piece, "to": to})
        yield Action(me, "merlin", {"to": to})
        yield Action(me, "morgane", {"to": to})
        for knight in state.setup.knights(me):
            yield Action(me, "morgane", {"to": to, "sacrifice": knight})
    yield Action(me, "pass", {})
    for colour in state.setup.seats:
        for count in range(1, 5):
            yield Action(colour, "recover", {"count": count})


@PLAIN
@given(st.integers(0, 10**6), st.integers(0, 60), OPTIONS)
def test_generated_is_accepted_and_accepted_is_generated(
    seed: int, length: int, options: dict[str, str]
) -> None:
    state = middle(start(2, options, SMALL), seed, length)
    generated = {_key(a) for a in legal_actions(state)}
    accepted = {_key(a) for a in tried(state) if ROOM.judge(state, a).status is Status.LEGAL}
    assert generated == accepted


def _key(action: Action) -> tuple[object, ...]:
    return action.player, action.do, *sorted(action.args.items())


def test_on_the_reference_board_too() -> None:
    state = middle(start(4, {}, REFERENCE), 5, 60)
    generated = {_key(a) for a in legal_actions(state)}
    accepted = {_key(a) for a in tried(state) if ROOM.judge(state, a).status is Status.LEGAL}
    assert generated == accepted and len(generated) > 20


@PLAIN
@given(st.integers(0, 10**6), st.integers(2, 4), OPTIONS)
def test_pieces_are_conserved_and_positions_round_trip(
    seed: int, players: int, options: dict[str, str]
) -> None:
    t = Table(start=True, players=players, options=options)
    rng, names = random.Random(seed), sorted(t.state.pieces)
    for _ in range(40):
        action = random_action(t.state, rng)
        if action is None:
            break
        before = t.state
        t.do(action.player, action.do, **action.args)
        assert sorted(t.state.pieces) == names
        lost = {c: len(t.state.sacrificed(c)) for c in t.state.setup.seats}
        was = {c: len(before.sacrificed(c)) for c in t.state.setup.seats}
        change = Counter(lost) - Counter(was), Counter(was) - Counter(lost)
        if action.do == "morgane" and "sacrifice" in action.args:
            assert change == (Counter({action.player: 1}), Counter())
        elif action.do == "recover":
            assert change == (Counter(), Counter({action.player: action.args["count"]}))
        else:
            assert change == (Counter(), Counter())


@PLAIN
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_a_replay_gives_the_same_state(seed: int, players: int) -> None:
    first = start(players, {}, REFERENCE)
    actions = list(play_game(first, random.Random(seed), 80))
    ends = []
    for _ in range(2):
        state = first
        for action in actions:
            judgement = ROOM.judge(state, action)
            assert judgement.status is Status.LEGAL
            state = judgement.state
        ends.append(state)
    assert ends[0] == ends[1]


def test_random_games_come_to_an_end() -> None:
    wins = 0
    for seed in range(6):
        state = start(2 + seed % 3, {}, REFERENCE)
        for action in play_game(state, random.Random(seed), 600):
            state = ROOM.judge(state, action).state
        wins += state.winner is not None
    assert wins >= 4


# --- brute force ---------------------------------------------------------------------------------

BOARDS = {
    "grows": ((4, 8, 8, 16), 2),
    "equal": ((9, 9, 9, 9, 9), 3),
    "bricks": ((4, 6, 12, 18), 2),
}


def bare(name: str) -> Board:
    counts, circle = BOARDS[name]
    outer = len(counts)
    last = counts[-1] // 2
    castles = {
        f"{outer}/0": ((f"{outer}/1",), f"{outer - 1}/0"),
        f"{outer}/{last}": ((f"{outer}/{last + 1}",), f"{outer - 1}/{counts[-2] // 2}"),
    }
    return round_board(
        counts, circle=circle, castles=castles, places={"2": list(castles)},
        stairs=(f"{outer - 1}/1", f"{outer - 1}/{counts[-2] - 2}"), shift=0.0,
    )  # fmt: skip


def spans_of(name: str) -> dict[str, tuple[float, float]]:
    counts = BOARDS[name][0]
    return {
        f"{r}/{s}": (s / n, (s + 1) / n) for r, n in enumerate(counts, 1) for s in range(n)
    }  # fmt: skip


def random_table(name: str, rng: random.Random) -> Table:
    """Pawns, Merlin and Morgane on random free cells."""
    board = bare(name)
    inside = set(board.with_role("magic_circle_inside")) - {"goal"}
    shut = {*board.with_role("stair"), *board.with_role("castle_place"), "goal"}
    free = [c for c in board.cells if c not in shut]
    rng.shuffle(free)
    pieces: dict[str, str | None] = {}
    for colour in ("white", "red"):
        for n in range(1, rng.randint(2, 4)):
            pieces[f"knight/{colour}/{n}"] = free.pop()
        outside = [c for c in free if c not in inside]
        pieces[f"king/{colour}"] = outside[0]
        free.remove(outside[0])
    pieces["merlin"] = rng.choice([free.pop(), "goal"])
    within = [c for c in free if c in inside]
    pieces["morgane"] = rng.choice([within[0], "goal"])
    return Table(pieces, board=board)


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seed", range(12))
def test_walks_against_brute_force(name: str, seed: int) -> None:
    t = random_table(name, random.Random(seed))
    spans = spans_of(name)
    for piece, cell in t.state.pieces.items():
        if cell is None or t.state.in_castle(piece):
            continue
        kind = piece.split("/")[0]
        if kind == "knight":
            found = _knight(t.state, cell)
        elif kind == "merlin":
            found = _merlin(t.state, cell, spans)
        elif kind == "king":
            found = _king(t.state, cell, spans)
        else:
            continue
        owner = piece.split("/")[1] if "/" in piece else "white"
        t.state = t.state.but(to_move=owner)
        if kind != "merlin":
            found = {c for c in found if _may_stop(t.state, owner, kind, c)}
        assert t.hints(piece) == found, (piece, cell)


def _may_stop(state: GrailnahState, owner: str, kind: str, cell: str) -> bool:
    if cell == "goal":
        return kind == "knight"
    if cell in state.setup.board.with_role("stair"):
        return kind == "king" and not state.at.get(cell)
    if cell in state.setup.castles.values():
        gates = state.setup.board.raw["castles"][cell]
        return kind == "king" and state.pieces[f"king/{owner}"] == gates["royal"]
    if kind == "king" and "magic_circle_inside" in state.setup.board.cells[cell].roles:
        return False
    there = state.at.get(cell, ())
    return not there or (len(there) == 1 and "/" in there[0] and f"/{owner}" not in there[0])


def _open(state: GrailnahState, cell: str) -> bool:
    shut = {*state.setup.board.with_role("stair"), *state.setup.castles.values()}
    return cell not in shut and not state.at.get(cell)


def _circle(state: GrailnahState, cell: str) -> set[str]:
    """Along the ring, cell by cell, by counting sectors."""
    ring, sector = map(int, cell.split("/"))
    count = sum(c.startswith(f"{ring}/") for c in state.setup.board.cells)
    out = set()
    for step in (1, -1):
        at = sector
        while True:
            at = (at + step) % count
            here = f"{ring}/{at}"
            if at == sector:
                break
            out.add(here)
            if not _open(state, here):
                break
    return out


def _knight(state: GrailnahState, cell: str) -> set[str]:
    ring = int(cell.split("/")[0])
    near = state.setup.board.cells[cell].neighbours
    ahead = {c for c in near if c == "goal" or int(c.split("/")[0]) == ring - 1}
    return ahead | _circle(state, cell)


def _merlin(state: GrailnahState, cell: str, spans: dict[str, tuple[float, float]]) -> set[str]:
    """Rays at many angles, from ring to ring."""
    out = _circle(state, cell) if cell != "goal" else set()
    rings = max(int(c.split("/")[0]) for c in spans)
    low, high = (0.0, 1.0) if cell == "goal" else spans[cell]
    ring = 0 if cell == "goal" else int(cell.split("/")[0])
    inside = set(state.setup.board.with_role("magic_circle_inside"))
    for n in range(720):
        angle = low + (high - low) * (n + 0.5) / 720
        for step in (1, -1):
            at = ring + step
            while 0 <= at <= rings:
                here = "goal" if at == 0 else next(
                    c for c, (a, b) in spans.items() if c.startswith(f"{at}/") and a <= angle < b
                )  # fmt: skip
                if here in inside and cell not in inside:
                    break
                out.add(here)
                if not _open(state, here):
                    break
                at += step
    shut = {*state.setup.board.with_role("stair"), *state.setup.castles.values()}
    return out - shut


def _king(state: GrailnahState, cell: str, spans: dict[str, tuple[float, float]]) -> set[str]:
    """Cells that touch at least in a corner, and the other stairs."""
    ring = int(cell.split("/")[0])
    out = set()
    for other, span in spans.items():
        far = abs(int(other.split("/")[0]) - ring)
        if other != cell and far <= 1 and any(
            span[0] + turn <= spans[cell][1] + 1e-9 and spans[cell][0] <= span[1] + turn + 1e-9
            for turn in (-1, 0, 1)
        ):  # fmt: skip
            out.add(other)
    for castle in state.setup.castles.values():
        out.discard(castle)
        if state.setup.board.raw["castles"][castle]["royal"] == cell:
            out.add(castle)
    return out
