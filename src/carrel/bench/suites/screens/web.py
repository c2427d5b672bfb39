"""Pages on a desk's browser, and the truth about them."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath

import anyio

from carrel import codec
from carrel.actions import Wait
from carrel.bench.suites.browsing import first_page_of
from carrel.bench.suites.screens.catalogue import Package, Page
from carrel.bench.suites.screens.shot import Shot
from carrel.bench.suites.screens.truth import Truth, common
from carrel.browser.cdp import Session, connect
from carrel.computer import Computer
from carrel.errors import ActionFailed, NotFound, TimedOut
from carrel.frames import Frame
from carrel.perception.browser import read_browser

__all__ = ["Gallery", "open_gallery"]

PORT = 9445
STARTING = 60.0
LOADING = 20.0
RESTING = 6.0
TRIES = 4
FEWEST = 3
"""Texts and controls of a page that is really there."""
PLACE = PurePosixPath("/tmp/screens")  # noqa: S108 (inside a desk that is ours alone)
FLAGS = (
    "--kiosk",
    # The walls around the machine stand in place of its sandbox, and it need not warn of that.
    "--no-sandbox",
    "--test-type",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--password-store=basic",
    "--force-renderer-accessibility",
    "--allow-file-access-from-files",
    f"--remote-debugging-port={PORT}",
    f"--user-data-dir={PLACE}/profile",
)


@cache
def _script(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


class Gallery:
    """Shows pages, one after the other, and catches them."""

    def __init__(self, computer: Computer, page: Session) -> None:
        self._computer = computer
        self._page = page
        self._homes: dict[Package, PurePosixPath] = {}

    async def catch(self, page: Page, root: Path) -> Shot:
        """Show a page, and take down all that is said about it.

        Raises:
            ActionFailed: It shows nothing.
        """
        url = f"file://{await self._home(page.package, root) / page.path}"
        await self._show(url, page.package)
        size = await self._computer.screen_size()
        frame, truth = await self._steady()
        if len(truth.runs) + len(truth.controls) < FEWEST:
            raise ActionFailed(f"{page.name} shows nothing")
        if truth.size != size:
            raise ActionFailed(f"{page.name} has {truth.size} of a screen of {size}")
        started = time.monotonic()
        tree = await self._computer.elements(timeout=15)
        seconds = {"tree": time.monotonic() - started}
        started = time.monotonic()
        windows = await self._computer.windows()
        browser = await read_browser(self._computer.dial, size, windows, port=PORT)
        seconds["browser"] = time.monotonic() - started
        changed = await self._change(frame.id)
        return Shot(
            page.name,
            size,
            "dom",
            truth,
            tree.elements,
            browser,
            windows,
            seconds,
            frame.image,
            changed,
        )

    async def _home(self, package: Package, root: Path) -> PurePosixPath:
        """Where the desk has the package: Debian's are its own, others are brought."""
        if package.origin == "debian":
            return PurePosixPath(package.root)
        if package not in self._homes:
            place = PLACE / "pages" / package.name
            await self._computer.upload(root, str(place))
            self._homes[package] = place
        return self._homes[package]

    async def _show(self, url: str, package: Package) -> None:
        prelude = await self._prelude(package)
        try:
            async with self._page.listen("Page.loadEventFired") as loaded:
                went = await self._page.send("Page.navigate", {"url": url}, timeout=LOADING)
                if went.get("errorText"):
                    raise NotFound(f"{url} cannot be opened: {went['errorText']}")
                # Something on it may wait for the network for ever; the rest is there.
                with suppress(TimedOut):
                    await loaded.next(timeout=LOADING)
            await self._page.evaluate("document.fonts.ready.then(() => 0)")
        finally:
            if prelude:
                await self._page.send(
                    "Page.removeScriptToEvaluateOnNewDocument", {"identifier": prelude}
                )

    async def _prelude(self, package: Package) -> str:
        if not package.script:
            return ""
        name, source = json.dumps(package.provides), await self._computer.read_file(package.script)
        # Not before it is asked for: it looks for the head of the page, which is not there yet.
        get = f"delete window[{name}]; (0, eval)({json.dumps(source)}); return window[{name}];"
        given = f"{{ configurable: true, get() {{ {get} }} }}"
        params = {"source": f"Object.defineProperty(window, {name}, {given});"}
        added = await self._page.send("Page.addScriptToEvaluateOnNewDocument", params)
        return str(added["identifier"])

    async def _steady(self) -> tuple[Frame, Truth]:
        """A picture and the truth about it: the same before and after it was taken.

        Of a page that does not hold still, that which does.
        """
        # A page that never rests is taken as it is: that is what one has to see, too.
        await self._computer.act(Wait(stable=0.5, timeout=RESTING))
        before = await self._truth()
        for _ in range(TRIES):
            frame = await self._computer.screenshot()
            after = await self._truth()
            if before == after:
                return frame, after
            before = after
            await anyio.sleep(0.3)
        frame = await self._computer.screenshot()
        return frame, common(before, await self._truth())

    async def _truth(self) -> Truth:
        return codec.decode(Truth, await self._page.evaluate(_script("truth.js")))

    async def _change(self, before: str) -> bytes:
        """The screen after one line of text became another one; empty where none is there."""
        if not await self._page.evaluate(_script("change.js")):
            return b""
        with anyio.move_on_after(RESTING):
            while True:
                frame = await self._computer.screenshot(unless=before)
                if frame.image:
                    return frame.image
        return b""


@asynccontextmanager
async def open_gallery(computer: Computer) -> AsyncIterator[Gallery]:
    """Start a browser that fills the screen, and keep a line to it.

    Raises:
        TimedOut: It does not start.
    """
    process = await computer.start_process("chromium", *FLAGS, "about:blank")
    try:
        first = await first_page_of(computer, PORT, STARTING)
        async with connect(computer.dial, PORT, first, timeout=30) as page:
            await page.send("Page.enable")
            calm = [{"name": "prefers-reduced-motion", "value": "reduce"}]
            await page.send("Emulation.setEmulatedMedia", {"features": calm})
            yield Gallery(computer, page)
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(10):
            await computer.kill_process(process)
