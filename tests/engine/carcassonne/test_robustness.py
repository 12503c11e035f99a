"""Nonsense never raises, and the command judges Carcassonne's records."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_app.cli import main
from engine.action import Action
from engine.carcassonne.messages import CATALOGUE
from engine.carcassonne.room import ACTING
from engine.carcassonne.tiles import tiles
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.verdict import Status
from tests.engine.carcassonne.support import ROOM, Table

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 400),
    st.floats(allow_nan=True),
    st.sampled_from([0, 90, "N", "EW", "NL.NR", "CLOISTER", "mage", "witch", "Road", "large", "x"]),
    st.sampled_from(["BA/L", "BA/RFr", "MW/CFC", "IC/CCCC"]),
    st.sampled_from([[0, 0], [1, 0], [0, 1], [-1, 0]]),
)
VALUES = st.one_of(ATOMS, st.lists(ATOMS, max_size=3), st.dictionaries(st.just("pos"), ATOMS))
NAMES = ["tile", "rot", "pos", "feature", "at", "kind", "who", "off"]
DOS = [*ACTING, "finish", "undo", "correct", "note", "nonsense", ""]


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    st.sampled_from(DOS),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5),
    st.sampled_from(["red", "blue", None]),
    st.sampled_from(["start", "tile", "magic"]),
)
def test_nonsense_never_raises(do: str, args: dict, player: str | None, moment: str) -> None:
    t = Table()
    if moment != "start":
        t.lay("MW/CRRR.3" if moment == "magic" else "BA/RFr", 1, 0)
    before = t.state
    judgement = ROOM.judge(t.state, Action(player, do, args))
    assert t.state == before
    if judgement.status is Status.ILLEGAL:
        assert judgement.state is t.state
        assert judgement.message.key in CATALOGUE
        assert judgement.message.text


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.dictionaries(
        st.sampled_from(
            ["tiles", "meeples", "figures", "mage", "hands", "deck", "set_aside", "scores", "points",
             "to_move", "turn", "over"]
        ),
        st.one_of(
            VALUES,
            st.lists(st.dictionaries(st.sampled_from([*NAMES, "player"]), VALUES), max_size=2),
            st.dictionaries(st.sampled_from(["red", "mage", "BA/L", "pos", "duty"]), VALUES),
        ),
        max_size=3,
    )
)  # fmt: skip
def test_nonsense_positions_are_refused_kindly(position: dict) -> None:
    players = (Player("Ada", "red"), Player("Bob", "blue"))
    with contextlib.suppress(BoardwardenError):  # one sentence; anything else is a fault
        ROOM.start(Header("carcassonne", "", players, {}, position))


def test_arguments_that_are_no_object() -> None:
    t = Table()
    wrong = Action("red", "tile", [1])  # type: ignore[arg-type]
    assert ROOM.judge(t.state, wrong).status is Status.ILLEGAL


def test_hints_for_every_piece_never_raise_and_are_true() -> None:
    t = Table()
    pieces = ROOM.placement(t.state).pieces
    spots = {s for p in pieces for s in ROOM.hints(t.state, p)}
    assert "1,0@0" in ROOM.hints(t.state, "tile/BA/RFr/1")
    assert all(s.rpartition("@")[2] in ("0", "90", "180", "270") for s in spots)
    t.lay("MW/CRRR.3", 1, 0)
    assert set(ROOM.hints(t.state, "mage")) == {"0,0:EW", "0,0:N"}
    assert ROOM.hints(t.state, "meeple/red/1") == ()
    t.figure("mage", "W", 0, 0)
    assert "1,0:S" in ROOM.hints(t.state, "meeple/red/1")
    assert ROOM.hints(t.state, "meeple/blue/1") == ()
    assert ROOM.hints(t.state, "nothing") == ()


def _record(folder: Path, *lines: dict) -> Path:
    path = folder / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


HEADER = {
    "boardwarden": 1,
    "game": "carcassonne",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Bob", "colour": "blue"}],
    "options": {"sets": ["base", "mage_and_witch"], "C-10": 2},
}


def test_judge_prints_verdicts_scores_and_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _record(
        tmp_path,
        HEADER,
        {"player": "red", "do": "tile", "tile": "BA/C", "rot": 0, "pos": [0, -1]},
        {"player": "red", "do": "tile", "tile": "BA/C", "rot": 180, "pos": [0, -1]},
        {"player": "red", "do": "meeple", "feature": "City", "at": "S"},
        {"player": "red", "do": "end"},
        {"do": "undo"},
        {"do": "note", "text": "tea"},
        {"player": "red", "do": "end"},
        {"do": "finish"},
    )
    assert main(["judge", str(path), "--json"]) == 0
    *rows, end = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["verdict"] for r in rows] == ["illegal", *["legal"] * 7]
    assert (rows[0]["rule"], rows[0]["cells"]) == ("C-1", ["0,-1", "0,0"])
    assert end["scores"]["red"]["points"] == 2
    assert end["winner"] == "red"
    assert end["state"]["scores"] == {"red": 2, "blue": 0}
    again = _record(tmp_path, HEADER | {"position": end["state"]})
    assert main(["judge", str(again), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == end["state"]


def test_judge_says_what_is_wrong_with_a_header(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _record(tmp_path, HEADER | {"options": {"sets": ["base", "abbey"]}})
    assert main(["judge", str(path)]) == 2
    assert "abbey" in capsys.readouterr().err


def test_correct_sets_a_meeple_and_the_points() -> None:
    from engine.record import Game

    players = (Player("Ada", "red"), Player("Bob", "blue"))
    game = Game.begin(Header("carcassonne", "reference", players))
    meeple = {"player": "red", "feature": "Road", "at": "W", "pos": [0, 0]}
    args = {"meeples": [meeple], "hands": {"red": {"small": 6}}, "scores": {"blue": 5}}
    game, judgement = game.do(Action(None, "correct", args))
    assert judgement.status is Status.LEGAL
    assert game.state.total("blue") == 5
    assert game.state.hands["red"]["small"] == 6


def test_every_message_can_be_said() -> None:
    """Every key of the catalogue is used somewhere in the room, and every used key exists."""
    folder = Path(__import__("engine").__file__).parent / "carcassonne"
    code = "".join(
        p.read_text("utf-8") for p in folder.glob("*.py") if p.name != "messages.py"
    )  # fmt: skip
    unused = [
        key
        for key in CATALOGUE
        if f'"{key}"' not in code
        and f'"{key.removesuffix("_open")}"' not in code
        and not key.startswith("monastery")
    ]
    assert not unused
    assert tiles()
