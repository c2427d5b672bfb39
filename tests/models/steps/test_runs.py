"""Entries of a page that nothing holds: taken apart by what comes back in each."""

from __future__ import annotations

from steps_world import World, desk_of, element

from carrel.frames import Element
from carrel.models.steps.layout.runs import run_of, runs_of
from carrel.models.steps.verbs.entry_controls import control_in_run

PAGE = element("Shop", "document web", (0, 0, 800, 600), id="page")


def said(run: tuple[Element, ...] | None) -> list[str]:
    return [] if run is None else [e.name for e in run]


def messages(*texts: str) -> list[Element]:
    """Lines of a chat as a browser tells them: a name, a text below it, a button at the right."""
    found: list[Element] = [PAGE]
    for at, text in enumerate(texts):
        y = 100 + 48 * at
        found += [
            element(f"Person {at}", "static", (90, y, 60, 17), parent="page"),
            element("Pin", "push button", (700, y, 40, 23), parent="page"),
            element(text, "static", (90, y + 17, 200, 17), parent="page"),
        ]
    return found


def cards(*names: str) -> list[Element]:
    """Cards in rows of three: a heading, a price and a button below one another."""
    found: list[Element] = [PAGE, element("Shop", "heading", (20, 20, 700, 30), parent="page")]
    for at, name in enumerate(names):
        x, y = 20 + 220 * (at % 3), 100 + 200 * (at // 3)
        found += [
            element(name, "heading", (x, y, 180, 20), parent="page"),
            element(f"${at + 10}.00", "static", (x, y + 24, 50, 18), parent="page"),
            element("Add to cart", "push button", (x, y + 50, 100, 30), parent="page"),
        ]
    return found


def test_each_message_has_its_own_button() -> None:
    elements = messages("Good morning", "Lunch at noon", "See you")
    pins = [e for e in elements if e.name == "Pin"]
    assert said(run_of(elements, pins[1])) == ["Person 1", "Pin", "Lunch at noon"]


def test_cards_in_rows_are_taken_apart_both_ways() -> None:
    elements = cards("Aloe", "Fern", "Ivy", "Lily", "Rose")
    runs = runs_of(elements)
    assert len(runs) == 5
    assert {"Fern", "$11.00", "Add to cart"} in [set(said(run)) for run in runs]


def test_what_stands_before_the_first_entry_is_no_part_of_it() -> None:
    elements = cards("Aloe", "Fern")
    assert all("Shop" not in said(run) for run in runs_of(elements))


def test_columns_of_cards_are_no_entries() -> None:
    elements = [
        PAGE,
        element("To do", "heading", (20, 100, 200, 20), parent="page"),
        element("Done", "heading", (260, 100, 200, 20), parent="page"),
        element("Icons", "static", (20, 140, 100, 18), parent="page"),
        element("Survey", "static", (260, 140, 100, 18), parent="page"),
        element("Jonas", "static", (20, 160, 60, 16), parent="page"),
        element("Nina", "static", (260, 160, 60, 16), parent="page"),
        element("Notes", "static", (20, 200, 100, 18), parent="page"),
        element("Nina", "static", (20, 220, 60, 16), parent="page"),
    ]
    assert runs_of(elements) == ()


def test_the_control_of_the_entry_that_is_quoted() -> None:
    desk = desk_of(World(*messages("Release at 13:30", "Lunch at noon", "See you")))
    desk.step = 'pin the message "Lunch at noon"'
    found = control_in_run(desk, "pin", 'the message "Lunch at noon"')
    assert found is not None
    assert found.box is not None
    assert found.box.y == 148


def test_a_quoted_word_that_is_only_a_part_of_a_text_tells_no_entry() -> None:
    desk = desk_of(World(*messages("Lunch at noon", "See you")))
    assert control_in_run(desk, "pin", 'the message "Lunch"') is None


def test_two_entries_that_say_the_same_are_not_told_apart() -> None:
    desk = desk_of(World(*messages("Lunch at noon", "Lunch at noon")))
    assert control_in_run(desk, "pin", 'the message "Lunch at noon"') is None
