"""Where a program is that goes from place to place: the path in the field over its window."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.layout.lineage import lineage_of
from carrel.perception.roles import Kind, is_field, kind_of

__all__ = ["place_shown"]

_BAR = re.compile(
    r"(?:the |its )?(?:(?:text|value|content|path|address|url|location) (?:in|of) (?:the )?)?"
    r"(?:file manager['’]s |current |folder )?(?:location|address|path|url)"
    r"(?: ?(?:bar|field|box|entry|line|input))"
    r"|(?:文件管理器的?)?(?:地址|路径|位置)[栏框](?:里|中|内)?的?(?:内容|路径|地址|文字)?",
    re.IGNORECASE,
)
_PLACE = re.compile(r"(?:~|/|[a-z][a-z+.-]{1,15}:/)\S?.*", re.IGNORECASE)
"""A path, or a URL."""


def place_shown(elements: Sequence[Element], phrase: str) -> str | None:
    """The path or URL in the one field that shows one, where such a field is what is asked for."""
    if _BAR.fullmatch(phrase.strip()) is None:
        return None
    front = [e for e in elements if e.parent is None and "active" in e.states]
    own = lineage_of(tuple(elements)).inside(front[0]) if len(front) == 1 else None
    fields = [e for e in elements if is_field(e) or kind_of(e) in (Kind.FIELD, Kind.COMBO)]
    if own is not None:
        fields = [e for e in fields if e.id in own] or fields
    told = [(e.value or e.text).strip() for e in fields]
    places = {text for text in told if _PLACE.fullmatch(text)}
    return places.pop() if len(places) == 1 else None
