"""What windows say as windows: their titles, and what is in one that tells nothing of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher

from carrel.frames import Element, Window
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Condition, Shows, Within
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.phrases.programs import (
    bare,
    is_of_kind,
    kind_called,
    kind_said,
    program_kind,
)
from carrel.models.steps.shown.front import is_panel, open_windows
from carrel.models.steps.shown.reading import text_of
from carrel.models.steps.shown.titles import fitting_windows, window_said
from carrel.models.steps.turns import Turns
from carrel.perception.roles import FIELDS, Kind, kind_of

__all__ = [
    "has_dialog_window",
    "in_named_window",
    "is_not_running",
    "is_shown_window",
    "is_title",
    "is_without",
    "last_line",
    "looked_into",
    "only_window",
    "program_gone",
    "program_open",
    "texts_of_window",
    "title_in_front",
]

ALIKE = 0.75
"""The share of a text that must stand in a line for it to be that text."""
PROGRAM = 40
"""Letters that the name of a program has at most."""
_TITLE = re.compile(
    r"(?:the\s+)?(?:window(?:['’]s)?\s+title(?:\s+bar)?|title\s*bar|title of the (?:\w+\s+)?window|"
    r"window caption)(?:\s+text)?|(?:当前)?窗口的?标题栏?|标题栏",
    re.IGNORECASE,
)
_PLACED = re.compile(
    r"(?P<what>.+?)\s+(?:in|inside|within|on)\s+(?P<place>(?:the|an?|my|your)\s+[^\"“]+)|"
    r"(?P<there>[^\"“，]+?)(?:里面|里|中|内|上)的?\s*(?P<thing>.+)",
    re.IGNORECASE,
)
_LAST_LINE = re.compile(
    r"(?:the )?(?:last|final|bottom) (?:output |result )?line"
    r"(?: (?:of|in|on) (?:the )?(?:output|terminal|console|display|results?|screen|window))?"
    r"|最后一[行条]的?(?:结果|输出|内容)?|(?:输出|终端|结果|屏幕)(?:里|中|上)?的?最后一行(?:结果|输出|内容)?",
    re.IGNORECASE,
)
_PROMPT = re.compile(r"(?:@.*|^|\s|~|/)[$#%>❯]\s*[_▏█|]?$")
_ON_PAGES = ("spreadsheet", "text editor", "image editor", "web browser")
"""Kinds of programs whose names are also those of parts of a page: 表格, the editor."""
_WORDS = frozenset({*FIELDS, Kind.TEXT, Kind.HEADING, Kind.CELL, Kind.LINK, Kind.OPTION})


def in_named_window(condition: Condition) -> Condition:
    """`"hello" in the terminal` is looked for there, and nowhere else."""
    if not isinstance(condition, Shows):
        return condition
    found = _PLACED.fullmatch(condition.what.strip())
    place = (found["place"] or found["there"]) if found else ""
    if found is None or (kind_said(place) is None and window_said(place) is None):
        return condition
    return Within(place, Shows(found["what"] or found["thing"]))


def is_title(phrase: str) -> bool:
    """Whether the words are for what stands in the title of the window in front."""
    return _TITLE.fullmatch(phrase.strip()) is not None


def title_in_front(desk: Desk) -> Turns[str]:
    """The title of the window that has the keyboard; empty where none has it."""
    listed = yield from open_windows(desk)
    return next((window.title for window in listed if window.focused), "")


def is_not_running(desk: Desk, phrase: str) -> Turns[bool]:
    """Whether a place is a program of which no window is open, nor one that may be of it."""
    if kind_called(phrase) is None or web_page(desk.elements) is not None:
        return False
    listed = yield from open_windows(desk)
    shown = [w for w in listed if not is_panel(w, desk.size)]
    if any(program_kind(window) is None for window in shown):
        return False
    return not fitting_windows(shown, phrase) and (yield from looked_into(desk, phrase)) is None


def looked_into(desk: Desk, phrase: str) -> Turns[tuple[Window, Sequence[Window]] | None]:
    """The window that a place is, and all there are; None where it is no window of the desktop."""
    title, kind = window_said(phrase), kind_said(phrase)
    called = kind_called(phrase) if kind is None else None
    if title is None and kind is None and called is None:
        return None
    if kind is not None and kind.name in _ON_PAGES and web_page(desk.elements) is not None:
        return None
    listed = yield from open_windows(desk)
    if kind is not None:
        fitting = [window for window in listed if is_of_kind(window, kind)]
    else:
        fitting = fitting_windows(listed, title or phrase)
    if called is not None and title is None:
        # Something else may have the name of a program in its title.
        fitting = [window for window in fitting if is_of_kind(window, called)]
    return (fitting[-1], listed) if fitting else None


@contextmanager
def only_window(desk: Desk, window: Window, listed: Sequence[Window]) -> Iterator[None]:
    """See only what shows of one window; `listed` has the topmost last."""
    outer = desk.scope

    def inside(elements: tuple[Element, ...]) -> tuple[Element, ...]:
        shown = elements if outer is None else outer(elements)
        return tuple(e for e in shown if _is_in(e, window, listed))

    desk.scope = inside
    try:
        yield
    finally:
        desk.scope = outer


def _is_in(element: Element, window: Window, listed: Sequence[Window]) -> bool:
    if element.box is None:
        return False
    at = element.box.center
    over = [w for w in listed if w.box.contains(at) and not w.minimized]
    return bool(over) and over[-1].id == window.id


def texts_of_window(desk: Desk, window: Window, listed: Sequence[Window]) -> list[str]:
    """Every text in a window, line by line, as far as it is told or read."""
    with only_window(desk, window, listed):
        shown = desk.elements
        found = [text_of(e, shown) or e.text for e in shown if kind_of(e) in _WORDS]
        found += [e.text for e in shown if e.role == "terminal"]
    return [" ".join(text.split()) for text in found if text.strip()]


def last_line(desk: Desk, phrase: str) -> Turns[str | None]:
    """What stands lowest in the window in front, but for a prompt; None where that is not meant.

    A page has no such line: what is lowest there says nothing of what came last.
    """
    if _LAST_LINE.fullmatch(phrase.strip()) is None or web_page(desk.elements) is not None:
        return None
    listed = yield from open_windows(desk)
    front = next((window for window in listed if window.focused), None)
    if front is None:
        return None
    yield from desk.closer()
    with only_window(desk, front, listed):
        said = [e for e in desk.elements if kind_of(e) in _WORDS and e.box is not None]
        said.sort(key=lambda e: e.box.bottom if e.box else 0)
        lines = [line for e in said for line in (text_of(e, said) or e.text).splitlines()]
    kept = [line.strip() for line in lines if line.strip() and not _PROMPT.search(line.strip())]
    return re.sub(r"^=\s*", "", kept[-1]) if kept else None


def program_open(desk: Desk, phrase: str) -> Turns[bool | None]:
    """Whether a program is open that is called by its kind; None where it is no such name."""
    if kind_said(phrase) is None or web_page(desk.elements) is not None or desk.scope is not None:
        return None
    return bool(fitting_windows((yield from open_windows(desk)), phrase))


def program_gone(desk: Desk, phrase: str) -> Turns[str | None]:
    """Why it is not certain that no program of a kind is open; None where it is."""
    listed = yield from open_windows(desk)
    unknown = [
        window
        for window in listed
        if program_kind(window) is None
        if not is_panel(window, desk.size)
    ]
    if not unknown:
        return None
    return f"cannot tell whether {unknown[0].title} ({unknown[0].app}) is {phrase}"


def is_without(desk: Desk, phrase: str, text: str) -> Turns[bool]:
    """Whether a program that is called by its kind is open, and shows nothing like a text."""
    kind = kind_called(phrase)
    if kind is None or kind.name == "calculator":
        return False
    found = yield from looked_into(desk, phrase)
    if found is None:
        return False
    yield from desk.closer()
    lines = texts_of_window(desk, *found)
    return bool(lines) and not any(_is_alike(line, text) for line in lines)


def _is_alike(line: str, text: str) -> bool:
    """Whether a line may be the text, read wrong here and there."""
    one, other = line.casefold(), " ".join(text.casefold().split())
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size > 1) >= ALIKE * len(other)


def _is_told_window(desk: Desk, front: Window) -> bool:
    """Whether its program tells of it, and as no dialog."""
    roots = [e for e in desk.elements if e.parent is None and e.source == "tree" and e.box]
    own = [e for e in roots if e.name == front.title and e.box and front.box.contains(e.box.center)]
    return bool(own) and all(e.role == "frame" and "modal" not in e.states for e in own)


def has_dialog_window(desk: Desk) -> Turns[bool]:
    """Whether the window in front is a dialog of a program that tells nothing of itself.

    It lies over a larger window of the same process.
    """
    listed = yield from open_windows(desk)
    front = next((window for window in listed if window.focused), None)
    if front is None or front.pid is None or _is_told_window(desk, front):
        return False
    return any(
        other.box.area > front.box.area and other.box.intersect(front.box) is not None
        for other in listed
        if other.id != front.id and other.pid == front.pid and not other.minimized
    )


def is_shown_window(desk: Desk, phrase: str) -> Turns[bool]:
    """Whether it is a window that is meant, or a program by its kind or name, and one is open."""
    title = window_said(phrase)
    if title is not None:
        return bool(fitting_windows((yield from open_windows(desk)), title))
    if re.search(r"[\"“”{}]", phrase) or len(phrase) > PROGRAM:
        return False
    kind, name = kind_said(phrase), bare(phrase)
    one = web_page(desk.elements) is None and re.fullmatch(r"[a-z][\w.+-]*", name)
    several = re.fullmatch(r"(?:[A-Z]\w+ ){1,2}[A-Z]\w+", phrase.strip())
    if kind is None and not one and not several:
        return False
    listed = yield from open_windows(desk)
    if kind is not None:
        return any(is_of_kind(window, kind) for window in listed)
    if several:
        return any(re.search(rf"(?<!\w){re.escape(phrase.strip())}$", w.title) for w in listed)
    return any(window.app.casefold() == name for window in listed)
