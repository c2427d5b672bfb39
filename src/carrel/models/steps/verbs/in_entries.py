"""Deeds in one entry of a list, where what it is about has no name of its own on the screen.

People say which of several they mean by what is written in it ("the message from Ann about the
boiler"), by its number, or by what makes it the best ("the cheapest desk lamp"). Once that is
known, the deed is done by what the entry itself has for it, or in what it opens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeVar

from carrel.models.steps.desk import Desk
from carrel.models.steps.entries import (
    Entry,
    Meant,
    Split,
    entry_meant,
    is_choice,
    splits_of,
    told_of,
)
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.program import (
    Choose,
    Clear,
    Drag,
    Enter,
    Find,
    Open,
    Perform,
    PickDate,
    PickTime,
    Point,
    SetValue,
    Step,
    Tick,
)  # fmt: skip
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entry_deeds import (
    clear_by_button,
    move_entry,
    perform_in,
    set_part,
    use_entry,
    write_in,
)
from carrel.models.steps.verbs.entry_parts import (
    OPENS,
    called_in,
    control_in,
    fields_in,
)  # fmt: skip

__all__ = ["or_in_entry"]

S = TypeVar("S", bound=Step)
_Verb = Callable[[Desk, S], Turns[str | None]]


@dataclass(frozen=True, slots=True)
class _Deed:
    """What a step does, and the words for what it is about.

    Attributes:
        verb: In its base form.
        phrases: The words for that, all of them first.
        details: For each of those the particulars that it leaves.
    """

    verb: str
    phrases: tuple[str, ...]
    details: tuple[tuple[tuple[str, str], ...], ...]


def or_in_entry(verb: _Verb[S]) -> _Verb[S]:
    """A verb that is carried out in an entry of a list, where nothing else is called as is said.

    Which is the best of several is never told by a name: there the entries come first.
    """

    def carried_out(desk: Desk, step: S) -> Turns[str | None]:
        deed = _deed_of(step)
        if deed is None or desk.about is not None:
            return (yield from verb(desk, step))
        before = desk.commits
        refused: Missed | None = None
        if _comes_first(step, deed):
            try:
                if (yield from _in_entry(desk, step, deed, verb)):
                    return None
            except Missed as missed:
                if desk.commits != before or _compares(missed):
                    raise
                refused = missed
        try:
            return (yield from verb(desk, step))
        except Missed:
            if desk.commits != before or refused is not None:
                raise
            done = isinstance(step, Clear) and (yield from clear_by_button(desk, step))
            if not done and not (yield from _again(desk, step, deed, verb)):
                raise
        return None

    return carried_out


def _again(desk: Desk, step: S, deed: _Deed, verb: _Verb[S]) -> Turns[bool]:
    """Whether it is done in an entry; that none can be told is no news where the verb failed."""
    before = desk.commits
    try:
        return (yield from _in_entry(desk, step, deed, verb))
    except Missed as missed:
        if desk.commits != before or _compares(missed):
            raise
        return False


def _compares(missed: Missed) -> bool:
    """Whether an account says why entries cannot be compared."""
    return missed.account.startswith("of ")


def _comes_first(step: Step, deed: _Deed) -> bool:
    """Whether nothing is called as is said: a best one, or a numbered one that is no program."""
    if any(_is_best(phrase) for phrase in deed.phrases):
        return True
    return isinstance(step, Open) and is_choice(deed.phrases[0])


def _is_best(phrase: str) -> bool:
    told = told_of(phrase)
    return told is not None and told.best is not None


def _deed_of(step: Step) -> _Deed | None:
    """What a step does to one thing; None for one of another kind."""
    if isinstance(step, Perform):
        return _performed(step)
    match step:
        case Point(what=what) if step.how == "click" and step.times == 1:
            told = "click", what
        case Open(what=what) if not step.using:
            told = "start" if step.words.casefold().startswith("start ") else "open", what
        case Find(what=what):
            told = "find", what
        case Choose(options=(what,), source=None, path=False):
            told = "choose", what
        case Tick(what=(what,)):
            told = "tick", what
        case Drag(what=what, onto=str()):
            told = "move", what
        case Enter(into=str() as what):
            told = "write", what
        case SetValue() | PickDate() | PickTime() | Clear():
            told = "set", (step.into if isinstance(step, PickDate | PickTime) else step.what) or ""
        case _:
            return None
    return _Deed(told[0], (told[1],), ((),)) if told[1] else None


def _performed(step: Perform) -> _Deed | None:
    """What an application's verb is done to: with its particulars, which may tell the entry."""
    what = step.what or (step.details[0][1] if step.details else None)
    if what is None:
        return None
    said = step.words.find(what)
    rest = step.words[said:].strip(" .") if said >= 0 else what
    if step.what is None:
        return _Deed(step.verb, (rest,), ((),))
    if step.details and rest != what:
        return _Deed(step.verb, (rest, what), ((), step.details))
    return _Deed(step.verb, (what,), (step.details,))


def _in_entry(desk: Desk, step: S, deed: _Deed, verb: _Verb[S]) -> Turns[bool]:
    """Do it in the entry that is meant; whether there is one, and it has what it takes.

    Raises:
        Missed: Several entries may be meant, or it was begun and failed.
    """
    if web_page(desk.elements) is not None and any(map(_is_best, deed.phrases)):
        # What is out of sight may be better.
        yield from desk.again(0, why="all that is listed", hidden=True)
    told = _meant(desk, deed)
    if told is None:
        return False
    meant, split, details = told
    desk.worked = meant.entry.box
    if isinstance(step, Perform):
        done = yield from perform_in(desk, replace(step, details=details), verb, meant, split)
    elif isinstance(step, Drag):
        done = yield from move_entry(desk, step, meant)
    elif isinstance(step, Enter) and not split.part:
        done = yield from write_in(desk, step, meant)
    elif deed.verb in ("set", "write"):
        done = yield from set_part(desk, step, verb, meant, split)
    else:
        done = yield from use_entry(desk, step, deed.verb, meant, split)
    if done and meant.doubt:
        desk.doubt(meant.doubt)
    return done


def _meant(desk: Desk, deed: _Deed) -> tuple[Meant, Split, tuple[tuple[str, str], ...]] | None:
    """The entry that the words mean in the first way to take them in which there is one.

    Raises:
        Missed: There is none, and several in one of the ways.
    """
    account = ""
    elements = desk.unseen if any(map(_is_best, deed.phrases)) and desk.unseen else desk.elements
    areas = desk.place.areas if desk.place is not None else (None,)
    for phrase, details in zip(deed.phrases, deed.details, strict=True):
        for split in splits_of(phrase):
            if deed.verb == "set" and not split.part:
                continue
            for has, area in product(_wanted(desk, deed.verb, split), areas):
                try:
                    meant = entry_meant(elements, split.entry, has, area)
                except Missed as missed:
                    account = account or missed.account
                    continue
                if meant is not None:
                    return meant, split, details
    if account:
        raise Missed(f"of {account}" if any(map(_is_best, deed.phrases)) else account)
    return None


def _wanted(desk: Desk, verb: str, split: Split) -> Iterator[Callable[[Entry], bool] | None]:
    """What is wanted of the entries of a list, the surest first: a control for the verb."""
    if verb == "write" and not split.part:
        yield lambda entry: len(fields_in(entry)) == 1
        return
    if verb not in ("set", "write", "click", "find", "move", "tick"):
        yield lambda entry: control_in(desk, entry, verb, split.part) is not None
    if verb in OPENS | {"click"} and split.part:
        yield lambda entry: called_in(entry, split.part) is not None
    if verb in ("set", "write", "tick") or (not split.part and _may_open(split.entry)):
        yield None


def _may_open(phrase: str) -> bool:
    """Whether a phrase tells enough of an entry to use it as a whole: more than a mere name."""
    told = told_of(phrase)
    quoted = re.fullmatch(r"[\"“][^\"”]+[\"”]", phrase.strip())
    return told is not None and quoted is None and (told.chooses or not told.plain)
