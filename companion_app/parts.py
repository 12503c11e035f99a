"""What an installation is made of, from the packages' own metadata."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from companion_app.selftest.program import requirements
from models import MODELS, model_path

OWN = "boardwarden"
UNKNOWN = "unknown"
LONGEST_LICENCE = 80
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Part:
    """``kind``: "application", "library" or "machine-learning-model"; ``sha256`` of a model's file;
    ``needs``: names of the parts that it needs itself."""

    name: str
    version: str
    licence: str
    kind: str = "library"
    needs: tuple[str, ...] = ()
    sha256: str = ""


def parts_of() -> list[Part]:
    """The program, every package it needs directly or through others, and the models."""
    found: dict[str, Part] = {}
    names = [name_of(r) for r in requirements()]
    own = Part(OWN, _own_version(), "MIT", "application", tuple(names))
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found or (part := _package(name)) is None:
            continue
        found[name] = part
        waiting += part.needs
    return [own, *sorted(found.values(), key=lambda p: p.name), *(_model(m) for m in MODELS)]


def name_of(requirement: str) -> str:
    """The normalised name of a requirement such as "Kivy>=2.3 ; extra == 'x'"."""
    match = _NAME.match(requirement.strip())
    return re.sub(r"[-_.]+", "-", match.group()).lower() if match else ""


def _package(name: str) -> Part | None:
    """None for what is not installed, such as the parts for other systems."""
    try:
        package = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None
    needs = [name_of(r) for r in package.requires or () if "extra ==" not in r]
    return Part(
        name, package.version, licence_of(package.metadata), needs=tuple(sorted(set(needs)))
    )


def licence_of(fields: Any) -> str:
    """The licence that a package's metadata name: expression, classifiers, or a short text."""
    if expression := fields.get("License-Expression"):
        return str(expression)
    named = [c.split(" :: ")[-1] for c in fields.get_all("Classifier") or () if "License ::" in c]
    text = " ".join(str(fields.get("License") or "").split())
    if text and len(text) <= LONGEST_LICENCE and text.upper() != "UNKNOWN":
        return text
    return " OR ".join(named) or UNKNOWN


def _model(name: str) -> Part:
    path = model_path(name)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Part(path.name, digest[:12], "MIT", "machine-learning-model", sha256=digest)


def _own_version() -> str:
    try:
        return metadata.version(OWN)
    except metadata.PackageNotFoundError:
        return UNKNOWN


def as_cyclonedx(parts: Sequence[Part]) -> dict[str, Any]:
    """A bill of materials in the form of CycloneDX 1.6 (ecma-international.org, ECMA-424)."""
    own, *others = parts
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component(own)},
        "components": [_component(p) for p in others],
        "dependencies": [
            {"ref": _ref(p), "dependsOn": sorted(_ref(q) for q in others if q.name in p.needs)}
            for p in parts
        ],
    }


def _ref(part: Part) -> str:
    if part.kind == "machine-learning-model":
        return f"model:{part.name}"
    return f"pkg:pypi/{part.name}@{part.version}"


def _component(part: Part) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": part.kind,
        "bom-ref": _ref(part),
        "name": part.name,
        "version": part.version,
        "licenses": [{"license": {"name": part.licence}}],
    }
    if part.sha256:
        component["hashes"] = [{"alg": "SHA-256", "content": part.sha256}]
    else:
        component["purl"] = _ref(part)
    return component
