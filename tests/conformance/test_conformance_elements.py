from __future__ import annotations

import pytest
from oracles import Page
from proofs import bounded, proves
from subjects import Subject

from carrel.frames import Element

pytestmark = [pytest.mark.desktop, pytest.mark.browser]


async def find(desk: Subject, name: str, *roles: str) -> Element:
    """An element by the name its application gives it."""
    found: list[Element] = []

    async def look() -> bool:
        tree = await desk.computer.elements(timeout=10)
        found[:] = [e for e in tree.elements if e.name == name and e.role in roles]
        return bool(found)

    await desk.until(look, f"element {name!r}")
    return found[0]


async def assert_same_box(page: Page, element: Element, name: str) -> None:
    x, y, width, height = await page.box(name)
    box = element.box
    assert box is not None
    seen = (box.x, box.y, box.width, box.height)
    assert seen == pytest.approx((x, y, width, height), abs=1.5)


@proves("elements")
async def test_elements_are_named_and_placed_as_the_page_has_them(desk: Subject) -> None:
    page = await desk.page()
    name = f"Unlikely name {desk.kind}"
    await page.ask(f"of('press').textContent = '{name}', drawn()")
    try:
        button = await find(desk, name, "push button", "button")
        await assert_same_box(page, button, "press")
        assert "enabled" in button.states or "sensitive" in button.states
        await assert_same_box(page, await find(desk, "Quiet floor", "check box"), "quiet")
        reader = await find(desk, "Reader", "entry", "text")
        await assert_same_box(page, reader, "reader")
        assert reader.value == "Ada"
    finally:
        await page.ask("of('press').textContent = 'Press me'")


@bounded
async def test_states_and_values_follow_the_page(desk: Subject) -> None:
    page = await desk.page()
    assert "checked" not in (await find(desk, "Quiet floor", "check box")).states
    await page.ask("of('quiet').checked = true, of('reader').value = 'Grace 漢'")

    async def followed() -> bool:
        box = await find(desk, "Quiet floor", "check box")
        reader = await find(desk, "Reader", "entry", "text")
        return "checked" in box.states and reader.value == "Grace 漢"

    await desk.until(followed, "the new states")


@bounded
async def test_a_limit_and_an_application_narrow_the_tree(desk: Subject) -> None:
    page = await desk.page()
    whole = await desk.computer.elements(timeout=10)
    ids = {element.id for element in whole.elements}
    assert len(ids) == len(whole.elements)
    assert all(element.parent in ids for element in whole.elements if element.parent)
    few = await desk.computer.elements(limit=3, timeout=10)
    assert len(few.elements) == 3
    assert not few.complete
    browser = next(e.app for e in whole.elements if e.name == "Reader")
    one = await desk.computer.elements(app=browser, timeout=10)
    assert {element.app for element in one.elements} == {browser}
    assert await page.ask("true")
