"""What has changed between two snapshots that players should hear without looking.  No sound here."""

from __future__ import annotations

from dataclasses import dataclass

from companion_app import texts
from companion_app.snapshot import Light, Snapshot
from engine.verdict import Message, Status


@dataclass(frozen=True, slots=True)
class Heard:
    """``tone``: which tone stands for it; ``urgent``: it interrupts what is being said."""

    tone: str
    said: tuple[Message, ...]
    urgent: bool = False


def changes(before: Snapshot | None, after: Snapshot) -> Heard | None:
    """Only what is new, the most important first; None when there is nothing to say."""
    if before is None:
        return Heard("turn", (after.table.headline,)) if after.table.headline.key else None
    if after.table.winner is not None and after.table.winner != before.table.winner:
        return Heard("win", (after.table.headline,), urgent=True)
    sentence = after.sentence
    if sentence is not None and sentence.status is Status.ILLEGAL:
        if before.sentence is None or before.sentence.id != sentence.id:
            return Heard("refused", (sentence.message,), urgent=True)
    question = after.question
    if question is not None and (before.question is None or before.question.id != question.id):
        return Heard("question", (question.text,), urgent=True)
    if after.table.ask is not None and before.table.ask is None:
        return Heard("question", (after.table.ask.text,))
    if after.camera.light is Light.TROUBLE and before.camera.light is not Light.TROUBLE:
        return Heard("trouble", (after.camera.text,))
    scores = _scores(before, after)
    if after.table.headline != before.table.headline:
        return Heard("turn", (*scores, after.table.headline))
    return Heard("score", scores) if scores else None


def _scores(before: Snapshot, after: Snapshot) -> tuple[Message, ...]:
    old = {s.colour: s.number for s in before.table.seats}
    return tuple(
        texts.message("voice.score", player=s.colour, n=s.number)
        for s in after.table.seats
        if s.number is not None and old.get(s.colour) != s.number
    )
