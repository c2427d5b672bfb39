"""English words around an instruction that say in which case, in what manner, and when."""

from __future__ import annotations

import re

from carrel.models.steps.language.english.reader import Reader, condition_of, imperative, is_gerund
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import Check, Every, If, Not, Repeat, Step, Wait

__all__ = ["as_what", "in_case", "in_manner", "meanwhile"]

_SHOULD = re.compile(r"should\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_COMMA = re.compile(r"\s*,\s+(?:then\s+)?")


def in_case(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Should a dialog open, close it`: if one does."""
    found = _SHOULD.fullmatch(text)
    if found is None:
        return None
    for joint in _COMMA.finditer(found["rest"]):
        said, body = found["rest"][: joint.start()], found["rest"][joint.end() :]
        if verb_at(bare(body)) is None:
            continue
        for gap in reversed(list(re.finditer(r"\s+", said))):
            claim = f"{said[: gap.start()]} should {said[gap.end() :]}"
            condition = condition_of(claim, talk)
            if condition is not None:
                return [If(condition, tuple(read(body, talk)))]
    return None


_AS = re.compile(
    r"(?:as|for)\s+(?P<what>(?:the|your|my|an?)\s+[^,]+?),\s+(?P<body>(?:choose|select|pick|enter|"
    r"type|put|set|use|give|take)\s[^,]+?)(?P<more>,?\s+(?:and|then)\s.+)?",
    re.IGNORECASE | re.DOTALL,
)


_HELD = re.compile(
    r"(?:with|while)\s+(?:the\s+)?(?P<key>ctrl|control|shift|alt)(?:\s+key)?\s+(?:is\s+)?"
    r"(?:held|pressed|kept)(?:\s+down)?,\s+(?P<body>\S.*)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:(?:instead of|rather than)\s+\w+ing\s[^,]+|with (?:everything|all (?:of )?(?:this|that|"
    r"the fields))\s+(?:filled in|set|ready|in place|done|entered)),\s+(?P<body>[a-z].*)",
    re.IGNORECASE | re.DOTALL,
)
# Scrolling and waiting do no harm where there is no need.
_NEEDED = re.compile(
    r"if\s+(?:necessary|needed|need be|required),\s+(?P<body>(?:scroll|wait)\b.*)",
    re.IGNORECASE | re.DOTALL,
)


def as_what(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`As the country, choose Norway`; `with Ctrl held down, click B`; `instead of …`."""
    if held := _HELD.fullmatch(text):
        return read(f"hold {held['key']} and {held['body']}", talk)
    if instead := _INSTEAD.fullmatch(text):
        talk.put_aside(text[: instead.start("body")])
        return read(instead["body"], talk)
    if needed := _NEEDED.fullmatch(text):
        talk.put_aside(text[: needed.start("body")])
        return read(needed["body"], talk)
    found = _AS.fullmatch(text)
    if found is None or text[:2].lower() != "as":
        return None
    body = re.sub(r"^(?:use|give|take)\s", "enter ", found["body"], flags=re.IGNORECASE)
    what = re.sub(r"^(?:an?|your|my)\s", "the ", found["what"], flags=re.IGNORECASE)
    return read(f"{body} as {what}{found['more'] or ''}", talk)


_WHILE = re.compile(
    r"(?:while|as long as|so long as)\s+(?P<cond>[^,]+),\s+(?P<body>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_TRAILING = re.compile(
    r"(?P<body>.+?),?\s+(?:as long as|so long as|for as long as)\s+(?P<cond>.+)",
    re.IGNORECASE | re.DOTALL,
)
_KEEP = re.compile(r"(?:keep(?: on)?|continue|go on|carry on)\s+(?=\w+ing\b)", re.IGNORECASE)


def meanwhile(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`While there are unread mails, archive the first`: again and again, until it is not so."""
    found = _WHILE.fullmatch(text) or _TRAILING.fullmatch(text)
    if found is None:
        return None
    body = imperative(_KEEP.sub("", bare(found["body"])))
    cond = re.sub(r"^(?:it|they) (?:is|are) (?:still )?there$", "it is visible", found["cond"])
    condition = condition_of(cond, talk)
    if condition is not None and verb_at(body) is None and found.re is _WHILE:
        # Both have to be so at the same time.
        other = condition_of(body, talk) if re.search(r"\b(?:should|must)\b", body) else None
        talk.put_aside("while as so long")
        return [Check(Every((condition, other)))] if other is not None else None
    if condition is None or verb_at(body) is None:
        return None
    talk.put_aside("as so long")
    return [Repeat(tuple(read(body, talk)), until=Not(condition))]


_MANNER = re.compile(
    r"(?:,?\s+(?:one (?:by one|after (?:the other|another)|at a time)|in turn|in (?:this|that|the "
    r"given|the same) order|from (?:top to bottom|left to right|first to last)|in quick succession|"
    r"by hand|manually|with care|as (?:usual|before|always|described|shown|above)|"
    r"within (?:the next\s+)?(?P<n>\S+) (?:seconds|minutes|secs|mins)|just as before|"
    r"straight ?away|at once|right now|without delay|first thing|for now|for the moment|"
    r"keeping (?:the same \w+|everything else(?: as it is)?|.+ (?:unchanged|as it is|the same))|"
    r"leaving (?:everything else|the rest|all (?:the )?others|.+)\s+(?:unchanged|as (?:it is|they "
    r"are)|untouched|alone)))+",
    re.IGNORECASE,
)
_LATER = re.compile(
    rf"(?P<body>.+?)\s+after\s+(?:about\s+)?(?P<n>{NUMBER}|an?)\s+(?P<unit>seconds?|secs?|minutes?|mins?)"
    r"(?P<more>\s+by\s.+)?",
    re.IGNORECASE | re.DOTALL,
)
_NOT_OF = frozenset(("enter", "append", "verify", "wait", "say", "tell", "answer", "read"))


def in_manner(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Delete them one by one`, `close it after ten seconds`: how is left to the hands."""
    verb = verb_at(text)
    if verb is None or is_gerund(text):
        return None
    paused = re.match(r"pause\s+(?:the|it|this)\b", text, re.IGNORECASE)
    if verb[0] in _NOT_OF and not paused:
        return None
    later = _LATER.fullmatch(text) if verb[0] not in ("set", "make") else None
    if later:
        scale = 60 if later["unit"].lower().startswith("min") else 1
        words = talk.atoms.original(text)
        wait = Wait(seconds=float(number(later["n"]) or 1) * scale, words=words)
        return [wait, *read(f"{later['body']}{later['more'] or ''}", talk)]
    for found in _MANNER.finditer(text):
        rest = text[found.end() :]
        if found.start() and re.match(r"$|\s+(?:until|by|to|and|from)\b", rest):
            talk.put_aside(found[0])
            return read(f"{text[: found.start()]}{rest}", talk)
    return None
