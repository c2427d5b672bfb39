"""Forms that take the particulars of a verb, each in its own control, and how they are finished."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import finishing
from carrel.models.steps.finding.sorts_of_value import counts_in, is_date, is_time
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.language.dates import iso_date, iso_time
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.runs import run_of
from carrel.models.steps.program import (
    Choose,
    Clear,
    Enter,
    Perform,
    PickDate,
    PickTime,
    Point,
    SetValue,
    Step,
    Submit,
    Tick,
)
from carrel.models.steps.shown.entries import entry_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.dates import pick_date
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.entering import empty_fields, fields_of, put
from carrel.models.steps.verbs.fields import is_to_search
from carrel.models.steps.verbs.forms import field_for, fill_in, fill_one, is_form_for
from carrel.models.steps.verbs.forms import lacking as lacking_fields
from carrel.models.steps.verbs.offers import best_of
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.setting import give
from carrel.models.steps.verbs.slots import (
    Particular,
    Slot,
    choice_said,
    controls_of,
    lacking,
    look_into,
    particulars_of,
    said_of_thing,
    slot_for,
)
from carrel.models.steps.verbs.ticking import bring_to
from carrel.models.steps.verbs.times import pick_time
from carrel.models.steps.verbs.told_of_thing import choices_of_thing, refuse_untold
from carrel.perception.roles import TICKED, Kind, is_field, kind_of

__all__ = [
    "by_form",
    "fill_form",
    "fill_slot",
    "fill_slots",
    "finish",
    "is_filled_further",
    "refuse_half",
]

LEVEL = 8
"""Pixels by which the middle of a field may differ from that of a button in its line."""

_FILLS = (Choose, Clear, Enter, PickDate, PickTime, SetValue, Tick)
_CONSENTS = frozenset({"accept", "agree"})
_GOES_INTO = re.compile(
    r"^(?:the|my|your)\s(?:[\w-]+\s)*(?:cart|basket|bag|trolley|(?:wish)?list|favou?rites|folder|archive|"
    r"queue|playlist|collection|order|trash|bin)$",
    re.IGNORECASE,
)


def by_form(desk: Desk, step: Perform) -> Turns[bool]:
    """Whether a form is open that takes all particulars: filled first, finished with the verb."""
    if len(step.details) == 1 and _GOES_INTO.search(step.details[0][1]):
        return False  # where it goes is what its own control says
    chosen = any(choice_said(desk, text) is not None for _, text in step.details)
    of_thing = chosen or bool(said_of_thing(step.what or "") or choices_of_thing(desk, step.what))
    if of_thing and (yield from fill_slots(desk, step)):
        pass
    elif is_form_for(desk, step.details) and not _says_more(step.what or ""):
        choices = choices_of_thing(desk, step.what)
        _refuse_dropped(desk, step, choices)
        yield from fill_form(desk, step)
        for slot in choices:
            yield from fill_slot(desk, slot)
    elif of_thing or not (yield from fill_slots(desk, step)):
        return False
    yield from finish(desk, step.verb)
    return True


def _refuse_dropped(desk: Desk, step: Perform, choices: Sequence[Slot]) -> None:
    """Stop where words of the thing would be dropped: no field is left for them to go into."""
    empty = {field.id for field in empty_fields(desk)}
    taken = {e.id for word, text in step.details if (e := field_for(desk, word, text)) is not None}
    if len(empty - taken) != 1 and best_of(step.what or "") is None:
        refuse_untold(desk, step.what, step.verb, choices)


_MORE = re.compile(
    r"(?:^|\s)(?:for|in|on|with|at|by|to|from|under|until|as)\s+(?:the\s|an?\s)?[A-Z\d\"“]"
    r"|^[a-z]+ly\b|\s[a-z]+ly$"
    r"|^[\"“][^\"”]+[\"”]$"
)


def _says_more(what: str) -> bool:
    """Whether a thing is told with particulars of its own, which no field would get."""
    return bool(counts_in(what)) or _MORE.search(what) is not None


def fill_form(desk: Desk, step: Perform) -> Turns[None]:
    """The particulars, and what is left of the thing itself where one field is left for it."""
    yield from fill_in(desk, step.details)
    left = empty_fields(desk)
    if step.what is None or len(left) != 1 or best_of(step.what) is not None:
        return
    # The other fields say the rest: here goes what kind it is, without the noun they share.
    words = re.sub(r"^(?:the|an?|some|any)\s+", "", step.what, flags=re.IGNORECASE).split()
    text = " ".join(words[:-1] if step.details else words)
    if not text:
        return  # "a comment": only the noun, which says of what sort the other texts are
    yield from put(desk, left[0], text.strip("\"'“”"), why="the field that is left")


def refuse_half(desk: Desk, step: Perform) -> None:
    """A form that takes some of the particulars is the one that is meant: it lacks the others.

    Raises:
        Missed: So it is; to press its button now would send it as it is.
    """
    left = lacking_fields(desk, step.details)
    told = particulars_of(step.what, step.details)
    free = [pair for pair in told if slot_for(desk, *pair) is None]
    if free and len(free) < len(told):
        listed = ", ".join(map(named, controls_of(desk))) or "none"
        said = ", ".join(f"“{word} {text}”" for word, text in free)
        raise Missed(f"no field for {said}; fields: {listed}")
    if left and (len(left) < len(step.details) or _ends_a_line(desk, step.verb)):
        listed = ", ".join(map(named, fields_of(desk))) or "none"
        raise Missed(f"no field for {', '.join(left)}; fields: {listed}")


def _ends_a_line(desk: Desk, verb: str) -> bool:
    """Whether the one button for a verb ends a line of fields that are still empty."""
    control = finishing(desk, verb)
    if control is None or control.box is None or verb not in control.name.casefold():
        return False
    at = control.box
    line = [
        e
        for e in empty_fields(desk)
        if e.box is not None and e.box.right <= at.x and abs(e.box.center.y - at.center.y) <= LEVEL
    ]
    return any(not is_to_search(desk, e) for e in line)


def _in_one_row_of_many(desk: Desk, particulars: Sequence[Particular]) -> bool:
    """Whether a control for it is of one row of a table, and others have the like.

    Which row is meant, the heading of the column does not tell.
    """
    tree = lineage_of(tuple(desk.elements))
    slots = [slot_for(desk, *pair) for pair in particulars]
    for control in (slot.control for slot in slots if slot is not None):
        row = next((e for e in tree.above(control) if kind_of(e) is Kind.ROW), None)
        peers = [e for e in tree.elements if row is not None and _is_peer(e, row)]
        if any(kind_of(e) is kind_of(control) for peer in peers for e in tree.below(peer)):
            return True
    return False


def _is_peer(one: Element, row: Element) -> bool:
    return kind_of(one) is Kind.ROW and one.parent == row.parent and one.id != row.id


def fill_slots(desk: Desk, step: Perform) -> Turns[bool]:
    """Give every particular to the control that takes it; whether a form takes them all.

    Raises:
        Missed: One of them is gone when its turn comes.
    """
    particulars = particulars_of(step.what, step.details)
    untold = _says_more(step.what or "") and not said_of_thing(step.what or "")
    if not particulars or untold:
        return False
    yield from look_into(desk)
    if any(lacking(desk, particulars)) or _in_one_row_of_many(desk, particulars):
        return False
    given = [slot for pair in particulars if (slot := slot_for(desk, *pair))]
    taken = {slot.control.id for slot in given}
    of_thing = [s for s in choices_of_thing(desk, step.what) if s.control.id not in taken]
    refuse_untold(desk, step.what, step.verb, [*given, *of_thing])
    for slot in of_thing:
        yield from fill_slot(desk, slot)
    for word, text in particulars:
        yield from fill_slot(desk, (yield from _slot_now(desk, word, text)))
    return True


def _slot_now(desk: Desk, word: str, text: str) -> Turns[Slot]:
    """Where a particular goes by now: a form may be drawn anew with each."""
    slot = slot_for(desk, word, text)
    for pause in (0.2, 0.5):
        if slot is not None:
            return slot
        yield from desk.again(pause, why=f"where {text!r} goes")
        slot = slot_for(desk, word, text)
    if slot is None:
        listed = ", ".join(map(named, fields_of(desk))) or "none"
        raise Missed(f"no field for {word} {text}; fields: {listed}")
    return slot


def fill_slot(desk: Desk, slot: Slot) -> Turns[None]:
    """A control its value, as its kind takes it."""
    control, value = slot
    kind = kind_of(control)
    if kind in TICKED:
        yield from bring_to(desk, control, True, f"it says {value}")
    elif kind is Kind.COMBO and not is_field(control):
        yield from choose_from_combo(desk, control, value)
    elif is_date(value) and _is_day(control):
        yield from pick_date(desk, PickDate(value, iso_date(value) or "", _at(control)))
    elif is_time(value):
        yield from pick_time(desk, PickTime(value, iso_time(value) or "", _at(control)))
    elif kind in (Kind.SPINNER, Kind.SLIDER):
        yield from give(desk, control, value)
    else:
        yield from fill_one(desk, control, value)


def _is_day(control: Element) -> bool:
    return kind_of(control) not in (Kind.SPINNER, Kind.SLIDER)


def _at(control: Element) -> str | None:
    """A place stands for what is there, whatever it is called."""
    return f"{control.box.center.x},{control.box.center.y}" if control.box else None


def finish(desk: Desk, verb: str) -> Turns[None]:
    """The button that ends it: named for the verb, or for ending; a later step may press it."""
    control = finishing(desk, verb)
    if control is None and (yield from desk.closer()):
        control = finishing(desk, verb)
    if _is_left_to_later(desk, control) or (control is None and _goes_on_later(desk)):
        return
    if control is not None and is_filled_further(desk):
        desk.owed = Perform(verb, words=desk.step)
        return
    if (control is None or not _filters(control)) and verb == "filter":
        return  # what is chosen is what is shown
    if control is None or control.box is None:
        raise Missed(f"no control to finish {verb!r} with")
    at = control.box.center
    yield from desk.do(Click(at.x, at.y), why=f"finish with {named(control)}", last=True)
    yield from desk.effect()
    desk.finished = control.name.strip()


def _filters(control: Element) -> bool:
    return re.search(r"apply|filter|search|go|show|update", control.name, re.IGNORECASE) is not None


def _is_left_to_later(desk: Desk, control: Element | None) -> bool:
    """Whether the steps to come fill in more and press it then: twice would send it twice."""
    for number, step in enumerate(desk.ahead):
        if isinstance(step, Submit):
            return True
        if isinstance(step, Point):
            return control is not None and _is_at(desk, step, control)
        if isinstance(step, Perform) and step.verb not in _CONSENTS:
            said = control is not None and step.verb in control.name.casefold()
            return number > 0 and said and not step.details
        if not isinstance(step, _FILLS) and not isinstance(step, Perform):
            return _is_pressed_later(desk, control, desk.ahead[number:])
    return False


_GOES_ON = re.compile(
    r"(?:the )?[\"“]?(?:next|continue|go on)\b|[\"“]?(?:下一步|继续|去支付|去确认)", re.IGNORECASE
)


def _goes_on_later(desk: Desk) -> bool:
    """Whether a step that follows goes on from what was filled in, to where it is ended."""
    points = [one for one in desk.ahead if isinstance(one, Point) and one.how == "click"]
    own = desk.said and any(desk.said in one.what for one in points)
    return bool(own) or any(_GOES_ON.match(one.what.strip()) for one in points)


def _is_pressed_later(desk: Desk, control: Element | None, ahead: Sequence[Step]) -> bool:
    """Whether a later step is told to press it itself: what comes before may still need it open."""
    return control is not None and any(
        isinstance(step, Point) and _is_at(desk, step, control) for step in ahead
    )


def is_filled_further(desk: Desk) -> bool:
    """Whether the next step sets something that is there, and is no entry of a list."""
    step = desk.ahead[0] if desk.ahead else None
    if step is None or step.place is not None:
        return False
    if isinstance(step, Enter):
        match = _found(desk, step.into, Kind.FIELD)
        return match is not None and match.id in {e.id for e in empty_fields(desk)}
    if isinstance(step, Tick) and len(step.what) == 1:
        box = _found(desk, step.what[0], Kind.CHECKBOX)
        in_list = box is not None and (entry_of(desk.elements, box) or run_of(desk.elements, box))
        return box is not None and not in_list
    if isinstance(step, SetValue):
        control = _found(desk, step.what, Kind.COMBO)
        return control is not None and kind_of(control) is Kind.COMBO
    return False


def _found(desk: Desk, phrase: str | None, kind: Kind) -> Element | None:
    """What a step is about, where that is of a kind, or takes a value."""
    match = resolve(desk, look_for(desk, wished(phrase), want="act")) if phrase else None
    fits = match is not None and (
        kind_of(match.element) in (kind, *TICKED) or is_field(match.element)
    )
    return match.element if match is not None and fits else None


def _is_at(desk: Desk, step: Point, control: Element) -> bool:
    """Whether a step points at a control."""
    if step.place is not None or step.how != "click":
        return False
    match = resolve(desk, look_for(desk, wished(step.what)))
    return match is not None and match.element.box == control.box
