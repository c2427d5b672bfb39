"""Which control of a form takes a particular: by its name, the sort of value, what it offers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.sorts_of_value import (
    counted,
    counts_in,
    is_date,
    is_mail,
    is_time,
    noun_of,
    words_of,
)
from carrel.models.steps.finding.worded_options import says_otherwise
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.ends_of_time import Timed, field_of_end, may_be_end, names_an_end
from carrel.models.steps.verbs.forms import Details, field_for
from carrel.perception.labels import label_of, written_on
from carrel.perception.numbers import number
from carrel.perception.roles import FIELDS, TICKED, Kind, is_disabled, is_field, kind_of

__all__ = [
    "SURE",
    "Particular",
    "Slot",
    "called",
    "choice_called",
    "choice_of_thing",
    "choice_said",
    "controls_of",
    "lacking",
    "look_into",
    "particulars_of",
    "said_of_thing",
    "slot_for",
    "slots_for",
]

Particular = tuple[str, str]
_TAKING = frozenset({*FIELDS, Kind.COMBO, Kind.SPINNER, Kind.SLIDER})
_DATED = re.compile(
    r"\bdate\b|\bday\b|\bwhen\b|depart|arriv|return|check-?\s?(?:in|out)|\bdue\b|deadline|日期",
    re.IGNORECASE,
)
_TIMED = re.compile(r"\btime\b|\bhour|\bat\b|时间", re.IGNORECASE)
_PLACED = re.compile(
    r"\b(?:city|airport|place|station|location|address|port|account|country|page|name|price|age)s?\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"from|to|start|end", re.IGNORECASE)
_ASKED: dict[str, str] = {
    "from": r"from|origin|depart(?:ure|ing|s)?(?: \w+)?|leaving from|where from|source.*|"
    r"pick-?\s?up(?: \w+)?|(?:from|debit) account|sender",
    "to": r"to|destination.*|arrival(?: \w+)?|going to|where to|drop-?\s?off(?: \w+)?|"
    r"recipient.*|payee|beneficiary.*|assign(?:ee|ed to)|receiver|(?:to|credit) account",
    "in": r"location|place|city|town|where|destination|room|category|folder|language|currency",
    "at": r"location|place|venue|where|restaurant|hotel|store|branch|price",
    "for": r"name|(?:guest|customer|client|patient|contact|full|your) name|guest|customer|client|"
    r"patient|driver|passenger|travell?er|visitor|attendee|participant|tenant|member|student|"
    r"employee|purpose|reason|duration|length|for",
    "under": r"name|(?:guest|customer|full|your) name|category|folder",
    "with": r"with|doctor|contact|attendees?|participants?|guests?|name|extras?|payment.*|password",
    "as": r"role|access.*|permissions?|type|category|priority|status|reason|label|name|severity",
    "by": r"(?:payment|shipping|delivery)(?: \w+)?|method|author|by|deadline|due.*|pay(?:ing)? by",
    "via": r"(?:payment|shipping|delivery)(?: \w+)?|method|via|route",
    "about": r"subject|topic|about|title",
    "on": r"(?:payment|billing)(?: \w+)?|subject|topic",
    "every": r"repeats?|frequency|recurrence|every|interval",
    "until": r"until|end.*|deadline|due.*",
    "due": r"(?:\w+ )?due.*|(?:\w+ )?deadline|until|by",
    "called": r"(?:\w+ )*(?:name|title|subject|label)|(?:add|new|enter)\b.*|what\b.*",
}
"""How fields are called that a preposition asks for."""
_ASKED["named"] = _ASKED["titled"] = _ASKED["entitled"] = _ASKED["called"]
_ASKED["name"] = _ASKED["called"]
_ASKED["into"] = _ASKED["to"]


SURE = 3
"""What it is worth that a control takes just such a value."""
_SPANS = frozenset({"from", "to", "until"})
"""Words before a day or a time that tell of which end it is."""
_ALONE = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_OF_MONTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)?\s+((?:of\s+)?[A-Za-z]+(?:\s+\d{4})?)")
_INDEFINITE = re.compile(r"(?:an?|some|another|new|one)\s", re.IGNORECASE)
_WORD = r"(?:for|on|in|with|at|by|to|from)"
_PIECE = re.compile(rf"\s(?P<word>{_WORD})\s+(?P<text>\S.*?)(?=\s{_WORD}\s|$)", re.IGNORECASE)


class Slot(NamedTuple):
    """A control, and what it is to have."""

    control: Element
    value: str


def particulars_of(what: str | None, details: Details) -> list[Particular]:
    """All that is said: also how many of whom, which may stand with the thing."""
    named = [_in_name_of(*pair) for pair in details]
    split = [(word, one) for word, text in named for one in counts_in(text) or [text]]
    return _with_month([*split, *said_of_thing(what or "")])


def _with_month(told: Sequence[Particular]) -> list[Particular]:
    """`from 3 to 7 August`: the month is said once, be one of them said with the thing itself."""
    ends = [text for word, text in told if word in ("to", "until") and is_date(text)]
    months = [m[1] for text in ends if (m := _OF_MONTH.fullmatch(text.strip()))]
    return [
        (word, f"{text} {months[0]}")
        if word == "from" and months and _ALONE.fullmatch(text)
        else (word, text)
        for word, text in told
    ]


def _in_name_of(word: str, text: str) -> Particular:
    """`in the name of Ann` is her name."""
    found = re.fullmatch(r"(?:the )?name(?: of)? (?P<who>\S.*)", text, re.IGNORECASE)
    return ("name", found["who"]) if found and word in ("in", "under", "on") else (word, text)


def said_of_thing(what: str) -> list[Particular]:
    """What is said with a thing that is yet to be made: `a table for four on the terrace`."""
    if not _INDEFINITE.match(what):
        return []
    pieces = [(m["word"].casefold(), m["text"]) for m in _PIECE.finditer(what)]
    told: list[Particular] = []
    for word, text in pieces:
        alone = number(text) if word == "for" else None
        if alone is not None:
            told.append((word, f"{alone:g} people"))
        else:
            told += [(word, one) for one in counts_in(text) or [text]]
    return told


def controls_of(desk: Desk) -> list[Element]:
    """What takes a value, in use and of the page itself."""
    shown = part_meant(desk.elements, "")
    days = [e for e in shown if e.role == "date editor" and e.box is not None]
    return [
        e
        for e in shown
        if e.box is not None and kind_of(e) in _TAKING and not is_disabled(e)
        # The parts of a day are set together.
        if not any(day.id != e.id and within(e.box, day.box) for day in days)
    ]


def called(desk: Desk, control: Element) -> str:
    """The words that a control goes by: its own, and those beside it."""
    label = label_of(control, desk.elements)
    said = (control.name, written_on(label) if label is not None else "")
    return " | ".join(dict.fromkeys(text.strip(" :：*") for text in said if text.strip()))


def slot_for(desk: Desk, word: str, text: str) -> Slot | None:
    """Where a particular goes; None where no one control is certain."""
    if _is_end_of_time(word, text):
        return _by_sort(desk, word, text)
    if word.casefold() in _SPANS and _ALONE.fullmatch(text):
        return None  # a day without its month, or a number of nothing
    for rule in (_by_count, _by_sort, _by_name, _by_choice, _by_drop_down, _by_word):
        slot = rule(desk, word, text)
        if slot is not None:
            return slot
    return None


def slots_for(desk: Desk, word: str, text: str) -> Iterator[tuple[int, Slot]]:
    """Everywhere a particular may go, each with how much speaks for it: a name more than a word."""
    for worth, rules in (
        (SURE, (_by_count, _by_sort, _by_choice, _by_drop_down)),
        (1, (_by_word,)),
    ):
        for rule in rules:
            slot = rule(desk, word, text)
            if slot is not None:
                yield worth, slot


def choice_of_thing(desk: Desk, what: str) -> Slot | None:
    """The choice that a thing's own words make: `a one-way trip`."""
    return _choice(desk, what, (Kind.RADIO,)) or _drop_down(desk, what)


def choice_called(desk: Desk, text: str, area: Box | None = None) -> Element | None:
    """The one box or choice that is called so; in a part of the screen where one is given."""
    offered = [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and kind_of(e) in TICKED and not is_disabled(e)
        if words_of(written_on(e)) == words_of(text)
        if area is None or area.contains(e.box.center)
    ]
    return offered[0] if len(offered) == 1 else None


def choice_said(desk: Desk, text: str) -> Element | None:
    """The one choice whose name is in a text, which leaves but its noun."""
    slot = _choice(desk, text, tuple(TICKED))
    return None if slot is None else slot.control


def look_into(desk: Desk) -> Turns[None]:
    """Look at what closed drop-downs offer."""
    if any(kind_of(e) is Kind.COMBO for e in controls_of(desk)):
        yield from desk.again(0, why="what the drop-downs offer", hidden=True)


def _only(desk: Desk, fits: Callable[[str], object]) -> Element | None:
    found = [e for e in controls_of(desk) if any(map(fits, called(desk, e).split(" | ")))]
    return found[0] if len(found) == 1 else None


def _by_count(desk: Desk, word: str, text: str) -> Slot | None:
    """`3 passengers` is the number of them."""
    count = counted(text)
    if count is None:
        return None
    nouns = noun_of(count.noun)
    control = _only(desk, lambda name: nouns & set(words_of(name)))
    return None if control is None else Slot(control, count.number)


def _by_sort(desk: Desk, word: str, text: str) -> Slot | None:
    """A day, a time and an address go into what takes such."""
    if is_date(text) or is_time(text):
        control = _by_end(desk, _taking_when(desk, dated=is_date(text)), word)
    elif is_mail(text) and not re.fullmatch(r"to|recipient|cc|bcc", word, re.IGNORECASE):
        control = _only(desk, lambda name: re.search(r"e-?\s?mail", name, re.IGNORECASE))
    else:
        return None
    return None if control is None else Slot(control, text)


def _taking_when(desk: Desk, *, dated: bool) -> list[Element]:
    """What takes a day, or a time; beside one that says so, what names the other end."""
    about = _DATED if dated else _TIMED
    found = [e for e in controls_of(desk) if _takes_when(desk, e, about)]
    ends = [e for e in controls_of(desk) if is_field(e) and _is_end(called(desk, e), dated=dated)]
    if found:
        # Beside these, "From" and "To" are places.
        ends = [e for e in ends if not _BARE.fullmatch(called(desk, e).split(" | ")[0])]
    return [*found, *(e for e in ends if not any(e.id == one.id for one in found))]


def _is_end(name: str, *, dated: bool) -> bool:
    """Whether a field is called by an end of a time, and no place, and no other sort of it."""
    other = _TIMED if dated else _DATED
    return names_an_end(name) and not _PLACED.search(name) and not other.search(name)


def _takes_when(desk: Desk, control: Element, about: re.Pattern[str]) -> bool:
    name = called(desk, control)
    if about is _TIMED:
        return about.search(name) is not None and "date" not in name.casefold()
    clock = re.search(r"\btime\b", name, re.IGNORECASE)
    return (control.role == "date editor" or about.search(name) is not None) and not clock


def _by_end(desk: Desk, found: Sequence[Element], word: str) -> Element | None:
    """Of several days or times, the one that the word before it speaks of."""
    if len(found) == 1:
        return found[0] if may_be_end(called(desk, found[0]), word) else None
    by_name = [e for e in found if word.casefold() in called(desk, e).casefold().split(" | ")]
    if len(by_name) == 1:
        return by_name[0]
    return field_of_end([Timed(e, called(desk, e)) for e in found], word, desk.step)


def _by_name(desk: Desk, word: str, text: str) -> Slot | None:
    """The field that is labelled for it."""
    if word == "with":
        return None
    if word == "for" and (counted(text) or is_date(text) or is_time(text)):
        # "For" is also whom something goes to.
        return None
    control = field_for(desk, word, text)
    if control is None or is_disabled(control):
        return None
    if kind_of(control) is Kind.COMBO:
        return Slot(control, _without(text, called(desk, control)))
    return Slot(control, text)


def _by_word(desk: Desk, word: str, text: str) -> Slot | None:
    """What a preposition asks for: `from` is Origin, too."""
    pattern = _ASKED.get(word.casefold())
    if pattern is None or _is_end_of_time(word, text):
        return None
    control = _only(desk, lambda name: re.fullmatch(pattern, name, re.IGNORECASE))
    return None if control is None else Slot(control, text)


def _is_end_of_time(word: str, text: str) -> bool:
    """Whether it is one end of a time: then all fields that take such tell which gets it."""
    return word.casefold() in _SPANS and (is_date(text) or is_time(text))


def _by_choice(desk: Desk, word: str, text: str) -> Slot | None:
    return _choice(desk, text, tuple(TICKED))


def _by_drop_down(desk: Desk, word: str, text: str) -> Slot | None:
    return _drop_down(desk, text)


def _choice(desk: Desk, text: str, kinds: Sequence[Kind]) -> Slot | None:
    """The one choice that says most of a text, and leaves but its noun."""
    offered = [
        e
        for e in part_meant(desk.elements, "")
        if e.box is not None and kind_of(e) in kinds and not is_disabled(e)
    ]
    name = _most([written_on(e) for e in offered], text)
    fitting = [e for e in offered if written_on(e) == name]
    return Slot(fitting[0], name) if name and len(fitting) == 1 else None


def _drop_down(desk: Desk, text: str) -> Slot | None:
    """The one drop-down that offers it, or that is named with its noun."""
    having: list[Slot] = []
    for combo in (e for e in desk.unseen if kind_of(e) is Kind.COMBO):
        name = _most([e.name for e in options_of(combo, desk.unseen)], text)
        now = same_as(desk.elements, combo)
        if name and now is not None and not is_disabled(now):
            having.append(Slot(now, name))
    if having:
        return having[0] if len(having) == 1 else None
    noun = words_of(text)[-1:]
    alike = [
        e
        for e in controls_of(desk)
        if kind_of(e) is Kind.COMBO and set(noun) & set(words_of(called(desk, e)))
    ]
    rest = _without(text, " ".join(noun))
    return Slot(alike[0], rest) if len(alike) == 1 and rest != text and rest else None


def _most(names: Sequence[str], text: str) -> str:
    """Of names the one that says most of a text; nothing where two do, or more is left."""
    said = words_of(text)
    fitting: dict[str, int] = {}
    for name in names:
        head = words_of(re.split(r"\s[-–—]\s|[(:,]", name)[0])
        rest = set(said) - set(head)
        if head and set(head) <= set(said) and len(rest) <= 1 and not says_otherwise(rest):
            fitting[name] = len(head)
    most = max(fitting.values(), default=0)
    best = [name for name, length in fitting.items() if length == most]
    return best[0] if len(best) == 1 else ""


def _without(text: str, name: str) -> str:
    """A text without the words that its control has, too: `business class` of Cabin class."""
    own = set(words_of(name))
    rest = [word for word in text.split() if not set(words_of(word)) & own]
    return " ".join(rest) or text


def lacking(desk: Desk, particulars: Sequence[Particular]) -> Iterator[str]:
    """What has no control, or none of its own."""
    found = [(pair, slot_for(desk, *pair)) for pair in particulars]
    taken = [slot.control.id for _, slot in found if slot is not None]
    for (word, text), slot in found:
        if slot is None or (taken.count(slot.control.id) > 1):
            yield f"{word} {text}"
