"""What a claim speaks of: pronouns in conditions, once the steps before them are known."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.chinese.references import about_zh
from carrel.models.steps.language.english.references import dialog_before, refer
from carrel.models.steps.language.one_of import new_value
from carrel.models.steps.language.spoken import quoted_before, spoken_of
from carrel.models.steps.language.talk import HERE
from carrel.models.steps.program import (
    Check,
    Condition,
    Every,
    Has,
    If,
    Is,
    Not,
    Open,
    Perform,
    Point,
    Read,
    Shows,
    Step,
    WindowOpen,
)

__all__ = ["about", "nobody", "on_page", "remembered"]

_HOLDING = re.compile(
    r"\b(?:field|box|input|area|cell|row|line|item|card|message|label|list|tab|entry)\b|[框栏格行]",
    re.IGNORECASE,
)


def on_page(condition: Condition, before: list[Step]) -> Condition:
    """`click Verify; if it says “Expired”`: the page says so, not the button."""
    if isinstance(condition, Not):
        return Not(on_page(condition.condition, before))
    if not isinstance(condition, Has) or condition.what.lower() != "it" or not before:
        return condition
    last = before[-1]
    clicked = isinstance(last, Point) and last.how == "click" and not _HOLDING.search(last.what)
    told = condition.how == "contains" and '"' not in condition.text
    return Shows(f'"{condition.text}"') if clicked and told else condition


def nobody(condition: Condition, before: list[Step], place: str | None) -> Condition:
    """`At the bottom it should say “Saved”`: "it" stands for no thing."""
    if isinstance(condition, Not):
        return Not(nobody(condition.condition, before, place))
    if not isinstance(condition, Has) or condition.what.lower() != "it":
        return condition
    last = before[-1] if before else None
    gone = isinstance(last, Check) and last.condition == Not(Shows(spoken_of(before) or ""))
    nothing = place is not None or spoken_of(before) is None or gone
    told = condition.how == "contains" and '"' not in condition.text
    return Shows(f'"{condition.text}"') if nothing and told else condition


def remembered(condition: Condition, before: list[Step]) -> Condition:
    """`remember the order number and check that it is shown`: what was read, wherever it is."""
    if isinstance(condition, Not):
        return Not(remembered(condition.condition, before))
    if not isinstance(condition, Shows):
        return condition
    read = next((s for s in reversed(before) if isinstance(s, Read)), None)
    if read is None:
        return condition
    named = re.fullmatch(r"(?P<of>.+?[里中上内]的)?(?:该|这个|此)(?P<noun>.+)", condition.what)
    same = named is not None and read.what.endswith(named["noun"])
    it = condition.what.lower() in ("it", "它") and spoken_of(before) == read.what
    where = named["of"] or "" if named else ""
    return Shows(f"{where}{{{read.name}}}") if same or it else condition


def about(condition: Condition, before: list[Step]) -> Condition | None:
    """The condition with its pronoun filled in; None when that stands for nothing."""
    if (condition := about_zh(condition, before)) is None:  # type: ignore[assignment]
        return None
    if isinstance(condition, Not):
        inner = about(condition.condition, before)
        return None if inner is None else Not(inner)
    if isinstance(condition, Every):
        parts = list[Condition]()
        for one in condition.conditions:
            known = about(one, [*before, *map(Check, parts)])
            if known is None:
                return None
            parts.append(known)
        return replace(condition, conditions=tuple(parts))
    if isinstance(condition, WindowOpen) and HERE.fullmatch(condition.title):
        opened = next((s.what for s in reversed(before) if isinstance(s, Open)), None)
        if (dialog := dialog_before(before)) is not None:
            return Shows(dialog)
        return WindowOpen(opened) if opened else None
    if isinstance(condition, Is) and _is_program(condition, before):
        return WindowOpen(condition.what)
    what = getattr(condition, "what", None)
    if isinstance(condition, Shows) and (
        said := quoted_before(condition.what, before) or new_value(condition.what, before)
    ):
        return Shows(said)
    if not isinstance(what, str):
        return condition
    thing = _spoken(before) if HERE.fullmatch(what) else refer(what, before)
    if thing is None or thing == what:
        return None if thing is None else condition
    return replace(condition, what=thing)  # type: ignore[call-arg]


def _spoken(before: list[Step]) -> str | None:
    """`if X is above 30, …; if it is below 15, …`: what the case before was about."""
    last = before[-1] if before else None
    condition = last.condition if isinstance(last, If) else None
    what = getattr(getattr(condition, "condition", condition), "what", None)
    return what if isinstance(what, str) else spoken_of(before)


def _is_program(condition: Is, before: list[Step]) -> bool:
    """验证 mousepad 已关闭: of a program that was opened, or closed, its window is meant."""
    opened = [s.what for s in before if isinstance(s, Open)]
    closed = [s.what for s in before if isinstance(s, Perform) and s.verb == "close" and s.what]
    names = {name.strip('"').casefold() for name in opened + closed}
    return condition.state == "checked" and condition.what.strip('"').casefold() in names
