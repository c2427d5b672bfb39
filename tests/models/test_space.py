from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import InvalidInput
from carrel.geometry import Box, Point, Size
from carrel.models.space import Space, SpaceKind, fit_within, smart_resize

SCREENS = st.builds(Size, st.integers(640, 3840), st.integers(480, 2160))
KINDS: list[SpaceKind] = ["pixels", "thousand", "thousand_minus", "unit"]
LAST: dict[SpaceKind, int] = {"thousand": 1000, "thousand_minus": 999}


def shrunk(screen: Size) -> Size:
    return fit_within(screen, 1568, 1_150_000)


def space_of(screen: Size, kind: SpaceKind = "pixels") -> Space:
    return Space(screen, shrunk(screen), kind)


@given(SCREENS, st.data())
def test_a_pixel_of_the_picture_comes_back_from_the_screen(
    screen: Size, data: st.DataObject
) -> None:
    space = space_of(screen)
    x = data.draw(st.integers(0, space.shown.width - 1))
    y = data.draw(st.integers(0, space.shown.height - 1))
    assert space.to_model(space.to_screen(x, y)) == (x, y)


@given(SCREENS)
def test_without_scaling_every_pixel_is_itself(screen: Size) -> None:
    space = Space(screen, screen)
    corner = Point(screen.width - 1, screen.height - 1)
    for point in (Point(0, 0), Point(1, 1), corner, Point(screen.width // 2, screen.height // 2)):
        assert space.to_screen(point.x, point.y) == point
        assert space.to_model(point) == (point.x, point.y)


def test_every_width_and_height_is_exact_on_every_axis() -> None:
    for width in range(640, 3841):
        screen = Size(width, 480 + (width - 640) * 1680 // 3200)
        space = space_of(screen)
        last = space.to_screen(space.shown.width - 1, space.shown.height - 1)
        # The last pixel of the picture covers the last one of the screen.
        assert space.to_model(Point(screen.width - 1, screen.height - 1)) == (
            space.shown.width - 1,
            space.shown.height - 1,
        )
        assert 0 <= screen.width - 1 - last.x <= screen.width / space.shown.width
        assert 0 <= screen.height - 1 - last.y <= screen.height / space.shown.height
        assert space.to_screen(0, 0).x <= screen.width / space.shown.width


def test_every_pixel_of_a_row_comes_back_at_common_sizes() -> None:
    for size in ("640x480", "1024x768", "1280x800", "1366x768", "1920x1080", "3840x2160"):
        space = space_of(Size.parse(size))
        for x in range(space.shown.width):
            assert space.to_model(space.to_screen(x, 0))[0] == x
        for y in range(space.shown.height):
            assert space.to_model(space.to_screen(0, y))[1] == y


@given(SCREENS, st.sampled_from(["thousand", "thousand_minus"]), st.data())
def test_thousandths_come_back_from_screens_that_are_finer(
    screen: Size, kind: SpaceKind, data: st.DataObject
) -> None:
    space = space_of(screen, kind)
    x = data.draw(st.integers(0, LAST[kind]))
    y = data.draw(st.integers(0, LAST[kind]))
    there = space.to_screen(x, y)
    back = space.to_model(there)
    if screen.width > 1000:
        assert back[0] == x
    if screen.height > 1000:
        assert back[1] == y
    # However coarse, what comes back means the same pixel.
    assert space.to_screen(*back) == there


@given(st.builds(Size, st.integers(1, 1000), st.integers(1, 1000)), st.data())
def test_pixels_come_back_from_thousandths_that_are_finer(
    screen: Size, data: st.DataObject
) -> None:
    x, y = data.draw(st.integers(0, screen.width - 1)), data.draw(st.integers(0, screen.height - 1))
    for kind in KINDS[1:]:
        space = Space(screen, screen, kind)
        assert space.to_screen(*space.to_model(Point(x, y))) == Point(x, y), kind


@given(SCREENS, st.data())
def test_shares_of_one_are_exact(screen: Size, data: st.DataObject) -> None:
    space = space_of(screen, "unit")
    x, y = data.draw(st.integers(0, screen.width - 1)), data.draw(st.integers(0, screen.height - 1))
    assert space.to_screen(*space.to_model(Point(x, y))) == Point(x, y)


@given(SCREENS)
def test_the_ends_of_every_scale_are_on_the_screen(screen: Size) -> None:
    corner = Point(screen.width - 1, screen.height - 1)
    assert space_of(screen, "thousand").to_screen(0, 0) == Point(0, 0)
    assert space_of(screen, "thousand").to_screen(1000, 1000) == corner
    assert space_of(screen, "unit").to_screen(0.0, 0.0) == Point(0, 0)
    assert space_of(screen, "unit").to_screen(1.0, 1.0) == corner


def test_the_middle_is_the_middle() -> None:
    screen = Size(1920, 1080)
    assert space_of(screen, "thousand").to_screen(500, 500) == Point(960, 540)
    assert space_of(screen, "unit").to_screen(0.5, 0.5) == Point(960, 540)
    assert Space(screen, Size(960, 540)).to_screen(480, 270) == Point(961, 541)


HOSTILE = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(),
    st.sampled_from([10**5000, -(10**5000), 1e308, math.nan, math.inf]),
    st.booleans(),
    st.none(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
)


@given(SCREENS, st.sampled_from(KINDS), HOSTILE, HOSTILE)
def test_whatever_a_model_writes_is_a_pixel_of_the_screen_or_refused(
    screen: Size, kind: SpaceKind, x: float, y: float
) -> None:
    space = space_of(screen, kind)
    try:
        point = space.to_screen(x, y)
    except InvalidInput:
        return
    assert Box(0, 0, screen.width, screen.height).contains(point)


@pytest.mark.parametrize(
    ("kind", "x"),
    [
        ("pixels", 1000),
        ("pixels", -1),
        ("thousand", 1001),
        ("thousand_minus", 1000),
        ("unit", 1.01),
        ("unit", -0.01),
    ],
)
def test_a_point_outside_the_picture_is_refused_with_the_range(kind: SpaceKind, x: float) -> None:
    space = Space(Size(2000, 1000), Size(1000, 500), kind)
    with pytest.raises(InvalidInput, match="outside the picture") as caught:
        space.to_screen(x, 0)
    assert caught.value.hint is not None
    assert "from 0 to" in caught.value.hint


def test_a_point_of_a_larger_screen_of_before_is_replayed_at_the_edge() -> None:
    space = Space(Size(1000, 500), Size(1000, 500))
    assert space.to_model(Point(1900, -20)) == (999, 0)


@given(SCREENS, st.data())
def test_a_region_comes_back_from_the_screen(screen: Size, data: st.DataObject) -> None:
    space = space_of(screen)
    left = data.draw(st.integers(0, space.shown.width - 1))
    top = data.draw(st.integers(0, space.shown.height - 1))
    right = data.draw(st.integers(left + 1, space.shown.width))
    bottom = data.draw(st.integers(top + 1, space.shown.height))
    box = space.box_to_screen(left, top, right, bottom)
    assert box.right <= screen.width
    assert box.bottom <= screen.height
    assert space.box_to_model(box) == (left, top, right, bottom)


def test_a_region_that_is_empty_or_turned_round_is_refused() -> None:
    space = Space(Size(1000, 500), Size(1000, 500))
    for corners in ((10, 10, 10, 20), (20, 10, 10, 20), (0, 0, 1001, 20), (math.nan, 0, 1, 1)):
        with pytest.raises(InvalidInput):
            space.box_to_screen(*corners)


@given(SCREENS, st.integers(64, 2000), st.integers(64 * 64, 3_000_000), st.sampled_from([1, 2, 28]))
def test_a_fitted_size_keeps_within_both_limits_and_the_shape(
    screen: Size, longest: int, pixels: int, multiple: int
) -> None:
    size = fit_within(screen, longest, pixels, multiple)
    if multiple == 1:
        assert max(size.width, size.height) <= longest
        assert size.width * size.height <= pixels
        shape = screen.width / screen.height
        assert abs(size.width - size.height * shape) <= max(1, shape)
    assert size.width % multiple == size.height % multiple == 0
    assert size.width <= max(screen.width + multiple, multiple)


def test_a_screen_that_fits_is_not_scaled() -> None:
    assert fit_within(Size(1280, 800), 1568, 1_150_000) == Size(1280, 800)
    assert fit_within(Size(1920, 1080), 1568, 1_150_000) == Size(1430, 804)


def test_smart_resize_gives_what_the_reference_gives() -> None:
    # qwen_vl_utils.smart_resize(height, width, 28, 3136, 12845056) and its common settings.
    assert smart_resize(Size(1920, 1080), 28, 3136, 12_845_056) == Size(1932, 1092)
    assert smart_resize(Size(1280, 800), 28, 3136, 12_845_056) == Size(1288, 812)
    assert smart_resize(Size(3840, 2160), 28, 3136, 1_003_520) == Size(1316, 728)
    assert smart_resize(Size(20, 20), 28, 3136, 12_845_056) == Size(56, 56)
    with pytest.raises(InvalidInput, match="too narrow"):
        smart_resize(Size(20_100, 100), 28, 3136, 12_845_056)


@given(SCREENS, st.sampled_from([14, 28, 32]), st.integers(1_000_000, 13_000_000))
def test_smart_resize_keeps_its_promises(screen: Size, factor: int, most: int) -> None:
    size = smart_resize(screen, factor, 3136, most)
    assert size.width % factor == size.height % factor == 0
    assert 3136 <= size.width * size.height <= most
