"""English words for what is not done with an act: `without filling anything in`, `left empty`."""

from __future__ import annotations

import re

from carrel.models.steps.language.english.reader import Reader
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.values import field_of
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.program import Check, Is, Step

__all__ = ["form_left", "left_empty", "without"]

_WITHOUT = re.compile(
    r"(?P<body>.+?),?\s+(?:but\s+)?without\s+(?P<act>(?!saving\b)(?:first\s+|ever\s+)?"
    r"(?:having\s+[a-z]+|\w+ing)\b.*)",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"\w+\s+(?:(?:in|out)\s+)?any(?:thing(?: else)?| (?:other |of the )?[\w ]+?)"
    r"(?:\s+(?:in|out|at all|first|before|beforehand))*|"
    r"(?:changing|editing|modifying|touching|altering)\s+\S.*",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?:entering|entered|filling in|filling out|filled in|filled out|typing(?: in)?|typed(?: in)?|"
    r"providing|provided|giving|given|writing|written|specifying|specified)\s+"
    r"(?P<what>(?:the|an?|your|my)\s[a-z][a-z -]*)",
    re.IGNORECASE,
)
_FILLS = re.compile(
    r"(?:enter|fill|typ|provid|giv|writ|specif|put|chang|choos|select|do|tick)", re.IGNORECASE
)


def without(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Save it without drawing anything`: nothing does what no step says."""
    found = _WITHOUT.fullmatch(text)
    if found is None:
        return None
    body, said = found["body"], text[found.end("body") :]
    act = re.sub(r"^(?:(?:first|ever|having)\s+)+", "", found["act"], flags=re.IGNORECASE)
    verb, other = verb_at(body), verb_at(act)
    if verb is None or (other is None and not _FILLS.match(act)):
        return None
    unlike = other is None or verb[0] != other[0]
    if unlike and _ANY.fullmatch(act):
        talk.put_aside(said)
        return read(body, talk)
    if left := _LEFT_OUT.fullmatch(act):
        # What is left out is seen before it is done without.
        talk.put_aside(said)
        field = field_of(re.sub(r"^(?:the|an?|your|my)\s+|\s+field$", "", left["what"]))
        return [Check(Is(field, "empty"), words=talk.atoms.original(act)), *read(body, talk)]
    return [*read(body, talk), *read(f"do not {act}", talk)] if other else None


_EMPTY = r"(?:empty|blank|unfilled|free)"
_LEAVING = re.compile(
    rf"(?P<body>.+?),?\s+(?:(?:while\s+)?leaving\s+(?P<what>[^,;]+?)\s+{_EMPTY}|"
    rf"with\s+(?P<with>everything|(?:all|the)\s[^,;]+?)\s+(?:still\s+|left\s+)*{_EMPTY})",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"everything(?:\s+else)?|(?:the\s+)?(?:whole\s+|entire\s+)?form|"
    r"(?:all|each|every)(?:\s+of)?(?:\s+the)?\s+(?:fields?|boxes|inputs|entries)|the\s+fields",
    re.IGNORECASE,
)


def left_empty(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Click Send leaving the subject empty`: that it is empty is seen before the act."""
    found = _LEAVING.fullmatch(text)
    if found is None or verb_at(found["body"]) is None:
        return None
    what = found["what"] or found["with"]
    if _ALL.fullmatch(what):
        what = "all the fields"
    talk.put_aside(text[found.end("body") :])
    return [*read(f"leave {what} empty", talk), *read(found["body"], talk)]


_FORM = re.compile(
    r"(?:leave|keep)\s+(?:everything|(?:the\s+)?(?:whole\s+|entire\s+)?form)\s+(?=empty|blank)",
    re.IGNORECASE,
)


def form_left(text: str) -> str:
    """`Leave the form empty`: each of its fields."""
    return _FORM.sub("leave all the fields ", text)
