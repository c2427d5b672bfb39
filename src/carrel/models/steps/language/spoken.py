"""What was spoken of before: the last thing, and the text that a message was said to be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.models.steps.program import (
    Change,
    Check,
    Choose,
    Clear,
    Condition,
    Copy,
    Drag,
    Enter,
    Every,
    Expand,
    Find,
    Highlight,
    Not,
    Open,
    Perform,
    PickDate,
    PickTime,
    Point,
    Read,
    Repeat,
    Resize,
    Scroll,
    SetValue,
    Shows,
    Step,
    Tick,
    Wait,
    Within,
)

__all__ = ["quoted_before", "spoken_of"]

_TEXT = re.compile(
    r"(?:(?P<which>that|this|the same|the)\s+)?"
    r"(?P<noun>(?:(?:error|warning|success|validation|info)\s+)?message|text|error|warning|"
    r"notice|toast|notification|alert|banner|hint|sentence|line)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“「«].+[\"”」»]")


def quoted_before(what: str, before: Sequence[Step]) -> str | None:
    """What a text was said to be that is only called a message now; None where none was quoted."""
    said = _TEXT.fullmatch(what.strip())
    if said is None:
        return None
    noun = said["noun"].split()[-1]
    quoted = [one.what for step in reversed(before) for one in _shown(step)]
    quoted = [phrase for phrase in quoted if _QUOTED.search(phrase)]
    named = next((one for one in quoted if re.search(rf"\b{noun}\b", one.casefold())), None)
    if named is not None or (said["which"] or "").lower() == "the":
        return named
    return next((one for one in quoted if _QUOTED.fullmatch(one)), None)


def _shown(step: Step) -> Iterator[Shows]:
    if isinstance(step, Check):
        yield from _inner(step.condition)
    elif isinstance(step, Wait) and step.until is not None:
        yield from _inner(step.until)


def _inner(condition: Condition) -> Iterator[Shows]:
    if isinstance(condition, Shows):
        yield condition
    elif isinstance(condition, Not | Within):
        yield from _inner(condition.condition)
    elif isinstance(condition, Every):
        for one in condition.conditions:
            yield from _inner(one)


# "click outside the dialog": of it nothing else was said.
_OUTSIDE = re.compile(
    r"^(?:(?:anywhere|somewhere)\s+)?outside\s+(?:of\s+)?(?=the\s)", re.IGNORECASE
)


def spoken_of(before: Sequence[Step]) -> str | None:
    """The last thing that the steps are about."""
    for step in reversed(before):
        if _is_part(step) or _is_way(step):
            # "set its priority and assign it": that whose part it is.
            continue
        if isinstance(step, Scroll) and step.until:
            return step.until
        if isinstance(step, SetValue | Expand | Change | Resize) and step.what:
            return step.what
        if isinstance(step, Find | Read | Point | Highlight | Drag | Open):
            return _OUTSIDE.sub("", step.what)
        if isinstance(step, Enter | PickDate | PickTime) and step.into:
            return step.into
        if isinstance(step, Perform) and (named := _name_given(step)):
            return named
        if isinstance(step, Clear | Copy | Perform) and step.what:
            return step.what
        if isinstance(step, Choose) and len(step.options) == 1:
            return step.options[0]
        if isinstance(step, Tick) and len(step.what) == 1:
            return step.what[0]
        if isinstance(step, Wait | Repeat | Check) and (awaited := _awaited(step)):
            return awaited
    return None


def _is_part(step: Step) -> bool:
    what = getattr(step, "what", None)
    return isinstance(what, str) and re.match(r"(?:its|their)\s", what, re.IGNORECASE) is not None


def _is_way(step: Step) -> bool:
    """`go there`: a way to what was spoken of before."""
    return isinstance(step, Open) and re.fullmatch(r"\w+ there", step.words.lower()) is not None


def _name_given(step: Perform) -> str | None:
    """What a thing is called after the step."""
    called = dict(step.details)
    if step.verb == "rename":
        name = called.get("to")
    elif step.verb in ("create", "add", "save"):
        name = called.get("called") or called.get("named") or called.get("titled")
    else:
        return None
    return f'"{name}"' if name else None


def _awaited(step: Wait | Repeat | Check) -> str | None:
    """What a condition is about: `wait until Go is enabled, then click it`."""
    condition = step.condition if isinstance(step, Check) else step.until
    inner = getattr(condition, "condition", condition)
    what = getattr(inner, "what", None)
    return what if isinstance(what, str) else None
