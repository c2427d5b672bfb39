"""Verbs that press nothing: a box is ticked for what is added, a list chosen from for its kin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Click, Type
from carrel.frames import Element
from carrel.geometry import Point as Spot
from carrel.models.steps.finding.part_names import by_part_of_name
from carrel.models.steps.phrases.day_spans import with_whole_days
from carrel.models.steps.program import Choose, Perform, Point, SetValue
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs import verb_of
from carrel.models.steps.verbs.counters import counter_called
from carrel.models.steps.verbs.kindred import choose_by_family, is_kin


def page(*elements: Element) -> World:
    return World(element("Shop", "document web", (0, 0, 800, 600), id="p"), *elements)


def on(role: str, name: str, y: int, *states: str, x: int = 20, width: int = 160) -> Element:
    return element(name, role, (x, y, width, 20), *states, parent="p", id=f"{role}-{name}-{y}")


def clicked(world: World) -> Iterator[str]:
    for act in world.done:
        if isinstance(act, Click):
            here = [e for e in world.elements if e.box and e.box.contains(spot(act))]
            yield min(here, key=lambda e: e.box.area if e.box else 0).name


def spot(act: Click) -> Spot:
    return Spot(act.x, act.y)


def tick(world: World, hit: Element, _act: object) -> None:
    world.change(hit.name, states=(*hit.states, "checked"))


def do(world: World, step: Perform | Point | Choose | SetValue) -> None:
    verb, desk = verb_of(step), desk_of(world)
    assert verb is not None
    desk.step = desk.asked = step.words
    play(world, verb(desk, step))


@pytest.mark.parametrize(
    ("said", "box"),
    [
        ("gift wrapping", "Gift wrapping (+ €3.00)"),
        ("the travel insurance", "Add travel insurance – €12"),
        ("a greeting card", "Include a greeting card"),
    ],
)
def test_to_add_what_a_form_has_a_box_for_is_to_tick_it(said: str, box: str) -> None:
    world = page(on("check box", box, 20, "checkable"), on("check box", "Parking", 60, "checkable"))
    world.on(box, tick)
    do(world, Perform("add", said, words=f"add {said}"))
    assert list(clicked(world)) == [box]


def test_of_two_boxes_that_are_for_it_none_is_ticked() -> None:
    world = page(
        on("check box", "Gift wrapping (€3)", 20, "checkable"),
        on("check box", "Gift wrapping – deluxe", 60, "checkable"),
    )
    with pytest.raises(Missed):
        do(world, Perform("add", "gift wrapping", words="add gift wrapping"))
    assert not any("checked" in e.states for e in world.elements)


@pytest.mark.parametrize(
    ("verb", "word"),
    [
        ("assign", "Assignee"),
        ("assign", "Assigned"),
        ("pay", "Payment"),
        ("ship", "Shipping"),
        ("deliver", "Delivery"),
        ("categorise", "Category"),
        ("prioritize", "Priority"),
    ],
)
def test_words_of_one_family_are_known_by_how_they_begin_and_end(verb: str, word: str) -> None:
    assert is_kin(verb, word)


@pytest.mark.parametrize(
    ("verb", "word"),
    [("set", "Settings"), ("add", "Address"), ("port", "Portrait"), ("go", "Goal")],
)
def test_words_that_only_begin_alike_are_of_no_family(verb: str, word: str) -> None:
    assert not is_kin(verb, word)


def card(title: str) -> World:
    dialog = element(title, "dialog", (100, 100, 400, 300), "modal", parent="p", id="d")
    combo = element("Assignee", "combo box", (120, 200, 200, 24), "has popup", parent="d", id="c")
    people = [
        element(name, "menu item", (0, 0, 0, 0), parent="c", id=f"o-{name}")
        for name in ("Priya Nair", "Luis Ortega")
    ]
    world = page(dialog, element(title, "heading", (120, 120, 200, 30), parent="d"), combo)
    world.hidden = people
    return world


def test_what_a_verb_gives_is_not_given_to_another_card_than_is_meant() -> None:
    world = card("Water the plants")
    step = Perform("assign", '"Fix the printer"', (("to", "Priya Nair"),))
    assert play(world, choose_by_family(desk_of(world), step)) is False
    assert not world.done or not list(clicked(world))


def test_the_field_over_which_a_question_is_asked_is_called_by_its_answer() -> None:
    world = page(
        on("entry", "What was the last location you visited?", 40, "editable", "single line"),
        on("entry", "What is the location on your passport?", 90, "editable", "single line"),
    )
    found = by_part_of_name(world.elements, "the last visited location")
    assert found is not None
    assert "visited" in found.element.name
    assert by_part_of_name(world.elements, "the location") is None
    assert by_part_of_name(world.elements, "the location of the hotel") is None


def test_a_remove_at_the_end_of_a_line_takes_nothing_from_its_number() -> None:
    world = page(
        on("static", "Linen towel", 40),
        on("push button", "Less", 40, x=200, width=24),
        on("static", "1", 40, x=230, width=10),
        on("push button", "More", 40, x=246, width=24),
        on("push button", "Remove", 40, x=400, width=60),
    )
    counter = counter_called(desk_of(world), "the quantity of the linen towel")
    assert counter is not None
    assert (counter.less.name, counter.more.name) == ("Less", "More")


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("from 3 to 5 May 2027", "from 3 May 2027 to 5 May 2027"),
        ("between the 1st and 4th June", "between 1st June and 4th June"),
        ("from May 3 to 5, 2027", "from May 3, 2027 to May 5, 2027"),
        ("from 3 May to 5 June", "from 3 May to 5 June"),
        ("from May 3 to 5:30", "from May 3 to 5:30"),
    ],
)
def test_both_days_of_a_span_have_the_month_that_is_said_once(said: str, whole: str) -> None:
    assert with_whole_days(said) == whole


def split_button() -> World:
    world = page(
        on("push button", "Submit as Open", 300, width=140),
        on("push button", "More ways to submit", 300, "has popup", x=160, width=30),
    )

    def opened(world: World, _hit: Element, _act: object) -> None:
        names = ("Submit as Pending", "Submit as Solved")
        items = [on("menu item", name, 330 + 30 * at) for at, name in enumerate(names)]
        if not any(e.role == "menu item" for e in world.elements):
            world.elements += items

    world.on("More ways to submit", opened)
    return world


def test_what_the_arrow_of_a_split_button_opens_is_told_by_the_rest() -> None:
    world = split_button()
    said = "Submit it as Pending using the arrow beside the submit button"
    do(world, Point("the arrow beside the submit button", words=said))
    assert list(clicked(world)) == ["More ways to submit", "Submit as Pending"]


def test_what_no_entry_behind_the_arrow_says_is_not_done_by_the_button() -> None:
    world = split_button()
    said = "Submit it as Closed using the arrow beside the submit button"
    with pytest.raises(Missed, match="Submit it as Closed"):
        do(world, Point("the arrow beside the submit button", words=said))
    assert list(clicked(world)) == ["More ways to submit"]


def lengths(*others: Element) -> World:
    return page(
        on("push button", "5", 500, x=200, width=40),
        on("static", "rows per page", 500, x=244, width=100),
        *others,
    )


def test_a_button_with_a_number_beside_rows_per_page_is_their_drop_down() -> None:
    world = lengths()

    def opened(world: World, _hit: Element, _act: object) -> None:
        world.elements += [on("link", name, y, x=200) for name, y in (("10", 400), ("25", 430))]

    world.on("5", opened)
    do(world, SetValue("rows per page", "25", words="Show 25 rows per page"))
    assert list(clicked(world)) == ["5", "25"]


def test_a_button_says_what_it_filters_by_before_what_is_chosen() -> None:
    world = page(on("push button", "Status: All ▾", 40, "has popup"))

    def opened(world: World, _hit: Element, _act: object) -> None:
        world.elements += [
            on("list item", name, 80 + y) for y, name in ((0, "Paid"), (30, "On hold"))
        ]

    world.on("Status: All ▾", opened)
    step = Perform("filter", "the orders", (("status", "On hold"),), words="Filter by status")
    do(world, step)
    assert list(clicked(world)) == ["Status: All ▾", "On hold"]
    assert not any(isinstance(act, Type) for act in world.done)
