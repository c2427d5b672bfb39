"""`make demo`: a desk, a browser on it, and an agent that fills in a form; no key, no network.

The agent is the model `steps`: it is told what to do in plain words, sees the screen, and uses
mouse and keyboard. What is reported at the end was read back from the page itself.
"""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import anyio

from carrel import Agent, CarrelError, Computer, Machines, MachineSpec, Size
from carrel.cli._machines import run
from carrel.cli._progress import Stages
from carrel.events import Event
from carrel.ids import new_id
from carrel.journal.run import Run
from carrel.journal.views.html import write_html

READER, BOOK = "Ada Lovelace", "Über die Maschine — 機械 ✒️"
TASK = (
    f"Enter “{READER}” in the Reader field and “{BOOK}” in the Book field, tick Quiet floor, "
    "and click Reserve. Then verify that “Reserved for” is shown."
)
FORM = Path(__file__).with_name("form.html")
REPLAY = Path.cwd() / "demo-replay.html"
WAIT = 40.0


def tell(event: Event) -> None:
    """Say what is done, as the journal has it."""
    if event.kind == "act":
        print(f"  {event.data['words']}")


async def open_form(computer: Computer) -> None:
    """Put the page on the desk and show it in its browser."""
    home = (await computer.shell('printf %s "$HOME"')).data["stdout"]
    await computer.write_file(f"{home}/form.html", FORM.read_text())
    await computer.open(f"file://{home}/form.html")
    await window_title(computer, "Reading room")


async def window_title(computer: Computer, start: str) -> str:
    """Wait for a window whose title begins so: the page puts its answer there."""
    with anyio.move_on_after(WAIT):
        while True:
            for window in await computer.windows():
                if window.title.startswith(start):
                    return window.title.removesuffix(" - Chromium")
            await anyio.sleep(0.1)
    raise CarrelError(f"no window is called {start} …")


async def work(machines: Machines, name: str) -> tuple[Run, str]:
    """Have the agent do it; its run, and what the page says."""
    async with machines.computer(name, settle=2.0) as computer:
        await open_form(computer)
        print(f"The task: {TASK}\nOn its screen:")
        done = await Agent(model="steps").run(TASK, computer, observers=[tell]).result()
        if done.status != "succeeded":
            raise CarrelError(f"the agent stopped: {done.message}", hint=f"carrel show {done.id}")
        return done, await window_title(computer, "Reserved for ")


async def main() -> int:
    """Run the demo and say what was seen."""
    started = time.monotonic()
    machines = Machines()
    print("A desk of its own:")
    # A name that nobody gave: whatever desks there are stay as they are.
    name = f"demo-{new_id('x')[-8:]}"
    stages = Stages()
    async with stages.running():
        spec = MachineSpec(provider="auto", size=Size(1280, 800))
        standing = await machines.up(name, spec, stages)
    print(f"  {name} is {standing.observed.state} ({standing.machine.spec.provider})")
    try:
        done, answer = await work(machines, name)
    finally:
        await machines.delete(name)
    print(f"The page itself says: {answer}")
    expected = f"Reserved for {READER}: {BOOK}, quiet floor; "
    if not answer.startswith(expected):
        print(f"That is not what was asked for: {expected}", file=sys.stderr)
        return 1
    with REPLAY.open("wb") as file:
        write_html(done.id, file)
    print(f"Replay: {REPLAY}")
    print(f"Done in {time.monotonic() - started:.1f} s; the desk is deleted again.")
    print(f"The run is in the journal: carrel show {done.id}")
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
