"""Takes a game out of the app: the record, a text, a picture, a report for the developers."""

from __future__ import annotations

import contextlib
import json
import platform
import time
import zipfile
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from companion_app import texts
from companion_app.recall import Remembered
from companion_app.review import Review, ScoreLine, won_by
from companion_app.store import Store
from companion_app.texts import game_title, show, t
from engine.errors import BoardwardenError


def export_path(store: Store, name: str, ending: str) -> Path:
    """A new file in the folder of exports; raises BoardwardenError where none can be made."""
    try:
        store.exports.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BoardwardenError(t("export.no_folder", folder=str(store.exports))) from error
    path, n = store.exports / f"{name}.{ending}", 1
    while path.exists():
        n += 1
        path = store.exports / f"{name}-{n}.{ending}"
    return path


def export_text(store: Store, name: str, looked_back: Review) -> Path:
    """Scores with their reasons and all moves, as plain text."""
    target = export_path(store, name, "txt")
    saved(target, lambda: target.write_text(as_text(looked_back), "utf-8"))
    return target


def as_text(looked_back: Review) -> str:
    """The game in words, in the chosen language."""
    names = {p.colour: p.name for p in looked_back.header.players}
    out = [game_title(looked_back.header.game), ", ".join(names.values())]
    if looked_back.winner:
        out.append(show(won_by(looked_back.winner)))
    last = looked_back.moments[-1].numbers
    out += ["", *(f"{names.get(c, c)}: {number}" for c, number in last.items())]
    out += ["", t("review.scores")]
    out += [_score_text(line, names) for line in looked_back.lines]
    if looked_back.caught:
        out += ["", t("review.caught")]
        for caught in looked_back.caught:
            who, rule = (
                names.get(caught.player or "", ""),
                f" ({caught.rule})" if caught.rule else "",
            )
            out.append(f"- {_round(caught.round)}{who}: {texts.show(caught.text)}{rule}")
    if looked_back.remarks:
        out += [
            "",
            t("review.notes"),
            *(f"- {_round(r.round)}{r.text}" for r in looked_back.remarks),
        ]
    out += ["", t("review.moves")]
    out += [f"- {_round(m.round)}{texts.show(m.text)}" for m in looked_back.moments]
    return "\n".join(out) + "\n"


def _round(number: int | None) -> str:
    return "" if number is None else f"{t('table.round', n=number)}: "


def _score_text(line: ScoreLine, names: dict[str, str]) -> str:
    point = line.point
    change = "" if point.change is None else f" {point.change:+d}"
    rule = f" ({point.rule})" if point.rule else ""
    return f"- {_round(line.round)}{names.get(point.player, point.player)}{change}: {texts.show(point.why)}{rule}"


def export_report(
    store: Store, name: str, record: bytes, seen: Sequence[Remembered], settings: dict[str, Any]
) -> Path:
    """A package about a dispute: the record, the last pictures with their readings, versions.

    Made only when the users ask for it; it stays on this device until they send it themselves.
    """
    target = export_path(store, f"{name}-report", "zip")

    def write() -> None:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("record.jsonl", record)
            package.writestr("about.json", json.dumps(_about(settings), indent=1))
            for n, moment in enumerate(seen):
                stem = f"seen/{n:03}-{moment.t_s:.2f}s"
                package.writestr(f"{stem}.jpg", moment.jpeg)
                if moment.reading is not None:
                    package.writestr(f"{stem}.json", json.dumps(moment.reading, default=str))

    saved(target, write)
    return target


def _about(settings: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": _version("boardwarden"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "libraries": {n: _version(n) for n in ("kivy", "numpy", "opencv-python", "onnxruntime")},
        "made": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "settings": {k: settings.get(k) for k in ("language", "text", "contrast", "calm")},
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "?"


def saved(target: Path, write: Callable[[], object]) -> None:
    """Writes a file of the users' own; raises BoardwardenError where the disk refuses, and leaves
    no half of it."""
    try:
        write()
    except OSError as error:
        with contextlib.suppress(OSError):
            target.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise BoardwardenError(t("export.failed", path=str(target), reason=reason)) from error
