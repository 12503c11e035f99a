"""Memory that drawings took for a moment is given back to the system.

glibc learns from large arrays that come and go to keep their memory, and then loses it between
small things that stay: a hundred MB in an evening.  Elsewhere nothing is to be done.
"""

from __future__ import annotations

import ctypes
import gc
import os

# Names and numbers from malloc.h of glibc; see mallopt(3) and malloc_trim(3).
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
LARGE_BYTES = 128 * 1024  # from here on a block is mapped by itself, and given back when freed


def _glibc() -> ctypes.CDLL | None:
    try:
        if not (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc"):
            return None
        return ctypes.CDLL(None)
    except (AttributeError, ValueError, OSError):  # another system, or another C library
        return None


def keep_small() -> bool:
    """From now on large blocks go back to the system when they are freed; whether that could be
    asked for."""
    libc = _glibc()
    if libc is None:
        return False
    asked = [libc.mallopt(what, LARGE_BYTES) for what in (_MMAP_THRESHOLD, _TRIM_THRESHOLD)]
    return all(asked)


def sweep() -> None:
    """Frees what was made and dropped since the last ``tidy``, pictures of old screens above all: they
    point at each other, and by itself Python looks for such ones only after tens of thousands, which
    held up to 60 MB.  Takes some milliseconds."""
    gc.collect()
    libc = _glibc()
    if libc is not None:
        libc.malloc_trim(0)


def tidy() -> None:
    """Frees what nobody needs any more, and gives it back to the system; what is left stays: it is
    not looked through for rubbish again before the next time, so that no frame waits for that.
    Takes a tenth of a second: for moments in which everything changes anyway."""
    gc.unfreeze()
    sweep()
    gc.freeze()
