"""Verbs that a field is there for: `invite A and B` with a field Invite, `add A to the tags`."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import controls_for
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import Choose, Perform
from carrel.models.steps.shown.reading import field_value, fold
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.choosing import choose
from carrel.models.steps.verbs.entering import put
from carrel.models.steps.verbs.fields import fields_in_front
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["choose_into_field", "write_into_field"]

_ADDS = ("add", "include", "insert", "put", "assign", "tag")
_TO = ("to", "in", "into", "under", "as")
_CHOSEN = (Kind.COMBO, Kind.LIST)
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_OF_SORT = re.compile(
    r"(?:(?:the|an?|my|your|this)\s+)?(?:following\s+|new\s+)?(?P<sort>[a-z][a-z -]*?)\s*:?\s+"
    r"[\"“](?P<text>[^\"”]+)[\"”]",
    re.IGNORECASE,
)


def choose_into_field(desk: Desk, step: Perform) -> Turns[bool]:
    """Choose what is named in the drop-down that the verb, or what it is added to, is called."""
    what = (step.what or "").strip()
    if not what or what.casefold() in ("it", "this", "that", "them"):
        return False
    if is_there(look_for(desk, wished(what), want="read")):
        return False
    source = _target(desk, step) if step.details else _called(desk, step.verb)
    if source is None:
        return False
    options = tuple(filter(None, _AND.split(what)))
    words = source[0]
    yield from choose(desk, Choose(options, words, said=what if len(options) > 1 else ""))
    return True


def _target(desk: Desk, step: Perform) -> tuple[str, Element] | None:
    """The drop-down that something is added to."""
    if step.verb not in _ADDS or len(step.details) != 1 or step.details[0][0] not in _TO:
        return None
    phrase = step.details[0][1]
    for kind in _CHOSEN:
        match = resolve(desk, look_for(desk, wished(phrase, (kind,))))
        if match is not None and kind_of(match.element) in _CHOSEN:
            return phrase, match.element
    return None


def _called(desk: Desk, verb: str) -> tuple[str, Element] | None:
    """The one drop-down whose label is the verb, where nothing can be pressed for it."""
    if any(kind_of(e) is Kind.BUTTON for e in controls_for(desk, verb)):
        return None
    combos = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.COMBO and e.box]
    called = [e for e in combos if not is_disabled(e) and fold(verb) in _names(desk, e)]
    return (f"the {verb} field", called[0]) if len(called) == 1 else None


def _names(desk: Desk, field: Element) -> set[str]:
    label = None if field.name.strip() else label_of(field, desk.elements)
    text = written_on(label) if label is not None else field.name
    return {fold(text).strip(" :：*….")} if text else set()


def write_into_field(desk: Desk, step: Perform) -> Turns[bool]:
    """`Add the remark "…"`: into the one empty field of several lines that is called after it."""
    said = _OF_SORT.fullmatch((step.what or "").strip())
    if step.verb not in ("add", "leave", "write") or step.details or said is None:
        return False
    sort = fold(said["sort"])
    names = {sort, f"{sort}s", f"{sort}es", re.sub("y$", "ies", sort)}
    many = [e for e in fields_in_front(desk) if "multi line" in e.states]
    called = [e for e in many if names & _names(desk, e)]
    if len(called) != 1 or field_value(called[0]).strip():
        return False
    yield from put(desk, called[0], said["text"], why="the field that is called after it")
    return True
