"""Which things are meant where only `them`, `one`, `the fifth` or `the new one` says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.language.spoken import spoken_of
from carrel.models.steps.language.talk import HERE
from carrel.models.steps.program import (
    Choose,
    Clear,
    Drag,
    Enter,
    Expand,
    GoTo,
    Open,
    Perform,
    PickDate,
    PickTime,
    Point,
    Read,
    SetValue,
    Step,
    SwitchTo,
    Tick,
)

__all__ = ["another_one", "every_meant", "new_value", "nth_alone", "thing_of"]

_THEM = re.compile(r"(?:them|these|those)(?: all)?", re.IGNORECASE)
_IN_IT = re.compile(r"(?P<what>\S.*?)\s+(?:in|on|of|inside|within)\s+(?:it|there)", re.IGNORECASE)
_ONES = re.compile(r"ones?(?P<more>\s.+)?", re.IGNORECASE)
_LISTED = re.compile(
    r"\b(?:list|table|set|group|collection|grid|row|series|number) of (?:the\s+|all\s+)?"
    r"(?P<noun>[a-z-]+)s\b",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"(?:(?:the|an?|any|all|every|each|my|your|this|these)\s)?(?:[\w-]+\s)*?(?P<noun>[a-z-]+?)s?"
    r"(?=$|\s(?:in|on|of|from|at|with|for|by|that|which|whose|called|named|under|where|\")|\s\")",
    re.IGNORECASE,
)


def every_meant(every: str, before: Sequence[Step]) -> str | None:
    """The things of a loop in words of their own; None where nothing before tells them."""
    thing = spoken_of(before)
    if _THEM.fullmatch(every):
        return None if thing is None else re.sub(r"^(?:the|any|all)\s+", "", thing)
    if (inside := _IN_IT.fullmatch(every)) is not None:
        front = before and isinstance(before[-1], Open | GoTo | SwitchTo)
        where = "" if front else f" in {thing}"
        return f"{inside['what']}{where}" if thing or front else None
    found = _ONES.fullmatch(every)
    if found is None:
        return every
    listed = _LISTED.search(thing or "") or (_KIND.match(thing) if thing else None)
    return f"{listed['noun']}{found['more'] or ''}" if listed else None


_ORDINAL = rf"(?:{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)|last)"
_ALONE = re.compile(rf"the\s+(?P<which>{'|'.join(ORDINALS)}|last|other)", re.IGNORECASE)
_COUNTED = re.compile(rf"the\s+{_ORDINAL}\s+(?P<noun>[a-z].*)", re.IGNORECASE)


def nth_alone(phrase: str, before: Sequence[Step]) -> str:
    """`tick the third box and untick the fifth`: the noun is said once."""
    found = _ALONE.fullmatch(phrase)
    if found is None:
        return phrase
    for step in reversed(before):
        for said in _named(step):
            if (counted := _COUNTED.fullmatch(said)) is not None:
                return f"the {found['which']} {counted['noun']}"
    return phrase


def _named(step: Step) -> list[str]:
    """Every thing that a step names."""
    values = [getattr(step, name, None) for name in ("what", "into", "source", "onto", "options")]
    flat = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
    return [one for one in flat if isinstance(one, str)]


_MAKES = ("create", "add", "compose", "schedule", "set up", "insert", "book", "write", "draft")
_Field = Enter | SetValue | Choose | Tick | PickDate | PickTime | Clear


def thing_of(step: Step, before: list[Step]) -> list[Step]:
    """What was said before, as far as `it` of this step may stand for it.

    What is bought, opened or clicked is the thing and not its price that was read; what is
    assigned or shared after its fields were filled in is what was made, and not the last field.
    """
    if isinstance(step, SetValue | Enter | Clear):
        return _beside(step, before)
    acts = isinstance(step, Perform | Open | Point | Drag | Expand)
    if not acts or not HERE.fullmatch(str(getattr(step, "what", None) or "")):
        return before
    if isinstance(step, Expand):
        folded: list[Step] = [one for one in before if isinstance(one, Expand)]
        return folded or before
    if str(getattr(step, "what", "")).lower() in ("them", "these", "those"):
        return _several(before)
    last = before[-1] if before else None
    said = getattr(last, "what", None)
    said = said if isinstance(said, str) else ""
    owner = re.fullmatch(r"(?:the|its)\s[\w -]+?\sof\s(?P<of>.+)", said)
    if isinstance(last, Read | SetValue) and owner is not None:
        return [*before[:-1], Point(owner["of"])]
    beside = re.fullmatch(r'"[^"]+" (?:next to|beside) (?P<of>the .+)', said)
    if isinstance(step, Perform) and isinstance(last, Point) and beside:
        # "if “Sold out” is shown next to the item, remove it": the item.
        return [*before[:-1], Point(beside["of"])]
    kept = list(before)
    while kept and isinstance(kept[-1], _Field):
        kept.pop()
    made = kept[-1] if kept and len(kept) < len(before) else None
    if isinstance(step, Perform) and isinstance(made, Perform) and made.verb in _MAKES:
        return kept
    return before


_PLURAL = re.compile(
    r"(?:the|all|my|your|these)\s(?!first\b|last\b|second\b|third\b)(?:[\w-]+\s)*?"
    r"[a-z]+(?<!u)(?<!s)s(?:\s(?:in|on|of|from|by|with|that)\s.*)?",
    re.IGNORECASE,
)


def _several(before: list[Step]) -> list[Step]:
    """`show the comments, like the first one and hide them`: the comments."""
    if _PLURAL.fullmatch(spoken_of(before) or ""):
        return before
    for index in range(len(before) - 1, -1, -1):
        if _PLURAL.fullmatch(spoken_of(before[index : index + 1]) or ""):
            return before[: index + 1]
    return before


_CONTROL = re.compile(
    r"(?:the\s)?(?:[\w\"-]+\s)*?(?:pencil|edit|icon|button|link|symbol|arrow|pen)\s(?:icon\s|button\s|"
    r"link\s|symbol\s)?(?:next to|beside|of|for|near|right of|left of|behind)\s(?P<of>.+)",
    re.IGNORECASE,
)


def _beside(step: SetValue | Enter | Clear, before: list[Step]) -> list[Step]:
    """`click the pencil next to the name and change it`: the name, and not the pencil."""
    what = step.into if isinstance(step, Enter) else step.what
    last = before[-1] if before else None
    found = _CONTROL.fullmatch(last.what) if isinstance(last, Point) else None
    if found is None or not HERE.fullmatch(what or ""):
        return before
    return [*before[:-1], Point(found["of"])]


_ANOTHER = re.compile(
    r"(?:an(?:other|ew)\s+)?one(?P<same>\s+with the same (?:name|title|subject))?", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?:the|an?|my|this)\s(?P<noun>[a-z][a-z -]*?)"
    r"(?:\s(?:called |named |titled )?\"(?P<name>[^\"]+)\")?(?=$|\s(?:on|in|at|from|for|of|with)\s)"
    r".*",
    re.IGNORECASE,
)


def another_one(step: Step, before: Sequence[Step]) -> Step:
    """`delete the event "A" and create one with the same name`: of that kind, called so."""
    found = _ANOTHER.fullmatch(step.what or "") if isinstance(step, Perform) else None
    thing = _NAMED.fullmatch(spoken_of(before) or "") if found else None
    if not isinstance(step, Perform) or found is None or thing is None:
        return step
    noun = thing["noun"]
    what = f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
    called = (("called", thing["name"]),) if found["same"] and thing["name"] else ()
    return replace(step, what=what, details=(*called, *step.details))


_NEW = re.compile(
    r"(?:the|its)\s+(?:new|changed|updated|edited)\s+(?P<noun>[\w -]+)", re.IGNORECASE
)


def new_value(phrase: str, before: Sequence[Step]) -> str | None:
    """`change the street to "X" … the new street is shown`: that text; None where none was set."""
    found = _NEW.fullmatch(phrase)
    if found is None:
        return None
    noun = re.compile(rf"\b{re.escape(found['noun'])}\b", re.IGNORECASE)
    for step in reversed(before):
        if isinstance(step, SetValue) and step.what and noun.search(step.what):
            return f'"{step.value}"' if '"' not in step.value else None
        if isinstance(step, Enter) and step.into and noun.search(step.into):
            return f'"{step.text}"' if '"' not in step.text else None
        if isinstance(step, Perform) and step.verb == "rename" and found["noun"] == "name":
            return f'"{dict(step.details).get("to", "")}"'
    return None
