"""A parser of written calls: `click(start_box='(1,2)')`, `pyautogui.hotkey('ctrl', 'c')`.

Models write what looks like Python. It is never evaluated: this reads names, literals and nothing
else, in one pass over the text, and says what it could not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from carrel.errors import InvalidInput

__all__ = ["Literal", "Written", "quote", "read_calls"]

Literal = None | bool | int | float | str | list["Literal"]

MAX_CALLS = 100
MAX_ARGUMENTS = 100
MAX_DEPTH = 4
MAX_DIGITS = 30

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,3}")
_KEYWORD = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,63})\s*=(?!=)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
_GAP = re.compile(r"(?:[\s;,]|#[^\n]*)+")
_SPACE = re.compile(r"(?:\s|#[^\n]*)+")
# In text of a model that does not escape quotes, a quote ends the string only where the call can
# go on after it: another argument, or the end of the call.
_AFTER_STRING = re.compile(
    r"\s*(?:,\s*[A-Za-z_]\w{0,63}\s*=|\)\s*(?:$|[;#`<]|[A-Za-z_][\w.]{0,80}\s*\())"
    r"|\s*\)[ \t]*\n"
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\", "`": "`"}
_WORDS: dict[str, bool | None] = {"True": True, "False": False, "None": None}
_WORDS |= {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Written:
    """One call as it was written."""

    name: str
    positional: tuple[Literal, ...]
    keywords: dict[str, Literal]


def read_calls(text: str, *, strict: bool = False) -> Iterator[Written]:
    """The calls of a text that holds nothing else (but comments, commas and semicolons).

    Args:
        text: What the model wrote.
        strict: Strings end at the first quote that is not escaped, as in Python. Otherwise a quote
            in the middle of a text belongs to it.

    Raises:
        InvalidInput: Something else is there, or a call is not finished.
    """
    parser = _Parser(text, strict)
    for _ in range(MAX_CALLS):
        parser.skip(_GAP)
        if parser.ended:
            return
        yield parser.call()
    parser.skip(_GAP)
    if not parser.ended:
        raise InvalidInput(f"more than {MAX_CALLS} actions in one answer")


def quote(text: str) -> str:
    """The text as a literal in single quotes."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')
    escaped = escaped.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return f"'{escaped}'"


class _Parser:
    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.at = 0
        self.strict = strict

    @property
    def ended(self) -> bool:
        return self.at >= len(self.text)

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()

    def wrong(self, expected: str) -> InvalidInput:
        there = self.text[self.at : self.at + 30]
        found = f"got {there!r}" if there else "the text ends"
        return InvalidInput(f"expected {expected}, {found}", hint="write one call per line")

    def take(self, character: str) -> bool:
        self.skip(_SPACE)
        if not self.text.startswith(character, self.at):
            return False
        self.at += len(character)
        return True

    def call(self) -> Written:
        match = _NAME.match(self.text, self.at)
        if match is None:
            raise self.wrong("an action")
        self.at = match.end()
        if not self.take("("):
            raise self.wrong(f"( after {match[0]}")
        positional: list[Literal] = []
        keywords: dict[str, Literal] = {}
        while not self.take(")"):
            self.argument(positional, keywords)
            if not self.take(",") and not self.text.startswith(")", self.at):
                raise self.wrong(f"a comma or ) in {match[0]}(…)")
        return Written(match[0], tuple(positional), keywords)

    def argument(self, positional: list[Literal], keywords: dict[str, Literal]) -> None:
        if len(positional) + len(keywords) >= MAX_ARGUMENTS:
            raise InvalidInput(f"more than {MAX_ARGUMENTS} arguments")
        self.skip(_SPACE)
        match = _KEYWORD.match(self.text, self.at)
        if match is None:
            if keywords:
                raise self.wrong("name=value")
            positional.append(self.value(0))
            return
        if match[1] in keywords:
            raise InvalidInput(f"{match[1]!r} is given twice")
        self.at = match.end()
        keywords[match[1]] = self.value(0)

    def value(self, depth: int) -> Literal:
        self.skip(_SPACE)
        here = self.text[self.at : self.at + 1]
        if here in ("'", '"') and here:
            return self.string(here)
        if here in ("[", "(") and here:
            return self.items(depth, "]" if here == "[" else ")")
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            self.at = number.end()
            return _number(number[0])
        return self.word()

    def word(self) -> Literal:
        match = _NAME.match(self.text, self.at)
        if match is None or match[0] not in _WORDS:
            raise self.wrong("a number or a quoted text")
        self.at = match.end()
        return _WORDS[match[0]]

    def items(self, depth: int, end: str) -> Literal:
        if depth >= MAX_DEPTH:
            raise InvalidInput("lists are nested too deeply")
        self.at += 1
        found: list[Literal] = []
        while not self.take(end):
            if len(found) >= MAX_ARGUMENTS:
                raise InvalidInput(f"more than {MAX_ARGUMENTS} items in a list")
            found.append(self.value(depth + 1))
            if not self.take(",") and not self.text.startswith(end, self.at):
                raise self.wrong(f"a comma or {end}")
        return found

    def string(self, mark: str) -> str:
        if self.text.startswith(mark * 3, self.at):
            return self.until(mark * 3)
        return self.until(mark)

    def until(self, mark: str) -> str:
        at = self.at + len(mark)
        stop = re.compile(rf"\\|{mark}")
        pieces: list[str] = []
        while match := stop.search(self.text, at):
            pieces.append(self.text[at : match.start()])
            at = match.end()
            if match[0] == "\\":
                piece, at = self.escape(at)
                pieces.append(piece)
            elif self.closes(at, mark):
                self.at = at
                return "".join(pieces)
            else:
                pieces.append(match[0])
        raise InvalidInput("a quoted text has no end")

    def closes(self, at: int, mark: str) -> bool:
        if self.strict or len(mark) == 3:
            return True
        return _AFTER_STRING.match(self.text, at) is not None

    def escape(self, at: int) -> tuple[str, int]:
        character = self.text[at : at + 1]
        if character in _ESCAPES and character:
            return _ESCAPES[character], at + 1
        width = {"x": 2, "u": 4}.get(character, 0)
        digits = self.text[at + 1 : at + 1 + width]
        if width and re.fullmatch(rf"[0-9A-Fa-f]{{{width}}}", digits):
            code = int(digits, 16)
            if not 0xD800 <= code <= 0xDFFF:
                return chr(code), at + 1 + width
        return "\\", at


def _number(text: str) -> int | float:
    if len(text) > MAX_DIGITS:
        raise InvalidInput(f"{text[:12]}… is not a sensible number")
    if re.fullmatch(r"[-+]?\d+", text):
        return int(text)
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise InvalidInput(f"{text} is not a sensible number")
    return number
