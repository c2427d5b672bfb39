"""English verbs whose object tells what they mean: get, take, extract, keep, look for, jump to."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE, TIMED
from carrel.models.steps.language.english import options, pages, pointer, reading, waiting
from carrel.models.steps.language.english.own import perform
from carrel.models.steps.language.english.reader import condition_of
from carrel.models.steps.language.numbers import number
from carrel.models.steps.language.talk import NotUnderstood, Talk, trim
from carrel.models.steps.language.values import computed
from carrel.models.steps.program import Has, Is, Not, Perform, Point, SetValue, Step

__all__ = ["again", "keep", "paging", "pause", "position", "seek", "take"]

_DEFINITE = re.compile(
    r"(?:the|its|my|your|this|that|their|his|her|an?\s+(?:button|link|icon|tab|field|box|option|row|"
    r"column|menu|section|way|entry|e-?mail|message|mail|file|folder|note|line|event|comment))\b(?!\s+(?:word|term|phrase|name|words)\s)",
    re.IGNORECASE,
)
_IN = re.compile(
    r"(?P<what>.+?)\s+(?:in|on|within|inside)\s+(?P<place>(?:the|this|my)\s.+)", re.IGNORECASE
)
_TERM = re.compile(
    rf"the\s+(?:word|term|phrase|name|words)\s+(?P<text>{QUOTE}|\S.*)", re.IGNORECASE
)


def seek(rest: str, talk: Talk) -> list[Step]:
    """`look for the Save button` finds it; `look for hiking boots` searches."""
    body = trim(rest)
    if computed(body, talk) or _DEFINITE.match(body) or re.match(NAME, body):
        return reading.find(rest, talk)
    if term := _TERM.fullmatch(body):
        body = term["text"]
    if (there := _IN.fullmatch(body)) and re.match(QUOTE, there["what"]):
        return perform("search", f"{there['place']} for {there['what']}", talk)
    return perform("search", body, talk)


_READ = (
    r"(?:text|value|number|name|price|total|amount|title|code|sum|date|time|address|output|result|"
    r"word|line|id|id number|score|status|version|url|link|e-?mail|phone|balance|size|count)"
)
_READABLE = re.compile(
    rf"(?:the|its|their|his|her)\s|{QUOTE}|{NAME}|.*\s(?:as|under|in)\s+(?:{NAME}|[A-Z_]+)$|"
    rf".*\b{_READ}s?\b|it\b|that\b|this\b|how\s|what\s|screen",
    re.IGNORECASE,
)
_ARCHIVE = re.compile(
    r".*(?:\.(?:zip|tar|gz|tgz|7z|rar|bz2|xz)\b|\b(?:archive|zip file|files|contents|folder)\b)",
    re.IGNORECASE,
)
_RECORDED = re.compile(
    r"(?:the|an?|my|your)\s+(?:[\w-]+\s+)?(?:screen|video|audio|sound|macro|clip|message|meeting|call|"
    r"voice|session|game)\b.*",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?:{QUOTE}|[A-Z][\w'’-]*)(?:\s+(?:[A-Z\d][\w'’-]*|{QUOTE}))*")


def take(word: str, rest: str, talk: Talk) -> list[Step] | None:
    """`get a quote`, `extract a.zip`, `take Norway`: not everything that is taken is read."""
    body = trim(rest)
    if word.startswith("record") and _RECORDED.fullmatch(body):
        return perform("record", rest, talk)
    if word.startswith("extract") and _ARCHIVE.match(body):
        return perform("extract", rest, talk)
    if re.match(r"get|obtain|retriev", word) and not _READABLE.match(body):
        return perform("get", rest, talk)
    some = re.match(r"an?\s(?!(?:note|look|photo|picture|break|screenshot|moment)\b)", body)
    if re.match(r"t[ao]k", word) and (some or _NAMED.fullmatch(body)):
        return options.choose(rest, talk)
    return None


def pause(rest: str, talk: Talk) -> list[Step] | None:
    """What plays is paused; all else is waiting."""
    if re.match(r"(?:the|this|that|my)\s|it\b", trim(rest), re.IGNORECASE):
        return perform("pause", rest, talk)
    if not trim(rest) or re.fullmatch(r"(?:there|here|it)", trim(rest), re.IGNORECASE):
        return [Perform("pause")]
    return None


_MINUTE = re.compile(
    rf"(?:the\s+)?(?:(?:time|position|mark|minute|timestamp)\s+)?(?P<at>{TIMED}|\d+)"
    r"(?:\s+(?:minutes?|mins?|seconds?|secs?))?(?:\s+mark)?"
    r"(?:\s+(?:in|of|into)\s+(?P<of>(?:the|this)\s.+))?",
    re.IGNORECASE,
)
_POSITION = "the playback position"


def position(rest: str, talk: Talk) -> list[Step]:
    """`jump to 1:30` is a place in what plays; anywhere else is gone to."""
    body = trim(rest)
    found = _MINUTE.fullmatch(body)
    if found is None or (found["at"].isdigit() and not re.search(r"minute|second|mark", body)):
        return pages.go_to(rest, talk)
    talk.put_aside(body)
    of = f" of {talk.phrase(found['of'])}" if found["of"] else ""
    return [SetValue(f"{_POSITION}{of}", talk.text(found["at"]))]


_PAGED = re.compile(
    r"(?:(?P<n>\w+)\s+)?(?P<unit>month|week|day|year|page|slide|step|song|track|photo|picture|tab)s?"
    r"(?:\s+(?P<way>ahead|forward|on|further|back|backwards?|up|down|earlier|later))?"
    r"(?:\s+(?:in|on|of)\s+(?P<of>the\s[\w -]+))?",
    re.IGNORECASE,
)


def paging(surface: str, rest: str, talk: Talk) -> list[Step]:
    """`go two months ahead`: so often to the next one."""
    *lead, count = surface.split()[1:]
    found = _PAGED.fullmatch(trim(rest))
    if found is None or found["n"]:
        raise NotUnderstood("how far, and which way? “go two months ahead”")
    way = " ".join([*lead, found["way"] or ""]).lower()
    which = "previous" if re.search(r"back|up|earlier", way) else "next"
    talk.put_aside(f"{surface} {rest}")
    times = max(int(number(count) or 1), 1)
    place = talk.phrase(found["of"]) if found["of"] else None
    return [Point(f"the {which} {found['unit'].lower()}", times=times, place=place)]


def again(rest: str, talk: Talk) -> list[Step]:
    """`try again` is a button's name."""
    if trim(rest):
        raise NotUnderstood("try what again? Say the step itself")
    return [Perform("try again")]


_AS_IT_IS = re.compile(
    r"(?:(?:all\s+)?(?:the|its|your|my)\s+)?(?:(?:other|remaining|suggested|proposed)\s+)?(?:.*\s)?"
    r"(?:defaults?(?:\s+(?:settings?|values?|options?))?|(?:suggested|proposed)\s+\w+)|.+\s(?:as "
    r"(?:it|they)\s+(?:is|are)|as is|unchanged|untouched|the same)",
    re.IGNORECASE,
)
_SO = re.compile(
    r"(?P<what>(?:the|this|my|its)\s.+?|[A-Z]\S*)\s+(?P<state>\w+(?: (?:out|on|off))?)"
)


def keep(rest: str, talk: Talk) -> list[Step]:
    """The pointer is kept somewhere; a state must be so; anything else the application keeps."""
    body = trim(rest)
    try:
        return pointer.keep(rest, talk)
    except NotUnderstood:
        if re.match(r"\w+ing\b|(?:down\s+)?(?:ctrl|shift|alt)\b", body, re.IGNORECASE):
            raise
    if _AS_IT_IS.fullmatch(body):
        talk.put_aside(body)
        return []
    if so := _SO.fullmatch(body):
        condition = condition_of(f"{so['what']} is {so['state']}", talk)
        inner = condition.condition if isinstance(condition, Not) else condition
        if isinstance(inner, Is | Has) and condition is not None:
            return [waiting.checked(condition)]
    if not re.match(r"(?:the|it\b|this|that|both|all|my)\s?", body, re.IGNORECASE):
        raise NotUnderstood(
            "keep what? “keep the mouse over …”, “keep the X” where that is offered"
        )
    return perform("keep", rest, talk)
