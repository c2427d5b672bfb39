"""Lists, calendars and sections that were taken for things to work on, and passives for texts."""

from __future__ import annotations

import re

from carrel.models.steps import program as p

__all__ = ["is_odd_choice"]

_MARKED = frozenset({"mark", "make"})
_LISTS = re.compile(r"\blist\b|\bcalendar\b|\bdrop-?down\b", re.IGNORECASE)
_BARE_LIST = re.compile(r"(?:the )?(?:list|calendar|drop-?down(?: list| menu)?)", re.IGNORECASE)
_BEST = re.compile(
    r"\b(?:cheapest|shortest|longest|fastest|earliest|latest|lowest|highest|(?:most|least) \w+)\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"(?:clicked|pressed|tapped|pushed|chosen|picked|of the \w+ text)\b", re.IGNORECASE
)
_FOLD = re.compile(r"(?:the )?(?:section|panel|accordion)(?: below)?", re.IGNORECASE)
_USING = re.compile(r" (?:using|with|via) the calendar\b", re.IGNORECASE)
_CONTENTS = re.compile(
    r"(?:the )?(?:same )?(?:contents?|text) (?:of|in|from|that)\b|what(?:ever)? is\b", re.IGNORECASE
)
_GROUP = re.compile(r"(?:all )?(?:of )?the [a-z]+s", re.IGNORECASE)


def is_odd_choice(step: p.Step | p.Condition) -> bool:
    """Whether an entry is marked, what a field holds is read, or it is done in all of some."""
    if isinstance(step, p.Find):
        told = f"{step.place or ''} {step.what}"
        return _BEST.search(told) is not None or _LISTS.search(told) is not None
    if isinstance(step, p.Has | p.Compare):
        return _PASSIVE.match(step.text if isinstance(step, p.Has) else step.right) is not None
    if isinstance(step, p.Open):
        return _FOLD.fullmatch(step.what) is not None
    if isinstance(step, p.Point):
        return _FOLD.fullmatch(step.what or "") is not None
    if isinstance(step, p.SetValue):
        return _BARE_LIST.fullmatch(step.what or "") is not None
    if isinstance(step, p.Copy) and step.place is not None:
        return True
    if isinstance(step, p.Enter) and _USING.search(step.text):
        return True
    if isinstance(step, p.Read):
        return _CONTENTS.match(step.what) is not None
    if isinstance(step, p.Choose) and step.path:
        return step.options[-1].endswith((" from it", " from there", " in it"))
    if isinstance(step, p.Highlight) or (isinstance(step, p.Perform) and step.verb in _MARKED):
        return _LISTS.search(f"{step.place or ''} {step.words}") is not None
    return isinstance(step, p.Perform) and _GROUP.fullmatch(step.place or "") is not None
