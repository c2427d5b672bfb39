"""English claims about whoever sits before the screen: what one is asked, where one is taken."""

from __future__ import annotations

import re

from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Condition, Every, Has, Not, Shows

__all__ = ["asked_of", "of_person"]

_PERSON = r"(?:i|we|you|the user|one)"
_ONE = r"(?:i|we|you|the user|one|it|the (?!message|dialog|pop-?up|prompt|alert|window)[\w-]+)"
_IS = r"(?:(?:am|are|is|be|being|get|gets|got|been|were|was|['’]re|['’]m)\s+)?"
_WILL = (
    r"(?:(?:should|must|will|shall|have|has)\s+)?(?P<no>not\s+)?"
    r"(?:(?:now|then|also|still|again)\s+)*"
)
_THEN = (
    rf"{_WILL}{_IS}(?P<never>not\s+|no longer\s+)?"
    r"(?:(?:now|back|first|again|already|currently)\s+)*"
)
_LEAD = rf"(?:{_ONE}\s+)?{_THEN}"
_ASKED = r"(?:asked|prompted|warned|questioned)"
_ASKS = r"(?:asks?|prompts?|wants to know|warns?)"
_FOR = re.compile(
    rf"(?:(?:{_LEAD}){_ASKED}|{_ONE}\s+(?:should\s+|will\s+)?{_ASKS}(?:\s+you)?)\s+for\s+"
    r"(?P<what>\S.*)",
    re.IGNORECASE,
)
_TO = re.compile(
    rf"(?:(?:{_LEAD}){_ASKED}|{_ONE}\s+(?:should\s+|will\s+)?{_ASKS})\b\s*"
    r"(?:you\s+)?(?P<what>(?:to|whether|if|about|that|what|which|how)?\b.*)",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    rf"{_PERSON}\s+{_THEN}(?:logged|signed)\s+(?P<way>in|out|on|off)(?:\s+again)?", re.IGNORECASE
)
_TAKEN = re.compile(
    rf"{_PERSON}\s+{_THEN}(?:taken|redirected|sent|brought|forwarded|returned|transferred|led|directed)\s+"
    r"(?:back\s+|straight\s+|directly\s+|automatically\s+)?to\s+(?:the\s+|a\s+|my\s+|your\s+)?"
    r"(?P<name>.+?)(?:\s+(?:page|screen|view))?",
    re.IGNORECASE,
)
_GETS = re.compile(
    r"(?:i|we|you|the user)\s+(?:should|must|will|shall)\s+(?P<no>not\s+)?(?:now\s+)?"
    r"(?:get|receive|have|be (?:shown|given|offered|presented with))\s+(?P<what>\S.*)",
    re.IGNORECASE,
)


def of_person(text: str, talk: Talk) -> Condition | None:
    """What can be seen when someone is asked, taken somewhere, or logged in; None otherwise."""
    for form, meaning in ((_FOR, _asked_for), (_TO, _asked), (_LOGGED, _logged), (_TAKEN, _taken)):
        found = form.fullmatch(text)
        if found is not None:
            condition = meaning(found, talk)
            return Not(condition) if found["no"] or found["never"] else condition
    if found := _GETS.fullmatch(text):
        shows = Shows(talk.phrase(found["what"]))
        return Not(shows) if found["no"] else shows
    return None


def _asked_for(found: re.Match[str], talk: Talk) -> Condition:
    """What is asked for has a field, or at least its name is there."""
    return Shows(re.sub(r"^(?:an?|your|my)\s+", "the ", talk.phrase(found["what"])))


def _asked(found: re.Match[str], talk: Talk) -> Condition:
    """What it asks is said for people; that it asks can be seen."""
    if log := re.fullmatch(
        r"to\s+(?P<what>(?:log|sign)\s(?:in|on|up)(?:\s+again)?)", found["what"]
    ):
        return Shows(talk.phrase(log["what"].removesuffix(" again")))
    talk.put_aside(found[0])
    about = asked_of("the dialog", talk.atoms.original(found["what"]))
    return Shows("a dialog") if about is None else about


_VALUE = re.compile(
    r"[\"“](?P<quoted>[^\"”]+)[\"”]|(?<=\s)(?P<name>(?!I\b)[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)"
)


def asked_of(dialog: str, words: str) -> Condition | None:
    """What a question names has to stand in the dialog that asks it; None where it names nothing.

    Args:
        dialog: A phrase for what asks.
        words: What is asked, in the person's words.
    """
    told = [next(filter(None, one.groups())) for one in _VALUE.finditer(words)]
    held = tuple(Has(dialog, text) for text in told)
    return held[0] if len(held) == 1 else Every(held) if held else None


def _logged(found: re.Match[str], talk: Talk) -> Condition:
    """Who is logged in can log out, and the other way round."""
    out = found["way"].lower() in ("out", "off")
    ways = ("log in", "sign in") if out else ("log out", "sign out")
    return Every(tuple(map(Shows, ways)), any=True)


def _taken(found: re.Match[str], talk: Talk) -> Condition:
    name = talk.text(found["name"])
    return Every((Has("the page title", name), Shows(f'the heading "{name}"')), any=True)
