"""What the users chose, kept from one evening to the next in ``settings.json``."""

from __future__ import annotations

import contextlib
import locale
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from companion_app.texts import LANGUAGES

TEXT_SIZES = ("normal", "large", "huge")
KNOWN_NAMES = 12


@dataclass(frozen=True)
class Settings:
    """``language``: "" follows the system.  ``volume``: 0 to 1.  ``names``: players of late, newest
    first.  ``last``: the last new game per game's name, as JSON; ``extra``: keys of other versions,
    kept."""

    language: str = ""
    text: str = "normal"
    contrast: bool = False
    light: bool = False
    calm: bool = False
    voice: bool = True
    sounds: bool = True
    volume: float = 0.7
    tour_seen: bool = False
    game: str = "magalon"
    names: tuple[str, ...] = ()
    last: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> Settings:
        """Takes what is sound, and the default for everything else."""
        default, found = Settings(), {}
        for name in (f.name for f in fields(Settings)):
            if name != "extra" and (value := _sound(name, raw.get(name))) is not None:
                found[name] = value
        known = {f.name for f in fields(Settings)}
        extra = {k: v for k, v in raw.items() if k not in known}
        return replace(default, **found, extra=extra)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the file."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "extra"}
        return {**self.extra, **own, "names": list(self.names), "last": dict(self.last)}

    @property
    def spoken(self) -> str:
        """The language to use."""
        return self.language or system_language()

    def with_names(self, names: tuple[str, ...]) -> Settings:
        """The names of a new game come first among the known ones."""
        known = dict.fromkeys((*(n for n in names if n), *self.names))
        return replace(self, names=tuple(known)[:KNOWN_NAMES])


def _sound(name: str, value: Any) -> Any:
    """A value of the file as the setting needs it; None where it is not sound."""
    match name, value:
        case "language", str() if value in ("", *LANGUAGES):
            return value
        case "text", str() if value in TEXT_SIZES:
            return value
        case (("contrast" | "light" | "calm" | "voice" | "sounds" | "tour_seen"), bool()):
            return value
        case "volume", float() | int() if not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
        case "game", str():
            return value
        case "names", list():
            return tuple(n for n in value if isinstance(n, str))[:KNOWN_NAMES]
        case "last", dict():
            return value
    return None


def system_language() -> str:
    """The system's language where the app speaks it, else English."""
    candidates = [os.environ.get(k, "") for k in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG")]
    candidates.append(_android_language())
    with contextlib.suppress(ValueError):
        candidates.append(locale.getlocale()[0] or "")
    for name in candidates:
        code = name[:2].lower()
        if code in LANGUAGES:
            return code
        if name and name not in ("C", "POSIX") and not name.startswith("C."):
            return {"Ge": "de", "Fr": "fr"}.get(name[:2], "en")  # Windows says "German_Germany"
    return "en"


def _android_language() -> str:
    if "ANDROID_ARGUMENT" not in os.environ:
        return ""
    try:
        from jnius import autoclass

        return str(autoclass("java.util.Locale").getDefault().getLanguage())
    except Exception:  # any fault of the bridge: English will do
        return ""
