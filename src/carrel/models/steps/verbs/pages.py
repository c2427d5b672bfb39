"""Pages of the browser: going to one, and seeing that it is the one that was asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

from carrel.actions import Click, FocusWindow, Key, Open
from carrel.frames import Element, Window
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.program import GoTo, Navigate
from carrel.models.steps.shown.front import in_window, open_windows, window_in_front
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import typed
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import CONTROLS, Kind, kind_of

__all__ = ["go_to", "is_at", "is_unfinished", "navigate"]

LOAD_SECONDS = 25.0
STILL, STILL_LOOKS = 0.2, 8
"""Seconds between two looks at a page that has just come; and how many there are at most."""
FOCUSING = (0.0, 0.1, 0.3)
"""Seconds between looks for whether the address bar has the keyboard."""
DRAWING, DRAWN_SECONDS = 0.3, 6.0
"""Seconds between looks at a page that shows nothing, and after which it is taken for empty."""
RESTS = 2.5
"""Seconds that another page than the one asked for has to stay to be where it led."""
_HISTORY = {"back": ("alt", "left"), "forward": ("alt", "right"), "reload": ("f5",)}
_LOADING = re.compile(
    r"(?:now |still )?(?:loading|please wait|one moment|initiali[sz]ing|starting)\b[\w ,]*[.…!]*"
    r"|(?:正在)?(?:加载|载入|初始化)中?[.…]*|请稍[候等][.…]*",
    re.IGNORECASE,
)
_ERROR = re.compile(r"chrome-error:|about:(?:neterror|certerror|blocked)", re.IGNORECASE)


def go_to(desk: Desk, step: GoTo) -> Turns[str | None]:
    """Show a page, in the browser that is open or a new one.

    Raises:
        Missed: No page came, an error did, or the page is the one from before.
    """
    url = step.url if "://" in step.url or step.url.startswith("about:") else f"https://{step.url}"
    before = _address(desk)
    if _address_bar(desk.elements) is not None and (yield from _has_keyboard(desk)):
        yield from _leave_page(desk)
        yield from desk.do(typed(url), Key(("enter",)), why="in the address bar", last=True)
    else:
        yield from desk.do(Open(url), why="open it", last=True)
    desk.worked = None
    if before is not None and is_at(before, url):
        yield from desk.again(0.4, why="the same page is loaded anew")
    told = yield from _arrived(desk, url, before)
    yield from _settle(desk)
    return told


def _has_keyboard(desk: Desk) -> Turns[bool]:
    """Whether keys go to the browser's window, which is brought before the others for that."""
    page = web_page(desk.elements)
    windows = yield from open_windows(desk)
    front = next((window for window in windows if window.focused), None)
    if front is None or page is None or _holds(desk, front, page):
        return True
    own = next((window for window in windows if _holds(desk, window, page)), None)
    if own is None:
        return False
    yield from desk.do(FocusWindow(own.id), why="the browser is behind", commits=False)
    now = yield from window_in_front(desk)
    return now is not None and now.id == own.id


def _holds(desk: Desk, window: Window, page: Element) -> bool:
    return any(e.id == page.id for e in in_window(desk.elements, window))


def _leave_page(desk: Desk) -> Turns[None]:
    """Have the keyboard in the address bar: a page may keep keys for itself, this one too.

    Raises:
        Missed: It stays in the page, where what is typed would go.
    """
    yield from desk.do(Key(("ctrl", "l")), why="to the address bar", commits=False)
    for pause in FOCUSING:
        if pause:
            yield from desk.again(pause, why="where the keyboard is")
        bar, kept = _address_bar(desk.elements), _focused_in_page(desk.elements)
        if kept is None or (bar is not None and "focused" in bar.states):
            return
    bar = _address_bar(desk.elements)
    if bar is not None and bar.box is not None:
        at, select = bar.box.center, Key(("ctrl", "a"))
        yield from desk.do(Click(at.x, at.y), why="the page kept the keys", commits=False)
        bar = _address_bar(desk.elements)
        if bar is not None and "focused" in bar.states:
            yield from desk.do(select, why="all of the address", commits=False)
            return
    kept = _focused_in_page(desk.elements)
    if kept is not None:
        raise Missed(f"the keyboard stays in {named(kept)} of the page: no address could be typed")


def _focused_in_page(elements: Sequence[Element]) -> Element | None:
    """What in the page has the keyboard, as far as that is told."""
    page = web_page(elements)
    inside = children_of(elements, page) if page is not None else ()
    return next((e for e in inside if "focused" in e.states), None)


def _settle(desk: Desk) -> Turns[None]:
    """Look until nothing moves: a page's own scripts may still put it in order, or draw it."""
    waited = 0.0
    while waited < DRAWN_SECONDS and is_unfinished(desk.elements):
        yield from desk.again(DRAWING, why="the page has not drawn itself yet")
        waited += DRAWING
    for _ in range(STILL_LOOKS):
        before = [(e.role, e.name, e.box) for e in desk.elements]
        yield from desk.again(STILL, why="the page may still move")
        if before == [(e.role, e.name, e.box) for e in desk.elements]:
            return


def is_unfinished(elements: Sequence[Element]) -> bool:
    """Whether a page shows nothing yet, or only that it is loading."""
    page = web_page(elements)
    inside = children_of(elements, page) if page is not None else ()
    said = [text for e in inside if (text := (e.name or e.value or e.text).strip())]
    usable = any(kind_of(e) in CONTROLS for e in inside)
    if not said and not usable and not any(kind_of(e) is Kind.IMAGE for e in inside):
        return page is not None
    return not usable and all(_LOADING.fullmatch(text) for text in said)


def _address(desk: Desk) -> str | None:
    """Of the page that is shown."""
    page = web_page(desk.elements)
    return None if page is None else page.value or ""


def _address_bar(elements: Sequence[Element]) -> Element | None:
    page = web_page(elements)
    if page is None or page.box is None:
        return None
    above = page.box.y
    fields = [e for e in elements if e.role == "entry" and e.box and e.box.bottom <= above]
    return fields[0] if fields else None


def _arrived(desk: Desk, url: str, before: str | None) -> Turns[str | None]:
    """Wait for the page; one that it leads on to is told."""
    waited, pause, rested, last = 0.0, 0.2, 0.0, before
    while waited < LOAD_SECONDS:
        now, page = _address(desk), web_page(desk.elements)
        busy = page is not None and "busy" in page.states
        if now is not None and is_at(now, url) and not busy:
            return None
        rested, last = (rested if now == last and not busy else 0.0), now
        if now and now != before and rested >= RESTS:
            break
        yield from desk.again(pause, why="the page is loading")
        waited, rested, pause = waited + pause, rested + pause, min(pause * 1.5, 2.0)
    now = _address(desk)
    if now is None:
        raise Missed(f"no page can be seen after going to {url}")
    if _ERROR.match(now):
        raise Missed(f"{url} could not be loaded: the browser shows an error")
    if now == before:
        raise Missed(f"the browser still shows {now or 'a page without an address'}, not {url}")
    if not now:
        desk.doubt("the browser does not say which page it shows")
        return None
    return f"it led on to {now}"


def is_at(now: str, url: str) -> bool:
    """Whether an address is the one that was asked for, but for how it is spelt."""
    one, two = urlsplit(now), urlsplit(url)
    if two.fragment and one.fragment != two.fragment:
        return False
    return _place(now) == _place(url) and parse_qsl(one.query, True) == parse_qsl(two.query, True)


def _place(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    web = parts.scheme in ("http", "https", "")
    host = parts.netloc.casefold().removeprefix("www.")
    return "web" if web else parts.scheme, host, unquote(parts.path).rstrip("/")


def navigate(desk: Desk, step: Navigate) -> Turns[str | None]:
    """Back, forward, or the same page again.

    Raises:
        Missed: Nothing came of it: there may be no page to go back to.
    """
    if step.how == "reload" and web_page(desk.elements) is None:
        raise Missed("there is no page to load again")
    if not (yield from _has_keyboard(desk)):
        raise Missed(f"another window than the browser has the keyboard: no {step.how}")
    if step.how == "reload" and _focused_in_page(desk.elements) is not None:
        # A page may keep this key for itself.
        yield from _leave_page(desk)
    yield from desk.do(Key(_HISTORY[step.how]), why=step.how, last=True)
    desk.worked = None
    if step.how == "reload":
        # A page that is the same again looks the same.
        yield from desk.again(0.3, why="the page is loading")
        return None
    if not (yield from desk.effect(looks=(0.3, 0.7, 1.5))):
        desk.doubts.clear()
        raise Missed(f"nothing changed by going {step.how}: there may be nothing there")
    return None
