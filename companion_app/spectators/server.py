"""The page's web server: standard library only, read-only, one address, one secret path.

Every answer needs the random token in its path and the server's own address as ``Host`` (so that
no web site can reach it by another name).  Whoever asks too often is told to wait, and nobody
holds more than a few connections at a time.
"""

from __future__ import annotations

import contextlib
import hmac
import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any

TOKEN_BYTES = 12
TIMEOUT_S = 10.0
MOST_AT_ONCE, MOST_PER_CALLER = 256, 12  # connections; a browser opens up to 6
RATE_PER_S, BURST = 40.0, 120.0
KNOWN_CALLERS = 1024
HTML = "text/html; charset=utf-8"
ELSEWHERE = "elsewhere.html"  # for whoever comes without the secret
STATIC = {
    "": ("index.html", HTML),
    "page.js": ("page.js", "text/javascript; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "X-Frame-Options": "DENY",
}


def addresses() -> tuple[str, ...]:
    """The addresses of this device that a page can be offered at, the likeliest first."""
    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; tells which address would be used
            found[probe.getsockname()[0]] = None
        except OSError:
            pass
    try:
        for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found[str(entry[4][0])] = None
    except OSError:
        pass
    real = [a for a in found if not a.startswith(("127.", "0."))]
    return (*real, "127.0.0.1")


class Budget:
    """A token bucket per caller."""

    def __init__(self, rate_per_s: float = RATE_PER_S, burst: float = BURST) -> None:
        self._rate, self._burst = rate_per_s, burst
        self._lock = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, caller: str) -> bool:
        """Whether this caller may ask once more."""
        now = time.monotonic()
        with self._lock:
            if len(self._left) > KNOWN_CALLERS:
                self._left = {k: v for k, v in self._left.items() if now - v[1] < 10.0}
            left, at = self._left.get(caller, (self._burst, now))
            left = min(self._burst, left + (now - at) * self._rate)
            self._left[caller] = (max(0.0, left - 1.0), now)
            return left >= 1.0


class Places:
    """Connections that may be open at a time: so many in all, and so many of one caller."""

    def __init__(self, most: int = MOST_AT_ONCE, per_caller: int = MOST_PER_CALLER) -> None:
        self._most, self._per_caller = most, per_caller
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    def take(self, caller: str) -> bool:
        """Takes a place; False where there is none."""
        with self._lock:
            if self._taken.total() >= self._most or self._taken[caller] >= self._per_caller:
                return False
            self._taken[caller] += 1
            return True

    def give_back(self, caller: str) -> None:
        """The connection has ended."""
        with self._lock:
            self._taken[caller] -= 1
            if not self._taken[caller]:
                del self._taken[caller]


class SpectatorServer:
    """Serves one page at ``address``; ``picture`` gives drawings by name, ``show`` the state.

    Raises OSError where the address cannot be used.
    """

    def __init__(
        self,
        address: str,
        picture: Callable[[str], bytes | None],
        *,
        port: int = 0,
        budget: Budget | None = None,
    ) -> None:
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self.picture = picture
        self.budget = budget or Budget()
        self.state, self.tag = b"{}", '"0"'
        self.places = Places()
        self._http = _Http((address, port), _Handler)
        self._http.owner = self
        self.host = f"{address}:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, name="spectators")
        self._thread.daemon = True
        self._thread.start()

    @property
    def url(self) -> str:
        """The address of the page, with its secret."""
        return f"http://{self.host}/{self.token}/"

    def show(self, state: bytes) -> None:
        """The state that is served from now on."""
        self.state, self.tag = state, f'"{hash(state) & 0xFFFFFFFFFFFF:x}"'

    def close(self) -> None:
        """Stops serving."""
        self._http.shutdown()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    owner: SpectatorServer

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(address, handler)

    def server_close(self) -> None:
        """Also ends what is still open: a browser keeps its connection and would go on asking."""
        super().server_close()
        for connection in tuple(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Whoever finds no place is turned away at once."""
        if not self.owner.places.take(client_address[0]):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """One caller, on a thread of its own."""
        self._open.add(request)
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._open.discard(request)
            self.owner.places.give_back(client_address[0])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Callers that go away in the middle are nothing to speak of."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    server_version, sys_version = "Boardwarden", ""
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT_S

    def do_GET(self) -> None:
        """The page, its script and style, the state, the drawings."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """The same without the body."""
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        owner = self.server.owner
        if not owner.budget.allows(self.client_address[0]):
            self._send(429, b"", "text/plain", body=body, extra={"Retry-After": "2"})
            return
        name = self._name()
        if name is None:
            self._send(404, _static(ELSEWHERE), HTML, body=body)
        elif name == "state.json":
            self._state(body=body)
        elif name in STATIC:
            file, kind = STATIC[name]
            self._send(200, _static(file), kind, body=body)
        else:
            picture = owner.picture(name)
            if picture is None:
                self._send(404, b"", "text/plain", body=body)
            else:
                fresh = {"Cache-Control": "private, max-age=3600"}
                self._send(200, picture, "image/png", body=body, extra=fresh)

    def _name(self) -> str | None:
        """What is asked for below the secret path; None for everything else."""
        owner = self.server.owner
        path = self.path.partition("?")[0]
        first, slash, name = path.removeprefix("/").partition("/")
        known = hmac.compare_digest(first.encode(), owner.token.encode())
        return name if known and slash and self.headers.get("Host") == owner.host else None

    def _state(self, *, body: bool) -> None:
        owner = self.server.owner
        state, tag = owner.state, owner.tag
        if self.headers.get("If-None-Match") == tag:
            self._send(304, b"", None, body=False, extra={"ETag": tag})
        else:
            self._send(200, state, "application/json", body=body, extra={"ETag": tag})

    def _send(
        self,
        status: int,
        content: bytes,
        kind: str | None,
        *,
        body: bool,
        extra: dict[str, str] | None = None,
    ) -> None:
        self.send_response(status)
        for name, value in {"Cache-Control": "no-store", **HEADERS, **(extra or {})}.items():
            self.send_header(name, value)
        if kind is not None:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body and content:
            self.wfile.write(content)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What is no request that this page knows: the same headers, no words, the end."""
        self.close_connection = True
        if not self.server.owner.budget.allows(self.client_address[0]):
            code = 429
        self._send(int(code), b"", "text/plain", body=False, extra={"Connection": "close"})

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is written about who looks on."""


def _static(file: str) -> bytes:
    return resources.files("companion_app.spectators").joinpath("page", file).read_bytes()
