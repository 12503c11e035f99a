"""The eyes at work: frames in, views with observations out; the same for the app and ``watch``.

Per frame the pose is kept, and motion and change over the rim tell when the table is still.  The
detector runs only on still views, at the moments when something may be judged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from calibration.standing import Standing, standing_of
from companion_app.device import remembered_threads
from companion_app.lenses import forget_lens, known_lenses
from companion_app.sight import PipelineRequest, View
from companion_app.source_words import source_message
from engine.board import Board
from engine.observation import CellView, Observation
from engine.placement import Placement
from engine.verdict import Listed, Message
from vision.detector import Detector
from vision.eyes import Eyes, Glance, board_reference
from vision.faint import Faintness
from vision.labels import labels_of
from vision.named_colours import other_colours
from vision.reading import inventory_counts
from vision.scene import Scene, SceneWatch
from vision.settle import SettleTimes
from vision.sources import FrameSource, open_source
from vision.sources.base import SourceKind, SourceState
from vision.types import BoardPose, Frame

READ_TIMEOUT_S = 0.5
LOOK_S = 0.25  # stillness before the detector is asked whether a hand is in
READ_AGAIN_S = 1.0  # a still table is read again so often: one wrong reading must not stay
LATE_S = 0.15  # a film in real time skips frames that are later than this
SPOT_CHANGED = 0.06  # share of full change on a spot that counts as a changed look
DARK, BRIGHT = 16.0, 247.0  # mean grey levels of the picture beyond which nothing can be read
BLANK = Frame(np.zeros((360, 640, 3), np.uint8), 0.0, 0)
PROBLEMS = {
    "dark": "It is too dark to see the pieces: switch on a light.",
    "bright": "The picture is too bright: turn the lamp away or close a curtain.",
    "lens": "This camera or its zoom has changed: its lens is measured anew from the board. For the"
    " best result run boardwarden calibrate again.",
    "lens_size": "This camera's lens was measured in pictures of {measured}, and these have {size}: set the"
    " camera to {measured}, or run boardwarden calibrate again.",
    "moved": "The board has moved: hold still for a moment.",
    "colours": "The pieces on the table look {colours}: check whether the right colours were chosen for"
    " the players.",
    "faint": "The {colours} pieces hardly stand out from the board: I may overlook them. Give more or other"
    " light, or bring the camera nearer.",
    "lost": "The board is not to be seen: show all of it to the camera.",
}


def _ending(state: SourceState) -> Message | None:
    """What a source that has ended could not give, None when all was there."""
    return source_message(state.sentence, state.key, state.params) if state.sentence else None


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One run of the detector on a still view."""

    quiet_s: float
    glance: Glance
    observation: Observation
    under_hand: frozenset[str]


class TablePipeline:
    """Follows one source.  ``close`` may be called from another thread.

    ``learn_from``: the placement that the first still view shows, to learn the pieces' looks from;
    None when ``eyes`` have learnt them already.  ``board``: to tell how the camera stands to it.
    ``on_lens_dropped``: called once when the calibrated lens is not this camera's any more.
    """

    def __init__(
        self,
        source: FrameSource,
        eyes: Eyes,
        scene: SceneWatch,
        learn_from: Placement | None = None,
        realtime: bool = False,
        board: Board | None = None,
        on_lens_dropped: Callable[[], None] | None = None,
    ) -> None:
        self._board = board
        self._on_lens_dropped = on_lens_dropped
        self._told_lens_until = 0.0
        self._told_lens_size: tuple[int, int] | None = None
        self._colours: Message | None = None  # said of pieces that look like other players' ones
        self._told_colours_until = 0.0
        self._faintness = Faintness()
        self._faint: Message | None = None  # said of pieces that can hardly be seen
        self._told_faint_until = 0.0
        self._stood: tuple[BoardPose, Standing] | None = None
        self._source = source
        self._eyes = eyes
        self._scene = scene
        self._learn_from = learn_from
        if learn_from is not None:
            self._faintness.stand(labels_of(learn_from))
        self._realtime = realtime
        self._times = SettleTimes()
        self._look: _Look | None = None
        self._changed: dict[str, float] = {}  # greatest change since the game last went on
        self._newest: Frame | None = None
        self._closed = False
        self.ending: Message | None = None  # see ``Pipeline``

    def close(self) -> None:
        """Lets go of the source; ``views`` ends soon."""
        self._closed = True
        self._source.close()

    def accepted(self, placement: Placement) -> None:
        """The game has gone on: this is where the pieces stand now.  From any thread."""
        self._eyes.expect(placement)
        self._faintness.stand(labels_of(placement))
        self._changed = {}
        self._scene.keep()

    def told_corner(self, at: tuple[float, float]) -> None:
        """Somebody has pointed at the board's upper left corner, (0, 0) to (1, 1) of the picture.  From
        any thread."""
        self._eyes.told_corner(at)

    def views(self) -> Iterator[View]:
        """One view per frame until the source ends; a film runs at its own speed in real time."""
        self._source.open()
        started: float | None = None
        try:
            while not self._closed:
                frame = self._source.read(READ_TIMEOUT_S)
                if frame is None and not self._source.live:
                    self.ending = _ending(self._source.state)
                    return
                if frame is None or self._stands_still():
                    if (view := self._trouble()) is not None:
                        yield view
                    continue
                if self._realtime and not self._source.live:
                    started = time.monotonic() - frame.t_s if started is None else started
                    ahead = started + frame.t_s - time.monotonic()
                    if ahead < -LATE_S:
                        continue
                    time.sleep(max(0.0, ahead))
                yield self.see(frame)
        finally:
            self._source.close()

    def _stands_still(self) -> bool:
        """Whether a live source gives the same picture for ever: that shows nothing of the table."""
        return self._source.live and self._source.state.kind is SourceKind.STALLED

    def see(self, frame: Frame) -> View:
        """Takes the next frame."""
        self._newest = frame
        net = self._look
        scene = self._scene.update(
            frame,
            0.0 if net is None else net.glance.hand_area,
            frozenset() if net is None else net.under_hand,
        )
        pose, still = scene.tracked.pose, scene.stillness
        if scene.tracked.event == "moved":
            # From another place everything that stands up looks changed.
            self._scene.accept()
        unlit = _light_problem(frame, pose) is not None
        if pose is None or not scene.tracked.steady or still.quiet_s < LOOK_S or unlit:
            self._look = None
            return self._view(frame, scene, None)
        if scene.change is not None and not still.hand:
            hidden = scene.change.under_hand
            for spot, strength in scene.change.spots.items():
                if strength > self._changed.get(spot, 0.0) and spot not in hidden:
                    self._changed[spot] = strength
        if net is None or self._due(net, scene):
            net = self._look = self._read(frame, pose, still.quiet_s, scene)
        if net is None:
            return self._view(frame, scene, None)
        if (net.glance.hand or still.hand) and not still.resting:
            return self._view(frame, scene, None)
        observation = self._observation(net, frame, scene)
        view = self._view(frame, scene, observation)
        if still.ready_legal:
            self._scene.accept()
        return view

    def _due(self, look: _Look, scene: Scene) -> bool:
        """A fresh look when a judgement becomes possible, and now and then on a still table."""
        still = scene.stillness
        marks = (self._times.legal_s, self._times.refusal_s)
        passed = any(look.quiet_s < m <= still.quiet_s for m in marks)
        return passed or still.quiet_s - look.quiet_s >= READ_AGAIN_S

    def _read(self, frame: Frame, pose: BoardPose, quiet_s: float, scene: Scene) -> _Look | None:
        known = None if scene.change is None else self._known_change()
        glance = self._eyes.look(frame.image, pose, known)
        still = scene.stillness
        learn = self._learn_from is not None and still.ready_legal and not glance.hand
        if learn and self._learn_from is not None:
            labels = labels_of(self._learn_from)
            self._eyes.enrol(frame.image, pose, labels, glance.detections)
            self._check_colours(self._learn_from, frame.t_s)
            self._learn_from = None
            glance = self._eyes.look(frame.image, pose)
        elif self._learnt_later(frame, pose, glance, scene):
            glance = self._eyes.look(frame.image, pose, known)
        observation = self._eyes.observation(frame.image, glance, frame.t_s, still.still_s)
        under = frozenset(s for s, v in observation.cells.items() if v is CellView.HAND)
        # Only where the game has gone on in this very view is it known that all stands as it thinks.
        since = self._scene.since_kept()
        if since is not None and self._learn_from is None and not glance.hand and not still.hand:
            self._check_faint(observation, since.spots)
        return _Look(quiet_s, glance, observation, under)

    def _learnt_later(self, frame: Frame, pose: BoardPose, glance: Glance, scene: Scene) -> bool:
        """Whether kinds were learnt that have come to the board since the game began: from a still
        view that shows what the game knows."""
        if self._learn_from is not None or glance.hand or scene.stillness.hand:
            return False
        since = self._scene.since_kept()
        if since is None:
            return False
        return self._eyes.learn_later(frame.image, pose, glance, since.spots)

    def _known_change(self) -> dict[str, float]:
        """Greatest change of the spots since the game last went on; what looks as it did then has not
        changed, though something was there and was put back."""
        since = self._scene.since_kept()
        if since is None:
            return self._changed
        now = since.spots
        return {s: min(v, now.get(s, v)) for s, v in self._changed.items()}

    def _check_colours(self, start: Placement, t_s: float) -> None:
        """The pieces may have other colours than the players were given: then that is told."""
        board = self._eyes.board
        # Which colours play is what can be mistaken: a colour that others share is none of a player.
        sets = {i.colour for i in board.inventory if i.kind in PLAYED and i.colour}
        named = sorted({i.colour for i, _ in start if i.colour in sets and i.colour})
        others = other_colours(self._eyes.enrolment, named, sets)
        if others:
            seen = Listed(tuple(others.get(c, c) for c in named), "and")
            words = PROBLEMS["colours"].format(colours=" and ".join(seen.values))
            self._colours = Message("sight.colours", words, {"colours": seen})
            self._told_colours_until = t_s + COLOURS_S

    def _check_faint(self, view: Observation, changed: Mapping[str, float]) -> None:
        """Pieces of some colour may hardly stand out from the board: then that is told, once."""
        faint = self._faintness.look(view, changed)
        if faint:
            colours = Listed(faint, "and")
            words = PROBLEMS["faint"].format(colours=colours)
            self._faint = Message("sight.faint", words, {"colours": colours})
            self._told_faint_until = view.t_s + COLOURS_S

    def _observation(self, look: _Look, frame: Frame, scene: Scene) -> Observation:
        """The look's observation as of this frame, with what has changed and what a hand hides."""
        still = scene.stillness
        hidden = dict.fromkeys(still.hidden, CellView.HAND) if still.resting else {}
        changed = None if scene.change is None else scene.change.changed(SPOT_CHANGED)
        strength = {} if scene.change is None else scene.change.spots
        return replace(
            look.observation,
            t_s=frame.t_s,
            still_s=still.still_s,
            hand=still.hand and not still.resting,
            cells={**look.observation.cells, **hidden},
            changed=changed,
            strength={s: strength[s] for s in changed or ()},
        )

    def _view(self, frame: Frame, scene: Scene, observation: Observation | None) -> View:
        tracked, still = scene.tracked, scene.stillness
        seen = () if self._look is None else self._look.observation.pieces
        hand = still.hand or (self._look is not None and self._look.glance.hand)
        problem = None if observation is not None else self._problem(frame, scene)
        problem = problem or self._lens_news(frame) or self._colour_news(frame)
        pose = tracked.pose if tracked.steady else None
        stands = self._standing(pose, frame)
        return View(frame, pose, observation, hand, still.still_s, problem, seen, stands)

    def _colour_news(self, frame: Frame) -> Message | None:
        """What is told of the pieces' colours, for some seconds."""
        if frame.t_s < self._told_colours_until:
            return self._colours
        return self._faint if frame.t_s < self._told_faint_until else None

    def _lens_news(self, frame: Frame) -> Message | None:
        """Said for some seconds, once, when the calibrated lens was dropped, or suits no such pictures."""
        unfit = getattr(self._scene, "unfit_lens", None)
        size = frame.image.shape[1], frame.image.shape[0]
        if unfit is not None and self._told_lens_size != size:
            self._told_lens_size, self._told_lens_until = size, frame.t_s + LENS_NEWS_S
        if unfit is not None and frame.t_s < self._told_lens_until:
            sizes = {"measured": _size_words(unfit.size), "size": _size_words(size)}
            return Message("sight.lens_size", PROBLEMS["lens_size"].format(**sizes), sizes)
        if self._on_lens_dropped is not None and getattr(self._scene, "lens_dropped", False):
            drop, self._on_lens_dropped = self._on_lens_dropped, None
            drop()
            self._told_lens_until = frame.t_s + LENS_NEWS_S
        if frame.t_s < self._told_lens_until:
            return Message("sight.lens", PROBLEMS["lens"])
        return None

    def _standing(self, pose: BoardPose | None, frame: Frame) -> Standing | None:
        """Measured once per pose."""
        if pose is None or self._board is None:
            return None
        if self._stood is None or self._stood[0] is not pose:
            size = (frame.image.shape[1], frame.image.shape[0])
            self._stood = pose, standing_of(pose, self._board, size)
        return self._stood[1]

    def _problem(self, frame: Frame, scene: Scene) -> Message | None:
        tracked = scene.tracked
        if (unlit := _light_problem(frame, tracked.pose)) is not None:
            return Message(f"sight.{unlit}", PROBLEMS[unlit])
        if tracked.pose is not None and tracked.steady:
            return None
        if tracked.pose is not None:
            return Message("sight.moved", PROBLEMS["moved"])
        if tracked.why is None:
            return Message("sight.lost", PROBLEMS["lost"])
        return source_message(tracked.sentence, tracked.why.key, tracked.why.params)

    def _trouble(self) -> View | None:
        """What a live source without pictures says, with the last picture that there was."""
        state = self._source.state
        if state.kind is SourceKind.OK or not state.sentence:
            return None
        problem = source_message(state.sentence, state.key, state.params)
        return View(self._newest or BLANK, None, None, False, 0.0, problem, ())


LENS_NEWS_S = 8.0
COLOURS_S = 20.0
PLAYED = frozenset({"wizard", "knight"})  # who has such a piece plays


def _size_words(size: tuple[int, int]) -> str:
    return f"{size[0]} × {size[1]}"


def _light_problem(frame: Frame, pose: BoardPose | None) -> str | None:
    """ "dark" or "bright" where nothing can be read: of the board, if it is known where it lies."""
    image = frame.image
    if pose is not None:
        size = np.array(image.shape[1::-1])
        low = np.clip(pose.corners_px.min(0), 0, size - 1).astype(int)
        high = np.clip(pose.corners_px.max(0) + 1, low + 1, size).astype(int)
        image = image[low[1] : high[1], low[0] : high[0]]
    level = float(image[::16, ::16].mean())
    return "dark" if level < DARK else "bright" if level > BRIGHT else None


def open_pipeline(request: PipelineRequest) -> TablePipeline:
    """The pipeline of the app; raises BoardwardenError where source or model can't be opened."""
    if request.header.game == "carcassonne":
        from companion_app.tile_pipeline import open_tile_pipeline

        return open_tile_pipeline(request)
    colours = frozenset(p.colour for p in request.header.players)
    reference = board_reference(request.board, request.reference)
    eyes = Eyes(
        request.board,
        Detector(threads=remembered_threads()),
        reference,
        inventory_counts(request.board, colours),
    )
    if request.placement is not None:
        eyes.know(request.placement)
    return TablePipeline(
        open_source(str(request.source)),
        eyes,
        SceneWatch(
            request.board,
            reference=reference,
            lens=known_lenses(request.source),
            turn=eyes.turn,
        ),
        request.placement,
        request.realtime,
        request.board,
        partial(forget_lens, request.source),
    )
