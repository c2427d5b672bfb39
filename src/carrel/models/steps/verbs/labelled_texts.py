"""Texts that begin with what their field is called: `enter card number 55810`, `输入卡号55810`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.sorts_of_value import words_of
from carrel.models.steps.program import Enter
from carrel.models.steps.shown.reading import fold
from carrel.perception.labels import label_of, written_on

__all__ = ["as_labelled"]

_QUOTED = "\"“”'‘’「『«`"
_VALUE = re.compile(r"[^a-z\s]|\S*[@\d]")
"""How a word begins that is plainly somebody's own: a name, a number, an address."""


def as_labelled(desk: Desk, step: Enter, fields: Sequence[Element]) -> Enter:
    """The step with the field that its text begins with; as it is where that names none for sure.

    Args:
        desk: Where the text goes.
        step: What is typed; what stands in quotes is typed as it is.
        fields: The fields that there are.
    """
    text = step.text.strip()
    if step.into is not None or _is_quoted(desk, text):
        return step
    for label, value in _cuts(text):
        called = {e.id: name for e in fields for name in _names(desk, e) if fold(name) == label}
        if len(called) == 1:
            return replace(step, into=f'"{next(iter(called.values()))}"', text=value)
    label, value = _before_value(text)
    wanted = set(words_of(label))
    having = [
        (e, name) for e in fields for name in _names(desk, e) if wanted <= set(words_of(name))
    ]
    if wanted and value and len({e.id for e, _ in having}) == 1:
        return replace(step, into=f'"{having[0][1]}"', text=value)
    return step


def _is_quoted(desk: Desk, text: str) -> bool:
    at = desk.step.find(text)
    return not text or at < 0 or (at > 0 and desk.step[at - 1] in _QUOTED)


def _cuts(text: str) -> Iterator[tuple[str, str]]:
    """The text in two, the longest beginning first; Chinese needs no space between them."""
    for at in range(len(text) - 1, 0, -1):
        before, after = text[:at], text[at:]
        joined = before[-1].isascii() and after[0].isascii() and not after[0].isspace()
        if not joined and after.strip(" :：") and not before[-1].isspace():
            yield fold(before).strip(" :：*"), after.strip(" :：")


def _before_value(text: str) -> tuple[str, str]:
    """The plain words that a text begins with, and the rest, which begins with a value."""
    words = text.split()
    at = next((n for n, word in enumerate(words) if _VALUE.match(word)), 0)
    return " ".join(words[:at]), " ".join(words[at:]) if at else ""


def _names(desk: Desk, field: Element) -> list[str]:
    label = label_of(field, desk.elements)
    said = (field.name, written_on(label) if label is not None else "")
    return [text.strip(" :：*") for text in said if text.strip(" :：*")]
