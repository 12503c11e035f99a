"""The eyes in a process of their own: what they see comes over, whatever happens to them."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion_app import eyes_process
from companion_app.device import open_handles
from companion_app.eyes_process import ProcessPipeline
from companion_app.sight import Glimpse, PipelineRequest, View
from engine.board import Board
from engine.errors import BoardwardenError
from engine.game import Header
from engine.placement import Placement
from engine.verdict import Message
from tests.app.fakes import ListPipeline, view
from vision.sources.words import told


class EchoPipeline(ListPipeline):
    """Writes down what is accepted into the file that the request names as source."""

    def __init__(self, out: Path) -> None:
        super().__init__([view(0.1), view(0.2, hand=True)], block=True)
        self.out = out

    def accepted(self, placement: Placement) -> None:
        self.out.write_text(str(len(placement.pieces)))


def echo(request: PipelineRequest) -> EchoPipeline:
    return EchoPipeline(Path(str(request.source)))


def three(request: PipelineRequest) -> ListPipeline:
    return ListPipeline([view(0.1), view(0.2), view(0.3, hand=True)])


def cut(request: PipelineRequest) -> ListPipeline:
    pipeline = three(request)
    pipeline.ending = Message("source.cut_off", "the film breaks off", {"read": "1.0"})
    return pipeline


def broken(request: PipelineRequest) -> ListPipeline:
    raise told("source.missing", n=7)


class DyingPipeline(ListPipeline):
    def views(self) -> Iterator[View]:
        yield view(0.1)
        time.sleep(0.2)
        os._exit(3)  # as a crash inside a library would


def dying(request: PipelineRequest) -> DyingPipeline:
    return DyingPipeline([])


@pytest.fixture
def request_of(board: Board, header: Header, tmp_path: Path) -> PipelineRequest:
    return PipelineRequest(str(tmp_path / "told"), board, header)


def test_glimpses_come_over_with_picture_and_reading(request_of: PipelineRequest) -> None:
    seen = list(ProcessPipeline(request_of, three).views())
    assert [g.hand for g in seen] == [False, False, True]
    assert all(isinstance(g, Glimpse) for g in seen)
    assert seen[0].preview is not None and seen[0].preview.size == (640, 360)
    assert seen[0].observation is not None and seen[0].observation.t_s == 0.1


def test_a_source_that_cannot_be_opened_says_so_in_its_own_words(
    request_of: PipelineRequest,
) -> None:
    with pytest.raises(BoardwardenError, match="there is no camera 7") as found:
        list(ProcessPipeline(request_of, broken).views())
    assert (found.value.key, found.value.params) == ("source.missing", {"n": 7})


def test_a_crash_of_the_eyes_is_an_error_and_not_the_app_s_end(request_of: PipelineRequest) -> None:
    with pytest.raises(BoardwardenError, match="started anew"):
        list(ProcessPipeline(request_of, dying).views())


def test_what_is_accepted_is_told_and_close_ends_the_process(
    request_of: PipelineRequest, board: Board, tmp_path: Path
) -> None:
    pipeline = ProcessPipeline(request_of, echo)
    seen = []
    for glimpse in pipeline.views():
        seen.append(glimpse)
        if len(seen) == 2:
            pipeline.accepted(Placement({"giant": ("h11",)}, {}))
            told = tmp_path / "told"
            end = time.monotonic() + 30
            while not (told.exists() and told.read_text()) and time.monotonic() < end:
                time.sleep(0.01)
            assert told.read_text() == "1"
            pipeline.close()
    assert len(seen) == 2
    assert not any(child.name == "eyes" for child in multiprocessing.active_children())


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_eyes_that_were_closed_hold_no_handles(request_of: PipelineRequest) -> None:
    def once() -> None:
        pipeline = ProcessPipeline(request_of, three)
        held.append(pipeline)  # as something that still hangs in a driver may hold it
        views = pipeline.views()
        next(views)
        pipeline.close()
        pipeline.close()
        views.close()

    held: list[ProcessPipeline] = []
    once()  # the first process also starts a watcher of its own
    before = open_handles()
    for _ in range(3):
        once()
    assert open_handles() == before


def test_the_eyes_can_be_kept_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    assert eyes_process.wanted()
    monkeypatch.setenv(eyes_process.OFF_VARIABLE, "thread")
    assert not eyes_process.wanted()
    monkeypatch.delenv(eyes_process.OFF_VARIABLE)
    monkeypatch.setenv("ANDROID_ARGUMENT", "x")
    assert not eyes_process.wanted()


def test_what_a_source_says_at_its_end_comes_over(request_of: PipelineRequest) -> None:
    whole, short = ProcessPipeline(request_of, three), ProcessPipeline(request_of, cut)
    for pipeline in (whole, short):
        assert len(list(pipeline.views())) == 3
        pipeline.close()
    assert whole.ending is None
    assert short.ending is not None
    assert (short.ending.key, short.ending.params) == ("source.cut_off", {"read": "1.0"})
