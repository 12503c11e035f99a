"""Time of one full look at a still view: ``python -m tests.benchmarks.bench_look PICTURE BOARD REFERENCE LABELS#IMAGE``.

Prints median milliseconds of the detector alone and of the whole look, after one warm-up.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2

from engine.board import load_board
from vision.detector import Detector
from vision.eyes import Eyes, board_reference
from vision.labels import parse_enrol
from vision.registration import find_board
from vision.sources.pictures import read_picture

ROUNDS = 15


def median_ms(job: Callable[[], object]) -> float:
    """Median wall time of a job in milliseconds."""
    job()
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        job()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def main() -> None:
    """Command line."""
    picture, board_file, reference, lesson = sys.argv[1:5]
    cv2.setNumThreads(1)
    board = load_board(board_file)
    eyes = Eyes(board, Detector(), board_reference(board, Path(reference)))
    eyes.enrol_labelled(parse_enrol(lesson))
    image = read_picture(Path(picture))
    pose = find_board(image, board, reference=eyes.reference)
    print(f"detector {median_ms(lambda: eyes.detect(image, pose)):.0f} ms")
    print(f"whole look {median_ms(lambda: eyes.look(image, pose)):.0f} ms")


if __name__ == "__main__":
    main()
