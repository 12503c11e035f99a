"""The traffic light: what the camera sees, by colour, symbol and words."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, SmoothEllipse, SmoothLine
from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion_app import theme
from companion_app.snapshot import CameraState, Light
from companion_app.texts import show, t
from companion_app.widgets.basics import Fit
from companion_app.widgets.drawing import Drawn


def light_colour(light: Light) -> theme.Rgba:
    """The colour of a lamp; its sign differs as well."""
    return {
        Light.OFF: theme.IDLE,
        Light.WAIT: theme.WAIT,
        Light.LOOK: theme.GOOD,
        Light.HAND: theme.WAIT,
        Light.TROUBLE: theme.BAD,
    }[light]


class Lamp(Drawn):
    """A disc whose inner sign also differs: tick, bars, hand, cross, ring."""

    DRAWS = ("state",)

    state: Light = ObjectProperty(Light.OFF)

    def draw(self) -> None:
        """See ``Drawn``."""
        draw_lamp(self.state, self.center, min(self.size) * 0.42)


def draw_lamp(light: Light, at: tuple[float, float], r: float) -> None:
    """A lamp of radius ``r`` with its sign; call inside ``with canvas``."""
    x, y = at
    Color(*light_colour(light))
    SmoothEllipse(pos=(x - r, y - r), size=(2 * r, 2 * r), segments=64)
    Color(*theme.SIGN)
    for points in _sign(light, x, y, r * 0.45):
        SmoothLine(points=points, width=max(1.2, r * 0.11))


def _sign(state: Light, x: float, y: float, r: float) -> list[list[float]]:
    if state is Light.LOOK:
        return [[x - r, y, x - r * 0.25, y - r * 0.8, x + r, y + r * 0.8]]
    if state is Light.TROUBLE:
        return [
            [x - r * 0.8, y - r * 0.8, x + r * 0.8, y + r * 0.8],
            [x - r * 0.8, y + r * 0.8, x + r * 0.8, y - r * 0.8],
        ]
    if state is Light.HAND:
        fingers = [
            [x + d * r, y - r * 0.4, x + d * r, y + (r if abs(d) < 0.5 else r * 0.7)]
            for d in (-0.75, -0.25, 0.25, 0.75)
        ]
        return [
            *fingers,
            [
                x - r * 0.75,
                y - r * 0.4,
                x - r * 0.4,
                y - r,
                x + r * 0.4,
                y - r,
                x + r * 0.75,
                y - r * 0.4,
            ],
        ]
    if state is Light.WAIT:
        return [
            [x - r * 0.45, y - r * 0.8, x - r * 0.45, y + r * 0.8],
            [x + r * 0.45, y - r * 0.8, x + r * 0.45, y + r * 0.8],
        ]
    return [[x - r * 0.8, y, x + r * 0.8, y]]


def trouble_words(camera: CameraState) -> str:
    """What keeps the eyes from seeing and what to do; "" where nothing does.  While pictures come the
    game needs no other way on."""
    if camera.light is not Light.TROUBLE:
        return ""
    parts = (camera.text, camera.detail if camera.checks is None else None)
    return "\n".join(show(part).rstrip(".") + "." for part in parts if part is not None)


class TrafficLight(ButtonBehavior, BoxLayout):
    """Lamp and sentence; a tap opens the camera's screen.  What trouble there is has no room here: the
    live picture says it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.dp(10), **kwargs)
        self.lamp = Lamp(size_hint=(None, 1), width=theme.dp(46))
        self.text = Fit(bold=True, most=theme.SIZE_BODY)
        self.add_widget(self.lamp)
        self.add_widget(self.text)

    def show(self, camera: CameraState) -> None:
        """Shows what the camera sees now."""
        self.lamp.state = camera.light
        trouble = camera.light is Light.TROUBLE
        self.text.text = t("camera.trouble") if trouble else show(camera.text)
