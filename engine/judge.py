"""Judges a whole record: the lines of ``boardwarden judge``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.game import Judgement
from engine.record import Game, read_record
from engine.verdict import Status


def judge_record(path: str | Path) -> Iterator[dict[str, Any]]:
    """One object per action line, then one with ``scores``, ``winner`` and ``state``.

    Raises BoardwardenError (RecordError, BoardFileError, PositionError) at once for a bad header,
    and RecordError after everything that could be read of a damaged record.
    """
    record = read_record(path)
    game = Game.begin(record.header, folder=Path(path).parent)
    for line, action in zip(record.lines, record.actions, strict=True):
        game, judgement = game.do(action)
        yield {"line": line, **verdict_object(judgement)}
    yield {
        "scores": game.room.scores(game.state),
        "winner": game.room.winner(game.state),
        "state": game.room.position(game.state),
    }
    if record.error is not None:
        raise record.error


def verdict_object(judgement: Judgement) -> dict[str, Any]:
    """``verdict``, ``rule``, ``cells`` and ``message``; ``choices`` where there is a question."""
    said = [judgement.message.text, judgement.pending.text, *(n.text for n in judgement.notes)]
    out: dict[str, Any] = {
        "verdict": judgement.status.value,
        "rule": judgement.rule,
        "cells": list(judgement.cells),
        "message": " ".join(text for text in said if text),
    }
    if judgement.status is Status.AMBIGUOUS:
        out["choices"] = [
            {"text": c.text.text, "actions": [a.to_json() for a in c.actions]}
            for c in judgement.choices
        ]
    return out
