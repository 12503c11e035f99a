"""Every English text of the app in one place, under a key, so that other languages can follow.

Sentences of the engine and the eyes come as ``Message`` with a key of their own; a language that
knows the key replaces them, else their English text is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.action import Action
from engine.magalon.messages import CATALOGUE as MAGALON
from engine.verdict import Message

EN: dict[str, str] = {
    "app.title": "Boardwarden",
    "app.claim": "Sees the pieces, knows the rules, keeps the score.",
    # start screen
    "start.resume": "Go on with the game",
    "start.resume_detail": "{players} · round {round}",
    "start.new": "New game",
    "start.new_detail": "2 to 4 players",
    "start.demo": "Watch the demo",
    "start.demo_detail": "A recorded game, judged as you look",
    "start.offline": "Works offline. No picture leaves this device.",
    # new game
    "new.title": "New game of Magalon",
    "new.players": "Players",
    "new.youngest": "Youngest first, then clockwise",
    "new.name": "Name",
    "new.name_of": "Player {n}",
    "new.camera": "Camera",
    "new.camera_none": "None",
    "new.camera_device": "Camera",
    "new.camera_address": "Address or film",
    "new.camera_number": "Number 0, 1, 2 …",
    "new.camera_where": "http://… or a film",
    "new.camera_note_none": "You move the pieces on the drawing.",
    "new.camera_note_device": "Tablet camera or USB camera; 0 is the first.",
    "new.camera_note_address": "A phone as network camera, or a film file.",
    "new.board": "Board",
    "new.board_reference": "Reference board (invented grid)",
    "new.picture": "Picture of the empty board",
    "new.picture_hint": "optional: a photo from above",
    "new.start": "Start the game",
    "new.back": "Back",
    "new.problem_two": "Two players or more are needed.",
    "new.problem_colour": "{colour} is there twice. Give each player a colour of their own.",
    "new.problem_picture": "The picture {path} is not there. Clear the field or correct it.",
    "new.add": "Add a player",
    # table screen
    "table.round": "Round {n}",
    "table.lay": "lays a card",
    "table.act": "moves with card {card}",
    "table.wins": "wins the game!",
    "table.over": "The game is over",
    "table.undo": "Undo",
    "table.end": "End turn",
    "table.pass": "Pass",
    "table.home": "Menu",
    "table.dice": "What do the dice show?",
    "table.dice_roll": "Roll for me",
    "table.history": "What happened",
    "table.nothing_yet": "Nothing yet. Lay the first card.",
    "table.small": "Tap the picture to see the board again",
    "table.no_picture": "No picture",
    "table.stay": "Stay: +3 energy",
    "table.red": "On a red field: stay for 3 energy, or walk 3 more",
    "table.ruin_turn": "Turn it",
    "table.ruin_put": "Put it here",
    "table.ruin_cancel": "Cancel",
    "table.ruin_text": "Turn the ruin until it lies right, then put it down.",
    "table.refuse": "That was not it",
    "table.dismiss": "Understood",
    "table.as_is": "The table is right",
    "table.back": "Put back: {moves}",
    "table.move_to": "{piece} to {spot}",
    "table.correct": "Correct",
    "table.correct_hint": "Drag a piece to where it really stands, or tap an item that a player has or has not. No rule is asked.",
    "table.rule": "Rule {rule}",
    "table.hint_lay": "Tap the card that {name} lays.",
    "table.hint_act": "Move the pieces at the table, or drag them here.",
    "table.hint_hand": "Drag the pieces on the drawing.",
    "token.wizard": "Wizard",
    "token.card": "Card",
    "token.shield": "Shield",
    "token.energy": "Energy",
    "token.giant": "Giant",
    "token.walk": "{n} steps",
    "token.done": "done",
    "token.may": "may",
    "token.must": "due",
    "token.dice": "{n} steps",
    "token.roll": "roll",
    "effect.energy": "+{n} energy",
    "effect.ruins": "ruins {n}",
    "effect.goblins": "goblins {n}",
    "effect.lift": "lift a ruin",
    "effect.defence": "defence",
    "effect.back": "all back",
    "why.taken": "laid by\n{name}",
    "why.down": "face down",
    "why.own": "laid",
    "item.amulet": "Amulet",
    "item.stone": "Stone",
    "item.ring": "Ring",
    "sign.to": " to ",
    "table.item_not": "Not over the {item}",
    "table.item_yes": "It was over the {item}",
    # camera
    "camera.off": "No camera: play by hand",
    "camera.opening": "Opening the camera …",
    "camera.slow": "The camera takes long to open. Play on by hand meanwhile.",
    "camera.silent": "The camera gives no picture",
    "camera.lost": "The camera is lost",
    "camera.by_hand": "Check its cable. Meanwhile move the pieces on the drawing.",
    "camera.ended": "The recording has ended",
    "camera.hand": "A hand is over the board",
    "camera.moving": "Waiting until nothing moves",
    "camera.watching": "Watching the board",
    # trouble
    "trouble.inner": "Something went wrong inside the app. The game is kept; please try again.",
    "trouble.window": "No window could be opened: this machine shows no screen to the app.",
    "trouble.refused": "This is not allowed.",
    # history
    "log.lay": "{name} lays {card}",
    "log.pass": "{name} passes",
    "log.walk": "{name} walks to {to}",
    "log.walk_on": "{name} walks on to {to}",
    "log.stay": "{name} stays on the red field",
    "log.goblin": "{name} moves a goblin to {to}",
    "log.giant": "{name} moves the giant to {to}",
    "log.displace": "{name} drives the {victim} wizard to {to}",
    "log.roll": "{name} rolls {a} and {b}",
    "log.slide": "{name} slides a ruin",
    "log.lift": "{name} lifts a ruin",
    "log.shield": "{name} puts the shield on {to}",
    "log.energy": "{name}: energy stone to {to}",
    "log.take": "{name} takes the {item}",
    "log.leave": "{name} leaves the {item}",
    "log.cancel": "{name} takes a walk back",
    "log.end": "{name} ends the turn",
    "log.undo": "Taken back",
    "log.correct": "Corrected by hand",
    "log.other": "{do}",
    # pieces, for sentences
    "piece.wizard": "the {colour} wizard",
    "piece.shield": "the {colour} shield",
    "piece.energy_stone": "the {colour} energy stone",
    "piece.giant": "the giant",
    "piece.goblin": "goblin {n}",
    "piece.ruin": "ruin {n}",
    "spot.off": "beside the board",
    "spot.track": "energy {n}",
    "colour.violet": "violet",
    "colour.green": "green",
    "colour.red": "red",
    "colour.orange": "orange",
    "colour.black": "black",
    "colour.grey": "grey",
}

PIECES = ("piece", "by")
PERSONS = ("player", "to_act", "other", "next", "winner", "lowest")

LANGUAGES: dict[str, Mapping[str, str]] = {"en": EN}
_language: Mapping[str, str] = EN
_names: Mapping[str, str] = {}


def choose_language(code: str) -> None:
    """Switches all later texts; an unknown code means English."""
    global _language
    _language = LANGUAGES.get(code, EN)


def name_players(names: Mapping[str, str]) -> None:
    """From now on sentences call the players by name (colour to name) instead of by colour."""
    global _names
    _names = dict(names)


def t(key: str, **params: Any) -> str:
    """The text under a key in the chosen language, English where it is missing there."""
    template = _language.get(key) or EN[key]
    return template.format(**params) if params else template


def message(key: str, **params: Any) -> Message:
    """A ``Message`` of the app itself."""
    return Message(key, EN[key].format(**params) if params else EN[key], params)


def show(said: Message) -> str:
    """A message in the chosen language, with names; its own English text if nothing is known."""
    notes = said.params.get("notes")
    if isinstance(notes, tuple):
        filled = [_filled(key, params) for key, params in notes]
        text = said.text if None in filled else " ".join(map(str, filled))
    else:
        text = _filled(said.key, said.params) or said.text
    return text.replace(" → ", t("sign.to"))  # the font has no arrow


def _filled(key: str, params: Mapping[str, Any]) -> str | None:
    template = _language.get(key) or MAGALON.get(key)
    if template is None:
        return None
    named = {k: _named(k, v) for k, v in params.items()}
    try:
        text = template.format(**named)
    except (KeyError, IndexError, ValueError):
        return None
    return text[:1].upper() + text[1:] if template.startswith("{piece}") else text


def _named(key: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if key in PIECES:
        return piece_name(value)
    return _names.get(value, value) if key in PERSONS else value


def colour_name(colour: str | None) -> str:
    """The word for a colour; the colour itself where there is none."""
    if colour is None:
        return ""
    return _language.get(f"colour.{colour}") or EN.get(f"colour.{colour}", colour)


def piece_name(piece: str) -> str:
    """The words for a piece id, e.g. "the violet wizard"; the id itself where there are none."""
    kind, _, rest = piece.partition("/")
    key = f"piece.{kind}"
    return t(key, colour=colour_name(rest), n=rest) if key in EN else piece


def spot_name(spots: Sequence[str]) -> str:
    """The words for where a piece stands."""
    if not spots:
        return t("spot.off")
    if spots[0].startswith("track/"):
        return t("spot.track", n=spots[0].removeprefix("track/"))
    return ", ".join(spots)


def describe(action: Action, name: str) -> Message:
    """One line of the history for an action that was recorded."""
    key = f"log.{action.do}"
    args = {k: v for k, v in action.args.items() if isinstance(v, (str, int))}
    dice = action.args.get("dice")
    if isinstance(dice, (list, tuple)) and len(dice) == 2:
        args |= {"a": dice[0], "b": dice[1]}
    args = {"name": name, "do": action.do, **args}
    try:
        return message(key if key in EN else "log.other", **args)
    except KeyError:
        return message("log.other", **args)
