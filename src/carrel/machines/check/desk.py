"""Checks of the screen, the pointer and the keyboard."""

from __future__ import annotations

import struct

from carrel.computer import Computer
from carrel.errors import NotFound
from carrel.guest.tasks import task_group
from carrel.machines.check.subject import (
    Failed,
    Skipped,
    Subject,
    check,
    eventually,
    expect,
    expect_error,
)

__all__: list[str] = []

_TERMINALS = 4


async def _need_program(computer: Computer, program: str) -> None:
    done = await computer.run("sh", "-c", f"command -v {program}")
    if done.exit.code != 0:
        raise Skipped(f"{program} is not in this image")


@check
async def the_screen_has_the_size_asked_for(subject: Subject) -> None:
    """A screenshot is a PNG of the size of the screen."""
    async with subject.computer() as computer:
        size = await computer.screen_size()
        frame = await computer.screenshot()
    expect(frame.image[:8] == b"\x89PNG\r\n\x1a\n", "it is no PNG")
    width, height = struct.unpack(">II", frame.image[16:24])
    expect((width, height) == (size.width, size.height), f"{width}x{height}, screen {size}")
    if subject.provider.capabilities.contains:
        expect(size == subject.spec.size, f"asked for {subject.spec.size}, got {size}")


@check
async def the_pointer_goes_where_it_is_sent(subject: Subject) -> None:
    """Moving the pointer is read back, and a point off the screen is refused."""
    async with subject.computer() as computer:
        for x, y in ((0, 0), (17, 33), (50, 40)):
            await computer.move(x, y)
            point = await computer.cursor()
            expect((point.x, point.y) == (x, y), f"sent to {x},{y}, is at {point}")
        await expect_error("invalid_input", computer.move(30000, 30000))


async def _open_terminal(computer: Computer, title: str, command: str) -> None:
    """Open an xterm that runs a command, and give it the keyboard."""
    await _need_program(computer, "xterm")

    async def is_there() -> bool:
        return any(window.title == title for window in await computer.windows())

    # Again: on gVisor one xterm in ten reads from its terminal before its child has opened it,
    # and takes that for the end.
    for turn in range(_TERMINALS):
        await computer.open("xterm", "-u8", "-T", title, "-e", "sh", "-c", command)
        try:
            await eventually(f"a window titled {title}", is_there)
        except Failed:
            if turn == _TERMINALS - 1:
                raise
            continue
        for window in await computer.windows():
            if window.title == title:
                await computer.focus_window(window.id)
                return
    raise Failed(f"a window titled {title} does not stay")


async def _written(computer: Computer, path: str) -> str:
    """What a program has written so far: nothing, while it has not even opened the file."""
    try:
        return await computer.read_file(path)
    except NotFound:
        return ""


@check
async def typed_text_arrives_in_a_program(subject: Subject) -> None:
    """Text typed into a terminal comes back from the program that read it."""
    text = "Hello, Wörld! 漢字 🙂 {a|b}~^`'\"\n"
    async with subject.computer() as computer:
        await _open_terminal(computer, "typed-check", "cat > typed")
        await computer.type(text)

        async def has_arrived() -> bool:
            return await _written(computer, "typed") == text

        await eventually("the typed text in the file", has_arrived)
        await computer.key("ctrl+d")


@check
async def a_change_on_the_screen_is_seen(subject: Subject) -> None:
    """An unchanged screen gives the same frame; a new window gives another."""
    async with subject.computer() as computer:
        await computer.wait_stable(0.3, 20)
        first = await computer.screenshot()
        await _open_terminal(computer, "change-check", "sleep 60")

        async def differs() -> bool:
            return (await computer.screenshot()).id != first.id

        await eventually("another frame", differs)
        for window in await computer.windows():
            if window.title == "change-check":
                await computer.close_window(window.id)


@check
async def the_clipboard_keeps_text(subject: Subject) -> None:
    """Text put on the clipboard is read back, any script."""
    async with subject.computer() as computer:
        for text in ("plain", "ü 漢字 🙂\nsecond line", "x" * 300_000):
            await computer.set_clipboard(text)
            expect(await computer.get_clipboard() == text, f"{text[:20]!r} came back changed")


@check
async def strokes_of_two_clients_do_not_mix(subject: Subject) -> None:
    """Two clients that type at the same time get two whole texts."""
    async with subject.computer() as one, subject.computer() as two:
        await _open_terminal(one, "mix-check", "cat > mixed")
        async with task_group() as tasks:
            tasks.start_soon(one.type, "a" * 20 + "\n")
            tasks.start_soon(two.type, "B" * 20 + "\n")

        async def both_whole() -> bool:
            lines = (await _written(one, "mixed")).split()
            return sorted(lines) == ["B" * 20, "a" * 20]

        await eventually("two whole lines", both_whole)
        await one.key("ctrl+d")
