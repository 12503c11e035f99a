"""The start screen when something is wrong, and what Escape closes, in a real window."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from kivy.core.window import Window

from companion_app.screens.start import start as start_screen
from companion_app.texts import LANGUAGES, game_title, t
from companion_app.widgets.basics import BigChoice
from companion_app.widgets.rows import Row
from tests.app.audit import audit, too_small
from tests.app.driver import LANDSCAPE, PORTRAIT, Driver

pytestmark = pytest.mark.window
README = Path(__file__).resolve().parents[2] / "README.md"


def titles(user: Driver) -> list[str]:
    return [w.title for w in user.app.page("start").walk() if isinstance(w, BigChoice)]


def waiting(home: Path, header: dict[str, object]) -> Path:
    """A saved game of any kind that waits to be gone on with."""
    record = home / "games" / "20261130-200000-x.jsonl"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps(header) + "\n", "utf-8")
    (home / "running").write_text(record.name, "utf-8")
    return record


def test_a_folder_that_cannot_be_written_is_said_large_and_another_one_offered(
    start, tmp_path: Path, monkeypatch
) -> None:
    blocked, other = tmp_path / "file", tmp_path / "other"
    blocked.write_text("in the way")
    monkeypatch.setattr(start_screen, "default_root", lambda: other)
    user = start(data=blocked)
    user.app.show_start()  # after the tour
    card = user.app.page("start").card
    assert card.title == t("start.not_kept")
    assert str(blocked) in card.text
    for size in (PORTRAIT, LANDSCAPE):
        for language in LANGUAGES:
            for text in ("normal", "huge"):
                Window.size = size
                user.app.change(text=text)
                user.app.settle(language)
                user.frames(4)
                assert [*audit(user.app.root), *too_small(user.app.root)] == []
    user.app.change(text="normal")
    user.app.settle("en")
    user.frames(4)
    user.tap(user.button(t("start.keep_in")))
    user.frames(4)
    assert "--data" in user.app.page("start").card.text
    user.tap(user.button(t("table.dismiss")))
    assert user.app.page("start").card is None
    user.begin()
    user.lay(6)
    assert user.shown.storage is None
    assert len(list((other / "games").glob("*.jsonl"))) == 1


def test_a_folder_that_can_be_written_again_is_used_after_one_tap(start, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    user = start(data=blocked)
    user.app.show_start()
    user.frames(3)
    blocked.unlink()
    user.tap(user.button(t("start.try_again")))
    assert user.app.page("start").card is None
    assert blocked.is_dir()


PLAYERS = [{"name": "Ada", "colour": "white"}, {"name": "Ben", "colour": "black"}]


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"boardwarden": 1, "game": "chess", "players": PLAYERS}, "“chess”"),
        ({"boardwarden": 2, "game": "magalon", "players": PLAYERS}, "newer Boardwarden"),
        ({"boardwarden": "?"}, "cannot be opened"),
    ],
)
def test_a_game_this_version_cannot_play_is_not_offered_but_kept(
    start, home: Path, header: dict[str, object], words: str
) -> None:
    record = waiting(home, header)
    before = record.read_bytes()
    user = start()
    card = user.app.page("start").card
    assert titles(user) == [t("start.new")]
    assert words in card.text
    assert audit(user.app.root) == []
    user.tap(user.button(t("start.put_aside")))
    assert user.app.page("start").card is None
    assert record.read_bytes() == before
    assert not (home / "running").exists()
    user.app.go("games")
    user.until(lambda: user.app.page("games").ready)
    rows = [w for w in user.app.page("games").walk() if isinstance(w, Row)]
    if header["boardwarden"] == 1:
        user.tap(rows[0])
        user.at("review")
        user.until(lambda: user.app.page("review").said)
        assert user.app.page("review").said == t("review.unknown", game="chess")
    else:
        assert not rows
        assert user.app.page("games").note == t("games.unread", n=1)


def escape() -> None:
    assert Window.dispatch("on_keyboard", 27, 0, None, [])


def test_escape_closes_what_lies_open_before_it_leaves_the_table(start) -> None:
    user = start()
    user.begin()
    user.tap(user.table.ids.menu)
    assert user.table.menu_open
    escape()
    assert not user.table.menu_open
    user.tap(user.table.ids.correct)
    escape()
    assert not user.table.correcting
    user.lay(6, 9)
    user.drag("shield/green", "d9")
    if user.table.ids.board.ghost is not None:
        escape()
    assert user.table.ids.board.ghost is None
    assert user.app.manager.current == "table"
    assert not Window.allow_screensaver  # the screen stays on during a game
    escape()
    user.at("start")
    assert Window.allow_screensaver


def test_escape_closes_the_rules_and_ends_waiting(start) -> None:
    user = start()
    user.app.go("new")
    user.frames(4)
    user.tap(user.app.page("new").table.ids.rules)
    assert user.app.page("new").rules is not None
    escape()
    assert user.app.page("new").rules is None
    assert user.app.manager.current == "new"
    done: list[object] = []
    user.app.work("waiting", lambda p: [p.step(0.1) for _ in iter(int, 1)], done.append)
    user.until(lambda: len(user.app.stage.children) > 1)
    escape()
    user.until(lambda: len(user.app.stage.children) == 1)
    assert not done
    assert user.app.manager.current == "new"


def test_no_board_is_asked_for_where_the_game_has_none(start) -> None:
    user = start()
    user.app.go("new")
    user.frames(4)
    form = user.app.page("new")
    for game, there in (("carcassonne", False), ("grailnah", True)):
        user.tap(user.button(game_title(game)))
        user.frames(4)
        assert bool(form.table.ids.board.opacity) is there
        form.table.ids.camera.value = "address"
        user.frames(2)
        assert (form.table.picture.parent is not None) is there
    user.app.go("boards")
    user.frames(4)
    details = [w.detail for w in user.app.page("boards").walk() if isinstance(w, Row)]
    assert game_title("grailnah") in details
    assert game_title("carcassonne") not in details


def test_the_readme_alone_leads_to_a_judged_first_move(start, home: Path) -> None:
    """Only what its section names is tapped, from the first start on."""
    section = README.read_text("utf-8").split("## Your first judged move")[1].split("\n## ")[0]
    assert re.findall(r"[*]([^*]+)[*]", section) == [t("start.new"), t("new.start")]
    user = start(tour=True)
    user.at("tour")
    user.tap(user.app.page("tour").ids.skip)
    user.at("start")
    user.tap(user.find(BigChoice, lambda w: w.title == t("start.new")))
    user.at("new")
    user.tap(user.button(t("new.start")))
    user.at("table")
    user.until(lambda: user.shown is not None and user.table.ids.board.geometry is not None)
    user.lay(6, 9)
    user.drag("wizard/green", "a20")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule == "M-19")
    user.drag("wizard/green", "g10")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g10",))


def test_screens_that_were_left_long_ago_are_not_kept(start) -> None:
    user = start()
    for screen in ("settings", "boards", "games", "spectators", "settings"):
        user.app.show_start()
        user.app.go(screen)
        user.frames(3)
    assert len(user.app.manager.screens) <= 4
    user.app.back()
    user.at("start")
