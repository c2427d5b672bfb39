"""Entries: rows of a table, items of a list; what belongs to one, and how many there are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk, children_of, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.numbers import han_number
from carrel.perception.roles import TICKED, Kind, is_disabled, kind_of

__all__ = [
    "entry_groups",
    "entry_of",
    "is_entries",
    "listed_entries",
    "own_parts",
    "several_entries",
    "tick_box_of",
]

_ENTRIES = (Kind.ROW, Kind.OPTION, Kind.TREE_ITEM)
_NOUN = (
    r"(?:messages?|e-?mails?|mails?|files?|folders?|documents?|items?|entries|entry|rows?|records?|"
    r"tasks?|to-?dos?|orders?|products?|articles?|results?|photos?|contacts?|invoices?|notes?|"
    r"events?|posts?|comments?|users?|songs?|tickets?|bookings?|cards?|lines?|ones?|people|persons?|"
    r"employees?|members?|customers?|clients?|students?|guests?|flats?|rooms?|books?|films?|movies?|"
    r"countries|cities|companies|projects?|issues?|bugs?|jobs?|payments?|transactions?|expenses?|"
    r"courses?|meetings?|appointments?|reservations?|reviews?|recipes?)"
)
_NOUN_ZH = (
    r"(?:邮件|消息|信息|文件夹?|文档|项目?|条目|行|记录|任务|待办(?:事项)?|事项|订单|商品|产品|"
    r"结果|照片|联系人|发票|笔记|评论|用户|歌曲|预订|日程|卡片)"
)
_COUNTED = "one two three four five six seven eight nine ten"
_NUMBERS = {w: n for n, w in enumerate(_COUNTED.split(), 1)}
_FIRST = re.compile(
    rf"(?:the )?(?P<side>first|top|last|bottom) (?P<number>\w+) (?:\w+ )?{_NOUN}", re.IGNORECASE
)
_FIRST_ZH = re.compile(
    rf"(?P<side>前|头|最后|末尾?)(?P<number>\d+|[一二两三四五六七八九十]+)[个条封项份行张位]?的?{_NOUN_ZH}?"
)
_ALL = re.compile(
    rf"(?:all |every |each |the |(?:of )?the |remaining |other |rest of )*{_NOUN}"
    rf"|(?:所有|全部|每[个条封项份]?|剩[下余]|其余|其他|的|列表[中里]的?)*{_NOUN_ZH}",
    re.IGNORECASE,
)


def entry_of(elements: Sequence[Element], element: Element) -> Element | None:
    """The row or item that something is in; itself where it is one."""
    above = {e.id: e for e in elements}
    at: Element | None = element
    for _ in range(200):
        if at is None or kind_of(at) in _ENTRIES:
            return at
        at = above.get(at.parent or "")
    return None


def tick_box_of(elements: Sequence[Element], element: Element) -> Element | None:
    """The one box to tick in the entry of something."""
    entry = entry_of(elements, element)
    if entry is None:
        return _on_line(elements, element)
    below = [
        e.box for e in elements if kind_of(e) in _ENTRIES and e.id != entry.id and e.box is not None
    ]
    # What is in an entry of its own within this one belongs to that.
    others = [box for box in below if entry.box is not None and within(box, entry.box)]
    inside = [e for e in elements if e.id != entry.id and within(e.box, entry.box)]
    boxes = [e for e in inside if kind_of(e) is Kind.CHECKBOX and not is_disabled(e)]
    mine = [e for e in boxes if not any(within(e.box, box) for box in others)]
    return mine[0] if len(mine) == 1 else None


def _on_line(elements: Sequence[Element], cell: Element) -> Element | None:
    """The one box to tick in the cells on one line with a cell, of a table without rows."""
    if kind_of(cell) is not Kind.CELL or cell.box is None or cell.parent is None:
        return None
    middle = cell.box.center.y
    line = {
        e.id
        for e in elements
        if e.parent == cell.parent and kind_of(e) is Kind.CELL and e.box is not None
        if e.box.y <= middle < e.box.bottom
    }
    boxes = [e for e in elements if e.parent in line and kind_of(e) is Kind.CHECKBOX]
    return boxes[0] if len(boxes) == 1 and not is_disabled(boxes[0]) else None


def own_parts(tree: Lineage, entry: Element) -> list[Element]:
    """What an entry holds, but for the entries below it and what is in those."""
    below = tree.below(entry)
    nested: set[str] = set()
    for inner in (e for e in below if kind_of(e) in _ENTRIES):
        nested |= tree.inside(inner)
    return [e for e in below if e.id not in nested]


def listed_entries(desk: Desk) -> list[Element]:
    """The entries of the one list or table that is shown; none where it is not certain which."""
    groups = entry_groups(desk)
    several = [group for group in groups if len(group) > 1] or groups
    boxed = [g for g in several if all(tick_box_of(desk.elements, e) is not None for e in g)]
    chosen = boxed if len(boxed) == 1 else several
    return chosen[0] if len(chosen) == 1 else []


def entry_groups(desk: Desk) -> list[list[Element]]:
    """The entries of each list or table that is shown."""
    shown = [e for e in part_meant(desk.elements, "") if e.box is not None]
    groups: dict[str, list[Element]] = {}
    for entry in (e for e in shown if kind_of(e) in _ENTRIES):
        if not _is_heading(desk, entry) and not _is_in_menu(desk, entry):
            groups.setdefault(entry.parent or "", []).append(entry)
    return list(groups.values())


def _is_heading(desk: Desk, entry: Element) -> bool:
    kinds = {kind_of(e) for e in children_of(desk.elements, entry)}
    return Kind.COLUMN in kinds and Kind.CELL not in kinds


def _is_in_menu(desk: Desk, entry: Element) -> bool:
    above = {e.id: e for e in desk.elements}
    parent = above.get(entry.parent or "")
    kinds = (Kind.COMBO, Kind.MENU, Kind.TOOLBAR)
    return parent is not None and (kind_of(parent) in kinds or kind_of(entry) in TICKED)


def is_entries(phrase: str) -> bool:
    """Whether it means entries of a list, whatever they are: "all tasks"."""
    return _ALL.fullmatch(phrase.strip()) is not None


def several_entries(desk: Desk, phrase: str) -> list[Element] | None:
    """The entries that "the first two messages" means; None where it means no such.

    An empty list where there are not so many, or it is not certain of what.
    """
    said = _FIRST.fullmatch(phrase.strip()) or _FIRST_ZH.fullmatch(phrase.strip())
    if said is None:
        return None
    word = said["number"].casefold()
    number = int(word) if word.isdigit() else _NUMBERS.get(word) or han_number(word) or 0
    entries = listed_entries(desk)
    if not number or number > len(entries):
        return [] if number else None
    first = said["side"].casefold() in ("first", "top", "前", "头")
    return entries[:number] if first else entries[-number:]
