"""The spectators' page in a real browser on loopback: drawn, brought up to date, within its policy.

    apt-get install chromium        (or any Chrome; without one these tests are skipped)
    BOARDWARDEN_PICTURES=FOLDER python -m pytest -m browser tests/faults/test_browser.py -s

Prints what it saw; the pictures of the page are for looking at.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion_app import texts
from companion_app.eyes import OFF
from companion_app.games import face_of
from companion_app.snapshot import Sentence, Snapshot
from companion_app.spectators.server import SpectatorServer
from companion_app.spectators.view import SpectatorView
from engine.action import Action
from engine.board import Board, load_board
from engine.game import Header, Player
from engine.rooms import room_for
from engine.verdict import Message, Status
from tests.faults.browser import Browser, installed, keep

COMMAND = installed()
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(COMMAND is None, reason="no Chromium here: apt-get install chromium"),
]
HERE = "127.0.0.1"
FRAME_S = 5.0  # within which a framed page would have asked for its board
DESK, PHONE = (1280, 800), (390, 844)
GAMES = {
    "magalon": ("violet", "green"), "hexagon": ("red", "blue"),
    "grailnah": ("white", "blue", "red", "yellow"),
}  # fmt: skip
DRAWN = (
    "document.querySelectorAll('#things .piece').length"
    " && [...document.images].every((i) => i.complete && i.naturalWidth > 0)"
)


class Page:
    """A game and its page."""

    def __init__(self, game: str) -> None:
        self.board: Board = load_board("reference", game)
        players = tuple(Player(f"<b>{c}</b>", c) for c in GAMES[game])
        self.room, self.face = room_for(game), face_of(game)
        self.header = Header(game, "reference", players)
        texts.choose_game(game, {p.colour: p.name for p in players})
        self.state = self.room.start(self.header, self.board)
        self.view = SpectatorView(self.face, self.board)
        self.asked: list[str] = []
        self.server = SpectatorServer(HERE, self.picture)
        self.serial = 0
        self.show()

    def picture(self, name: str) -> bytes | None:
        self.asked.append(name)
        return self.view.picture(name)

    def show(self, **changes: object) -> Snapshot:
        self.serial += 1
        place = self.room.position(self.state)
        table = self.face.table(
            place, self.header, self.board, to_act=self.header.players[0].colour, winner=None
        )
        found = Snapshot(self.serial, self.header, self.room.placement(self.state), table, OFF)
        found = replace(found, **changes)  # type: ignore[arg-type]
        self.server.show(self.view.state(found))
        return found


@pytest.fixture(params=GAMES)
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    found = Page(request.param)
    yield found
    found.server.close()


def inside(browser: Browser) -> bool:
    """Whether nothing sticks out to the side."""
    return bool(browser.value("document.documentElement.scrollWidth <= innerWidth"))


def colours(png: bytes) -> int:
    """How many different colours a picture has, coarsely: a blank page has one or two."""
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    return len(np.unique(image.reshape(-1, 3) // 16, axis=0))


def test_the_page_shows_the_board_and_breaks_nothing(page: Page) -> None:
    assert COMMAND is not None
    game = page.header.game
    with Browser(COMMAND, *DESK) as browser:
        began = time.monotonic()
        browser.open(page.server.url)
        browser.until(DRAWN)
        shown_s = time.monotonic() - began
        pieces = browser.value("document.querySelectorAll('#things .piece').length")
        assert pieces == len(json.loads(page.server.state)["pieces"]) > 10
        names = browser.value("[...document.querySelectorAll('.name')].map((n) => n.textContent)")
        assert names == [p.name for p in page.header.players]  # as text, markup is none
        assert browser.value("document.querySelectorAll('#seats b b').length") == 0
        for name, size in (("desk", DESK), ("phone", PHONE)):
            browser.resize(*size)
            browser.until(f"innerWidth === {size[0]}")
            assert inside(browser)
            picture = browser.picture()
            keep(picture, f"spectators-{game}-{name}.png")
            assert colours(picture) > 30
        outside = [u for u in browser.answers if not u.startswith(page.server.url)]
        print(
            f"\n{game}: shown after {shown_s:.1f} s, {pieces} pieces, {len(browser.answers)} addresses,"
            f" {len(outside)} elsewhere, {len(browser.said)} messages of console and policy"
        )
        assert browser.said == []
        assert outside == []
        assert set(browser.answers.values()) <= {200, 304}


def test_a_move_and_a_refusal_appear_by_themselves() -> None:
    assert COMMAND is not None
    page = Page("magalon")
    try:
        with Browser(COMMAND, *PHONE) as browser:
            browser.open(page.server.url)
            browser.until(DRAWN)
            before = browser.value("document.querySelector('#things').innerHTML")
            for lay in (("violet", 6), ("green", 9)):
                action = Action(lay[0], "lay", {"card": lay[1]})
                page.state = page.room.judge(page.state, action).state
            green = Action("green", "walk", {"to": "g10"})
            word = page.room.judge(page.state, green)
            assert word.status in (Status.LEGAL, Status.PENDING)
            page.state = word.state
            sentence = Sentence("1", Status.ILLEGAL, Message("x", "<i>Too far</i>"), cells=("g10",))
            page.show(sentence=sentence)
            began = time.monotonic()
            browser.until("!document.querySelector('#refused').hidden")
            came_s = time.monotonic() - began
            assert (
                browser.value("document.querySelector('#refused').textContent") == "<i>Too far</i>"
            )
            assert browser.value("document.querySelectorAll('.cell.refused').length") == 1
            assert browser.value("document.querySelector('#things').innerHTML") != before
            assert inside(browser)
            keep(browser.picture(), "spectators-refused-phone.png")
            page.show()
            browser.until("document.querySelector('#refused').hidden")
            page.server.close()
            browser.until("!document.querySelector('#offline').hidden")
            print(
                f"\na refusal appears after {came_s:.1f} s; when the table has gone that is shown"
            )
            assert not [s for s in browser.said if "exception" in s or "security" in s]
    finally:
        page.server.close()


def test_without_the_secret_nothing_but_a_kind_word() -> None:
    assert COMMAND is not None
    page = Page("magalon")
    try:
        with Browser(COMMAND, *PHONE) as browser:
            for path in ("", f"{page.server.token[:-1]}/", "state.json", "../"):
                browser.open(f"http://{page.server.host}/{path}")
                said = browser.until("document.body && document.body.innerText")
                assert "Ask at the table for the whole address" in said
                assert page.server.token not in browser.value("document.documentElement.outerHTML")
                assert browser.value("document.images.length + document.scripts.length") == 0
            keep(browser.picture(), "spectators-no-secret.png")
            print(f"\nwithout the secret: {said!r}")
    finally:
        page.server.close()


def test_another_web_site_cannot_look_in() -> None:
    """A page that knows even the secret, but comes from elsewhere, gets nothing to read or to frame."""
    assert COMMAND is not None
    page, other = Page("magalon"), Page("hexagon")
    try:
        with Browser(COMMAND, *DESK) as browser:
            browser.open(other.server.url)
            browser.until(DRAWN)
            browser.value(
                f"window.got = null; fetch('{page.server.url}state.json').then((a) => a.text())"
                ".then((t) => { window.got = t; }).catch((e) => { window.got = 'refused'; }); 1"
            )
            assert browser.until("window.got") == "refused"
            browser.open("about:blank")
            browser.value(
                f"document.body.innerHTML = '<iframe src=\"{page.server.url}\"></iframe>'; 1"
            )
            browser.until("document.querySelector('iframe') !== null")
            time.sleep(FRAME_S)
            assert "board.png" in other.asked
            assert page.asked == []
            print("\nanother site reads nothing and cannot frame the page")
    finally:
        page.server.close()
        other.server.close()
