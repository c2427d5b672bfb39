"""An instruction as words that stand at their places, in clauses, some of them quoted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from carrel.models.steps.phrases.stemming import stem

__all__ = ["ARTICLES", "Span", "Word", "Wording", "places_of", "read_wording", "stems_said"]

Span = tuple[int, int]
"""From which word to before which."""

ARTICLES = frozenset({"the", "a", "an", "my", "your", "our", "his", "her", "their", "its"})
_HAN = "\u3400-\u9fff"
_WORD = re.compile(rf"\d+(?:[.:,]\d+)+|[^\W_{_HAN}]+(?:['’][^\W_{_HAN}]+)?|[{_HAN}]")
_QUOTED = re.compile(r"[\"“«「『]([^\"“”«»「」『』]+)[\"”»」』]")
_DAY = re.compile(
    r"(?<!\d)(?:\d{4}\s*年\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?|\d{1,2}\s*月\s*\d{1,2}\s*[日号]"
    r"|\d{4}([-/.])\d{1,2}\1\d{1,2}(?!\d))"
)
"""A day in figures is one text: its month and its number are no names of other things."""
_BREAK = re.compile(r"[,;.!?，；。！？、:：]")
_JOINS = frozenset({"and", "then", "but", "并", "再"})


_DATED = {
    name[:3]: name
    for name in (
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("january", "february", "march", "april", "june", "july", "august", "september"),
        *("october", "november", "december"),
    )
}
"""What is often written short, by its first letters."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word, or one sign of what is written without spaces.

    Attributes:
        said: As it was said.
        stem: In one form for all inflections.
        clause: The number of the clause that it stands in.
        quote: The number of the quoted text that it is of; -1 for none.
        first: Whether its clause begins with it.
    """

    said: str
    stem: str
    clause: int
    quote: int = -1
    first: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """All words of an instruction.

    Attributes:
        text: In the person's words.
        words: One after another.
        quotes: What is quoted, and days in figures, to the letter.
    """

    text: str
    words: tuple[Word, ...]
    quotes: tuple[str, ...] = ()

    def span_of_quote(self, number: int) -> Span:
        """Where a quoted text stands."""
        at = [index for index, word in enumerate(self.words) if word.quote == number]
        return at[0], at[-1] + 1

    def said(self, span: Span) -> str:
        """The words from one place to another, as they were said; a quoted text to the letter."""
        words = self.words[slice(*span)]
        quotes = {word.quote for word in words}
        if len(quotes) == 1 and -1 not in quotes:
            return self.quotes[quotes.pop()]
        between = "" if any(re.match(f"[{_HAN}]", word.said) for word in words) else " "
        return between.join(word.said for word in words)


def read_wording(text: str) -> Wording:
    """The words of an instruction, in English or Chinese.

    Args:
        text: As the person said it.
    """
    plain = unicodedata.normalize("NFKC", text)
    quoted = [(found.span(), found[1]) for found in _QUOTED.finditer(plain)]
    quoted += [
        (found.span(), found[0])
        for found in _DAY.finditer(plain)
        if not any(start <= found.start() < end for (start, end), _ in quoted)
    ]
    quoted.sort()
    words: list[Word] = []
    clause, end, first = 0, 0, True
    for found in _WORD.finditer(plain):
        within = (n for n, (q, _) in enumerate(quoted) if q[0] <= found.start() < q[1])
        quote = next(within, -1)
        said = re.sub(r"['’]s?$", "", found[0])
        joins = quote < 0 and said.casefold() in _JOINS
        if words and (joins or (quote < 0 and _BREAK.search(plain[end : found.start()]))):
            clause, first = clause + 1, True
        words.append(Word(said, _form(said.casefold()), clause, quote, first and not joins))
        first, end = first and joins, found.end()
    told = {word.quote for word in words}
    if not {*range(len(quoted))} <= told:  # a quote of signs only
        return Wording(text, ())
    return Wording(text, tuple(words), tuple(said for _, said in quoted))


def stems_said(text: str) -> tuple[str, ...]:
    """The words of a name, one after another, in one form, without articles."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    words = (re.sub(r"['’]s?$", "", word) for word in _WORD.findall(plain))
    return tuple(_form(word) for word in words if word not in ARTICLES)


def _form(word: str) -> str:
    """One form for all inflections, and for a day or a month that is written short."""
    whole = _DATED.get(word[:3], "")
    return word[:3] if whole and whole.startswith(word) else stem(word)


def places_of(wording: Wording, name: str, free: Iterable[bool]) -> Iterator[Span]:
    """Where a name is said, all of it: only articles may stand between its words.

    Args:
        wording: The instruction.
        name: What something on the screen is called.
        free: For each word, whether it may be part of it.
    """
    sought, usable, words = stems_said(name), list(free), wording.words
    if not sought:
        return
    for start, word in enumerate(words):
        if word.stem != sought[0]:
            continue
        at, left = start, list(sought)
        while left and at < len(words) and usable[at]:
            if words[at].stem == left[0]:
                left.pop(0)
            elif words[at].said.casefold() not in ARTICLES:
                break
            at += 1
        if not left and _whole_quotes(wording, (start, at)) and _letter(word, name, at - start):
            yield start, at


def _whole_quotes(wording: Wording, span: Span) -> bool:
    """Whether no quoted text is only half in it."""
    for number in {word.quote for word in wording.words[slice(*span)]} - {-1}:
        start, end = wording.span_of_quote(number)
        if start < span[0] or end > span[1]:
            return False
    return True


def _letter(word: Word, name: str, length: int) -> bool:
    """A name of one letter has to be said as it is written: "a" is a word of its own."""
    single = length == 1 and len(word.said) == 1 and word.said.isascii() and word.said.isalpha()
    return not single or (word.said == name.strip() and word.said not in ("a", "I"))
