"""Applications on a desk, and the truth about them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources

import anyio

from carrel import codec
from carrel.actions import Wait
from carrel.bench.suites.screens.shot import Said, Shot
from carrel.bench.suites.screens.trees import truth_of_tree
from carrel.bench.suites.screens.truth import Run, Truth
from carrel.computer import Computer, ElementTree
from carrel.errors import ActionFailed, CarrelError, NotFound, TimedOut, Unavailable
from carrel.frames import Frame, Window
from carrel.geometry import Box

__all__ = ["APPS", "App", "catch_app"]

STARTING = 40.0
STARTS = 4
RESTING = 4.0
LOOKS = 4
FEWEST = 4
STIRRING = 0.02
"""Share of the screen that may be in motion: a spinner, a cursor."""
TOLD = "/tmp/screens-truth.json"  # noqa: S108 (inside a desk that is ours alone)


@dataclass(frozen=True, slots=True)
class App:
    """An application that somebody else wrote.

    Attributes:
        package: Debian's name for it.
        spoken: What it is called on the accessibility bus, or a part of that; empty for one that
            says nothing there and tells the truth by a program of ours.
        program: That program.
        within: Whether that tells places within the window.
    """

    name: str
    package: str
    command: tuple[str, ...]
    spoken: str = ""
    program: str = ""
    within: bool = False

    @property
    def said(self) -> Said:
        """Who tells the truth about it."""
        return "tree" if self.spoken else "program"


APPS = (
    App("gtk3-widget-factory", "gtk-3-examples", ("gtk3-widget-factory",), "widget"),
    App("gtk3-demo", "gtk-3-examples", ("gtk3-demo",), "demo"),
    App("featherpad", "featherpad", ("featherpad",), "featherpad"),
    App("speedcrunch", "speedcrunch", ("speedcrunch",), "speedcrunch"),
    App("mousepad", "mousepad", ("mousepad", "/usr/share/common-licenses/BSD"), "mousepad"),
    App("gnumeric", "gnumeric", ("gnumeric",), "gnumeric"),
    App("libreoffice-calc", "libreoffice-calc", ("soffice", "--calc", "--norestore"), "soffice"),
    App("tk", "python3-tk", ("/usr/bin/python3", "{program}", TOLD), program="widgets.py"),
    App(
        "xterm",
        "xterm",
        (
            *("xterm", "-fa", "DejaVu Sans Mono", "-fs", "11"),
            *("-xrm", "XTerm*allowWindowOps: true", "-xrm", "XTerm*maximized: true"),
            *("-e", "/usr/bin/python3", "{program}", TOLD, "ls", "-l", "/usr/share"),
        ),
        program="terminal.py",
        within=True,
    ),
)


async def catch_app(computer: Computer, app: App) -> Shot:
    """Start an application, take down all that is said about it, and end it.

    Raises:
        Unavailable: It is not installed.
        TimedOut: It shows no window.
        ActionFailed: It shows nothing.
    """
    if (await computer.run("sh", "-c", f"command -v {app.command[0]}")).exit.code != 0:
        raise Unavailable(f"{app.package} is not installed", hint=f"apt-get install {app.package}")
    fault: CarrelError | None = None
    for _ in range(STARTS):
        try:
            return await _start(computer, app)
        except (ActionFailed, TimedOut) as error:
            # Applications of Qt do not always find the accessibility bus when they start.
            fault = error
    assert fault is not None
    raise fault


async def _start(computer: Computer, app: App) -> Shot:
    others = await computer.windows()
    process = await computer.start_process(*await _command(computer, app))
    try:
        window = await _window(computer, others)
        if app.spoken:
            await computer.maximize_window(window.id)
            await _close_dialogs(computer, others)
        return await _catch(computer, app, others)
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(20):
            await computer.kill_process(process)
            while await _new(computer, others):  # noqa: ASYNC110 (its windows go a little later)
                await anyio.sleep(0.1)


async def _command(computer: Computer, app: App) -> list[str]:
    if not app.program:
        return list(app.command)
    path = f"/tmp/{app.program}"  # noqa: S108 (inside a desk that is ours alone)
    programs = resources.files(f"{__package__}.programs")
    await computer.write_file(path, programs.joinpath(app.program).read_text("utf-8"))
    await computer.run("rm", "-f", TOLD)
    return [word.format(program=path) for word in app.command]


async def _new(computer: Computer, others: Sequence[Window]) -> list[Window]:
    """The windows that the desk did not have before: it has a panel of its own."""
    known = {window.id for window in others}
    return [window for window in await computer.windows() if window.id not in known]


async def _window(computer: Computer, others: Sequence[Window]) -> Window:
    with anyio.move_on_after(STARTING):
        while True:
            # Not a splash screen: that is never given the keyboard.
            windows = [w for w in await _new(computer, others) if w.focused and w.title]
            if windows:
                return windows[-1]
            await anyio.sleep(0.2)
    raise TimedOut("the application shows no window")


async def _close_dialogs(computer: Computer, others: Sequence[Window]) -> None:
    """Close what greets a new user: what lies behind does not say that it is covered."""
    await computer.act(Wait(stable=1.0, timeout=RESTING))
    windows = sorted(await _new(computer, others), key=lambda window: window.box.area)
    for window in windows[:-1]:
        await computer.close_window(window.id)


async def _catch(computer: Computer, app: App, others: Sequence[Window]) -> Shot:
    """All of it, between two looks that are the same but for something that turns or blinks."""
    size = await computer.screen_size()
    for _ in range(LOOKS):
        await computer.act(Wait(stable=1.0, timeout=RESTING))
        frame = await computer.screenshot()
        started = time.monotonic()
        tree = await computer.elements(timeout=15)
        seconds = time.monotonic() - started
        truth = await _truth(computer, app, frame, tree)
        if app.within:
            origin = (await _window(computer, others)).box
            truth = replace(truth, runs=tuple(_moved(run, origin) for run in truth.runs))
        change = (await computer.screenshot()).change
        moves = change is None or change.share > STIRRING
        if moves or len(truth.runs) + len(truth.controls) < FEWEST:
            continue
        windows = await computer.windows()
        ignored = (*truth.ignored, *(window.box for window in others))
        return Shot(
            app.name,
            size,
            app.said,
            replace(truth, ignored=ignored),
            tree.elements,
            windows=windows,
            seconds={"tree": seconds},
            image=frame.image,
        )
    raise ActionFailed(f"{app.name} shows nothing, or does not hold still")


def _moved(run: Run, origin: Box) -> Run:
    box = run.box
    return replace(run, box=Box(box.x + origin.x, box.y + origin.y, box.width, box.height))


async def _truth(computer: Computer, app: App, frame: Frame, tree: ElementTree) -> Truth:
    if app.spoken:
        return truth_of_tree(tree.elements, frame.size, app.spoken)
    try:
        told = json.loads(await computer.read_file(TOLD))
    except NotFound:
        return Truth(frame.size)
    size = {"width": frame.size.width, "height": frame.size.height}
    return codec.decode(Truth, {**told, "size": size})
