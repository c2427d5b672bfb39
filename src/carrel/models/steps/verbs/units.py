"""What goods are counted by: `packs of Sencha` are Sencha, where nothing is called so."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Perform
from carrel.models.steps.wishes import is_there, look_for, wished

__all__ = ["without_unit"]

_GOODS = ("add", "order", "buy", "get", "purchase", "put")
_UNIT = re.compile(
    r"(?:(?:an?|the|one)\s+)?(?:box|bottle|can|pack|packet|pair|bag|cup|kilo|piece|copy|copie|unit|"
    r"slice|set|ticket|jar|bunch|roll|carton|crate|glass|portion|serving|lit(?:re|er)|tin|tube|"
    r"bar|tray|case)(?:e?s)?\s+of\s+(?=\S)",
    re.IGNORECASE,
)


def without_unit(desk: Desk, step: Perform) -> Perform:
    """The step about the goods themselves."""
    unit = _UNIT.match(step.what or "") if step.verb in _GOODS else None
    if unit is None or step.what is None:
        return step
    if is_there(look_for(desk, wished(step.what), want="read")):
        return step
    return replace(step, what=step.what[unit.end() :])
