"""A network camera that drops, hangs, or sends rubbish: told in words, and seen again by itself."""

from __future__ import annotations

import http.server
import logging
import socket
import threading
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion_app.opening import open_session
from companion_app.snapshot import Light
from companion_app.store import Store
from tests.faults.camera import FPS, QUICK, VIEWS, pipeline_from
from tests.faults.evening import HEADER, Evening, until
from vision.sources import open_source

JPEGS = [cv2.imencode(".jpg", v, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes() for v in VIEWS]


class NetworkCamera:
    """Serves a film at /video and a picture at /shot.jpg; ``fault``: how it fails now."""

    def __init__(self) -> None:
        self.fault = ""
        self.go_on = threading.Event()
        self._server = self._listen(0)
        self.port = self._server.server_port

    def _listen(self, port: int) -> http.server.ThreadingHTTPServer:
        server = _Server(("127.0.0.1", port), _Handler)
        server.camera = self
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return server

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def break_down(self, how: str) -> None:
        """ "off": nobody listens any more; "hangs": connections stay and carry nothing; "rubbish",
        "torn", "refuses": what comes is no picture, half of one, or the answer 503."""
        self.go_on.clear()
        self.fault = how
        if how == "off":
            self._stop()

    def heal(self) -> None:
        if self.fault == "off":
            self._server = self._listen(self.port)
        self.fault = ""
        self.go_on.set()

    def _stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def close(self) -> None:
        self.fault = "off"
        self.go_on.set()
        self._stop()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    camera: NetworkCamera

    def handle_error(self, request: object, client_address: object) -> None:
        """Callers that go away."""


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        camera = self.server.camera
        if camera.fault == "refuses":
            self.send_error(503)
        elif self.path.startswith("/shot"):
            self._picture(camera)
        else:
            self._film(camera)

    def _picture(self, camera: NetworkCamera) -> None:
        if camera.fault == "hangs":
            camera.go_on.wait(30)
            return
        data = self._data(0)
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _film(self, camera: NetworkCamera) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        count = 0
        while camera.fault not in ("off", "refuses"):
            if camera.fault == "hangs":
                camera.go_on.wait(30)
            count += 1
            data = self._data(count)
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data + b"\r\n")
            threading.Event().wait(1 / FPS)
        self.connection.shutdown(socket.SHUT_RDWR)

    def _data(self, count: int) -> bytes:
        data = JPEGS[(count or np.random.randint(99)) % len(JPEGS)]
        if self.server.camera.fault == "torn":
            return data[: len(data) // 3]
        return b"\0rubbish" * 400 if self.server.camera.fault == "rubbish" else data

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module", params=["/video", "/shot.jpg"])
def evening(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[Evening]:
    camera = NetworkCamera()
    address = camera.address(request.param)
    opener = pipeline_from(lambda: open_source(address, times=QUICK))
    store = Store(tmp_path_factory.mktemp("network"))
    session = open_session(store, HEADER, source=address, opener=opener)
    evening = Evening(session, camera)
    session.start()
    until(evening.sees, "it never saw")
    yield evening
    camera.close()
    session.close()


@pytest.mark.parametrize("how", ["off", "hangs", "rubbish", "refuses"])
def test_a_network_camera_that_fails_is_told_and_seen_again(
    how: str, evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    until(evening.sees, "it does not see before")
    with caplog.at_level(logging.ERROR):
        evening.device.break_down(how)
        until(lambda: evening.shown.camera.light is Light.TROUBLE, f"{how}: it is not told")
        told = evening.told()
        assert "127.0.0.1" in told or "picture" in told, told
        evening.tap()
        evening.device.heal()
        until(evening.sees, f"{how}: seeing does not resume; it says {evening.told()!r}")
        evening.tap()
    assert [r for r in caplog.records if r.exc_info] == []


def test_torn_pictures_do_not_stop_the_game(evening: Evening) -> None:
    evening.device.break_down("torn")
    evening.tap()
    evening.device.heal()
    until(evening.sees, "seeing does not resume")
    until(lambda: evening.threads("eyes") == 1, "eyes are left over")
    assert evening.threads("frames") <= 4
