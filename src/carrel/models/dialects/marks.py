"""Set of marks: function calling where places are the numbers drawn on the picture."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar
from weakref import WeakKeyDictionary

from carrel.codec import Json
from carrel.decisions import Call, Decision, Guard
from carrel.errors import InvalidInput
from carrel.frames import Element
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.dialect import Request
from carrel.models.dialects._functions_history import newest_whole
from carrel.models.dialects._functions_schema import Places, Points
from carrel.models.dialects._text import Grid, Part, image_part, picture_parts, text_part
from carrel.models.dialects.functions import Functions
from carrel.models.picture import Picture
from carrel.perception.marks import Mark, annotate, mark_elements, table, unmarked
from carrel.perception.ocr import can_read

__all__ = ["Marks"]


class _Marked:
    """The marks of one picture, and the picture with them on it, made once.

    Args:
        picture: What is marked.
        grid: How large it is shown.
        before: The picture before it: what is still the same keeps its number.
        given: The highest number that has been given to anything.
    """

    def __init__(self, picture: Picture, grid: Grid, before: _Marked | None, given: int) -> None:
        elements = picture.elements if picture.region is None else ()
        known = before.numbers if before else {}
        told = before.told if before else {}
        kept = {e.id: known[e.id] for e in elements if e.id in known and told[e.id] == _told(e)}
        self.marks = mark_elements(elements, picture.screen, kept, range(1, given + 1))
        self.more = unmarked(elements, picture.screen)
        self.numbers: dict[str, int] = {mark.element.id: mark.number for mark in self.marks}
        self.told: dict[str, tuple[str, str]] = {
            mark.element.id: _told(mark.element) for mark in self.marks
        }
        self.given = max((given, *self.numbers.values()))
        """No number up to this one is ever given to anything else."""
        self.gone = frozenset(range(1, self.given + 1)) - frozenset(self.numbers.values())
        """Numbers that were on a picture before this one, and are not on it."""
        self._url: str | None = None
        self._grid = grid

    def url(self, picture: Picture) -> str:
        if self._url is None:
            shown = self._grid.shown(picture.size)
            image = annotate(picture.original(), self.marks, picture.screen, shown)
            self._url = "data:image/png;base64," + base64.b64encode(image).decode("ascii")
        return self._url


# Kept beside the picture, never in it: what the machine showed stays what it showed.
_MARKED: WeakKeyDictionary[Picture, _Marked] = WeakKeyDictionary()


class Marks(Functions):
    """For models that read numbers better than they measure pixels.

    What stays where it is, and says the same, keeps its number from picture to picture. The number
    of anything else is given to nothing else in the same run: it is an error from then on.
    """

    name: ClassVar[str] = "marks"
    wants_elements: ClassVar[bool] = True

    @property
    def reads_pixels(self) -> bool:
        """Whether text and shapes can be read where applications say nothing."""
        return can_read()

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        self._number(context)
        return super().encode(model, context)

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision; a call is only carried out while its marks show what they did."""
        self._number(context)
        decision = super().decode(body, context)
        picture = newest_whole(context)
        if picture is None:
            return decision
        marks = {mark.number: mark for mark in self._marked(picture).marks}
        calls = (replace(call, guards=_guards(call, picture.id, marks)) for call in decision.calls)
        return replace(decision, calls=tuple(calls))

    def places(self, context: Context) -> Places:
        """Numbers of the newest picture, or `x` and `y` for what has none."""
        picture = newest_whole(context)
        marked = self._marked(picture) if picture is not None else None
        points = Points(self.grid.space(context.screen))
        marks = marked.marks if marked else ()
        return _Numbers(
            {mark.number: mark for mark in marks}, points, marked.gone if marked else frozenset()
        )

    def place_words(self, context: Context) -> str:
        """The same, told to the model."""
        return (
            "Things on the newest picture have a box and a number. Point at them with `mark`, the "
            "number on the newest picture (what is new or has moved has a new number). Only for "
            f"what has no number give `x` and `y`. {super().place_words(context)}"
        )

    def picture(self, picture: Picture, newest: bool) -> list[Part]:
        """The newest picture with its marks and their table; older ones without."""
        marked = self._marked(picture)
        if not newest or not marked.marks:
            return picture_parts(picture, self.grid)
        words = f"What is marked on the picture:\n{table(marked.marks, marked.more)}"
        return [image_part(marked.url(picture)), text_part(words)]

    def _number(self, context: Context) -> None:
        """Number the pictures in their order, so that numbers are kept."""
        before: _Marked | None = None
        for picture in _pictures(context):
            given = before.given if before is not None else 0
            if before is None and context.decided and picture not in _MARKED:
                # The pictures before it are no longer kept: what was on them is.
                before, given = self._latest, self._given
            before = self._marked(picture, before, given)
        self._latest = before or self._latest

    _latest: _Marked | None = None
    """The marks of the picture that was numbered last."""
    _given = 0
    """The highest number of all, of whatever run: more than one may be asked about by turns."""

    def _marked(self, picture: Picture, before: _Marked | None = None, given: int = 0) -> _Marked:
        if picture not in _MARKED:
            _MARKED[picture] = _Marked(picture, self.grid, before, given)
            self._given = max(self._given, _MARKED[picture].given)
        return _MARKED[picture]


def _told(element: Element) -> tuple[str, str]:
    """What tells a thing from another at its place; what is written into a field does not."""
    fillable = "editable" in element.states or element.value is not None
    return element.name, "" if fillable else element.text


def _pictures(context: Context) -> Iterator[Picture]:
    """The pictures of the whole screen that are kept, from the oldest."""
    if context.first is not None:
        yield context.first
    for turn in context.turns:
        for outcome in turn.outcomes:
            if outcome.picture is not None and outcome.picture.region is None:
                yield outcome.picture


def _guards(call: Call, frame: str, marks: Mapping[int, Mark]) -> tuple[Guard, ...]:
    """The marks that a call names, at their places."""
    if call.problem is not None:
        return ()
    path = call.arguments.get("path")
    places: list[Json] = [dict(call.arguments), *(path if isinstance(path, list) else ())]
    numbers = [_number(place.get("mark")) for place in places if isinstance(place, dict)]
    return tuple(
        Guard(frame, marks[number].box, f"mark {number}")
        for number in numbers
        if number is not None and number in marks
    )


def _number(given: Json) -> int | None:
    """The number that a model meant; None for what is none."""
    if isinstance(given, str) and given.strip("[] ").isdecimal() and len(given) < 12:
        return int(given.strip("[] "))
    if isinstance(given, float) and given.is_integer():
        return int(given)
    return given if type(given) is int else None


class _Numbers:
    """Places as marks, with points as the way out."""

    def __init__(
        self, marks: Mapping[int, Mark], points: Points, gone: frozenset[int] = frozenset()
    ) -> None:
        self.marks = marks
        self.points = points
        self.gone = gone

    def fields(self) -> dict[str, Json]:
        mark: Json = {
            "type": "integer",
            "minimum": 1,
            "description": "The number on the newest picture.",
        }
        return {"mark": mark, **self.points.fields()}

    def required(self) -> list[str]:
        return []

    def read(self, given: Mapping[str, Json]) -> Point:
        wanted = given.get("mark")
        if wanted is None:
            return self._by_point(given)
        if "x" in given or "y" in given:
            raise InvalidInput("give either mark or x and y, not both")
        number = _number(wanted)
        if number is not None and number in self.marks:
            return self.marks[number].point
        if number in self.gone:
            raise InvalidInput(
                f"mark {number} was on an earlier picture: the screen has changed, and there is "
                f"no mark {number} on the newest picture",
                hint=self._known(),
            )
        raise InvalidInput(
            f"there is no mark {str(wanted)[:20]} on the newest picture", hint=self._known()
        )

    def _by_point(self, given: Mapping[str, Json]) -> Point:
        if "x" not in given and "y" not in given:
            raise InvalidInput("a place is missing", hint="give mark, or x and y")
        return self.points.read(given)

    def _known(self) -> str:
        if not self.marks:
            return "nothing is marked on it; give x and y"
        least, most = min(self.marks), max(self.marks)
        return f"its {len(self.marks)} marks go from {least} to {most}; look at the newest picture"

    def write(self, point: Point) -> dict[str, Json]:
        # Marks of past pictures mean nothing on the newest one.
        return self.points.write(point)
