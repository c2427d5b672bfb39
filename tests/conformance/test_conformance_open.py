from __future__ import annotations

import os

import pytest
from oracles import find_window
from proofs import bounded, proves
from subjects import Subject, processes

from carrel.actions import Open
from carrel.errors import NotFound
from carrel.results import Effect

pytestmark = [pytest.mark.desktop, pytest.mark.browser]


async def kill(desk: Subject, mark: str) -> None:
    for pid in processes(mark):
        if pid != os.getpid():
            os.kill(pid, 15)

    async def gone() -> bool:
        return not processes(mark)

    await desk.until(gone, f"{mark} is gone")


@proves("open")
async def test_an_application_opens_with_its_arguments(desk: Subject) -> None:
    title = f"opened-{desk.kind}-{os.getpid()}"
    try:
        result = await desk.computer.open("xterm", "-T", title)
        assert result.data["kind"] == "app"
        window = await desk.until(lambda: find_window(desk.env, title), "the window")
        pid = await desk.tool("xdotool", "getwindowpid", str(window))
        assert result.data["pid"] == int(pid)
    finally:
        await kill(desk, title)


@proves("open")
async def test_a_url_opens_in_the_browser(desk: Subject) -> None:
    page = await desk.page()
    inner = await page.ask("location.origin")
    wanted = f"/opened?by={desk.kind}{len(await page.visited())}"
    await desk.computer.open(inner + wanted)

    async def visited() -> bool:
        return wanted in await page.visited()

    await desk.until(visited, "the browser asks for the page")
    await desk.until(lambda: find_window(desk.env, "^visited"), "the tab")
    await desk.tool("xdotool", "key", "ctrl+w")
    await desk.window("conformance page")


@proves("open")
async def test_a_file_opens_in_an_application_for_it(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        name = f"note-{desk.kind}-{os.getpid()}.txt"
        (here / name).write_text("written by the test\n")
        (here / name).chmod(0o644)
        try:
            result = await desk.computer.open(f"{inside}/{name}")
            assert result.data["kind"] == "file"
            await desk.until(lambda: find_window(desk.env, name), "the window")
        finally:
            await kill(desk, name)


@bounded
async def test_what_cannot_be_opened_is_an_error(desk: Subject) -> None:
    with pytest.raises(NotFound):
        await desk.computer.open("no-such-application-anywhere")
    result = await desk.computer.act(Open("false"))
    assert not result.ok


@bounded
async def test_what_may_not_be_read_is_refused(desk: Subject) -> None:
    made = await desk.computer.shell("mkdir -m 0 -p ~/shut; cd; pwd; test -r ~/shut")
    home = str(made.data["stdout"]).strip()
    try:
        if made.data["exit"] == 0:
            pytest.skip("to this user nothing is shut")
        for what in (f"{home}/shut", f"{home}/shut/a.txt", f"file://{home}/shut/a.txt"):
            result = await desk.computer.act(Open(what))
            assert result.error is not None
            assert result.error.code == "action_failed"
            assert "Permission denied" in result.error.message
    finally:
        await desk.computer.shell("rmdir ~/shut")


@bounded
async def test_what_ended_at_once_is_not_called_open(desk: Subject) -> None:
    result = await desk.computer.act(Open("/bin/true"))
    assert (result.ok, result.effect) == (True, Effect.UNVERIFIABLE)
    assert result.data["running"] is False
