"""A desk with a page on it that tells in its title what was done to it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from carrel.computer import Computer
from carrel.geometry import Point, Size
from carrel.ids import new_id
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import MachineSpec

PAGE = Path(__file__).with_name("task.html")
SIZE = Size(1024, 768)

PIECE = Point(120, 320)
GOAL = Point(530, 320)
FIELD = Point(250, 436)
LIST = Point(750, 500)


def button(number: int) -> Point:
    """The middle of a numbered button."""
    return Point(20 + 80 * (number % 10) + 30, 20 + 60 * (number // 10) + 20)


class TaskDesk:
    """One machine with the page in full screen."""

    def __init__(self, name: str, computer: Computer) -> None:
        self.name = name
        self.computer = computer

    async def state(self) -> dict[str, Any]:
        """What the page says was done to it."""
        for window in await self.computer.windows():
            if window.title.startswith("{"):
                return dict(json.loads(window.title.rpartition("}")[0] + "}"))
        return {}

    async def resize(self, size: Size) -> None:
        """Give the screen another size; the page fills it."""
        if await self.computer.screen_size() != size:
            await self.computer.resize_screen(size.width, size.height)
            with anyio.fail_after(20):
                while not await self._fills(size):  # noqa: ASYNC110 (windows have no event for us)
                    await anyio.sleep(0.05)

    async def _fills(self, size: Size) -> bool:
        boxes = [w.box for w in await self.computer.windows() if w.title.startswith("{")]
        return bool(boxes) and (boxes[0].width, boxes[0].height) == (size.width, size.height)

    async def until(
        self, condition: Callable[[dict[str, Any]], bool], seconds: float = 10
    ) -> dict[str, Any]:
        """The page's state once it fulfils a condition, or after some seconds as it is."""
        state = await self.state()
        with anyio.move_on_after(seconds):
            while not (state and condition(state)):
                await anyio.sleep(0.05)
                state = await self.state()
        return state

    async def reset(self) -> None:
        """Load the page again: it begins anew, and is there to be clicked at."""
        before = (await self.state()).get("born")
        await self.computer.key("f5")
        state = await self.until(
            lambda state: state.get("born", before) != before and state["painted"], 60
        )
        assert state["born"] != before
        assert state["painted"]
        assert state["clicks"] == {}
        assert (state["text"], state["top"], state["dropped"]) == ("", 0, None)


@asynccontextmanager
async def task_desk() -> AsyncIterator[TaskDesk]:
    machines = Machines()
    name = f"task-{new_id('x')[-8:]}"
    await machines.up(name, MachineSpec(provider="namespace", image="desktop", size=SIZE))
    try:
        async with machines.computer(name) as computer:
            await computer.write_bytes("task.html", PAGE.read_bytes())
            home = (await computer.run("sh", "-c", "pwd")).stdout.decode().strip()
            # Without the second flag what is on the page has no names to point at.
            flags = ("--kiosk", "--force-renderer-accessibility", f"file://{home}/task.html")
            await computer.open("chromium", *flags)
            desk = TaskDesk(name, computer)
            with anyio.fail_after(60):
                while not await desk.state():  # noqa: ASYNC110 (the page has no event for us)
                    await anyio.sleep(0.1)
            await computer.wait_stable(0.5)
            yield desk
    finally:
        with anyio.CancelScope(shield=True):
            await machines.delete(name)
