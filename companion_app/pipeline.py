"""The eyes at work: frames in, views with observations out; the same for the app and ``watch``.

Per frame: the pose is kept, motion and change over the rim are measured, stillness is worked out.
The detector runs only on still views, at the moments when something may be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from companion_app.sight import View
from engine.board import Board
from engine.observation import CellView, Observation
from engine.placement import Placement
from engine.verdict import Message
from vision.change import View as Rectified
from vision.change import ChangeMap, MotionMeter, compare, grid_of, view_of
from vision.eyes import Eyes, Glance
from vision.labels import LabelledPiece
from vision.pose_keeper import Finder, Kept, PoseKeeper
from vision.settle import Settle, SettleTimes, Stillness
from vision.sources import FrameSource
from vision.types import Frame, Image

READ_TIMEOUT_S = 0.5
READ_AGAIN_S = 1.0  # a still table is read again so often: one wrong reading must not stay
SPOT_CHANGED = 0.06  # share of full change on a spot that counts as a changed look
DARK, BRIGHT = 18.0, 245.0  # mean grey levels beyond which nothing can be read
PROBLEMS = {
    "lost": "The board is not in the picture. Show the whole board to the camera.",
    "dark": "It is too dark to see the pieces. Switch on a light.",
    "bright": "The picture is too bright. Turn the lamp away or close a curtain.",
}


@dataclass(frozen=True, slots=True, eq=False)
class Learning:
    """How the pieces' looks are learnt: from the first still view as this placement, or not."""

    placement: Placement | None


def labels_of(placement: Placement) -> tuple[LabelledPiece, ...]:
    """A known placement as labels; pieces off the board are left out."""
    return tuple(
        LabelledPiece(info.kind, info.colour, spots) for info, spots in placement if spots
    )


class TablePipeline:
    """Follows one source.  ``close`` may be called from another thread."""

    def __init__(
        self,
        source: FrameSource,
        eyes: Eyes,
        find: Finder,
        learning: Learning,
        times: SettleTimes | None = None,
    ) -> None:
        self._source = source
        self._eyes = eyes
        self._keeper = PoseKeeper(find, eyes.board.size_mm)
        self._learning = learning
        self._settle = Settle(times or SettleTimes())
        self._times = times or SettleTimes()
        self._motion = MotionMeter()
        self._grid = grid_of(eyes.board)
        self._calm: Rectified | None = None  # the last settled view
        self._glance: Glance | None = None
        self._observation: Observation | None = None
        self._read_at_s = float("-inf")
        self._closed = False

    @property
    def board(self) -> Board:
        """The board that is watched."""
        return self._eyes.board

    def close(self) -> None:
        """Lets go of the source; ``views`` ends soon."""
        self._closed = True
        self._source.close()

    def views(self) -> Iterator[View]:
        """One view per frame until the source ends."""
        self._source.open()
        try:
            while not self._closed:
                frame = self._source.read(READ_TIMEOUT_S)
                if frame is not None:
                    yield self.see(frame)
                elif not self._source.live:
                    return
        finally:
            self._source.close()
'''
'''
