"""Pictures and films with broken bytes: an image, a gap, or one sentence; never a huge memory."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_app.selftest.damage import damaged_bytes
from engine.errors import BoardwardenError
from tests.faults.running import short, soaked, survives
from vision.sources import FilmSource, folder_source, open_source, read_picture

SIZE = (64, 48)


def picture(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    small = rng.integers(0, 255, (6, 8, 3), np.uint8)
    return cv2.resize(small, SIZE, interpolation=cv2.INTER_CUBIC)


def encoded(suffix: str) -> bytes:
    return cv2.imencode(suffix, picture())[1].tobytes()


SAMPLES = [encoded(suffix) for suffix in (".jpg", ".png", ".bmp", ".webp", ".tiff")]


@pytest.fixture(scope="module")
def films(tmp_path_factory) -> list[bytes]:
    """A small film as AVI (Motion JPEG) and as MP4."""
    out = []
    for name, code in (("a.avi", "MJPG"), ("a.mp4", "mp4v")):
        path = tmp_path_factory.mktemp("films") / name
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*code), 10, SIZE)
        for n in range(12):
            writer.write(picture(n))
        writer.release()
        out.append(path.read_bytes())
    return out


def one_picture(seed: int, folder: Path) -> bool:
    rng = random.Random(seed)
    path = folder / "picture.jpg"
    path.write_bytes(damaged_bytes(rng.choice(SAMPLES), rng))

    def read() -> None:
        image = read_picture(path)
        assert image.ndim == 3
        assert image.dtype == np.uint8

    return survives(read)


def one_film(seed: int, folder: Path, films: list[bytes]) -> bool:
    rng = random.Random(seed)
    path = folder / "film.mp4"
    path.write_bytes(damaged_bytes(rng.choice(films), rng, 12))

    def watch() -> None:
        source = open_source(str(path))
        assert isinstance(source, FilmSource)
        try:
            frames = list(iter(lambda: source.read(1.0), None))
            assert len(frames) < 1000
            times = [f.t_s for f in frames]
            assert times == sorted(times)
        finally:
            source.close()

    return survives(watch)


@short(150)
@given(st.integers(0, 2**32))
def test_damaged_pictures(tmp_path_factory, seed: int) -> None:
    one_picture(seed, tmp_path_factory.getbasetemp())


@short(40)
@given(st.integers(0, 2**32))
def test_damaged_films(tmp_path_factory, films, seed: int) -> None:
    one_film(seed, tmp_path_factory.getbasetemp(), films)


HUGE = {
    "png": b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 50_000, 50_000, 8, 2, 0, 0, 0),
    "jpg": b"\xff\xd8\xff\xc0" + struct.pack(">HBHHB", 17, 8, 50_000, 50_000, 3) + bytes(20),
    "bmp": b"BM" + bytes(16) + struct.pack("<ii", 50_000, -50_000) + bytes(40),
    "webp": b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\xff\xff\x7f\xff\xff\x7f",
    "tiff": b"II*\0\x08\0\0\0" + struct.pack("<HHHIIHHII", 2, 256, 4, 1, 50_000, 257, 4, 1, 50_000),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(HUGE))
def test_a_picture_of_50000_by_50000_is_refused_before_it_is_decoded(kind: str, tmp_path) -> None:
    path = tmp_path / f"huge.{kind}"
    path.write_bytes(HUGE[kind])
    with pytest.raises(BoardwardenError, match="too large"):
        read_picture(path)


def test_a_folder_of_damaged_pictures_gives_what_can_be_read(tmp_path) -> None:
    rng = random.Random(1)
    for n in range(12):
        data = SAMPLES[n % 4] if n % 3 == 0 else damaged_bytes(SAMPLES[n % 4], rng, 12)
        (tmp_path / f"{n}.jpg").write_bytes(data)
    (tmp_path / "link.jpg").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop.jpg").symlink_to(tmp_path / "loop.jpg")
    (tmp_path / "folder.jpg").mkdir()
    source = folder_source(tmp_path, 5.0)
    source.open()
    frames = list(iter(lambda: source.read(1.0), None))
    assert 4 <= len(frames) <= 12
    assert "link.jpg" in source.state.sentence


@soaked
def test_pictures_for_long(tmp_path, soak) -> None:
    soak("pictures", lambda seed: one_picture(seed, tmp_path))


@soaked
def test_films_for_long(tmp_path, films, soak) -> None:
    soak("films", lambda seed: one_film(seed, tmp_path, films))
