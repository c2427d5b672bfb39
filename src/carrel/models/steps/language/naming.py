"""Names in braces that steps use, and those that nothing sets before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass

from carrel.models.steps.program import Compute, ForEach, If, Let, Read, Repeat, Run, Step

__all__ = ["names_used"]


def names_used(steps: Iterable[Step], known: set[str] | None = None) -> list[str]:
    """Names in braces that nothing sets before they are used, in order."""
    known = set() if known is None else known
    missing: list[str] = []
    for step in steps:
        _names_of(step, known, missing)
    return missing


def _names_of(step: Step, known: set[str], missing: list[str]) -> None:
    inner: set[str] = set(known)
    if isinstance(step, ForEach):
        inner.add(step.name)
    for text in _texts(step):
        for name in re.findall(r"(?<!\{)\{([^\W\d][\w.-]*)\}(?!\})", text):
            if name not in inner and name not in missing:
                missing.append(name)
    for body in _bodies(step):
        for one in body:
            _names_of(one, inner, missing)
    if isinstance(step, Read | Let | Compute) or (isinstance(step, Run) and step.name):
        known.add(step.name or "")
    elif not isinstance(step, ForEach):
        known |= inner


def _bodies(step: Step) -> list[tuple[Step, ...]]:
    if isinstance(step, If):
        return [step.then, step.otherwise]
    return [step.body] if isinstance(step, Repeat | ForEach) else []


def _texts(value: object) -> list[str]:
    """Every text in a step's own fields, not in the steps inside it."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for one in value if not isinstance(one, Step) for text in _texts(one)]
    if is_dataclass(value) and not isinstance(value, type):
        return [
            text
            for field in fields(value)
            if field.name not in ("words", "why", "name")
            for text in _texts(getattr(value, field.name))
        ]
    return []
