"""The pointer: clicks, moves, drags and the wheel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from carrel.actions._base import Action, EffectClass, check_seconds, require, store_modifiers
from carrel.geometry import Point

__all__ = [
    "Button",
    "Click",
    "Drag",
    "MouseDown",
    "MouseUp",
    "Move",
    "Scroll",
]

Button = Literal["left", "middle", "right", "back", "forward"]


@dataclass(frozen=True, slots=True)
class Click(Action):
    """Click at a point, with held keys if any; each press is held for `hold` seconds."""

    type = "click"
    effect = EffectClass.INPUT
    x: int
    y: int
    button: Button = "left"
    count: int = 1
    modifiers: tuple[str, ...] = ()
    hold: float = 0.0

    def _check(self) -> None:
        Point(self.x, self.y)
        require(1 <= self.count <= 10, "count must be between 1 and 10")
        check_seconds(self.hold, "hold")
        store_modifiers(self, self.modifiers)


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move the pointer."""

    type = "move"
    effect = EffectClass.INPUT
    x: int
    y: int

    def _check(self) -> None:
        Point(self.x, self.y)


@dataclass(frozen=True, slots=True)
class Drag(Action):
    """Press at the first point, move along the path, release at the last."""

    type = "drag"
    effect = EffectClass.INPUT
    path: tuple[Point, ...]
    button: Button = "left"
    modifiers: tuple[str, ...] = ()
    seconds: float = 0.2

    def _check(self) -> None:
        require(2 <= len(self.path) <= 10_000, "a drag path has 2 to 10000 points")
        check_seconds(self.seconds, "seconds")
        store_modifiers(self, self.modifiers)


@dataclass(frozen=True, slots=True)
class MouseDown(Action):
    """Press a button and keep it down."""

    type = "mouse_down"
    effect = EffectClass.INPUT
    button: Button = "left"


@dataclass(frozen=True, slots=True)
class MouseUp(Action):
    """Release a button."""

    type = "mouse_up"
    effect = EffectClass.INPUT
    button: Button = "left"


@dataclass(frozen=True, slots=True)
class Scroll(Action):
    """Turn the wheel at a point: `dy` notches down, `dx` notches right; negative is up, left."""

    type = "scroll"
    effect = EffectClass.INPUT
    x: int
    y: int
    dx: int = 0
    dy: int = 0
    modifiers: tuple[str, ...] = ()

    def _check(self) -> None:
        Point(self.x, self.y)
        require(abs(self.dx) <= 1000 and abs(self.dy) <= 1000, "at most 1000 notches at once")
        require(bool(self.dx or self.dy), "a scroll needs dx or dy")
        store_modifiers(self, self.modifiers)
