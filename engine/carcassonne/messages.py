"""Every sentence that Carcassonne says: a stable key, and English text with named parameters.

Translations replace the text by key and fill in the same parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.carcassonne.faces import Kind
from engine.verdict import Listed, Message

CATALOGUE: dict[str, str] = {
    # anything
    "malformed": "This cannot be understood: {what}.",
    "unknown_action": "Carcassonne has no action {do!r}.",
    "record_action": "{do!r} belongs to the record of the game, not to its rules.",
    "game_over": "The game is over and counted.",
    "nobodys_turn": "This action needs a player.",
    "not_your_turn": "It is {to_act}'s turn. {player} puts everything back and waits.",
    # tiles
    "tile_first": "{player} places a tile first.",
    "tile_placed": "{player} has already placed a tile in this turn. Take this one "
    "back; it is drawn later.",
    "none_left": "All tiles of this kind are on the table or set aside. Take it back.",
    "taken": "A tile lies on {cell} already. Take the tile back and place it beside others.",
    "apart": "The tile on {cell} touches no other tile. Take it back and place it at "
    "an edge of the map.",
    "mismatch": "The tile on {cell} does not go with {cells}: {edges}. Take it back, "
    "turn it, or place it elsewhere.",
    "edge": "{side} it shows a {mine}, there is a {there}",
    "fits": "This tile fits, for example on {cells}; it must be placed.",
    "set_aside": "This tile fits nowhere and is set aside. {player} draws again.",
    "last_set_aside": "This tile fits nowhere and is set aside; it was the last.",
    # meeples
    "one_meeple": "{player} has already placed a meeple in this turn. Take this one back in hand.",
    "other_tile": "A meeple goes on the tile just placed, on {cell}. Take it back in "
    "hand, or put it there.",
    "no_feature": "The tile on {cell} has no {feature} there. Take the meeple back, or "
    "put it on one of: {choices}.",
    "choice": "{feature} {at}",
    "which_field": "A road divides the field there. Put the meeple clearly on one side: {choices}.",
    "hand_empty": "{player} has no {meeple} in hand. It comes back when a feature is scored.",
    "no_kind": "There is no {meeple} in this game.",
    "occupied": "This {feature} already has a meeple on {cells}. Take yours back in "
    "hand, or put it elsewhere on the tile.",
    # mage and witch
    "duty": "A magic tile: {player} now places or moves the mage or the witch.",
    "duty_off": "A magic tile, but neither mage nor witch can go anywhere: the {who} "
    "leaves the table.",
    "duty_off_either": "A magic tile, but neither mage nor witch can go anywhere: one "
    "of the two leaves the table.",
    "duty_void": "A magic tile, but neither mage nor witch can go anywhere.",
    "union": "Mage and witch are now on one {feature}: {player} moves one of them to another.",
    "union_off": "Mage and witch are now on one {feature}, and there is no other place: "
    "{player} sets one of them aside.",
    "duty_first": "A magic tile was placed: the mage or the witch comes first. Take the "
    "meeple back until then.",
    "duty_left": "A magic tile was placed, so the mage or the witch must still be "
    "placed or moved, for example to {cells}.",
    "duty_off_left": "A magic tile was placed and no place is free, so mage or witch "
    "must still leave the table.",
    "union_first": "Mage and witch stand on one {feature}: one of them moves first. "
    "Take the meeple back until then.",
    "union_left": "Mage and witch stand on one {feature}: before it is scored one of "
    "them must go to another, or off the table if there is none.",
    "duty_waits": "A magic tile: now the mage or the witch; then {player}'s meeple counts.",
    "union_waits": "Mage and witch have met: one of them moves; then {player}'s meeple counts.",
    "no_magic": "Mage and witch do not take part in this game.",
    "no_duty": "Mage and witch move only after a magic tile, or when they meet. Put the "
    "{who} back {place}.",
    "figure_done": "The {moved} has been moved in this turn; that is all. Put the "
    "{who} back {place}.",
    "place_on": "on {cell}",
    "place_off": "beside the map",
    "no_tile": "No tile lies on {cell}. Put the {who} on a road or city.",
    "figure_feature": "The {who} goes only on a road or city, not there. Put it on one "
    "that is not complete.",
    "figure_complete": "This {feature} is complete. Put the {who} on one that is not.",
    "figure_new_tile": "After a magic tile the {who} may not stand on the tile just "
    "placed. Put it on another tile.",
    "figure_meets": "Mage and witch may not share a {feature}. Put the {who} on another.",
    "figure_same": "The {who} must go to another road or city, not stay on this {feature}.",
    "figure_stays": "The {who} can still go elsewhere, for example to {cells}, so it "
    "stays on the table.",
    "figure_absent": "The {who} is not on the table.",
    "figure_put": "The {who} goes to the {feature} on {cell}.",
    "figure_off": "The {who} leaves the table and comes back with a later magic tile.",
    # scoring
    "road": "Road complete: {tiles} tiles give {base}.",
    "road_inn": "Road with an inn complete: {tiles} tiles × 2 give {base}.",
    "city": "City complete: {tiles} tiles and {pennants} pennants × {each} give {base}.",
    "city_cathedral": "City with a cathedral complete: {tiles} tiles and {pennants} "
    "pennants × {each} give {base}.",
    "monastery": "Monastery complete: {tiles} tiles give {base}.",
    "road_open": "Unfinished road: {tiles} tiles give {base}.",
    "road_inn_open": "Unfinished road with an inn: {base}.",
    "city_open": "Unfinished city: {tiles} tiles and {pennants} pennants give {base}.",
    "city_cathedral_open": "Unfinished city with a cathedral: {base}.",
    "monastery_open": "Unfinished monastery: {tiles} of 9 tiles give {base}.",
    "field": "Field: {cities} complete cities × 3 give {base}.",
    "mage_adds": "The mage adds {tiles}, one for each tile: {points}.",
    "witch_halves": "The witch halves {before}, rounded up: {points}.",
    "gets": "{player} gets {points}.",
    "tie": "{player} gets {points}, as others have as many meeples there.",
    "outvoted": "{player} has fewer meeples there and gets nothing.",
    "back": "{player} takes back {count} from {cells}.",
    "figure_leaves": "The {who} leaves with the complete {feature}.",
    # taken from the table
    "take_back": "{player}, please take your meeple back from {cells}.",
    "take_off": "Please take the {who} from {cell}: its feature is scored.",
    "meeple_stays": "The meeple of {player} on {cell} stays until its feature is complete. "
    "Please put it back.",
    "meeple_gone": "I cannot see the meeple of {player} on {cell}. It stays until its feature is "
    "complete: please put it back where I can see it.",
    "meeple_moved": "A meeple stays where it is until its feature is complete. {player} "
    "puts it back and takes one from the hand.",
    "figure_gone": "The {who} stays on {cell} until its feature is complete. Please put it back.",
    "tile_stays": "A tile is missing on {cell}. Please put it back.",
    # turn
    "next": "{next} draws.",
    "tiles_left": "{count} tiles are left; the game ends by agreement.",
    "last_tile": "The last tile is placed: now everything is counted.",
    "wins": "{winner} wins with {points} points.",
    "shared": "{winners} share the win with {points} points each.",
}

FEATURES = {Kind.ROAD: "road", Kind.CITY: "city", Kind.MONASTERY: "monastery", Kind.FIELD: "field"}
EDGES = {"R": "road", "C": "city", "F": "field"}
SIDES = ("north", "east", "south", "west")


def say(key: str, **params: Any) -> Message:
    """The message of a key.  Several values become a list; a kind of feature its English word,
    which is also the id under which other languages find theirs (``feature.road``)."""
    plain = {name: _plain(name, value) for name, value in params.items()}
    text = CATALOGUE[key].format(**plain)
    return Message(key, text[:1].upper() + text[1:], plain)


def fragment(key: str, **params: Any) -> Message:
    """A part of a sentence, to be a parameter of another one."""
    plain = {name: _plain(name, value) for name, value in params.items()}
    return Message(key, CATALOGUE[key].format(**plain), plain)


def listed(values: Iterable[Any], word: str = "and") -> Listed:
    """Values in words: "1, 2 and 3"."""
    return Listed(tuple(values), word)


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, Kind):
        return FEATURES[value]
    if isinstance(value, (tuple, list)):
        return listed(value)
    return value
