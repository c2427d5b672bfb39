"""What was made out on one frame, and what could not be asked in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from carrel.frames import Element, Source
from carrel.geometry import Size

__all__ = ["LeftOut", "Scene"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A source that says nothing about a scene, and why."""

    source: Source
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is known to be on one frame.

    Attributes:
        frame: Id of the frame.
        elements: In reading order, each once; ids stay the same from scene to scene of one
            `Sight` for what did not move.
        left_out: The sources that were asked and did not answer.
        seconds: How long each source took that did.
    """

    frame: str
    size: Size
    elements: tuple[Element, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
