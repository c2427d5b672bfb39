"""What is said to be chosen in a list of things: that list alone has it."""

from __future__ import annotations

import re

__all__ = ["chooses_in_list", "listed_name"]

_LIST = r"(?:(?:the|this|that)\s+)?list\s+of\s+(?:the\s+)?"
_CHOOSES = re.compile(
    rf"\W*(?:please\s+)?(?:select|choose|pick|mark|highlight)\s.+\s(?:in|from|on)\s+{_LIST}\S",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"{_LIST}(?P<name>\S.*)", re.IGNORECASE)


def chooses_in_list(said: str) -> bool:
    """Whether something is to be chosen in a list, and so nowhere else: `in the list of staff`."""
    return _CHOOSES.match(said) is not None


def listed_name(phrase: str) -> str:
    """What `the list of available staff` may be called; empty where it says no such list."""
    found = _NAMED.fullmatch(phrase.strip())
    return found["name"].strip("\"“”'") if found is not None else ""
