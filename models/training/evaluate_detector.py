"""Measures the detector on labelled pictures, with the true corners as pose.

``python -m models.training.evaluate_detector FOLDER… [--reference PICTURE] [--model M]``.  A folder
holds ``labels.json`` (see ``photos/README.md``).  Counted are pieces at least half visible; found
means a detection of the right shape within 0.4 cell on the board plane; false means on the board,
score over 0.4, and no piece of that shape there.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, load_board
from vision.detector import Detector
from vision.reference import Reference
from vision.registration.pose import pose_from_corners
from vision.shapes import shape_of
from vision.types import SHAPES, BoardPose, Detections

NEAR_CELLS = 0.4
SURE = 0.4
VISIBLE = 0.5
F64 = NDArray[np.float64]


@dataclass(slots=True)
class Truth:
    """A piece that is there: shape, board mm, whether it counts."""

    shape: str
    at_mm: F64
    counts: bool


@dataclass(slots=True)
class Tally:
    """Sums over pictures, per shape."""

    pictures: int = 0
    there: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    found: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    other: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    false: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    error_mm: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def report(self, name: str) -> str:
        """A table: recall of the right shape, of any shape, foot error, false per picture."""
        lines = [f"{name}: {self.pictures} pictures"]
        shapes = [s for s in SHAPES if self.there[s] or self.false[s]]
        for s in [*shapes, "all"]:
            keys = shapes if s == "all" else [s]
            n, hit, other, false = (
                sum(d[k] for k in keys) for d in (self.there, self.found, self.other, self.false)
            )
            errors = [e for k in keys for e in self.error_mm[k]]
            lines.append(
                f"  {s:13s} {n:4d} there, right {hit / max(n, 1):6.1%}, as another shape {other / max(n, 1):6.1%}, "
                f"foot error {np.mean(errors) if errors else 0:.2f} mm, false {false / max(self.pictures, 1):.2f} a picture"
            )
        return "\n".join(lines)


def truths(entry: dict[str, Any], board: Board, pose: BoardPose) -> list[Truth]:
    """What the labels of one picture say, ruins as their cells and their centroid."""
    out = []
    width, height = entry["size"]
    for piece in entry.get("pieces", ()):
        foot = np.array(piece["foot_px"], float)
        at = pose.to_board(foot[None])[0]
        inside = 0 <= foot[0] < width and 0 <= foot[1] < height and piece.get("in_frame", 1) > 0.9
        counts = inside and piece.get("visible", 1.0) >= VISIBLE
        if piece["kind"] == "ruin":
            centres = [np.array(board.centres[c]) for c in piece["cell"]]
            out += [Truth("wall", c, counts) for c in centres]
            out.append(Truth("l_wall", np.mean(centres, 0), counts))
        else:
            out.append(Truth(shape_of(piece["kind"], board), at, counts))
    for die in entry.get("dice", ()):
        # Labelled at the upper face, so its foot is not known exactly.
        out.append(Truth("die", pose.to_board(np.array([die["centre_px"]], float))[0], False))
    return out


def count(
    tally: Tally, found: Detections, real: list[Truth], board: Board, pose: BoardPose
) -> list[str]:
    """Matches one picture's detections with its truths; returns what went wrong, for people."""
    near = NEAR_CELLS * board.cell_size_mm
    at = pose.to_board(found.foot_px.astype(float)) if len(found) else np.zeros((0, 2))
    shapes = [found.shape_of(i) for i in range(len(found))]
    used: set[int] = set()
    wrong = []
    tally.pictures += 1
    for truth in sorted(real, key=lambda t: not t.counts):
        distance = np.hypot(*(at - truth.at_mm).T) if len(at) else np.zeros(0)
        loose = near if truth.counts else near * 2
        same = [
            i
            for i in np.argsort(distance)
            if distance[i] < loose and shapes[i] == truth.shape and i not in used
        ]
        if truth.counts:
            tally.there[truth.shape] += 1
        if same:
            used.add(int(same[0]))
            if truth.counts:
                tally.found[truth.shape] += 1
                tally.error_mm[truth.shape].append(float(distance[same[0]]))
        elif truth.counts:
            walls = ("wall", "l_wall")
            others = [shapes[i] for i in np.flatnonzero(distance < near) if shapes[i] not in walls]
            tally.other[truth.shape] += bool(others and truth.shape not in walls)
            wrong.append(
                f"missed {truth.shape} at {truth.at_mm.round().tolist()} mm, there: {others}"
            )
    w, h = board.size_mm
    for i in range(len(found)):
        if i in used or found.score[i] <= SURE or not (0 <= at[i, 0] <= w and 0 <= at[i, 1] <= h):
            continue
        tally.false[shapes[i]] += 1
        wrong.append(f"false {shapes[i]} {found.score[i]:.2f} at {at[i].round().tolist()} mm")
    return wrong


def evaluate(
    folder: Path, detector: Detector, reference: Path | None, verbose: bool, draw: Path | None
) -> Tally:
    """Tally over the labelled pictures of one folder."""
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    board = load_board(folder / labels["board"])
    known = None
    if reference is not None:
        known = Reference.load(reference, board.size_mm)
    tally = Tally()
    for entry in labels["images"]:
        if not entry.get("corners_px"):
            continue
        image = cv2.imread(str(folder / entry["image"]))
        pose = pose_from_corners(
            np.array(entry["corners_px"], float), board.size_mm, tuple(entry["size"]), "corners"
        )
        found = detector.detect(np.asarray(image, np.uint8), pose, known)
        wrong = count(tally, found, truths(entry, board, pose), board, pose)
        if verbose and wrong:
            print(entry["image"], *wrong, sep="\n   ")
        if draw is not None:
            draw.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(draw / entry["image"]), picture_of(np.asarray(image), found))
    return tally


def picture_of(image: NDArray[np.uint8], found: Detections) -> NDArray[np.uint8]:
    """The picture with the detections drawn: foot, axis, shape, score."""
    out = image.copy()
    hue = {
        s: tuple(
            int(v) for v in cv2.cvtColor(np.uint8([[[i * 16, 255, 255]]]), cv2.COLOR_HSV2BGR)[0, 0]
        )
        for i, s in enumerate(SHAPES)
    }
    for i in range(len(found)):
        foot, top = (tuple(round(float(v)) for v in p) for p in (found.foot_px[i], found.top_px[i]))
        shape = found.shape_of(i)
        cv2.line(out, foot, top, hue[shape], 1, cv2.LINE_AA)
        cv2.circle(out, foot, 3, hue[shape], -1 if found.score[i] > SURE else 1, cv2.LINE_AA)
        if shape != "wall":
            cv2.putText(
                out,
                f"{shape[:5]} {found.score[i]:.1f}",
                (foot[0] + 4, foot[1] + 4),
                0,
                0.35,
                hue[shape],
                1,
                cv2.LINE_AA,
            )
    return out


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--reference", type=Path, default=None)
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--backend", default=None)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--draw", type=Path, default=None)
    a = parser.parse_args()
    detector = Detector(a.model, a.backend)
    for folder in a.folders:
        tally = evaluate(folder, detector, a.reference, a.verbose, a.draw)
        with_reference = " with reference" if a.reference else ""
        print(tally.report(folder.name + with_reference))


if __name__ == "__main__":
    main()
