"""Which entry of which list a phrase means, or why that cannot be said."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import within
from carrel.models.steps.entries.lists import Entry, lists_on
from carrel.models.steps.entries.measures import Measure, values_of
from carrel.models.steps.entries.wording import Told, told_of
from carrel.models.steps.entries.wording_zh import says_piece
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.modals import modal_over
from carrel.models.steps.phrases.list_nouns import is_evident
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.shown.entries import is_entries
from carrel.models.steps.turns import Missed
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of
from carrel.perception.symbols import is_symbol_word

__all__ = ["Meant", "entry_meant"]

RUNNING = 14
"""Words of a text that may say what an entry is, at most."""
_SHOWN = 40
"""Letters of an entry that an account says."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The entry that is meant.

    Attributes:
        among: How many were compared or counted, with it.
        why: What told it.
        doubt: Why it is not certain; empty where it is.
    """

    entry: Entry
    among: int
    why: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class _Way:
    """Words that an entry has to say, and what is taken for granted then."""

    words: frozenset[str]
    doubt: str = ""


def entry_meant(
    elements: Sequence[Element],
    phrase: str,
    has: Callable[[Entry], bool] | None = None,
    inside: Box | None = None,
) -> Meant | None:
    """The one entry that a phrase tells; None where none does.

    Args:
        elements: All that is on the screen.
        phrase: As it was said.
        has: What is wanted of the entries, as that a verb has a control in them.
        inside: Where they have to be; None for anywhere.

    Raises:
        Missed: Several do, or those that fit cannot be compared as is said.
    """
    told = told_of(phrase)
    if told is None:
        return None
    lists = [one for one in lists_on(elements) if _is_in_front(elements, one)]
    if inside is not None:
        held = [tuple(e for e in one if within(e.box, inside)) for one in lists]
        lists = [one for one in held if len(one) > 1]
    if has is not None:
        lists = [one for one in lists if sum(map(has, one)) > 1]
    if _names_part(told, lists, elements):
        return None
    for way in _ways(told, phrase, elements):
        found: list[Meant] = []
        refused: list[str] = []
        torn: list[Entry] = []
        for listed in lists:
            says = _says_pieces if told.unspaced else _says
            fitting = [one for one in listed if says(one, way.words, told.quoted)]
            if not fitting:
                continue
            try:
                found.append(_chosen(elements, told, fitting, listed))
            except Missed as missed:
                refused.append(missed.account)
                torn += fitting if not told.chooses else []
        alone = _innermost(found)
        # What holds several that fit is not one that fits.
        alone = [m for m in alone if not any(within(e.box, m.entry.box) for e in torn)]
        if len(alone) == 1:
            return replace(alone[0], doubt=way.doubt or _further(told, elements))
        if alone:
            several = "; ".join(_shown(one.entry) for one in alone)
            raise Missed(f"{phrase} may be each of these: {several}")
        if refused:
            raise Missed(f"{phrase}: {refused[0]}")
    return None


def _ways(told: Told, phrase: str, elements: Sequence[Element]) -> list[_Way]:
    """The words that an entry has to say: all of them, else without the word for its sort.

    Where nothing tells that those in the list are of that sort, more has to be said than that.
    """
    every = _Way(told.words)
    if (sorted_by := _sort_said(told, phrase, elements)) is not None:
        return [every, _Way(told.words - {sorted_by})]
    less = told.words - {stem(told.noun)} if told.noun else told.words
    if less == told.words:
        return [every]
    if is_entries(told.noun) or is_evident(told.noun, phrase, lineage_of(tuple(elements))):
        return [every, _Way(less)] if less or told.quoted or told.chooses else [every]
    if told.number or (told.best and (less or told.quoted)):
        return [every, _Way(less, f"nothing tells that what is listed is a {told.noun}")]
    return [every]


_HAN = re.compile(r"[\u3400-\u9fff]")


def _names_part(told: Told, lists: Sequence[Sequence[Entry]], elements: Sequence[Element]) -> bool:
    """Whether the noun behind a name is what a column or a part of an entry is called: 的电话."""
    noun = told.noun
    if not _HAN.search(noun) or told.chooses:
        return False
    parts = [e for listed in lists for entry in listed for e in entry.held if e not in entry.parts]
    parts += [e for e in elements if kind_of(e) is Kind.COLUMN]
    called = {re.sub(r"[\s:：]+$", "", written_on(e)) for e in parts if kind_of(e) in _NAMING}
    return noun in called or (is_symbol_word(noun) and not is_entries(noun))


_NAMING = frozenset({Kind.COLUMN, Kind.BUTTON, Kind.LINK})
_SORT_FIRST = re.compile(r"(?:the |an? |my |our )?(?P<sort>[a-z]+) \S.*")


def _sort_said(told: Told, phrase: str, elements: Sequence[Element]) -> str | None:
    """The word for the sort of an entry that its name stands behind, where the screen says it.

    `the keyword harbour`, below “Keywords”.
    """
    said = _SORT_FIRST.fullmatch(phrase.strip())
    if said is None or told.chooses or stem(said["sort"]) not in told.words:
        return None
    ends = phrase.split()[-1].strip(" .").casefold() == told.noun
    if len(told.words) < 2 or said["sort"] == told.noun or not ends:
        return None
    sort = stem(said["sort"])
    heads = (e for e in part_meant(elements, "") if kind_of(e) in (Kind.TEXT, Kind.HEADING))
    return sort if any(list(stems(written_on(e))) == [sort] for e in heads) else None


_ON = re.compile(r"\W*(?:next|next page|(?:load|show) more|下一页|加载更多)\W*|[›»]", re.IGNORECASE)


def _further(told: Told, elements: Sequence[Element]) -> str:
    """That there are others on a further page, where those count; empty where there are none."""
    if told.best is None and told.number >= 0:
        return ""
    pressed = (e for e in part_meant(elements, "") if kind_of(e) in (Kind.BUTTON, Kind.LINK))
    more = any(_ON.fullmatch(written_on(e)) and not is_disabled(e) for e in pressed)
    return "there are more of them on a further page" if more else ""


def _is_in_front(elements: Sequence[Element], listed: Sequence[Entry]) -> bool:
    return modal_over(elements, listed[0].parts[0]) is None


def _says(entry: Entry, words: frozenset[str], quoted: Sequence[str]) -> bool:
    texts = entry.said()
    if any(all(fold(text) not in fold(said) for said in texts) for text in quoted):
        return False
    # Running text speaks of many things that it is not.
    return words <= {one for text in texts if len(text.split()) <= RUNNING for one in stems(text)}


def _says_pieces(entry: Entry, words: frozenset[str], quoted: Sequence[str]) -> bool:
    texts = entry.said()
    told = all(any(says_piece(word, text) for text in texts) for word in words)
    return told and all(any(fold(text) in fold(said) for said in texts) for text in quoted)


def _chosen(
    elements: Sequence[Element], told: Told, fitting: Sequence[Entry], listed: Sequence[Entry]
) -> Meant:
    """The one of those that fit.

    Raises:
        Missed: It cannot be said which.
    """
    if told.best is not None:
        return _best(elements, told, fitting)
    if told.number:
        return _numbered(told.number, fitting)
    if len(fitting) > 1:
        raise Missed(f"{len(fitting)} entries fit: {'; '.join(map(_shown, fitting[:4]))}")
    return Meant(fitting[0], len(listed), "the one that says it")


def _numbered(number: int, fitting: Sequence[Entry]) -> Meant:
    at = number - 1 if number > 0 else number
    if not -len(fitting) <= at < len(fitting) or len(fitting) < 2:
        raise Missed(f"there are only {len(fitting)} of them in the list")
    which = f"number {number}" if number > 0 else f"number {len(fitting) + 1 + number}"
    return Meant(fitting[at], len(fitting), f"{which} of {len(fitting)}")


def _best(elements: Sequence[Element], told: Told, fitting: Sequence[Entry]) -> Meant:
    """The best of those that fit, where each shows one value of the sort that is asked for."""
    assert told.best is not None
    texts = [_headed(elements, entry) for entry in fitting]
    answers: dict[int, tuple[Measure, float]] = {}
    partly = ""
    for measure, most in told.best.ways:
        values = [values_of(measure, said, told.noun) for said in texts]
        if not all(len(one) == 1 for one in values):
            if any(values):
                partly = partly or _why_not(measure, fitting, values)
            continue
        numbers = [next(iter(one)) for one in values]
        wanted = max(numbers) if most else min(numbers)
        if numbers.count(wanted) > 1:
            raise Missed(
                f"{numbers.count(wanted)} entries have the same {measure.name}, {wanted:g}"
            )
        answers[numbers.index(wanted)] = (measure, wanted)
    if partly and not answers:
        raise Missed(partly)
    if not answers:
        known = ", ".join(m.name for m, _ in told.best.ways)
        raise Missed(f"nothing says of these what makes one the {told.best.said}: {known}")
    if len(answers) > 1:
        names = ", ".join(m.name for m, _ in answers.values())
        raise Missed(f"{told.best.said} by one of these is not so by another: {names}")
    at, (measure, value) = next(iter(answers.items()))
    return Meant(fitting[at], len(fitting), f"{measure.name} {value:g}, the {told.best.said}")


def _why_not(measure: Measure, fitting: Sequence[Entry], values: Sequence[set[float]]) -> str:
    at = next(n for n, one in enumerate(values) if len(one) != 1)
    how = "no" if not values[at] else "more than one"
    return f"“{_shown(fitting[at])}” shows {how} {measure.name} to compare it by"


def _headed(elements: Sequence[Element], entry: Entry) -> list[tuple[str, str]]:
    """Each text of an entry, with the heading of its column, or the label before it."""
    heads = [e for e in elements if kind_of(e) is Kind.COLUMN and e.box is not None]
    found: list[tuple[str, str]] = []
    before = ""
    for text in entry.texts():
        over = [
            h for h in heads if h.box and text.box and h.box.x <= text.box.center.x < h.box.right
        ]
        head = written_on(over[-1]) if over else before
        said = written_on(text)
        label, _, value = said.partition(":")
        if value.strip() and not label.strip()[-1:].isdigit():
            found.append((value.strip(), label))
        found.append((said, head))
        before = said
    return found


def _innermost(found: Sequence[Meant]) -> list[Meant]:
    """Those that no other one is in, each place once."""
    kept: list[Meant] = []
    for one in sorted(found, key=lambda m: m.entry.box.area):
        if not any(within(other.entry.box, one.entry.box) for other in kept):
            kept.append(one)
    return kept


def _shown(entry: Entry) -> str:
    return " ".join(entry.said())[:_SHOWN]
