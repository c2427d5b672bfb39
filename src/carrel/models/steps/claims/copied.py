"""What is said of the clipboard, which no screen shows."""

from __future__ import annotations

import re

from carrel.actions import GetClipboard
from carrel.models.steps.claims.comparing import compare
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Has
from carrel.models.steps.turns import Turns

__all__ = ["clipboard_holds", "clipboard_text", "is_clipboard"]

_CLIPBOARD = re.compile(
    r"(?:the\s+)?(?:(?:current\s+)?(?:contents?|text|value)\s+(?:of|in|on)\s+)?(?:the\s+)?"
    r"(?:system\s+)?clipboard(?:['’]s)?(?:\s+(?:contents?|text))?"
    r"|(?:系统)?剪贴板(?:里|中|上)?的?(?:内容|文本|文字)?",
    re.IGNORECASE,
)


def is_clipboard(phrase: str) -> bool:
    """Whether a phrase means the clipboard."""
    return _CLIPBOARD.fullmatch(phrase.strip()) is not None


def clipboard_text(desk: Desk) -> Turns[str]:
    """What was copied, as text; empty where it is none."""
    results = yield from desk.attempt(GetClipboard(), why="what is copied", commits=False)
    return str(results[0].data.get("text", "")) if results and results[0].ok else ""


def clipboard_holds(desk: Desk, condition: Has) -> Turns[tuple[bool, str]]:
    """Whether the clipboard has a text; the end of its last line is no part of that."""
    held = (yield from clipboard_text(desk)).rstrip("\n")
    so = compare(held, condition.how, condition.text)
    return so, f"the clipboard holds {held[:200]!r}, not {condition.text!r}"
