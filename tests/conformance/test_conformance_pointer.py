from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from oracles import Page
from proofs import bounded, proves
from subjects import Subject

from carrel.actions import Button

pytestmark = [pytest.mark.desktop, pytest.mark.browser]

X_BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}


async def count(page: Page, kind: str, at_least: int) -> list[dict[str, Any]]:
    """Events of a kind, once there are that many."""
    wanted = f"seen.filter(e => e.kind === {json.dumps(kind)}).length >= {at_least}"
    await page.until(wanted, f"{at_least} × {kind}")
    await page.ask("drawn()")
    return await page.seen(kind)


@proves("click")
async def test_a_click_reaches_the_page_at_its_point_with_its_button(desk: Subject) -> None:
    page = await desk.page()
    for number, button in enumerate(("left", "middle", "right")):
        await page.rest()
        x, y = await page.at("pad", 0.3, 0.6)
        await desk.computer.click(x, y, button)  # type: ignore[arg-type]
        await count(page, "mouseup", 1)
        events = await page.seen("mousedown", "mouseup")
        assert [(e["kind"], e["button"]) for e in events] == [
            ("mousedown", number),
            ("mouseup", number),
        ]
        assert all(e["trusted"] and e["screen"] == [x, y] for e in events)
    assert await page.seen("contextmenu")


@proves("click")
async def test_every_button_reaches_an_x_client(desk: Subject) -> None:
    async with desk.event_log() as log:
        x, y = await log.center()
        for button, number in X_BUTTONS.items():
            await desk.computer.click(x, y, button)
            assert await log.buttons() == [("press", number), ("release", number)]


@proves("click")
async def test_two_clicks_are_a_double_click_and_three_a_triple(desk: Subject) -> None:
    page = await desk.page()
    x, y = await page.at("pad")
    await desk.computer.double_click(x, y)
    assert (await count(page, "dblclick", 1))[0]["trusted"]
    assert [e["detail"] for e in await page.seen("click")] == [1, 2]
    await page.rest()
    x, y = await page.at("pad", 0.8, 0.8)
    await desk.computer.click(x, y, count=3)
    assert [e["detail"] for e in await count(page, "click", 3)] == [1, 2, 3]


@proves("click")
async def test_keys_are_held_during_a_click_and_let_go_after_it(desk: Subject) -> None:
    page = await desk.page()
    for held in (("ctrl",), ("shift",), ("alt",), ("super",), ("ctrl", "shift")):
        await page.rest()
        x, y = await page.at("pad")
        await desk.computer.click(x, y, modifiers=held)
        events = await count(page, "mouseup", 1)
        names = ["meta" if name == "super" else name for name in held]
        assert [e["held"] for e in [*await page.seen("mousedown"), *events]] == [names] * 2
        await desk.at_rest()


@proves("move")
async def test_the_pointer_moves_where_xdotool_sees_it(desk: Subject) -> None:
    page = await desk.page()
    for x, y in [await page.at("pad", 0.1, 0.1), (0, 0), (1279, 799), await page.at("pad")]:
        await desk.computer.move(x, y)
        told = dict(
            item.split(":") for item in (await desk.tool("xdotool", "getmouselocation")).split()
        )
        assert (int(told["x"]), int(told["y"])) == (x, y)
    moves = await count(page, "mousemove", 1)
    assert moves[-1]["screen"] == list(await page.at("pad"))


@proves("cursor")
async def test_the_pointer_is_where_xdotool_put_it(desk: Subject) -> None:
    for x, y in ((123, 45), (1279, 0), (640, 799)):
        await desk.tool("xdotool", "mousemove", str(x), str(y))
        seen = await desk.computer.cursor()
        assert (seen.x, seen.y) == (x, y)


@proves("drag")
async def test_a_drag_passes_every_corner_in_order_with_the_button_down(desk: Subject) -> None:
    async with desk.event_log() as log:
        x, y = await log.center()
        path = [(x, y), (x + 90, y - 40), (x + 90, y + 60), (x - 80, y + 60), (x - 80, y - 70)]
        await log.take()
        await desk.computer.drag(path, seconds=0.3)
        events = await log.take()
        kinds = [e["event"] for e in events]
        down, up = kinds.index("button_press"), kinds.index("button_release")
        between = events[down + 1 : up]
        assert {e["event"] for e in between} == {"motion"}
        assert all(e["state"] & 0x100 for e in between)
        assert (events[down]["x"], events[down]["y"]) == path[0]
        assert (events[up]["x"], events[up]["y"]) == path[-1]
        passed = iter([(e["x"], e["y"]) for e in between])
        assert all(corner in passed for corner in path[1:])


def _along(path: Sequence[tuple[int, int]], point: tuple[int, int], start: float) -> float:
    """How far along a path a point lies, not before `start`; infinite when it is not on it."""
    best, done = math.inf, 0.0
    for a, b in pairwise(path):
        length = math.dist(a, b)
        share = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length**2
        share = max(0.0, min(1.0, share))
        near = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        far = done + share * length
        if math.dist(near, point) <= 1.5 and far >= start - 1.5:
            best = min(best, far)
        done += length
    return best


@proves("drag")
async def test_a_page_sees_a_drag_follow_its_path(desk: Subject) -> None:
    page = await desk.page()
    corners = ((0.1, 0.1), (0.9, 0.2), (0.8, 0.9), (0.2, 0.8), (0.5, 0.5))
    path = [await page.at("pad", *corner) for corner in corners]
    await desk.computer.drag(path, seconds=0.6)
    ups = await count(page, "mouseup", 1)
    downs = await page.seen("mousedown")
    assert [downs[0]["screen"], ups[0]["screen"]] == [list(path[0]), list(path[-1])]
    events = await page.seen()
    inside = events[events.index(downs[0]) + 1 : events.index(ups[0])]
    moves = [e for e in inside if e["kind"] == "mousemove"]
    assert len(moves) >= len(path)
    assert all(e["buttons"] == 1 and e["trusted"] for e in moves)
    start = 0.0
    for move in moves:
        start = _along(path, tuple(move["screen"]), start)
        assert start < math.inf, f"{move['screen']} is off the path"


@bounded
async def test_a_drag_holds_its_keys_and_its_button(desk: Subject) -> None:
    page = await desk.page()
    path = [await page.at("pad", 0.2, 0.2), await page.at("pad", 0.8, 0.7)]
    await desk.computer.drag(path, button="right", modifiers=("shift",))
    await count(page, "mouseup", 1)
    events = await page.seen()
    kinds = [e["kind"] for e in events]
    during = events[kinds.index("mousedown") : kinds.index("mouseup")]
    assert all(e["held"] == ["shift"] for e in during)
    assert all(e["buttons"] == 2 for e in during)


@proves("mouse_down", "mouse_up")
async def test_a_button_stays_down_until_it_is_released(desk: Subject) -> None:
    page = await desk.page()
    x, y = await page.at("pad", 0.2, 0.2)
    await desk.tool("xdotool", "mousemove", str(x), str(y))
    await desk.computer.mouse_down()
    try:
        assert (await desk.peek.held())[0] == [1]
        await count(page, "mousedown", 1)
        await desk.tool("xdotool", "mousemove", str(x + 30), str(y + 30))
        await page.until("seen.at(-1).buttons === 1 && seen.at(-1).kind === 'mousemove'", "a move")
        assert not await page.seen("mouseup")
    finally:
        await desk.computer.mouse_up()
        released = (await desk.peek.held())[0] == []
        await desk.tool("xdotool", "mouseup", "1")
    assert released
    await count(page, "mouseup", 1)


@bounded
async def test_every_button_can_be_held(desk: Subject) -> None:
    async with desk.event_log() as log:
        x, y = await log.center()
        await desk.computer.move(x, y)
        await log.take()
        for button, number in X_BUTTONS.items():
            await desk.computer.mouse_down(button)
            assert await log.buttons() == [("press", number)]
            await desk.computer.mouse_up(button)
            assert await log.buttons() == [("release", number)]


@proves("scroll")
async def test_the_wheel_turns_as_many_notches_as_asked_each_way(desk: Subject) -> None:
    wheel = {(0, 3): (5, 3), (0, -2): (4, 2), (4, 0): (7, 4), (-1, 0): (6, 1)}
    async with desk.event_log() as log:
        x, y = await log.center()
        for (dx, dy), (button, notches) in wheel.items():
            await desk.computer.scroll(x, y, dx=dx, dy=dy)
            assert await log.buttons() == [("press", button), ("release", button)] * notches


@proves("scroll")
async def test_a_page_scrolls_down_and_right_for_positive_notches(desk: Subject) -> None:
    page = await desk.page()
    x, y = await page.at("scroller", 0.4, 0.4)
    sides = {"dx": "of('scroller').scrollLeft", "dy": "of('scroller').scrollTop"}
    unit = {"dx": 0.0, "dy": 0.0}
    wishes = (("dy", 1), ("dy", 3), ("dy", -2), ("dx", 1), ("dx", 2), ("dx", -2))
    for axis, notches in wishes:
        await page.ask("seen.length = 0")
        before = await page.ask(f"still(() => {sides[axis]})")
        await desk.computer.scroll(x, y, **{axis: notches})
        wheel = f"seen.filter(e => e.kind === 'wheel').reduce((n, e) => n + e.{axis}, 0)"
        # One notch is one event; more may come one by one.
        unit[axis] = unit[axis] or await page.until(wheel, "the wheel turns")
        assert unit[axis] > 0
        await page.until(f"{wheel} === {notches * unit[axis]}", f"{notches} notches of {axis}")
        # The browser may drop a part of a scroll that it is still animating, not its direction.
        sign = "<" if notches < 0 else ">"
        await page.until(f"{sides[axis]} {sign} {before}", f"the page moves by {notches} {axis}")


@bounded
async def test_keys_are_held_while_the_wheel_turns(desk: Subject) -> None:
    page = await desk.page()
    x, y = await page.at("dead")
    await desk.computer.scroll(x, y, dy=1, modifiers=("ctrl",))
    assert [e["held"] for e in await count(page, "wheel", 1)] == [["ctrl"]]
