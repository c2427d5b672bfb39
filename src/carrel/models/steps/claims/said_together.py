"""The line, row or message of the screen that says, with what heads it, all that a claim says.

There are more ways to claim a thing than rules. Where none reads a claim ("the summary should list
the Blue mug with a quantity of 2"), or nothing is called as it says, its words are held against
what is shown. Every word counts: each has to stand in one and the same line, row, message or card,
or over it. What would say something else without a small word (not, only, more, before) is never
taken so, nor is a number where another one of its sort stands beside it. Whoever asks has to tell
that it was seen in these words, and no more than that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from carrel.frames import Element
from carrel.models.steps.claims.said_units import Unit, pairs, units
from carrel.models.steps.language.held import (
    Claim,
    can_be_held,
    in_parts,
    numbers_in,
    read_claim,
    shares_in,
    sort_of_number,
    stated_pair,
    told_values,
)
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.phrases.stemming import stems
from carrel.models.steps.shown.pieces import joined_texts
from carrel.perception._names import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = ["saying"]

_HEADS = frozenset({Kind.HEADING, Kind.PAGE, Kind.DIALOG, Kind.WINDOW, Kind.TAB, Kind.GROUP})
_PLACES = frozenset(stems("page screen window form dialog card panel list table message summary"))
"""Words for where something is said, which need not be written there."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_TURNED = "未不没无非待别勿"
"""Signs before a word that make the contrary of it."""


def saying(elements: Sequence[Element], claim: str) -> str | None:
    """The text that says all that a claim does; None where no single one does.

    Args:
        elements: What is on the screen.
        claim: In the person's words.
    """
    # Asking whether it is so denies nothing.
    claim = re.sub(r"是不是|是否", "是", claim)
    tree = lineage_of(tuple(elements))
    if (two := stated_pair(claim)) is not None and (told := _paired(tree, *two)) is not None:
        return told
    if (given := told_values(claim)) is not None:
        return _all_given(tree, *given)
    if not can_be_held(claim):
        return None
    spoken = frozenset(re.findall(r"[^\W_]+", claim.casefold()))
    shown = [unit for unit in units(tree) if not unit.pressed or _is_spoken(unit.text, spoken)]
    if (text := _said(shown, read_claim(claim))) is not None:
        return text
    parts = [_said(shown, read_claim(part)) for part in in_parts(claim)]
    return "; ".join(filter(None, parts)) if parts and all(parts) else None


def _is_spoken(text: str, spoken: frozenset[str]) -> bool:
    """Whether what a button says was said to the letter: "Publish" tells of nothing published."""
    return set(re.findall(r"[^\W_]+", text.casefold())) <= spoken


def _all_given(tree: Lineage, subject: str, given: Sequence[tuple[str, str]]) -> str | None:
    """The lines that say of each label its value, where what says it is there as well."""
    heads = {stem for e in tree.elements if kind_of(e) in _HEADS for stem in stems(written_on(e))}
    if read_claim(f"{subject} 1").words - _PLACES - heads:
        return None
    told = [_paired(tree, label, value) for label, value in given]
    return "; ".join(filter(None, told)) if all(told) else None


def _paired(tree: Lineage, label: str, value: str) -> str | None:
    """The value that stands beside a label, or below it, where it is the one that is meant."""
    for a, b in pairs(tree):
        if _bare(written_on(a)) == _bare(label) and _bare(written_on(b)) == _bare(value):
            return f"{written_on(a)} {written_on(b)}"
    lines = (*joined_texts(tree.elements), *map(written_on, tree.elements))
    plain, held = (re.escape(one.strip().casefold()) for one in (label, value))
    said = re.compile(rf"\W*{plain}\W*[:=–-]\W*{held}\W*")
    return next((line for line in lines if said.fullmatch(line.casefold())), None)


def _bare(text: str) -> str:
    return re.sub(r"^\W+|[\s:：.*]+$", "", fold(text)) if re.search(r"\w", text) else fold(text)


def _said(shown: Sequence[Unit], wanted: Claim) -> str | None:
    wanted = _without_sorts(wanted, shown)
    if not wanted.words and not wanted.quoted:
        return None
    found = [unit.text for unit in shown if _says(wanted, unit.text, unit.around)]
    return min(found, key=len, default=None)


def _without_sorts(wanted: Claim, shown: Iterable[Unit]) -> Claim:
    """Without the words for sorts of things that the screen has no word for at all."""
    if not wanted.sorts:
        return wanted
    texts = [text for unit in shown for text in (unit.text, unit.around)]
    if _HAN.search("".join(wanted.words)):
        unsaid = {word for word in wanted.sorts if not any(word in text for text in texts)}
    else:
        unsaid = set(wanted.sorts) - {word for text in texts for word in _held(text)}
    return replace(wanted, words=wanted.words - unsaid)


def _says(wanted: Claim, text: str, around: str) -> bool:
    """Whether a text says a claim, what it is headed by included, and the most of it itself."""
    numbers = numbers_in(text)
    if not wanted.numbers <= numbers or _is_one_of_several(wanted, text):
        return False
    if not set(wanted.shares) <= set(shares_in(text)):
        return False
    own = [one for one in wanted.quoted if _stands_in(one, fold(text))]
    if any(not _stands_in(one, fold(around)) for one in wanted.quoted if one not in own):
        return False
    if _HAN.search("".join(wanted.words)):
        inside = {word for word in wanted.words if _stands_in(word, text)}
        there = all(_stands_in(word, around) for word in wanted.words - inside)
    else:
        inside = set(wanted.words & _held(text))
        there = wanted.words - inside <= _held(around)
    size = len(wanted.words) + len(wanted.numbers) + len(wanted.quoted)
    most = 2 * (len(inside) + len(own) + len(wanted.numbers)) >= size
    return there and most and bool(own or inside)


def _stands_in(part: str, text: str) -> bool:
    """Whether a text has these words as they are: not as a part of another, nor turned round."""
    if _HAN.search(part):
        return re.search(rf"(?<![{_TURNED}]){re.escape(part)}", text) is not None
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _is_one_of_several(wanted: Claim, text: str) -> bool:
    """Whether a number of the same sort stands there that was not spoken of."""
    sorts = {sort_of_number(text, number) for number in wanted.numbers}
    others = numbers_in(text) - wanted.numbers
    for quoted in wanted.quoted:
        others -= numbers_in(quoted)
    return any(sort_of_number(text, number) in sorts for number in others)


@lru_cache(maxsize=4096)
def _held(text: str) -> frozenset[str]:
    return frozenset(stems(text))
