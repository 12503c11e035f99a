"""What one picture whose truth nobody has told teaches of itself, by its surest pieces.

The network, the board file's sizes and names of colours are enough to read most pieces of a table
that was never seen; these then teach the rest what this set looks like in this light.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.appearance import ColourModel, log_likelihood_table
from vision.labels import LabelledPiece
from vision.seen import ReadPiece

SURE = 0.65  # confidence of a piece to learn from
LEAST = 4  # fewer sure pieces tell nothing of a table
UNTAUGHT_ROUNDS = 2  # readings after the first one, where nothing has been taught


def sure_labels(pieces: Sequence[ReadPiece]) -> tuple[LabelledPiece, ...]:
    """The pieces that were read surely, as if somebody had labelled them; none where they are few."""
    sure = [
        LabelledPiece(p.kind, p.colour, p.spots, p.foot_px, p.at_mm)
        for p in pieces
        if p.confidence >= SURE and p.spots and p.kind != "die"
    ]
    return tuple(sure) if len(sure) >= LEAST else ()


Paint = Mapping[tuple[str | None, str | None], ColourModel]


def believable(paint: Paint, taught: Paint) -> Paint:
    """Of the paint that a picture's own pieces show what is no other colour's by what was taught: a
    misread piece, or the shadow beside it, must not teach its name another paint."""
    pooled = {colour: model for (kind, colour), model in taught.items() if kind is None}
    if not pooled or not paint:
        return paint
    samples = np.array([model.bgr for model in paint.values()])
    logs = log_likelihood_table(samples, list(pooled.values()))
    own = {colour: c for c, colour in enumerate(pooled)}
    return {
        look: model
        for (look, model), row in zip(paint.items(), logs, strict=True)
        if look[1] not in own or row[own[look[1]]] >= row.max()
    }
