"""What is done in an entry of a list once it is known: pressed, written, rated, set, moved."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, cast

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.entries import Entry, Meant, Split, is_choice
from carrel.models.steps.finding.controls import controls_for, counts
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.floating import dialog_before
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.phrases.list_nouns import is_evident
from carrel.models.steps.phrases.small_words import GRAMMAR, KINDS
from carrel.models.steps.phrases.stemming import stem, stems
from carrel.models.steps.program import (
    Check,
    Clear,
    Drag,
    Enter,
    Find,
    Perform,
    PickDate,
    PickTime,
    Point,
    Read,
    SetValue,
    Step,
    Tick,
    Wait,
)
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import fields_of, put
from carrel.models.steps.verbs.entry_parts import (
    OPENS,
    called_in,
    control_in,
    fields_in,
    now_at,
    opener_of,
    seen_in,
    stars_in,
)
from carrel.models.steps.verbs.forms import fill_in
from carrel.models.steps.verbs.pointing import named, point
from carrel.models.steps.verbs.replying import answer_with
from carrel.models.steps.verbs.ticking import bring_to
from carrel.models.steps.verbs.whole_deeds import in_what_came_up
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.numbers import number
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["clear_by_button", "move_entry", "perform_in", "set_part", "use_entry", "write_in"]

_CHOICES = frozenset({Kind.OPTION, Kind.MENU_ITEM, Kind.RADIO})
S = TypeVar("S", bound=Step)
_Verb = Callable[[Desk, S], Turns[str | None]]
COMING = (0.0, 0.3, 0.7)
"""Seconds between looks for what an entry opens."""
_RUNS = frozenset({"play", "start"})
_LOOKS = (Check, Wait, Read)
_QUOTED = re.compile(r"[\"“](?P<text>[^\"”]+)[\"”]")
_GIVEN = re.compile(r"[A-Z\d\"“]")
"""What is in a particular that says something of its own: a name, a number, a text."""
_TEXTS = frozenset({"with", "text", "saying", "comment"})


def write_in(desk: Desk, step: Enter, meant: Meant) -> Turns[bool]:
    """Write into the one field of an entry."""
    field = fields_in(meant.entry)[0]
    yield from bring_into_view(desk, field)
    yield from put(desk, now_at(desk, field), step.text, append=step.append, why=meant.why)
    return True


def clear_by_button(desk: Desk, step: Clear) -> Turns[bool]:
    """Whether a button says all of it: `clear the finished downloads` by Clear finished.

    What it does not say is what the page is about.
    """
    said, tree = set(stems(step.words)), lineage_of(tuple(desk.elements))
    fitting: list[Element] = []
    for element in part_meant(desk.elements, ""):
        name = list(stems(written_on(element)))
        if kind_of(element) not in (Kind.BUTTON, Kind.LINK) or is_disabled(element):
            continue
        left = [w for w in re.findall(r"[a-z]+", step.words.casefold()) if stem(w) not in name]
        told = all(w in GRAMMAR | KINDS or is_evident(w, "", tree) for w in left)
        if len(name) > 1 and set(name) <= said and name[0] == next(stems(step.words)) and told:
            fitting.append(element)
    if len(fitting) != 1:
        return False
    yield from _press(desk, fitting[0], f"{named(fitting[0])} says so")
    return True


def _press(desk: Desk, element: Element, why: str) -> Turns[None]:
    """Click something of an entry, in sight.

    Raises:
        Missed: It is behind an open dialog, could not be brought into sight, or is a mere text
            that does nothing.
    """
    _refuse_behind(desk, element)
    if not (yield from bring_into_view(desk, element)):
        raise Missed(f"{named(element)} could not be brought into sight")
    now = now_at(desk, element)
    assert now.box is not None
    _refuse_behind(desk, now)
    desk.pressed, desk.worked = written_on(now), now.box
    yield from desk.do(Click(now.box.center.x, now.box.center.y), why=why, last=True)
    if not (yield from desk.effect()) and kind_of(now) in (Kind.TEXT, Kind.HEADING):
        raise Missed(f"{named(now)} is only a text: a click on it does nothing")


def _refuse_behind(desk: Desk, element: Element) -> None:
    over = None if element.box is None else dialog_before(desk.elements, element.box)
    if over is not None:
        raise Missed(f"{named(element)} is behind the dialog {named(over)}")


def use_entry(desk: Desk, step: Step, verb: str, meant: Meant, split: Split) -> Turns[bool]:
    """Press what is meant of an entry, or open it."""
    entry = meant.entry
    if isinstance(step, Tick):
        boxes = [e for e in entry.held if kind_of(e) in TICKED and not is_disabled(e)]
        if len(boxes) == 1:
            yield from bring_into_view(desk, boxes[0])
            yield from bring_to(desk, now_at(desk, boxes[0]), step.on, f"of {meant.why}")
        return len(boxes) == 1
    if split.part:
        element = called_in(entry, split.part)
        if element is None:
            return False
        yield from _press(desk, element, f"{named(element)} of {meant.why}")
        return True
    if isinstance(step, Find) and not _goes_on(desk):
        yield from bring_into_view(desk, entry.parts[0])
        desk.worked = now_at(desk, entry.parts[0]).box
        return True
    element = None if verb in ("click", "find") else control_in(desk, entry, verb)
    element = element or opener_of(entry, split.entry)
    if element is None:
        return False
    yield from _press(desk, element, f"{named(element)} is of {meant.why}")
    return True


def _goes_on(desk: Desk) -> bool:
    """Whether what follows is done to what was found, which has to be open for it."""
    return bool(desk.ahead) and not isinstance(desk.ahead[0], _LOOKS)


def perform_in(
    desk: Desk, step: Perform, verb: _Verb[S], meant: Meant, split: Split
) -> Turns[bool]:
    """Do an application's own verb in an entry: by its control, its stars, its field."""
    entry, text = meant.entry, _text_of(step, split.part)
    if step.verb == "rate":
        return (yield from _rate(desk, step, meant))
    if text is not None:
        return (yield from _write(desk, step, text, meant))
    control = control_in(desk, entry, step.verb, split.part)
    if control is None and step.verb in OPENS:
        return (yield from use_entry(desk, step, step.verb, meant, split))
    if control is not None:
        left = [d for d in step.details if not _is_said(control, entry, d[1])]
        if is_choice(split.entry) and any(_GIVEN.search(text) for _, text in left):
            # It may tell which of them is meant, as in "the cheapest flight … to Porto".
            return False
        yield from _press(desk, control, f"{named(control)} is of {meant.why}")
        desk.pressed = written_on(control)
        asks = any(_GIVEN.search(text) for _, text in left)
        if not asks or not (yield from in_what_came_up(desk, step)):
            yield from _fill_rest(desk, entry, left)
        return True
    return (yield from _by_opening(desk, step, verb, meant, split))


def _is_said(control: Element, entry: Entry, text: str) -> bool:
    words = set(stems(text)) - GRAMMAR
    return words <= {*stems(written_on(control)), *stems(" ".join(entry.said()))}


def _fill_rest(desk: Desk, entry: Entry, left: list[tuple[str, str]]) -> Turns[None]:
    """Put what else was said where it is asked for; where a thing goes the page knows itself."""
    given = [d for d in left if _GIVEN.search(d[1])]
    for word, text in left:
        if (word, text) not in given:
            desk.doubt(f"nothing says “{word} {text}”")
    if given:
        with seen_in(desk, entry):
            yield from fill_in(desk, given)


def _text_of(step: Perform, part: str) -> str | None:
    """The text that is to be written in an entry; None where none is said."""
    told = [text for word, text in step.details if word in _TEXTS]
    if (quoted := _QUOTED.search(part)) is not None:
        return quoted["text"] if not step.details else None
    return told[0] if len(told) == 1 == len(step.details) else None


def _write(desk: Desk, step: Perform, text: str, meant: Meant) -> Turns[bool]:
    """Write in an entry, in its field or the one that its control brings, and send it."""
    entry, verb = meant.entry, step.verb
    fields, control = fields_in(entry), control_in(desk, entry, verb)
    if len(fields) > 1 or (not fields and control is None):
        return False
    if not fields and control is not None:
        yield from bring_into_view(desk, control)
        yield from answer_with(desk, now_at(desk, control), verb, text, meant.why)
        return True
    yield from put(desk, fields[0], text, why=f"the field of {meant.why}")
    with seen_in(desk, entry):
        send = control or _sends(desk, verb)
        if send is None:
            raise Missed(f"nothing plainly sends what was written into {named(fields[0])}")
        yield from _press(desk, send, f"finish with {named(send)}")
    return True


def _sends(desk: Desk, verb: str) -> Element | None:
    for one in (verb, "send", "post", "save"):
        found = controls_for(desk, one)
        if len(found) == 1:
            return found[0]
    return None


def _rate(desk: Desk, step: Perform, meant: Meant) -> Turns[bool]:
    """Give the stars of an entry."""
    said = next((text for word, text in step.details if word == "with"), "")
    found = re.match(r"\s*(?:\d+|[a-z]+)", said, re.IGNORECASE)
    wanted = number(found[0]) if found else None
    stars = stars_in(meant.entry)
    if wanted is None or not 1 <= wanted <= max(len(stars), 1):
        return False
    called = [
        e
        for e in meant.entry.held
        if re.fullmatch(
            rf"(?:rate )?{wanted:g} ?(?:stars?|/ ?\d+|out of \d+)", written_on(e), re.IGNORECASE
        )
    ]
    star = called[0] if called else stars[int(wanted) - 1] if stars else None
    if star is None:
        return False
    yield from _press(desk, star, f"star {wanted:g} of {meant.why}")
    return True


def _by_opening(
    desk: Desk, step: Perform, verb: _Verb[S], meant: Meant, split: Split
) -> Turns[bool]:
    """Open an entry, and do it by the one control, or the form, that is there then.

    Raises:
        Missed: It was opened in vain.
    """
    opener = opener_of(meant.entry, split.entry)
    if opener is None or (step.verb not in _RUNS and controls_for(desk, step.verb)):
        # Whatever there is for it now is not of this entry.
        return False
    why = f"open it: {named(opener)} is of {meant.why}"
    if step.verb in _RUNS:
        yield from _press(desk, opener, why)
        return True
    with seen_in(desk, meant.entry):
        yield from _press(desk, opener, why)
        for pause in COMING:
            if pause:
                yield from desk.again(pause, why=f"where to {step.verb} it")
            found = controls_for(desk, step.verb) if not step.details else []
            if len(found) == 1:
                yield from _press(desk, found[0], f"{named(found[0])} came up")
                return True
            if (choice := _choice_for(desk, step, split.entry)) is not None:
                yield from _press(desk, choice, f"{named(choice)} came up")
                return True
            if step.details and fields_of(desk):
                yield from verb(desk, cast("S", replace(step, what=None)))
                return True
    raise Missed(f"nothing came up to {step.verb} {split.entry} with")


def _choice_for(desk: Desk, step: Perform, phrase: str) -> Element | None:
    """The one choice of a list that has come up which is just what was said."""
    said = [text for _, text in step.details] or re.findall(r"[\"“]([^\"”]+)[\"”]", phrase)
    if len(said) != 1:
        return None
    wanted = fold(said[0].strip("\"“”'"))
    shown = [e for e in desk.elements if kind_of(e) in _CHOICES and e.box is not None]
    called = [e for e in shown if fold(written_on(e)) == wanted and not is_disabled(e)]
    return called[0] if len(called) == 1 else None


def set_part(desk: Desk, step: S, verb: _Verb[S], meant: Meant, split: Split) -> Turns[bool]:
    """Give a value to a part of an entry: as it is shown, or in what its control opens."""
    inner = _about_part(step, split.part)
    entry, before = meant.entry, desk.commits
    with seen_in(desk, entry):
        if (yield from _tried(desk, inner, verb)):
            return True
        edit = control_in(desk, entry, "edit")
        counted = any(counts(e, entry.held) for e in entry.held if kind_of(e) is Kind.BUTTON)
        if edit is None and kind_of(entry.parts[0]) is not Kind.ROW and not counted:
            # A row of a table shows all that it has, and so does what counts up and down.
            edit = opener_of(entry, split.entry)
        if edit is None:
            return False
        yield from _press(desk, edit, f"{named(edit)} is of {meant.why}")
        for _ in range(2):
            before = desk.commits
            if (yield from _tried(desk, inner, verb)):
                return True
            found = controls_for(desk, "edit")
            if len(found) != 1 or desk.commits != before:
                break
            yield from _press(desk, found[0], f"{named(found[0])} came up")
    raise Missed(f"nothing came up to set {split.part} with")


def _about_part(step: S, part: str) -> S:
    if isinstance(step, Enter | PickDate | PickTime):
        return replace(step, into=part)
    if isinstance(step, SetValue | Clear):
        return replace(step, what=part)
    return step


def _tried(desk: Desk, step: S, verb: _Verb[S]) -> Turns[bool]:
    before = desk.commits
    try:
        yield from verb(desk, step)
    except Missed:
        if desk.commits != before:
            raise
        return False
    return True


def move_entry(desk: Desk, step: Drag, meant: Meant) -> Turns[bool]:
    """Move an entry where the page has a control for it, in the entry or in what it opened."""
    control = control_in(desk, meant.entry, "move")
    if control is None:
        there = controls_for(desk, "move")
        control = there[0] if len(there) == 1 else None
    if control is None or step.onto is None:
        return False
    known = {(e.role, written_on(e), e.box) for e in desk.elements}
    yield from _press(desk, control, f"{named(control)} is of {meant.why}")
    outer = desk.scope
    desk.scope = lambda listed: tuple(
        e for e in listed if (e.role, written_on(e), e.box) not in known or e.role == "document web"
    )
    try:
        yield from point(desk, Point(_bare(step.onto)))
    finally:
        desk.scope = outer
    return True


def _bare(place: str) -> str:
    """A folder's name without the word for it."""
    plain = re.sub(r"^(?:the|my) ", "", place.strip(), flags=re.IGNORECASE)
    return re.sub(r" (?:folder|list|column|section|group|label)$", "", plain, flags=re.IGNORECASE)
