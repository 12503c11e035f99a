"""What spectators see, as JSON and pictures.  Drawn from the game, never from the camera."""

from __future__ import annotations

import json
import threading
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.games import face_of
from companion_app.games.face import Box, Face, Overview, Shown
from companion_app.player_art import player_picture
from companion_app.snapshot import Snapshot
from companion_app.texts import game_title, show, t
from companion_app.widgets.board_geometry import BoardGeometry, piece_places
from engine.board import Board

SIZE = 1000.0  # of the drawing that all places are shares of
PIECE_PX, MARK_PX, SPREAD_PX, TILE_PX = 96, 64, 48, 160
_drawing = threading.Lock()


class SpectatorView:
    """The page's data for one game."""

    def __init__(self, face: Face, board: Board) -> None:
        self.face = face
        self.geometry = BoardGeometry(board, 0.0, 0.0, SIZE, SIZE)
        x, y, w, h = self.geometry.face
        self._low = y - self.geometry.tray_mm * self.geometry.scale
        self._box = (x, self._low, w, y + h - self._low)

    def state(self, snapshot: Snapshot) -> bytes:
        """The state of the table as JSON."""
        table = snapshot.table
        whole = self.face.art.overview
        seen = None if whole is None else whole(snapshot.placement)
        data: dict[str, Any] = {
            "serial": snapshot.serial,
            "title": game_title(self.face.name),
            "round": "" if table.round is None else t("table.round", n=table.round),
            "headline": show(table.headline),
            "refused": self._refused(snapshot),
            "aspect": self._box[2] / self._box[3] if seen is None else 1.0,
            "seats": [self._seat(seat, table.to_act, table.winner) for seat in table.seats],
            "ground": [] if seen is None else [_thing(s) for s in seen.ground],
            "pieces": self._pieces(snapshot) if seen is None else [_thing(s) for s in seen.pieces],
            "cells": self._cells(snapshot, seen),
        }
        return json.dumps(data, ensure_ascii=False).encode()

    def _refused(self, snapshot: Snapshot) -> str:
        sentence = snapshot.sentence
        bad = sentence is not None and sentence.status.value == "illegal"
        return show(sentence.message) if sentence is not None and bad else ""

    def _seat(self, seat: Any, to_act: str | None, winner: str | None) -> dict[str, Any]:
        return {
            "name": seat.name,
            "colour": seat.colour,
            "letter": _letter(seat.colour),
            "number": seat.number,
            "badge": seat.badge,
            "active": seat.colour in (to_act, *(winner or "").split(",")),
            "marks": [[m.key, m.filled, m.count] for m in seat.marks],
        }

    def _pieces(self, snapshot: Snapshot) -> list[dict[str, Any]]:
        art, geometry = self.face.art, self.geometry
        places = piece_places(geometry, snapshot.placement, art)
        found = []
        for info, spots in snapshot.placement:
            look = art.look(info.kind)
            if look.spread and spots:
                found.append({"layer": look.layer, **self._spread(info.kind, spots)})
            elif info.id in places:
                place = places[info.id]
                side = look.size * geometry.cell_px * place.share
                found.append(
                    {
                        "layer": look.layer,
                        "src": f"piece/{info.kind}-{info.colour or 'none'}.png",
                        "label": _label(info.id, look.numbered, info.colour),
                        **self._share(place.at[0] - side / 2, place.at[1] + side / 2, side, side),
                    }
                )
        return sorted(found, key=lambda p: p["layer"])

    def _spread(self, kind: str, spots: tuple[str, ...]) -> dict[str, Any]:
        cell = self.geometry.cell_px
        centres = [self.geometry.centre_px(s) for s in spots]
        left, top = min(x for x, _ in centres), max(y for _, y in centres)
        cells = sorted((round((x - left) / cell), round((top - y) / cell)) for x, y in centres)
        columns, rows = max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1
        code = "_".join(f"{c}.{r}" for c, r in cells)
        box = self._share(left - cell / 2, top + cell / 2, columns * cell, rows * cell)
        return {"src": f"spread/{kind}-{code}.png", "label": "", **box}

    def _cells(self, snapshot: Snapshot, seen: Overview | None) -> list[dict[str, Any]]:
        """The last move's cells, and the refused one."""
        marked = [(s, "move") for m in snapshot.last_move for s in (*m.origin, *m.to)]
        sentence = snapshot.sentence
        if sentence is not None and sentence.status.value == "illegal" and sentence.cells:
            marked.append((sentence.cells[-1], "refused"))
        found = []
        for spot, kind in marked:
            if seen is not None:
                box = seen.boxes.get(spot.partition("@")[0].partition(":")[0])
                found += [] if box is None else [{"kind": kind, **_places(box)}]
            elif spot in self.geometry.board.spots:
                xs, ys = zip(*self.geometry.polygon_px(spot), strict=True)
                share = self._share(min(xs), max(ys), max(xs) - min(xs), max(ys) - min(ys))
                found.append({"kind": kind, **share})
        return found

    def _share(self, left: float, top: float, width: float, height: float) -> dict[str, float]:
        x, y, w, h = self._box
        return {
            "x": round((left - x) / w, 5),
            "y": round((y + h - top) / h, 5),
            "w": round(width / w, 5),
            "h": round(height / h, 5),
        }

    def picture(self, name: str) -> bytes | None:
        """A drawing by its name in the page, as PNG; None for a name that means nothing."""
        with _drawing:  # many viewers ask for the same one at once: it is drawn once
            return _picture(self.face.name, self.geometry, name)


@lru_cache(maxsize=256)
def _picture(game: str, geometry: BoardGeometry, name: str) -> bytes | None:
    art = face_of(game).art
    kind, _, rest = name.partition("/")
    stem, dash, which = rest.removesuffix(".png").rpartition("-")
    try:
        if name == "board.png":
            return _png(art.board(geometry.board, geometry.box_mm, geometry.scale))
        if kind == "player":
            return _png(player_picture(rest.removesuffix(".png"), MARK_PX))
        if kind == "piece" and dash:
            return _png(art.piece(stem, None if which == "none" else which, PIECE_PX))
        if kind == "mark" and dash:
            return _png(art.mark(stem, MARK_PX, which == "1"))
        if kind == "tile" and art.ground is not None:
            return _png(art.ground(rest.removesuffix(".png"), TILE_PX))
        if kind == "spread" and dash and art.spread is not None:
            pairs = [tuple(map(int, p.split("."))) for p in which.split("_")[:12]]
            if all(len(p) == 2 and min(p) >= 0 and max(p) < 8 for p in pairs):
                return _png(art.spread(stem, tuple(pairs), SPREAD_PX))  # type: ignore[arg-type]
    except (ValueError, KeyError, IndexError):
        return None
    return None


def _png(pixels: NDArray[np.uint8]) -> bytes:
    return bytes(cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGRA))[1])


def _thing(shown: Shown) -> dict[str, Any]:
    """A picture on the page, with its owner's letter."""
    label = "" if shown.colour is None else _letter(shown.colour)
    return {"src": shown.src, "label": label, **_places(shown.box)}


def _places(box: Box) -> dict[str, float]:
    return dict(zip("xywh", box, strict=True))


def _letter(colour: str | None) -> str:
    from companion_app.palette import look

    return look(colour).letter


def _label(piece: str, numbered: bool, colour: str | None) -> str:
    return piece.rpartition("/")[2] if numbered else _letter(colour)
