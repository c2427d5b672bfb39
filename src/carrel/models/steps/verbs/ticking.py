"""Check boxes, switches and radio buttons: brought to the wished state, and read back."""

from __future__ import annotations

import re

from carrel.actions import Click, Move
from carrel.frames import Element
from carrel.geometry import Point
from carrel.models.steps.claims.chosen import under_drawing
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.box_words import box_told
from carrel.models.steps.finding.wishes import all_fitting, look_for, resolve, wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.later import number_of, same_as, same_one
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.program import Tick
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.splitting import split_as_seen
from carrel.models.steps.shown.entries import entry_of, tick_box_of
from carrel.models.steps.shown.lone_switches import switch_of
from carrel.models.steps.shown.panes import bring_into_view, view_box
from carrel.models.steps.shown.reading import squeezed
from carrel.models.steps.shown.tick_boxes import box_of, drawn_now, tells
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.by_number import entry_by_number
from carrel.models.steps.verbs.pointing import named
from carrel.perception.find import Match
from carrel.perception.roles import FIELDS, TICKED, Kind, is_disabled, kind_of

__all__ = ["bring_to", "is_on", "switched", "take_choice", "tick", "tick_off"]

CERTAIN = 0.8
"""How sure it has to be that a switch is meant, and nothing else that opens or closes."""
GROUP, TITLE = 60, 10
"""Pixels that a group with a box to tick is high at least; and from its corner to that box."""
DEEP = 3
"""How deep in a label its words may be."""
HALF_CLICKS = 3
"""Clicks that bring a box from half a tick to any of its states, whichever comes first."""
_DONE = re.compile(r"(?:as )?(?:done|complete[d]?|finished|(?:已|为)?完成|做完)", re.IGNORECASE)
_UNDONE = re.compile(r"(?:not |un)(?:done|complete[d]?|finished)|(?:未|没有?)完成", re.IGNORECASE)
_OPENED = re.compile(r"(?:请|先|再|然后|并|接着)*打开")
_CROSSED = re.compile("勾掉")
_LEADING = frozenset({Kind.LINK, Kind.TAB, Kind.MENU_ITEM, Kind.TREE_ITEM})
"""What leads somewhere else, and is neither on nor off."""
_ALL = re.compile(r"^(?:all|every|each)\b|^(?:所有|全部|每)", re.IGNORECASE)


def tick(desk: Desk, step: Tick) -> Turns[str | None]:
    """Set each of them."""
    left_alone = 0
    crossed = _CROSSED.search(step.words) is not None
    for phrase in split_as_seen(desk, step.said, step.what, (Kind.CHECKBOX,)):
        if _ALL.match(phrase.strip()):
            left_alone += yield from _tick_all(desk, phrase, step.on)
            continue
        if (drawn := (yield from under_drawing(desk, phrase))) is not None:
            left_alone += not (yield from bring_to(desk, drawn, step.on, "under a drawing of it"))
            continue
        entry = yield from entry_by_number(desk, phrase)
        if entry is not None and (own := tick_box_of(desk.elements, entry)) is not None:
            left_alone += not (yield from bring_to(desk, own, step.on, f"the box of {phrase}"))
            continue
        if (told := box_told(desk, phrase)) is not None:
            why = f"{named(told)} is the one that these words tell"
            left_alone += not (yield from bring_to(desk, told, step.on, why))
            continue
        match = yield from _grounded(desk, phrase)
        if step.on and _OPENED.match(desk.step.strip()) and kind_of(match.element) in _LEADING:
            # 打开“消息通知”: in Chinese what leads somewhere is opened by the same word.
            at = match.point
            yield from desk.do(Click(at.x, at.y), why=f"open {named(match.element)}", last=True)
            yield from desk.effect()
            continue
        element = yield from _to_be_ticked(desk, phrase, match.element)
        # 勾掉 is to cross off what is done, and to clear what is ticked: never to leave it.
        on = step.on or (crossed and tells(element) and not is_on(element))
        left_alone += not (yield from bring_to(desk, element, on, match.why))
    state = "on" if step.on else "off"
    return f"{left_alone} already {state}" if left_alone else None


_BOX_OF = re.compile(
    r"(?:the )?(?:(?:tick|check) ?)?box (?:of|for|beside|before|in front of) (?P<what>\S.*)",
    re.IGNORECASE,
)


def _grounded(desk: Desk, phrase: str) -> Turns[Match]:
    """What is meant; of a box that nothing tells of, what it is the box of."""
    of = _BOX_OF.fullmatch(phrase.strip())
    if of is not None and resolve(desk, look_for(desk, wished(phrase, (Kind.CHECKBOX,)))) is None:
        said = resolve(desk, look_for(desk, wished(of["what"]), want="read"))
        if said is not None and kind_of(said.element) in (Kind.TEXT, Kind.LINK, Kind.OPTION):
            phrase = of["what"]
    return (yield from ground(desk, phrase, (Kind.CHECKBOX,), loose=True))


def tick_off(desk: Desk, what: str, state: str) -> Turns[bool]:
    """Mark an entry as done by the box it has; whether that is what is meant and can be."""
    on = _DONE.fullmatch(state.strip()) is not None
    if not on and _UNDONE.fullmatch(state.strip()) is None:
        return False
    match = yield from ground(desk, what)
    element: Element | None = match.element
    if element is not None and kind_of(element) not in TICKED:
        element = tick_box_of(desk.elements, element)
    if element is None:
        return False
    yield from bring_to(desk, element, on, match.why)
    return True


def _to_be_ticked(desk: Desk, phrase: str, element: Element) -> Turns[Element]:
    """The box of what was named, or what takes its place: a button, a label, an option.

    Raises:
        Missed: It is mere text, or an entry without a box that can be told.
    """
    # What is drawn in a row may as well be a switch of it.
    if kind_of(element) not in TICKED and _is_in_row(desk, element):
        own = tick_box_of(desk.elements, element) or (yield from _hidden_in_row(desk, element))
        if own is not None:
            return own
    for closer in (False, True):
        if closer:
            yield from desk.closer()
        box = switch_of(desk, element) or box_of(desk, element)
        if box is not None:
            return box
    labels = [e for e in lineage_of(desk.elements).above(element)[:DEEP] if e.role == "label"]
    if _is_for_text(desk, element, labels):
        raise Missed(f"{named(element)} is there for {phrase}, and takes a text and no tick")
    if labels or _stands_for_box(element):
        return labels[0] if labels else element
    raise Missed(f"{named(element)} is there for {phrase}, but no box to tick it by can be told")


def _is_for_text(desk: Desk, element: Element, labels: list[Element]) -> bool:
    """Whether it is a field to write into or to choose in, or the label of one."""
    held = [e for label in labels for e in lineage_of(desk.elements).below(label)]
    return any(kind_of(e) in FIELDS or kind_of(e) is Kind.COMBO for e in (element, *held))


def _is_in_row(desk: Desk, element: Element) -> bool:
    """Whether it tells its row from others: what every row says does not."""
    entry = entry_of(desk.elements, element)
    said = [e for e in desk.elements if (e.role, e.name) == (element.role, element.name)]
    only = entry == element or len(said) == 1
    return entry is not None and kind_of(entry) is Kind.ROW and only


def _hidden_in_row(desk: Desk, element: Element) -> Turns[Element | None]:
    """The one box to tick of a row that a page hides, and draws another one at its place."""
    page = web_page(desk.elements)
    if page is None:
        return None
    yield from desk.again(0, why="whether its row has a box under a drawing", hidden=True)
    twin = same_as(desk.unseen, element)
    box = tick_box_of(desk.unseen, twin) if twin is not None else None
    if box is None or "checkable" not in box.states or not within(box.box, page.box):
        return None
    return box


def _stands_for_box(element: Element) -> bool:
    """Whether a click on it is what ticks it: of a mere text nobody knows."""
    if kind_of(element) is Kind.BUTTON or element.role == "label":
        return True
    return "selectable" in element.states


def switched(desk: Desk, phrase: str, *, on: bool) -> Turns[bool]:
    """Whether a switch or a box to tick goes by this name; it is brought to the state, then.

    In Chinese what opens a program also turns a switch on: what is on the screen tells.
    """
    match = resolve(desk, look_for(desk, wished(phrase, (Kind.CHECKBOX,))))
    if match is None:
        match = resolve(desk, look_for(desk, wished(phrase, (Kind.SWITCH,))))
    if match is None:
        match = resolve(desk, look_for(desk, wished(phrase)))
    if match is None or match.confidence < CERTAIN:
        return False
    element = switch_of(desk, match.element) or match.element
    if kind_of(element) is Kind.TEXT and (yield from desk.closer()):
        # It may only be drawn.
        element = switch_of(desk, same_as(desk.elements, match.element) or element) or element
    if kind_of(element) not in (Kind.CHECKBOX, Kind.SWITCH) and not _is_toggle(element):
        return False
    yield from bring_to(desk, element, on, match.why)
    return True


def _is_toggle(element: Element) -> bool:
    """Whether it is a button that stays pressed, and says so."""
    return element.role == "toggle button" and "checkable" in element.states


def _tick_all(desk: Desk, phrase: str, on: bool) -> Turns[int]:
    boxes = [e for e in all_fitting(desk, phrase, (Kind.CHECKBOX,)) if kind_of(e) in TICKED]
    if not boxes:
        raise Missed(f"there is nothing to tick for {phrase!r}")
    left_alone = 0
    for box in boxes:
        left_alone += not (yield from bring_to(desk, box, on, "one of all"))
    return left_alone


def is_on(element: Element) -> bool:
    """Whether it is checked, pressed or chosen; a box that is ticked by half is not."""
    on = not {"checked", "pressed", "selected"}.isdisjoint(element.states)
    return on and not _is_half(element)


def _is_half(element: Element) -> bool:
    """Whether it is neither on nor off: of what is below it, some are."""
    return "indeterminate" in element.states and kind_of(element) in TICKED


def _is_as(element: Element, on: bool) -> bool:
    return not _is_half(element) and is_on(element) == on


def bring_to(desk: Desk, element: Element, on: bool, why: str) -> Turns[bool]:
    """Click it unless it already is as wished; whether it had to be.

    Raises:
        Missed: It is disabled, or stays as it was.
    """
    assert element.box is not None
    desk.worked = element.box
    known, state = tells(element), "on" if on else "off"
    if known and _is_as(element, on):
        return False
    if is_disabled(element):
        raise Missed(f"{named(element)} is there, but disabled")
    element = yield from _in_view(desk, element)
    at = yield from _place_of(desk, element)
    half, now = _is_half(element), element
    for clicks in range(HALF_CLICKS if half else 1):
        told = f"tick {named(element)}, {why}" if not clicks else "once more: it was half on"
        yield from desk.do(Click(at.x, at.y), why=told, last=not half)
        if not known:
            yield from desk.effect()
            # Whatever changed may be another thing's doing.
            desk.doubt(f"nothing tells whether {named(element)} is {state}")
            return True
        after = yield from _took(desk, element, on)
        if after is None or _is_as(after, on):
            return True
        now = after
    raise Missed(f"{named(element)} is still {_told(now)} after a click")


def _told(element: Element) -> str:
    return "half on" if _is_half(element) else "on" if is_on(element) else "off"


def _took(desk: Desk, element: Element, on: bool) -> Turns[Element | None]:
    """How it is after a click; None where nothing tells any more, which is in doubt."""
    if element.source == "detector":
        # Under the pointer it may be drawn in another way.
        yield from desk.do(Move(1, 1), why="how it looks without the pointer", commits=False)
    now: Element | None = None
    for pause in (0.1, 0.4, 0.0):
        now = yield from _now(desk, element)
        if now is None:
            yield from desk.effect()
            if element.source == "detector":
                state = "on" if on else "off"
                desk.doubt(f"nothing tells whether {named(element)} is {state}")
            return None
        if _is_as(now, on):
            break
        if pause:
            yield from desk.again(pause, why="whether it took")
    return now


def _in_view(desk: Desk, element: Element) -> Turns[Element]:
    """It, scrolled to where its middle is no longer beyond the edge of the page."""
    at = element.box.center if element.box is not None else None
    page = web_page(desk.elements)
    if page is None or at is None or view_box(desk).contains(at):
        return element
    if all(e.id != element.id for e in lineage_of(desk.elements).below(page)):
        return element
    yield from desk.again(
        0, why=f"{named(element)} is cut off by the edge of the page", hidden=True
    )
    number = number_of(desk.unseen, element)
    yield from bring_into_view(desk, element)
    return same_one(desk.elements, element, number) or element


def _place_of(desk: Desk, element: Element) -> Turns[Point]:
    """Where it is clicked: of several at one place, which nobody sees, where its words are drawn.

    Raises:
        Missed: Its words are not drawn, or more than once.
    """
    assert element.box is not None
    if element.box.height >= GROUP and any(e.parent == element.id for e in desk.elements):
        # The box of a whole group is at its title; in its middle is what the group holds.
        return Point(element.box.x + TITLE, element.box.y + TITLE)
    others = [e for e in desk.elements if e.box == element.box and e.name and e.id != element.id]
    stacked = any(kind_of(e) in TICKED and e.name != element.name for e in others)
    if not stacked or not element.name or element.source != "tree":
        return element.box.center
    yield from desk.closer()
    holder = lineage_of(desk.elements).above(same_as(desk.elements, element) or element)[:1]
    around = holder[0].box if holder else None
    places = [
        e.box
        for e in desk.elements
        if e.box is not None and e.box != element.box and kind_of(e) not in TICKED
        if squeezed(e.name) == squeezed(element.name) and (around is None or within(e.box, around))
    ]
    outer = [box for box in places if not any(b != box and within(box, b) for b in places)]
    if len(outer) != 1:
        raise Missed(f"{named(element)} is hidden, and where it is drawn cannot be told")
    return outer[0].center


def _now(desk: Desk, element: Element) -> Turns[Element | None]:
    """How it is now: as told, as hidden, or as drawn."""
    if element.source == "detector":
        return drawn_now(desk, element)
    # Some are called by how they are, and so otherwise when that has changed.
    here = [e for e in desk.elements if e.role == element.role and e.box == element.box]
    now = here[0] if len(here) == 1 else same_as(desk.elements, element)
    if now is not None and "showing" not in element.states and not within(now.box, element.box):
        # Another one of that name is in sight.
        now = None
    return now or (yield from _hidden_now(desk, element))


def _hidden_now(desk: Desk, element: Element) -> Turns[Element | None]:
    """What is hidden under a drawing, as it is now."""
    if "showing" in element.states or element.source != "tree":
        return None
    yield from desk.again(0, why="whether it took", hidden=True)
    return same_as(desk.unseen, element)


def take_choice(desk: Desk, choice: Element, value: str) -> Turns[None]:
    """Take a choice of a group, and see that it is taken."""
    assert choice.box is not None
    if kind_of(choice) in TICKED:
        yield from bring_to(desk, choice, True, f"of the group, for {value}")
        return
    desk.worked, at = choice.box, choice.box.center
    yield from desk.do(Click(at.x, at.y), why=f"{named(choice)}, of the group", last=True)
    if not is_on(choice):
        yield from desk.effect()
