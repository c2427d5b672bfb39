"""Small questions that a page asks in a bubble, and forms that come up a moment later."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click
from carrel.frames import Element
from carrel.models.steps.layout.floating import all_dialogs
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.program import Choose, Perform, Point
from carrel.models.steps.reaching.places import stay_in
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.performing import perform
from carrel.models.steps.verbs.pointing import point

PAGE = element("Staff", "document web", (0, 0, 800, 600), id="p")


def bubble(*held: Element) -> list[Element]:
    tip = element("Sure? No Yes", "tool tip", (400, 200, 160, 100), parent="p", id="tip")
    return [PAGE, tip, *held]


def test_a_bubble_with_a_question_and_answers_is_a_dialog() -> None:
    asked = element("Sure?", "static", (410, 210, 60, 20), parent="tip")
    no, yes = (
        element(n, at=(x, 260, 50, 24), parent="tip") for n, x in (("No", 410), ("Yes", 480))
    )
    shown = bubble(asked, no, yes)
    assert [e.id for e in all_dialogs(shown)] == ["tip"]
    world = World(*shown, element("Yes", at=(20, 500, 50, 24), parent="p"))
    desk = desk_of(world)
    play(world, stay_in(desk, "the confirmation dialog"))
    play(world, point(desk, Point("Yes")))
    assert [(a.x, a.y) for a in world.done if isinstance(a, Click)] == [(505, 272)]


@pytest.mark.parametrize("role", ["list item", "table cell", "entry"])
def test_a_bubble_with_anything_else_to_use_is_none(role: str) -> None:
    said = element("May", "static", (410, 210, 60, 20), parent="tip")
    arrow = element("Next month", at=(520, 210, 24, 24), parent="tip")
    one = element("1", role, (410, 240, 24, 24), "focusable", parent="tip")
    assert all_dialogs(bubble(said, arrow, one)) == []


def test_a_list_laid_over_a_modal_dialog_is_not_behind_it() -> None:
    app = element("", "section", (0, 0, 800, 500), parent="p", id="a")
    text = element("All staff", "static", (20, 120, 100, 200), parent="a")
    dialog = element("New", "dialog", (10, 100, 600, 300), "modal", parent="p", id="d")
    listed = element("", "section", (20, 150, 200, 100), parent="p", id="l")
    item = element("Sales", "list item", (20, 150, 200, 30), parent="l")
    shown = [PAGE, app, text, dialog, listed, item]
    assert modal_over(shown, item) is None
    assert modal_over(shown, text) is dialog


def test_a_form_that_comes_up_later_is_chosen_from_and_not_the_head_of_a_column() -> None:
    head = element("Item", "column header", (20, 60, 100, 24), parent="p")
    combo = element(
        "Item", "combo box", (300, 200, 200, 30), "expandable", "has popup", parent="p", id="c"
    )

    def opens(world: World, _hit: Element, _action: Action) -> None:
        world.elements += [
            element(n, "list item", (300, 230 + 24 * k, 200, 24), parent="p")
            for k, n in enumerate(("Tea", "Salt"))
        ]

    world = World(PAGE, head)
    world.after(0.3, lambda w: w.elements.extend([combo]))
    world.on("Item", opens)
    play(world, choose(desk_of(world), Choose(("Salt",), source="Item")))
    assert (400, 266) in [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def test_a_list_that_is_slow_to_come_up_is_waited_for() -> None:
    combo = element("Team", "combo box", (40, 100, 200, 30), "has popup", parent="p", id="c")
    listed = [
        element(n, "list item", (40, 134 + 30 * k, 200, 30), parent="p")
        for k, n in enumerate(("Sales", "Legal"))
    ]
    world = World(PAGE, combo)
    world.on("Team", lambda w, _e, _a: w.after(1.2, lambda now: now.elements.extend(listed)))
    play(world, choose(desk_of(world), Choose(("Legal",), source="Team")))
    assert (140, 179) in [(a.x, a.y) for a in world.done if isinstance(a, Click)]


def test_what_is_called_off_in_chinese_may_be_a_box_to_untick() -> None:
    box = element("需要茶水", "check box", (40, 40, 20, 20), "checkable", "checked")
    world = World(box)
    world.on("需要茶水", lambda w, _e, _a: w.change("需要茶水", states=("enabled", "checkable")))
    desk = desk_of(world)
    desk.step = "取消“需要茶水”"
    play(world, perform(desk, Perform("cancel", '"需要茶水"')))
    assert "checked" not in world.elements[0].states


def test_what_is_only_read_on_a_page_behind_its_dialog_is_not_clicked() -> None:
    dialog = element("Booked", "dialog", (200, 100, 300, 200), "modal", parent="p", id="d")
    read = [
        replace(element(n, "static", (x, 400 - x, 80, 20)), source="ocr", parent="p")
        for n, x in (("Rules", 20), ("Fine", 220))
    ]
    shown = [PAGE, dialog, *read]
    assert modal_over(shown, read[0]) is dialog
    assert modal_over(shown, read[1]) is None
