"""Which texts a language lacks."""

from __future__ import annotations

from companion_app.texts.catalogue import APP, catalogue

# The words after the last dot of a key that are forms of the word before it.
FORMS = ("acc", "dat", "nom", "gen", "de", "e", "en", "f", "Title")


def is_form(key: str) -> bool:
    """Whether a key holds a form of another key's word; languages differ in these."""
    return key.rpartition(".")[2] in FORMS


def english_of(domain: str) -> dict[str, str]:
    """All English texts of a domain, the engine's own ones included."""
    from companion_app.games import face_of

    own = dict(catalogue("en", domain))
    return own if domain == APP else {**face_of(domain).texts, **own}


def missing(language: str, domain: str) -> list[str]:
    """The keys that English has and ``language`` lacks."""
    there = english_of(domain) if language == "en" else catalogue(language, domain)
    return [k for k in english_of(domain) if k not in there and not is_form(k)]
