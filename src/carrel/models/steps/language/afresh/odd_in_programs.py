"""Words about dialogs, editors and files that were taken for things or texts."""

from __future__ import annotations

import re

from carrel.models.steps import program as p
from carrel.models.steps.language.afresh.quoting import QUOTED, quotes

__all__ = ["is_odd_in_programs"]

_ANSWERED = re.compile(
    r"(?:it|this|that|the\s.+?)\s+(?:with|by)\s.+|.+\sto\s+(?:it|this|that|the\s.+)", re.IGNORECASE
)
"""What is answered, in what the answer would be."""
_EDGE = re.compile(
    r"the\s+(?:very\s+)?(?:end|bottom|top|start|beginning)\s+of\s+the\s+(?:text|document|file|note|letter)",
    re.IGNORECASE,
)
"""A place for the cursor, which is no thing to open or to click."""
_LINE = re.compile(r"\b(?:the|a|new|last|another) line\b", re.IGNORECASE)
_CHANGES = re.compile(r"(?:the|your|all) (?:unsaved )?(?:changes|edits)", re.IGNORECASE)
_FILES = re.compile(r"\w\.\w{1,5},? and \S*\w\.\w{1,5}$")
_SENT = re.compile(
    r"(?:typing|entering)\s+(?:the command\s+)?[\"“'`]?(?:exit|logout|quit)[\"”'`]?", re.IGNORECASE
)
"""A command that ends something only when it is sent."""
_ALL = re.compile(r"(?:all|every|each)\b[^\"“]*[\"“]", re.IGNORECASE)


def is_odd_in_programs(step: p.Step) -> bool:
    """Words about dialogs, editors and the cursor in them that were taken for things or texts."""
    if isinstance(step, p.Enter) and step.append:
        # Without a line of its own it would stand behind what is there.
        return _LINE.search(QUOTED.sub(" ", step.words)) is not None
    if isinstance(step, p.Enter):
        return _SENT.fullmatch(step.words) is not None
    if isinstance(step, p.Answer) and not step.aloud and _ANSWERED.fullmatch(step.text):
        return not quotes(step.words, step.text)
    if isinstance(step, p.Perform) and step.verb in ("delete", "remove"):
        return _CHANGES.fullmatch(step.what or "") is not None
    if isinstance(step, p.Copy):
        return _FILES.search(step.what or "") is not None
    if isinstance(step, p.Choose):
        return step.options == ("not",)
    if isinstance(step, p.Point | p.Open):
        return _EDGE.fullmatch(step.what) is not None
    return isinstance(step, p.SetValue) and _ALL.match(step.what or "") is not None
