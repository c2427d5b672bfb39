from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from clients import event_log, find_window, run, running, until

from carrel.actions import (
    CloseWindow,
    FocusWindow,
    MaximizeWindow,
    MinimizeWindow,
    MoveWindow,
    ResizeWindow,
)
from carrel.errors import ActionFailed, MachineLost, NotFound, Unsupported
from carrel.frames import Window
from carrel.guest import windows as module
from carrel.guest.windows import Windows

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]


@pytest.fixture
def managed(x_display: str, tmp_path: Path) -> Iterator[str]:
    """A display with a window manager, which is up: a window mapped meanwhile can escape it."""
    ready = tmp_path / "ready"
    command = ("openbox", "--sm-disable", "--startup", f"touch {ready}")
    with running(x_display, *command, stdout=subprocess.DEVNULL):
        deadline = time.monotonic() + 15
        while not ready.exists():
            assert time.monotonic() < deadline, "openbox did not start"
            time.sleep(0.01)
        yield x_display


@pytest.fixture
def windows(managed: str) -> Iterator[Windows]:
    windows = Windows(managed)
    yield windows
    windows.disconnect()


async def window(windows: Windows, title: str) -> Window:
    return await until(lambda: next((w for w in windows.list() if w.title == title), None))


@pytest.fixture
def terminals(managed: str) -> Iterator[tuple[subprocess.Popen[bytes], ...]]:
    """Two terminals, titled `one ✓` and `two`."""
    one = running(managed, "xterm", "-geometry", "60x10+100+80", "-T", "one ✓", "-e", "cat")
    two = running(managed, "xterm", "-geometry", "40x10+300+200", "-T", "two", "-e", "cat")
    with one as first, two as second:
        # Told to close it hangs up on its program, and does nothing more: one whose child is not
        # that program yet loses the word, and stays.
        for each in (first, second):
            deadline = time.monotonic() + 60
            while not runs_cat(each.pid):
                assert time.monotonic() < deadline, "xterm did not start cat"
                time.sleep(0.01)
        yield first, second


def runs_cat(pid: int) -> bool:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return any(Path(f"/proc/{child}/comm").read_text() == "cat\n" for child in children)


Terminals = tuple[subprocess.Popen[bytes], ...]


def shell_geometry(display: str, window_id: int) -> dict[str, int]:
    out = run(display, "xdotool", "getwindowgeometry", "--shell", str(window_id))
    return {key: int(value) for key, value in (line.split("=") for line in out.split())}


async def test_windows_are_listed_with_what_is_known_about_them(
    windows: Windows, terminals: Terminals, managed: str
) -> None:
    one, two = await window(windows, "one ✓"), await window(windows, "two")
    assert (one.app, one.pid, two.pid) == ("XTerm", terminals[0].pid, terminals[1].pid)
    assert (one.minimized, one.maximized) == (False, False)
    for seen in (one, two):
        geometry = shell_geometry(managed, seen.id)
        assert (seen.box.width, seen.box.height) == (geometry["WIDTH"], geometry["HEIGHT"])
        assert str(seen.id) in run(managed, "xdotool", "search", "--class", "XTerm").split()


async def test_the_box_is_that_of_the_content(windows: Windows, managed: str) -> None:
    with event_log(managed, "200x100+300+200") as log:
        seen = await window(windows, "event log")
        run(managed, "xdotool", "mousemove", "--window", str(log.window), "0", "0")
        place = run(managed, "xdotool", "getmouselocation").split()
        assert place[:2] == [f"x:{seen.box.x}", f"y:{seen.box.y}"]
        assert (seen.box.width, seen.box.height) == (200, 100)


async def test_a_focused_window_has_the_keyboard_and_is_the_topmost(
    windows: Windows, terminals: Terminals, managed: str
) -> None:
    one, two = await window(windows, "one ✓"), await window(windows, "two")
    for wanted in (one, two, one):
        evidence = await windows.focus(FocusWindow(wanted.id))
        assert evidence["focused"] is True
        assert int(run(managed, "xdotool", "getactivewindow")) == wanted.id
        assert windows.list()[-1].id == wanted.id


async def test_a_moved_window_has_its_frame_at_the_point(
    windows: Windows, terminals: Terminals, managed: str
) -> None:
    seen = await window(windows, "two")
    for x, y in ((0, 0), (150, 90), (-20, 30)):
        evidence = await windows.move(MoveWindow(seen.id, x=x, y=y))
        left, _, top, _ = (
            int(number)
            for number in run(
                managed, "xprop", "-id", str(seen.id), "-notype", "_NET_FRAME_EXTENTS"
            )
            .split("=")[1]
            .split(",")
        )
        info = run(managed, "xwininfo", "-id", str(seen.id))
        place = [int(line.split()[-1]) for line in info.split("\n") if "Absolute" in line]
        assert place == [x + left, y + top]
        assert evidence["box"]["x"] == x + left  # type: ignore[index]


async def test_a_window_that_went_elsewhere_is_told_where(
    windows: Windows, terminals: Terminals, managed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EFFECT_SECONDS", 0.5)
    seen = await window(windows, "two")
    with anyio.fail_after(5), pytest.raises(ActionFailed, match="moved to") as caught:
        await windows.move(MoveWindow(seen.id, x=-5000, y=-5000))
    info = run(managed, "xwininfo", "-id", str(seen.id))
    place = [int(line.split()[-1]) for line in info.split("\n") if "Absolute" in line]
    assert min(place) > -1000
    box = caught.value.context["box"]
    assert [box["x"], box["y"]] == place  # type: ignore[index]
    # Asked again for the same, it stays where it is.
    with anyio.fail_after(5), pytest.raises(ActionFailed, match="did not move"):
        await windows.move(MoveWindow(seen.id, x=-5000, y=-5000))


async def test_a_resized_window_has_the_size(windows: Windows, managed: str) -> None:
    with event_log(managed):
        seen = await window(windows, "event log")
        await windows.resize(ResizeWindow(seen.id, width=321, height=123))
        geometry = shell_geometry(managed, seen.id)
        assert (geometry["WIDTH"], geometry["HEIGHT"]) == (321, 123)


async def test_a_terminal_takes_the_nearest_whole_characters(
    windows: Windows, terminals: Terminals, managed: str
) -> None:
    seen = await window(windows, "one ✓")
    evidence = await windows.resize(ResizeWindow(seen.id, width=401, height=301))
    box = evidence["box"]
    geometry = shell_geometry(managed, seen.id)
    assert box == {**box, "width": geometry["WIDTH"], "height": geometry["HEIGHT"]}  # type: ignore[dict-item]
    assert abs(geometry["WIDTH"] - 401) < 20
    assert abs(geometry["HEIGHT"] - 301) < 30


async def test_a_window_is_minimised_and_focus_brings_it_back(
    windows: Windows, terminals: Terminals, managed: str
) -> None:
    seen = await window(windows, "one ✓")
    for _ in range(3):
        assert (await windows.focus(FocusWindow(seen.id)))["focused"] is True
        away = await windows.minimize(MinimizeWindow(seen.id))
        assert (away["focused"], away["minimized"]) == (False, True)
    assert find_window(managed, "^one") is None
    back = await windows.focus(FocusWindow(seen.id))
    assert (back["focused"], back["minimized"]) == (True, False)


async def test_a_window_is_maximised_and_restored(
    windows: Windows, terminals: Terminals, managed: str
) -> None:
    seen = await window(windows, "two")
    assert (await windows.maximize(MaximizeWindow(seen.id)))["maximized"] is True
    assert shell_geometry(managed, seen.id)["WIDTH"] > 950
    assert (await windows.maximize(MaximizeWindow(seen.id, on=False)))["maximized"] is False
    assert shell_geometry(managed, seen.id)["WIDTH"] == seen.box.width


async def test_a_closed_window_is_gone(windows: Windows, terminals: Terminals) -> None:
    seen = await window(windows, "two")
    assert await windows.close(CloseWindow(seen.id)) == {"window": seen.id, "closed": True}
    assert terminals[1].wait(10) is not None
    with pytest.raises(NotFound, match=hex(seen.id)):
        await windows.focus(FocusWindow(seen.id))


STUBBORN = """
import tkinter
root = tkinter.Tk()
root.title("stubborn")
root.resizable(False, False)
root.protocol("WM_DELETE_WINDOW", lambda: None)
root.mainloop()
"""


async def test_what_a_window_does_not_do_is_no_success(
    windows: Windows, managed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tkinter", reason="needs python3-tk")
    monkeypatch.setattr(module, "EFFECT_SECONDS", 0.4)
    with running(managed, sys.executable, "-c", STUBBORN):
        seen = await window(windows, "stubborn")
        with anyio.fail_after(5), pytest.raises(ActionFailed, match="did not close"):
            await windows.close(CloseWindow(seen.id))
        with anyio.fail_after(5), pytest.raises(ActionFailed, match="did not maximise"):
            await windows.maximize(MaximizeWindow(seen.id))


async def test_an_unknown_window_is_not_found(windows: Windows, terminals: Terminals) -> None:
    await window(windows, "two")
    for attempt in (
        windows.focus(FocusWindow(0x123)),
        windows.move(MoveWindow(0x123)),
        windows.resize(ResizeWindow(0x123)),
        windows.minimize(MinimizeWindow(0x123)),
        windows.maximize(MaximizeWindow(0x123)),
        windows.close(CloseWindow(0x123)),
    ):
        with pytest.raises(NotFound, match="0x123"):
            await attempt


async def test_without_a_window_manager_it_says_so(x_display: str) -> None:
    windows = Windows(x_display)
    with pytest.raises(Unsupported, match="no window manager"):
        windows.list()
    with running(x_display, "openbox", "--sm-disable") as manager:
        await until(lambda: supported(windows))
        manager.kill()
        await until(lambda: not supported(windows))
    windows.disconnect()


def supported(windows: Windows) -> bool:
    try:
        windows.list()
    except Unsupported:
        return False
    return True


async def test_a_dead_display_is_a_lost_machine(
    x_server_process: tuple[str, subprocess.Popen[bytes]],
) -> None:
    display, server = x_server_process
    windows = Windows(display)
    server.kill()
    server.wait()
    with pytest.raises(MachineLost):
        windows.list()
    windows.disconnect()


async def test_a_title_that_changes_is_never_half_of_two(managed: str, windows: Windows) -> None:
    """A window whose long title changes as fast as it can: each reading is one of the titles."""
    titles = {letter * 90 for letter in "ab"}
    program = (
        "import tkinter, itertools\n"
        "root = tkinter.Tk()\n"
        "def turn(letters=itertools.cycle('ab')):\n"
        "    root.title(next(letters) * 90)\n"
        "    root.after(1, turn)\n"
        "turn()\n"
        "root.mainloop()\n"
    )
    with running(managed, "/usr/bin/python3", "-c", program):
        await until(lambda: [w for w in windows.list() if w.title in titles])
        seen = {w.title for _ in range(2000) for w in windows.list()}
    assert seen == titles
