"""The lists on a screen: parts of equal build, whatever holds them, each with all it says.

Rows of a table and items of a list are told as such. Cards, messages and lines are often made of
plain boxes, and browsers leave these out: their parts are then told one after another, and come
back in the same order at the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.desk import within
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.entry_rows import is_foot, is_head
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.runs import runs_of
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["Entry", "Listed", "lists_on"]

PARTS = 12
"""Parts of one entry that nothing holds, at most."""
BEFORE = 8
"""Parts that may stand before the first entry."""
MANY = 400
"""Parts that one thing may hold, to be taken apart at all."""
OFF = 4
"""Pixels by which a part may stand elsewhere in its entry."""
_HELD = frozenset({Kind.ROW, Kind.OPTION, Kind.TREE_ITEM, Kind.GROUP, Kind.ANY})
"""What an entry is told as."""
_WHOLE = frozenset({Kind.LINK, Kind.BUTTON, Kind.CELL, Kind.ICON})
"""What is an entry where it says several things."""
_TOLD = frozenset({Kind.TABLE, Kind.ROW, Kind.LIST, Kind.TREE})
"""What tells itself what its parts are."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One of several things of equal build.

    Attributes:
        parts: Its outermost parts; the one thing that holds it, where one does.
        held: All of it, with the parts.
        box: Where it is.
    """

    parts: tuple[Element, ...]
    held: tuple[Element, ...]
    box: Box

    def texts(self) -> list[Element]:
        """What says something in it, each text once, as it is read."""
        inner = {e.parent for e in self.held if written_on(e)}
        said = [e for e in self.held if written_on(e) and e.id not in inner and e.box is not None]
        return sorted(said, key=lambda e: (e.box.y // 4, e.box.x) if e.box else (0, 0))

    def said(self) -> list[str]:
        """What is written in it, without what its controls are called."""
        mute = {e.id for e in self.held if kind_of(e) in (Kind.BUTTON, Kind.COMBO)}
        mute |= {e.id for e in self.held if e.parent in mute}
        return [written_on(e) for e in self.texts() if e.id not in mute or self._is_one()]

    def _is_one(self) -> bool:
        return len(self.parts) == 1 and kind_of(self.parts[0]) in _WHOLE


Listed = tuple[Entry, ...]


def lists_on(elements: Sequence[Element]) -> tuple[Listed, ...]:
    """Every list on the screen, each entry with what it says, in the order they are read."""
    return _lists(tuple(elements))


@lru_cache(maxsize=4)
def _lists(elements: tuple[Element, ...]) -> tuple[Listed, ...]:
    tree = lineage_of(elements)
    shown = [e for e in part_meant(elements, "") if e.box is not None and e.box.area]
    held: dict[str, list[Element]] = {}
    for element in shown:
        if element.parent is not None:
            held.setdefault(element.parent, []).append(element)
    told: list[Listed] = []
    built: list[Listed] = []
    for holder, parts in held.items():
        told += _held_lists(parts, tree)
        if 4 <= len(parts) <= MANY and kind_of(tree.by_id[holder]) not in _TOLD:
            built += filter(None, [_built_alike(parts, tree)])
    told += _marked_lists(elements, tree)
    kept = [one for one in built if not _comes_back(one, built, (*told, *built))]
    told = [one for one in told if not any(_are_parts(one, other) for other in kept)] + kept
    return tuple({_places(listed): listed for listed in told}.values())


def _comes_back(listed: Listed, built: Sequence[Listed], lists: Sequence[Listed]) -> bool:
    """Whether each entry of another list holds one like this: it is no list, but its parts."""
    for outer in lists:
        holds = [one for one in outer if _is_in(listed, one)]
        if outer is listed or len(holds) != 1:
            continue
        others = [one for one in outer if one is not holds[0]]
        if others and all(
            any(_is_in(b, e) and len(b) == len(listed) for b in built) for e in others
        ):
            return True
    return False


def _are_parts(listed: Listed, other: Listed) -> bool:
    """Whether the entries of a list are but parts of those of another that nothing holds."""
    ids = [{part.id for part in one.parts} for one in other]
    return all(any({p.id for p in one.parts} < own for own in ids) for one in listed)


def _is_in(listed: Listed, entry: Entry) -> bool:
    return all(within(one.box, entry.box) and one.box.area < entry.box.area for one in listed)


def _places(listed: Listed) -> tuple[Box, ...]:
    return tuple(entry.box for entry in listed)


def _entry(parts: Sequence[Element], tree: Lineage) -> Entry:
    every = {x.id: x for part in parts for x in (part, *tree.below(part)) if x.box is not None}
    return Entry(tuple(parts), tuple(every.values()), around([e.box for e in parts if e.box]))


def _in_order(entries: Sequence[Entry]) -> Listed:
    """As they are read; those in one line from the left."""
    return tuple(sorted(entries, key=lambda one: (one.box.y // 6, one.box.x)))


def _held_lists(parts: Sequence[Element], tree: Lineage) -> Iterator[Listed]:
    """Things of one role that one thing holds."""
    alike: dict[tuple[str, Kind], list[Element]] = {}
    for part in parts:
        alike.setdefault((part.role, kind_of(part)), []).append(part)
    for (_, kind), peers in alike.items():
        if kind not in _HELD | _WHOLE or len(peers) < 2:
            continue
        rows = [
            e for e in peers if not (kind is Kind.ROW and (is_head(e, tree) or is_foot(e, tree)))
        ]
        entries = [_entry([e], tree) for e in rows]
        entries = [one for one in entries if one.said()]
        several = [one for one in entries if len(one.texts()) > 1]
        if kind in _WHOLE:
            entries = several
        if len(entries) > 1:
            yield _in_order(entries)


def _marked_lists(elements: tuple[Element, ...], tree: Lineage) -> Iterator[Listed]:
    """Those that are known by what comes back in each, though they are not of one build."""
    runs: dict[str, list[Entry]] = {}
    for run in runs_of(elements):
        runs.setdefault(run[0].parent or "", []).append(_entry(run, tree))
    for entries in runs.values():
        if len(entries) > 1:
            yield _in_order(entries)


def _built_alike(parts: Sequence[Element], tree: Lineage) -> Listed:
    """The longest stretch of parts that come back in the same order, at the same places."""
    best: tuple[int, int, list[list[Element]]] = (0, 0, [])
    roles = [(e.role, kind_of(e)) for e in parts]
    for size in range(2, min(PARTS, len(parts) // 2) + 1):
        for start in range(min(BEFORE, len(parts) - 2 * size) + 1):
            blocks = _blocks(parts, roles, start, size)
            cover = len(blocks) * size if len(blocks) > 1 else 0
            if (cover, -size) > best[:2]:
                best = (cover, -size, blocks)
    entries = [_entry(block, tree) for block in best[2]]
    return _in_order(entries) if all(one.said() for one in entries) else ()


def _blocks(
    parts: Sequence[Element], roles: Sequence[tuple[str, Kind]], start: int, size: int
) -> list[list[Element]]:
    """So many parts at a time from a place on, while each stretch is built as the first."""
    first = list(parts[start : start + size])
    alike = len({(*roles[at], _width(parts[at])) for at in range(start, start + size)}) == 1
    if alike and roles[start][1] in _HELD | _WHOLE:
        # Each is one by itself; mere words may stand below one another.
        return []
    found = [first]
    for at in range(start + size, len(parts) - size + 1, size):
        block = list(parts[at : at + size])
        if roles[at : at + size] != roles[start : start + size] or not _is_built_as(first, block):
            break
        found.append(block)
    boxes = [around([e.box for e in block if e.box]) for block in found]
    apart = all(a.intersect(b) is None for a, b in pairwise(boxes))
    return found if apart and _is_like_list(boxes) else []


def _width(part: Element) -> int:
    return part.box.width // (2 * OFF) if part.box is not None else 0


def _is_like_list(boxes: Sequence[Box]) -> bool:
    """Whether they stand in columns, or in one line."""
    return (
        len({box.x // OFF for box in boxes}) < len(boxes) or len({b.y // OFF for b in boxes}) == 1
    )


def _is_built_as(first: Sequence[Element], block: Sequence[Element]) -> bool:
    """Whether each part stands where it does in the first: from the left, right or middle."""
    one, other = (around([e.box for e in part if e.box]) for part in (first, block))
    for a, b in zip(first, block, strict=True):
        if a.box is None or b.box is None:
            return False
        offs = (
            (a.box.x - one.x) - (b.box.x - other.x),
            (one.right - a.box.right) - (other.right - b.box.right),
            (a.box.center.x - one.center.x) - (b.box.center.x - other.center.x),
        )
        if min(map(abs, offs)) > OFF or abs((a.box.y - one.y) - (b.box.y - other.y)) > OFF:
            return False
    return True
