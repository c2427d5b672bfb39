"""A desk of this system's own programs, for looking at them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio

from carrel.computer import Computer
from carrel.frames import Element, Frame, Window
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import MachineSpec
from carrel.perception import Scene, Sight, View

SIZE = Size(1024, 768)
FLAGS = (
    # The desk is the sandbox.
    *("--no-sandbox", "--test-type", "--no-first-run", "--force-renderer-accessibility"),
    *("--window-size=700,500", "--window-position=0,0"),
)

PAGE = """<!doctype html><meta charset="utf-8"><title>Orders</title>
<style>
  body { margin: 20px; font: 14px "DejaVu Sans", "Noto Sans CJK SC", sans-serif }
  small { font-size: 11px }
</style>
<h1>Your orders</h1>
<p>Two parcels are on their way to you.</p>
<p><small>Prices include value added tax.</small></p>
<p>订单已经发货</p>
<p><label>Search <input id="q" value="blue kettle"></label> <button>Find it</button></p>
<canvas id="c" width="300" height="60"></canvas>
<p id="last">Nothing was chosen</p>
<script>
  const c = document.getElementById("c").getContext("2d");
  c.font = "16px DejaVu Sans"; c.fillText("Painted by hand", 20, 35);
</script>
"""

TK = """
import tkinter
root = tkinter.Tk()
root.title("Ledger")
root.geometry("400x220+100+100")
tkinter.Label(root, text="Account number").place(x=20, y=20)
tkinter.Entry(root).place(x=180, y=20, width=180, height=26)
tkinter.Button(root, text="Transfer money").place(x=20, y=80, width=160, height=36)
tkinter.Button(root, text="Cancel").place(x=200, y=80, width=160, height=36)
root.mainloop()
"""


class SightDesk:
    """One machine, and eyes on it."""

    def __init__(self, computer: Computer) -> None:
        self.computer = computer
        self.sight = Sight()
        self.home = ""

    async def frame(self) -> tuple[Frame, View]:
        frame = await self.computer.screenshot()
        return frame, View(frame.id, frame.size, lambda: frame.image)

    async def look(self, sight: Sight | None = None) -> Scene:
        """Everything that is there now."""
        await self.computer.wait_stable(0.5)
        _, view = await self.frame()
        tree = (await self.computer.elements()).elements
        windows = await self.computer.windows()
        return await (sight or self.sight).look(view, tree=tree, windows=windows, within=120)

    async def window(self, title: str) -> Window:
        """The window of this title, as soon as it is there."""
        with anyio.fail_after(60):
            while True:
                for window in await self.computer.windows():
                    if title in window.title:
                        return window
                await anyio.sleep(0.1)

    async def until(self, condition: Callable[[Scene], bool]) -> Scene:
        """The scene once it fulfils a condition."""
        with anyio.fail_after(90):
            while not condition(scene := await self.look()):  # noqa: ASYNC110 (no event for us)
                await anyio.sleep(0.1)
        return scene

    async def close(self, window: Window) -> None:
        await self.computer.close_window(window.id)


def find(scene: Scene, words: str) -> Element:
    """The one element with these words, by name or by what is written on it."""
    (found,) = [e for e in scene.elements if words in e.name or words in e.text]
    return found


@asynccontextmanager
async def sight_desk() -> AsyncIterator[SightDesk]:
    machines = Machines()
    name = f"sight-{new_id('x')[-8:]}"
    await machines.up(name, MachineSpec(provider="namespace", image="host", size=SIZE))
    try:
        async with machines.computer(name) as computer:
            desk = SightDesk(computer)
            desk.home = (await computer.run("sh", "-c", "pwd")).stdout.decode().strip()
            await computer.write_bytes("orders.html", PAGE.encode())
            await computer.write_bytes("ledger.py", TK.encode())
            page = f"--app=file://{desk.home}/orders.html"
            await computer.open("chromium", *FLAGS, page)
            await desk.window("Orders")
            yield desk
    finally:
        with anyio.CancelScope(shield=True):
            await machines.delete(name)
