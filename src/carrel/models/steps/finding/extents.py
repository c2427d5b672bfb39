"""How far a place on the screen reaches: what is in it counts, and nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.row_clauses import clause_rows
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.bars import bars_of_page, heads_and_feet, is_side_bar, side_bars
from carrel.models.steps.layout.boxes import around
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.drawn_months import drawn_month
from carrel.models.steps.layout.entry_rows import (
    ENTRIES,
    but_pagers,
    but_ways,
    drawn_tree,
    is_called,
    repeating,
    rows_of,
    says,
    with_head,
)
from carrel.models.steps.layout.floating import all_dialogs
from carrel.models.steps.layout.lanes import lane_under
from carrel.models.steps.layout.levels import has_more_lines, level_with
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.layout.sections import listed_under, section_under, under_heading
from carrel.models.steps.layout.tab_panels import is_behind_another, panel_of
from carrel.models.steps.phrases.list_nouns import is_evident
from carrel.models.steps.phrases.place_words import PlaceWords, Sort, bare_place, read_place
from carrel.models.steps.shown.day_cells import day_cell
from carrel.models.steps.turns import Missed
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, HOLDERS, Kind, kind_of

__all__ = ["Extent", "Several", "extent_of", "members"]

SLACK = 6
"""Pixels around what is told of a place in which its pixels may still say something."""
MOST = 0.9
"""Of the screen: what is larger is the sheet a dialog lies on, and not the dialog."""
ROW = 160
"""Pixels that an entry may be high."""
STRIP = 34
"""Pixels that a status bar is high, where no application tells of one."""
_KINDS: dict[Sort, tuple[Kind, ...]] = {
    "list": (Kind.LIST, Kind.TREE, Kind.TABLE),
    "table": (Kind.TABLE, Kind.TREE),
    "menu": (Kind.MENU,),
    "bar": (Kind.TOOLBAR,),
    "window": (Kind.WINDOW, Kind.DIALOG),
    "group": tuple(HOLDERS - {Kind.PAGE, Kind.WINDOW, Kind.ROW}),
}


_CALENDAR = re.compile(
    r"(?:the |this )?(?:[a-z]+ )?(?:calendar|month)(?: view| grid)?|日历", re.IGNORECASE
)
_TREE = re.compile(r"\btree\b|树", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Extent:
    """A part of the screen.

    Attributes:
        box: Where its pixels are.
        holder: The element that all of it is in; None where no application tells of one.
        title: What is written over it, and is not in it itself.
    """

    phrase: str
    box: Box
    holder: Element | None = None
    title: Element | None = None


class Several(Missed):
    """Which of several lists is meant is not said.

    Attributes:
        each: How far each of them reaches.
    """

    def __init__(self, account: str, each: Sequence[Extent]) -> None:
        super().__init__(account)
        self.each = tuple(each)


def extent_of(desk: Desk, phrase: str, among: Sequence[Element] | None = None) -> Extent | None:
    """How far a place reaches, in sight or `among` others; None where all that is shown is meant.

    Raises:
        Missed: It is not there, there are several, or it cannot be told how far it reaches.
    """
    about = desk.about.stands_for(phrase) if desk.about is not None else None
    if about is not None and about.box is not None:
        return Extent(phrase, about.box, about)
    words = read_place(phrase)
    elements = tuple(part_meant(desk.elements if among is None else among, phrase))
    if words.sort == "whole" and not words.name:
        return None
    tree = Lineage(elements)
    if (told := clause_rows(desk, phrase, elements)) is not None and not told[0].what:
        return _one_row(desk, phrase, told[1], tree)
    if words.sort == "side":
        return Extent(phrase, _side(_sheet(desk), words.side, tree))
    month = drawn_month(elements) if _CALENDAR.fullmatch(phrase.strip()) else None
    found = Extent(phrase, month.box) if month else _found(desk, phrase, words, tree)
    if found is None and among is None and not (words.side and is_side_bar(phrase)):
        found = _by_description(desk, phrase, tree)
    if found is None:
        raise Missed(f"no {bare_place(phrase)} is there, or how far it reaches cannot be told")
    return found


def members(elements: Iterable[Element], extent: Extent) -> tuple[Element, ...]:
    """What is in a place, whoever found it."""
    listed = tuple(elements)
    own = Lineage(listed).inside(extent.holder) if extent.holder is not None else None

    def is_in(element: Element) -> bool:
        if extent.title is not None and element.id == extent.title.id:
            return False
        if own is None or element.source in ("ocr", "detector"):
            return within(element.box, extent.box)
        if element.id not in own:
            return False
        # A strip of a page holds only a part of what its holder does.
        held = extent.holder is not None and extent.holder.box == extent.box
        return held or within(element.box, extent.box) or extent.title is None

    return tuple(e for e in listed if is_in(e))


def _sheet(desk: Desk) -> Box:
    page = web_page(desk.elements)
    if page is not None and page.box is not None:
        return page.box
    return Box(0, 0, desk.size.width, desk.size.height)


def _side(sheet: Box, side: str, tree: Lineage) -> Box:
    """A half of what is shown; the bottom of a page that is not full is that of what it holds."""
    half = _half(sheet, side)
    said = [e.box for e in tree.elements if e.box and within(e.box, sheet) and _is_leaf(e, tree)]
    if side != "bottom" or not said:
        return half
    middle = min(half.y, (sheet.y + around(said).bottom) // 2)
    return Box(sheet.x, middle, sheet.width, sheet.bottom - middle)


def _is_leaf(element: Element, tree: Lineage) -> bool:
    if kind_of(element) in (Kind.PAGE, Kind.WINDOW):
        return False
    return bool(written_on(element) or _is_used(element)) and not tree.below(element)


def _half(box: Box, side: str) -> Box:
    across, along = box.width // 2, box.height // 2
    halves = {
        "left": Box(box.x, box.y, across, box.height),
        "right": Box(box.x + across, box.y, across, box.height),
        "top": Box(box.x, box.y, box.width, along),
        "bottom": Box(box.x, box.y + along, box.width, along),
    }
    return halves[side]


def _found(desk: Desk, phrase: str, words: PlaceWords, tree: Lineage) -> Extent | None:
    if words.sort == "point":
        x, y = map(int, re.findall(r"\d+", words.name))
        return _around_point(phrase, Point(x, y), tree)
    if words.sort == "dialog":
        return _dialog(desk, phrase, words, tree)
    if words.sort == "row":
        return _row(desk, phrase, words, tree)
    if words.sort == "status":
        return _status(desk, phrase, tree)
    if words.sort in ("any", "group") and (day := day_cell(desk, phrase)) is not None:
        return _whole(phrase, day.element, tree, desk)
    if words.sort == "column" and (column := _column(phrase, words, tree)) is not None:
        return column
    if words.name:
        if (told := _headed_in_full(desk, phrase, words, tree)) is not None:
            return told
        return _named(desk, phrase, words, tree) or _of_what(desk, phrase, words, tree)
    return _unnamed(desk, phrase, words, tree)


def _whole(phrase: str, holder: Element, tree: Lineage, desk: Desk) -> Extent:
    """All of an element, and of its pixels as much as is told of what is in it.

    Raises:
        Missed: It covers everything, and nothing is told of what is in it.
    """
    held = [e for e in tree.below(holder) if e.source in ("tree", "browser") and e.box]
    assert holder.box is not None
    if holder.box.area < MOST * _sheet(desk).area:
        # Of what tells of nothing that is in it, all that lies there is.
        return Extent(phrase, holder.box, holder if held else None)
    leaves = [e.box for e in held if e.box and e.box.area and (written_on(e) or _is_used(e))]
    if not leaves:
        raise Missed(f"how far {phrase} reaches cannot be told")
    return Extent(phrase, around(leaves, SLACK), holder)


def _is_used(element: Element) -> bool:
    return kind_of(element) in CONTROLS or kind_of(element) is Kind.IMAGE


# Dialogs


def _dialog(desk: Desk, phrase: str, words: PlaceWords, tree: Lineage) -> Extent | None:
    shown = all_dialogs(desk.elements)
    if words.name:
        named = [e for e in shown if is_called(written_on(e), words.name)]
        named = named or [e for e in shown if says(written_on(e), words.name)]
        shown = named or [e for e in shown if any(_heads(x, words.name) for x in tree.below(e))]
    if not shown:
        raise Missed(f"no {bare_place(phrase)} is open")
    active = [e for e in shown if "active" in e.states]
    front = active or [e for e in shown if "modal" in e.states] or shown
    return _whole(phrase, front[-1], tree, desk)


def _heads(element: Element, name: str) -> bool:
    kinds = (Kind.HEADING, Kind.TEXT)
    return kind_of(element) in kinds and is_called(written_on(element), name)


# Rows


def _row(desk: Desk, phrase: str, words: PlaceWords, tree: Lineage) -> Extent | None:
    rows = rows_of(tree)
    if not words.name:
        at = words.number - 1 if words.number > 0 else words.number
        if not words.number or not -len(rows) <= at < len(rows):
            raise Missed(f"no {phrase}: there are {len(rows)} rows")
        return _whole(phrase, rows[at], tree, desk)
    for fits in (is_called, says):
        # Of entries in one another the innermost is the row.
        told = [r for r in rows if any(fits(t, words.name) for t in _texts(r, tree))]
        outer = {e.id for r in told for e in tree.above(r)}
        told = [r for r in told if r.id not in outer]
        if len(told) > 1 and words.number:
            at = words.number - 1 if words.number > 0 else words.number
            told = told[at : at + 1 or None]
        if len(told) > 1:
            raise Missed(f"{len(told)} rows say {words.name}")
        if told:
            return _whole(phrase, told[0], tree, desk)
    return _line(desk, phrase, words.name, tree)


def _one_row(desk: Desk, phrase: str, rows: Sequence[Element], tree: Lineage) -> Extent:
    """The row that one of its columns tells of."""
    if len(rows) != 1:
        raise Missed(f"{len(rows) or 'no'} rows are {bare_place(phrase)}")
    return _whole(phrase, rows[0], tree, desk)


def _texts(row: Element, tree: Lineage) -> list[str]:
    held = [*tree.below(row), row]
    said = [e.value or written_on(e) for e in held if kind_of(e) is not Kind.BUTTON]
    return [text for text in said if text] + [" ".join(written_on(e) for e in tree.below(row))]


def _line(desk: Desk, phrase: str, name: str, tree: Lineage) -> Extent | None:
    """What stands on one line with a name, where no application tells of rows."""
    called = [e for e in tree.elements if e.box and is_called(written_on(e), name)]
    leaves = [e for e in called if not any(x in called for x in tree.below(e))]
    if len(leaves) != 1:
        return None
    leaf = leaves[0]
    assert leaf.box is not None
    level = level_with(leaf, tree)
    for holder in tree.above(leaf):
        if level and has_more_lines(around(level), holder, tree):
            # What holds several rows is none itself, however low it is.
            break
        others = [e for e in tree.below(holder) if e.id != leaf.id and written_on(e)]
        others = [e for e in others if not is_called(written_on(e), name)]
        if others and holder.box is not None:
            if holder.box.height > max(ROW, 3 * leaf.box.height):
                break
            return _whole(phrase, holder, tree, desk)
    if leaf.source in ("tree", "browser"):
        return Extent(phrase, around(level)) if level else None
    sheet, margin = _sheet(desk), leaf.box.height // 3
    return Extent(
        phrase,
        Box(sheet.x, max(0, leaf.box.y - margin), sheet.width, leaf.box.height + 2 * margin),
    )


def _around_point(phrase: str, at: Point, tree: Lineage) -> Extent | None:
    here = [e for e in tree.elements if e.box and e.box.contains(at)]
    entries = [e for e in here if kind_of(e) in ENTRIES]
    saying = [e for e in here if sum(bool(written_on(x)) for x in tree.below(e)) > 1]
    kept = entries or saying or here
    best = min(kept, key=lambda e: e.box.area if e.box else 0, default=None)
    return Extent(phrase, best.box, best) if best is not None and best.box is not None else None


# Columns and bars


def _column(phrase: str, words: PlaceWords, tree: Lineage) -> Extent | None:
    """Everything under the heading of a column of a table."""
    heads = [e for e in tree.elements if kind_of(e) is Kind.COLUMN and e.box]
    if words.name:
        heads = [e for e in heads if is_called(written_on(e), words.name)]
    elif words.number:
        at = words.number - 1 if words.number > 0 else words.number
        heads = heads[at : at + 1 or None]
    if len(heads) != 1:
        return None
    head = heads[0]
    assert head.box is not None
    # The headings may be a table of their own, above the one with the cells.
    cells = [
        e.box
        for e in tree.elements
        if kind_of(e) is Kind.CELL and e.box and head.box.x <= e.box.center.x < head.box.right
        if e.box.y >= head.box.bottom - 2
    ]
    return Extent(phrase, around([head.box, *cells]), None, head)


def _status(desk: Desk, phrase: str, tree: Lineage) -> Extent | None:
    bars = [e for e in tree.elements if e.role == "status bar" and e.box and e.box.area]
    if bars:
        low = max(bars, key=lambda e: e.box.y if e.box else 0)
        return _whole(phrase, low, tree, desk)
    if (page := web_page(desk.elements)) is not None and page.box is not None:
        box = page.box
        strip = Box(box.x, max(box.y, box.bottom - STRIP), box.width, min(STRIP, box.height))
        said = [e for e in tree.elements if _is_leaf(e, tree) and within(e.box, strip)]
        return Extent(phrase, strip) if said else None
    frames = [e.box for e in desk.elements if e.role in ("frame", "window") and e.box]
    if not frames:
        return None
    box = frames[-1]
    return Extent(phrase, Box(box.x, max(0, box.bottom - STRIP), box.width, STRIP))


# Parts with a name, and without


def _panel(phrase: str, called: Sequence[Element], tree: Lineage) -> Extent | None:
    """What the one tab of that name shows, where its panel is known.

    Raises:
        Missed: Another tab is open.
    """
    tabs = [e for e in called if kind_of(e) is Kind.TAB]
    if len(tabs) != 1:
        return None
    if (panel := panel_of(tabs[0], tree)) is not None and panel.box is not None:
        held = [e.box for e in tree.below(panel) if e.box and e.box.area]
        # Where the panel is told as a part of its handle, that is all that has a place of it.
        box = around(held) if panel is tabs[0] and held else panel.box
        return Extent(phrase, box, panel)
    if is_behind_another(tabs[0], tree):
        raise Missed(f"{bare_place(phrase)} is not the one that is open")
    return None


def _named(desk: Desk, phrase: str, words: PlaceWords, tree: Lineage) -> Extent | None:
    called = [e for e in tree.elements if e.box and is_called(written_on(e), words.name)]
    if words.sort == "tab" and (panel := _panel(phrase, called, tree)) is not None:
        return panel
    called = called or [e for e in tree.elements if e.box and _heads_as_own(e, words.name)]
    called = [e for e in called if e.source in ("tree", "browser")] or called
    kinds = _KINDS.get(words.sort, _KINDS["group"])
    holding = [e for e in called if kind_of(e) in kinds and tree.below(e)]
    if words.sort in ("any", "group", "tab", "column", "list", "table"):
        holding = holding or [e for e in called if kind_of(e) in HOLDERS and tree.below(e)]
        holding = holding or _with_panel(called, tree)
    inner = {e.id for one in holding for e in tree.below(one)}
    outer = [e for e in holding if e.id not in inner]
    if len(outer) > 1:
        raise Missed(f"there are {len(outer)} of {phrase}")
    if outer:
        return _whole(phrase, outer[0], tree, desk)
    if words.sort in ("any", "group") and (entry := _entry(called, tree)) is not None:
        return _whole(phrase, entry, tree, desk)
    return _titled(desk, phrase, called, tree, kinds)


def _headed_in_full(desk: Desk, phrase: str, words: PlaceWords, tree: Lineage) -> Extent | None:
    """What stands under a heading that says all of it: 课程表 is no table about 课程."""
    if words.number or words.side or words.sort not in ("list", "table", "group", "column"):
        return None
    full = re.sub(r"(?:里面|里|中|内)$", "", bare_place(phrase)).strip('"“”[] ')
    heads = [e for e in tree.elements if e.box and kind_of(e) is Kind.HEADING]
    called = [e for e in heads if fold(written_on(e)) == fold(full) or _heads_as_own(e, full)]
    if len({e.box for e in called}) != 1 or fold(full) == fold(words.name):
        return None
    return _titled(desk, phrase, called, tree, _KINDS.get(words.sort, ()))


def _heads_as_own(element: Element, name: str) -> bool:
    """Whether a heading says the name as the reader's own, or with a number: "Your cart (2)"."""
    if kind_of(element) is not Kind.HEADING:
        return False
    said = re.sub(r"\s*\(?\d+\)?\s*$", "", written_on(element))
    return is_called(
        re.sub(r"^(?:(?:your|my|our|the)\s+|[我你您]们?的)", "", said, flags=re.IGNORECASE), name
    )


def _with_panel(called: Sequence[Element], tree: Lineage) -> list[Element]:
    """Tabs that hold what they show, as applications tell it."""
    tabs = [e for e in called if kind_of(e) is Kind.TAB and "selected" in e.states]
    return [e for e in tabs if any(kind_of(x) in HOLDERS | CONTROLS for x in tree.below(e))]


def _entry(called: Sequence[Element], tree: Lineage) -> Element | None:
    entries = {r.id: r for e in called for r in (e, *tree.above(e)) if kind_of(r) in ENTRIES}
    return next(iter(entries.values())) if len(entries) == 1 else None


def _headings_of(texts: Sequence[Element], tree: Lineage) -> list[Element]:
    """The texts, each as the heading that it is all of but a number: To do of "To do (2)"."""
    found: dict[str, Element] = {}
    for text in texts:
        above = next(iter(tree.above(text)), None)
        own = above is not None and _heads_as_own(above, written_on(text).strip())
        title = above if above is not None and own else text
        found[title.id] = title
    return list(found.values())


def _titled(
    desk: Desk,
    phrase: str,
    called: Sequence[Element],
    tree: Lineage,
    kinds: tuple[Kind, ...] = (),
) -> Extent | None:
    """What stands under a title; of a list, the one right under it."""
    titles = [e for e in called if kind_of(e) is Kind.HEADING]
    titles = titles or _headings_of([e for e in called if kind_of(e) is Kind.TEXT], tree)
    inner = {x.id for e in titles for x in tree.below(e)}
    titles = [e for e in titles if e.id not in inner]
    if len(titles) != 1:
        return None
    title = titles[0]
    mere = kind_of(title) is Kind.TEXT and read_place(phrase).sort == "column"
    if mere and (lane := lane_under(title, tree)) is not None:
        return Extent(phrase, lane[1], lane[0], title)
    if kinds in (_KINDS["list"], _KINDS["table"]) and (list_ := listed_under(title, kinds, tree)):
        return _whole(phrase, list_, tree, desk)
    if (section := section_under(title, tree)) is not None and section.box is not None:
        return _whole(phrase, section, tree, desk)
    strip = under_heading(title, tree)
    return Extent(phrase, strip[1], strip[0], title) if strip is not None else None


def _unnamed(desk: Desk, phrase: str, words: PlaceWords, tree: Lineage) -> Extent | None:
    kinds = _KINDS.get(words.sort, ())
    listed = [e for e in tree.elements if kind_of(e) in kinds and e.box and e.box.area]
    listed = [e for e in listed if any(written_on(x) for x in tree.below(e))] or listed
    trees = [e for e in listed if kind_of(e) is Kind.TREE] if _TREE.search(phrase) else []
    listed = trees or listed
    if words.sort == "group":
        sheet = _sheet(desk)
        listed = [e for e in listed if e.box and e.box.area < sheet.area // 2]
        if words.side:
            half = _half(sheet, words.side)
            listed = [e for e in listed if e.box and half.intersect(e.box) == e.box]
    inner = {e.id for one in listed for e in tree.below(one)}
    outer = [e for e in listed if e.id not in inner]
    if len(outer) > 1 and words.sort in ("list", "table"):
        outer = but_ways(with_head(but_pagers(outer, tree), tree), tree, kinds[0])
    if not outer and words.sort in ("list", "table"):
        outer = (drawn_tree(tree) if _TREE.search(phrase) else []) or repeating(tree)
    if words.sort == "bar":
        outer = bars_of_page(outer, tree)
    if is_side_bar(phrase):
        aside = side_bars(_sheet(desk), tree, words.side)
        outer = aside if aside or (words.side and words.sort != "menu") else outer
    if words.side and len(outer) > 1:
        outer = _at_side(outer, words.side)
    if ends := heads_and_feet(phrase, outer, tree):
        return Extent(phrase, around([e.box for e in ends if e.box]))
    if words.number and outer:
        at = words.number - 1 if words.number > 0 else words.number
        outer = outer[at : at + 1 or None]
    if len(outer) > 1:
        front = [e for e in outer if kind_of(e) is Kind.MENU or "focused" in e.states]
        outer = front[-1:] or outer
    if len(outer) > 1:
        each = [_whole(phrase, e, tree, desk) for e in outer]
        raise Several(f"there are {len(outer)} of {phrase}: say which one", each)
    return _whole(phrase, outer[0], tree, desk) if outer else None


def _of_what(desk: Desk, phrase: str, words: PlaceWords, tree: Lineage) -> Extent | None:
    """The one list there is, where its name only says what is in it, and so does what is shown."""
    if words.sort not in ("list", "table") or not is_evident(words.name, phrase, tree):
        return None
    try:
        return _unnamed(desk, phrase, replace(words, name=""), tree)
    except Missed:
        return None


def _at_side(listed: Sequence[Element], side: str) -> list[Element]:
    at = {"left": (0, 1), "right": (0, -1), "top": (1, 1), "bottom": (1, -1)}[side]

    def place(element: Element) -> int:
        assert element.box is not None
        centre = element.box.center
        return at[1] * (centre.y if at[0] else centre.x)

    ranked = sorted(listed, key=place)
    return ranked[:1] if place(ranked[0]) < place(ranked[1]) else list(ranked)


def _by_description(desk: Desk, phrase: str, tree: Lineage) -> Extent | None:
    """What the eyes take the words for, where it is something that holds others."""
    match = resolve(desk, look_for(desk, wished(phrase), want="hold"))
    element = match.element if match is not None else None
    if element is None or element.box is None:
        return None
    if kind_of(element) in HOLDERS | set(ENTRIES) and tree.below(element):
        return _whole(phrase, element, tree, desk)
    return _titled(desk, phrase, [element], tree)
