"""Buttons that are told by the sign on them and the row they are in: `the plus in the Adult row`.

What is drawn on a button need not be what it is called: the tree says "More Adult" of a plus. In
the row that is meant, a sign is told by its picture, by what such a sign is for, and, of two at a
number, by the side that it stands on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk, within
from carrel.models.steps.finding.extents import Extent, extent_of, members
from carrel.models.steps.finding.held_with import card_parts
from carrel.models.steps.turns import Missed
from carrel.perception._names import fold
from carrel.perception.find import Match
from carrel.perception.labels import written_on
from carrel.perception.roles import FIELDS, Kind, is_disabled, kind_of
from carrel.perception.symbols import is_symbol_word, same_symbol

__all__ = ["row_called", "sign_in_row"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_IN = (
    r"in|on|of|from|for|at|within|inside|next to|beside|besides|by|near|behind|after|"
    r"(?:at|on) (?:the )?(?:(?:right|left|far|very)[- ]?)*(?:end|edge|right|left|side|hand side) "
    r"(?:of|in)|(?:to the )?(?:right|left) of|belonging to|that belongs to"
)
_SAID = re.compile(
    rf"(?:the |an? )?(?P<sign>\S+(?: \S+)??)(?: (?:button|icon|sign|symbol|image|link|key|mark))? "
    rf"(?:{_IN}) (?P<row>\S.*)",
    re.IGNORECASE,
)
_ROW = (
    r"(?:table |list )?(?:row|line|line item|entry|item|record|card|list item|line entry|product|"
    r"article|tile)"
)
_SAID_ZH = re.compile(
    r"(?P<row>.+?)(?:的|[那这]一?[张个条项行])?(?:(?:[左右前后旁]边|[左右]侧|[后前]面|旁|边上|末尾)的?|的|(?<=行))"
    r"(?P<sign>[\"“]?[^\"“”的]{1,4}?[\"”]?)(?:按钮|按键|图标|键)?"
)
"""手冲咖啡壶旁边的加号, “张三”那一行的垃圾桶."""
_OF_ROW = re.compile(
    rf"(?:the |its )?(?:(?:end|right|edge) of )?(?:the )?{_ROW} "
    r"(?:of|for|with|called|named|saying) (?P<name>\S.*)|(?P<own>\S.*?)(?:['’]s)? " + _ROW,
    re.IGNORECASE,
)
_FOR: dict[str, str] = {
    "+": r"more|increase|increment|add|plus|raise|one more|up|higher",
    "−": r"fewer|less|one less|one fewer|take one|decrease|decrement|minus|reduce|remove one|"
    r"subtract|lower|down",
    "×": r"remove|delete|close|clear|dismiss|discard|cancel|take out|drop",
    "🗑": r"delete|remove|discard|erase|trash",
    "✎": r"edit|rename|change|modify|update",
}
"""What signs are for, as buttons that show them are called."""
_NEUTRAL = _listed(
    "the a an of for to by in from one 1 item items quantity amount number count row line "
    "entry this button qty unit ticket tickets"
)
_PRESSED = frozenset({Kind.BUTTON, Kind.LINK, Kind.ICON, Kind.IMAGE})
_HAN = re.compile(r"[\u3400-\u9fff]")
_UNNAMED = re.compile(r"[\w-]+-symbolic|\W*")
"""What nobody reads on a button: the name of a picture in its program."""
_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)?")


def sign_in_row(desk: Desk, phrase: str) -> Match | None:
    """The one button of a row that has this sign; None where it is not certain which."""
    for said in _readings(phrase.strip().strip("[]")):
        sign = said["sign"].strip("\"“”'")
        if not is_symbol_word(sign):
            continue
        row = row_called(desk, said["row"])
        found = _signed(desk, members(desk.elements, row), sign) if row is not None else None
        cards = card_parts(desk, said["row"]) if found is None else ()
        found = found or next(filter(None, (_signed(desk, card, sign) for card in cards)), None)
        if found is not None and found.box is not None:
            return Match(found, 1.0, found.box.center, f"what has a {sign} in that row")
    return None


def _readings(phrase: str) -> list[dict[str, str]]:
    """A phrase as a sign and a row; the words between may begin at any of several."""
    read: list[dict[str, str]] = []
    if (zh := _SAID_ZH.fullmatch(phrase)) is not None and _HAN.search(phrase):
        read.append({"sign": zh["sign"], "row": zh["row"]})
    for cut in re.finditer(rf" (?:{_IN}) ", phrase, re.IGNORECASE):
        said = _SAID.fullmatch(phrase[: cut.end()] + "x")
        if said is not None:
            read.append({"sign": said["sign"], "row": phrase[cut.end() :]})
    return read


def row_called(desk: Desk, words: str) -> Extent | None:
    """The row that words mean: by what it is called, or by its number."""
    bare = re.sub(r"^(?:the|its|an?) (?=\S)", "", words.strip("[]"), flags=re.IGNORECASE)
    of_row = _OF_ROW.fullmatch(bare)
    name = (of_row["name"] or of_row["own"]) if of_row is not None else bare
    again = _OF_ROW.fullmatch(name) if of_row is not None and of_row["name"] else None
    name = (again["own"] or name) if again is not None else name
    name = re.sub(r"^(?:the|an?) (?=\S)", "", name.strip("[]"), flags=re.IGNORECASE)
    name = name.strip(_QUOTES)
    # "the Senior ticket": what it is one of need not stand there.
    less = re.sub(r"(?<=\S) [a-z]+$", "", name)
    for place in dict.fromkeys((f'the row "{name}"', words, f'the row "{less}"')):
        try:
            extent = extent_of(desk, place)
        except Missed:
            continue
        if extent is not None:
            return extent
    return None


_QUOTES = "\"“”'‘’"


def _signed(desk: Desk, parts: Iterable[Element], sign: str) -> Element | None:
    held = [e for e in parts if e.box is not None and e.box.area]
    pressed = [e for e in held if kind_of(e) in _PRESSED]
    every = [e for e in pressed if not any(_is_on(e, other) for other in pressed)]
    outer = [e for e in every if not is_disabled(e)]
    texts = [e for e in held if kind_of(e) is Kind.TEXT and not any(_is_on(e, o) for o in outer)]
    drawn = [e for e in (*outer, *texts) if same_symbol(sign, written_on(e)) > 0]
    meant = drawn or [e for e in outer if _is_for(sign, written_on(e), texts)]
    if meant:
        return meant[0] if len(meant) == 1 else None
    # A minus that leads no further still tells that the other one is the plus.
    told = _at_number(desk, every, held, sign)
    return told if told is not None and not is_disabled(told) else None


def _is_on(element: Element, other: Element) -> bool:
    """Whether it is a part of another, as the picture of a button is."""
    if element.box is None or other.box is None or not within(element.box, other.box):
        return False
    return element.parent == other.id or element.box.area < other.box.area


def _is_for(sign: str, name: str, row: Sequence[Element]) -> bool:
    """Whether a button does what the sign is for, and to nothing but its row."""
    said = {word for e in row for word in re.findall(r"\w+", fold(written_on(e)))}
    for glyph, words in _FOR.items():
        if same_symbol(sign, glyph) == 0:
            continue
        found = re.match(rf"(?:{words})(?!\w)", fold(name))
        rest = set(re.findall(r"\w+", fold(name)[found.end() :])) if found else {"?"}
        if rest <= said | _NEUTRAL:
            return True
    return False


def _at_number(
    desk: Desk, pressed: Sequence[Element], held: Sequence[Element], sign: str
) -> Element | None:
    """Of two buttons without a name at both sides of a number, the one on that side."""
    bare = sorted(
        (e for e in pressed if _UNNAMED.fullmatch(written_on(e)) and e.box),
        key=lambda e: e.box.x if e.box else 0,
    )
    up, down = same_symbol(sign, "+") > 0, same_symbol(sign, "−") > 0
    if len(bare) != 2 or not (up or down):
        return None
    left, right = bare[0].box, bare[1].box
    assert left is not None
    assert right is not None
    between = any(
        e.box is not None and left.right <= e.box.center.x <= right.x
        for e in held
        if kind_of(e) in FIELDS or _NUMBER.fullmatch(written_on(e))
    )
    if not between:
        return None
    desk.doubt("which of two buttons without a name counts up is told by their sides")
    return bare[1] if up else bare[0]
