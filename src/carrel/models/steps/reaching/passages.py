"""What a person means to be read: the value beside a label, a word of a text, what is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.claims.lead_ins import led_to
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.crossings import cell_meant
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.captions import (
    TEXTS,
    announced,
    asked_for,
    defined,
    shared_height,
    told_by,
    value_beside,
)
from carrel.models.steps.shown.reading import fold, text_of
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.labels import labels, written_on
from carrel.perception.roles import CONTROLS, FIELDS, Kind, kind_of

__all__ = ["Passage", "passage", "shown_texts"]

_TRAIL = re.compile(
    r"\s+(?:below|above|here|(?:that is |which is |as )?(?:shown|displayed|given|written)"
    r"(?: (?:below|above|here|on the (?:screen|page)))?|on the (?:screen|page))$",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:the )?(?P<which>[\w-]+(?: to last| from the end)?) "
    r"(?P<unit>word|line|sentence|letter|character|paragraph|number)"
    r"(?: (?:in|of|from|on|inside|within) (?P<thing>.+))?",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"(?:all )?(?:of )?(?:the )?(?:whole |entire |full )?"
    r"(?:text|contents?|words|values?|string|writing|paragraph)"
    r" (?P<how>in|inside|of|from|on|within|under|next to|beside|for|at) (?P<thing>.+)",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"(?:all )?(?:the )?(?:following |given |shown |displayed )?"
    r"(?P<what>text|words?|letters?|characters?|code|captcha|string|sentence|phrase|number|value|"
    r"message)",
    re.IGNORECASE,
)

_AFTER = re.compile(
    r"(?P<label>.+?)\s*(?:后面|之后|后边|右边|右侧|旁边|后)的?(?P<what>数字|数值|数|文字|文本|内容|值)"
    r"|(?:the )?(?P<said>number|figure|amount|value|text) "
    r"(?:(?:right |directly )?after|following|next to|beside|to the right of) (?P<of>.+)",
    re.IGNORECASE,
)
_NUMBERS = ("数字", "数值", "数", "number", "figure", "amount")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Passage:
    """Text on the screen.

    Attributes:
        element: Where it is, or what it is a part of.
    """

    text: str
    element: Element


def passage(desk: Desk, phrase: str) -> Turns[Passage]:
    """What a phrase means to be read.

    Raises:
        Missed: Nothing on the screen is it, or it could be several.
    """
    bare = _TRAIL.sub("", phrase.strip())
    unit = _UNIT.fullmatch(bare)
    if unit is not None and (at := _which(unit["which"])) is not None:
        whole = yield from _whole(desk, unit["thing"])
        part = _part(whole.text, unit["unit"].casefold(), at)
        if part is None:
            raise Missed(f"{_short(whole.text)!r} has no {unit['which']} {unit['unit']}")
        return Passage(part, whole.element)
    if (after := _AFTER.fullmatch(bare)) is not None:
        told = _after(desk, after["label"] or after["of"], (after["what"] or after["said"]).lower())
        if told is not None:
            return told
    if bare != phrase.strip() or _SHOWN.fullmatch(bare):
        shown = yield from _only_shown(desk, bare)
        if shown is not None:
            return shown
    inside = _INSIDE.fullmatch(bare)
    if inside is not None:
        direct = resolve(desk, look_for(desk, wished(phrase), want="read"))
        if direct is None or kind_of(direct.element) not in FIELDS:
            named = bool(wished(inside["thing"]).description.name)
            beside = named and inside["how"].casefold() not in ("in", "inside", "on", "within")
            return (yield from _of(desk, inside["thing"], beside=beside))
    return (yield from _of(desk, phrase, beside=False))


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


# Parts of a text


def _which(word: str) -> int | None:
    """The place that an ordinal says: from 0, or from the end below it."""
    folded = word.casefold()
    known = {"last": -1, "final": -1, "first": 0, "second to last": -2, "next to last": -2}
    if folded in known:
        return known[folded]
    if folded in ORDINALS:
        return ORDINALS.index(folded)
    found = re.fullmatch(r"(\d+)(?:st|nd|rd|th)?", folded)
    return int(found[1]) - 1 if found and int(found[1]) else None


_UNITS = {
    "word": r"\S+",
    "line": r"[^\n]*\S[^\n]*",
    "paragraph": r"(?:[^\n]*\S[^\n]*\n?)+",
    "sentence": r"[^\s.!?。！？][^.!?。！？]*[.!?。！？]?",
    "number": r"-?\d+(?:[.,]\d+)*",
    "letter": r"[^\W\d_]",
    "character": r"\S",
}


def _part(text: str, unit: str, at: int) -> str | None:
    pieces: list[str] = re.findall(_UNITS[unit], text)
    if not -len(pieces) <= at < len(pieces):
        return None
    piece = pieces[at].strip()
    # A comma or a full stop is no part of a word.
    return piece.strip(".,;:!?\"'“”()") or piece if unit == "word" else piece


def _whole(desk: Desk, thing: str | None) -> Turns[Passage]:
    """The text that a part is taken from."""
    if thing is None:
        shown = yield from _only_shown(desk, "the text")
        if shown is None:
            raise Missed("it is not said of which text, and there is not just one")
        return shown
    bare = _TRAIL.sub("", thing)
    if re.fullmatch(
        r"(?:the )?(?:paragraph|text|passage|sentence|page|article)", bare, re.IGNORECASE
    ):
        shown = yield from _only_shown(desk, bare)
        if shown is not None:
            return shown
    return (yield from _of(desk, bare, beside=False))


# What a thing says


def _after(desk: Desk, phrase: str, what: str) -> Passage | None:
    """What stands behind some words, in the same text or in the next one of the line."""
    words = wished(phrase).description.name or phrase
    shown = [e for e in part_meant(desk.elements, "") if kind_of(e) in TEXTS and e.box is not None]
    holding = [e for e in shown if fold(words) in fold(written_on(e))]
    ending = [e for e in holding if fold(written_on(e)).rstrip(" :：").endswith(fold(words))]
    exact = [e for e in ending if fold(written_on(e)).strip(" :：") == fold(words)]
    labels_there = {e.box: e for e in exact or ending or holding}
    if len(labels_there) != 1:
        return None
    (label,) = labels_there.values()
    said = " ".join(written_on(label).split())
    rest = said[said.casefold().rfind(words.casefold()) + len(words) :].strip(" :：")
    value = value_beside(desk.elements, label) if not rest else label
    if value is None:
        return None
    text = rest or text_of(value, desk.elements)
    if what not in _NUMBERS:
        return Passage(text, value)
    number = _NUMBER.match(text.strip())
    return None if number is None else Passage(number[0], value)


def _of(desk: Desk, phrase: str, *, beside: bool) -> Turns[Passage]:
    """The text of a thing; of a label the value that stands beside it."""
    fields = _many_lined(desk, phrase)
    if fields is not None:
        return Passage(text_of(fields, desk.elements), fields)
    direct = resolve(desk, look_for(desk, wished(phrase), want="read"))
    if direct is None or kind_of(direct.element) is Kind.COLUMN:
        told = _in_cell(desk, phrase)
        if told is not None:
            return told
    try:
        match = yield from ground(desk, phrase, want="read")
    except Missed:
        # What tells it may have come while it was sought.
        told = _in_cell(desk, phrase)
        if told is None:
            raise
        return told
    element = match.element
    if (value := defined(desk.elements, element)) is not None:
        return Passage(text_of(value, desk.elements), value)
    said = text_of(element, desk.elements)
    if kind_of(element) in TEXTS and (beside or said.rstrip().endswith((":", "：", "="))):
        value = value_beside(desk.elements, element)
        if value is not None:
            return Passage(text_of(value, desk.elements), value)
    if kind_of(element) in TEXTS and fold(asked_for(said)) == fold(asked_for(phrase)):
        value = told_by(desk.elements, element)
        if value is None:
            raise Missed(f"{match} is only called so, and nothing tells what it says")
        return Passage(text_of(value, desk.elements), value)
    return Passage(said, element)


def _in_cell(desk: Desk, phrase: str) -> Passage | None:
    """The cell where a row and a column meet, or what a text says after a name."""
    cell = cell_meant(desk, phrase)
    if cell is not None:
        return Passage(text_of(cell, desk.seen.elements), cell)
    shown = part_meant(desk.elements, "")
    told = announced(shown, phrase) or led_to(shown, phrase)
    return Passage(*told) if told is not None else None


def _many_lined(desk: Desk, phrase: str) -> Element | None:
    """The one field of several lines, where such a one is asked for and no name is said."""
    if not re.fullmatch(r"(?:the )?(?:text ?area|text ?box|editor)", phrase, re.IGNORECASE):
        return None
    there = [e for e in part_meant(desk.elements, "") if kind_of(e) in FIELDS and e.box]
    many = [e for e in there if "multi line" in e.states]
    return many[0] if len(many) == 1 else None


# What is shown


def _only_shown(desk: Desk, phrase: str) -> Turns[Passage | None]:
    """The one text that the screen shows, beside labels and controls; None where there are more."""
    blocks = shown_texts(desk)
    if not blocks and (yield from desk.closer()):
        blocks = shown_texts(desk)
    if re.search(r"number|value", phrase, re.IGNORECASE):
        blocks = [b for b in blocks if re.search(r"\d", b.text)] or blocks
    return blocks[0] if len(blocks) == 1 else None


def shown_texts(desk: Desk) -> list[Passage]:
    """The texts that are content: each in one piece, without labels and what is on controls."""
    page = [e for e in part_meant(desk.elements, "") if e.box is not None]
    above = {e.id: e for e in page}
    tied = {label.id for label in labels(tuple(page)).values()}
    holding = {e.parent for e in page if kind_of(e) in TEXTS and written_on(e).strip()}
    controls = [e for e in page if kind_of(e) in CONTROLS]
    busy = {at.id for e in controls for at in _above(e, above)}
    groups: dict[str, list[Element]] = {}
    for element in page:
        leaf = kind_of(element) in TEXTS and element.id not in holding
        chain = _above(element, above)
        if not leaf or not written_on(element).strip():
            continue
        if any(kind_of(at) in CONTROLS for at in chain):
            continue
        still = [at for at in chain if at.id not in busy]
        groups.setdefault(still[-1].id if still else element.id, []).append(element)
    # A single text over a field may be its label; several pieces are not.
    free = [g for g in groups.values() if len(g) > 1 or not _is_tied(g[0], tied, above)]
    told = free or list(groups.values())
    return [Passage(_joined(group), _holder(group, above)) for group in told]


def _is_tied(element: Element, tied: set[str], above: dict[str, Element]) -> bool:
    return bool(tied & {at.id for at in _above(element, above)})


def _above(element: Element, above: dict[str, Element]) -> list[Element]:
    """The element and what holds it, without the page."""
    chain = [element]
    while (at := above.get(chain[-1].parent or "")) is not None and len(chain) < 100:
        if kind_of(at) in (Kind.PAGE, Kind.WINDOW):
            break
        chain.append(at)
    return chain


def _holder(group: Sequence[Element], above: dict[str, Element]) -> Element:
    return group[0] if len(group) == 1 else above.get(group[0].parent or "", group[0])


def _joined(group: Sequence[Element]) -> str:
    """Pieces of one text: what stands close together is one word."""
    said = ""
    last: Box | None = None
    boxes = [element.box for element in group if element.box is not None]
    if all(shared_height(one, other) >= 0.3 for one in boxes for other in boxes):
        # Letters that are turned or set higher are still read from left to right.
        group = sorted(group, key=lambda element: element.box.x if element.box else 0)
    for element in group:
        box = element.box
        assert box is not None
        close = last is not None and shared_height(box, last) >= 0.5 and box.x - last.right < 3
        said += ("" if close or not said else " ") + written_on(element).strip()
        last = box
    return said
