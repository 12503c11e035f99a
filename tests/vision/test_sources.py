"""Frame sources: every kind behind one interface, bad input told in one sentence."""

from __future__ import annotations

import contextlib
import http.server
import struct
import threading
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.errors import BoardwardenError
from vision.sources import (
    FilmSource,
    LiveSource,
    LiveTimes,
    PicturesSource,
    ScriptedSource,
    SourceKind,
    SourceState,
    as_bgr,
    camera_names,
    folder_source,
    list_cameras,
    open_source,
    read_picture,
)
from vision.sources import choose as choose_module
from vision.sources import listing as listing_module
from vision.sources.capture import without_secrets
from vision.sources.pictures import picture_size

WAIT_S = 20.0  # only ever used up by a failing test
QUICK = LiveTimes(first_wait_s=WAIT_S, stall_s=3.0, give_up_s=10.0, back_off_s=(0.01, 0.02))


def picture(value: int = 90, size: tuple[int, int] = (64, 48)) -> np.ndarray:
    image = np.full((size[1], size[0], 3), value, np.uint8)
    image[:8, :8] = (0, 0, 255)
    return image


# --- pictures and folders --------------------------------------------------------------------


def test_a_picture_is_a_short_still_film(tmp_path):
    cv2.imwrite(str(tmp_path / "a.png"), picture())
    source = open_source(str(tmp_path / "a.png"))
    frames = list(iter(lambda: source.read(0.0), None))
    assert not source.live
    assert [f.index for f in frames] == [0, 1, 2, 3]
    assert [f.t_s for f in frames] == [0.0, 0.5, 1.0, 1.5]
    assert source.state.kind is SourceKind.ENDED


def test_grey_and_transparent_pictures_become_bgr(tmp_path):
    cv2.imwrite(str(tmp_path / "grey.png"), picture()[..., 0])
    cv2.imwrite(str(tmp_path / "alpha.png"), np.dstack([picture(), np.full((48, 64), 7, np.uint8)]))
    for name in ("grey.png", "alpha.png"):
        image = read_picture(tmp_path / name)
        assert image.shape == (48, 64, 3)
        assert image.dtype == np.uint8
    assert as_bgr(np.zeros((4, 5), np.uint8)).shape == (4, 5, 3)
    assert as_bgr(np.zeros((4, 5, 1), np.uint8)).shape == (4, 5, 3)
    assert as_bgr(np.zeros((4, 5, 4), np.uint8)).shape == (4, 5, 3)
    with pytest.raises(BoardwardenError, match="8-bit"):
        as_bgr(np.zeros((4, 5, 3), np.float32))


def with_orientation(jpeg: bytes, value: int) -> bytes:
    """A JPEG with an EXIF block that says how it is to be turned."""
    tiff = b"MM\x00*" + struct.pack(">IH", 8, 1) + struct.pack(">HHIHH", 0x112, 3, 1, value, 0)
    exif = b"Exif\x00\x00" + tiff + b"\x00\x00\x00\x00"
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def test_exif_rotation_is_respected(tmp_path):
    _, jpeg = cv2.imencode(".jpg", picture())
    (tmp_path / "turned.jpg").write_bytes(with_orientation(jpeg.tobytes(), 6))
    image = read_picture(tmp_path / "turned.jpg")
    assert image.shape[:2] == (64, 48)
    # the red corner comes to the top right
    assert image[2, -3, 2] > 200
    assert image[2, 2, 2] < 150


def test_damaged_pictures_write_nothing_to_the_terminal(tmp_path, capfd):
    for suffix in (".jpg", ".png", ".bmp", ".webp", ".tiff"):
        data = bytearray(cv2.imencode(suffix, picture())[1].tobytes())
        for at in range(20, len(data), 7):
            data[at] ^= 0x5A
        (tmp_path / "x").write_bytes(data)
        with contextlib.suppress(BoardwardenError):
            read_picture(tmp_path / "x")
    assert capfd.readouterr() == ("", "")


def test_a_png_that_claims_a_huge_part_is_not_decoded(tmp_path, monkeypatch):
    data = bytearray(cv2.imencode(".png", picture())[1].tobytes())
    data[33:37] = b"\x7f\xff\xff\x00"  # OpenCV would take 2 GB for it
    (tmp_path / "x.png").write_bytes(data)
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(BoardwardenError, match="not a picture"):
        read_picture(tmp_path / "x.png")


def huge_png(width: int, height: int) -> bytes:
    """The header of a PNG that would be huge, and hardly anything behind it."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def test_huge_pictures_are_refused_by_their_header(tmp_path):
    (tmp_path / "huge.png").write_bytes(huge_png(60_000, 40_000))
    with pytest.raises(BoardwardenError, match=r"too large \(60000x40000"):
        read_picture(tmp_path / "huge.png")


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp", ".webp", ".tiff"])
def test_sizes_are_read_from_headers(suffix):
    _, data = cv2.imencode(suffix, picture(size=(301, 203)))
    assert picture_size(data.tobytes()) == (301, 203)
    assert picture_size(data.tobytes()[:12]) is None


def test_formats_whose_size_is_not_known_beforehand_are_refused(tmp_path):
    for name, data in (("a.jpg", b"P6 60000 60000 255\n"), ("b.png", b"\x76\x2f\x31\x01" * 50)):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BoardwardenError, match="not a picture"):
            read_picture(tmp_path / name)


def test_pictures_that_are_no_files(tmp_path):
    for name in ("a\0b.jpg", "x" * 4000 + ".jpg", "\x1b[2J.jpg"):
        with pytest.raises(BoardwardenError, match="cannot open the picture") as caught:
            read_picture(tmp_path / name)
        assert str(caught.value).isprintable()


def test_a_folder_is_read_in_natural_order_and_bad_pictures_are_left_out(tmp_path):
    for number in (10, 2, 1):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), picture(10 * number))
    (tmp_path / "f3.png").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("not a picture either")
    source = folder_source(tmp_path, fps=10)
    source.open()
    frames = list(iter(lambda: source.read(0.0), None))
    assert [int(f.image[-1, -1, 0]) for f in frames] == [10, 20, 100]
    assert [round(f.t_s, 6) for f in frames] == [0.0, 0.1, 0.3]
    assert "f3.png" in source.state.sentence


def test_a_folder_of_broken_pictures_raises(tmp_path):
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(b"broken")
    source = open_source(str(tmp_path))
    with pytest.raises(BoardwardenError, match="not a picture"):
        source.read(0.0)


# --- films -----------------------------------------------------------------------------------


@pytest.fixture(name="film")
def make_film(tmp_path) -> Path:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 8.0, (64, 48))
    for i in range(12):
        writer.write(picture(20 * i))
    writer.release()
    return path


def test_a_film_gives_every_frame_at_its_time(film):
    source = open_source(str(film))
    frames = list(iter(lambda: source.read(0.0), None))
    assert [f.t_s for f in frames] == [i / 8 for i in range(12)]
    assert all(abs(int(f.image[40, 40, 0]) - 20 * f.index) < 6 for f in frames)
    assert source.state.kind is SourceKind.ENDED
    assert source.read(0.0) is None
    source.close()
    source.open()
    again = source.read(0.0)
    assert again is not None
    assert again.index == 0


def test_a_film_cut_short_says_how_far_it_was_read(film, tmp_path):
    data = film.read_bytes()
    (tmp_path / "cut.avi").write_bytes(data[: len(data) * 2 // 3])
    source = FilmSource(tmp_path / "cut.avi")
    source.open()
    frames = list(iter(lambda: source.read(0.0), None))
    assert 0 < len(frames) < 12
    assert source.state.kind is SourceKind.ENDED
    assert f"{len(frames) / 8:.1f} of 1.5 seconds" in source.state.sentence
    source.close()
    (tmp_path / "cut.avi").write_bytes(data)
    source.open()
    assert len(list(iter(lambda: source.read(0.0), None))) == 12
    assert source.state.sentence == ""


def test_a_film_whose_frames_differ_in_length_is_whole(film):
    source = FilmSource(film)
    source.open()
    source._count = 40  # as guessed from the time it takes
    source._capture = Varying(source._capture)
    assert len(list(iter(lambda: source.read(0.0), None))) == 12
    assert source.state.kind is SourceKind.ENDED
    assert source.state.sentence == ""


class Varying:
    """A film whose last frame stands at 4.9 s."""

    def __init__(self, film) -> None:
        self.read, self.release = film.read, film.release

    def get(self, what: int) -> float:
        return 4900.0 if what == cv2.CAP_PROP_POS_MSEC else 0.0


# --- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: "", "no source is named"),
        (lambda folder: str(folder / "missing.mp4"), "there is no"),
        (lambda folder: "\0", "there is no"),
        (lambda folder: str(folder), "no picture in the folder"),
        (lambda folder: "98", "no camera 98"),
        (lambda folder: "1234", "no camera 1234"),
        (lambda folder: "ftp://host/film.mp4", "use http"),
        (lambda folder: "http://[::1", "no address"),
        (lambda folder: "rtsp://me:secret@host:99999/", "no address"),
        (lambda folder: "http://", "no address"),
        (lambda folder: "~nobody-has-this-name/film.mp4", "there is no"),
        (lambda folder: "http://127.0.0.1:9/video", "cannot be reached"),
        (lambda folder: "http://me:secret@127.0.0.1:9/shot.jpg", "cannot be reached"),
        (lambda folder: "rtsp://127.0.0.1:9/stream", "cannot be reached"),
    ],
)
def test_bad_input_is_told_in_one_sentence(make, words, tmp_path, capfd):
    with pytest.raises(BoardwardenError, match=words) as caught:
        open_source(make(tmp_path))
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["text.mp4", "text.jpg", "empty.png"])
def test_files_that_are_something_else(name, tmp_path, capfd):
    (tmp_path / name).write_bytes(b"" if "empty" in name else b"just words" * 50)
    with pytest.raises(BoardwardenError, match=r"not a (film|picture)"):
        open_source(str(tmp_path / name))
    assert capfd.readouterr() == ("", "")


def test_addresses_are_shown_without_secrets():
    assert without_secrets("rtsp://me:pw@cam:554/a?token=1") == "rtsp://cam:554/a"


# --- live sources ----------------------------------------------------------------------------


class FakeClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class FakeCamera:
    """Gives a frame per permit; then waits, fails, or repeats, as told."""

    def __init__(self) -> None:
        self.permits = threading.Semaphore(0)
        self.fail = threading.Event()
        self.served = 0
        self.released = threading.Event()
        self.images = iter(range(1, 10_000))
        self.same = False

    def read(self):
        self.permits.acquire()
        if self.fail.is_set():
            return False, None
        self.served += 1
        return True, picture(50 if self.same else next(self.images) % 256)

    def release(self):
        self.released.set()

    def give(self, count: int = 1) -> None:
        self.permits.release(count)

    def unplug(self) -> None:
        self.fail.set()
        self.give()


def until(condition) -> None:
    """Waits for another thread; fails if it does not come."""
    waiting = threading.Event()
    for _ in range(int(WAIT_S / 0.005)):
        if condition():
            return
        waiting.wait(0.005)
    raise AssertionError("the other thread did not get there")


def start(cameras, clock=None, times=QUICK):
    """A live source that opens one camera after the other (an exception is raised)."""
    todo = iter(cameras)

    def opener():
        camera = next(todo)
        if isinstance(camera, Exception):
            raise camera
        return camera

    return LiveSource(opener, "the camera", times, clock or FakeClock())


def test_a_slow_reader_gets_the_newest_frame():
    camera = FakeCamera()
    camera.give()
    source = start([camera])
    source.open()
    first = source.read(WAIT_S)
    camera.give(30)
    until(lambda: camera.served == 31)
    until(lambda: source._count == 31)
    newest = source.read(WAIT_S)
    assert (first.index, newest.index) == (0, 30)
    assert source.read(0.0) is None
    source.close()
    assert source.state.kind is SourceKind.CLOSED


def test_a_blocked_read_blocks_nobody_and_the_device_is_opened_anew():
    stuck, fresh, clock = FakeCamera(), FakeCamera(), FakeClock()
    stuck.give()
    source = start([stuck, fresh], clock)
    source.open()
    assert source.read(WAIT_S) is not None
    assert source.read(0.0) is None
    clock.now += 4
    assert source.state.kind is SourceKind.STALLED
    assert "sends no picture" in source.state.sentence
    clock.now += 7
    assert source.state.kind is SourceKind.LOST
    fresh.give()
    assert source.read(WAIT_S) is not None
    assert source.state.kind is SourceKind.OK
    # the thread left behind comes back: its frame is not used, its device is let go
    stuck.give()
    until(stuck.released.is_set)
    assert source._count == 2
    source.close()
    fresh.give()


def test_the_same_picture_for_seconds_is_a_stalled_camera():
    camera, clock = FakeCamera(), FakeClock()
    camera.same = True
    source = start([camera], clock)
    camera.give()
    source.open()
    for count in range(2, 6):
        clock.now += 1
        camera.give()
        until(lambda count=count: source._count == count)
    assert source.state.kind is SourceKind.STALLED
    assert "same picture" in source.state.sentence
    camera.same = False
    camera.give()
    until(lambda: source._count == 6)
    assert source.state.kind is SourceKind.OK
    source.close()
    camera.give()


def test_a_lost_camera_comes_back_by_itself():
    first, second = FakeCamera(), FakeCamera()
    gone = BoardwardenError("there is no camera 0: plug it in")
    source = start([first, gone, gone, second])
    first.give()
    source.open()
    assert source.read(WAIT_S) is not None
    first.unplug()
    until(first.released.is_set)
    second.give()
    frame = source.read(WAIT_S)
    assert frame is not None
    assert frame.index == 1
    source.close()
    second.give()


def test_a_lost_camera_says_so():
    camera = FakeCamera()
    source = start([camera] + [BoardwardenError("there is no camera 0: plug it in")] * 9999)
    camera.give()
    source.open()
    camera.unplug()
    until(lambda: "plug it in" in source.state.sentence)
    assert source.state.kind is SourceKind.LOST
    source.close()


def test_a_camera_that_is_not_there_raises_at_once():
    source = start([BoardwardenError("there is no camera 3: plug it in")] * 9)
    with pytest.raises(BoardwardenError, match="no camera 3"):
        source.open()
    assert source.state.kind is SourceKind.CLOSED


def test_a_slow_camera_is_opening_and_can_be_cancelled():
    never = threading.Event()
    source = LiveSource(
        lambda: never.wait() and None, "the camera",
        LiveTimes(first_wait_s=0.0), FakeClock(),
    )  # fmt: skip
    source.open()
    assert source.state.kind is SourceKind.OPENING
    assert source.read(0.0) is None
    source.close()
    assert source.state.kind is SourceKind.CLOSED
    never.set()


def test_drivers_may_raise_and_give_grey_pictures():
    class Odd:
        calls = 0

        def read(self):
            self.calls += 1
            if self.calls == 1:
                return True, np.zeros((48, 64), np.uint8)
            raise RuntimeError("driver")

        def release(self):
            pass

    source = start([Odd()] + [BoardwardenError("gone")] * 9999)
    source.open()
    frame = source.read(WAIT_S)
    assert frame.image.shape == (48, 64, 3)
    until(lambda: source.state.kind is SourceKind.LOST)
    source.close()


class Still:
    """Gives its pictures one after the other, the last one for ever; None: no picture."""

    def __init__(self, *images):
        self.images = list(images)

    def read(self):
        image = self.images.pop(0) if len(self.images) > 1 else self.images[0]
        return image is not None, image

    def release(self):
        pass


@pytest.fixture
def plugged(monkeypatch, tmp_path):
    """Plugs in cameras by number, and names as Linux has them."""
    cameras = {}

    def opener(index):
        if index not in cameras:
            raise BoardwardenError(f"there is no camera {index}")
        return cameras[index]

    monkeypatch.setattr(listing_module, "open_camera", opener)
    monkeypatch.setattr(
        listing_module, "camera_names", lambda: camera_names(tmp_path / "video4linux")
    )

    def plug(index, camera, name=None, node=0):
        if camera is not None:
            cameras[index] = camera
        if name is not None:
            folder = tmp_path / "video4linux" / f"video{index}"
            folder.mkdir(parents=True)
            (folder / "name").write_text(name + "\n")
            (folder / "index").write_text(f"{node}\n")

    return plug


def coloured():
    image = picture()
    image[:9, :9] = (20, 40, 200)
    return image


def test_cameras_with_gaps_in_the_indices_are_listed(plugged):
    plugged(0, Still(coloured()))
    plugged(2, Still(coloured()))
    plugged(4, Still(None))
    found = list_cameras()
    assert [(c.index, c.size, c.grey, c.name) for c in found] == [
        (0, (64, 48), False, ""), (2, (64, 48), False, ""),
    ]  # fmt: skip


def test_grey_and_infrared_cameras_are_skipped(plugged):
    plugged(0, Still(picture()[..., 0]))
    plugged(1, Still(picture(1) // 30, picture(2) // 30, coloured()))  # its first pictures are dark
    assert [c.index for c in list_cameras()] == [1]
    assert [(c.index, c.grey) for c in list_cameras(with_grey=True)] == [(0, True), (1, False)]


def test_cameras_are_listed_by_name_where_the_system_gives_one(plugged, tmp_path):
    assert camera_names(tmp_path / "no such folder") == {}
    plugged(0, Still(coloured()), "HD Webcam: HD Webcam")
    plugged(1, None, "HD Webcam: HD Webcam", node=1)  # the same camera's metadata
    plugged(2, Still(coloured()), "Integrated IR Camera")
    plugged(7, Still(coloured()), "Birdie \x1b[2J")
    names = camera_names(tmp_path / "video4linux")
    assert list(names) == [0, 7]
    assert names[0] == "HD Webcam: HD Webcam"
    assert names[7].isprintable()
    assert [(c.index, c.name) for c in list_cameras()] == [
        (0, names[0]), (2, ""), (7, names[7]),
    ]  # fmt: skip


@pytest.mark.parametrize("same", [False, True], ids=["no picture", "always the last picture"])
def test_an_unplugged_camera_is_noticed_within_two_seconds(same, capsys):
    camera, clock = FakeCamera(), FakeClock()
    source = start([camera], clock, LiveTimes())
    camera.give()
    source.open()
    for count in range(2, 40):
        clock.now += 0.1
        camera.give()
        until(lambda count=count: source._count == count)
        assert source.state.kind is SourceKind.OK
    camera.same = True
    stop_s = clock.now
    for count in range(40, 60):
        if source.state.kind is SourceKind.STALLED:
            break
        clock.now += 0.1
        if same:
            camera.give()
            until(lambda count=count: source._count == count)
    assert source.state.kind is SourceKind.STALLED
    assert clock.now - stop_s <= 2.0
    with capsys.disabled():
        what = "the last picture for ever" if same else "no picture"
        print(f"\ncamera sends {what}: noticed after {clock.now - stop_s:.1f} s")
    assert ("same picture" if same else "no picture") in source.state.sentence
    source.close()
    camera.give()


def test_a_camera_that_sends_a_picture_every_two_seconds_is_no_fault():
    camera, clock = FakeCamera(), FakeClock()
    source = start([camera], clock, LiveTimes())
    camera.give()
    source.open()
    for count in range(2, 12):
        for _ in range(4):
            clock.now += 0.5
            assert source.state.kind is SourceKind.OK
        camera.give()
        until(lambda count=count: source._count == count)
    source.close()
    camera.give()


def test_a_coder_that_repeats_pictures_of_a_still_table_is_no_fault():
    camera, clock = FakeCamera(), FakeClock()
    source = start([camera], clock, LiveTimes())
    camera.give()
    source.open()
    for count in range(2, 90):
        clock.now += 0.1
        camera.same = count % 12 != 0  # something new every 1.2 s
        camera.give()
        until(lambda count=count: source._count == count)
        assert source.state.kind is SourceKind.OK
    source.close()
    camera.give()


def test_a_phone_is_a_camera_by_its_typed_address(monkeypatch):
    asked = []

    def opener(address):
        asked.append(address)
        return Still(coloured())

    monkeypatch.setattr(choose_module, "open_address", opener)
    for address in ("rtsp://me:pw@192.168.1.7:8554/live", " http://192.168.1.7:8080/video "):
        source = choose_module.open_source(address)
        assert source.live
        assert "pw" not in source.name
        assert source.read(WAIT_S).image.shape == (48, 64, 3)
        source.close()
    assert asked == ["rtsp://me:pw@192.168.1.7:8554/live", "http://192.168.1.7:8080/video"]


# --- over the network ------------------------------------------------------------------------


class Server:
    """MJPEG at /video, a single picture at /shot.jpg, on a port of its own."""

    def __init__(self) -> None:
        _, jpeg = cv2.imencode(".jpg", picture())
        data = jpeg.tobytes()
        stop = self.stop = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/shot"):
                    self.send_response(200)
                    self.send_header("Content-Type", "image/jpeg")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                elif self.path.startswith("/video"):
                    self.send_response(200)
                    kind = "multipart/x-mixed-replace; boundary=frame"
                    self.send_header("Content-Type", kind)
                    self.end_headers()
                    try:
                        while not stop.wait(0.02):
                            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                            self.wfile.write(head.encode() + data + b"\r\n")
                    except OSError:
                        return
                else:
                    self.send_error(404)

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.stop.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(name="server")
def make_server():
    server = Server()
    yield server
    server.close()


@pytest.mark.parametrize("path", ["/video", "/shot.jpg"])
def test_frames_come_over_http(server, path):
    source = open_source(server.address + path, times=LiveTimes(first_wait_s=WAIT_S))
    frames = [source.read(WAIT_S) for _ in range(3)]
    assert source.live
    assert all(f is not None and f.image.shape == (48, 64, 3) for f in frames)
    assert [f.index for f in frames] == sorted({f.index for f in frames})
    source.close()


def test_an_address_without_film_says_what_it_answers(server):
    with pytest.raises(BoardwardenError, match="404"):
        open_source(server.address + "/nothing", times=LiveTimes(first_wait_s=WAIT_S))


# --- scripts ---------------------------------------------------------------------------------


def test_a_script_gives_frames_gaps_and_states():
    lost = SourceState(SourceKind.LOST, "unplugged")
    source = ScriptedSource([picture(1), None, lost, picture(2)[..., 0]], fps=4.0, live=True)
    assert source.read(0.0) is None
    source.open()
    first = source.read(0.0)
    assert (first.t_s, first.index) == (0.0, 0)
    assert source.read(0.0) is None
    assert source.state.kind is SourceKind.OK
    assert source.read(0.0) is None
    assert source.state == lost
    last = source.read(0.0)
    assert (last.t_s, last.index, last.image.shape) == (0.75, 1, (48, 64, 3))
    assert source.read(0.0) is None
    assert source.state.kind is SourceKind.ENDED


def test_pictures_can_be_shown_as_the_frames_of_a_film(tmp_path):
    cv2.imwrite(str(tmp_path / "a.png"), picture())
    source = PicturesSource([tmp_path / "a.png"], "a", 0.25, 0.25)
    source.open()
    assert source.read(0.0) is not None
    assert source.read(0.0) is None
    with pytest.raises(ValueError, match="step_s"):
        PicturesSource([], "a", 1.0, 2.0)
