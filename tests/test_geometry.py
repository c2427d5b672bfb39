from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import InvalidInput
from carrel.geometry import Box, Point, Size

numbers = st.integers(-1000, 1000)
lengths = st.integers(0, 1000)
boxes = st.builds(Box, numbers, numbers, lengths, lengths)
small_boxes = st.builds(Box, *[st.integers(-6, 6)] * 2, *[st.integers(0, 9)] * 2)


@given(boxes, boxes)
def test_an_intersection_is_exactly_the_common_pixels(a: Box, b: Box) -> None:
    common = a.intersect(b)
    corners = [Point(x, y) for x in (a.x, b.x) for y in (a.y, b.y)]
    for corner in corners:
        inside = a.contains(corner) and b.contains(corner)
        assert inside == (common is not None and common.contains(corner))


@given(small_boxes, small_boxes)
def test_what_is_left_of_a_box_is_every_pixel_that_the_other_lacks(a: Box, b: Box) -> None:
    left = [
        (x, y)
        for part in a.without(b)
        for x in range(part.x, part.right)
        for y in range(part.y, part.bottom)
    ]
    ours = {(x, y) for x in range(a.x, a.right) for y in range(a.y, a.bottom)}
    assert len(left) == len(set(left))
    assert set(left) == {(x, y) for x, y in ours if not b.contains(Point(x, y))}


@given(st.integers(1, 32767), st.integers(1, 32767))
def test_a_size_reads_back_what_it_prints(width: int, height: int) -> None:
    assert Size.parse(str(Size(width, height))) == Size(width, height)


@pytest.mark.parametrize(
    "text", ["", "x", "0x5", "1280", "1280x", "-1x5", "1e3x5", "9x10000000000"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        Size.parse(text)


def test_the_centre_is_inside() -> None:
    assert Box(10, 20, 3, 5).center == Point(11, 22)
