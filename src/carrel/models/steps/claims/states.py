"""In which state a thing is: ticked, chosen, enabled, unfolded, empty."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.frames import Element
from carrel.models.steps.claims.addresses import place_shown
from carrel.models.steps.claims.chosen import is_chosen
from carrel.models.steps.claims.contents import but_its_label
from carrel.models.steps.claims.said_status import said_status, says_another
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Has, Is
from carrel.models.steps.finding.by_words import control_meant
from carrel.models.steps.finding.extents import extent_of, members
from carrel.models.steps.finding.unfolding import unfolding, unfolds
from carrel.models.steps.finding.wishes import Wish, look_for, loosened, resolve, wished
from carrel.models.steps.language.english.appearances import STATUS_WORDS
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.phrases.place_words import read_place
from carrel.models.steps.shown.lone_switches import switch_of
from carrel.models.steps.shown.reading import fold, text_of
from carrel.models.steps.shown.tick_boxes import box_of
from carrel.models.steps.turns import Missed
from carrel.perception.find import SURE, Found, Match
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["is_so", "meant_by", "state_untold", "status_untold"]

_TICKED = (Kind.CHECKBOX, Kind.RADIO, Kind.SWITCH)


def is_so(desk: Desk, condition: Is) -> tuple[bool, str]:
    """Whether a thing is in a state, and what is there instead."""
    found, match = meant_by(desk, condition)
    if condition.state == "empty" and (at := place_shown(desk.elements, condition.what)):
        return False, f"{condition.what} holds {at!r}"
    if condition.state == "empty" and (held := _held_in(desk, condition.what)) is not None:
        return not held, f"{condition.what} holds {', '.join(map(repr, held[:3]))}"
    if match is None:
        return False, found.account()
    if (said := said_status(desk, match.element, condition.state)) is not None:
        return said[0], f"{condition.what} says {said[1]!r}"
    untold = state_untold(desk, match.element, condition)
    if untold is not None:
        return False, untold
    so = _has_state(desk, match.element, condition.state)
    if so and condition.state == "enabled" and kind_of(match.element) is Kind.TEXT:
        desk.doubt(f"{condition.what} is a mere text; whether it can be used nothing tells")
    return so, f"{condition.what} is {'' if so else 'not '}{condition.state}"


_SWITCH = re.compile(
    r"^(?:the )?(?:toggle|switch|(?:tick |check ?)?box|slider)(?: button| switch)? "
    r"(?:for|of|beside|next to) (?:the )?",
    re.IGNORECASE,
)
"""Words for what is switched, before what it is for."""
_TEXT_FIELD = re.compile(r"(?P<name>\S.* text) (?:field|box|area|input)", re.IGNORECASE)
"""`the Containing text field`, of which the label may say “Containing text”."""
_WRITTEN = re.compile(r"\b(?:box|field|input|area)$|[框栏]$", re.IGNORECASE)


def meant_by(desk: Desk, condition: Is) -> tuple[Found, Match | None]:
    """What the state of is asked for; where a table tells of no rows, by what a cell says."""
    boxed = condition.state == "checked"
    # Only what is written into is empty: of "the message box" the field, and no dialog.
    kinds = (Kind.FIELD,) if condition.state == "empty" and _WRITTEN.search(condition.what) else ()
    wish = ticked(condition.what) if boxed else wished(condition.what, kinds)
    found = look_for(desk, wish, want="type" if kinds else "act")
    match = resolve(desk, found)
    if match is None and condition.state in ("checked", "selected"):
        match = resolve(desk, look_for(desk, loosened(wish)))
        if boxed and match is not None:
            box = switch_of(desk, match.element) or box_of(desk, match.element)
            match = None if box is None else replace(match, element=box)
        match = match or _choice_of(desk, condition.what)
    if match is None and kinds and (said := _TEXT_FIELD.fullmatch(condition.what.strip())):
        match = resolve(desk, look_for(desk, wished(said["name"], kinds), want="type"))
    if match is None and boxed and (bare := _SWITCH.sub("", condition.what)) != condition.what:
        return meant_by(desk, replace(condition, what=bare))
    if condition.state == "expanded" and (match is None or not unfolds(match.element)):
        match = unfolding(desk, condition.what) or match
    if match is None and (field := but_its_label(desk, found)) is not None and field.box:
        match = Match(field, SURE, field.box.center, "the field of that name")
    if match is None and condition.state == "enabled":
        match = _told_by_all_words(desk, condition.what)
    return found, match


_BUTTON = re.compile(r"\b(?:button|link|icon|tab|switch|toggle)\b", re.IGNORECASE)


def _told_by_all_words(desk: Desk, phrase: str) -> Match | None:
    """The one control that says, with what is around it, all of `the button to raise the heat`."""
    if not _BUTTON.search(phrase):
        return None
    # Whether it can be used is what is asked: such as cannot are meant as well.
    usable = [replace(e, states=()) if is_disabled(e) else e for e in desk.elements]
    meant = control_meant(usable, f"click {phrase}")
    element = next((e for e in desk.elements if meant is not None and e.id == meant.id), None)
    if element is None or element.box is None:
        return None
    return Match(element, SURE, element.box.center, "all the words tell it")


def _held_in(desk: Desk, phrase: str) -> list[str] | None:
    """What is written in a column of cards, or under a heading; None where no such is meant."""
    words = read_place(phrase)
    if words.sort not in ("column", "group") or not words.name:
        return None
    try:
        extent = extent_of(desk, phrase)
    except Missed:
        return None
    if extent is None or any(is_field(e) and e.box == extent.box for e in desk.elements):
        return None
    texts = [written_on(e) for e in members(desk.elements, extent) if kind_of(e) is Kind.TEXT]
    name = fold(words.name)
    return [t for t in texts if t.strip() and fold(t) != name and not _NOTHING.match(t)]


_NOTHING = re.compile(r"\s*(?:no|nothing|none|empty)\b", re.IGNORECASE)
"""How a part of a page says itself that nothing is in it."""
_CHOICE = re.compile(r"(?:the )?(?P<name>\S.*) (?P<group>[a-z]+)", re.IGNORECASE)


def _choice_of(desk: Desk, phrase: str) -> Match | None:
    """The choice of `the Dark theme`: called by the first words, in a group of the last."""
    found = _CHOICE.fullmatch(phrase.strip())
    tree = Lineage(desk.elements)
    named = [
        e
        for e in desk.elements
        if found and kind_of(e) in _TICKED and fold(e.name) == fold(found["name"].strip('"“”'))
        if any(fold(x.name) == fold(found["group"]) for x in tree.above(e)) and e.box is not None
    ]
    box = named[0].box if len(named) == 1 else None
    return Match(named[0], 1.0, box.center) if box is not None else None


def ticked(phrase: str) -> Wish:
    """Something that can be ticked; a mere "box" is then no field, and no shape."""
    wish = wished(phrase, _TICKED)
    described = wish.description
    if described.shape == "box":
        return wished(phrase, (Kind.CHECKBOX,))
    if described.kinds == (Kind.FIELD,) and re.search(r"\bbox(?:es)?$", phrase.strip()):
        return replace(wish, description=replace(described, kinds=_TICKED))
    return wish


def state_untold(desk: Desk, element: Element, condition: Is) -> str | None:
    """Why it is not known whether something is ticked or chosen; None where it is, or not asked."""
    if condition.state not in ("checked", "selected"):
        return None
    if is_chosen(desk, element, condition.state) is not None:
        return None
    if said_status(desk, element, condition.state) is not None:
        return None
    return f"nothing tells whether {condition.what} is {condition.state}"


def _has_state(desk: Desk, element: Element, state: str) -> bool:
    """Whether an element is in a state that people have a word for."""
    if state == "enabled":
        return not is_disabled(element)
    if state == "visible":
        return True
    if state == "editable":
        return not is_disabled(element) and "read only" not in element.states
    if state == "empty":
        return not text_of(element, desk.elements).strip()
    if state in ("checked", "selected"):
        return bool(is_chosen(desk, element, state))
    return state in element.states


_SAYS = re.compile(r"\b(?:contain|say|show|read|list|includ|display|mention|print)", re.IGNORECASE)


def status_untold(desk: Desk, condition: Has) -> str | None:
    """Why it is not known that a thing is not in a status; None where it is, or was not asked.

    That an order does not say “paid” is no proof that it is not: it has to say what it is instead.
    """
    if condition.how != "contains" or not STATUS_WORDS.fullmatch(condition.text.strip()):
        return None
    if _SAYS.search(desk.step) or re.search(rf"[\"“]{re.escape(condition.text)}", desk.step):
        return None  # a text that is not there is not there
    match = resolve(desk, look_for(desk, wished(condition.what), want="read"))
    if match is not None and says_another(desk, match.element, condition.text):
        return None
    return f"nothing tells whether {condition.what} is {condition.text}"
