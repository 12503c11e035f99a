"""The games that the app can show, a folder each; ``face_of(name)`` opens one."""

from __future__ import annotations

from companion_app.games.face import Face, Games


def _magalon() -> Face:
    from companion_app.games.magalon.face import MagalonFace

    return MagalonFace()


def _grailnah() -> Face:
    from companion_app.games.grailnah.face import GrailnahFace

    return GrailnahFace()


def _hexagon() -> Face:
    from companion_app.games.hexagon.face import HexagonFace

    return HexagonFace()


def _carcassonne() -> Face:
    from companion_app.games.carcassonne.face import CarcassonneFace

    return CarcassonneFace()


face_of = Games(
    {
        "magalon": _magalon,
        "hexagon": _hexagon,
        "grailnah": _grailnah,
        "carcassonne": _carcassonne,
    }
)
