"""Reading single pictures: any shape and orientation in, upright BGR out."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import cv2
import numpy as np

from engine.errors import BoardwardenError
from engine.files import read_bytes, read_reason, shown
from vision.sources.quiet import silenced
from vision.types import Image

MAX_PIXELS = 50_000_000
MAX_PICTURE_BYTES = 200_000_000
SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
_NO_SIZE_MARKERS = frozenset((0xC4, 0xC8, 0xCC))  # JPEG: tables, not a frame header


def check_picture(path: Path) -> None:
    """Whether there is such a file, without reading it; raises BoardwardenError."""
    if os.path.isdir(path):
        raise BoardwardenError(f"{shown(path)} is a folder, not a picture: name one picture in it")
    try:
        os.stat(path)
    except OSError as error:
        raise BoardwardenError(
            f"cannot open the picture {shown(path)}: {read_reason(error)}"
        ) from error
    except ValueError as error:  # a NUL in the name
        raise BoardwardenError(
            f"cannot open the picture {shown(path)}: that is no file name, check it"
        ) from error


def read_picture(path: Path) -> Image:
    """Reads a picture as upright BGR, (H, W, 3) uint8; EXIF rotation respected.

    Raises BoardwardenError when it is missing, no picture, or over 50 megapixels (seen from the
    header, before decoding).
    """
    check_picture(path)
    return decode_picture(read_bytes(path, "the picture", MAX_PICTURE_BYTES), shown(path))


def decode_picture(data: bytes, name: str) -> Image:
    """Decodes the bytes of a picture file; ``name`` is for the error's sentence."""
    size = picture_size(data)
    image = None
    # a format whose size is not known beforehand could fill the memory
    if size is not None:
        _refuse_huge(size, name)
        try:
            with silenced():
                image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
    if image is None or image.size == 0:
        raise BoardwardenError(
            f"{name} is not a picture that can be read: save it as JPEG or PNG and try again"
        )
    _refuse_huge((image.shape[1], image.shape[0]), name)
    return np.asarray(image, np.uint8)


def as_bgr(image: Image) -> Image:
    """Grey (H, W) or (H, W, 1), BGRA (H, W, 4) or BGR uint8 to BGR (H, W, 3) uint8.

    Raises BoardwardenError for anything else.
    """
    image = np.asarray(image)
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or image.size == 0:
        raise BoardwardenError("a picture must be an array of 8-bit grey, BGR or BGRA pixels")
    channels = 1 if image.ndim == 2 else image.shape[2]
    if channels == 3:
        return image
    if channels == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if channels == 4:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), np.uint8)
    raise BoardwardenError(f"a picture with {channels} channels can't be used: give grey or BGR")


def picture_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) from the header of a PNG, JPEG, BMP, WebP or TIFF file; None if unknown."""
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            width, height = struct.unpack(">II", data[16:24])
            known = width * height > MAX_PIXELS or _png_is_sound(data)
            return (width, height) if known else None
        if data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
            return abs(width), abs(height)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_size(data)
        if data[:2] == b"\xff\xd8":
            return _jpeg_size(data)
        if data[:4] in (b"II*\0", b"MM\0*"):
            return _tiff_size(data)
    except (struct.error, IndexError):
        return None
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE_MARKERS:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        if marker == 0xFF or marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return width, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _png_is_sound(data: bytes) -> bool:
    """Whether every chunk ends within the file: OpenCV takes memory for what a chunk claims."""
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        at += 12 + length
        if data[at - length - 8 : at - length - 4] == b"IEND":
            break
    return at <= len(data)


def _tiff_size(data: bytes) -> tuple[int, int] | None:
    """Of the first page: the entries ImageWidth (256) and ImageLength (257) of its directory."""
    order = "<" if data[:2] == b"II" else ">"
    (start,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, start)
    found: dict[int, int] = {}
    for n in range(count):
        tag, kind, _ = struct.unpack_from(order + "HHI", data, start + 2 + 12 * n)
        if tag in (256, 257):
            form = "H" if kind == 3 else "I"
            (found[tag],) = struct.unpack_from(order + form, data, start + 10 + 12 * n)
    return (found[256], found[257]) if len(found) == 2 else None


def _refuse_huge(size: tuple[int, int], name: str) -> None:
    if size[0] * size[1] > MAX_PIXELS:
        raise BoardwardenError(
            f"{name} is too large ({size[0]}x{size[1]} pixels, over"
            f" {MAX_PIXELS // 1_000_000} megapixels): make it smaller and try again"
        )
