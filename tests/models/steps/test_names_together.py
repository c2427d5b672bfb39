"""Instructions carried out by all the names they say, each of which stands on the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.afforded import by_names
from carrel.models.steps.afforded.wording import places_of, read_wording
from carrel.models.steps.turns import Missed


def page(*elements: Element) -> World:
    return World(element("Cinema", "document web", (0, 0, 800, 600), id="p"), *elements)


def text(words: str, x: int, y: int, role: str = "static") -> Element:
    return element(words, role, (x, y, 10 * len(words) + 4, 18), parent="p")


def hall() -> World:
    """Times and seats that are mere texts, and a button."""
    seats = [
        text(f"{row}{at}", 40 * at, 100 + 30 * n) for n, row in enumerate("ABC") for at in (1, 2)
    ]
    times = [text("17:30", 20, 40), text("20:15", 120, 40)]
    return page(*times, *seats, element("Confirm booking", at=(20, 300, 120, 30), parent="p"))


def done_by(world: World, said: str) -> list[str]:
    """What was clicked to carry an instruction out, one after another; it has to be carried out."""
    desk = desk_of(world)
    assert play(world, by_names(desk, said)) is True
    return clicked(world)


def clicked(world: World) -> list[str]:
    found: list[str] = []
    for one in world.done:
        if isinstance(one, Click):
            here = [e for e in world.elements if e.box and at(e, one)]
            found.append(min(here, key=lambda e: e.box.area if e.box else 0).name)
    return found


def at(one: Element, click: Click) -> bool:
    box = one.box
    return box is not None and box.x <= click.x < box.right and box.y <= click.y < box.bottom


def refused(world: World, said: str) -> bool:
    """Whether an instruction is left alone, and nothing is done for it."""
    return play(world, by_names(desk_of(world), said)) is False and not clicked(world)


def test_all_that_is_named_is_used_and_what_the_rest_is_for_comes_first() -> None:
    said = "Reserve seats A2 and B1 for the 20:15 showing and confirm the booking"
    world = hall()
    world.elements.append(text("Reserve your seats", 20, 10, "heading"))
    assert done_by(world, said) == ["20:15", "A2", "B1", "Confirm booking"]


@pytest.mark.parametrize(
    "said",
    [
        "Reserve seats A2 and Z9 for the 20:15 showing and confirm the booking",
        "Cancel seat A2 and confirm the booking",
        "Take every seat but A2 and confirm the booking",
        "Verify that seat A2 is free",
        "Do not take A2, confirm the booking",
    ],
)
def test_a_word_that_nothing_shown_accounts_for_and_nothing_is_done(said: str) -> None:
    assert refused(hall(), said)


def test_of_two_things_of_one_name_neither_is_taken() -> None:
    world = page(
        element("Delete", at=(10, 10, 60, 20), id="a"),
        element("Delete", at=(10, 90, 60, 20), id="b"),
    )
    assert refused(world, "click Delete")


def test_what_the_clause_says_besides_tells_which_of_two_is_meant() -> None:
    def group(name: str, y: int, key: str) -> list[Element]:
        legend = element(name, "panel", (10, y, 400, 60), parent="p", id=key)
        radios = [
            element(answer, "radio button", (20 + 80 * n, y + 20, 60, 20), "checkable", parent=key)
            for n, answer in enumerate(("True", "False"))
        ]
        return [legend, *radios]

    world = page(*group("1. Cats bark", 40, "g1"), *group("2. Dogs bark", 140, "g2"))
    ticking(world)
    said = "Answer False to the first question and True to the second"
    assert play(world, by_names(desk_of(world), said)) is True
    ticked = [(e.name, e.parent) for e in world.elements if "checked" in e.states]
    assert ticked == [("False", "g1"), ("True", "g2")]


def ticking(world: World) -> None:
    def tick(now: World, hit: Element, _: Action) -> None:
        now.elements = [
            replace(e, states=(*e.states, "checked")) if e.id == hit.id else e for e in now.elements
        ]

    for one in world.elements:
        if "checkable" in one.states:
            world.on(one.name, tick)


def fields(*names: str) -> list[Element]:
    found: list[Element] = []
    for n, name in enumerate(names):
        found.append(element(name, "entry", (200, 40 + 40 * n, 200, 24), "editable", parent="p"))
    return found


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("Fill in Grace as the first name and Hopper as the last name", ("Grace", "Hopper")),
        ('First name "Grace", last name "Hopper"', ("Grace", "Hopper")),
        ('Set the last name to "Hopper" and the first name to "Grace"', ("Grace", "Hopper")),
        ('Type "Hopper" into last name and "Grace" into first name', ("Grace", "Hopper")),
    ],
)
def test_each_field_gets_the_value_that_is_said_beside_it(
    said: str, values: tuple[str, str]
) -> None:
    world = page(*fields("First name", "Last name"))
    assert play(world, by_names(desk_of(world), said)) is True
    assert tuple(e.value for e in world.elements if e.role == "entry") == values


@pytest.mark.parametrize(
    "said",
    [
        "姓名填“林晓燕”，部门填“市场部”",
        "在部门里输入“市场部”，在姓名里输入“林晓燕”",
        "把姓名改成“林晓燕”，把部门改为“市场部”",
    ],
)
def test_what_is_written_without_spaces_is_cut_at_the_names_on_the_screen(said: str) -> None:
    world = page(*fields("姓名", "部门"))
    assert play(world, by_names(desk_of(world), said)) is True
    assert [e.value for e in world.elements if e.role == "entry"] == ["林晓燕", "市场部"]


def test_a_quoted_text_that_goes_nowhere_and_nothing_is_typed() -> None:
    assert refused(page(*fields("First name")), 'First name "Grace" and nickname "Amazing"')


def opening(world: World, name: str, *coming: Element) -> None:
    def open_(now: World, _: Element, __: Action) -> None:
        now.elements += coming

    world.on(name, open_)


def test_a_menu_is_opened_before_what_is_in_it_is_there() -> None:
    world = page(element("View", "menu", (10, 10, 50, 20), parent="p"))
    opening(world, "View", element("Ruler", "menu item", (10, 40, 80, 20), parent="p"))
    assert done_by(world, "Show the ruler using the View menu") == ["View", "Ruler"]


def test_what_is_not_there_after_a_menu_was_opened_is_told() -> None:
    world = page(element("View", "menu", (10, 10, 50, 20), parent="p"))
    opening(world, "View", element("Grid", "menu item", (10, 40, 80, 20), parent="p"))
    with pytest.raises(Missed, match="ruler"):
        play(world, by_names(desk_of(world), "Show the ruler using the View menu"))


def test_a_mere_text_that_does_nothing_when_it_is_clicked_is_no_success() -> None:
    world = page(text("Premium", 20, 40), element("Save", at=(20, 90, 60, 20), parent="p"))
    world.alive = False
    with pytest.raises(Missed, match="only a text"):
        play(world, by_names(desk_of(world), "Choose Premium and press Save"))


def switch(world: World) -> Callable[[World, Element, Action], None]:
    def toggle(now: World, hit: Element, _: Action) -> None:
        on = "pressed" in hit.states
        states = tuple(s for s in hit.states if s not in ("pressed", "checked"))
        now.change(hit.name, states=states if on else (*states, "pressed", "checked"))

    return toggle


def test_a_switch_is_told_by_the_title_that_its_longer_name_begins_with() -> None:
    name = "Share my location with others Maps and weather"
    world = page(
        text("Share my location with others", 20, 40),
        element(name, "toggle button", (400, 40, 40, 20), "pressed", "checked", parent="p"),
    )
    world.on(name, switch(world))
    assert done_by(world, "Stop sharing my location with others") == [name]
    assert not [e for e in world.elements if "checked" in e.states]


@pytest.mark.parametrize(
    ("said", "name", "found"),
    [
        ("save the changes", "Save changes", ["save the changes"]),
        ("pick C4 now", "C4", ["C4"]),
        ("a seat", "a", []),
        ("choose size M", "M", ["M"]),
        ('type "Save changes now"', "Save changes", []),
        ('press "Save changes"', "Save changes", ["Save changes"]),
        ("点击保存更改按钮", "保存更改", ["保存更改"]),
    ],
)
def test_a_name_is_found_where_all_of_it_is_said(said: str, name: str, found: list[str]) -> None:
    wording = read_wording(said)
    free = [True] * len(wording.words)
    assert [wording.said(span) for span in places_of(wording, name, free)] == found


def test_a_line_that_presses_something_is_not_gone_through_again() -> None:
    world = page(*fields("First name"), element("Save", at=(20, 300, 60, 20), parent="p"))
    said = 'Type "Ann" into first name and press Save'
    assert play(world, by_names(desk_of(world), said, only_values=True)) is False
    assert not clicked(world)


def test_what_only_gives_values_may_be_gone_through_again() -> None:
    world = page(*fields("First name", "Last name"))
    world.change("First name", value="Ann")
    said = 'Type "Ann" into first name and "Lee" into last name'
    assert play(world, by_names(desk_of(world), said, only_values=True)) is True
    assert [e.value for e in world.elements if e.role == "entry"] == ["Ann", "Lee"]


def pizza(*buttons: str) -> World:
    boxes = [
        element(name, "check box", (20, 80 + 30 * n, 160, 20), "checkable", parent="p")
        for n, name in enumerate(("Mushrooms", "Olives"))
    ]
    cheese = element(
        "Extra cheese", "check box", (20, 150, 160, 20), "checkable", "checked", parent="p"
    )
    pressed = [
        element(b, at=(20, 200 + 40 * n, 120, 24), parent="p") for n, b in enumerate(buttons)
    ]
    title = text("Pizza order", 20, 10, "heading")
    world = page(title, *boxes, cheese, *pressed)
    for name in ("Mushrooms", "Olives", "Extra cheese"):
        world.on(name, switched)
    return world


def switched(world: World, hit: Element, _: Action) -> None:
    on = "checked" in hit.states
    states = tuple(s for s in hit.states if s != "checked")
    world.change(hit.name, states=states if on else (*states, "checked"))


ORDER = "Order a pizza with mushrooms and olives but without extra cheese"


def test_the_button_for_the_first_verb_ends_it_and_what_is_not_wanted_is_taken_off() -> None:
    world = pizza("Place order", "Back")
    assert done_by(world, ORDER) == ["Mushrooms", "Olives", "Extra cheese", "Place order"]
    assert [e.name for e in world.elements if "checked" in e.states] == ["Mushrooms", "Olives"]


@pytest.mark.parametrize("buttons", [(), ("Cancel",), ("Delete order",), ("Order", "Place order")])
def test_a_deed_that_no_one_button_does_is_not_begun(buttons: tuple[str, ...]) -> None:
    assert refused(pizza(*buttons), ORDER)


def test_days_and_months_may_be_written_short() -> None:
    world = page(text("Thu 14 May", 20, 40), text("Fri 15 May", 20, 80))
    world.elements.append(element("Confirm", at=(20, 120, 80, 20), parent="p"))
    said = "Choose Thursday 14 May and confirm it"
    assert done_by(world, said) == ["Thu 14 May", "Confirm"]


def leave_form(*more: Element) -> World:
    first = element("Start date", "entry", (20, 40, 200, 24), "editable", "single line", parent="p")
    return page(first, *more)


@pytest.mark.parametrize(
    ("day", "pieces"),
    [
        ("8 March 2027", ("March", "2027", "8")),
        ("March 8, 2027", ("Mar", "2027")),
        ("2027 年 3 月 8 日", ("3 月", "2027 年")),
    ],
)
def test_a_date_is_never_taken_to_pieces(day: str, pieces: tuple[str, ...]) -> None:
    world = leave_form(*(element(p, at=(20, 80 + 40 * n, 60, 24)) for n, p in enumerate(pieces)))
    assert refused(world, f"Go to {day}")
    assert refused(world, f"开始日期选 {day}")
    said = read_wording(f"Start date {day}, please")
    spans = [span for piece in pieces for span in places_of(said, piece, [True] * 9)]
    assert spans == []


@pytest.mark.parametrize(
    "day", ["8 March 2027", "March 8, 2027", "2027-03-08", "2027 年 3 月 8 日"]
)
def test_a_date_is_one_value_to_the_letter(day: str) -> None:
    said = read_wording(f"Set the start date to {day} and go on")
    own = [at for at, word in enumerate(said.words) if word.day == 0]
    assert said.said((own[0], own[-1] + 1)) == day
    assert len({said.words[at].clause for at in own}) == 1


def test_signs_that_are_keys_are_no_points_between_words() -> None:
    keys = [element(k, at=(20 + 40 * n, 40, 30, 30), parent="p") for n, k in enumerate("754")]
    for said in ("Click ( 7 + 5 ) / 4 =", "Click 7 × 5", "Tap 7+5 then 4"):
        assert refused(page(*keys), said)
