"""How a run was begun from the command line, so that it can go on the same way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from carrel.codec import Json

__all__ = ["as_before", "describe_origin", "is_fresh"]

_KEPT = ("base_url", "model_options", "tools", "mcp")
"""Options that a resumed run takes over; what its policy allows is in the run's own terms."""


def describe_origin(options: Mapping[str, Any], *, fresh: bool) -> dict[str, Json]:
    """The options as the journal keeps them; an address with a password in it is not kept.

    Args:
        options: Of the command.
        fresh: The desk was made for this run, and goes with it.
    """
    kept: dict[str, Json] = {"directory": str(Path.cwd()), "fresh": fresh}
    for name in _KEPT:
        value = options.get(name)
        if value and not (name == "base_url" and urlsplit(value).username):
            kept[name] = list(value) if isinstance(value, tuple) else value
    return kept


def as_before(run: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a resume, with those of the first time where none are given."""
    origin = _origin(run)
    merged = dict(options)
    for name in _KEPT:
        before = origin.get(name)
        if not merged.get(name) and before:
            merged[name] = tuple(before) if isinstance(before, list) else before
    merged["directory"] = str(origin.get("directory") or Path.cwd())
    if not merged.get("instructions"):
        merged["told"] = str(_started(run).get("instructions", ""))
    return merged


def is_fresh(run: str) -> bool:
    """Whether the desk of a run was made for it alone."""
    return _origin(run).get("fresh") is True


def _origin(run: str) -> Mapping[str, Json]:
    origin = _started(run).get("origin")
    return origin if isinstance(origin, dict) else {}


def _started(run: str) -> Mapping[str, Json]:
    from carrel.journal import read_events

    return next(read_events(run)).data
