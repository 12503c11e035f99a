"""Ruins: the best set of footprints, with what is remembered of the last view."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from engine.board import Board
from engine.observation import Candidate, SeenPiece
from vision.bodies import Bodies
from vision.footprints import Footprint, choose_footprints, score_footprints, wall_cells
from vision.pixel_evidence import Evidence
from vision.seen import ReadPiece, logistic
from vision.shapes import shape_of
from vision.silhouettes import camera_centre_mm
from vision.things import IN_WALL, Look, Things
from vision.types import BoardPose
from vision.walls import cover_shares, wall_support

# Log-odds of staying where one was; walls are the hardest to read.
STAY_WALL, STAY_UNCHANGED = 1.5, 8.0
# From log-odds to the share of right readings, fitted to the development pictures.
WALL_SLOPE, WALL_BASE = 1.2, 4.4
WALL_CHANGED, CHANGE_WEIGHT = 0.2, 4.0  # change on a cell where a wall came or went


def read_ruins(
    things: Things,
    pose: BoardPose,
    board: Board,
    counts: Mapping[Look, int],
    evidence: Evidence | None,
    bodies: Bodies | None = None,
) -> tuple[list[ReadPiece], Look | None]:
    """The ruins of one picture, and the look that they have in the inventory (None: no ruins).

    ``bodies``: the other pieces, where they are known by now.
    """
    look = next((k for k in counts if shape_of(k[0], board) == "l_wall"), None)
    if look is None:
        return [], None
    cells = wall_cells(board)
    support = (
        None if evidence is None else wall_support(evidence, pose, board, cells, look[0], bodies)
    )
    rows = score_footprints(
        board,
        things.detections,
        things.at_mm,
        things.covariance,
        support,
        camera_centre_mm(pose)[:2],
        cover_shares(things.detections, pose, board, cells, bodies),
    )
    if bodies is not None:
        rows = _without_pieces(rows, bodies)
    rows = _with_memory(rows, things, look)
    chosen = choose_footprints(rows, counts[look])
    return [_ruin(f, rows, chosen, look, pose, board) for f in chosen], look


def _without_pieces(rows: list[Footprint], bodies: Bodies) -> list[Footprint]:
    """Pieces rarely stand among walls."""
    shared = [replace(r, score=r.score + IN_WALL * len(bodies.spots & set(r.cells))) for r in rows]
    return sorted(shared, key=lambda f: -f.score)


def _with_memory(rows: list[Footprint], things: Things, look: Look) -> list[Footprint]:
    """Footprints where a wall is expected gain, much if little has changed there; a wall can only
    have come to where most cells have changed."""
    home = [frozenset(p) for p in things.expected.get(look, ())]
    if not home:
        return rows
    altered = frozenset(c for c, v in (things.changed or {}).items() if v > WALL_CHANGED)
    kept = []
    for row in rows:
        cells = frozenset(row.cells)
        if cells in home:
            still = things.changed is not None and 2 * len(cells & altered) < len(cells)
            kept.append(replace(row, score=row.score + (STAY_UNCHANGED if still else STAY_WALL)))
        elif things.changed is None:
            kept.append(row)
        elif 2 * len(cells & altered) > len(cells):
            share = sum(things.changed.get(c, 0.0) for c in cells)
            kept.append(replace(row, score=row.score + CHANGE_WEIGHT * share))
    return sorted(kept, key=lambda f: -f.score)


def _ruin(
    own: Footprint,
    rows: list[Footprint],
    chosen: list[Footprint],
    look: Look,
    pose: BoardPose,
    board: Board,
) -> ReadPiece:
    """A ruin with the other footprints that would have fitted its place."""
    elsewhere = {c for f in chosen if f is not own for c in f.cells}
    rivals = [
        f for f in rows
        if f is not own and set(f.cells) & set(own.cells) and not set(f.cells) & elsewhere
    ][:4]  # fmt: skip
    total = sum(math.exp(min(f.score, 30)) for f in [own, *rivals])
    candidates = tuple(Candidate(*look, f.cells, f.score - math.log(total)) for f in [own, *rivals])
    middle = np.mean([board.centres[c] for c in own.cells], axis=0)
    foot = pose.to_image(middle[None])[0]
    share = math.exp(min(own.score, 30)) / total
    sure = share * logistic(WALL_SLOPE * own.score + WALL_BASE)
    at, px = (float(middle[0]), float(middle[1])), (float(foot[0]), float(foot[1]))
    seen = SeenPiece(at, (4.0, 0.0, 4.0), px, candidates, sure)
    return ReadPiece(look[0], look[1], own.cells, at, px, sure, seen)
