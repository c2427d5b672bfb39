"""What is counted, or told by its number, is counted over all of a page."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Elements
from carrel.frames import Element
from carrel.models.steps.claims.told_counts import is_never_told, told_count
from carrel.models.steps.program import Check, Count, Has, Perform
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.looking import check
from carrel.models.steps.verbs.pages import is_unfinished
from carrel.models.steps.verbs.performing import perform
from carrel.results import Result

PAGE = element("Orders", "document web", (0, 0, 800, 300), id="p", value="file:///o.html")


class Scrolled(World):
    """Tells of all that a page has in the order in which the page has it."""

    order: list[str]

    def _act(self, action: Action) -> Result:
        result = super()._act(action)
        listed = result.data.get("elements")
        if isinstance(action, Elements) and isinstance(listed, list):
            listed.sort(key=lambda e: self.order.index(str(e["id"])) if isinstance(e, dict) else 0)
        return result


def a_long_table(*, above: int, seen: int, below: int) -> World:
    """A page of 300 pixels that is scrolled so that some rows are over it, and some below."""
    everything = [
        PAGE,
        element(
            "", "table", (0, -above * 30, 800, (above + seen + below) * 30), parent="p", id="t"
        ),
    ]
    for n in range(above + seen + below):
        y = (n - above) * 30 + 20
        state = "Open" if n % 4 == 0 else "Paid"
        row = f"r{n}"
        everything += [
            element("", "table row", (0, y, 800, 30), parent="t", id=row),
            element(f"Order {n + 1}", "table cell", (0, y, 400, 30), parent=row),
            element(state, "table cell", (400, y, 400, 30), parent=row),
        ]
    shown = [e for e in everything if (e.box and 0 <= e.box.center.y < 300) or e.id in ("p", "t")]
    world = Scrolled(*shown)
    world.hidden = [e for e in everything if e not in shown]
    world.order = [e.id for e in everything]
    return world


def test_rows_out_of_sight_are_counted() -> None:
    world = a_long_table(above=0, seen=8, below=12)
    play(world, check(desk_of(world), Check(Count("rows in the table", 20))))
    with pytest.raises(Missed, match="there are 20 of rows"):
        play(world, check(desk_of(world), Check(Count("rows in the table", 8))))


def test_the_first_row_is_that_of_the_page_and_not_the_first_in_sight() -> None:
    world = a_long_table(above=6, seen=8, below=2)
    play(world, check(desk_of(world), Check(Has("the first row", "Order 1"))))
    with pytest.raises(Missed):
        play(world, check(desk_of(world), Check(Has("the first row", "Order 7"))))
    play(world, check(desk_of(world), Check(Has("the last row", "Order 16"))))


def texts(*said: str) -> list[Element]:
    return [element(text, "static", (0, 20 * n, 300, 18)) for n, text in enumerate(said)]


@pytest.mark.parametrize(
    ("phrase", "said", "number"),
    [
        ("products", ("3 products",), 3),
        ("products", ("13 products",), 13),
        ("product", ("1 product found",), 1),
        ("订单", ("共 2 条订单",), 2),
        ("products", ("3 of 24 products",), None),
        ("products", ("3 products", "4 products"), None),
        ("red products", ("3 products",), None),
        ("products", ("no products",), None),
    ],
)
def test_a_page_that_counts_itself_is_believed(
    phrase: str, said: tuple[str, ...], number: int | None
) -> None:
    assert told_count(texts(*said), phrase) == number


def test_a_count_that_a_page_tells_is_checked() -> None:
    world = World(PAGE, element("3 products", "static", (10, 20, 90, 18), parent="p"))
    play(world, check(desk_of(world), Check(Count("products", 3))))
    with pytest.raises(Missed, match="there are 3 of products, not 5"):
        play(world, check(desk_of(world), Check(Count("products", 5))))


def test_a_number_is_not_waited_for_where_only_words_are() -> None:
    until = Has("the age", "24", "equals")
    assert is_never_told(until, "the age holds 'Driver age ', not '24'")
    assert not is_never_told(until, "the age holds '21', not '24'")
    assert not is_never_told(Has("the state", "Ready", "equals"), "the state holds 'Busy', not 'x'")


def page_of(*parts: Element) -> tuple[Element, ...]:
    return (PAGE, *parts)


def test_a_page_that_says_it_is_loading_is_not_there_yet() -> None:
    assert is_unfinished(page_of())
    assert is_unfinished(page_of(element("Loading…", "static", (10, 20, 90, 18), parent="p")))
    assert is_unfinished(page_of(element("加载中", "static", (10, 20, 90, 18), parent="p")))
    assert not is_unfinished(page_of(element("Inbox", "heading", (10, 20, 90, 18), parent="p")))
    assert not is_unfinished(page_of(element("Go", at=(10, 20, 90, 18), parent="p")))
    assert not is_unfinished(())


def test_stars_are_given_and_never_typed_into_a_field() -> None:
    note = element("Tell us more", "entry", (10, 80, 300, 60), "editable", "multi line", value="")
    world = World(note)
    with pytest.raises(Missed, match="no stars"):
        play(world, perform(desk_of(world), Perform("rate", None, (("with", "4 stars"),))))
    assert world.done == []
    stars = [
        element("", "radio button", (120 + 30 * n, 20, 20, 20), "checkable", id=f"s{n}")
        for n in range(5)
    ]
    world = World(element("Rating", "static", (10, 20, 80, 20)), *stars, note)

    def take(w: World, e: Element, _a: object) -> None:
        w.elements = [
            element("", "radio button", (x.box.x, 20, 20, 20), "checkable", "checked", id=x.id)
            if x.id == e.id and x.box
            else x
            for x in w.elements
        ]

    world.on("", take)
    play(world, perform(desk_of(world), Perform("rate", None, (("with", "4 stars"),))))
    assert next(e.id for e in world.elements if "checked" in e.states) == "s3"
