"""A deed as words at their places, and the ways in which what a control says may be said.

What is written on a choice is often said otherwise: `€50` is “50 euros”, `Monthly` is “every
month”, `2×` is “double”, and a number may be said in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.models.steps.phrases.stemming import stem
from carrel.perception.numbers import number

__all__ = ["Telling", "Told", "forms_of", "places_of", "read_telling", "ways_to_say"]

_MAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_WORD = re.compile(rf"{_MAIL}|\d+(?:[.:,/]\d+)+|\d+(?=×)|[^\W_]+(?:['’][^\W_]+)?|×")
_QUOTED = re.compile(r"[\"“«]([^\"“”«»]+)[\"”»]")
_POINTS = frozenset({"the", "this", "that", "another", "each", "every", "no"})
"""Words before “one” that make it stand for a thing."""
_HEAD = re.compile(r"\s[-–—·|]\s|\s?[(\[]|:\s|,\s")
_MONEY = re.compile(r"(?P<a>[€$£])?\s?(?P<n>\d+(?:[.,]\d+)*)\s?(?P<b>[€$£])?")
_COINS = {"€": ("euro", "eur"), "$": ("dollar", "usd"), "£": ("pound", "gbp")}
_TIMES = re.compile(r"(?P<n>\d+(?:[.,]\d+)?)\s?[×x]", re.IGNORECASE)
_FOLD = {"2": ("double", "twice"), "0.5": ("half",), "1": ("normal",), "3": ("triple",)}
_OFTEN = {
    "hourly": "hour", "daily": "day", "weekly": "week", "fortnightly": "fortnight",
    "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year",
    "annual": "year",
}  # fmt: skip
_COUNTED = re.compile(r"(?P<n>\d+)\s+(?:people|persons?|guests?|adults?|seats?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """One word: as it was said, in one form for all inflections, and where it stands."""

    said: str
    form: str
    at: tuple[int, int]
    quote: int = -1


@dataclass(frozen=True, slots=True)
class Telling:
    """The words of a deed, and the texts that are quoted in it."""

    text: str
    words: tuple[Told, ...]
    quotes: tuple[str, ...]

    def between(self, places: Sequence[int]) -> str:
        """The words at these places as they were said; a quoted text to the letter."""
        quotes = {self.words[at].quote for at in places}
        if len(quotes) == 1 and -1 not in quotes:
            return self.quotes[quotes.pop()]
        return self.text[self.words[places[0]].at[0] : self.words[places[-1]].at[1]]


def read_telling(text: str) -> Telling:
    """The words of a deed.

    Args:
        text: As the person said it.
    """
    quotes = list(_QUOTED.finditer(text))
    words: list[Told] = []
    for found in _WORD.finditer(text):
        quote = next((n for n, q in enumerate(quotes) if q.start() <= found.start() < q.end()), -1)
        before = words[-1].said.casefold() if words else ""
        words.append(Told(_bare(found[0]), _form(found[0], before), found.span(), quote))
    return Telling(text, tuple(words), tuple(quote[1] for quote in quotes))


def _bare(word: str) -> str:
    return re.sub(r"['’]s?$", "", word)


def _form(word: str, before: str = "") -> str:
    plain = _bare(word).casefold()
    if plain.isalpha() and plain not in ("a", "an") and not (plain == "one" and before in _POINTS):
        value = number(plain)
        if value is not None:
            return f"{value:g}"
    return stem(plain)


def forms_of(text: str) -> tuple[str, ...]:
    """The words of what is written somewhere, in the same forms."""
    return tuple(_form(word) for word in _WORD.findall(text))


def ways_to_say(name: str) -> list[tuple[str, ...]]:
    """The ways in which somebody may say what a choice is called; what explains it left out."""
    head = _HEAD.split(name.strip())[0].strip()
    ways = [forms_of(head)]
    money = _MONEY.fullmatch(head)
    if money is not None and (sign := money["a"] or money["b"]):
        ways += [(money["n"], coin) for coin in _COINS[sign]] + [(money["n"],)]
    if (times := _TIMES.fullmatch(head)) is not None:
        ways += [forms_of(word) for word in _FOLD.get(times["n"], ())] + [(times["n"], "x")]
    if (unit := _OFTEN.get(head.casefold())) is not None:
        ways += [(word, unit) for word in ("every", "each", "a", "per", "1")]
    if (people := _COUNTED.fullmatch(head)) is not None:
        ways += [(people["n"], "people"), (people["n"], "person"), (people["n"],)]
    if re.fullmatch(r"\d+", head):
        ways += [(head, "star"), (head, "out", "of", "5"), (head, "out", "of", "10")]
    return [way for way in ways if way]


def places_of(telling: Telling, way: Sequence[str]) -> list[tuple[int, ...]]:
    """Where a name is said, word by word; never a part of a quoted text."""
    words, found = telling.words, list[tuple[int, ...]]()
    for start in range(len(words) - len(way) + 1):
        places = tuple(range(start, start + len(way)))
        if any(words[at].form != part for at, part in zip(places, way, strict=True)):
            continue
        quotes = {words[at].quote for at in places}
        whole = [w.quote for w in words].count(words[start].quote) == len(way)
        if quotes == {-1} or (len(quotes) == 1 and whole):
            found.append(places)
    return found
