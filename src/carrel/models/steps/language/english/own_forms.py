"""Forms of an application's own verbs: several by their number, fields to filter by, new days."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import DATED, QUOTE, TIMED
from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Perform, Step

__all__ = ["ONE_BY_ONE", "filtered", "nths", "rescheduled"]

ONE_BY_ONE = {
    "delete", "remove", "star", "flag", "archive", "download", "open", "restore", "pin", "unpin",
    "mute", "unmute", "approve", "reject", "accept", "decline", "print", "hide", "block", "unblock",
    "lock", "unlock", "cancel", "duplicate", "like", "follow", "unfollow", "upload", "attach",
    "close", "resolve", "reopen", "publish",
}  # fmt: skip
"""What is done to one thing after the other where several are named."""
_ORDINAL = rf"(?:{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)|last)"
_NTHS = re.compile(
    rf"the\s+(?P<list>{_ORDINAL}(?:\s*,\s*(?:the\s+)?{_ORDINAL})*\s*,?\s+and\s+(?:the\s+)?{_ORDINAL})\s+"
    r"(?P<noun>[a-z-]+)(?P<of>\s+(?:of|in|on)\s+(?:the|this)\s.+)?",
    re.IGNORECASE,
)


def nths(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`delete the second and the fourth row`: the last first, for the others keep their places."""
    found = _NTHS.fullmatch(body) if base in ONE_BY_ONE else None
    if found is None:
        return None
    noun = re.sub(r"(?<=[^s])s$", "", found["noun"])
    each = re.findall(_ORDINAL, found["list"], re.IGNORECASE)
    told = [f"the {one} {noun}{found['of'] or ''}" for one in each]
    return [Perform(base, talk.phrase(one)) for one in reversed(told)]


_WHEN = rf"(?:{DATED}|{TIMED}|(?:next\s|this\s)?\w+day|tomorrow|today)"
_RESCHEDULED = re.compile(
    rf"(?P<what>(?:the|my|our)\s.*?\s(?:on|at)\s.*?{_WHEN}.*?)\s+to\s+(?P<to>{_WHEN}(?!\w).*)",
    re.IGNORECASE,
)


def rescheduled(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`reschedule the meeting on Thursday at 3 pm to Friday at 10 am`: which one, and to when."""
    found = _RESCHEDULED.fullmatch(body) if base in ("reschedule", "postpone") else None
    if found is None:
        return None
    return [Perform(base, talk.phrase(found["what"]), (("to", talk.text(found["to"])),))]


_BY_FIELDS = re.compile(r"(?:(?P<what>(?:the|my|all)\s.+?)\s+)?by\s+(?P<rest>\S.*)", re.IGNORECASE)
_FIELD_VALUE = re.compile(
    rf"(?:the\s+)?(?P<word>[a-z]+(?:\s(?!is\b)[a-z]+)?)\s*(?:=|:|\bis\b)?\s+"
    rf"(?P<text>{QUOTE}|[A-Z\d]\S*(?:\s[\w-]+){{0,2}})"
)


def filtered(base: str, body: str, talk: Talk) -> list[Step] | None:
    """`filter by assignee Mia and status In progress`: each field with its value."""
    found = _BY_FIELDS.fullmatch(body) if base == "filter" else None
    pieces = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["rest"]) if found else []
    named = [_FIELD_VALUE.fullmatch(piece) for piece in pieces]
    if found is None or not all(named):
        return None
    what = talk.phrase(found["what"]) if found["what"] else None
    return [Perform(base, what, tuple((f["word"], talk.text(f["text"])) for f in named if f))]
