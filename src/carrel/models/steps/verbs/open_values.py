"""Texts that are said for a field, each with the one field that takes it.

A text that is quoted, an address for mail, a day, a time or a name goes into the field that the
words beside it call, else into the one that takes such, else into the only one there is for what
is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.sorts_of_value import is_mail, is_sum, noun_of, words_of
from carrel.models.steps.finding.told_words import Telling
from carrel.models.steps.phrases.stemming import stem
from carrel.models.steps.verbs.bids import NO_WORDS, free_fields, telling_forms
from carrel.models.steps.verbs.fields import is_to_search
from carrel.models.steps.verbs.slots import called, slots_for
from carrel.perception.roles import Kind, kind_of

__all__ = ["Filled", "filled_of", "lone_value"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_CUES = _listed(
    "called named titled entitled saying says say reading reads to for with under as from at on by "
    "about name title into in"
)
_PLAIN = _listed("the a an my your his her their our its is are be of that it")
_SAYS = _listed(
    "send reply answer tell write post comment ask message text say tweet publish leave respond "
    "share submit translate note add chat"
)
"""Verbs for what somebody says to others."""
_MESSAGE = re.compile(
    r"message|reply|answer|comment|note|text|say|write|review|post|what['’]s|thoughts|feedback|"
    r"description|body|details",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"\b(?:repeat|confirm|again|re-?(?:type|enter)|verify|retype)\b", re.IGNORECASE)
_OLD, _NEW = (
    re.compile(r"\b(?:current|old|existing|present)\b", re.IGNORECASE),
    re.compile(r"\bnew\b", re.IGNORECASE),
)


_COINS = frozenset(map(stem, _listed("euros dollars pounds francs yen crowns eur usd gbp chf")))


class Filled(NamedTuple):
    """The places of the words that are a field's value, or name it; the field; its value."""

    at: tuple[int, ...]
    control: Element
    value: str


class _Text(NamedTuple):
    """A text that some field has to take."""

    at: tuple[int, ...]
    value: str
    quoted: bool


def filled_of(desk: Desk, telling: Telling, taken: Set[int], verb: str) -> list[Filled] | None:
    """Every text that is said with its field; None where two would go into one.

    A text that no field is for is left for others to account for.
    """
    found: list[Filled] = []
    texts = list(_texts(telling, taken))
    for text in texts:
        free = [e for e in free_fields(desk) if e.id not in {one.control.id for one in found}]
        one = _field_for(desk, telling, text, free, verb, alone=len(texts) == 1)
        if one is not None:
            found.append(one)
        elif text.quoted:
            return None
    return [*found, *_said_again(desk, found)]


def lone_value(
    desk: Desk, telling: Telling, taken: Set[int], filled: Sequence[Filled]
) -> Filled | None:
    """The one text that is still to be taken, and the one empty field that is left for it."""
    gone = taken | {at for one in filled for at in one.at}
    texts = list(_texts(telling, gone))
    known = {one.control.id for one in filled}
    free = [e for e in free_fields(desk) if e.id not in known]
    single = [e for e in free if "multi line" not in e.states]
    if len(texts) != 1 or len(free) != 1 or not single or single[0].value:
        return None
    if is_to_search(desk, single[0]) or kind_of(single[0]) is Kind.PASSWORD:
        return None
    before = telling.words[texts[0].at[0] - 1].said.casefold()
    number = re.fullmatch(r"[\d .,]+", texts[0].value) is not None
    takes = _NUMBERS.search(called(desk, single[0])) is not None
    # A number goes where one is asked for, and a name behind a word that leads to whom it is for.
    fits = takes if number else (before in _LEADS and not takes)
    return Filled(texts[0].at, single[0], texts[0].value) if fits else None


_NUMBERS = re.compile(
    r"\b(?:value|amount|number|quantity|count|how (?:many|much)|sum|total|minutes|hours|days|size|"
    r"weight|length|width|height|age|price|phone|mobile|tel)\b",
    re.IGNORECASE,
)
_LEADS = frozenset({"to", "for", "with", "by", "from", "named", "called", "titled", "mr", "mrs"})


def _texts(telling: Telling, taken: Set[int]) -> Iterator[_Text]:
    """Quoted texts, addresses, and names behind a word that leads to one."""
    words, at = telling.words, 0
    while at < len(words):
        if at in taken:
            at += 1
        elif words[at].quote >= 0:
            places = tuple(n for n, w in enumerate(words) if w.quote == words[at].quote)
            yield _Text(places, telling.quotes[words[at].quote], quoted=True)
            at = places[-1] + 1
        elif is_mail(words[at].said):
            yield _Text((at,), words[at].said, quoted=False)
            at += 1
        elif (phone := _phone(telling, at, taken)) is not None:
            yield _Text(phone, telling.between(phone), quoted=False)
            at = phone[-1] + 1
        elif at > 0 and _is_proper(telling, at):
            end = at
            while end < len(words) and end not in taken and _goes_on(telling, at, end):
                end += 1
            yield _Text(tuple(range(at, end)), telling.between(range(at, end)), quoted=False)
            at = end
        else:
            at += 1


_PHONE = re.compile(r"(?=(?:\D*\d){7,})[+\d][\d ()/.-]*\d")
_PHONES = re.compile(r"phone|mobile|\btel|\bcell|\bcall|\bsms\b|number", re.IGNORECASE)


def _phone(telling: Telling, at: int, taken: Set[int]) -> tuple[int, ...] | None:
    """The places of a number for a telephone that begins here."""
    found = _PHONE.match(telling.text, telling.words[at].at[0])
    if found is None:
        return None
    end = found.end()
    places = tuple(n for n, w in enumerate(telling.words) if n >= at and w.at[1] <= end)
    return places if places and not taken & set(places) else None


def _is_proper(telling: Telling, at: int) -> bool:
    """Whether a name or a number begins here, behind a word that leads to one."""
    word, before = telling.words[at], telling.words[at - 1].said.casefold()
    behind = before in _CUES or before in _PLAIN or before.isalpha()
    return word.quote < 0 and behind and (word.said[0].isupper() or word.said[0].isdigit())


def _goes_on(telling: Telling, start: int, at: int) -> bool:
    """Whether a name still goes on: all of it that follows “called” until another begins."""
    word = telling.words[at]
    if word.quote >= 0 or is_mail(word.said):
        return False
    if at > start and re.search(r"[,;:]", telling.text[telling.words[at - 1].at[1] : word.at[0]]):
        return False
    if word.said[0].isupper() or word.said[0].isdigit():
        return True
    called = telling.words[start - 1].said.casefold() in ("called", "named", "titled", "entitled")
    return called and word.said.casefold() not in _CUES | {"and", "then"}


def _field_for(
    desk: Desk,
    telling: Telling,
    text: _Text,
    free: Sequence[Element],
    verb: str,
    *,
    alone: bool,
) -> Filled | None:
    """The one field that a text goes into; None where no one is certain."""
    start, end = text.at[0], text.at[-1] + 1
    before = list(range(max(0, start - 4), start))
    if _PHONE.fullmatch(text.value) and not text.quoted:
        phones = [e for e in free if _PHONES.search(called(desk, e))]
        return Filled(text.at, phones[0], text.value) if len(phones) == 1 else None
    if re.fullmatch(r"\d+", text.value):
        return _counted(desk, telling, text, free)
    for places in (before, list(range(end, min(end + 5, len(telling.words))))):
        said = {telling.words[n].form: n for n in places if _tells(telling, n)}
        by_label = [e for e in free if set(said) & telling_forms(called(desk, e))]
        if len(by_label) == 1 and _is_behind(telling, text, places):
            own = telling_forms(called(desk, by_label[0]))
            told = [n for form, n in said.items() if form in own]
            return Filled((*text.at, *told), by_label[0], text.value)
    cue = next(
        (
            telling.words[n].said.casefold()
            for n in reversed(before)
            if telling.words[n].said.casefold() not in _PLAIN
        ),
        "",
    )
    for one in (_changed(desk, free, cue, verb), _sorted(desk, free, cue, text)):
        if one is not None:
            return Filled(text.at, one, text.value)
    usable = [e for e in free if not is_to_search(desk, e) and kind_of(e) is not Kind.PASSWORD]
    if text.quoted and verb.split()[0] in _SAYS | {"set"}:
        several = [e for e in usable if "multi line" in e.states]
        said_in = several or [e for e in usable if _MESSAGE.search(called(desk, e))]
        if len(said_in) == 1:
            return Filled(text.at, said_in[0], text.value)
        if len(usable) == 1 and alone:
            return Filled(text.at, usable[0], text.value)
    if cue in ("called", "named", "titled", "entitled", "name") and len(usable) == 1:
        return Filled(text.at, usable[0], text.value)
    return None


def _counted(desk: Desk, telling: Telling, text: _Text, free: Sequence[Element]) -> Filled | None:
    """The field for how many, called by what is counted or by the word right before the number."""
    start, end = text.at[0], text.at[-1] + 1
    sums = [e for e in free if is_sum(called(desk, e))]
    coin = telling.words[end].form if end < len(telling.words) else ""
    if coin in _COINS and len(sums) == 1:
        return Filled((*text.at, end), sums[0], text.value)
    beside = [n for n in (end, start - 1, start - 2) if 0 <= n < len(telling.words)]
    for at in beside:
        nouns = noun_of(telling.words[at].said) if _tells(telling, at) else set()
        fields = [e for e in free if nouns & set(words_of(called(desk, e)))]
        if len(fields) == 1:
            return Filled((*text.at, at), fields[0], text.value)
    return None


def _tells(telling: Telling, at: int) -> bool:
    word = telling.words[at]
    return (
        word.quote < 0
        and word.form not in NO_WORDS
        and word.said.casefold() not in _CUES - {"name", "title"}
    )


def _is_behind(telling: Telling, text: _Text, places: Sequence[int]) -> bool:
    """Whether words behind a text are led to by what makes them the name of its field."""
    if not places or places[0] < text.at[0]:
        return True
    return telling.words[places[0]].said.casefold() in ("as", "for", "in", "into")


def _changed(desk: Desk, free: Sequence[Element], cue: str, verb: str) -> Element | None:
    """Of a field for what was and one for what is to be the one that is meant."""
    about = {"from": _OLD, "to": _NEW}.get(cue)
    if about is None or verb not in ("change", "set", "change password", "reset", "update"):
        return None
    fitting = [
        e for e in free if about.search(called(desk, e)) and not _AGAIN.search(called(desk, e))
    ]
    return fitting[0] if len(fitting) == 1 else None


def _sorted(desk: Desk, free: Sequence[Element], cue: str, text: _Text) -> Element | None:
    """The field that takes a value of its sort, or that a small word asks for."""
    ids = {e.id for e in free}
    found = {
        slot.control.id: slot.control
        for _, slot in slots_for(desk, cue, text.value)
        if slot.control.id in ids
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _said_again(desk: Desk, found: Sequence[Filled]) -> Iterator[Filled]:
    """Fields that want the same once more: `Repeat new password`."""
    known = {one.control.id for one in found}
    for again in free_fields(desk):
        name = called(desk, again)
        if again.id in known or not _AGAIN.search(name):
            continue
        rest = telling_forms(_AGAIN.sub(" ", name))
        same = [one for one in found if rest and rest <= telling_forms(called(desk, one.control))]
        same = same or [one for one in found if telling_forms(called(desk, one.control)) <= rest]
        if len(same) == 1:
            yield Filled((), again, same[0].value)
