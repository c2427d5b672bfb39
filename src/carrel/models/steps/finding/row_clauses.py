"""Rows that are told by what stands in one of their columns: `the row whose status is Expired`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.entry_rows import is_called, rows_of, says
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.shown.reading import text_of
from carrel.perception.describe import describe
from carrel.perception.labels import written_on
from carrel.perception.numbers import ORDINALS
from carrel.perception.roles import Kind, kind_of

__all__ = ["Clause", "RowWords", "clause_rows", "row_words"]

How = Literal["is", "not", "contains"]

LINE = 12
"""Pixels by which headings of one table may differ in height."""
_NOUNS = re.compile(r"(?:row|line|entry|entrie|record|item|one)s?", re.IGNORECASE)
_HINT = re.compile(
    r"\b(?:whose|where|with|having|has|have|in which|for which)\b|的"
    r"|\b(?:row|line|entry|record) (?:of|for) ",
    re.IGNORECASE,
)
_ROW = (
    r"(?:(?:the|each|every|all|any|a|an|those|of) )*"
    r"(?:(?P<which>first|second|third|fourth|fifth|last) )?"
    r"(?P<noun>[A-Za-z-]+(?: (?!whose|where|with|that|which|having|in|for)[a-z-]+)?)"
)
_WHAT = (
    r"(?:(?P<what>.+?) (?:in|inside|within|of|on|for|from|next to|beside) "
    r"(?=the |each |every |an? |any ))?"
)
_IS = (
    r"(?P<how>is not|isn['’]t|are not|does not (?:equal|say|read)|!=|is|are|was|equals?|reads?|"
    r"says?|shows?|==?|contains?|includes?)"
)
_TOLD = re.compile(
    rf"{_WHAT}{_ROW} (?:whose|where|in which|for which) (?P<said>.+)", re.IGNORECASE | re.DOTALL
)
_WITH = re.compile(
    rf"{_WHAT}{_ROW} (?:with|having|(?:that|which) (?:has|have)) (?P<said>.+)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED = re.compile(
    rf"{_WHAT}(?:the )?(?:row|line|entry|record) (?:of|for|with) (?:the )?"
    r"(?P<column>[a-z][a-z-]*(?: [a-z][a-z-]*)?) (?P<value>#?(?=[\w./-]*\d)[\w./-]+)"
)
"""`the row of order 1002`: the noun heads the column of the numbers."""
_CLAUSE = re.compile(
    r"(?:whose |where )?(?:the |its |their )?(?P<column>\S.*?) ?"
    rf"(?:(?<=\s){_IS}(?=[\s\"“])|(?P<sign>[=:：])) ?(?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_AND = re.compile(
    r",? and (?=(?:whose |where )?(?:the |its |their )?[\w ]+? (?:is|=|are|contains) )"
)
_ZH = re.compile(
    r"(?:每一?[个行条位项名]|所有|全部|第一个|那[个些])?(?:的)?"
    r"(?P<column>“[^”]+”|\"[^\"]+\"|[^“”\"的，,为是]{1,12}?)(?:一?[列栏])?\s*"
    r"(?P<how>不是|不为|不等于|是|为|等于|显示为|显示|包含|含有?|(?=[“\"]))\s*"
    r"(?P<value>“[^”]*”|\"[^\"]*\"|[^“”\"的]+)\s*的"
    r"(?:所有|全部|每一?[个行条位项名]|那一?[个行条位项]|这一?[个行条位项]|(?P<which>第一|最后一)[个行条位项])?的?"
    r"(?P<noun>[行项]|一行|那行|数据|条目|记录|[\u3400-\u9fff]{2,4}?)?"
    r"(?:(?:里面|[里中内上])?的?(?P<what>(?:“[^”]*”|\"[^\"]*\").*|(?<=的).+))?"
)
_ZH_AFTER = re.compile(
    r"(?:每一?[个行条位项名]|所有|全部)?(?P<noun>[行项]|条目|记录|[\u3400-\u9fff]{2,4}?)?"
    r"(?P<column>“[^”]+”|\"[^\"]+\"|[^“”\"的，,为是]{1,8}?)\s*(?P<how>不是|不为|是|为|等于)\s*"
    r"(?P<value>“[^”]*”|\"[^\"]*\"|[^“”\"的]+)\s*的"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """What a column says in a row, or does not."""

    column: str
    value: str
    how: How = "is"


@dataclass(frozen=True, slots=True)
class RowWords:
    """A phrase about rows.

    Attributes:
        what: What is meant in the row; empty for the row itself.
        number: Which of the rows; 0 where that is not said.
    """

    what: str
    clauses: tuple[Clause, ...]
    number: int = 0


@lru_cache(maxsize=256)
def row_words(phrase: str) -> tuple[RowWords, ...]:
    """The ways to take a phrase so; which one is meant, the headings of the columns decide."""
    text = " ".join(phrase.split())
    if not _HINT.search(text):
        return ()
    return tuple(dict.fromkeys((*_english(text), *_chinese(text))))


def _english(text: str) -> Iterator[RowWords]:
    if (told := _TOLD.fullmatch(text)) is not None and _is_noun(told["noun"]):
        clauses = [_clause(part) for part in _AND.split(told["said"])]
        if all(clauses):
            yield _words(told, tuple(c for c in clauses if c is not None))
    if (told := _NUMBERED.fullmatch(text)) is not None:
        yield RowWords((told["what"] or "").strip(), (Clause(told["column"], told["value"]),))
    if (told := _WITH.fullmatch(text)) is None or not _is_noun(told["noun"]):
        return
    said = re.sub(r"^(?:the|an?|its) ", "", told["said"], flags=re.IGNORECASE)
    if (clause := _clause(said)) is not None:
        yield _words(told, (clause,))
    for space in re.finditer(r" (?:of |set to )?", said):
        first, second = said[: space.start()], said[space.end() :]
        if first.count('"') % 2 or not second:
            continue
        yield _words(told, (Clause(_bare(first), _bare(second)),))
        yield _words(told, (Clause(_bare(second), _bare(first)),))


def _clause(said: str) -> Clause | None:
    found = _CLAUSE.fullmatch(said.strip())
    if found is None:
        return None
    verb = (found["how"] or "is").casefold()
    how: How = "contains" if verb.startswith(("contain", "includ")) else "is"
    if "not" in verb or verb in ("!=", "isn't", "isn’t"):
        how = "not"
    value = _bare(found["value"])
    return Clause(_bare(found["column"]), value, how) if value else None


def _words(told: re.Match[str], clauses: tuple[Clause, ...]) -> RowWords:
    which = (told["which"] or "").casefold()
    number = -1 if which == "last" else ORDINALS.index(which) + 1 if which else 0
    return RowWords((told["what"] or "").strip(), clauses, number)


def _is_noun(noun: str) -> bool:
    """Whether rows may be called so: any word but one for another kind of thing."""
    if _NOUNS.fullmatch(noun) or _NOUNS.fullmatch(noun.split()[-1]):
        return True
    kinds = set(describe(f"the {noun.casefold()}").kinds)
    return not kinds or bool(kinds & {Kind.ROW, Kind.OPTION})


def _chinese(text: str) -> Iterator[RowWords]:
    for form in (_ZH, _ZH_AFTER):
        if (told := form.fullmatch(text)) is None:
            continue
        verb, parts = told["how"], told.groupdict()
        how: How = "not" if verb.startswith("不") else "contains" if "含" in verb else "is"
        which = parts.get("which") or ""
        number = 1 if which == "第一" else -1 if which else 0
        clause = Clause(_bare(told["column"]), _bare(told["value"]), how)
        what = (parts.get("what") or "").strip()
        yield RowWords(what, (clause,), number)
        if how == "is" and re.search(r"[^“”\"][里中]$", told["value"]):
            # 状态是已过期里的行: the rows among those.
            yield RowWords(what, (Clause(clause.column, clause.value[:-1]),), number)


def _bare(words: str) -> str:
    bare = re.sub(r"\s+(?:column|field|value|cell)$", "", words.strip(), flags=re.IGNORECASE)
    return bare.strip().strip("\"“”'‘’").strip()


def clause_rows(
    desk: Desk, phrase: str, elements: Sequence[Element]
) -> tuple[RowWords, list[Element]] | None:
    """The rows that are meant among these elements, and what of them.

    None where it is no such phrase, or no table has such a column.
    """
    known: tuple[RowWords, list[Element]] | None = None
    for words in row_words(phrase):
        heads = [_heads(desk, elements, clause.column) for clause in words.clauses]
        if not all(heads):
            continue
        tree = lineage_of(tuple(elements))
        rows = [
            row
            for row in rows_of(tree)
            if all(_fits(row, c, h, tree) for c, h in zip(words.clauses, heads, strict=True))
        ]
        if words.number:
            at = words.number - 1 if words.number > 0 else words.number
            rows = rows[at : at + 1 or None]
        if rows:
            return words, rows
        known = known or (words, rows)
    return known


def _heads(desk: Desk, elements: Sequence[Element], column: str) -> list[Element]:
    """The headings of a name; out of the place that is looked at, or out of sight, as well."""
    for listed in (elements, desk.seen.elements, desk.unseen):
        heads = [e for e in part_meant(listed, "") if kind_of(e) is Kind.COLUMN and e.box]
        named = [e for e in heads if is_called(written_on(e), column)]
        named = named or [e for e in heads if is_called(_but_unit(written_on(e)), column)]
        if named or (named := _first_cells(listed, column)):
            return named
        if len(said := [e for e in heads if says(written_on(e), column)]) == 1:
            # “Bug number” heads the bugs, where no other heading speaks of them.
            return said
    return []


def _but_unit(text: str) -> str:
    """A heading without its unit: `Price ($)`, `金额（元）`."""
    return re.sub(r"\s*[(（\[].*$", "", text)


def _first_cells(elements: Sequence[Element], column: str) -> list[Element]:
    """Cells of the first row of a table that tells of no headings."""
    tree = lineage_of(tuple(elements))
    found: list[Element] = []
    for table in (e for e in elements if kind_of(e) is Kind.TABLE):
        inner = tree.below(table)
        rows = [e for e in inner if kind_of(e) is Kind.ROW and e.box]
        if not rows or any(kind_of(e) is Kind.COLUMN for e in inner):
            continue
        first = min(rows, key=lambda e: e.box.y if e.box else 0)
        cells = [e for e in tree.below(first) if kind_of(e) is Kind.CELL and e.box]
        found += [e for e in cells if is_called(written_on(e), column)]
    return found


def _fits(row: Element, clause: Clause, heads: Sequence[Element], tree: Lineage) -> bool:
    head = _head_of(row, heads, tree)
    if head is None or head.box is None:
        return False
    cells = [e for e in tree.below(row) if kind_of(e) is Kind.CELL and e.box]
    parts = cells or tree.below(row)
    across = [e for e in parts if e.box and head.box.x <= e.box.center.x < head.box.right]
    if not across:
        return False
    # What a drop-down could say it does not say.
    offered = {
        x.id
        for e in across
        for c in tree.below(e)
        if kind_of(c) is Kind.COMBO
        for x in tree.below(c)
    }
    held = [x for e in across for x in (e, *tree.below(e)) if x.id not in offered]
    told = ((written_on(e), text_of(e, tree.elements), e.value or "") for e in held)
    texts = [text for one in told for text in one if text]
    if clause.how == "contains":
        return any(says(text, clause.value) for text in texts)
    wanted = _but_signs(clause.value)
    same = any(
        is_called(text, clause.value) or (wanted and _but_signs(text) == wanted) for text in texts
    )
    return same is (clause.how == "is")


def _but_signs(text: str) -> str:
    """A number without the signs around it, such as that of a currency; empty for anything else."""
    bare = re.sub(r"^[^\w.+-]+|[^\w%]+$", "", text.strip())
    return bare if re.fullmatch(r"[+-]?[\d.,]+%?", bare) else ""


def _head_of(row: Element, heads: Sequence[Element], tree: Lineage) -> Element | None:
    """The heading over a row: that of its table, else the nearest above."""
    tables = [e.id for e in tree.above(row) if kind_of(e) is Kind.TABLE]
    # A heading out of sight is of another look, where ids mean other things.
    for head in (e for e in heads if tree.by_id.get(e.id) == e):
        if row.id in {e.id for e in tree.above(head)}:
            return None
        if tables and tables[0] in {e.id for e in tree.above(head)}:
            return head
    above = [e for e in heads if e.box and row.box and e.box.y < row.box.y + LINE]
    return max(above, key=lambda e: e.box.y if e.box else 0, default=None)
