"""What is said of the windows of the desktop: whether one is open, how many, and their titles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Window
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Condition, Count, Has, Shows, WindowOpen
from carrel.models.steps.finding.windowed import program_gone
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.phrases.programs import bare, is_of_kind, kind_called, kind_said
from carrel.models.steps.shown.front import is_panel, open_windows
from carrel.models.steps.shown.titles import (
    fitting_windows,
    told_windows,
    window_meant,
    window_said,
)
from carrel.models.steps.turns import Turns

__all__ = ["as_window", "counted_windows", "title_meant", "windows_of"]

_ANY = re.compile(
    r"(?:(?:an?|any|other|the|open|single|more|further|program'?s?|application'?s?)\s+)*"
    r"(?:windows?|programs?|applications?|apps?)(?: open)?|"
    r"(?:任何|其他|其它|打开的?)*(?:窗口|程序|应用)",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"(?P<of>\S.*?)\s+windows?|(?P<zh>\S.*?)的?窗口", re.IGNORECASE)
_TITLE_OF = re.compile(
    r"(?:the\s+)?(?:window\s+)?(?:title(?:\s*bar)?|caption)(?:\s+text)?\s+of\s+(?P<of>\S.*)|"
    r"(?P<whose>\S.*?)(?:['’]s|['’])?(?:\s+window(?:['’]s)?)?\s+title(?:\s*bar)?|"
    r"(?P<zh>\S.*?)(?:的?窗口)?的?标题栏?",
    re.IGNORECASE,
)


def as_window(desk: Desk, condition: Condition) -> Condition:
    """That `the mousepad window` is to be seen, as what it says: that such a window is open.

    Words that need not be a name are left alone: `an error window` may be titled otherwise.
    """
    if not isinstance(condition, Shows) or not _is_desktop(desk):
        return condition
    title = window_said(condition.what)
    if title is None or kind_said(condition.what) is not None:
        return condition
    words = title.strip("\"“”'")
    named = words != title or words != words.lower() or kind_called(words) is not None
    return WindowOpen(words) if named else condition


def _is_desktop(desk: Desk) -> bool:
    """Whether it is the desktop that is spoken of, and no page or part of the screen."""
    return desk.scope is None and web_page(desk.elements) is None


def windows_of(desk: Desk, phrase: str) -> Turns[Sequence[Window] | None]:
    """The windows that are open of a program, or all, as the words say; None where they do not."""
    if not _is_desktop(desk) or re.search(r"[\"“”{}]", phrase):
        return None
    every, called = _ANY.fullmatch(phrase.strip()), kind_called(phrase)
    if not every and called is None:
        return None
    listed = [w for w in (yield from open_windows(desk)) if not is_panel(w, desk.size)]
    if every or called is None:
        return listed
    if kind_said(phrase) is not None:
        return [w for w in listed if is_of_kind(w, called)]
    # Something else may have the name of a program in its title, and no window its whole name.
    return [w for w in listed if is_of_kind(w, called) and fitting_windows([w], phrase)]


def counted_windows(desk: Desk, condition: Condition) -> Turns[tuple[bool, str] | None]:
    """Whether so many windows are open; None where windows of the desktop are not counted."""
    if not isinstance(condition, Count) or not re.search(
        r"window|窗口", condition.what, re.IGNORECASE
    ):
        return None
    several = _SEVERAL.fullmatch(condition.what.strip())
    every = several is None or _ANY.fullmatch(condition.what.strip()) is not None
    name = condition.what if several is None or every else several["of"] or several["zh"]
    found = yield from windows_of(desk, re.sub(r"^open\s+|^打开的", "", name))
    if found is None:
        return None
    if kind_said(name) is not None and (doubt := (yield from program_gone(desk, name))):
        return False, doubt
    number, wanted = len(found), condition.number
    so = {"equals": number == wanted, "least": number >= wanted, "most": number <= wanted}
    told = f"there are {number} of {condition.what}, not {wanted}: {told_windows(found)}"
    return so[condition.how], told


def title_meant(desk: Desk, condition: Has) -> Turns[str | None]:
    """The title of the window that is said by its name; None where none is meant."""
    said = _TITLE_OF.fullmatch(condition.what.strip())
    whose = (said["of"] or said["whose"] or said["zh"]) if said else None
    if whose is None or not _is_desktop(desk):
        return None
    listed = yield from open_windows(desk)
    if kind_called(whose) is None and not fitting_windows(listed, window_said(whose) or whose):
        return None
    return window_meant(listed, bare(whose)).title
