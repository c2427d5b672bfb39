"""Windows by their number."""

from __future__ import annotations

from dataclasses import dataclass

from carrel.actions._base import Action, EffectClass, require
from carrel.geometry import Point, Size

__all__ = [
    "CloseWindow",
    "FocusWindow",
    "MaximizeWindow",
    "MinimizeWindow",
    "MoveWindow",
    "ResizeWindow",
]


@dataclass(frozen=True, slots=True)
class _WindowAction(Action):
    window: int

    def _check(self) -> None:
        require(0 < self.window < 2**32, "a window id is a positive 32-bit number")

    @property
    def target(self) -> str:
        """The window id in hexadecimal."""
        return hex(self.window)


@dataclass(frozen=True, slots=True)
class FocusWindow(_WindowAction):
    """Raise a window and give it the keyboard."""

    type = "focus_window"
    effect = EffectClass.INPUT


@dataclass(frozen=True, slots=True)
class MoveWindow(_WindowAction):
    """Move a window's frame so that its top left corner is at a point."""

    type = "move_window"
    effect = EffectClass.INPUT
    x: int = 0
    y: int = 0

    def _check(self) -> None:
        super(MoveWindow, self)._check()  # slots leave the short form no class to find
        Point(self.x, self.y)


@dataclass(frozen=True, slots=True)
class ResizeWindow(_WindowAction):
    """Give a window's content a new size."""

    type = "resize_window"
    effect = EffectClass.INPUT
    width: int = 1
    height: int = 1

    def _check(self) -> None:
        super(ResizeWindow, self)._check()
        Size(self.width, self.height)


@dataclass(frozen=True, slots=True)
class MinimizeWindow(_WindowAction):
    """Minimise a window; focus it to bring it back."""

    type = "minimize_window"
    effect = EffectClass.INPUT


@dataclass(frozen=True, slots=True)
class MaximizeWindow(_WindowAction):
    """Maximise a window, or restore it with `on` false."""

    type = "maximize_window"
    effect = EffectClass.INPUT
    on: bool = True


@dataclass(frozen=True, slots=True)
class CloseWindow(_WindowAction):
    """Ask a window to close."""

    type = "close_window"
    effect = EffectClass.INPUT
