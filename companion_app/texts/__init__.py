"""What the app says, in the chosen language.

Everything that is said is a ``Message``: a key with parameters.  It becomes words only where it is
shown, so the language can change at any moment, also for what was said before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion_app.source_words import source_message
from companion_app.texts.catalogue import LANGUAGES
from companion_app.texts.speaker import Speaker, describe
from engine.errors import BoardwardenError
from engine.verdict import Message

__all__ = [
    "LANGUAGES",
    "choose_game",
    "choose_language",
    "describe",
    "game_text",
    "game_title",
    "language",
    "message",
    "piece_name",
    "show",
    "speaker",
    "spot_name",
    "t",
    "told",
]

_speaker = Speaker()
_english = Speaker()


def speaker() -> Speaker:
    """Who speaks now."""
    return _speaker


def language() -> str:
    """The chosen language."""
    return _speaker.language


def choose_language(code: str) -> None:
    """Switches everything that is shown from now on; an unknown code means English."""
    global _speaker
    _speaker = replace(_speaker, language=code if code in LANGUAGES else "en")


def choose_game(game: str | None, names: Mapping[str, str] | None = None) -> None:
    """From now on sentences use this game's words and call players by name (colour to name)."""
    global _speaker, _english
    _speaker = replace(_speaker, game=game, names=dict(names or {}))
    _english = Speaker("en", game)


def t(key: str, **params: Any) -> str:
    """The text under a key in the chosen language; the key itself where there is none."""
    return _speaker.show(Message(key, key, params))


def message(key: str, **params: Any) -> Message:
    """A message of the app, with its English text."""
    return Message(key, _english.show(Message(key, key, params)), params)


def show(said: Message) -> str:
    """A message in the chosen language, with names; its own English text if nothing is known."""
    return _speaker.show(said).replace(" → ", t("sign.to"))  # the font has no arrow


def told(error: BoardwardenError) -> str:
    """What an error says, as a sentence: in the chosen language where it is known there."""
    said = show(source_message(str(error), error.key, error.params))
    first = said.split(" ", 1)[0]
    if first.isalpha():  # no path, no name
        said = said[:1].upper() + said[1:]
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


def game_text(game: str, key: str, **params: Any) -> str:
    """A text of a game that is not the one on the table."""
    return replace(_speaker, game=game).show(Message(key, key, params))


def game_title(game: str) -> str:
    """The name of a game in the chosen language."""
    return replace(_speaker, game=game).template("game.title") or game


def piece_name(piece: str) -> str:
    """The words for a piece id, e.g. "the violet wizard"; the id itself where there are none."""
    return _speaker.piece(piece) or piece


def spot_name(spots: Sequence[str]) -> str:
    """The words for where a piece stands."""
    return _speaker.spots(tuple(spots))
