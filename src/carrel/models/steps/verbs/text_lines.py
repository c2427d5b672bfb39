"""Lines of what an editor holds: gone to and deleted by the keyboard, and seen in its text."""

from __future__ import annotations

import re

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.reading import content_of, is_told_whole
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.fields import field_at, typed
from carrel.models.steps.verbs.pointing import named, repeated

__all__ = ["add_line", "delete_line", "go_to_line", "line_said"]

LONGEST = 4000
"""Letters of a text in which the keyboard goes to a line."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_LINE = re.compile(
    r"(?:the\s+)?line\s+(?:number\s+|no\.?\s*)?(?P<n>\d+)"
    r"|(?:the\s+)?(?P<nth>\d+)(?:st|nd|rd|th)\s+line"
    rf"|(?:the\s+)?(?P<word>{'|'.join(_ORDINALS)}|last|final)\s+line"
    r"|第\s*(?P<zh>\d+)\s*行",
    re.IGNORECASE,
)
_OF = re.compile(
    r"\s+(?:of|in)\s+(?:the|this)\s+(?:text|document|file|note|editor)$", re.IGNORECASE
)


def line_said(phrase: str) -> int | None:
    """The number of the line that is meant, -1 for the last; None where it is something else."""
    found = _LINE.fullmatch(_OF.sub("", phrase.strip()))
    if found is None:
        return None
    if word := (found["word"] or "").lower():
        return _ORDINALS.index(word) + 1 if word in _ORDINALS else -1
    return int(found["n"] or found["nth"] or found["zh"])


def go_to_line(desk: Desk, phrase: str) -> Turns[bool]:
    """Put the cursor at the start of a line of the one editor in sight; whether that is meant."""
    number, editor = line_said(phrase), _editor(desk)
    if number is None or editor is None:
        return False
    yield from _go_to(desk, editor, _numbered(desk, editor, number))
    return True


def delete_line(desk: Desk, step: Perform) -> Turns[bool]:
    """Delete a line with its end; whether that is meant.

    Raises:
        Missed: There is no such line, or it is still there.
    """
    number = line_said(step.what or "") if step.verb in ("delete", "remove") else None
    editor = _editor(desk)
    if number is None or editor is None or step.details:
        return False
    lines = content_of(editor, desk.elements).split("\n")
    at = _numbered(desk, editor, number)
    wanted = [*lines[:at], *lines[at + 1 :]]
    yield from _go_to(desk, editor, at)
    last = at == len(lines) - 1
    marked = repeated(("shift", "right"), len(lines[at]) + (not last))
    # Of the last line it is the end of the one before that goes with it.
    keys: tuple[Action, ...] = (*marked, Key(("delete",)))
    if last and at > 0:
        keys = (*(keys if lines[at] else ()), Key(("backspace",)))
    yield from desk.do(*keys, why=f"delete line {at + 1}", last=True)
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why="what it holds now")
        now = field_at(desk, editor)
        if now is not None and content_of(now, desk.elements).split("\n") == wanted:
            return True
    raise Missed(f"{named(editor)} does not hold what is left without line {at + 1}")


_SAID = r"(?:reading|saying|that\s+(?:says|reads)|with(?:\s+the\s+text)?|containing|text|as)?"
_DOCUMENT = r"(?:text|document|file|note|list|letter|editor)"
_NEW_LINE = re.compile(
    rf"(?:(?:a|an|another|the|one\s+more)\s+)?(?:new\s+|last\s+|final\s+|further\s+)*"
    rf"(?:(?P<line>line|entry)\s+{_SAID}\s*:?\s*)?[\"“](?P<text>[^\"”]*)[\"”]"
    r"(?P<own>\s+(?:on|as|in)\s+(?:a|the|its\s+own)\s*(?:new|separate|last|final|own)?\s+line)?"
    rf"(?P<end>\s+(?:at|to|onto)\s+(?:the\s+(?:very\s+)?(?:end|bottom)(?:\s+of\s+(?:the|this|my)\s+"
    rf"{_DOCUMENT})?|(?:the|this|my)\s+{_DOCUMENT})|\s+(?:below|after|under)\s+the\s+last\s+line)?"
    r"(?P<late>\s+(?:on|as|in)\s+(?:a|the)\s+(?:new|separate|last|final)\s+line)?",
    re.IGNORECASE,
)


def add_line(desk: Desk, step: Perform) -> Turns[bool]:
    """Add a line of its own: at the end, or below the line that was gone to; whether it is that.

    Raises:
        Missed: The editor does not hold it afterwards.
    """
    said = _NEW_LINE.fullmatch(_whole(step)) if step.verb in _ADDING else None
    editor = _editor(desk, empty=True) if said else None
    if said is None or editor is None or not (said["line"] or said["own"] or said["late"]):
        return False
    below = desk.line_gone_to and not said["end"]
    before = content_of(editor, desk.elements)
    enter = (Key(("enter",)),) if below or (before and not before.endswith("\n")) else ()
    there: tuple[Action, ...] = (Key(("end",)),) if below else (Key(("ctrl", "end")),)
    keys = (*_focus(editor), *there, *enter, typed(said["text"]))
    yield from desk.do(*keys, why=f"the line {said['text']!r}", last=True)
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why="what it holds now")
        now = field_at(desk, editor)
        lines = content_of(now, desk.elements).split("\n") if now is not None else []
        if said["text"] in lines and len(lines) > before.count("\n") + bool(enter):
            return True
    raise Missed(f"{named(editor)} does not hold the line {said['text']!r}")


_ADDING = ("add", "append", "insert", "write", "put", "enter")


def _whole(step: Perform) -> str:
    """What is to be added with its particulars, as it was said."""
    told = [
        f'{word} "{text}"' if word in _QUOTING else f"{word} {text}" for word, text in step.details
    ]
    return " ".join([step.what or "", *told]).strip()


_QUOTING = ("saying", "reading", "with", "text", "containing")


def _focus(editor: Element) -> tuple[Action, ...]:
    if "focused" in editor.states or editor.box is None:
        return ()
    return (Click(editor.box.center.x, editor.box.center.y),)


def _editor(desk: Desk, *, empty: bool = False) -> Element | None:
    """The one editor of several lines that a program shows, with all that it holds told."""
    if web_page(desk.elements) is not None:
        return None
    editors = [
        e
        for e in desk.elements
        if e.box is not None and "multi line" in e.states and "editable" in e.states
    ]
    text = content_of(editors[0], desk.elements) if len(editors) == 1 else ""
    if len(editors) != 1 or (not text and not empty):
        return None
    if len(text) > LONGEST or not is_told_whole(text):
        return None
    return editors[0]


def _numbered(desk: Desk, editor: Element, number: int) -> int:
    """The place of a line among all; an end of the text on a line of its own is none.

    Raises:
        Missed: There are not so many.
    """
    lines = content_of(editor, desk.elements).split("\n")
    count = len(lines) - (len(lines) > 1 and not lines[-1])
    if number == -1:
        return count - 1
    if not 1 <= number <= count:
        raise Missed(f"{named(editor)} has {count} lines, and no line {number}")
    return number - 1


def _go_to(desk: Desk, editor: Element, at: int) -> Turns[None]:
    """By so many letters from the start: lines that are broken to fit count as one."""
    lines = content_of(editor, desk.elements).split("\n")
    letters = sum(len(line) + 1 for line in lines[:at])
    keys: tuple[Action, ...] = (Key(("ctrl", "home")), *repeated(("right",), letters))
    yield from desk.do(*_focus(editor), *keys, why=f"go to line {at + 1}", last=True)
    desk.worked, desk.line_gone_to = editor.box, True
