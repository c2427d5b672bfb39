"""That nobody of a name is on the screen, and whose names come near."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from carrel.frames import Element
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.phrases.owners import owner_of
from carrel.perception.labels import written_on

__all__ = ["nobody_called"]

SHORT = 5
"""Words of a text that may be a name, at most."""
NEAR = 0.6
MOST = 3


def nobody_called(elements: Sequence[Element], phrase: str) -> str:
    """Why a thing of somebody cannot be found: nothing says the name; empty where something does.

    Args:
        elements: What is on the screen.
        phrase: As `the contact Ann Lee`, `the message from Bo`.
    """
    name = owner_of(phrase)
    if name is None or not re.match(r"[^\W\d_a-z]", name):
        return ""
    texts = list(dict.fromkeys(written_on(e).strip() for e in part_meant(elements, "")))
    if any(name.casefold() in text.casefold() for text in texts):
        return ""
    short = [text for text in texts if 0 < len(text.split()) <= SHORT]
    near = get_close_matches(name, short, MOST, NEAR)
    told = f"; nearest: {', '.join(near)}" if near else ""
    return f"nothing on the screen says “{name}”{told}"
