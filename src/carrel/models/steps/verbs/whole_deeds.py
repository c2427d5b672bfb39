"""Deeds of which all words are told by what is in front: what they say is set, and ended.

“Order a large coffee with oat milk to take away” is said of choices, lists and a button that stand
there, and nothing but these has to be known. Every word has to be accounted for: as a value that
one control takes, as what a control is called, as what stands over it, or by being small. A word
that is left over, or that two controls bid for as well, and nothing is done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for, finishing
from carrel.models.steps.finding.told_words import forms_of, read_telling
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.phrases.endings import ends, leaves
from carrel.models.steps.phrases.small_words import ACTS
from carrel.models.steps.phrases.stemming import stem
from carrel.models.steps.program import Perform, Point, Step, Submit
from carrel.models.steps.shown.laid_out import goes_with
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.bids import (
    bids_of,
    free_fields,
    in_front,
    telling_forms,
)
from carrel.models.steps.verbs.filling import fill_slot, is_filled_further
from carrel.models.steps.verbs.kindred import is_kin
from carrel.models.steps.verbs.owing import presses
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.slots import Slot, called, look_into
from carrel.models.steps.verbs.ticking import bring_to
from carrel.models.steps.verbs.whole_plans import OFF, Plan, is_whole, plan_of
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = [
    "do_wholly",
    "in_what_came_up",
    "name_what_is_made",
    "refuse_unchosen",
    "wholly_by_words",
]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_GIVES = ACTS | _listed(
    "allow permit let give grant forbid deny disallow revoke prevent ban stop hide reveal limit "
    "filter narrow restrict include exclude want prefer need like have call name title label set "
    "change make choose pick rate mark leave say state require request deliver ship"
)
"""Verbs that ask for no more than that things have their values."""
_ON_THINGS = _listed(
    "delete remove discard archive unarchive close cancel open download print copy duplicate undo "
    "redo restore reopen pin unpin star unstar like unlike follow unfollow search sort replace "
    "rename"
)
"""Verbs for what is there already, which is found and not told by choices."""


def do_wholly(desk: Desk, step: Perform, *, opened: bool = False) -> Turns[bool]:
    """Set all that a deed says and end it, where what is in front accounts for each of its words.

    Args:
        desk: Where that is.
        step: The deed.
        opened: Whether it was begun already, by what brought what is in front now.
    """
    if (step.verb in _ON_THINGS and not opened) or step.place is not None:
        return False
    yield from look_into(desk)
    telling = read_telling(_said(desk, step))
    plan = plan_of(desk, telling, step.verb)
    if plan is None:
        return False
    if opened:
        # What it is about was found before it was begun.
        plan.around |= telling_forms(step.what or "")
    ending, left_open = _ending(desk, step, plan, opened), step.verb.split()[0] in _GIVES
    if not is_whole(desk, telling, plan, step.verb, ending):
        return False
    later = _is_ended_later(desk, ending)
    switches = ending is None and _only_switches(step.verb, plan)
    if ending is None and not (left_open or switches or later or _is_kin(desk, step.verb, plan)):
        return False
    held = None if later or ending is None else _goes_on(desk, plan)
    yield from _set_all(desk, plan)
    if plan.doubt:
        desk.doubt(plan.doubt)
    if ending is None or later:
        return True
    if held is not None:
        said = written_on(ending).strip()
        press = Point(f'"{said}"', words=step.words) if said else None
        desk.owed, desk.held_for = press or replace(step, what=None, details=()), held
        return True
    now = same_as(desk.elements, ending) or ending
    assert now.box is not None
    at = now.box.center
    yield from desk.do(Click(at.x, at.y), why=f"finish with {named(now)}", last=True)
    yield from desk.effect()
    desk.finished, desk.owed = written_on(now).strip(), None
    return True


def _only_switches(verb: str, plan: Plan) -> bool:
    """Whether a verb says no more than that boxes are to be on or off: `unsubscribe me from …`."""
    said = verb.split()[0] in OFF | {"subscribe", "receive", "get", "include", "enable", "turn"}
    return said and bool(plan.boxes) and not plan.fields


def _goes_on(desk: Desk, plan: Plan) -> Step | None:
    """The next step, where it says more for what is set here: that is ended when all is said."""
    step = desk.ahead[0] if desk.ahead else None
    if is_filled_further(desk):
        return step
    if not isinstance(step, Perform) or step.place is not None:
        return None
    if step.verb == "rename":
        return step if name_field(desk) is not None else None
    telling = read_telling(_said(desk, step))
    more = plan_of(desk, telling, step.verb)
    known = {e.id for e in plan.controls}
    if more is None or all(e.id in known for e in more.controls):
        return None
    own = [e for e in controls_for(desk, step.verb) if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    return step if not own and is_whole(desk, telling, more, step.verb, None) else None


def name_field(desk: Desk) -> Element | None:
    """The one empty field for what something is to be called."""
    called_so = [e for e in free_fields(desk) if _NAME.fullmatch(called(desk, e).split(" | ")[0])]
    return called_so[0] if len(called_so) == 1 and not called_so[0].value else None


_NAME = re.compile(r"(?:\w+ )?(?:name|title|label|called)(?: of \w+)?", re.IGNORECASE)


def name_what_is_made(desk: Desk, step: Perform) -> Turns[bool]:
    """`…, and call it Gym`: into the field for that, while the rest is being filled in."""
    field = name_field(desk) if step.verb == "rename" and desk.owed is not None else None
    if field is None or len(step.details) != 1:
        return False
    yield from fill_slot(desk, Slot(field, step.details[0][1].strip('"“”')))
    return True


def refuse_unchosen(desk: Desk, step: Perform) -> None:
    """Stop before what a deed ends with is pressed while a choice that it names is not made.

    Raises:
        Missed: So it is.
    """
    bids = bids_of(desk, read_telling(_said(desk, step)))
    named_so = [b for b in bids if kind_of(b.control) is Kind.RADIO and not b.partly]
    left = [b for b in named_so if not {"checked", "selected"} & set(b.control.states)]
    if left:
        raise Missed(
            f"{named(left[0].control)} is said, but not all that is said fits what is shown"
        )


def wholly_by_words(desk: Desk, step: Step) -> Turns[bool]:
    """Do what a step says with all that is in front, whatever it was read as; whether it does."""
    said = re.match(r"(?:please\s+)?(?P<verb>[a-z]+)\s+\S", step.words, re.IGNORECASE)
    if said is None or step.place is not None:
        return False
    verb = said["verb"].casefold()
    return (yield from do_wholly(desk, Perform(verb, words=step.words, line=step.line)))


def in_what_came_up(desk: Desk, step: Perform) -> Turns[bool]:
    """Give the particulars to what the verb's control brought; whether that takes them all."""
    if not step.details:
        return False
    wholly = yield from do_wholly(desk, step, opened=True)
    return wholly or (yield from _take_what_came_up(desk, step))


def _take_what_came_up(desk: Desk, step: Perform) -> Turns[bool]:
    """Press what came up and says the one particular: `Snooze` brings `10 minutes`."""
    if len(step.details) != 1:
        return False
    wanted = forms_of(step.details[0][1].strip('"“”'))
    named_so = [
        e
        for e in in_front(desk)
        if kind_of(e) in (Kind.BUTTON, Kind.MENU_ITEM, Kind.LINK, Kind.OPTION)
        if forms_of(written_on(e)) in (wanted, wanted[1:] if wanted[:1] == ("the",) else wanted)
    ]
    if len(named_so) != 1 or named_so[0].box is None:
        return False
    at = named_so[0].box.center
    yield from desk.do(Click(at.x, at.y), why=f"{named(named_so[0])} came up for it", last=True)
    yield from desk.effect()
    return True


_BACK = re.compile(r"\b(?:him|her|them|it|his|their|its|this|that)\b", re.IGNORECASE)
_NAMED = re.compile(r"perform \"(?P<verb>[^\"]+)\" on\s+", re.IGNORECASE)


def _said(desk: Desk, step: Perform) -> str:
    """The words of a deed, with what a word in it stands for."""
    words = _NAMED.sub(lambda m: f"{m['verb']} ", step.words or desk.step, count=1)
    what = (step.what or "").strip()
    if not what or not _BACK.search(words) or what.casefold() in words.casefold():
        return words
    return " ".join([desk.said or step.verb, what, *(f"{w} {t}" for w, t in step.details)])


def _ending(desk: Desk, step: Perform, plan: Plan, opened: bool) -> Element | None:
    """The button that ends a deed: called by its verb, beside what is set.

    Raises:
        Missed: Several are called so, and none of them is told.
    """
    own = [e for e in controls_for(desk, step.verb) if not leaves(written_on(e))]
    own = [e for e in own if kind_of(e) in (Kind.BUTTON, Kind.LINK)] or _called_so(desk, step)
    if opened:
        own = [e for e in own if written_on(e) != desk.pressed]
    if len(own) > 1 and plan.controls:
        beside = goes_with(desk, plan.controls[0].box, own) or _after(desk, plan, own)
        if beside is None:
            raise Missed(f"which of the controls to {step.verb} with is meant cannot be told")
        return beside
    if own or step.verb.split()[0] in _GIVES:
        return own[0] if own else None
    kin = [e for e in in_front(desk) if kind_of(e) is Kind.BUTTON and _says_kin(e, step.verb)]
    return kin[0] if len(kin) == 1 and not opened else finishing(desk, step.verb)


def _called_so(desk: Desk, step: Perform) -> list[Element]:
    """The buttons that begin with the very verb that was said: `Make appointment`."""
    said = (step.words or desk.step).split()
    first = stem(said[0].casefold()) if said else ""
    buttons = [e for e in in_front(desk) if kind_of(e) is Kind.BUTTON]
    return [e for e in buttons if len(f := forms_of(written_on(e))) > 1 and f[0] == first]


def _after(desk: Desk, plan: Plan, own: Sequence[Element]) -> Element | None:
    """Of several buttons the first behind all that is set, where none stands before it there."""
    order = {e.id: n for n, e in enumerate(desk.elements)}
    places = [order[e.id] for e in plan.controls if e.id in order]
    behind = [e for e in own if order.get(e.id, -1) > max(places, default=0)]
    between = [e for e in own if min(places, default=0) < order.get(e.id, -1) < max(places)]
    first = min(behind, key=lambda e: order[e.id], default=None)
    return first if places and not between else None


def _says_kin(button: Element, verb: str) -> bool:
    words = re.findall(r"[^\W_]+", written_on(button).casefold())
    return any(is_kin(verb, word) for word in words) and not leaves(written_on(button))


def _is_kin(desk: Desk, verb: str, plan: Plan) -> bool:
    """Whether a control that is set is called by a word of the verb's family: pay, Payment."""
    said = " ".join((*(called(desk, e) for e in plan.controls), *plan.around))
    return any(is_kin(verb, word) for word in re.findall(r"[^\W_]+", said.casefold()))


def _is_ended_later(desk: Desk, ending: Element | None) -> bool:
    """Whether a step to come ends it."""
    return any(_ends(desk, step, ending) for step in desk.ahead)


def _ends(desk: Desk, step: Step, ending: Element | None) -> bool:
    if isinstance(step, Submit):
        return True
    said = written_on(ending).casefold() if ending is not None else ""
    if isinstance(step, Point) and step.how == "click":
        what = step.what.strip('"“”').casefold()
        return bool(said) and (said in what or what in said)
    if isinstance(step, Perform):
        if ending is None:
            return presses(step) or any(ends(written_on(e)) for e in controls_for(desk, step.verb))
        return any(e.id == ending.id for e in controls_for(desk, step.verb))
    return False


def _set_all(desk: Desk, plan: Plan) -> Turns[None]:
    for bid in plan.choices:
        now = same_as(desk.elements, bid.control) or bid.control
        yield from fill_slot(desk, Slot(now, bid.value))
    for bid, on in plan.boxes:
        now = same_as(desk.elements, bid.control) or bid.control
        yield from bring_to(desk, now, on, f"{named(now)} is said")
    for one in plan.fields:
        now = same_as(desk.elements, one.control) or one.control
        yield from fill_slot(desk, Slot(now, one.value))
    if plan.controls:
        desk.worked = plan.controls[-1].box
