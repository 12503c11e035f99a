"""An artist's signs are told by those of his tiles that are known."""

from __future__ import annotations

import numpy as np

from engine.carcassonne.tiles import faces
from vision.tiles.artist import Artist
from vision.tiles.network import Looked
from vision.tiles.reading import TileReader

KINDS = ("BA/CcRr", "BA/CcRr+", "MW/CcRr.1", "BA/RFr", "IC/RFr.i", "BA/RRR")
FACES = [face for kind in KINDS for face in faces(kind)]
PLAIN, PENNANT = 0, 4  # numbers of the unturned faces of the first two kinds


def seen(true: int, ghost: float = 0.0, sure: float = 4.0) -> np.ndarray:
    """Scores of a tile: sure of its sides, and that it has a pennant by ``ghost``."""
    out = np.full(len(FACES), -12.0)
    out[true] = 0.0
    for one, other in ((PLAIN, PENNANT), (PENNANT, PLAIN)):
        if true == one:
            out[other] = -sure
    out[PENNANT] += ghost
    return out


def test_an_artist_whose_houses_look_like_pennants_is_seen_through() -> None:
    """Five known tiles without a pennant are taken for ones with it: so would the sixth be."""
    artist = Artist(FACES, [1.0] * len(FACES))
    known = np.stack([seen(PLAIN, 5.0)] * 5)
    moved = artist.offsets(known, [PLAIN] * 5)
    asked = seen(PLAIN, 4.5)
    assert asked.argmax() == PENNANT and (asked + moved).argmax() == PLAIN


def test_nothing_moves_where_nothing_is_known_and_little_where_all_is_read_right() -> None:
    artist = Artist(FACES, [1.0] * len(FACES))
    assert not artist.offsets(np.zeros((0, len(FACES))), []).any()
    right = np.stack([seen(PLAIN, sure=9.0), seen(PENNANT, sure=9.0)] * 4)
    assert np.abs(artist.offsets(right, [PLAIN, PENNANT] * 4)).max() < 0.05


def test_one_known_tile_that_is_misread_moves_less_than_many() -> None:
    artist = Artist(FACES, [1.0] * len(FACES))
    few, many = (
        -artist.offsets(np.stack([seen(PLAIN, 5.0)] * n), [PLAIN] * n)[PENNANT] for n in (1, 6)
    )
    assert 0.2 < few < many < 6


def test_faces_that_play_alike_count_as_one() -> None:
    """A straight road is the same after half a turn: a known tile may be read either way round."""
    artist = Artist(FACES, [1.0] * len(FACES))
    road = KINDS.index("BA/RFr") * 4
    same = [n for n, f in enumerate(FACES) if f.structure == FACES[road].structure]
    assert same == [road, road + 2]
    either = np.full((3, len(FACES)), -12.0)
    either[:, road + 2] = 0.0
    assert np.abs(artist.offsets(either, [road] * 3)).max() < 0.01


class Never:
    kinds = KINDS

    def look(self, patches, keys=None) -> Looked:  # type: ignore[no-untyped-def]
        raise AssertionError("nothing is doubtful")


def test_only_tiles_that_are_not_known_are_moved() -> None:
    reader = TileReader({k: faces(k) for k in KINDS}, Never())
    scores = np.stack([seen(PLAIN, 5.0)] * 5 + [seen(PLAIN, 4.5)]).reshape(6, -1, 4)
    places = [(n, 0) for n in range(6)]
    known = dict.fromkeys(places[:5], (0, 0))
    after = reader._by_the_known(scores.copy(), places, known)
    assert (after[:5] == scores[:5]).all()
    assert after[5].argmax() == PLAIN and scores[5].argmax() == PENNANT
    assert (reader._by_the_known(scores.copy(), places, {}) == scores).all()


def test_where_nothing_is_known_the_number_of_signs_tells_an_artist_whose_houses_look_like_them() -> (
    None
):
    """Twelve tiles of which half may have a pennant, all taken for ones that do, nine of them barely."""
    artist = Artist(FACES, [1.0] * len(FACES))
    scores = np.stack([seen(PENNANT)] * 3 + [seen(PLAIN, 4.4)] * 9)
    assert (scores.argmax(1) == PENNANT).all()
    after = (scores + artist.guessed(scores)).argmax(1)
    assert (after[:3] == PENNANT).all() and (after[3:] == PLAIN).all()


def test_a_plausible_number_of_signs_stays() -> None:
    """Of three kinds with such edges one has a pennant, and so has every third tile."""
    artist = Artist(FACES, [1.0] * len(FACES))
    scores = np.stack([seen(PENNANT), seen(PLAIN), seen(PLAIN)] * 4)
    assert abs(artist.guessed(scores)[PENNANT]) < 0.1
    rare = Artist(FACES, [9.0 if k != "BA/CcRr+" else 1.0 for k in KINDS for _ in range(4)])
    assert rare.guessed(scores)[PENNANT] < artist.guessed(scores)[PENNANT] - 0.1
