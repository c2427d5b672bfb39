from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator

import anyio
import anyio.lowlevel
import pytest
from clients import client_env, run, until
from texts import TEXTS
from Xlib import X
from Xlib.display import Display

from carrel.errors import ActionFailed, InvalidInput, MachineLost, TimedOut
from carrel.guest import clipboard as module
from carrel.guest.clipboard import Clipboard

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

LARGE = "漢字 and text\n" * 500_000  # 8 MB and more in UTF-8


@pytest.fixture
def clipboard(x_display: str) -> Iterator[Clipboard]:
    clipboard = Clipboard(x_display)
    yield clipboard
    clipboard.close()


def xclip_out(display: str, *options: str) -> str:
    return run(display, "xclip", "-selection", "clipboard", "-o", *options)


async def xclip_in(display: str, text: str, *options: str) -> None:
    before = owner(display)
    command = ["xclip", "-selection", "clipboard", "-i", *options]
    with anyio.fail_after(30):
        await anyio.run_process(
            command,
            input=text.encode(),
            env=client_env(display),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    # It goes into the background before the server has made it the owner.
    await until(lambda: owner(display) not in (0, before))


def owner(display_name: str) -> int:
    """The window that owns the clipboard; 0 when there is none."""
    display = Display(display_name)
    found = display.get_selection_owner(display.intern_atom("CLIPBOARD"))
    display.close()
    return 0 if found == X.NONE else int(found.id)


async def test_an_empty_clipboard_is_empty_text(clipboard: Clipboard) -> None:
    assert await clipboard.get() == ""


@pytest.mark.parametrize("text", [*TEXTS.values(), "", "two\nlines\n", "\ttab\r\n", " "])
async def test_text_put_there_is_what_others_paste(
    clipboard: Clipboard, x_display: str, text: str
) -> None:
    evidence = await clipboard.set(text)
    assert evidence == {"characters": len(text), "bytes": len(text.encode())}
    assert xclip_out(x_display) == text
    assert await clipboard.get() == text


@pytest.mark.parametrize("text", [TEXTS["mixed"], "x" * 300_000, LARGE])
async def test_text_others_copied_is_read(clipboard: Clipboard, x_display: str, text: str) -> None:
    await xclip_in(x_display, text)
    with anyio.fail_after(20):
        assert await clipboard.get() == text


async def test_large_text_goes_out_in_pieces(clipboard: Clipboard, x_display: str) -> None:
    assert len(LARGE.encode()) >= 8_000_000
    with anyio.fail_after(30):
        await clipboard.set(LARGE)
    assert xclip_out(x_display) == LARGE


async def test_several_programs_paste_large_text_at_once(
    clipboard: Clipboard, x_display: str
) -> None:
    text = "é" * 1_000_000
    await clipboard.set(text)
    pasted: list[str] = []

    async def paste() -> None:
        pasted.append(await anyio.to_thread.run_sync(xclip_out, x_display))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(paste)
    assert pasted == [text] * 4


async def test_the_usual_targets_are_offered(clipboard: Clipboard, x_display: str) -> None:
    await clipboard.set("naïve 漢")
    offered = xclip_out(x_display, "-t", "TARGETS").split("\n")
    wanted = {"TARGETS", "TIMESTAMP", "MULTIPLE", "UTF8_STRING", "STRING"}
    assert {*wanted, "text/plain;charset=utf-8"} <= set(offered)
    assert xclip_out(x_display, "-t", "text/plain;charset=utf-8") == "naïve 漢"
    # xclip itself turns Latin-1 into bytes as they are.
    latin = await anyio.run_process(
        ["xclip", "-selection", "clipboard", "-o", "-t", "STRING"], env=client_env(x_display)
    )
    assert latin.stdout == "naïve ?".encode("latin-1")


async def test_the_clipboard_changes_hands_both_ways(clipboard: Clipboard, x_display: str) -> None:
    for turn in range(5):
        await clipboard.set(f"ours {turn}")
        assert xclip_out(x_display) == f"ours {turn}"
        await xclip_in(x_display, f"theirs {turn}")
        assert await clipboard.get() == f"theirs {turn}"


async def test_an_owner_that_never_answers_is_a_time_out(
    clipboard: Clipboard, x_display: str
) -> None:
    silent = Display(x_display)
    window = silent.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    window.set_selection_owner(silent.intern_atom("CLIPBOARD"), X.CurrentTime)
    silent.sync()
    started = time.monotonic()
    with anyio.fail_after(30), pytest.raises(TimedOut, match="did not answer"):
        await clipboard.get()
    assert 2 <= time.monotonic() - started <= 20
    silent.close()


async def test_an_owner_that_stops_half_way_is_a_time_out(
    clipboard: Clipboard, x_display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GET_SECONDS", 0.5)
    half = Display(x_display)
    window = half.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    window.set_selection_owner(half.intern_atom("CLIPBOARD"), X.CurrentTime)
    half.sync()

    async def promise() -> None:
        from Xlib.protocol import event as xevent

        request = await anyio.to_thread.run_sync(half.next_event)
        incr = half.intern_atom("INCR")
        request.requestor.change_property(request.property, incr, 32, [1000])
        answer = {name: getattr(request, name) for name in ("time", "requestor", "selection")}
        notify = xevent.SelectionNotify(**answer, target=request.target, property=request.property)
        request.requestor.send_event(notify)
        half.flush()

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(promise)
            with pytest.raises(TimedOut):
                await clipboard.get()
    half.close()


async def test_a_clipboard_without_text_says_what_it_holds(
    clipboard: Clipboard, x_display: str
) -> None:
    await xclip_in(x_display, "not really a picture", "-t", "image/png")
    with pytest.raises(ActionFailed, match="holds no text") as caught:
        await clipboard.get()
    assert "image/png" in caught.value.context["targets"]  # type: ignore[operator]


async def test_half_a_surrogate_pair_is_refused(clipboard: Clipboard) -> None:
    with pytest.raises(InvalidInput):
        await clipboard.set("\ud800")


async def test_the_text_goes_when_the_guest_does(x_display: str) -> None:
    clipboard = Clipboard(x_display)
    await clipboard.set("gone soon")
    clipboard.close()
    clipboard.close()
    other = Clipboard(x_display)
    await until(lambda: not owner(x_display))
    assert await other.get() == ""
    other.close()


async def test_a_display_that_dies_meanwhile_is_a_lost_machine(
    x_server_process: tuple[str, subprocess.Popen[bytes]],
) -> None:
    display, server = x_server_process
    clipboard = Clipboard(display)
    # Stopped, it takes the wish and gives no answer; then it dies with the wish under way.
    server.send_signal(signal.SIGSTOP)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_kill_later, server)
        with pytest.raises(MachineLost):
            await clipboard.set("x")
    clipboard.close()


async def _kill_later(server: subprocess.Popen[bytes]) -> None:
    await anyio.sleep(0.3)
    server.kill()
    server.wait()


async def test_a_dead_display_is_a_lost_machine(
    x_server_process: tuple[str, subprocess.Popen[bytes]],
) -> None:
    display, server = x_server_process
    clipboard = Clipboard(display)
    server.kill()
    server.wait()
    with anyio.fail_after(10), pytest.raises(MachineLost):
        await clipboard.set("x")
    clipboard.close()
