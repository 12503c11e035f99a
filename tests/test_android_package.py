"""buildozer.spec: what can be checked of it without building."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# Recipes of python-for-android 2026.5 that are used here, and packages that are pure Python.
RECIPES = {"python3", "kivy", "numpy", "opencv", "pyjnius", "android"}
PURE = {"polib", "segno", "filetype"}
# Left out on Android, each with its reason in docs/design.md or docs/android.md.
LEFT_OUT = {"onnxruntime", "reportlab"}


@pytest.fixture(scope="module")
def spec() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(ROOT / "buildozer.spec", "utf-8")
    return parser["app"]


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def test_only_recipes_that_exist_and_pure_python_are_asked_for(spec) -> None:
    wanted = {r.partition("==")[0] for r in listed(spec["requirements"])}
    assert wanted <= RECIPES | PURE
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [line.partition(">=")[0] for line in project["dependencies"]]
    names = {"opencv-python": "opencv"}
    assert {names.get(n, n) for n in needed} - LEFT_OUT <= wanted


def test_permissions_and_orientations(spec) -> None:
    assert {"CAMERA", "INTERNET", "WAKE_LOCK"} <= set(listed(spec["android.permissions"]))
    assert {"landscape", "portrait"} <= set(listed(spec["orientation"]))
    assert int(spec["android.minapi"]) >= 26  # SurfaceTexture(boolean)


def test_every_file_that_the_app_needs_is_taken_along(spec) -> None:
    endings = set(listed(spec["source.include_exts"]))
    left_out = tuple(f"{d}/" for d in listed(spec["source.exclude_dirs"]))
    files = [ROOT / "main.py"]
    for folder in ("engine", "vision", "calibration", "models", "companion_app"):
        files += [p for p in (ROOT / folder).rglob("*") if p.is_file()]
    needed = [
        name
        for name in (str(f.relative_to(ROOT)) for f in files)
        if not name.startswith(left_out) and "__pycache__" not in name and "py.typed" not in name
    ]
    assert len(needed) > 200
    assert [f for f in needed if Path(f).suffix.lstrip(".") not in endings] == []


def test_the_version_is_found(spec) -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    found = re.search(spec["version.regex"], project)
    assert found and re.fullmatch(r"\d+\.\d+\.\d+", found.group(1))


def test_nothing_of_the_app_needs_what_is_left_out_to_start() -> None:
    """Every import of onnxruntime and reportlab stands inside a function or under its own module."""
    found = []
    for path in (
        *ROOT.glob("vision/**/*.py"),
        *ROOT.glob("companion_app/**/*.py"),
        *ROOT.glob("engine/**/*.py"),
    ):
        for line in path.read_text("utf-8").splitlines():
            if re.match(r"(import|from) (onnxruntime|reportlab)\b", line):
                found.append(f"{path.relative_to(ROOT)}: {line}")
    assert found == []
