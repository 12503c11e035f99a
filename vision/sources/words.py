"""What sources say of themselves, each sentence under a key, so that it can be said in any language."""

from __future__ import annotations

from engine.errors import BoardwardenError
from vision.sources.base import SourceKind, SourceState

TOLD = {
    "source.missing": (
        "there is no camera {n}: plug it in, close other programs that use it, or name another number"
    ),
    "source.unreachable": (
        "{address} cannot be reached ({why}): check the address and that the camera is on the same"
        " network"
    ),
    "source.opening": "{name} is being opened",
    "source.silent": "{name} sends no picture: check its plug and network",
    "source.same": "{name} sends the same picture again and again: unplug it and plug it in",
    "source.deaf": "{name} does not answer: unplug it and start again",
    "source.hangs": "{name} hangs; it is opened anew",
    "source.lost": ("{name} is lost: check its plug and network; it is looked for again by itself"),
    "source.cut_off": (
        "the film {name} breaks off: {read} of {whole} seconds could be read; copy it again, or record"
        " it anew"
    ),
    "source.left_out": (
        "pictures that cannot be read were left out: {names}; save them as JPEG or PNG again, or take"
        " them out of the folder"
    ),
    "source.not_allowed": (
        "Boardwarden may not use the camera: allow it when the system asks, or in the system's"
        " settings for this app"
    ),
    "source.taken": "camera {n} does not open: close other apps that use it and try again",
}


def told(key: str, **params: object) -> BoardwardenError:
    """The sentence under a key as an error."""
    return BoardwardenError(TOLD[key].format(**params), key=key, params=params)


def state(kind: SourceKind, key: str, **params: object) -> SourceState:
    """The same as a state."""
    return SourceState(kind, TOLD[key].format(**params), key, params)


def state_of(kind: SourceKind, error: BoardwardenError) -> SourceState:
    """A state that says what an error says."""
    return SourceState(kind, str(error), error.key, error.params)
