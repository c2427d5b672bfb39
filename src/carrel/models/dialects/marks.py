"""Set of marks: function calling where places are the numbers drawn on the picture."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import ClassVar
from weakref import WeakKeyDictionary

from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.dialects._functions_history import newest_whole
from carrel.models.dialects._functions_schema import Places, Points
from carrel.models.dialects._text import Grid, Part, image_part, picture_parts, text_part
from carrel.models.dialects.functions import Functions
from carrel.models.picture import Picture
from carrel.perception.marks import Mark, annotate, mark_elements, table

__all__ = ["Marks"]


class _Marked:
    """The marks of one picture, and the picture with them on it, made once."""

    def __init__(self, picture: Picture, grid: Grid) -> None:
        whole = picture.region is None
        self.marks = mark_elements(picture.elements, picture.screen) if whole else ()
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
    """For models that read numbers better than they measure pixels."""

    name: ClassVar[str] = "marks"
    wants_elements: ClassVar[bool] = True

    def places(self, context: Context) -> Places:
        """Numbers of the newest picture, or `x` and `y` for what has none."""
        picture = newest_whole(context)
        marks = self._marked(picture).marks if picture is not None else ()
        points = Points(self.grid.space(context.screen))
        return _Numbers({mark.number: mark for mark in marks}, points)

    def place_words(self, context: Context) -> str:
        """The same, told to the model."""
        return (
            "Things on the newest picture have a box and a number. Point at them with `mark`, the "
            "number on the newest picture (numbers change from picture to picture). Only for what "
            f"has no number give `x` and `y`. {super().place_words(context)}"
        )

    def picture(self, picture: Picture, newest: bool) -> list[Part]:
        """The newest picture with its marks and their table; older ones without."""
        marked = self._marked(picture)
        if not newest or not marked.marks:
            return picture_parts(picture, self.grid)
        words = f"What is marked on the picture:\n{table(marked.marks)}"
        return [image_part(marked.url(picture)), text_part(words)]

    def _marked(self, picture: Picture) -> _Marked:
        if picture not in _MARKED:
            _MARKED[picture] = _Marked(picture, self.grid)
        return _MARKED[picture]


class _Numbers:
    """Places as marks, with points as the way out."""

    def __init__(self, marks: Mapping[int, Mark], points: Points) -> None:
        self.marks = marks
        self.points = points

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
        number = given.get("mark")
        if number is None:
            return self._by_point(given)
        if "x" in given or "y" in given:
            raise InvalidInput("give either mark or x and y, not both")
        if isinstance(number, str) and number.strip("[] ").isdecimal() and len(number) < 12:
            number = int(number.strip("[] "))
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        found = self.marks.get(number) if type(number) is int else None
        if found is None:
            raise InvalidInput(
                f"there is no mark {str(number)[:20]} on the newest picture", hint=self._known()
            )
        return found.point

    def _by_point(self, given: Mapping[str, Json]) -> Point:
        if "x" not in given and "y" not in given:
            raise InvalidInput("a place is missing", hint="give mark, or x and y")
        return self.points.read(given)

    def _known(self) -> str:
        if not self.marks:
            return "nothing is marked on it; give x and y"
        return f"marks go from 1 to {len(self.marks)}; look at the newest picture"

    def write(self, point: Point) -> dict[str, Json]:
        # Marks of past pictures mean nothing on the newest one.
        return self.points.write(point)
