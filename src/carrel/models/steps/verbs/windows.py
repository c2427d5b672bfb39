"""Windows, programs and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.actions import Click, FocusWindow, Open, Shell
from carrel.actions import CloseWindow as CloseAction
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.folding import only_fold
from carrel.models.steps.front import open_windows, window_in_front
from carrel.models.steps.ground import ground
from carrel.models.steps.pagers import page_control, page_meant
from carrel.models.steps.program import CloseWindow, Expand, GoTo, Run, SwitchTo
from carrel.models.steps.program import Open as OpenStep
from carrel.models.steps.program import Point as PointAt
from carrel.models.steps.results import is_result
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.finding import expand
from carrel.models.steps.verbs.pages import go_to
from carrel.models.steps.verbs.pointing import named, point
from carrel.models.steps.wishes import look_for, resolve, wished
from carrel.perception.roles import FIELDS, TICKED, Kind, kind_of

__all__ = ["close", "close_called", "open_", "run", "switch"]

STARTING = (0.5, 1.0, 2.0, 3.0)
"""Seconds between looks at a program that is starting."""
_CHANGED = frozenset(TICKED | FIELDS | {Kind.COMBO, Kind.SLIDER})
_OPENED = (
    *(Kind.LINK, Kind.BUTTON, Kind.ICON, Kind.TAB, Kind.MENU, Kind.MENU_ITEM, Kind.OPTION),
    *(Kind.RADIO, Kind.TREE_ITEM),
)


def _find(listed: Sequence[Window], title: str) -> Window:
    """The window that is meant: by its whole title first, then by a part of it, then its program.

    Raises:
        Missed: There is none, or more than one.
    """
    words = title.casefold().removesuffix(" window").removesuffix("窗口").strip(" \"'")
    for fitting in (
        [window for window in listed if window.title.casefold() == words],
        [window for window in listed if words in window.title.casefold()],
        [window for window in listed if words in window.app.casefold()],
    ):
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise Missed(f"{title!r} may be any of: {_told(fitting)}")
    raise Missed(f"no window {title!r}; open are: {_told(listed)}")


def _told(listed: Sequence[Window]) -> str:
    return ", ".join(f"{window.title} ({window.app})" for window in listed) or "none"


def switch(desk: Desk, step: SwitchTo) -> Turns[str | None]:
    """Bring a window to the front."""
    window = _find((yield from open_windows(desk)), step.title)
    yield from desk.do(FocusWindow(window.id), why=f"the window {window.title}", last=True)
    desk.worked = None
    now = yield from window_in_front(desk)
    if now is not None and now.id != window.id:
        raise Missed(f"{window.title!r} did not come to the front; {now.title!r} has the keyboard")
    if now is None:
        desk.doubt("no window is told to have the keyboard")
    return None


def close(desk: Desk, step: CloseWindow) -> Turns[str | None]:
    """Close a window, and see that it goes, or asks something first: what that is, then.

    Raises:
        Missed: There is no such window, or nothing came of it.
    """
    listed = yield from open_windows(desk)
    front = [window for window in listed if window.focused]
    if step.title is None and not front:
        raise Missed(f"no window is in front; open are: {_told(listed)}")
    window = front[0] if step.title is None else _find(listed, step.title)
    asked = set(_dialogs(desk))
    yield from desk.attempt(CloseAction(window.id), why=f"the window {window.title}", last=True)
    left = listed
    for pause in (0.2, 0.5, 0.0):
        left = yield from open_windows(desk)
        if all(item.id != window.id for item in left):
            return None
        if pause:
            yield from desk.again(pause, why="it may take a moment to close")
    new = [item for item in left if item.id not in {known.id for known in listed}]
    came = [name for name, box in _dialogs(desk) if (name, box) not in asked]
    if not new and not came:
        raise Missed(f"{window.title!r} did not close")
    # That it asks is what closing it does; a step that follows answers.
    question = _told(new) if new else ", ".join(filter(None, came)) or "a dialog without a name"
    return f"{window.title!r} asks something before it closes: {question}"


def close_called(desk: Desk, what: str) -> Turns[bool]:
    """Close the one window that is called so; whether there was one.

    A control of another window that says "close" would close that one.
    """
    words = re.sub(r"^(?:the|an?|this|that)\s+", "", what.strip(" \"'").casefold())
    titles = [w.title for w in (yield from open_windows(desk)) if words in w.title.casefold()]
    if not words or len(titles) != 1:
        return False
    yield from close(desk, CloseWindow(titles[0]))
    return True


def _dialogs(desk: Desk) -> Iterator[tuple[str, Box | None]]:
    """What asks something within a window, as far as the application tells."""
    return ((e.name, e.box) for e in desk.elements if e.role in ("dialog", "alert"))


def open_(desk: Desk, step: OpenStep) -> Turns[str | None]:
    """Open what is on the screen by this name, or an application, a file or a page."""
    if url := re.search(r"\S+://\S+", step.what):
        return (yield from go_to(desk, GoTo(url[0])))
    if is_result(step.what):
        return (yield from point(desk, PointAt(step.what)))
    if (number := page_meant(step.what)) and (turner := page_control(desk, number)) is not None:
        return (yield from _turn(desk, turner))
    if (folded := only_fold(desk, step.what, on=True)) is not None and folded.box is not None:
        return (yield from expand(desk, Expand(step.what)))
    found = look_for(desk, wished(step.what))
    match = resolve(desk, found) if "/" not in step.what else None
    if match is not None and kind_of(match.element) in _OPENED and match.confidence >= 0.8:
        at = match.point
        count = 2 if kind_of(match.element) is Kind.ICON else 1
        why = f"{named(match.element)}, {match.why}"
        yield from desk.do(Click(at.x, at.y, count=count), why=why, last=True)
        yield from desk.effect()
        return None
    if set(found.description.kinds) & set(_OPENED) and "/" not in step.what:
        # It is called a thing of the screen: no program or file goes by such a name.
        return (yield from point(desk, PointAt(step.what)))
    results = yield from desk.attempt(Open(_program(step.what)), why="open it", last=True)
    if results and results[0].ok:
        yield from desk.effect(looks=STARTING)
        return None
    reason = results[0].error.message if results and results[0].error else "nothing came of it"
    try:
        # It may be further down, or on another page.
        return (yield from _open_found(desk, step.what))
    except Missed as missed:
        raise Missed(f"{missed.account}; as a program or a file: {reason}") from missed


def _open_found(desk: Desk, phrase: str) -> Turns[str | None]:
    """Open what a search brings into sight; never by changing it.

    Raises:
        Missed: It is not there, or is no thing that is opened by a click.
    """
    if "/" in phrase:
        raise Missed(f"there is no {phrase}")
    match = yield from ground(desk, phrase)
    if kind_of(match.element) in _CHANGED:
        raise Missed(f"{named(match.element)} is nothing to open: a click would change it")
    return (yield from point(desk, PointAt(phrase)))


def _turn(desk: Desk, turner: Element) -> Turns[str | None]:
    assert turner.box is not None
    at = turner.box.center
    why = f"{named(turner)} turns to that page"
    yield from desk.do(Click(at.x, at.y), why=why, last=True)
    yield from desk.effect()
    return None


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
    desk.output = output
    if code != 0:
        said = str(data.get("stderr", "")).strip()[-300:] or output[-300:]
        raise Missed(f"{step.command!r} ended with status {code}: {said}")
    if step.name is not None:
        desk.names[step.name] = output
        return f"{step.name} = {output[:200]}"
    return output[:200] or None
