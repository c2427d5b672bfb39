"""Deeds of which all words are told by what is in front: what they say is set, then they are ended.

“Order a large coffee with oat milk to take away” is said of choices, lists and a button that stand
there, and nothing but these has to be known. Every word has to be accounted for: as a value that
one control takes, as what a control is called, as what stands over it, or by being small. A word that
is left over, or that two controls bid for as well, and nothing is done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.address_parts import ADDRESS, address_in, fields_for_address
from carrel.models.steps.finding.controls import controls_for, finishing
from carrel.models.steps.finding.told_words import Telling, forms_of, read_telling
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.phrases.endings import ends, leaves
from carrel.models.steps.phrases.small_words import ACTS
from carrel.models.steps.phrases.stemming import stem
from carrel.models.steps.program import Perform, Point, Step, Submit
from carrel.models.steps.shown.laid_out import goes_with
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.bids import (
    NO_WORDS,
    Bid,
    bids_of,
    free_fields,
    in_front,
    options_called,
    telling_forms,
)
from carrel.models.steps.verbs.filling import fill_slot, is_filled_further
from carrel.models.steps.verbs.kindred import is_kin
from carrel.models.steps.verbs.open_values import Filled, filled_of, lone_value
from carrel.models.steps.verbs.owing import presses
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.slots import Slot, called, look_into
from carrel.models.steps.verbs.ticking import bring_to
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
_OFF = _listed(
    "forbid deny disallow revoke prevent ban stop hide exclude disable untick uncheck mute remove "
    "deactivate unsubscribe deselect decline skip omit withdraw prohibit"
)
_NOT = _listed("not no without dont doesnt never except minus nor don doesn") | {"don't", "doesn't"}
_FILTERS = _listed("show list view display filter see find search limit narrow restrict want")
_ON_THINGS = _listed(
    "delete remove discard archive unarchive close cancel open download print copy duplicate undo "
    "redo restore reopen pin unpin star unstar like unlike follow unfollow search sort replace rename"
)
"""Verbs for what is there already, which is found and not told by choices."""
_SMALL = (
    NO_WORDS
    | frozenset(
        map(
            stem,
            _listed(
                "and then please only just also that which who have has had be been will would "
                "should can could want need like there any some all both he she they him them "
                "but or one right permission are about because where bring extra take called named titled entitled saying says say reads "
                "reading text name not"
            ),
        )
    )
) - frozenset(map(stem, _NOT | {"or", "all", "except", "both"}))
_KNOWN_BY = _listed("a an another one new some")


@dataclass
class _Plan:
    """What is to be done, and the words that it accounts for."""

    boxes: list[tuple[Bid, bool]] = field(default_factory=list)
    choices: list[Bid] = field(default_factory=list)
    fields: list[Filled] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)
    around: set[str] = field(default_factory=set)
    doubt: str = ""

    @property
    def controls(self) -> list[Element]:
        """All that is set."""
        boxes = [bid.control for bid, _ in self.boxes]
        return [*boxes, *(b.control for b in self.choices), *(one.control for one in self.fields)]


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
    plan = _plan(desk, telling, step.verb)
    if plan is None:
        return False
    if opened:
        # What it is about was found before it was begun.
        plan.around |= telling_forms(step.what or "")
    ending, left_open = _ending(desk, step, plan, opened), step.verb.split()[0] in _GIVES
    if not _is_whole(desk, telling, plan, step.verb, ending):
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


def _only_switches(verb: str, plan: _Plan) -> bool:
    """Whether a verb says no more than that boxes are to be on or off: `unsubscribe me from …`."""
    said = verb.split()[0] in _OFF | {"subscribe", "receive", "get", "include", "enable", "turn"}
    return said and bool(plan.boxes) and not plan.fields


def _goes_on(desk: Desk, plan: _Plan) -> Step | None:
    """The next step, where it says more for what is set here: that is ended when all is said."""
    step = desk.ahead[0] if desk.ahead else None
    if is_filled_further(desk):
        return step
    if not isinstance(step, Perform) or step.place is not None:
        return None
    if step.verb == "rename":
        return step if name_field(desk) is not None else None
    telling = read_telling(_said(desk, step))
    more = _plan(desk, telling, step.verb)
    known = {e.id for e in plan.controls}
    if more is None or all(e.id in known for e in more.controls):
        return None
    own = [e for e in controls_for(desk, step.verb) if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    return step if not own and _is_whole(desk, telling, more, step.verb, None) else None


def name_field(desk: Desk) -> Element | None:
    """The one empty field for what something is to be called."""
    called_so = [e for e in free_fields(desk) if _NAME.fullmatch(called(desk, e).split(" | ")[0])]
    return called_so[0] if len(called_so) == 1 and not called_so[0].value else None


_NAME = re.compile(r"(?:\w+ )?(?:name|title|label|called)(?: of \w+)?", re.IGNORECASE)


def name_what_is_made(desk: Desk, step: Perform) -> Turns[bool]:
    """`…, and call it Gym`: into the field for that, while what is made is still being filled in."""
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


def _plan(desk: Desk, telling: Telling, verb: str) -> _Plan | None:
    """What is to be set; None where nothing is, or it is not clear what."""
    plan = _Plan()
    _take_address(desk, telling, plan)
    bids = [b for b in bids_of(desk, telling) if plan.taken.isdisjoint(b.at)]
    _take_time(desk, telling, {at for bid in bids for at in bid.at}, plan)
    if not _take_bids(telling, verb, bids, plan):
        return None
    filled = filled_of(desk, telling, plan.taken, verb)
    if filled is None:
        return None
    lone = lone_value(desk, telling, plan.taken, filled) if plan.controls or filled else None
    if lone is not None:
        filled = [*filled, lone]
        plan.doubt = (
            f"nothing but its being left tells that {named(lone.control)} takes {lone.value}"
        )
    for one in filled:
        plan.fields.append(one)
        plan.taken |= set(one.at)
        plan.around |= telling_forms(called(desk, one.control))
    return plan if plan.controls else None


def _take_address(desk: Desk, telling: Telling, plan: _Plan) -> None:
    """Have the fields of an address take it, whole."""
    found = ADDRESS.search(telling.text)
    if found is None:
        return
    labels = {e.id: called(desk, e).split(" | ") for e in in_front(desk) if _takes_text(e)}
    pieces = found["all"].split(",")
    for length in range(len(pieces), 1, -1):
        said = ",".join(pieces[:length])
        given = fields_for_address(address_in(said), labels)
        if given:
            start = found.start("all")
            at = [n for n, w in enumerate(telling.words) if start <= w.at[0] < start + len(said)]
            by_id = {e.id: e for e in in_front(desk)}
            plan.fields += [Filled((), by_id[key], value) for key, value in given.items()]
            plan.taken |= set(at)
            return


_CLOCK = re.compile(r"(?P<hour>\d{1,2}):(?P<minute>\d\d)")


def _take_time(desk: Desk, telling: Telling, sought: set[int], plan: _Plan) -> None:
    """Have a list of hours and one of minutes take a time that no list has whole."""
    parts = {part: options_called(desk, part) for part in ("hour", "minute")}
    for at, word in enumerate(telling.words):
        clock = _CLOCK.fullmatch(word.said) if at not in sought else None
        if clock is None or any(found is None for found in parts.values()):
            continue
        given = [
            Bid((at,), found[0], name, found[0].id)
            for part, found in parts.items()
            for name in (found[1] if found is not None else ())
            if found is not None and name.strip().isdigit() and int(name) == int(clock[part])
        ]
        if len(given) == len(parts):
            plan.choices += given
            plan.taken.add(at)


def _takes_text(element: Element) -> bool:
    from carrel.perception.roles import FIELDS

    return kind_of(element) in FIELDS or kind_of(element) is Kind.COMBO


def _take_bids(telling: Telling, verb: str, bids: Sequence[Bid], plan: _Plan) -> bool:
    """Have each stretch of words taken by the one control that bids most for it.

    Whether no two are as good.
    """
    groups: set[str] = set()
    named_at = {at for bid in bids for at in bid.at}
    waiting = sorted(bids, key=lambda b: (-len(b.at), b.partly, b.at))
    for last in (False, True):
        unclear: list[Bid] = []
        for bid in waiting:
            if _is_taken(bid, plan):
                continue
            alike = [b for b in bids if b.at == bid.at and b.partly == bid.partly]
            alike = [b for b in alike if b.group not in groups]
            meant = _meant(telling, alike)
            if meant is None:
                unclear.append(bid)
                continue
            if meant.partly and meant.is_box and not _may_be_part(telling, verb, meant):
                continue
            groups.add(meant.group)
            plan.taken |= set(meant.at)
            plan.around |= meant.around
            if meant.is_box:
                plan.boxes.append((meant, _is_on(telling, verb, meant, named_at)))
            else:
                plan.choices.append(meant)
        if last and unclear:
            return False
        waiting = unclear
    return True


def _is_taken(bid: Bid, plan: _Plan) -> bool:
    """Whether the words of a bid, or what it is for, are taken already."""
    if not bid.is_box:
        return bool(plan.taken & set(bid.at))
    known = any(one.id == bid.control.id for one in plan.controls)
    return known or (set(bid.at) <= plan.taken and not _is_row(bid))


def _is_row(bid: Bid) -> bool:
    return not bid.control.name.strip()


def _may_be_part(telling: Telling, verb: str, bid: Bid) -> bool:
    """Whether a box may be meant by a part of what it is called: what is looked for has that."""
    own = {w.form for w in telling.words[: bid.at[0]]}
    return verb.split()[0] in _FILTERS or bool(own & {"with", "have", "has", "want"})


def _meant(telling: Telling, alike: Sequence[Bid]) -> Bid | None:
    """Of several that bid for the same words the one that the words beside these tell."""
    if len(alike) == 1:
        return alike[0]
    if not alike:
        return None
    ranked = sorted(((_told(telling, bid), bid) for bid in alike), key=lambda p: -p[0])
    return ranked[0][1] if ranked[0][0] > ranked[1][0] else None


_ENDS_OF = {"from": {"from", "sourc", "origin", "start"}, "into": {"to", "target"}, "to": {"to"}}


def _told(telling: Telling, bid: Bid) -> int:
    """How much of what stands right before some words, or is said at all, a control is called."""
    before = [w.form for w in telling.words[max(0, bid.at[0] - 3) : bid.at[0]]]
    label = set(forms_of(bid.control.name)) | bid.around
    said = {w.form for n, w in enumerate(telling.words) if n not in bid.at}
    ends_of = _ENDS_OF.get(before[-1], set()) if before else set()
    return 4 * bool(ends_of & label) + 2 * bool(set(before) & bid.around) + len(said & bid.around)


def _is_on(telling: Telling, verb: str, bid: Bid, taken: Set[int]) -> bool:
    """Whether a box is to be ticked: not where a word for having it not comes before it.

    Such a word reaches as far as the next thing that is named, and on to what is listed with that.
    """
    first, own = verb.split()[0], set(forms_of(bid.control.name))
    if first in _OFF and stem(first) not in own:
        return False
    listed = True
    for at in range(bid.at[0] - 1, -1, -1):
        said = telling.words[at].said.casefold()
        if said in _NOT and said not in _raw(bid.control.name):
            return False
        if said == "but" or (at in taken - set(bid.at) and not listed):
            return True
        listed = said in ("or", "nor") or (at in taken and listed)
    return True


def _raw(name: str) -> list[str]:
    return re.findall(r"[\w'’]+", name.casefold())


def _is_whole(desk: Desk, telling: Telling, plan: _Plan, verb: str, ending: Element | None) -> bool:
    """Whether no word is left over."""
    page = [e for e in in_front(desk) if kind_of(e) in (Kind.HEADING, Kind.DIALOG, Kind.PAGE)]
    heads = {form for e in page for form in telling_forms(written_on(e))}
    if verb.split()[0] in ("allow", "forbid"):
        heads |= {"other", "thing", "anything"}
    around = plan.around | heads | set(map(stem, verb.split()))
    around |= {stem(word) for word in desk.said.split()}
    if ending is not None:
        around |= set(forms_of(written_on(ending)))
    around |= {f for e in plan.controls for f in telling_forms(called(desk, e))}
    left = [
        n
        for n, word in enumerate(telling.words)
        if n not in plan.taken and word.form not in _SMALL and word.form not in around
        if not (word.said.casefold() in _NOT and any(not on for _, on in plan.boxes))
    ]
    families = [w for e in plan.controls for w in re.findall(r"[^\W_]+", called(desk, e))]
    left = [n for n in left if n > 0 and not _is_of_family(telling.words[n].said, families)]
    return not left or (len(left) == 1 and _is_noun(telling, plan, left[0], verb))


def _is_of_family(word: str, families: Sequence[str]) -> bool:
    """Whether a word is another form of one that a control is called by: “to be delivered at”."""
    return len(word) > 4 and any(is_kin(re.sub(r"e?d$", "", word), one) for one in families)


def _is_noun(telling: Telling, plan: _Plan, at: int, verb: str) -> bool:
    """Whether a word only says what sort of thing is made, or is looked for: “a table for two”."""
    word, before = telling.words[at], telling.words[1:at]
    if word.quote >= 0 or not word.said.islower() or not word.said.isalpha():
        return False
    after = telling.words[at + 1 : at + 2]
    if after and after[0].form not in _SMALL and after[0].quote < 0:
        return False
    if verb.split()[0] in _FILTERS:
        return all(w.said.casefold() in _KNOWN_BY | {"only", "the", "me", "just"} for w in before)
    taken = all(n + 1 in plan.taken for n in range(1, len(before)))
    return bool(before) and before[0].said.casefold() in _KNOWN_BY and taken


def _ending(desk: Desk, step: Perform, plan: _Plan, opened: bool) -> Element | None:
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


def _after(desk: Desk, plan: _Plan, own: Sequence[Element]) -> Element | None:
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


def _is_kin(desk: Desk, verb: str, plan: _Plan) -> bool:
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


def _set_all(desk: Desk, plan: _Plan) -> Turns[None]:
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
