"""Which folder may import what (docs/design.md): no windows in the rules or the eyes."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def imported(folder: str) -> dict[str, set[str]]:
    """Top-level names that each file of a folder imports."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / folder).rglob("*.py"):
        names: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {a.name.split(".")[0] for a in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add((node.module or "").split(".")[0])
        found[str(path.relative_to(ROOT))] = names
    assert found
    return found


@pytest.mark.parametrize("folder", ["engine", "vision", "calibration", "models"])
def test_there_are_no_windows_outside_the_app(folder: str) -> None:
    assert {p for p, names in imported(folder).items() if "kivy" in names} == set()


def test_the_rules_need_the_standard_library_only() -> None:
    known = {*sys.stdlib_module_names, "engine", "__future__"}
    others = {p: names - known for p, names in imported("engine").items()}
    assert {p: names for p, names in others.items() if names} == {}


def test_the_eyes_know_neither_rules_nor_app() -> None:
    used = {p for p, names in imported("vision").items() if "companion_app" in names}
    assert used == set()
