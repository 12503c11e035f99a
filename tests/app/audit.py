"""Looks over all that is written or tapped on a screen: nothing cut, covered, or too small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kivy.core.text import Label as CoreLabel
from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.slider import Slider
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion_app.widgets.drawing import Drawn

Box = tuple[float, float, float, float]
SLACK = 2.0
FINGER_MM = 9


@dataclass(frozen=True)
class Text:
    """A text on the screen: its box (left, low, right, high) in window pixels."""

    text: str
    box: Box
    room: Box
    cut: bool
    covers: frozenset[int]  # ids of the widget and everything it lies in


def audit(root: Widget, over: Widget | None = None) -> list[str]:
    """What is wrong; ``over``: a sheet that covers what lies below it."""
    found = list(texts_of(root))
    if over is not None:
        sheet = box_of(over)
        found = [t for t in found if id(over) in t.covers or not overlap(t.box, sheet)]
    wrong = [f"cut: {t.text!r} in {t.room}" for t in found if t.cut]
    for t in found:
        if not inside(t.box, t.room):
            wrong.append(f"out of its box: {t.text!r} {t.box} {t.room}")
        if not inside(t.box, (0, 0, *Window.size)):
            wrong.append(f"out of the window: {t.text!r} {t.box}")
    for i, a in enumerate(found):
        for b in found[i + 1 :]:
            if overlap(a.box, b.box):
                wrong.append(f"overlap: {a.text!r} {a.box} and {b.text!r} {b.box}")
    return wrong


def too_small(root: Widget) -> list[str]:
    """What is to be tapped and is smaller than a fingertip (9 mm)."""
    least = dp(FINGER_MM / 25.4 * 160) - SLACK
    return [
        f"smaller than {FINGER_MM} mm: {type(w).__name__} {getattr(w, 'text', '')!r} {w.size}"
        for w in tapped(root)
        if min(w.size) < least
    ]


def tapped(widget: Widget) -> Iterator[Widget]:
    """All widgets that can be seen and tapped."""
    if widget.opacity == 0 or min(widget.size) <= 1:
        return
    takes = isinstance(widget, (ButtonBehavior, TextInput, Slider)) and not widget.disabled
    if takes and getattr(widget, "taps", True):
        yield widget
    for child in widget.children:
        yield from tapped(child)


def texts_of(widget: Widget, lies_in: frozenset[int] = frozenset(), view: Box | None = None) -> Iterator[Text]:  # fmt: skip
    """All texts that can be seen, those half scrolled out of sight left out."""
    if widget.opacity == 0 or min(widget.size) <= 1:
        return
    here = lies_in | {id(widget)}
    if isinstance(widget, ScrollView):
        view = box_of(widget)
    own: list[Text] = []
    if isinstance(widget, Label) and widget.text.strip():
        own.append(label_text(widget, here))
    elif isinstance(widget, TextInput):
        own.append(field_text(widget, here))
    elif isinstance(widget, Drawn):
        own += drawn_texts(widget, here)
    for text in own:
        if view is None or inside(text.box, view):
            yield text
    for child in widget.children:
        yield from texts_of(child, here, view)


def label_text(label: Label, here: frozenset[int]) -> Text:
    left, top, right, low = label.padding
    width, height = label.width - left - right, label.height - top - low
    core = CoreLabel(
        text=label.text, font_size=label.font_size, bold=label.bold, font_name=label.font_name,
        text_size=(width if label.text_size[0] else None, None),
    )  # fmt: skip
    w, h = core.render()
    longest = max(core.get_extents(word)[0] for word in label.text.split())
    if label.text_size[0]:
        w = min(w, max(core.get_extents(line)[0] for line in lines_of(core, width)))
    x0, y0 = label.to_window(label.x, label.y)
    x = {"left": left, "center": (label.width - w) / 2, "right": label.width - right - w}.get(
        label.halign, left
    )
    y = {"bottom": low, "middle": (label.height - h) / 2, "top": label.height - top - h}.get(
        label.valign, (label.height - h) / 2
    )
    cut = h > height * 1.15 + SLACK or longest > width + SLACK
    box = (x0 + x, y0 + y, x0 + x + w, y0 + y + h)
    return Text(label.text, box, grown(box_of(label), h * 0.15), cut, here)


def lines_of(core: CoreLabel, width: float) -> list[str]:
    """The words of a label in lines of at most ``width`` pixels."""
    lines, line = [], ""
    for word in core.text.split():
        longer = f"{line} {word}".strip()
        if line and core.get_extents(longer)[0] > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def field_text(field: TextInput, here: frozenset[int]) -> Text:
    text = field.text or field.hint_text or " "
    core = CoreLabel(text=text, font_size=field.font_size, font_name=field.font_name)
    w, h = core.get_extents(text)
    x0, y0 = field.to_window(field.x, field.y)
    x, y = x0 + field.padding[0], y0 + (field.height - h) / 2
    cut = w > field.width - field.padding[0] - field.padding[2] + SLACK
    return Text(text, (x, y, x + w, y + h), box_of(field), cut, here)


def drawn_texts(widget: Drawn, here: frozenset[int]) -> list[Text]:
    found = []
    for written in widget.written:
        x, y, w, h = written.box
        x0, y0 = widget.to_window(x, y)
        box = (x0, y0, x0 + w, y0 + h)
        found.append(Text(written.text, box, grown(box_of(widget), h * 0.15), written.cut, here))
    return found


def box_of(widget: Widget) -> Box:
    x, y = widget.to_window(widget.x, widget.y)
    return x, y, x + widget.width, y + widget.height


def grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def inside(box: Box, room: Box) -> bool:
    return (
        box[0] >= room[0] - SLACK
        and box[1] >= room[1] - SLACK
        and box[2] <= room[2] + SLACK
        and box[3] <= room[3] + SLACK
    )


def overlap(a: Box, b: Box) -> bool:
    """Whether two texts share more than the empty rim of their boxes."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    rim = 0.3 * min(a[3] - a[1], b[3] - b[1])
    return wide > SLACK and high > max(SLACK, rim)
