"""Says messages in one language, about one game, with the players' names.  Immutable.

A text may ask for a form of a parameter: ``{piece:acc}`` is the text ``piece.KIND.acc`` (else
``piece.KIND``), ``{left:step|steps}`` a number with the right word, ``{player:de}`` the French "de"
or "d'" with a name, ``{victim:name}`` a player's name where the colour would be said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion_app.texts.catalogue import APP, catalogue, engine_texts
from engine.action import Action
from engine.errors import BoardwardenError
from engine.record import HOUSE_RULE
from engine.verdict import Listed, Message

# Under these names a colour means the colour of a piece, not the player.
COLOUR_PARAMETERS = ("victim", "colour")
CONTRACTIONS = {
    "de": (("Von dem ", "Vom "), ("von dem ", "vom "), ("zu dem ", "zum ")),
    "fr": ((" de le ", " du "), (" à le ", " au "), ("De le ", "Du "), ("À le ", "Au ")),
}
SILENT_LETTERS = "aeiouyhàâäéèêëîïôöùûü"


class Term:
    """A parameter inside a text; ``say`` gives it in the form that the text asks for."""

    __slots__ = ("_say",)

    def __init__(self, say: Callable[[str], str]) -> None:
        self._say = say

    def __format__(self, form: str) -> str:
        return self._say(form)

    def __str__(self) -> str:
        return self._say("")


@dataclass(frozen=True)
class Speaker:
    """``language``: en, de or fr; ``game``: whose words are known; ``names``: colour to name."""

    language: str = "en"
    game: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def template(self, key: str) -> str | None:
        """The text under a key: this language's, else English, else None."""
        for language in dict.fromkeys((self.language, "en")):
            if self.game is not None:
                found = catalogue(language, self.game).get(key)
                if found is None and language == "en":
                    found = engine_texts(self.game).get(key)
                if found is not None:
                    return found
            if key in (words := catalogue(language, APP)):
                return words[key]
        return None

    def show(self, said: Message) -> str:
        """A message in words; its own English text where nothing is known of it."""
        notes = said.params.get("notes")
        if isinstance(notes, tuple):
            parts = [self._filled(key, params) for key, params in notes]
            text = said.text if None in parts else " ".join(map(str, parts))
        else:
            filled = self._filled(said.key, said.params)
            text = said.text if filled is None else filled
        for apart, together in CONTRACTIONS.get(self.language, ()):
            text = text.replace(apart, together)
        return text

    def _filled(self, key: str, params: Mapping[str, Any]) -> str | None:
        template = self.template(key)
        if template is None or not params:
            return template
        try:
            text = template.format_map({k: self._term(k, v) for k, v in params.items()})
        except (KeyError, IndexError, ValueError, TypeError):
            return None
        return text[:1].upper() + text[1:] if self._begins_with_a_word(template, params) else text

    def _begins_with_a_word(self, template: str, params: Mapping[str, Any]) -> bool:
        """Whether a text begins with a parameter that is said in words ("the giant", not "g10")."""
        if not template.startswith("{"):
            return False
        name, _, form = template[1 : template.index("}")].partition(":")
        value = params[name]
        spoken = not isinstance(value, str) or name in COLOUR_PARAMETERS
        return spoken or format(self._term(name, value), form) != value

    # --- parameters ----------------------------------------------------------------------------

    def _term(self, name: str, value: Any) -> Any:
        match value:
            case bool() | None:
                return value
            case int():
                return Term(lambda form: self._number(value, form))
            case str():
                return Term(lambda form: self._word(name, value, form))
            case Message():
                return Term(lambda _: self.show(value))
            case Action():
                return Term(lambda _: self.show(describe(value)))
            case Listed():
                return Term(lambda form: self._listed(name, value, form))
        return value

    def _number(self, value: int, form: str) -> str:
        if "|" not in form:
            return str(value)
        one, many = form.split("|", 1)
        single = value in (0, 1) if self.language == "fr" else value == 1
        return f"{value} {one if single else many}"

    def _listed(self, name: str, listed: Listed, form: str) -> str:
        single = name.removesuffix("s")
        parts = [format(self._term(single, v), form) for v in listed.values]
        word = self.template(f"list.{listed.word}") if listed.word else None
        if word is None or len(parts) < 2:
            return ", ".join(parts)
        return f"{', '.join(parts[:-1])} {word} {parts[-1]}"

    def _word(self, name: str, value: str, form: str) -> str:
        if value in self.names and (name not in COLOUR_PARAMETERS or form == "name"):
            return self._person(self.names[value], form)
        if name in COLOUR_PARAMETERS:
            return self._form(f"colour.{value}", form) or value
        kind, slash, which = value.partition("/")
        return (
            self._form(f"{name}.{value}", form)
            or (self.piece(value, form) if slash or name in ("piece", "by") else None)
            or (self._form("spot.track", form, n=which) if kind == "track" and slash else None)
            or self._form(f"spot.{value}", form)
            or value
        )

    def _person(self, name: str, form: str) -> str:
        if form != "de":
            return name
        return f"d'{name}" if name[:1].lower() in SILENT_LETTERS else f"de {name}"

    def _form(self, key: str, form: str, **params: Any) -> str | None:
        text = (self.template(f"{key}.{form}") if form else None) or self.template(key)
        return text.format(**params) if text is not None and params else text

    def piece(self, piece: str, form: str = "") -> str | None:
        """The words for a piece id; None where there are none."""
        kind, _, rest = piece.partition("/")
        colour, _, number = rest.partition("/")
        template = (self.template(f"piece.{kind}.{form}") if form else None) or self.template(
            f"piece.{kind}"
        )
        if template is None:
            return None
        said = Term(lambda f: self._form(f"colour.{colour}", f) or colour)
        return template.format(colour=said, n=number or rest)

    def spots(self, spots: tuple[str, ...]) -> str:
        """The words for where a piece stands."""
        if not spots:
            return self.template("spot.off") or ""
        return ", ".join(self._word("spot", spot, "") for spot in spots)


def describe(action: Action) -> Message:
    """One line of the history for an action that was recorded: the text ``log.DO``."""
    mark = action.args.get(HOUSE_RULE)
    if action.do == "correct" and isinstance(mark, Mapping):
        return _house_rule(mark)
    args = {k: v for k, v in action.args.items() if isinstance(v, (str, int))}
    dice = action.args.get("dice")
    if isinstance(dice, (list, tuple)) and len(dice) == 2:
        args |= {"a": dice[0], "b": dice[1]}
    params = {"player": action.player or "", "do": action.do, **args}
    return Message(f"log.{action.do}", f"{action.player or ''} {action.do}".strip(), params)


def _house_rule(mark: Mapping[str, Any]) -> Message:
    """The line for a move that was let stand against the rules."""
    rule = str(mark.get("rule") or "–")
    try:
        action = Action.from_json(mark.get("action"))
    except BoardwardenError:
        action = Action(None, "correct")
    return Message(
        "log.house_rule", f"House rule: {action.do} ({rule})", {"action": action, "rule": rule}
    )
