"""Signs that are called by their names in English: `a semicolon`, `the at sign`."""

from __future__ import annotations

import re

__all__ = ["sign_of"]

_SIGNS = {
    "semicolon": ";",
    "colon": ":",
    "comma": ",",
    "period": ".",
    "full stop": ".",
    "dot": ".",
    "dash": "-",
    "hyphen": "-",
    "minus": "-",
    "underscore": "_",
    "slash": "/",
    "forward slash": "/",
    "backslash": "\\",
    "asterisk": "*",
    "plus": "+",
    "equals": "=",
    "equal": "=",
    "question mark": "?",
    "exclamation mark": "!",
    "exclamation point": "!",
    "at": "@",
    "hash": "#",
    "pound": "#",
    "percent": "%",
    "dollar": "$",
    "euro": "€",
    "ampersand": "&",
    "apostrophe": "'",
    "pipe": "|",
    "tilde": "~",
    "zero": "0",
}
_NEED_SIGN = ("at", "equal", "equals", "plus", "minus", "pound", "dollar", "euro", "percent")
_NAMED = re.compile(
    rf"(?:an?|the|one)\s+(?:single\s+)?(?P<name>{'|'.join(sorted(_SIGNS, key=len, reverse=True))})"
    r"(?P<sign>\s+(?:sign|symbol|character))?",
    re.IGNORECASE,
)


def sign_of(text: str) -> str | None:
    """The sign that the words name; None where they name none."""
    found = _NAMED.fullmatch(text.strip())
    if found is None or (found["name"].lower() in _NEED_SIGN and not found["sign"]):
        return None
    return _SIGNS[found["name"].lower()]
