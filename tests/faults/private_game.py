"""A whole game in the app, with taps, eyes and looking back, for others to watch what it touches.

``python -m tests.faults.private_game FOLDER SECONDS``: the recorded film is the camera.  Prints a
JSON line per stage; the last stage turns the spectators' page on, which is the only one that may use
the network.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import companion_app.app  # noqa: F401  (first, so that Kivy is set up as in the app)
from companion_app.demo_game import FILM, PICTURE, demo_folder
from companion_app.snapshot import Light
from companion_app.table_setup import TableSetup
from companion_app.taps import Do
from companion_app.texts import t
from engine.action import Action
from tests.app.driver import PLAYERS, Driver, open_apps

KINDS = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6", "udplite", "icmp", "packet")


def stage(name: str, **figures: object) -> None:
    """Tells what has been done, and which sockets this network holds now."""
    audit = Path(os.environ["BOARDWARDEN_AUDIT"])
    lines = len(audit.read_bytes().splitlines()) if audit.exists() else 0
    print(
        json.dumps({"stage": name, "audited": lines, "sockets": sockets(), **figures}), flush=True
    )


def sockets() -> list[str]:
    """Open sockets of the network that this process lives in, as the kernel lists them."""
    found = []
    for kind in KINDS:
        try:
            rows = Path(f"/proc/self/net/{kind}").read_text().splitlines()[1:]
        except OSError:
            continue
        found += [f"{kind} {' '.join(row.split()[:4])}" for row in rows]
    return found


def play(user: Driver, seconds: float) -> None:
    folder = demo_folder()
    user.begin(TableSetup(PLAYERS, str(folder / FILM), reference=folder / PICTURE))
    user.lay(6, 9)
    user.until(lambda: user.shown.camera.light in (Light.LOOK, Light.HAND))
    stage("seeing")
    end = time.monotonic() + seconds
    while time.monotonic() < end and user.shown.camera.text.key != "camera.ended":
        user.frames(1)
    stage("watched", lines=user.shown.lines_written)
    user.drag("shield/green", "d9")
    user.drag("wizard/green", "a20")
    near = {"pieces": {"wizard/green": "g4"}, "energy": {"green": 18}}
    user.app.session.post(
        Do(Action(None, "correct", {**near, "items": {"green": ["amulet", "stone", "ring"]}}))
    )
    user.until(lambda: user.shown.table.seat("green").number == 18)
    user.app.on_pause()
    user.app.on_resume()
    if user.shown.table.to_act == "green":
        user.drag("wizard/green", "start")
        user.frames(10)


def main(home: Path, seconds: float) -> None:
    apps = open_apps(home)
    user = next(apps)()
    stage("started")
    play(user, seconds)
    stage("played", winner=user.shown.table.winner)
    user.app.go("review")
    user.until(lambda: user.app.page("review").ready)
    for tab in ("curve", "caught", "replay", "notes"):
        user.app.page("review").show_tab(tab)
        user.frames(3)
    user.app.change(volume=0.5)
    stage("looked back", files=files_in(home))
    user.tap(user.app.page("review").ids.report)
    user.frames(3)
    stage("report", files=files_in(home))
    user.app.offer_page("127.0.0.1")
    stage("page on", url=user.app.spectators.url)
    user.app.close_page()
    user.app.leave_table()
    user.frames(3)
    assert t("start.new")
    stage("left")
    apps.close()


def files_in(home: Path) -> list[str]:
    return sorted(str(p.relative_to(home)) for p in home.rglob("*") if p.is_file())


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
