"""Phrases for one of several: by its words, by its number, or by what makes it the best."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from carrel.models.steps.entries.superlatives import Best, best_said
from carrel.models.steps.entries.wording_zh import pieces_of
from carrel.models.steps.phrases.small_words import KINDS
from carrel.models.steps.phrases.stemming import stem
from carrel.perception.numbers import ORDINALS

__all__ = ["Told", "is_choice", "told_of"]

_SMALL = frozenset(
    re.split(
        r"\s",
        "the a an of in on at by with from to for about and my your our his her their "
        "its this that these those which who whose is are was were has have named called "
        "titled entitled labelled regarding concerning re saying says one ones sent "
        "written posted made costs costing available all shown listed there here",
    )
)
_LISTS = frozenset(
    re.split(
        r"\s",
        "list playlist queue table result results page inbox mailbox feed timeline "
        "thread menu catalogue catalog gallery collection overview screen hits entries "
        "rows",
    )
)
"""Words for what lists entries, which says nothing of any of them."""
_CONTROLS = KINDS - frozenset(
    re.split(r"\s", "item entry row line card message picture image one ones items entries tasks")
)
"""Words for what is used as it is, and is no entry of a list."""
_CUTS = frozenset(
    re.split(r"\s", "of in on at by with from to for about that which who whose regarding")
)
_NUMBERED = re.compile(
    rf"\b(?:(?P<last>last|final|bottom|very last)|(?P<top>top|topmost|very first)|"
    rf"(?P<word>{'|'.join(ORDINALS)})|(?P<n>\d{{1,2}})(?:st|nd|rd|th))\b(?![\w-])",
    re.IGNORECASE,
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_BACK = re.compile(r"\b(?:(?P<last>second|third) (?:to|from) last|last but one)\b", re.IGNORECASE)
_LEAD = re.compile(r"^(?:the|an?|my|our|your|this|that) ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """What a phrase tells of one of several.

    Attributes:
        words: All that its entry has to say, in one form for all inflections.
        noun: The word for its sort, which an entry need not say; empty where none is said.
        quoted: Texts that have to stand there just so.
        number: Which of those that fit; 0 where that is not said, negative from the end.
        best: What makes it the best of those that fit.
        plain: Whether it is but one word, as any control may be called.
        unspaced: Whether it was said in words that are written without spaces.
    """

    words: frozenset[str]
    noun: str
    quoted: tuple[str, ...] = ()
    number: int = 0
    best: Best | None = None
    plain: bool = False
    unspaced: bool = False

    @property
    def chooses(self) -> bool:
        """Whether it says which of several that are alike."""
        return bool(self.number) or self.best is not None


def is_choice(phrase: str) -> bool:
    """Whether a phrase says which of several, by a number or by what makes it the best."""
    told = told_of(phrase)
    return told is not None and told.chooses


@lru_cache(maxsize=512)
def told_of(phrase: str) -> Told | None:
    """What a phrase tells of an entry; None where it tells nothing."""
    text = " ".join(phrase.split()).strip(" .")
    if _HAN.search(text):
        return _told_zh(text)
    quoted = tuple(re.findall(r"[\"“]([^\"”]+)[\"”]", text))
    plain = re.sub(r"[\"“][^\"”]+[\"”]", " ", text)
    best = best_said(plain)
    if best is not None:
        plain = plain.replace(best.said, " ", 1)
    number, plain = _numbered(plain) if best is None else (0, plain)
    words = _words(plain)
    noun = _noun(words)
    telling = frozenset(stem(w.casefold()) for w in words if w not in _SMALL and w not in _LISTS)
    if noun in _CONTROLS:
        return None
    # A name is no sort of thing.
    sort = noun if re.search(rf"(?<!\w){re.escape(noun)}(?!\w)", plain) else ""
    if noun in KINDS or noun in _SMALL:
        telling, sort = telling - {stem(noun)}, ""
    if not telling and not quoted and best is None and not number:
        return None
    return Told(telling, sort, quoted, number, best, len(words) < 2 or not telling)


def _told_zh(text: str) -> Told | None:
    """The same for what is written without spaces: names, and the noun behind them."""
    said = pieces_of(text)
    if said is None:
        return None
    pieces, noun = said
    quoted = tuple(re.findall(r"[\"“]([^\"”]+)[\"”]", text))
    return Told(frozenset((*pieces, noun)) - {""}, noun, quoted, unspaced=True)


def _words(text: str) -> list[str]:
    """The words of a text in small letters, but for a name of one letter: `Hall A`."""
    found = re.findall(r"[^\W_]+(?:-[^\W_]+)*", re.sub(r"['’]s?\b", "", text))
    return [word if word in "AI" and at else word.casefold() for at, word in enumerate(found)]


def _noun(words: list[str]) -> str:
    """The last word before what tells more: the noun of `the message from Ann about tea`."""
    head: list[str] = []
    for word in words:
        if word in _CUTS and head:
            break
        if word not in _SMALL or word in ("one", "ones"):
            head.append(word)
    return head[-1] if head else ""


def _numbered(text: str) -> tuple[int, str]:
    if back := _BACK.search(text):
        number = {"second": -2, "third": -3}.get((back["last"] or "second").casefold(), -2)
        return number, text.replace(back[0], " ", 1)
    found = _NUMBERED.search(text)
    if found is None:
        return 0, text
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    if found["last"]:
        return -1, rest
    if found["top"]:
        return 1, rest
    return int(found["n"]) if found["n"] else ORDINALS.index(found["word"].casefold()) + 1, rest
