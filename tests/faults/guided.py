"""Coverage-guided fuzzing of one format: what reaches new code is damaged further.

    pip install atheris                     (Apache 2.0; Linux and macOS; not needed by anything else)
    python -m tests.faults.guided FORMAT… --seconds 300
    python -m tests.faults.guided FORMAT… --keep FOLDER --until 1800 --seconds 200

Damage is libFuzzer's own of bytes, or of JSON values (``companion_app.selftest.damage``).  Ends with the figures
and status 0, or at the first fault with the input that brought it and status 77.  With ``--keep`` a search can be
left and gone on with: the folder holds every input that reached new code and the sum of what was done; the
formats take turns of ``--seconds`` until each has had ``--until`` seconds of processor time.
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
from dataclasses import asdict, dataclass
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
    corpus.mkdir(exist_ok=True)
    for n, seed in enumerate(form.seeds()):
        (corpus / f"seed-{n}").write_bytes(seed)

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


@dataclass
class Total:
    """What all runs of one format came to, kept beside its corpus."""

    cases: int = 0
    usable: int = 0
    slowest_s: float = 0.0
    wall_s: float = 0.0
    processor_s: float = 0.0
    memory_mb: float = 0.0

    @classmethod
    def read(cls, folder: Path) -> Total:
        path = folder / "total.json"
        return cls(**json.loads(path.read_bytes())) if path.exists() else cls()

    def add(self, count: Count, used: resource.struct_rusage, wall_s: float) -> None:
        runs, usable, slowest = count.figures
        self.cases, self.usable = self.cases + runs, self.usable + usable
        self.slowest_s = max(self.slowest_s, slowest)
        self.wall_s += wall_s
        self.processor_s += used.ru_utime + used.ru_stime
        self.memory_mb = max(self.memory_mb, used.ru_maxrss / 1024)

    def write(self, folder: Path) -> None:
        (folder / "total.json").write_text(json.dumps(asdict(self)))

    def told(self, name: str, kept: int) -> str:
        return (
            f"{name}: {self.cases} cases in {self.processor_s:.0f} s of the processor ({self.wall_s:.0f} s by the"
            f" clock) guided by coverage, {self.usable} usable, {kept} kept for the new code they reach, slowest"
            f" {1000 * self.slowest_s:.0f} ms of the processor, at most {self.memory_mb:.0f} MB"
        )


def one_run(name: str, seconds: int, folder: Path) -> int:
    """Fuzzes in a process of its own, which libFuzzer ends; the exit status, the sum is in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    count, began = Count(), time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            fuzz(name, seconds, folder, count)
        finally:
            os._exit(77)
    _, status, used = os.wait4(child, 0)
    total = Total.read(folder)
    total.add(count, used, time.monotonic() - began)
    total.write(folder)
    print(total.told(name, len(list((folder / "corpus").iterdir()))), flush=True)
    return os.waitstatus_to_exitcode(status)


def in_turns(names: list[str], seconds: int, keep: Path, until_s: float) -> int:
    """Every format gets a run after another until each has had its time; a fault ends the format's, not the others'."""
    worst = 0
    while names:
        for name in tuple(names):
            folder = keep / name.replace(" ", "-")
            if Total.read(folder).processor_s >= until_s:
                names.remove(name)
                continue
            if status := one_run(name, seconds, folder):
                names.remove(name)
                worst = status
    return worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("formats", nargs="+", metavar="FORMAT")
    parser.add_argument("--seconds", type=int, default=300, help="of one run, by the clock")
    parser.add_argument("--keep", type=Path, help="folder for the inputs and the sums")
    parser.add_argument(
        "--until", type=float, default=0, help="seconds of the processor a format gets in all"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        keep = options.keep or Path(name)
        if options.until:
            return in_turns(options.formats, options.seconds, keep, options.until)
        runs = [one_run(f, options.seconds, keep / f.replace(" ", "-")) for f in options.formats]
    return next((status for status in runs if status), 0)


if __name__ == "__main__":
    sys.exit(main())
