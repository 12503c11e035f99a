"""Settings and lists: whatever stands in the files, the app starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion_app.library import list_boards, list_games
from companion_app.settings import Settings, system_language
from companion_app.store import Store
from engine.game import Header, Player

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
KEYS = st.sampled_from([*Settings.__dataclass_fields__, "other"])


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(KEYS, JSON, max_size=6))
def test_any_file_gives_sound_settings_that_can_be_kept(raw: dict[str, object]) -> None:
    found = Settings.from_json(raw)
    assert found.text in ("normal", "large", "huge")
    assert found.language in ("", "en", "de", "fr")
    assert 0 <= found.volume <= 1
    again = Settings.from_json(json.loads(json.dumps(found.to_json())))
    assert again.to_json().keys() == found.to_json().keys()


def test_keys_of_other_versions_are_kept() -> None:
    assert Settings.from_json({"later": {"x": 1}}).to_json()["later"] == {"x": 1}


def test_new_names_come_first_and_the_oldest_are_forgotten() -> None:
    settings = Settings(names=tuple("abcdefghijkl"))
    assert settings.with_names(("x", "c", "")).names == tuple("xcabdefghijk")


@pytest.mark.parametrize(
    ("variable", "code"), [("de_AT.UTF-8", "de"), ("fr_FR", "fr"), ("en_GB", "en"), ("nl_NL", "en")]
)
def test_the_system_s_language_is_taken(
    monkeypatch: pytest.MonkeyPatch, variable: str, code: str
) -> None:
    monkeypatch.setenv("LC_ALL", variable)
    assert system_language() == code


def test_past_games_are_listed_newest_first_with_their_winner(tmp_path: Path) -> None:
    store = Store(tmp_path)
    header = Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))
    old = store.new_game(header)
    old.write({"do": "note", "result": {"winner": "green", "scores": {}}})
    old.path.rename(store.games / "20250101-101500-magalon.jsonl")
    store.new_game(header)
    (store.games / "20250102-000000-broken.jsonl").write_text("{nonsense")
    (store.games / "20250103-000000-empty.jsonl").write_text("")
    (store.games / "20250104-000000-odd.jsonl").write_bytes(b'{"boardwarden": 1}\n\xff\n')
    games = list_games(store)
    assert [g.winner for g in games] == [None, "green"]
    assert games[1].lines == 2


def test_boards_are_listed_by_game_and_files_that_are_none_are_left_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.boards.mkdir()
    (store.boards / "mine.json").write_text('{"name": "Ours", "game": "magalon", "cells": []}')
    (store.boards / "other.json").write_text('{"name": "Draughts", "game": "x", "cells": []}')
    (store.boards / "broken.json").write_text("{")
    (store.boards / "mine.jpg").write_bytes(b"")
    found = list_boards(store, "magalon")
    assert [b.name for b in found] == ["reference", "Ours"]
    assert found[1].picture == store.boards / "mine.jpg"
