"""An instruction as words that stand at their places, in clauses, some of them quoted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from carrel.models.steps.language.dates import DATE, DAY_OF_YEAR
from carrel.models.steps.phrases.stemming import stem

__all__ = [
    "ARTICLES",
    "Span",
    "Word",
    "Wording",
    "is_whole",
    "places_of",
    "read_wording",
    "stems_said",
]

Span = tuple[int, int]
"""From which word to before which."""

ARTICLES = frozenset({"the", "a", "an", "my", "your", "our", "his", "her", "their", "its"})
_HAN = "\u3400-\u9fff"
_WORD = re.compile(rf"\d+(?:[.:,]\d+)+|[^\W_{_HAN}]+(?:['’][^\W_{_HAN}]+)?|[{_HAN}]")
_QUOTED = re.compile(r"[\"“«「『]([^\"“”«»「」『』]+)[\"”»」』]")
_BREAK = re.compile(r"[,;.!?，；。！？、:：]")
_BEFORE, _BEHIND = re.compile(r"[#$€£¥+@-]*$"), re.compile(r"[%€£¥+]*")
"""Signs that belong to the word beside them."""
_SIGNS = re.compile(r"(?<!\S)[-+*/=×÷−^√%<>|()]*[+*/=×÷−^√%<>|()](?!\S)|\d\s*[+*=×÷]\s*\d")
"""A sign that stands by itself is a word, which no name that is looked for would say."""
_JOINS = frozenset({"and", "then", "but", "并", "再"})
_DAY = re.compile(
    rf"{DATE}|{DAY_OF_YEAR}|"
    r"(?<!\d)(?:\d{4}\s*年\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?|\d{1,2}\s*月\s*\d{1,2}\s*[日号]"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d))",
    re.IGNORECASE,
)
"""A day of the year: its month and its number mean nothing without one another."""


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
        day: The number of the date that it is a part of; -1 for none.
        at: From which letter of the text to before which.
    """

    said: str
    stem: str
    clause: int
    quote: int = -1
    first: bool = False
    day: int = -1
    at: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Wording:
    """All words of an instruction.

    Attributes:
        text: In the person's words.
        words: One after another.
        quotes: What is quoted, to the letter.
        days: The dates, to the letter.
        unread: Whether no rule reads it, so that nothing of it is known but its words.
    """

    text: str
    words: tuple[Word, ...]
    quotes: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    unread: bool = False

    def span_of_quote(self, number: int) -> Span:
        """Where a quoted text stands."""
        at = [index for index, word in enumerate(self.words) if word.quote == number]
        return at[0], at[-1] + 1

    def said(self, span: Span) -> str:
        """The words from one place to another, as said; a quoted text, or a date, to the letter."""
        words = self.words[slice(*span)]
        quotes = {word.quote for word in words}
        if len(quotes) == 1 and -1 not in quotes:
            return self.quotes[quotes.pop()]
        days = {word.day for word in words}
        if len(days) == 1 and -1 not in days:
            return self.days[days.pop()]
        if not words or any(re.match(f"[{_HAN}]", word.said) for word in words):
            return "".join(word.said for word in words)
        plain = unicodedata.normalize("NFKC", self.text)
        start, end = words[0].at[0], words[-1].at[1]
        signs = _BEFORE.search(plain[:start]), _BEHIND.match(plain, end)
        before, behind = (sign[0] if sign else "" for sign in signs)
        return f"{before}{plain[start:end]}{behind}"


def read_wording(text: str) -> Wording:
    """The words of an instruction, in English or Chinese.

    Args:
        text: As the person said it.
    """
    plain = unicodedata.normalize("NFKC", text)
    quotes, days = list(_QUOTED.finditer(plain)), list(_DAY.finditer(plain))
    if _SIGNS.search(_QUOTED.sub(" ", plain)):
        return Wording(text, ())
    words: list[Word] = []
    clause, end, first = 0, 0, True
    for found in _WORD.finditer(plain):
        quote, day = _within(quotes, found), _within(days, found)
        said = re.sub(r"['’]s?$", "", found[0])
        joins = quote < 0 and said.casefold() in _JOINS
        on = day >= 0 and bool(words) and words[-1].day == day
        breaks = not on and quote < 0 and _breaks(plain, end, found.start())
        if words and (joins or breaks):
            clause, first = clause + 1, True
        at = found.start(), found.start() + len(said)
        begins = first and not joins
        words.append(Word(said, _form(said.casefold()), clause, quote, begins, day, at))
        first, end = first and joins, found.end()
    told = {word.quote for word in words}
    if not {*range(len(quotes))} <= told:  # a quote of signs only
        return Wording(text, ())
    said_days = tuple(day[0] for day in days)
    return Wording(text, tuple(words), tuple(quote[1] for quote in quotes), said_days)


def _within(stretches: Iterable[re.Match[str]], word: re.Match[str]) -> int:
    """The number of the stretch of a text that a word stands in; -1 for none."""
    fitting = (n for n, s in enumerate(stretches) if s.start() <= word.start() < s.end())
    return next(fitting, -1)


def _breaks(text: str, start: int, end: int) -> bool:
    """Whether a clause ends between two words: not where a point stands within a name."""
    between = text[start:end]
    return _BREAK.search(between) is not None and not (between == "." and text[end].isascii())


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
        if not left and is_whole(wording, (start, at)) and _letter(word, name, at - start):
            yield start, at


def is_whole(wording: Wording, span: Span) -> bool:
    """Whether no quoted text and no date is only half in it."""
    outside = (*wording.words[: span[0]], *wording.words[span[1] :])
    cut = {word.quote for word in outside} & {word.quote for word in wording.words[slice(*span)]}
    parted = {word.day for word in outside} & {word.day for word in wording.words[slice(*span)]}
    return cut | parted <= {-1}


def _letter(word: Word, name: str, length: int) -> bool:
    """A name of one letter has to be said as it is written: "a" is a word of its own."""
    single = length == 1 and len(word.said) == 1 and word.said.isascii() and word.said.isalpha()
    return not single or (word.said == name.strip() and word.said not in ("a", "I"))
