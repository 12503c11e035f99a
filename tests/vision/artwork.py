"""Procedural boards and views of them, from a seed."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, load_board
from vision.reference import Reference
from vision.registration.pose import homography_from_corners
from vision.types import Image

Matrix = NDArray[np.float64]

SIZE_MM = (400.0, 300.0)
VIEW = (960, 640)
CORNERS = np.array([[210.0, 130.0], [730.0, 110.0], [850.0, 540.0], [120.0, 560.0]])


def checkered_board(**extra: object) -> Board:
    """8 by 6 square cells of 50 mm, neighbours left out."""
    cells = [
        {
            "id": f"{x},{y}",
            "polygon_mm": [[x, y], [x + 50, y], [x + 50, y + 50], [x, y + 50]],
            "neighbours": [],
        }
        for x in range(0, 400, 50)
        for y in range(0, 300, 50)
    ]
    return load_board({"version": 1, "size_mm": SIZE_MM, "cells": cells, **extra})


def artwork(seed: int, cells: bool = True) -> Image:
    """Flat print, 2 px per mm: clouds, blots, lettering; with like cells all over it."""
    rng = np.random.default_rng(seed)
    width, height = int(SIZE_MM[0] * 2), int(SIZE_MM[1] * 2)
    clouds = np.zeros((height, width, 3), np.float32)
    for size in (6, 24, 96):
        noise = rng.uniform(0, 1, (size * 3 // 4, size, 3)).astype(np.float32)
        clouds += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    image = np.clip(40 + 45 * clouds, 0, 255).astype(np.uint8)
    for _ in range(120):
        place = (int(rng.integers(width)), int(rng.integers(height)))
        colour = tuple(int(v) for v in rng.integers(0, 255, 3))
        cv2.circle(image, place, int(rng.integers(3, 12)), colour, -1, cv2.LINE_AA)
    if cells:
        for x in range(0, width, 100):
            cv2.line(image, (x, 0), (x, height), (20, 20, 20), 2)
        for y in range(0, height, 100):
            cv2.line(image, (0, y), (width, y), (20, 20, 20), 2)
    cv2.rectangle(image, (0, 0), (width - 1, height - 1), (15, 15, 20), 6)
    return image


def reference(seed: int = 1) -> Reference:
    """The print as a reference picture."""
    return Reference(artwork(seed), SIZE_MM)


def photograph(
    print_: Image, corners: Matrix = CORNERS, seed: int = 0, size: tuple[int, int] = VIEW,
    noise: float = 2.0, gain: float = 1.0,
) -> Image:  # fmt: skip
    """The print on a wooden table, seen so that its corners come to lie at ``corners``."""
    rng = np.random.default_rng(seed)
    grain = rng.uniform(0, 1, (size[1], 24)).astype(np.float32)
    wood = cv2.resize(grain, size, interpolation=cv2.INTER_CUBIC)
    table = np.stack([90 + 30 * wood, 130 + 30 * wood, 165 + 30 * wood], -1)
    warp = homography_from_corners(corners, (print_.shape[1], print_.shape[0])) @ np.array(
        [[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]]
    )
    seen = cv2.warpPerspective(print_.astype(np.float32), warp, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones(print_.shape[:2], np.float32), warp, size)[..., None]
    image = seen * mask + table * (1 - mask)
    image = cv2.GaussianBlur(image, (0, 0), 0.7) * gain + rng.normal(0, noise, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def at(corners: Matrix, x_mm: float, y_mm: float) -> tuple[int, int]:
    """Image px of a place on the board."""
    q = homography_from_corners(corners, SIZE_MM) @ np.array([x_mm, y_mm, 1.0])
    return round(float(q[0] / q[2])), round(float(q[1] / q[2]))


def with_pieces(image: Image, corners: Matrix, places: list[tuple[float, float]]) -> Image:
    """Red cones of about 16 mm at places in board mm."""
    image = image.copy()
    for x_mm, y_mm in places:
        x, y = at(corners, x_mm, y_mm)
        cv2.circle(image, (x, y), 12, (35, 30, 190), -1, cv2.LINE_AA)
        cv2.circle(image, (x, y - 14), 7, (50, 45, 215), -1, cv2.LINE_AA)
    return image


def with_arm(image: Image, corners: Matrix, x_mm: float, y_mm: float) -> Image:
    """A forearm that comes in from the picture's lower edge and ends at a place in board mm."""
    image = image.copy()
    x, y = at(corners, x_mm, y_mm)
    bottom = image.shape[0] + 60
    cv2.line(image, (x + 90, bottom), (x, y), (140, 165, 205), 62, cv2.LINE_AA)
    cv2.circle(image, (x, y), 42, (140, 168, 210), -1, cv2.LINE_AA)
    return image
