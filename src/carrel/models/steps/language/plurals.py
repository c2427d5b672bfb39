"""What `them` and `one of them` stand for where several things were named just before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.models.steps.program import (
    Change,
    Choose,
    Copy,
    Drag,
    ForEach,
    Open,
    Perform,
    Point,
    Step,
    Tick,
    Unclear,
)

EACH_TIME = "each time"
"""What stands for every one of what was done just before."""
__all__ = ["EACH_TIME", "chosen_only", "each_named", "taken_up"]

_THEM = re.compile(
    r"them|these|those|them all|all of them|each of them|both of them|them both", re.IGNORECASE
)
_ONE_OF_THEM = re.compile(r"(?:any|either|one)(?: one)? of (?:them|these|those)", re.IGNORECASE)
_GONE = frozenset(("delete", "remove", "discard", "archive", "trash", "withdraw", "cancel"))
"""Verbs after which a thing is no longer where it was."""
_Done = Perform | Point | Drag | Open | Change | Copy


def _names_them(step: Step) -> bool:
    if isinstance(step, Tick):
        return len(step.what) == 1 and _THEM.fullmatch(step.what[0]) is not None
    return isinstance(step, _Done) and _THEM.fullmatch(step.what or "") is not None


def taken_up(step: Step, before: list[Step]) -> bool:
    """`mark the first two mails as read and move them to X`: both in each round, as one loop.

    A loop of its own would look for them again by words that may not fit any more.
    """
    last = before[-1] if before else None
    if isinstance(step, Perform) and step.what == EACH_TIME:
        return _after_each(replace(step, what=None), before)
    if not isinstance(last, ForEach) or last.every is None or not _names_them(step):
        return False
    acted = [one for one in last.body if isinstance(one, Perform | Drag | Change)]
    if len(acted) != len(last.body) or any(_is_gone(one, last.name) for one in acted):
        return False
    each = f"{{{last.name}}}"
    again = replace(step, what=(each,) if isinstance(step, Tick) else each)  # type: ignore[call-arg]
    before[-1] = replace(last, body=(*last.body, again))
    return True


def _after_each(step: Perform, before: list[Step]) -> bool:
    """`delete A and B and confirm each time`: once in every round, or after each of them."""
    last = before[-1] if before else None
    if isinstance(last, ForEach):
        before[-1] = replace(last, body=(*last.body, step))
        return True
    if not isinstance(last, Perform):
        return False
    at = len(before)
    while at and isinstance(one := before[at - 1], Perform) and one.verb == last.verb:
        before.insert(at, step)
        at -= 1
    return True


def _is_gone(step: Step, name: str) -> bool:
    """Whether the thing is elsewhere afterwards, or is not what it was done to at all."""
    if isinstance(step, Drag) or getattr(step, "what", None) != f"{{{name}}}":
        return True
    return isinstance(step, Perform) and step.verb in (*_GONE, "move")


_ONLY = re.compile(r"(?:only|just)\s+(?P<what>\S.*)", re.IGNORECASE)


def chosen_only(step: Step, before: Sequence[Step]) -> Step:
    """`deselect all extras, then pick only X`: nothing else is chosen then; else it is unclear."""
    if not isinstance(step, Choose) or not (
        only := _ONLY.fullmatch(step.options[0] if step.options else "")
    ):
        return step
    last = before[-1] if before else None
    cleared = isinstance(last, ForEach) and any(isinstance(s, Tick) and not s.on for s in last.body)
    if not cleared and step.source is None:
        why = f"“{step.words}”: what of the others? “untick all X, then tick Y”"
        return Unclear(why=why, words=step.words, line=step.line)
    return replace(step, options=(only["what"], *step.options[1:]))


def each_named(step: Step, before: Sequence[Step]) -> list[Step]:
    """The step, once for each of several things that one instruction named before it.

    `add milk and eggs to the cart, then remove them`; `select A and B, right-click one of them`.
    """
    last = before[-1] if before else None
    what = getattr(step, "what", None)
    if isinstance(last, Choose | Tick) and isinstance(what, str) and _ONE_OF_THEM.fullmatch(what):
        named = last.options if isinstance(last, Choose) else last.what
        return [replace(step, what=named[0])] if len(named) > 1 else [step]  # type: ignore[call-arg]
    if not isinstance(step, _Done) or not _names_them(step) or not isinstance(last, Perform):
        return [step]
    group: list[str] = []
    for one in reversed(before):
        if not isinstance(one, Perform) or (one.verb, one.words) != (last.verb, last.words):
            break
        group.insert(0, one.what or "")
    if len(group) < 2 or not all(group) or last.verb in _GONE:
        return [step]
    return [replace(step, what=one) for one in group]
