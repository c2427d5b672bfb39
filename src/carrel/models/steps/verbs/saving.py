"""Saving what a desktop program shows, under a name that was said."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.actions import Action, Click, Key, StatFile
from carrel.frames import Element, Window
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.answers import FILE_NAME
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.phrases.file_words import folder_said
from carrel.models.steps.phrases.programs import program_kind
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.front import in_window, open_windows
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import put, typed
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["save_in_program"]

_DOCUMENT = re.compile(
    r"(?:it|this|that|(?:the|this|my)\s+(?:new\s+|current\s+)?(?:file|document|text|note|sheet|"
    r"spread ?sheet|work ?book|letter|table|work|changes|memo|list|image|drawing))|"
    r"(?:这个|该|当前)?(?:文件|文档|文本|表格|工作簿|工作表|内容|笔记|更改|修改|图片)|它",
    re.IGNORECASE,
)
_IT = re.compile(r"\bsave (?:it|this|that)\b|[将把]它(?:另存|保存|存)", re.IGNORECASE)
_AS = (
    "as",
    "to",
    "under",
    "under the name",
    "name",
    "named",
    "called",
    "in",
    "with the name",
    "on",
    "into",
)
_WHERE = ("in", "to", "on", "into")
_IN_FOLDER = re.compile(r"(?P<what>.+?)\s+(?P<word>in|on|to|into)\s+(?P<folder>.+)", re.IGNORECASE)
_REPLACE = re.compile(r"_?(?:replace|overwrite|yes|ok|替换|覆盖|是|确定)!?", re.IGNORECASE)
_KEEP = re.compile(
    r"_?(?:keep(?: current)?(?: format)?|use .+ format|保持.*格式|保留.*格式)!?", re.IGNORECASE
)
_ODF = re.compile(r"\bODF\b|OpenDocument", re.IGNORECASE)
_OPEN_FORMAT = re.compile(r"\.(?:od[a-z]|ot[a-z]|fod[a-z])$", re.IGNORECASE)
SAVE_AS = Key(("ctrl", "shift", "s"))
SAVE = Key(("ctrl", "s"))
LOOKS = (0.3, 0.6, 1.2)


def save_in_program(desk: Desk, step: Perform) -> Turns[bool]:
    """Save in a desktop program: by its keys, in the dialog it has; whether that is meant."""
    step = _but_folder(step)
    if step.verb not in ("save", "save as") or not _is_document(desk, step):
        return False
    if len(step.details) == 1 and _is_mere_folder(*step.details[0]):
        raise Missed(f"it does not say what it is to be called in {step.details[0][1]}")
    listed = yield from open_windows(desk)
    front = next((window for window in listed if window.focused), None)
    kind = None if front is None else program_kind(front)
    if front is None or (kind is not None and kind.name in ("web browser", "terminal emulator")):
        return False
    path = _path(step)
    known = {window.id for window in listed}
    if path and (now := _name_field(desk, front)) is not None and _is_chooser(desk, front):
        yield from _name_it(desk, now, front, path)
        yield from _finished(desk, known - {front.id}, path)
        return True
    if not path and kind is None and controls_for(desk, "save"):
        return False
    if not path:
        yield from desk.do(SAVE, why="the keys to save", last=True)
        yield from desk.effect()
        return True
    for keys in (SAVE_AS, SAVE):
        yield from desk.do(keys, why="the keys to save under a name")
        dialog = yield from _dialog(desk, known)
        if dialog is not None:
            yield from _name_it(desk, _name_field(desk, dialog), dialog, path)
            yield from _finished(desk, known, path)
            return True
    raise Missed(f"no dialog came up to save as {path}")


def _but_folder(step: Perform) -> Perform:
    """`the document in my home folder` as the document, and where it goes."""
    found = _IN_FOLDER.fullmatch(step.what or "")
    if found is None or folder_said(found["folder"]) is None:
        return step
    details = (*step.details, (found["word"].lower(), found["folder"]))
    return replace(step, what=found["what"], details=details)


def _is_mere_folder(word: str, text: str) -> bool:
    """Whether no more than a folder is said, by the name that every desk has for it."""
    return word in _WHERE and folder_said(text) not in (None, text.strip(" \"“”'"))


def _is_document(desk: Desk, step: Perform) -> bool:
    """Whether it is what one works on that is saved, and no thing of that name."""
    path = _path(step)
    if path.startswith(("/", "~")) and _IT.search(desk.step):
        # What was named before is some part of the document: files hold all of it.
        return True
    if len(step.details) > 1 and not _path(step):
        return False
    if any(word not in _AS for word, _ in step.details):
        return False
    return step.what is None or _DOCUMENT.fullmatch(step.what.strip()) is not None


def _path(step: Perform) -> str:
    """What it shall be called: `as a.txt in /home/agent` is one path; empty where it is unclear."""
    said = [(word, _folder(word, text.strip(" \"“”'"))) for word, text in step.details]
    folders = [text for word, text in said if word in _WHERE and text.startswith(("/", "~"))]
    names = [text for word, text in said if text not in folders]
    if len(said) == 2 and len(folders) == 1 and "/" not in names[0]:
        return f"{folders[0].rstrip('/')}/{names[0]}"
    return said[0][1] if len(said) == 1 else ""


def _folder(word: str, text: str) -> str:
    """The path of a folder that is said by its name: `in my home folder`."""
    return (folder_said(text) or text) if word in _WHERE else text


def _is_chooser(desk: Desk, front: Window) -> bool:
    """Whether the window in front is already the one that asks for a name."""
    told = in_window(desk.elements, front)
    return any(e.role in ("file chooser", "dialog") and e.parent is None for e in told)


def _dialog(desk: Desk, known: set[int]) -> Turns[Window | None]:
    """The window that comes up and has the keyboard."""
    for pause in (0.0, *LOOKS):
        if pause:
            yield from desk.again(pause, why="a dialog may take a moment to come up")
        listed = yield from open_windows(desk)
        new = [w for w in listed if w.id not in known and w.focused]
        if new:
            yield from desk.again(0.2, why="what it asks")
            return new[-1]
    return None


def _name_field(desk: Desk, dialog: Window) -> Element | None:
    """The field for the name: called so, or the one that has the keyboard."""
    told = [e for e in in_window(desk.elements, dialog) if is_field(e) and e.box is not None]
    for field in told:
        label = label_of(field, desk.elements)
        names = (field.name, written_on(label) if label is not None else "")
        if any(FILE_NAME.fullmatch(name.strip()) for name in names):
            return field
    focused = [e for e in told if "focused" in e.states and "editable" in e.states]
    return focused[0] if len(focused) == 1 else None


def _name_it(desk: Desk, field: Element | None, dialog: Window, path: str) -> Turns[None]:
    if field is not None:
        yield from put(desk, field, path, why=f"{dialog.title or 'the dialog'} asks for the name")
    else:
        keys: tuple[Action, ...] = (Key(("ctrl", "a")), typed(path))
        yield from desk.do(*keys, why=f"{dialog.title or 'the dialog'} asks for the name")
    # A list of names that begin like this may have come up; Enter takes what is written.
    yield from desk.do(Key(("enter",)), why="finish with Enter", last=True)


def _finished(desk: Desk, known: set[int], path: str) -> Turns[None]:
    """See the dialog go, with the questions it may ask, and the file come.

    Raises:
        Missed: It stays, or there is no such file.
    """
    left: list[Window] = []
    for pause in (0.2, *LOOKS, 2.0):
        yield from desk.again(pause, why="whether it is saved")
        left = [w for w in (yield from open_windows(desk)) if w.id not in known]
        if not left:
            break
        yield from _answer(desk, left[-1], path)
    if left:
        raise Missed(f"the dialog {left[-1].title!r} is still there, to save as {path}")
    if not path.startswith(("/", "~")):
        return
    for pause in (0.3, 0.7, 1.5):
        results = yield from desk.attempt(StatFile(path), why="whether it is there", commits=False)
        if results and results[0].ok:
            return
        yield from desk.again(pause, why=f"there is no {path} yet")
    raise Missed(f"there is no {path} after it was saved")


def _answer(desk: Desk, window: Window, path: str) -> Turns[None]:
    """That there is such a file already, or that its format keeps less: the name was said so."""
    for meant in (_KEEP, _REPLACE):
        buttons = [
            e
            for e in in_window(desk.elements, window)
            if kind_of(e) is Kind.BUTTON and e.box is not None and not is_disabled(e)
            if meant.fullmatch(e.name.strip())
        ]
        if len(buttons) > 1:
            # One keeps the format that the name says; the other is the program's own.
            own = bool(_OPEN_FORMAT.search(path))
            buttons = [e for e in buttons if bool(_ODF.search(e.name)) is own]
        if len(buttons) == 1 and buttons[0].box is not None:
            at = buttons[0].box.center
            yield from desk.do(Click(at.x, at.y), why=f"{window.title}: {buttons[0].name}")
            return
