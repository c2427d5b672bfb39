"""Things that are told by their number: `order #1043` is the row that says #1043."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.program import Perform

__all__ = ["by_code"]

_CODED = re.compile(
    r"(?:the\s+)?[a-z]+(?:\s(?:number|no\.?|nr\.?))?\s+(?P<code>#?[\w./-]*\d[\w./-]*)",
    re.IGNORECASE,
)


def by_code(desk: Desk, step: Perform) -> Perform:
    """The step about what says the number, where nothing is called by noun and number."""
    said = _CODED.fullmatch((step.what or "").strip())
    if said is None or is_there(look_for(desk, wished(step.what or ""), want="read")):
        return step
    for code in dict.fromkeys((said["code"], f"#{said['code'].lstrip('#')}")):
        phrase = f'"{code}"'
        if resolve(desk, look_for(desk, wished(phrase), want="read")) is not None:
            return replace(step, what=phrase)
    return step
