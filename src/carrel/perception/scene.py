"""What was made out on one frame, and what could not be asked in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from carrel.errors import CarrelError, NotFound, PrerequisiteError
from carrel.frames import Element, Source
from carrel.geometry import Size

if TYPE_CHECKING:
    from carrel.computer import ElementTree

__all__ = ["LeftOut", "Scene", "Told"]

_CUT = {
    "limit": "it was cut short: there is more than can be told at once",
    "crowd": "a table in it has more cells than can be told",
}
LATE = "it was cut short: not every application answered in time"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A source that says nothing about a scene, or not all there is, and why.

    Attributes:
        lasting: Whether another look would not help, as there is nobody to ask.
    """

    source: Source
    reason: str
    lasting: bool = False

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Told:
    """What one source says, and what it is silent about.

    Attributes:
        missing: Why this is not all there is; empty when it is.
        lasting: Whether another look would not find more.
    """

    elements: tuple[Element, ...] = ()
    missing: str = ""
    lasting: bool = False

    @classmethod
    def by_tree(cls, tree: ElementTree) -> Self:
        """What the applications say, which may be cut short."""
        if tree.complete:
            return cls(tree.elements)
        return cls(tree.elements, _CUT.get(tree.cut, LATE), tree.cut == "crowd")

    @classmethod
    def nothing(cls, error: CarrelError) -> Self:
        """Nothing at all: it could not be asked, or did not answer."""
        return cls((), error.message, isinstance(error, PrerequisiteError | NotFound))


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is known to be on one frame.

    Attributes:
        frame: Id of the frame.
        elements: In reading order, each once; ids stay the same from scene to scene of one
            `Sight` for what did not move.
        left_out: The sources that were asked and did not answer, or not with all there is: what
            is not among the elements may be there all the same.
        seconds: How long each source took that did.
    """

    frame: str
    size: Size
    elements: tuple[Element, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
