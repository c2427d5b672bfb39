"""What belongs to a thing that was spoken of: `its price`, 它的定价, `the star` after `find`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.models.steps.program import (
    Check,
    Choose,
    Clear,
    Condition,
    Copy,
    Enter,
    Expand,
    Find,
    Has,
    Highlight,
    Is,
    Not,
    Open,
    Paste,
    Point,
    Read,
    SetValue,
    Shows,
    Step,
    Submit,
    Tick,
    Unclear,
    Wait,
)

__all__ = ["at_home"]

_OWN = re.compile(
    r"^(?:(?P<en>(?:their|its|his|her)\s+)|(?:它|他|她)们?的|其(?![他它余中实次])|"
    r"(?:该|此|这[个条项张份件])[\u3400-\u9fff]{1,4}?(?:所?对应|所属)?的)",
    re.IGNORECASE,
)
_PART_OF = re.compile(
    r"the\s(?:[a-z]+\s)?(?:size|colou?r|name|title|price|status|style|width|height|font|alignment|"
    r"label|value|text|type|date|quantity|amount|position|format)\sof\s(?P<of>the\s.+)",
    re.IGNORECASE,
)
# That it is somewhere else says where.
_PLACED = re.compile(r"what='the\s[\w -]+?\s(?:in|on|under|at)\sthe\s")
# What is called so is not on the page that opens by it.
_SHOWN = re.compile(r"\b(?:result|link|article|product)s?\b|结果|链接|详情|文章", re.IGNORECASE)


def at_home(step: Step, before: Sequence[Step], thing: str | None) -> Step:
    """After `find X`, what follows is about X: `their address`, `the star icon`.

    Args:
        step: With its pronouns filled in.
        before: What was said before it.
        thing: The last thing that was spoken of.
    """
    found = next((s for s in reversed(before) if isinstance(s, Find)), None)
    owner = found.what if found else thing
    if owner is not None and re.match(r"another\s", owner):
        owner = None
    if owner is not None and (of := _PART_OF.fullmatch(owner)) and found is None:
        # "the size of the heading … and its colour": the heading's.
        owner = of["of"]
    if owner is not None and (owned := _owned(step)) is not None:
        elsewhere = isinstance(owned, Check) and _PLACED.search(str(owned.condition))
        home = None if _opened(before) or elsewhere else owner
        return replace(owned, place=owned.place or home)
    last = before[-1] if before else None
    if not isinstance(last, Find) or step.place is not None:
        return step
    if isinstance(step, Unclear | Submit | Find):
        return step
    if isinstance(step, Point | Tick | Choose) and last.what not in (
        getattr(step, "what", None),
        *getattr(step, "options", ()),
    ):
        beside = isinstance(step, Point) and re.search(
            rf" {re.escape(last.what)}$|\b(?:tab|window|page|view)$", step.what
        )
        return step if beside else replace(step, place=last.what)
    return step


def _opened(before: Sequence[Step]) -> bool:
    """Whether the thing was opened just before, so that its page is in sight and not itself."""
    last = next((s for s in reversed(before) if not isinstance(s, Check | Wait | Read)), None)
    shown = isinstance(last, Open) or (isinstance(last, Point) and last.how != "hover")
    return shown and _SHOWN.search(getattr(last, "what", "")) is not None


def _owned(step: Step) -> Step | None:
    """The step about `its price` without its owner; None when it speaks of none."""
    if (
        isinstance(step, Point | Read | SetValue | Open | Expand | Clear | Copy | Highlight)
        and step.what
        and _OWN.match(step.what)
    ):
        return replace(step, what=_bare(step.what))
    if isinstance(step, Enter | Paste) and step.into and _OWN.match(step.into):
        return replace(step, into=_bare(step.into))
    if isinstance(step, Choose) and step.source and _OWN.match(step.source):
        return replace(step, source=_bare(step.source))
    if isinstance(step, Tick) and len(step.what) == 1 and _OWN.match(step.what[0]):
        return replace(step, what=(_bare(step.what[0]),))
    if isinstance(step, Check) and (condition := _stated(step.condition)) is not None:
        return replace(step, condition=condition)
    return None


def _stated(condition: Condition) -> Condition | None:
    if isinstance(condition, Not):
        inner = _stated(condition.condition)
        return None if inner is None else Not(inner)
    if isinstance(condition, Has | Is | Shows) and _OWN.match(condition.what):
        return replace(condition, what=_bare(condition.what))
    return None


def _bare(phrase: str) -> str:
    found = _OWN.match(phrase)
    return phrase if found is None else ("the " if found["en"] else "") + phrase[found.end() :]
