"""Turning the wheel where nothing takes it but what is scrolled."""

from __future__ import annotations

from steps_world import World, desk_of, element, play

from carrel.actions import Scroll
from carrel.geometry import Box, Point
from carrel.models.steps.layout.wheel_spots import free_spot, is_turned, turned_controls
from carrel.models.steps.shown.scrollable import look_through, scrolling_panes

PANE = Box(0, 0, 400, 300)


def test_without_such_controls_the_spot_stays() -> None:
    assert free_spot(PANE, [Box(600, 0, 50, 50)], PANE.center) == PANE.center


def test_the_spot_lies_beside_a_control_all_along() -> None:
    slider = Box(150, 100, 120, 20)
    spot = free_spot(PANE, [slider], PANE.center)
    assert spot is not None
    assert not slider.x <= spot.x <= slider.right


def test_where_controls_are_everywhere_there_is_none() -> None:
    assert free_spot(PANE, [Box(0, 0, 399, 299)], PANE.center) is None


def test_calendars_and_sliders_take_the_wheel_and_labels_do_not() -> None:
    shown = [
        element("Volume", "slider", (10, 10, 100, 20)),
        element("", "calendar", (10, 50, 200, 150)),
        element("Name", "label", (10, 250, 50, 20)),
    ]
    boxes = turned_controls(shown)
    assert boxes == [shown[0].box, shown[1].box]
    assert is_turned(Point(50, 100), boxes)
    assert not is_turned(Point(30, 260), boxes)


def test_a_search_never_turns_the_wheel_over_a_calendar() -> None:
    world = World(
        element("", "calendar", (300, 200, 400, 400)),
        element("Name", "label", (10, 20, 50, 20)),
    )
    desk = desk_of(world)
    play(world, look_through(desk, scrolling_panes(desk), lambda: None), desk)
    turned = [action for action in world.done if isinstance(action, Scroll)]
    assert turned
    assert not any(Box(300, 200, 400, 400).contains(Point(a.x, a.y)) for a in turned)
