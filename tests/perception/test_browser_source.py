"""Where things are on the screen, from what a page tells of itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.computer import Computer
from carrel.errors import ProtocolError
from carrel.frames import Window
from carrel.geometry import Box, Size
from carrel.perception.browser import browser_of, page_elements, parse_page

SCREEN = Size(1024, 768)

PAGE: dict[str, Any] = {
    "visible": True,
    "title": "a page",
    "url": "file:///p.html",
    "size": [996, 647],
    "ratio": 1,
    "screen": 1024,
    "window": [10, 0, 1004, 738],
    "elements": [
        {
            "role": "push button",
            "parent": -1,
            "name": "Send",
            "value": None,
            "states": ["enabled", "focusable"],
            "control": True,
            "box": [100, 50, 180.4, 81.5],
        }
    ],
    "complete": True,
}


def with_box(*box: float) -> dict[str, Any]:
    return {**PAGE, "elements": [{**PAGE["elements"][0], "box": list(box)}]}


def test_a_page_stands_below_its_bars_and_inside_its_frame() -> None:
    page, button = page_elements(parse_page(PAGE), SCREEN)
    assert page.box == Box(14, 87, 996, 647)
    assert (page.role, page.name, page.value) == ("document web", "a page", "file:///p.html")
    assert button.box == Box(114, 137, 80, 31)
    assert (button.role, button.name, button.parent) == ("push button", "Send", page.id)
    assert button.source == "browser"


@pytest.mark.parametrize(
    ("facts", "box"),
    [
        ({"window": [0, 0, 1024, 768], "size": [1024, 768]}, Box(0, 0, 1024, 768)),
        ({"window": [0, 0, 1024, 738], "size": [1024, 651]}, Box(0, 87, 1024, 651)),
        ({"window": [10, 20, 1004, 713], "size": [1004, 713]}, Box(10, 20, 1004, 713)),
        # A screen scaled by 1.5, as measured.
        (
            {"window": [10, 10, 662, 472], "size": [654, 381], "ratio": 1.5, "screen": 682},
            Box(21, 146, 981, 571),
        ),
        # A page zoomed to 125 %.
        ({"size": [796.8, 517.6], "ratio": 1.25}, Box(14, 87, 996, 647)),
    ],
)
def test_the_page_is_found_in_windows_of_every_kind(facts: dict[str, Any], box: Box) -> None:
    assert page_elements(parse_page({**PAGE, **facts}), SCREEN)[0].box == box


def test_what_lies_outside_the_screen_is_cut_off_or_left_out() -> None:
    [_, cut] = page_elements(parse_page(with_box(900, 600, 1200, 900)), SCREEN)
    assert cut.box == Box(914, 687, 110, 81)
    assert len(page_elements(parse_page(with_box(2000, 10, 2100, 30)), SCREEN)) == 1


def test_what_lies_behind_another_window_is_left_out() -> None:
    own = Window(1, "page", Box(10, 0, 1004, 738))
    other = Window(2, "note", Box(100, 100, 200, 200))
    page = parse_page(PAGE)
    assert len(page_elements(page, SCREEN, (own, other))) == 1
    assert len(page_elements(page, SCREEN, (other, own))) == 2
    hidden = Window(2, "note", other.box, minimized=True)
    assert len(page_elements(page, SCREEN, (own, hidden))) == 2


def test_parents_that_are_not_shown_are_skipped() -> None:
    inner = {**PAGE["elements"][0], "parent": 0, "name": "inner"}
    outside = {**PAGE["elements"][0], "box": [5000, 0, 5010, 10]}
    told = {**PAGE, "elements": [outside, inner]}
    page, found = page_elements(parse_page(told), SCREEN, first=7)
    assert (page.id, found.id, found.parent) == ("b7", "b8", "b7")


@contextmanager
def computer(isolation: str) -> Iterator[Computer]:
    async def connect() -> Any:
        raise AssertionError("nothing is to be connected")

    yield Computer(connect, isolation=isolation)


@pytest.mark.parametrize("isolation", ["none", "unknown"])
def test_a_browser_of_ones_own_system_is_never_asked(isolation: str) -> None:
    with computer(isolation) as own:
        assert browser_of(own, SCREEN) == ()


def test_a_browser_within_walls_is_asked() -> None:
    with computer("process") as walled:
        assert callable(browser_of(walled, SCREEN))


@pytest.mark.parametrize(
    "facts",
    [
        {"size": [1]},
        {"window": []},
        {"ratio": 0},
        {"ratio": math.inf},
        {"ratio": math.nan},
        {"screen": 0},
        {"elements": 7},
        {"title": None},
        {"elements": [{"role": "link"}]},
        with_box(1, 2, 3),
    ],
)
def test_what_no_page_tells_is_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        parse_page({**PAGE, **facts})


NUMBER = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**12), 10**12)


@given(
    st.lists(NUMBER, min_size=4, max_size=4),
    st.lists(NUMBER, min_size=4, max_size=4),
    st.floats(0.05, 32),
    st.integers(1, 10_000),
)
def test_any_numbers_give_boxes_on_the_screen(
    box: list[float], window: list[float], ratio: float, screen: int
) -> None:
    told = {**with_box(*box), "window": window, "ratio": ratio, "screen": screen}
    whole = Box(0, 0, SCREEN.width, SCREEN.height)
    for element in page_elements(parse_page(told), SCREEN):
        assert element.box is not None
        assert element.box.intersect(whole) == element.box


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)


@given(JSON | st.fixed_dictionaries(dict.fromkeys(PAGE, JSON)))
def test_anything_else_is_refused_and_nothing_crashes(told: Any) -> None:
    try:
        parse_page(told)
    except ProtocolError:
        return
