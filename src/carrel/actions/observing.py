"""Looking: nothing on the screen changes by these."""

from __future__ import annotations

from dataclasses import dataclass

from carrel.actions._base import Action, EffectClass, check_seconds, require
from carrel.frames import ImageFormat
from carrel.geometry import Box

__all__ = [
    "Cursor",
    "Elements",
    "GetClipboard",
    "Screen",
    "Screenshot",
    "Wait",
    "Windows",
]


@dataclass(frozen=True, slots=True)
class Screenshot(Action):
    """Take a picture of the screen or a part of it.

    `unless` is the id of a frame the caller has: if the screen still shows it, no bytes are sent.
    """

    type = "screenshot"
    effect = EffectClass.OBSERVE
    region: Box | None = None
    format: ImageFormat = "png"
    quality: int = 85
    cursor: bool = False
    unless: str | None = None

    def _check(self) -> None:
        require(1 <= self.quality <= 100, "quality must be between 1 and 100")
        if self.region is not None:
            require(self.region.area > 0, "a region has at least one pixel")


@dataclass(frozen=True, slots=True)
class Screen(Action):
    """Read the size of the screen: data `{width, height}`."""

    type = "screen"
    effect = EffectClass.OBSERVE


@dataclass(frozen=True, slots=True)
class Cursor(Action):
    """Read where the pointer is: data `{x, y}`."""

    type = "cursor"
    effect = EffectClass.OBSERVE


@dataclass(frozen=True, slots=True)
class Elements(Action):
    """Read the accessibility tree: data `{elements, complete, cut, apps}`."""

    type = "elements"
    effect = EffectClass.OBSERVE
    app: str | None = None
    visible_only: bool = True
    limit: int = 5000
    timeout: float = 3.0

    def _check(self) -> None:
        require(1 <= self.limit <= 100_000, "limit must be between 1 and 100000")
        check_seconds(self.timeout, "timeout")


@dataclass(frozen=True, slots=True)
class Windows(Action):
    """List the windows: data `{windows}`, the topmost last."""

    type = "windows"
    effect = EffectClass.OBSERVE


@dataclass(frozen=True, slots=True)
class GetClipboard(Action):
    """Read the clipboard: data `{text}`."""

    type = "get_clipboard"
    effect = EffectClass.OBSERVE


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Wait for a time, or until the screen has not changed for `stable` seconds.

    With `stable`, giving up after `timeout` is an error (`timed_out`).
    """

    type = "wait"
    effect = EffectClass.OBSERVE
    seconds: float | None = None
    stable: float | None = None
    timeout: float = 10.0

    def _check(self) -> None:
        require(
            (self.seconds is None) != (self.stable is None), "wait takes either seconds or stable"
        )
        for name in ("seconds", "stable", "timeout"):
            check_seconds(getattr(self, name), name)
        require(
            self.stable is None or self.stable <= self.timeout,
            "a screen cannot be seen to be still for longer than the timeout",
        )
