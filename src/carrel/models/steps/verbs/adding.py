"""Entries that a page takes by a field alone: added by typing them, filtered by their column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.by_words import control_meant
from carrel.models.steps.finding.controls import control_for, controls_for, finishing
from carrel.models.steps.finding.sorts_of_value import words_of
from carrel.models.steps.finding.wishes import is_there, look_for, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.drop_downs import choose_from_combo
from carrel.models.steps.verbs.entering import put, typed
from carrel.models.steps.verbs.fields import column_field, fields_in_front, is_to_search
from carrel.models.steps.verbs.only_offer import only_drop_down
from carrel.models.steps.verbs.pointing import named
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = [
    "add_by_field",
    "add_by_form",
    "add_to_field",
    "filter_column",
    "note_in_field",
    "show_only",
]

HIGH, NEAR = 160, 16
"""Pixels that a box with a field and what it holds may be high, and from it to what is over it."""
_WRITES = ("add", "enter", "leave", "write", "give", "put")
_ADDS = ("add", "create", "new", "make")
_NAMED = ("called", "named", "titled", "text", "with the text", "saying", "名为", "叫做")
_ENTRY = re.compile(
    r"(?:an?|the|another|one|new|\s)*\w+(?:\s\w+)?|(?:一[个条项])?新?的?\w+", re.IGNORECASE
)
_QUOTED = re.compile(r"(?:[\w\s-]*\s)?[\"“'](?P<name>[^\"”']+)[\"”']")
_OF_SORT = re.compile(
    r"(?:(?:the|an?|another|one more|new)\s+)*(?P<sort>[a-z][a-z -]*?)\s+"
    r"(?:called\s+|named\s+)?(?P<q>[\"“'])?(?P<text>(?(q)[^\"”']+|[^\s\"“'”]+))(?(q)[\"”'])"
    r"|(?:一个)?(?P<sort_zh>[\u3400-\u9fff]{2,4})[“\"](?P<text_zh>[^”\"]+)[”\"]",
    re.IGNORECASE,
)
_VALUE = ("by", "for", "to", "with", "on")


def add_by_field(desk: Desk, step: Perform) -> Turns[bool]:
    """Type a new entry into the only field of a page that has no control to add one with."""
    part, step = _under_heading(desk, step)
    text = _name(step)
    if step.verb not in _ADDS or not text or controls_for(desk, step.verb):
        return False
    if part is None and is_there(look_for(desk, wished(step.what or ""), want="read")):
        return False
    fields = [e for e in fields_in_front(desk) if "multi line" not in e.states]
    fields = [e for e in fields if part is None or within(e.box, part)]
    if len(fields) != 1 or is_to_search(desk, fields[0]):
        return False
    yield from put(desk, fields[0], text, why="the only field there is")
    yield from desk.do(Key(("enter",)), why="add it with Enter", last=True)
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why=f"whether {text} is there")
        if _stands(desk, fields[0], text):
            return True
    desk.doubt(f"no {text!r} can be seen after it was typed into {named(fields[0])}")
    return True


_COLUMN = re.compile(
    r"(?:the\s+)?[\"“]?(?P<name>[^\"“”]+?)[\"”]?\s+(?:column|lane|section|group|list|card)",
    re.IGNORECASE,
)


def _under_heading(desk: Desk, step: Perform) -> tuple[Box | None, Perform]:
    """The part under the one heading that an entry is to be added to, and the step without it."""
    where = [pair for pair in step.details if pair[0] in ("to", "in", "into", "under")]
    said = _COLUMN.fullmatch(where[0][1].strip()) if len(where) == 1 else None
    if said is None:
        return None, step
    tree = lineage_of(tuple(desk.elements))
    heads = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.HEADING and fold(written_on(e)) == fold(said["name"])
    ]
    holder = next(iter(tree.above(heads[0])), None) if len(heads) == 1 else None
    held = tree.below(holder) if holder is not None else []
    # What holds another heading as well is more than what stands under this one.
    alone = [e for e in held if kind_of(e) is Kind.HEADING] == heads
    if holder is None or not alone:
        return None, step
    return holder.box, replace(step, details=tuple(p for p in step.details if p is not where[0]))


def add_by_form(desk: Desk, step: Perform) -> Turns[bool]:
    """Type a new entry into the one field that is for it, and press what adds it.

    Raises:
        Missed: It is nowhere to be seen afterwards.
    """
    text = _name(step)
    if step.verb not in _ADDS or not text or _is_seen(desk, text):
        return False
    said = " ".join((step.what or "", *(where for _, where in step.details)))
    field, button = _field_for_new(desk, said), control_for(desk, "add", near=False)
    if field is None or button is None or button.box is None:
        return False
    yield from put(desk, field, text, why="the field for a new one")
    at = button.box.center
    yield from desk.do(Click(at.x, at.y), why=f"add it with {named(button)}", last=True)
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why=f"whether {text} is there")
        if _stands(desk, field, text):
            return True
    raise Missed(f"no {text!r} can be seen after {named(button)} was pressed")


def _is_seen(desk: Desk, text: str) -> bool:
    return any(fold(written_on(e)) == fold(text) for e in part_meant(desk.elements, ""))


_NEW = re.compile(r"\b(?:new|add|name|title|text|what)\b", re.IGNORECASE)


def _field_for_new(desk: Desk, what: str) -> Element | None:
    """The only line that can take a new entry: called after it, or the only one at all."""
    fields = [
        e
        for e in fields_in_front(desk)
        if "multi line" not in e.states and not is_to_search(desk, e)
    ]
    nouns = set(words_of(_QUOTE_IN.sub("", what))) - {"list", "new", "item"}
    called = [e for e in fields if nouns & set(words_of(" ".join(_called(desk, e))))]
    new = [e for e in fields if any(map(_NEW.search, (e.name, *_called(desk, e))))]
    if len(called) == 1:
        return called[0]
    return fields[0] if len(fields) == 1 == len(new) else None


_QUOTE_IN = re.compile(r"[\"“][^\"”]*[\"”]")


def note_in_field(desk: Desk, step: Perform) -> Turns[bool]:
    """Write a note into the field of a form that is called so; another step ends the form."""
    said = _OF_SORT.fullmatch((step.what or "").strip())
    if step.verb not in _WRITES or step.details or said is None or said["sort"] is None:
        return False
    names = {fold(said["sort"]), f"{fold(said['sort'])}s"}
    called = [e for e in fields_in_front(desk) if names & set(_called(desk, e))]
    if len(called) != 1:
        return False
    lines = "multi line" in called[0].states
    if step.verb in _ADDS and not lines and _is_for_more(desk, called[0]):
        return False
    alone = fold(said["sort"]) in _called(desk, called[0]) and finishing(desk, "save") is not None
    if not lines and (not alone or control_for(desk, "add", near=True) is not None):
        return False
    yield from put(desk, called[0], said["text"], why="the field for it")
    return True


def _is_for_more(desk: Desk, field: Element) -> bool:
    """Whether a field says itself that what is typed into it is added: `Add a tag`."""
    label = label_of(field, desk.elements)
    said = (field.name, field.hint, written_on(label) if label is not None else "")
    return any(re.match(r"(?:add|new)\b|添加|新增", fold(text)) for text in said)


def add_to_field(desk: Desk, step: Perform) -> Turns[bool]:
    """Add one more to a field that takes several and is called after them: a tag, a recipient.

    Raises:
        Missed: It does not stand there by itself afterwards.
    """
    said = _OF_SORT.fullmatch((step.what or "").strip())
    if step.verb not in _ADDS or step.details or said is None:
        return False
    field, text = (
        _field_for_sort(desk, said["sort"] or said["sort_zh"]),
        said["text"] or said["text_zh"],
    )
    if field is None or field.box is None:
        return False
    at, desk.worked = field.box.center, field.box
    strokes = (Click(at.x, at.y), typed(text))
    yield from desk.do(*strokes, why=f"one more into {named(field)}", commits=False)
    yield from desk.again(0.3, why="what comes up for it")
    if (button := control_for(desk, "add", near=True)) is not None and button.box is not None:
        there = button.box.center
        yield from desk.do(Click(there.x, there.y), why=f"add it with {named(button)}", last=True)
    else:
        yield from desk.do(Key(("enter",)), why="add it with Enter", last=True)
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why=f"whether {text} is there")
        if _stands_alone(desk, text):
            return True
    raise Missed(f"no {text!r} stands by itself after it was typed into {named(field)}")


def _field_for_sort(desk: Desk, sort: str) -> Element | None:
    """The only field that is called by what is added, be it by several of that."""
    names = {fold(sort), f"{fold(sort)}s", f"{fold(sort)}es", re.sub("y$", "ies", fold(sort))}
    listed = fields_in_front(desk)
    fields = [e for e in listed if "multi line" not in e.states]
    # What a page hides behind the field that it draws lies over others.
    fields = [e for e in fields if not any(within(o.box, e.box) for o in listed if o.id != e.id)]
    called = [e for e in fields if names & set(_called(desk, e))]
    called = called or [e for e in fields if names & set(_called_around(desk, e))]
    return called[0] if len(called) == 1 else None


def _called_around(desk: Desk, field: Element) -> Iterator[str]:
    """What stands right over the box that a field shares with what was added already."""
    tree = lineage_of(tuple(desk.elements))
    holder = next((e for e in tree.above(field) if e.box is not None and e.box != field.box), None)
    if holder is None or holder.box is None or holder.box.height > HIGH:
        return
    for text in part_meant(desk.elements, ""):
        at = text.box
        if kind_of(text) is not Kind.TEXT or at is None or abs(at.x - holder.box.x) > NEAR:
            continue
        if -NEAR // 2 <= holder.box.y - at.bottom <= NEAR:
            yield fold(written_on(text)).strip(" :：*…")


def _called(desk: Desk, field: Element) -> Iterator[str]:
    label = label_of(field, desk.elements)
    for text in (field.name, field.hint, written_on(label) if label is not None else ""):
        yield re.sub(
            r"^(?:add|new|enter)\s+(?:an?\s+|new\s+)*|^(?:添加|新增)",
            "",
            fold(text).strip(" :：*…."),
        )


def _stands_alone(desk: Desk, text: str) -> bool:
    """Whether something says just that which nobody writes into."""
    shown = part_meant(desk.elements, "")
    return any(
        fold(e.name or e.text) == fold(text)
        for e in shown
        if e.box is not None and not is_field(e) and kind_of(e) is not Kind.OPTION
    )


def _name(step: Perform) -> str:
    """What the entry is to say; empty where more than that is said of it."""
    what = (step.what or "").strip()
    more = [detail for detail in step.details if not _ONTO.fullmatch(" ".join(detail))]
    given = [text for word, text in more if word in _NAMED]
    if len(given) == 1 == len(more) and _ENTRY.fullmatch(what):
        return given[0].strip("\"“”'")
    quoted = _QUOTED.fullmatch(what) if not more else None
    if quoted is None and not more and step.details and re.match(r"[A-Z][^\"“]*$", what):
        return what
    return quoted["name"] if quoted is not None else ""


# "to the packing list": all that is there, as far as a page has but one field to add to it.
_ONTO = re.compile(
    r"(?:to|on|onto|in|into)\s+(?:the|my|our|your|this|that)\s(?:[\w'’-]+\s){0,3}?(?:(?:to-?\s?do|check|"
    r"wish|shopping|packing)?\s?lists?|tasks?|items|entries|notes|agenda|inventory|board|log|diary|"
    r"journal|register|menu|plan|programme|program|schedule|collection|queue|playlist|table)"
    r"|到?(?:清单|列表|待办)[里中]?",
    re.IGNORECASE,
)


def _stands(desk: Desk, field: Element, text: str) -> bool:
    """Whether a text is written anywhere but in the field itself."""
    wanted = fold(text)
    return any(
        fold(e.name or e.text) == wanted and not within(e.box, field.box)
        for e in part_meant(desk.elements, "")
        if e.box is not None and not is_field(e)
    )


_ONLY = re.compile(
    r"only\s+(?:the\s+)?(?P<value>[A-Z\"“]\S*(?:\s[A-Z]\S*)*)\s+(?P<field>[a-z]+)", re.DOTALL
)


_ADJECTIVE = re.compile(r"only\s+(?:the\s+)?(?P<value>[A-Za-z-]+)\s+(?:[a-z]+s|ones|people)")


def show_only(desk: Desk, step: Perform) -> Turns[bool]:
    """`Show only the Support department`: the value, in the one drop-down of that name.

    Of `only the closed issues` the one drop-down that offers Closed, whatever it is called.
    """
    if step.verb not in ("show", "list", "view") or step.details:
        return False
    said = _ONLY.fullmatch((step.what or "").strip())
    field = fold(said["field"]) if said is not None else ""
    combos = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.COMBO and e.box]
    called = [e for e in combos if field in (fold(e.name).strip(" :*"), *_called(desk, e))]
    if said is None or len(called) != 1:
        return (yield from _only_so(desk, step.what or ""))
    if is_there(look_for(desk, wished(f"{said['value']} {said['field']}"))):
        return False
    yield from choose_from_combo(desk, called[0], said["value"].strip('"“”'))
    return True


def _only_so(desk: Desk, what: str) -> Turns[bool]:
    """Choose what tells these apart from the others, where one drop-down alone offers it."""
    said = _ADJECTIVE.fullmatch(what.strip())
    if said is None or control_meant(desk.elements, f"show {what}") is not None:
        return False
    combo = yield from only_drop_down(desk, (said["value"],))
    if combo is None:
        return False
    yield from choose_from_combo(desk, combo, said["value"])
    return True


def filter_column(desk: Desk, step: Perform) -> Turns[bool]:
    """Put a value into the field or the drop-down that a table has for one of its columns."""
    values = [text for word, text in step.details if word in _VALUE]
    if step.verb != "filter" or len(values) != 1 or len(step.details) != 1:
        return False
    field = column_field(desk, step.what or "")
    if field is None:
        return False
    if not is_field(field):
        yield from choose_from_combo(desk, field, values[0])
        return True
    shown = len(desk.elements)
    yield from put(desk, field, values[0].strip("\"“”'"), why=f"the filter of {step.what}")
    yield from desk.again(0.4, why="whether that is enough")
    if len(desk.elements) == shown:
        yield from desk.do(Key(("enter",)), why="filter with Enter", last=True)
    yield from desk.effect()
    return True
