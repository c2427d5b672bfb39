"""What a sentence tells after a name: the S-1 of `Your order number is S-1`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.captions import TEXTS, asked_for, shared_height
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["led_to"]

NEXT = 24
"""Pixels between a text and the one that goes on with its sentence."""
TOUCHING = 3
"""Pixels between two pieces of one word."""
_HAN = r"\u3400-\u9fff"
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
_MARK = r"\s*(?P<mark>[:：]|(?<=\s)is(?!\w)|(?:为|是)[:：]?)\s*"
_OTHER = re.compile(
    r"\b(?:if|when|whether|unless|until|once|previous|last|old|former|next|enter|type|fill|"
    r"not|no)\b"
    r"|如果|若|假如|当|是否|上一|上次|旧|原|之前|输入|填写|不",
    re.IGNORECASE,
)
"""Words before a name by which a sentence does not tell what it is now."""
_STATED = re.compile(r"[必空无不未错]|(?:required|invalid|empty|missing|not)\b", re.IGNORECASE)
_JOINS = re.compile(r"\s*(?:or|and|to|till|[-–—~/、]|或者?|和|与|至|到)\s*", re.IGNORECASE)
"""What stands between two values."""


@dataclass(frozen=True, slots=True)
class _Lead:
    """A text that says a name and goes on, in itself or in the next text of its line."""

    element: Element
    mark: str
    rest: str
    last: bool


def led_to(elements: Sequence[Element], name: str) -> tuple[str, Element] | None:
    """What the only text that says a name and `is` or a colon goes on with, in the same line."""
    wanted = asked_for(name)
    tree = Lineage(elements)
    leads = [] if not wanted else _leads(elements, tree, wanted)
    if len(leads) != 1:
        return None
    (lead,) = leads
    if lead.rest:
        value = _value_in(lead)
        return None if value is None else (value, lead.element)
    follower = _next_to(lead.element, tree)
    if follower is None or not _ends_there(follower, tree):
        return None
    said = " ".join(written_on(follower).split()).rstrip(".。!！,，;；")
    if not said or re.search(r"[:：](?!\d)", said):
        return None
    if lead.mark not in ":：" and (_STATED.match(said) or not _is_proper(said)):
        return None
    return said, follower


def _leads(elements: Sequence[Element], tree: Lineage, wanted: str) -> list[_Lead]:
    words = r"\s+".join(map(re.escape, wanted.split()))
    edge = r"(?<![\w-])" if wanted[0].isascii() else ""
    form = re.compile(rf"{edge}{words}{_MARK}(?P<rest>.*)", re.IGNORECASE)
    found: dict[object, _Lead] = {}
    for element in elements:
        if kind_of(element) not in TEXTS or element.box is None or _is_told_below(element, tree):
            continue
        sentences = [s for s in _SENTENCES.split(written_on(element)) if s.strip()]
        for number, sentence in enumerate(sentences):
            told = form.search(sentence)
            if told is None:
                continue
            last = number == len(sentences) - 1
            if _OTHER.search(sentence[: told.start()]) or not (last or told["rest"]):
                continue
            # The same text may be told twice at one place.
            found[element.box, number] = _Lead(element, told["mark"], told["rest"].strip(), last)
    told_by = [lead for lead in found.values() if lead.element.source != "ocr"]
    return told_by or list(found.values())


def _is_told_below(element: Element, tree: Lineage) -> bool:
    """Whether it says what texts in it say, too."""
    return any(kind_of(e) in TEXTS and written_on(e) for e in tree.below(element))


def _value_in(lead: _Lead) -> str | None:
    """What the sentence itself goes on with, if that is a value and nothing more is said."""
    said = " ".join(lead.rest.split()).rstrip(".。!！")
    first, *more = re.split(r"[，；;]|,(?=\s)", said)
    if more:
        # "S-1, please keep it": a code ends at the comma, and a name or an address may not.
        if re.search(r"\s", first) or not re.match(rf"\s*[a-z{_HAN}]", more[0]):
            return None
        said = first
    if not said or re.search(r"[:：](?!\d)", said):
        return None
    has_digit = re.search(r"\d", said) is not None
    if not has_digit and (more or not lead.last or lead.mark in "为是"):
        return None
    if lead.mark in ":：" and not more and lead.last:
        return said
    return said if _is_proper(said) else None


def _is_proper(said: str) -> bool:
    """Whether it is a number, a code, a date or a name, and not what is said of one."""
    if re.search(rf"[{_HAN}]", said):
        if not re.search(r"\d", said):
            return len(said) <= 12
        return not re.search(rf"[{_HAN}]{{3}}", said)
    words = said.split()
    if len(words) <= 2 and re.search(r"\d", words[0]):
        return True
    return all(re.search(r"\d", word) or not word[0].islower() for word in words)


def _next_to(element: Element, tree: Lineage) -> Element | None:
    """The text right after another one in its line, in the same paragraph."""
    at = element.box
    assert at is not None
    holder = tree.by_id.get(element.parent or "")
    beside: list[Element] = []
    for one in tree.elements:
        if one.box is None or one.id == element.id or not written_on(one):
            continue
        if not -TOUCHING <= one.box.x - at.right <= NEXT or shared_height(one.box, at) < 0.5:
            continue
        if kind_of(one) not in TEXTS | {Kind.LINK}:
            return None
        if _is_told_below(one, tree):
            continue
        if holder is not None and holder not in tree.above(one):
            continue
        beside.append(one)
    first = min((e.box.x for e in beside if e.box is not None), default=0)
    nearest = {written_on(e): e for e in beside if e.box is not None and e.box.x == first}
    return nearest.popitem()[1] if len(nearest) == 1 else None


def _ends_there(value: Element, tree: Lineage) -> bool:
    """Whether what follows a value is neither the rest of it nor another one."""
    at = value.box
    assert at is not None
    for one in tree.elements:
        if one.box is None or one.id == value.id or not one.name:
            continue
        gap = one.box.x - at.right
        if not -TOUCHING <= gap <= NEXT or shared_height(one.box, at) < 0.5:
            continue
        if _JOINS.fullmatch(one.name) or (gap < TOUCHING and one.name[0].isalnum()):
            return False
    return True
