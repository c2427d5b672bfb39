"""What a repetition goes through: things on the screen, in order, without some."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.claims.conditions import read_number
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.finding.bounds import bounded, not_told
from carrel.models.steps.finding.extents import extent_of, members
from carrel.models.steps.finding.held_entries import column_cells, entries_called
from carrel.models.steps.finding.narrowed import bare_of, narrowing_words, showing
from carrel.models.steps.finding.wishes import all_fitting, wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.entry_rows import ENTRIES, is_head
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.program import Check, ForEach, Point, Tick
from carrel.models.steps.shown.entries import is_entries, listed_entries, tick_box_of
from carrel.models.steps.shown.reading import text_of
from carrel.models.steps.shown.said_rows import said_by
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.labels import written_on
from carrel.perception.roles import TICKED, Kind, kind_of

__all__ = ["COMING", "Key", "entries_of", "fitting", "read_key", "things"]

_KEY = re.compile(
    r"#(?P<at>\d+)/(?P<of>\d+)(?:~(?P<nth>\d+)/(?P<same>\d+))?(?: (?P<text>.+))?", re.DOTALL
)
COMING = (0.3, 0.6, 1.0)
"""Seconds between looks for what is not there at first, or is hidden by a dialog that goes."""
STILL = (0.1, 0.2, 0.3, 0.5, 0.7)
"""Seconds between looks at a page until two show the same."""


@dataclass(frozen=True, slots=True)
class Key:
    """One of several without a name of its own, as an item that a journal keeps.

    Attributes:
        at: The how manieth, from 1.
        of: Of how many.
        text: What it says.
        nth: The how manieth of those that say the same.
        same: How many do.
    """

    at: int
    of: int
    text: str = ""
    nth: int = 1
    same: int = 1

    def __str__(self) -> str:
        alike = f"~{self.nth}/{self.same}" if self.same > 1 else ""
        return f"#{self.at}/{self.of}{alike} {self.text}".strip()


def read_key(item: str) -> Key | None:
    """The key that an item is; None for a name."""
    found = _KEY.fullmatch(item)
    if found is None:
        return None
    nth, same = int(found["nth"] or 1), int(found["same"] or 1)
    return Key(int(found["at"]), int(found["of"]), found["text"] or "", nth, same)


def things(desk: Desk, step: ForEach) -> Turns[tuple[str, ...]]:
    """Each as a phrase that means that very thing: its name, where it is, or its number.

    A name that several have, or none, would not tell them apart; a place does, while nothing moves.

    Raises:
        Missed: There are none, or too few, or their place is not there.
    """
    if step.place is not None and (missing := not_told(desk, step.place)) is not None:
        raise Missed(missing)
    found, everywhere = yield from _all(desk, step)
    for pause in COMING:
        if found or everywhere:
            break
        yield from desk.again(pause, why=f"{step.every} may still come up")
        found, everywhere = yield from _all(desk, step)
    if len(everywhere) > len(found):
        _require(step, len(everywhere))
        return (yield from _same_twice(desk, step))[: step.limit]
    _require(step, len(found))
    if len(everywhere) == len(found) and all(_is_place(step, e) for e in found):
        return (yield from _same_twice(desk, step))[: step.limit]
    names = [_name(desk, e) for e in found[: step.limit]]
    own = {written_on(e).strip() for e in desk.elements}
    desk.listed = {
        name: e.box.center for name, e in zip(names, found, strict=False) if name and e.box
    }
    keys = _keys(found, desk.elements)
    return tuple(
        name
        if name in own and names.count(name) == 1 and not _is_place(step, found[n])
        else keys[n]
        for n, name in enumerate(names)
    )


def _same_twice(desk: Desk, step: ForEach) -> Turns[tuple[str, ...]]:
    """The keys of what is on a page: a look while it is drawn anew mixes what was and what comes.

    Raises:
        Missed: It does not come to rest.
    """
    keys = _keys(fitting(desk, step, hidden=True), desk.unseen)
    for pause in STILL:
        yield from desk.again(pause, why=f"whether that is all of {step.every}", hidden=True)
        before, keys = keys, _keys(fitting(desk, step, hidden=True), desk.unseen)
        if keys and keys == before:
            return tuple(keys)
    raise Missed(f"what is {step.every} changes all the time: {len(keys)} at the last look")


def _all(desk: Desk, step: ForEach) -> Turns[tuple[list[Element], list[Element]]]:
    """What fits in sight, and on all of a page."""
    found, everywhere = fitting(desk, step), list[Element]()
    if web_page(desk.elements) is not None and not (found and _is_by_looks(step.every or "")):
        yield from desk.again(0, why=f"all of {step.every}", hidden=True)
        # Each look numbers anew what it sees: nothing of the one before is in this one.
        found, everywhere = fitting(desk, step), fitting(desk, step, hidden=True)
    if cells := _of_column(desk, step, found):
        return _ordered(desk, cells, step.order), []
    if not found and not everywhere and is_entries(bare_of(step.every or "")):
        with _there(desk, step):
            found = _ordered(desk, _boxes(desk, step), step.order)
    return found, everywhere


def _of_column(desk: Desk, step: ForEach, found: list[Element]) -> list[Element]:
    """Of what is only checked: the cells under a heading, where nothing else is called so."""
    if not all(isinstance(one, Check) for one in step.body):
        return []
    heads = [e for e in found if kind_of(e) in (Kind.COLUMN, Kind.TEXT, Kind.LINK)]
    if len(heads) != len(found):
        return []
    with _there(desk, step):
        every = step.every or ""
        held = entries_called(desk, every) if " in " in every else None
        return held or column_cells(desk, every)


def _keys(listed: list[Element], elements: Sequence[Element]) -> list[str]:
    """Elements as ones that are found again, though others go and they move."""
    said = [one.bare for one in said_by(lineage_of(tuple(elements)), listed)]
    return [
        str(Key(at + 1, len(said), text, said[: at + 1].count(text), said.count(text)))
        for at, text in enumerate(said)
    ]


def _is_place(step: ForEach, element: Element) -> bool:
    """Whether it is an entry that something is done in: those may go, and the others move."""
    each = f"{{{step.name}}}"
    inside = all(isinstance(one, Point) and one.place == each for one in step.body)
    return kind_of(element) is Kind.ROW or (kind_of(element) in ENTRIES and inside)


def _boxes(desk: Desk, step: ForEach) -> list[Element]:
    """Whatever the one list on the screen holds; to be ticked, the boxes of its entries."""
    entries = listed_entries(desk)
    if words := narrowing_words(step.every or ""):
        entries = showing(lineage_of(tuple(desk.elements)), entries, words, ()) if entries else []
    if all(isinstance(inner, Tick) for inner in step.body):
        return [tick_box_of(desk.elements, e) or e for e in entries]
    return entries


def _require(step: ForEach, count: int) -> None:
    """Stop where there are none, or fewer than were asked for."""
    if not count:
        raise Missed(f"there is nothing to be seen that is {step.every}")
    if step.limit is not None and count < step.limit:
        raise Missed(f"there are only {count} of {step.every}, not {step.limit}")


def entries_of(desk: Desk, step: ForEach) -> list[Element]:
    """What fits in sight; where nothing does, the entries of the one list that is shown."""
    found = fitting(desk, step)
    if not found and is_entries(bare_of(step.every or "")):
        with _there(desk, step):
            return _ordered(desk, _boxes(desk, step), step.order)
    return found


@contextmanager
def _there(desk: Desk, step: ForEach) -> Iterator[None]:
    """See only what is in the place of the loop, if it has one."""
    if step.place is None:
        yield
        return
    with bounded(desk, step.place):
        yield


def _on_page(desk: Desk, place: str | None) -> list[Element]:
    """What is on the page, in sight or not, without what the browser has around it."""
    page = web_page(desk.unseen)
    inside = children_of(desk.unseen, page) if page is not None else desk.unseen
    extent = extent_of(desk, place) if place is not None else None
    held = members(inside, extent) if extent is not None else inside
    return [e for e in held if e.box is not None and e.box.area]


def fitting(desk: Desk, step: ForEach, *, hidden: bool = False) -> list[Element]:
    """What fits in sight; with `hidden` on all of a page, as of the last look at that."""
    assert step.every is not None
    among = _on_page(desk, step.place) if hidden else None
    with _there(desk, step):
        return _fitting_there(desk, step, step.every, among)


def _fitting_there(
    desk: Desk, step: ForEach, every: str, among: list[Element] | None
) -> list[Element]:
    ticks = bool(step.body) and all(isinstance(inner, Tick) for inner in step.body)
    kinds = (Kind.CHECKBOX,) if ticks else ()
    left_out = {e.id for phrase in step.but for e in all_fitting(desk, phrase, kinds, among=among)}
    found = list(all_fitting(desk, every, kinds, among=among))
    if ticks:
        # "All the boxes" are those that can be ticked, not the parts of a page; of rows, theirs.
        listed = desk.elements if among is None else among
        boxes = [tick_box_of(listed, e) if kind_of(e) is Kind.ROW else e for e in found]
        found = [e for e in boxes if e is not None and kind_of(e) in TICKED] or found
        found = found or _boxes_under(desk, every, listed)
    tree = lineage_of(tuple(desk.elements if among is None else among))
    found = [e for e in found if kind_of(e) is not Kind.ROW or not is_head(e, tree)]
    return _ordered(desk, [e for e in found if e.id not in left_out and e.box], step.order)


def _boxes_under(desk: Desk, heading: str, listed: Sequence[Element]) -> list[Element]:
    """The boxes of a group that is called so: `all the toppings` are those under Toppings."""
    if not_told(desk, heading) is not None or (extent := extent_of(desk, heading)) is None:
        return []
    return [e for e in members(listed, extent) if kind_of(e) in TICKED]


def _is_by_looks(phrase: str) -> bool:
    """Whether only pixels tell what is meant, which nothing out of sight has."""
    one = wished(phrase).description
    return any(d.colour or d.shape not in ("", "number") for d in (one, *one.readings))


def _name(desk: Desk, element: Element) -> str:
    return " ".join(text_of(element, desk.elements).split())


def _ordered(desk: Desk, found: list[Element], order: str) -> list[Element]:
    if order not in ("ascending", "descending"):
        return found
    numbers = {e.id: read_number(_name(desk, e)) for e in found}
    if all(number is not None for number in numbers.values()):
        ranked = sorted(found, key=lambda e: numbers[e.id] or 0.0)
    else:
        ranked = sorted(found, key=lambda e: _name(desk, e).casefold())
    return ranked if order == "ascending" else ranked[::-1]
