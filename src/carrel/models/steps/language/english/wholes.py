"""English words that belong together though `and` or a comma stands between them.

They are put in order, or made one phrase, before a sentence is cut into its instructions.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.words import bare, verb_at

__all__ = ["as_wholes"]

_IS = (
    r"(?:is|are|was|were|has|have|had|equals?|contains?|says|reads|shows|starts|begins|ends|costs|"
    r"leaves|arrives|departs|includes|offers|allows|matches|weighs|lasts|takes|comes|goes|runs|"
    r"belongs|does(?: not|n['’]t)|isn['’]t|aren['’]t|hasn['’]t)"
)
_WHO = r"(?:where|whose|that|which|who)"
_RELATIVE = re.compile(
    rf"\b(?:(?P<all>(?:each|every|all(?: the)?|any)\s)|(?=(?:the|an?|this)\s))"
    rf"(?P<head>(?:[\w'’-]+\s){{1,5}}?)"
    rf"(?P<first>{_WHO}\s(?:[^\s,;]+\s){{0,5}}?{_IS}\b[^,;]*?)"
    rf"(?P<more>(?:,?\s+(?:and|but)\s+(?:{_WHO}\s)?(?:(?:the|its|their|an?)\s)?"
    rf"(?:[\w'’-]+\s){{0,3}}?{_IS}\b[^,;]*?)+)"
    r"(?=\s*(?:[,;.:?!]|$)|\s+(?:and|then|before|after|by|to)\s)",
    re.IGNORECASE,
)
# What is said of a thing in a claim is the claim itself.
_CLAIMS = re.compile(
    r"\b(?:verify|verifies|check|assert|make sure|ensure|confirm|expect|wait|until|if|unless|when|"
    r"once|see|whether|should|must)\b[^,;]*$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",?\s+(?P<and>and|then|and then|but),\s+(?=(?P<front>without|with|in|on|at|after|before|once|"
    r"when|if|as soon as|while|from|under|to|for|using)\b)",
    re.IGNORECASE,
)


# Fields that are called like the small words around them.
_ENDS = re.compile(
    r"\b[Tt]he (?:from|to) (?:date|time|field|box|address|account|city|station|airport|currency|"
    r"unit|value|day|year|line|drop-?down|list)\b"
)


def as_wholes(text: str, talk: Talk) -> str:
    """The masked sentence, where what belongs together is one phrase."""
    text = _ASIDE.sub(", ", text)
    while (more := _SHOULD.search(text)) and (said := _goes_on(more)) is not None:
        text = text[: more.start()] + said + text[more.end() :]
    text = _ANSWER.sub(lambda found: _named(found, talk), text)
    text = _ENDS.sub(lambda found: talk.atoms.mask(f"[{found[0]}]"), text)
    return _RELATIVE.sub(lambda found: _one(found, talk), text)


# "should be red and say “x”": what else it should do is no instruction.
_SHOULD = re.compile(
    r"(?:^|(?<=[;,.]\s))(?P<subject>(?!(?:verify|check|assert|make sure|ensure|confirm|wait|if|"
    r"when|once|after|before|and|then|there|it|you|i|we)\b)[^,;.]*?)\s(?P<modal>should|must)\s(?P<first>(?:(?!\s"
    r"(?:should|must)\s)[^,;.])*?)(?P<and>,?\s+and\s+(?:then\s+|also\s+)?)(?P<verb>say|show|read|display|"
    r"contain|list|have|be|become|open|close|disappear|appear|remain|stay|change|turn|mention|include|"
    r"offer|state|equal|start|end)\b(?!\s+(?:it|them)\b)",
    re.IGNORECASE,
)


def _goes_on(found: re.Match[str]) -> str | None:
    """The claim with its subject said once more; None where nothing could be the subject."""
    if not re.match(
        r"(?:the|an?|my|your|this|that|its|each|every)\s|[A-Z\ue000-\uf8ff]", found["subject"]
    ):
        return None
    again = f"{found['subject'][:1].lower()}{found['subject'][1:]}"
    said = found["subject"] if re.match(r"[\ue000-\uf8ff]", found["subject"]) else again
    return (
        f"{found['subject']} {found['modal']} {found['first']}{found['and']}"
        f"{said} {found['modal']} {found['verb']}"
    )


# "click Yes, delete": one button, where what follows is no instruction of its own.
_ANSWER = re.compile(
    r"(?P<act>\b(?:click|press|choose|select|hit|tap)\s+(?:on\s+)?)(?P<name>(?-i:Yes|No),\s+"
    r"(?!then\b|and\b)(?P<more>(?-i:[a-z])[\w'’]*(?:\s(?!or\b)[\w'’]+){0,3}))(?=\s*(?:[.;!]|$))",
    re.IGNORECASE,
)


def _named(found: re.Match[str], talk: Talk) -> str:
    verb = verb_at(found["more"])
    if verb is not None and (verb[2] or not verb[0].startswith("own:")):
        return found[0]
    return found["act"] + talk.atoms.mask(f"[{found['name']}]")


def _one(found: re.Match[str], talk: Talk) -> str:
    """`the row where A is B and C is D`: one thing, in brackets."""
    for piece in re.split(r",?\s+(?:and|but)\s+", found["more"])[1:]:
        if verb_at(bare(piece)) is not None and not re.match(_IS, piece, re.IGNORECASE):
            return found[0]
    entry = re.match(r"\w+\s(?:starts|begins|ends|contains)\b", found["first"], re.IGNORECASE)
    if entry or _CLAIMS.search(found.string[: found.end("first")]):
        return found[0]
    every = found["all"] or ""
    return every + talk.atoms.mask(f"[{talk.atoms.phrase(found[0][len(every) :])}]")
