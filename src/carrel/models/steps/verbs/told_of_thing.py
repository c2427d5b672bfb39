"""What is told of a thing that is yet to be made, by the words before its noun: `a double room`.

The noun only says what it is. Each word before it is a wish of its own, and has to be a choice that
the form offers, or be said by the page anyway. A form is not sent while one of them is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import finishing
from carrel.models.steps.finding.sorts_of_value import words_of
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.slots import Slot, called, choice_of_thing
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["choices_of_thing", "head_of", "refuse_untold"]

_AFTER = re.compile(
    r"\s(?:for|on|in|with|at|by|to|from|of|about|called|named|titled|as|under|until|that|which|"
    r"whose|and|saying|containing)\s.*",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z' -]*")
_HEADS = frozenset({Kind.HEADING, Kind.PAGE, Kind.DIALOG, Kind.WINDOW, Kind.TAB})
_ONLY = frozenset({"only", "just"})
_MERE = frozenset(
    {"another", "additional", "further", "whole", "entire", "own", "quick", "short", "brief", "one",
     "single", "online", "please", "regular", "normal", "ordinary", "suitable"}
)  # fmt: skip


def head_of(what: str | None) -> str:
    """A thing without what follows its noun; empty where it is no plain English words."""
    head = _AFTER.sub("", (what or "").strip())
    return head if _PLAIN.fullmatch(head) else ""


def choices_of_thing(desk: Desk, what: str | None) -> list[Slot]:
    """The choices that the words of a thing make, each of a control of its own."""
    head = head_of(what)
    left, chosen = words_of(head), list[Slot]()
    topics = {word for text in _heads(desk) for word in words_of(text)} | _ONLY
    offers = [(sorted(set(names) - topics), slot) for names, slot in _offers(desk)]
    offers = [(names, slot) for names, slot in offers if names]
    while left:
        fitting = [(names, slot) for names, slot in offers if set(names) <= set(left)]
        taken = {slot.control.id for slot in chosen}
        fitting = [(names, slot) for names, slot in fitting if slot.control.id not in taken]
        most = max((len(set(names)) for names, _ in fitting), default=0)
        best = [pair for pair in fitting if len(set(pair[0])) == most]
        if len(best) != 1:
            break
        names, slot = best[0]
        chosen.append(slot)
        left = [word for word in left if word not in names]
    if not chosen and head and (one := choice_of_thing(desk, head)) is not None:
        return [one]
    return chosen


def _offers(desk: Desk) -> Iterator[tuple[list[str], Slot]]:
    """Every choice there is, with the words of its name, without what explains it."""
    for element in part_meant(desk.elements, ""):
        if element.box is not None and kind_of(element) in TICKED and not is_disabled(element):
            name = written_on(element)
            if words := _words(name):
                yield words, Slot(element, name)
    for combo in (e for e in desk.unseen if kind_of(e) is Kind.COMBO):
        now = same_as(desk.elements, combo)
        for option in options_of(combo, desk.unseen) if now is not None else ():
            if now is not None and not is_disabled(now) and (words := _words(option.name)):
                yield words, Slot(now, option.name)


def _heads(desk: Desk) -> list[str]:
    """What the page and its parts are headed with: what all of it is about."""
    return [written_on(e) for e in part_meant(desk.elements, "") if kind_of(e) in _HEADS]


def _words(name: str) -> list[str]:
    return words_of(re.split(r"\s[-–—]\s|[(:,]", name)[0])


def refuse_untold(desk: Desk, what: str | None, verb: str, slots: Sequence[Slot]) -> None:
    """Stop where a word of the thing is neither given to a control nor said by the page.

    Raises:
        Missed: So it is; what would be sent is not all that was asked for.
    """
    words = words_of(head_of(what))[:-1]
    ending = finishing(desk, verb)
    given = (f"{slot.value} {called(desk, slot.control)}" for slot in slots)
    said = [*_heads(desk), *given, verb, ending.name if ending is not None else ""]
    told = {word for text in said for word in stems(text)}
    left = [word for word in words if word not in _MERE and stem(word) not in told]
    if left:
        listed = ", ".join(f"“{word}”" for word in left)
        raise Missed(f"nothing on the form takes {listed} of {what}; nothing was sent")
