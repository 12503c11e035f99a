"""The recorded game through session and referee, with perfect eyes in place of the camera's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion_app.demo_game import CARDS as DEMO_CARDS
from companion_app.demo_game import DEMO_GAMES, demo_folder, demo_setup
from companion_app.demo_game import FILM as DEMO_FILM
from companion_app.demo_game import PICTURE as DEMO_PICTURE
from companion_app.opening import open_session, read_cards
from companion_app.snapshot import Snapshot
from companion_app.store import Store
from engine.board import load_board
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.referee.tracker import Tracker
from engine.rooms import room_for
from engine.verdict import Status
from tests.app.helpers import Watcher
from tests.app.scripted import ScriptedPipeline

RENDERS = Path(__file__).resolve().parents[2] / ".." / "shared" / "renders"
TRUTH = RENDERS / "magalon-dev.json"


def test_the_demo_has_all_its_parts() -> None:
    folder = demo_folder()
    assert (folder / DEMO_FILM).stat().st_size > 1_000_000
    assert (folder / DEMO_PICTURE).stat().st_size > 10_000
    cards = read_cards(folder / DEMO_CARDS)
    assert [p["colour"] for p in cards["players"]] == ["violet", "green"]
    assert [r["round"] for r in cards["cards"]] == [1, 2, 3]


@pytest.mark.parametrize("game", DEMO_GAMES)
def test_every_demo_can_be_begun(game: str) -> None:
    header, how = demo_setup(game)
    assert header.game == game
    assert Path(how["source"]).stat().st_size > 1_000_000
    assert how["reference"].stat().st_size > 10_000
    board = load_board("reference", game)
    tracker = Tracker(room_for(game), board, header, cards=how["cards"])
    assert tracker.placement.pieces


def test_a_game_without_a_recording_is_one_sentence() -> None:
    with pytest.raises(BoardwardenError, match="magalon, hexagon, grailnah"):
        demo_setup("carcassonne")


@pytest.mark.shared
@pytest.mark.skipif(not TRUTH.exists(), reason="needs the development films")
def test_the_film_ends_with_the_right_scores(home: Path) -> None:
    truth = json.loads(TRUTH.read_text("utf-8"))
    cards = read_cards(demo_folder() / DEMO_CARDS)
    seats = tuple(Player(p["name"], p["colour"]) for p in cards["players"])
    store = Store(home)
    session = open_session(
        store,
        Header("magalon", "reference", seats),
        source="film",
        cards=cards,
        opener=lambda r: ScriptedPipeline(
            demo_folder() / DEMO_FILM,
            TRUTH,
            r.board,
            r.header,
            speed=0,
            behind=lambda: session.behind,
        ),
    )
    watcher = Watcher(session)
    session.start()
    watcher.wait(lambda s: s.camera.text.key == "camera.ended")
    session.close()
    last = session.snapshot
    assert {s.colour: s.energy for s in last.table.detail.seats} == truth["end"]["energy"]
    assert {s.colour: list(s.items) for s in last.table.detail.seats if s.items} == truth["end"][
        "items"
    ]
    refused = {s.sentence.id for s in watcher.seen if _refused(s)}
    assert len(refused) == sum(e.get("verdict") == "illegal" for e in truth["events"])
    saved = store.running()
    assert saved is not None
    again = open_session(store, saved.header, saved=saved)
    assert again.snapshot.placement == last.placement
    assert again.snapshot.table == last.table


def _refused(snapshot: Snapshot) -> bool:
    return snapshot.sentence is not None and snapshot.sentence.status is Status.ILLEGAL
