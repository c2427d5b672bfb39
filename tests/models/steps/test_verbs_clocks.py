"""Time fields whose click opens a panel with an hour and a minute, which takes the keyboard."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.program import PickTime
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.clocks import says_time
from carrel.models.steps.verbs.times import pick_time


class Form:
    """A page with the read-only field `Start`, whose panel has parts of its own.

    Attributes:
        value: What the field shows: that is only told when the panel is left.
        halves: Whether the hours are told in two halves of the day.
        keeps: What the field shows whatever is typed; None where it follows.
    """

    def __init__(self, *, halves: bool, names: bool = True, keeps: str | None = None) -> None:
        self.halves, self.names, self.keeps = halves, names, keeps
        self.value, self.opened, self.half, self.focus = "", False, "PM", ""
        self.parts = {"Hour": "12", "Minute": "00"}
        self.selected = False
        self.world = World()
        self.world._click = self._click  # type: ignore[method-assign]
        self.world._type = self._type  # type: ignore[method-assign]
        self.world._key = self._key  # type: ignore[method-assign]
        self.draw()

    def draw(self) -> None:
        rows = [
            element("Booking", "document web", (0, 0, 800, 600), id="p"),
            element("", "form", (20, 80, 700, 400), parent="p", id="f"),
            element("Start", "label", (40, 100, 46, 20), parent="f"),
            element(
                *("Start", "entry", (40, 124, 400, 28), "read only", "focusable", "single line"),
                value=self.value or None,
                parent="f",
                id="start",
            ),
            element("Book", "push button", (40, 400, 80, 28), parent="f"),
        ]
        if self.opened:
            rows += [self._part(name, at) for at, name in enumerate(self.parts)]
            rows.append(element(":", "static", (145, 165, 6, 16), parent="p"))
            if self.halves:
                rows.append(element(self.half, "static", (270, 165, 30, 16), parent="p"))
        self.world.elements = rows

    def _part(self, name: str, at: int) -> Element:
        states = ("editable", "focusable", "single line")
        focused = ("focused",) if self.focus == name else ()
        box = (40 + 120 * at, 154, 100, 40)
        role, called = ("spin button", name) if self.names else ("entry", "")
        value = self.parts[name]
        return element(called, role, box, *states, *focused, value=value, parent="p", id=name)

    def _click(self, action: Click) -> None:
        if 124 <= action.y < 152:
            self.opened, self.focus = True, "Hour"
        elif self.opened and 154 <= action.y < 194 and action.x < 260:
            self.focus = "Hour" if action.x < 140 else "Minute"
        elif self.opened and 154 <= action.y < 194 and self.halves:
            self.half = "AM" if self.half == "PM" else "PM"
        self.draw()

    def _type(self, text: str) -> None:
        if self.focus:
            held = "" if self.selected else self.parts[self.focus]
            self.parts[self.focus] = held + "".join(filter(str.isdigit, text))
        self.selected = False
        self.draw()

    def _key(self, action: Key) -> None:
        if action.keys == ("ctrl", "a"):
            self.selected = True
        elif action.keys == ("enter",):
            said = f"{self.parts['Hour']}:{self.parts['Minute']}"
            self.value = said + (f" {self.half}" if self.halves else "")
            self.value = self.keeps if self.keeps is not None else self.value
            self.opened = False
        self.draw()


def set_time(form: Form, text: str, iso: str) -> list[Action]:
    play(form.world, pick_time(desk_of(form.world), PickTime(text, iso, "Start")))
    return form.world.done


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize(
    ("halves", "iso", "held"),
    [
        (False, "14:30", "14:30"),
        (True, "14:30", "02:30 PM"),
        (True, "09:05", "09:05 AM"),
        (True, "00:10", "12:10 AM"),
        (False, "00:10", "00:10"),
    ],
)
def test_hour_and_minute_go_into_the_parts_of_the_panel(
    halves: bool, iso: str, held: str, names: bool
) -> None:
    form = Form(halves=halves, names=names)
    set_time(form, iso, iso)
    assert form.value == held
    assert not form.opened


@pytest.mark.parametrize("keeps", ["06:00", ""])
def test_a_field_that_says_another_time_fails(keeps: str) -> None:
    form = Form(halves=False, keeps=keeps)
    with pytest.raises(Missed, match=f"holds '{keeps}' after 14:30"):
        set_time(form, "14:30", "14:30")


@pytest.mark.parametrize(
    ("text", "iso", "so"),
    [
        ("2:30 PM", "14:30", True),
        ("下午2:30", "14:30", True),
        ("14:30:00", "14:30", True),
        ("Tue 15 Dec, 14:30", "14:30", True),
        ("2:30 AM", "14:30", False),
        ("12:30 AM", "00:30", True),
        ("12:30", "00:30", False),
        ("14:3", "14:30", False),
        ("", "14:30", False),
    ],
)
def test_a_time_is_told_in_either_way_of_counting_the_hours(text: str, iso: str, so: bool) -> None:
    assert says_time(text, iso) is so


class Listed:
    """A page with the field `Alarm`: one can type there, and its panel lists the hours.

    Attributes:
        keeps: Of what is typed, what the field keeps when it is left; else its own time.
        stays: Whether the panel is there until its button is pressed, and decides only then.
    """

    def __init__(self, *keeps: str, stays: bool = False) -> None:
        self.keeps, self.stays = keeps, stays
        self.value, self.opened, self.selected = "", False, False
        self.world = World()
        self.world._click = self._click  # type: ignore[method-assign]
        self.world._type = self._type  # type: ignore[method-assign]
        self.world._key = self._key  # type: ignore[method-assign]
        self.draw()

    def draw(self) -> None:
        states = ("editable", "focusable", "single line", *(("focused",) if self.opened else ()))
        rows = [
            element("Clock", "document web", (0, 0, 800, 600), id="p"),
            element("Alarm", "entry", (40, 40, 200, 28), *states, value=self.value, parent="p"),
        ]
        if self.opened:
            rows += [
                element(f"{hour:02}", "list item", (40, 80 + 20 * hour, 60, 20), parent="p")
                for hour in range(6)
            ]
            rows.append(element("OK", "push button", (160, 220, 60, 24), parent="p"))
        self.world.elements = rows

    def _left(self) -> None:
        self.value = self.value if self.value in self.keeps else "00:01:41"
        self.opened = False

    def _click(self, action: Click) -> None:
        if 40 <= action.y < 68:
            self.opened = True
        elif self.opened and 220 <= action.y < 244 and action.x >= 160:
            self._left()
        self.draw()

    def _type(self, text: str) -> None:
        self.value = text if self.selected else self.value + text
        self.selected = False
        self.draw()

    def _key(self, action: Key) -> None:
        if action.keys == ("ctrl", "a"):
            self.selected = True
        elif action.keys == ("tab",) and not self.stays:
            self._left()
        self.draw()


@pytest.mark.parametrize("stays", [False, True])
@pytest.mark.parametrize("keeps", ["06:10", "06:10:00"])
def test_a_time_is_typed_as_the_field_keeps_it_when_it_is_left(keeps: str, stays: bool) -> None:
    page = Listed(keeps, stays=stays)
    desk = desk_of(page.world)
    play(page.world, pick_time(desk, PickTime("06:10", "06:10", "Alarm")))
    assert page.value == keeps
    assert not page.opened
    assert not desk.doubts


@pytest.mark.parametrize("stays", [False, True])
def test_a_field_that_takes_its_own_time_when_it_is_left_fails(stays: bool) -> None:
    page = Listed(stays=stays)
    with pytest.raises(Missed, match="holds '00:01:41' after '06:10'"):
        play(page.world, pick_time(desk_of(page.world), PickTime("06:10", "06:10", "Alarm")))
