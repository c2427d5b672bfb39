"""The fields of a screen: which there are, which has the keyboard, which is meant unnamed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Click, Type
from carrel.errors import InvalidInput
from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.place_words import bare_place, read_place
from carrel.models.steps.shown.entries import entry_of
from carrel.models.steps.shown.reading import content_of, field_value, fold
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.readback import agrees
from carrel.perception.description import Description
from carrel.perception.find import SURE, Match
from carrel.perception.labels import columns, label_of, written_on
from carrel.perception.roles import CONTROLS, Kind, is_disabled, is_field, kind_of

__all__ = [
    "called_with_content",
    "column_field",
    "drawn_at",
    "empty_fields",
    "field_aside",
    "field_at",
    "fields_in_front",
    "fields_of",
    "focused_field",
    "inline_editor",
    "is_elsewhere",
    "is_to_search",
    "labelled_so",
    "only_field",
    "only_one_described",
    "rather_a_field",
    "refuse_spilt",
    "taking_text",
    "typed",
]

_USUAL = re.compile(
    r"name|e-?mail|pass|phone|tel\b|mobile|address|street|city|town|zip|post|code|country|state|"
    r"date|day|birth|time|age\b|user|login|account|search|find|filter|query|url|link|site|card|"
    r"number|amount|price|cost|quantity|qty|company|title|subject|first|last|second|other|"
    r"名|邮|密码|手机|电话|地址|城市|省|日期|时间|年龄|用户|账|帐|搜|查找|查询|筛选|过滤|网址|链接|卡|"
    r"号|金额|价|数量|公司|标题|主题|验证",
    re.IGNORECASE,
)
"""What fields are usually called: of such a one the screen would say so."""
LIKE = 0.6
"""From here on something else may be what is called so."""
TOOLS = 120
"""Pixels from the words over an editor to the editor: its tools may be between them."""
_SEARCHED = re.compile(r"search|filter|find|query|搜|查找|查询|筛选|过滤", re.IGNORECASE)


def fields_of(desk: Desk) -> list[Element]:
    """Every field that can be typed into."""
    return [
        e
        for e in part_meant(desk.elements, "")
        if is_field(e) and e.box is not None and not is_disabled(e)
        if "editable" in e.states and e.role != "static"
    ]


def empty_fields(desk: Desk) -> list[Element]:
    """Those of them that hold nothing yet."""
    return [e for e in fields_of(desk) if not field_value(e)]


def only_field(desk: Desk, among: Sequence[Element] | None = None) -> Element:
    """The field that is meant when none is named.

    Raises:
        Missed: There is none, or more than one.
    """
    fields = fields_of(desk) if among is None else among
    if len(fields) == 1:
        return fields[0]
    if (came := _came_with_last(desk, fields)) is not None:
        # The one that the step before has brought is what it was for.
        return came
    empty = [e for e in fields if not field_value(e)]
    if len(empty) == 1:
        return empty[0]
    listed = ", ".join(named(e) for e in fields[:6]) or "none"
    raise Missed(f"it is not said which field is meant; there are: {listed}")


def _came_with_last(desk: Desk, fields: Sequence[Element]) -> Element | None:
    """The one field that the step before has brought up, on a page that is still the same."""
    page, known = web_page(desk.elements), {(e.role, e.name) for e in desk.before_last}
    if page is not None and (page.role, page.name) not in known:
        return None
    new = [e for e in fields if (e.role, e.name) not in known]
    old = [e for e in fields if (e.role, e.name) in known]
    return new[0] if len(new) == 1 and old else None


def typed(text: str) -> Type:
    """The text as an action.

    Raises:
        Missed: It cannot be typed.
    """
    try:
        return Type(text)
    except InvalidInput as error:
        raise Missed(error.message) from error


def focused_field(desk: Desk) -> Element | None:
    """The field that has the keyboard."""
    focused = [e for e in desk.elements if "focused" in e.states and is_field(e)]
    return focused[-1] if focused else None


def column_field(desk: Desk, phrase: str) -> Element | None:
    """The one field or drop-down that a table has for a column, where that is what is named."""
    words = read_place(phrase)
    if words.sort != "column" or not words.name:
        return None
    heads, wanted = columns(tuple(desk.elements)), fold(words.name)
    fields = [
        e
        for e in part_meant(desk.elements, "")
        if e.id in heads and fold(written_on(heads[e.id])) == wanted
    ]
    return fields[0] if len(fields) == 1 else None


def is_to_search(desk: Desk, field: Element) -> bool:
    """Whether a field looks through things, and takes none."""
    label = label_of(field, desk.elements)
    said = f"{written_on(field)} {written_on(label) if label is not None else ''}"
    return _SEARCHED.search(said) is not None


def inline_editor(desk: Desk, phrase: str) -> Element | None:
    """The field that a thing has become to be edited in: it says its name, where one works.

    What has the keyboard is worked on, and what is where the last step was.
    """
    one = wished(phrase).description
    names = {fold(way.name) for way in (one, *one.readings) if way.name and not way.relations}
    saying = [e for e in fields_of(desk) if fold(content_of(e, desk.elements)) in names]
    worked = desk.worked
    here = [
        e
        for e in saying
        if "focused" in e.states or (worked and e.box and worked.intersect(e.box) is not None)
    ]
    if not here and (said := _ITS_TEXT.fullmatch(phrase.strip())) is not None:
        # What was clicked to be edited has become a field, which has the keyboard.
        mine = [e for e in fields_of(desk) if "focused" in e.states and not e.name.strip()]
        near = [e for e in mine if e.box and worked and worked.intersect(e.box) is not None]
        here = [] if _is_called(desk, phrase) else near if said["text"] else mine
    return here[0] if len(here) == 1 else None


_ITS_TEXT = re.compile(
    r"(?:the |its |this )?(?:(?P<text>text|wording|contents?|entry|value)|name|title|label)"
    r"(?: of it)?",
    re.IGNORECASE,
)


def _is_called(desk: Desk, phrase: str) -> bool:
    """Whether some field has these words for its own name."""
    return is_there(look_for(desk, wished(phrase, (Kind.FIELD,)), want="type"))


def called_with_content(desk: Desk, phrase: str) -> Element | None:
    """The one field that is called by its label and by what it holds: `the name Jane Smith`."""
    said = fold(re.sub(r"[\"“”]", "", bare_place(phrase)))
    fitting = []
    for field in fields_of(desk):
        label, held = label_of(field, desk.elements), field_value(field)
        name = written_on(label) if label is not None else field.name
        if kind_of(field) is not Kind.PASSWORD and name and held:
            fitting += [field] if fold(f"{name.strip(' :：*')} {held}") == said else []
    return fitting[0] if len(fitting) == 1 else None


_OF_TABLE = re.compile(r"\b(?:cell|row|column|table|grid)\b|单元格|行|列|表格", re.IGNORECASE)


def rather_a_field(desk: Desk, phrase: str, match: Match) -> Match:
    """For a cell of a table of which nothing was said, the one field whose label says the name.

    A list of files has a column of names, and below it a field for the file name.

    Raises:
        Missed: There are other fields, and none of them is called so.
    """
    fields = [e for e in fields_of(desk) if kind_of(e) is not Kind.CELL]
    if kind_of(match.element) is not Kind.CELL or _OF_TABLE.search(phrase) or not fields:
        return match
    words = set(re.findall(r"\w+", fold(wished(phrase).description.name)))
    told = [(e, label_of(e, desk.elements)) for e in fields]
    called = [
        e
        for e, label in told
        if label and words <= set(re.findall(r"\w+", fold(written_on(label))))
    ]
    if not called and (own := _only_of_row(desk, match.element, fields)) is not None:
        assert own.box is not None
        return Match(own, match.confidence, own.box.center, f"in the row {match.why}")
    if len(called) != 1 or called[0].box is None or not words:
        raise Missed(f"no field named {phrase}; only a cell of a table: {named(match.element)}")
    return Match(called[0], match.confidence, called[0].box.center, "its label says the name")


def _only_of_row(desk: Desk, cell: Element, fields: Sequence[Element]) -> Element | None:
    """The one field in the row that a cell names."""
    row = entry_of(desk.elements, cell)
    held = [e for e in fields if row is not None and within(e.box, row.box)]
    return held[0] if len(held) == 1 else None


_GENERAL = re.compile(r"(?:the |an? )?(?P<noun>item|entry|element|object|thing)", re.IGNORECASE)
"""Words for anything, which are the label of a field on many a form."""


def labelled_so(desk: Desk, phrase: str) -> Turns[Match | None]:
    """The field whose label is a word that else means anything at all: `the item`."""
    said = _GENERAL.fullmatch(phrase.strip())
    if said is None:
        return None
    wish = wished(f"the {said['noun'].capitalize()} field", (Kind.FIELD,))
    match = resolve(desk, look_for(desk, wish, want="type"))
    if match is None and (yield from desk.closer()):
        match = resolve(desk, look_for(desk, wish, want="type"))
    return match if match is not None and is_field(match.element) else None


def taking_text(desk: Desk, match: Match) -> Turns[Match]:
    """For words on a page that take no text, the editor under them, or the field they open.

    Raises:
        Missed: A click on them gives the keyboard to no field.
    """
    text, before = match.element, focused_field(desk)
    told = text.source in ("tree", "browser") and web_page(desk.elements) is not None
    if not told or kind_of(text) not in (Kind.TEXT, Kind.HEADING) or "editable" in text.states:
        return match
    editor = _editor_under(desk.elements, text)
    if editor is None:
        at = match.point
        yield from desk.do(Click(at.x, at.y), why=f"whether {named(text)} opens a field")
        editor = focused_field(desk)
        if editor is not None and before is not None and editor.box == before.box:
            # It had the keyboard before.
            editor = None
    if editor is None or editor.box is None:
        raise Missed(f"{named(text)} is only a text, and no field is there for it")
    return Match(editor, match.confidence, editor.box.center, f"by the words {written_on(text)!r}")


def _editor_under(elements: Sequence[Element], text: Element) -> Element | None:
    """The editor of many lines below some words, with its tools between them and no field."""
    top = text.box
    if top is None:
        return None
    below = [
        e
        for e in elements
        if "editable" in e.states and e.box is not None
        if 0 <= e.box.y - top.bottom <= TOOLS and e.box.x - TOOLS <= top.x < e.box.right
    ]
    first = min(below, key=lambda e: (e.box.y, -e.box.area) if e.box else (0, 0), default=None)
    return first if first is not None and "multi line" in first.states else None


def field_at(desk: Desk, element: Element) -> Element | None:
    """The same field as it is now."""
    here = [e for e in desk.elements if is_field(e) and within(e.box, element.box)]
    same = [e for e in here if e.role == element.role and e.name == element.name]
    focused = [e for e in here if "focused" in e.states]
    return next(iter((*same, *focused, *here)), None)


def drawn_at(elements: Sequence[Element], field: Element) -> Element | None:
    """What is drawn where a field was that only its pixels tell of, be it called a drop-down."""
    here = [e for e in elements if e.source == "detector" and e.box == field.box]
    return here[0] if len(here) == 1 else None


def is_elsewhere(desk: Desk, element: Element, text: str, before: Sequence[Element]) -> bool:
    """Whether what was typed is in a field that came up for it, as a search over the page does.

    Raises:
        Missed: It went into a field that was there for something else, or not as it was typed.
    """
    others = [
        e
        for e in desk.elements
        if "focused" in e.states and is_field(e) and e.box is not None
        if element.box is not None and element.box.intersect(e.box) is None
    ]
    if len(others) != 1 or others[0].value is None or not text:
        return False
    other = others[0]
    was = [e for e in before if (e.role, e.name, e.box) == (other.role, other.name, other.box)]
    if any(e.value == other.value for e in was):
        return False
    if not was and agrees(field_value(other), text, other):
        return True
    told = f"{other.name or 'another'} ({other.role})"
    raise Missed(f"what was typed went into {told}, not into {named(element)}")


def refuse_spilt(
    desk: Desk, element: Element, text: str, before: Sequence[Element], *, done: bool
) -> None:
    """See that no other field has got what was typed, as where a list lay over the one meant.

    Where that one holds it (`done`), another may say the same: pages fill in one for another.

    Raises:
        Missed: One has.
    """
    known = {(e.role, e.name, e.box): field_value(e) for e in before if is_field(e)}
    for other in fields_of(desk):
        was = known.get((other.role, other.name, other.box))
        if was is None or element.box is None or not text.strip() or other.box is None:
            continue
        now, own = field_value(other), element.box.intersect(other.box) is not None
        added = bool(was) and now in (was + text, text + was)
        if not own and now != was and (added or (now == text and not done)):
            told = f"{other.name or 'another field'} ({other.role})"
            raise Missed(f"what was typed went into {told}, not into {named(element)}")


_ASIDE = re.compile(
    r"(?:the |that |this )?(?:text |input |entry |answer |other )?"
    r"(?:field|box|input|text ?box|entry)"
    r"(?: right| directly)? (?P<side>below|underneath|beneath|under it|above)(?: it| that| this)?",
    re.IGNORECASE,
)


def field_aside(desk: Desk, phrase: str) -> Element | None:
    """`the field below`: the only one on that side of the field that was just read or used."""
    found, at = _ASIDE.fullmatch(phrase.strip()), desk.worked
    fields = [e for e in fields_of(desk) if e.box is not None]
    if found is None or at is None or not any(e.box == at for e in fields):
        return None
    above = found["side"].lower() == "above"
    there = [
        e
        for e in fields
        if e.box is not None
        and e.box != at
        and (e.box.bottom <= at.y + 1 if above else e.box.y >= at.bottom - 1)
    ]
    return there[0] if len(there) == 1 else None


def only_one_described(desk: Desk, phrase: str) -> Turns[Match | None]:
    """The only field of the page, where its own words are others and nothing else is called so.

    "The new task field" may be the one that says "What needs to be done?". That is in doubt.
    """
    wish = wished(phrase, (Kind.FIELD,))
    if not _only_tells_use(wish.description) or is_there(look_for(desk, wish, want="type")):
        return None
    if desk.place is not None or len(fields_in_front(desk)) != 1:
        return None
    for pause in (0.3, 0.6):
        yield from desk.again(pause, why="there is but one field: whether more come", hidden=True)
        if is_there(look_for(desk, wish, want="type")):
            return None
        if len(_fields_among(desk.unseen)) > 1:
            return None
    fields, called = fields_in_front(desk), look_for(desk, wished(wish.description.name)).best
    if len(fields) != 1 or is_to_search(desk, fields[0]):
        return None
    if called is not None and called.confidence >= LIKE and kind_of(called.element) in CONTROLS:
        return None
    field = fields[0]
    assert field.box is not None
    desk.doubt(f"nothing is called {phrase!r}: it was taken for the only field, {named(field)}")
    return Match(field, SURE, field.box.center, "the only field there is")


def _only_tells_use(one: Description) -> bool:
    """Whether words only say what a field is for, and no usual name of one."""
    if one.exact or one.relations or one.ordinal or one.superlative or one.states or not one.name:
        return False
    return set(one.kinds) <= {Kind.FIELD, Kind.AREA} and _USUAL.search(one.name) is None


def fields_in_front(desk: Desk) -> list[Element]:
    """The fields that no dialog keeps from being used."""
    return [e for e in fields_of(desk) if modal_over(desk.elements, e) is None]


def _fields_among(elements: Sequence[Element]) -> list[Element]:
    fields = [e for e in part_meant(elements, "") if is_field(e) and "editable" in e.states]
    return [e for e in fields if modal_over(elements, e) is None]
