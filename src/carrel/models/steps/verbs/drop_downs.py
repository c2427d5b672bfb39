"""Drop-downs, and fields that suggest what to take."""

from __future__ import annotations

import re
from collections.abc import Iterable

from carrel.actions import Action, Click, Key, Type
from carrel.frames import Element
from carrel.geometry import Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.finding.worded_options import option_said
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.panes import is_at_edge, make_room
from carrel.models.steps.shown.reading import chosen_of, field_value, fold, options_of, squeezed
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.fields import field_at, typed
from carrel.models.steps.verbs.nested_options import come_to_nested
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.popups import OPTION, further_down, new_items, opened
from carrel.perception.find import Match
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = [
    "Unlisted",
    "came_up_at",
    "choose_from_combo",
    "choose_from_suggestions",
    "list_field",
    "listed_under",
    "open_to_search",
    "takes_keys",
]

BESIDE = 24
"""Pixels from a drop-down to the field of its list."""
_DOING = (Kind.MENU_ITEM, Kind.LINK, Kind.BUTTON)
SAME = 6
"""Pixels that a drop-down may move and still be at the same place."""


class Unlisted(Missed):
    """A drop-down has no such option."""


def takes_keys(elements: Iterable[Element]) -> bool:
    """Whether the list of an open drop-down has the keyboard: keys look through it."""
    listed = list(elements)
    is_open = any(kind_of(e) is Kind.COMBO and "expanded" in e.states for e in listed)
    parts = (Kind.COMBO, Kind.OPTION, Kind.MENU_ITEM, Kind.LIST)
    return is_open and any("focused" in e.states and kind_of(e) in parts for e in listed)


def list_field(elements: Iterable[Element]) -> Element | None:
    """The field that has come up with the list of an open drop-down, and looks through it."""
    listed = list(elements)
    is_open = [e for e in listed if kind_of(e) is Kind.COMBO and "expanded" in e.states]
    found = [
        e
        for e in listed
        if is_field(e) and "editable" in e.states and kind_of(e) is not Kind.COMBO
        if any(_is_along(e, combo) for combo in is_open)
    ]
    return found[0] if len(found) == 1 else None


def _is_along(field: Element, combo: Element) -> bool:
    """Whether a field stands right under a drop-down, or right over it, and within its sides."""
    at, own = field.box, combo.box
    if at is None or own is None or not own.x - BESIDE <= at.x < at.right <= own.right + BESIDE:
        return False
    under, over = at.y - own.bottom, own.y - at.bottom
    return max(under, over) in range(-SAME, BESIDE)


def open_to_search(desk: Desk, combo: Element) -> Turns[Element | None]:
    """Open a drop-down; the field that comes with its list, if one does."""
    assert combo.box is not None
    at = combo.box.center
    if "expanded" not in (same_as(desk.elements, combo) or combo).states:
        yield from desk.do(Click(at.x, at.y), why=f"open {named(combo)}", commits=False)
    for pause in (0.2, 0.5, 0.0):
        field = list_field(desk.elements)
        if field is not None or not pause:
            return field
        yield from desk.again(pause, why="the list may take a moment to open")
    return None


def choose_from_combo(desk: Desk, combo: Element, option: str) -> Turns[None]:
    """Open a drop-down, choose, and read back what it shows.

    Raises:
        Missed: It has no such option, or shows another one afterwards.
    """
    if is_field(combo) and "read only" not in combo.states:
        yield from choose_from_suggestions(desk, combo, option)
        return
    assert combo.box is not None
    desk.worked = combo.box
    before = _before(desk, combo)
    if "expanded" not in combo.states:
        at = combo.box.center
        yield from desk.do(Click(at.x, at.y), why=f"open {named(combo)}", commits=False)
    match = yield from opened(desk, combo, option, before)
    if match is None:
        match = yield from further_down(desk, combo, option, before)
    elif _is_elsewhere(desk, combo):
        match = None
    taken = ""
    if match is None and web_page(desk.elements) is None:
        match = yield from come_to_nested(desk, combo, option)
    if match is None:
        try:
            taken = yield from _type_ahead(desk, combo, option)
        except Missed:
            combo, match = yield from _with_room(desk, combo, option)
            if match is None:
                raise
    if match is not None:
        here, taken = match.point, match.element.name or match.element.text
        why = f"{named(match.element)}, {match.why}"
        yield from desk.do(Click(here.x, here.y), why=why, last=True)
        if kind_of(combo) is Kind.BUTTON and kind_of(match.element) in _DOING:
            # The item of a menu does something: the button goes on saying what it said.
            yield from desk.effect()
            return
    yield from _check_combo(desk, combo, taken or option)


def _before(desk: Desk, combo: Element) -> tuple[Element, ...]:
    """What is there without its list; one that takes several may have been left open."""
    if "expanded" not in combo.states:
        return desk.elements
    return tuple(e for e in desk.elements if kind_of(e) is not Kind.OPTION)


def _is_elsewhere(desk: Desk, combo: Element) -> bool:
    """Whether its list is not where the browser says: that would be above the page.

    Where there is little room, browsers draw the list of a page's own drop-down further down.
    """
    page, now = web_page(desk.elements), same_as(desk.elements, combo) or combo
    listed = [e.box for e in options_of(now, desk.elements) if e.box is not None]
    return page is not None and page.box is not None and any(b.y < page.box.y for b in listed)


def _with_room(desk: Desk, combo: Element, option: str) -> Turns[tuple[Element, Match | None]]:
    """Open it again further up, where its list may have been beyond the edge of the page."""
    now = yield from make_room(desk, combo)
    if now is None or now.box is None:
        return combo, None
    before, at = desk.elements, now.box.center
    yield from desk.do(Click(at.x, at.y), why=f"open {named(now)}", commits=False)
    match = yield from opened(desk, now, option, before)
    desk.worked = now.box
    return now, match


def _type_ahead(desk: Desk, combo: Element, option: str) -> Turns[str]:
    """A long list: the keyboard finds what is not in sight; what it is called there."""
    yield from desk.again(0, why=f"all options of {named(combo)}", hidden=True)
    now = same_as(desk.unseen, combo) or combo
    options = options_of(now, desk.unseen)
    match = resolve(desk, look_for(desk, wished(option, OPTION), options)) if options else None
    begun = [e for e in options if _begins(e.name, option)] if match is None else []
    if match is None and not begun:
        meant = option_said([e.name for e in options], option, _label(desk, combo))
        begun = [e for e in options if meant and e.name == meant]
    if len(begun) == 1:
        match = Match(begun[0], 1.0, Point(0, 0), "begins so")
    if match is None:
        yield from desk.do(Key(("escape",)), why="close the list again", commits=False)
        listed = ", ".join(e.name for e in options[:12]) or "none that can be read"
        raise Unlisted(f"{named(combo)} has no option {option!r}; it has: {listed}")
    keys: tuple[Action, ...] = (Type(match.element.name), Key(("enter",)))
    yield from desk.do(*keys, why=f"{match.element.name} is further down the list", last=True)
    return match.element.name


def _label(desk: Desk, combo: Element) -> str:
    label = label_of(combo, desk.elements)
    return f"{combo.name} {written_on(label) if label is not None else ''}"


def _begins(name: str, option: str) -> bool:
    """Whether an option is called so, and adds but a remark: `Berlin (CET)`."""
    rest = name[len(option) :] if fold(name).startswith(fold(option)) else ""
    return bool(re.match(r"\s*[(–,:-]", rest)) and bool(option.strip())


def _check_combo(desk: Desk, combo: Element, taken: str) -> Turns[None]:
    """See that the drop-down shows what was chosen; where it tells nothing, that is in doubt."""
    chosen, wanted = "", fold(taken)
    for pause in (0.0, 0.2, 0.5):
        yield from desk.again(pause, why=f"what {named(combo)} shows now", hidden=True)
        now = _in_place(desk.unseen, combo) or same_as(desk.unseen, combo)
        chosen = chosen_of(now, desk.unseen) if now is not None else ""
        said = (chosen, *((now.value or "", now.text, now.name) if now is not None else ()))
        if any(fold(text) == wanted for text in (*said, *_written_in(desk, now or combo))):
            return
    # A button that takes it out again stands beside each of several.
    parts = {fold(part).partition(" remove")[0] for part in chosen.split(", ")}
    if chosen and wanted not in parts and wanted not in fold(chosen).split(", "):
        raise Missed(f"{named(combo)} shows {chosen!r} after {taken!r} was chosen")
    if chosen or _stands_beside(desk, combo, taken) or (yield from _is_read_on(desk, combo, taken)):
        return
    desk.doubt(f"{named(combo)} does not tell whether {taken!r} is chosen")


def _is_read_on(desk: Desk, combo: Element, taken: str) -> Turns[bool]:
    """Whether the pixels of a drop-down that tells nothing say what was taken."""
    yield from desk.closer()
    now = _in_place(desk.elements, combo)
    said = [] if now is None else [now.text, *_written_in(desk, now)]
    return any(squeezed(text) == squeezed(taken) for text in said if squeezed(text))


def _written_in(desk: Desk, combo: Element) -> Iterable[str]:
    """What can be read on a drop-down that is made of other things."""
    inner = (e for e in desk.elements if e.id != combo.id and within(e.box, combo.box))
    return (e.name or e.value or e.text for e in inner)


def _in_place(elements: Iterable[Element], before: Element) -> Element | None:
    """What begins where something did: some are called by what is chosen of them, and so long."""
    at = before.box
    here = [e for e in elements if e.role == before.role and e.box is not None and at is not None]
    return next(
        (e for e in here if e.box and at and max(abs(e.box.x - at.x), abs(e.box.y - at.y)) <= SAME),
        None,
    )


def _stands_beside(desk: Desk, field: Element, text: str) -> bool:
    """Whether a text is written over a field or in one line with it, as what was chosen is."""
    at = field.box
    assert at is not None
    return any(
        e.box is not None and e.id != field.id and e.box.y < at.bottom and at.y < e.box.bottom
        for e in desk.elements
        if fold(e.name or e.value or e.text) == fold(text)
    )


def listed_under(
    desk: Desk, field: Element, option: str, before: tuple[Element, ...]
) -> Match | None:
    """The option in plain view in a list that came up at a field, whatever it is made of."""
    listed = came_up_at(desk, field, before)
    return resolve(desk, look_for(desk, wished(option), listed)) if listed else None


def came_up_at(desk: Desk, field: Element, before: tuple[Element, ...]) -> list[Element]:
    """What is written in a box that was not there, right under a field or over it, and as wide."""
    new = new_items(desk.seen.elements, before, field)
    boxes = [e for e in new if kind_of(e) is not Kind.TEXT and _is_along(e, field)]
    if not boxes:
        return []
    tree = Lineage(desk.seen.elements)
    inside = {key for e in boxes for key in tree.inside(e)}
    return [e for e in new if e.id in inside and (e.name or e.value or e.text)]


def choose_from_suggestions(desk: Desk, field: Element, option: str) -> Turns[None]:
    """Type, and take the suggestion that comes up."""
    if is_at_edge(desk, field):
        field = (yield from make_room(desk, field)) or field
    assert field.box is not None
    desk.worked = field.box
    at = field.box.center
    text = wished(option).description.name or option
    before, match = _before(desk, field), None
    if kind_of(field) is Kind.COMBO and "has popup" in field.states:
        if "expanded" not in field.states:
            yield from desk.do(Click(at.x, at.y), why=f"open {named(field)}", commits=False)
        match = yield from opened(desk, field, option, before)
        if match is not None and not within(match.element.box, field.box):
            yield from _take(desk, match)
            yield from _check_taken(desk, field, text, match)
            return
    else:
        yield from desk.do(Click(at.x, at.y), why="whether it lists what to take", commits=False)
        if (match := (yield from _in_plain_view(desk, field, option, before))) is not None:
            yield from _take(desk, match)
            yield from _check_taken(desk, field, text, match)
            return
    # Among tags that were taken before, "select all" would select these.
    over = (Key(("ctrl", "a")),) if field.value is None or field_value(field) else ()
    # A second click on a field may close its list.
    again = () if came_up_at(desk, field, before) else (Click(at.x, at.y),)
    strokes = (*again, *over, typed(text))
    yield from desk.do(*strokes, why=f"type into {named(field)} for its suggestions")
    match = yield from opened(desk, field, option, before)
    if match is not None and not within(match.element.box, field.box):
        yield from _take(desk, match)
    else:
        yield from _check_typed(desk, field, text, before)
    yield from _check_taken(desk, field, text, match)


def _in_plain_view(
    desk: Desk, field: Element, option: str, before: tuple[Element, ...]
) -> Turns[Match | None]:
    """The option in the list that a click on the field brought up, where it is at rest."""
    for pause in (0.15, 0.3):
        match, listed = listed_under(desk, field, option, before), came_up_at(desk, field, before)
        if match is not None or not listed:
            return match
        yield from desk.again(pause, why="the list may not be whole yet")
    return listed_under(desk, field, option, before)


def _check_typed(desk: Desk, field: Element, text: str, before: tuple[Element, ...]) -> Turns[None]:
    """Nothing was there to be taken: what was typed may do, where it stands in the field.

    Raises:
        Missed: It does not.
    """
    now = field_at(desk, field)
    held = field_value(now) if now is not None else ""
    if text.casefold() not in held.casefold():
        if came_up_at(desk, field, before):
            yield from desk.do(Key(("escape",)), why="close the list again", commits=False)
        raise Missed(f"no suggestion of {named(field)} for {text!r} was there to be taken")
    desk.doubt(f"no suggestion of {named(field)} was there to be taken")


def _take(desk: Desk, match: Match) -> Turns[None]:
    here = match.point
    yield from desk.do(Click(here.x, here.y), why=f"take {named(match.element)}", last=True)


def _check_taken(desk: Desk, field: Element, text: str, match: Match | None) -> Turns[None]:
    """See that a field holds what was chosen, or has it beside it.

    Raises:
        Missed: It holds something else.
    """
    now = field_at(desk, field)
    held = field_value(now) if now is not None else ""
    if now is None or now.value is None or text.casefold() in held.casefold():
        return
    for pause in (0.0, 0.3):
        if pause:
            yield from desk.again(pause, why=f"whether {text} stands beside it")
        if _stands_beside(desk, now, text):
            return
    if match is None or held:
        raise Missed(f"{named(field)} holds {held!r} after {text!r} was chosen")
    desk.doubt(f"{named(field)} does not tell whether {text!r} was taken")
