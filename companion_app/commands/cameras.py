"""Lists the cameras of this device: number, name where the system gives one, size of the picture."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from vision.sources import list_cameras


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden cameras``."""
    parser.add_argument("--json", action="store_true", help="print JSON only")


def run(options: argparse.Namespace) -> int:
    """Opens each camera for a moment."""
    cameras = list_cameras(with_grey=True)
    if options.json:
        print(json.dumps([asdict(c) for c in cameras]))
        return 0
    for camera in cameras:
        wide, high = camera.size
        note = " (no colours: not for playing)" if camera.grey else ""
        print(f"{camera.index}: {camera.name or 'camera'}, {wide}x{high}{note}")
    if not cameras:
        print("no camera gives a picture: plug one in, or close other programs that use it")
    return 0
