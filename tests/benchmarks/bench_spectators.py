"""Whether spectators slow the table: a game with a page and no viewers, then with many.

    python -m tests.benchmarks.bench_spectators [--viewers 200] [--seconds 15]

Every viewer asks as the page's script does, every 1.5 s, from an address of its own (Linux gives
127.0.0.0/8 to the machine itself), and loads the page and its pictures once.  Printed: how long a tap takes
until its snapshot is published (the page included), the processor time of the game's own process for it,
and how the viewers fared.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import tempfile
import time
import urllib.parse
from collections import Counter
from pathlib import Path
from typing import Any

from companion_app.games import face_of
from companion_app.opening import open_session
from companion_app.session import Session
from companion_app.spectators.process import Spectators
from companion_app.store import Store
from companion_app.taps import Do
from engine.action import Action
from engine.game import Header, Player

HEADER = Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))
PERIOD_S = 1.5  # as in page.js
TAP_S = 0.1
ONCE = ("", "page.js", "page.css", "board.png")


class Viewer:
    """One browser."""

    def __init__(self, url: str, number: int) -> None:
        parts = urllib.parse.urlsplit(url)
        self.host, self.port, self.path = parts.hostname, parts.port, parts.path
        self.source = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self.answers: Counter[int] = Counter()
        self.took: list[float] = []
        self._tag = ""

    async def look_on(self, until: float, offset_s: float) -> None:
        await asyncio.sleep(offset_s)
        reader, writer = await asyncio.open_connection(
            self.host, self.port, local_addr=(self.source, 0)
        )
        for name in ONCE:
            await self._ask(reader, writer, name)
        while time.monotonic() < until:
            began = time.monotonic()
            await self._ask(reader, writer, "state.json")
            self.took.append(time.monotonic() - began)
            await asyncio.sleep(PERIOD_S)
        writer.close()

    async def _ask(self, reader: Any, writer: Any, name: str) -> None:
        tag = f"If-None-Match: {self._tag}\r\n" if self._tag else ""
        host = f"{self.host}:{self.port}"
        writer.write(f"GET {self.path}{name} HTTP/1.1\r\nHost: {host}\r\n{tag}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        await reader.readexactly(int(fields.get("Content-Length", 0)))
        self.answers[int(head[0].split()[1])] += 1
        if name == "state.json":
            self._tag = fields.get("ETag", self._tag)


def look_on(url: str, count: int, seconds: float, pipe: Any) -> None:
    """All viewers, in a process of their own; sends how they fared."""

    async def all_of_them() -> list[Viewer]:
        viewers = [Viewer(url, n) for n in range(count)]
        until = time.monotonic() + seconds
        pipe.send("ready")
        jobs = [v.look_on(until, PERIOD_S * n / count) for n, v in enumerate(viewers)]
        faults = await asyncio.gather(*jobs, return_exceptions=True)
        pipe.send(sum(f is not None for f in faults))
        return viewers

    viewers = asyncio.run(all_of_them())
    answers = sum((v.answers for v in viewers), Counter[int]())
    took = sorted(1000 * t for v in viewers for t in v.took)
    pipe.send((dict(answers), took))


def taps(session: Session, seconds: float) -> tuple[list[float], float]:
    """Milliseconds from tap to published snapshot, and processor milliseconds of each."""
    took, end = [], time.monotonic() + seconds
    cpu = time.process_time()
    while time.monotonic() < end:
        serial, began = session.snapshot.serial, time.perf_counter()
        session.post(Do(Action("violet", "note", {"text": "tap"})))
        while session.snapshot.serial == serial:
            time.sleep(0.0002)
        took.append(1000 * (time.perf_counter() - began))
        time.sleep(TAP_S)
    return took, 1000 * (time.process_time() - cpu) / len(took)


def measure(viewers: int, seconds: float) -> dict[str, Any]:
    """A game with so many viewers."""
    with tempfile.TemporaryDirectory() as home:
        session = open_session(Store(Path(home)), HEADER)
        page = Spectators("127.0.0.1", face_of("magalon"), session.board)
        session.listen(page.hear)
        session.start()
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        child = context.Process(target=look_on, args=(page.url, viewers, seconds, there))
        if viewers:
            child.start()
            here.recv()
        took, cpu = taps(session, seconds)
        out: dict[str, Any] = {"viewers": viewers, "tap_ms": sorted(took), "tap_cpu_ms": cpu}
        if viewers:
            out["faults"], (out["answers"], out["answer_ms"]) = here.recv(), here.recv()
            child.join()
        page.close()
        session.close()
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = [measure(count, options.seconds) for count in (0, options.viewers)]
    if options.json:
        print(json.dumps(results))
        return
    for r in results:
        print(f"{r['viewers']:4} viewers: tap to snapshot {_times(r['tap_ms'])}; processor {r['tap_cpu_ms']:.1f} ms a tap")  # fmt: skip
    last = results[-1]
    print(f"answers {last['answers']}, {last['faults']} viewers lost, answered in {_times(last['answer_ms'])}")  # fmt: skip


def _times(ordered: list[float]) -> str:
    if not ordered:
        return "never"
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    return f"median {statistics.median(ordered):.1f} ms, p99 {p99:.1f} ms"


if __name__ == "__main__":
    main()
