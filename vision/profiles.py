"""Outlines of turned pieces in millimetres: learnt from known pieces, compared with unknown ones.

A turned piece is a stack of discs.  Its silhouette from anywhere follows from their radii by height:
so what one picture shows of a set's king tells kings from queens in another one, from another side
and height.  Heights of one picture share one error, that of its pose: it is fitted with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import to_crop
from vision.looks import LEVEL_STEP_MM, Profile
from vision.pixel_evidence import Evidence
from vision.silhouettes import OwnerMap, camera_centre_mm
from vision.types import BoardPose, FloatArray

Points = NDArray[np.float64]
Look = tuple[str, str | None]

STEP_MM = 1.5  # of the patch about a foot, square to the line of sight
ACROSS = STEP_MM * np.arange(-10, 11)
ALONG = STEP_MM * np.arange(-10, 40)
LEVELS = 40  # of a profile's discs
RADII_MM = np.arange(0.0, 13.0, 0.5)
RIM = 12  # points on a disc's rim
CLIP = 2.5  # log-odds of a pixel
SCALES = (0.88, 0.92, 0.96, 1.0, 1.04, 1.08, 1.13)
SCALE_SIGMA = 0.06  # natural log: how far off the heights of one picture may be together
SHIFTS = (-3, -1, 0, 1, 3)  # steps by which a foot may be misplaced
PER_MM2 = 0.06  # neighbouring pixels err alike
FIT_MOST = 5.0
TURNED = frozenset({"pawn"})  # shape classes that have the same outline from all sides
STAND_IN_SHARE = 0.5  # what the outline of a kind that was not seen yet tells counts so much
PAINTS = 2  # likeliest colours of a thing that are compared


@dataclass(frozen=True, slots=True, eq=False)
class _Views:
    """How N pieces are seen from the camera: sine and cosine of the elevation, distance in mm.

    ``grid``: (N, h, w, 2) image px of the patches' points.
    """

    sine: Points
    cosine: Points
    distance_mm: Points
    grid: Points


def _views(pose: BoardPose, at_mm: Points) -> _Views:
    camera = camera_centre_mm(pose)
    way = camera[None] - np.column_stack([at_mm, np.zeros(len(at_mm))])
    distance = np.linalg.norm(way, axis=1)
    flat = np.maximum(np.linalg.norm(way[:, :2], axis=1), 1e-6)
    sine, cosine = np.abs(way[:, 2]) / distance, flat / distance
    toward = way[:, :2] / flat[:, None]
    across = np.column_stack([-toward[:, 1], toward[:, 0], np.zeros(len(at_mm))])
    up = np.column_stack([-toward * sine[:, None], cosine])
    points = (
        np.column_stack([at_mm, np.zeros(len(at_mm))])[:, None, None]
        + ALONG[None, :, None, None] * up[:, None, None]
        + ACROSS[None, None, :, None] * across[:, None, None]
    )
    grid = pose.to_image(points.reshape(-1, 3)).reshape(*points.shape[:3], 2)
    return _Views(sine, cosine, distance, grid)


def _patches(
    evidence: Evidence,
    grid: Points,
    colours: Sequence[str | None],
    owners: OwnerMap | None,
    things: Sequence[int],
) -> FloatArray:
    """(N, C, h, w) log-odds of each colour about N things; 0 where others hide them."""
    n, h, w, _ = grid.shape
    at = to_crop(grid.reshape(-1, 2), evidence.crop).astype(np.float32).reshape(n * h, w, 2)
    rows = [
        cv2.remap(evidence.colours[c], at, None, cv2.INTER_LINEAR, borderValue=0.0).reshape(n, h, w)
        for c in colours
    ]
    values = np.clip(np.stack(rows, axis=1), -CLIP, CLIP)
    if owners is not None:
        front = owners.at(grid.reshape(-1, 2)).reshape(n, h, w)
        # What stands behind it hides nothing of a piece.
        own = owners.distance_mm[np.asarray(things)][:, None, None]
        mine = (front < 0) | (np.append(owners.distance_mm, np.inf)[front] >= own)
        values *= mine[:, None]
    return np.asarray(values, np.float32)


def learn_profiles(
    evidence: Evidence,
    pose: BoardPose,
    owners: OwnerMap,
    pieces: Sequence[tuple[str, str | None, int]],
    at_mm: Points,
) -> dict[str, Profile]:
    """Profiles by kind.  ``pieces``: (kind, colour, number of the thing in ``owners``) that stand
    at (N, 2) mm."""
    by_kind: dict[str, list[int]] = defaultdict(list)
    for row, (kind, colour, _) in enumerate(pieces):
        if colour in evidence.colours:
            by_kind[kind].append(row)
    views = _views(pose, at_mm)
    found = {}
    for kind, rows in by_kind.items():
        total = np.zeros((LEVELS, len(RADII_MM), RIM))
        for row in rows:
            _, colour, thing = pieces[row]
            patch = _patches(evidence, views.grid[row : row + 1], [colour], owners, [thing])[0, 0]
            total += _on_rims(patch, views.sine[row], views.cosine[row], views.distance_mm[row])
        radii = _largest(total / len(rows))
        if (radii > 0).sum() >= 4:
            found[kind] = Profile(radii)
    return found


def _on_rims(patch: FloatArray, sine: float, cosine: float, distance: float) -> Points:
    """(LEVELS, R, RIM) log-odds on the rims of all discs that a piece may have."""
    z = (np.arange(LEVELS) + 0.5) * LEVEL_STEP_MM
    nearer = 1 / (1 - z * sine / distance)
    turn = np.arange(RIM) * 2 * np.pi / RIM
    x = (nearer[:, None, None] * RADII_MM[None, :, None]) * np.cos(turn)
    y = (nearer * z * cosine)[:, None, None] + (
        nearer[:, None, None] * RADII_MM[None, :, None] * sine
    ) * np.sin(turn)
    at = np.stack([(x - ACROSS[0]) / STEP_MM, (y - ALONG[0]) / STEP_MM], axis=-1).astype(np.float32)
    values = cv2.remap(
        patch, at.reshape(LEVELS, -1, 2), None, cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=-CLIP,
    )  # fmt: skip
    return np.asarray(values.reshape(x.shape), np.float64)


def _largest(rims: Points) -> FloatArray:
    """(LEVELS,) radius of the largest disc at every height that shows the piece everywhere."""
    least = np.minimum.accumulate(rims.min(axis=2), axis=1)
    inside = least > 0
    count = inside.sum(axis=1)
    radii = np.zeros(LEVELS, np.float32)
    for k, n in enumerate(count):
        if n == 0:
            continue
        low = least[k, n - 1]
        high = least[k, n] if n < len(RADII_MM) else -CLIP
        radii[k] = RADII_MM[n - 1] + (RADII_MM[1] - RADII_MM[0]) * low / max(low - high, 1e-6)
    # What stands on air is none of the piece.
    gaps = np.flatnonzero(radii == 0)
    for gap in gaps:
        if radii[:gap].any() and not radii[gap : gap + 2].any():
            radii[gap:] = 0
            break
    return radii


def with_stand_ins(
    known: Mapping[str, Profile], stated_mm: Mapping[str, tuple[float, float]]
) -> dict[str, Profile]:
    """The profiles, and for kinds that were not seen yet that of the known kind nearest in height,
    made as much taller and wider as the board file says.

    ``stated_mm``: by kind height and width of the board file, of known and unknown kinds.
    """
    found = dict(known)
    models = [k for k in known if k in stated_mm]
    for kind, (height, width) in stated_mm.items():
        if kind in known or not models:
            continue
        near = min(models, key=lambda k: abs(np.log(stated_mm[k][0] / height)))
        radii = known[near].radii_mm
        taller, wider = height / stated_mm[near][0], width / stated_mm[near][1]
        levels = np.arange(LEVELS) + 0.5
        own = np.interp(levels / taller, np.arange(len(radii)) + 0.5, radii, right=0.0)
        found[kind] = Profile(np.asarray(wider * own, np.float32))
    return found


def silhouettes(
    profile: Profile, scale: float, sine: Points, cosine: Points, distance: Points
) -> FloatArray:
    """(N, h, w) how far every point of N patches lies within a piece's outline, 0 to 1.

    ``scale``: of its height.
    """
    own = np.flatnonzero(profile.radii_mm > 0)
    z = (own + 0.5) * LEVEL_STEP_MM * scale
    nearer = 1 / (1 - z * (sine / distance)[:, None])
    r = profile.radii_mm[own] * nearer
    deep = np.maximum(r * sine[:, None], 0.5)
    off = (ALONG[:, None] - (nearer * z * cosine[:, None])[:, None]) / deep[:, None]
    width = r[:, None] * np.sqrt(np.maximum(1 - off**2, 0))
    half = width.max(axis=2, initial=0.0)[:, :, None]
    inside = (half - np.abs(ACROSS)) / STEP_MM + 0.5
    return np.asarray(np.clip(inside, 0, 1) * (half > 0), np.float32)


def _moved(patch: FloatArray) -> FloatArray:
    """(S, h * w) a patch (h, w) as it is under every shift of its foot."""
    most = max(SHIFTS)
    wide = cv2.copyMakeBorder(patch, most, most, most, most, cv2.BORDER_REPLICATE)
    h, w = patch.shape
    rows = [wide[most + y : most + y + h, most + x : most + x + w] for y in SHIFTS for x in SHIFTS]
    return np.stack(rows).reshape(len(rows), -1)


def _best(patch: FloatArray, outlines: FloatArray) -> Points:
    """(M,) log-odds that a patch shows each of M outlines (M, h, w) rather than the ground."""
    sums = _moved(patch) @ outlines.reshape(len(outlines), -1).T
    return np.asarray(sums.max(axis=0) * (PER_MM2 * STEP_MM**2), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """What N things are compared with: their views and patches (N, C, h, w), and the kinds."""

    views: _Views
    patches: FloatArray
    profiles: Sequence[Profile]

    def outlines(self, rows: Sequence[int], scale: float) -> FloatArray:
        """(N, K, h, w) of the kinds at the things ``rows``."""
        v, own = self.views, np.asarray(rows, np.intp)
        return np.stack(
            [
                silhouettes(p, scale, v.sine[own], v.cosine[own], v.distance_mm[own])
                for p in self.profiles
            ],
            axis=1,
        )

    def paints(self, i: int) -> list[int]:
        """The likeliest colours of a thing, by what lies about its foot."""
        middle = self.patches[i, :, len(ALONG) // 5 : len(ALONG) // 2, 8:13].mean(axis=(1, 2))
        return [int(c) for c in np.argsort(-middle)[:PAINTS]]

    def common_scale(self, sure: Sequence[int]) -> float:
        """By how much the heights of this picture differ from those that were learnt."""
        gains = np.array([-0.5 * (np.log(s) / SCALE_SIGMA) ** 2 for s in SCALES])
        patches = [self.patches[i, self.paints(i)[0]] for i in sure]
        outlines = np.stack([self.outlines(sure, s) for s in SCALES], axis=1)
        for patch, own in zip(patches, outlines, strict=True):
            best = _best(patch, own.reshape(-1, *patch.shape))
            gains += best.reshape(len(SCALES), -1).max(axis=1)
        return SCALES[int(np.argmax(gains))]


def _doubted(scores: Points, guessed: Sequence[bool]) -> Points:
    """(K,) the scores of one thing, those of guessed outlines drawn towards the others' mean."""
    if not any(guessed):
        return scores
    known = scores[~np.asarray(guessed)]
    middle = float((known if len(known) else scores).mean())
    return np.where(guessed, middle + STAND_IN_SHARE * (scores - middle), scores)


def profile_log_odds(
    evidence: Evidence,
    pose: BoardPose,
    owners: OwnerMap,
    profiles: Mapping[str, Profile],
    at_mm: Points,
    sure: Sequence[int],
    looks: Sequence[Look],
    things: Sequence[int] | None = None,
    stand_ins: frozenset[str] = frozenset(),
) -> dict[Look, Points]:
    """(N,) log-odds per look, against the mean over the kinds of its colour.

    ``sure``: the things that tell by how much the heights of this picture are off.  ``things``: the
    numbers in ``owners`` of those at ``at_mm`` (default: 0 to N - 1).  ``stand_ins``: kinds whose
    outline is only guessed.
    """
    groups: dict[str | None, list[str]] = defaultdict(list)
    for kind, colour in looks:
        if kind in profiles and colour in evidence.colours:
            groups[colour].append(kind)
    # Guesses alone tell nothing: at least one kind of the colour must have been seen.
    groups = {
        c: kinds
        for c, kinds in groups.items()
        if len(kinds) > 1 and not stand_ins.issuperset(kinds)
    }
    if not groups or not len(at_mm):
        return {}
    kinds = list(dict.fromkeys(k for g in groups.values() for k in g))
    views = _views(pose, at_mm)
    patches = _patches(
        evidence, views.grid, list(groups), owners, range(len(at_mm)) if things is None else things
    )
    table = _Table(views, patches, [profiles[k] for k in kinds])
    scale = table.common_scale(sure)
    found = {(k, c): np.zeros(len(at_mm)) for c, names in groups.items() for k in names}
    outlines = table.outlines(range(len(at_mm)), scale)
    for i in range(len(at_mm)):
        for c in table.paints(i):
            colour, names = list(groups.items())[c]
            scores = _best(patches[i, c], outlines[i])[[kinds.index(k) for k in names]]
            scores = _doubted(scores, [n in stand_ins for n in names])
            scores = np.maximum(scores - scores.max(), -FIT_MOST)
            scores -= np.log(np.exp(scores).mean())
            for name, value in zip(names, scores, strict=True):
                found[name, colour][i] = value
    return found
