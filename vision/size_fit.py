"""Heights and widths of a table's pieces, from a picture in which they are known."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import Sizes
from vision.labels import LabelledPiece
from vision.looks import Enrolment, SizeModel
from vision.pixel_evidence import Evidence, gather_colours
from vision.silhouette_search import fit
from vision.types import BoardPose, Detections, Image

HEIGHT_FACTORS = (0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 1.9, 2.5)
WIDTH_FACTORS = (0.8, 1.0, 1.25)
SIZE_GAIN = 0.4  # mean log-odds by which another size must explain the pieces better
KNOWN_SPREAD = 0.22  # share by which heights and widths as the net sees them scatter
CLEAR, LEAST_SEEN = 0.4, 2  # objectness of things whose height counts, and how many it takes
HEIGHT_PRICE = 0.8  # further gain that a height must bring, per natural log of its factor
STATED_DOUBT, SEEN_DOUBT = 0.3, 0.12  # of heights, natural log; the second beside the pose's own
HEIGHT_SLACK = 0.2  # natural log by which a fitted height may differ from the seen one


def seen_heights(
    pairs: Sequence[tuple[LabelledPiece, int]], detections: Detections, sizes: Sizes
) -> dict[str, tuple[float, float]]:
    """Per kind the median height that the network sees and its doubt, mm."""
    rows: dict[str, list[int]] = defaultdict(list)
    for piece, i in pairs:
        if float(detections.score[i]) >= CLEAR:
            rows[piece.kind].append(i)
    return {
        kind: (float(np.median(sizes.height[own])), float(np.median(sizes.height_sigma[own])))
        for kind, own in rows.items()
        if len(own) >= LEAST_SEEN
    }


def _plausible(height_mm: float, seen: tuple[float, float] | None) -> bool:
    """Whether a height agrees with what the network sees, where it can see heights at all."""
    if seen is None or seen[0] <= 2 * seen[1]:
        return True
    return abs(math.log(height_mm / seen[0])) <= HEIGHT_SLACK + seen[1] / seen[0]


def _with_seen(stated: SizeModel, seen: tuple[float, float] | None) -> SizeModel:
    """The board file's height and the network's, each with its doubt, as a geometric mean."""
    if seen is None or seen[0] <= 2 * seen[1]:
        return stated
    weight_stated = 1 / STATED_DOUBT**2
    weight_seen = 1 / (SEEN_DOUBT + seen[1] / seen[0]) ** 2
    share = weight_seen / (weight_seen + weight_stated)
    height = stated.height_mm * (seen[0] / stated.height_mm) ** share
    return replace(stated, height_mm=height)


def fitted_sizes(
    image: Image,
    pose: BoardPose,
    board: Board,
    learnt: Enrolment,
    placed: Sequence[tuple[LabelledPiece, NDArray[np.float64]]],
    seen: Mapping[str, tuple[float, float]],
) -> dict[str, SizeModel]:
    """Sizes per kind with the height and width whose solids explain the known pieces best.

    The camera's height above the table is only guessed, and a board file's sizes may be nominal:
    what counts is how the pieces look in *this* camera's pictures.  ``placed``: pieces with where
    they stand (2,) mm; ``seen``: what the network thinks, see `seen_heights`.
    """
    evidence = gather_colours(image, pose, learnt)
    sizes: dict[str, SizeModel] = {}
    for kind in dict.fromkeys(p.kind for p, _ in placed):
        own = [
            (p.colour, at) for p, at in placed if p.kind == kind and p.colour in evidence.colours
        ]
        if not own:
            continue
        stated = _with_seen(learnt.size(kind, board), seen.get(kind))
        best, least = stated, SIZE_GAIN
        plain = _mean_fit(evidence, pose, board, replace(learnt, sizes={kind: stated}), kind, own)
        for height, width in product(HEIGHT_FACTORS, WIDTH_FACTORS):
            if not _plausible(stated.height_mm * height, seen.get(kind)):
                continue
            trial = replace(
                stated, height_mm=stated.height_mm * height, width_mm=stated.width_mm * width
            )
            looks = replace(learnt, sizes={kind: trial})
            gain = _mean_fit(evidence, pose, board, looks, kind, own) - plain
            gain -= HEIGHT_PRICE * abs(math.log(height))
            if gain > least:
                best, least = trial, gain
        sizes[kind] = replace(best, spread=KNOWN_SPREAD)
    return sizes


def _mean_fit(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    looks: Enrolment,
    kind: str,
    own: Sequence[tuple[str | None, NDArray[np.float64]]],
) -> float:
    scores = [
        fit(evidence, pose, board, looks, kind, [colour], at[None])[0, 0] for colour, at in own
    ]
    return float(np.mean(scores))
