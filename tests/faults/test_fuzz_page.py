"""The spectators' page against any bytes: an answer of HTTP or the end of the connection, soon."""

from __future__ import annotations

import http.client
import random
import re
import socket
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_app.games import face_of
from companion_app.selftest.damage import damaged_bytes
from companion_app.spectators.server import Budget, SpectatorServer
from companion_app.spectators.view import SpectatorView
from engine.board import load_board
from tests.faults.running import short, soaked

HERE = "127.0.0.1"
PATIENCE_S = 30.0  # only ever used up by a failing test
ANSWERS = {100, 200, 304, 400, 404, 408, 411, 413, 414, 417, 429, 431, 501, 505}
MARK = b"secret-of-the-table"
PATHS = (
    "", "state.json", "page.js", "page.css", "board.png", "piece/wizard-violet.png", "player/red.png",
    "mark/ring-1.png", "spread/ruin-0.0_1.0.png", "../server.py", "..%2f..%2fserver.py", "%00", "//",
    "piece/../../../../etc/passwd", "state.json?x=1#y", "piece/" + "9" * 3000, "mark/-.png",
)  # fmt: skip
HEADERS = (
    "Host: {host}", "Host: evil.example", "If-None-Match: *", "Connection: keep-alive",
    "Content-Length: 99999999999", "Transfer-Encoding: chunked", "Expect: 100-continue",
    "Range: bytes=0-", "X: " + "y" * 5000, "Host: {host}\r\nHost: {host}", ": empty", "\tfolded",
)  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[SpectatorServer]:
    view = SpectatorView(face_of("magalon"), load_board("reference"))
    found = SpectatorServer(HERE, view.picture, budget=Budget(1e9, 1e9))
    found.show(b'{"mark": "' + MARK + b'"}')
    yield found
    found.close()


def a_request(server: SpectatorServer, rng: random.Random) -> bytes:
    """A request that is nearly right, or anything."""
    if rng.random() < 0.05:
        return rng.randbytes(rng.randint(0, 300))
    method = rng.choice(("GET", "GET", "GET", "HEAD", "POST", "TRACE", "CONNECT", "get", ""))
    token = rng.choice((server.token, server.token, server.token[:-1], server.token.upper(), ""))
    version = rng.choice(
        ("HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.1.1", "", "FTP/1")
    )
    lines = [f"{method} /{token}/{rng.choice(PATHS)} {version}"]
    lines += rng.choices(HEADERS, k=rng.randint(0, 4))
    text = "\r\n".join(lines).format(host=server.host) + rng.choice(
        ("\r\n\r\n", "\n\n", "\r\n", "")
    )
    data = text.encode() + rng.choice((b"", b"", b"0\r\n\r\n", b"x" * 200))
    return damaged_bytes(data, rng, 3) if rng.random() < 0.4 else data


def one_request(server: SpectatorServer, seed: int) -> bool:
    """Whether it was answered; nothing else may happen than an answer or the end."""
    data = a_request(server, random.Random(seed))
    host, _, port = server.host.partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            said = b""
            while part := connection.recv(65536):
                said += part
        except TimeoutError:
            raise AssertionError(f"no end of the answer: {seed}") from None
        except OSError:  # the server has ended it
            return False
    statuses = [int(s) for s in re.findall(rb"^HTTP/1\.\d (\d{3}) ", said, re.MULTILINE)]
    assert set(statuses) <= ANSWERS, (seed, data[:200], statuses)
    assert b"Traceback" not in said and b"<html" not in _unlike_pages(said)
    if MARK in said:
        assert server.token.encode() in data
    return bool(statuses)


def _unlike_pages(said: bytes) -> bytes:
    """What is neither of the two pages that there are."""
    from companion_app.spectators.server import _static

    return said.replace(_static("index.html"), b"").replace(_static("elsewhere.html"), b"")


def still_answers(server: SpectatorServer) -> None:
    connection = http.client.HTTPConnection(server.host, timeout=10)
    connection.request("GET", f"/{server.token}/state.json")
    assert MARK in connection.getresponse().read()
    connection.close()


def test_any_request_is_answered_or_ended(server: SpectatorServer) -> None:
    answered = []

    @short(250)
    @given(st.integers(0, 2**32))
    def run(seed: int) -> None:
        answered.append(one_request(server, seed))

    run()
    assert sum(answered) > len(answered) / 5
    still_answers(server)


@soaked
def test_page_for_long(server: SpectatorServer, soak) -> None:
    soak("spectators' page", lambda seed: one_request(server, seed))
    still_answers(server)
