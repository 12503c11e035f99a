"""The catalogues: gettext .po files with the key of a text as ``msgid``, read as they are.

``languages/LANGUAGE.po`` holds the app's own texts, ``games/GAME/languages/LANGUAGE.po`` those of a
game.  The English of the engine's sentences is the engine's own (``Face.texts``).
"""

from __future__ import annotations

import logging
import re
import string
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import polib

from engine.errors import BoardwardenError
from engine.files import read_bytes, shown

log = logging.getLogger(__name__)

APP = "app"
LANGUAGES = ("en", "de", "fr")
MAX_BYTES = 4_000_000
_FORMATTER = string.Formatter()
_ODD_FORM = re.compile(r"[{}]|\d{3}")  # of forms inside forms, or of pages of blanks
HOME = Path(__file__).resolve().parents[1]


def path_of(language: str, domain: str) -> Path:
    """The file of a language and a domain (``APP`` or the name of a game)."""
    folder = HOME if domain == APP else HOME / "games" / domain
    return folder / "languages" / f"{language}.po"


@lru_cache(maxsize=64)
def catalogue(language: str, domain: str) -> Mapping[str, str]:
    """Key to text; empty where there is no such file, or one that cannot be read."""
    path = path_of(language, domain)
    if not path.is_file():
        return {}
    try:
        return read_catalogue(path)
    except BoardwardenError as error:  # English is better than no word at all
        log.warning("%s", error)
        return {}


def read_catalogue(path: Path) -> dict[str, str]:
    """The texts of a file that can be filled in, by key; raises BoardwardenError for no catalogue."""
    data = read_bytes(path, "the texts", MAX_BYTES)
    try:
        entries = polib.pofile(data.decode("utf-8-sig") + "\n", encoding="utf-8")
        found = {e.msgid: e.msgstr for e in entries if e.msgstr and not e.obsolete and not e.fuzzy}
    except (OSError, ValueError, IndexError, AttributeError) as error:
        raise BoardwardenError(
            f"the texts {shown(path)} are damaged ({shown(error)}): install Boardwarden again"
        ) from error
    return {key: text for key, text in found.items() if can_be_filled(text)}


def can_be_filled(text: str) -> bool:
    """Whether a text asks only for plain parameters: names, at most with a form of words."""
    try:
        fields = [(name, form, how) for _, name, form, how in _FORMATTER.parse(text)]
    except ValueError:
        return False
    return all(
        name is None or (name.isidentifier() and not how and not _ODD_FORM.search(form or ""))
        for name, form, how in fields
    )


@lru_cache(maxsize=16)
def engine_texts(game: str) -> Mapping[str, str]:
    """The English of a game's sentences as the engine has them; empty for an unknown game."""
    from companion_app.games import face_of

    try:
        return face_of(game).texts
    except KeyError:
        return {}
