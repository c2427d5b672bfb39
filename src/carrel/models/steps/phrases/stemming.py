"""One form for a word, its inflections, and what is commonly said for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from carrel.perception._names import fold

__all__ = ["stem", "stems"]

_ALIKE = (
    ("image", "picture", "photo"),
    ("trash", "bin"),
    ("delete", "remove"),
    ("mail", "email"),
    ("ok", "okay"),
    ("cart", "basket", "bag"),
    ("preference", "setting"),
    ("search", "find"),
    ("finish", "done", "complete"),
    ("close", "dismiss"),
    ("accept", "agree"),
    ("add", "new", "create"),
    ("next", "continue", "proceed"),
    ("previous", "back"),
    ("edit", "modify"),
    ("submit", "send"),
)


def stems(text: str) -> Iterator[str]:
    """The words of a text, in one form for all their inflections."""
    return map(stem, re.findall(r"[^\W_]+", fold(text)))


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """One form for a word, its inflections, and what is commonly said for it."""
    base = _bare(word)
    return next((alike[0] for alike in _ALIKE if base in map(_bare, alike)), base)


def _bare(word: str) -> str:
    if word.endswith("s") and len(word) > 3 and not word.endswith("ss"):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeioulsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
