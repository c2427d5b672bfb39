"""English verbs that check, or do: `check`, `confirm`, `leave`, `land on`."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY
from carrel.models.steps.language.english import pointer, ticks, waiting
from carrel.models.steps.language.english.conditions import read_condition
from carrel.models.steps.language.english.own import perform
from carrel.models.steps.language.plurals import EACH_TIME
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk, each_of, for_each, trim
from carrel.models.steps.program import Check, Find, Has, Is, Not, Perform, Shows, Step, WindowOpen

__all__ = ["arrive", "check", "confirm", "leave"]


_STATED = re.compile(
    rf"(?:{ANY}|the\s(?:(?!that\b|which\b).)+?)\s+(?:is|are|isn['’]t|contains|shows|says|reads|"
    rf"has|have|should|must|lists|displays|no longer|starts|ends|matches|does|appears|equals)\s+"
    r"(?!labell?ed|called|named)\S.*",
    re.IGNORECASE,
)


# "check the inbox for a mail": whether it is there.
_CHECKED_FOR = re.compile(
    rf"(?P<place>(?:the|my|your)\s(?:[\w-]+\s)*?(?:inbox|list|table|page|log|cart|basket|folder|results|"
    rf"calendar|menu|output|console|document|history|report|sidebar|header|footer|dialog|terminal))\s+"
    rf"for\s+(?P<what>(?:an?|any|the)\s.+|{ANY}.*)",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?P<what>\S.*?)\s*[:–—]\s+(?P<claim>(?:it|this|they)\s.+)", re.IGNORECASE)


def check(rest: str, talk: Talk) -> list[Step]:
    """`check` verifies what is said to be so, and ticks everything else."""
    if own := re.fullmatch(
        r"(?:the|my|your)\s(?:spelling|grammar|spelling and grammar)", trim(rest)
    ):
        return [Perform("check", talk.phrase(own[0]))]
    if looked := re.fullmatch(r"for\s+(?:new\s+|any\s+)?(?P<what>[a-z]+s)", trim(rest)):
        talk.put_aside(rest)
        return [Perform(f"check for {looked['what']}")]
    if re.match(
        r"(?:that|whether|if|for|there(?: is| are|['’]s)|no\s\S+ (?:is|are))\b", rest, re.IGNORECASE
    ):
        return waiting.verify(re.sub(r"^for\s+", "", rest), talk)
    if sought := _CHECKED_FOR.fullmatch(trim(rest)):
        there = Shows(talk.phrase(sought["what"]))
        return [Check(there, place=talk.phrase(sought["place"]))]
    if told := _COLON.fullmatch(trim(rest)):
        claim = re.sub(r"^(?:it|this|they)\b", lambda _: told["what"], told["claim"])
        if read_condition(claim, talk.atoms) is not None:
            return waiting.verify(claim, talk)
    if _STATED.fullmatch(trim(rest)) and read_condition(trim(rest), talk.atoms) is not None:
        return waiting.verify(rest, talk)
    if _READ_OFF.fullmatch(trim(rest)):
        # No box is called so: it is looked at, and what should be so of it is said next.
        return [Find(talk.phrase(rest))]
    return ticks.tick(rest, talk)


_READ_OFF = re.compile(
    r"(?:the|its)\s(?:[a-z-]+\s){0,2}?(?:total|subtotal|sum|price|amount|balance|status|result|temperature|score|"
    r"title|heading|url|counter|count|average|forecast|weather)"
    r"(?:\s(?:at|in|on|of|for|under|below|above|next to)\s.+)?",
    re.IGNORECASE,
)
_LEFT = re.compile(r"(?P<what>.+)\s+(?P<state>\w+(?: (?:out|in|on|off))?)")


def leave(rest: str, talk: Talk) -> list[Step]:
    """`leave the phone field blank` must be so; leaving anything else is the application's."""
    if found := _LEFT.fullmatch(trim(rest)):
        each = each_of(found["what"])
        empty = read_condition(f"{{{EACH}}} is {found['state']}", talk.atoms) if each else None
        if each and isinstance(empty, Is):
            return [for_each(talk, each, Check(empty))]
        condition = read_condition(f"{found['what']} is {found['state']}", talk.atoms)
        if isinstance(condition, Is | Not | WindowOpen):
            return [waiting.checked(condition)]
        if re.fullmatch(r"open|visible|shown", found["state"], re.IGNORECASE) and condition:
            return [Check(condition)]
    if at := re.fullmatch(r"(?P<what>.+?)\s+(?:at|on|set to)\s+(?P<value>\S+)", trim(rest)):
        return [Check(Has(talk.phrase(at["what"]), talk.text(at["value"]), "equals"))]
    if re.search(
        r"\s(?:as (?:it|they) (?:is|are)|unchanged|alone|untouched|as is)$", rest, re.IGNORECASE
    ):
        talk.put_aside(rest)
        return []
    if re.fullmatch(
        r"(?:all\s+)?(?:of\s+)?(?:the\s+|its\s+)?(?:.*\s)?defaults?(?:\s+(?:settings?|values?|options?))?"
        r"(?:\s+in place)?",
        trim(rest),
        re.IGNORECASE,
    ):
        talk.put_aside(rest)
        return []
    return perform("leave", rest, talk)


def confirm(rest: str, talk: Talk) -> list[Step]:
    """`confirm` alone is a button of the application; with more it is a check."""
    if key := re.fullmatch(
        r"(?:it\s+)?(?:with|by)\s+(?:pressing\s+)?(?P<key>(?:the\s+)?(?:enter|return)(?:\s+key)?)",
        trim(rest),
        re.IGNORECASE,
    ):
        return pointer.press(key["key"], talk)
    if by := re.fullmatch(
        r"(?P<asked>(?:it|this|that|(?:the|this|any)\s+(?:[\w-]+\s+)?(?:question|dialog|prompt|message|"
        r"warning|pop-?up|alert|deletion|request|choice|action))\s+)?(?:with|by)\s+"
        r"(?:clicking\s+)?(?P<what>.+)",
        trim(rest),
        re.IGNORECASE,
    ):
        if re.match(r"(?:the|your|my|a)\s(?:\w+\s)?(?:password|pin|code|passphrase)\b", by["what"]):
            raise NotUnderstood("what that is it does not say; “enter “x” in the password field”")
        talk.put_aside(by["asked"] or "")
        return pointer.point(by["what"], talk)
    if _EACH.fullmatch(trim(rest)):
        talk.put_aside(rest)
        return [Perform("confirm", EACH_TIME)]
    if not trim(rest) or re.fullmatch(
        r"(?:it|this|(?:the|your)\s+(?:\w+\s+)?(?:deletion|removal|dialog|prompt|order|choice|"
        r"purchase|"
        r"changes?|action|booking|payment|message|request|selection|warning|question))",
        trim(rest),
        re.IGNORECASE,
    ):
        talk.put_aside(rest)
        return [Perform("confirm")]
    if found := _CONFIRMED.fullmatch(trim(rest)):
        talk.put_aside(found["what"])
        return [Perform("confirm", place=talk.phrase(found["place"]) if found["place"] else None)]
    return waiting.verify(rest, talk)


_EACH = re.compile(
    r"(?:(?:it|this|that|them)\s+)?(?:each|every)(?:\s+(?:single\s+)?(?:one|time|deletion|removal|dialog|"
    r"prompt|question|message|change|request|of\s+them|of\s+the\s[a-z]+))?(?:\s+(?:in\s+turn|"
    r"(?:it\s+is\s+)?(?:when\s+)?asked|it\s+asks))?",
    re.IGNORECASE,
)
_CONFIRMED = re.compile(
    r"(?P<what>(?:it|this|that|(?:the|your|my)\s(?:[a-z-]+\s)?[a-z-]+))"
    r"(?:\s+(?:in|on|inside)\s+(?P<place>the\s.*(?:dialog|pop-?up|modal|prompt|window|box|page|"
    r"alert)\b.*))?"
)


def arrive(rest: str, talk: Talk) -> list[Step]:
    """`you should land on the start page`: what is in front then."""
    return waiting.verify(f"you are on {rest}", talk)
