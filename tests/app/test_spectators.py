"""The page for spectators: read-only, behind a secret, one address, polite to the table."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_app import texts
from companion_app.eyes import OFF
from companion_app.games import face_of
from companion_app.snapshot import Sentence, Snapshot
from companion_app.spectators import view as view_module
from companion_app.spectators.process import Spectators
from companion_app.spectators.server import (
    HEADERS,
    MOST_PER_CALLER,
    Budget,
    Places,
    SpectatorServer,
    addresses,
)
from companion_app.spectators.view import SpectatorView
from engine.board import Board, load_board
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.placement import PieceMove
from engine.rooms import room_for
from engine.verdict import Message, Status

HERE = "127.0.0.1"


def snapshot_of(board: Board) -> Snapshot:
    header = Header(
        "magalon", "reference", (Player("<b>Ada</b>", "violet"), Player("Ben", "green"))
    )
    room, face = room_for("magalon"), face_of("magalon")
    texts.choose_game("magalon", {p.colour: p.name for p in header.players})
    state = room.start(header, board)
    table = face.table(room.position(state), header, board, to_act="violet", winner=None)
    return Snapshot(1, header, room.placement(state), table, OFF)


def test_spectators_see_the_whole_map_of_tiles() -> None:
    """Carcassonne: every tile in its place and turn, figures over them, the last move marked."""
    board = load_board("reference", "carcassonne")
    tiles = [("BA/RCr", 0, 0, 0), ("BA/RFr", 0, 1, 0), ("BA/C", 180, 0, -1)]
    position = {
        "tiles": [{"tile": t, "rot": r, "pos": [x, y]} for t, r, x, y in tiles],
        "meeples": [
            {"player": "red", "kind": "small", "feature": "Road", "at": "E", "pos": [0, 0]}
        ],
    }
    players = (Player("Ada", "red"), Player("Ben", "blue"))
    header = Header("carcassonne", "reference", players, position=position)
    room, face = room_for("carcassonne"), face_of("carcassonne")
    texts.choose_game("carcassonne", {p.colour: p.name for p in players})
    state = room.start(header, board)
    table = face.table(room.position(state), header, board, to_act="red", winner=None)
    move = (PieceMove("tile/BA/RFr/1", (), ("1,0@0",)),)
    shot = Snapshot(1, header, room.placement(state), table, OFF, last_move=move)
    view = SpectatorView(face, board)
    data = json.loads(view.state(shot))
    assert len(data["ground"]) == 3 and len(data["pieces"]) == 1 and data["aspect"] == 1.0
    start, east, north = data["ground"]
    assert east["x"] == pytest.approx(start["x"] + start["w"]) and east["y"] == start["y"]
    assert north["y"] == pytest.approx(start["y"] - start["h"]) and north["x"] == start["x"]
    assert data["cells"] == [{"kind": "move", **{k: east[k] for k in "xywh"}}]
    meeple = data["pieces"][0]
    assert start["x"] < meeple["x"] + meeple["w"] / 2 < east["x"]
    for thing in (*data["ground"], meeple):
        assert 0 <= thing["x"] <= 1 and 0 <= thing["y"] <= 1
        picture = view.picture(thing["src"])
        assert picture is not None and picture.startswith(b"\x89PNG")
    for name in ("tile/999-0.png", "tile/0-45.png", "tile/x.png", "tile/-1-0.png"):
        assert view.picture(name) is None


@pytest.fixture
def server(board: Board) -> Iterator[SpectatorServer]:
    view = SpectatorView(face_of("magalon"), board)
    found = SpectatorServer(HERE, view.picture)
    found.show(view.state(snapshot_of(board)))
    yield found
    found.close()


def ask(
    server: SpectatorServer, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(server.host, timeout=10)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


def below(server: SpectatorServer, name: str) -> str:
    return f"/{server.token}/{name}"


def test_the_page_its_script_and_the_state_are_there(server: SpectatorServer) -> None:
    for name, kind in (("", "text/html"), ("page.js", "text/javascript"), ("page.css", "text/css")):
        status, headers, body = ask(server, below(server, name))
        assert status == 200 and headers["Content-Type"].startswith(kind) and body
    status, headers, body = ask(server, below(server, "state.json"))
    state = json.loads(body)
    assert [s["name"] for s in state["seats"]] == ["<b>Ada</b>", "Ben"]
    assert state["headline"] == "<b>Ada</b> lays a card"
    assert len(state["pieces"]) == 15
    assert all(0 <= p["x"] <= 1 and 0 <= p["y"] <= 1 for p in state["pieces"])


def test_every_picture_that_the_state_names_is_a_drawing(server: SpectatorServer) -> None:
    state = json.loads(ask(server, below(server, "state.json"))[2])
    names = {p["src"] for p in state["pieces"]} | {"board.png", "mark/ring-1.png"}
    names |= {f"player/{s['colour']}.png" for s in state["seats"]}
    for name in names:
        status, headers, body = ask(server, below(server, name))
        assert (status, headers["Content-Type"], body[:4]) == (200, "image/png", b"\x89PNG")


def test_every_answer_carries_the_headers_and_says_nothing_of_python(
    server: SpectatorServer,
) -> None:
    for path in ("/", below(server, ""), below(server, "state.json"), "/nowhere"):
        _, headers, _ = ask(server, path)
        assert HEADERS.items() <= headers.items()
        assert headers["Server"].strip() == "Boardwarden"
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


def test_without_the_secret_there_is_nothing(server: SpectatorServer) -> None:
    for path in ("/", "/state.json", f"/{server.token}", f"/{server.token}x/state.json", "/../"):
        assert ask(server, path)[0] == 404
    for name in ("../server.py", "page/../../server.py", "%2e%2e/server.py", "server.py", "piece/"):
        assert ask(server, below(server, name))[0] == 404


def test_another_name_for_the_server_is_refused(server: SpectatorServer) -> None:
    assert ask(server, below(server, "state.json"), Host="evil.example")[0] == 404


def test_nothing_can_be_changed(server: SpectatorServer) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert ask(server, below(server, "state.json"), method)[0] == 501
    status, _, body = ask(server, below(server, "state.json"), "HEAD")
    assert (status, body) == (200, b"")


def test_an_unchanged_state_is_not_sent_again(server: SpectatorServer) -> None:
    _, headers, _ = ask(server, below(server, "state.json"))
    status, _, body = ask(server, below(server, "state.json"), **{"If-None-Match": headers["ETag"]})
    assert (status, body) == (304, b"")


def test_who_asks_too_often_has_to_wait(board: Board) -> None:
    view = SpectatorView(face_of("magalon"), board)
    server = SpectatorServer(HERE, view.picture, budget=Budget(rate_per_s=0.001, burst=5))
    statuses = [ask(server, below(server, "state.json"))[0] for _ in range(8)]
    server.close()
    assert statuses == [200] * 5 + [429] * 3


def test_errors_carry_the_headers_too_and_end_the_connection(server: SpectatorServer) -> None:
    for method, path in (("BREW", below(server, "")), ("GET", "/" + "x" * 70_000)):
        status, headers, body = ask(server, path, method)
        assert (status, body) in ((501, b""), (414, b""))
        assert HEADERS.items() <= headers.items()
        assert headers["Connection"] == "close"


def test_one_caller_cannot_take_all_places(server: SpectatorServer) -> None:
    """Connections that are held open without a word leave room for others."""
    host, _, port = server.host.partition(":")
    held = [socket.create_connection((host, int(port))) for _ in range(MOST_PER_CALLER + 20)]
    try:
        other = socket.create_connection(
            (host, int(port)), source_address=("127.0.0.9", 0), timeout=10
        )
        other.sendall(f"GET {below(server, '')} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
        assert other.recv(12) == b"HTTP/1.1 200"
        other.close()
    finally:
        for connection in held:
            connection.close()


def test_places_are_given_back() -> None:
    places = Places(most=3, per_caller=2)
    assert [places.take(c) for c in ("a", "a", "a", "b", "b")] == [True, True, False, True, False]
    places.give_back("a")
    assert [places.take(c) for c in ("c", "a")] == [True, False]


def test_the_secret_is_long_and_new_every_time(board: Board) -> None:
    view = SpectatorView(face_of("magalon"), board)
    servers = [SpectatorServer(HERE, view.picture) for _ in range(3)]
    tokens = {s.token for s in servers}
    for server in servers:
        server.close()
    assert len(tokens) == 3
    assert all(len(token) >= 16 for token in tokens)
    assert all(s.host.startswith(HERE) for s in servers)


def test_a_refusal_is_shown_with_its_cell(board: Board) -> None:
    view, plain = SpectatorView(face_of("magalon"), board), snapshot_of(board)
    bad = Sentence("v1", Status.ILLEGAL, Message("x", "Not so far."), "M-19", ("a20",))
    state = json.loads(view.state(replace(plain, sentence=bad)))
    assert state["refused"] == "Not so far."
    assert [c["kind"] for c in state["cells"]] == ["refused"]


VIEW = SpectatorView(face_of("magalon"), load_board("reference"))


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60),
        st.from_regex(r"(piece|mark|spread|player)/[\w.\-]{0,30}(\.png)?", fullmatch=True),
    )
)
def test_no_name_of_a_picture_brings_an_error(name: str) -> None:
    found = VIEW.picture(urllib.parse.unquote(name))
    assert found is None or found[:4] == b"\x89PNG"


def test_the_script_writes_texts_only_as_text() -> None:
    from companion_app.spectators.server import _static

    script = _static("page.js").decode()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)


def test_the_page_runs_in_a_process_of_its_own_and_ends_with_it(board: Board) -> None:
    page = Spectators(HERE, face_of("magalon"), board)
    page.hear(snapshot_of(board))
    parts = urllib.parse.urlsplit(page.url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=20)
    state: dict[str, object] = {}
    for _ in range(200):
        connection.request("GET", parts.path + "state.json")
        state = json.loads(connection.getresponse().read())
        if state:
            break
    assert state["title"] == "Magalon"
    connection.close()
    page.close()
    assert not page._child.is_alive()


def test_an_address_that_is_not_ours_is_one_clear_sentence(board: Board) -> None:
    with pytest.raises(BoardwardenError, match="choose another address"):
        Spectators("203.0.113.7", face_of("magalon"), board)


def test_this_device_has_an_address() -> None:
    assert addresses()[-1] == HERE


def test_a_picture_that_many_ask_for_at_once_is_drawn_once(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    real = view_module._png

    def slowly(pixels):
        drawn.append("x")
        time.sleep(0.1)
        return real(pixels)

    monkeypatch.setattr(view_module, "_png", slowly)
    view = SpectatorView(face_of("magalon"), board)
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(view.picture, ["mark/amulet-1.png"] * 16))
    assert len(set(found)) == 1
    assert len(drawn) == 1


def test_whoever_comes_without_the_secret_is_told_kindly(server: SpectatorServer) -> None:
    status, headers, body = ask(server, "/")
    assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    for words in ("Ask at the table", "Demandez", "Frage am Tisch"):
        assert words.encode() in body
    assert server.token.encode() not in body


def test_when_the_page_ends_kept_connections_end(board: Board) -> None:
    view = SpectatorView(face_of("magalon"), board)
    found = SpectatorServer(HERE, view.picture)
    kept = http.client.HTTPConnection(found.host, timeout=10)
    kept.request("GET", below(found, "state.json"))
    assert kept.getresponse().read() == b"{}"
    found.close()
    kept.sock.settimeout(10)
    assert kept.sock.recv(1) == b""  # the end, and not the wait for a next request
    kept.close()
