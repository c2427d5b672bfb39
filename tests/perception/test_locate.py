from __future__ import annotations

import io
from dataclasses import dataclass, field

import anyio
import pytest
from PIL import Image, ImageDraw
from screens import Screen

from carrel.errors import ActionFailed, Unsupported
from carrel.frames import Element
from carrel.geometry import Box, Point, Size
from carrel.perception.find import every, find
from carrel.perception.locate import Located, locate
from carrel.perception.view import View

pytestmark = pytest.mark.anyio


@dataclass
class Finger:
    """Points where it was told to, or fails."""

    answer: Point | Exception
    name: str = "finger"
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def locate(self, picture: str, description: str) -> Point:
        self.asked.append((picture, description))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def two_saves() -> Screen:
    screen = Screen()
    screen.add("push button", "Save", (10, 10, 50, 20))
    screen.add("push button", "Save", (10, 50, 50, 20))
    return screen


async def look(screen: Screen, words: str, finger: Finger | None = None) -> Located:
    with anyio.fail_after(5):
        return await locate("picture", words, elements=screen.elements, model=finger)


async def test_rules_that_are_sure_ask_nobody() -> None:
    finger = Finger(Point(1, 1))
    found = await look(two_saves(), "the second Save button", finger)
    assert (found.point, found.source, finger.asked) == (Point(35, 60), "rules", [])
    assert found.confidence >= 0.9
    assert found.element is not None
    assert [other.point for other in found.alternatives] == [Point(35, 20)]


async def test_a_model_is_asked_when_the_rules_are_not_sure() -> None:
    finger = Finger(Point(30, 55))
    found = await look(two_saves(), "Save", finger)
    assert finger.asked == [("picture", "Save")]
    assert (found.point, found.source) == (Point(30, 55), "model")
    assert found.element is not None
    assert found.element.id == "e1"


async def test_a_model_that_points_elsewhere_is_believed_less() -> None:
    near = await look(two_saves(), "Save", Finger(Point(30, 55)))
    far = await look(two_saves(), "Save", Finger(Point(300, 300)))
    assert far.element is None
    assert far.confidence < near.confidence


async def test_a_field_is_found_by_what_it_says_while_it_is_empty() -> None:
    screen = Screen()
    screen.add("entry", "Search users", (10, 10, 150, 20), "editable", hint="Name or email")
    screen.add("entry", "Email", (10, 50, 150, 20), "editable")
    for words in ('the "Name or email" field', "the Search users field"):
        assert (await look(screen, words)).point == Point(85, 20)
    assert (await look(screen, "the Email field")).point == Point(85, 60)


async def test_without_a_model_nothing_is_guessed() -> None:
    with pytest.raises(ActionFailed, match="2 elements fit element named Save") as caught:
        await look(two_saves(), "Save")
    assert "say which one" in (caught.value.hint or "")
    with pytest.raises(ActionFailed, match="no element named Quit"):
        await look(two_saves(), "Quit")


@pytest.mark.parametrize("error", [ActionFailed("not seen"), Unsupported("cannot point")])
async def test_when_both_fail_both_are_heard(error: Exception) -> None:
    with pytest.raises(ActionFailed, match=r"no element named Quit.*finger: (not seen|cannot)"):
        await look(two_saves(), "Quit", Finger(error))


@pytest.fixture
def drawing() -> tuple[View, tuple[Element, ...]]:
    """A canvas with shapes, and a button painted blue."""
    picture = Image.new("RGB", (400, 300), "white")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((20, 20, 60, 60), fill="red")
    draw.ellipse((120, 20, 160, 60), fill="blue")
    draw.rectangle((20, 120, 60, 160), fill="red")
    draw.polygon([(200, 150), (240, 150), (220, 110)], fill="green")
    draw.rectangle((300, 20, 380, 60), fill="blue")
    draw.rectangle((300, 100, 380, 140), fill="red")
    out = io.BytesIO()
    picture.save(out, "png")
    view = View("drawing", Size(400, 300), out.getvalue)
    on = ("enabled",)
    return view, (
        Element("c", "canvas", box=Box(0, 0, 280, 300)),
        Element("b", "push button", "Go", box=Box(300, 20, 81, 41), states=on),
        Element("r", "push button", "Go", box=Box(300, 100, 81, 41), states=on),
    )


@pytest.mark.parametrize(
    ("words", "point"),
    [
        ("the red circle", (40, 40)),
        ("the blue circle", (140, 40)),
        ("the green triangle", (220, 130)),
        ("the red square", (40, 140)),
        ("the triangle", (220, 130)),
        ("the circle right of the red circle", (140, 40)),
        ("红色的圆", (40, 40)),
        ("绿色的三角形", (220, 130)),
        ("the blue button", (340, 40)),
        ("the red Go button", (340, 120)),
        ("蓝色的按钮", (340, 40)),
    ],
)
async def test_colours_and_shapes_are_seen(
    drawing: tuple[View, tuple[Element, ...]], words: str, point: tuple[int, int]
) -> None:
    view, elements = drawing
    found = find(elements, words, view=view)
    assert found.sure, found.account()
    assert found.best is not None
    at = found.best.point
    assert abs(at.x - point[0]) <= 2
    assert abs(at.y - point[1]) <= 2


async def test_two_circles_are_two(drawing: tuple[View, tuple[Element, ...]]) -> None:
    view, elements = drawing
    assert not find(elements, "the circle", view=view).sure
    assert len(every(elements, "all circles", view=view)) == 2
    assert every(elements, "all yellow circles", view=view) == ()
    assert not find(elements, "the yellow circle", view=view).sure
