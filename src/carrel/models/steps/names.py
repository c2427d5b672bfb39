"""Filling what was remembered into a step: `{NAME}` in its texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from carrel.models.steps.program import Condition, Step, Unclear
from carrel.models.steps.turns import Missed

__all__ = ["fill", "fill_condition", "fill_step", "holds_secret", "unclear_steps"]

_NAME = re.compile(r"\{([^\W\d]\w*)\}")

_SECRET = re.compile(r"\{\{\s*secret:")
"""What is typed by reference; the value is filled in later, and never known here."""

T = TypeVar("T", bound=Step)


def holds_secret(text: str) -> bool:
    """Whether a text refers to a secret."""
    return _SECRET.search(text) is not None


def fill(text: str, names: Mapping[str, str]) -> str:
    """The text with every name in braces replaced.

    Raises:
        Missed: Nothing is remembered under a name.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in names:
            known = ", ".join(names) or "nothing yet"
            raise Missed(f"nothing is remembered as {match[1]}; remembered: {known}")
        return names[match[1]]

    return _NAME.sub(value, text)


def fill_step(step: T, names: Mapping[str, str]) -> T:
    """A step with its own texts filled in; those of the steps within it are filled when done."""
    changes: dict[str, Any] = {}
    for item in fields(step):
        value = getattr(step, item.name)
        if item.name in ("words", "name") or _holds_steps(value):
            continue
        filled = _filled(value, names)
        if filled != value:
            changes[item.name] = filled
    return replace(step, **changes) if changes else step


def _holds_steps(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Step)


def _filled(value: object, names: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return fill(value, names)
    if isinstance(value, tuple):
        return tuple(_filled(item, names) for item in value)
    return fill_condition(value, names) if isinstance(value, Condition) else value


def fill_condition(condition: Condition, names: Mapping[str, str]) -> Condition:
    """A condition with its texts filled in."""
    inner: dict[str, Any] = {
        item.name: _filled(getattr(condition, item.name), names) for item in fields(condition)
    }
    return replace(condition, **inner)


def unclear_steps(steps: tuple[Step, ...]) -> list[Unclear]:
    """Every step that no rule understands, at any depth."""
    found: list[Unclear] = []
    for step in steps:
        if isinstance(step, Unclear):
            found.append(step)
        for item in fields(step):
            value = getattr(step, item.name)
            if _holds_steps(value):
                found += unclear_steps(cast("tuple[Step, ...]", value))
    return found
