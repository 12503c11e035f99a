"""Lists what this installation is made of: packages with versions and licences, and the models."""

from __future__ import annotations

import argparse
import json

from companion_app.parts import as_cyclonedx, parts_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden sbom``."""
    parser.add_argument(
        "--json", action="store_true", help="print a CycloneDX 1.6 bill of materials as JSON"
    )


def run(options: argparse.Namespace) -> int:
    """Prints one line per part."""
    parts = parts_of()
    if options.json:
        print(json.dumps(as_cyclonedx(parts), indent=1))
        return 0
    for part in parts:
        print(f"{part.name:20} {part.version:18} {part.licence}")
    return 0
