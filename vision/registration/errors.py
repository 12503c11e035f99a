"""What goes wrong when the board is looked for, each sentence under a key, so that it can be said in
any language."""

from __future__ import annotations

from engine.errors import BoardwardenError

TOLD = {
    "board.no_way": (
        "nothing says how to find this board: give a reference picture of the empty board, its"
        " four corners, or a board file with markers"
    ),
    "board.not_found": (
        "the board is not found in this picture: show the whole board, take hands and cards off"
        " it, and check that the reference picture belongs to it"
    ),
    "board.turn": (
        "the board looks the same from several sides: give its four corners, top-left first, or lay"
        " printed corner markers on it"
    ),
    "board.other_corners": (
        "the print of the reference picture does not lie within these corners: give the four corners of"
        " the printed face more exactly, clockwise from its top-left, or this board's own reference"
        " picture"
    ),
    "board.mirrored": "the picture is mirrored: switch off the mirror image of the camera",
    "board.no_marker": (
        "no marker of the board is in view and two are needed: uncover the printed corner markers"
    ),
    "board.one_marker": (
        "only marker {n} of the board is in view and two are needed: uncover the printed corner"
        " markers"
    ),
    "board.disagree": (
        "the corner markers do not agree with the board file: check that they lie flat and where"
        " the file says"
    ),
    "board.lines_elsewhere": (
        "the printed lines do not lie where the corner markers and the board file say: lay the markers"
        " where the file says, or take the file of this board"
    ),
    "board.too_near": (
        "the corner markers in view do not suffice: uncover one more, best on the other side of the"
        " board, and check that they lie where the board file says"
    ),
    "board.no_tiles": (
        "the tiles are not to be seen: lay the start tile into the middle of the picture, with"
        " free table around it"
    ),
}


class BoardNotFound(BoardwardenError):
    """The board is not (surely) in the picture; the sentence names the remedy."""


def not_found(key: str, **params: object) -> BoardNotFound:
    """The sentence under a key as an error."""
    return BoardNotFound(TOLD[key].format(**params), key=key, params=params)
