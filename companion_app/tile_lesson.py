"""Learning the print of the owner's tiles from one picture: for the app and ``boardwarden tiles``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion_app.store import default_root
from engine.carcassonne.tiles import faces, plain, sets
from engine.errors import BoardwardenError
from engine.files import shown, write_reason
from vision.evaluation.tiles import LETTERS
from vision.tiles.laid_out import ShownTile, learnt_from, shown_tiles
from vision.tiles.network import network
from vision.tiles.profile import Profile
from vision.tiles.reading import TileReader
from vision.types import Image

# What may lie there, by short names: the sets whose print can be learnt.
SETS = {"base": "base:1", "magic": "mage_and_witch:1", "inns": "inns_and_cathedrals:1"}
SURE = 0.8  # of a kind: less is asked to be looked at
NUMBERED = {kind: letter for letter, kind in LETTERS.items()}


def own_tiles() -> Path:
    """Where the print of the owner's own tiles is kept, beside the games."""
    return default_root() / "tiles.npz"


def stock(names: Iterable[str]) -> dict[str, int]:
    """How many tiles of each kind there can be; ``names``: of SETS."""
    most: dict[str, int] = {}
    for name in names:
        for tile, count in sets()[SETS[name]].items():
            most[plain(tile)] = most.get(plain(tile), 0) + count
    return most


def letter_of(kind: str) -> str:
    """The letter of a kind of the base game; others by their own names, "-" for none."""
    return NUMBERED.get(kind, kind or "-")


@dataclass(frozen=True, eq=False)
class TileLesson:
    """A picture with the tiles that are seen in it.

    ``names``: what each is taken for, a kind or "" for none to be learnt; ``sure``: those that a
    person has named.
    """

    image: Image
    reader: TileReader
    tiles: tuple[ShownTile, ...]
    names: tuple[str, ...]
    sure: frozenset[int] = field(default_factory=frozenset)

    @classmethod
    def of(cls, image: Image, most: Mapping[str, int]) -> TileLesson:
        """Reads a picture; ``most``: how many tiles of each kind there can be."""
        reader = TileReader({k: faces(k) for k in sorted(most)}, network())
        tiles = tuple(shown_tiles(image, reader, most))
        return cls(image, reader, tiles, tuple(reader.kinds[t.kind] for t in tiles))

    def named(self, number: int, kind: str) -> TileLesson:
        """A person says what a tile is; "" for one that is not to be learnt."""
        names = (*self.names[:number], kind, *self.names[number + 1 :])
        return TileLesson(self.image, self.reader, self.tiles, names, self.sure | {number})

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Tiles to be looked at: not surely read, and not named by a person."""
        return tuple(
            n for n, tile in enumerate(self.tiles) if n not in self.sure and tile.chance < SURE
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """Kinds of which no tile is in the picture."""
        return tuple(k for k in self.reader.kinds if k not in self.names)

    def profile(self, known: Profile) -> Profile:
        """What is known with what the picture shows; kinds that it shows are learnt anew."""
        kept = Profile({k: v for k, v in known.views.items() if k not in self.names})
        return learnt_from(self.image, list(self.tiles), list(self.names), self.reader, kept)


def keep_tiles(profile: Profile) -> None:
    """Keeps the print of the owner's tiles; raises BoardwardenError when the disk refuses."""
    path = own_tiles()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        profile.save(path)
    except OSError as error:
        raise BoardwardenError(f"cannot write {shown(path)}: {write_reason(error)}") from error


def forget_tiles() -> None:
    """Drops the print of the owner's tiles; raises BoardwardenError when the disk refuses."""
    path = own_tiles()
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise BoardwardenError(f"cannot write {shown(path)}: {write_reason(error)}") from error


def kept_tiles() -> Profile:
    """The print of the owner's tiles, empty where none was learnt or the file is damaged: then it is
    learnt anew."""
    try:
        return Profile.load(own_tiles()) if own_tiles().exists() else Profile()
    except BoardwardenError:
        return Profile()
