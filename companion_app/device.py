"""This device: what was found out once and is remembered, and what the program takes of it now."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path

from companion_app.store import default_root
from engine.errors import BoardwardenError
from engine.files import read_json, shown, write_reason

FILE = "device.json"
MOST_THREADS = 8


def this_device() -> str:
    """A name that changes when what was measured here no longer holds."""
    return f"{platform.machine()} {platform.system()}, {os.cpu_count() or 1} cores"


def remembered_threads(root: Path | None = None) -> int:
    """Threads that suit the detector on this device; 1 where nothing was measured."""
    try:
        known = read_json((root or default_root()) / FILE, "what is known of this device")
        threads = int(known["threads"]) if known["device"] == this_device() else 1
    except (BoardwardenError, ValueError, KeyError, TypeError):
        return 1
    return threads if 1 <= threads <= MOST_THREADS else 1


def remember_threads(threads: int, root: Path | None = None) -> Path:
    """Writes it down; raises BoardwardenError if the folder cannot be written."""
    path = (root or default_root()) / FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".part")
        text = json.dumps({"device": this_device(), "threads": threads})
        temporary.write_text(text + "\n", "utf-8")
        temporary.replace(path)
    except OSError as error:
        raise BoardwardenError(
            f"cannot remember the threads in {shown(path)} (BOARDWARDEN_HOME): {write_reason(error)}"
        ) from error
    return path


def memory_mb() -> float:
    """Memory that this process holds now, in MB; where only the greatest is known, that."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if platform.system() == "Darwin" else most * 1024 / 1e6


def helpers_mb() -> float:
    """Memory of the processes that this one has started (eyes, spectators' page), in MB; nan where
    that cannot be told."""
    import multiprocessing

    pages = 0
    try:
        for child in multiprocessing.active_children():
            pages += int(Path(f"/proc/{child.pid}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError, IndexError, AttributeError):
        return float("nan")


def open_handles() -> int:
    """Files, pipes and sockets that this process holds open; -1 where that cannot be told."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            return len(os.listdir(folder))
        except OSError:
            continue
    return -1
