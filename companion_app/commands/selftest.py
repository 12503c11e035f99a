"""Checks this installation and this device; every failure is one sentence with its remedy."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion_app.selftest import program, sight, storage
from companion_app.selftest.checks import Check, Finding, Outcome, Wanted, carry_out
from companion_app.store import default_root

CHECKS: tuple[tuple[str, Check], ...] = (
    ("libraries", program.libraries),
    ("models", program.model_files),
    ("boards", program.boards),
    ("texts", program.texts),
    ("disk", storage.disk),
    ("record", storage.record),
    ("kills", storage.kills),
    ("damage", storage.damaged),
    ("eyes", sight.eyes),
    ("camera", sight.camera),
    ("window", program.window),
    ("page", sight.page),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden selftest``."""
    parser.add_argument("--data", metavar="DIR", help="folder of games to test")
    parser.add_argument("--camera", metavar="SOURCE", help="also try this camera or address")
    parser.add_argument("--window", action="store_true", help="also open a window for a moment")
    parser.add_argument(
        "--page", action="store_true", help="also try the page for spectators, on this device only"
    )
    parser.add_argument("--json", action="store_true", help="print JSON only")


def run(options: argparse.Namespace) -> int:
    """Prints one line per check; exit status 1 where one failed."""
    wanted = Wanted(
        home=Path(options.data) if options.data else default_root(),
        camera=options.camera,
        window=options.window,
        page=options.page,
    )

    def tell(finding: Finding) -> None:
        if not options.json:
            print(finding, flush=True)

    found = carry_out(CHECKS, wanted, tell)
    count = {o: sum(f.outcome is o for f in found) for o in Outcome}
    if options.json:
        print(json.dumps([f.to_json() for f in found]))
    else:
        counts = ", ".join(f"{count[o]} {o.value}" for o in Outcome)
        print(f"{counts}, in {sum(f.took_s for f in found):.0f} s")
    return 1 if count[Outcome.FAILED] else 0
