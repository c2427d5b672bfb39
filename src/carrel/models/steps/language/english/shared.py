"""Verbs that hands and applications share: what is said of them decides whose they are."""

from __future__ import annotations

import dataclasses
import re

from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.english import (
    dragging,
    levels,
    looks,
    pages,
    pointer,
    reading,
    texts,
    ticks,
    waiting,
)
from carrel.models.steps.language.english.appearances import COLOURS
from carrel.models.steps.language.english.own import perform
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import NotUnderstood, Talk, trim
from carrel.models.steps.program import Change, Choose, Enter, GoTo, Perform, Step

__all__ = [
    "add",
    "built",
    "follow",
    "give",
    "go_on",
    "load",
    "look",
    "mark",
    "named",
    "order",
    "replace",
    "save",
    "say",
    "sort",
    "use",
]


_RATED = re.compile(
    rf"(?:(?:it|this|that|them|the\s+[\w -]+?)\s+)?(?:an?|the)\s+"
    rf"(?P<name>(?:[\w-]+\s+)*?(?:rating|score))\s+of\s+"
    rf"(?P<n>{NUMBER}(?: out of \d+)?)(?P<stars>\s+stars?)?",
    re.IGNORECASE,
)


_LOOK = re.compile(
    rf"(?P<what>.+?)\s+an?\s+(?P<look>(?:{COLOURS})\s+(?:background|fill|border|frame|outline|text))",
    re.IGNORECASE,
)


def give(rest: str, talk: Talk) -> list[Step]:
    """`give it five stars`, `give X the name Y`, `give it up to 60 seconds until …`."""
    if rated := _RATED.fullmatch(trim(rest)):
        stars = f"{rated['n']} stars" if rated["stars"] or "star" in rated["name"] else rated["n"]
        return levels.set_value(f"the {rated['name']} to {stars}", talk)
    if stars := re.fullmatch(
        rf"(?P<what>.+?)\s+(?:an?\s+|the\s+)?(?P<n>{NUMBER}(?: (?:out )?of {NUMBER})?)"
        r"(?:\s+stars?|[- ]star(?:\s+(?:rating|review|score))?)",
        trim(rest),
        re.IGNORECASE,
    ):
        given = f"{talk.text(stars['n'])} stars"
        return [Perform("rate", talk.phrase(stars["what"]), (("with", given),))]
    if re.match(r"up\b", rest):
        raise NotUnderstood("when to give up is told by a bound: “wait up to 30 seconds until …”")
    if time := re.fullmatch(r"it\s+(?P<most>up to\s.+)", trim(rest), re.IGNORECASE):
        return waiting.wait(time["most"], talk)
    if named := re.fullmatch(
        r"(?P<what>.+?)\s+(?:the|a)\s+(?:new\s+)?(?:name|title)\s+(?P<name>.+)",
        trim(rest),
        re.IGNORECASE,
    ):
        to = (("to", talk.text(named["name"])),)
        return [Perform("rename", talk.phrase(named["what"]), to)]
    if look := _LOOK.fullmatch(trim(rest)):
        return [Change(talk.phrase(look["what"]), look["look"].lower())]
    try:
        return looks.change(rest, talk)
    except NotUnderstood:
        return _given(trim(rest), talk) or perform("give", rest, talk)


_LABELLED = re.compile(
    rf"(?P<what>it|them|this|that|(?:the|my|your)\s.+?)\s+(?:the|an?)\s+(?:new\s+)?"
    rf"(?P<label>[a-z][a-z -]*?)(?:\s+of|\s*:)?\s+"
    rf"(?P<value>{ANY}|{NUMBER}\s*%?|(?-i:[A-Z\d]\S*(?:\s+[A-Z\d]\S*)*)|"
    r"(?:next|this|last)\s\w+|today|tomorrow|yesterday)",
    re.IGNORECASE,
)


def _given(body: str, talk: Talk) -> list[Step] | None:
    """`give it a due date of 3 May`: that is set."""
    found = _LABELLED.fullmatch(body)
    if found is None:
        return None
    steps = levels.set_value(f"the {found['label']} to {found['value']}", talk)
    if re.fullmatch(r"it|them|this|that", found["what"], re.IGNORECASE):
        return steps
    place = talk.phrase(found["what"])
    return [dataclasses.replace(step, place=place) for step in steps]


def add(rest: str, talk: Talk) -> list[Step]:
    """`add "x" to the field` types; adding anything else is the application's."""
    if re.fullmatch(
        r"(?:the text\s+)?[\ue000-\ue7ff]\s+(?:to|at)\s+.*(?:field|box|text|area|end)\b.*",
        trim(rest),
        re.IGNORECASE,
    ):
        return texts.append(rest, talk)
    if counted := _COUNTED.fullmatch(trim(rest)):
        return levels.nudge(f"{counted['what']} by {counted['n']}", talk, up=True)
    return perform("add", rest, talk)


_COUNTED = re.compile(
    rf"(?P<n>{NUMBER})\s+to\s+(?P<what>the\s+(?:[\w-]+\s+)?(?:number|quantity|amount|value|counter|"
    r"count|score|total|price)(?:\s+(?:in|of|for)\s.+)?)",
    re.IGNORECASE,
)


def built(rest: str, talk: Talk, verb: str) -> list[Step]:
    """What only the application makes."""
    return perform(verb, rest, talk)


def mark(rest: str, talk: Talk) -> list[Step]:
    """A box is ticked; marking anything else is the application's."""
    if re.search(r"\bcheck ?box|\bbox\b", rest, re.IGNORECASE):
        return ticks.tick(rest, talk)
    return perform("mark", rest, talk)


_SORTED_BY = re.compile(
    r"(?:(?P<what>.+?)\s+)?(?:by|on|according to)\s+(?P<by>.+?)"
    r"(?:[\s,]+\(?(?:in\s+|with\s+)?(?:the\s+)?"
    r"(?:(?P<up>ascending(?: order)?|(?:lowest|smallest|oldest|earliest|cheapest|shortest|lightest|"
    r"slowest|youngest|least(?: \w+)?) first|a (?:to|-) z|a-z|"
    r"(?:from )?low(?:est)? to high(?:est)?|from [a1] to \S+)|"
    r"(?P<down>descending(?: order)?|(?:highest|largest|newest|latest|biggest|greatest|longest|"
    r"heaviest|fastest|most \w+) first|z (?:to|-) a|z-a|(?:from )?high(?:est)? to low(?:est)?|"
    r"from z to a))\)?)?",
    re.IGNORECASE,
)
_OLD = re.compile(r"oldest|youngest|newest", re.IGNORECASE)
_AGE, _BIRTH = re.compile(r"\bage\b", re.IGNORECASE), re.compile(r"\b(?:birth|born)", re.IGNORECASE)


def _order(up: str | None, down: str | None, by: str) -> str:
    """Which end comes first; the oldest has the highest age, and the earliest date of birth."""
    said = up or down
    if not said:
        return ""
    if _OLD.match(said) and _AGE.search(by):
        return "descending" if said.casefold().startswith("oldest") else "ascending"
    if said.casefold().startswith("youngest") and _BIRTH.search(by):
        return "descending"
    return "ascending" if up else "descending"


_SORTED = re.compile(
    r"(?:the\s+)?(?P<what>column\s+\S+|\S+ column)\s+(?P<way>(?:from )?[az] to [az]|ascending|"
    r"descending|"
    r"alphabetically|in (?:ascending|descending) order)",
    re.IGNORECASE,
)


_FIRST = re.compile(
    r"(?:(?P<what>.+?)\s+)?(?P<end>(?:newest|latest|oldest|cheapest|highest|lowest|largest|biggest|"
    r"smallest|most \w+) first)",
    re.IGNORECASE,
)


# "by lowest price first": by the price, and which end of it comes first.
_EXTREME = re.compile(
    r"(?P<head>.*\bby\s+)(?:(?:the\s+)?(?P<up>lowest|smallest|cheapest|oldest|earliest|least|fewest|"
    r"shortest)|(?:the\s+)?(?P<down>highest|largest|biggest|newest|latest|most|longest|best))\s+"
    r"(?P<by>(?!first\b)[a-z][a-z-]*)(?:\s+first)?",
    re.IGNORECASE,
)
_LOW_TO_HIGH = re.compile(
    r"[\s,:]+\(?(?:from\s+)?(?:(?P<up>low(?:est)?\s*(?:to|-|→)\s*high(?:est)?|small(?:est)?\s+to\s+"
    r"(?:large|big)(?:st|est)?|old(?:est)?\s+to\s+new(?:est)?|asc)|(?P<down>high(?:est)?\s*(?:to|-|→)\s*"
    r"low(?:est)?|(?:large|big)(?:st|est)?\s+to\s+small(?:est)?|new(?:est)?\s+to\s+old(?:est)?|desc))\)?$",
    re.IGNORECASE,
)


def _plainly_sorted(rest: str, talk: Talk) -> str:
    """The words with the order behind what is sorted by: `by price, descending`."""
    body = trim(rest)
    if ends := _EXTREME.fullmatch(body):
        if ends["by"].lower() not in (
            "recent",
            "popular",
            "relevant",
            "rated",
            "expensive",
            "viewed",
        ):
            talk.put_aside(body)
            order = "ascending" if ends["up"] else "descending"
            return f"{ends['head']}{ends['by']} {order}"
    elif (ends := _LOW_TO_HIGH.search(body)) and re.search(r"\bby\s", body[: ends.start()]):
        talk.put_aside(ends[0])
        return f"{body[: ends.start()]} {'ascending' if ends['up'] else 'descending'}"
    return rest


def sort(rest: str, talk: Talk) -> list[Step]:
    """By a column the application sorts; without one the things themselves are moved."""
    rest = _plainly_sorted(rest, talk)
    found = _SORTED_BY.fullmatch(trim(rest))
    if re.search(r"\([^()]*:\s.+\)$", trim(rest)):
        # Every particular by its name; other brackets belong to a name: "Platform(s)".
        return perform("sort", rest, talk)
    if way := _SORTED.fullmatch(trim(rest)):
        down = re.match(r"(?:from )?z|desc|high|large|new", way["way"], re.IGNORECASE)
        order = "descending" if down else "ascending"
        talk.put_aside(way["way"])
        return [Perform("sort", None, (("by", talk.text(way["what"])), ("order", order)))]
    if found is None and (ends := _FIRST.fullmatch(trim(rest))):
        what = talk.phrase(ends["what"]) if ends["what"] else None
        return [Perform("sort", what, (("by", ends["end"].lower()),))]
    if found is None:
        return dragging.sort(rest, talk)
    if found["by"] == "side" or re.search(r"\b(?:so that|with the|using)\b", found["by"]):
        raise NotUnderstood("sort by what? “sort the table by price”")
    if re.search(r",\s*(?:and\s+)?then\s", trim(rest)):
        raise NotUnderstood("by one thing after another? One step for each")
    order = _order(found["up"], found["down"], found["by"])
    talk.put_aside(found["up"] or found["down"] or "")
    details = (("by", talk.text(found["by"])), *((("order", order),) if order else ()))
    return [Perform("sort", talk.phrase(found["what"]) if found["what"] else None, details)]


def order(rest: str, talk: Talk) -> list[Step]:
    """`order by date` sorts, `order 3 pizzas` buys."""
    if re.match(r"(?:by|according to)\b|.+\s(?:by|according to)\s", rest, re.IGNORECASE):
        return sort(rest, talk)
    try:
        return dragging.sort(rest, talk)
    except NotUnderstood:
        return perform("order", rest, talk)


# A name in capitals is one to remember by; what is saved to a file is called by its kind.
_KEPT = re.compile(
    r"(?P<what>(?:its|the|[A-Z]\w*['’]s)\s.+?)\s(?:as|in|under)\s+[A-Z][A-Z\d]*(?:_[A-Z\d]+)*"
)
_FILED = re.compile(
    r"\b(?:files?|documents?|pictures?|images?|photos?|drawings?|sheets?|spreadsheets?|workbooks?|"
    r"pages?|drafts?|projects?|copy|copies|attachments?|it|them|selection|chart|video|presentation)$",
    re.IGNORECASE,
)


def save(rest: str, talk: Talk) -> list[Step]:
    """`save X as NAME` remembers; without a name it is the application's."""
    if re.search(r"\s(?:as|in|under)\s+(?:the (?:name|variable)\s+)?[\ue800-\uebff]$", trim(rest)):
        return reading.read(rest, talk)
    kept = _KEPT.fullmatch(trim(rest))
    if kept and not _FILED.search(kept["what"]):
        return reading.read(rest, talk)
    return perform("save", rest, talk)


def follow(rest: str, talk: Talk) -> list[Step]:
    """A link is followed with a click; following anything else is the application's."""
    if re.match(r"the link\b", trim(rest), re.IGNORECASE) or re.search(
        r"\blink$", trim(rest), re.IGNORECASE
    ):
        return pointer.point(rest, talk)
    return perform("follow", rest, talk)


_IN_TEXT = (
    r"(?:in|throughout|all (?:over|through)|across|within) (?:the |this )?"
    r"(?:whole |entire |complete )?"
    r"(?:documents?|texts?|files?|notes?|page|letter|body|editor|sheet)"
)
_EVERYWHERE = re.compile(
    rf"\s+(?:everywhere(?: (?:it (?:occurs|appears|is found)|{_IN_TEXT}))?|throughout(?: the \w+)?|"
    r"all (?:over|through) the \w+|wherever it (?:occurs|appears|is(?: found)?)|"
    r"in (?:every|each|all(?: the)?) (?:lines?|places?|paragraphs?|sentences?|rows?)|"
    r"in (?:the )?(?:whole|entire) \w+)$",
    re.IGNORECASE,
)
_EVERY_WORD = re.compile(
    rf"(?:all|every|each)(?:\s+(?:of the|the))?(?:\s+(?:occurrences?|instances?)(?:\s+of)?)?\s+"
    rf"(?:(?:the\s+)?(?:words?\s+)?(?={QUOTE})|(?<=of\s)(?=\w))",
    re.IGNORECASE,
)


_WHOLE = re.compile(
    r"(?:the|this)\s+(?:whole\s+|entire\s+)?(?:documents?|texts?|files?|notes?|page|letter|body|editor|sheet)",
    re.IGNORECASE,
)
# Words in a text, which the application replaces, and no field.
_WORDS = re.compile(r"\b(?:words?|occurrences?|instances?|phrases?|strings?|letters?)\b")


def replace(rest: str, talk: Talk) -> list[Step]:
    """`replace the name with "Ann"` types; replacing words is the application's."""
    body = trim(rest)
    shorter = _EVERY_WORD.sub("", _EVERYWHERE.sub("", body), count=1)
    talk.put_aside(wide[0] if (wide := _EVERYWHERE.search(body)) else "")
    found = re.fullmatch(
        r"(?:the (?:text|value|content)s? (?:in|of) )?(?P<what>(?:the|your)\s+.+?)\s+(?:with|"
        rf"by)\s+(?P<text>{ANY}|(?-i:[A-Z\d]\S*(?:\s[A-Z\d]\S*)*))",
        body,
        re.IGNORECASE,
    )
    if found is not None and not _WORDS.search(found["what"]):
        return [Enter(talk.text(found["text"]), talk.phrase(found["what"]))]
    found = re.fullmatch(r"(?P<what>.+?)\s+(?:with|by)\s+(?P<text>.+)", shorter, re.IGNORECASE)
    if found is None:
        return perform("replace", rest, talk)
    where = (("in", "everywhere"),) if shorter != body else ()
    text = found["text"]
    if not re.fullmatch(rf"{QUOTE}(?:\s+in\s+(?:(?:the|this)\s.+|{QUOTE}))?", text) and re.search(
        QUOTE, text
    ):
        raise NotUnderstood(f"where does “{talk.atoms.original(text)}” end?")
    if there := re.fullmatch(rf"(?P<text>{QUOTE})\s+in\s+(?P<in>(?:the|this)\s.+|{QUOTE})", text):
        text, every = there["text"], shorter != body and _WHOLE.fullmatch(there["in"])
        where = where if every else (("in", talk.text(there["in"])),)
        talk.put_aside("every" if shorter != body else "")
        talk.put_aside(there["in"] if every else "")
    details = (("with", talk.text(text)), *where)
    return [Perform("replace", talk.phrase(found["what"]), details)]


def go_on(rest: str, talk: Talk, verb: str) -> list[Step]:
    """`proceed to checkout` goes there."""
    if re.search(r"\sas\s(?:an?\s)?\w+$", trim(rest)):
        return perform(verb, rest, talk)
    if found := re.fullmatch(r"(?:on\s+)?to\s+(?P<where>.+)", trim(rest), re.IGNORECASE):
        return pages.go_to(found["where"], talk)
    return perform(verb, rest, talk)


_STYLES = {
    "under": "underlined",
    "ital": "italic",
    "bold": "bold",
    "embo": "bold",
    "stri": "strikethrough",
}


def look(rest: str, talk: Talk, surface: str) -> list[Step]:
    """`underline the title`."""
    style = next(s for start, s in _STYLES.items() if surface.lower().startswith(start))
    return [Change(talk.phrase(rest, "what to change"), style)]


_OF_ONESELF = re.compile(
    r"(?:that\s+)?(?:i['’]m|i\s+am|we['’]re|we\s+are)\s+(?P<how>(?!not\b)[a-z]+(?:\s[a-z]+){0,3})",
    re.IGNORECASE,
)


def say(rest: str, talk: Talk) -> list[Step]:
    """`say "hi"` types it; `say I'm very satisfied` is the answer of that name."""
    if re.fullmatch(QUOTE, trim(rest)):
        return texts.enter(rest, talk)
    if found := _OF_ONESELF.fullmatch(trim(rest)):
        talk.put_aside(rest)
        return [Choose((talk.phrase(found["how"]),))]
    raise NotUnderstood("what is to be typed goes in quotes, what is to be told is “tell me …”")


def load(rest: str, talk: Talk) -> list[Step]:
    """An address is gone to; loading anything else is the application's."""
    if url := pages.web_address(rest, talk):
        return [GoTo(url)]
    return perform("load", rest, talk)


def use(rest: str, talk: Talk) -> list[Step]:
    """A code is used by applying it."""
    if keys := re.fullmatch(
        r"(?:the\s+)?(?:(?:keyboard\s+)?shortcut|key combination|keys?)\s+(?P<keys>\S+)", trim(rest)
    ):
        return pointer.press(keys["keys"], talk)
    if re.search(r"\b(?:code|coupon|voucher|discount|gift card|promo)\b", rest, re.IGNORECASE):
        return perform("apply", rest, talk)
    if re.fullmatch(rf"{ANY}\s+(?:in|into|inside)\s+the\s.+", trim(rest), re.IGNORECASE):
        return texts.enter(rest, talk)
    if re.fullmatch(QUOTE, trim(rest)) or re.search(r"\b(?:button|link|icon)$", trim(rest)):
        return pointer.point(rest, talk)
    raise NotUnderstood("use it for what? “use X to …”")


def named(rest: str, talk: Talk) -> list[Step]:
    """`… and name it X`."""
    return [Perform("rename", "it", (("to", talk.text(rest)),))]
