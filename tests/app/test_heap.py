"""What drawings take for a moment goes back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

CHILD = """
from companion_app import heap
from companion_app.device import memory_mb
assert heap.keep_small()
kept, before = [], memory_mb()
for n in range(400):  # large pictures, and small things between them that stay
    picture = bytearray(1_000_000 + 997 * n)
    kept.append(bytearray(2000))
    del picture
many = [bytearray(200) for _ in range(300_000)]
del many
heap.tidy()
print(memory_mb() - before)
"""


SWEPT = """
import gc, weakref
from companion_app import heap
class Screen:
    def __init__(self):
        self.own, self.picture = self, bytearray(100_000)
old = [Screen() for _ in range(2000)]
heap.tidy()  # from here on they are not looked through
fresh = [weakref.ref(Screen()) for _ in range(50)]
gc.disable()
heap.sweep()
print(sum(f() is not None for f in fresh), len(old))
"""


def test_what_points_at_itself_is_swept_away_without_looking_through_the_rest() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWEPT],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["0", "2000"]


@pytest.mark.skipif(sys.platform != "linux", reason="glibc only")
def test_large_blocks_and_many_small_ones_go_back_to_the_system() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert float(done.stdout) < 12.0
