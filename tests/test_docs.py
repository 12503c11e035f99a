"""The documentation points to what exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text("utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_picture_is_shown_somewhere() -> None:
    shown = {Path(link).name for page in PAGES for link in LINK.findall(page.read_text("utf-8"))}
    there = {p.name for p in (ROOT / "docs" / "pictures").iterdir()}
    assert there - shown == set()
