"""Rows of tables and entries of lists, told as such or only looking alike, and their names."""

from __future__ import annotations

import re

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage
from carrel.perception.labels import written_on
from carrel.perception.roles import FIELDS, Kind, kind_of

__all__ = [
    "ENTRIES",
    "but_pagers",
    "but_ways",
    "drawn_tree",
    "is_called",
    "is_foot",
    "is_head",
    "repeating",
    "rows_of",
    "says",
    "with_head",
]

LINE = 8
"""Pixels by which entries of one line may differ."""
ENTRIES = (Kind.ROW, Kind.OPTION, Kind.TREE_ITEM)


def rows_of(tree: Lineage) -> list[Element]:
    """The rows of a table, or the entries of a list, without those that head the columns.

    A row of mere fields does so, too, beside rows that say something: it filters the columns.
    """
    rows = [e for e in tree.elements if kind_of(e) is Kind.ROW and e.box and not is_head(e, tree)]
    rows = [e for e in rows if not _heads(e, tree)] or rows
    return rows or [e for e in tree.elements if kind_of(e) in ENTRIES and e.box]


def is_head(row: Element, tree: Lineage) -> bool:
    """Whether a row only says what the columns are called."""
    cells = [e for e in tree.below(row) if kind_of(e) in (Kind.CELL, Kind.COLUMN)]
    return bool(cells) and all(kind_of(e) is Kind.COLUMN for e in cells)


_SUM = re.compile(
    r"(?:(?:grand|sub|overall)[ -]?)?(?:total|sum)s?\W*|Σ|合计\W*|总计\W*|小计\W*", re.IGNORECASE
)


def is_foot(row: Element, tree: Lineage) -> bool:
    """Whether a row only sums up the others: the last one, in which some cells say nothing."""
    cells = [e for e in tree.below(row) if kind_of(e) is Kind.CELL]
    said = [written_on(e).strip() for e in cells]
    if len(cells) < 2 or all(said) or not any(map(_SUM.fullmatch, said)):
        return False
    table = next((e for e in tree.above(row) if kind_of(e) is Kind.TABLE), None)
    rows = [e for e in (tree.below(table) if table else ()) if kind_of(e) is Kind.ROW and e.box]
    return bool(rows) and row.id == max(rows, key=lambda e: e.box.y if e.box else 0).id


def repeating(tree: Lineage) -> list[Element]:
    """What holds several parts of one width below one another: a list that is not called one.

    Entries that say several things each are a list rather than the names of where one can go.
    """
    parts: dict[tuple[str, int, int], list[int]] = {}
    for element in tree.elements:
        box = element.box
        if box is None or not element.parent or kind_of(element) not in (Kind.GROUP, Kind.ANY):
            continue
        said = {written_on(e) for e in tree.below(element) if written_on(e)}
        if box.area and said:
            parts.setdefault((element.parent, box.x, box.width), []).append(len(said))
    listed = {key: said for key, said in parts.items() if len(said) > 1}
    rich = {key: said for key, said in listed.items() if min(said) > 1}
    most = max(map(len, (rich or listed).values()), default=0)
    best = [key[0] for key, said in (rich or listed).items() if len(said) == most]
    return [tree.by_id[best[0]]] if len(best) == 1 and best[0] in tree.by_id else []


_FOLDS = re.compile(r"[▸▾▹▿►▼▶▽⏵⏷▷◢⊞⊟]")


def drawn_tree(tree: Lineage) -> list[Element]:
    """What holds the names that a sign for unfolding stands before, where no tree is told of."""
    signed = [e for e in tree.elements if _FOLDS.match(written_on(e)) and not tree.below(e)]
    for holder in tree.above(signed[0]) if signed else ():
        held = tree.inside(holder)
        others = [e for e in tree.below(holder) if written_on(e) and e not in signed]
        if all(e.id in held for e in signed) and (others or len(signed) > 1):
            return [holder]
    return []


def but_ways(lists: list[Element], tree: Lineage, kind: Kind) -> list[Element]:
    """Without lists in one line that only lead elsewhere, and those of a kind before others."""
    kept = [e for e in but_pagers(lists, tree) if not _leads_on(e, tree)] or lists
    # A tree or a table is called a list where nothing else is one.
    return [e for e in kept if kind_of(e) is kind] or kept


_PAGES = re.compile(r"(?:page |第\s*)?\d{1,5}(?:\s*页)?|[.…·<>‹›«»←→]+|\.{3}", re.IGNORECASE)


def but_pagers(lists: list[Element], tree: Lineage) -> list[Element]:
    """Without lists that say nothing but the numbers of pages, where there are others."""
    told = [(e, [written_on(x).strip() for x in tree.below(e)]) for e in lists]
    kept = [e for e, texts in told if not any(texts) or not all(map(_is_page, filter(None, texts)))]
    return kept or lists


def _is_page(text: str) -> bool:
    return _PAGES.fullmatch(text) is not None


def _leads_on(list_: Element, tree: Lineage) -> bool:
    held = tree.below(list_)
    links = [e for e in held if kind_of(e) in (Kind.LINK, Kind.BUTTON)]
    on_them = {x.id for e in links for x in (e, *tree.below(e))}
    said = [e for e in held if re.search(r"\w", written_on(e)) and kind_of(e) is Kind.TEXT]
    line = {e.box.center.y // LINE for e in links if e.box is not None}
    return bool(links) and len(line) == 1 and all(e.id in on_them for e in said)


def with_head(tables: list[Element], tree: Lineage) -> list[Element]:
    """Of a table whose headings are a table of their own, what holds both."""
    full = [e for e in tables if any(not _heads(r, tree) for r in _rows_in(e, tree))]
    if len(full) != 1 or any(not _rows_in(e, tree) for e in tables if e not in full):
        return tables
    wanted = {e.id for e in tables}
    for holder in tree.above(full[0]):
        if wanted <= tree.inside(holder):
            return [holder]
    return full


def _heads(row: Element, tree: Lineage) -> bool:
    """Whether a row is no entry: it names the columns, or only has fields to filter them by."""
    inner = tree.below(row)
    fields = any(kind_of(e) in FIELDS | {Kind.COMBO} for e in inner)
    return is_head(row, tree) or (fields and not any(kind_of(e) is Kind.TEXT for e in inner))


def _rows_in(table: Element, tree: Lineage) -> list[Element]:
    return [e for e in tree.below(table) if kind_of(e) is Kind.ROW]


def is_called(text: str, name: str) -> bool:
    """Whether a text is a name, but for case, spaces and a colon."""
    return _plain(text) == _plain(name) and bool(_plain(name))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" :：*")


def says(text: str, name: str) -> bool:
    """Whether it says the name as whole words."""
    one, other = _plain(text), _plain(name)
    if not other:
        return False
    start = r"(?<!\w)" if other[0].isascii() and other[0].isalnum() else ""
    end = r"(?!\w)" if other[-1].isascii() and other[-1].isalnum() else ""
    return re.search(start + re.escape(other) + end, one) is not None
