"""Damage for the fuzz tests: broken JSON values and broken bytes, from a random source."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

HUGE = 10**400
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2**31, 2**63, HUGE, -HUGE, 0.5, -0.0, 1e-300, 1e300,
    float("nan"), float("inf"), float("-inf"), "", "a", "start", "wizard/violet", "../../x", "\0",
    "\x1b[2J", "\ud800", "x" * 5000, [], {}, [[]], [None], [[[0]]], {"a": {}}, [1, 2], ["a"] * 50,
)  # fmt: skip


def damaged_json(value: Any, rng: random.Random, changes: int = 2) -> Any:
    """A copy with some parts replaced, removed, doubled, renamed or swapped."""
    out = copy.deepcopy(value)
    for _ in range(rng.randint(1, changes)):
        out = _change(out, rng)
    return out


def _change(value: Any, rng: random.Random) -> Any:
    """Goes down at random and changes what is found there."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        what = rng.random()
        if what < 0.12:
            del value[key]
        elif what < 0.18:
            value[str(rng.choice(ODD_VALUES))[:50]] = value.pop(key)
        else:
            value[key] = _change(value[key], rng)
        return value
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        what = rng.random()
        if what < 0.1:
            del value[at]
        elif what < 0.2:
            value.insert(at, copy.deepcopy(rng.choice(value)))
        elif what < 0.25:
            rng.shuffle(value)
        else:
            value[at] = _change(value[at], rng)
        return value
    return copy.deepcopy(rng.choice(ODD_VALUES))


def json_text(value: Any, rng: random.Random | None = None) -> bytes:
    """The value as a file, now and then with broken bytes in it."""
    try:
        data = json.dumps(value).encode("utf-8", "surrogatepass")
    except ValueError:  # an integer beyond what Python prints
        data = b'{"version": 1' + b"0" * 5000 + b"}"
    if rng is not None and rng.random() < 0.15:
        data = damaged_bytes(data, rng)
    return data


def damaged_bytes(data: bytes, rng: random.Random, changes: int = 6) -> bytes:
    """Bytes with some flipped, cut, doubled, overwritten or made extreme."""
    out = bytearray(data)
    for _ in range(rng.randint(1, changes)):
        if not out:
            return bytes(rng.randbytes(rng.randint(0, 40)))
        at = rng.randrange(len(out))
        what = rng.randrange(8)
        if what == 0:
            out[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            out[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF))
        elif what == 2:
            del out[at : at + rng.randint(1, 200)]
        elif what == 3:
            out[at:at] = out[at : at + rng.randint(1, 200)]
        elif what == 4:
            out[at : at + 4] = rng.choice((b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff"))
        elif what == 5:
            out[at : at + 8] = rng.randbytes(8)
        elif what == 6:
            del out[at:]
        else:
            # headers decide most: change one byte near the beginning
            out[rng.randrange(min(len(out), 64))] = rng.randrange(256)
    return bytes(out)
