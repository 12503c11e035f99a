"""What the program is made of: bounds, reasons, lock, licences, bill of materials."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from companion_app.cli import main
from companion_app.parts import Part, as_cyclonedx, licence_of, name_of, parts_of
from companion_app.selftest.program import numbers
from models import MODELS

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED, FOR_TESTS = PROJECT["dependencies"], PROJECT["optional-dependencies"]["test"]
BOUND = re.compile(r"([\w\-]+)>=(\d+(?:\.\d+){2,})")
FREE = re.compile(r"MIT|BSD|Apache|ISC|PSF|MPL|HPND|Zlib|LGPL|Lesser|Public Domain", re.IGNORECASE)
MOST_DIRECT = 8


@pytest.mark.parametrize("requirement", [*NEEDED, *FOR_TESTS])
def test_every_package_has_an_exact_lower_bound_and_a_reason(requirement: str) -> None:
    match = BOUND.fullmatch(requirement)
    assert match, (
        f"{requirement}: write NAME>=1.2.3, the lowest version that scripts/lowest.sh passes with"
    )
    table = (ROOT / "docs" / "design.md").read_text("utf-8").partition("## Dependencies")[2]
    assert re.search(rf"^\|[^|]*\b{re.escape(match[1])}\b", table, re.MULTILINE), (
        f"{match[1]}: no reason"
    )


def test_there_are_few() -> None:
    assert len(NEEDED) <= MOST_DIRECT


@pytest.mark.parametrize("requirement", [*NEEDED, *FOR_TESTS])
def test_the_lock_holds_a_version_that_is_allowed_with_its_hashes(requirement: str) -> None:
    name, least = BOUND.fullmatch(requirement).groups()  # type: ignore[union-attr]
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    entries = re.findall(
        rf"^{name}==([\d.]+)[^\n]*\\\n((?:    --hash=sha256:[0-9a-f]{{64}}.*\n)+)",
        lock,
        re.MULTILINE,
    )
    assert entries, f"{name} is not in requirements.lock: run scripts/lock.sh"
    assert all(numbers(version) >= numbers(least) for version, _ in entries)


def test_every_part_has_a_free_licence() -> None:
    odd = [
        (p.name, p.licence) for p in parts_of() if not FREE.search(p.licence) or "AGPL" in p.licence
    ]
    assert odd == []


def test_the_bill_of_materials_names_everything_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sbom", "--json"]) == 0
    bill = json.loads(capsys.readouterr().out)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    refs = [c["bom-ref"] for c in (bill["metadata"]["component"], *bill["components"])]
    assert len(refs) == len(set(refs))
    assert {d["ref"] for d in bill["dependencies"]} == set(refs)
    assert all(set(d["dependsOn"]) <= set(refs) for d in bill["dependencies"])
    names = {c["name"] for c in bill["components"]}
    assert {name_of(r) for r in NEEDED} <= names
    models = [c for c in bill["components"] if c["type"] == "machine-learning-model"]
    assert len(models) == len(MODELS)
    manifest = json.loads((ROOT / "models" / "manifest.json").read_text("utf-8"))
    assert {m["hashes"][0]["content"] for m in models} == {m["sha256"] for m in manifest.values()}


def test_a_part_that_needs_another_says_so() -> None:
    parts = [
        Part("boardwarden", "1", "MIT", "application", ("a",)),
        Part("a", "2", "MIT", needs=("b", "c")),
        Part("b", "3", "MIT"),
    ]
    graph = {d["ref"]: d["dependsOn"] for d in as_cyclonedx(parts)["dependencies"]}
    assert graph == {
        "pkg:pypi/boardwarden@1": ["pkg:pypi/a@2"],
        "pkg:pypi/a@2": ["pkg:pypi/b@3"],
        "pkg:pypi/b@3": [],
    }


class Fields(dict):
    def get_all(self, name: str) -> list[str]:
        return self.get(f"all {name}", [])


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        (Fields({"License-Expression": "MIT", "License": "other"}), "MIT"),
        (Fields({"License": "BSD\n License"}), "BSD License"),
        (
            Fields(
                {
                    "License": "x" * 900,
                    "all Classifier": ["License :: OSI Approved :: MIT License", "Topic :: x"],
                }
            ),
            "MIT License",
        ),
        (Fields({"License": "UNKNOWN"}), "unknown"),
    ],
)
def test_licences_are_read_from_where_packages_tell_them(fields: Fields, licence: str) -> None:
    assert licence_of(fields) == licence
