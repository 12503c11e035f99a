"""A measured board as one thing: board file and reference picture, also packed as one file.

The packed file is a ZIP with exactly two members, ``board.json`` and ``reference.jpg``.  It may come
from anybody: nothing in it is written where it says, links and other members are refused, and no
more is unpacked than a board can need.
"""

from __future__ import annotations

import io
import json
import lzma
import re
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.measuring.measuring import check_playable
from engine.board import load_board
from engine.errors import BoardwardenError
from engine.files import MAX_JSON_BYTES, json_reason, parse_json, read_bytes, shown
from vision.reference import Reference
from vision.registration.find import reference_of
from vision.sources.pictures import decode_picture
from vision.types import Image

SUFFIX = ".boardwarden"
BOARD, PICTURE = "board.json", "reference.jpg"
MAX_PICTURE = 32_000_000
MAX_PACKED = MAX_JSON_BYTES + MAX_PICTURE
QUALITY = 92
ZIP_ENTRY, MOST_ENTRIES = b"PK\1\2", 100  # one for each member in the table of a zip file
# What the standard library raises for a damaged package.
DAMAGED = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, NotImplementedError, RuntimeError,
    OSError, EOFError,
)  # fmt: skip
NAME = re.compile(r"[^\w-]+")


@dataclass(frozen=True, eq=False)
class Profile:
    """``raw``: the board file's object; ``picture``: JPEG of the flat face, None without one."""

    raw: dict[str, Any]
    picture: bytes | None

    @property
    def name(self) -> str:
        """What the owner called it."""
        return str(self.raw.get("name") or "board")

    @property
    def file_name(self) -> str:
        """The name as that of a file, without suffix."""
        return NAME.sub("-", self.name).strip("-_")[:60] or "board"

    def files(self, stem: str) -> dict[str, bytes]:
        """The two files under a stem, picture first, so that no board file names a missing one."""
        raw = {k: v for k, v in self.raw.items() if k != "reference"}
        out: dict[str, bytes] = {}
        if self.picture is not None:
            out[f"{stem}.jpg"] = self.picture
            raw["reference"] = f"{stem}.jpg"
        out[f"{stem}.json"] = (json.dumps(raw, ensure_ascii=False, indent=1) + "\n").encode()
        return out

    def pack(self) -> bytes:
        """As one file."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
            for name, data in self.files("reference").items():
                package.writestr(BOARD if name.endswith(".json") else PICTURE, data)
        return stream.getvalue()


def make_profile(raw: dict[str, Any], face: Image | None) -> Profile:
    """A profile of a measured board and its face seen flat."""
    return Profile(raw, None if face is None else _jpeg(face))


def load_profile(path: Path) -> Profile:
    """The profile of a board file with the reference picture it names; raises BoardwardenError."""
    board = load_board(path)
    reference = reference_of(board)
    return Profile(dict(board.raw), None if reference is None else _jpeg(reference.image))


def _jpeg(image: Image) -> bytes:
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not ok:
        raise BoardwardenError("the reference picture cannot be written: take it again")
    return bytes(np.asarray(data).tobytes())


def read_packed(path: Path) -> Profile:
    """Reads a packed profile; raises BoardwardenError with one sentence."""
    return unpack(read_bytes(path, "the board", MAX_PACKED), shown(path))


def unpack(data: bytes, name: str) -> Profile:
    """A profile from the bytes of a packed one, checked whole; raises BoardwardenError."""
    if data.count(ZIP_ENTRY) > MOST_ENTRIES:  # their names alone would take long to read
        raise BoardwardenError(f"{name} holds far more than a board: don't use it")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = _members(package, name)
            raw = parse_json(_read(package, members[BOARD], MAX_JSON_BYTES, name).decode("utf-8"))
            picture = (
                _read(package, members[PICTURE], MAX_PICTURE, name) if PICTURE in members else None
            )
    except DAMAGED as error:
        raise BoardwardenError(
            f"{name} is no board that was exported by Boardwarden, or it is damaged: export it again"
        ) from error
    except ValueError as error:
        raise BoardwardenError(f"{name}: its board file {json_reason(data, error)}") from error
    if not isinstance(raw, dict):
        raise BoardwardenError(f"{name}: its board file must be a JSON object")
    raw.pop("reference", None)
    check_playable(raw)
    if picture is not None:
        # what is kept is made anew from the pixels: nothing else of the file comes along
        face = Reference.flat(decode_picture(picture, name), tuple(raw["size_mm"]))
        picture = _jpeg(face.image)
    return Profile(raw, picture)


def _members(package: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    found: dict[str, zipfile.ZipInfo] = {}
    for info in package.infolist():
        if stat.S_ISLNK(info.external_attr >> 16):
            raise BoardwardenError(f"{name} holds a link, which a board never does: don't use it")
        if info.filename not in (BOARD, PICTURE) or info.filename in found:
            raise BoardwardenError(
                f"{name} holds {shown(info.filename)!r}, which does not belong into a board: don't"
                " use it"
            )
        found[info.filename] = info
    if BOARD not in found:
        raise BoardwardenError(f"{name} holds no board: export it again")
    return found


def _read(package: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int, name: str) -> bytes:
    """At most ``limit`` bytes, whatever the file says of itself."""
    with package.open(info) as member:
        data = member.read(limit + 1)
    if len(data) > limit:
        raise BoardwardenError(
            f"{name}: {info.filename} is far larger than a board needs: don't use it"
        )
    return data
