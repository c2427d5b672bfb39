"""The words in what programs call things: in names of files, styles and ids."""

from __future__ import annotations

import re

__all__ = ["spoken_words"]

MOST = 4
"""With more words a style says how something is laid out, and not what it shows."""

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SHORT = frozenset({"x", "ok", "no", "up", "go"})
_LAYOUT = """
    active align auto background block bottom box btn button center centered clickable col
    column container control css default disabled display element elem enabled fixed flex float
    focus glyph glyphicon grid hidden hover icon icons image img inline inner item large layout
    link margin material medium middle module nav outer overlay padding pic picture position
    primary pull pulse rounded row secondary shadow small solid spacer span spin sprite style
    svg symbol symbols text thumb thumbnail tiny toggle toolbar top visible widget wrap wrapper
"""
_LAYOUT_WORDS = frozenset(_LAYOUT.split())


def spoken_words(identifier: str) -> tuple[str, ...]:
    """What an identifier says to a person: `fa fa-trash` is "trash"; nothing for mere layout."""
    parts = re.split(r"[^A-Za-z0-9]+", identifier)
    words = [word for part in parts if not _is_made_up(part) for word in _words(part)]
    told = tuple(dict.fromkeys(words))
    return told if len(told) <= MOST else ()


def _words(part: str) -> list[str]:
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+", part)]
    spoken = [w for w in words if w in _SHORT or (len(w) > 2 and re.search("[aeiouy]", w))]
    return [word for word in spoken if word not in _LAYOUT_WORDS]


def _is_made_up(part: str) -> bool:
    """Whether a program made it up: 1q2w3e, kYfkzQ."""
    pieces = _PIECE.findall(part)
    return bool(re.search(r"\d[A-Za-z]", part)) or (
        len(pieces) > 1 and sum(map(len, pieces)) < 3 * len(pieces)
    )
