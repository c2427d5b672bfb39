"""Searching with the field that the screen has for it: type, submit, see that something came."""

from __future__ import annotations

import re

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.entering import fields_of, put
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["search_field", "search_for"]

_SEARCH = re.compile(
    r"\b(?:search|find|look ?up|query|filter|keywords?)\b|"
    r"搜索|查找|查询|检索|关键字|关键词",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|an?|some|any)\s+", re.IGNORECASE)
NEAR = 400
"""Pixels from a field to the button that searches with it."""


def search_field(desk: Desk) -> Element | None:
    """The one field that is there to search with: by its name, or by the button beside it."""
    plain = [
        e for e in fields_of(desk) if kind_of(e) is Kind.FIELD and "multi line" not in e.states
    ]
    called = [e for e in plain if _SEARCH.search(_called(desk, e))]
    if len(called) == 1:
        return called[0]
    beside = [e for e in plain if _button_of(desk, e) is not None]
    return beside[0] if not called and len(beside) == 1 else None


def _called(desk: Desk, field: Element) -> str:
    label = label_of(field, desk.elements)
    return f"{field.name} {field.text} {written_on(label) if label is not None else ''}"


def _button_of(desk: Desk, field: Element) -> Element | None:
    """The button that searches, level with the field or just below it."""
    box = field.box
    assert box is not None
    found = []
    for control in controls_for(desk, "search"):
        if control.box is None or kind_of(control) not in (Kind.BUTTON, Kind.ICON, Kind.IMAGE):
            continue
        level = box.y - box.height < control.box.center.y < box.bottom + 2 * box.height
        if level and abs(control.box.x - box.right) < NEAR:
            found.append(control)
    return found[0] if len(found) == 1 else None


def search_for(desk: Desk, field: Element, what: str) -> Turns[None]:
    """Type it into the field and submit; what does not show is told as a doubt."""
    text = what.strip()
    quoted = re.fullmatch(r"[\"“'‘「](.+)[\"”'’」]", text)
    text = quoted[1] if quoted is not None else _ARTICLE.sub("", text)
    yield from put(desk, field, text, why="the field to search with")
    desk.doubts.clear()
    button = _button_of(desk, field)
    if button is not None and button.box is not None:
        at = button.box.center
        yield from desk.do(Click(at.x, at.y), why=f"search with {named(button)}", last=True)
    else:
        yield from desk.do(Key(("enter",)), why="search with Enter", last=True)
    yield from desk.effect()
    desk.worked = None
