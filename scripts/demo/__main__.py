"""`make demo`: a desk, a browser on it, a form filled in by mouse and keyboard, a replay.

No key, no network. What is reported at the end was read back from the page itself.
"""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import anyio
from replay import Replay

from carrel import CarrelError, Computer, Element, Machines, MachineSpec, Point, Size
from carrel.cli._machines import run
from carrel.cli._progress import Stages

NAME = "demo"
READER, BOOK = "Ada Lovelace", "Über die Maschine — 機械 ✒️"
FORM = Path(__file__).with_name("form.html")
OUTPUT = Path.cwd() / "demo-replay"
WAIT = 40.0


async def find(computer: Computer, name: str, *roles: str) -> Element:
    """Wait for an element the browser itself names so."""
    with anyio.move_on_after(WAIT):
        while True:
            tree = await computer.elements()
            for element in tree.elements:
                if element.name == name and element.role in roles and element.box:
                    return element
            await anyio.sleep(0.2)
    raise CarrelError(f"the page shows no {roles[0]} named {name!r}")


async def click(computer: Computer, replay: Replay, element: Element) -> None:
    """Click the middle of an element and keep a frame."""
    assert element.box is not None
    point = element.box.center
    result = await computer.click(point.x, point.y)
    await keep(computer, replay, f"click “{element.name}”: {result.effect}", point)


async def keep(computer: Computer, replay: Replay, words: str, point: Point | None = None) -> None:
    """Wait for the screen to settle and keep a frame."""
    await computer.wait_stable(0.2, 15)
    replay.add(words, await computer.screenshot(), point)
    print(f"  {words}")


async def fill_in(computer: Computer, replay: Replay) -> str:
    """Fill in the form and return what the page says."""
    path = f"{await home(computer)}/form.html"
    await computer.write_file(path, FORM.read_text())
    await computer.open(f"file://{path}")
    reader = await find(computer, "Reader", "entry", "text")
    await keep(computer, replay, "open the form in Chromium")
    await click(computer, replay, reader)
    await computer.type(READER)
    await keep(computer, replay, f"type {READER!r}")
    await click(computer, replay, await find(computer, "Book", "entry", "text"))
    await computer.type(BOOK)
    await keep(computer, replay, f"type {BOOK!r}")
    await click(computer, replay, await find(computer, "Quiet floor", "check box"))
    await click(computer, replay, await find(computer, "Reserve", "push button", "button"))
    return await read_answer(computer)


async def read_answer(computer: Computer) -> str:
    """The page puts its answer into its title: read it from the window."""
    with anyio.move_on_after(WAIT):
        while True:
            for window in await computer.windows():
                if window.title.startswith("Reserved for "):
                    return window.title.removesuffix(" - Chromium")
            await anyio.sleep(0.1)
    raise CarrelError("the page gave no answer")


async def home(computer: Computer) -> str:
    """The home directory inside the machine."""
    return str((await computer.shell('printf %s "$HOME"')).data["stdout"])


async def main() -> int:
    """Run the demo and say what was seen."""
    started = time.monotonic()
    machines = Machines()
    print("A desk of its own:")
    if any(standing.machine.name == NAME for standing in await machines.list()):
        await machines.delete(NAME)
    stages = Stages()
    async with stages.running():
        spec = MachineSpec(provider="auto", size=Size(1280, 800))
        standing = await machines.up(NAME, spec, stages)
    print(f"  {NAME} is {standing.observed.state} ({standing.machine.spec.provider})")
    replay = Replay(OUTPUT, "Carrel demo: a form, filled in by hand")
    try:
        async with machines.computer(NAME, settle=2.0) as computer:
            print("On its screen:")
            answer = await fill_in(computer, replay)
            replay.add(f"the page says: {answer}", await computer.screenshot())
    finally:
        await machines.delete(NAME)
    print(f"The page itself says: {answer}")
    expected = f"Reserved for {READER}: {BOOK}, quiet floor; "
    if not answer.startswith(expected):
        print(f"That is not what was typed: {expected}", file=sys.stderr)
        return 1
    print(f"Replay: {replay.save()}")
    print(f"Done in {time.monotonic() - started:.1f} s; the desk is deleted again.")
    return 0


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # also through a pipe: it takes a while
    try:
        sys.exit(run(main))
    except CarrelError as error:
        print(f"error: {error}", file=sys.stderr)
        if error.hint:
            print(f"try:   {error.hint}", file=sys.stderr)
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        sys.exit(130)
