"""A real browser, driven over its own pipe: Chromium without a window and without a helper library."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OFFLINE = (
    "--headless=new", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-default-apps", "--disable-extensions", "--disable-gpu", "--disable-sync", "--no-pings",
    "--disable-dev-shm-usage", "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE_S = 120.0  # only ever used up by a failing test, or on a very busy machine


def installed() -> str | None:
    """The browser's command, None where none is installed."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page.  ``said``: what the console, the page's errors and its security policy told."""

    def __init__(self, command: str, width: int, height: int) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        to_it, self._out = os.pipe()
        self._in, from_it = os.pipe()
        words = [command, *OFFLINE, f"--user-data-dir={self._home.name}", "about:blank"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            words.insert(1, "--no-sandbox")  # its sandbox does not work for the administrator
        self._process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: _as_3_and_4(to_it, from_it), close_fds=False,
            env={**os.environ, "HOME": self._home.name},
        )  # fmt: skip
        os.close(to_it)
        os.close(from_it)
        self._number, self._rest = 0, b""
        self.said: list[str] = []
        self.answers: dict[str, int] = {}  # status by address
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session: str | None = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """The window's size in CSS pixels; narrow ones count as phones."""
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 600,
        )  # fmt: skip

    def open(self, url: str) -> None:
        """Goes to an address."""
        self._call("Page.navigate", url=url)

    def value(self, script: str) -> Any:
        """What an expression gives in the page."""
        found = self._call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def until(self, script: str, wanted: Callable[[Any], bool] = bool) -> Any:
        """Waits until an expression gives what is wanted."""
        end = time.monotonic() + PATIENCE_S
        while not wanted(found := self.value(script)):
            assert time.monotonic() < end, f"{script} stays {found!r}"
            time.sleep(0.1)
        return found

    def picture(self) -> bytes:
        """What is shown, as PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])

    def _call(self, method: str, **params: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if getattr(self, "_session", None):
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self._number:
                assert "error" not in found, found
                return found["result"]
            self._hear(found.get("method", ""), found.get("params", {}))

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method == "Runtime.consoleAPICalled":
            self.said.append(f"console.{params['type']}: {params['args']}")
        elif method == "Runtime.exceptionThrown":
            self.said.append(f"exception: {params['exceptionDetails']}")
        elif method == "Log.entryAdded":
            entry = params["entry"]
            self.said.append(f"{entry['source']} {entry['level']}: {entry['text']}")
        elif method == "Network.responseReceived":
            self.answers[params["response"]["url"]] = params["response"]["status"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], PATIENCE_S)
            data = os.read(self._in, 1 << 20) if ready else b""
            assert data, "the browser has gone or does not answer"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._session = None
        with contextlib.suppress(AssertionError, OSError):
            self._call("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._home.cleanup()


def _as_3_and_4(to_it: int, from_it: int) -> None:
    """The browser reads from 3 and writes to 4."""
    reading, writing = os.dup(to_it), os.dup(from_it)  # neither may be closed by the other's dup2
    while reading in (3, 4):
        reading = os.dup(reading)
    while writing in (3, 4):
        writing = os.dup(writing)
    os.dup2(reading, 3)
    os.dup2(writing, 4)


def keep(picture: bytes, name: str) -> None:
    """Writes a picture into the folder that BOARDWARDEN_PICTURES names, to be looked at."""
    folder = os.environ.get("BOARDWARDEN_PICTURES")
    if folder:
        (Path(folder) / name).write_bytes(picture)
