"""Observations as JSON lines: what the eyes saw can be kept and shown to the referee again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.errors import BoardwardenError
from engine.observation import Candidate, CellView, Observation, SeenPiece


def observation_to_json(observation: Observation) -> dict[str, Any]:
    """One observation as a JSON object; lengths in mm and px, times in s, rounded to 0.001."""
    o = observation
    line = {
        "t": round(o.t_s, 3),
        "pose": o.pose_found,
        "hand": o.hand,
        "still_s": round(o.still_s, 3),
        "cells": {spot: view.value for spot, view in sorted(o.cells.items())},
        "changed": None if o.changed is None else sorted(o.changed),
        "pieces": [_piece_to_json(p) for p in o.pieces],
    }
    if o.strength:
        line["strength"] = {spot: round(v, 3) for spot, v in sorted(o.strength.items())}
    return line


def observation_from_json(value: Mapping[str, Any]) -> Observation:
    """The inverse; raises BoardwardenError for anything else."""
    try:
        changed = value["changed"]
        return Observation(
            float(value["t"]),
            bool(value["pose"]),
            bool(value["hand"]),
            tuple(_piece_from_json(p) for p in value["pieces"]),
            {str(k): CellView(v) for k, v in value["cells"].items()},
            None if changed is None else frozenset(str(c) for c in changed),
            float(value["still_s"]),
            {str(s): float(v) for s, v in value.get("strength", {}).items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BoardwardenError(f"this is no recorded observation: {error!r}") from error


def read_recording(lines: Iterable[Mapping[str, Any]]) -> Iterator[Observation]:
    """Observations of a recording, one JSON object each."""
    return (observation_from_json(line) for line in lines)


def _piece_to_json(piece: SeenPiece) -> dict[str, Any]:
    return {
        "at_mm": [round(v, 3) for v in piece.at_mm],
        "covariance_mm2": [round(v, 3) for v in piece.covariance_mm2],
        "foot_px": [round(v, 3) for v in piece.foot_px],
        "confidence": round(piece.confidence, 3),
        "off_centre": round(piece.off_centre, 3),
        "pips": [round(v, 3) for v in piece.pips],
        "candidates": [
            [c.kind, c.colour, list(c.spots), round(c.log_prob, 3)] for c in piece.candidates
        ],
    }


def _piece_from_json(value: Mapping[str, Any]) -> SeenPiece:
    x, y = value["at_mm"]
    xx, xy, yy = value["covariance_mm2"]
    u, v = value["foot_px"]
    candidates = tuple(
        Candidate(str(kind), colour, tuple(spots), float(log_prob))
        for kind, colour, spots, log_prob in value["candidates"]
    )
    if not candidates:
        raise ValueError("a seen piece needs a candidate")
    return SeenPiece(
        (float(x), float(y)), (float(xx), float(xy), float(yy)), (float(u), float(v)), candidates,
        float(value["confidence"]), float(value["off_centre"]),
        tuple(float(p) for p in value["pips"]),
    )  # fmt: skip
