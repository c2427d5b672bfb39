"""What is in front, as far as it accounts for each word of a deed: choices, boxes, fields.

Each stretch of words is taken by the one control that bids most for it. What is left has to be what
a control is called, what stands over it, the button that ends all, or be small.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.address_parts import ADDRESS, address_in, fields_for_address
from carrel.models.steps.finding.told_words import Telling, forms_of
from carrel.models.steps.phrases.stemming import stem
from carrel.models.steps.verbs.bids import (
    NO_WORDS,
    Bid,
    bids_of,
    in_front,
    options_called,
    telling_forms,
)
from carrel.models.steps.verbs.kindred import is_kin
from carrel.models.steps.verbs.open_values import Filled, filled_of, lone_value
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.slots import called
from carrel.perception.labels import written_on
from carrel.perception.roles import FIELDS, Kind, kind_of

__all__ = ["OFF", "Plan", "is_whole", "plan_of"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


OFF = _listed(
    "forbid deny disallow revoke prevent ban stop hide exclude disable untick uncheck mute remove "
    "deactivate unsubscribe deselect decline skip omit withdraw prohibit"
)
_NOT = _listed("not no without dont doesnt never except minus nor don doesn") | {"don't", "doesn't"}
_FILTERS = _listed("show list view display filter see find search limit narrow restrict want")
_SMALL = (
    NO_WORDS
    | frozenset(
        map(
            stem,
            _listed(
                "and then please only just also that which who have has had be been will would "
                "should can could want need like there any some all both he she they him them "
                "but or one right permission are about because where bring "
                "extra take called named titled entitled saying says say reads "
                "reading text name not"
            ),
        )
    )
) - frozenset(map(stem, _NOT | {"or", "all", "except", "both"}))
_KNOWN_BY = _listed("a an another one new some")


@dataclass
class Plan:
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


def plan_of(desk: Desk, telling: Telling, verb: str) -> Plan | None:
    """What is to be set; None where nothing is, or it is not clear what."""
    plan = Plan()
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


def _take_address(desk: Desk, telling: Telling, plan: Plan) -> None:
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


def _take_time(desk: Desk, telling: Telling, sought: set[int], plan: Plan) -> None:
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
    return kind_of(element) in FIELDS or kind_of(element) is Kind.COMBO


def _take_bids(telling: Telling, verb: str, bids: Sequence[Bid], plan: Plan) -> bool:
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


def _is_taken(bid: Bid, plan: Plan) -> bool:
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
    if first in OFF and stem(first) not in own:
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


def _switches_off(plan: Plan, at: int) -> bool:
    """Whether the next thing behind a word that denies is a box that is to be off: no choice is."""
    offs = {bid.at[0] for bid, on in plan.boxes if not on}
    others = {bid.at[0] for bid, on in plan.boxes if on} | {bid.at[0] for bid in plan.choices}
    others |= {one.at[0] for one in plan.fields if one.at}
    behind = min((n for n in offs | others if n > at), default=-1)
    return behind in offs


def is_whole(desk: Desk, telling: Telling, plan: Plan, verb: str, ending: Element | None) -> bool:
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
        if not (word.said.casefold() in _NOT and _switches_off(plan, n))
    ]
    families = [w for e in plan.controls for w in re.findall(r"[^\W_]+", called(desk, e))]
    left = [n for n in left if n > 0 and not _is_of_family(telling.words[n].said, families)]
    return not left or (len(left) == 1 and _is_noun(telling, plan, left[0], verb))


def _is_of_family(word: str, families: Sequence[str]) -> bool:
    """Whether a word is another form of one that a control is called by: “to be delivered at”."""
    return len(word) > 4 and any(is_kin(re.sub(r"e?d$", "", word), one) for one in families)


def _is_noun(telling: Telling, plan: Plan, at: int, verb: str) -> bool:
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
