"""Steps of a kind that nobody would mean by their words: other letters, marks, no such verb."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.models.steps import program as p
from carrel.models.steps.language.afresh.quoting import QUOTED, is_quoted

__all__ = ["is_miswritten", "is_odd_of_its_kind"]

_MARK = re.compile(
    r"(?:an?|the|its) (?:star|flag|heart|pin|tick|check|cross|(?:check|tick) "
    r"?mark)",
    re.IGNORECASE,
)
_PASSED_ON = re.compile(
    r"\b(?:e-?mail|mail|message|letter)s?\b.*\b(?:go|get|be (?:sent|passed|forwarded|given)) "
    r"(?:on |over )?to\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\bto (?:enter|type|fill in|use|pick|choose|select|write)(?: in)? is\b|\bneeds? \w+ing$",
    re.IGNORECASE,
)
_UPPER = re.compile(r"\b(?:upper[ -]?case|capital letters|capitals|all caps)\b", re.IGNORECASE)
_LOWER = re.compile(r"\b(?:lower[ -]?case|small letters)\b", re.IGNORECASE)
_FOCUS = re.compile(r"(?:the )?(?:focus|cursor)", re.IGNORECASE)
_ANSWER = re.compile(r"(?:(?:an?|the|my|your) )?(?:answer|reply|response)", re.IGNORECASE)
_NO_VALUE = re.compile(r"the (?:date|time|left|right|top|bottom)(?: side)?", re.IGNORECASE)
_TAKEN_OFF = re.compile(
    r"take\b.+\s(?:off|away from)\s(?:it|them|there|the|my|our|[a-z]+$)", re.IGNORECASE
)
_NTH = r"(?:first|second|third|fourth|fifth|last|other|\d+(?:st|nd|rd|th))"
_PIECE = re.compile(rf"\b{_NTH} (?:word|letter|character)\b", re.IGNORECASE)
_DESCRIBED = re.compile(
    r"(?:the|what|whatever|all|its|their|whichever|every|each)\s+[a-z]", re.IGNORECASE
)


def is_miswritten(steps: Sequence[p.Step]) -> bool:
    """Whether a text is typed in other letters than the step says."""
    return any(isinstance(step, p.Enter) and _is_miswritten(step) for step in steps)


def is_odd_of_its_kind(step: p.Step) -> bool:
    """Whether a step says what one of its kind cannot mean."""
    match step:
        case p.Enter():
            described = _DESCRIBED.match(step.text) or _FOCUS.fullmatch(step.text)
            return bool(described and not is_quoted(step)) or _is_miswritten(step)
        case p.Perform():
            return _is_no_verb(step)
        case p.Check():
            return bool(_PASSED_ON.search(step.words) or _GIVEN.search(step.words))
        case p.Read():
            return _TAKEN_OFF.match(step.words) is not None
        case p.Open():
            return re.match(r"\(-?\d", step.what) is not None
        case p.Drag():
            return step.onto == step.what or _MARK.fullmatch(step.what) is not None
        case p.SetValue():
            return _NO_VALUE.fullmatch(step.value) is not None
    return bool(re.match(r"copy\b", step.words, re.IGNORECASE) and _PIECE.search(step.words))


def _is_miswritten(step: p.Enter) -> bool:
    """Whether letters were asked for that it has not."""
    said = QUOTED.sub(" ", step.words)
    if _UPPER.search(said) and step.text != step.text.upper():
        return True
    return _LOWER.search(said) is not None and step.text != step.text.lower()


def _is_no_verb(step: p.Perform) -> bool:
    """`make Ann the receiver`, `add a star to it`: no control is called so."""
    if step.verb == "get" and step.what == "back":
        return True
    if any(_ANSWER.fullmatch(value) for _, value in step.details):
        return True
    if step.verb in ("make", "give", "nudge", "swap"):
        return bool(step.details) or bool(re.search(r"\bfocus$|wards?$", step.what or ""))
    return (
        step.verb in ("add", "give", "put", "attach")
        and _MARK.fullmatch(step.what or "") is not None
    )
