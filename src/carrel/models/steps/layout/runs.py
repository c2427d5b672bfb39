"""Entries of a page that nothing holds: cards, messages and rows that were made of plain boxes.

Browsers leave out of what they tell whatever only lays things out. The parts of all the cards of
a shop, or of all the messages of a chat, are then told as the parts of one thing. They are taken
apart again where something comes back in each entry, a button of one name or a heading: into the
rows and columns that hold it once each, and that lie apart from one another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["Run", "run_of", "runs_of"]

Run = tuple[Element, ...]
"""The parts of one entry that one thing holds."""
MANY = 600
"""Parts that one thing may hold, to be taken apart at all."""
TRIED = 8
"""Names that are tried as what comes back in each entry, the most frequent first."""
SLACK = 3
"""Pixels by which lines may lie over one another."""
OFF = 8
"""Pixels by which what comes back may stand elsewhere in its entry."""
HEADED = 4
"""Parts of an entry that only a heading tells from others, at most."""
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.MENU_ITEM})
_SAYING = frozenset({"text", Kind.HEADING.value, Kind.LINK.value})
_UNTOLD = frozenset({"text", Kind.GROUP.value})
_PLAIN = frozenset({Kind.GROUP, Kind.ANY, Kind.TEXT, Kind.CELL})


@dataclass(frozen=True, slots=True)
class _Part:
    """One part, and what can be told of it: its kind, and what is written on it."""

    element: Element
    box: Box
    kind: str
    said: str


@dataclass(frozen=True, slots=True)
class _Band:
    """Parts in one line, or in one column; `marks` of them are what comes back."""

    parts: tuple[_Part, ...]
    marks: int
    start: int
    end: int

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(part.kind for part in self.parts)


_Bands = tuple[_Band, ...]


def run_of(elements: Sequence[Element], element: Element) -> Run | None:
    """The entry that something is a part of, where nothing holds just that entry."""
    tree = lineage_of(tuple(elements))
    above = {element.id, *(e.id for e in tree.above(element))}
    for run in runs_of(elements):
        if any(part.id in above for part in run):
            return run
    return None


def runs_of(elements: Sequence[Element]) -> tuple[Run, ...]:
    """Every such entry on the screen."""
    return _runs(tuple(elements))


@lru_cache(maxsize=4)
def _runs(elements: tuple[Element, ...]) -> tuple[Run, ...]:
    tree = lineage_of(elements)
    held: dict[str, list[_Part]] = {}
    for element in elements:
        if element.parent is not None and element.box is not None and element.box.area:
            held.setdefault(element.parent, []).append(_part(element, element.box, tree))
    found = (_taken_apart(parts) for parts in held.values() if 4 <= len(parts) <= MANY)
    return tuple(run for runs in found for run in runs)


def _part(element: Element, box: Box, tree: Lineage) -> _Part:
    kind, said = kind_of(element), written_on(element)
    if kind in _PLAIN:
        inner = [e for e in tree.below(element) if kind_of(e) not in _PLAIN or written_on(e)]
        if len(inner) == 1:
            kind, said = kind_of(inner[0]), said or written_on(inner[0])
        elif said and not inner:
            kind = Kind.TEXT
        elif inner and all(kind_of(e) in _PRESSED for e in _outermost(inner)):
            # The buttons of one entry, which come back together.
            kind, said = Kind.TOOLBAR, " ".join(written_on(e) for e in _outermost(inner))
    return _Part(element, box, "text" if kind in _PLAIN - {Kind.GROUP} else kind.value, said)


def _outermost(elements: Sequence[Element]) -> list[Element]:
    ids = {e.id for e in elements}
    return [e for e in elements if e.parent not in ids]


def _taken_apart(parts: Sequence[_Part]) -> list[Run]:
    """The entries that the parts of one thing are; none where it can be done in two ways."""
    best: list[list[Run]] = []
    cover = 0
    order = {part.element.id: at for at, part in enumerate(parts)}
    for marks in _marks(parts):
        ids = frozenset(part.element.id for part in marks)
        runs = _entries(parts, ids, across=False)
        if len(runs) != len(marks) or not _are_alike(runs, ids):
            continue
        size = sum(map(len, runs))
        told = _in_order([[part.element for part in run] for run in runs], order)
        if size >= cover:
            best, cover = ([*best, told] if size == cover else [told]), size
    return best[0] if best and all(other == best[0] for other in best) else []


def _in_order(runs: Sequence[Sequence[Element]], order: Mapping[str, int]) -> list[Run]:
    each = [tuple(sorted(run, key=lambda e: order[e.id])) for run in runs]
    return sorted(each, key=lambda run: order[run[0].id])


def _are_alike(runs: Sequence[Sequence[_Part]], marks: frozenset[str]) -> bool:
    """Whether each entry says something, and has what comes back at the same place."""
    if any(len(run) < 2 or not any(p.said and p.kind in _SAYING for p in run) for run in runs):
        return False
    places = [_place_of_mark(run, marks) for run in runs]
    if not _are_in_line([part.box for run in runs for part in run if part.element.id in marks]):
        return False
    steady = [max(end) - min(end) <= OFF for end in zip(*places, strict=True)]
    if not (any(steady[:2]) and any(steady[2:])):
        return False
    headed = all(p.kind == Kind.HEADING.value for run in runs for p in run if p.element.id in marks)
    kinds = {tuple(sorted(p.kind for p in run)) for run in runs}
    # Under a heading there may be a list of its own.
    return not headed or (len(kinds) == 1 and len(runs[0]) <= HEADED)


def _are_in_line(boxes: Sequence[Box]) -> bool:
    """Whether boxes stand in one column, in one row, or in several that have columns in common."""
    ways = (
        {box.x // OFF for box in boxes},
        {box.right // OFF for box in boxes},
        {box.center.x // OFF for box in boxes},
    )
    columns, rows = min(map(len, ways)), len({box.y // OFF for box in boxes})
    return min(columns, rows) == 1 or len(boxes) > max(columns, rows)


def _place_of_mark(run: Sequence[_Part], marks: frozenset[str]) -> tuple[int, int, int, int]:
    """How far the mark is from each edge of its entry."""
    box = around([part.box for part in run])
    mark = next(part.box for part in run if part.element.id in marks)
    return mark.x - box.x, box.right - mark.right, mark.y - box.y, box.bottom - mark.bottom


def _comes_back(said: str) -> bool:
    """Whether a text may be what comes back: words, or a mere sign like a cross."""
    sign = 0 < len(said) <= 2 and not any(map(str.isalnum, said))
    return sign or any(map(str.isalpha, said))


def _marks(parts: Sequence[_Part]) -> Iterator[list[_Part]]:
    """What comes back: parts of one name, or controls or headings of one shape."""
    named = Counter((p.kind, p.said) for p in parts if _comes_back(p.said))
    for sign, count in named.most_common(TRIED):
        if count > 1:
            yield [p for p in parts if (p.kind, p.said) == sign]
    shapes = Counter((p.kind, p.box.height) for p in parts if p.kind not in _UNTOLD)
    for shape, count in shapes.most_common(TRIED):
        if count > 1:
            yield [p for p in parts if (p.kind, p.box.height) == shape]


def _entries(parts: Sequence[_Part], marks: frozenset[str], *, across: bool) -> list[list[_Part]]:
    """The entries, each with one mark; none where they cannot be told from one another."""
    own = sum(part.element.id in marks for part in parts)
    if own == 1:
        return [list(parts)]
    found: list[list[_Part]] = []
    bands = _bands(parts, marks, across=across)
    groups = _grouped(bands)
    if sum(1 for group in groups if group) < 2:
        # All in one line: its columns, if these were not tried before.
        return [] if across else _entries(parts, marks, across=True)
    for group in groups:
        inner = [part for band in group for part in band.parts]
        entries = _entries(inner, marks, across=not across)
        if not entries:
            return []
        found += entries
    return found


def _bands(parts: Sequence[_Part], marks: frozenset[str], *, across: bool) -> _Bands:
    """The lines that the parts stand in, from the top; `across`, the columns from the left."""
    spans = [(p.box.x, p.box.right, p) if across else (p.box.y, p.box.bottom, p) for p in parts]
    spans.sort(key=lambda span: span[:2])
    found: list[tuple[int, int, list[_Part]]] = []
    for start, end, part in spans:
        if found and start < found[-1][1] - SLACK:
            first, last, held = found[-1]
            found[-1] = (first, max(last, end), [*held, part])
        else:
            found.append((start, end, [part]))
    return tuple(
        _Band(tuple(held), sum(p.element.id in marks for p in held), start, end)
        for start, end, held in found
    )


def _grouped(bands: _Bands) -> list[_Bands]:
    """Lines that make up an entry, or a row of entries: those with a mark, and what goes with it.

    Entries may end with the line of their mark, or begin with it. Where both can be, what lies
    further apart is not of one entry.
    """
    marked = tuple(at for at, band in enumerate(bands) if band.marks)
    if len(marked) < 2:
        return []
    ending = [bands[a + 1 : b + 1] for a, b in pairwise((-1, *marked))]
    beginning = [bands[a:b] for a, b in pairwise((*marked, len(bands)))]
    ways = [way for way in (_trimmed(ending, 0), _trimmed(beginning, -1)) if way]
    if len(ways) > 1 and ways[0] != ways[1]:
        ways = [way for way in ways if _lie_apart(way)]
    return ways[0] if len(ways) == 1 or (ways and ways[0] == ways[-1]) else []


def _trimmed(groups: list[_Bands], end: int) -> list[_Bands]:
    """Without what comes before the first entry, or behind the last one.

    The entries have to be alike at the end that is not marked.
    """
    outer, others = (groups[0], groups[1:]) if end == 0 else (groups[-1], groups[:-1])
    if not others or len({group[end].kinds for group in others}) != 1:
        return []
    kinds, sizes = others[0][end].kinds, [len(group) for group in others]
    for size in range(min(max(sizes), len(outer)), min(sizes) - 1, -1):
        kept = outer[-size:] if end == 0 else outer[:size]
        if kept[end].kinds == kinds:
            return [kept, *others] if end == 0 else [*others, kept]
    return []


def _lie_apart(groups: Sequence[_Bands]) -> bool:
    """Whether there is more room between groups than within any."""
    between = [b[0].start - a[-1].end for a, b in pairwise(groups)]
    inside = [b.start - a.end for group in groups for a, b in pairwise(group)]
    return min(between) > max(inside, default=0)
