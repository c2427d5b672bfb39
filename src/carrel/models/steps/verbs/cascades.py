"""Choices that lead to further ones, column by column, in the panel of one field."""

from __future__ import annotations

import re

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.entry_rows import says
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import Choose
from carrel.models.steps.shown.reading import options_of, text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.popups import new_items
from carrel.perception.find import Match
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["choose_in_chain", "offered"]

_CHAIN = re.compile(r"\s*(?:/|>|›|»|→)\s*")
_IN = re.compile(r"(?P<option>.+?) (?:in|from) (?:the )?(?P<source>[^\"“”/>]+)", re.IGNORECASE)
COMING = (0.0, 0.2, 0.4, 0.6)
"""Seconds between looks for the next column."""


def _as_chain(desk: Desk, step: Choose) -> tuple[Element, tuple[str, ...]] | None:
    """The field whose panel is meant, and the choices that lead to one another; None for others.

    "A / B / C" may be the name of one option: what comes up tells.
    """
    options, source = step.options, step.source
    if source is None and (found := _IN.fullmatch(options[-1] if options else "")):
        options, source = (*options[:-1], found["option"]), found["source"]
    if source is None or not (step.path or len(options) == 1):
        return None
    parts = options if step.path else tuple(_CHAIN.split(options[0].strip().strip('"“”')))
    match = resolve(desk, look_for(desk, wished(source, (Kind.COMBO, Kind.FIELD))))
    if len(parts) < 2 or match is None or not all(re.search(r"[^\W\d]", part) for part in parts):
        return None
    field = match.element
    known = {e.name.strip() for e in options_of(field, desk.elements)}
    opens = kind_of(field) is Kind.COMBO or is_field(field)
    one = options[0].strip().strip('"“”') in known and not step.path
    return None if one or not opens or field.box is None else (field, parts)


def choose_in_chain(desk: Desk, step: Choose) -> Turns[bool]:
    """Take one choice after the other; False, and nothing done, where it is no such chain.

    Raises:
        Missed: One of them does not lead to the next, or the field does not say them afterwards.
    """
    chain = _as_chain(desk, step)
    if chain is None or chain[0].box is None:
        return False
    (field, parts), whole = chain, "" if step.path else step.options[0]
    assert field.box is not None
    before, at = desk.elements, field.box.center
    desk.worked = field.box
    yield from desk.do(Click(at.x, at.y), why=f"what {named(field)} offers", commits=False)
    first = yield from _next(desk, field, parts[0], before)
    beside = first is not None and all(offered(desk, field, p, before) for p in parts[1:])
    if first is None or beside or (whole and offered(desk, field, whole, before) is not None):
        if new_items(desk.elements, before, field):
            yield from desk.do(Key(("escape",)), why="it is no chain of choices", commits=False)
        return False
    match: Match | None = first
    for number, part in enumerate(parts):
        if match is None:
            yield from desk.do(Key(("escape",)), why="not there: close it", commits=False)
            raise Missed(f"{parts[number - 1]} of {named(field)} does not lead to {part}")
        last, shown = number == len(parts) - 1, desk.elements
        click = Click(match.point.x, match.point.y)
        yield from desk.do(click, why=f"{part}, {match.why}", commits=last, last=last)
        if not last:
            match = yield from _next(desk, field, parts[number + 1], shown)
    yield from _see(desk, field, parts)
    return True


def _next(
    desk: Desk, field: Element, part: str, before: tuple[Element, ...]
) -> Turns[Match | None]:
    """A choice in what came up, once it has."""
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why=f"{part} may still come up")
        if (match := offered(desk, field, part, before)) is not None:
            return match
    return None


def offered(desk: Desk, field: Element, part: str, before: tuple[Element, ...]) -> Match | None:
    """The one thing that came up and is called so."""
    new = [e for e in new_items(desk.elements, before, field) if e.box is not None]
    match = resolve(desk, look_for(desk, wished(part, (Kind.OPTION,)), new))
    return match or resolve(desk, look_for(desk, wished(part), new))


def _see(desk: Desk, field: Element, parts: tuple[str, ...]) -> Turns[None]:
    """See that the field says what was chosen last.

    Raises:
        Missed: It says something else.
    """
    said, last = "", parts[-1].strip('"“”')
    for pause in COMING:
        if pause:
            yield from desk.again(pause, why="what was taken")
        now = _now(desk, field)
        said = "" if now is None else now.value or text_of(now, desk.elements)
        box = now.box if now is not None else None
        inside = [e.name for e in desk.elements if within(e.box, box)]
        if any(says(text, last) for text in (said, *inside)):
            return
    if said:
        raise Missed(f"{named(field)} says {said!r} after {' / '.join(parts)} was chosen")
    desk.doubt(f"nothing tells that {' / '.join(parts)} was taken")


def _now(desk: Desk, field: Element) -> Element | None:
    """The field, which may be called otherwise once something is chosen."""
    here = [e for e in desk.elements if (e.role, e.box) == (field.role, field.box)]
    return here[0] if here else same_as(desk.elements, field)
