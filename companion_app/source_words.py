"""What a source of pictures says of itself, as a message that is shown in the chosen language."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.verdict import Message

_CAMERA = re.compile(r"camera (\d+)")


def source_message(sentence: str, key: str, params: Mapping[str, object]) -> Message:
    """``key`` and ``params`` as ``vision.sources.words`` gives them; without a key the sentence stays
    as it is."""
    if not key:
        return Message("camera.error", sentence)
    return Message(key, sentence, {name: _named(value) for name, value in params.items()})


def _named(value: object) -> object:
    """ "camera 0" is said in words too; addresses are not."""
    match = _CAMERA.fullmatch(value) if isinstance(value, str) else None
    return value if match is None else Message("source.camera", str(value), {"n": int(match[1])})
