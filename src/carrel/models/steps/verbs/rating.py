"""Giving stars: by the name of the row of stars, or to the only one there is."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import Perform, SetValue
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.groups import choice_in, group_called
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.setting import set_value
from carrel.models.steps.verbs.sliding import number_in
from carrel.models.steps.verbs.star_signs import give_stars
from carrel.perception.labels import written_on
from carrel.perception.numbers import number
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["rate"]

_CALLED = ("rating", "stars", "score", "评分", "评价", "打分")
_STARS = re.compile(r"\b(?:rat(?:ing|e)|stars?|score|review)\b|评分|评价|打分|星", re.IGNORECASE)
_AND_MORE = re.compile(
    r"(?P<value>\d+(?:\s*stars?)?)(?:,? and|,)\s+(?P<what>\D+?)\s+(?:with |at )?(?P<rest>\d.*)",
    re.IGNORECASE,
)
"""Stars for one thing, and for another one behind them."""
_SO_MANY = re.compile(r"\d\s*(?:stars?|颗?星|分)", re.IGNORECASE)
_GIVING = (Kind.BUTTON, Kind.RADIO, Kind.LINK, Kind.ICON)
FEWEST = 3
"""Stars that a row has at least."""
_ARTICLE = re.compile(r"^(?:the|an?|my|your|its)\s+", re.IGNORECASE)


def rate(desk: Desk, step: Perform) -> Turns[bool]:
    """Give as many stars as are said; whether that was asked for.

    Raises:
        Missed: Nothing there takes stars. What is said of them is never typed into a field.
    """
    value = next((text for word, text in step.details if word == "with"), None)
    if step.verb == "rate" and value is not None and (more := _AND_MORE.fullmatch(value)):
        yield from rate(desk, replace(step, details=(("with", more["value"]),)))
        rest = replace(step, what=more["what"], details=(("with", more["rest"]),))
        return (yield from rate(desk, rest))
    value = None if value is None else _in_figures(value)
    if step.verb != "rate" or value is None or number_in(value) is None:
        return False
    called = _called(desk, step.what, value)
    if called is None and (star := _star_called(desk, value)) is not None and star.box is not None:
        at = star.box.center
        yield from desk.do(Click(at.x, at.y), why=f"{named(star)} stands for {value}")
        yield from desk.effect()
        return True
    if called is None and (yield from give_stars(desk, step.what or "", value)):
        return True
    if called is None:
        there = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.SLIDER and e.box]
        listed = ", ".join(map(named, there)) or "none"
        raise Missed(f"no stars to {step.verb} {step.what or 'it'} with; sliders: {listed}")
    yield from set_value(desk, SetValue(called, value, line=step.line))
    return True


def _in_figures(value: str) -> str:
    """`four stars` as `4 stars`."""
    first, _, rest = value.strip().partition(" ")
    told = None if number_in(value) is not None else number(first)
    return value if told is None else f"{told:g} {rest}".strip()


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


def _star_called(desk: Desk, value: str) -> Element | None:
    """The one button of a row of them that says how many stars it gives."""
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None and not is_disabled(e)]
    stars = [e for e in shown if kind_of(e) in _GIVING and _SO_MANY.fullmatch(written_on(e))]
    meant = [e for e in stars if number_in(written_on(e)) == number_in(value)]
    return meant[0] if len(meant) == 1 and len(stars) >= FEWEST else None


def _takes(desk: Desk, phrase: str, value: str) -> bool:
    """Whether a slider is called so, or a group of choices that has this one."""
    match = resolve(desk, look_for(desk, wished(phrase, (Kind.SLIDER,))))
    if match is not None and kind_of(match.element) is Kind.SLIDER:
        return True
    group = group_called(desk, phrase)
    return group is not None and choice_in(desk, group, value) is not None


def _is_stars(element: Element) -> bool:
    return kind_of(element) is Kind.SLIDER and _STARS.search(element.name) is not None
