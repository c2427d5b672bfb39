"""Lists whose options are in sight, or further down."""

from __future__ import annotations

from collections.abc import Iterable

from carrel.actions import Click
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.shown.panes import bring_into_view, clear_of_edge
from carrel.models.steps.shown.reading import options_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.popups import OPTION
from carrel.models.steps.verbs.ticking import is_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["choose_from_list", "click_option", "list_of", "takes_many"]


def choose_from_list(desk: Desk, source: Element, option: str, *, more: bool) -> Turns[None]:
    """Choose an option of a list, adding to what is chosen already with `more`.

    Raises:
        Missed: It has no such option.
    """
    wish = wished(option, OPTION, source.box)
    match = resolve(desk, look_for(desk, wish))
    if match is None:
        yield from desk.again(0, why=f"whether {option} is further down the list", hidden=True)
        now = same_as(desk.unseen, source) or source
        hidden = resolve(desk, look_for(desk, wished(option, OPTION), options_of(now, desk.unseen)))
        if hidden is not None and (yield from bring_into_view(desk, hidden.element)):
            match = resolve(desk, look_for(desk, wish))
    if match is None:
        options = ", ".join(e.name for e in options_of(source, desk.elements)[:12])
        raise Missed(
            f"{named(source)} has no option {option!r}; it has: {options or 'none in sight'}"
        )
    yield from click_option(desk, match.element, more=more and takes_many(source))


def click_option(desk: Desk, element: Element, *, more: bool) -> Turns[None]:
    """Click an option of a list, adding to what is chosen already with `more`."""
    element = yield from clear_of_edge(desk, element)
    assert element.box is not None
    desk.worked = element.box
    if more and is_on(element):
        return
    at = element.box.center
    held = ("ctrl",) if more else ()
    yield from desk.do(Click(at.x, at.y, modifiers=held), why=named(element), last=True)
    for pause in (0.1, 0.4, 0.0):
        now = same_as(desk.elements, element)
        if now is None or "selectable" not in now.states:
            yield from desk.effect()
            return
        if is_on(now):
            return
        if pause:
            yield from desk.again(pause, why="whether it is chosen")
    raise Missed(f"{named(element)} is not chosen after a click")


def list_of(elements: Iterable[Element], element: Element) -> Element | None:
    """The list that something is in, if it is in one."""
    by_id = {e.id: e for e in elements}
    at = by_id.get(element.parent or "")
    while at is not None and kind_of(at) is not Kind.LIST:
        at = by_id.get(at.parent or "")
    return at


def takes_many(element: Element) -> bool:
    """Whether more than one of its options can be chosen."""
    return "multiselectable" in element.states
