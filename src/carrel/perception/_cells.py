"""Cells of tables by their row and their column, each by its name or its number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from carrel.perception import _vocabulary as vocabulary
from carrel.perception._tokens import Token, join
from carrel.perception.description import Description, Relation
from carrel.perception.roles import CHINESE, ENGLISH, Kind

__all__ = ["chinese_cells", "english_cells"]

_ROW = frozenset(["row", "line"])
_COLUMN = frozenset(["column", "col"])
_JOINTS = frozenset(["and", "in", "of", "at", "for", "from", "on", "under"])
_CONTENT = frozenset(["value", "content", "contents", "entry", "field"])
_NAMINGS = frozenset(["of", "for", "named", "called", "labelled", "labeled", "with"])


def english_cells(tokens: Sequence[Token]) -> Iterator[Description]:
    """Read "the third row of the Price column", or the same the other way round."""
    words = {token.word for token in tokens}
    if not (words & _ROW and words & _COLUMN):
        return
    inner = _without_frame(tokens)
    for at in range(1, len(inner)):
        left, right = inner[:at], inner[at:]
        right = right[1:] if right[0].word in _JOINTS else right
        for one, other in ((left, right), (right, left)):
            row, column = _part(one, _ROW, Kind.ROW), _part(other, _COLUMN, Kind.COLUMN)
            if row is not None and column is not None:
                yield from _cell(join(tokens), row, column)
                return


def _cell(text: str, row: Description, column: Description) -> Iterator[Description]:
    rows = Relation("in" if row.ordinal else "row", row)
    yield Description(text, kinds=(Kind.CELL,), relations=(rows, Relation("column", column)))
    if not column.ordinal:
        # A heading may be as plain a cell as any other.
        plain = Description(column.text, name=column.name, exact=column.exact)
        yield Description(text, kinds=(Kind.CELL,), relations=(rows, Relation("column", plain)))


def _without_frame(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without "the cell in" before it, and "of the table" after it."""
    words = [token.word for token in tokens]
    if len(words) > 3 and ENGLISH.get(words[-1]) is Kind.TABLE:
        end = len(words) - (2 if words[-2] in vocabulary.ARTICLES else 1)
        if words[end - 1] in _JOINTS:
            tokens, words = tokens[: end - 1], words[: end - 1]
    start = 1 if words[0] in vocabulary.ARTICLES else 0
    if words[start] in _CONTENT or ENGLISH.get(words[start]) is Kind.CELL:
        start += 1
        start += start < len(words) and words[start] in _JOINTS
        return tokens[start:]
    return tokens


def _part(tokens: Sequence[Token], called: frozenset[str], kind: Kind) -> Description | None:
    """A row or a column, by what it is called or by its number."""
    while tokens and tokens[0].word in vocabulary.ARTICLES:
        tokens = tokens[1:]
    if len(tokens) < 2:
        return None
    if tokens[0].word in called:
        rest = tokens[1:]
        if len(rest) > 1 and rest[0].word in ("number", "no", "nr"):
            return _numbered(rest[1:], kind)
        rest = rest[1:] if len(rest) > 1 and rest[0].word in _NAMINGS else rest
        return _numbered(rest, kind) or _named(rest, kind)
    if tokens[-1].word in called:
        return _counted(tokens[:-1], kind) or _named(tokens[:-1], kind)
    return None


def _numbered(tokens: Sequence[Token], kind: Kind) -> Description | None:
    word = tokens[0].word.removeprefix("#")
    number = int(word) if re.fullmatch(r"[0-9]{1,3}", word) else vocabulary.NUMERALS.get(word, 0)
    return _nth(tokens, kind, number) if len(tokens) == 1 and number else None


def _counted(tokens: Sequence[Token], kind: Kind) -> Description | None:
    word = tokens[0].word
    match = re.fullmatch(r"([0-9]{1,3})(?:st|nd|rd|th)", word)
    number = int(match[1]) if match else vocabulary.ORDINALS.get(word, 0)
    return _nth(tokens, kind, number) if len(tokens) == 1 and number else None


def _nth(tokens: Sequence[Token], kind: Kind, number: int) -> Description:
    return Description(join(tokens), kinds=(kind,), ordinal=number)


def _named(tokens: Sequence[Token], kind: Kind) -> Description | None:
    while tokens and tokens[0].word in vocabulary.ARTICLES:
        tokens = tokens[1:]
    if not tokens or any(token.word in _ROW | _COLUMN for token in tokens):
        return None
    exact = tokens[0].quoted
    if exact and len(tokens) > 1:
        return None
    kinds = (kind,) if kind is Kind.COLUMN else ()
    return Description(join(tokens), name=join(tokens), exact=exact, kinds=kinds)


_NUMBER = r"第(?P<{0}_number>\d{{1,3}}|[一二三四五六七八九十]{{1,3}}){1}"
_CALLED = r"(?P<{0}_name>[^行列]+?)(?:的|所在的?|那|这|该)?一?{1}"
_BETWEEN = r"(?:的|里|中|内|上|下|、|，|,|和|与|\s)*"
_BEFORE = r"(?:(?:表格?|网格)(?:里|中|内|上)?的?)?"
_AFTER = r"(?:的?(?:单元格|储存格|格子|那?一?格|内容|数值|值|数据))?"
_SPELLED = {
    "row": f"(?:{_NUMBER.format('row', '行')}|{_CALLED.format('row', '行')})",
    "column": f"(?:{_NUMBER.format('column', '列')}|{_CALLED.format('column', '列')})",
}
_CHINESE = tuple(
    re.compile(_BEFORE + _SPELLED[one] + _BETWEEN + _SPELLED[other] + _AFTER)
    for one, other in (("row", "column"), ("column", "row"))
)

_ROW_SAID = (
    r"(?:第(?P<number>\d{1,3}|[一二三四五六七八九十]{1,3})行|(?P<last>最后一?行|末行)|(?P<first>首行)|"
    r"(?P<name>[^行列]+?)(?:所在的?|的?那|的?这|该)一?行)"
)
_ROW_THEN = re.compile(
    _BEFORE + _ROW_SAID + r"(?:的|里的?|中的?|内的?|上的?|\s)+(?P<what>[^行列]+)"
)


def chinese_cells(
    text: str, name: Callable[[str], tuple[str, bool, str]], numeral: Callable[[str], int]
) -> Iterator[Description]:
    """Read "价格列第三行", or the same the other way round.

    Args:
        text: The phrase, with each quoted text veiled.
        name: Unveils a name: it, whether it was quoted, and what stands around it.
        numeral: Reads a number.
    """
    for pattern in _CHINESE:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        found = [
            _chinese_part(match[f"{what}_number"], match[f"{what}_name"], kind, name, numeral)
            for what, kind in (("row", Kind.ROW), ("column", Kind.COLUMN))
        ]
        row, column = found
        if row is not None and column is not None:
            yield from _cell(text, row, column)
            return
    yield from _chinese_row(text, name, numeral)


def _chinese_row(
    text: str, name: Callable[[str], tuple[str, bool, str]], numeral: Callable[[str], int]
) -> Iterator[Description]:
    """Read "第二行的价格", of which the column is not called one."""
    match = _ROW_THEN.fullmatch(text)
    if match is None:
        return
    number = -1 if match["last"] else 1 if match["first"] else 0
    said = _chinese_part(match["number"], match["name"], Kind.ROW, name, numeral)
    row = Description("", kinds=(Kind.ROW,), ordinal=number) if number else said
    column, exact, around = name(match["what"].strip())
    if row is None or not column or around or any(column.endswith(kind) for kind in CHINESE):
        return
    rows = Relation("in" if row.ordinal else "row", row)
    yield Description(text, name=column, exact=exact, relations=(rows,))
    yield from _cell(text, row, Description(column, name=column, exact=exact, kinds=(Kind.COLUMN,)))


def _chinese_part(
    number: str | None,
    called: str | None,
    kind: Kind,
    name: Callable[[str], tuple[str, bool, str]],
    numeral: Callable[[str], int],
) -> Description | None:
    if number is not None:
        return Description(number, kinds=(kind,), ordinal=numeral(number))
    said, exact, around = name(called or "")
    if around or not said:
        return None
    kinds = (kind,) if kind is Kind.COLUMN else ()
    return Description(said, name=said, exact=exact, kinds=kinds)
