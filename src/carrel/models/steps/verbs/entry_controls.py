"""The control for a verb in the entry that is meant: `withdraw the Budget article`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.controls import controls_for
from carrel.models.steps.desk import Desk
from carrel.models.steps.lineage import Lineage
from carrel.models.steps.wishes import is_there, look_for, wished
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["control_around", "control_in_entry"]

HIGH = 220
"""Pixels that an entry or a card may be high."""
_SMALL = re.compile(
    r"the|an?|my|your|our|this|that|these|those|of|for|from|to|in|on|at|with|by|and|which|who|whose|"
    r"is|are|was|starts?|starting|begins?|beginning|ends?|ending|called|named|titled|ones?"
)


def control_in_entry(desk: Desk, verb: str, what: str) -> Element | None:
    """The one control for a verb whose entry says what tells the thing from others.

    None where the thing has a name of its own on the screen, no entry says it, or several do.
    """
    words = _telling(what)
    controls = [e for e in controls_for(desk, verb) if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    if not words or not controls or is_there(look_for(desk, wished(what), want="read")):
        return None
    tree = Lineage(desk.elements)
    fitting = [e for e in controls if words <= _said_beside(e, controls, tree)]
    return fitting[0] if len(fitting) == 1 else None


def control_around(desk: Desk, verb: str) -> Element | None:
    """The one control for a verb in the innermost card or entry that the work is in."""
    controls = [e for e in controls_for(desk, verb) if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    at = [e for e in desk.elements if e.box is not None and e.box == desk.worked]
    tree = Lineage(desk.elements)
    for holder in tree.above(at[-1]) if at and len(controls) > 1 else ():
        if holder.box is None or holder.box.height > HIGH or kind_of(holder) is Kind.PAGE:
            return None
        held = {e.id for e in tree.below(holder)}
        inside = [e for e in controls if e.id in held]
        if inside:
            return inside[0] if len(inside) == 1 else None
    return None


def _telling(what: str) -> set[str]:
    """Names, numbers and quoted words; where there are none, all that are no small words."""
    quoted = re.findall(r"[\"“]([^\"”]+)[\"”]", what)
    if quoted:
        return _words(" ".join(quoted))
    named = re.findall(r"(?<!\S)(?:[A-Z]\S*|\S*\d\S*)", what)
    if named:
        return _words(" ".join(named))
    plain = [word for word in re.findall(r"[\w-]+", what.casefold()) if not _SMALL.fullmatch(word)]
    # The last one says what sort of thing it is, which no entry repeats.
    return set(plain[:-1])


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", re.sub(r"['’]s\b", "", text).casefold()))


def _said_beside(control: Element, controls: Sequence[Element], tree: Lineage) -> set[str]:
    """What the innermost entry around a control says that says more than the controls do."""
    own = {x.id for e in controls for x in (e, *tree.below(e))}
    others = {e.id for e in controls if e.id != control.id}
    for holder in tree.above(control):
        if holder.box is None or holder.box.height > HIGH or kind_of(holder) is Kind.PAGE:
            return set()
        held = tree.below(holder)
        if others & {e.id for e in held}:
            return set()
        said = [written_on(e) for e in held if e.id not in own and kind_of(e) is not Kind.BUTTON]
        if any(said):
            return _words(" ".join((holder.name, *said)))
    return set()
