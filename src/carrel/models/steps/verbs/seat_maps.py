"""Places on a plan, by their row and number: `take seats D5 and D6`, `seat 4C in coach 2`."""

from __future__ import annotations

import re

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import control_for
from carrel.models.steps.finding.meeting_places import place_of_code
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import Choose, Point, Step
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["take_places"]

_NOUN = (
    r"(?:(?:free|available|parking|window|aisle|camp(?:ing)?|market) )*"
    r"(?:seat|place|space|spot|slot|bay|locker|table|desk|berth|cell|square|field|box|stall|stand|"
    r"pitch|plot|room|cabin)(?:e?s)?"
)
_CODE = r"(?:[A-Za-z][- ]?\d{1,3}|\d{1,3}[- ]?[A-Za-z])"
_JOIN = r"(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*&\s*)"
_NUMBERS = rf"\d{{1,3}}(?:{_JOIN}\d{{1,3}})*"
_VERB = (
    r"(?P<verb>take|choose|select|pick|book|reserve|click|tap|press|get|grab|hold|mark|want)"
    r"(?: out| on)?(?: me| us)?"
)
_PLACES = re.compile(
    rf"(?:please )?{_VERB} (?:the |my )?(?:{_NOUN} )?(?:numbers? )?"
    rf"(?P<codes>{_CODE}(?:{_JOIN}(?:the )?(?:{_NOUN} )?{_CODE})*)"
    r"(?:,? (?:in|on|of) (?:the )?(?P<where>[^,.]+))?\.?",
    re.IGNORECASE,
)
_IN_ROW = re.compile(
    rf"(?:please )?{_VERB} (?:the |my )?"
    rf"(?:{_NOUN} (?:numbers? )?(?P<n>{_NUMBERS}),? (?:in|of) (?:the )?row (?P<row>[A-Za-z])"
    rf"|row (?P<row2>[A-Za-z]),? {_NOUN} (?:numbers? )?(?P<n2>{_NUMBERS}))\.?",
    re.IGNORECASE,
)
_ENDS = frozenset({"book", "reserve"})
_OPENED = frozenset({Kind.TAB, Kind.BUTTON, Kind.LINK, Kind.TEXT, Kind.OPTION, Kind.RADIO})


def take_places(desk: Desk, step: Step) -> Turns[bool]:
    """Click each place that is told by its row and its number; whether the step is just that.

    Raises:
        Missed: One of them cannot be told, or cannot be taken.
    """
    said = _read(step.words) or _read(_told_alone(step))
    if said is None:
        return False
    verb, codes, where = said
    if where and not (yield from _come_to(desk, where)):
        return False
    places = [place_of_code(desk, *code) for code in codes]
    if any(place is None or is_disabled(place) for place in places):
        return False
    for code, place in zip(codes, places, strict=True):
        assert place is not None
        yield from _take(desk, "".join(code), place)
    if verb in _ENDS and not desk.ahead:
        control = control_for(desk, verb, near=False)
        if control is None or control.box is None:
            raise Missed(f"no control to {verb} with")
        at = control.box.center
        yield from desk.do(Click(at.x, at.y), why=f"{named(control)} stands for {verb}", last=True)
        yield from desk.effect()
    return True


def _told_alone(step: Step) -> str:
    """What a step is about, where its words are those of others as well."""
    if isinstance(step, Point):
        return f"click {step.what}" if step.how == "click" and step.times == 1 else ""
    if isinstance(step, Choose) and step.source is None and not step.path:
        return f"choose {' and '.join(step.options)}"
    return ""


def _take(desk: Desk, code: str, place: Element) -> Turns[None]:
    assert place.box is not None
    at, desk.worked = place.box.center, place.box
    yield from desk.do(Click(at.x, at.y), why=f"the place {code}", last=True)
    if not (yield from desk.effect()):
        desk.doubts.clear()
        raise Missed(f"nothing changed when {code} was clicked: it may be taken")


def _read(words: str) -> tuple[str, list[tuple[str, str]], str] | None:
    """The verb, the letters and numbers of the places, and where they are said to be."""
    plain = " ".join(words.replace('"', "").replace("“", "").replace("”", "").split())
    if (rowed := _IN_ROW.fullmatch(plain)) is not None:
        numbers = re.findall(r"\d+", rowed["n"] or rowed["n2"])
        row = (rowed["row"] or rowed["row2"]).upper()
        return rowed["verb"].casefold(), [(row, number) for number in numbers], ""
    said = _PLACES.fullmatch(plain)
    if said is None:
        return None
    codes = re.findall(rf"\b{_CODE}\b", said["codes"])
    told = [(re.sub(r"[^A-Za-z]", "", c).upper(), re.sub(r"\D", "", c)) for c in codes]
    return said["verb"].casefold(), told, said["where"] or ""


def _come_to(desk: Desk, where: str) -> Turns[bool]:
    """Open the part of the plan that is told; whether it is there."""
    match = resolve(desk, look_for(desk, wished(where.strip())))
    if match is None:
        return False
    if kind_of(match.element) not in _OPENED:
        return kind_of(match.element) is Kind.HEADING
    if "selected" in match.element.states:
        return True
    # A mere text that nothing like it stands beside is only a title.
    beside = [e for e in part_meant(desk.elements, "") if _is_level(e, match.element)]
    if kind_of(match.element) is Kind.TEXT and len(beside) < 2:
        return True
    yield from desk.do(Click(match.point.x, match.point.y), why=f"come to {named(match.element)}")
    yield from desk.again(0.2, why="what it shows")
    return True


def _is_level(one: Element, other: Element) -> bool:
    a, b = one.box, other.box
    same = one.role == other.role and a is not None and b is not None
    return same and a is not None and b is not None and abs(a.center.y - b.center.y) <= 4
