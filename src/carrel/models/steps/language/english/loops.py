"""English repetitions around instructions: for each, so many times, until."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.english.reader import Reader, condition_of, unclear
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, Talk, excepted, listed
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import (
    Check,
    Choose,
    Clear,
    Enter,
    Expand,
    ForEach,
    GoTo,
    Navigate,
    Open,
    Perform,
    Point,
    Read,
    Repeat,
    SetValue,
    Step,
    Tick,
    Wait,
)

__all__ = ["for_every", "repeated"]

_FOR = re.compile(
    r"for (?:each|every|all)(?: of)?(?: the)?\s+(?P<what>.+?)\s*(?:,|:|\bdo\b)\s*(?P<body>.+)",
    re.IGNORECASE | re.DOTALL,
)


_ONE = (
    r"(?:rows?|items?|lines?|cards?|messages?|entry|entries|products?|posts?|results?|records?|"
    r"orders?|users?|e?-?mails?|tasks?|tiles?|listings?|comments?|requests?|tickets?|invoices?|"
    r"contacts?|people|person|persons|customers?|members?|students?|employees?|events?|files?|"
    r"folders?|photos?|pictures?|videos?|books?|articles?|accounts?|groups?|devices?|projects?|"
    r"appointments?|bookings?|reviews?|notes?|songs?|documents?|patients?|guests?)"
)
_WITHIN = re.compile(
    rf"(?:[\w-]+\s+){{0,3}}?{_ONE}(?:\s+(?:in|of|on|from|by|with|without|whose|where|that|which|who|"
    r"older|newer|marked|tagged|called|named|under|having)\s.+)?",
    re.IGNORECASE,
)
_NO_COMMA = re.compile(
    rf"for (?:each|every)\s+(?P<what>(?:[\w-]+\s+){{0,3}}?{_ONE}"
    r"(?:\s+(?:in|of|on)\s+the\s+[\w-]+)?)\s+(?P<body>[a-z].+)",
    re.IGNORECASE | re.DOTALL,
)
_ITS = re.compile(r"\b(?:it|its|their|them|each|that|this|one)\b", re.IGNORECASE)
_Owned = Point | Tick | Choose | Enter | SetValue | Clear | Read | Open | Expand


def _loop(text: str) -> re.Match[str] | None:
    plain = _NO_COMMA.match(text)
    return plain if plain and verb_at(bare(plain["body"])) else _FOR.match(text)


def _in_each(steps: Sequence[Step], what: str, body: str) -> tuple[Step, ...]:
    """`for each row, click Approve`: the one in that row; a click may lead elsewhere."""
    if _ITS.search(body) or not _WITHIN.fullmatch(what):
        return tuple(steps)
    done: list[Step] = []
    for step in steps:
        left = any(isinstance(one, Point | Open) or not isinstance(one, _Owned) for one in done)
        mine = isinstance(step, _Owned) and not step.place and not left
        if isinstance(step, Perform) and not done and not step.place:
            mine = True
        if isinstance(step, Wait | Check) and not step.place and not _opened(done):
            mine = _is_part(step)
        done.append(replace(step, place=f"{{{EACH}}}") if mine else step)
    return tuple(done)


def _opened(done: Sequence[Step]) -> bool:
    """Whether one of the steps left the list that the loop goes through."""
    return any(isinstance(one, Open | GoTo | Navigate) for one in done)


_PART = re.compile(
    r"(?:the|its)\s(?:status|state|label|badge|price|amount|progress|value|title|name|date|count|"
    r"quantity|total|icon|colou?r)",
    re.IGNORECASE,
)


def _is_part(step: Wait | Check) -> bool:
    """Whether it speaks of what each of them has: its status, its price."""
    condition = step.until if isinstance(step, Wait) else step.condition
    what = getattr(getattr(condition, "condition", condition), "what", None)
    return isinstance(what, str) and _PART.fullmatch(what) is not None


def _list_and_body(what: str, body: str) -> tuple[str, str]:
    """A list of texts to its end, and what is done with each."""
    more = re.match(rf"(?:(?:and\s+)?{QUOTE}\s*,?\s*)+", body)
    if more is None or not re.search(rf"{QUOTE}$", what):
        return what, body
    rest = body[more.end() :]
    return f"{what}, {more[0].strip(' ,')}", re.sub(r"^(?:do\b|:)\s*", "", rest)


_ITEM = rf"(?:{ANY}|(?-i:[A-Z\d])[\w.'’-]*(?:\s(?-i:[A-Z\d])[\w.'’-]*)*)"
_ITEMS = re.compile(
    r"for\s+(?:each|every|all)\s+(?:of\s+)?(?:the\s+)?(?:following\s+)?(?P<noun>[a-z-]+?)(?P<s>s)?"
    rf"(?:\s+(?:in|of|from|among)|\s*:)?\s+(?P<items>{_ITEM}(?:\s*,\s*(?:and\s+)?{_ITEM}|\s+and\s+"
    rf"{_ITEM})+)\s*[,:]\s*(?P<body>(?-i:[a-z]).*)",
    re.IGNORECASE | re.DOTALL,
)


def _named_items(text: str) -> re.Match[str] | None:
    """`for each city in Oslo, Rome and Bern: …`: the items are named."""
    found = _ITEMS.fullmatch(text)
    return found if found and verb_at(bare(found["body"])) else None


def _over_items(found: re.Match[str], talk: Talk, read: Reader) -> list[Step]:
    noun = re.sub(r"ie$", "y", found["noun"]) if found["s"] else found["noun"]
    items = tuple(talk.text(item) for item in listed(found["items"]))
    talk.put_aside(found.string[: found.start("items")])
    each = talk.atoms.mask(f"{{{EACH}}}")
    body = re.sub(
        rf"\b(?:(?:the|this|that|its)\s+{noun}|it|that one|this one|each(?: one)?)\b"
        r"(?=\s*(?:,|and\b|then\b|in\b|into\b|as\b|from\b|to\b|for\b|$|\.))",
        lambda _: each,
        found["body"],
        flags=re.IGNORECASE,
    )
    return [ForEach(EACH, tuple(read(body, talk)), items)]


def for_every(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`For each row, click its Delete button`."""
    if named := _named_items(text):
        return _over_items(named, talk, read)
    found = _loop(text)
    if found is None:
        return None
    items: tuple[str, ...] = ()
    what, body = _list_and_body(found["what"], found["body"])
    if re.match(r"(?:of|in)\s", what):
        return None
    name = EACH
    if re.fullmatch(rf"{QUOTE}(?:\s*,?\s*(?:and\s+)?{QUOTE})*", what):
        items = tuple(talk.text(item) for item in re.findall(QUOTE, what))
    named = re.fullmatch(r"(?P<name>[A-Za-z_]\w*) in (?P<items>.+)", what)
    if named and (len(listed(named["items"])) > 1 or re.match(QUOTE, named["items"])):
        name, items = named["name"], tuple(talk.text(i) for i in listed(named["items"]))
    body = re.sub(
        r"\b(?:it|that one|this one)\b(?=\s*(?:,|and\b|then\b|$|\.))",
        lambda _: talk.atoms.mask(f"{{{name}}}"),
        body,
    )
    inner = tuple(read(body, talk))
    if items:
        return [ForEach(name, inner, items)]
    every, but = excepted(what, talk)
    inner = _in_each(inner, every, found["body"])
    return [ForEach(name, inner, every=talk.phrase(every), but=but)]


_TIMES = re.compile(
    r"(?:repeat|do)(?: this| that| it| these steps| the following(?: steps| actions| things)?)?"
    rf"(?:\s+(?:for\s+)?(?P<n>{NUMBER}) times|"
    rf"\s+(?P<word>twice|thrice)|\s+until\s+(?P<until>.+?))"
    r"\s*[:,]\s*(?P<body>.+)|(?P<n2>" + NUMBER + r") times\s*:\s*(?P<body2>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OFTEN = re.compile(
    rf"(?:for\s+)?(?:(?P<n>{NUMBER})\s+times|(?P<word>twice|thrice))"
    r"(?:\s+(?:in a row|in succession|one after the other|over|running))?\s*,\s*(?P<body>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_THEN = re.compile(r"\s*,\s*(?:and\s+)?then\s+|\s+and\s+then\s+|\s*;\s*", re.IGNORECASE)


def _often(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Twice in a row, click A, and then B`: what comes after `then` is done once."""
    found = _OFTEN.fullmatch(text)
    if found is None or verb_at(bare(found["body"])) is None:
        return None
    count = number(found["n"]) if found["n"] else {"twice": 2, "thrice": 3}[found["word"].lower()]
    talk.put_aside(text[: found.start("body")])
    body, *others = _THEN.split(found["body"], maxsplit=1)
    again = Repeat(tuple(read(body, talk)), times=max(int(count or 1), 1))
    return [again, *(step for part in others for step in read(part, talk))]


def repeated(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Repeat 3 times: press Tab`."""
    if steps := _often(text, talk, read):
        return steps
    found = _TIMES.match(text)
    if found is None:
        return None
    body = tuple(read(found["body"] or found["body2"], talk))
    if found["until"]:
        condition = condition_of(found["until"], talk)
        if condition is None:
            return [unclear(text, talk, "no rule understands this condition")]
        return [Repeat(body, until=condition)]
    said = found["n"] or found["n2"]
    count = number(said) if said else {"twice": 2, "thrice": 3}[found["word"].lower()]
    return [Repeat(body, times=max(int(count or 1), 1))]
