"""The enrolled colours under this picture's light, estimated from the pieces themselves.

Pieces stand up and the board lies flat: a window behind the table darkens the one and not the
other.  So the print can't tell how pieces look; they are matched by which colour is *nearest*, the
common change of light is the median over them, and each colour follows its own pieces a little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import log_likelihood_table
from vision.joint import ACCEPT, assign_pieces
from vision.looks import Enrolment
from vision.shapes import shape_of
from vision.silhouettes import owner_map
from vision.things import Look, Things, is_thing, measure_things, score_table
from vision.types import BoardPose, Detections, Image

CLEAR = 0.35  # objectness of the things that are looked at
LEAST_THINGS = 4
FLOOR = 12.0  # grey levels added before the logarithm
MOST_COMMON, MOST_OWN = 1.6, 0.9  # bounds of the changes, natural log
DOUBT = 1.0  # log-odds per piece by which the changed colours must be better
OWN_PRIOR = 2.0  # so many pieces of a colour must agree for half of their own change


def relight(
    image: Image,
    pose: BoardPose,
    board: Board,
    detections: Detections,
    enrolment: Enrolment,
    counts: Mapping[Look, int],
) -> Enrolment:
    """The enrolment with its colours as they must look in this picture."""
    if not enrolment.colours:
        return enrolment
    owners = owner_map(image, pose, board, detections)
    looks = [k for k, n in counts.items() if n > 0 and shape_of(k[0], board) != "l_wall"]
    clear = [
        i for i in range(len(detections))
        if is_thing(detections, i) and float(detections.score[i]) >= CLEAR
    ]  # fmt: skip
    things = measure_things(
        image, pose, board, detections, owners, enrolment, looks, None, None, None, clear
    )
    rows = [i for i in clear if np.isfinite(things.colours[i]).all()]
    if len(rows) < LEAST_THINGS:
        return enrolment
    slots = [k for k in looks for _ in range(counts[k])]
    lit = enrolment
    for _ in range(2):
        table = _relative_table(things, rows, looks, board, lit)
        pairs = assign_pieces(table, looks, slots, things, rows, board)
        samples = [(look, things.colours[rows[r]].astype(np.float64)) for r, look in pairs]
        lit = _changed(enrolment, samples)

    def explained(known: Enrolment) -> float:
        table = score_table(things, rows, looks, board, known)
        pairs = assign_pieces(table, looks, slots, things, rows, board)
        return sum(float(table[r, looks.index(look)]) - ACCEPT for r, look in pairs)

    # Colours as learnt are the better guess unless others explain the pieces much better.
    doubt = DOUBT * min(len(slots), len(rows))
    return lit if explained(lit) > explained(enrolment) + doubt else enrolment


def _relative_table(
    things: Things, rows: list[int], looks: list[Look], board: Board, known: Enrolment
) -> NDArray[np.float64]:
    """(R, L) scores in which only the differences between colours count."""
    table = score_table(things, rows, looks, board, known)
    models = [known.colour(*look) for look in looks]
    odds = log_likelihood_table(things.colours[rows], [m for m in models if m is not None])
    most = odds.max(axis=1, initial=-np.inf if None not in models else 0.0, keepdims=True)
    return np.asarray(table - most)


def _changed(enrolment: Enrolment, samples: list[tuple[Look, NDArray[np.float64]]]) -> Enrolment:
    """The colours moved by the common change, and by that of each colour's own pieces."""
    ratios: list[NDArray[np.float64]] = []
    own: dict[str | None, list[NDArray[np.float64]]] = defaultdict(list)
    for (kind, colour), sample in samples:
        model = enrolment.colours.get((kind, colour)) or enrolment.colours.get((None, colour))
        if model is not None:
            ratio = np.log((sample + FLOOR) / (np.array(model.bgr) + FLOOR))
            ratios.append(ratio)
            own[colour].append(ratio)
    if len(ratios) < LEAST_THINGS:
        return enrolment
    common = np.clip(np.median(np.array(ratios), axis=0), -MOST_COMMON, MOST_COMMON)
    change = {
        colour: common
        + np.clip(np.median(np.array(rows), axis=0) - common, -MOST_OWN, MOST_OWN)
        * len(rows) / (len(rows) + OWN_PRIOR)
        for colour, rows in own.items()
    }  # fmt: skip
    colours = {
        look: replace(m, bgr=_moved(m.bgr, change.get(look[1], common)))
        for look, m in enrolment.colours.items()
    }
    return replace(enrolment, colours=colours)


def _moved(
    bgr: tuple[float, float, float], change: NDArray[np.float64]
) -> tuple[float, float, float]:
    out = np.clip((np.array(bgr) + FLOOR) * np.exp(change) - FLOOR, 0.0, 255.0)
    return float(out[0]), float(out[1]), float(out[2])
