"""What the verbs work on: what is seen, what is remembered, and what was tried."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from carrel import codec
from carrel.actions import Action, Click, Drag, Elements, Move, Wait
from carrel.errors import InvalidInput
from carrel.frames import Element
from carrel.geometry import Box, Point, Size
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.phrases.notice import without_notice
from carrel.models.steps.turns import Closer, Do, Missed, Seen, Turns
from carrel.perception._stand_ins import drawn_by_labels
from carrel.perception.roles import is_field
from carrel.perception.shown import as_shown
from carrel.results import Result

if TYPE_CHECKING:
    from carrel.models.steps.acts import Step
    from carrel.perception.view import Pixels

__all__ = ["UNCHANGED", "About", "Desk", "Place", "children_of", "within"]

TREE_SECONDS = 2.0
DEEPEST = 200
LEAST = 0.05
"""Seconds between two looks."""
NEAR = 4
"""Pixels around something that are still drawn for it."""
LATER = (0.3, 0.7)
"""Seconds after which what was done may show at last."""
RING = 8
"""Pixels around what has the keyboard that show so."""
GONE = (0.3, 0.8)
"""Seconds after which what a pointer lights up is gone."""
BACK = "whether that was but the pointer"
UNCHANGED = "nothing on the screen changed"


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the screen that was named.

    Attributes:
        areas: What may be meant by it, from the thing itself to what holds it, the smallest first.
        at: Where a click opens it.
    """

    phrase: str
    areas: tuple[Box, ...]
    at: Point


class About(Protocol):
    """The thing that a round of a repetition is about, wherever it is by now.

    Attributes:
        at: Where it was when the round began, which stands for it in phrases.
    """

    at: Point

    def stands_for(self, phrase: str) -> Element | None:
        """It, where the phrase is what stands for it, and it is still where it was."""

    def found(self) -> Turns[Element | None]:
        """It, as something to work on."""

    def before(self, actions: tuple[Action, ...]) -> Turns[tuple[Action, ...]]:
        """Actions, right where it is now."""


Scope = Callable[[tuple[Element, ...]], tuple[Element, ...]]


class Desk:
    """One desk, as the steps of one program see it.

    Attributes:
        names: What was remembered.
        step: The words of the step under way.
        ahead: The steps that follow it, as they are written.
        said: Its verb as the person said it, where that is not English.
        asked: All its words, where it asks for one control that they may tell together.
        finished: What the control was called that ended the form of the last step, if one did.
        pressed: What the control was called that stood for the verb under way.
        owed: What has to be done once the fields are filled that the next steps are about.
        held_for: The step that says more for what is owed, and comes before it.
        tried: What was done to find something, for the account.
        worked: Where the last step worked, for "the other one" and the like.
        written: The line of the last step that wrote into a cell of a table, and where that is.
        kept: Whether the step before wrote into a cell, and pressed Enter for that.
        cell_open: How often something had been done when a text was typed into a cell of a sheet
            and not entered yet; None where none was.
        line_gone_to: Whether a step went to a line of an editor, by its number.
        highlighted: The text that was seen to be selected last.
        by_pixels: Whether the last thing was found only in the pixels: the next may be too.
        output: What the last command wrote.
        place: The part of the screen that the step under way is about, where that is said.
        listed: Where things were when a repetition over them began.
        filled: Fields without a name that a step has filled, by what it called them.
        blank_boxes: How drawn boxes to tick look while they are empty, by their size.
        about: What the round of a repetition that is under way is about, if one is.
        scope: Of all that is on the screen what may be looked at; None for everything.
        whole: What adds to all that is on the screen what is out of sight; None where that does
            not count.
        came_up: Whether the step before started a program, whose window may still be coming.
        earlier: What was on the screen before the last step that did something.
        before_last: What was there before the one that came before that.
        commits: How often something was done that is not to be done twice.
        rested: The dialogs in which something was seen to stay where it is.
        doubts: Why it is not certain that the step under way did anything.
        notice: The instruction itself; where the screen shows it, it is no thing to work on.
        gathered: Where things without names were put, one after another.
    """

    def __init__(self, size: Size, names: Mapping[str, str] | None = None) -> None:
        self.size = size
        self.names = dict(names or {})
        self.seen = Seen()
        self.step = ""
        self.said = ""
        self.asked = ""
        self.ahead: tuple[Step, ...] = ()
        self.finished = ""
        self.pressed = ""
        self.owed: Step | None = None
        self.held_for: Step | None = None
        self.tried: list[str] = []
        self.worked: Box | None = None
        self.written: tuple[int, Box] | None = None
        self.kept = False
        self.cell_open: int | None = None
        self.line_gone_to = False
        self.highlighted = ""
        self.by_pixels = False
        self.came_up = False
        self.place: Place | None = None
        self.output: str | None = None
        self.notice = ""
        self.gathered: list[Box] = []
        self.listed: dict[str, Point] = {}
        self.filled: dict[str, Element] = {}
        self.rested: set[tuple[str, str]] = set()
        self.doubts: list[str] = []
        self.earlier: tuple[Element, ...] = ()
        self.before_last: tuple[Element, ...] = ()
        self.commits = 0
        self.blank_boxes: dict[tuple[int, int], Pixels] = {}
        self.about: About | None = None
        self.scope: Scope | None = None
        self.whole: Scope | None = None
        self._scoped: tuple[Seen, Scope, tuple[Element, ...]] | None = None
        self._before = Seen()
        self._pointer = self._rested = Point(1, 1)
        self._last: Action | None = None

    @property
    def elements(self) -> tuple[Element, ...]:
        """What is on the screen, or in the part of it that is looked at."""
        if self.scope is None:
            return self.seen.elements
        known = self._scoped
        # What is kept is compared itself: another that came after it may have got its number.
        if known is None or known[0] is not self.seen or known[1] is not self.scope:
            known = self._scoped = (self.seen, self.scope, self.scope(self.seen.elements))
        return known[2]

    @property
    def everything(self) -> tuple[Element, ...]:
        """All that is on the screen, whatever part of it is looked at."""
        return self.seen.elements if self.whole is None else self.whole(self.seen.elements)

    @property
    def changed(self) -> bool:
        """Whether the last actions changed any pixel, as far as the machine watched."""
        changes = [result.evidence.get("change") for result in self.seen.results]
        known = [bool(change.get("pixels")) for change in changes if isinstance(change, dict)]
        return any(known) if known else True

    def changed_at(self, place: Box) -> bool:
        """Whether the last actions changed anything there, as far as the machine tells where."""
        for result in self.seen.results:
            change = result.evidence.get("change")
            at = change.get("box") if isinstance(change, dict) else None
            if isinstance(at, dict) and _touches(codec.decode(Box, at, where="box"), place):
                return True
            if not isinstance(at, dict) and self.changed:
                return True
        return False

    def effect(self, *, looks: tuple[float, ...] = LATER) -> Turns[bool]:
        """Whether the last actions changed anything, be it a moment later; else they are in doubt.

        Nothing is done again: that it does not show is no proof that it did nothing.
        """
        before, shows = self._before, self.changed
        if shows and (yield from self.only_lit_up()):
            shows, looks = False, ()
        for pause in looks:
            if shows:
                return True
            wait = Wait(seconds=pause)
            yield from self.attempt(wait, why="nothing has changed yet", commits=False, last=True)
            shows = _differs(before, self.seen)
        if not shows:
            self.doubt(UNCHANGED)
        return shows

    def only_lit_up(self) -> Turns[bool]:
        """Whether the last click on a page did no more than the pointer does by being there.

        What it is over lights up, and browsers tell where a link leads. All of that is gone when
        the pointer is back where it was; the page tells of nothing that has changed, either.
        """
        before, now, back = self._before, self.seen, self._rested
        clicked = isinstance(self._last, Click) and web_page(now.elements) is not None
        if not clicked or before.picture is None or now.picture is None or self._has_news():
            return False
        for pause in GONE:
            yield from self.attempt(
                Move(back.x, back.y), Wait(seconds=pause), why=BACK, commits=False, last=True
            )
            if _is_same_but(before, self.seen, _keyboard_was(before, self.seen)):
                return True
        return False

    def _has_news(self) -> bool:
        """Whether the picture is the same, or the page tells of anything that is not as it was."""
        before, now = self._before.picture, self.seen.picture
        if before is None or now is None or before.id == now.id:
            return True
        return _told_by_page(before.elements) != _told_by_page(now.elements)

    def doubt(self, why: str) -> None:
        """The step is done as far as can be known, and for this reason that is not certain."""
        if why not in self.doubts:
            self.doubts.append(why)

    @property
    def settled(self) -> bool:
        """Whether the screen had come to rest after the last actions."""
        return all(result.evidence.get("settled", True) for result in self.seen.results)

    def take(self, seen: Seen) -> None:
        """Look at what followed."""
        self.seen = replace(seen, elements=without_notice(as_shown(seen.elements), self.notice))
        self._scoped = None

    def do(
        self, *actions: Action, why: str = "", commits: bool = True, last: bool = False
    ) -> Turns[tuple[Result, ...]]:
        """Carry actions out.

        Raises:
            Missed: One of them failed, or was refused.
        """
        results = yield from self.attempt(*actions, why=why, commits=commits, last=last)
        failed = next((result for result in results if not result.ok), None)
        if failed is not None:
            at = results.index(failed)
            kind = actions[at].type if at < len(actions) else "action"
            reason = failed.error.message if failed.error else failed.text
            raise Missed(f"the {kind} was not carried out: {reason}")
        return results

    def attempt(
        self, *actions: Action, why: str = "", commits: bool = True, last: bool = False
    ) -> Turns[tuple[Result, ...]]:
        """Carry actions out, whatever comes of it."""
        if self.about is not None:
            # What it looks with is not for it to see to.
            about, self.about = self.about, None
            try:
                actions = yield from about.before(actions)
            finally:
                self.about = about
        thought = f"{self.step}: {why}" if self.step and why else self.step or why
        began, before = time.monotonic(), self.seen
        self.commits += commits
        self._rested = self._pointer
        for action in actions:
            self._pointer, self._last = _led_to(action) or self._pointer, action
        self.take((yield Do(actions, thought, commits, last)))
        self.acted, self._before = began if commits else None, before
        return self.seen.results

    def again(self, seconds: float = 0.2, *, why: str = "", hidden: bool = False) -> Turns[None]:
        """Look once more after a while; with `hidden` also at what is out of sight."""
        pause = Wait(seconds=max(seconds, LEAST))
        if not hidden:
            yield from self.attempt(pause, why=why or "look again", commits=False)
            return
        look = Elements(visible_only=False, timeout=TREE_SECONDS)
        waits = (pause,) if seconds else ()
        results = yield from self.attempt(*waits, look, why=why or "look", commits=False)
        listed = (read_elements(results[-1]) if results else None) or ()
        told = results[-1].data if results else {}
        self.unseen_cut = not told.get("complete", True) and told.get("cut") != "crowd"
        drawn = as_shown(drawn_by_labels(listed, listed))
        self.unseen = without_notice(drawn, self.notice)

    acted: float | None = None
    """When the last actions began, where they had an effect: a wait is counted from there."""
    unseen: tuple[Element, ...] = ()
    """The whole tree, with what is out of sight, as of the last look for it."""
    unseen_cut: bool = False
    """Whether that look was cut short."""

    def closer(self) -> Turns[bool]:
        """Read the pixels too; whether anything more could be known."""
        if self.seen.closer or self.seen.picture is None:
            return False
        before = self.seen
        self.take((yield Closer()))
        return self.seen.closer and self.seen.elements != before.elements


def _touches(change: Box, place: Box) -> bool:
    near = Box(
        max(0, place.x - NEAR),
        max(0, place.y - NEAR),
        place.width + 2 * NEAR,
        place.height + 2 * NEAR,
    )
    return change.intersect(near) is not None


def _differs(before: Seen, now: Seen) -> bool:
    """Whether anything is not as it was: the picture, or what the applications tell."""
    if before.picture is None or now.picture is None:
        return True
    told = [_told(e) for e in before.picture.elements] != [_told(e) for e in now.picture.elements]
    return told or before.picture.id != now.picture.id


def _is_same_but(before: Seen, now: Seen, places: Sequence[Box]) -> bool:
    """Whether two pictures are the same, but for some places."""
    if before.picture is None or now.picture is None:
        return False
    if before.picture.id == now.picture.id:
        return True
    view = now.view
    changes = view.changed_since(before.view) if places and view is not None else None
    return bool(changes) and all(
        any(change.intersect(place) == change for place in places) for change in changes or ()
    )


def _keyboard_was(before: Seen, now: Seen) -> list[Box]:
    """Where things are that have the keyboard in one of two pictures only: it is drawn there."""
    focused = [
        {(e.role, e.name, e.box) for e in seen.elements if "focused" in e.states}
        for seen in (before, now)
    ]
    boxes = [box for _, _, box in focused[0] ^ focused[1] if box is not None and box.area]
    return [around([box], RING) for box in boxes]


def _told_by_page(elements: Sequence[Element]) -> list[tuple[object, ...]]:
    """What is told of all that is in a page, but for the keyboard where that takes no text."""
    page = web_page(elements)
    inside = (page, *lineage_of(tuple(elements)).below(page)) if page is not None else ()
    kept = [e if is_field(e) else replace(e, states=_but_focus(e.states)) for e in inside]
    return [_told(e) for e in kept]


def _but_focus(states: Sequence[str]) -> tuple[str, ...]:
    return tuple(state for state in states if state != "focused")


def _led_to(action: Action) -> Point | None:
    """Where an action leaves the pointer."""
    if isinstance(action, Drag):
        return action.path[-1]
    return Point(action.x, action.y) if isinstance(action, Click | Move) else None


def _told(element: Element) -> tuple[object, ...]:
    """What is told of an element, but for how it is numbered."""
    # Browsers write into a tab's name how much memory it takes; another title is another picture.
    name = "" if element.role == "page tab" else element.name
    return (element.role, name, element.value, element.box, element.states)


def read_elements(result: Result) -> tuple[Element, ...] | None:
    """The elements an action read; None where it did not."""
    listed = result.data.get("elements")
    if not result.ok or not isinstance(listed, list):
        return None
    try:
        return tuple(codec.decode(Element, item, where="element") for item in listed)
    except InvalidInput:
        return None


def children_of(elements: Iterable[Element], parent: Element) -> tuple[Element, ...]:
    """Everything below an element in the tree."""
    listed = tuple(elements)
    above = {element.id: element.parent for element in listed}

    def is_below(element: Element) -> bool:
        at, steps = element.parent, 0
        while at is not None and at != parent.id and steps < DEEPEST:
            at, steps = above.get(at), steps + 1
        return at == parent.id

    return tuple(element for element in listed if is_below(element))


def within(box: Box | None, outer: Box | None) -> bool:
    """Whether the middle of a box lies in another."""
    return box is not None and outer is not None and outer.contains(box.center)
