"""Whether the pieces that were learnt look like the colours that were named."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from vision.appearance import prototype
from vision.looks import Enrolment

# A paint is surely another one where its own name is so unlikely, another so much likelier, and that
# one likely at all.  14 start pictures of other tables under lamps of all colours and the film lie well
# apart from it on both sides.
UNLIKE, AHEAD, LIKELY = -6.0, 4.0, -4.5


def other_colours(
    enrolment: Enrolment, named: Iterable[str], known: Collection[str]
) -> dict[str, str]:
    """Named colours whose pieces look like another of the ``known`` ones that nobody has named, with
    that one; names without a usual paint say nothing."""
    given = list(named)
    out = {}
    for colour in given:
        model, own = enrolment.colours.get((None, colour)), prototype(colour)
        if model is None or own is None:
            continue
        paint = np.array(model.bgr, np.float32)
        likely = {
            other: paint_model.log_likelihood(paint)
            for other in sorted({*known, *given} - {colour})
            if (paint_model := prototype(other)) is not None
        }
        best = max(likely, key=lambda c: likely[c], default="")
        score = own.log_likelihood(paint)
        unlike = score <= UNLIKE and bool(best) and likely[best] >= max(LIKELY, score + AHEAD)
        if unlike and best not in given:
            out[colour] = best
    return out
