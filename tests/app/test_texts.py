"""The catalogues: complete in every language, nothing unused, every sentence can be filled."""

from __future__ import annotations

import copy
import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.profile import Profile
from companion_app import library, texts
from companion_app.games import face_of
from companion_app.source_words import source_message
from companion_app.store import Store
from companion_app.texts.catalogue import APP, LANGUAGES, catalogue
from companion_app.texts.gaps import english_of, is_form, missing
from engine.action import Action
from engine.board import load_board
from engine.board_shape import TOLD as BOARD_SHAPE
from engine.errors import BoardwardenError
from engine.magalon.messages import fragment, listed, say
from engine.record import Game, read_record
from engine.verdict import Listed, Message
from vision.registration.errors import TOLD as NOT_FOUND
from vision.sources.words import TOLD, told

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "tests" / "data" / "records").glob("*players*.jsonl"))
DOMAINS = (APP, *face_of.names())
OTHERS = tuple(code for code in LANGUAGES if code != "en")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    texts.choose_game("magalon", {"violet": "Ada", "green": "Ben"})
    yield
    texts.choose_language("en")
    texts.choose_game(None)


def parameters(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_missing(domain: str, language: str) -> None:
    assert missing(language, domain) == []


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_left_over(domain: str, language: str) -> None:
    base = english_of(domain)
    extra = [
        k
        for k in catalogue(language, domain)
        if k not in base and not (is_form(k) and k.rpartition(".")[0] in base)
    ]
    assert extra == []


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", OTHERS)
def test_translations_fill_in_the_same_parameters(domain: str, language: str) -> None:
    base = english_of(domain)
    wrong = {}
    for key, text in catalogue(language, domain).items():
        given = parameters(base.get(key, base.get(key.rpartition(".")[0], "")))
        if key in base and parameters(text) != given:
            wrong[key] = (parameters(text), given)
    assert wrong == {}


def sources() -> str:
    """All code of the app and the keys of messages in the engine, as one text."""
    folders = (
        ROOT / "companion_app",
        ROOT / "engine",
        ROOT / "calibration",
        ROOT / "vision" / "sources",
        ROOT / "vision" / "registration",
        ROOT / "vision" / "tiles",
    )
    files = [p for f in folders for p in (*f.rglob("*.py"), *f.rglob("*.kv"))]
    return "\n".join(p.read_text("utf-8") for p in files)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cameras_boards_and_the_search_for_them_say_can_be_said_in_every_language(
    language: str,
) -> None:
    there = catalogue(language, APP)
    for key, text in {**TOLD, **NOT_FOUND, **BOARD_SHAPE}.items():
        assert parameters(there[key]) == parameters(text), key


def test_a_camera_s_sentence_is_shown_in_the_chosen_language() -> None:
    error = told("source.lost", name="camera 2")
    said = source_message(str(error), error.key, error.params)
    assert (
        said.text
        == "camera 2 is lost: check its plug and network; it is looked for again by itself"
    )
    texts.choose_language("de")
    assert texts.show(said).startswith("Kamera 2 ist weg")
    texts.choose_language("fr")
    assert texts.show(said).startswith("La caméra 2 est perdue")
    away = told("source.unreachable", address="http://10.0.0.7:8080/video", why="timed out")
    assert "http://10.0.0.7:8080/video" in texts.show(
        source_message(str(away), away.key, away.params)
    )
    assert texts.show(source_message("as it is", "", {})) == "as it is"


def test_every_text_is_used() -> None:
    code = sources()
    literal = set(re.findall(r"""["']([\w.\-]+)["']""", code))
    made = set(re.findall(r"""f["']([\w.]+[._])\{""", code))
    made |= set(re.findall(r"""["']([\w.]+[._])["'] \+""", code))
    for domain in DOMAINS:  # words that are said for the values of a parameter
        for text in english_of(domain).values():
            made |= {f"{name.removesuffix('s')}." for name in parameters(text)}
    unused = [
        key
        for domain in DOMAINS
        for key in catalogue("en", domain)
        if not is_form(key)
        and key not in literal
        and not any(key.startswith(prefix) for prefix in made)
    ]
    assert unused == []


def test_every_sentence_of_referee_and_record_has_its_text() -> None:
    engine = "\n".join(p.read_text("utf-8") for p in (ROOT / "engine").rglob("*.py"))
    keys = {k for k in re.findall(r'Message\(\s*"([\w.]+)"', engine) if k != "notes"}
    assert keys
    assert keys <= set(catalogue("en", APP))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_played_games_say_reads_in_every_language(language: str) -> None:
    said: dict[tuple[str, str], Message] = {}
    names: dict[str, dict[str, str]] = {}
    for path in RECORDS:
        if path.name.endswith(".judged.jsonl"):
            continue
        record = read_record(path)
        name = record.header.game
        names[name] = {p.colour: p.name for p in record.header.players}
        game = Game.begin(record.header, folder=path.parent)
        for action, _, judgement in game.follow(record.actions):
            said[name, f"log.{action.do}"] = texts.describe(action)
            for message in (judgement.message, judgement.pending, *judgement.notes):
                said[name, message.key] = message
    told = {key: message for key, message in said.items() if key[1]}
    assert len(told) > 50
    for (name, _), message in told.items():
        texts.choose_game(name, names[name])
        texts.choose_language("en")
        in_english = texts.show(message)
        texts.choose_language(language)
        text = texts.show(message)
        assert text
        assert not set("{}") & set(text)
        assert "/" not in text, text  # an id of a piece that has no words
        assert language == "en" or text != in_english


CASES = {
    "too_far": say("too_far", origin="start", to="a20", distance=21, card=9, steps=9),
    "one": say("walk_left", left=1, steps=1, origin="g10"),
    "pieces": say("occupied", to="ring", by="wizard/violet", origin="start"),
    "list": say("must_lay", player="green", cards=listed((1, 2, 5))),
    "parts": say(
        "energy_moved", player="violet", was=10, now=13,
        why=listed((fragment("why_red", gain=3), fragment("why_loss")), ""),
    ),
    "items": say("which_items", items=listed(("ring", "stone"), "and")),
    "victim": say("displaced", victim="green", cell="e11", to="amulet"),
    "owner": say("energy_nothing", player="violet", now=3),
    "action": Message("referee.undo_last", "", {"action": Action("green", "walk", {"to": "start"})}),
    "actions": Message(
        "referee.reading", "", {"actions": Listed((Action("green", "lift", {}),), "")}
    ),
    "notes": Message(
        "notes", "x", {"notes": (("passed", {"player": "violet"}), ("first_of_round", {"player": "green"}))}
    ),
}  # fmt: skip
SAID = {
    "en": {
        "too_far": "a20 is 21 cells from the start field, but card 9 walks exactly 9. Put the wizard back on the start field, or choose a cell exactly 9 steps away.",
        "pieces": "The ring field is taken by the violet wizard. Put the wizard back on the start field and choose a free cell.",
        "items": "The way could have led over ring and stone, but not over all of them. Which was it?",
        "victim": "Ben is displaced from e11 to the amulet field.",
        "action": "Take back what was understood last (Ben walks to the start field).",
    },
    "de": {
        "too_far": "Vom Startfeld bis a20 sind es 21 Felder, aber Karte 9 geht genau 9. Stellt den Magier zurück auf das Startfeld, oder wählt ein Feld, das genau 9 Schritte entfernt ist.",
        "one": "Der Gang ist noch nicht zu Ende: Es fehlen 1 von 1 Schritt, oder der Magier geht zurück auf g10.",
        "pieces": "Auf dem Ringfeld steht schon der violette Magier. Stellt den Magier zurück auf das Startfeld und wählt ein freies Feld.",
        "list": "Ben kann noch legen: 1, 2 oder 5. Passen geht also nicht; legt eine davon.",
        "parts": "Ada: von 10 auf 13 Energie (rotes Feld: +3, Zug: −1).",
        "items": "Der Weg kann über den Ring und den Stein geführt haben, aber nicht über alle. Was war es?",
        "victim": "Ben wird von e11 auf das Amulettfeld versetzt.",
        "actions": "Ben hebt eine Ruine um",
        "notes": "Ada passt und legt in der nächsten Runde zuerst. Ben zieht zuerst.",
    },
    "fr": {
        "one": "La marche n'est pas finie : il reste 1 de 1 pas, ou le magicien retourne sur g10.",
        "pieces": "Sur la case de l'anneau se trouve déjà le magicien violet. Remettez le magicien sur la case départ et choisissez une case libre.",
        "list": "Ben peut encore poser : 1, 2 ou 5. Passer n'est donc pas permis ; posez l'une d'elles.",
        "items": "Le chemin a pu passer par l'anneau et la pierre, mais pas par tout. Lequel était-ce ?",
        "owner": "Rien à compter : la pierre d'Ada reste sur 3.",
        "action": "Reprendre ce qui a été compris en dernier (Ben va sur la case départ).",
    },
}


@pytest.mark.parametrize(
    ("language", "case"), [(language, case) for language, said in SAID.items() for case in said]
)
def test_sentences_read_as_a_person_would_write_them(language: str, case: str) -> None:
    texts.choose_language(language)
    assert texts.show(CASES[case]) == SAID[language][case]


def test_an_unknown_message_keeps_its_own_text() -> None:
    texts.choose_language("de")
    assert texts.show(Message("never.heard", "As it came.", {})) == "As it came."
    assert texts.show(Message("too_far", "As it came.", {"to": "a1"})) == "As it came."


def test_the_language_can_change_after_a_message_was_made() -> None:
    message = texts.message("camera.watching")
    texts.choose_language("fr")
    assert texts.show(message) == "Le plateau est observé"
    texts.choose_language("de")
    assert texts.show(message) == "Das Brett wird beobachtet"


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "lie over each other"), ("de", "liegen übereinander"), ("fr", "se recouvrent")],
)
def test_a_board_from_elsewhere_is_refused_in_the_chosen_language(
    language: str, words: str, tmp_path: Path
) -> None:
    raw = copy.deepcopy(dict(load_board("reference", "hexagon").raw))
    first, second = raw["cells"][:2]
    second["polygon_mm"] = first["polygon_mm"]
    (tmp_path / "own.json").write_text(json.dumps(raw))
    packed = tmp_path / "own.boardwarden"
    packed.write_bytes(Profile(raw, None).pack())
    texts.choose_language(language)
    said = library.check_board(str(tmp_path / "own.json"))
    with pytest.raises(BoardwardenError) as caught:
        library.import_board(Store(tmp_path), packed)
    assert said == texts.told(caught.value)
    assert words in said
    assert str(first["id"]) in said and str(second["id"]) in said
