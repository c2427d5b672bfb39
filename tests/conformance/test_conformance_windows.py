from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from oracles import EventLog, find_window, geometry
from proofs import bounded, proves
from subjects import Subject

from carrel.errors import NotFound
from carrel.frames import Window

pytestmark = pytest.mark.desktop


@asynccontextmanager
async def terminal(desk: Subject, title: str) -> AsyncIterator[int]:
    """A window that closes when asked; its id by xdotool."""
    async with desk.program("xterm", "-T", title, "-e", "cat"):
        yield await desk.window(title)


async def listed(desk: Subject, window: int) -> Window:
    return next(w for w in await desk.computer.windows() if w.id == window)


async def active(desk: Subject) -> int:
    return int(await desk.tool("xdotool", "getactivewindow"))


async def frame(desk: Subject, window: int) -> tuple[int, int]:
    """Where the corner of a window's frame is, by xwininfo."""
    text = await desk.tool("xwininfo", "-id", str(window))
    found = dict(re.findall(r"(\w+ upper-left [XY]): +(-?\d+)", text))
    x, y = (
        int(found[f"Absolute upper-left {axis}"]) - int(found[f"Relative upper-left {axis}"])
        for axis in "XY"
    )
    return x, y


async def states(desk: Subject, window: int) -> str:
    return await desk.tool("xprop", "-id", str(window), "_NET_WM_STATE", "WM_STATE")


@proves("windows")
async def test_a_new_window_is_listed_as_it_is(desk: Subject) -> None:
    async with terminal(desk, "first window"), terminal(desk, "Zweites — 窓") as window:
        await desk.activate(window)
        # The panel stays above all windows.
        seen = [w for w in await desk.computer.windows() if w.app != "Tint2"]
        assert seen[-1].id == window
        assert seen[-1].title == "Zweites — 窓"
        assert seen[-1].app == "XTerm"
        assert [w.id for w in seen if w.focused] == [window]
        shape = await geometry(desk.env, window)
        box = seen[-1].box
        assert (box.width, box.height) == (shape["WIDTH"], shape["HEIGHT"])
        place = await desk.tool("xwininfo", "-id", str(window))
        assert f"Absolute upper-left X:  {box.x}\n" in place
        assert f"Absolute upper-left Y:  {box.y}\n" in place
        pid = await desk.tool("xdotool", "getwindowpid", str(window))
        assert seen[-1].pid == int(pid)
        assert {w.title for w in seen} >= {"first window", "Zweites — 窓"}
    assert window not in {w.id for w in await desk.computer.windows()}


@proves("focus_window")
async def test_a_window_that_is_focused_gets_the_keyboard(desk: Subject) -> None:
    async with terminal(desk, "window a") as a, terminal(desk, "window b") as b:
        await desk.activate(b)
        await desk.computer.focus_window(a)
        assert await active(desk) == a
        await desk.computer.focus_window(b)
        assert await active(desk) == b


@proves("minimize_window")
async def test_a_window_is_minimised_and_comes_back(desk: Subject) -> None:
    async with terminal(desk, "window m") as window:
        await desk.computer.minimize_window(window)
        assert "_NET_WM_STATE_HIDDEN" in await states(desk, window)
        assert "Iconic" in await states(desk, window)
        assert await find_window(desk.env, "window m") is None
        assert (await listed(desk, window)).minimized
        await desk.computer.focus_window(window)
        assert "_NET_WM_STATE_HIDDEN" not in await states(desk, window)
        assert await active(desk) == window


@proves("move_window")
async def test_a_window_moves_with_its_frame_to_a_point(desk: Subject) -> None:
    async with terminal(desk, "window v") as window:
        for x, y in ((37, 61), (300, 200), (0, 0)):
            await desk.computer.move_window(window, x, y)
            assert await frame(desk, window) == (x, y)


@proves("resize_window")
async def test_a_windows_content_takes_a_size(desk: Subject) -> None:
    async with desk.event_log() as log:
        for width, height in ((333, 222), (640, 480)):
            await desk.computer.resize_window(log.window, width, height)
            shape = await geometry(desk.env, log.window)
            assert (shape["WIDTH"], shape["HEIGHT"]) == (width, height)


@proves("maximize_window")
async def test_a_window_is_maximised_and_restored(desk: Subject) -> None:
    async with desk.event_log() as log:
        before = await _size(desk, log)
        await desk.computer.maximize_window(log.window)
        assert "MAXIMIZED_VERT" in await states(desk, log.window)
        assert "MAXIMIZED_HORZ" in await states(desk, log.window)
        width, height = await _size(desk, log)
        assert width >= 1270
        assert height >= 700
        assert (await listed(desk, log.window)).maximized
        await desk.computer.maximize_window(log.window, on=False)
        assert "MAXIMIZED" not in await states(desk, log.window)
        assert await _size(desk, log) == before


async def _size(desk: Subject, log: EventLog) -> tuple[int, int]:
    shape = await geometry(desk.env, log.window)
    return shape["WIDTH"], shape["HEIGHT"]


@proves("close_window")
async def test_a_window_that_is_closed_is_gone(desk: Subject) -> None:
    async with terminal(desk, "window c") as window:
        await desk.computer.close_window(window)
        assert await find_window(desk.env, "window c") is None
        with pytest.raises(NotFound):
            await desk.computer.focus_window(window)


@bounded
async def test_a_title_that_changes_is_listed_anew(desk: Subject) -> None:
    async with terminal(desk, "old title") as window:
        await desk.tool("xdotool", "set_window", "--name", "neuer Titel", str(window))

        async def followed() -> bool:
            return (await listed(desk, window)).title == "neuer Titel"

        await desk.until(followed, "the new title")
