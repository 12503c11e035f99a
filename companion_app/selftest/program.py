"""The program itself: libraries, models, boards, texts, window."""

from __future__ import annotations

import importlib
import json
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
from importlib import metadata
from pathlib import Path

from companion_app.selftest.checks import NotTried, Wanted
from companion_app.texts.catalogue import APP, LANGUAGES, catalogue
from companion_app.texts.gaps import english_of, missing
from engine.board import REFERENCE, load_board
from engine.errors import BoardwardenError
from models import MODELS, model_path

ROOT = Path(__file__).resolve().parents[2]
AGAIN = "install Boardwarden again"
# Names of the packages whose import shows whether the system libraries they need are there.  Kivy
# is tried by the check of the window.
IMPORTED = {"opencv-python": "cv2", "numpy": "numpy", "onnxruntime": "onnxruntime"}
SYSTEM = {"opencv-python": "on Debian and Ubuntu: apt-get install libgl1 libglib2.0-0"}
MOST_MB = 5.0
WINDOW_S = 120.0
_REQUIREMENT = re.compile(r"^([\w.\-]+)[^>=;]*(?:>=\s*([\d.]+))?[^;]*$")


def libraries(wanted: Wanted) -> str:
    """Every required package is there, new enough, and opens."""
    found = [f"Python {platform.python_version()}"]
    for requirement in requirements():
        match = _REQUIREMENT.match(requirement.strip())
        if match is None:
            continue
        name, least = match.group(1), match.group(2) or "0"
        version = _version(name)
        if version is None:
            raise BoardwardenError(f"the package {name} is missing: pip install {name}")
        if numbers(version) < numbers(least):
            raise BoardwardenError(
                f"{name} {version} is too old, {least} is needed: pip install --upgrade {name}"
            )
        _open(name)
        found.append(f"{name} {version}")
    return ", ".join(found)


def requirements() -> list[str]:
    """What the installed program asks for, extras left out."""
    try:
        return [r for r in metadata.requires("boardwarden") or [] if "extra ==" not in r]
    except metadata.PackageNotFoundError:  # out of its folder
        pass
    try:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        return list(project["project"]["dependencies"])
    except (OSError, ValueError, KeyError):
        raise BoardwardenError(
            "nothing tells which packages are needed: ./start or pip install . installs them"
        ) from None


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _open(name: str) -> None:
    try:
        importlib.import_module(IMPORTED.get(name, "engine"))
    except ImportError as error:
        remedy = SYSTEM.get(name, f"pip install --force-reinstall {name}")
        raise BoardwardenError(f"{name} does not open ({error}): {remedy}") from error


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, for comparison: "4.12.0.88" is (4, 12, 0, 88)."""
    parts = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(n) for n in parts.group().split(".")) if parts else ()


def model_files(wanted: Wanted) -> str:
    """Every model file has its recorded SHA-256, and its network opens."""
    from vision.detector import open_backend

    paths = [model_path(name) for name in MODELS]
    size = sum(p.stat().st_size for p in paths) / 1e6
    runner = ""
    for path in paths:
        runner, _ = open_backend(path, None, 1)
    if size > MOST_MB:
        raise BoardwardenError(f"the models take {size:.1f} MB, more than {MOST_MB:g}: {AGAIN}")
    return (
        f"{len(paths)} of {len(paths)} files as recorded (SHA-256), {size:.1f} MB, open in {runner}"
    )


def boards(wanted: Wanted) -> str:
    """The boards that come with the program can be played on."""
    from engine.rooms import ROOMS

    found = []
    for game in sorted(ROOMS):
        board = load_board(REFERENCE, game)
        found.append(f"{game} {len(board.cells)} cells" if len(board.cells) > 1 else game)
    return ", ".join(found)


def texts(wanted: Wanted) -> str:
    """Every text is there in every language."""
    from companion_app.games import face_of

    counts = []
    for language in LANGUAGES:
        count = 0
        for domain in (APP, *face_of.names()):
            gaps = missing(language, domain)
            if gaps:
                raise BoardwardenError(
                    f"{len(gaps)} texts of {domain} are missing in {language}, such as"
                    f" {gaps[0]}: {AGAIN}"
                )
            count += len(english_of(domain) if language == "en" else catalogue(language, domain))
        counts.append(f"{language} {count}")
    return f"texts by language: {', '.join(counts)}; 0 gaps"


def window(wanted: Wanted) -> str:
    """A window opens on this device and shows the first screen; in a process of its own."""
    if not wanted.window:
        raise NotTried("--window opens one for a moment")
    with tempfile.TemporaryDirectory() as home:
        try:
            done = subprocess.run(
                [sys.executable, "-m", "companion_app.selftest.opened_window", home],
                capture_output=True, text=True, timeout=WINDOW_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            done = None
    try:
        told = json.loads(done.stdout.splitlines()[-1]) if done is not None else None
    except (ValueError, IndexError):
        told = None
    if told is None:
        raise BoardwardenError(
            "no window opens here: start it on the tablet's own desktop, and on Debian and Ubuntu"
            " apt-get install libgl1 libegl1 libgl1-mesa-dri libmtdev1"
        )
    return (
        f"first screen after {told['start_s']:.1f} s, {told['frames_per_s']:.0f} frames a second"
        f" at {told['width']}x{told['height']}, {told['memory_mb']:.0f} MB, drawn by {told['renderer']}"
    )
