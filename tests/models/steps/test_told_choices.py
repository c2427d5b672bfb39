"""Choices of several groups in one breath, and days of months made of plain boxes."""

from __future__ import annotations

from steps_world import World, desk_of, element

from carrel.frames import Element
from carrel.models.steps.finding.told_choices import choices_meant
from carrel.models.steps.shown.day_cells import day_cell

PAGE = element("Coffee bar", "document web", (0, 0, 800, 600), id="page")


def group(name: str, y: int, *choices: str) -> list[Element]:
    return [
        element(name, "heading", (20, y, 600, 20), parent="page"),
        element(name, "grouping", (20, y + 24, 600, 30), parent="page", id=name),
        *(
            element(one, "radio button", (20 + 120 * at, y + 28, 100, 20), "checkable", parent=name)
            for at, one in enumerate(choices)
        ),
    ]


FORM = (
    PAGE,
    element("Your coffee", "heading", (20, 10, 600, 30), parent="page"),
    *group("Size", 60, "Small", "Large"),
    *group("Milk", 140, "Oat", "Soy", "Cow"),
)


def told(said: str) -> list[str]:
    return [e.name for e in choices_meant(FORM, said)]


def test_one_choice_of_each_group() -> None:
    assert told("Choose a large coffee with oat milk") == ["Large", "Oat"]


def test_a_word_that_nothing_says_leaves_all_of_them() -> None:
    assert told("Choose a large tea with oat milk") == []


def test_two_of_one_group_are_none() -> None:
    assert told("Choose a small or large coffee with oat milk") == []
    assert told("Choose a small large coffee with oat milk") == []


def month(before: int, days: int) -> list[Element]:
    """A month as plain boxes, from the last days of the one before on."""
    numbers = [*range(31 - before, 31), *range(1, days + 1), 1, 2]
    return [
        element(
            str(n), "static", (20 + 100 * (at % 7), 100 + 60 * (at // 7), 20, 16), parent="page"
        )
        for at, n in enumerate(numbers)
    ]


def at(phrase: str, *elements: Element) -> tuple[int, int] | None:
    match = day_cell(desk_of(World(PAGE, *elements)), phrase)
    return None if match is None else (match.point.x, match.point.y)


def test_a_day_is_the_one_of_the_month_that_is_shown() -> None:
    shown = month(2, 30)
    box = shown[2 + 11].box
    assert box is not None
    assert at("the 12th in the calendar", *shown) == (box.center.x, box.center.y)
    thirtieth = shown[2 + 29].box
    assert thirtieth is not None
    assert at("the 30th", *shown) == (thirtieth.center.x, thirtieth.center.y)


def test_a_day_of_another_month_is_not_taken() -> None:
    head = element("May 2026", "heading", (20, 60, 200, 20), parent="page")
    assert at("May 12", head, *month(2, 30)) is not None
    assert at("June 12", head, *month(2, 30)) is None
    assert at("the 31st", head, *month(2, 30)) is None
