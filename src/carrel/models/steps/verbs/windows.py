"""Windows, programs, pages and commands."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from carrel.actions import Click, FocusWindow, Key, Open, Shell, Type, Windows
from carrel.actions import CloseWindow as CloseAction
from carrel.codec import Json
from carrel.frames import Element
from carrel.models.steps.chrome import web_page
from carrel.models.steps.desk import Desk
from carrel.models.steps.ground import look_for, resolve, wished
from carrel.models.steps.program import CloseWindow, GoTo, Navigate, Run, SwitchTo
from carrel.models.steps.program import Open as OpenStep
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, kind_of

__all__ = ["close", "go_to", "navigate", "open_", "run", "switch"]

LOAD_SECONDS = 10.0
_HISTORY = {"back": ("alt", "left"), "forward": ("alt", "right"), "reload": ("f5",)}
_OPENED = (Kind.LINK, Kind.BUTTON, Kind.ICON, Kind.TAB, Kind.MENU, Kind.MENU_ITEM, Kind.OPTION)

Listed = list[Mapping[str, Json]]


def _windows(desk: Desk) -> Turns[Listed]:
    results = yield from desk.do(Windows(), why="which windows are open", commits=False)
    listed = results[0].data.get("windows")
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def _find(listed: Listed, title: str) -> Mapping[str, Json]:
    """The window that is meant: by its whole title first, then by a part of it, then its program.

    Raises:
        Missed: There is none, or more than one.
    """
    words = title.casefold().removesuffix(" window").removesuffix("窗口").strip(" \"'")
    titles = [(str(window.get("title", "")).casefold(), window) for window in listed]
    apps = [(str(window.get("app", "")).casefold(), window) for window in listed]
    for fitting in (
        [window for title_, window in titles if title_ == words],
        [window for title_, window in titles if words in title_],
        [window for app, window in apps if words in app],
    ):
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise Missed(f"{title!r} may be any of: {_told(fitting)}")
    raise Missed(f"no window {title!r}; open are: {_told(listed)}")


def _told(listed: Listed) -> str:
    return ", ".join(f"{w.get('title', '')} ({w.get('app', '')})" for w in listed) or "none"


def _id(window: Mapping[str, Json]) -> int:
    number = window.get("id")
    assert isinstance(number, int)
    return number


def switch(desk: Desk, step: SwitchTo) -> Turns[str | None]:
    """Bring a window to the front."""
    window = _find((yield from _windows(desk)), step.title)
    told = str(window.get("title", ""))
    yield from desk.do(FocusWindow(_id(window)), why=f"the window {told}", last=True)
    desk.worked = None
    now = [w for w in (yield from _windows(desk)) if w.get("focused")]
    if now and _id(now[0]) != _id(window):
        raise Missed(f"{told!r} did not come to the front; {_told(now)} has the keyboard")
    return None


def close(desk: Desk, step: CloseWindow) -> Turns[str | None]:
    """Close a window, and see that it goes."""
    listed = yield from _windows(desk)
    if step.title is None:
        front = [window for window in listed if window.get("focused")]
        if not front:
            raise Missed(f"no window is in front; open are: {_told(listed)}")
        window = front[0]
    else:
        window = _find(listed, step.title)
    told = str(window.get("title", ""))
    yield from desk.do(CloseAction(_id(window)), why=f"the window {told}", last=True)
    for pause in (0.2, 0.5, 1.0):
        left = yield from _windows(desk)
        if all(_id(item) != _id(window) for item in left):
            return None
        yield from desk.again(pause, why="it may take a moment to close")
    # A program may ask first; the next step answers.
    return f"{told!r} is still open"


def go_to(desk: Desk, step: GoTo) -> Turns[str | None]:
    """Show a page, in the browser that is open or a new one."""
    url = step.url if "://" in step.url or step.url.startswith("about:") else f"https://{step.url}"
    bar = _address_bar(desk.elements)
    if bar is not None:
        keys = (Key(("ctrl", "l")), Type(url), Key(("enter",)))
        yield from desk.do(*keys, why="in the address bar", last=True)
    else:
        yield from desk.do(Open(url), why="open it", last=True)
    desk.worked = None
    return (yield from _loaded(desk, url))


def _address_bar(elements: tuple[Element, ...]) -> Element | None:
    page = web_page(elements)
    if page is None or page.box is None:
        return None
    above = page.box.y
    fields = [e for e in elements if e.role == "entry" and e.box and e.box.bottom <= above]
    return fields[0] if fields else None


def _loaded(desk: Desk, url: str) -> Turns[str | None]:
    waited, pause = 0.0, 0.2
    while waited < LOAD_SECONDS:
        page = web_page(desk.elements)
        if page is not None and _is_at(page.value or "", url) and "busy" not in page.states:
            return None
        yield from desk.again(pause, why="the page is loading")
        waited, pause = waited + pause, min(pause * 1.5, 2.0)
    page = web_page(desk.elements)
    if page is None:
        return "no page can be seen; a browser may not say what it shows"
    # It may lead elsewhere; what is there is told.
    return f"the browser shows {page.value}"


def _is_at(now: str, url: str) -> bool:
    one, two = urlsplit(now), urlsplit(url)
    return (one.netloc.removeprefix("www."), one.path.rstrip("/")) == (
        two.netloc.removeprefix("www."),
        two.path.rstrip("/"),
    )


def navigate(desk: Desk, step: Navigate) -> Turns[str | None]:
    """Back, forward, or the same page again."""
    yield from desk.do(Key(_HISTORY[step.how]), why=step.how, last=True)
    yield from desk.again(0.3, why="the page is loading")
    desk.worked = None
    return None


def open_(desk: Desk, step: OpenStep) -> Turns[str | None]:
    """Open what is on the screen by this name, or an application, or a file."""
    found = look_for(desk, wished(step.what))
    match = resolve(desk, found) if "/" not in step.what else None
    if match is not None and kind_of(match.element) in _OPENED and match.confidence >= 0.8:
        at = match.point
        count = 2 if kind_of(match.element) is Kind.ICON else 1
        why = f"{named(match.element)}, {match.why}"
        yield from desk.do(Click(at.x, at.y, count=count), why=why, last=True)
        return None
    results = yield from desk.attempt(Open(_program(step.what)), why="open it", last=True)
    if results and results[0].ok:
        yield from desk.again(0.5, why="it is starting")
        return None
    reason = results[0].error.message if results and results[0].error else "nothing came of it"
    raise Missed(f"{found.account()}; as a program or a file: {reason}")


def _program(what: str) -> str:
    """A program by the name people call it."""
    known = {"browser": "chromium", "web browser": "chromium", "terminal": "xterm"}
    words = what.casefold().removeprefix("the ").removeprefix("a ").strip()
    return known.get(words, what)


def run(desk: Desk, step: Run) -> Turns[str | None]:
    """Run a command; what it says is remembered if it has a name."""
    results = yield from desk.do(Shell(step.command), why="run it", last=True)
    data = results[0].data
    output, code = str(data.get("stdout", "")).strip(), data.get("exit")
    if code != 0:
        said = str(data.get("stderr", "")).strip()[-300:] or output[-300:]
        raise Missed(f"{step.command!r} ended with status {code}: {said}")
    if step.name is not None:
        desk.names[step.name] = output
        return f"{step.name} = {output[:200]}"
    return output[:200] or None
