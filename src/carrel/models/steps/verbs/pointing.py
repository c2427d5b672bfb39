"""Pointing and pressing: clicks of every kind, and keys."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Action, Button, Click, Key, Move
from carrel.errors import InvalidInput
from carrel.frames import Element
from carrel.geometry import Point as Place
from carrel.models.steps.claims.sheets import go_to_cell, meant_cell, sheet_there
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.signs_at_headings import sign_at_heading
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.program import Point, Press
from carrel.models.steps.reaching.blanks import blank_spot, is_blank
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.spots import is_spot, mark, spot_of
from carrel.models.steps.shown.pagers import page_control, page_meant
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.shown.reading import fold
from carrel.models.steps.shown.tick_boxes import box_called
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.answering import dialog_answered, held_in, see_it_go
from carrel.models.steps.verbs.steppers import step_number
from carrel.perception.find import Match
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = ["in_turn", "named", "point", "press", "read_chord", "repeated"]

MOST_MOVES, STILL = 60, 20
"""How often a moving thing is followed; and how many looks it may rest until it is over."""
MOST_REPEATS = 100
"""Of a key in one action."""
_COUNTS = {"click": 1, "double": 2, "triple": 3, "right": 1, "middle": 1}
MOST_TIMES, AT_ONCE = 1000, 50
"""How often a click or a key may be asked for; and how many of them go without a look."""
AFTER, RESTS = 0.25, 10
"""Seconds to look at what one of several clicks leads to; and looks at what moves."""
OTHERS = 2
"""Things that go and come when a click shows another page, and not only another number."""
_SILENT = frozenset({("ctrl", "c"), ("ctrl", "insert"), ("ctrl", "shift", "c")})
"""Keys of which nothing is to be seen: they copy."""


AWAY, NUDGE = 14, 4
"""Pixels beside a thing from where the pointer comes, and that it moves on it."""


def point(desk: Desk, step: Point) -> Turns[str | None]:
    """Click something, or hover over it."""
    if (yield from _at_no_thing(desk, step)):
        return None
    match = yield from _page_turner(desk, step.what)
    match = match or (yield from ground(desk, _whole_name(desk, step)))
    if kind_of(match.element) is Kind.PAGE and page_meant(step.what):
        raise Missed(f"nothing turns to {step.what}")
    match = _box_or_words(desk, step, match)
    if is_disabled(match.element):
        raise Missed(f"{named(match.element)} is there, but disabled")
    desk.worked = match.element.box
    told = f"{step.how} {named(match.element)}, {match.why}"
    once = step.how == "click" and step.times <= 1 and not step.held and not step.stay
    dialog = dialog_answered(desk, match.element) if once else None
    shown = held_in(desk, dialog) if dialog is not None else frozenset()
    before = desk.seen.view
    if step.how == "hover":
        yield from _come_over(desk, match)
    yield from _so_often(desk, step, match.point, told)
    if step.stay:
        yield from _follow(desk, step, match.point)
    elif step.how != "hover" and not _has_it(match.element, step.how):
        yield from desk.effect()
    if dialog is not None:
        yield from see_it_go(desk, dialog, shown, _clicks(step, match.point)[0], before)
    return None


def _whole_name(desk: Desk, step: Point) -> str:
    """What is to be clicked, with an end of its name that was taken for what that is good for.

    `press Add to order` is to press the button that is called just so.
    """
    begun, told = f"{fold(step.what)} ", fold(f"{desk.notice} {step.words}")
    shown = [e for e in part_meant(desk.elements, "") if kind_of(e) in (Kind.BUTTON, Kind.LINK)]
    names = {fold(written_on(e)): written_on(e) for e in shown}
    if begun.strip() in names:
        return step.what
    longer = [name for said, name in names.items() if said.startswith(begun) and said in told]
    return f'"{longer[0]}"' if len(longer) == 1 else step.what


def _at_no_thing(desk: Desk, step: Point) -> Turns[bool]:
    """Point where no thing has to be found: at a spot, an empty place, a cell or its stepper."""
    if step.how == "click" and is_spot(step.what):
        at = yield from spot_of(desk, step.what)
        if at is not None:
            yield from mark(desk, at, f"{step.what} is at {at[0]:g},{at[1]:g}")
            yield from desk.effect()
            return True
    if step.how != "hover" and is_blank(step.what):
        at_blank = yield from blank_spot(desk, step.what)
        yield from _so_often(desk, step, at_blank, f"{step.how} where there is nothing")
        yield from desk.effect()
        return True
    yield from sheet_there(desk, step.what)
    if (address := meant_cell(desk, step.what)) is not None and step.how in ("click", "double"):
        yield from go_to_cell(desk, address)
        if step.how == "double":
            yield from desk.do(Key(("f2",)), why=f"edit {address}", last=True)
        return True
    if step.how != "click" or sign_at_heading(desk, step.what) is not None:
        return False
    return (yield from step_number(desk, step.what, step.times))


def _come_over(desk: Desk, match: Match) -> Turns[None]:
    """Bring the pointer from outside of a thing onto it: only one that comes and moves is told.

    A page that was loaded under the pointer has not seen it come.
    """
    box, at = match.element.box, match.point
    if box is None:
        return
    left = max(0, box.x - AWAY)
    inside = Move(max(box.x, at.x - NUDGE), max(box.y, at.y - 1))
    moves = (Move(left, at.y), inside)
    yield from desk.do(*moves, why="come from outside", commits=False)


def _box_or_words(desk: Desk, step: Point, match: Match) -> Match:
    """Of a box to tick and the words beside it the one that is clicked in this way."""
    if step.how in ("double", "triple", "right"):
        return _words_of(desk, step.what, match)
    return _box_of(desk, step.what, match) if step.how == "click" else match


def _words_of(desk: Desk, phrase: str, match: Match) -> Match:
    """Of a box to tick, which nobody means to click twice, the words that it is called by."""
    if kind_of(match.element) not in TICKED or wished(phrase).description.kinds:
        return match
    label = label_of(match.element, desk.elements)
    if label is None or label.box is None:
        return match
    return Match(label, match.confidence, label.box.center, f"the words of {match.why}")


def _box_of(desk: Desk, phrase: str, match: Match) -> Match:
    """Of a mere text beside a box to tick that has no other name, that box."""
    box = box_called(desk.elements, match.element)
    if box is None or box.box is None or wished(phrase).description.kinds:
        return match
    return Match(box, match.confidence, box.box.center, f"beside what is {match.why}")


def _page_turner(desk: Desk, phrase: str) -> Turns[Match | None]:
    """What turns to a page of a long list, where one is meant: `page 2`."""
    number = page_meant(phrase)
    for pause in (0.0, 0.3, 0.6) if number else ():
        if pause:
            yield from desk.again(pause, why=f"{phrase} is not there yet")
        turner = page_control(desk, number)
        if turner is not None and turner.box is not None:
            return Match(turner, 1.0, turner.box.center, "turns to that page")
    if number and (yield from _pager_further_down(desk, number)):
        turner = page_control(desk, number)
        if turner is not None and turner.box is not None:
            return Match(turner, 1.0, turner.box.center, "turns to that page")
    return None


def _pager_further_down(desk: Desk, number: int) -> Turns[bool]:
    """Whether the pager of a long list was beyond the edge, and is in sight now."""
    yield from desk.again(0, why="whether the pages are told further down", hidden=True)
    turner = page_control(desk, number, desk.unseen)
    return turner is not None and (yield from bring_into_view(desk, turner))


def _so_often(desk: Desk, step: Point, at: Place, told: str) -> Turns[None]:
    """Click as often as it is said; where each click leads on, only when what came is at rest.

    Raises:
        Missed: It is gone, or disabled, before the last click.
    """
    clicks = _clicks(step, at)
    if len(clicks) == 1 or step.held or step.stay:
        yield from in_turn(desk, clicks, told, last=not step.stay)
        return
    before = {(e.role, e.name) for e in desk.elements}
    yield from desk.do(clicks[0], why=told)
    looked = [(e.role, e.name, e.box) for e in desk.elements]
    yield from desk.again(AFTER, why="what one click leads to")
    moves = looked != [(e.role, e.name, e.box) for e in desk.elements]
    now = {(e.role, e.name) for e in desk.elements}
    if not moves and min(len(before - now), len(now - before)) < OTHERS:
        yield from in_turn(desk, clicks[1:], told)
        return
    for number in range(1, len(clicks)):
        yield from _at_rest(desk)
        match = yield from ground(desk, step.what)
        if is_disabled(match.element):
            raise Missed(
                f"{named(match.element)} is disabled after {number} of {len(clicks)} clicks"
            )
        desk.worked = match.element.box
        yield from desk.do(_clicks(step, match.point)[0], why=f"{told}, once more", last=True)


def _at_rest(desk: Desk) -> Turns[None]:
    """Look until nothing moves, but not for ever."""
    yield from desk.again(AFTER, why="it may still come")
    for _ in range(RESTS):
        before = [(e.role, e.name, e.box) for e in desk.elements]
        yield from desk.again(0.15, why="it may still move")
        if before == [(e.role, e.name, e.box) for e in desk.elements]:
            return


def _has_it(element: Element, how: str) -> bool:
    """Whether a click could give it only what it has: the keyboard, or being chosen."""
    return how == "click" and not {"focused", "selected"}.isdisjoint(element.states)


def in_turn(desk: Desk, actions: Sequence[Action], why: str, *, last: bool = True) -> Turns[None]:
    """Carry many actions out, so many at once.

    Raises:
        Missed: It is more than anybody means.
    """
    if len(actions) > MOST_TIMES:
        raise Missed(f"{len(actions)} times is too often; at most {MOST_TIMES}")
    for first in range(0, len(actions), AT_ONCE):
        some = actions[first : first + AT_ONCE]
        final = first + AT_ONCE >= len(actions)
        yield from desk.do(*some, why=why, last=last and final)


def _follow(desk: Desk, step: Point, at: Place) -> Turns[None]:
    """Stay with something that moves, until it rests."""
    still = 0
    for _ in range(MOST_MOVES):
        yield from desk.again(0.1, why="where it is now")
        match = resolve(desk, look_for(desk, wished(step.what)))
        if match is None or still >= STILL:
            return
        still = still + 1 if match.point == at else 0
        if match.point != at:
            at = match.point
            yield from desk.do(*_clicks(step, at), why="it has moved", commits=False)


def _clicks(step: Point, at: Place) -> tuple[Action, ...]:
    if step.how == "hover":
        return (Move(at.x, at.y),)
    buttons: dict[str, Button] = {"right": "right", "middle": "middle"}
    button = buttons.get(step.how, "left")
    try:
        click = Click(at.x, at.y, button, _COUNTS[step.how], step.held)
    except InvalidInput as error:
        raise Missed(error.message) from error
    return (click,) * max(1, step.times)


def named(element: Element) -> str:
    """An element in a few words: `Save (push button, 40,50)`."""
    # Of a field only its name: what it holds may be nobody's business.
    told = element.name if kind_of(element) is Kind.PASSWORD else written_on(element)
    said = " ".join(told.split())[:60] or "unnamed"
    where = f", {element.box.center.x},{element.box.center.y}" if element.box is not None else ""
    return f"{said} ({element.role}{where})"


def press(desk: Desk, step: Press) -> Turns[str | None]:
    """Press keys where the keyboard is."""
    times = max(1, step.times)
    chords = [read_chord(chord) for chord in step.chords]
    if desk.kept and chords == [("enter",)] and times == 1:
        # It was pressed with the text: a second one would go to the next cell, or add a row.
        return None
    if len(chords) == 1:
        keys: tuple[Action, ...] = repeated(chords[0], times)
    else:
        keys = tuple(Key(chord) for chord in chords) * times
    yield from in_turn(desk, keys, "press " + ", ".join(step.chords))
    if not all(chord in _SILENT for chord in chords):
        yield from desk.effect()
    if _SAVES.match(step.words) and any(e.role == "file chooser" for e in desk.elements):
        desk.doubt("nothing is saved yet: a dialog asks for the file")
    return None


_SAVES = re.compile(r"(?:please\s+)?save\b", re.IGNORECASE)
"""Keys that were said to save something, and not only to be pressed."""


def repeated(chord: tuple[str, ...], times: int) -> tuple[Key, ...]:
    """A chord pressed so many times, in as few actions as can be."""
    full, rest = divmod(times, MOST_REPEATS)
    last = (Key(chord, repeat=rest),) if rest else ()
    return (Key(chord, repeat=MOST_REPEATS),) * full + last


def read_chord(text: str) -> tuple[str, ...]:
    """`ctrl+shift+t` as keys; a plus at the end is the key itself.

    Raises:
        Missed: There is no such key.
    """
    parts = [part.strip() for part in text.replace("++", "+plus").split("+")]
    keys = ("plus",) if text.strip() == "+" else tuple(part or "plus" for part in parts)
    try:
        return Key(keys).keys
    except InvalidInput as error:
        raise Missed(f"there is no key {text!r}: {error.message}") from error
