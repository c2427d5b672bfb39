"""Windows and programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.actions import Action, Click, FocusWindow, Key, MaximizeWindow, MinimizeWindow
from carrel.actions import CloseWindow as CloseAction
from carrel.frames import Element, Window
from carrel.geometry import Box
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import control_meant
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.modals import dialogs_shown
from carrel.models.steps.phrases.programs import bare, kind_said
from carrel.models.steps.program import CloseWindow, Perform, SwitchTo
from carrel.models.steps.shown.front import in_window, open_windows, window_in_front
from carrel.models.steps.shown.titles import fitting_windows, told_windows, window_meant
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.told import take_told
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["arrange", "close", "close_called", "close_dialog", "discard", "switch"]

COMING = (0.3, 0.7, 1.5, 3.0, 4.0)
"""Seconds between looks for a window of a program that was just started."""
UNNAMED = "a dialog without a name"
_FRONT = re.compile(
    r"(?:(?:the|this|current|active|front(?:most)?)\s+)*(?:window|application|app|program|it)|"
    r"(?:当前|这个|该)?的?(?:窗口|应用程序|应用|程序|软件)|它",
    re.IGNORECASE,
)
_DIALOG = re.compile(
    r"(?:(?:the|this|that|any|open|message|current)\s+)*(?:dialog(?:ue)?(?: (?:box|window))?|"
    r"pop-?up(?: window)?|message ?box|prompt|alert)|"
    r"(?:当前|这个|该|弹出的?)?的?(?:对话框|弹窗|提示框|消息框|弹框)",
    re.IGNORECASE,
)
_NAMED_DIALOG = re.compile(
    r"(?:the\s+)?[\"“]?(?P<en>.+?)[\"”]?\s+(?:dialog(?:ue)?(?: box| window)?|pop-?up)|"
    r"[\"“]?(?P<zh>.+?)[\"”]?的?(?:对话框|弹窗)",
    re.IGNORECASE,
)
_DISCARD = re.compile(
    r"_?(?:do ?n[o'’]t save|discard(?: (?:all )?changes)?|close without saving|no|"
    r"quit without saving|不保存|放弃(?:更改|修改)?|直接关闭|否)",
    re.IGNORECASE,
)
_KEEP = re.compile(r"_?(?:save|yes|save and (?:close|quit)|保存|是)", re.IGNORECASE)


def switch(desk: Desk, step: SwitchTo) -> Turns[str | None]:
    """Bring a window to the front; one that is only coming up is waited for."""
    listed = yield from open_windows(desk)
    if not fitting_windows(listed, step.title):
        # "Switch to the dark theme": no window, but something on the screen.
        told = control_meant(desk.elements, desk.asked)
        if told is not None:
            yield from take_told(desk, told)
            return None
    for pause in COMING:
        if fitting_windows(listed, step.title):
            break
        yield from desk.again(pause, why=f"no window {step.title} yet")
        listed = yield from open_windows(desk)
    window = window_meant(listed, step.title)
    yield from desk.do(FocusWindow(window.id), why=f"the window {window.title}", last=True)
    desk.worked = None
    now = yield from window_in_front(desk)
    if now is not None and now.id != window.id:
        raise Missed(f"{window.title!r} did not come to the front; {now.title!r} has the keyboard")
    if now is None:
        desk.doubt("no window is told to have the keyboard")
    return None


def arrange(desk: Desk, verb: str, what: str | None) -> Turns[bool]:
    """Maximise, minimise or restore a window; whether the words name one."""
    listed = yield from open_windows(desk)
    front = [window for window in listed if window.focused]
    if what is None or _FRONT.fullmatch(what.strip()):
        if not front:
            raise Missed(f"no window is in front; open are: {told_windows(listed)}")
        window = front[0]
    elif fitting_windows(listed, what):
        window = window_meant(listed, what)
    else:
        return False
    act: Action = FocusWindow(window.id)
    if verb == "minimize":
        act = MinimizeWindow(window.id)
    elif verb == "maximize" or window.maximized:
        act = MaximizeWindow(window.id, on=verb == "maximize")
    yield from desk.do(act, why=f"{verb} the window {window.title}", last=True)
    return True


def close(desk: Desk, step: CloseWindow) -> Turns[str | None]:
    """Close a window, and see that it goes, or asks something first: what that is, then.

    Raises:
        Missed: There is no such window, or nothing came of it.
    """
    listed = yield from open_windows(desk)
    front = [window for window in listed if window.focused]
    if step.title is None and not front:
        raise Missed(f"no window is in front; open are: {told_windows(listed)}")
    window = front[0] if step.title is None else window_meant(listed, step.title)
    return (yield from _close(desk, window, listed, step.saving))


def _close(
    desk: Desk, window: Window, listed: Sequence[Window], saving: bool | None = None
) -> Turns[str | None]:
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
    if saving is not None:
        yield from _answer(desk, window, saving=saving)
        return None
    # That it asks is what closing it does; a step that follows answers.
    question = told_windows(new) if new else ", ".join(filter(None, came))
    return f"{window.title!r} asks something before it closes: {question or UNNAMED}"


def _answer(desk: Desk, window: Window, *, saving: bool) -> Turns[None]:
    """Answer the question whether to save, and see that the window goes.

    Raises:
        Missed: No button says so, or it stays.
    """
    meant = _KEEP if saving else _DISCARD
    buttons = _buttons(desk, meant)
    if not buttons and (yield from desk.closer()):
        buttons = _buttons(desk, meant)
    if len(buttons) != 1 or buttons[0].box is None:
        listed = ", ".join(e.name for e in buttons) or "none"
        raise Missed(f"{window.title!r} asks something; no one button answers it: {listed}")
    at = buttons[0].box.center
    yield from desk.do(Click(at.x, at.y), why=f"answer with {buttons[0].name}", last=True)
    for pause in (0.3, 0.7, 1.5):
        if all(item.id != window.id for item in (yield from open_windows(desk))):
            return
        yield from desk.again(pause, why="it may take a moment to close")
    if any(item.id == window.id for item in (yield from open_windows(desk))):
        raise Missed(f"{window.title!r} is still open, answered with {buttons[0].name}")


_CHANGES = re.compile(
    r"it|them|(?:the|your|my|any|all)\s+(?:unsaved\s+)?(?:changes|edits|work|text|document|file)",
    re.IGNORECASE,
)


def discard(desk: Desk, step: Perform) -> Turns[bool]:
    """Answer the question whether to save with no, where one is asked; whether that is meant."""
    if step.verb != "discard" or step.details or not _CHANGES.fullmatch(step.what or "it"):
        return False
    if web_page(desk.elements) is not None:
        return False
    buttons: list[Element] = []
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why="a question may take a moment to come up")
        front = yield from window_in_front(desk)
        asked = dialogs_shown(desk.elements)
        buttons = _buttons(desk, _DISCARD) if asked else []
        if buttons or front is None:
            break
    if len(buttons) != 1 or buttons[0].box is None:
        return False
    at = buttons[0].box.center
    yield from desk.do(Click(at.x, at.y), why=f"answer with {buttons[0].name}", last=True)
    yield from desk.effect()
    return True


def _buttons(desk: Desk, meant: re.Pattern[str]) -> list[Element]:
    """What of the question on the screen can be pressed and says so."""
    inner = [e for dialog in dialogs_shown(desk.elements) for e in _within(desk, dialog)]
    return [
        e
        for e in inner or desk.elements
        if kind_of(e) in (Kind.BUTTON, Kind.TEXT) and e.box is not None and not is_disabled(e)
        if meant.fullmatch(e.name.strip())
    ]


def _within(desk: Desk, dialog: Element) -> list[Element]:
    box = dialog.box
    return [e for e in desk.elements if e.box and box and box.contains(e.box.center)]


def close_called(desk: Desk, what: str) -> Turns[bool]:
    """Close the one window that is called so; whether there was one.

    A control of another window that says "close" would close that one.
    """
    if _DIALOG.fullmatch(what.strip()):
        return (yield from close_dialog(desk))
    named = _NAMED_DIALOG.fullmatch(what.strip())
    words = bare(named["en"] or named["zh"]) if named else bare(what)
    listed = yield from open_windows(desk)
    if not words or (kind_said(what) is None and not _is_called(listed, words)):
        return False
    yield from _close(desk, window_meant(listed, words), listed)
    return True


def _is_called(listed: Sequence[Window], words: str) -> bool:
    """Whether one window has these words in its title, or is of the program of this name."""
    titled = [w for w in listed if words in w.title.casefold()]
    return len(titled) == 1 or any(w.app.casefold() == words for w in listed)


def close_dialog(desk: Desk) -> Turns[bool]:
    """Close the dialog that is in front, where it is a window; whether there is one."""
    listed = yield from open_windows(desk)
    front = next((window for window in listed if window.focused), None)
    if front is None or not _is_dialog(desk, front, listed):
        return False
    yield from desk.attempt(CloseAction(front.id), why=f"the dialog {front.title}", last=True)
    for pause in (0.2, 0.5, 0.0):
        if all(item.id != front.id for item in (yield from open_windows(desk))):
            return True
        if pause:
            yield from desk.again(pause, why="it may take a moment to close")
    yield from desk.do(Key(("escape",)), why="it did not close: leave it by the keyboard")
    yield from desk.again(0.3, why="whether it is gone")
    if any(item.id == front.id for item in (yield from open_windows(desk))):
        raise Missed(f"the dialog {front.title!r} did not close")
    return True


def _is_dialog(desk: Desk, front: Window, listed: Sequence[Window]) -> bool:
    """Whether a window is one that another of the same program has opened."""
    roots = [e for e in in_window(desk.elements, front) if e.parent is None]
    if any(kind_of(e) is Kind.DIALOG for e in roots):
        return True
    if web_page(desk.elements) is not None:
        return False
    others = [w for w in listed if w.id != front.id and w.pid is not None and w.pid == front.pid]
    return any(w.box.area > front.box.area for w in others)


def _dialogs(desk: Desk) -> Iterator[tuple[str, Box | None]]:
    """What asks something within a window, as far as the application tells."""
    return ((e.name, e.box) for e in desk.elements if e.role in ("dialog", "alert"))
