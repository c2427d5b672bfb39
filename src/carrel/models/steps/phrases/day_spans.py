"""Spans of days of which the first is told in part: `from 3 to 5 May 2027`."""

from __future__ import annotations

import re

__all__ = ["with_whole_days"]

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_UP_TO = r"(?:to|until|till|through|and|[-–])"
_DAY_FIRST = re.compile(
    rf"\b(?P<word>from|between) (?P<the>the )?(?P<first>{_DAY}) (?P<to>{_UP_TO}) "
    rf"(?P<last>(?:the )?{_DAY}) (?P<rest>(?:of )?{_MONTH}(?:,? \d{{4}})?)(?!\w)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b(?P<word>from|between) (?P<month>{_MONTH}) (?P<first>{_DAY}) (?P<to>{_UP_TO}) "
    rf"(?P<last>{_DAY})(?P<year>,? \d{{4}})?(?![\w:])",
    re.IGNORECASE,
)


def with_whole_days(text: str) -> str:
    """The same with the month and the year said of both days."""
    text = _DAY_FIRST.sub(r"\g<word> \g<first> \g<rest> \g<to> \g<last> \g<rest>", text)
    return _MONTH_FIRST.sub(
        lambda m: (
            f"{m['word']} {m['month']} {m['first']}{m['year'] or ''} {m['to']} "
            f"{m['month']} {m['last']}{m['year'] or ''}"
        ),
        text,
    )
