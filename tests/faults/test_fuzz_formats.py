"""Every format from outside with any damage: used, or refused in one sentence."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_app.library import list_boards, list_games
from companion_app.selftest.damage import damaged_bytes, damaged_json, json_text
from companion_app.store import Store
from companion_app.texts import catalogue
from companion_app.texts.catalogue import can_be_filled, read_catalogue
from engine.errors import BoardwardenError
from tests.faults.formats import FORMATS, Format, prepared
from tests.faults.running import short, soaked, survives

EXAMPLES = {"boards": 12, "films": 15, "profiles": 10, "tile prints": 20, "records": 40}


def damaged(form: Format, rng: random.Random) -> bytes:
    """A whole file with damage that knows its format, or with damaged bytes."""
    whole = rng.choice(list(form.seeds()))
    if form.damage is not None and rng.random() < 0.7:
        return form.damage(whole, rng) or whole
    if not form.text:
        return damaged_bytes(whole, rng, 12)
    if form.lines:
        rows = [json.loads(line) for line in whole.splitlines()]
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(rows))
            rows[at] = damaged_json(rows[at], rng)
        data = b"\n".join(json_text(row) for row in rows)
    else:
        data = json_text(damaged_json(json.loads(whole), rng, 3), rng)
    return damaged_bytes(data, rng) if rng.random() < 0.3 else data


def one_file(form: Format, path: Path, seed: int) -> bool:
    path.write_bytes(damaged(form, random.Random(seed)))
    return survives(lambda: form.use(path))


@pytest.mark.parametrize("name", FORMATS)
def test_whole_files_are_used(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    path = prepared(form, tmp_path)
    for seed in form.seeds():
        path.write_bytes(seed)
        form.use(path)


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    path = prepared(form, tmp_path)

    @short(EXAMPLES.get(name, 60))
    @given(st.integers(0, 2**32))
    def run(seed: int) -> None:
        one_file(form, path, seed)

    run()


@soaked
@pytest.mark.parametrize("name", FORMATS)
def test_for_long(name: str, tmp_path: Path, soak) -> None:
    form = FORMATS[name]
    path = prepared(form, tmp_path)
    soak(name, lambda seed: one_file(form, path, seed))


def test_translations_can_ask_only_for_plain_parameters() -> None:
    fine = (
        "{player} lays {card}",
        "{left:step|steps}",
        "no parameter",
        "{{braces}}",
        "{piece:acc}",
    )
    bad = ("{", "}", "{0}", "{}", "{a.b}", "{a[0]}", "{a!r}", "{a:{b}}", "{a:>99999}", "{a:.999f}")
    assert [t for t in fine if not can_be_filled(t)] == []
    assert [t for t in bad if can_be_filled(t)] == []


def test_a_damaged_translation_leaves_the_others_and_english(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "fr.po"
    path.write_text('msgid "good"\nmsgstr "bon {n}"\n\nmsgid "bad"\nmsgstr "mal {n.x}"\n')
    assert read_catalogue(path) == {"good": "bon {n}"}
    path.write_bytes(b'msgid "good\xff\n')
    with pytest.raises(BoardwardenError, match="damaged"):
        read_catalogue(path)
    monkeypatch.setattr(catalogue, "path_of", lambda language, domain: path)
    assert catalogue.catalogue("fr", "a game that is nowhere") == {}


def test_a_folder_full_of_strange_files_is_listed_without_them(tmp_path: Path) -> None:
    """Links, folders, huge lines, names that no file can have: the lists show what is sound."""
    store = Store(tmp_path)
    (store.boards).mkdir()
    whole = FORMATS["records"].seeds()[0]
    (store.games / "20260101-100000-magalon.jsonl").write_bytes(whole)
    (store.games / "huge.jsonl").write_bytes(b"{" + b" " * 9_000_000)
    (store.games / "folder.jsonl").mkdir()
    (store.games / "link.jsonl").symlink_to("/dev/zero")
    (store.games / "deep.jsonl").write_bytes(b'{"boardwarden": ' + b"[" * 100_000)
    assert [e.path.name for e in list_games(store)] == ["20260101-100000-magalon.jsonl"]
    board = json.loads(FORMATS["boards"].seeds()[-1])
    for n, picture in enumerate(("x" * 5000, "\0", "../" * 900, 7, {"picture": []}, "nowhere.jpg")):
        (store.boards / f"{n}.json").write_text(json.dumps({**board, "reference": picture}))
    (store.boards / "zero.json").symlink_to("/dev/zero")
    found = list_boards(store, "magalon")
    assert len(found) == 7
    assert not any(e.picture for e in found)
