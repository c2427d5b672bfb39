"""MiniWoB++: 130 small web tasks of the PyPI package `miniwob`, on a desk's own browser.

The agent is told the task's words and has the screen, the mouse and the keyboard. The judge talks
to the page over the browser's debugging port: it opens each episode, and takes the page's first
result. A click after the end opens another episode on the page; it is not looked at.

No action of the agent leads to that port, and no key to the page's insides: a browser in kiosk mode
refuses its tools for developers, and has no line for addresses. Whoever leaves the browser for
another program of the desk, a terminal say, could still cheat; the run's journal shows it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from importlib import metadata, resources
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

import anyio

from carrel.actions import ACTIONS, EffectClass
from carrel.bench.suite import Task, Verdict
from carrel.bench.suites.browsing import first_page_of
from carrel.bench.tidy import tidy
from carrel.browser.cdp import Session, connect
from carrel.computer import Computer
from carrel.errors import CarrelError, MachineLost, NotFound, RunError, TimedOut, Unavailable
from carrel.geometry import Size
from carrel.intents import INTENTS
from carrel.machines.spec import MachineSpec

__all__ = ["MiniWob", "WebEpisode", "WebStage"]

SUCCESS = 0.99
"""Some rewards are fractions: less than this is a task done in part."""
GRACE = 2.0
"""Seconds that a page has beyond its own limit to say that the time is over."""
PORT = 9444
"""Not the one of the desk's usual browser: that one may be read by agents."""
STARTING = 60.0
BEGINNING = 15.0
TELLING = 1.0
COVER = "START"
FOLDERS = ("core", "common", "miniwob")
PLACE = PurePosixPath("/tmp/pages")  # noqa: S108 (inside a desk that is ours alone)
PROFILE = "/tmp/pages-profile"  # noqa: S108 (likewise)
# Beside looking and input, nothing: a shell could reach the judge's port.
_UNFIT = {"resize_screen", "read_file", "list_files", "stat_file"}


@cache
def _package() -> Path:
    """Where the package's pages are; importing it would bring Selenium along."""
    found = find_spec("miniwob")
    if found is None or found.origin is None:
        raise Unavailable(
            "the package miniwob is not installed", hint="pip install 'carrel[bench]'"
        )
    return Path(found.origin).parent / "html"


@cache
def _page_script() -> str:
    return resources.files(__package__).joinpath("miniwob_page.js").read_text("utf-8")


class MiniWob:
    """All tasks of the package, by the names of their pages."""

    name = "miniwob"
    # Chromium gives its tree only where it was told so before it starts.
    desk = MachineSpec(image="desktop", size=Size(1024, 768), env={"ACCESSIBILITY_ENABLED": "1"})
    actions: frozenset[str] | None = frozenset(
        name
        for name, kind in ACTIONS.items()
        if kind.effect in (EffectClass.OBSERVE, EffectClass.INPUT) and name not in _UNFIT
    ) | frozenset(INTENTS)

    @property
    def version(self) -> str:
        """Of the package."""
        return metadata.version("miniwob")

    def tasks(self) -> tuple[Task, ...]:
        """One for each page."""
        pages = sorted((_package() / "miniwob").glob("*.html"))
        return tuple(Task(page.stem) for page in pages)

    @asynccontextmanager
    async def stage(self, computer: Computer) -> AsyncIterator[WebStage]:
        """Copy the pages into the desk and open its browser on them."""
        for folder in FOLDERS:
            await computer.upload(_package() / folder, str(PLACE / folder))
        async with AsyncExitStack() as stack:
            yield WebStage(computer, await stack.enter_async_context(open_browser(computer)))


@asynccontextmanager
async def open_browser(computer: Computer) -> AsyncIterator[Session]:
    """A browser that shows one page and nothing else, and the judge's line to it."""
    await computer.open(
        "chromium",
        # Not for the looks alone: it is what refuses the tools for developers in every window. The
        # policy that does so would refuse the judge, too.
        "--kiosk",
        "--force-renderer-accessibility",
        f"--user-data-dir={PROFILE}",
        f"--remote-debugging-port={PORT}",
        "--allow-file-access-from-files",
        "about:blank",
    )
    target = await first_page_of(computer, PORT, STARTING)
    async with connect(computer.dial, PORT, target) as page:
        await page.send("Page.enable")
        yield page


class WebEpisode:
    """One page with one seed; its first result is the result."""

    def __init__(self, page: Session, text: str, time_limit: float) -> None:
        self.text = text
        self.time_limit: float | None = time_limit
        self._page = page
        self._last: Verdict | None = None

    async def over(self) -> None:
        """Return when the page has a result, or can have none any more."""
        assert self.time_limit is not None
        try:
            await self._page.evaluate("__judged.over", timeout=self.time_limit + GRACE)
        except RunError as error:
            self._last = self._last or await self._lost(error)

    async def judge(self) -> Verdict:
        """The page's first result, or that there is none."""
        if self._last is None:
            try:
                found = await self._page.evaluate("__judged.result")
            except RunError as error:
                self._last = await self._lost(error)
                return self._last
            verdict = read_result(found)
            if verdict.done:
                self._last = verdict
            return verdict
        return self._last

    async def _lost(self, error: RunError) -> Verdict:
        """Whether the agent left the page, or the browser is gone, which is no one's verdict."""
        try:
            await self._page.evaluate("1")
        except CarrelError as fault:
            raise MachineLost(f"the judge lost the page: {error}") from fault
        if isinstance(error, TimedOut):
            return Verdict(done=True, reason="the time is over")
        return Verdict(done=True, reason="the page was left")


def read_result(found: object) -> Verdict:
    """What a page recorded, as a verdict."""
    if not isinstance(found, dict):
        return Verdict(reason="the page has no result")
    reward = found.get("reward")
    number = float(reward) if isinstance(reward, int | float) else 0.0
    reason = str(found.get("reason", ""))
    return Verdict(number, number >= SUCCESS, True, reason)


class WebStage:
    """A browser on a desk, reused from episode to episode."""

    def __init__(self, computer: Computer, page: Session) -> None:
        self._computer = computer
        self._page = page

    async def begin(self, task: str, seed: int, time_limit: float | None = None) -> WebEpisode:
        """Load the task's page anew and open an episode on it."""
        await tidy(self._computer)
        await self._close_others()
        url = f"file://{PLACE}/miniwob/{task}.html"
        async with self._primed(seed, time_limit):
            went = await self._page.send("Page.navigate", {"url": url}, timeout=BEGINNING)
            if went.get("errorText"):
                raise NotFound(f"{task} could not be opened: {went['errorText']}")
            found = await self._page.evaluate("__judged.opened", timeout=BEGINNING)
        assert isinstance(found, dict)
        await _until_told(self._computer, url)
        milliseconds = found.get("limit")
        assert isinstance(milliseconds, int | float)
        return WebEpisode(self._page, str(found.get("text", "")), milliseconds / 1000)

    async def _close_others(self) -> None:
        """Close tabs and windows that an episode opened."""
        assert self._page.target is not None
        listed = (await self._page.send("Target.getTargets")).get("targetInfos")
        for target in listed if isinstance(listed, list) else ():
            assert isinstance(target, dict)
            if target.get("type") == "page" and target.get("targetId") != self._page.target.id:
                await self._page.send("Target.closeTarget", {"targetId": target["targetId"]})

    @asynccontextmanager
    async def _primed(self, seed: int, time_limit: float | None) -> AsyncIterator[None]:
        """Have a page that is loaded meanwhile open an episode by itself.

        Only meanwhile: an agent that loads it again would have another try.
        """
        milliseconds = "null" if time_limit is None else str(round(time_limit * 1000))
        source = f"{_page_script().strip()}({seed}, {milliseconds});"
        added = await self._page.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        yield
        script = {"identifier": added["identifier"]}
        await self._page.send("Page.removeScriptToEvaluateOnNewDocument", script)


async def _until_told(computer: Computer, url: str) -> None:
    """Wait until the browser has told the desk, too, what it shows.

    Its tree comes a while after its pixels: an agent that reads it at once would be shown the page
    before, or the cover, which is the judge's.
    """
    with anyio.move_on_after(TELLING):
        while not await _is_told(computer, url):  # noqa: ASYNC110 (a tree has no event for us)
            await anyio.sleep(0.01)


async def _is_told(computer: Computer, url: str) -> bool:
    elements = (await computer.elements()).elements
    shown = any(each.role == "document web" and each.value == url for each in elements)
    return shown and all(each.name != COVER for each in elements)
