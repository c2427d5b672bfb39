"""Function calling where places are described in words, for models that cannot point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from carrel.actions import Action
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.dialects._functions_schema import Places, read_action
from carrel.models.dialects.functions import Functions

__all__ = ["Described", "Unlocated"]

MAX_DESCRIPTION = 1000


class Unlocated(InvalidInput):
    """A place is described and nobody has looked for it yet."""

    code = "unlocated"


class Described(Functions):
    """The thinking half of `grounder+thinker`.

    A call that needs places decodes to a call with the problem `unlocated`; `targets` and
    `located` are what turns it into an action once somebody has found them.
    """

    name: ClassVar[str] = "described"

    def places(self, context: Context) -> Places:
        """Descriptions."""
        return _Descriptions()

    def place_words(self, context: Context) -> str:
        """The same, told to the model."""
        return (
            "You do not give coordinates. Describe the one thing you mean in `target` so that it "
            "cannot be confused with another: what it is, its text, its colour, where it is."
        )

    def targets(self, arguments: Mapping[str, Json]) -> list[str]:
        """The descriptions in the arguments of a call, in the order they are read."""
        found = _Descriptions()
        path = arguments.get("path")
        places = path if isinstance(path, list) else [dict(arguments)]
        return [found.target(place) for place in places if isinstance(place, dict)]

    def located(
        self, name: str, arguments: Mapping[str, Json], points: Sequence[Point], context: Context
    ) -> Action:
        """The action of a call whose places were found, in the order of `targets`.

        Raises:
            InvalidInput: Its other arguments are wrong.
        """
        return read_action(name, arguments, _Found(points), self.grid.space(context.screen))


class _Descriptions:
    """Places as text."""

    def fields(self) -> dict[str, Json]:
        target: Json = {
            "type": "string",
            "description": "The thing on the screen, described so that it cannot be mistaken.",
        }
        return {"target": target}

    def required(self) -> list[str]:
        return ["target"]

    def target(self, given: Mapping[str, Json]) -> str:
        words = given.get("target")
        if not isinstance(words, str) or not words.strip():
            raise InvalidInput("the target is missing", hint="describe the thing you mean")
        if len(words) > MAX_DESCRIPTION:
            raise InvalidInput(f"a target has at most {MAX_DESCRIPTION} characters")
        return words.strip()

    def read(self, given: Mapping[str, Json]) -> Point:
        words = self.target(given)
        raise Unlocated(
            f"{words[:80]!r} was not looked for",
            hint="this dialect needs a model that points: GROUNDER+THINKER",
        )

    def write(self, point: Point) -> dict[str, Json]:
        # Whoever chose this point did not say what is there.
        return {"target": f"the point {point.x}, {point.y} of the screen, in pixels"}


class _Found(_Descriptions):
    """The same places, found."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._left = list(points)

    def read(self, given: Mapping[str, Json]) -> Point:
        self.target(given)
        return self._left.pop(0)
