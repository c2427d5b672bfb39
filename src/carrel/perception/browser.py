"""What the desk's own browser says is on its pages, in pixels of the screen.

See docs/adr/0012-the-browsers-own-tree.md for which browser that is and who can ask it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources

from carrel import codec
from carrel.browser import Dial, Target, connect, list_targets
from carrel.codec import Json
from carrel.computer import Computer
from carrel.errors import Interrupted, InvalidInput, NotFound, ProtocolError
from carrel.frames import Element, Window
from carrel.geometry import MAX_SIDE, Box, Size
from carrel.machines.images.desktop import BROWSER_PORT
from carrel.perception.scene import Told

__all__ = ["Page", "browser_of", "page_elements", "parse_page", "read_browser", "tell_browser"]

TIMEOUT = 2.0
MOST = 2000
"""Elements of one page; a page with more is cut off."""
LONGEST = 200
"""Characters of a name."""
ROUNDED = 3
"""How far the browser and the window manager may be apart about a window's sides."""
TABS = 8
"""Pages asked which of them can be seen; the ones used last come first."""


@dataclass(frozen=True, slots=True)
class PageElement:
    """One element as the script in the page tells it; `box` is left, top, right, bottom."""

    role: str
    parent: int
    name: str
    value: str | None
    states: tuple[str, ...]
    control: bool
    box: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One page as the script in it tells: lengths in the page's own pixels.

    Attributes:
        ratio: Pixels of the screen per pixel of the page: its zoom, and the screen's scale.
        screen: Width of the screen, in the units of `window`.
        window: Left, top, width and height of the whole window.
        complete: Whether that is all that can be seen of it.
    """

    visible: bool
    title: str
    url: str
    size: tuple[float, ...]
    ratio: float
    screen: float
    window: tuple[float, ...]
    elements: tuple[PageElement, ...]
    complete: bool


def browser_of(
    computer: Computer, size: Size, windows: Sequence[Window] = ()
) -> Callable[[], Awaitable[Told]] | tuple[()]:
    """A way to ask the browser of a machine; nothing for a machine without walls.

    A browser of one's own system is somebody's, with all they are logged in to: it is not ours.
    """
    if computer.isolation in ("none", "unknown"):
        return ()
    return partial(tell_browser, computer.dial, size, windows)


async def read_browser(
    dial: Dial,
    size: Size,
    windows: Sequence[Window] = (),
    *,
    port: int = BROWSER_PORT,
    timeout: float = TIMEOUT,
) -> tuple[Element, ...]:
    """What can be seen of the browser's pages: roles, names, values, states and boxes.

    Args:
        dial: Opens a connection to a port of the machine: `computer.dial`.
        size: Of the screen.
        windows: As the window manager lists them, the topmost last: what lies behind another
            window is left out.
        port: The browser's debugging port.
        timeout: Seconds each question may take.

    Raises:
        Unavailable: No browser that can be asked is running.
        NotFound: None of its pages can be seen.
        TimedOut: It did not answer in time.
    """
    return (await tell_browser(dial, size, windows, port=port, timeout=timeout)).elements


async def tell_browser(
    dial: Dial,
    size: Size,
    windows: Sequence[Window] = (),
    *,
    port: int = BROWSER_PORT,
    timeout: float = TIMEOUT,
) -> Told:
    """The same as `read_browser`, and whether that is all there is on these pages."""
    targets = [t for t in await list_targets(dial, port, timeout=timeout) if t.kind == "page"]
    found: list[Element] = []
    cut = False
    for target in targets[:TABS]:
        page = await _ask(dial, port, target, timeout)
        if page is not None and page.visible:
            found += page_elements(page, size, windows, first=len(found) + 1)
            cut = cut or not page.complete
    if not found:
        raise NotFound("no page of the browser can be seen")
    told = f"it was cut short: the page has more than {MOST} things that can be seen"
    return Told(tuple(found), told if cut else "")


async def _ask(dial: Dial, port: int, target: Target, timeout: float) -> Page | None:
    try:
        async with connect(dial, port, target, timeout=timeout) as session:
            script = f"({_script()})({MOST}, {LONGEST})"
            return parse_page(await session.evaluate(script, apart=True))
    except Interrupted:
        return None  # It navigated or was closed: there is nothing to see of it now.


@cache
def _script() -> str:
    return resources.files("carrel.perception").joinpath("page.js").read_text("utf-8").strip()


def parse_page(told: Json) -> Page:
    """Read what the script in a page told.

    Raises:
        ProtocolError: It is not what that script tells.
    """
    try:
        page = codec.decode(Page, told)
    except InvalidInput as error:
        raise ProtocolError(f"the page told something else than asked: {error}") from error
    boxes = [element.box for element in page.elements]
    if any(len(box) != 4 for box in (page.window, *boxes)) or len(page.size) != 2:
        raise ProtocolError("the page told boxes that are none")
    if not (0.05 <= page.ratio <= 32 and page.screen >= 1):
        raise ProtocolError("the page told no sensible scale")
    return page


def page_elements(
    page: Page, size: Size, windows: Sequence[Window] = (), *, first: int = 1
) -> list[Element]:
    """The elements of a page where they are on the screen, the page itself first."""
    place = _Place.of(page, size)
    covers = _covering(place.window, windows)
    number = {-1: f"b{first}"}
    whole = place.box((0.0, 0.0, *page.size))
    if whole is None:
        return []
    found = [
        Element(
            id=f"b{first}",
            role="document web",
            name=page.title,
            value=page.url,
            box=whole,
            states=("enabled", "showing", "visible"),
            source="browser",
        )
    ]
    for index, told in enumerate(page.elements):
        box = place.box(told.box)
        if box is None or any(cover.contains(box.center) for cover in covers):
            continue
        number[index] = f"b{first + len(found)}"
        parent = number.get(told.parent, number[-1])
        found.append(_element(number[index], parent, told, box))
    return found


def _element(number: str, parent: str, told: PageElement, box: Box) -> Element:
    return Element(
        id=number,
        role=told.role,
        name=told.name,
        value=told.value,
        box=box,
        states=told.states,
        parent=parent,
        source="browser",
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a page is on the screen."""

    left: float
    top: float
    ratio: float
    screen: Size
    window: Box | None

    @classmethod
    def of(cls, page: Page, size: Size) -> _Place:
        # The window's numbers are in pixels of a screen scaled as a whole.
        scale = round(size.width / page.screen, 2)
        x, y, width, height = (value * scale for value in page.window)
        across, down = (value * page.ratio for value in page.size)
        # Bars are above the page only; the frame is as wide below it as beside it.
        frame = max(0.0, (width - across) / 2)
        top = y + max(0.0, height - down - frame)
        return cls(x + frame, top, page.ratio, size, _box(x, y, x + width, y + height))

    def box(self, sides: Sequence[float]) -> Box | None:
        """A box of the page in pixels of the screen, the part of it that is on the screen."""
        x0, y0, x1, y1 = (value * self.ratio for value in sides)
        box = _box(self.left + x0, self.top + y0, self.left + x1, self.top + y1)
        return box and box.intersect(Box(0, 0, self.screen.width, self.screen.height))


def _box(x0: float, y0: float, x1: float, y1: float) -> Box | None:
    far = (max(-MAX_SIDE, min(MAX_SIDE, value)) for value in (x0, y0, x1, y1))
    try:
        left, top, right, bottom = (round(value) for value in far)
    except (ValueError, OverflowError):
        return None  # Too large to reckon with: what came of it is not a number.
    if right <= left or bottom <= top or max(right - left, bottom - top) > MAX_SIDE:
        return None
    return Box(left, top, right - left, bottom - top)


def _covering(window: Box | None, windows: Sequence[Window]) -> list[Box]:
    """The windows above that of the page."""
    if window is None:
        return []
    shown = [other for other in windows if not other.minimized]
    for index in range(len(shown) - 1, -1, -1):
        if _same(shown[index].box, window):
            return [other.box for other in shown[index + 1 :]]
    return []


def _same(one: Box, other: Box) -> bool:
    sides = ((b.x, b.y, b.right, b.bottom) for b in (one, other))
    return all(abs(a - b) <= ROUNDED for a, b in zip(*sides, strict=True))
