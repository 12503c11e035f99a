"""What was read a moment ago need not be read again: most of a table stays as it is."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.network import Looked
from vision.types import Image

THUMB = 20  # px
BLOCK = 5  # px of a thumb that are compared together
SAME = 5.0  # grey levels by which the worst block may differ: the camera's noise, not a figure
MOST = 4000
Thumb = NDArray[np.int16]
Answer = TypeVar("Answer")


def thumb_of(picture: Image) -> Thumb:
    """(THUMB, THUMB, 3): a small picture without the camera's noise."""
    return cv2.resize(picture, (THUMB, THUMB), interpolation=cv2.INTER_AREA).astype(np.int16)


def same(one: Thumb, other: Thumb) -> bool:
    """Whether two small pictures show the same."""
    gap = np.abs(one - other).mean(2)
    blocks = gap.reshape(THUMB // BLOCK, BLOCK, THUMB // BLOCK, BLOCK).mean((1, 3))
    return bool(blocks.max() < SAME)


@dataclass
class Memory(Generic[Answer]):
    """Answers by key, each with the picture that it was given for."""

    _known: dict[Hashable, tuple[Thumb, Answer]] = field(default_factory=dict)

    def recall(self, key: Hashable, thumb: Thumb) -> Answer | None:
        """The answer, if the picture is still the same."""
        known = self._known.get(key)
        return known[1] if known is not None and same(known[0], thumb) else None

    def keep(self, key: Hashable, thumb: Thumb, answer: Answer) -> None:
        """Remembers an answer."""
        if len(self._known) > MOST:
            self._known.clear()
        self._known[key] = (thumb, answer)


class Looking(Protocol):
    """The tile network, or one that remembers."""

    @property
    def kinds(self) -> tuple[str, ...]: ...
    def look(self, patches: list[Image], keys: Sequence[Hashable] | None = None) -> Looked: ...


class RememberingNetwork:
    """A tile network that looks only at patches that have changed.

    ``look`` with ``keys``, one for each patch: what the patch is of, so that it can be compared with
    what was there before.
    """

    def __init__(self, network: Looking) -> None:
        self._network = network
        self.kinds = network.kinds
        self._memory: Memory[tuple[NDArray[np.float32], float, NDArray[np.float64]]] = Memory()

    def look(self, patches: list[Image], keys: Sequence[Hashable] | None = None) -> Looked:
        """See `TileNetwork.look`."""
        if keys is None:
            return self._network.look(patches)
        thumbs = [thumb_of(p) for p in patches]
        rows = [self._memory.recall(k, t) for k, t in zip(keys, thumbs, strict=True)]
        fresh = [n for n, row in enumerate(rows) if row is None]
        looked = self._network.look([patches[n] for n in fresh])
        for i, n in enumerate(fresh):
            row = (looked.logits[i], float(looked.present[i]), looked.place[i])
            rows[n] = row
            self._memory.keep(keys[n], thumbs[n], row)
        told = [row for row in rows if row is not None]
        if not told:
            return looked
        return Looked(
            np.stack([r[0] for r in told]), np.array([r[1] for r in told]),
            np.stack([r[2] for r in told]),
        )  # fmt: skip
