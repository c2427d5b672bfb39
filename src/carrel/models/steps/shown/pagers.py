"""What turns the pages of a long list: “Next”, “Previous”, and the numbers beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import lineage_of
from carrel.perception._vocabulary import ORDINALS
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, is_disabled, kind_of

__all__ = ["BACK", "MORE", "is_pager", "page_after", "page_control", "page_meant", "pager_to"]

MORE = re.compile(
    r"^(?:(?:show|load|see|view) (?:more|all)|more|next(?: page)?|older|»|›|>|>>|→|下一页|更多)"
    r"(?: results| items| entries| posts)?[.…]*$",
    re.IGNORECASE,
)
BACK = re.compile(r"^(?:prev(?:ious)?(?: page)?|newer|«|‹|<|<<|←|上一页)$", re.IGNORECASE)
_FIRST = re.compile(r"^(?:first|«|<<|⏮|首页)(?: page)?$", re.IGNORECASE)
_LAST = re.compile(r"^(?:last|»|>>|⏭|末页|尾页)(?: page)?$", re.IGNORECASE)
_ENDS = re.compile(r"^(?:first|last|«|»|<<|>>|首页|末页)(?: page)?$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?P<bare>\d+)|(?:show |go to |goto |to )?page (?P<called>\d+)|第\s*(?P<zh>\d+)\s*页",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"^[<>«»‹›←→◀▶◂▸|\[\]\s]+|[<>«»‹›←→◀▶◂▸|\[\]\s]+$")
_PAGER = (Kind.LINK, Kind.BUTTON, Kind.TEXT)
_OF_ALL = re.compile(
    r"(?:page\s+)?\d+\s*(?:/|of|von|de)\s*\d+(?:\s*pages?)?|第?\s*\d+\s*页?\s*[/，,]?\s*共\s*\d+\s*页",
    re.IGNORECASE,
)
"""What stands between the ways back and on, and says which page of how many is shown."""
NEXT = 1000
_PAGE = re.compile(
    r"(?:the )?(?P<which>\w+) page"
    r"(?: of (?:the |these |those )?(?:search )?(?:results?|list|hits))?"
    r"|(?:results? |the )?page (?:number )?(?P<number>\d+)(?: of .+)?"
    r"|(?:结果的?)?(?:第(?P<zh>\d+|[一二三四五六七八九十])|(?P<turn>下一|上一|最后一|末|尾))页(?:结果)?",
    re.IGNORECASE,
)
_TURNS = {
    "next": NEXT,
    "previous": -NEXT,
    "following": NEXT,
    "下一": NEXT,
    "上一": -NEXT,
    "最后一": -1,
    "末": -1,
    "尾": -1,
}
_HAN_DIGITS = {word: number for number, word in enumerate("一二三四五六七八九十", 1)}
FEWEST = 2
"""Numbers that a pager shows at least: of this page and of another."""


def _shown(control: Element) -> str:
    """What stands on a control that may be called by more: the 2 of “Show page 2”.

    Without the arrow or the brackets that stand beside the words.
    """
    name = (control.text or control.name).strip()
    return _BESIDE.sub("", name) if any(char.isalnum() for char in name) else name


def _number_on(control: Element) -> str:
    """The number of the page that a control leads to; nothing where it says none."""
    said = _NUMBERED.fullmatch(_shown(control))
    return "" if said is None else said["called"] or said["zh"] or said["bare"] or ""


def page_meant(phrase: str) -> int:
    """The number of the page that "the second page of results" means; -1 for the last, 0 if none.

    The next is told as 1000, the one before as -1000.
    """
    said = _PAGE.fullmatch(phrase.strip())
    if said is None:
        return 0
    if said["turn"]:
        return _TURNS[said["turn"]]
    word = (said["which"] or said["number"] or said["zh"] or "").casefold()
    if word in _TURNS:
        return _TURNS[word]
    digits = re.match(r"\d+", word)
    return int(digits[0]) if digits else ORDINALS.get(word, 0) or _HAN_DIGITS.get(word, 0)


def page_control(desk: Desk, number: int, among: Sequence[Element] | None = None) -> Element | None:
    """The one control of a pager that leads to a page, in sight or `among` others."""
    there = desk.elements if among is None else among
    if number == NEXT:
        return pager_to(desk, MORE, there)
    if number == -NEXT:
        return pager_to(desk, BACK, there)
    if number == -1:
        return pager_to(desk, _LAST, there) or _highest(there)
    listed = [e for e in part_meant(there, "") if e.box is not None and not is_disabled(e)]
    fitting = [
        e
        for e in listed
        if _number_on(e) == str(number)
        and kind_of(e) in (Kind.LINK, Kind.BUTTON, Kind.OPTION)
        and is_pager(e, listed)
    ]
    if not fitting and number == FEWEST:
        return pager_to(desk, MORE, there)
    if not fitting and number == 1:
        return pager_to(desk, _FIRST, there)
    return fitting[0] if len(fitting) == 1 else None


def page_after(desk: Desk, number: int) -> Element | None:
    """The control for the page after one; of that which is shown the number may be a mere text."""
    control = page_control(desk, number + 1) or _drawn_number(desk, number + 1)
    if control is None or control.box is None:
        return None
    if kind_of(control) is Kind.TEXT:
        return control
    line, held = control.box, lineage_of(tuple(desk.elements))
    row = [e for e in desk.elements if e.box and abs(e.box.center.y - line.center.y) < line.height]
    shown = {
        _number_on(e)
        for e in row
        if kind_of(e) is Kind.TEXT and _number_on(e)
        if not any(kind_of(above) in (Kind.LINK, Kind.BUTTON) for above in held.above(e)[:2])
    }
    return control if shown <= {str(number)} else None


def _drawn_number(desk: Desk, number: int) -> Element | None:
    """The number of a page in a row of mere numbers from 1 on, that nothing else stands in."""
    listed = [e for e in part_meant(desk.elements, "") if e.box is not None and written_on(e)]
    texts = [e for e in listed if kind_of(e) is Kind.TEXT and _number_on(e) == str(number)]
    found: list[Element] = []
    for text in texts:
        level = text.box.center.y if text.box is not None else 0
        row = [e for e in listed if e.box is not None and e.box.y <= level < e.box.bottom]
        row.sort(key=lambda e: e.box.x if e.box else 0)
        told = [written_on(e).strip() for e in row]
        plain = [said for said in told if not (MORE.search(said) or BACK.search(said))]
        if len(plain) > FEWEST and plain == [str(n + 1) for n in range(len(plain))]:
            found.append(text)
    return found[0] if len(found) == 1 else None


def _highest(elements: Sequence[Element]) -> Element | None:
    """The highest number of the pager; none where that is of the page that is shown."""
    listed = [e for e in part_meant(elements, "") if e.box is not None]
    numbers = [e for e in listed if _number_on(e) and kind_of(e) in _PAGER]
    ways = [e for e in numbers if kind_of(e) is not Kind.TEXT and is_pager(e, listed)]
    if not ways or ways[0].box is None:
        return None
    line = ways[0].box
    # That of the page that is shown is often a mere text among links.
    row = [e for e in numbers if e.box and abs(e.box.center.y - line.center.y) < line.height]
    last = max(row, key=lambda e: (int(_number_on(e)), kind_of(e) is not Kind.TEXT))
    # Others may follow that are not listed, unless it is said how many there are.
    said = rf"\b(?:of|/)\s*{_number_on(last)}\b|共\s*{_number_on(last)}\s*页"
    told = any(re.search(said, written_on(e)) for e in listed)
    return last if told and last in ways and not is_disabled(last) else None


def pager_to(
    desk: Desk, way: re.Pattern[str], among: Sequence[Element] | None = None
) -> Element | None:
    """The one control of a pager that turns to a further page, or back."""
    there = desk.elements if among is None else among
    listed = [e for e in part_meant(there, "") if e.box is not None]
    fitting = [
        e for e in listed if not is_disabled(e) and way.search(_shown(e)) and _in_pager(e, listed)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _in_pager(element: Element, elements: Sequence[Element]) -> bool:
    """Whether numbers of pages stand in a row with it, or, for links, the way back."""
    assert element.box is not None
    kind, middle = kind_of(element), element.box.center.y
    if kind not in _PAGER or _in_dialog(element, elements):
        return False
    row = [
        e
        for e in elements
        if e.id != element.id and e.box is not None and kind_of(e) in (*_PAGER, Kind.OPTION)
        if abs(e.box.center.y - middle) < max(e.box.height, element.box.height)
    ]
    names = [_shown(e) for e in row]
    if any(map(_OF_ALL.fullmatch, names)):
        return True
    if kind is Kind.TEXT:
        return False
    if sum(map(bool, map(_number_on, row))) >= FEWEST:
        return True
    ways, own = (MORE, BACK), _shown(element)
    both = any(way.search(name) for name in names for way in ways if not way.search(own))
    return both and kind is Kind.LINK


def _in_dialog(element: Element, elements: Sequence[Element]) -> bool:
    boxes = [e.box for e in elements if e.role in ("dialog", "alert") or "modal" in e.states]
    return any(within(element.box, box) for box in boxes)


def is_pager(element: Element, elements: Sequence[Element]) -> bool:
    """Whether it turns pages: named for that, or a number beside others of the kind."""
    name = _shown(element)
    if MORE.search(name) or BACK.search(name) or _ENDS.search(name):
        return True
    if not _number_on(element) or element.box is None:
        return False
    row = [
        e for e in elements if e.box is not None and e.role == element.role and e.id != element.id
    ]
    return any(
        (_number_on(e) or MORE.search(_shown(e)))
        and abs(e.box.center.y - element.box.center.y) < element.box.height
        for e in row
        if e.box is not None
    )
