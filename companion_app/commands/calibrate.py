"""Measures a camera's lens with the printed lens sheet (boardwarden print lens)."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator

from calibration.lens_sheet import WANTED, SheetViews
from companion_app.lenses import camera_name, keep_lens
from vision.sources import open_source
from vision.types import Image

PATIENCE_S = 180.0
HOW = (
    "hold the sheet near the camera, so that it fills half the picture",
    "tilt its left side towards the camera", "tilt its right side towards the camera",
    "tilt its upper side towards the camera", "tilt its lower side towards the camera",
    "hold it into the upper left corner", "hold it into the upper right corner",
    "hold it into the lower right corner", "hold it into the lower left corner",
    "turn it by a quarter", "hold it farther away", "hold it near and tilted",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden calibrate``."""
    parser.add_argument("source", help="camera number, address, film or folder of pictures")
    parser.add_argument("--camera", help="keep the lens for this camera (default: the source)")
    parser.add_argument("--json", action="store_true", help="print JSON only")


def run(options: argparse.Namespace) -> int:
    """Collects views and keeps the lens."""
    views = SheetViews()
    for image in _pictures(options.source):
        if views.look(image) == "taken" and not options.json:
            n = len(views.points_px)
            print(f"{n} of {WANTED} seen; {HOW[n % len(HOW)]}", file=sys.stderr, flush=True)
        if views.enough and min(views.reach) > 0.8:
            break
    lens, rms = views.lens()
    source = options.camera or options.source
    keep_lens(source, lens)
    camera = camera_name(source)
    if options.json:
        print(json.dumps({"camera": camera, "rms_px": round(rms, 3), **lens.to_json()}))
    else:
        wide, high = lens.size
        print(f"camera {camera}, {wide}x{high}: measured to {rms:.2f} pixels")
    return 0


def _pictures(source: str) -> Iterator[Image]:
    opened = open_source(source)
    end = time.monotonic() + PATIENCE_S
    try:
        while time.monotonic() < end:
            frame = opened.read(1.0)
            if frame is not None:
                yield frame.image
            elif not opened.live:
                if opened.state.sentence:
                    print(f"boardwarden: {opened.state.sentence}", file=sys.stderr)
                return
    finally:
        opened.close()
