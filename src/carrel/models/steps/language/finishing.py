"""What `send it` and `delete them` finish: all that was filled in or selected just before."""

from __future__ import annotations

import re

from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import PRONOUN
from carrel.models.steps.program import (
    Check,
    Choose,
    Enter,
    Find,
    ForEach,
    Highlight,
    Paste,
    Perform,
    PickDate,
    PickTime,
    Point,
    Press,
    Read,
    SetValue,
    Step,
    Tick,
    Wait,
)

__all__ = ["finishes", "selected"]

_HERE = re.compile(rf"(?:{PRONOUN}|him|her|he|she|they)", re.IGNORECASE)


def finishes(step: Perform, before: list[Step]) -> bool:
    """`… and send it` after filling something in: all of that, not the last field."""
    last = next((s for s in reversed(before) if not isinstance(s, Check | Press | Wait)), None)
    if step.verb not in _SENDS or not _HERE.fullmatch(step.what or ""):
        return False
    if isinstance(last, Perform):
        return last.verb in _FILLS
    if last is None:
        # `save it as …` at the very beginning: what is in front.
        return step.verb in ("save", "print", "export", "publish")
    if step.verb == "save" and "as" in dict(step.details) and not isinstance(last, Find | Read):
        # A file is written of what is worked on, whatever was clicked for that.
        return not (isinstance(last, Point) and last.how == "right")
    return isinstance(last, Enter | Choose | Tick | SetValue | PickDate | PickTime | Paste)


_FILLS = {"reply", "compose", "create", "forward", "write", "edit", "add", "attach", "insert",
          "upload", "replace", "remove", "set up", "rotate", "crop", "invite", "assign", "tag",
          "label", "schedule", "address", "move"}  # fmt: skip


_SENDS = {"print", "export", "send", "save", "post", "publish", "confirm", "submit"}


_SEVERAL = re.compile(rf"(?:the\s+)?(?!one\b|1\b){NUMBER}\s+[a-z-]+s\b", re.IGNORECASE)


def selected(before: list[Step]) -> bool:
    """Whether the step just before selected several things, or text: it stays selected."""
    last = before[-1] if before else None
    if isinstance(last, ForEach) and len(last.body) == 1:
        return isinstance(last.body[0], Choose | Tick)
    if isinstance(last, Choose):
        return len(last.options) > 1 or _SEVERAL.match("".join(last.options)) is not None
    return (isinstance(last, Tick) and len(last.what) > 1) or isinstance(last, Highlight)
