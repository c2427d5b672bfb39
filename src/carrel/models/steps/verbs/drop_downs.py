"""Drop-downs, and fields that suggest what to take."""

from __future__ import annotations

from collections.abc import Iterable

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.later import same_as
from carrel.models.steps.panes import is_at_edge, make_room
from carrel.models.steps.reading import chosen_of, field_value, fold, options_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.fields import field_at, typed
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.popups import OPTION, further_down, opened
from carrel.models.steps.wishes import look_for, resolve, wished
from carrel.perception.find import Match
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["choose_from_combo", "choose_from_suggestions"]

SAME = 6
"""Pixels that a drop-down may move and still be at the same place."""


def choose_from_combo(desk: Desk, combo: Element, option: str) -> Turns[None]:
    """Open a drop-down, choose, and read back what it shows.

    Raises:
        Missed: It has no such option, or shows another one afterwards.
    """
    if is_field(combo) and "read only" not in combo.states:
        yield from choose_from_suggestions(desk, combo, option)
        return
    assert combo.box is not None
    desk.worked = combo.box
    before = desk.elements
    if "expanded" not in combo.states:
        at = combo.box.center
        yield from desk.do(Click(at.x, at.y), why=f"open {named(combo)}", commits=False)
    match = yield from opened(desk, combo, option, before)
    if match is None:
        match = yield from further_down(desk, combo, option, before)
    taken = ""
    if match is None:
        try:
            taken = yield from _type_ahead(desk, combo, option)
        except Missed:
            combo, match = yield from _with_room(desk, combo, option)
            if match is None:
                raise
    if match is not None:
        here, taken = match.point, match.element.name or match.element.text
        why = f"{named(match.element)}, {match.why}"
        yield from desk.do(Click(here.x, here.y), why=why, last=True)
    yield from _check_combo(desk, combo, taken or option)


def _with_room(desk: Desk, combo: Element, option: str) -> Turns[tuple[Element, Match | None]]:
    """Open it again further up, where its list may have been beyond the edge of the page."""
    now = yield from make_room(desk, combo)
    if now is None or now.box is None:
        return combo, None
    before, at = desk.elements, now.box.center
    yield from desk.do(Click(at.x, at.y), why=f"open {named(now)}", commits=False)
    match = yield from opened(desk, now, option, before)
    desk.worked = now.box
    return now, match


def _type_ahead(desk: Desk, combo: Element, option: str) -> Turns[str]:
    """A long list: the keyboard finds what is not in sight; what it is called there."""
    yield from desk.again(0, why=f"all options of {named(combo)}", hidden=True)
    now = same_as(desk.unseen, combo) or combo
    options = options_of(now, desk.unseen)
    match = resolve(desk, look_for(desk, wished(option, OPTION), options)) if options else None
    if match is None:
        yield from desk.do(Key(("escape",)), why="close the list again", commits=False)
        listed = ", ".join(e.name for e in options[:12]) or "none that can be read"
        raise Missed(f"{named(combo)} has no option {option!r}; it has: {listed}")
    keys: tuple[Action, ...] = (Type(match.element.name), Key(("enter",)))
    yield from desk.do(*keys, why=f"{match.element.name} is further down the list", last=True)
    return match.element.name


def _check_combo(desk: Desk, combo: Element, taken: str) -> Turns[None]:
    """See that the drop-down shows what was chosen; where it tells nothing, that is in doubt."""
    chosen, wanted = "", fold(taken)
    for pause in (0.0, 0.2, 0.5):
        yield from desk.again(pause, why=f"what {named(combo)} shows now", hidden=True)
        now = _in_place(desk.unseen, combo) or same_as(desk.unseen, combo)
        chosen = chosen_of(now, desk.unseen) if now is not None else ""
        said = (chosen, *((now.value or "", now.text, now.name) if now is not None else ()))
        if any(fold(text) == wanted for text in (*said, *_written_in(desk, now or combo))):
            return
    if chosen and wanted not in fold(chosen).split(", "):
        raise Missed(f"{named(combo)} shows {chosen!r} after {taken!r} was chosen")
    if not chosen and not _stands_beside(desk, combo, taken):
        desk.doubt(f"{named(combo)} does not tell whether {taken!r} is chosen")


def _written_in(desk: Desk, combo: Element) -> Iterable[str]:
    """What can be read on a drop-down that is made of other things."""
    inner = (e for e in desk.elements if e.id != combo.id and within(e.box, combo.box))
    return (e.name or e.value or e.text for e in inner)


def _in_place(elements: Iterable[Element], before: Element) -> Element | None:
    """What begins where something did: some are called by what is chosen of them, and so long."""
    at = before.box
    here = [e for e in elements if e.role == before.role and e.box is not None and at is not None]
    return next(
        (e for e in here if e.box and at and max(abs(e.box.x - at.x), abs(e.box.y - at.y)) <= SAME),
        None,
    )


def _stands_beside(desk: Desk, field: Element, text: str) -> bool:
    """Whether a text is written over a field or in one line with it, as what was chosen is."""
    at = field.box
    assert at is not None
    return any(
        e.box is not None and e.id != field.id and e.box.y < at.bottom and at.y < e.box.bottom
        for e in desk.elements
        if fold(e.name or e.value or e.text) == fold(text)
    )


def choose_from_suggestions(desk: Desk, field: Element, option: str) -> Turns[None]:
    """Type, and take the suggestion that comes up."""
    if is_at_edge(desk, field):
        field = (yield from make_room(desk, field)) or field
    assert field.box is not None
    desk.worked = field.box
    at = field.box.center
    text = wished(option).description.name or option
    before, match = desk.elements, None
    if kind_of(field) is Kind.COMBO and "has popup" in field.states:
        yield from desk.do(Click(at.x, at.y), why=f"open {named(field)}", commits=False)
        match = yield from opened(desk, field, option, before)
        if match is not None and not within(match.element.box, field.box):
            yield from _take(desk, match)
            yield from _check_taken(desk, field, text, match)
            return
    # Among tags that were taken before, "select all" would select these.
    over = (Key(("ctrl", "a")),) if field.value is None or field_value(field) else ()
    strokes = (Click(at.x, at.y), *over, typed(text))
    yield from desk.do(*strokes, why=f"type into {named(field)} for its suggestions")
    match = yield from opened(desk, field, option, before)
    if match is not None and not within(match.element.box, field.box):
        yield from _take(desk, match)
    else:
        _check_typed(desk, field, text)
    yield from _check_taken(desk, field, text, match)


def _check_typed(desk: Desk, field: Element, text: str) -> None:
    """Nothing was there to be taken: what was typed may do, where it stands in the field.

    Raises:
        Missed: It does not.
    """
    now = field_at(desk, field)
    held = field_value(now) if now is not None else ""
    if text.casefold() not in held.casefold():
        raise Missed(f"no suggestion of {named(field)} for {text!r} was there to be taken")
    desk.doubt(f"no suggestion of {named(field)} was there to be taken")


def _take(desk: Desk, match: Match) -> Turns[None]:
    here = match.point
    yield from desk.do(Click(here.x, here.y), why=f"take {named(match.element)}", last=True)


def _check_taken(desk: Desk, field: Element, text: str, match: Match | None) -> Turns[None]:
    """See that a field holds what was chosen, or has it beside it.

    Raises:
        Missed: It holds something else.
    """
    now = field_at(desk, field)
    held = field_value(now) if now is not None else ""
    if now is None or now.value is None or text.casefold() in held.casefold():
        return
    for pause in (0.0, 0.3):
        if pause:
            yield from desk.again(pause, why=f"whether {text} stands beside it")
        if _stands_beside(desk, now, text):
            return
    if match is None or held:
        raise Missed(f"{named(field)} holds {held!r} after {text!r} was chosen")
    desk.doubt(f"{named(field)} does not tell whether {text!r} was taken")
