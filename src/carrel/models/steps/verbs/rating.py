"""Giving stars: by the name of the row of stars, or to the only one there is."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Perform, SetValue
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.groups import choice_in, group_called
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.sliding import number_in
from carrel.models.steps.wishes import look_for, resolve, wished
from carrel.perception.roles import Kind, kind_of

__all__ = ["rate"]

_CALLED = ("rating", "stars", "score", "评分", "评价", "打分")
_STARS = re.compile(r"\b(?:rat(?:ing|e)|stars?|score|review)\b|评分|评价|打分|星", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?|my|your|its)\s+", re.IGNORECASE)


def rate(desk: Desk, step: Perform) -> Turns[bool]:
    """Give as many stars as are said; whether that was asked for.

    Raises:
        Missed: Nothing there takes stars. What is said of them is never typed into a field.
    """
    value = next((text for word, text in step.details if word == "with"), None)
    if step.verb != "rate" or value is None or number_in(value) is None:
        return False
    called = _called(desk, step.what, value)
    if called is None:
        there = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.SLIDER and e.box]
        listed = ", ".join(map(named, there)) or "none"
        raise Missed(f"no stars to {step.verb} {step.what or 'it'} with; sliders: {listed}")
    yield from set_value(desk, SetValue(called, value, line=step.line))
    return True


def _called(desk: Desk, what: str | None, value: str) -> str | None:
    """What the stars are called that are meant; None where that is not certain."""
    own = _ARTICLE.sub("", what or "")
    mine = [own, f"{own} rating", f"{own}评分", f"{own}评价"] if own else []
    for phrase in mine:
        if _takes(desk, phrase, value):
            return phrase
    only = [phrase for phrase in _CALLED if _takes(desk, phrase, value)]
    if only:
        return only[0]
    alone = [e for e in part_meant(desk.elements, "") if _is_stars(e)]
    return alone[0].name if len(alone) == 1 else None


def _takes(desk: Desk, phrase: str, value: str) -> bool:
    """Whether a slider is called so, or a group of choices that has this one."""
    match = resolve(desk, look_for(desk, wished(phrase, (Kind.SLIDER,))))
    if match is not None and kind_of(match.element) is Kind.SLIDER:
        return True
    group = group_called(desk, phrase)
    return group is not None and choice_in(desk, group, value) is not None


def _is_stars(element: Element) -> bool:
    return kind_of(element) is Kind.SLIDER and _STARS.search(element.name) is not None
