"""Pictures of all screens: ``python -m tests.app.pictures [FOLDER] [--language en] [--size 1280x800]``.

Plays through ``tests.app.scenes`` in a window of its own (offscreen where there is no screen) and
writes one JPEG per scene; without arguments those of the documentation, into ``docs/pictures``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import tests.app.conftest  # noqa: F401  (sets Kivy up without touching the user's settings)

DOCS = Path(__file__).resolve().parents[2] / "docs" / "pictures"
# What the documentation shows besides English in landscape.
ALSO = (
    ("de", (1280, 800), ("refusal", "scores", "settings")),
    ("fr", (1280, 800), ("cards", "explain", "tour-4")),
    ("en", (800, 1280), ("cards", "refusal", "replay", "new-game")),
)
WIDTH, QUALITY = 960, 82


def save(user, path: Path) -> None:
    """One picture, made smaller."""
    import cv2

    from companion_app.widgets.board_view import BoardView

    user.frames(4)
    boards = [w for w in user.app.root.walk(restrict=False) if isinstance(w, BoardView)]
    user.until(lambda: all(b.painted or b.board is None for b in boards))
    user.frames(4)
    picture = user.picture()
    scale = min(1.0, WIDTH / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DOCS)
    parser.add_argument("--language")
    parser.add_argument("--size")
    options = parser.parse_args()
    from kivy.core.window import Window

    from companion_app.demo_game import demo_folder
    from tests.app.driver import LANDSCAPE, open_apps
    from tests.app.fakes import StillPipeline, view_of
    from tests.app.scenes import scenes

    options.folder.mkdir(parents=True, exist_ok=True)
    seen = [view_of(demo_folder() / "magalon.mp4")]
    opened = open_apps(Path(tempfile.mkdtemp()))
    user = next(opened)(opener=lambda request: StillPipeline(seen))
    size = tuple(int(v) for v in options.size.split("x")) if options.size else LANDSCAPE
    wanted = [(options.language or "en", size, ())] + ([] if options.language or options.size else list(ALSO))  # fmt: skip
    for name in scenes(user):
        for language, shape, only in wanted:
            if only and name not in only:
                continue
            Window.size = shape
            user.app.settle(language)
            user.until(lambda: user.app.manager.current_screen.ready)
            plain = (language, shape) == wanted[0][:2]
            ending = "" if plain else f"-{language}" + ("-portrait" if shape[0] < shape[1] else "")
            save(user, options.folder / f"{name}{ending}.jpg")
        Window.size = LANDSCAPE
        user.app.settle("en")
        user.until(lambda: user.app.manager.current_screen.ready)
        user.frames(4)
    next(opened, None)


if __name__ == "__main__":
    main()
