"""Every screen, driven with touches, in three languages and three sizes: pictured and looked over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from kivy.core.window import Window

from companion_app.texts import LANGUAGES
from tests.app.audit import audit, too_small
from tests.app.driver import LANDSCAPE, PORTRAIT, Driver
from tests.app.fakes import StillPipeline, view
from tests.app.scenes import scenes, sheet_of

pytestmark = pytest.mark.window
SIZES = (LANDSCAPE, PORTRAIT, (2560, 1600))
STRONG = {"text": "huge", "contrast": True}
LONG = ("de", "fr")  # English is the shortest


@contextmanager
def undrawn() -> Iterator[None]:
    """Layout goes on, but nothing is drawn, which takes most of the time in a large window."""
    draw = Window.on_draw
    Window.on_draw = lambda *_: None
    try:
        yield
    finally:
        Window.on_draw = draw
        Window.canvas.ask_update()


def looked_over(user: Driver, name: str, language: str, size: tuple[int, int]) -> list[str]:
    """What is wrong with a scene in a language and a size."""
    Window.size = size
    user.app.settle(language)
    with undrawn():
        user.until(lambda: user.app.manager.current_screen.ready)
        user.frames(4)
    where = f"{name} {language} {size[0]}x{size[1]}"
    found = [*audit(user.app.root, sheet_of(user)), *too_small(user.app.root)]
    return [f"{where}: {line}" for line in found]


@pytest.mark.parametrize(
    ("look", "sizes", "languages"), [({}, SIZES, LANGUAGES), (STRONG, SIZES[:2], LONG)]
)
def test_nothing_is_cut_covered_or_too_small_on_any_screen_in_any_language_and_size(
    start,
    look: dict[str, object],
    sizes: tuple[tuple[int, int], ...],
    languages: tuple[str, ...],
) -> None:
    user = start(opener=lambda request: StillPipeline([view(0.1, board=True)]))
    user.app.change(**look)
    wrong = []
    for name in scenes(user):
        for size in sizes:
            for language in languages:
                wrong += looked_over(user, name, language, size)
            user.frames(1)
            picture = user.picture()
            assert picture.shape[:2] == size[::-1]
            assert float(np.std(picture)) > 8, name  # something is to be seen
        Window.size = LANDSCAPE
        user.app.settle("en")
        user.until(lambda: user.app.manager.current_screen.ready)
        user.frames(4)
    assert not wrong, "\n".join(wrong)
