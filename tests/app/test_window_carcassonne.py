"""Carcassonne in a real window: tiles, meeples, mage and witch placed by touches, real rules."""

from __future__ import annotations

import random

import pytest
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch

from companion_app.games.carcassonne.panel import PieceButton
from companion_app.games.carcassonne.table import PLACE
from companion_app.texts import LANGUAGES, game_title, t
from companion_app.widgets.rows import Row
from engine.carcassonne.faces import Pos
from engine.carcassonne.fitting import distinct_turns_that_fit, fits_somewhere
from engine.carcassonne.placement import feature_spot
from engine.carcassonne.queries import figure_spots, meeple_spots
from engine.carcassonne.simulate import draw
from engine.game import Header, Player
from tests.app.audit import audit
from tests.app.driver import LANDSCAPE, PORTRAIT, Driver
from tests.engine.carcassonne.support import on, tiles

pytestmark = pytest.mark.window

PLAYERS = (Player("Ada", "red"), Player("Ben", "blue"))
START = ("BA/RCr", 0, 0, 0)


def begin(user: Driver, position: dict | None = None, **options: object) -> None:
    header = Header("carcassonne", "reference", PLAYERS, options, position)
    user.app._sit_down(user.app._make(header))
    sit(user)


def sit(user: Driver) -> None:
    user.until(lambda: user.app.manager.current == "table" and user.shown is not None)
    user.until(lambda: not user.app.manager.transition.is_active)
    user.until(lambda: user.table.ids.board.geometry is not None)


def state(user: Driver):
    return user.shown.table.detail.state


def panel(user: Driver):
    return user.table.panels["carcassonne"]


def pick(user: Driver, tile: str) -> None:
    """Taps a kind of tile in the panel."""
    cells = panel(user).cells
    index = [entry[0] for entry in cells.entries].index(tile)
    x, y = cells.box(index)
    user.touch(cells.to_window(x + cells.side / 2, y + cells.side / 2))


def tap_place(user: Driver, pos: Pos) -> None:
    user.touch(user.table.ids.board.geometry.to_px((pos[0] + 0.5, pos[1] + 0.5)))


def tap_spot(user: Driver, spot: str) -> None:
    user.touch(user.table.ids.board.geometry.centre_px(spot))


def lay(user: Driver, tile: str, pos: Pos, rot: int) -> None:
    """Draws, places and turns a tile by touches."""
    board = user.table.ids.board
    pick(user, tile)
    user.until(lambda: board.hints())
    tap_place(user, pos)
    user.until(lambda: board.ghost is not None)
    for _ in range(4):
        if board.ghost[1] == (f"{pos[0]},{pos[1]}@{rot}",):
            break
        tap_place(user, pos)
    assert board.ghost[1] == (f"{pos[0]},{pos[1]}@{rot}",)
    user.tap(user.button(t("table.put_here")))
    user.until(lambda: pos in state(user).map.placed)


def end(user: Driver) -> None:
    actor = state(user).to_move
    user.tap(user.table.ids.end)
    user.until(lambda: state(user).to_move != actor or state(user).over)


def test_a_turn_by_touches(start) -> None:
    user = start()
    begin(user)
    assert "Ada" in user.table.ids.whose.text
    lay(user, "BA/CRr", (0, -1), 180)
    user.until(lambda: user.table.ids.board.hints())
    tap_spot(user, "0,-1:S")
    user.until(lambda: state(user).turn.meeple)
    assert user.shown.placement.pieces["meeple/red/1"] == ("0,-1:S",)
    assert user.shown.table.seats[0].marks[0].count == 6
    end(user)
    assert user.shown.table.seats[0].number == 4
    assert user.shown.table.seats[0].marks[0].count == 7
    assert "4" in user.talk
    user.tap(user.table.ids.undo)
    user.until(lambda: state(user).to_move == "red")
    assert user.shown.table.seats[0].number == 0


def turn_by_hand(user: Driver, rng: random.Random) -> None:
    """A random turn, everything by touches."""
    now = state(user)
    tile = draw(now, rng)
    assert tile is not None
    if not fits_somewhere(now.map, tile):
        pick(user, tile)
        user.until(lambda: tile in state(user).set_aside)
        return
    places = [(p, r) for p, w in now.map.frontier.items() for r in distinct_turns_that_fit(tile, w)]
    lay(user, tile, *rng.choice(places))
    if state(user).turn.duty:
        spots = figure_spots(state(user))
        if not spots:
            user.tap(user.button(t(f"offer.leave.{user.shown.table.detail.figures_out[0]}")))
        else:
            who = rng.choice(("mage", "witch"))
            hold(user, who)
            tap_spot(user, feature_spot(state(user), rng.choice(spots)))
        user.until(lambda: not state(user).turn.duty)
    spots = meeple_spots(state(user))
    if spots and rng.random() < 0.6:
        user.until(lambda: user.table.ids.board.hints())
        tap_spot(user, feature_spot(state(user), rng.choice(spots)))
        user.until(lambda: state(user).turn.meeple)
    end(user)


def hold(user: Driver, piece: str) -> None:
    """Takes a piece from the panel."""
    user.until(lambda: user.shown.table.detail.phase != PLACE)
    button = user.find(PieceButton, lambda b: b.piece == piece and b.get_root_window())
    user.tap(button)
    user.until(lambda: user.table.ids.board.selected == piece)
    user.until(lambda: user.table.ids.board.hints())


def test_a_game_by_hand_to_the_final_scoring(start) -> None:
    """A small deck with magic tiles; every point of the end is told."""
    deck = {
        "BA/RFr": 2, "BA/CRr": 2, "BA/L": 1, "BA/Cc.1": 1,
        "MW/CFC": 1, "MW/CRRR.3": 1, "MW/CcRr.1": 1,
    }  # fmt: skip
    user, rng = start(), random.Random(11)
    begin(user, {"tiles": tiles(START), "deck": deck})
    for _ in range(40):
        if user.shown.table.over:
            break
        turn_by_hand(user, rng)
    assert user.shown.table.over
    assert user.table.ids.end.text == t("table.scores")
    final = {s.colour: s.number for s in user.shown.table.seats}
    user.tap(user.table.ids.end)
    user.at("review")
    user.until(lambda: user.app.page("review").review is not None)
    lines = user.app.page("review").review.lines
    for colour, number in final.items():
        assert sum(line.point.change for line in lines if line.point.player == colour) == number
    assert all(line.point.rule for line in lines)


def test_what_may_not_be_is_told_and_marked(start) -> None:
    """A meeple on an occupied road, one dragged away, and a tile that does not fit."""
    user = start()
    road = on("blue", "Road", "E", 0, 0)
    begin(user, {"tiles": tiles(START), "meeples": [road]})
    board = user.table.ids.board
    user.touch(board._places["meeple/blue/1"].at, board.geometry.to_px((0.5, 1.8)))
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule == "C-3")
    user.tap(user.button(t("table.dismiss")))
    pick(user, "BA/L")
    user.until(lambda: board.hints())
    tap_place(user, (0, -1))  # a city would have to lie there
    user.until(lambda: board.ghost is not None)
    user.tap(user.button(t("table.put_here")))
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule == "C-1")
    assert user.shown.sentence.cells == ("0,-1", "0,0")
    lay(user, "BA/RFr", (1, 0), 0)
    user.until(lambda: board.hints())
    user.touch(board.geometry.to_px((1.5, 0.5)))
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule == "C-3")
    assert set(user.shown.sentence.cells) == {"0,0", "1,0"}
    assert "0,0" in user.talk


def test_the_map_is_moved_enlarged_and_fitted_again(start) -> None:
    user = start()
    begin(user, {"tiles": tiles(START, ("BA/RFr", 1, 0, 0))})
    board = user.table.ids.board
    fitted = board.geometry
    x, y = board.center
    user.touch((x, y), (x - 40, y - 30), (x - 80, y - 60))
    user.frames(3)
    assert board.geometry.centre[0] == pytest.approx(
        fitted.centre[0] + 80 / fitted.cell_px, abs=0.01
    )
    assert board.ghost is None and not board.pointed
    bx, by, side = board.button_box("in")
    user.touch((bx + side / 2, by + side / 2))
    user.frames(3)
    assert board.geometry.cell_px > fitted.cell_px * 1.2
    one, two = UnitTestTouch(x - 50, y), UnitTestTouch(x + 50, y)
    one.touch_down(), two.touch_down()
    before = board.geometry.cell_px
    two.touch_move(x + 150, y)
    user.frames(2)
    assert board.geometry.cell_px == pytest.approx(min(320.0, before * 2), rel=0.05)
    one.touch_up(), two.touch_up()
    bx, by, side = board.button_box("all")
    user.touch((bx + side / 2, by + side / 2))
    user.frames(3)
    assert board.geometry.cell_px == pytest.approx(fitted.cell_px)
    # A tap on an empty place says what fits there.
    tap_place(user, (1, -1))
    user.frames(3)
    assert board.pointed == {(1, -1)}
    assert "BA/L" in panel(user).cells.marked
    assert "BA/Cccc+" not in panel(user).cells.marked


def test_open_features_tell_what_they_are_worth_in_three_languages(start) -> None:
    user = start()
    meeples = [on("red", "Road", "E", 0, 0), on("blue", "City", "N", 0, 0)]
    begin(user, {"tiles": tiles(START, ("BA/RFr", 1, 0, 0)), "meeples": meeples})
    for language in LANGUAGES:
        for size in (LANDSCAPE, PORTRAIT):
            Window.size = size
            user.app.settle(language)
            user.until(lambda: user.app.manager.current_screen.ready)
            user.frames(4)
            assert not audit(user.app.root), (language, size)
            user.tap(user.button(t("tab.open")))
            user.frames(4)
            assert not audit(user.app.root), (language, size)
            rows = [w for w in panel(user).rows.walk() if isinstance(w, Row)]
            assert [row.right_text for row in rows] == ["", "2", "1", ""]
            assert "Ada 2" in rows[0].text
    Window.size = LANDSCAPE
    user.frames(3)
    rows = [w for w in panel(user).rows.walk() if isinstance(w, Row)]
    user.tap(rows[1])
    assert user.table.ids.board.pointed == {(0, 0), (1, 0)}


def test_a_game_may_be_ended_by_agreement_and_is_counted_after_the_last_tile(start) -> None:
    """C-9: two taps end it while tiles are left; after the last tile the button counts."""
    user = start()
    meeples = [on("red", "Road", "E", 0, 0)]
    begin(user, {"tiles": tiles(START, ("BA/RFr", 1, 0, 0)), "meeples": meeples})
    user.tap(user.button(t("tab.open")))
    user.frames(3)
    for text in ("open.finish", "open.finish_sure"):
        rows = [w for w in panel(user).rows.walk() if isinstance(w, Row)]
        assert rows[-1].text == t(text)
        user.tap(rows[-1])
        user.frames(3)
    user.until(lambda: state(user).over)
    assert state(user).total("red") == 2

    begin(user, {"tiles": tiles(START), "deck": {"BA/RFr": 1}})
    lay(user, "BA/RFr", (1, 0), 0)
    user.until(lambda: user.shown.table.button.text.key == "button.count")
    user.tap(user.button(t("button.count")))
    user.until(lambda: state(user).over)


def test_a_game_is_set_up_left_and_resumed(start) -> None:
    """Three players and the inns, chosen on the screens; after a restart all is as it was."""
    user = start()
    user.app.go("new")
    user.at("new")
    new = user.app.page("new")
    user.tap(user.button(game_title("carcassonne")))
    user.tap(new.ids.add)
    user.tap(new.table.ids.rules)
    sets = new.rules.pickers["sets"][1]
    user.tap(sets), user.tap(sets)
    user.tap(user.button(t("new.rules_done")))
    new.finish()
    sit(user)
    assert state(user).setup.sets == ("base:1", "inns_and_cathedrals:1")
    assert len(user.shown.table.seats) == 3
    lay(user, "IC/RFr.i", (1, 0), 0)
    user.until(lambda: user.table.ids.board.hints())
    hold(user, "large_meeple/red/1")
    tap_spot(user, "1,0:EW")
    user.until(lambda: state(user).turn.meeple)
    before = user.shown.placement
    user.app.leave_table()
    user.app.resume_game()
    sit(user)
    assert user.shown.placement == before
    assert user.shown.placement.pieces["large_meeple/red/1"] == ("1,0:EW",)
