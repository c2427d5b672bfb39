"""From a phrase to the one thing on the screen that is meant, or an account of why not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from carrel.actions import Key
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.claims.recalled import recalled
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.answers import (
    answer_meant,
    field_partly_called,
    file_name_meant,
    search_meant,
)
from carrel.models.steps.finding.bar_entries import only_in_bar
from carrel.models.steps.finding.by_topic import called_behind_noun, topic_meant
from carrel.models.steps.finding.enclosed import enclosed
from carrel.models.steps.finding.extents import extent_of
from carrel.models.steps.finding.meeting_places import slot_cell
from carrel.models.steps.finding.named_in_cards import named_in_card
from carrel.models.steps.finding.narrowed import narrowing_words
from carrel.models.steps.finding.nearest_names import nobody_called
from carrel.models.steps.finding.partly_named import partly_named
from carrel.models.steps.finding.results import is_result, numbered_result
from carrel.models.steps.finding.row_signs import sign_at_end_of_row
from carrel.models.steps.finding.signs_at_headings import sign_at_heading
from carrel.models.steps.finding.signs_in_rows import sign_in_row
from carrel.models.steps.finding.tab_signs import cross_on_tab
from carrel.models.steps.finding.wishes import (
    Wish,
    all_fitting,
    is_there,
    look_for,
    resolve,
    wished,
)
from carrel.models.steps.layout.accordions import accordion_heads, head_meant
from carrel.models.steps.layout.bars import is_side_bar
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.modals import dialogs_shown, list_over, modal_over
from carrel.models.steps.phrases.owners import is_person, owner_of
from carrel.models.steps.phrases.place_words import placed_in, read_place
from carrel.models.steps.reaching.counted import counted_on_page
from carrel.models.steps.reaching.in_panes import in_pane
from carrel.models.steps.reaching.reveal import out_of_sight
from carrel.models.steps.reaching.search import of_front, search
from carrel.models.steps.shown.captions import value_beside
from carrel.models.steps.shown.day_cells import day_cell
from carrel.models.steps.shown.front import is_panel, open_windows
from carrel.models.steps.shown.laid_out import held_with
from carrel.models.steps.shown.panes import scroll_along
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.colours import crop, is_plain
from carrel.perception.description import Want
from carrel.perception.find import Found, Match
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, is_disabled, kind_of

__all__ = ["close_list", "ground", "is_place"]

STILL_LOOKS = 10
_PRONOUN = re.compile(r"it|this|that|there|this one|that one|它|这里|那里", re.IGNORECASE)
_PLACE = re.compile(r"\(?\s*(\d{1,5})\s*[,，]\s*(\d{1,5})\s*\)?")
PANE = 40
"""Pixels that something has to be wide and high to have other things move about in it."""
LEGIBLE = 5
"""Pixels: lower letters than that cannot be read."""
LIST = 48
"""Pixels from a drop-down to its list."""
COVER = 16
"""Pixels around the place of a thing in which what covers it has an edge."""
SAME = 3
"""Pixels that a thing may move and still be at the same place."""


def ground(
    desk: Desk,
    phrase: str,
    kinds: Iterable[Kind] = (),
    *,
    inside: Box | None = None,
    reveal: bool = True,
    loose: bool = False,
    want: Want = "act",
) -> Turns[Match]:
    """The one thing that is meant, at rest and in sight; with `loose` of another kind at a pinch.

    Raises:
        Missed: There is none, or more than one; the account says which come near.
    """
    place = _PLACE.fullmatch(phrase.strip())
    if place is not None:
        at = Point(int(place[1]), int(place[2]))
        return (yield from _about(desk, at)) or _at_place(desk, at)
    if _PRONOUN.fullmatch(phrase.strip()) and (same := _worked_on(desk)) is not None:
        return same
    if is_result(phrase):
        return (yield from numbered_result(desk, phrase))
    if inside is None and (part := _in_bar(desk, phrase) or in_pane(desk, phrase)) is not None:
        phrase, inside = part
    wish = wished(phrase, kinds, inside)
    desk.tried.clear()
    match = yield from _at_hand(desk, wish, want, loose=loose, reveal=reveal)
    if match is None:
        wish, match = _called_otherwise(desk, wish, kinds, want)
    if match is None and (was := _covered(desk, phrase)) is not None:
        return was
    match = match or _filled(desk, phrase, want)
    new = match is None
    if match is None and want in ("act", "type") and (yield from close_list(desk)):
        match = resolve(desk, look_for(desk, wish, want=want))
    if match is None:
        match = yield from search(desk, wish, want, reveal=reveal)
    if match is None:
        # A dialog may have come up meanwhile.
        wish, match = _called_otherwise(desk, wish, kinds, want)
    if match is None:
        nobody = nobody_called(desk.elements, phrase)
        raise Missed(nobody or _account(desk, _told_of(desk, phrase, wish, want)))
    yield from _refuse_panel(desk, wish, match)
    return (yield from _at_rest(desk, wish, want, match, reveal=reveal, new=new))


def _at_rest(
    desk: Desk, wish: Wish, want: Want, match: Match, *, reveal: bool, new: bool
) -> Turns[Match]:
    """What was found, when it has stopped moving and nothing keeps it from being used.

    Raises:
        Missed: Something does.
    """
    if reveal and (counted := (yield from counted_on_page(desk, wish, match))) is not None:
        return (yield from _in_reach(desk, wish, want, counted))
    desk.by_pixels = match.element.source in ("ocr", "detector")
    match = _told_by(desk, match) if want == "act" else match
    if reveal and _is_cut_off(desk, match.element):
        yield from desk.again(0, why="a part of it is beyond an edge", hidden=True)
        yield from scroll_along(desk, match.element)
        match = resolve(desk, look_for(desk, wish, want=want)) or match
    match = yield from _steady(desk, wish, want, match, new=new)
    match = _of_own_card(desk, wish.phrase, match) if want == "act" else match
    if want in ("act", "type") and _is_off_page(desk, match):
        raise Missed(f"{match} is beyond the edge of the page, and could not be brought into it")
    return (yield from _in_reach(desk, wish, want, match))


def _of_own_card(desk: Desk, phrase: str, match: Match) -> Match:
    """Of several alike the one in the card of the thing that it is told to be of.

    `the ⋯ menu of "Jazz"`: in a row of cards that of the card before may be nearer to its name.
    """
    said = re.search(r"\s(?:of|for|on|in)\s+(?P<thing>\S.*)$", phrase.strip())
    one = match.element
    like = [e for e in desk.elements if (e.role, written_on(e)) == (one.role, written_on(one))]
    like = [e for e in like if e.box is not None and written_on(e).strip()]
    if said is None or len(like) < 2:
        return match
    thing = resolve(desk, look_for(desk, wished(said["thing"]), want="read"))
    own = held_with(desk, thing.element.box, like) if thing is not None else None
    if own is None or own.box is None or own.id == one.id:
        return match
    return replace(match, element=own, point=own.box.center)


def _refuse_panel(desk: Desk, wish: Wish, match: Match) -> Turns[None]:
    """Words that name nothing never mean what a desktop writes on its own panel: the time, tasks.

    Raises:
        Missed: It is there.
    """
    drawn = match.element.source in ("ocr", "detector")
    if not drawn or wish.description.name or wish.inside is not None:
        return
    listed = yield from open_windows(desk)
    if any(is_panel(window, desk.size) and window.box.contains(match.point) for window in listed):
        raise Missed(f"{match} is on the panel of the desktop, and no more fits {wish.phrase}")


def _called_otherwise(
    desk: Desk, wish: Wish, kinds: Iterable[Kind], want: Want
) -> tuple[Wish, Match | None]:
    """What is meant by words that are not its own, and the wish that it fulfils."""
    owner, match = owner_of(wish.phrase), None
    if owner is not None and "new" not in (words := narrowing_words(wish.phrase, owner)) and words:
        shown = all_fitting(desk, wish.phrase)
        if len(shown) == 1 and shown[0].box is not None:
            match = Match(shown[0], 1.0, shown[0].box.center, f"it shows {' and '.join(words)}")
    elif owner is not None:
        # It has no name of its own: the entry that says whose it is; any of a person's is theirs.
        first = "the first " if is_person(wish.phrase) else ""
        wish = wished(f'{first}"{owner}"', (), wish.inside)
        match = resolve(desk, look_for(desk, wish, want="read"))
    match = match or _enclosed(desk, wish, kinds, want)
    if match is None and want in ("act", "hold"):
        match = day_cell(desk, wish.phrase) or slot_cell(desk, wish.phrase)
    if match is None and want == "act":
        match = answer_meant(desk, wish) or cross_on_tab(desk, wish)
        match = match or sign_at_end_of_row(desk, wish.phrase) or sign_in_row(desk, wish.phrase)
        match = match or sign_at_heading(desk, wish.phrase)
        match = match or named_in_card(desk, wish.phrase) or only_in_bar(desk, wish)
        match = match or topic_meant(desk, wish.phrase)
    if match is None and want == "type":
        match = file_name_meant(desk, wish) or search_meant(desk, wish)
        match = match or field_partly_called(desk, wish)
    match = match or partly_named(desk, wish, want) or _beside_quoted(desk, wish, want)
    return wish, match or called_behind_noun(desk, wish, want)


_QUOTED_IN = re.compile(
    r"(?P<what>the \S+(?: \S+)?) (?:in|inside|within|on|at|of|beside|next to) (?:the )?(?:[a-z]+ )?"
    r"(?P<text>[\"“][^\"”]+[\"”])"
)


def _beside_quoted(desk: Desk, wish: Wish, want: Want) -> Match | None:
    """The one that belongs to a quoted text alone, where what holds both has others as well.

    `the cross in the tag "urgent"` is the cross of "urgent".
    """
    said = _QUOTED_IN.fullmatch(wish.phrase.strip())
    if said is None or want != "act":
        return None
    return resolve(desk, look_for(desk, wished(f"{said['what']} of {said['text']}"), want=want))


def _in_bar(desk: Desk, phrase: str) -> tuple[str, Box] | None:
    """`the Bold button in the toolbar`: the thing, and how far a bar without a name reaches."""
    parts = placed_in(phrase)
    if parts is None or read_place(parts[0]).name:
        return None
    aside = is_side_bar(parts[0])
    if not aside and (
        read_place(parts[0]).sort != "bar" or is_there(look_for(desk, wished(phrase)))
    ):
        return None
    try:
        extent = extent_of(desk, parts[0])
    except Missed:
        return None
    return None if extent is None else (parts[1], extent.box)


def _filled(desk: Desk, phrase: str, want: Want) -> Match | None:
    """A field that was known by the hint in it, and was filled since."""
    field = recalled(desk, phrase) if want == "type" else None
    if field is None or field.box is None:
        return None
    return Match(field, 1.0, field.box.center, "the field that was filled by this name")


def _in_sight(desk: Desk, wish: Wish, want: Want, *, loose: bool) -> Match | None:
    """What is meant, where it is there to be seen."""
    match = resolve(desk, look_for(desk, wish, want=want))
    if match is None and loose and not is_there(look_for(desk, wish, want=want)):
        match = resolve(desk, look_for(desk, wished(wish.phrase, (), wish.inside), want=want))
    return match or head_meant(desk.elements, wish.phrase)


def _at_hand(
    desk: Desk, wish: Wish, want: Want, *, loose: bool, reveal: bool
) -> Turns[Match | None]:
    """What is meant, where it is to be seen and no window lies over it."""
    match = _in_sight(desk, wish, want, loose=loose)
    if match is not None and want in ("act", "type"):
        match = yield from of_front(desk, wish, want, match)
    if match is not None and reveal:
        match = yield from _real_tab(desk, wish, match)
    return match


def _enclosed(desk: Desk, wish: Wish, kinds: Iterable[Kind], want: Want) -> Match | None:
    """What is in a part with a caption, where nothing fits all that was said."""
    several = is_there(look_for(desk, wish, want=want))
    return None if several else enclosed(desk, wish, kinds=kinds, want=want)


def _real_tab(desk: Desk, wish: Wish, match: Match) -> Turns[Match]:
    """For the heading of an accordion, the tab of that name further down, where there is one."""
    if wish.description.kinds != (Kind.TAB,):
        return match
    if match.element not in accordion_heads(desk.elements):
        return match
    return (yield from out_of_sight(desk, wish)) or match


def _in_reach(desk: Desk, wish: Wish, want: Want, match: Match) -> Turns[Match]:
    """See that no dialog keeps it from being used; one that was answered may take a moment to go.

    Raises:
        Missed: One does.
    """
    if want in ("act", "type") and list_over(desk.elements, match.element, match.point):
        yield from desk.do(Key(("escape",)), why="a list of what to fill in lies over it")
    over = modal_over(desk.elements, match.element) if want in ("act", "type") else None
    for pause in (0.3, 0.7):
        if over is None:
            return match
        yield from desk.again(pause, why="a dialog is in front of it")
        match = resolve(desk, look_for(desk, wish, want=want)) or match
        over = modal_over(desk.elements, match.element)
    if over is not None:
        raise Missed(f"{match} is behind the dialog “{written_on(over) or over.role}”")
    return match


def is_place(phrase: str) -> bool:
    """Whether it names a point of the screen, and no thing."""
    return _PLACE.fullmatch(phrase.strip()) is not None


def _told_by(desk: Desk, match: Match) -> Match:
    """Of a label that tells of a link beside it (`Phone: 555-12`), the link."""
    label = match.element
    if kind_of(label) is not Kind.TEXT or not written_on(label).rstrip().endswith((":", "：")):
        return match
    value = value_beside(desk.elements, label)
    if value is None or value.box is None or kind_of(value) not in (Kind.LINK, Kind.BUTTON):
        return match
    return replace(match, element=value, point=value.box.center, why=f"beside {match.why}")


def _is_cut_off(desk: Desk, element: Element) -> bool:
    """Whether its middle is beyond the edge of something it is in, that shows only a part of it."""
    above, box = {e.id: e for e in desk.elements}, element.box
    at = above.get(element.parent or "")
    while at is not None and box is not None:
        outer = at.box
        if outer is not None and min(outer.width, outer.height) >= PANE:
            beyond = not outer.y <= box.center.y < outer.bottom
            if beyond and (at.role == "document web" or outer.intersect(box) is not None):
                return True
        if at.role == "document web":
            return False
        at = above.get(at.parent or "")
    return False


def close_list(desk: Desk) -> Turns[bool]:
    """Close the list of a drop-down that is still open, and may lie over other things."""
    lists = [e for e in desk.elements if e.role == "list box"]
    still = [e for e in desk.elements if kind_of(e) is Kind.COMBO and "expanded" in e.states]
    used = [
        (combo, listed)
        for combo in still
        for listed in lists
        if _is_list_of(combo, listed) and _has_keyboard(desk, combo, listed)
    ]
    if not used:
        return False
    yield from desk.do(Key(("escape",)), why="a list is still open over the rest", commits=False)
    return True


def _has_keyboard(desk: Desk, combo: Element, listed: Element) -> bool:
    """Whether keys go to a drop-down, to a field in it, or to an entry of its list.

    A list that only marks the entry keys are about has no part that says it has the keyboard.
    """
    tree = lineage_of(desk.elements)
    inside = tree.inside(listed) | tree.inside(combo)
    focused = [e for e in desk.elements if "focused" in e.states and kind_of(e) in CONTROLS]
    return not focused or any(e.id in inside for e in focused)


def _is_list_of(combo: Element, listed: Element) -> bool:
    """Whether a list is that of a drop-down: called like it, or right under it or over it."""
    if combo.name and combo.name == listed.name:
        return True
    own, box = combo.box, listed.box
    if own is None or box is None or min(own.right, box.right) <= max(own.x, box.x):
        return False
    return max(box.y - own.bottom, own.y - box.bottom) in range(-SAME, LIST)


def _is_off_page(desk: Desk, match: Match) -> bool:
    """Whether a click on it would hit something else than the page that it is in."""
    above = {e.id: e for e in desk.elements}
    at = above.get(match.element.parent or "")
    while at is not None and at.role != "document web":
        at = above.get(at.parent or "")
    return at is not None and at.box is not None and not at.box.contains(match.point)


def _covered(desk: Desk, phrase: str) -> Match | None:
    """Where a thing was when the repetition over it began, if something lies on it now."""
    at, view = desk.listed.get(phrase.strip()), desk.seen.view
    if at is None or view is None:
        return None
    around = Box(max(0, at.x - COVER), max(0, at.y - COVER), 2 * COVER, 2 * COVER)
    return None if is_plain(crop(view.pixels, around)) else _at_place(desk, at)


def _worked_on(desk: Desk) -> Match | None:
    """What the step before worked on, where it is still there."""
    here = [e for e in desk.elements if e.box is not None and e.box == desk.worked]
    controls = [e for e in here if kind_of(e) in CONTROLS] or here
    if not controls or desk.worked is None:
        return None
    return Match(controls[0], 1.0, desk.worked.center, "what the step before was about")


def _about(desk: Desk, at: Point) -> Turns[Match | None]:
    """What a round is about, where the point stands for it: it may have moved since."""
    if desk.about is None or desk.about.at != at:
        return None
    about, desk.about = desk.about, None
    try:
        element = yield from about.found()
    finally:
        desk.about = about
    if element is None or element.box is None:
        return None
    return Match(element, 1.0, element.box.center, "what the round is about")


def _at_place(desk: Desk, at: Point) -> Match:
    """What is at a point that was named in pixels."""
    if at.x >= desk.size.width or at.y >= desk.size.height:
        raise Missed(f"the point {at.x},{at.y} is not on the screen of {desk.size}")
    here = [e for e in desk.elements if e.box is not None and e.box.contains(at)]
    controls = [e for e in here if kind_of(e) in CONTROLS] or here
    spot = Element("point", "unknown", box=Box(at.x, at.y, 1, 1))
    element = min(controls, key=lambda e: e.box.area if e.box else 0, default=spot)
    return Match(element, 1.0, at, "at the point that was named")


def _steady(desk: Desk, wish: Wish, want: Want, match: Match, *, new: bool) -> Turns[Match]:
    """Wait until it has stopped moving, and can be used; what just came may still be moving."""
    moving = new or not desk.settled or _is_growing(match.element)
    moving = _is_in_new_dialog(desk, match.element) or moving
    for looks in range(STILL_LOOKS):
        before = match.element
        # What is only looked at need not be in use.
        waits = is_disabled(before) and want not in ("read", "hold")
        if not moving and not waits:
            break
        why = "it is not in use yet" if waits else "it may still move"
        yield from desk.again(0.1 if moving else 0.15 * (looks + 1), why=why)
        match = resolve(desk, look_for(desk, wish, want=want)) or match
        moving = not _same_place(before.box, match.element.box) or _is_growing(match.element)
    return match


def _is_in_new_dialog(desk: Desk, element: Element) -> bool:
    """Whether it is in a dialog of a page that nothing was looked for in yet: these slide in."""
    tree = lineage_of(desk.elements)
    if web_page(desk.elements) is None:
        return False
    shown = {(e.role, e.name): e for e in dialogs_shown(desk.elements)}
    own = {key for key, dialog in shown.items() if element.id in tree.inside(dialog)}
    new = bool(own - desk.rested)
    desk.rested = (desk.rested & shown.keys()) | own
    return new


def _is_growing(element: Element) -> bool:
    """Whether words are so small that nobody could read them: they are on their way."""
    box = element.box
    return box is not None and kind_of(element) is Kind.TEXT and 0 < box.height < LEGIBLE


def _same_place(one: Box | None, other: Box | None) -> bool:
    if one is None or other is None:
        return one is other
    moved = max(abs(one.x - other.x), abs(one.y - other.y))
    return max(moved, abs(one.width - other.width), abs(one.height - other.height)) <= SAME


def _told_of(desk: Desk, phrase: str, wish: Wish, want: Want) -> Found:
    """What the search came to; of several that fit the very words, those."""
    plain = look_for(desk, wished(phrase), want=want)
    return plain if is_there(plain) else look_for(desk, wish, want=want)


def _account(desk: Desk, found: Found) -> str:
    unread = [f"left out {told}" for told in desk.seen.left_out]
    tried = "; ".join(dict.fromkeys([*desk.tried, *unread]))
    return f"{found.account()}; {tried}" if tried else found.account()
