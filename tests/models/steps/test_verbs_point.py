from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key, Move, Wait
from carrel.frames import Element
from carrel.geometry import Box
from carrel.geometry import Point as Place
from carrel.models.steps.program import Expand, Point, Press
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.dragging import drag_path
from carrel.models.steps.verbs.finding import expand
from carrel.models.steps.verbs.pointing import point, press, read_chord


def test_a_click_goes_to_the_middle_of_what_is_named() -> None:
    world = World(element("Save"), element("Cancel", at=(200, 10, 80, 20)))
    play(world, point(desk_of(world), Point("Cancel")))
    assert world.done == [Click(240, 20)]
    assert "Cancel" in world.thoughts[0]


def test_held_keys_counts_and_buttons_reach_the_click() -> None:
    world = World(element("Row"))
    desk = desk_of(world)
    play(world, point(desk, Point("Row", held=("ctrl",))))
    play(world, point(desk, Point("Row", "double")))
    play(world, point(desk, Point("Row", "right")))
    play(world, point(desk, Point("Row", times=3)))
    play(world, point(desk, Point("Row", "hover")))
    world.done = [action for action in world.done if not isinstance(action, Wait)]
    assert world.done[0] == Click(50, 20, modifiers=("ctrl",))
    assert world.done[1] == Click(50, 20, count=2)
    assert world.done[2] == Click(50, 20, "right")
    assert world.done[3:6] == [Click(50, 20)] * 3
    # The pointer comes from outside, and moves on it.
    assert world.done[6:] == [Move(0, 20), Move(46, 19), Move(50, 20)]


def test_two_equal_things_are_not_guessed_between() -> None:
    world = World(element("OK"), element("OK", at=(300, 300, 80, 20)))
    with pytest.raises(Missed, match="2 elements fit"):
        play(world, point(desk_of(world), Point("OK")))
    assert not [action for action in world.done if isinstance(action, Click)]


def test_of_two_equal_things_the_one_in_the_open_dialog_is_meant() -> None:
    world = World(
        element("OK", at=(700, 500, 60, 20)),
        element("Sure?", "dialog", (100, 100, 300, 200), id="d"),
        element("OK", at=(120, 260, 60, 20), parent="d"),
    )
    world.on("OK", lambda w, _hit, _action: w.elements.clear())
    play(world, point(desk_of(world), Point("OK")))
    assert world.done[-1] == Click(150, 270)


def test_of_two_equal_things_the_one_where_the_work_goes_on_is_meant() -> None:
    world = World(
        element("", "panel", (0, 0, 380, 200), id="one"),
        element("Submit", at=(10, 150, 80, 20), parent="one"),
        element("", "panel", (400, 0, 380, 200), id="two"),
        element("Submit", at=(410, 150, 80, 20), parent="two"),
    )
    desk = desk_of(world)
    desk.worked = Box(420, 20, 50, 20)
    play(world, point(desk, Point("Submit")))
    assert world.done[-1] == Click(450, 160)


def test_what_is_not_there_is_told_with_what_is_near_and_what_was_tried() -> None:
    world = World(element("Submit form", at=(372, 290, 80, 20)))
    with pytest.raises(Missed) as missed:
        play(world, point(desk_of(world), Point("Submit order now")))
    assert "Submit order now" in missed.value.account
    assert "nothing scrolls" in missed.value.account
    assert not [action for action in world.done if isinstance(action, Click)]


def test_what_comes_a_moment_later_is_waited_for() -> None:
    world = World(element("Start"))
    world.after(0.5, lambda w: w.elements.append(element("Go on", at=(300, 10, 80, 20))))
    play(world, point(desk_of(world), Point("Go on")))
    assert world.done[-1] == Click(340, 20)


def test_a_button_that_cannot_be_used_yet_is_waited_for() -> None:
    world = World(element("Go on", "push button", (10, 10, 80, 20), "disabled"))
    usable = element("Go on")
    world.after(0.4, lambda w: w.change("Go on", states=usable.states))
    play(world, point(desk_of(world), Point("Go on")))
    assert isinstance(world.done[-1], Click)


def test_a_button_that_stays_disabled_is_not_clicked() -> None:
    world = World(element("Go on", "push button", (10, 10, 80, 20), "disabled"))
    with pytest.raises(Missed, match="disabled"):
        play(world, point(desk_of(world), Point("Go on")))
    assert all(isinstance(action, Wait) for action in world.done)


def test_what_only_the_pixels_show_is_found_by_looking_closer() -> None:
    world = World(element("Other", at=(600, 500, 80, 20)))
    painted = replace(element("Play", "label", (100, 100, 60, 20)), source="ocr")
    world.closer_elements = [painted]
    play(world, point(desk_of(world), Point("Play")))
    assert world.done[-1] == Click(130, 110)


def test_a_point_in_pixels_may_be_named() -> None:
    world = World(element("Canvas", "canvas", (0, 0, 800, 600)))
    play(world, point(desk_of(world), Point("321, 45")))
    assert world.done == [Click(321, 45)]
    with pytest.raises(Missed, match="not on the screen"):
        play(world, point(desk_of(world), Point("900, 45")))


def test_a_closed_section_is_opened_for_what_may_be_in_it_and_other_things_are_put_back() -> None:
    world = World(
        element("General", "page tab", (10, 10, 80, 20), "selected"),
        element("Details", "page tab", (100, 10, 80, 20)),
        element("Shipping", "push button", (10, 100, 80, 20), "expandable"),
    )
    world.on(
        "Shipping", lambda w, _e, _a: w.elements.append(element("Express", at=(10, 200, 80, 20)))
    )
    play(world, point(desk_of(world), Point("Express")))
    clicks = [a for a in world.done if isinstance(a, Click)]
    assert clicks == [Click(140, 20), Click(50, 20), Click(50, 110), Click(50, 210)]


def test_what_lies_below_the_screen_is_scrolled_to() -> None:
    world = World(element("Top"))
    world.hidden = [element("Far below", at=(10, 900, 80, 20))]

    def scroll(w: World, _e: object, action: object) -> None:
        moved = [replace(e, box=Box(10, 300, 80, 20)) for e in w.hidden]
        w.elements, w.hidden = [element("Top", at=(10, -590, 80, 20)), *moved], []

    world.on("scroll", scroll)
    play(world, point(desk_of(world), Point("Far below")))
    assert world.done[-1] == Click(50, 310)


def test_a_click_that_leads_on_is_repeated_when_the_next_page_is_at_rest() -> None:
    def page(number: int, y: int) -> list[Element]:
        return [
            element(f"Heading {number}", "label", (10, 10, 80, 20)),
            element(f"Words of page {number}", "label", (10, 40, 80, 20)),
            element("Next", at=(10, y, 80, 20)),
        ]

    world = World(*page(1, 100))
    shown, busy = [1], [False]

    def turn(w: World, _e: Element, _a: Action) -> None:
        if busy[0]:
            return
        busy[0], shown[0] = True, shown[0] + 1
        w.elements = page(shown[0], 100)

        def rest(w: World) -> None:
            busy[0] = False
            w.elements = page(shown[0], 100 + 40 * shown[0])

        w.after(0.3, rest)

    world.on("Next", turn)
    play(world, point(desk_of(world), Point("Next", times=3)))
    assert shown == [4]


def test_a_counter_is_clicked_as_often_as_it_is_said() -> None:
    world = World(element("1", "label", (100, 10, 20, 20)), element("+"))
    count = [1]

    def more(w: World, _e: Element, _a: Action) -> None:
        count[0] += 1
        w.elements[0] = element(str(count[0]), "label", (100, 10, 20, 20))

    world.on("+", more)
    play(world, point(desk_of(world), Point("+", times=5)))
    assert count == [6]


def test_keys_are_pressed_as_chords_one_after_another() -> None:
    world = World(element("x"))
    desk = desk_of(world)
    play(world, press(desk, Press(("ctrl+s",))))
    play(world, press(desk, Press(("tab",), times=3)))
    play(world, press(desk, Press(("a", "b"))))
    assert world.done == [Key(("ctrl", "s")), Key(("tab",), repeat=3), Key(("a",)), Key(("b",))]
    with pytest.raises(Missed, match="no key"):
        play(world, press(desk, Press(("ctrl+nonsense",))))


def test_a_plus_is_a_key_too() -> None:
    assert read_chord("ctrl++") == Key(("ctrl", "plus")).keys
    assert read_chord("+") == Key(("plus",)).keys


@given(st.integers(0, 799), st.integers(0, 599), st.integers(0, 799), st.integers(0, 599))
def test_a_drag_goes_from_its_start_to_its_end_in_small_moves(
    x: int, y: int, to_x: int, to_y: int
) -> None:
    path = drag_path(Place(x, y), Place(to_x, to_y))
    assert path[0] == Place(x, y)
    assert path[-1] == Place(to_x, to_y)
    assert len(path) >= 6


def test_a_section_that_is_open_already_is_left_alone() -> None:
    world = World(element("More", "push button", (10, 10, 80, 20), "expandable", "expanded"))
    assert play(world, expand(desk_of(world), Expand("More"))) == "already open"
    assert world.done == []


def test_a_section_that_does_not_open_is_told() -> None:
    world = World(element("More", "push button", (10, 10, 80, 20), "expandable"))
    with pytest.raises(Missed, match="still closed"):
        play(world, expand(desk_of(world), Expand("More")))


def test_a_section_that_opens_only_by_its_arrow_is_clicked_there() -> None:
    world = World(element("Details", "toggle button", (10, 10, 300, 20), "expandable"))

    def press(world: World, _e: Element, action: Action) -> None:
        if isinstance(action, Click) and action.x < 30:
            world.change("Details", states=("expandable", "expanded"))

    world.on("Details", press)
    play(world, expand(desk_of(world), Expand("Details")))
    assert [a.x for a in world.done if isinstance(a, Click)] == [160, 20]
