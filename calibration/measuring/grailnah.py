"""The steps by which an owner measures the board of Grailnah."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calibration.measuring.lines import guess_even, ring_profile
from calibration.measuring.rings import GOAL, RingsDraft
from calibration.measuring.step import (
    CellsStep,
    Number,
    Said,
    Shape,
    SizeStep,
    Spot,
    Step,
    cell_shapes,
    spot_at,
)
from engine.geometry import Point
from vision.types import Image

SIZE_MM = (500.0, 500.0)
RINGS, SECTORS = 6, 24
MOST_RINGS, MOST_SECTORS = 16, 60
GRIP_MM = 12.0
LEAST_RING_MM = 5.0


def begin(picture: Image | None, size_mm: tuple[float, float] = SIZE_MM) -> RingsDraft:
    """The first draft: the centre in the middle of the face."""
    return RingsDraft(size_mm, (size_mm[0] / 2, size_mm[1] / 2))


class RingsStep(Step[RingsDraft]):
    """Two taps: the edge of the centre, and the outer edge of the last ring."""

    name = "rings"

    def __init__(self, picture: Image | None = None) -> None:
        self._picture = picture

    def prompt(self, draft: RingsDraft) -> Said:
        return Said(
            "measure.rings_done" if draft.rings else
            "measure.rings_outer" if draft.radii else "measure.rings_inner"
        )  # fmt: skip

    def tap(self, draft: RingsDraft, at: Point) -> RingsDraft:
        radius = draft.radius_of(at)
        if draft.rings or radius < LEAST_RING_MM:
            return draft
        if not draft.radii:
            return replace(draft, radii=(radius,))
        low, high = sorted((draft.radii[0], radius))
        if high - low < LEAST_RING_MM:
            return draft
        rings: int | None = None
        guess: tuple[int, float] | None = None
        if self._picture is not None:
            profile, around = ring_profile(self._picture, draft.size_mm, draft.centre)
            rings = guess_even(profile, low, high, MOST_RINGS)
            guess = guess_sectors(around)
        sectors, turn = guess or (SECTORS, 0.0)
        draft = replace(draft, radii=(low, high), turn_deg=turn)
        return _ringed(draft, rings or RINGS, sectors)

    def numbers(self, draft: RingsDraft) -> tuple[Number, ...]:
        return (Number("rings", draft.rings, 1, MOST_RINGS),) if draft.rings else ()

    def change(self, draft: RingsDraft, name: str, value: int) -> RingsDraft:
        return _ringed(draft, value, draft.sectors[-1] if draft.sectors else SECTORS)

    def drag(self, draft: RingsDraft, path: tuple[Point, ...]) -> RingsDraft:
        """Moves the centre, or a circle; the outermost and innermost take the others along."""
        start, end = draft.radius_of(path[0]), draft.radius_of(path[-1])
        if start < GRIP_MM:
            return replace(draft, centre=path[-1])
        near = sorted(range(len(draft.radii)), key=lambda i: abs(draft.radii[i] - start))
        if not near or abs(draft.radii[near[0]] - start) > GRIP_MM:
            return draft
        radii = list(draft.radii)
        radii[near[0]] = end
        if near[0] in (0, len(radii) - 1) and radii[-1] - radii[0] > LEAST_RING_MM:
            radii = [float(r) for r in np.linspace(radii[0], radii[-1], len(radii))]
        sound = all(b - a >= LEAST_RING_MM for a, b in itertools.pairwise(radii))
        return replace(draft, radii=tuple(radii)) if sound and radii[0] > 1 else draft

    def shapes(self, draft: RingsDraft) -> list[Shape]:
        circles = [
            Shape("line", tuple(draft.point(a, r) for a in range(0, 360, 4))) for r in draft.radii
        ]
        return [*circles, Shape("handle", (draft.centre,))]

    def problems(self, draft: RingsDraft) -> list[Said]:
        if not draft.rings:
            return [Said("measure.problem_rings")]
        reach = min(*draft.centre, draft.size_mm[0] - draft.centre[0], draft.size_mm[1] - draft.centre[1])  # fmt: skip
        return [Said("measure.problem_rim")] if draft.radii[-1] > reach + 2 else []


def _ringed(draft: RingsDraft, rings: int, sectors: int) -> RingsDraft:
    radii = np.linspace(draft.radii[0], draft.radii[-1], rings + 1)
    return replace(draft, radii=tuple(float(r) for r in radii), sectors=(sectors,) * rings)


def guess_sectors(around: np.ndarray, most: int = MOST_SECTORS) -> tuple[int, float] | None:
    """(count, degrees of sector 0's middle) from the strength of rays by angle; None if none
    stands out.  The spectrum of an even comb peaks at its count and at multiples of it."""
    strength = around - np.median(around)
    spectrum = np.fft.rfft(strength)
    power = np.abs(spectrum)
    combed = [power[n] + power[2 * n] + power[3 * n] for n in range(3, most + 1)]
    count = int(np.argmax(combed)) + 3
    if combed[count - 3] < 3 * float(np.median(combed)):
        return None
    ray = -np.angle(spectrum[count]) / (2 * np.pi) * 360 / count
    wide = 360 / count
    turn = (ray + wide / 2) % wide
    return count, float(turn if turn <= wide / 2 else turn - wide)


class SectorsStep(Step[RingsDraft]):
    """How many cells the rings have; a drag turns the rays.  A tap chooses from which ring on the
    number holds, where it grows outwards."""

    name = "sectors"

    def numbers(self, draft: RingsDraft) -> tuple[Number, ...]:
        rings = range(1, draft.rings + 1)
        parts = [r for r in rings if r == 1 or draft.sectors[r - 1] != draft.sectors[r - 2]]
        return tuple(Number(f"from_{r}", draft.sectors[r - 1], 3, MOST_SECTORS) for r in parts)

    def change(self, draft: RingsDraft, name: str, value: int) -> RingsDraft:
        first = int(name.removeprefix("from_"))
        old = draft.sectors[first - 1]
        counts = list(draft.sectors)
        for ring in range(first, draft.rings + 1):
            if counts[ring - 1] != old:
                break
            counts[ring - 1] = value
        return replace(draft, sectors=tuple(counts))

    def tap(self, draft: RingsDraft, at: Point) -> RingsDraft:
        """From this ring on twice as many cells; once more, and it is undone."""
        radius = draft.radius_of(at)
        ring = next((r for r in range(2, draft.rings + 1) if draft.radii[r - 1] <= radius < draft.radii[r]), None)  # fmt: skip
        if ring is None:
            return draft
        inside = draft.sectors[ring - 2]
        wanted = inside * 2 if draft.sectors[ring - 1] == inside else inside
        if wanted > MOST_SECTORS:
            return draft
        counts = (*draft.sectors[: ring - 1], *(wanted for _ in range(ring, draft.rings + 1)))
        return replace(draft, sectors=counts)

    def drag(self, draft: RingsDraft, path: tuple[Point, ...]) -> RingsDraft:
        by = draft.angle_of(path[-1]) - draft.angle_of(path[0])
        return replace(draft, turn_deg=(draft.turn_deg + by + 180) % 360 - 180)

    def shapes(self, draft: RingsDraft) -> list[Shape]:
        return [Shape("cell", polygon) for polygon in draft.cells.values()]


class CircleStep(Step[RingsDraft]):
    """The magic circle: a tap on it."""

    name = "circle"

    def tap(self, draft: RingsDraft, at: Point) -> RingsDraft:
        radius = draft.radius_of(at)
        near = min(range(draft.rings + 1), key=lambda i: abs(draft.radii[i] - radius))
        return replace(draft, circle=near)

    def shapes(self, draft: RingsDraft) -> list[Shape]:
        cells = [Shape("cell", polygon) for polygon in draft.cells.values()]
        if draft.circle is None:
            return cells
        radius = draft.radii[draft.circle]
        return [*cells, Shape("chosen", tuple(draft.point(a, radius) for a in range(0, 360, 4)))]

    def problems(self, draft: RingsDraft) -> list[Said]:
        return [Said("measure.problem_circle")] if draft.circle is None else []


class CastlesStep(CellsStep[RingsDraft]):
    """The places of castles, in any order; for two, three and four players those that lie evenly."""

    def __init__(self) -> None:
        super().__init__("castles", "castles", "mark")

    def allowed(self, draft: RingsDraft) -> Mapping[Spot, tuple[Point, ...]]:
        return {s: p for s, p in draft.cells.items() if s != GOAL and s not in draft.stairs}

    def _with(self, draft: RingsDraft, spots: frozenset[Spot]) -> RingsDraft:
        kept = [c for c in draft.castles if c in spots]
        added = [c for c in draft.cells if c in spots and c not in kept]
        return replace(draft, castles=(*kept, *added))

    def problems(self, draft: RingsDraft) -> list[Said]:
        count = len([c for c in draft.castles if c in draft.cells])
        return [Said("measure.problem_castles", {"n": count})] if count < 2 else []


class GatesStep(Step[RingsDraft]):
    """Lateral and royal gates, proposed for every castle; a tap beside one adds or takes a gate."""

    name = "gates"

    def tap(self, draft: RingsDraft, at: Point) -> RingsDraft:
        spot = spot_at(draft, at)
        castle = next((c for c in draft.castles if spot in draft.neighbours.get(c, ())), None)
        if spot is None or castle is None:
            return draft
        lateral, royal = draft.gates_of(castle)
        if spot != GOAL and spot.split("/")[0] == castle.split("/")[0]:
            lateral = _toggled(lateral, spot)
        else:
            royal = _toggled(royal, spot)
        return replace(draft, gates={**draft.gates, castle: (lateral, royal)})

    def shapes(self, draft: RingsDraft) -> list[Shape]:
        shapes = cell_shapes(draft, draft.castles, "mark")
        for castle in draft.castles:
            lateral, royal = draft.gates_of(castle)
            shapes += cell_shapes(draft, lateral, "chosen") + cell_shapes(draft, royal, "start")
        return shapes

    def problems(self, draft: RingsDraft) -> list[Said]:
        return [
            Said("measure.problem_gates", {"cell": c}, (c,))
            for c in draft.castles
            if not all(draft.gates_of(c))
        ]


def _toggled(gates: tuple[Spot, ...], spot: Spot) -> tuple[Spot, ...]:
    return tuple(g for g in gates if g != spot) if spot in gates else (*gates, spot)


class StairsStep(CellsStep[RingsDraft]):
    """The stairs: two or more, all linked underground."""

    def __init__(self) -> None:
        super().__init__("stairs", "stairs", "energy")

    def allowed(self, draft: RingsDraft) -> Mapping[Spot, tuple[Point, ...]]:
        return {s: p for s, p in draft.cells.items() if s != GOAL and s not in draft.castles}

    def problems(self, draft: RingsDraft) -> list[Said]:
        count = len(draft.stairs & set(draft.cells))
        return [Said("measure.problem_stairs", {"n": count})] if count == 1 else []


def steps(picture: Image | None) -> tuple[Step[RingsDraft], ...]:
    """The steps; the number of rings and sectors is guessed from the picture."""
    return (
        SizeStep(), RingsStep(picture), SectorsStep(), CircleStep(), CastlesStep(), GatesStep(),
        StairsStep(),
    )  # fmt: skip
