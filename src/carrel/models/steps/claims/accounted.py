"""Claims in anybody's words, held against the records that the screen tells.

What is said is parted at its verb: the words before it tell which record is spoken of, and those
behind it what that says. Every word has to be accounted for. A word that no record says, one that
several fit of which not all say the rest, or a number under another heading, and nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from carrel.frames import Element
from carrel.models.steps.claims.records import (
    Part,
    Record,
    lists_told,
    lone_records,
    words_in,
)
from carrel.models.steps.language.held import KINDS, SORTS, WEAK
from carrel.models.steps.phrases.stemming import stems

__all__ = [
    "NOUNS",
    "Word",
    "accounted",
    "consumed",
    "is_granted",
    "is_light",
    "parted",
    "plainly",
    "said_words",
    "says_all",
]

_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
)
NUMBER_WORDS = {word: str(at) for at, word in enumerate(_NUMBERS.split())}
_RELATIONS = frozenset(
    stems(
        "belong assigned go goes going went come came coming work working take took taking run "
        "live sit stay dated bring bringing worth reach concern about regarding regard deal cover "
        "stand starring used use employed located based kept owned own titled called entitled now "
        "currently offer whose priced per each"
    )
)
"""Verbs that only say that one thing has to do with another one."""
NOUNS = frozenset(
    stems(
        "request employee visitor guest applicant student pupil teacher doctor nurse driver tenant "
        "reservation trip flight course lesson project card item message friend colleague client "
        "supplier owner sender recipient passenger team shop store site app catalogue directory "
        "account payment bill letter shipment parcel"
    )
)
"""Words for sorts of things that a record is about, which it need not say."""
_ENDS = (
    (frozenset(stems("from start starts starting begin begins beginning since")), "from"),
    (frozenset(stems("to end ends ending until till finishes return returns")), "to"),
)
"""Words for where a stretch begins and where it ends."""
VERB = re.compile(
    r"\s(?:(?:should|must|will|does|do|has to|have to|needs to)\s+(?:(?:now|still|also)\s+)*\w+|"
    r"is|are|was|were|has|have|had|shows|says|reads|lists|contains|holds|gives|belongs?|costs?|"
    r"comes|came|goes|works|took|takes|sent|starts|begins|ends|carries|names|states|tells|"
    r"mentions|includes|displays)\b\s*",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r",?\s*\b(?:in|on|from|at|of|above|below|under)\s+the\s+(?:(?:left|right|upper|lower|top|bottom)"
    r"(?:[- ]hand)?\s+)?(?:list|table|page|screen|sidebar|column|panel|pane|side|grid|overview)"
    r"(?:\s+(?:on|at|to)\s+the\s+(?:left|right|top|bottom))?|\b(?:on|at)\s+the\s+"
    r"(?:left|right|top|bottom)(?![- ]?\w)",
    re.IGNORECASE,
)
"""Where a thing stands, which no record says."""
_PLURAL = re.compile(r"\b(?:are|were)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|no|never|cannot|without)\b|n['’]t\b", re.IGNORECASE)
_NOT = frozenset({"not", "no", "never", "cannot", "without"})
_THERE = re.compile(r"there\s", re.IGNORECASE)
_PLACED = re.compile(r"\b(?:in|on|at|under|within)\s+(?:the|my|your|our|his|her)\b", re.IGNORECASE)
_FILLERS = re.compile(
    r"\b(?:the|that|this)\s+ones?\b|\b(?:those|that)\s+(?=of\b)|\b(?:now|still|currently|already|"
    r"again|exactly|really|both|different|separate|shown|displayed|listed)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a claim.

    Attributes:
        stem: In one form for all inflections; a number in figures.
        said: As it was said.
        money: Whether it is a sum of money.
        placing: Whether it only tells where something is.
        before: The two words before it, as they were said.
    """

    stem: str
    said: str
    money: bool = False
    placing: bool = False
    before: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return self.stem[:1].isdigit()


def said_words(text: str) -> list[Word]:
    """The words of a claim that have to be accounted for, in their order."""
    found: list[Word] = []
    joined = re.sub(r"(?<=[^\W\d])[-/](?=\w)|(?<=[$€£¥₹])\s+(?=\d)", " ", text)
    place = _PLACED.search(joined)
    for one in re.finditer(r"[$€£¥₹]\s*\S+|\S+", joined):
        money = re.search(r"[$€£¥₹]", one[0]) is not None
        placing = place is not None and one.start() >= place.start()
        number = NUMBER_WORDS.get(one[0].casefold().strip(".,;:"))
        before = tuple(joined[: one.start()].casefold().split()[-2:])
        found += [Word(number or word, one[0], money, placing, before) for word in words_in(one[0])]
    return found


def is_light(word: Word) -> bool:
    """Whether a word says nothing of its own."""
    on_hold = word.stem == "hold" and word.before[-1:] == ("on",)
    if on_hold or word.said.casefold().startswith("setting"):
        # What is set, and what is on hold, is something.
        return False
    return word.stem in WEAK or word.stem in ("s", "amp") or not word.stem


def consumed(words: Sequence[Word], record: Record) -> set[int]:
    """Which of the words a record says itself, or what heads its parts; by their places."""
    found: set[int] = set()
    for at, word in enumerate(words):
        if word.is_number:
            if any(_has_number(words, at, part) for part in record.parts):
                found.add(at)
        elif word.stem in record.words or word.stem in record.heads:
            found.add(at)
    return found


def _has_number(words: Sequence[Word], at: int, part: Part) -> bool:
    """Whether a part is that number, or says it beside a word that the claim has beside it."""
    word = words[at]
    if word.money and not re.search(r"[$€£¥₹]|\d\s*(?:kr|元)", part.text):
        return False
    if word.stem not in part.words:
        return False
    others = [one for one in part.words if not one[0].isdigit()]
    numbers = [one for one in part.words if one[0].isdigit()]
    if len(numbers) == 1 and len(others) <= 1:
        return True
    near = {w.stem for w in words[max(0, at - 2) : at + 3]} - {word.stem}
    return any(one in near for one in part.words if one != word.stem)


def says_all(words: Sequence[Word], record: Record, over: frozenset[str]) -> bool:
    """Whether a record accounts for all the words, some of them by what stands over it.

    Args:
        words: Those that carry a meaning.
        record: What may say them.
        over: The words that what is over it may account for.
    """
    taken = consumed(words, record)
    left = [word for at, word in enumerate(words) if at not in taken]
    said = {words[at].stem for at in taken}
    denied = (part for part in record.parts if _DENIED.search(part.text) and said & {*part.words})
    if not any(word.said.casefold() in _NOT for word in words) and any(denied):
        return False
    if not all(is_granted(word, record, over) for word in left):
        return False
    return not _is_elsewhere(words, taken, record)


def is_granted(word: Word, record: Record, over: frozenset[str]) -> bool:
    """Whether a word that a record does not say may go without: a sort of thing, a relation."""
    if word.is_number:
        return False
    if word.stem in KINDS | SORTS | NOUNS or (record.kept and word.stem in over):
        return True
    if any(word.stem in meant and record.heads & meant for meant, _ in _ENDS):
        return True
    if word.stem in _RELATIONS:
        # Where a heading is called after it, what it says has to stand under that.
        return not any(_akin(word.stem, head) for head in record.heads)
    return False


def _akin(one: str, other: str) -> bool:
    return len(one) >= 5 and len(other) >= 5 and one[:5] == other[:5]


def _is_elsewhere(words: Sequence[Word], taken: set[int], record: Record) -> bool:
    """Whether a heading is named of which nothing is said, but of another one."""
    said = {words[at].stem for at in taken}
    if not record.kept or len(record.parts) < 2:
        return False
    figures = [p for p in record.parts if p.head and len(p.words) == 1 and set(p.words) & said]
    if sum(p.words[0][0].isdigit() and bool((p.head - WEAK) & said) for p in figures) > 1:
        # Which number is which is not told by words in any order.
        return True
    for part in record.parts[1:]:
        head = part.head - WEAK
        if not head or not head <= said | (part.head & said):
            continue
        if not set(part.words) & said - head and not head <= record.over:
            return True
    return _is_other_end(words, taken, record)


def _is_other_end(words: Sequence[Word], taken: set[int], record: Record) -> bool:
    """Whether a stretch is said to begin where it ends, or the other way round."""
    for meant, head in _ENDS:
        other = next(name for _, name in _ENDS if name != head)
        here = {word for part in record.parts if head in part.head for word in part.words}
        there = {word for part in record.parts if other in part.head for word in part.words}
        for at in taken:
            word = words[at]
            told = {stem for said in word.before for stem in words_in(said)}
            if word.is_number and meant & told and word.stem in there - here:
                return True
    return False


def accounted(elements: Sequence[Element], claim: str) -> str | None:
    """What the record says that says all that a claim does; None where none does for certain.

    Args:
        elements: What is on the screen.
        claim: What is said to be so, without "verify that".
    """
    parts = parted(claim)
    if parts is None:
        return None
    whose, told = parts
    there = _THERE.match(claim) is not None
    for listed in _sources(elements):
        if (text := _told_of(listed, whose, told, one=there)) is not None:
            return text
    return None


def plainly(claim: str) -> str:
    """A claim without what says where on the screen it is so, and without "the one"."""
    return " ".join(_FILLERS.sub(" ", _PLACES.sub(" ", claim)).split())


def parted(claim: str) -> tuple[list[Word], list[Word]] | None:
    """The words for what is spoken of, and those for what is told of it."""
    plain = plainly(claim)
    if _DENIED.search(plain):
        return None
    found = VERB.search(f" {plain}")
    if found is None or (
        _PLURAL.search(found[0]) and re.search(r"\band\b|,", plain[found.end() :])
    ):
        # What several things are is not told by one of them.
        return None
    subject, rest = plain[: found.start()], plain[max(0, found.end() - 1) :]
    whose = [word for word in said_words(subject) if not is_light(word)]
    told = said_words(rest)
    verb = [word for word in said_words(found[0]) if word.said.casefold() != "be"]
    weighty = [word for word in (*verb, *told) if not is_light(word)]
    # "on hold" is made of words that say nothing anywhere else.
    told = weighty or told
    return (whose, told) if told else None


def _sources(elements: Sequence[Element]) -> Iterator[tuple[Record, ...]]:
    yield from lists_told(elements)
    yield lone_records(elements)


def _told_of(
    listed: Sequence[Record], whose: Sequence[Word], told: Sequence[Word], *, one: bool
) -> str | None:
    """What the records say that are spoken of, where each of them, or just one, says the rest."""
    if whose and all(word.stem in _RELATIONS for word in whose):
        return None
    if not {word.stem for word in told} - {word.stem for word in whose}:
        return None
    every = [*whose, *told]
    saying = [r for r in listed if says_all(every, r, r.over) and _says_itself(r, whose, told)]
    if not saying:
        return None
    spoken = [r for r in listed if says_all(whose, r, r.over)]
    if saying[0].kept and len(saying) < len(spoken) and not one:
        return None
    return min((r.text for r in saying), key=len)


def _says_itself(record: Record, whose: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether what is told is said by the record, and not only by what stands over it."""
    own = record.words | record.heads
    others = {word.stem for word in told if word.stem not in own and not word.placing}
    if others & record.over - SORTS - KINDS:
        return False
    every = [*whose, *told]
    if record.kept and not record.told and _counts_others(every, record):
        return False
    if record.kept:
        return any(word.stem in record.words for word in told)
    if not any(w.stem in own for w in every if not w.placing and not w.is_number):
        return False
    if _counts_others(every, record):
        return False
    says = any(word.stem in record.words for word in every)
    return says and any(word.stem in own for word in told) and _is_close(record, every)


def _counts_others(words: Sequence[Word], record: Record) -> bool:
    """Whether a number is said to be of things of which a line or label has another word."""
    own = record.words | record.heads
    others = own - WEAK - {word.stem for word in words}
    for word, noun in pairwise(words):
        number = word.is_number and word.stem in record.words and not word.money
        if number and not noun.is_number and noun.stem not in own and others:
            return True
    return False


def _is_close(record: Record, words: Sequence[Word]) -> bool:
    """Whether a line or a label with its value says most of the claim, and no other number."""
    numbers = {w for part in record.parts for w in part.words if w[0].isdigit()}
    said = {word.stem for word in words}
    if len(numbers - said) and numbers & said:
        return False
    mine = [word for word in words if word.stem in record.words | record.heads]
    return 2 * len(mine) >= len(words)
