"""Cells of spreadsheets by their address: gone to through the field that shows where one is.

Such a program draws its cells, or has so many that it tells of none. What it tells of is a field
with the address of the cell that one is at (`B2`), and beside it what that cell holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.actions import Action, Click, GetClipboard, Key, SetClipboard, Type
from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Condition, Has
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.shown.captions import shared_height
from carrel.models.steps.shown.reading import field_value
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = [
    "go_to_cell",
    "held_in_cell",
    "holds_cells",
    "is_of_cell",
    "meant_cell",
    "meant_range",
    "sheet_there",
    "shown_in_cell",
]

_ADDRESS = r"\$?[A-Z]{1,3}\$?[1-9][0-9]{0,6}"
_AT = re.compile(rf"(?:[\w' ]+[!.])?{_ADDRESS}(?::{_ADDRESS})?")
_BARE = re.compile(_ADDRESS)
_CELL = r"[A-Za-z]{1,3}[1-9][0-9]{0,6}"
_SAID = re.compile(
    rf"(?:the )?(?:cell|单元格|储存格|格子)\s*[\"“”']?(?P<one>{_CELL})[\"“”']?"
    rf"|(?:the )?[\"“”']?(?P<other>{_CELL})[\"“”']?\s*(?:cell|单元格|储存格|格子?)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?:the\s+)?(?:(?:cells?|(?:cell\s+)?range|block)(?:\s+of\s+cells)?\s+|单元格(?:区域)?\s*|区域\s*)?"
    rf"(?:from\s+|从\s*)?[\"“]?(?P<one>{_CELL})\s*(?:to|through|until|till|:|：|-|–|到|至|~)\s*"
    rf"(?P<other>{_CELL})[\"”]?(?:\s*(?:cells?|range|的?(?:单元格|区域|这些单元格)))?",
    re.IGNORECASE,
)
COMING = (0.3, 0.7, 1.5, 2.5, 3.0)
"""Seconds between looks for a sheet."""
_TYPED = (Kind.FIELD, Kind.COMBO)


def _name_box(elements: Sequence[Element]) -> Element | None:
    """The field that says which cell one is at; another one stands beside it."""
    fields = [e for e in elements if e.box is not None and (is_field(e) or kind_of(e) in _TYPED)]
    at = [e for e in fields if _AT.fullmatch((e.value or e.text or e.name).strip())]
    over = [e for e in at if any(_is_right_of(o, e) or _is_sheet_below(o, e) for o in elements)]
    return over[0] if over else None


def _is_sheet_below(one: Element, box: Element) -> bool:
    """Whether it is a table that is written in as a whole, and tells of no cell."""
    known = one.role == "table" and {"editable", "manages descendants"} & set(one.states)
    return bool(known) and one.box is not None and box.box is not None and one.box.y > box.box.y


def _is_right_of(one: Element, other: Element) -> bool:
    if not is_field(one) or one.role == "table":
        return False
    if one.box is None or other.box is None or one.id == other.id:
        return False
    return one.box.x >= other.box.right - 4 and shared_height(one.box, other.box) >= 0.5


def _content_bar(desk: Desk) -> Element | None:
    """The field with what the cell holds that one is at: the widest beside its address."""
    box = _name_box(desk.elements)
    if box is None:
        return None
    beside = [e for e in desk.elements if _is_right_of(e, box)]
    return max(beside, key=lambda e: e.box.width if e.box else 0, default=None)


def held_in_cell(desk: Desk) -> str | None:
    """What the cell holds that one is at, as the field over the sheet says; None if none does."""
    bar = _content_bar(desk)
    return None if bar is None or bar.value is None else field_value(bar)


def holds_cells(desk: Desk, elements: Sequence[Element] | None = None) -> bool:
    """Whether a spreadsheet is on the screen, or among these, and no field has the keyboard."""
    shown = desk.elements if elements is None else elements
    box = _name_box(shown)
    typed_in = any("focused" in e.states and is_field(e) and e.role != "table" for e in shown)
    return box is not None and not typed_in


def meant_cell(desk: Desk, phrase: str) -> str | None:
    """The address that a phrase means, where a spreadsheet is there; None for other things."""
    text = phrase.strip().strip("\"“”'")
    said = _SAID.fullmatch(phrase.strip())
    address = (said["one"] or said["other"]) if said else text if _BARE.fullmatch(text) else None
    if address is None or _name_box(desk.elements) is None:
        return None
    if said is None:
        # Something else may be called so.
        found = resolve(desk, look_for(desk, wished(f'"{text}"')))
        if found is not None and not _is_address(desk, found.element):
            return None
    return address.upper().replace("$", "")


def meant_range(desk: Desk, phrase: str) -> str | None:
    """The cells `A1:B3` that a phrase means, where a spreadsheet is there."""
    said = _RANGE.fullmatch(phrase.strip())
    if said is None or _name_box(desk.elements) is None:
        return None
    return f"{said['one']}:{said['other']}".upper()


def sheet_there(desk: Desk, phrase: str) -> Turns[None]:
    """Wait for the sheet of a program that is coming up, where a phrase is for a cell of one."""
    if _SAID.fullmatch(phrase.strip()) is None or web_page(desk.elements) is not None:
        return
    for pause in COMING:
        if _name_box(desk.elements) is not None or is_there(look_for(desk, wished(phrase))):
            return
        yield from desk.again(pause, why=f"no sheet with {phrase} yet")


def _is_address(desk: Desk, element: Element) -> bool:
    box = _name_box(desk.elements)
    return box is not None and (element.id == box.id or element.parent == box.id)


def go_to_cell(desk: Desk, address: str) -> Turns[None]:
    """Make a cell the one that one is at, or select a range of them.

    Raises:
        Missed: The sheet does not say that it is.
    """
    box = _name_box(desk.elements)
    if box is None or box.box is None:
        raise Missed(f"no field shows which cell one is at, to go to {address}")
    yield from _enter_what_was_typed(desk)
    at = box.box.center
    keys: tuple[Action, ...] = (Key(("ctrl", "a")), Type(address), Key(("enter",)))
    why = f"go to the cell {address} by the field that shows where one is"
    yield from desk.do(Click(at.x, at.y), *keys, why=why, commits=False)
    shown = ""
    for pause in (0.0, 0.2, 0.5):
        if pause:
            yield from desk.again(pause, why=f"whether {address} is reached")
        now = _name_box(desk.elements)
        shown = _shown(now) if now is not None else ""
        if shown == address.split(":")[0] and _is_whole(now, address):
            return
    raise Missed(f"the sheet shows {shown or 'no cell'} after going to {address}")


def _enter_what_was_typed(desk: Desk) -> Turns[None]:
    """Finish the entry that was typed last: some programs drop it when one goes elsewhere."""
    begun, desk.cell_open = desk.cell_open, None
    if begun is not None and begun == desk.commits:
        why = "enter what was typed before going to another cell"
        yield from desk.do(Key(("enter",)), why=why, commits=False)


def is_of_cell(desk: Desk, condition: Condition) -> bool:
    """Whether a claim is about a cell of a sheet, which is gone to for every look."""
    return isinstance(condition, Has) and meant_cell(desk, condition.what) is not None


def _is_whole(box: Element | None, address: str) -> bool:
    """Whether the field says that all cells of a range are selected, where it says how many."""
    text = "" if box is None else (box.value or box.text or box.name).strip()
    return ":" not in address or ":" not in text or text.replace("$", "").endswith(address)


def _shown(box: Element) -> str:
    text = (box.value or box.text or box.name).strip()
    return re.split(r"[!.]", text)[-1].split(":")[0].replace("$", "").upper()


def shown_in_cell(desk: Desk, address: str) -> Turns[str]:
    """What a cell shows: its text as it would be copied; the clipboard is put back after that."""
    yield from go_to_cell(desk, address)
    before = yield from _clipboard(desk)
    blank: tuple[Action, ...] = (SetClipboard(""), Key(("ctrl", "c")))
    yield from desk.attempt(*blank, why=f"what {address} shows, as it is copied", commits=False)
    text = yield from _clipboard(desk)
    back: tuple[Action, ...] = (Key(("escape",)), SetClipboard(before))
    yield from desk.attempt(*back, why="the clipboard as it was", commits=False)
    return text.strip("\r\n\t ")


def _clipboard(desk: Desk) -> Turns[str]:
    results = yield from desk.attempt(GetClipboard(), why="what is copied", commits=False)
    return str(results[0].data.get("text", "")) if results and results[0].ok else ""
