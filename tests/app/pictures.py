"""Pictures of all screens: ``python -m tests.app.pictures [FOLDER] [--language en] [--size 1280x800]
[--look light] [--only start,cards]``.

Plays through ``tests.app.scenes`` in a window of its own (offscreen where there is no screen) and
writes one JPEG per scene; without arguments those of the documentation, into ``docs/pictures``, with
``docs/screens.md``, the page that shows them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path

import tests.app.conftest  # noqa: F401  (sets Kivy up without touching the user's settings)

DOCS = Path(__file__).resolve().parents[2] / "docs" / "pictures"
# What the documentation shows besides English in landscape.
ALSO = (
    ("de", (1280, 800), ("refusal", "scores", "settings")),
    ("fr", (1280, 800), ("cards", "explain", "tour-4")),
    ("en", (800, 1280), ("cards", "refusal", "replay", "new-game", "carcassonne")),
)
WIDTH, QUALITY = 960, 82
CAPTIONS = {
    "start": "Start: the game that waits, a new one, past games, boards, settings",
    "start-again": "Start, with a game that waits",
    "demos": "Which recorded game shall be shown",
    "new-game": "A new game: what was chosen last time is offered again",
    "rules": "Switches of the rules",
    "join": "Joining a game that runs already",
    "camera": "Setting the camera up: in words, what to do next",
    "cards": "The table: cards are laid with a tap",
    "turn": "What is left to do in a turn",
    "refusal": "A refused move, with its rule and the way back",
    "explain": "The refusal explained, and three ways out",
    "moves": "Possible moves, when asked",
    "menu": "The menu lies beside the board",
    "dice": "The giant's dice",
    "question": "A question: one tap answers",
    "differs": "Where the table and the drawing differ",
    "note": "A note for later",
    "scores": "Looking back: every point with its reason",
    "curve": "The curve of the game",
    "caught": "What was caught",
    "replay": "Replay, with a slider",
    "notes": "Notes",
    "settings": "Settings",
    "games": "Past games",
    "boards": "Boards",
    "measure": "Measuring a board",
    "tiles": "Learning the print of the owner's own Carcassonne tiles",
    "spectators": "Spectators look on with their own devices, when somebody turns it on",
    "finished": "After the game: every point explained",
    "trouble": "A camera that is missing: what to do stands in place of its picture",
    "carcassonne": "Carcassonne with Mage & Witch",
    "tour-1": "The tour of a first start, in five pictures",
    "tour-2": "Cards",
    "tour-3": "Moves",
    "tour-4": "A move that is not allowed",
    "tour-5": "Corrections",
    "hexagon": "Das Magische Hexagon",
    "grailnah": "Grailnah",
}


def save(user, path: Path) -> None:
    """One picture, made smaller."""
    import cv2

    from companion_app.games.carcassonne.tile_textures import TEXTURES
    from companion_app.widgets.board_view import BoardView

    user.frames(4)
    user.until(lambda: not TEXTURES.painting)
    boards = [w for w in user.app.root.walk(restrict=False) if isinstance(w, BoardView)]
    user.until(lambda: all(b.painted or b.board is None for b in boards))
    user.frames(4)
    picture = user.picture()
    scale = min(1.0, WIDTH / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def write_page(folder: Path, page: Path) -> None:
    """A page that shows all pictures of a folder, those of a scene together, in the scenes' order."""
    from tests.app.scenes import SCENES

    lines = ["# The screens", "", "Written by `python -m tests.app.pictures`; the texts on them are checked by", "`tests/app/test_window_screens.py` in three languages and three sizes.", ""]  # fmt: skip
    for name in SCENES:
        files = [folder / f"{name}.jpg", *sorted(folder.glob(f"{name}-??*.jpg"))]
        shown = [f for f in files if f.is_file() and not _of_another(f.stem, name, SCENES)]
        if shown:
            lines += [f"## {CAPTIONS.get(name, name)}", ""]
            lines += [f"![{f.stem}]({f.relative_to(page.parent).as_posix()})" for f in shown] + [""]
    page.write_text("\n".join(lines), "utf-8")


def _of_another(stem: str, name: str, scenes: Iterable[str]) -> bool:
    """Whether a picture belongs to a scene whose name begins with this one's."""
    longer = (n for n in scenes if n != name and n.startswith(name))
    return any(stem == n or stem.startswith(f"{n}-") for n in longer)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DOCS)
    parser.add_argument("--language")
    parser.add_argument("--size")
    parser.add_argument(
        "--look",
        choices=("light", "contrast", "huge", "strong"),
        help="other than usual; strong: contrast and huge",
    )
    parser.add_argument("--only", type=lambda names: names.split(","), help="names of scenes")
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
    looks = {
        "light": {"light": True}, "contrast": {"contrast": True}, "huge": {"text": "huge"},
        "strong": {"text": "huge", "contrast": True},
    }  # fmt: skip
    user.app.change(**looks.get(options.look, {}))
    for name in scenes(user):
        if options.only and name not in options.only:
            continue
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
    if options.folder == DOCS and not options.only:
        write_page(DOCS, DOCS.parent / "screens.md")


if __name__ == "__main__":
    main()
