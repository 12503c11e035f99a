"""One edition's print, learnt from pictures: tiles are then known by comparing with them.

Compared are small pictures of the tile as it lies, of one brightness and contrast, by their
correlation; every stored tile in four turns.
"""

from __future__ import annotations

import io
import lzma
import struct
import tokenize
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from engine.files import read_bytes, shown, write_whole
from vision.tiles.patch import PATCH_PX, TILE_PX
from vision.tiles.structure import TURNS
from vision.types import FloatArray, Image

SIDE = 32  # px of the small pictures
RIM = 0.05  # of a tile: left out, what lies beside it shows there
SHIFTS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
CORRELATION = 30.0  # log-odds per unit of correlation
CLOSER = 14  # faces that are compared block by block
DETAIL = 5.0  # log-odds per unit of difference
BLOCK, BROAD = 5, 15  # px
BLOCK_CAP, LIGHT = 0.8, 0.6
COARSE = 8  # px: broader differences are light
MOST_PER_KIND = 6
SAME = 0.93  # correlation from which another picture of a tile brings nothing new
VERSION = 1
MOST_BYTES = 16_000_000
MOST_VIEWS, MOST_MEMBER = 1000, 2 * SIDE * SIDE * 3
ZIP_ENTRY = b"PK\1\2"  # one for each member in the table of a zip file
# What numpy and the standard library raise for a damaged file.
DAMAGED = (
    OSError, ValueError, KeyError, EOFError, TypeError, AttributeError, NotImplementedError, RuntimeError,
    MemoryError, struct.error, SyntaxError, tokenize.TokenError, BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """``views``: for each kind of tile its small pictures (SIDE, SIDE, 3) uint8, unturned."""

    views: Mapping[str, tuple[Image, ...]] = field(default_factory=dict)

    def learnt(self, kind: str, rot: int, patch: Image) -> Profile:
        """With one more picture: the patch of a tile that lies turned by ``rot`` degrees."""
        small = np.ascontiguousarray(np.rot90(shrink(patch), rot // 90))
        known = self.views.get(kind, ())
        if any(_alike(small, other) > SAME for other in known):
            return self
        return Profile({**self.views, kind: (*known, small)[-MOST_PER_KIND:]})

    def save(self, path: Path) -> None:
        """Writes an ``.npz`` file; a full disk leaves no half of one.  Raises OSError."""
        arrays = {
            f"{kind}|{n}": v for kind, views in self.views.items() for n, v in enumerate(views)
        }
        packed = io.BytesIO()
        np.savez_compressed(packed, version=np.array(VERSION), **arrays)
        write_whole(path, packed.getvalue())

    @classmethod
    def load(cls, path: Path) -> Profile:
        """Reads what `save` wrote; raises BoardwardenError."""
        try:
            data = read_bytes(path, "the print of the tiles", MOST_BYTES)
            _check_members(data)
            with np.load(io.BytesIO(data), allow_pickle=False) as raw:
                if int(raw["version"]) != VERSION:
                    raise ValueError
                views: dict[str, list[Image]] = {}
                for name in sorted(set(raw.files) - {"version"}):
                    view = raw[name]
                    if view.shape != (SIDE, SIDE, 3) or view.dtype != np.uint8:
                        raise ValueError
                    views.setdefault(name.rpartition("|")[0], []).append(view)
        except DAMAGED as error:
            raise BoardwardenError(
                f"{shown(path)} is no print of tiles that can be used: learn it anew with boardwarden tiles"
            ) from error
        return cls({kind: tuple(v) for kind, v in views.items()})


def _check_members(data: bytes) -> None:
    """Before anything is unpacked: few members, and none larger than a picture; raises ValueError."""
    if data.count(ZIP_ENTRY) > MOST_VIEWS:
        raise ValueError
    with ZipFile(io.BytesIO(data)) as package:
        if any(info.file_size > MOST_MEMBER for info in package.infolist()):
            raise ValueError


def shrink(patch: Image) -> Image:
    """(SIDE, SIDE, 3) of a tile's patch, without its rim."""
    low = round((PATCH_PX - TILE_PX) / 2 + RIM * TILE_PX)
    inner = patch[low : PATCH_PX - low, low : PATCH_PX - low]
    return np.asarray(cv2.resize(inner, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


class Matcher:
    """Compares patches with a profile.  ``kinds``: the kinds asked for, in the order of the answer."""

    def __init__(self, profile: Profile, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        rows, details, owners = [], [], []
        for number, kind in enumerate(kinds):
            for view in profile.views.get(kind, ()):
                for turn in range(TURNS):
                    turned = np.ascontiguousarray(np.rot90(view, -turn))
                    for shift in SHIFTS:
                        rows.append(_features(turned, shift))
                        details.append(_even(turned, shift))
                        owners.append(number * TURNS + turn)
        self._rows = np.array(rows, np.float32) if rows else None
        self._details = np.array(details, np.float32)
        self._owners = np.array(owners)

    def __call__(self, patches: Sequence[Image]) -> NDArray[np.float64]:
        """(N, kinds, 4): log-likelihoods up to a constant per patch; NaN for kinds that are not
        learnt.

        Those that correlate best are compared block by block: a pennant is small.
        """
        out = np.full((len(patches), len(self.kinds) * TURNS), np.nan)
        if self._rows is None or not len(patches):
            return out.reshape(len(patches), -1, TURNS)
        small = [shrink(p) for p in patches]
        match = np.array([_features(s, (0, 0)) for s in small]) @ self._rows.T
        for n, picture in enumerate(small):
            out[n] = self._one(match[n], _even(picture, (0, 0)))
        return out.reshape(len(patches), -1, TURNS)

    def _one(self, match: FloatArray, seen: FloatArray) -> NDArray[np.float64]:
        best = np.full(len(self.kinds) * TURNS, -np.inf)
        np.maximum.at(best, self._owners, match)
        known = np.isfinite(best)
        out = np.where(known, CORRELATION * best, np.nan)
        first = np.argsort(-best)[:CLOSER]
        rows = np.flatnonzero(np.isin(self._owners, first[known[first]]))
        unlike = _unlike(seen, self._details[rows])
        detail = np.full(len(best), np.inf)
        np.minimum.at(detail, self._owners[rows], unlike)
        worst = float(unlike.max())
        return np.asarray(out - DETAIL * np.where(np.isfinite(detail), detail, worst))


def _even(small: Image, shift: tuple[int, int]) -> FloatArray:
    """(SIDE - 2, SIDE - 2, 3): the picture, shifted by whole pixels, of one brightness and contrast."""
    values = cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.6)
    x, y, n = 1 + shift[0], 1 + shift[1], SIDE - 2
    cut = values[y : y + n, x : x + n]
    cut = cut - cut.mean((0, 1))
    return np.asarray(cut / (float(cut.std()) + 6.0), np.float32)


def _unlike(seen: FloatArray, others: FloatArray) -> NDArray[np.float64]:
    """(M,) how much pictures differ: the sum over blocks, in each of which no more than BLOCK_CAP
    counts, for a figure may stand there; broad differences are light."""
    gap = others - seen
    side = gap.shape[1]
    broad = gap.reshape(len(gap), side // BROAD, BROAD, side // BROAD, BROAD, 3).mean((2, 4))
    broad = np.repeat(np.repeat(broad, BROAD, 1), BROAD, 2)
    gap = gap - LIGHT * broad
    squares = (gap**2).mean(3).reshape(len(gap), side // BLOCK, BLOCK, side // BLOCK, BLOCK)
    return np.asarray(np.minimum(squares.mean((2, 4)), BLOCK_CAP).sum((1, 2)), np.float64)


def _alike(one: Image, other: Image) -> float:
    return float(_features(one, (0, 0)) @ _features(other, (0, 0)))


def _features(small: Image, shift: tuple[int, int]) -> FloatArray:
    """A vector of length 1: the picture and its fine part, each of one contrast.

    The middle counts, shifted by whole pixels.
    """
    values = cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.6)
    fine = values - cv2.GaussianBlur(values, (0, 0), COARSE)
    x, y = 1 + shift[0], 1 + shift[1]
    n = SIDE - 2
    parts = []
    for part, weight in ((values, 0.8), (fine, 1.0)):
        cut = part[y : y + n, x : x + n]
        cut = cut - cut.mean((0, 1))
        parts.append(weight * cut.ravel() / (float(np.linalg.norm(cut)) + 30.0))
    both = np.concatenate(parts)
    return np.asarray(both / (float(np.linalg.norm(both)) + 1e-9), np.float32)
