"""So many of a thing: ordered by pressing what adds it as often."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.claims.conditions import read_number
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import control_for
from carrel.models.steps.finding.sorts_of_value import words_of
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.program import Perform
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import put
from carrel.models.steps.verbs.entry_controls import (
    control_around,
    control_following,
    control_in_run,
    part_of_run,
)
from carrel.models.steps.verbs.forms import field_for
from carrel.models.steps.verbs.pointing import in_turn, named
from carrel.models.steps.verbs.setting import give
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["add_so_many", "quantity_of"]


def quantity_of(desk: Desk, step: Perform) -> tuple[int | None, Perform]:
    """How many of a thing are ordered, where no field asks for that."""
    dozen = re.match(r"(half )?a dozen (?:of )?(?=\S)", step.what or "", re.IGNORECASE)
    if dozen is not None and step.what is not None:
        return 6 if dozen[1] else 12, replace(step, what=step.what[dozen.end() :])
    said = [text for word, text in step.details if word == "quantity"]
    if not said or step.what is None or _asks(desk, step.what):
        return None, step
    rest = tuple(detail for detail in step.details if detail[0] != "quantity")
    number = read_number(said[0])
    if number is None or number < 1 or number != int(number):
        raise Missed(f"{said[0]!r} is not a number of things to {step.verb}")
    return int(number), replace(step, details=rest)


def _asks(desk: Desk, what: str) -> bool:
    """Whether a field asks for it: `Quantity of Sencha` does not for Earl Grey."""
    field = field_for(desk, "quantity")
    if field is None:
        return False
    other = set(words_of(field.name)) - {"quantity", "qty", "amount", "number", "item"}
    return other <= set(words_of(what))


def add_so_many(desk: Desk, step: Perform, count: int) -> Turns[None]:
    """Press what adds a thing as often as it is wanted."""
    assert step.what is not None
    if (yield from _add_in_run(desk, step, count)):
        return
    match = yield from ground(desk, step.what, want="read")
    desk.worked = match.element.box
    control = control_for(desk, "add", near=True) or control_for(desk, step.verb, near=True)
    control = control or control_around(desk, "add") or control_following(desk, "add")
    if control is None or control.box is None:
        number = _number_of(desk, match.element)
        if number is None:
            raise Missed(f"nothing next to {step.what} adds it to an order")
        held = read_number(number.value or "0") or 0
        yield from give(desk, number, f"{held + count:g}")
        return
    at = control.box.center
    why = f"{named(control)} adds {step.what}"
    yield from in_turn(desk, (Click(at.x, at.y),) * count, why)
    yield from desk.effect()


def _number_of(desk: Desk, thing: Element) -> Element | None:
    """The one number that is set in the entry of a thing: the innermost part that has any."""
    tree = lineage_of(desk.elements)
    for holder in tree.above(thing):
        found = [e for e in tree.below(holder) if kind_of(e) is Kind.SPINNER and e.box is not None]
        if found:
            alone = len(found) == 1 and not is_disabled(found[0])
            return found[0] if alone else None
    return None


def _add_in_run(desk: Desk, step: Perform, count: int) -> Turns[bool]:
    """Add it with what its own entry has for that; whether it has."""
    what = step.what or ""
    control = control_in_run(desk, "add", what) or control_in_run(desk, step.verb, what)
    if control is None or control.box is None:
        return False
    field = part_of_run(desk, control, (Kind.SPINNER, Kind.FIELD))
    if field is not None:
        yield from put(desk, field, str(count), why=f"how many of {what}")
    at, presses = control.box.center, 1 if field is not None else count
    yield from in_turn(desk, (Click(at.x, at.y),) * presses, f"{named(control)} adds {what}")
    yield from desk.effect()
    return True
