"""What one picture whose truth nobody has told teaches of itself, by its surest pieces.

The network, the board file's sizes and names of colours are enough to read most pieces of a table
that was never seen; these then teach the rest what this set looks like in this light.
"""

from __future__ import annotations

from collections.abc import Sequence

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
