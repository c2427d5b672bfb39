"""Where something is: by rules first, and by a model that points when they are not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from carrel.errors import ActionFailed, Unsupported
from carrel.frames import Element
from carrel.geometry import Point, Size
from carrel.perception.find import Found, Match, find

if TYPE_CHECKING:
    from carrel.perception.description import Want
    from carrel.perception.view import View

__all__ = ["Located", "Pointer", "locate"]

CONFIRMED, ALONE = 0.9, 0.6
"""How sure a model's answer is: on something that the rules had in mind too, or not."""

_P = TypeVar("_P", contravariant=True)


class Pointer(Protocol[_P]):
    """What says where something is on a picture: any `carrel.models.model.Model`."""

    name: str

    async def locate(self, picture: _P, description: str) -> Point:
        """The place; `ActionFailed` when it is not there, `Unsupported` when it cannot say."""
        ...


@dataclass(frozen=True, slots=True)
class Located:
    """Where something is.

    Attributes:
        confidence: 0 to 1.
        source: Who says so.
        element: What is there, where that is known.
        alternatives: What else may be meant, the likelier first.
        why: What about it fits.
    """

    point: Point
    confidence: float
    source: Literal["rules", "model"]
    element: Element | None = None
    alternatives: tuple[Match, ...] = ()
    why: str = ""


async def locate(
    picture: _P,
    description: str,
    *,
    elements: Sequence[Element],
    model: Pointer[_P] | None = None,
    view: View | None = None,
    size: Size | None = None,
    want: Want = "act",
) -> Located:
    """Find something by a person's words.

    Args:
        picture: The screen, as the model takes it; the rules do not look at it.
        description: Such as `the second Save button`.
        elements: What is known to be on the picture.
        model: Is asked when the rules are not sure.
        view: The pixels, for colours and shapes.
        size: The screen.
        want: What it is wanted for.

    Raises:
        ActionFailed: It is not there, or several things fit equally well; the message says what
            comes nearest.
    """
    found = find(elements, description, view=view, size=size, want=want)
    best = found.best
    if found.sure and best is not None:
        others = found.matches[1:]
        return Located(best.point, best.confidence, "rules", best.element, others, best.why)
    if model is None:
        raise ActionFailed(found.account(), op="locate", hint=_hint(found))
    return await _ask(model, picture, description, found)


def _hint(found: Found) -> str:
    if found.ambiguous:
        return "say which one: “the second …”, “the … below …”, “the … in the row of …”"
    return "carrel see lists what is on the screen; a model may see more: --model PROVIDER:MODEL"


async def _ask(model: Pointer[_P], picture: _P, description: str, found: Found) -> Located:
    try:
        point = await model.locate(picture, description)
    except (ActionFailed, Unsupported) as error:
        raise ActionFailed(
            f"{found.account()}; {model.name}: {error.message}", op="locate", hint=error.hint
        ) from error
    for match in (*found.matches, *found.nearest):
        box = match.element.box
        if box is not None and box.contains(point):
            others = tuple(other for other in found.matches if other is not match)
            return Located(point, CONFIRMED, "model", match.element, others, match.why)
    return Located(point, ALONE, "model", None, found.matches)
