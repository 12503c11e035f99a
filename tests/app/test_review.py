"""Looking back on recorded games: every point has its reason, and the sums are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion_app import texts
from companion_app.busy import Cancelled, Progress
from companion_app.export import as_text
from companion_app.games import face_of
from companion_app.review import Review, review, won_by
from engine.action import Action
from engine.game import Header, Player
from engine.record import Game, Record, find_board, read_record
from engine.rooms import room_for
from tests.engine.hexagon.support import at, moving

RECORDS = Path(__file__).resolve().parents[1] / "data" / "records"
NAMES = ("crowded_three_players", "reference_four_players", "short_way_to_the_win")


def looked_back(record: Record, folder: Path = RECORDS) -> Review:
    board = find_board(record.header, folder)
    texts.choose_game("magalon", {p.colour: p.name for p in record.header.players})
    return review(record, room_for("magalon"), board, face_of("magalon"))


@pytest.mark.parametrize("name", NAMES)
def test_the_points_of_every_player_add_up(name: str) -> None:
    record = read_record(RECORDS / f"{name}.jsonl")
    found = looked_back(record)
    game = Game.begin(record.header, folder=RECORDS)
    start = {c: s["energy"] for c, s in game.room.scores(game.state).items()}
    for _, after, _ in game.follow(record.actions):
        game = after
    end = {c: s["energy"] for c, s in game.room.scores(game.state).items()}
    assert found.moments[-1].numbers == end
    corrected = any(a.do == "correct" for a in record.actions)
    reset = any(line.point.why.key == "energy_reset" for line in found.lines)
    if not corrected and not reset:
        for colour in start:
            changes = [
                line.point.change or 0 for line in found.lines if line.point.player == colour
            ]
            assert start[colour] + sum(changes) == end[colour]
    assert all(line.point.rule for line in found.lines)
    assert found.winner == game.room.winner(game.state)


@pytest.mark.parametrize("name", NAMES)
def test_curves_end_where_the_game_ended(name: str) -> None:
    found = looked_back(read_record(RECORDS / f"{name}.jsonl"))
    for colour, curve in found.curves.items():
        rounds = [at for at, _ in curve]
        assert rounds == sorted(set(rounds))
        assert curve[-1][1] == found.moments[-1].numbers[colour]


HEADER = Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))


def played(*actions: Action) -> Review:
    return looked_back(Record(HEADER, actions))


LAYS = (Action("violet", "lay", {"card": 6}), Action("green", "lay", {"card": 9}))


def test_undone_points_do_not_count() -> None:
    end = Action("green", "end")
    once = played(*LAYS, end)
    undone = played(*LAYS, end, Action(None, "undo"))
    again = played(*LAYS, end, Action(None, "undo"), end)
    assert len(once.lines) == len(again.lines) == 1
    assert undone.lines == ()
    assert undone.moments[-1].numbers == {"violet": 10, "green": 10}


def test_a_noted_refusal_is_judged_again_so_that_it_reads_in_any_language() -> None:
    refused = {"player": "green", "do": "walk", "to": "a20"}
    note = Action("green", "note", {"refused": refused, "rule": "M-19", "message": "too far"})
    found = played(*LAYS, note)
    assert [(c.player, c.rule) for c in found.caught] == [("green", "M-19")]
    texts.choose_language("fr")
    assert "21 cases" in texts.show(found.caught[0].text)
    texts.choose_language("en")


def test_damaged_notes_are_passed_over() -> None:
    notes = [
        Action(None, "note", {"refused": {"do": 7}}),
        Action(None, "note", {"refused": "walk"}),
        Action(None, "note", {"text": 9}),
        Action(None, "note", {}),
        Action(None, "note", {"text": "kept"}),
    ]
    found = played(*notes)
    assert [r.text for r in found.remarks] == ["kept"]
    assert found.caught == ()


def test_the_text_names_scores_reasons_and_catches() -> None:
    note = Action("green", "note", {"refused": {"player": "green", "do": "walk", "to": "a20"}})
    found = played(*LAYS, note, Action("green", "end"), Action(None, "note", {"text": "cake"}))
    text = as_text(found)
    for part in (
        "Ada: 10",
        "Ben: 9",
        "Ben -1: Ben: 10 to 9 energy (turn: −1)",
        "M-39",
        "cake",
        "M-19",
    ):
        assert part in text, part


def test_reading_can_be_cancelled() -> None:
    record = read_record(RECORDS / "reference_four_players.jsonl")
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        review(
            record, room_for("magalon"), find_board(record.header, RECORDS), face_of("magalon"),
            progress.step,
        )  # fmt: skip


def of_game(name: str, game: str) -> Review:
    record = read_record(RECORDS / f"{name}.jsonl")
    texts.choose_game(game, {p.colour: p.name for p in record.header.players})
    return review(record, room_for(game), find_board(record.header, RECORDS), face_of(game))


def test_every_burnt_wisdom_is_a_line_of_the_score() -> None:
    found = of_game("hexagon_five_points", "hexagon")
    assert {line.point.rule for line in found.lines} == {"H-19"}
    for colour, number in found.moments[-1].numbers.items():
        lines = [line for line in found.lines if line.point.player == colour]
        assert sum(line.point.change or 0 for line in lines) == number
    last = found.lines[-1]
    assert last.total == 5 and found.winner == last.point.player
    for language, word in (("de", "Weisheit"), ("fr", "sagesse"), ("en", "wisdom")):
        texts.choose_language(language)
        assert word in texts.show(last.point.why)


@pytest.mark.parametrize(("reading", "change"), [("a", -1), ("b", 0)])
def test_a_loss_below_nought_counts_as_the_table_plays(reading: str, change: int) -> None:
    table = moving("red -2+0", "blue* -1+0", "blue +3+0", options={"H-A17": reading})
    table.do("red", "push", from_=at(-2, 0), to=at(-1, 0))
    notes = table.do("red", "burnt", value=-1).notes
    points = [point for note in notes if (point := face_of("hexagon").point(note))]
    assert [(p.player, p.change, p.rule) for p in points] == [("red", change, "H-19")]


def test_knights_that_were_given_and_came_back_are_lines() -> None:
    found = of_game("grailnah_recovery", "grailnah")
    rules = [line.point.rule for line in found.lines]
    assert {"G-20", "G-35"} <= set(rules) and all(x.point.change is None for x in found.lines)
    assert "G-35" in as_text(found)


def test_every_point_of_carcassonne_has_its_reason_and_shared_wins_are_told() -> None:
    record = read_record(RECORDS / "carcassonne_three_players.jsonl")
    texts.choose_game("carcassonne", {p.colour: p.name for p in record.header.players})
    board = find_board(record.header, RECORDS)
    found = review(record, room_for("carcassonne"), board, face_of("carcassonne"))
    for colour, number in found.moments[-1].numbers.items():
        lines = [line for line in found.lines if line.point.player == colour]
        assert sum(line.point.change or 0 for line in lines) == number
        assert all(line.point.rule and texts.show(line.point.why) for line in lines)
    first, second = (p.colour for p in record.header.players[:2])
    names = {p.colour: p.name for p in record.header.players}
    assert texts.show(won_by(f"{first},{second}")) == (
        f"{names[first]} and {names[second]} share the win"
    )
