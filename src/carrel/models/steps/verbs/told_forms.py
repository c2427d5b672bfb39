"""Forms filled by all that is said of a deed, in whatever order: every word finds its control.

People put the particulars of a deed as they come to mind ("request annual leave with 3 August as
the first day"). What is a value and what the name of a field only the form can tell. So the words
are cut at their small words, and every way to lay them on the controls of the form is tried: each
part is a value that a control takes, with or without what it is called by. Only where one way takes
all the words, and none as good takes them otherwise, anything is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.sorts_of_value import amount_in, is_date, is_sum, words_of
from carrel.models.steps.finding.worded_options import option_said
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.program import Perform
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.filling import fill_slot, finish
from carrel.models.steps.verbs.grids import choice_in_grid
from carrel.models.steps.verbs.groups import choice_in, group_called
from carrel.models.steps.verbs.slots import SURE, Slot, called, controls_of, look_into, slots_for
from carrel.models.steps.verbs.told_of_thing import refuse_untold
from carrel.models.steps.verbs.told_parts import (
    Part,
    is_proper,
    joined,
    parts_of,
    without_article,
)
from carrel.perception._names import fold
from carrel.perception.roles import TICKED, Kind, is_field, kind_of

__all__ = ["by_told_form", "in_pairs"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


NAMED, PARTLY = 5, 4
"""What it is worth that a control is called just so, and that only one has these words."""
LONGEST = 4
"""Parts that may be one value together."""
MOST = 14
"""Parts of what is said, beyond which nothing is tried."""
_OF = frozenset({"of", "is", "being", "should be", "set", "to", ":", "at", "as"})
"""Between what a control is called and its value."""
_GOES = frozenset({"as", "for", "in", "into", "under", "on"})
"""Between a value and what its control is called."""
_SETS = _listed("rate set mark grade score give evaluate assess review configure choose select") | {
    "set up"
}
"""Verbs that ask for no more than that values are given."""
_ON_THINGS = _listed(
    "delete remove discard archive unarchive close hide cancel open view show download print "
    "copy duplicate undo redo restore reopen pin unpin star unstar like unlike follow "
    "unfollow mute unmute block unblock approve reject decline accept sort filter search"
)
"""Verbs for what is there already, and that no form is filled for."""
_DULL = re.compile(r"(?:an?|another|one|some|new)\s+[a-z][a-z -]*|[a-z][a-z -]*")


_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass
class _Laid:
    """One way to lay words on controls."""

    slots: tuple[Slot, ...] = ()
    worth: int = 0
    least: int = NAMED
    most: int = 0
    taken: frozenset[str] = field(default_factory=frozenset)

    def is_told(self, *, sure: bool) -> bool:
        """Whether more speaks for it than a preposition and a name, which go into any field."""
        lone = len(self.slots) == 1
        return self.least >= SURE and not lone if sure else self.most >= (PARTLY if lone else SURE)

    def key(self) -> frozenset[tuple[str, str]]:
        return frozenset((slot.control.id, slot.value) for slot in self.slots)


def by_told_form(desk: Desk, step: Perform, *, sure: bool) -> Turns[bool]:
    """Fill the form that takes all the words of a step, and end it; whether there is one.

    Args:
        desk: Where that is.
        step: What is to be done.
        sure: Only where every value is told by more than a preposition, and several are.
    """
    parts = parts_of(desk.step, desk.said or step.verb)
    if step.verb in _ON_THINGS or not parts or len(parts) > MOST:
        return False
    yield from look_into(desk)
    laid = _best(desk, parts)
    if laid is None or not laid.is_told(sure=sure) or _drops(step, laid):
        return False
    if step.verb not in _SETS:
        refuse_untold(desk, step.what, step.verb, laid.slots)
    for slot in laid.slots:
        now = same_as(desk.elements, slot.control) or slot.control
        yield from fill_slot(desk, Slot(now, slot.value))
    if step.verb not in _SETS:
        yield from finish(desk, step.verb)
    return True


def _drops(step: Perform, laid: _Laid) -> bool:
    """Whether a particular that was said in Chinese would go nowhere."""
    given = fold(" ".join(slot.value for slot in laid.slots))
    texts = [fold(re.sub(r"(?<=\d)\s*[元块]$", "", text)) for _, text in step.details]
    return _HAN.search(step.words) is not None and not all(text in given for text in texts)


def in_pairs(desk: Desk, step: Perform) -> Turns[bool]:
    """`rate Food as Good, Service as Poor`: each question gets its answer, all of them or none."""
    parts = parts_of(desk.step, desk.said or step.verb)
    if step.verb not in _SETS or len(parts) < 2 or len(parts) > MOST or len(parts) % 2:
        return False
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    if any(second.word not in _OF | {"a", "with"} for _, second in pairs):
        return False
    found = [_answer(desk, one.text, two.text) for one, two in pairs]
    chosen = [e for e in found if e is not None]
    if len(chosen) < len(pairs) or len({e.id for e in chosen}) < len(chosen):
        return False
    for choice, (_, two) in zip(chosen, pairs, strict=True):
        now = same_as(desk.elements, choice) or choice
        yield from fill_slot(desk, Slot(now, two.text))
    return True


def _answer(desk: Desk, question: str, answer: str) -> Element | None:
    """The choice that answers a question."""
    asked = without_article(question)
    choice = choice_in_grid(desk, asked, answer)
    group = group_called(desk, asked) if choice is None else None
    choice = choice or (choice_in(desk, group, answer) if group is not None else None)
    return choice if choice is not None and kind_of(choice) in TICKED else None


def _best(desk: Desk, parts: Sequence[Part]) -> _Laid | None:
    """The way that is worth most; None where no way takes all words, or two are as good."""
    spans = _Spans(desk, parts)
    ways: dict[frozenset[tuple[str, str]], _Laid] = {}
    for laid in _ways(spans, 0, _Laid()):
        known = ways.get(laid.key())
        if laid.slots and (known is None or known.worth < laid.worth):
            ways[laid.key()] = laid
    ranked = sorted(ways.values(), key=lambda laid: laid.worth, reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[1].worth == ranked[0].worth):
        return None
    return ranked[0]


def _ways(spans: _Spans, at: int, laid: _Laid) -> Iterator[_Laid]:
    if at >= len(spans.parts):
        yield laid
        return
    if at == 0 and spans.is_dull(0):
        yield from _ways(spans, 1, laid)
    for length in range(1, min(LONGEST, len(spans.parts) - at) + 1):
        for worth, slot in spans.readings(at, length):
            if slot.control.id in laid.taken:
                continue
            more = _Laid(
                (*laid.slots, slot),
                laid.worth + worth,
                min(laid.least, worth),
                max(laid.most, worth),
                laid.taken | {slot.control.id},
            )
            yield from _ways(spans, at + length, more)


class _Spans:
    """What each stretch of the parts may fill, worked out once."""

    def __init__(self, desk: Desk, parts: Sequence[Part]) -> None:
        self.desk, self.parts = desk, list(parts)
        self.controls = controls_of(desk)
        self.labels = {
            e.id: [words_of(n) for n in called(desk, e).split(" | ")] for e in self.controls
        }
        self._known: dict[tuple[int, int], list[tuple[int, Slot]]] = {}

    def is_dull(self, at: int) -> bool:
        """Whether a part only says what is made, in words that no control has to take."""
        return _DULL.fullmatch(self.parts[at].text) is not None

    def readings(self, at: int, length: int) -> list[tuple[int, Slot]]:
        """The controls that a stretch may fill."""
        if (at, length) not in self._known:
            best: dict[tuple[str, str], tuple[int, Slot]] = {}
            for worth, slot in self._read(self.parts[at : at + length]):
                key = (slot.control.id, slot.value)
                if key not in best or best[key][0] < worth:
                    best[key] = (worth, slot)
            self._known[at, length] = list(best.values())
        return self._known[at, length]

    def _read(self, parts: list[Part]) -> Iterator[tuple[int, Slot]]:
        first, text = parts[0], joined(parts)
        if not any(part.word for part in parts[1:]):
            yield from self._in_one(Part(first.word, text))
        else:
            for cut in range(1, len(parts)):
                yield from self._in_two(parts[:cut], parts[cut:])
        whole = Part(first.word, text, first.is_quoted and len(parts) == 1)
        yield from self._alone(whole, single=len(parts) == 1)

    def _in_one(self, part: Part) -> Iterator[tuple[int, Slot]]:
        """`the reference "X"`, `high priority`, `3 nights`: label and value side by side."""
        words = without_article(part.text).split()
        for cut in range(1, len(words)):
            before, after = " ".join(words[:cut]), " ".join(words[cut:])
            for control, worth in self._called(before):
                yield from self._valued(control, after, worth, proper=True)
            for control, worth in self._called(after):
                yield from self._valued(control, before, worth, proper=True)

    def _in_two(self, left: list[Part], right: list[Part]) -> Iterator[tuple[int, Slot]]:
        """`X as the first day`, `a priority of High`: a small word between label and value."""
        one, two, word = joined(left), joined(right), right[0].word
        if word in _GOES:
            for control, worth in self._called(without_article(two)):
                if len(left) == 1 or _is_offered(control):
                    yield from self._valued(control, one, worth, proper=word != "as")
        if word in _OF:
            for control, worth in self._called(without_article(one)):
                if len(right) == 1 or _is_offered(control):
                    yield from self._valued(control, two, worth, proper=True)
            choice = _answer(self.desk, one, two)
            if choice is not None:
                yield NAMED, Slot(choice, two)

    def _alone(self, part: Part, *, single: bool) -> Iterator[tuple[int, Slot]]:
        """A value without a label: by its sort, by what is offered, by the word before it."""
        text = part.text.strip()
        bare = _unquoted(text)
        if (money := amount_in(bare)) is not None:
            sums = [e for e in self.controls if is_sum(called(self.desk, e)) and is_field(e)]
            if len(sums) == 1:
                yield SURE, Slot(sums[0], money)
        offering = [(e, name) for e in self.controls if (name := self._option(e, bare))]
        if len(offering) == 1:
            yield SURE, Slot(*offering[0])
        word = part.word or ("called" if is_proper(part) else "")
        for worth, slot in slots_for(self.desk, word, bare):
            if (name := self._option(slot.control, bare)) and worth < SURE:
                yield SURE, Slot(slot.control, name)
            elif (worth >= SURE or is_proper(part)) and (single or _is_offered(slot.control)):
                yield worth, slot

    def _called(self, words: str) -> Iterator[tuple[Element, int]]:
        """The one control that is called so, or whose label alone has all these words."""
        wanted = words_of(_unquoted(words))
        if not wanted:
            return
        same = [e for e in self.controls if wanted in self.labels[e.id]]
        having = [e for e in self.controls if any(set(wanted) <= set(n) for n in self.labels[e.id])]
        if len(same) == 1:
            yield same[0], NAMED
        elif not same and len(having) == 1:
            yield having[0], PARTLY

    def _valued(
        self, control: Element, said: str, worth: int, *, proper: bool
    ) -> Iterator[tuple[int, Slot]]:
        """A control with a value that it can take."""
        value = _unquoted(said)
        if kind_of(control) is Kind.COMBO and not is_field(control):
            name = self._option(control, value)
            if name:
                yield worth, Slot(control, name)
        elif kind_of(control) in (Kind.SPINNER, Kind.SLIDER):
            if (number := re.fullmatch(r"\d+(?:[.,]\d+)?", value)) is not None:
                yield worth, Slot(control, number[0])
        elif control.role == "date editor":
            if is_date(value):
                yield worth, Slot(control, value)
        elif (money := amount_in(value)) is not None and is_sum(called(self.desk, control)):
            yield worth, Slot(control, money)
        elif not proper or is_proper(said) or said != value:
            yield worth, Slot(control, value)

    def _option(self, control: Element, text: str) -> str:
        """What a drop-down calls the option that a text means; empty where it has none."""
        if kind_of(control) is not Kind.COMBO:
            return ""
        now = same_as(self.desk.unseen, control)
        options = [e.name for e in options_of(now, self.desk.unseen)] if now is not None else []
        return option_said(options, text, called(self.desk, control))


def _is_offered(control: Element) -> bool:
    """Whether it has but so many values, so that no word too many can be taken for one."""
    return kind_of(control) in TICKED or (kind_of(control) is Kind.COMBO and not is_field(control))


def _unquoted(text: str) -> str:
    return text.strip().strip("\"“”'‘’")
