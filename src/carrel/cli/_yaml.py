"""Plain data as YAML: every text is written as JSON writes it, which YAML reads the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from carrel.cli._output import to_json

__all__ = ["to_yaml"]

# A plain word that no reader takes for a number, a truth or nothing.
_WORD = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)
_TAKEN = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def to_yaml(value: object) -> str:
    """A YAML document of dictionaries, lists, texts, numbers, truths and nothing."""
    if _is_leaf(value):
        return _leaf(value) + "\n"
    return "\n".join([*_lines(value), ""])


def _is_leaf(value: object) -> bool:
    return not (isinstance(value, dict | list) and value)


def _leaf(value: object) -> str:
    if isinstance(value, str) and _WORD.fullmatch(value) and value not in _TAKEN:
        return value
    return to_json(value)


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _entry(f"{_leaf(str(key))}:", item)
    elif isinstance(value, list):
        for item in value:
            yield from _item(item)


def _entry(head: str, item: object) -> Iterator[str]:
    if _is_leaf(item):
        yield f"{head} {_leaf(item)}"
        return
    yield head
    yield from (f"  {line}" for line in _lines(item))


def _item(item: object) -> Iterator[str]:
    if _is_leaf(item):
        yield f"- {_leaf(item)}"
        return
    first, *rest = _lines(item)
    yield f"- {first}"
    yield from (f"  {line}" for line in rest)
