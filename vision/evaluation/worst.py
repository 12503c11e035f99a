"""Pictures of the worst cases, with what is wrong in them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from engine.errors import BoardwardenError
from engine.files import shown, write_reason, write_whole
from vision.evaluation.matching import name_of
from vision.evaluation.run import Judged
from vision.types import BoardPose, Image

MOST = 8
RIGHT, WRONG, EXTRA, PAPER = (60, 170, 60), (40, 40, 220), (20, 140, 250), (255, 255, 255)


class Worst:
    """Keeps the cases with most faults, and draws them."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: list[Judged] = []

    def see(self, judged: Judged) -> None:
        """Takes one case in."""
        if judged.faults:
            self._kept.append(judged)
            self._kept.sort(key=lambda j: -j.faults)
            del self._kept[self._most :]

    def write(self, folder: Path, name: str) -> list[Path]:
        """Writes PNG files, the worst first; raises BoardwardenError if that cannot be done."""
        return [
            save(folder / f"{name}-{i + 1:02d}-{Path(j.case.name).stem}.png", draw(j))
            for i, j in enumerate(self._kept)
        ]


def save(path: Path, picture: Image) -> Path:
    """Writes a PNG file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, cv2.imencode(".png", picture)[1].tobytes())
    except OSError as error:
        raise BoardwardenError(f"cannot write {shown(path)}: {write_reason(error)}") from error
    return path


def draw(judged: Judged) -> Image:
    """The picture with every fault marked and named, and a caption above it."""
    image = judged.case.image().copy()
    pose = judged.truth if judged.glance is None else judged.glance.pose
    if pose is not None:
        cv2.polylines(image, [np.round(pose.corners_px).astype(np.int32)], True, RIGHT, 1)
    for outcome in judged.matched.outcomes:
        at = outcome.read.foot_px if outcome.read else _true_place(judged, outcome.truth, pose)
        if at is None:
            continue
        if outcome.right:
            _ring(image, at, RIGHT)
        elif outcome.counted:
            seen = "missed" if outcome.read is None else name_of(outcome.read)
            _ring(image, at, WRONG)
            _label(image, at, f"{name_of(outcome.truth)}: {seen}", WRONG)
    for piece in judged.matched.extra:
        _ring(image, piece.foot_px, EXTRA)
        _label(image, piece.foot_px, f"not there: {name_of(piece)}", EXTRA)
    return _with_caption(image, judged)


def _true_place(judged: Judged, piece: object, pose: BoardPose | None) -> tuple[float, float] | None:  # fmt: skip
    foot, at_mm = getattr(piece, "foot_px", None), getattr(piece, "at_mm", None)
    if foot is None and at_mm is not None and pose is not None:
        x, y = pose.to_image(np.array([at_mm]))[0]
        return float(x), float(y)
    return foot


def _with_caption(image: Image, judged: Judged) -> Image:
    band = np.full((34, image.shape[1], 3), 255, np.uint8)
    right = sum(o.right for o in judged.matched.counted)
    text = f"{judged.case.name}: {right} of {len(judged.matched.counted)} right, {len(judged.matched.extra)} not there"
    if judged.glance is None:
        text = f"{judged.case.name}: the board was not found"
    if judged.teacher is not None:
        text += f"; learnt from {judged.teacher.name}"
    cv2.putText(band, text, (8, 23), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    return np.vstack([band, image])


def _ring(image: Image, at: tuple[float, float], colour: tuple[int, int, int]) -> None:
    cv2.circle(image, (round(at[0]), round(at[1])), 7, colour, 2, cv2.LINE_AA)


def _label(image: Image, at: tuple[float, float], text: str, colour: tuple[int, int, int]) -> None:
    x, y = round(at[0]) + 9, round(at[1]) - 6
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.42, 1)
    x = max(0, min(x, image.shape[1] - w - 3))
    y = max(h + 4, y)
    cv2.rectangle(image, (x - 2, y - h - 3), (x + w + 2, y + 4), PAPER, -1)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, 1, cv2.LINE_AA)
