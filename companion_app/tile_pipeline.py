"""The eyes at work on a growing table of tiles: frames in, views with observations out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion_app.device import remembered_threads
from companion_app.pipeline import SPOT_CHANGED, TablePipeline
from companion_app.sight import PipelineRequest
from companion_app.tile_eyes import TileEyes, TileGlance
from companion_app.tile_lesson import own_tiles
from engine.board import Board
from engine.carcassonne.setup import make_setup
from engine.carcassonne.sight import observation_by
from engine.game import Header
from engine.observation import Observation
from engine.placement import Placement
from engine.rooms import room_for
from vision.detector import Detector
from vision.scene import Scene
from vision.sources import FrameSource, open_source
from vision.tiles.profile import Profile
from vision.tiles.scene import TileScene, spot_of
from vision.types import BoardPose, Frame


@dataclass(frozen=True, slots=True, eq=False)
class _TileLook:
    """One reading of a still view."""

    quiet_s: float
    glance: TileGlance
    observation: Observation
    under_hand: frozenset[str]


class TilePipeline(TablePipeline):
    """Follows one source like `TablePipeline`; what the game expects is told by `accepted`."""

    def __init__(
        self, source: FrameSource, eyes: TileEyes, placement: Placement, realtime: bool = False
    ) -> None:
        self._tile_eyes = eyes
        self._placement = placement
        eyes.expect(placement)
        super().__init__(source, eyes, TileScene(eyes.sight), None, realtime)  # type: ignore[arg-type]

    def accepted(self, placement: Placement) -> None:
        """The game has gone on: this is what lies and stands where now.  From any thread."""
        self._placement = placement
        super().accepted(placement)

    def _read(  # type: ignore[override]
        self, frame: Frame, pose: BoardPose, quiet_s: float, scene: Scene
    ) -> _TileLook | None:
        glance = self._tile_eyes.look(frame.image)
        if glance is None:
            return None
        under = frozenset(spot_of(p) for p in glance.under_hand)
        return _TileLook(quiet_s, glance, self._report(glance, frame, scene), under)

    def _observation(self, look: _TileLook, frame: Frame, scene: Scene) -> Observation:  # type: ignore[override]
        return self._report(look.glance, frame, scene)

    def _report(self, glance: TileGlance, frame: Frame, scene: Scene) -> Observation:
        still = scene.stillness
        changed = None if scene.change is None else scene.change.changed(SPOT_CHANGED)
        table = self._tile_eyes.table(
            glance, frame.t_s, still.hand and not still.resting, still.still_s, changed,
            still.hidden if still.resting else (),
        )  # fmt: skip
        return observation_by(table, self._placement)


def open_tile_pipeline(request: PipelineRequest) -> TilePipeline:
    """The pipeline of the app for Carcassonne; raises BoardwardenError."""
    room = room_for(request.header.game)
    placement = request.placement or room.placement(room.start(request.header, request.board))
    own = own_tiles()
    return tile_pipeline(
        open_source(str(request.source)), request.board, request.header, placement,
        request.realtime, own if own.exists() else None,
    )  # fmt: skip


def tile_pipeline(
    source: FrameSource, board: Board, header: Header, placement: Placement,
    realtime: bool = False, profile: Path | None = None,
    corners_px: NDArray[np.float64] | None = None,
) -> TilePipeline:  # fmt: skip
    """The pipeline of a game of Carcassonne; raises BoardwardenError for a damaged model or profile."""
    eyes = TileEyes(
        make_setup(header), Detector(threads=remembered_threads()), board,
        None if profile is None else Profile.load(profile), corners_px,
    )  # fmt: skip
    return TilePipeline(source, eyes, placement, realtime)
