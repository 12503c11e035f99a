"""Every screen in a telling moment, reached as a user would, for tests and for the pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from kivy.uix.widget import Widget

from companion_app.snapshot import Light
from companion_app.table_setup import TableSetup
from companion_app.taps import Dismiss, Do
from companion_app.texts import t
from companion_app.widgets.basics import BigChoice
from engine.action import Action
from engine.game import Player
from engine.placement import PieceMove
from tests.app.driver import Driver
from tests.app.fakes import no_camera

FOUR = (
    Player("Anne-Sophie", "violet"),
    Player("Benedikt", "green"),
    Player("Zoë", "red"),
    Player("Maximilian", "orange"),
)
RECORDS = Path(__file__).resolve().parents[1] / "data" / "records"
Scene = Callable[[Driver], None]


def start_first(user: Driver) -> None:
    user.app.show_start()


def new_game(user: Driver) -> None:
    user.tap(user.find(BigChoice, lambda w: w.kind == "main"))
    user.at("new")


def new_rules(user: Driver) -> None:
    user.tap(user.app.page("new").table.ids.rules)


def join(user: Driver) -> None:
    """A game that runs already; of what the camera sees something is doubtful."""
    user.app.go("join", setup=TableSetup(FOUR, 0))
    user.at("join")
    page = user.app.page("join")
    page.joining.unsure = ("giant", "wizard/red", "ruin/2")
    page.answer("played/violet", ("3", "8"))


def camera(user: Driver) -> None:
    user.app.begin(TableSetup(FOUR, 0))
    user.at("camera")
    user.until(lambda: user.app.page("camera").good)


def table_cards(user: Driver) -> None:
    user.tap(user.app.page("camera").ids.play)
    user.at("table")
    user.until(lambda: user.shown is not None)


def table_turn(user: Driver) -> None:
    user.lay(6, 9, 3, 10)
    user.drag("shield/orange", "d9")
    user.until(lambda: user.shown.placement.pieces["shield/orange"] == ("d9",))


def table_refusal(user: Driver) -> None:
    user.drag("wizard/orange", "a20")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule)


def table_moves(user: Driver) -> None:
    user.app.go("table")
    user.frames(3)
    user.tap(user.table.ids.moves)
    user.until(lambda: user.shown.hints is not None)


def table_menu(user: Driver) -> None:
    user.tap(user.table.ids.menu)


def explain(user: Driver) -> None:
    user.tap(user.button(t("table.explain")))
    user.at("explain")


def table_dice(user: Driver) -> None:
    user.tap(user.button(t("menu.continue")))
    for _ in range(3):
        whose = user.shown.table.to_act
        user.tap(user.table.ids.end)
        user.until(lambda whose=whose: user.shown.table.to_act != whose)
    user.until(lambda: user.shown.table.panel == "dice")


def table_question(user: Driver) -> None:
    """A red cell: the game asks."""
    spot = {"pieces": {"wizard/red": "e13"}}
    user.app.session.post(Do(Action(None, "correct", spot)))
    user.until(lambda: user.shown.placement.pieces["wizard/red"] == ("e13",))
    user.drag("wizard/red", "e16")
    user.until(lambda: user.shown.table.ask is not None)


def note(user: Driver) -> None:
    user.app.go("note")
    user.app.page("note").ids.field.text = "Zoë war heute dran mit Kuchen"


def review(tab: str) -> Scene:
    def scene(user: Driver) -> None:
        if tab == "scores":
            user.tap(user.app.page("note").ids.save)
            user.at("table")
        user.app.go("review", tab=tab)
        user.until(lambda: user.app.page("review").review is not None)
        user.frames(3)
        if tab == "replay":
            user.app.page("review").ids.body.children[0].ids.slider.value = 6

    return scene


def settings(user: Driver) -> None:
    user.app.go("settings")


def games(user: Driver) -> None:
    user.app.go("games")
    user.until(lambda: user.app.page("games").ids.list.box.children)


def boards(user: Driver) -> None:
    user.app.go("boards")


def measuring(user: Driver) -> None:
    user.app.go("measure")


def tiles(user: Driver) -> None:
    from tests.app.laid_tiles import read_lesson

    lesson = read_lesson("ABCDEFGHIJKLMNOPQRSTUVW", 8)
    user.app.go("tiles", form={"lesson": lesson, "picked": 8, "where": "0"})


def spectators(user: Driver) -> None:
    user.app.go("spectators")
    page = user.app.page("spectators")
    page.ids.address.value = "127.0.0.1"
    page.switch(True)
    user.until(lambda: page.url)


def other_game(game: str, colours: tuple[str, ...]) -> Scene:
    """The table of another game, by hand."""

    def scene(user: Driver) -> None:
        user.app.close_session()
        names = ("Anne-Sophie", "Benedikt", "Zoë", "Maximilian")
        players = tuple(Player(n, c) for n, c in zip(names, colours, strict=False))
        said = user.app.begin(TableSetup(players, game=game))
        assert not said, said
        user.at("table")
        user.until(lambda: user.shown is not None)

    return scene


def trouble(user: Driver) -> None:
    """No camera where one was chosen: the live picture's place says what to do."""
    user.app.close_session()
    options = user.app.options
    user.app.options = replace(options, opener=no_camera)
    user.app.begin(TableSetup(FOUR, 7))
    user.app.options = options
    user.app.go("table")
    user.at("table")
    user.until(lambda: user.shown.camera.light is Light.TROUBLE)


def differs(user: Driver) -> None:
    """The eyes see a piece elsewhere than the game has it, and nothing explains that."""
    session = user.app.session
    session.post(Do(user.shown.table.ask.answers[0].action))
    user.until(lambda: user.shown.table.ask is None)
    moved = PieceMove("shield/orange", ("d9",), ("f12",))
    session._differences = (moved,)
    session.post(Dismiss())
    user.app.go("table")
    user.until(lambda: user.shown.differences)


def recorded(record: str, tab: str) -> Scene:
    """A part of the look back on a whole game."""

    def scene(user: Driver) -> None:
        user.app.go("review", path=RECORDS / f"{record}.jsonl", tab=tab)
        user.until(lambda: user.app.page("review").review is not None)
        user.frames(3)

    return scene


def tour(step: int) -> Scene:
    return lambda user: user.app.go("tour", step=step)


def start_again(user: Driver) -> None:
    """With a game that waits."""
    user.app.close_session()
    user.app.show_start()


def demos(user: Driver) -> None:
    """Which recording shall be shown."""
    user.tap(user.app.page("start").ids.demo)


SCENES: dict[str, Scene] = {
    "start": start_first,
    "new-game": new_game,
    "rules": new_rules,
    "join": join,
    "camera": camera,
    "cards": table_cards,
    "turn": table_turn,
    "refusal": table_refusal,
    "explain": explain,
    "moves": table_moves,
    "menu": table_menu,
    "dice": table_dice,
    "question": table_question,
    "differs": differs,
    "note": note,
    "scores": review("scores"),
    "curve": recorded("reference_four_players", "curve"),
    "caught": review("caught"),
    "replay": review("replay"),
    "notes": review("notes"),
    "settings": settings,
    "games": games,
    "boards": boards,
    "measure": measuring,
    "tiles": tiles,
    "spectators": spectators,
    **{f"tour-{n}": tour(n - 1) for n in range(1, 6)},
    "finished": recorded("short_way_to_the_win", "scores"),
    "trouble": trouble,
    "hexagon": other_game("hexagon", ("red", "blue")),
    "grailnah": other_game("grailnah", ("white", "blue", "red", "yellow")),
    "carcassonne": other_game("carcassonne", ("red", "blue", "green", "yellow")),
    "start-again": start_again,
    "demos": demos,
}


def sheet_of(user: Driver) -> Widget | None:
    """The sheet that lies over the screen, if one does."""
    page = user.app.manager.current_screen
    return getattr(page, "_menu", None)


def scenes(user: Driver) -> Iterator[str]:
    """Goes from one to the next."""
    for name, scene in SCENES.items():
        scene(user)
        user.frames(4)
        yield name
