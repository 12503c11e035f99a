"""What the tracker tells the world, and the lines of ``boardwarden watch --json`` for it.

``t_s`` is in seconds of the source.  ``to_json`` gives exactly the objects that the command line
prints, one a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.action import Action
from engine.game import Judgement
from engine.placement import PieceMove
from engine.verdict import Choice, Message, Verdict


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """A verdict to show.  ``replaces``: id of an earlier verdict that this one stands for."""

    id: str
    t_s: float
    verdict: Verdict
    replaces: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The ``verdict`` line; ``action`` is the last action, ``actions`` all when several."""
        v = self.verdict
        line: dict[str, Any] = {
            "t": round(self.t_s, 3),
            "type": "verdict",
            "verdict": v.status.value,
            "id": self.id,
            "player": v.player,
            "action": v.actions[-1].to_json() if v.actions else None,
            "pieces": [_move(m) for m in v.pieces],
            "rule": v.rule,
            "cells": list(v.cells),
            "message": v.message.text or v.pending.text,
            "confidence": round(v.confidence, 3),
        }
        if len(v.actions) > 1:
            line["actions"] = [a.to_json() for a in v.actions]
        if v.way_back:
            line["way_back"] = [_move(m) for m in v.way_back]
        if v.choices:
            line["choices"] = [_choice(c) for c in v.choices]
        if self.replaces is not None:
            line["replaces"] = self.replaces
        return line


@dataclass(frozen=True, slots=True)
class ActionRecorded:
    """An action of the game record; it must be on the disk before anything of it is shown."""

    t_s: float
    action: Action
    judgement: Judgement

    def to_json(self) -> dict[str, Any]:
        """An ``action`` line (the record itself holds ``action.to_json()``)."""
        return {
            "t": round(self.t_s, 3),
            "type": "action",
            "action": self.action.to_json(),
            "notes": [n.text for n in self.judgement.notes],
        }


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A question that stays open until it is answered or the table answers it.

    ``cells``: about what; ``due``: the rules need the answer, nothing was unclear.
    """

    id: str
    t_s: float
    text: Message
    choices: tuple[Choice, ...] = ()
    cells: tuple[str, ...] = ()
    due: bool = False

    def to_json(self) -> dict[str, Any]:
        """The ``question`` line."""
        return {
            "t": round(self.t_s, 3),
            "type": "question",
            "id": self.id,
            "text": self.text.text,
            "choices": [_choice(c) for c in self.choices],
        }


@dataclass(frozen=True, slots=True)
class ScoreChanged:
    """What counts, per player colour."""

    t_s: float
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The ``score`` line."""
        players = {colour: dict(score) for colour, score in self.players.items()}
        return {"t": round(self.t_s, 3), "type": "score", "players": players}


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A refusal, question or pending verdict that has gone without a new one in its place."""

    id: str
    t_s: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The ``withdrawn`` line."""
        return {"t": round(self.t_s, 3), "type": "withdrawn", "id": self.id}


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Somebody has won, or without a ``winner`` the game was drawn."""

    t_s: float
    winner: str | None
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The ``end`` line."""
        players = {colour: dict(score) for colour, score in self.players.items()}
        return {
            "t": round(self.t_s, 3),
            "type": "end",
            "winner": self.winner,
            "players": players,
        }


TrackerEvent = VerdictGiven | ActionRecorded | QuestionAsked | ScoreChanged | Withdrawn | GameEnded


def _spots(spots: tuple[str, ...]) -> str | list[str] | None:
    if not spots:
        return None
    return spots[0] if len(spots) == 1 else list(spots)


def _move(move: PieceMove) -> dict[str, Any]:
    return {"piece": move.piece, "from": _spots(move.origin), "to": _spots(move.to)}


def _choice(choice: Choice) -> dict[str, Any]:
    return {"text": choice.text.text, "actions": [a.to_json() for a in choice.actions]}
