"""English steps that find, read, remember and work out, in words."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.talk import EACH, IT, NotUnderstood, Talk, for_each, trim
from carrel.models.steps.language.values import computed
from carrel.models.steps.program import (
    Answer,
    Choose,
    Compute,
    Find,
    Let,
    Perform,
    Read,
    SetValue,
    Step,
)

__all__ = ["answer", "compute", "find", "let", "name_of", "read"]


def name_of(masked: str, talk: Talk) -> str:
    """The name that something is remembered under."""
    return talk.atoms.text(masked).strip("{}").strip('"')


_AS = re.compile(
    rf"(?P<what>.+?)\s+(?:and\s+(?:remember|save|store|keep|call)\s+(?:it\s+)?)?(?:as|in|under|"
    rf"into)\s+(?:the\s+(?:name|variable)\s+)?(?P<name>{NAME}|[^\W\d]\w*|{QUOTE})",
    re.IGNORECASE,
)


_NAMED_AS = re.compile(rf"(?:the|its)\s.+?\s+as\s+(?:{NAME}|(?-i:[A-Z][A-Z\d_]*))", re.IGNORECASE)


def read(rest: str, talk: Talk, verb: str = "read") -> list[Step]:
    """Read what a thing says; remember it under a name."""
    body = trim(rest)
    for joint in re.finditer(r"\s*,?\s+and\s+", body):
        left, right = body[: joint.start()], body[joint.end() :]
        if _NAMED_AS.fullmatch(left) and _NAMED_AS.fullmatch(right):
            return [*read(left, talk, verb), *read(right, talk, verb)]
    if found := _AS.fullmatch(body):
        name = name_of(found["name"], talk)
        if counted := computed(found["what"], talk):
            return [Compute(counted.how, counted.what, name)]
        what = re.sub(
            r"^(?:the\s+)?(?:text|value)\s+of\s+(?=the\s)", "", found["what"], flags=re.IGNORECASE
        )
        if re.fullmatch(QUOTE, what.strip()) and verb in ("remember", "store", "save"):
            return [Let(name, talk.text(what))]
        return [Read(talk.phrase(what), name)]
    if counted := computed(body, talk):
        return [counted]
    return [Read(talk.phrase(body, "what to read"), IT)]


def let(rest: str, talk: Talk) -> list[Step] | None:
    """`NAME = value`, `NAME be value`."""
    found = re.fullmatch(
        rf"(?P<name>{NAME}|[A-Za-z_]\w*)\s*(?:=|:=|\bbe\b)\s*(?P<text>.*)", rest.strip()
    )
    return [Let(name_of(found["name"], talk), talk.atoms.text(found["text"]))] if found else None


def find(rest: str, talk: Talk) -> list[Step]:
    """Bring a thing into view."""
    body = re.sub(r"^(?:for|out)\s+", "", trim(rest), flags=re.IGNORECASE)
    if counted := computed(body, talk):
        return [counted]
    if (
        found := re.fullmatch(
            r"(?P<what>.+?)\s+(?:in|on|from|within|among|inside)\s+(?P<place>(?:the|this|your|"
            r"my)\s+.+)",
            body,
            re.IGNORECASE,
        )
    ) and not _sent(found):
        what, place = found["what"], talk.phrase(found["place"])
        # "the last word in the text" is one phrase; "Ann in the list" a thing and a place.
        if not re.search(r"\b(?:word|letter|text|number|value|line|sentence)\b", what):
            return [Find(talk.phrase(what), place=place)]
    return [Find(talk.phrase(body, "what to find"))]


def _sent(found: re.Match[str]) -> bool:
    """`an email from the bank` is one thing; `the name from the list` a thing and a place."""
    listing = r"\b(?:list|table|menu|results|page|drop-?down|form|tree|grid|options)$"
    place = re.search(listing, found["place"].strip(), re.IGNORECASE)
    return re.search(r"\sfrom\s", found[0]) is not None and place is None


def compute(rest: str, talk: Talk, verb: str = "solve") -> list[Step]:
    """Work out an answer."""
    body = re.sub(r"^(?:for|out)\s+", "", trim(rest), flags=re.IGNORECASE)
    if re.search(r"\s(?:with|using|on)\s+(?:its|the|their)\s(?:\w+\s)?(?:buttons?|keys)$", body):
        raise NotUnderstood("to work it out with buttons, say which are clicked, one after another")
    if verb.lower().startswith("count") and (counted := computed(body, talk)):
        return [counted]
    if verb.lower().startswith("count"):
        return [
            Compute(
                "count",
                talk.phrase(
                    re.sub(
                        r"^(?:how many|the number of|all(?: the)?)\s+",
                        "",
                        body,
                        flags=re.IGNORECASE,
                    )
                ),
                IT,
            )
        ]
    if re.match(r"(?:add|sum)", verb, re.IGNORECASE):
        return [Compute("sum", talk.phrase(re.sub(r"^up\s+", "", body)), IT)]
    return [computed(body, talk) or Compute("solve", talk.phrase(body, "what to solve"), IT)]


def answer(rest: str, talk: Talk) -> list[Step]:
    """Give an answer where it is asked for."""
    body = re.sub(r"^(?:with\s+|the question (?:with\s+)?)", "", trim(rest), flags=re.IGNORECASE)
    if every := _EVERY_QUESTION.fullmatch(body) or _TO_ALL.fullmatch(body):
        one = Choose((talk.phrase(every["text"]),), place=f"{{{EACH}}}")
        return [for_each(talk, every["what"], one)]
    if chosen := _to_questions(body, talk):
        return chosen
    body = re.sub(
        r"([\ue000-\ue7ff]) to ((?:the|my) [^,]+?)(?=,|\s+and\s+[\ue000-\ue7ff]|$)",
        r"\2 with \1",
        body,
    )
    if said := _REPLIED.fullmatch(body):
        return [Perform("reply", talk.phrase(said["who"]), (("text", talk.text(said["text"])),))]
    pairs = [_ANSWERED.fullmatch(part) for part in re.split(r"\s*,?\s+and\s+|\s*,\s*", body)]
    if all(pairs):
        first = pairs[0]["what"] if pairs[0] else ""
        noun = first.split()[-1]
        return [
            SetValue(talk.phrase(_other(f["what"], noun)), talk.text(f["text"])) for f in pairs if f
        ]
    return [Answer(talk.text(body))]


# "Ann's email with “Thanks”", "Dan with “Yes”": somebody is answered.
_MESSAGE = r"(?:e-?mail|mail|message|comment|post|tweet|review|letter|note|request|thread)s?"
_REPLIED = re.compile(
    rf"(?P<who>(?!{QUOTE})(?!(?:the|my|your|question|all|every|each)\s)[A-Z@]\S*(?:\s[^,]+?)?|"
    rf"(?:the|my|this|that)\s(?:\w+\s)?{_MESSAGE}\b[^,]*?)"
    rf"(?:\s+(?:with|by\s+(?:saying|writing))|:)\s+(?:the\s+(?:text|words?|message)\s+)?"
    rf"(?P<text>{QUOTE})"
)
_EVERY_QUESTION = re.compile(
    rf"(?:all(?: of)?(?: the)?|every|each)\s+(?P<what>(?:[\w-]+\s+)?questions?(?:\s.+?)?)\s+with\s+"
    rf"(?P<text>{QUOTE}|[A-Z]\S*(?:\s[A-Za-z]\S*)*)"
)
_TO_QUESTION = re.compile(
    rf"(?P<text>{QUOTE}|[A-Z][\w'’-]*(?:\s[\w'’-]+){{0,3}}?)\s+(?:to|for|in)\s+"
    r"(?P<place>(?i:the\s+\w+\s+question|question\s+\w+|"
    r"the\s+question\s+(?:about|of|whether|if|on)\s+[^,]+))"
)
_TO_ALL = re.compile(
    rf"(?P<text>{QUOTE}|[A-Z][\w'’-]*)\s+(?:to|for)\s+"
    r"(?i:all(?: of)?(?: the)?|every|each)\s+(?P<what>(?i:(?:[\w-]+\s+)?questions?))"
)


def _to_questions(body: str, talk: Talk) -> list[Step] | None:
    """`"Yes" to question 1 and "No" to question 2`: the option, where the question is."""
    found = [_TO_QUESTION.fullmatch(part) for part in re.split(r"\s*,?\s+and\s+|\s*,\s*", body)]
    if not all(found):
        return None
    return [
        Choose((talk.phrase(f["text"]),), place=re.sub(r"^the (?=question)", "", f["place"]))
        for f in found
        if f
    ]


_ANSWERED = re.compile(
    r"(?P<what>(?:the|question|my|your)\s.+?|[\ue000-\ue7ff])\s+(?:with|by)\s+(?P<text>\S.*)",
    re.IGNORECASE,
)


def _other(what: str, noun: str) -> str:
    """`the other` is another of the same kind."""
    short = re.fullmatch(r"the (?:other|\w+(?:st|nd|rd|th)|last)(?: one)?", what, re.IGNORECASE)
    return re.sub(r"\s+one$", "", what) + f" {noun}" if short else what
