"""Claims of how many records there are, of the only one, and of the best of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.claims.accounted import (
    NOUNS,
    Word,
    consumed,
    is_granted,
    is_light,
    parted,
    plainly,
    said_words,
    says_all,
)
from carrel.models.steps.claims.records import Record, lists_told
from carrel.models.steps.entries import Meant, entry_meant, is_choice
from carrel.models.steps.language.held import KINDS, SORTS
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.shown.pieces import joined_texts
from carrel.models.steps.turns import Missed
from carrel.perception.labels import written_on

__all__ = ["told_many"]

MOST = 200
"""Things that a person counts, at most."""
_ONLY = re.compile(
    r"(?P<x>.+?)\s+(?:is|are|should be|must be|remains?)\s+(?:now\s+|still\s+)?the\s+only\s+"
    r"(?P<p>.+)|only\s+(?P<x2>.+?)\s+(?:is|are|has|have|should be|must be)\s+(?P<p2>.+)",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?<!\d)\d+\s*(?:[-–—]|to)\s*(?P<to>\d+)\s+of\s+(?P<all>\d+)(?!\d)", re.IGNORECASE
)
_IS = re.compile(r"\s+(?:is|are|should be|must be|was|were)\s+", re.IGNORECASE)
_NONE = re.compile(r"(?:there\s+(?:is|are|should be|must be)\s+)?no\s+(?P<rest>.+)", re.IGNORECASE)


def told_many(elements: Sequence[Element], claim: str) -> str | None:
    """What the records say that makes a claim about several of them so; None where none does.

    Args:
        elements: What is on the screen.
        claim: What is said to be so.
    """
    if (only := _ONLY.fullmatch(claim.strip())) is not None and not _has_further(elements):
        return _only(elements, only["x"] or only["x2"], only["p"] or only["p2"])
    if (best := _chosen(elements, claim)) is not None:
        return best
    if _has_further(elements):
        return None
    if (none := _NONE.fullmatch(claim.strip())) is not None:
        return _none(elements, none["rest"])
    return _number(elements, claim)


def _has_further(elements: Sequence[Element]) -> bool:
    """Whether the page says that it shows but a part of what there is: 1-5 of 12."""
    found = (_PART.search(text) for text in (*map(written_on, elements), *joined_texts(elements)))
    return any(int(one["to"]) < int(one["all"]) for one in found if one is not None)


def _meaning(text: str) -> list[Word]:
    return [word for word in said_words(plainly(text)) if not is_light(word)]


def _fitting(listed: Sequence[Record], words: Sequence[Word]) -> list[Record] | None:
    """The records that say these words themselves; None where nothing tells of their sort."""
    over = frozenset[str]().union(*(one.over for one in listed))
    heads = frozenset[str]().union(*(one.heads for one in listed))
    own = frozenset[str]().union(*(one.words for one in listed))
    told = [w for w in words if w.stem in own]
    left = [w for w in words if w.stem not in own]
    sorts = [w for w in left if w.stem in over | heads | KINDS | SORTS | NOUNS]
    if not all(w in sorts or is_granted(w, listed[0], over) for w in left):
        return None
    if not told and not (sorts and (listed[0].told or _is_headed(sorts, over | heads))):
        return None
    return [one for one in listed if says_all(told, one, frozenset())]


def _is_headed(sorts: Sequence[Word], over: frozenset[str]) -> bool:
    """Whether the noun of what is counted, the first of these words, stands over it."""
    return sorts[0].stem in over


def _real(elements: Sequence[Element]) -> list[tuple[Record, ...]]:
    """The lists that are told as such and whose entries say several things; else what there is."""
    every = lists_told(elements)
    rich = [one for one in every if sum(len(r.parts) for r in one) >= 2 * len(one)]
    told = [one for one in rich if one[0].told]
    return told or rich or list(every)


def _number(elements: Sequence[Element], claim: str) -> str | None:
    if re.search(r"\b(?:left|right|top|bottom|upper|lower)\b", claim, re.IGNORECASE):
        return None
    words = [word for word in _meaning(claim) if word.stem != "be"]
    # "7th" and "7up" begin with a figure, too, and count nothing.
    numbers = [w for w in words if w.stem.isdecimal() and not w.money]
    if not numbers or int(numbers[0].stem) > MOST:
        return None
    others = [w for w in words if w is not numbers[0]]
    found = [(one, _fitting(one, others)) for one in _real(elements)]
    counts = {len(fitting): fitting for _, fitting in found if fitting}
    if len(counts) != 1:
        return None
    number, fitting = next(iter(counts.items()))
    if str(number) != numbers[0].stem:
        return None
    return "; ".join(one.text for one in fitting)


def _none(elements: Sequence[Element], rest: str) -> str | None:
    """That no record says what no record can say otherwise: a name, a number, a quoted text."""
    words = _meaning(rest)
    found = [one for one in _real(elements) if _is_of(one, words)]
    if len(found) != 1:
        return None
    listed = found[0]
    own = frozenset[str]().union(*(one.words for one in listed))
    telling = [w for w in words if not _is_sort(w, listed)]
    if not telling or any(not (w.is_number or w.said[:1].isupper()) for w in telling):
        return None
    if any(says_all(telling, one, frozenset()) for one in listed):
        return None
    alike = all(w.stem in own for w in telling) or not any(w.is_number for w in telling)
    same = _same_sort(telling, listed)
    return f"none of {len(listed)} says so" if alike or same else None


def _same_sort(telling: Sequence[Word], listed: Sequence[Record]) -> bool:
    """Whether each record has a part with just as many words and numbers: another such day."""
    form = [w.is_number for w in telling]
    return all(
        any([p[0].isdigit() for p in part.words] == form for part in one.parts) for one in listed
    )


def _is_sort(word: Word, listed: Sequence[Record]) -> bool:
    return word.stem in listed[0].over | listed[0].heads | KINDS | SORTS | NOUNS


def _is_of(listed: Sequence[Record], words: Sequence[Word]) -> bool:
    return any(_is_sort(word, listed) for word in words if not word.is_number)


def _only(elements: Sequence[Element], whose: str, told: str) -> str | None:
    names = _meaning(whose)
    rest = [w for w in _meaning(told) if w.said.casefold() not in ("one", "ones")]
    if not names or names[0].is_number:
        return None
    for listed in lists_told(elements):
        spoken = [one for one in listed if _says(names, one)]
        fitting = _fitting(listed, rest) if rest else list(listed)
        if len(spoken) == 1 and fitting == spoken:
            return spoken[0].text
    return None


def _says(words: Sequence[Word], record: Record) -> bool:
    return says_all(words, record, record.over) and any(w.stem in record.words for w in words)


def _chosen(elements: Sequence[Element], claim: str) -> str | None:
    """Whether the entry that a number or a superlative tells says the rest of a claim."""
    parts = parted(claim)
    cut = _IS.search(claim)
    if parts is None:
        return None
    for phrase, words in _ways(claim, parts, cut):
        lists = lists_told(elements)
        meant = _meant(elements, phrase, [None]) or _meant(elements, phrase, _places(lists))
        if meant is None or meant.doubt:
            continue
        for record in (one for listed in lists for one in listed):
            own = replace(record, over=frozenset())
            if record.box == meant.entry.box and words and _tells(own, words):
                return f"{record.text} ({meant.why})"
    return None


def _meant(elements: Sequence[Element], phrase: str, places: Sequence[Box | None]) -> Meant | None:
    """The entry that a phrase chooses in one of these places, where it does so in just one."""
    found: list[Meant] = []
    for place in places:
        try:
            meant = entry_meant(elements, phrase, inside=place)
        except Missed:
            continue
        found += [meant] if meant is not None else []
    return found[0] if len(found) == 1 else None


def _places(lists: Sequence[Sequence[Record]]) -> list[Box | None]:
    """Where the lists are that the application tells as such."""
    told = [one for one in lists if one[0].told]
    return [around([record.box for record in one if record.box is not None]) for one in told]


def _tells(record: Record, words: Sequence[Word]) -> bool:
    return says_all(words, record, frozenset()) and bool(consumed(words, record))


def _ways(
    claim: str, parts: tuple[list[Word], list[Word]], cut: re.Match[str] | None
) -> list[tuple[str, list[Word]]]:
    """The phrase that chooses one of several, on either side of the verb, and what is told."""
    found: list[tuple[str, list[Word]]] = []
    head = re.split(r"\s(?:should|must|is|are|was|were|has|have|belongs?|shows?)\b", claim)[0]
    if is_choice(head):
        found.append((plainly(head), parts[1]))
    if cut is not None and is_choice(claim[cut.end() :]):
        found.append((plainly(claim[cut.end() :]), _meaning(claim[: cut.start()])))
    return found
