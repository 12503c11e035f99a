"""Coverage-guided fuzzing of one format: what reaches new code is damaged further.

    pip install atheris                     (Apache 2.0; Linux and macOS; not needed by anything else)
    python -m tests.faults.guided FORMAT --seconds 300

Damage is libFuzzer's own of bytes, or of JSON values (``companion_app.selftest.damage``).  Ends with the figures
and status 0, or at the first fault with the input that brought it and status 77.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import resource
import struct
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MOST_BYTES = 60_000
LIMIT_S, LIMIT_MB = 2, 1000
INSTRUMENTED = ["engine", "calibration", "companion_app", "vision", "polib", "models"]


class Count:
    """How it goes, in memory that outlives the fuzzing process: libFuzzer ends it without a word."""

    FORM = struct.Struct("<qqd")

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, self.FORM.size)

    @property
    def figures(self) -> tuple[int, int, float]:
        """Cases, usable ones, the slowest in seconds of the processor."""
        return self.FORM.unpack(self._shared[: self.FORM.size])

    def add(self, usable: bool, took_s: float) -> None:
        runs, useful, slowest = self.figures
        self._shared[: self.FORM.size] = self.FORM.pack(
            runs + 1, useful + usable, max(slowest, took_s)
        )


def mutated(form: Any, data: bytes, most: int, rng: random.Random) -> bytes | None:
    """JSON that is damaged as a value; None for what is none."""
    from companion_app.selftest.damage import damaged_json, json_text

    if form.damage is not None:
        made = form.damage(data, rng)
        return made if made is not None and len(made) <= most else None
    try:
        if form.lines:
            rows = data.splitlines()
            at = rng.randrange(len(rows))
            rows[at] = json_text(damaged_json(json.loads(rows[at]), rng))
            out = b"\n".join(rows)
        else:
            out = json_text(damaged_json(json.loads(data), rng))
    except (ValueError, RecursionError, IndexError):
        return None
    return out if len(out) <= most else None


def fuzz(name: str, seconds: int, folder: Path, count: Count) -> None:
    import atheris

    with atheris.instrument_imports(include=INSTRUMENTED, enable_loader_override=False):
        from engine.errors import BoardwardenError
        from tests.faults.formats import FORMATS, prepared
    from tests.faults.running import check_sentence

    form = FORMATS[name]
    path = prepared(form, folder / "place")
    corpus = folder / "corpus"
    corpus.mkdir()
    for n, seed in enumerate(form.seeds()):
        (corpus / str(n)).write_bytes(seed)

    def one(data: bytes) -> None:
        path.write_bytes(data)
        began, usable = time.process_time(), True
        try:
            form.use(path)
        except BoardwardenError as error:
            check_sentence(str(error))
            usable = False
        finally:
            count.add(usable, time.process_time() - began)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        made = (
            mutated(form, data, most, rng)
            if (form.text or form.damage) and rng.random() < 0.7
            else None
        )
        return atheris.Mutate(data, most) if made is None else made

    words = [
        sys.argv[0], str(corpus), f"-max_total_time={seconds}", f"-timeout={LIMIT_S * 10}", f"-max_len={MOST_BYTES}",
        f"-rss_limit_mb={LIMIT_MB * 2}", "-verbosity=0", f"-artifact_prefix={tempfile.gettempdir()}/{name.replace(' ', '-')}-", "-print_final_stats=0",
    ]  # fmt: skip
    atheris.Setup(words, one, custom_mutator=mutate)
    atheris.Fuzz()


def tell(name: str, count: Count, corpus: Path, seconds: int) -> None:
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    runs, usable, slowest = count.figures
    print(
        f"{name}: {runs} cases in {seconds} s guided by coverage, {usable} usable, {len(list(corpus.iterdir()))}"
        f" kept for the new code they reach, slowest {1000 * slowest:.0f} ms of the processor, at most {memory:.0f} MB",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("format")
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    count = Count()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        child = os.fork()
        if child == 0:
            try:
                fuzz(options.format, options.seconds, folder, count)
            finally:
                os._exit(77)
        _, status = os.waitpid(child, 0)
        tell(options.format, count, folder / "corpus", options.seconds)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
