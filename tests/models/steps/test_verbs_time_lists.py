"""A time of day taken from lists of hours and minutes that a field opens."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.frames import Element
from carrel.models.steps.program import PickTime
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.times import pick_time

FIELD = (80, 110, 200, 20)


class Lists(World):
    """A page with a field that takes no keys, and a list of some hours and one of some minutes."""

    def __init__(self, *, keeps: bool = True) -> None:
        self.keeps, self.taken = keeps, ["00", "00"]
        page = element("Meeting", "document web", (0, 60, 800, 540), id="page")
        super().__init__(page, self._field(""))
        self.on("Start time", lambda _w, _e, _a: self._open())

    def _field(self, value: str) -> Element:
        return element("Start time", "entry", FIELD, "read only", value=value, parent="page")

    def _open(self) -> None:
        columns = (range(7, 12), range(0, 60, 15))
        for at, numbers in enumerate(columns):
            where = (80 + 70 * at, 140, 60, 200)
            self.elements.append(element("", "list", where, parent="page", id=f"l{at}"))
            for row, number in enumerate(numbers):
                box = (80 + 70 * at, 140 + 30 * row, 60, 28)
                entry = element(
                    f"{number:02}", "list item", box, parent=f"l{at}", id=f"{at}-{number}"
                )
                self.elements.append(entry)
                self.on(entry.name, lambda _w, e, _a: self._take(e))
        self.elements.append(element("OK", "push button", (230, 140, 40, 20), parent="page"))
        self.on("OK", lambda _w, _e, _a: self._end())

    def _take(self, entry: Element) -> None:
        self.taken[int(entry.id[0])] = entry.name

    def _end(self) -> None:
        said = ":".join(self.taken) if self.keeps else "08:00"
        self.elements = [self.elements[0], self._field(said)]


def test_an_hour_and_a_minute_are_taken_from_their_lists() -> None:
    world = Lists()
    play(world, pick_time(desk_of(world), PickTime("9:30", "09:30", "the start time")))
    assert world.elements[1].value == "09:30"


def test_a_number_that_a_list_does_not_have_is_not_rounded() -> None:
    world = Lists()
    with pytest.raises(Missed, match="offers no minute 20"):
        play(world, pick_time(desk_of(world), PickTime("9:20", "09:20", "the start time")))


def test_a_field_that_says_another_time_afterwards_fails() -> None:
    world = Lists(keeps=False)
    with pytest.raises(Missed, match="holds '08:00'"):
        play(world, pick_time(desk_of(world), PickTime("9:30", "09:30", "the start time")))
