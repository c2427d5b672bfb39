"""Whether a file of the desk holds a text, and which file a phrase means."""

from __future__ import annotations

import re

from carrel.actions import ReadFile, StatFile
from carrel.models.steps.claims.comparing import compare
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Has
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.phrases.file_words import file_said, is_file_name
from carrel.models.steps.turns import Turns

__all__ = ["UNREADABLE", "file_meant", "in_file"]

_FILE = re.compile(
    r"(?:the )?(?:(?:contents?|text) of )?(?:the )?(?:file|文件)\s*"
    r"(?:[\"“](?P<quoted>/[^\"”]+)[\"”]|(?P<path>/\S+?))\s*(?:的?(?:内容|文本|正文))?"
    r"|(?P<bare>/[^\s/]+/\S*\.\w+)",
    re.IGNORECASE,
)
UNREADABLE = "there is no text file"


def file_meant(desk: Desk, what: str) -> Turns[str | None]:
    """The file that is said by its path, or by a name that a file of the desk has."""
    if said := _FILE.fullmatch(what.strip()):
        return said["path"] or said["quoted"] or said["bare"]
    path = file_said(what)
    if path is None and is_file_name(what) and web_page(desk.elements) is None:
        path = f"~/{what.strip(' “”')}".replace('"', "")
    if path is None:
        return None
    results = yield from desk.attempt(StatFile(path), why="whether it is a file", commits=False)
    return path if results and results[0].ok else None


def in_file(desk: Desk, path: str, condition: Has) -> Turns[tuple[bool, str]]:
    """Whether a file holds a text; the end of its last line is no part of that."""
    results = yield from desk.attempt(ReadFile(path), why="what it holds", commits=False)
    text = results[0].data.get("text") if results and results[0].ok else None
    if not isinstance(text, str):
        return False, f"{UNREADABLE} {path}"
    held = text.rstrip("\n")
    return compare(held, condition.how, condition.text), f"{path} holds {held[:200]!r}"
