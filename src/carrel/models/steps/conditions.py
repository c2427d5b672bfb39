"""Whether something is so on the screen."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.actions import StatFile
from carrel.frames import Element
from carrel.models.steps.absences import cannot_count, cannot_tell
from carrel.models.steps.captions import value_beside
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.front import open_windows
from carrel.models.steps.program import (
    Compare,
    Condition,
    Count,
    Every,
    Exists,
    Has,
    Is,
    Not,
    Shows,
    WindowOpen,
)
from carrel.models.steps.reading import field_value, fold, text_of
from carrel.models.steps.sheets import meant_cell, shown_in_cell
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.wishes import Wish, all_fitting, is_there, look_for, resolve, wished
from carrel.perception.labels import labels, written_on
from carrel.perception.roles import FIELDS, Kind, is_disabled, is_field, kind_of

__all__ = ["absent", "compare", "has_state", "holds", "read_number"]

_ARTICLE = re.compile(r"^(?:the|an?|any|some)\s+(?=\S)")
_ANY_FIELD = re.compile(
    r"(?:any|some|one of the|one) (?:text )?(?:field|box|input)s?(?: (?:on|of) the page)?"
    r"|(?:页面上?的?)?(?:某一?|任意?一?|其中一?)个?(?:输入框|文本框|字段|框)",
    re.IGNORECASE,
)
_TICKED = (Kind.CHECKBOX, Kind.RADIO, Kind.SWITCH)


def holds(desk: Desk, condition: Condition, *, closer: bool = False) -> Turns[tuple[bool, str]]:
    """Whether it is so now, and what is there instead.

    With `closer` the pixels are read too, where the applications do not say it.
    """
    if isinstance(condition, Not):
        return (yield from _opposite(desk, condition.condition, closer))
    if isinstance(condition, Every):
        return (yield from _every(desk, condition, closer))
    if isinstance(condition, Compare):
        so = compare(condition.left, condition.how, condition.right)
        return so, f"{condition.left!r} against {condition.right!r}"
    if isinstance(condition, WindowOpen):
        return (yield from _window(desk, condition.title))
    if isinstance(condition, Exists):
        results = yield from desk.attempt(StatFile(condition.path), why="look", commits=False)
        return bool(results and results[0].ok), f"there is no {condition.path}"
    if isinstance(condition, Has) and (address := meant_cell(desk, condition.what)) is not None:
        text = yield from shown_in_cell(desk, address)
        so = compare(text, condition.how, condition.text)
        return so, f"{address} shows {text!r}, not {condition.text!r}"
    so, told = _on_screen(desk, condition)
    # That there are none is known only when the pixels were read, too.
    none = so and isinstance(condition, Count) and not all_fitting(desk, condition.what)
    if (none or (not so and closer)) and (yield from desk.closer()):
        so, told = _on_screen(desk, condition)
    return so, told


def _opposite(desk: Desk, condition: Condition, closer: bool) -> Turns[tuple[bool, str]]:
    """Whether something is not so: of a thing that is not there, nothing can be said."""
    # That something is not to be seen is known only when the pixels were read, too.
    closely = closer or isinstance(condition, Shows | Count)
    so, told = yield from holds(desk, condition, closer=closely)
    missing = (absent(desk, condition) or _untold(desk, condition)) if not so else None
    if missing is not None:
        return False, missing
    return not so, told if so else ""


def _untold(desk: Desk, condition: Condition) -> str | None:
    """Why it is not known that something is not there; None when it is, or was not asked."""
    if isinstance(condition, Shows) or (isinstance(condition, Is) and condition.state == "visible"):
        return cannot_tell(desk, condition.what)
    if isinstance(condition, Count) and not all_fitting(desk, condition.what):
        return cannot_count(desk, condition.what)
    if isinstance(condition, Every):
        accounts = (_untold(desk, one) for one in condition.conditions)
        return next((account for account in accounts if account is not None), None)
    return None


def absent(desk: Desk, condition: Condition) -> str | None:
    """The account of a thing whose state or content is asked for, and which is not there."""
    if isinstance(condition, Not):
        return absent(desk, condition.condition) or _untold(desk, condition.condition)
    if isinstance(condition, Every):
        accounts = (absent(desk, one) for one in condition.conditions)
        return next((account for account in accounts if account is not None), None)
    if isinstance(condition, Is) and condition.state != "visible":
        wish = _ticked(condition.what) if condition.state == "checked" else wished(condition.what)
        found = look_for(desk, wish)
        return None if resolve(desk, found) is not None else found.account()
    if isinstance(condition, Has):
        if meant_cell(desk, condition.what) or _ANY_FIELD.fullmatch(condition.what.strip()):
            return None
        found = look_for(desk, wished(condition.what))
        match = resolve(desk, found)
        known = _label_of(desk, found.description.name) if match is None else match.element
        if known is not None and kind_of(known) is Kind.PASSWORD:
            return _unknown(condition.what)
        return None if known is not None else found.account()
    return None


def _every(desk: Desk, condition: Every, closer: bool) -> Turns[tuple[bool, str]]:
    told: list[str] = []
    for one in condition.conditions:
        so, words = yield from holds(desk, one, closer=closer)
        if so and condition.any:
            return True, ""
        if not so:
            told.append(words)
            if not condition.any:
                return False, words
    return not condition.any, "; ".join(told)


def _window(desk: Desk, title: str) -> Turns[tuple[bool, str]]:
    names = [f"{w.title} ({w.app})" for w in (yield from open_windows(desk))]
    so = any(title.casefold() in name.casefold() for name in names)
    return so, f"no window {title}; open are: {', '.join(names) or 'none'}"


def _on_screen(desk: Desk, condition: Condition) -> tuple[bool, str]:
    if isinstance(condition, Shows):
        return _shows(desk, condition.what)
    if isinstance(condition, Count):
        return _counted(desk, condition)
    if isinstance(condition, Has):
        return _has(desk, condition)
    if isinstance(condition, Is):
        return _is(desk, condition)
    raise Missed(f"nothing can tell whether {type(condition).__name__} is so")


def _counted(desk: Desk, condition: Count) -> tuple[bool, str]:
    number, wanted = len(all_fitting(desk, condition.what)), condition.number
    so = {"equals": number == wanted, "least": number >= wanted, "most": number <= wanted}
    unknown = cannot_count(desk, condition.what) if not number else None
    if unknown is not None:
        return False, unknown
    return so[condition.how], f"there are {number} of {condition.what}, not {wanted}"


def _shows(desk: Desk, phrase: str) -> tuple[bool, str]:
    wish = wished(phrase)
    found = look_for(desk, wish)
    if is_there(found):
        return True, f"{phrase} can be seen"
    # Of a thing with a kind or a place, the name alone somewhere is not that thing.
    described = wish.description
    text = described.kinds in ((), (Kind.TEXT,))
    bare = text and not (described.relations or described.ordinal or described.states)
    words = fold(described.name if described.exact and bare else described.text or phrase)
    words = _ARTICLE.sub("", words)
    if described.kinds and not described.name:
        words = ""
    for element in part_meant(desk.elements, phrase):
        if words and _says(fold(text_of(element, desk.elements)), words):
            return True, f"{phrase} can be seen"
    return False, found.account()


def _says(text: str, words: str) -> bool:
    """Whether whole words are in a text: "1 item" is not in "21 items"."""
    start = r"(?<!\w)" if words[0].isascii() and words[0].isalnum() else ""
    end = r"(?!\w)" if words[-1].isascii() and words[-1].isalnum() else ""
    return re.search(start + re.escape(words) + end, text) is not None


def _any_holds(desk: Desk, condition: Has) -> tuple[bool, str]:
    """Whether one of all fields, whichever, holds it."""
    fields = [e for e in part_meant(desk.elements, "") if is_field(e)]
    held = [field_value(e) for e in fields if kind_of(e) is not Kind.PASSWORD]
    so = any(compare(text, condition.how, condition.text) for text in held if text)
    return so, f"the fields hold {', '.join(map(repr, held)) or 'nothing'}, not {condition.text!r}"


def _has(desk: Desk, condition: Has) -> tuple[bool, str]:
    if _ANY_FIELD.fullmatch(condition.what.strip()) and condition.how not in ("less", "greater"):
        return _any_holds(desk, condition)
    found = look_for(desk, wished(condition.what))
    match = resolve(desk, found)
    element = _label_of(desk, found.description.name) if match is None else match.element
    if element is None:
        return False, found.account()
    text = _told(desk, element)
    if kind_of(element) is Kind.PASSWORD:
        return False, _unknown(condition.what)
    if condition.how in ("less", "greater") and read_number(text) is None:
        return False, f"{condition.what} holds {text!r}, which is no number"
    so = compare(text, condition.how, condition.text)
    return so, f"{condition.what} holds {text!r}, not {condition.text!r}"


def _unknown(what: str) -> str:
    return f"{what} does not tell what it holds: it is a password"


def _label_of(desk: Desk, name: str) -> Element | None:
    """The one label with these words among others: `Total price:` for the price."""
    words = set(re.findall(r"\w+", name.casefold()))
    fitting = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.TEXT and (e.name or e.value or "").rstrip().endswith((":", "："))
        if words and words <= set(re.findall(r"\w+", (e.name or e.value or "").casefold()))
    ]
    return fitting[-1] if len({(e.name or e.value) for e in fitting}) == 1 else None


def _told(desk: Desk, element: Element) -> str:
    """What a thing says; of a label what it labels, or (`Price:`) what stands beside it."""
    element = _labelled_by(desk, element) or element
    text = text_of(element, desk.elements)
    if kind_of(element) is Kind.COMBO and text == element.name:
        # It is called by its label, and what is chosen is written in it.
        inner = [e for e in desk.elements if e.id != element.id and within(e.box, element.box)]
        said = [written_on(e) for e in inner if kind_of(e) is Kind.TEXT and written_on(e)]
        return said[0] if said else text
    if text.rstrip().endswith((":", "：")):
        value = value_beside(desk.elements, element)
        return text if value is None else text_of(value, desk.elements)
    return text


def _labelled_by(desk: Desk, element: Element) -> Element | None:
    """The one field or drop-down that a mere text is the label of."""
    if kind_of(element) is not Kind.TEXT:
        return None
    known = labels(tuple(desk.elements))
    words = written_on(element)

    def is_it(label: Element) -> bool:
        # A label may be told twice: as such, and as the text in it.
        here = within(label.box, element.box) or within(element.box, label.box)
        return label.id == element.id or (here and written_on(label) == words)

    found = [e for e in desk.elements if e.id in known and is_it(known[e.id])]
    kept = [e for e in found if kind_of(e) in FIELDS | {Kind.COMBO}]
    return kept[0] if len(kept) == 1 else None


def _is(desk: Desk, condition: Is) -> tuple[bool, str]:
    found = look_for(
        desk, _ticked(condition.what) if condition.state == "checked" else wished(condition.what)
    )
    match = resolve(desk, found)
    if match is None:
        return False, found.account()
    element = match.element
    so = has_state(element, condition.state, desk.elements)
    return so, f"{condition.what} is {'' if so else 'not '}{condition.state}"


def _ticked(phrase: str) -> Wish:
    """Something that can be ticked; a mere "box" is then no field."""
    wish = wished(phrase, _TICKED)
    described = wish.description
    if described.kinds == (Kind.FIELD,) and re.search(r"\bbox(?:es)?$", phrase.strip()):
        return replace(wish, description=replace(described, kinds=_TICKED))
    return wish


def has_state(element: Element, state: str, elements: tuple[Element, ...]) -> bool:
    """Whether an element is in a state that people have a word for."""
    states = element.states
    if state == "enabled":
        return not is_disabled(element)
    if state == "visible":
        return True
    if state == "empty":
        return not text_of(element, elements).strip()
    if state in ("checked", "selected"):
        return not {"checked", "pressed", "selected"}.isdisjoint(states)
    return state in states


def compare(left: str, how: str, right: str) -> bool:
    """Compare two texts; as numbers where both are."""
    one, two = fold(left), fold(right)
    numbers = read_number(left), read_number(right)
    if how in ("less", "greater"):
        if numbers[0] is None or numbers[1] is None:
            raise Missed(f"{left!r} and {right!r} are not two numbers")
        return numbers[0] < numbers[1] if how == "less" else numbers[0] > numbers[1]
    if how == "equals":
        same = numbers[0] is not None and numbers[0] == numbers[1]
        return one == two or same
    if how == "matches":
        try:
            return re.search(right, left) is not None
        except re.error as error:
            raise Missed(f"{right!r} is not a regular expression: {error}") from error
    tests = {"contains": two in one, "starts": one.startswith(two), "ends": one.endswith(two)}
    return tests[how]


def read_number(text: str) -> float | None:
    """A text as a number, with what money and thousands are written with."""
    cleaned = re.sub(r"[\s,$€£¥%]", "", text)
    try:
        return float(cleaned)
    except ValueError:
        return None
