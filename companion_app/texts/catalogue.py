"""The catalogues: gettext .po files with the key of a text as ``msgid``, read as they are.

``languages/LANGUAGE.po`` holds the app's own texts, ``games/GAME/languages/LANGUAGE.po`` those of a
game.  The English of the engine's sentences is the engine's own (``Face.texts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import polib

APP = "app"
LANGUAGES = ("en", "de", "fr")
HOME = Path(__file__).resolve().parents[1]


def path_of(language: str, domain: str) -> Path:
    """The file of a language and a domain (``APP`` or the name of a game)."""
    folder = HOME if domain == APP else HOME / "games" / domain
    return folder / "languages" / f"{language}.po"


@lru_cache(maxsize=64)
def catalogue(language: str, domain: str) -> Mapping[str, str]:
    """Key to text; empty where there is no such file."""
    path = path_of(language, domain)
    if not path.is_file():
        return {}
    entries = polib.pofile(str(path), encoding="utf-8")
    return {e.msgid: e.msgstr for e in entries if e.msgstr and not e.obsolete and not e.fuzzy}


@lru_cache(maxsize=16)
def engine_texts(game: str) -> Mapping[str, str]:
    """The English of a game's sentences as the engine has them; empty for an unknown game."""
    from companion_app.games import face_of

    try:
        return face_of(game).texts
    except KeyError:
        return {}
