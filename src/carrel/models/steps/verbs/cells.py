"""Cells of tables that hold no field: opened to be edited in place, filled, and read again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from carrel.actions import Action, Click, Key
from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.reading import fold, text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.drop_downs import came_up_at, choose_from_combo, listed_under
from carrel.models.steps.verbs.fields import typed
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.readback import agrees, mismatch
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, Kind, is_field, kind_of

__all__ = ["cell_in_row", "edit_cell", "is_edited_in_place"]

SLACK = 4
"""Pixels by which a cell may be elsewhere when its text changes."""
OPENING = (0.0, 0.2, 0.4)
KEPT = (0.0, 0.2, 0.5)
"""Seconds between looks for an editor, and for what a cell holds when it is left."""
SURELY = 1.0
"""Seconds of a last look, before keys go to a cell: typed into an editor they would add to it."""
Again = Callable[[], Element | None]
_HEADS = (Kind.CELL, Kind.COLUMN)
_QUOTE = "\"“”'‘’"
_NUMBERED = (
    re.compile(
        r"(?:the )?(?P<column>.+?)(?: cell| field| column)? (?:of|in|for) (?:the )?row (?:number )?"
        r"(?P<row>\d+)",
        re.IGNORECASE,
    ),
    re.compile(r"(?:the )?row (?P<row>\d+)['’]s (?P<column>.+?)(?: cell)?", re.IGNORECASE),
    re.compile(r"第\s*(?P<row>\d+)\s*行(?:里|中)?的?\s*(?P<column>.+?)(?:单元格|一?[列栏格])?"),
)
_OF_ROW = re.compile(
    r"(?:the )?(?P<column>.+?)(?: cell| field)? (?:of|in|for) (?:the )?row (?:of|for|with|named) "
    r"(?:the )?(?P<row>.+)",
    re.IGNORECASE,
)


_CELL = re.compile(r"\b(?:cells?|rows?|columns?|table)\b|行|列|单元格|表格", re.IGNORECASE)


def is_edited_in_place(element: Element, phrase: str) -> bool:
    """Whether it is a cell that only shows what it holds.

    Raises:
        Missed: It is but drawn as one, and words that speak of no cell may mean a field by it.
    """
    if kind_of(element) is not Kind.CELL or is_field(element):
        return False
    if element.source == "detector" and not _CELL.search(phrase):
        raise Missed(f"{named(element)} is only drawn as a cell; no field is called {phrase}")
    return True


# Which cell is meant


def cell_in_row(desk: Desk, phrase: str, line: int) -> Element | None:
    """The cell without a control where a row and a column meet; None where that is not said.

    Rows that write their numbers are counted by these, and headings may be drawn as cells. A
    heading alone means the row that the same line of the steps has just written in.

    Raises:
        Missed: A heading alone was said, and no row.
    """
    cell = _crossing(desk, phrase, line)
    if cell is None:
        return None
    held = Lineage(desk.seen.elements).below(cell)
    used = [e for e in held if kind_of(e) in CONTROLS or is_field(e)]
    return None if used else cell


def _crossing(desk: Desk, phrase: str, line: int) -> Element | None:
    for form in _NUMBERED:
        if found := form.fullmatch(phrase.strip()):
            for rows in _tables(desk):
                row = _numbered(rows, found["row"])
                if row is not None and (cell := _under(rows, row, found["column"])) is not None:
                    return cell
    if found := _OF_ROW.fullmatch(phrase.strip()):
        for rows in _tables(desk):
            called = [row for row in rows[1:] if _says(row, found["row"])]
            cell = _under(rows, called[0], found["column"]) if len(called) == 1 else None
            if cell is not None:
                return cell
    if desk.place is not None or desk.scope is not None:
        return _in_row_said(desk, phrase)
    return _in_row_worked(desk, phrase, line)


def _in_row_said(desk: Desk, phrase: str) -> Element | None:
    """The cell under a heading in the one row that the step is about."""
    shown = {e.id for e in desk.elements}
    for area in desk.place.areas if desk.place is not None else (None,):
        for rows in _tables(desk):
            inner = [
                row
                for row in rows[1:]
                if all(e.id in shown and (area is None or within(e.box, area)) for e in row)
            ]
            if len(inner) == 1 and len(inner[0]) > 1:
                return _under(rows, inner[0], phrase)
            if inner:
                return None
    return None


def _in_row_worked(desk: Desk, phrase: str, line: int) -> Element | None:
    for rows in _tables(desk):
        head = next((e for e in rows[0] if _same(written_on(e), phrase)), None)
        if head is None or kind_of(head) is not Kind.CELL or len(rows) < 2:
            continue
        written = desk.written
        for row in rows[1:] if written is not None and written[0] == line else ():
            if any(e.box is not None and e.box == written[1] for e in row if written):
                return _under(rows, row, phrase)
        if not _is_field_called(desk, phrase):
            raise Missed(f"{named(head)} is the heading of a column; it is not said which row")
    return None


def _is_field_called(desk: Desk, phrase: str) -> bool:
    found = resolve(desk, look_for(desk, wished(phrase, (Kind.FIELD,)), want="type"))
    return found is not None and is_field(found.element)


def _tables(desk: Desk) -> Iterator[list[list[Element]]]:
    """The cells of each table, row by row."""
    elements = part_meant(desk.seen.elements, "")
    tree = Lineage(elements)
    for table in (e for e in elements if kind_of(e) is Kind.TABLE):
        rows = sorted((e for e in tree.below(table) if kind_of(e) is Kind.ROW), key=_place)
        held = ([e for e in tree.below(row) if kind_of(e) in _HEADS and e.box] for row in rows)
        listed = [sorted(cells, key=_place) for cells in held if cells]
        if len(listed) > 1:
            yield listed


def _place(element: Element) -> tuple[int, int]:
    return (element.box.y, element.box.x) if element.box is not None else (0, 0)


def _numbered(rows: Sequence[Sequence[Element]], number: str) -> Sequence[Element] | None:
    """The row that says the number at its beginning, where the rows are counted there."""
    said = [_plain(written_on(row[0])) for row in rows[1:]]
    counted = said == [str(n) for n in range(1, len(said) + 1)]
    return rows[int(number)] if counted and 0 < int(number) < len(rows) else None


def _under(
    rows: Sequence[Sequence[Element]], row: Sequence[Element], column: str
) -> Element | None:
    heads = [e for e in rows[0] if _same(written_on(e), column)]
    if len(heads) != 1 or heads[0].box is None:
        return None
    left, right = heads[0].box.x, heads[0].box.right
    under = [e for e in row if e.box is not None and left <= e.box.center.x < right]
    return under[0] if len(under) == 1 and kind_of(under[0]) is Kind.CELL else None


def _says(row: Sequence[Element], name: str) -> bool:
    return any(_same(written_on(e), name) for e in row)


def _same(text: str, said: str) -> bool:
    return bool(_plain(text)) and _plain(text) == _plain(said)


def _plain(text: str) -> str:
    bare = re.sub(r"^(?:the|its)\s+", "", text.replace("\u00a0", " ").strip(), flags=re.IGNORECASE)
    return fold(bare.strip(_QUOTE))


# Its editor


def edit_cell(
    desk: Desk, cell: Element, text: str, again: Again, *, line: int = 0, append: bool = False
) -> Turns[None]:
    """Open a cell by a click or two, replace what it holds, and read it again.

    `again` tells which cell is meant, as the screen is then.

    Raises:
        Missed: It does not open, or holds something else afterwards; no editor is left open.
    """
    assert cell.box is not None
    desk.worked = cell.box
    held = [e for e in desk.elements if e.id in Lineage(desk.elements).inside(cell)]
    over = [e for e in held if kind_of(e) in CONTROLS and e.box and e.box.contains(cell.box.center)]
    if over:
        raise Missed(f"{named(cell)} holds {named(over[0])}, and no field to type into")
    said, before = text_of(cell, desk.elements).strip(), desk.elements
    wanted = said + text if append else text
    editor = yield from _open(desk, cell)
    try:
        yield from _fill(desk, editor, wanted, before, cell)
        yield from _see_kept(desk, cell, wanted, again)
    except Missed:
        if _editor(desk, cell) is not None:
            yield from desk.do(Key(("escape",)), why="close it again", commits=False)
        raise
    desk.written = (line, cell.box)


def _open(desk: Desk, cell: Element) -> Turns[Element | None]:
    """The field that a cell has become; None where it only takes keys.

    Raises:
        Missed: Neither.
    """
    assert cell.box is not None
    at = cell.box.center
    ways: list[tuple[Action, str]] = [(Click(at.x, at.y), "whether a click opens it to be edited")]
    if web_page(desk.elements) is not None:
        # In the lists of programs two clicks open the thing itself.
        ways.append((Click(at.x, at.y, count=2), "whether a double click does"))
    else:
        ways.append((Key(("f2",)), "whether the key for that does"))
    for action, why in ways:
        yield from desk.do(action, why=f"{named(cell)}: {why}", commits=False)
        for pause in OPENING:
            if pause:
                yield from desk.again(pause, why="an editor may take a moment to open")
            if (editor := _editor(desk, cell)) is not None:
                return editor
            if not pause and action.type == "click" and not desk.changed:
                break
    yield from desk.again(SURELY, why="an editor may be slow to open")
    if (editor := _editor(desk, cell)) is not None:
        return editor
    now = _at(desk, cell)
    if now is None:
        raise Missed(f"{named(cell)} is gone after it was clicked to be edited")
    if not {"focused", "selected"} & set(now.states):
        told = f"it holds {text_of(now, desk.elements).strip()!r}"
        raise Missed(f"{named(cell)} does not open to be edited; {told}")
    return None


def _editor(desk: Desk, cell: Element) -> Element | None:
    """The field with the keyboard where the cell is."""
    return next(
        (
            e
            for e in desk.seen.elements
            if "focused" in e.states and within(e.box, cell.box)
            if is_field(e) or kind_of(e) is Kind.COMBO
        ),
        None,
    )


def _fill(
    desk: Desk, editor: Element | None, text: str, before: tuple[Element, ...], cell: Element
) -> Turns[None]:
    if editor is not None and kind_of(editor) is Kind.COMBO and not is_field(editor):
        yield from choose_from_combo(desk, editor, text)
        return
    match = listed_under(desk, editor or cell, text, before)
    if match is not None:
        at = match.point
        yield from desk.do(Click(at.x, at.y), why=f"take {named(match.element)}", last=True)
        return
    if editor is None and came_up_at(desk, cell, before):
        # Whoever opened that list has an editor, which nobody tells of.
        yield from desk.do(Key(("escape",)), why="close the list again", commits=False)
        raise Missed(f"{named(cell)} lists what it takes, and {text!r} is not there")
    # Nothing is selected in a cell that only takes keys: what is typed replaces all of it.
    over: tuple[Action, ...] = () if editor is None else (Key(("ctrl", "a")),)
    text_in: Action = typed(text) if text else Key(("delete",))
    lines = editor is not None and kind_of(editor) is Kind.CELL
    leave = Key(("tab",)) if lines else Key(("enter",))
    why = "replace what it holds, and keep it"
    yield from desk.do(*over, text_in, leave, why=why, last=True)


def _see_kept(desk: Desk, cell: Element, wanted: str, again: Again) -> Turns[None]:
    """See that a cell that was left says what it was given.

    Raises:
        Missed: It says something else, or is still open.
    """
    held: str | None = None
    for pause in KEPT:
        if pause:
            yield from desk.again(pause, why="what the cell holds now")
        now, editor = _now(desk, cell, again), _editor(desk, cell)
        if editor is not None and (now is None or editor in Lineage(desk.seen.elements).below(now)):
            continue
        held = None if now is None else text_of(now, desk.elements).strip()
        if held is not None and agrees(held, wanted, cell):
            return
    if (editor := _editor(desk, cell)) is not None:
        raise Missed(f"{named(cell)} does not take {wanted!r}: {text_of(editor, ())!r} stays open")
    if held is None:
        raise Missed(f"{named(cell)} is gone after {wanted!r} was typed")
    raise Missed(mismatch(named(cell), cell, held, wanted))


def _now(desk: Desk, cell: Element, again: Again) -> Element | None:
    """The cell that is meant now: its row may have gone elsewhere with the new value."""
    found = again()
    return found if found is not None and kind_of(found) is Kind.CELL else _at(desk, cell)


def _at(desk: Desk, cell: Element) -> Element | None:
    box = cell.box
    assert box is not None
    return next(
        (
            e
            for e in desk.elements
            if kind_of(e) is Kind.CELL and e.box is not None
            if max(abs(e.box.x - box.x), abs(e.box.y - box.y)) <= SLACK
        ),
        None,
    )
