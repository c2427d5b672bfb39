"""The cell where a row and a column of a table meet."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.extents import Extent, extent_of, members
from carrel.models.steps.finding.held_entries import numbered_entry
from carrel.models.steps.finding.row_clauses import row_words
from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.turns import Missed
from carrel.perception._names import spelled_out
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["cell_meant"]

_OWNED = (
    re.compile(r"(?:the )?(?P<what>[\w #()-]+?) (?:of|for) (?:the )?(?P<who>.+)", re.IGNORECASE),
    re.compile(r"(?P<who>.+?)['’]s (?P<what>.+)", re.IGNORECASE),
    re.compile(
        r"(?P<who>“[^”]*”|\"[^\"]*\"|[^的]+?)\s*(?:这|那|该)?一?(?:个|条|项|行|位|名)?的\s*(?P<what>.+)"
    ),
)
_SORT = re.compile(
    r"^(?:(?:the )?(?:order|item|user|customer|product|row|record|invoice|ticket|task|employee|"
    r"student|person|account|entry|file|book|number|no\.?|id)\s+(?:number |no\.? |#|id )?)+(?=\S)"
    r"|^(?:订单号?|用户|客户|商品|产品|记录|任务|员工|学生|账号|编号|发票|文件|图书|工单|姓名|名称)(?:为|是)?\s*(?=.)",
    re.IGNORECASE,
)


def cell_meant(desk: Desk, phrase: str) -> Element | None:
    """The cell of `Ann's status`, `the price of order 7`; in a row also of `the status` alone."""
    bare = phrase.strip()
    if desk.scope is not None and (cell := _in_scope(desk, _name(bare))) is not None:
        return cell
    for form in _OWNED:
        found = form.fullmatch(bare)
        if found is None:
            continue
        for who in dict.fromkeys((_name(found["who"]), _name(_SORT.sub("", found["who"].strip())))):
            row = _row_of(desk, who) if who else None
            cell = _crossing(desk, row, _name(found["what"])) if row is not None else None
            if cell is not None:
                return cell
    return None


def _name(words: str) -> str:
    bare = re.sub(
        r"^(?:the|its)\s+|(?:的值|\s+(?:column|field|value|cell))$|一?[列栏]$",
        "",
        words.strip(),
        flags=re.IGNORECASE,
    )
    return bare.strip().strip("\"“”'‘’").strip()


def _row_of(desk: Desk, who: str) -> Extent | None:
    about = desk.about.stands_for(who) if desk.about is not None else None
    if about is not None and about.box is not None and kind_of(about) is Kind.ROW:
        return Extent(who, about.box, about)
    numbered = numbered_entry(desk, f"the {who}")
    entry = numbered[0] if numbered is not None else None
    if entry is not None and entry.box is not None and kind_of(entry) is Kind.ROW:
        return Extent(who, entry.box, entry)
    try:
        return extent_of(desk, _as_row(desk, who) or f'the row "{who}"')
    except Missed:
        return None


_NTH = re.compile(rf"(?P<nth>{'|'.join(ORDINALS)}|last)\s+(?P<noun>[a-z]+)", re.IGNORECASE)


def _as_row(desk: Desk, who: str) -> str:
    """Words that number a row, whatever its table is of: `first issue`; empty where none do."""
    if row_words(who):
        return who
    found = _NTH.fullmatch(who.strip())
    tables = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.TABLE and e.box]
    if found is None or len(tables) != 1:
        return ""
    desk.doubt(f"it was taken for the {found['nth']} row of the only table: the {who}")
    return f"the {found['nth']} row"


def _in_scope(desk: Desk, name: str) -> Element | None:
    """Of the row that is looked at, the cell under a heading that stands above it."""
    rows = [e for e in desk.elements if kind_of(e) is Kind.ROW and e.box is not None]
    if len(rows) != 1 or rows[0].box is None:
        return None
    return _crossing(desk, Extent("", rows[0].box, rows[0]), name)


def _crossing(desk: Desk, row: Extent, column: str) -> Element | None:
    everything = tuple(part_meant(desk.everything, ""))
    heads = [e for e in everything if kind_of(e) is Kind.COLUMN and e.box is not None]
    heads = heads or _drawn_heads(everything, row)
    named = [e for e in heads if _same(written_on(e), column)]
    named = named or [e for e in heads if _begins(written_on(e), column)]
    named = _over(named, row, Lineage(everything)) if len(named) > 1 else named
    if len(named) != 1 or named[0].box is None:
        return None
    head = named[0].box
    held = members(everything, row)
    cells = [e for e in held if kind_of(e) is Kind.CELL and e.box is not None]
    under = [e for e in cells if within_x(e, head.x, head.right)]
    if len(under) == 1:
        return under[0]
    tree = Lineage(held)
    leaves = [e for e in held if written_on(e) and not any(map(written_on, tree.below(e)))]
    across = [e for e in leaves if within_x(e, head.x, head.right) and within(e.box, row.box)]
    return across[0] if len(across) == 1 and not cells else None


def _over(heads: list[Element], row: Extent, tree: Lineage) -> list[Element]:
    """Of several headings of one name that of the row's own table, and over the row, not below."""
    tables = (
        [e.id for e in tree.above(row.holder) if kind_of(e) is Kind.TABLE] if row.holder else []
    )
    own = [e for e in heads if tables and any(above.id == tables[0] for above in tree.above(e))]
    over = [e for e in own or heads if e.box is not None and e.box.bottom <= row.box.center.y]
    columns = {e.box.x for e in over if e.box is not None}
    # A heading that stays in sight while its table is scrolled is there twice.
    return over[-1:] if len(columns) == 1 else over


def _drawn_heads(elements: tuple[Element, ...], row: Extent) -> list[Element]:
    """The cells of the first row, where a table calls nothing a heading."""
    tables = [e for e in elements if kind_of(e) is Kind.TABLE and within(row.box, e.box)]
    if not tables:
        return []
    tree = Lineage(elements)
    rows = [e for e in tree.below(tables[-1]) if kind_of(e) is Kind.ROW and e.box is not None]
    first = min(rows, key=lambda e: e.box.y if e.box else 0, default=None)
    if first is None or within(first.box, row.box):
        return []
    return [e for e in tree.below(first) if kind_of(e) is Kind.CELL and e.box is not None]


def within_x(element: Element, left: int, right: int) -> bool:
    """Whether its middle is between two verticals."""
    return element.box is not None and left <= element.box.center.x < right


def _same(text: str, name: str) -> bool:
    return _plain(text) == _plain(name) and bool(_plain(name))


def _begins(text: str, name: str) -> bool:
    """Whether a heading is the name and a unit: `金额(元)`, `Price ($)`."""
    said = re.sub(r"\s*[(（\[].*$", "", text)
    # Controls that a heading holds may be told as a part of it: `Price sort by Price`.
    return _same(said, name) or _plain(text).startswith(f"{_plain(name)} ")


def _plain(text: str) -> str:
    return spelled_out(re.sub(r"[^\w]+", " ", text.casefold()).strip())
