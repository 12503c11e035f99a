"""What is said when the game is not set up as it begins."""

from __future__ import annotations

import pytest

from engine.board import load_board
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.grailnah.explain import GrailnahProposer
from engine.grailnah.setup import make_setup
from engine.grailnah.setup_check import faults
from engine.placement import PieceMove
from engine.referee.explain import Clues
from tests.engine.grailnah.support import ROOM, Table


def move(piece: str, origin: str, to: str) -> PieceMove:
    return PieceMove(piece, (origin,), (to,))


def test_every_fault_is_a_sentence() -> None:
    t = Table(start=True)
    moves = [move("queen/red", "6/12", "4/4"), move("merlin", "grail", "1/3"),
             move("castle/white", "6/0", "6/8")]  # fmt: skip
    said = [str(m) for m in faults(t.state, moves, {"morgane"})]
    assert said == [
        "The white castle stands on 6/8; it was drawn for another place.",
        "Merlin stands on 1/3; it begins at the centre.",
        "The red queen stands on 4/4; it begins at the red castle.",
        "Morgane is missing: it begins at the centre.",
    ]


def test_two_castles_that_changed_places_are_one_sentence() -> None:
    t = Table(start=True)
    moves = [move("castle/white", "6/0", "6/12"), move("castle/red", "6/12", "6/0")]
    assert [str(m) for m in faults(t.state, moves, ())] == [
        "The red castle and the white castle have changed places."
    ]


def test_only_before_the_first_move_and_not_for_that_move() -> None:
    proposer = GrailnahProposer(ROOM)
    t = Table(start=True)
    first = (move("knight/white/1", "6/0", "6/4"),)
    assert proposer.misplaced(t.state, first, frozenset()) == ()
    merlin = (move("merlin", "grail", "1/3"),)
    assert proposer.misplaced(t.state, merlin, frozenset({"morgane"})) == ()
    castle = (move("castle/white", "6/0", "6/8"),)
    said = proposer.misplaced(t.state, castle, frozenset({"morgane"}))
    assert [m.key for m in said] == ["setup_castle", "setup_missing"]
    many = tuple(move(f"knight/red/{n}", "6/12", f"4/{n}") for n in range(1, 5))
    assert len(proposer.misplaced(t.state, many, frozenset())) == 4
    t.move("white", "knight/1", "6/4")
    assert proposer.misplaced(t.state, castle, frozenset({"morgane"})) == ()


def test_a_castle_that_is_taken_away_is_no_move_of_a_royal() -> None:
    moves = (PieceMove("castle/white", ("6/0",), ()),)
    assert list(GrailnahProposer(ROOM).steps(Table(start=True).state, moves, Clues())) == []


@pytest.mark.parametrize("links", [[["a", ["b"]]], [[{}]], {"a": 7}, {"a": [["b"]]}, [7], 7])
def test_links_and_gates_that_name_no_cells_are_one_sentence(links: object) -> None:
    raw = dict(load_board("reference", "grailnah").raw)
    header = Header("grailnah", "reference", tuple(Player(c, c) for c in ("white", "blue")))
    for part in (
        {"stair_links": links},
        {"castles": {next(iter(raw["castles"])): {"lateral": links, "royal": links}}},
    ):
        with pytest.raises(BoardwardenError):
            make_setup(header, load_board({**raw, **part}, "grailnah"))
