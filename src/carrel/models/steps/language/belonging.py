"""What belongs to a thing that was spoken of: `its price`, 它的定价, `the star` after `find`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.models.steps.language.spoken import spoken_of
from carrel.models.steps.program import (
    Check,
    Choose,
    Clear,
    Condition,
    Copy,
    Enter,
    Every,
    Expand,
    Find,
    Has,
    Highlight,
    Is,
    Not,
    Open,
    Paste,
    Perform,
    Point,
    Read,
    SetValue,
    Shows,
    Step,
    Submit,
    Tick,
    Unclear,
    Wait,
    Within,
)

__all__ = ["at_home", "is_ownerless", "with_owner"]

_OWN = re.compile(
    r"^(?:(?P<en>(?:their|its|his|her)\s+)|(?:它|他|她)们?的|其(?![他它余中实次])|"
    r"(?:该|此|这[个条项张份件])[\u3400-\u9fff]{1,4}?(?:所?对应|所属)?的)",
    re.IGNORECASE,
)
_OWN_ZH = re.compile(r"[它他她]们?的|其(?![他它余中实次])")
_PRONOUN = re.compile(rf"(?:their|its|his|her)\s|{_OWN_ZH.pattern}", re.IGNORECASE)
"""`its`; 这个页面的 may be said of what is in front."""
_PART_OF = re.compile(
    r"the\s(?:[a-z]+\s)?(?:size|colou?r|name|title|price|status|style|width|height|font|alignment|"
    r"label|value|text|type|date|quantity|amount|position|format)\sof\s(?P<of>the\s.+)",
    re.IGNORECASE,
)
_PART_WHOSE = re.compile(
    r"(?P<of>the\s[a-z][\w -]*?)['’]s\s(?:size|colou?r|name|title|price|status|style|width|"
    r"height|font|alignment|label|value|text|type|date|quantity|amount|position|format)",
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
    owner = _owner(before, thing)
    there = step.place is not None and _is_pronoun(step)
    if (owner is not None or there) and (owned := _owned(step)) is not None:
        elsewhere = isinstance(owned, Check) and _PLACED.search(str(owned.condition))
        home = None if _opened(before) or elsewhere else owner
        if home and isinstance(owned, Read | Copy) and owned.what and _NAME.fullmatch(home):
            # Who was only searched for is no part of the screen.
            return replace(owned, what=f"{owned.what} of {home}")
        found = next((s for s in reversed(before) if isinstance(s, Find)), None)
        if home and found is not None and found.place == owned.place:
            # "In the table, find the row of Ann and click its icon": in that row.
            return replace(owned, place=home)
        return replace(owned, place=owned.place or home)
    last = before[-1] if before else None
    if not isinstance(last, Find) or step.place not in (None, last.place):
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
        named = step.place is not None and last.what in str(getattr(step, "what", ""))
        return step if beside or named else replace(step, place=last.what)
    return step


_NAME = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")


def _owner(before: Sequence[Step], thing: str | None) -> str | None:
    """Whose `its` is: what was found, else the last thing that was spoken of."""
    found = next((s for s in reversed(before) if isinstance(s, Find)), None)
    owner = found.what if found else thing
    if owner is not None and re.match(r"another\s", owner):
        return None
    if owner is not None and (of := _PART_OF.fullmatch(owner)) and found is None:
        # "the size of the heading … and its colour": the heading's.
        return of["of"]
    if owner is not None and found is None and (of := _PART_WHOSE.fullmatch(owner)):
        # "the chart's colour … and its title": the chart's.
        return of["of"]
    return owner


def with_owner(condition: Condition, before: Sequence[Step]) -> Condition:
    """`if its status is Paid`: looked at in what was spoken of before, where there is something."""
    owner = _owner(before, spoken_of(before))
    bare = _stated(condition)
    if owner is None or bare is None:
        return condition
    return bare if _opened(before) else Within(owner, bare)


def is_ownerless(step: Step, before: Sequence[Step]) -> bool:
    """Whether it speaks of what belongs to something, and nothing was named that it could be."""
    if step.place is not None or _owner(before, spoken_of(before)) is not None:
        return False
    return _is_pronoun(step)


def _is_pronoun(step: Step) -> bool:
    """Whether what it is about is `its` own."""
    condition = step.condition if isinstance(step, Check) else getattr(step, "until", None)
    for part in (step, *_claims(condition)):
        for name in ("what", "into", "source"):
            said = getattr(part, name, None)
            phrases = said if isinstance(said, tuple) else (said,)
            if any(isinstance(one, str) and _PRONOUN.match(one) for one in phrases):
                return True
    return False


def _claims(condition: object) -> tuple[Condition, ...]:
    if isinstance(condition, Not):
        return _claims(condition.condition)
    if isinstance(condition, Every):
        return tuple(one for part in condition.conditions for one in _claims(part))
    return (condition,) if isinstance(condition, Condition) else ()


def _opened(before: Sequence[Step]) -> bool:
    """Whether the thing was opened just before, so that its page is in sight and not itself."""
    last = next((s for s in reversed(before) if not isinstance(s, Check | Wait | Read)), None)
    filled = (Enter, SetValue, Choose, Tick, Check, Wait, Read)
    opener = next((s for s in reversed(before) if not isinstance(s, filled)), None)
    if isinstance(opener, Perform) and opener.verb == "edit":
        return True
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
    if isinstance(step, Perform) and step.what and _OWN_ZH.match(step.what):
        return replace(step, what=_bare(step.what))
    if isinstance(step, Check) and (condition := _stated(step.condition)) is not None:
        return replace(step, condition=condition)
    if isinstance(step, Wait) and step.until and (condition := _stated(step.until)) is not None:
        return replace(step, until=condition)
    return None


def _stated(condition: Condition) -> Condition | None:
    if isinstance(condition, Not):
        inner = _stated(condition.condition)
        return None if inner is None else Not(inner)
    if isinstance(condition, Every):
        parts = [_stated(one) for one in condition.conditions]
        known = tuple(one for one in parts if one is not None)
        return replace(condition, conditions=known) if len(known) == len(parts) else None
    if isinstance(condition, Has | Is | Shows) and _OWN.match(condition.what):
        return replace(condition, what=_bare(condition.what))
    return None


def _bare(phrase: str) -> str:
    found = _OWN.match(phrase)
    return phrase if found is None else ("the " if found["en"] else "") + phrase[found.end() :]
