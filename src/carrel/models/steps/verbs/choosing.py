"""Choosing options: of drop-downs, lists, menus, radio buttons, tabs and suggestions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from carrel.actions import Action, Click, Key, Move, Type
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.ground import ground
from carrel.models.steps.later import same_as
from carrel.models.steps.panes import bring_into_view
from carrel.models.steps.program import Choose
from carrel.models.steps.reading import chosen_of, field_value, fold, options_of
from carrel.models.steps.splitting import split_as_seen
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import field_at, typed
from carrel.models.steps.verbs.made_up import choose_from_made_up, made_up_dropdown
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.ticking import bring_to, is_on
from carrel.models.steps.wishes import Wish, is_there, look_for, resolve, wished
from carrel.perception.roles import TICKED, Kind, is_disabled, is_field, kind_of

if TYPE_CHECKING:
    from carrel.perception.describe import Description
    from carrel.perception.find import Match

__all__ = ["choose", "choose_from_combo"]

OPTION = (Kind.OPTION,)
SOURCE = (Kind.COMBO, Kind.LIST)
EDGE = 6
"""Pixels by which a submenu may overlap the item it belongs to."""
_ITEMS = (Kind.OPTION, Kind.MENU_ITEM, Kind.TREE_ITEM, Kind.CELL, Kind.ROW)


def choose(desk: Desk, step: Choose) -> Turns[str | None]:
    """Choose one or more options."""
    if step.path:
        yield from _follow(desk, step.options)
        return None
    step = _as_listed(desk, step)
    if step.source is None or _are_options(step.source):
        for number, option in enumerate(step.options):
            yield from _choose_anywhere(desk, option, more=number > 0)
        return None
    made_up = made_up_dropdown(desk, step.source)
    if made_up is not None and len(step.options) == 1:
        yield from choose_from_made_up(desk, made_up, step.options[0])
        return None
    source = yield from _source(desk, step.source)
    if len(step.options) > 1 and step.said and kind_of(source) is Kind.MENU and source.box:
        step = yield from _as_in_menu(desk, source.box, step)
    for number, option in enumerate(step.options):
        yield from _choose_from(desk, source, option, more=number > 0)
    return None


def _as_in_menu(desk: Desk, menu: Box, step: Choose) -> Turns[Choose]:
    """The options split as a closed menu has them: only an open one can tell."""
    at = menu.center
    yield from desk.do(Click(at.x, at.y), why=f"whether it has {step.said}", commits=False)
    whole = look_for(desk, wished(step.said, (Kind.MENU_ITEM,)))
    yield from desk.do(Key(("escape",)), why="close it again", commits=False)
    return replace(step, options=(step.said,)) if is_there(whole) else step


def _are_options(phrase: str) -> bool:
    """Whether it only says that they are options: `from the suggestions`."""
    description = wished(phrase).description
    return description.kinds == OPTION and not (description.name or description.relations)


def _as_listed(desk: Desk, step: Choose) -> Choose:
    """The options split as the screen has them: an "and" may belong to a name."""
    split = split_as_seen(desk, step.said, step.options, OPTION)
    return replace(step, options=split)


def _source(desk: Desk, phrase: str) -> Turns[Element]:
    """What the options belong to."""
    match = resolve(desk, look_for(desk, wished(phrase, SOURCE)))
    if match is None:
        match = resolve(desk, look_for(desk, _as_drop_down(wished(phrase))))
    if match is None:
        match = yield from ground(desk, phrase)
    if is_disabled(match.element):
        raise Missed(f"{named(match.element)} is there, but disabled")
    desk.worked = match.element.box
    return match.element


def _as_drop_down(wish: Wish) -> Wish:
    """What options are chosen from is called a list, though it be closed."""

    def dropped(one: Description) -> Description:
        return replace(one, kinds=(Kind.COMBO,)) if one.kinds == (Kind.LIST,) else one

    readings = tuple(map(dropped, wish.description.readings))
    return replace(wish, description=replace(dropped(wish.description), readings=readings))


def _choose_from(desk: Desk, source: Element, option: str, *, more: bool) -> Turns[None]:
    kind = kind_of(source)
    if is_field(source):
        yield from _from_suggestions(desk, source, option)
    elif kind is Kind.COMBO or "has popup" in source.states:
        yield from choose_from_combo(desk, source, option)
    elif kind is Kind.LIST:
        yield from _from_list(desk, source, option, more=more)
    elif kind is Kind.MENU:
        yield from _follow(desk, (source.name, option))
    else:
        yield from _choose_anywhere(desk, option, more=more, near=source)


# Anywhere


def _choose_anywhere(
    desk: Desk, option: str, *, more: bool, near: Element | None = None
) -> Turns[None]:
    """An option of which it is not said where."""
    wish = wished(option, OPTION)
    if near is not None and near.box is not None:
        inner = Wish(wish.phrase, wish.description, near.box)
        match = resolve(desk, look_for(desk, inner)) or resolve(desk, look_for(desk, wish))
    else:
        match = resolve(desk, look_for(desk, wish))
    if match is None and not is_there(look_for(desk, wish)):
        combo = yield from _combo_with(desk, wish)
        if combo is not None:
            yield from choose_from_combo(desk, combo, option)
            return
    if match is None:
        match = yield from ground(desk, option, OPTION, loose=True)
    yield from _take(desk, match, more=more)


def _combo_with(desk: Desk, wish: Wish) -> Turns[Element | None]:
    """The closed drop-down that has such an option."""
    if not any(kind_of(e) is Kind.COMBO for e in desk.elements):
        return None
    yield from desk.again(0, why=f"which drop-down has {wish.phrase}", hidden=True)
    having = []
    for combo in (e for e in desk.unseen if kind_of(e) is Kind.COMBO):
        match = look_for(desk, wish, options_of(combo, desk.unseen)).best
        if match is not None:
            having.append(same_as(desk.elements, combo) or combo)
    return having[0] if len(having) == 1 else None


def _take(desk: Desk, match: Match, *, more: bool) -> Turns[None]:
    """Take the option that was found, as its kind wants it."""
    element = match.element
    kind = kind_of(element)
    if kind in TICKED:
        yield from bring_to(desk, element, True, match.why)
        return
    holder = _list_of(desk.elements, element)
    if holder is not None:
        yield from _click_option(desk, element, more=more and _takes_many(holder))
        return
    desk.worked = element.box
    yield from desk.do(
        Click(match.point.x, match.point.y), why=f"{named(element)}, {match.why}", last=True
    )
    if not is_on(element):
        yield from desk.effect()


def _list_of(elements: Iterable[Element], element: Element) -> Element | None:
    by_id = {e.id: e for e in elements}
    at = by_id.get(element.parent or "")
    while at is not None and kind_of(at) is not Kind.LIST:
        at = by_id.get(at.parent or "")
    return at


def _takes_many(element: Element) -> bool:
    return "multiselectable" in element.states


# Lists


def _from_list(desk: Desk, source: Element, option: str, *, more: bool) -> Turns[None]:
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
    yield from _click_option(desk, match.element, more=more and _takes_many(source))


def _click_option(desk: Desk, element: Element, *, more: bool) -> Turns[None]:
    """Click an option of a list, adding to what is chosen already with `more`."""
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


# Drop-downs


def choose_from_combo(desk: Desk, combo: Element, option: str) -> Turns[None]:
    """Open a drop-down, choose, and read back what it shows.

    Raises:
        Missed: It has no such option, or shows another one afterwards.
    """
    if is_field(combo):
        yield from _from_suggestions(desk, combo, option)
        return
    assert combo.box is not None
    desk.worked = combo.box
    before = desk.elements
    if "expanded" not in combo.states:
        at = combo.box.center
        yield from desk.do(Click(at.x, at.y), why=f"open {named(combo)}", commits=False)
    match = yield from _opened(desk, combo, option, before)
    if match is None:
        taken = yield from _type_ahead(desk, combo, option)
    else:
        here, taken = match.point, match.element.name or match.element.text
        why = f"{named(match.element)}, {match.why}"
        yield from desk.do(Click(here.x, here.y), why=why, last=True)
    yield from _check_combo(desk, combo, taken or option)


def _opened(
    desk: Desk, combo: Element, option: str, before: tuple[Element, ...]
) -> Turns[Match | None]:
    """The option in the list that came up."""
    wish = wished(option, OPTION)
    for pause in (0.0, 0.2, 0.5):
        if pause:
            yield from desk.again(pause, why="the list may take a moment to open")
        own = options_of(same_as(desk.elements, combo) or combo, desk.elements)
        new = _new_items(desk.elements, before, combo)
        # Its own first: what it covers on opening looks new, too.
        match = resolve(desk, look_for(desk, wish, own)) if own else None
        if match is None and new:
            match = resolve(desk, look_for(desk, wish, new))
        if match is None and new:
            # What came up need not say that it is an option.
            match = resolve(desk, look_for(desk, wished(option), new))
        if match is not None and _on_screen(desk, match.point):
            return match
    return None


def _on_screen(desk: Desk, at: Point) -> bool:
    return 0 <= at.x < desk.size.width and 0 <= at.y < desk.size.height


def _new_items(
    now: tuple[Element, ...], before: tuple[Element, ...], combo: Element
) -> list[Element]:
    """What was not there, or not there before; and the options of the drop-down itself."""
    known = {(e.role, e.name, e.box) for e in before}
    own = {e.id for e in options_of(combo, now)}
    return [
        e
        for e in now
        if (e.id in own or (e.role, e.name, e.box) not in known) and e.box is not None
        if not (is_field(combo) and within(e.box, combo.box))
    ]


def _type_ahead(desk: Desk, combo: Element, option: str) -> Turns[str]:
    """A long list: the keyboard finds what is not in sight; what it is called there."""
    yield from desk.again(0, why=f"all options of {named(combo)}", hidden=True)
    now = same_as(desk.unseen, combo) or combo
    options = options_of(now, desk.unseen)
    match = resolve(desk, look_for(desk, wished(option, OPTION), options)) if options else None
    if match is None:
        yield from desk.do(Key(("escape",)), why="close the list again", commits=False)
        listed = ", ".join(e.name for e in options[:12]) or "none that can be read"
        raise Missed(f"{named(combo)} has no option {option!r}; it has: {listed}")
    keys: tuple[Action, ...] = (Type(match.element.name), Key(("enter",)))
    yield from desk.do(*keys, why=f"{match.element.name} is further down the list", last=True)
    return match.element.name


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
    if chosen and wanted not in fold(chosen).split(", "):
        raise Missed(f"{named(combo)} shows {chosen!r} after {taken!r} was chosen")
    if not chosen:
        desk.doubt(f"{named(combo)} does not tell whether {taken!r} is chosen")


def _written_in(desk: Desk, combo: Element) -> Iterable[str]:
    """What can be read on a drop-down that is made of other things."""
    inner = (e for e in desk.elements if e.id != combo.id and within(e.box, combo.box))
    return (e.name or e.value or e.text for e in inner)


def _in_place(elements: Iterable[Element], before: Element) -> Element | None:
    """What begins where something did: some are called by what is chosen of them, and so long."""
    at = before.box
    here = [e for e in elements if e.role == before.role and e.box is not None and at is not None]
    return next(
        (e for e in here if e.box and at and max(abs(e.box.x - at.x), abs(e.box.y - at.y)) <= EDGE),
        None,
    )


# Suggestions


def _from_suggestions(desk: Desk, field: Element, option: str) -> Turns[None]:
    """Type, and take the suggestion that comes up."""
    assert field.box is not None
    desk.worked = field.box
    at = field.box.center
    text = wished(option).description.name or option
    before = desk.elements
    strokes = (Click(at.x, at.y), Key(("ctrl", "a")), typed(text))
    yield from desk.do(*strokes, why=f"type into {named(field)} for its suggestions")
    match = yield from _opened(desk, field, option, before)
    if match is not None and not within(match.element.box, field.box):
        here = match.point
        yield from desk.do(Click(here.x, here.y), why=f"take {named(match.element)}", last=True)
    else:
        desk.doubt(f"no suggestion of {named(field)} was there to be taken")
    now = field_at(desk, field)
    held = field_value(now) if now is not None else ""
    if now is not None and now.value is not None and text.casefold() not in held.casefold():
        raise Missed(f"{named(field)} holds {held!r} after {text!r} was chosen")


# Menus


def _follow(desk: Desk, path: tuple[str, ...]) -> Turns[None]:
    """Through menus, by pointing at each of a path and clicking the last."""
    last: Box | None = None
    for number, item in enumerate(path):
        kinds = (Kind.MENU,) if number == 0 else (Kind.MENU_ITEM,)
        match = yield from ground(desk, item, kinds, reveal=number == 0, loose=True)
        at = match.point
        final = number == len(path) - 1
        pointed = number > 0 or _opens_by_pointing(match.element)
        way = _way(last, match.element.box, at)
        if not pointed or final:
            way = (*way, Click(at.x, at.y))
        before = desk.elements
        yield from desk.do(
            *way, why=f"{named(match.element)} of the menu", last=final, commits=final
        )
        if not final and pointed and not _new_items(desk.elements, before, match.element):
            yield from _open_submenu(desk, match.element, before)
        last = match.element.box
    yield from desk.effect()


def _opens_by_pointing(element: Element) -> bool:
    """Whether it is an item of a menu that is open already, with a submenu of its own."""
    return kind_of(element) is Kind.MENU_ITEM and "has popup" in element.states


def _way(start: Box | None, item: Box | None, to: Point) -> tuple[Action, ...]:
    """Down from a bar, across into what opened beside: meeting another item closes a menu."""
    if start is None or item is None or start.center.x == to.x:
        return (Move(to.x, to.y),)
    beside = item.x >= start.right - EDGE or item.right <= start.x + EDGE
    corner = Move(to.x, start.center.y) if beside else Move(start.center.x, to.y)
    return (corner, Move(to.x, to.y))


def _open_submenu(desk: Desk, item: Element, before: tuple[Element, ...]) -> Turns[None]:
    yield from desk.again(0.4, why="a submenu may take a moment to open")
    if not _new_items(desk.elements, before, item):
        assert item.box is not None
        at = item.box.center
        yield from desk.do(Click(at.x, at.y), why=f"open {named(item)} by a click", commits=False)
