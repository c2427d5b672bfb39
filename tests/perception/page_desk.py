"""A desk with a page in its browser, and what the page itself says about it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from carrel.browser import connect
from carrel.codec import Json
from carrel.computer import Computer
from carrel.errors import CarrelError
from carrel.frames import Element
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.images.desktop import BROWSER_PORT
from carrel.machines.lifecycle import Machines
from carrel.machines.providers.namespace import NamespaceProvider
from carrel.machines.spec import MachineSpec
from carrel.perception.browser import read_browser
from carrel.perception.view import View
from namespaces import require_namespaces

SIZE = Size(1024, 768)


class PageDesk:
    """One machine with a browser."""

    def __init__(self, computer: Computer) -> None:
        self.computer = computer

    async def show(self, html: str, *flags: str) -> None:
        """Show a page, and wait until it is drawn."""
        name, title = f"{new_id('p')}.html", new_id("title")
        await self.computer.write_file(name, f"<!doctype html><title>{title}</title>{html}")
        home = (await self.computer.run("pwd")).stdout.decode().strip()
        await self.computer.open("chromium", *flags, f"file://{home}/{name}")
        with anyio.fail_after(60):
            while await self._title() != title:  # noqa: ASYNC110 (the browser has no event for us)
                await anyio.sleep(0.05)
        await self.computer.wait_stable(0.3)

    async def _title(self) -> Json:
        try:
            return await self.ask("document.title")
        except CarrelError:
            return None

    async def ask(self, expression: str) -> Json:
        """What the page's own script says."""
        async with connect(self.computer.dial, BROWSER_PORT) as page:
            return await page.evaluate(expression)

    async def read(self) -> dict[str, Element]:
        """What the browser says is there, by name."""
        windows = await self.computer.windows()
        found = await read_browser(self.computer.dial, SIZE, windows)
        return {element.name or element.role: element for element in found}

    async def view(self) -> View:
        frame = await self.computer.screenshot()
        return View(frame.id, frame.size, lambda: frame.image)


@asynccontextmanager
async def page_desk() -> AsyncIterator[PageDesk]:
    probed = await NamespaceProvider().probe()
    require_namespaces(probed.usable, probed.reason)
    machines = Machines()
    name = f"page-{new_id('x')[-8:]}"
    await machines.up(name, MachineSpec(image="desktop", size=SIZE))
    try:
        async with machines.computer(name) as computer:
            yield PageDesk(computer)
    finally:
        with anyio.CancelScope(shield=True):
            await machines.delete(name)
