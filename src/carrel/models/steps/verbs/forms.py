"""Filling forms: every particular into the field that is labelled for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Action, Click, Move, Scroll, Wait
from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.sorts_of_value import amount_in, is_sum
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.language.dates import iso_date
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import Fill, PickDate
from carrel.models.steps.shown.captions import value_beside
from carrel.models.steps.shown.reading import fold, text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.dates import pick_date
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.entering import empty_fields, fields_of, put
from carrel.models.steps.verbs.fields import is_to_search
from carrel.models.steps.verbs.finding import offered_at
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import FIELDS, Kind, is_field, kind_of

__all__ = ["by_label", "field_for", "fill", "fill_in", "fill_one", "is_form_for", "lacking"]

Details = Sequence[tuple[str, str]]

_TO = re.compile(r"to|for|recipient", re.IGNORECASE)
_TEXT = re.compile(r"text|message|body|saying|with|words?|reply|comment|note|内容", re.IGNORECASE)
_NAMED = re.compile(r"named|called|titled|entitled|labell?ed|name|title", re.IGNORECASE)
_USER = re.compile(r"(?:the )?(?:user ?name|user|login)", re.IGNORECASE)
_MAILBOX = re.compile(r"['’]s (?:e-?mail|inbox|mailbox|account)(?: address)?$", re.IGNORECASE)
STILL = 5
"""Looks at suggestions that still change."""
STEM = 4
"""Letters that a stem has at least."""
_ENDING = re.compile(r"(?:ures?|ions?|als?|ings?|ors?|ers?|ed|es|s|e)$")


def is_form_for(desk: Desk, details: Details) -> bool:
    """Whether a form is open that has a field for each particular."""
    return bool(details) and not lacking(desk, details)


def by_label(desk: Desk, details: Details) -> tuple[tuple[str, str], ...]:
    """Particulars that begin with the label of a field: "in category Books" is Books' category."""
    labels = {name for field in _all(desk) for name in _called(desk, field)}
    read: list[tuple[str, str]] = []
    for word, text in details:
        first = next((n for n in labels if text.casefold().startswith(f"{n} ")), None)
        known = first is None or field_for(desk, word, text) is not None
        read.append((word, text) if known or first is None else (first, text[len(first) :].strip()))
    return tuple(read)


def lacking(desk: Desk, details: Details) -> list[str]:
    """The particulars for which there is no field, or none of their own."""
    found = [(word, field_for(desk, word, text)) for word, text in details]
    fields = [field.id for _, field in found if field is not None]
    return [word for word, field in found if field is None or fields.count(field.id) > 1]


def fill_in(desk: Desk, details: Details) -> Turns[tuple[Element, ...]]:
    """Put every particular into its field; the fields that were filled.

    Raises:
        Missed: There is no field for one of them.
    """
    filled: list[Element] = []
    for word, text in details:
        field = field_for(desk, word, text)
        for pause in (0.2, 0.5):
            if field is not None:
                break
            yield from desk.again(pause, why=f"where {word!r} goes")
            field = field_for(desk, word, text)
        if field is None:
            listed = ", ".join(map(named, fields_of(desk))) or "none"
            raise Missed(f"no field for {word}; fields: {listed}")
        bare = re.sub(r"(?<=\d)\s*(?:元|块钱?)$", "", text) if word == "amount" else text
        yield from fill_one(desk, field, _value(word, bare))
        filled.append(field)
    return tuple(filled)


def fill(desk: Desk, step: Fill) -> Turns[str | None]:
    """Fill each field with what the screen tells under the same label.

    Raises:
        Missed: There is no field to fill, or nothing tells what goes into one.
    """
    fields = [e for e in fields_of(desk) if _called(desk, e)]
    if not fields:
        raise Missed("there is no field with a label to fill")
    for field in fields:
        value = _told(desk, field)
        if value is None:
            listed = ", ".join(sorted(_called(desk, field)))
            raise Missed(f"nothing on the screen tells what goes into {listed}")
        yield from fill_one(desk, field, value)
    return None


def _told(desk: Desk, field: Element) -> str | None:
    """The value beside the same words elsewhere."""
    label, wanted = label_of(field, desk.elements), _called(desk, field)
    values: set[str] = set()
    for element in desk.elements:
        if kind_of(element) not in (Kind.TEXT, Kind.CELL, Kind.HEADING):
            continue
        if label is not None and within(element.box, label.box):
            continue
        if written_on(element).strip(" :：*").casefold() not in wanted:
            continue
        beside = value_beside(desk.elements, element)
        if beside is not None and not _takes(beside):
            values.add(text_of(beside, desk.elements).strip())
    return values.pop() if len(values) == 1 else None


def _value(word: str, text: str) -> str:
    return _MAILBOX.sub("", text) if _TO.fullmatch(word) else text


def fill_one(desk: Desk, field: Element, text: str) -> Turns[None]:
    """Put a text into a field, as its kind takes it."""
    date = iso_date(text)
    if kind_of(field) is Kind.COMBO and not is_field(field):
        yield from choose_from_combo(desk, field, text)
    elif date is not None and (_is_locked(field) or field.role == "date editor"):
        place = f"{field.box.center.x},{field.box.center.y}" if field.box else None
        yield from pick_date(desk, PickDate(text, date, place))
    else:
        before = desk.elements
        money = amount_in(text) if any(map(is_sum, _called(desk, field))) else None
        yield from put(desk, field, money or text, why="the field for it")
        yield from _take_suggestion(desk, field, money or text, before)


def _is_locked(field: Element) -> bool:
    return "editable" not in field.states or "read only" in field.states


def _take_suggestion(
    desk: Desk, field: Element, text: str, before: Sequence[Element]
) -> Turns[None]:
    """A list that comes up at the field wants the entry to be taken from it."""
    for pause in (0.0, 0.4, 0.8):
        if pause:
            yield from desk.again(pause, why="suggestions may take a moment")
        offered = list(offered_at(desk.elements, before, field))
        chosen = _nearest(offered, text)
        if chosen is not None:
            yield from _take_when_still(desk, field, text, before)
            return
        if pause and not offered and "supports autocompletion" not in field.states:
            return


def _take_when_still(
    desk: Desk, field: Element, text: str, before: Sequence[Element]
) -> Turns[None]:
    """Take the entry once the list has stopped moving: it shrinks with every letter.

    Raises:
        Missed: The field shows another one afterwards.
    """
    last: Element | None = None
    chosen = _nearest(list(offered_at(desk.elements, before, field)), text)
    for _ in range(STILL):
        if chosen is not None and last is not None and chosen.box == last.box:
            break
        # One that is half hidden moves under the pointer, or beyond the edge of its list.
        last = chosen or last
        if last is None or last.box is None:
            return
        at = last.box.center
        stroke: Action = Move(at.x, at.y) if chosen is not None else Scroll(at.x, at.y, dx=0, dy=1)
        why = "the suggestions may still move"
        yield from desk.do(stroke, Wait(0.15), why=why, commits=False)
        chosen = _nearest(list(offered_at(desk.elements, before, field)), text)
    if chosen is None or chosen.box is None:
        raise Missed(f"the suggestion {text!r} did not stay in sight")
    at = chosen.box.center
    yield from desk.do(Click(at.x, at.y), why=f"take {named(chosen)}")
    now = same_as(desk.elements, field)
    shown = fold(now.value or "") if now is not None else ""
    told = re.search(rf"(?<!\w){re.escape(fold(text))}(?!\w)", shown) is not None
    if shown and not told and fold(chosen.name) not in shown:
        raise Missed(f"{named(field)} shows {shown!r}, and not {chosen.name!r}, which was taken")


def _nearest(offered: Sequence[Element], text: str) -> Element | None:
    """The one that says the text: whole, else as words of its own, else at its beginning."""
    wanted = text.casefold().strip()
    for fits in (
        lambda said: said == wanted,
        lambda said: re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", said) is not None,
        lambda said: said.startswith(wanted),
    ):
        found = [e for e in offered if fits((e.name or e.value or e.text).strip().casefold())]
        if len({e.name or e.value or e.text for e in found}) == 1:
            return found[-1]
    return None


def field_for(desk: Desk, word: str, text: str = "") -> Element | None:
    """The field that a particular goes into; None where no one field is certain."""
    for label in _labels(word):
        named_so = _only([e for e in _all(desk) if label.casefold() in _called(desk, e)])
        if named_so is not None:
            return named_so
        match = resolve(desk, look_for(desk, wished(label, (Kind.FIELD,)), want="type"))
        if match is not None and _takes(match.element):
            return match.element
    stemmed = _by_stem(desk, word)
    if stemmed is not None:
        return stemmed
    if re.fullmatch(r"(?:1\d|20|21)\d\d", text.strip()):
        about = re.compile(r"\b(?:year|date)\b|年", re.IGNORECASE)
        fitting = [e for e in _all(desk) if about.search(" ".join(_called(desk, e)))]
        return _only(fitting)
    if iso_date(text) is not None:
        return _only([e for e in _all(desk) if _is_date(e, desk)])
    if _TEXT.search(word):
        empty = [e for e in empty_fields(desk) if kind_of(e) is not Kind.PASSWORD]
        empty = [e for e in empty if not is_to_search(desk, e)]
        return _only([e for e in empty if "multi line" in e.states]) or _only(empty)
    return None


def _all(desk: Desk) -> list[Element]:
    return [e for e in desk.elements if _takes(e) and e.box is not None]


def _takes(element: Element) -> bool:
    return kind_of(element) in FIELDS or kind_of(element) is Kind.COMBO


def _called(desk: Desk, field: Element) -> set[str]:
    """What a field is called: by its own name, and by its label."""
    label = label_of(field, desk.elements)
    said = (field.name, written_on(label) if label is not None else "")
    plain = [re.sub(r"\s*[（(][^（()）]*[)）]\s*$", "", text.strip(" :：*")) for text in said]
    return {text.strip(" :：*").casefold() for text in (*said, *plain) if text.strip()}


def _is_date(element: Element, desk: Desk) -> bool:
    label = label_of(element, desk.elements)
    said = f"{element.name} {written_on(label) if label else ''}"
    return (
        element.role == "date editor"
        or re.search(r"\bdate\b|日期", said, re.IGNORECASE) is not None
    )


def _only(elements: Sequence[Element]) -> Element | None:
    return elements[0] if len(elements) == 1 else None


def _labels(word: str) -> list[str]:
    if _TO.fullmatch(word):
        return ["To", "Recipient", "收款人", "收件人", "收款方", "对方", "收款账户", "接收人"]
    if word == "amount":
        return ["Amount", "金额", "转账金额"]
    if _NAMED.fullmatch(word):
        return ["Name", "Title", "Subject", "Event name"]
    if _USER.fullmatch(word):
        # Many ask for the address of somebody as their name.
        return ["Username", "User name", "User", "Login", "Email", "Email address", "E-mail"]
    cleaned = re.sub(
        r"^(?:with|and|by|as|from|in|of|on|at)\s+(?:the |an? )?(?=\w)",
        "",
        word,
        flags=re.IGNORECASE,
    )
    return list(dict.fromkeys((cleaned, word)))


def _by_stem(desk: Desk, word: str) -> Element | None:
    """The field whose label is of the same stem: `departing on` goes into Departure."""
    wanted = _stems(word)
    return _only([e for e in _all(desk) if wanted & _stems(" ".join(_called(desk, e)))])


def _stems(text: str) -> set[str]:
    stems = {_ENDING.sub("", word) for word in re.findall(r"[a-z]+", text.casefold())}
    return {stem for stem in stems if len(stem) >= STEM}
